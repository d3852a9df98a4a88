//! Why the table says no, and what to do instead.

use crate::options::Options;
use serde::Serialize;
use thiserror::Error;
use words::WordsId;

/// A refused act, or agreements that make no game.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Refusal {
    /// The timer is out of bounds (SB-R1).
    #[error("The timer runs {} to {} seconds; {found} is out of bounds.", Options::SECONDS.start(), Options::SECONDS.end())]
    Seconds {
        /// What was asked for.
        found: u32,
    },
    /// Too few or too many turns (SB-S8).
    #[error("A game has {} to {} turns each; {found} is out of bounds.", Options::TURNS.start(), Options::TURNS.end())]
    Turns {
        /// What was asked for.
        found: u32,
    },
    /// A figure out of bounds (SB-S8).
    #[error("Play for a figure from {} to {}; {found} is out of bounds.", Options::FIGURES.start(), Options::FIGURES.end())]
    Figure {
        /// What was asked for.
        found: u32,
    },
    /// The teams cannot be made up (SB-S9).
    #[error("{seats} players cannot make {teams} teams of two to four each.")]
    Teams {
        /// How many teams were asked for.
        teams: u32,
        /// How many sat down.
        seats: u32,
    },
    /// The dictionary is not here.
    #[error("The word list {words} is not on the shelf here. Load it first, or take house, british or none.")]
    NoSuchWords {
        /// What was asked for.
        words: WordsId,
    },
    /// The cubes, a challenge or a vote.
    #[error("{0}")]
    #[serde(untagged)]
    Turn(letters::Refusal),
}

impl From<letters::Refusal> for Refusal {
    fn from(refusal: letters::Refusal) -> Refusal {
        Refusal::Turn(refusal)
    }
}
