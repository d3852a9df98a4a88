//! Bidding for a higher count (IQ-S12, IQ-R9): an open auction of fifteen seconds, in which every bid beats the last.

use crate::Refusal;
use serde::{Deserialize, Serialize};
use table::{Seat, Time};

/// How long bids are taken (IQ-R9).
pub const AUCTION_MS: u64 = 15_000;

/// A bid: this seat says that it can make this count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bid {
    /// Who.
    pub seat: Seat,
    /// How much.
    pub count: u32,
}

/// An auction of one throw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Auction {
    /// Whose count is bid against.
    pub player: Seat,
    /// That count.
    pub original: u32,
    /// The highest count that can be bid.
    pub most: u32,
    /// When the auction is over.
    pub by: Time,
    /// The highest bid so far.
    pub high: Option<Bid>,
    /// Who has passed, by seat.
    pub passed: Vec<bool>,
}

impl Auction {
    /// An auction that begins now.
    pub fn new(player: Seat, original: u32, most: u32, seats: u32, now: Time) -> Auction {
        let passed = vec![false; seats as usize];
        Auction { player, original, most, by: now.plus(AUCTION_MS), high: None, passed }
    }

    /// What the next bid must beat.
    pub fn beat(&self) -> u32 {
        self.high.map_or(self.original, |high| high.count)
    }

    /// A seat bids. Of two equal bids the first holds, as the second beats nothing (IQ-R9).
    pub fn bid(&mut self, seat: Seat, count: u32) -> Result<(), Refusal> {
        self.may_speak(seat)?;
        if count <= self.beat() {
            return Err(Refusal::BidTooLow { beat: self.beat() });
        }
        if count > self.most {
            return Err(Refusal::BidTooHigh { most: self.most });
        }
        self.high = Some(Bid { seat, count });
        Ok(())
    }

    /// A seat leaves this auction.
    pub fn pass(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.may_speak(seat)?;
        if let Some(high) = self.high.filter(|high| high.seat == seat) {
            return Err(Refusal::BidHolds { bid: high.count });
        }
        if let Some(passed) = self.passed.get_mut(seat.index()) {
            *passed = true;
        }
        Ok(())
    }

    /// Could this seat still bid against somebody else?
    pub fn awaits(&self, seat: Seat) -> bool {
        let holds = self.high.is_some_and(|high| high.seat == seat);
        seat != self.player && !holds && self.passed.get(seat.index()) == Some(&false)
    }

    /// Nobody is left to bid, or nothing higher to be bid.
    pub fn over(&self) -> bool {
        self.beat() >= self.most || !(0..self.passed.len() as u32).any(|seat| self.awaits(Seat(seat)))
    }

    fn may_speak(&self, seat: Seat) -> Result<(), Refusal> {
        if seat == self.player {
            return Err(Refusal::OwnCount);
        }
        match self.passed.get(seat.index()) {
            Some(false) => Ok(()),
            _ => Err(letters::Refusal::Passed.into()),
        }
    }
}

/// What a made or failed bid moves: to the bidder, and to the original player.
///
/// ```
/// use iqubes::settle;
/// assert_eq!(settle(10, 15, 17), (5, 0));
/// assert_eq!(settle(10, 15, 14), (-5, 5));
/// ```
pub fn settle(original: u32, bid: u32, made: u32) -> (i64, i64) {
    let difference = i64::from(bid) - i64::from(original);
    if made >= bid { (difference, 0) } else { (-difference, difference) }
}
