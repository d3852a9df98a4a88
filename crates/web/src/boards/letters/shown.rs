//! The two games seen alike: what a board of letters needs to know of either.

use letters::{Accepts, Count, Rules, StageView, TurnView};
use std::collections::BTreeMap;
use table::Seat;
use words::{Word, WordsId};

/// The throw on the table and all about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// What the dice show and how they count.
    pub rules: Rules,
    /// Who has them, how they lie.
    pub turn: TurnView,
    /// The dictionary of the table.
    pub words: WordsId,
    /// Whether offensive words of it can be laid.
    pub offensive: bool,
    /// Whether good and bad words are told apart while the clock runs.
    pub judge: bool,
    /// What the table has decided about words.
    pub rulings: BTreeMap<Word, bool>,
    /// The count that stood last, and whose it is.
    pub counted: Option<(Vec<Seat>, Count)>,
    /// When the sand has run out, and how much there was, in milliseconds.
    pub sand: Option<(u64, u64)>,
    /// Who the table waits for and why, in words.
    pub headline: String,
    /// Round, goal and what else there is to know.
    pub note: String,
    /// Whether the game is over.
    pub over: bool,
}

impl Shown {
    /// Which words the table takes.
    pub fn accepts(&self) -> Accepts {
        Accepts { words: self.words, offensive: self.offensive }
    }

    /// The dice are being arranged.
    pub fn arranging(&self) -> bool {
        self.turn.stage == StageView::Arranging && !self.over
    }

    /// The dice are in the cup.
    pub fn in_the_cup(&self) -> bool {
        self.turn.stage == StageView::Cup && !self.over
    }

    /// The count to be shown, once there is one.
    pub fn count(&self) -> Option<&Count> {
        let last = || self.counted.as_ref().map(|(_, count)| count);
        match self.turn.stage {
            StageView::Arranging => None,
            _ => self.turn.count.as_ref().or_else(last),
        }
    }
}
