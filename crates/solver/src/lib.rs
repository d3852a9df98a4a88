//! The proven best crossword of a throw of letter dice.

mod count;
mod dictionary;
mod engine;
mod lengths;
mod outcome;
mod plan;
mod problem;
mod search;
mod shapes;
mod tables;
mod trie;
mod young;

pub use dictionary::Dictionary;
pub use engine::MAX_DICE;
pub use outcome::{AllBest, Answer, Outcome, Progress, Proven};
pub use problem::{Problem, ProblemError};
pub use search::Search;
