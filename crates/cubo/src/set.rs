//! The pieces: how many dice of each colour are in the box, in each hand and in the centre. Read from a data file once.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{die::Colour, hand::COLOURED};

const PRINTED: &str = include_str!("../data/cubo.toml");

static SET: LazyLock<Set> =
    LazyLock::new(|| Set::from_toml(PRINTED).expect("the printed set is checked by the tests"));

/// Some coloured dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stock {
    /// Red ones.
    pub red: u8,
    /// Blue ones.
    pub blue: u8,
}

/// All the dice of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiceBox {
    /// Red ones.
    pub red: u8,
    /// Blue ones.
    pub blue: u8,
    /// White ones: one for each player there can be.
    pub white: u8,
}

/// A set of Cubo that can be played with: checked when it is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Sheet", into = "Sheet")]
pub struct Set(Sheet);

/// A set as written, not checked yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    name: String,
    rounds: u32,
    dice: DiceBox,
    player: Stock,
    centre: Stock,
}

/// What makes a set unplayable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetFault {
    /// The file is not the TOML it should be.
    #[error("the set cannot be read: {0}")]
    Text(String),
    /// No name, or an endless one.
    #[error("a set has a name of 1 to 60 letters")]
    Name,
    /// No rounds, or endless ones.
    #[error("a game has 1 to 100 rounds, not {0}")]
    Rounds(u32),
    /// No players, or too many.
    #[error("a set has 1 to 16 white dice, one for each player, not {0}")]
    Players(u8),
    /// A hand that does not fill the square.
    #[error("a player has eight coloured dice round the white one, not {0}")]
    Hand(u32),
    /// Fewer dice in the centre than players who each take one, or far too many.
    #[error("{centre} dice in the centre do not do for {players} players: at least one each, at most 36")]
    Centre {
        /// Dice in the centre.
        centre: u32,
        /// Players there can be.
        players: u32,
    },
    /// Not enough dice in the box.
    #[error("a full table needs {needed} {colour:?} dice, and the box has {found}")]
    Short {
        /// Which colour is short.
        colour: Colour,
        /// How many a full table needs.
        needed: u32,
        /// How many there are.
        found: u8,
    },
}

impl Set {
    /// The file of the house set, for whoever makes one of his own.
    pub const FILE: &str = PRINTED;

    /// Reads a set.
    ///
    /// ```
    /// let set = cubo::Set::from_toml(r#"
    ///     name = "Duel"
    ///     rounds = 3
    ///     dice = { red = 16, blue = 4, white = 2 }
    ///     player = { red = 7, blue = 1 }
    ///     centre = { red = 2, blue = 2 }
    /// "#)?;
    /// assert_eq!(set.players(), 2);
    /// # Ok::<(), cubo::SetFault>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Self, SetFault> {
        let sheet: Sheet = toml::from_str(text).map_err(|why| SetFault::Text(why.to_string()))?;
        sheet.try_into()
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// How many rounds a game has (CU-S13).
    pub const fn rounds(&self) -> u32 {
        self.0.rounds
    }

    /// How many may play: each needs a white die (CU-S2).
    pub const fn players(&self) -> u32 {
        self.0.dice.white as u32
    }

    /// All the dice there are (CU-S1).
    pub const fn dice(&self) -> DiceBox {
        self.0.dice
    }

    /// The coloured dice each player begins with (CU-S2).
    pub const fn player(&self) -> Stock {
        self.0.player
    }

    /// The dice that lie in the centre at the beginning (CU-S2).
    pub const fn centre(&self) -> Stock {
        self.0.centre
    }
}

/// The printed set of 2014.
impl Default for Set {
    fn default() -> Self {
        SET.clone()
    }
}

impl Stock {
    /// How many dice it is.
    pub fn count(self) -> u32 {
        u32::from(self.red) + u32::from(self.blue)
    }

    /// Their colours, reds first.
    pub fn colours(self) -> impl Iterator<Item = Colour> {
        let reds = std::iter::repeat_n(Colour::Red, self.red.into());
        reds.chain(std::iter::repeat_n(Colour::Blue, self.blue.into()))
    }
}

impl TryFrom<Sheet> for Set {
    type Error = SetFault;

    fn try_from(sheet: Sheet) -> Result<Self, SetFault> {
        let Sheet { name, rounds, dice, player, centre } = &sheet;
        let players = u32::from(dice.white);
        if name.is_empty() || name.chars().count() > 60 {
            return Err(SetFault::Name);
        }
        if !(1..=100).contains(rounds) {
            return Err(SetFault::Rounds(*rounds));
        }
        if !(1..=16).contains(&players) {
            return Err(SetFault::Players(dice.white));
        }
        if player.count() != COLOURED as u32 {
            return Err(SetFault::Hand(player.count()));
        }
        if !(players..=36).contains(&centre.count()) {
            return Err(SetFault::Centre { centre: centre.count(), players });
        }
        enough(Colour::Red, dice.red, players, player.red, centre.red)?;
        enough(Colour::Blue, dice.blue, players, player.blue, centre.blue)?;
        Ok(Self(sheet))
    }
}

fn enough(colour: Colour, found: u8, players: u32, each: u8, centre: u8) -> Result<(), SetFault> {
    let needed = players * u32::from(each) + u32::from(centre);
    if needed > u32::from(found) { Err(SetFault::Short { colour, needed, found }) } else { Ok(()) }
}

impl From<Set> for Sheet {
    fn from(set: Set) -> Self {
        set.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The printed set with one line of it written otherwise.
    fn altered(from: &str, to: &str) -> Result<Set, SetFault> {
        assert!(PRINTED.contains(from), "{from}");
        Set::from_toml(&PRINTED.replacen(from, to, 1))
    }

    #[test]
    fn a_set_that_cannot_be_played_is_refused() {
        assert_eq!(altered("rounds = 6", "rounds = 0"), Err(SetFault::Rounds(0)));
        assert_eq!(altered("name = \"Cubo, 2014\"", "name = \"\""), Err(SetFault::Name));
        assert_eq!(altered("white = 4", "white = 0"), Err(SetFault::Players(0)));
        assert_eq!(altered("red = 4", "red = 5"), Err(SetFault::Hand(9)));
        assert_eq!(altered("red = 2", "red = 1"), Err(SetFault::Centre { centre: 3, players: 4 }));
        let short = SetFault::Short { colour: Colour::Blue, needed: 18, found: 17 };
        assert_eq!(altered("blue = 18", "blue = 17"), Err(short));
        assert!(matches!(altered("rounds = 6", "rounds = six"), Err(SetFault::Text(_))));
        assert!(matches!(altered("rounds = 6", "rounds = 6\nsides = 8"), Err(SetFault::Text(_))));
    }
}
