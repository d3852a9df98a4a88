//! What comes of a search. That a layout is the best there is can be said in one way only: by a [`Proven`], which nothing
//! but a search that has looked everywhere can make.

use words::Layout;

/// A layout found, and the most that any layout could count as far as is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The layout; its dice are those of the problem, by number.
    pub layout: Layout,
    /// What it counts.
    pub score: i32,
    /// No layout counts more than this.
    pub bound: i32,
}

/// The best layout of all: a search has shown that there is no better one.
///
/// Nobody can make one by hand:
/// ```compile_fail
/// let answer = solver::Answer { layout: words::Layout::EMPTY, score: 0, bound: 0 };
/// let proven = solver::Proven { answer, nodes: 0 };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    answer: Answer,
}

impl Proven {
    /// Only for a search that has looked everywhere.
    pub(crate) fn closed(layout: Layout, score: i32) -> Self {
        Self { answer: Answer { layout, score, bound: score } }
    }

    /// The answer; its bound is its score.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// The best layout.
    pub fn layout(&self) -> &Layout {
        &self.answer.layout
    }

    /// What it counts: the most that is possible.
    pub fn score(&self) -> i32 {
        self.answer.score
    }
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With the best layout of all.
    Proven(Proven),
    /// It was stopped; this is the best so far.
    Stopped(Answer),
    /// With the certainty that no layout does what was asked (a word to use, all dice, a layout to go on from).
    Impossible,
    /// It was stopped before it had found any layout that does what was asked.
    Unanswered {
        /// No layout counts more than this.
        bound: i32,
    },
}

impl Outcome {
    /// The best layout found, proven or not.
    pub fn answer(&self) -> Option<&Answer> {
        match self {
            Self::Proven(proven) => Some(proven.answer()),
            Self::Stopped(answer) => Some(answer),
            Self::Impossible | Self::Unanswered { .. } => None,
        }
    }

    /// The proven best, if it is proven.
    pub fn proven(&self) -> Option<&Proven> {
        match self {
            Self::Proven(proven) => Some(proven),
            _ => None,
        }
    }
}

/// All layouts that count the most, no two of them mirror images or shifted copies of each other, and no two that differ
/// only in which of two alike dice lies where. A joker and a die are not alike, whatever the joker is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllBest {
    /// What each of them counts.
    pub score: i32,
    /// The layouts.
    pub layouts: Vec<Layout>,
    /// Are these all there are? False where the cap was reached or the search stopped.
    pub complete: bool,
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The best so far, if there is one.
    pub best: Option<&'a Answer>,
    /// No layout counts more than this.
    pub bound: i32,
    /// Dice laid in trying.
    pub nodes: u64,
}
