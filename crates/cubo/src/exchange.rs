//! The die from the centre: which to take, and what to give for it (CU-S8).

use serde::{Deserialize, Serialize};

use crate::{
    die::Die,
    hand::Hand,
    score::Straights,
    square::{Cell, Square},
};

/// A coloured die given for the one taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Exchange {
    /// The die that goes to the centre.
    pub out: Die,
    /// The die that comes into its place.
    #[serde(rename = "in")]
    pub taken: Die,
}

/// The best a hand can come to: where each die lies as it is counted, and the exchange that led there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// What it is worth.
    pub score: u8,
    /// The cubo as it is counted, the exchange made.
    #[serde(rename = "grid")]
    pub cubo: Square,
    /// What was exchanged, if that brings more than keeping the dice.
    pub exchange: Option<Exchange>,
}

/// The best that can be made of a covered cubo, whose dice lie fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Swap {
    /// What the cubo is then worth.
    pub score: u8,
    /// Which die to give; none if the cubo is best as it is.
    pub out: Option<Cell>,
}

impl Hand {
    /// The best cubo of these nine dice as they are.
    pub fn plan(&self, straights: Straights) -> Plan {
        let cubo = self.best(straights);
        Plan { score: cubo.points(straights), cubo, exchange: None }
    }

    /// Arrangement and exchange chosen together, for a die that will be taken: since the cubo is arranged first and
    /// the new die comes into the place of the old, this is the best cubo of any hand one exchange away.
    pub fn plan_with(&self, taken: Die, straights: Straights) -> Plan {
        let mut best = (self.worth(straights), *self, None);
        let mut tried = None;
        for &out in &self.dice()[..8] {
            if tried.replace(out) == Some(out) {
                continue; // The dice are sorted: an equal one was just tried.
            }
            let Some(hand) = self.exchanged(out, taken) else { continue };
            let score = hand.worth(straights);
            if score > best.0 {
                best = (score, hand, Some(Exchange { out, taken }));
            }
        }
        let (score, hand, exchange) = best;
        Plan { score, cubo: hand.best(straights), exchange }
    }

    /// The best die of the centre for this hand, by its place among those offered, and what to do with it.
    pub fn best_take(&self, centre: &[Die], straights: Straights) -> Option<(usize, Plan)> {
        let plans = centre.iter().map(|&die| self.plan_with(die, straights)).enumerate();
        first_best(plans, |plan| plan.score)
    }
}

impl Plan {
    /// The cubo as it must be arranged before the exchange: the die to be given lies where the new one will.
    pub fn arrangement(&self) -> Square {
        let Some(Exchange { out, taken }) = self.exchange else { return self.cubo };
        let place = Cell::coloured().find(|&cell| self.cubo.at(cell) == taken);
        place.and_then(|cell| self.cubo.exchanged(cell, out)).unwrap_or(self.cubo)
    }
}

impl Square {
    /// The best exchange of one die of this cubo, in its place, for the die taken.
    pub fn best_swap(&self, taken: Die, straights: Straights) -> Swap {
        let mut best = Swap { score: self.points(straights), out: None };
        for cell in Cell::coloured() {
            let Some(other) = self.exchanged(cell, taken) else { continue };
            let score = other.points(straights);
            if score > best.score {
                best = Swap { score, out: Some(cell) };
            }
        }
        best
    }

    /// The best die of the centre for this covered cubo, by its place among those offered, and where it goes.
    pub fn best_take(&self, centre: &[Die], straights: Straights) -> Option<(usize, Swap)> {
        let swaps = centre.iter().map(|&die| self.best_swap(die, straights)).enumerate();
        first_best(swaps, |swap| swap.score)
    }
}

/// The first of the best, so that the answer does not depend on anything but the dice.
fn first_best<T>(all: impl Iterator<Item = (usize, T)>, score: impl Fn(&T) -> u8) -> Option<(usize, T)> {
    all.reduce(|best, next| if score(&next.1) > score(&best.1) { next } else { best })
}
