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

/// The board as it lies, while it is arranged, and what it would count if that were over now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// Its runs, first those across. Where words do not cross (SB-R6) only those that can be words: see [`Reading::of`].
    pub words: Vec<Seen>,
    /// What the game will count if nothing changes; where the table does not judge while the clock runs, if all are words.
    pub points: i32,
    /// Dice on the board that do not count as they lie: they would be taken out (IQ-R7, SB-R4).
    #[serde(default)]
    pub taken: DiceSet,
    /// The words that would be left then, where they are others than lie there and the house would say them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<Said>,
    /// What is wrong with it. Whether a word is good is told only where the table wants to know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
}

/// A run of dice on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Reads a board and counts it as the game will: by [`Count::of`], so that what is shown is what comes of it. With a judge it
    /// also tells which words are good; without one all that is laid is taken for words.
    pub fn of(board: &Board, rules: &Rules, judge: Option<&Judge<'_>>) -> Reading {
        let trusting = Judge::trusting();
        let by = judge.unwrap_or(&trusting);
        let Count { points, taken, words: left, .. } = Count::of(board, rules, by);
        let checked = board.layout().check(&rules.faces, rules.counting, |word| by.good(word));
        let seen = |run: &Run| Seen {
            word: run.word,
            across: run.across,
            dice: run.dice().to_vec(),
            points: run.points,
            good: judge.map(|_| run.valid),
        };
        let words = meant(checked.runs(), rules.counting).map(seen).collect();
        let faults = checked.faults().to_vec();
        let mut reading = Reading { words, points, taken, left: Vec::new(), faults };
        let lies = |said: &Said| {
            let same = |seen: &&Seen| seen.word == Some(said.word) && seen.across == said.across;
            reading.words.iter().find(same).is_some_and(|seen| reading.counts(seen))
        };
        if !left.iter().all(lies) && !left.iter().any(|said| by.hides(&said.word)) {
            reading.left = left;
        }
        reading
    }

    /// Are the points what will be counted, whatever the words are? Not where it is untold which of them are good.
    pub fn is_certain(&self) -> bool {
        self.words.iter().all(|seen| seen.good.is_some())
    }

    /// Will this word count as it lies?
    pub fn counts(&self, seen: &Seen) -> bool {
        seen.good != Some(false) && !seen.dice.iter().any(|die| self.taken.contains(*die))
    }
}

/// The runs that somebody means as words. In a crossword every run is one (IQ-R5). Where words stand apart, of runs that share a
/// die at most one is: rows under each other make columns that nobody means. Good words come before others, rows before columns.
fn meant(runs: &[Run], counting: Counting) -> impl Iterator<Item = &Run> {
    let mut used = DiceSet::NONE;
    let mut order: Vec<usize> = (0..runs.len()).collect();
    if !counting.is_crossword() {
        order.sort_by_key(|&at| (!runs[at].valid, !runs[at].across));
        order.retain(|&at| {
            let dice: DiceSet = runs[at].dice().iter().copied().collect();
            let free = dice.minus(used) == dice;
            used = if free { used.or(dice) } else { used };
            free
        });
        order.sort_unstable();
    }
    order.into_iter().map(|at| &runs[at])
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.points)?;
        write_words(&self.words, f)?;
        if self.taken.is_empty() {
            return Ok(());
        }
        write!(f, ", {} of the dice taken out", self.taken.len())
    }
}

fn sentence(says: &str) -> String {
    let mut letters = says.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// The words of a count, in brackets.
fn write_words(words: &[Said], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (at, said) in words.iter().enumerate() {
        write!(f, "{}{} {}", if at == 0 { " (" } else { ", " }, said.word, said.points)?;
    }
    f.write_str(if words.is_empty() { "" } else { ")" })
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, seen) in self.words.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { ", " })?;
            match seen.word {
                Some(word) => write!(f, "{word} {}", seen.points)?,
                None => f.write_str("? (a wild die is not called)")?,
            }
            f.write_str(match seen.good {
                Some(false) => " (no word)",
                _ if self.counts(seen) || seen.word.is_none() => "",
                _ => " (not counted)",
            })?;
        }
        write!(f, "{}counts {}", if self.words.is_empty() { "" } else { ": " }, self.points)?;
        write_words(&self.left, f)?;
        f.write_str(if self.is_certain() { "" } else { " if all are words" })?;
        let told_by_its_word =
            |fault: &&Fault| matches!(fault, Fault::NoWord { .. } | Fault::WildUncalled { .. });
        match self.faults.iter().find(|fault| !told_by_its_word(fault)) {
            Some(fault) => write!(f, ". {}", sentence(&fault.to_string())),
            None => Ok(()),
        }
    }
}
