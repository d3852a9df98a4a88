//! Why an act or a set of options is refused, in words that say what to do instead.

use serde::Serialize;
use table::Seat;

use crate::spot::{Spot, SpotError};

/// A refusal of Dice Roulette.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Refusal {
    /// An option out of bounds.
    #[error("The option {option} cannot be {value}: choose from {least} to {most}.")]
    Option {
        /// Which option.
        option: &'static str,
        /// What it was.
        value: u64,
        /// The least it can be.
        least: u64,
        /// The most it can be.
        most: u64,
    },
    /// The bank is meant for a seat that nobody has.
    #[error("There is no {seat} at this table of {seats} to hold the bank.")]
    NobodyThere {
        /// The seat named.
        seat: Seat,
        /// How many there are.
        seats: u32,
    },
    /// The window has closed.
    #[error("No more bets: the dice are about to be thrown. Wait for the next window.")]
    Closed,
    /// The game is over.
    #[error("This game is over. Start a new one to play on.")]
    Over,
    /// The banker laid a bet.
    #[error("The banker never bets. Pass the bank first if you want to play.")]
    BankerNeverBets,
    /// A list of bets with nothing on it.
    #[error("No bets were named: name one or more, such as 15=2.")]
    NoBets,
    /// A longer list of bets than there are bets.
    #[error("{bets} stakes in one go are too many: name {most} at most, one for each bet.")]
    TooManyBets {
        /// How many there were.
        bets: usize,
        /// How many there may be.
        most: usize,
    },
    /// A bet of no chips.
    #[error("A bet on {bet} needs at least one chip.")]
    NoStake {
        /// The bet.
        bet: Spot,
    },
    /// No such bet on the layout.
    #[error("{bet} cannot be laid: {error}.")]
    UnknownBet {
        /// The bet.
        bet: Spot,
        /// Why not.
        error: SpotError,
    },
    /// A stake over the player's chips.
    #[error("That takes {stake} chips and you have {have} in hand: lay fewer, or take some back first.")]
    StakeOverChips {
        /// The chips the bets take.
        stake: u64,
        /// The chips in hand.
        have: u64,
    },
    /// DR-R3: a bet that the bank could not pay.
    #[error(
        "The bank holds {bank} chips and might have to pay {worst}: lay less, or on something that pays less."
    )]
    BankCannotPay {
        /// What the bank would have to pay on the worst number.
        worst: u64,
        /// What it has.
        bank: u64,
    },
    /// More chips than a layout can hold.
    #[error("The layout holds {limit} chips at most; {free} more would fit.")]
    LayoutFull {
        /// The most there can be.
        limit: u32,
        /// How many more there is room for.
        free: u32,
    },
    /// Taking back more than was laid.
    #[error("You have {standing} chips on {bet} and cannot take back {asked}.")]
    NotStanding {
        /// The bet.
        bet: Spot,
        /// What the player asked for.
        asked: u32,
        /// What lies there.
        standing: u32,
    },
    /// Clearing an empty slip.
    #[error("You have nothing on the layout.")]
    NothingLaid,
    /// A player without chips.
    #[error("You have no chips: watch, or borrow if this table lends.")]
    NoChips,
    /// Ready twice.
    #[error("You are ready already; the throw waits for others.")]
    AlreadyReady,
    /// Somebody else's dice.
    #[error("Only a player who holds the bank throws.")]
    NotYourDice,
    /// The window is still open.
    #[error("Bets can still be laid: throw when the window closes or all are ready.")]
    BetsOpen,
    /// The bank does not move at this table.
    #[error("At this table the bank does not change hands.")]
    NoPassing,
    /// Passing a bank one does not have.
    #[error("You do not hold the bank.")]
    NotTheBanker,
    /// Passing the bank to oneself, or taking it twice.
    #[error("The bank is yours already.")]
    AlreadyBanker,
    /// Taking the bank with nobody to bet against it.
    #[error("Alone you play against the house: a bank needs somebody who bets.")]
    Alone,
    /// The bank was offered to somebody without chips.
    #[error("{seat} has no chips and cannot take the bank: offer it to somebody else, or to the house.")]
    HeirWithoutChips {
        /// Who.
        seat: Seat,
    },
    /// Taking a bank that was not offered.
    #[error("The bank is not on offer to you: its banker must pass it first.")]
    NotOffered,
    /// Somebody was faster.
    #[error("The bank goes to another player after this throw.")]
    Promised,
    /// Agreeing twice.
    #[error("You have agreed to stop already; the others must agree too.")]
    AlreadyAgreed,
    /// Taking back an agreement that was never given.
    #[error("You have not agreed to stop.")]
    NotAgreed,
    /// No loans here.
    #[error("This table does not lend chips.")]
    NoLoans,
    /// A loan for somebody who has chips.
    #[error("You still have {chips} chips: only a player without any may borrow.")]
    NotBroke {
        /// What the player has, on the layout or in hand.
        chips: u64,
    },
}
