//! What a throw was worth: the points made of those that were possible, the best layout, the words within reach.

use crate::board::Board;
use crate::count::{Count, Rules, Said};
use crate::mind::look;
use crate::reach;
use serde::{Serialize, Serializer};
use solver::{Answer, Dictionary, Outcome, Problem, Proven};
use std::cmp::Reverse;
use words::notation::{self, Style};
use words::{Layout, Run, Vocabulary, Word, WordsId};

/// How many missed words are worth telling.
const MISSED: usize = 10;

/// The coach's word on one throw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Review {
    /// The points that were made.
    pub points: i32,
    /// The points that could have been made.
    pub possible: Possible,
    /// The best layout, as [`words::notation`] writes it, row by row.
    pub layout: Vec<String>,
    /// Its words.
    pub words: Vec<Said>,
    /// Words that the dice could have spelt and that were not laid, those that count most first.
    pub missed: Vec<Missed>,
    /// Whether all dice could be used.
    #[serde(rename = "all-dice")]
    pub all_dice: AllDice,
}

/// The most that a throw can count, and how sure that is. As JSON: `{"score":26,"bound":26,"proven":true}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possible {
    /// There is no better layout: a search has looked everywhere.
    Proven(Proven),
    /// The best so far; the bound is not reached.
    AtLeast(Answer),
    /// Nothing was found, or there is no dictionary to look into.
    Unknown,
}

impl Possible {
    fn answer(&self) -> Option<&Answer> {
        match self {
            Possible::Proven(proven) => Some(proven.answer()),
            Possible::AtLeast(answer) => Some(answer),
            Possible::Unknown => None,
        }
    }
}

impl Serialize for Possible {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Figures {
            score: i32,
            bound: i32,
            proven: bool,
        }
        let proven = matches!(self, Possible::Proven(_));
        self.answer()
            .map(|answer| Figures { score: answer.score, bound: answer.bound, proven })
            .serialize(serializer)
    }
}

/// A word that was within reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Missed {
    /// The word.
    pub word: Word,
    /// What it counts by itself.
    pub points: i32,
}

/// Whether a layout of all dice was there: in I-Qubes it earns a second throw (IQ-S6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum AllDice {
    /// The player used them all.
    Used,
    /// They could have been used, like this.
    Possible {
        /// The layout, row by row.
        layout: Vec<String>,
    },
    /// Nobody could have used them all.
    Impossible,
    /// The search was stopped before it could tell.
    Unknown,
}

/// Looks at a counted throw for at most so many `nodes` of search.
pub fn review(
    rules: &Rules,
    words: WordsId,
    board: &Board,
    count: &Count,
    style: Style,
    nodes: u64,
) -> Review {
    let rows = |layout: &Layout| notation::rows(layout, &rules.faces, style);
    let known = reach::lexicon(words)
        .map(|lexicon| reach::words(&rules.faces, &lexicon, Vocabulary::default()))
        .unwrap_or_default();
    let dictionary = Dictionary::new(known.iter().map(|&(word, _)| word));
    let problem = Problem::new(&rules.faces, rules.counting, &dictionary).ok();
    let possible = match problem.as_ref().map(|problem| look(problem, nodes)) {
        Some(Outcome::Proven(proven)) => Possible::Proven(proven),
        Some(Outcome::Stopped(answer)) => Possible::AtLeast(answer),
        Some(Outcome::Impossible | Outcome::Unanswered { .. }) | None => Possible::Unknown,
    };
    let best = possible.answer().map(|answer| answer.layout.clone()).unwrap_or_default();
    let all_dice = if count.left_of(board).laid() == rules.faces.len() {
        AllDice::Used
    } else if best.dice.len() == rules.faces.len() {
        AllDice::Possible { layout: rows(&best) }
    } else {
        match problem.map(|problem| look(&problem.using_all_dice(), nodes)) {
            Some(Outcome::Proven(proven)) => AllDice::Possible { layout: rows(proven.layout()) },
            Some(Outcome::Stopped(answer)) => AllDice::Possible { layout: rows(&answer.layout) },
            Some(Outcome::Impossible) => AllDice::Impossible,
            Some(Outcome::Unanswered { .. }) | None => AllDice::Unknown,
        }
    };
    Review {
        points: count.points,
        layout: rows(&best),
        words: said(&best, rules),
        possible,
        missed: missed(known.into_iter().map(|(word, _)| word), rules, count),
        all_dice,
    }
}

fn said(layout: &Layout, rules: &Rules) -> Vec<Said> {
    let checked = layout.check(&rules.faces, rules.counting, |_| true);
    let said = |run: &Run| run.word.map(|word| Said { word, across: run.across, points: run.points });
    checked.runs().iter().filter_map(said).collect()
}

fn missed(known: impl Iterator<Item = Word>, rules: &Rules, count: &Count) -> Vec<Missed> {
    let laid = |word: &Word| count.words.iter().any(|said| said.word == *word);
    let worth = |word: Word| reach::points(&word, rules).map(|points| Missed { word, points });
    let mut missed: Vec<Missed> = known.filter(|word| !laid(word)).filter_map(worth).collect();
    missed.sort_by_key(|missed| (Reverse(missed.points), Reverse(missed.word.len()), missed.word));
    missed.truncate(MISSED);
    missed
}
