//! What a table agrees on before it starts.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::board::{Players, Side};
use crate::ending::{R9, Ties};
use crate::refusal::Refusal;
use crate::set::Set;

/// The options of a game of Contact.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The name of a set-up of the set: `six` or `twelve` in the house set.
    pub setup: String,
    /// Whether four play as two partnerships of opposite players (CT-S4).
    pub partners: bool,
    /// Who starts (CT-S6).
    pub first: First,
    /// Whether repetition and too many quiet turns are ties (CT-R9), and by which reading.
    pub r9: R9,
    /// Whether the count decides such ties (CT-R10).
    pub count: bool,
    /// The set that is played with.
    pub set: Set,
}

/// Who starts (CT-S6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum First {
    /// Whoever the dice name.
    #[default]
    Drawn,
    /// The player in the South.
    South,
    /// The player in the West.
    West,
    /// The player in the North.
    North,
    /// The player in the East.
    East,
}

impl First {
    /// The side that was agreed on, if one was.
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::Drawn => None,
            Self::South => Some(Side::South),
            Self::West => Some(Side::West),
            Self::North => Some(Side::North),
            Self::East => Some(Side::East),
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            setup: "six".to_owned(),
            partners: false,
            first: First::Drawn,
            r9: R9::On,
            count: false,
            set: Set::default(),
        }
    }
}

impl Options {
    /// Are these agreements a game? The set is sound, and the set-up is one of it.
    pub fn check(&self) -> Result<(), Refusal> {
        let (faults, known) = (self.set.faults(), &self.set.setups);
        if !faults.is_empty() {
            return Err(Refusal::BadSet { faults });
        }
        if !known.contains_key(&self.setup) {
            let (setup, known) = (self.setup.clone(), known.keys().cloned().collect());
            return Err(Refusal::UnknownSetUp { setup, known });
        }
        Ok(())
    }

    /// What is agreed on about games that go nowhere.
    pub const fn ties(&self) -> Ties {
        Ties { r9: self.r9, count: self.count }
    }

    /// How many may sit down: what the set-up serves, and four for partners.
    pub fn seating(&self) -> RangeInclusive<u32> {
        if self.partners {
            return 4..=4;
        }
        let served = self.set.setups.get(&self.setup).map_or(&[][..], |s| &s.players);
        let counts = || served.iter().copied().filter(|n| (2..=4).contains(n)).map(u32::from);
        counts().min().unwrap_or(2)..=counts().max().unwrap_or(4)
    }

    /// Who plays against whom with so many at the table.
    pub fn players(&self, seats: u32) -> Option<Players> {
        match (self.partners, seats) {
            (true, 4) => Some(Players::Partners),
            (true, _) => None,
            (false, n) => Players::each_for_himself(n),
        }
    }
}
