//! The names of the five games.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// One of the five games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Crossword dice, 1948.
    IQubes,
    /// Crossword cubes, 1963.
    Scribbage,
    /// Tiles with numbered corners that spin as they move.
    Contact,
    /// Nine dice, everyone at once.
    Cubo,
    /// Two dice and a green layout, 1932.
    Roulette,
}

/// A name that is none of the five.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no game \"{0}\" here; the games are iqubes, scribbage, contact, cubo and roulette")]
pub struct UnknownGame(pub String);

impl Kind {
    /// All five, in the order of the shelf.
    pub const ALL: [Kind; 5] = [Kind::IQubes, Kind::Scribbage, Kind::Contact, Kind::Cubo, Kind::Roulette];

    /// The name in records, addresses and commands.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::IQubes => "iqubes",
            Kind::Scribbage => "scribbage",
            Kind::Contact => "contact",
            Kind::Cubo => "cubo",
            Kind::Roulette => "roulette",
        }
    }

    /// The name on the box.
    pub const fn title(self) -> &'static str {
        match self {
            Kind::IQubes => "I-Qubes",
            Kind::Scribbage => "Scribbage",
            Kind::Contact => "Contact",
            Kind::Cubo => "Cubo",
            Kind::Roulette => "Dice Roulette",
        }
    }
}

impl FromStr for Kind {
    type Err = UnknownGame;
    fn from_str(name: &str) -> Result<Kind, UnknownGame> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownGame(name.to_owned()))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}
