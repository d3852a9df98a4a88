//! What a table agrees on before the first throw.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use table::{Seat, Seats};

use crate::refusal::Refusal;
use crate::set::Set;

/// Who holds the bank: he throws the dice, takes what is lost, pays what is won, and never bets (DR-S5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Banker {
    /// The house, which never runs out (DR-R3).
    #[default]
    House,
    /// A player who took the bank.
    Seat(Seat),
}

/// The options of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Chips for every player at the start (DR-S5); also the size of a loan.
    pub chips: u32,
    /// Who holds the bank at the start (DR-R3).
    pub bank: Banker,
    /// The stock of a player's bank; left out, it is chips × players (DR-R3).
    pub bank_chips: Option<u64>,
    /// Whether the bank may change hands between throws (DR-R3).
    pub passing: bool,
    /// Seconds the betting window stays open (DR-R4).
    pub window: u32,
    /// Seconds a player may hold the dice before they are thrown for him.
    pub hold: u32,
    /// Throws to a game (DR-R5).
    pub throws: u32,
    /// Whether a player without chips may borrow (DR-R5).
    pub borrow: bool,
    /// The pieces.
    pub set: Set,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            chips: 100,
            bank: Banker::House,
            bank_chips: None,
            passing: true,
            window: 30,
            hold: 10,
            throws: 20,
            borrow: false,
            set: Set::standard(),
        }
    }
}

impl Options {
    /// How many may sit down (DR-R6): a player's bank needs somebody to play against.
    pub fn seating(&self) -> RangeInclusive<u32> {
        let least = if self.bank == Banker::House { 1 } else { 2 };
        least..=Seats::MOST as u32
    }

    /// The stock of a player's bank at a table of so many seats: one of them is the banker, the rest are players.
    pub fn stock(&self, seats: u32) -> u64 {
        let players = u64::from(seats.saturating_sub(1)).max(1);
        self.bank_chips.unwrap_or(u64::from(self.chips) * players)
    }

    /// Says what is wrong with the options, if anything is.
    pub fn check(&self, seats: u32) -> Result<(), Refusal> {
        within("chips", self.chips, 1..=1_000_000)?;
        within("window", self.window, 1..=3_600)?;
        within("hold", self.hold, 1..=3_600)?;
        within("throws", self.throws, 1..=10_000)?;
        if let Some(chips) = self.bank_chips {
            within("bank_chips", chips, 1..=1_000_000_000_000)?;
        }
        match self.bank {
            Banker::Seat(seat) if seat.0 >= seats => Err(Refusal::NobodyThere { seat, seats }),
            _ => Ok(()),
        }
    }
}

fn within<N: Into<u64>>(option: &'static str, value: N, allowed: RangeInclusive<u64>) -> Result<(), Refusal> {
    let value = value.into();
    if allowed.contains(&value) {
        return Ok(());
    }
    Err(Refusal::Option { option, value, least: *allowed.start(), most: *allowed.end() })
}
