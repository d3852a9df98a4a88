//! Why something is refused, in words that say what to do instead.

use serde::Serialize;
use table::Seat;
use thiserror::Error;

use crate::options::Clocks;

/// Why an act or a set of options is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Refusal {
    /// A round is on.
    #[error("The round is already on.")]
    RoundIsOn,
    /// No round is on.
    #[error("Wait for the signal.")]
    NoRace,
    /// Ready was said before.
    #[error("You are ready already; wait for the others.")]
    AlreadyReady,
    /// The dice are in the hand.
    #[error("Your dice are in your hand: roll them.")]
    DiceInHand,
    /// The dice lie on the table.
    #[error("Your dice lie on the table: pick them up before you roll.")]
    DiceOnTable,
    /// Somebody has called.
    #[error("{by} has called Cubo: nobody rolls again, so make the best of these dice.")]
    NoMoreRolls {
        /// Who called first.
        by: Seat,
    },
    /// The cubo is covered.
    #[error("Your cubo is covered: it stays as it is.")]
    Covered,
    /// The countdown is over for this player.
    #[error("The countdown is over; this round goes on without you.")]
    TooLate,
    /// No such die in the throw.
    #[error("There is no die {die}: your dice are 0 to 8.")]
    NoSuchDie {
        /// What was named.
        die: u8,
    },
    /// The white die is to be moved.
    #[error("The white die stays in the middle.")]
    WhiteStays,
    /// A coloured die is to go to the middle.
    #[error("The middle is for the white die: lay this one round it.")]
    MiddleIsWhite,
    /// The die to be lifted does not lie in the square.
    #[error("That die does not lie in the square yet.")]
    NotPlaced,
    /// An arrangement that is none.
    #[error("Lay each of the dice 0 to 8 once, with the white one, 8, in the middle.")]
    BadArrangement,
    /// A call with dice outside the square.
    #[error("Place all nine dice before you call Cubo; {placed} lie in the square.")]
    NotAllPlaced {
        /// How many lie in the square.
        placed: u8,
    },
    /// Taking before the call.
    #[error("Cover your cubo and call before you take a die.")]
    CallFirst,
    /// One was taken.
    #[error("You have taken your die.")]
    AlreadyTaken,
    /// No such die in the centre.
    #[error("There is no die {die} in the centre: they are 0 to {last}.")]
    NotInCentre {
        /// What was named.
        die: u8,
        /// The last one there is.
        last: u8,
    },
    /// Somebody was faster.
    #[error("Die {die} has just been taken: take another.")]
    Snatched {
        /// What was named.
        die: u8,
    },
    /// No scoring is on.
    #[error("Nothing is being counted now.")]
    NoScoring,
    /// Another player's cubo is being counted.
    #[error("{turn} is counting; wait until your cubo is uncovered.")]
    NotYourTurn {
        /// Whose turn it is.
        turn: Seat,
    },
    /// The white die is to be exchanged.
    #[error("The white die is never exchanged: choose a coloured one, or keep.")]
    WhiteNotExchanged,
    /// A clock out of bounds.
    #[error("The {clock} clock runs {least} to {longest} seconds, not {seconds}.", longest = Clocks::LONGEST)]
    BadClock {
        /// Which.
        clock: String,
        /// What was asked for.
        seconds: u32,
        /// The least it may be.
        least: u32,
    },
    /// A start player who does not sit here.
    #[error("{seat} cannot start: the table has {seats} seats, counted from 0.")]
    NoSuchStart {
        /// Who should start.
        seat: Seat,
        /// How many there are.
        seats: u32,
    },
}
