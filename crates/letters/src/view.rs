//! What everybody sees of a turn: all of it but the votes that are still open.

use crate::ballot::Tally;
use crate::board::Board;
use crate::count::{Count, Reading, Rules};
use crate::court::Court;
use crate::turn::{Ruling, Stage, Turn};
use serde::{Deserialize, Serialize};
use std::fmt;
use table::{Seat, Time};
use words::notation::{self, Style};
use words::{Face, Word};

/// A turn as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnView {
    /// Who may move the dice.
    pub makers: Vec<Seat>,
    /// Where the turn stands.
    pub stage: StageView,
    /// When that is over, in table time.
    pub by: Option<Time>,
    /// The dice as they lie, in the order of the throw.
    pub dice: Board,
    /// What lies there, while it is arranged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reading>,
    /// The count, once the arranging is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
}

/// The stage of a turn as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum StageView {
    /// The dice are in the cup.
    Cup,
    /// The clock runs.
    Arranging,
    /// The others may challenge the words on the table.
    Hearing {
        /// Who has nothing against them, by seat.
        passed: Vec<bool>,
    },
    /// A word was challenged, and the table votes.
    Voting {
        /// The word.
        word: Word,
        /// Who challenged it.
        by: Seat,
        /// Who has voted, by seat. How, is shown when the vote is closed.
        voted: Vec<bool>,
    },
    /// The count stands.
    Stands,
}

impl TurnView {
    /// The public part of a turn. While the dice are arranged, good and bad words are told apart if `judging`.
    pub fn of(turn: &Turn, rules: &Rules, court: &Court, judging: bool) -> TurnView {
        let reading = (*turn.stage() == Stage::Arranging).then(|| {
            let judge = judging.then(|| court.judge());
            Reading::of(turn.board(), rules, judge.as_ref())
        });
        TurnView {
            makers: turn.makers().to_vec(),
            stage: StageView::of(turn.stage()),
            by: turn.deadline(),
            dice: turn.board().clone(),
            reading,
            count: turn.count().cloned(),
        }
    }

    /// The dice as text, row by row, with those beside the grid below; then what they read.
    pub fn picture(&self, faces: &[Face], style: Style) -> String {
        let layout = self.dice.layout();
        let mut text = String::new();
        for row in notation::rows(&layout, faces, style) {
            text.push_str("  ");
            text.push_str(&row);
            text.push('\n');
        }
        if let Some(reading) = self.reading.as_ref().filter(|_| self.dice.laid() > 0) {
            text.push_str(&reading.to_string());
            text.push('\n');
        }
        text
    }

    /// Has the turn a use for this seat?
    pub fn awaits(&self, seat: Seat) -> bool {
        let maker = self.makers.contains(&seat);
        match &self.stage {
            StageView::Cup | StageView::Arranging => maker,
            StageView::Hearing { passed } => !maker && passed.get(seat.index()) == Some(&false),
            StageView::Voting { voted, .. } => voted.get(seat.index()) == Some(&false),
            StageView::Stands => false,
        }
    }
}

impl StageView {
    fn of(stage: &Stage) -> StageView {
        match stage {
            Stage::Cup => StageView::Cup,
            Stage::Arranging => StageView::Arranging,
            Stage::Hearing { passed, vote: None } => StageView::Hearing { passed: passed.clone() },
            Stage::Hearing { vote: Some(vote), .. } => {
                StageView::Voting { word: vote.word, by: vote.by, voted: vote.ballot.voted() }
            }
            Stage::Stands => StageView::Stands,
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} for, {} against", self.yes, self.no)
    }
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stands = if self.stands { "stands" } else { "falls" };
        write!(f, "{} challenged {}: it {stands}, {}", self.by, self.word, self.tally)
    }
}
