//! What people see. Everything on the layout is public; at a large table the view shows the layout as a whole and
//! leaves each slip to its owner, so that it stays small however many play.

use std::fmt;

use serde::{Deserialize, Serialize};
use table::{Seat, Time};

use crate::notation::{Stake, write_slip};
use crate::options::Banker;
use crate::set::Set;
use crate::slip::Settled;

/// Up to so many seats the public view shows every player's slip.
pub const OPEN_TABLE: usize = 64;

/// Where the table stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Bets can be laid and taken back.
    Betting,
    /// Bets are closed; a player's bank is about to throw.
    Throwing,
    /// It is over.
    Over,
}

/// What everybody sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Public {
    /// The pieces.
    #[serde(deserialize_with = "table::newer::known")]
    pub set: Set,
    /// Where the table stands.
    pub phase: Phase,
    /// When the window closes, or the dice are thrown for the banker.
    pub closes: Option<Time>,
    /// Throws made.
    pub thrown: u32,
    /// Throws agreed on.
    pub throws: u32,
    /// Who holds the bank.
    pub banker: Banker,
    /// A player's bank; the house's has no bottom.
    pub bank: Option<Purse>,
    /// Whom the bank is offered to.
    pub offered: Option<Seat>,
    /// Who takes the bank after this throw.
    pub heir: Option<Banker>,
    /// Whether the bank may change hands.
    pub passing: bool,
    /// What a player without chips may borrow; 0 where the table does not lend.
    pub loan: u32,
    /// The chips in hand, seat by seat; the banker's are in the bank.
    pub chips: Vec<u64>,
    /// The players, where the table has no more than [`OPEN_TABLE`] of them.
    pub players: Vec<Place>,
    /// How many players the window is kept open for.
    pub waiting: u32,
    /// How many have agreed to stop.
    pub agreed: u32,
    /// All chips on the layout, by spot.
    pub layout: Vec<Stake>,
    /// The last throw.
    pub last: Option<Thrown>,
}

/// A player's bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purse {
    /// What is in it: the stock, and the banker's own.
    pub chips: u64,
    /// What stays in it when it passes.
    pub stock: u64,
    /// What it would have to pay on its worst number now.
    pub worst: u64,
}

impl Purse {
    /// What it could still pay on any number.
    pub fn free(self) -> u64 {
        self.chips.saturating_sub(self.worst)
    }
}

/// One player at a small table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Chips on the layout.
    pub slip: Vec<Stake>,
    /// Whether the player waits for the throw.
    pub ready: bool,
    /// Whether the player has agreed to stop.
    pub agreed: bool,
    /// Chips owed.
    pub debt: u64,
    /// What the last throw did.
    pub last: Settled,
}

/// A throw and what it did, in the order of the sheet: losing chips are swept off, then the winners are paid (DR-S7).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thrown {
    /// The face of the black die, 0 for the blank.
    pub black: u8,
    /// The face of the white die.
    pub white: u8,
    /// The number, black read first.
    pub number: u8,
    /// Whether its square is red.
    pub red: bool,
    /// The losing stakes, by spot.
    pub swept: Vec<Stake>,
    /// All chips swept off.
    pub swept_chips: u64,
    /// The winning stakes, by spot; they went back to their owners.
    pub won: Vec<Stake>,
    /// All chips paid on them.
    pub paid_chips: u64,
}

/// What only one seat sees: at a large table its slip and its result are in nobody else's view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Private {
    /// Chips in hand.
    pub chips: u64,
    /// Chips owed.
    pub debt: u64,
    /// Chips on the layout.
    pub slip: Vec<Stake>,
    /// Whether the seat waits for the throw.
    pub ready: bool,
    /// Whether the seat has agreed to stop.
    pub agreed: bool,
    /// What the last throw did.
    pub last: Settled,
}

impl fmt::Display for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.headline(f)?;
        // The last throw is news until the next chips are laid.
        if let Some(last) = self.last.as_ref().filter(|_| self.layout.is_empty()) {
            writeln!(f, "{last}")?;
        }
        for (seat, (place, chips)) in self.players.iter().zip(&self.chips).enumerate() {
            let seat = Seat(seat as u32);
            if self.banker == Banker::Seat(seat) {
                writeln!(f, "{seat}: banker")?;
            } else {
                writeln!(f, "{seat}: {chips} chips{place}")?;
            }
        }
        if self.players.is_empty() {
            let held: u64 = self.chips.iter().sum();
            writeln!(f, "{} seats with {held} chips, {} still betting", self.chips.len(), self.waiting)?;
            if !self.layout.is_empty() {
                writeln!(f, "on the layout: {}", write_slip(self.layout.iter().copied()))?;
            }
        }
        Ok(())
    }
}

impl Public {
    fn headline(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.phase, self.closes) {
            (Phase::Over, _) => write!(f, "over after {} throws", self.thrown)?,
            (phase, closes) => {
                write!(f, "throw {} of {}", self.thrown + 1, self.throws)?;
                f.write_str(if phase == Phase::Betting { ", bets open" } else { ", bets closed" })?;
                if let Some(closes) = closes {
                    write!(f, " until {closes}")?;
                }
            }
        }
        match (self.banker, self.bank) {
            (Banker::Seat(seat), Some(bank)) => {
                write!(f, "; {seat} banks with {} chips, might pay {}", bank.chips, bank.worst)?;
            }
            _ => f.write_str("; the house banks")?,
        }
        match (self.offered, self.heir) {
            (_, Some(Banker::House)) => f.write_str(", then the house")?,
            (_, Some(Banker::Seat(heir))) => write!(f, ", then {heir}")?,
            (Some(seat), None) => write!(f, ", offered to {seat}")?,
            (None, None) => {}
        }
        writeln!(f)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.debt > 0 {
            write!(f, ", owes {}", self.debt)?;
        }
        if !self.slip.is_empty() {
            write!(f, ", laid {}", write_slip(self.slip.iter().copied()))?;
        }
        f.write_str(if self.ready { ", ready" } else { "" })?;
        f.write_str(if self.agreed { ", would stop" } else { "" })
    }
}

impl fmt::Display for Thrown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { white, number, .. } = self;
        let colour = if self.red { "red" } else { "black" };
        match self.black {
            0 => write!(f, "blank and {white}: {number} {colour}")?,
            black => write!(f, "black {black}, white {white}: {number} {colour}")?,
        }
        write!(f, "; swept {}", self.swept_chips)?;
        list(f, &self.swept)?;
        write!(f, ", paid {}", self.paid_chips)?;
        list(f, &self.won)
    }
}

fn list(f: &mut fmt::Formatter<'_>, stakes: &[Stake]) -> fmt::Result {
    if stakes.is_empty() { Ok(()) } else { write!(f, " ({})", write_slip(stakes.iter().copied())) }
}
