//! Why the table says no, and what to do instead.

use crate::options::Options;
use serde::Serialize;
use thiserror::Error;
use words::WordsId;

/// A refused act, or agreements that make no game.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Refusal {
    /// Neither 60 nor 90 seconds (IQ-S4).
    #[error("A throw is arranged in 60 or 90 seconds; {found} is neither.")]
    Seconds {
        /// What was asked for.
        found: u32,
    },
    /// Too few or too many rounds (IQ-S7).
    #[error("A game has {} to {} rounds at first; {found} is out of bounds.", Options::ROUNDS.start(), Options::ROUNDS.end())]
    Rounds {
        /// What was asked for.
        found: u32,
    },
    /// The dictionary is not here.
    #[error("The word list {words} is not on the shelf here. Load it first, or take house, british or none.")]
    NoSuchWords {
        /// What was asked for.
        words: WordsId,
    },
    /// There is no throw that could be kept instead of thrown again.
    #[error(
        "There is no throw to keep now: a throw is kept or thrown again when it shows neither a vowel nor a WILD."
    )]
    NothingToKeep,
    /// No auction runs.
    #[error("There is nothing to bid for now.")]
    NoAuction,
    /// The player whose count is bid against.
    #[error("This is your own count; the others may bid to beat it.")]
    OwnCount,
    /// A bid that beats nothing (IQ-R9).
    #[error("A bid must beat {beat}: say {} or more, or pass.", beat + 1)]
    BidTooLow {
        /// The count or the bid to beat.
        beat: u32,
    },
    /// A bid that nobody could make.
    #[error("No layout of these dice counts more than {most}.")]
    BidTooHigh {
        /// The highest count there could be.
        most: u32,
    },
    /// The highest bidder cannot get out of it.
    #[error("Your bid of {bid} is the highest; it holds unless somebody beats it.")]
    BidHolds {
        /// The bid.
        bid: u32,
    },
    /// An end that is not one, two or three rounds away (IQ-S7).
    #[error("Propose to end after 1, 2 or 3 more rounds; {found} is none of these.")]
    MoreRounds {
        /// What was proposed.
        found: u32,
    },
    /// One proposal at a time.
    #[error("There is a proposal on the table already: agree or disagree first.")]
    ProposalOpen,
    /// Nothing to agree to.
    #[error("There is no proposal on the table. Make one.")]
    NoProposal,
    /// The dice, a challenge or a vote.
    #[error("{0}")]
    #[serde(untagged)]
    Turn(letters::Refusal),
}

impl From<letters::Refusal> for Refusal {
    fn from(refusal: letters::Refusal) -> Refusal {
        Refusal::Turn(refusal)
    }
}
