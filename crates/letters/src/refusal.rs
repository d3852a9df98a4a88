//! Why something with the dice, a challenge or a vote is refused, in words for the person.

use serde::Serialize;
use table::Seat;
use thiserror::Error;
use words::Word;

/// A refused act, the same in both games.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Refusal {
    /// Another seat has the dice.
    #[error("{turn} has the dice; wait for your turn.")]
    NotYourTurn {
        /// Whose turn it is.
        turn: Seat,
    },
    /// The dice are still in the cup.
    #[error("The dice are in the cup: throw them first.")]
    NotThrown,
    /// The dice are on the table already.
    #[error("The dice are thrown already.")]
    Thrown,
    /// The time of arranging is over.
    #[error("The arranging is over; the dice stay as they lie.")]
    Arranged,
    /// A die that was not thrown.
    #[error("There is no die {die}: the {dice} dice of a throw are numbered from 0.")]
    NoSuchDie {
        /// What was named.
        die: u8,
        /// How many there are.
        dice: u8,
    },
    /// A die beside the grid cannot be lifted.
    #[error("Die {die} is not on the grid.")]
    NotOnTheGrid {
        /// Which die.
        die: u8,
    },
    /// A place too far out.
    #[error("({x}, {y}) is off the table: stay within {} of the middle.", crate::board::REACH)]
    OffTheTable {
        /// To the right.
        x: i8,
        /// Downwards.
        y: i8,
    },
    /// An arrangement names a die twice.
    #[error("The arrangement uses die {die} twice.")]
    DieTwice {
        /// Which die.
        die: u8,
    },
    /// An arrangement puts two dice in one place.
    #[error("The arrangement puts two dice at ({x}, {y}).")]
    SpotTwice {
        /// To the right.
        x: i8,
        /// Downwards.
        y: i8,
    },
    /// Only a wild die is called.
    #[error("Die {die} shows its own letter; only a wild one is called.")]
    NotWild {
        /// Which die.
        die: u8,
    },
    /// There is a dictionary, or nothing is counted just now.
    #[error("No word can be challenged now.")]
    NoHearing,
    /// The player's own words are for others to challenge.
    #[error("These are your own words; leave the challenge to the others.")]
    OwnWords,
    /// The word is not there.
    #[error("{word} is not on the table; challenge one of the words that are.")]
    NoSuchWord {
        /// What was challenged.
        word: Word,
    },
    /// The table has spoken about this word before (IQ-R6).
    #[error("The table has let {word} stand before; that holds for the whole game.")]
    Ruled {
        /// The word.
        word: Word,
    },
    /// Said already.
    #[error("You have passed already.")]
    Passed,
    /// Nothing to vote on.
    #[error("There is nothing to vote on now.")]
    NoVote,
}
