//! The drawer: games on this screen, kept in the browser after every act, taken up again after a reload.

use crate::browser::{forget, recall, remember, wall};
use house::Kind;
use serde::{Deserialize, Serialize};
use table::Seed;

const INDEX: &str = "parlor.tables";
/// Finished games beyond this many are forgotten, the oldest first.
const FINISHED_KEPT: usize = 24;

/// Who sits at a seat of a table on this screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chair {
    /// The name.
    pub name: String,
    /// The bot's level; none for a person.
    pub bot: Option<u8>,
}

/// What the drawer's label says about a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Its name in addresses.
    pub id: String,
    /// Which game.
    pub kind: Kind,
    /// Who plays.
    pub chairs: Vec<Chair>,
    /// The secret of its dice, kept by the same person who plays: a local table trusts its owner.
    pub seed: Seed,
    /// When something last happened, in milliseconds since 1970.
    pub touched: u64,
    /// Table time at that moment.
    pub clock: u64,
    /// Whether it is over.
    pub over: bool,
    /// The scores, once it is.
    #[serde(default)]
    pub scores: Vec<i64>,
}

/// Every game in the drawer, the last touched first.
pub fn all() -> Vec<Kept> {
    let mut kept: Vec<Kept> =
        recall(INDEX).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    kept.sort_by_key(|game| std::cmp::Reverse(game.touched));
    kept
}

/// One game of the drawer.
pub fn find(id: &str) -> Option<Kept> {
    all().into_iter().find(|game| game.id == id)
}

/// The lines of its record.
pub fn lines(id: &str) -> Option<Vec<String>> {
    let text = recall(&key(id))?;
    Some(text.lines().map(str::to_owned).collect())
}

/// Puts a game into the drawer, or puts it back. Says whether there was room for it.
pub fn keep(game: &Kept, lines: &[String]) -> bool {
    let mut games = all();
    games.retain(|other| other.id != game.id);
    games.insert(0, Kept { touched: wall(), ..game.clone() });
    let finished = games.iter().filter(|game| game.over).skip(FINISHED_KEPT).map(|game| game.id.clone());
    for id in finished.collect::<Vec<_>>() {
        forget(&key(&id));
        games.retain(|game| game.id != id);
    }
    remember(&key(&game.id), &lines.join("\n")) && write(&games)
}

/// Throws a game away.
pub fn discard(id: &str) {
    forget(&key(id));
    let mut games = all();
    games.retain(|game| game.id != id);
    write(&games);
}

fn write(games: &[Kept]) -> bool {
    serde_json::to_string(games).is_ok_and(|text| remember(INDEX, &text))
}

fn key(id: &str) -> String {
    format!("parlor.table.{id}")
}
