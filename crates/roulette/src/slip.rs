//! A slip: the stakes of one player, merged by bet; and what they do on a throw (DR-S7).

use serde::{Deserialize, Serialize};

use crate::notation::Stake;
use crate::set::{BETS, Bet, Set, Throw};

/// The most chips that can lie on one layout at once. It keeps every sum of a long game exact, in the engine and
/// in a browser.
pub const LAYOUT_LIMIT: u32 = 1_000_000_000;

/// The stakes of one player, at most one for each of the 136 bets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slip {
    stakes: Vec<(Bet, u32)>,
    total: u32,
}

/// What a throw did to one slip: losing chips were removed, winning ones returned and paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// Chips lost.
    pub swept: u32,
    /// Winning stakes, returned.
    pub returned: u32,
    /// What the bank paid on them.
    pub paid: u64,
}

impl Settled {
    /// What the player gained or lost.
    pub fn net(self) -> i64 {
        self.paid as i64 - i64::from(self.swept)
    }
}

impl Slip {
    /// These stakes on the layout of a set; `None` if it has no such spot, or they are too many chips.
    pub fn of(set: &Set, stakes: &[Stake]) -> Option<Self> {
        let mut slip = Self::default();
        let all = stakes.iter().all(|stake| set.bet(stake.on).is_ok_and(|bet| slip.add(bet, stake.chips)));
        all.then_some(slip)
    }

    /// Adds chips to a bet. Refuses, and changes nothing, if the slip would come to more than [`LAYOUT_LIMIT`].
    #[must_use]
    pub fn add(&mut self, bet: Bet, chips: u32) -> bool {
        if chips > LAYOUT_LIMIT - self.total {
            return false;
        }
        self.total += chips;
        match self.find(bet) {
            Ok(at) => self.stakes[at].1 += chips,
            Err(at) => self.stakes.insert(at, (bet, chips)),
        }
        true
    }

    /// Takes chips off a bet, as far as they lie there.
    pub fn take(&mut self, bet: Bet, chips: u32) {
        let Ok(at) = self.find(bet) else { return };
        let taken = chips.min(self.stakes[at].1);
        self.total -= taken;
        self.stakes[at].1 -= taken;
        if self.stakes[at].1 == 0 {
            self.stakes.remove(at);
        }
    }

    /// Takes everything off.
    pub fn clear(&mut self) {
        self.stakes.clear();
        self.total = 0;
    }

    /// The chips on one bet.
    pub fn chips_on(&self, bet: Bet) -> u32 {
        self.find(bet).map_or(0, |at| self.stakes[at].1)
    }

    /// All its chips.
    #[inline]
    pub fn total(&self) -> u32 {
        self.total
    }

    /// Whether nothing is laid.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.stakes.is_empty()
    }

    /// Its bets and their chips, in the order of the layout.
    pub fn stakes(&self) -> impl ExactSizeIterator<Item = (Bet, u32)> + '_ {
        self.stakes.iter().copied()
    }

    /// Its stakes in words of a set.
    pub fn on<'a>(&'a self, set: &'a Set) -> impl ExactSizeIterator<Item = Stake> + 'a {
        self.stakes().map(|(bet, chips)| Stake { on: set.spot(bet), chips })
    }

    /// DR-S7: what this slip loses, gets back and is paid on a throw.
    #[inline]
    pub fn settle(&self, set: &Set, throw: Throw) -> Settled {
        let mut settled = Settled::default();
        for &(bet, chips) in &self.stakes {
            if set.wins(bet, throw) {
                settled.returned += chips;
                settled.paid += u64::from(chips) * u64::from(set.pays(bet));
            } else {
                settled.swept += chips;
            }
        }
        settled
    }

    fn find(&self, bet: Bet) -> Result<usize, usize> {
        self.stakes.binary_search_by_key(&bet, |stake| stake.0)
    }
}

impl Serialize for Bet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.index() as u8)
    }
}

impl<'de> Deserialize<'de> for Bet {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let index = u8::deserialize(deserializer)?;
        Self::all().nth(index as usize).ok_or_else(|| {
            serde::de::Error::custom(format!("bet {index}: there are {BETS} bets, counted from 0"))
        })
    }
}
