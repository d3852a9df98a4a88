//! What can be wrong with a line, in words that say what to type instead.

use thiserror::Error;

/// Why a line was not taken. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Trouble {
    /// Too few or too many players.
    #[error("{game} is for {least} to {most} players, and these are {found}")]
    Players {
        /// The game.
        game: &'static str,
        /// At least.
        least: usize,
        /// At most.
        most: usize,
        /// How many names there are.
        found: usize,
    },
    /// Names that cannot be told apart, or not be shown.
    #[error("names are different, of 1 to 24 letters, and none is a command: \"{0}\" will not do")]
    Name(String),
    /// Nothing more can be entered.
    #[error("the game is over; `undo` takes the last line back, `end` writes the score sheet")]
    Over,
    /// A layout that cannot be read.
    #[error(
        "{0}. Write rows with / between them and . for an empty place, then the dice left over: \"SPAR/..T xi\""
    )]
    Layout(String),
    /// Dice are missing, or there are too many.
    #[error(
        "these are {found} dice, and a throw is {wanted}. After the layout and a space, add the dice that were left over"
    )]
    Dice {
        /// How many were typed.
        found: usize,
        /// How many are thrown.
        wanted: usize,
    },
    /// A layout that does not count as it lies.
    #[error(
        "{faults}. Lay it otherwise; or `allow WORD` if the table takes a word; or `anyway {line}` to have the wrong dice taken out"
    )]
    Faulty {
        /// What is wrong.
        faults: String,
        /// The line again.
        line: String,
    },
    /// No word at all.
    #[error("\"{0}\" is no word: write its letters, A to Z")]
    NoWord(String),
    /// A line that allows a word, and lays ALLOW as well.
    #[error(
        "this can be read in two ways: write `allow. {0}` to lay ALLOW with these dice left over, or `allow \"{0}\"` if the table takes the word"
    )]
    TwoWays(String),
    /// A bid that cannot be.
    #[error("{0}. Write: bid NAME POINTS made, or: bid NAME POINTS failed")]
    Bid(String),
    /// A name nobody has.
    #[error("nobody here is called \"{name}\": there are {names}")]
    NoPlayer {
        /// What was typed.
        name: String,
        /// Who is there.
        names: String,
    },
    /// A cubo that cannot be read or counted.
    #[error("{0}. Write the cubo row by row, as it counts: R1 R4 B6 / B3 W4 B5 / R6 R4 B1")]
    Cubo(String),
    /// A cubo with other colours than the player has.
    #[error(
        "{name} has {red} red and {blue} blue dice, and this cubo was made with {found} red. If a die was exchanged, say so after the cubo: took R6 for B2"
    )]
    Stock {
        /// Whose it is.
        name: String,
        /// Red dice he has.
        red: u8,
        /// Blue dice he has.
        blue: u8,
        /// Red dice that were typed.
        found: u8,
    },
    /// More dice of a colour taken than lay in the centre (CU-S2, CU-S9).
    #[error("{found} {colour} dice cannot have been taken this round: there were {had} in the centre")]
    Centre {
        /// The colour, in words.
        colour: &'static str,
        /// How many were taken.
        found: u8,
        /// How many lay there.
        had: u8,
    },
    /// An exchange that cannot be.
    #[error("{0}. After the cubo, write: took R6 for B2, or: took R6 if it was not used")]
    Exchange(String),
    /// A slip that cannot be read.
    #[error("{0}")]
    Slip(String),
    /// More chips than he has.
    #[error("{name} has {chips} chips, and this slip is {stake}")]
    Chips {
        /// Who.
        name: String,
        /// What he has.
        chips: u64,
        /// What he would lay.
        stake: u64,
    },
    /// A bet, or the bank, for somebody without chips (DR-R5).
    #[error("{0} has no chips left")]
    NoChips(String),
    /// The bank could not pay (DR-R3).
    #[error(
        "the bank could not pay that: with all these slips a number might cost it {worst}, and it has {bank}"
    )]
    Bank {
        /// The most it might have to pay.
        worst: u64,
        /// What it has.
        bank: u64,
    },
    /// The banker lays no bets (DR-S5).
    #[error("{0} holds the bank and lays no bets")]
    Banker(String),
    /// A throw of the two dice that cannot be read.
    #[error(
        "\"{0}\" is no throw: write the number, like throw 15; or the faces, black first, like throw 1 5 or throw blank 6"
    )]
    Throw(String),
    /// A line of Dice Roulette that is nothing.
    #[error(
        "write a name and a slip (Ann 15=2 red=5), throw and the number (throw 15), or bank and a name (bank Ann)"
    )]
    Roulette,
    /// A move that is not legal, with why.
    #[error("{0}")]
    Move(String),
    /// Terms that do not fit.
    #[error("{0}")]
    Terms(String),
}
