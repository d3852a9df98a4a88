//! What lies on the board, in words: read while it is arranged, counted when the arranging is over.

use crate::board::Board;
use crate::court::Judge;
use serde::{Deserialize, Serialize};
use std::fmt;
use words::{Counting, DiceSet, Face, Fault, Letter, Run, Word};

/// A throw and how it is counted: what a game tells its turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// What the dice show.
    pub faces: Vec<Face>,
    /// How they count.
    pub counting: Counting,
}

impl Rules {
    /// Is this die of the throw a wild one?
    pub fn is_wild(&self, die: u8) -> bool {
        self.faces.get(usize::from(die)).is_some_and(|face| face.is_wild())
    }
}

/// A word that was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// The word.
    pub word: Word,
    /// Across, or down.
    pub across: bool,
    /// What it counts.
    pub points: i32,
}

/// A count: the words that are left, and what was taken out for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// The points of the throw, what is left over taken off.
    pub points: i32,
    /// The words, first those across.
    pub words: Vec<Said>,
    /// How many dice are in them.
    pub used: u8,
    /// Dice that were on the board and had to be taken out (IQ-R7, SB-R4).
    pub taken: DiceSet,
}

/// The board as it lies, while it is arranged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// Its runs, first those across.
    pub words: Vec<Seen>,
    /// What its words count as they lie, the dice left over taken off. Words known to be bad count nothing.
    pub points: i32,
    /// What is wrong with it. Whether a word is good is told only where the table wants to know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
}

/// A run of dice on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// What it reads; nothing while a wild die in it is not called.
    pub word: Option<Word>,
    /// Across, or down.
    pub across: bool,
    /// The dice of it, first to last.
    pub dice: Vec<u8>,
    /// What it counts as a good word.
    pub points: i32,
    /// Whether it is a word here; untold where the table does not judge while the clock runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub good: Option<bool>,
}

impl Count {
    /// Counts a board: whatever is wrong is taken out, so that most is left (IQ-R7, SB-R4).
    pub fn of(board: &Board, rules: &Rules, judge: &Judge<'_>) -> Count {
        let laid = board.layout();
        let whole = laid.check(&rules.faces, rules.counting, |_| true);
        let was_laid = |word: &Word| whole.runs().iter().any(|run| run.word == Some(*word));
        let good = |word: &[Letter]| judge.good_if(word, was_laid);
        let left = laid.remainder(&rules.faces, rules.counting, good);
        let used = left.checked.used();
        let all: DiceSet = laid.dice.iter().map(|placed| placed.die).collect();
        let said = |run: &Run| run.word.map(|word| Said { word, across: run.across, points: run.points });
        let words = left.checked.runs().iter().filter_map(said).collect();
        Count { points: left.count, words, used: used.len() as u8, taken: all.minus(used) }
    }

    /// The board without the dice that were taken out.
    pub fn left_of(&self, board: &Board) -> Board {
        let mut board = board.clone();
        for die in self.taken.iter() {
            // A die that was taken out was on the board.
            let _ = board.lift(die);
        }
        board
    }
}

impl Reading {
    /// Reads a board; with a judge it also tells which words are good.
    pub fn of(board: &Board, rules: &Rules, judge: Option<&Judge<'_>>) -> Reading {
        let good = |word: &[Letter]| judge.is_none_or(|judge| judge.good(word));
        let checked = board.layout().check(&rules.faces, rules.counting, good);
        let seen = |run: &Run| Seen {
            word: run.word,
            across: run.across,
            dice: run.dice().to_vec(),
            points: run.points,
            good: judge.map(|_| run.valid),
        };
        let points: i32 = checked.runs().iter().filter(|run| run.valid).map(|run| run.points).sum();
        let points = points - rules.counting.all_unused(&rules.faces, checked.used());
        Reading {
            words: checked.runs().iter().map(seen).collect(),
            points,
            faults: checked.faults().to_vec(),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.points)?;
        for (at, said) in self.words.iter().enumerate() {
            write!(f, "{}{} {}", if at == 0 { " (" } else { ", " }, said.word, said.points)?;
        }
        f.write_str(if self.words.is_empty() { "" } else { ")" })?;
        if self.taken.is_empty() {
            return Ok(());
        }
        write!(f, ", {} of the dice taken out", self.taken.len())
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, seen) in self.words.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { ", " })?;
            match seen.word {
                Some(word) => write!(f, "{word} {}", seen.points)?,
                None => f.write_str("? (a wild die is not called)")?,
            }
            f.write_str(if seen.good == Some(false) { " (no word)" } else { "" })?;
        }
        write!(f, "{}counts {}", if self.words.is_empty() { "" } else { ": " }, self.points)
    }
}
