//! The layout with everybody's chips on it: how many lie on each bet, and what the bank owes on each number.
//! Kept up to date stake by stake, so that the bank's worst case is one look at 36 sums (DR-R3).

use serde::{Deserialize, Serialize};

use crate::notation::Stake;
use crate::set::{BETS, Bet, NUMBERS, Set, Throw};
use crate::slip::{LAYOUT_LIMIT, Slip};

/// All chips on the layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Layout {
    #[serde(with = "wide")]
    on: [u32; BETS],
    /// What the bank pays if this number comes. Losing chips are not set against it: they can be taken back.
    #[serde(with = "wide")]
    due: [u64; NUMBERS],
    total: u32,
}

impl Layout {
    pub(crate) fn empty() -> Self {
        Self { on: [0; BETS], due: [0; NUMBERS], total: 0 }
    }

    /// All chips on it; never more than [`LAYOUT_LIMIT`], which `lay` counts on.
    pub(crate) fn total(&self) -> u32 {
        self.total
    }

    pub(crate) fn room(&self) -> u32 {
        LAYOUT_LIMIT - self.total
    }

    /// What the bank pays on its worst number.
    pub(crate) fn worst(&self) -> u64 {
        self.due.iter().copied().max().unwrap_or(0)
    }

    /// What it would be if this slip were laid too.
    pub(crate) fn worst_with(&self, set: &Set, slip: &Slip) -> u64 {
        let mut due = self.due;
        for (bet, chips) in slip.stakes() {
            each_winner(set, bet, |throw| due[throw] += owed(set, bet, chips));
        }
        due.into_iter().max().unwrap_or(0)
    }

    pub(crate) fn lay(&mut self, set: &Set, bet: Bet, chips: u32) {
        self.on[bet.index()] += chips;
        self.total += chips;
        each_winner(set, bet, |throw| self.due[throw] += owed(set, bet, chips));
    }

    pub(crate) fn take(&mut self, set: &Set, bet: Bet, chips: u32) {
        self.on[bet.index()] -= chips;
        self.total -= chips;
        each_winner(set, bet, |throw| self.due[throw] -= owed(set, bet, chips));
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::empty();
    }

    /// The chips on each spot that has any.
    pub(crate) fn stakes(&self, set: &Set) -> Vec<Stake> {
        self.select(set, |_| true)
    }

    /// DR-S7: the stakes that lose on a throw, and those that win.
    pub(crate) fn split(&self, set: &Set, throw: Throw) -> (Vec<Stake>, Vec<Stake>) {
        (self.select(set, |bet| !set.wins(bet, throw)), self.select(set, |bet| set.wins(bet, throw)))
    }

    fn select(&self, set: &Set, wanted: impl Fn(Bet) -> bool) -> Vec<Stake> {
        if self.total == 0 {
            return Vec::new();
        }
        let mut stakes = Vec::with_capacity(8);
        for (bet, chips) in Bet::all().zip(self.on) {
            if chips > 0 && wanted(bet) {
                stakes.push(Stake { on: set.spot(bet), chips });
            }
        }
        stakes
    }
}

fn owed(set: &Set, bet: Bet, chips: u32) -> u64 {
    u64::from(chips) * u64::from(set.pays(bet))
}

fn each_winner(set: &Set, bet: Bet, mut each: impl FnMut(usize)) {
    let mut winners = set.winners(bet);
    while winners != 0 {
        each(winners.trailing_zeros() as usize);
        winners &= winners - 1;
    }
}

/// Arrays too long for serde's own.
mod wide {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::{Serialize, Serializer};

    pub(super) fn serialize<S: Serializer, T: Serialize, const N: usize>(
        items: &[T; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(items)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[T; N], D::Error> {
        let items = Vec::deserialize(deserializer)?;
        let count = items.len();
        items.try_into().map_err(|_| D::Error::invalid_length(count, &format!("{N} items").as_str()))
    }
}
