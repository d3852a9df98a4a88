//! What every game's ledger can do.

use crate::trouble::Trouble;
use serde::Serialize;
use std::time::Duration;

/// A player and his points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Who.
    pub name: String,
    /// Points, chips or tiles.
    pub points: i64,
}

/// The game of some people with the real pieces, as far as it was typed.
pub trait Ledger {
    /// Whose turn it is, and of what; nothing when the game is over.
    fn turn(&self) -> Option<String>;

    /// Takes what was typed and says what it counts. A line that is refused changes nothing.
    fn enter(&mut self, line: &str) -> Result<String, Trouble>;

    /// What would have been the best, for the line that was entered last. Thinks no longer than that.
    fn best(&self, limit: Duration) -> Option<String>;

    /// How the players stand, in the order they sit.
    fn standing(&self) -> Vec<Standing>;

    /// The score sheet, as Markdown.
    fn sheet(&self) -> String;

    /// What can be typed.
    fn help(&self) -> &'static str;

    /// How long a turn takes, in seconds, if that is agreed.
    fn seconds(&self) -> Option<u32>;
}

/// Who is ahead, in words.
pub(crate) fn winners(standing: &[Standing]) -> String {
    let most = standing.iter().map(|player| player.points).max();
    let names: Vec<&str> = standing
        .iter()
        .filter(|player| Some(player.points) == most)
        .map(|player| player.name.as_str())
        .collect();
    match names.as_slice() {
        [] => String::new(),
        [name] => format!("{name} has won."),
        names => format!("{} share the win.", and(names)),
    }
}

/// A list as one says it.
pub(crate) fn and(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
