//! The boards, one module a game. A screen takes the table's public view in as the game's own type, draws it, and turns keys
//! and clicks into acts; it never asks where the table is played.

pub(crate) mod contact;
pub(crate) mod cubo;
pub(crate) mod letters;
pub(crate) mod roulette;
pub(crate) mod undrawn;

use crate::look::Brush;
use crate::session::State;
use house::Kind;
use ratatui::crossterm::event::KeyEvent;
use serde_json::Value;
use table::Game;

/// What came of a key or a click.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Deed {
    /// The board has no use for it.
    No,
    /// Only the picture has changed.
    Seen,
    /// The hand in front of the screen acts, once or several times.
    Act(Vec<Value>),
    /// Something to be told.
    Say(String),
}

impl Deed {
    /// One act.
    pub(crate) fn act<G: Game>(act: G::Act) -> Deed {
        Deed::acts::<G>([act])
    }

    /// Acts, one after the other. From here on they are JSON, as a server and a record want them.
    pub(crate) fn acts<G: Game>(acts: impl IntoIterator<Item = G::Act>) -> Deed {
        Deed::Act(acts.into_iter().filter_map(|act| serde_json::to_value(act).ok()).collect())
    }
}

/// A click on the board: where, and what the finger does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Click {
    /// Column of the screen.
    pub(crate) x: u16,
    /// Row of the screen.
    pub(crate) y: u16,
    /// Pressed, or let go.
    pub(crate) down: bool,
    /// The other button.
    pub(crate) other: bool,
}

/// The screen of one game.
pub(crate) trait Screen {
    /// The table has changed: takes the new view in, and tells what happened.
    fn show(&mut self, state: &State) -> Vec<String>;
    /// Draws the board and the hand.
    fn draw(&mut self, brush: &mut Brush<'_>, state: &State);
    /// Where the game is, in a few words: "round 2 of 6".
    fn headline(&self, state: &State) -> String;
    /// What stands beside each name.
    fn tally(&self) -> Vec<String>;
    /// The running sheet: a few lines.
    fn sheet(&self, state: &State) -> Vec<String>;
    /// What can be done now: keys, and what they do.
    fn keys(&self, state: &State) -> Vec<(&'static str, &'static str)>;
    /// A key.
    fn key(&mut self, key: KeyEvent, state: &State) -> Deed;
    /// A click.
    fn click(&mut self, click: Click, state: &State) -> Deed;
    /// Whether letters are written on the board now, so that none of them can mean anything else.
    fn writes(&self, _: &State) -> bool {
        false
    }
    /// What the coach said, for people.
    fn advice(&self, says: &Value) -> Vec<String>;
    /// All keys of this game, and what they do.
    fn help(&self) -> &'static [(&'static str, &'static str)];
}

/// The screen of a game.
pub(crate) fn screen(kind: Kind) -> Box<dyn Screen> {
    match kind {
        Kind::IQubes => Box::new(letters::Letters::iqubes()),
        Kind::Scribbage => Box::new(letters::Letters::scribbage()),
        Kind::Contact => Box::new(contact::Board::default()),
        Kind::Cubo => Box::new(cubo::Race::default()),
        Kind::Roulette => Box::new(roulette::Felt::default()),
        #[allow(unreachable_patterns, reason = "a game may have no drawing yet")]
        _ => Box::new(undrawn::Plain::default()),
    }
}

/// The words of a coach that are there already.
pub(crate) fn said(says: &Value) -> Vec<String> {
    says.get("says").and_then(Value::as_str).map(str::to_owned).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::Screen;
    use super::letters::Letters;
    use serde_json::{Value, json};

    fn advice(possible: &Value) -> String {
        Letters::scribbage().advice(&json!({"points": 7, "possible": possible})).join(" ")
    }

    #[test]
    fn the_coach_of_the_word_games_says_of_which_words_a_best_is_proven() {
        let proven = advice(&json!({"score": 9, "bound": 9, "proven": true, "proof": "accepted"}));
        assert!(proven.contains("no layout counts more, that is proven"), "{proven}");
        let shown = advice(&json!({"score": 9, "bound": 12, "proven": false, "proof": "shown"}));
        assert!(shown.contains("9 is the most of the words shown here") && shown.contains("12"), "{shown}");
        assert!(!shown.contains("proven"), "{shown}");
        let open = advice(&json!({"score": 9, "bound": 12, "proven": false, "proof": null}));
        assert!(open.contains("9 was there at least"), "{open}");
    }
}
