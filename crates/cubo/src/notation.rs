//! Dice as people write them: `R1 R2 R3 R4 B1 B2 B3 B4 W4` is a hand, `R1 R2 R3 / B1 W4 B2 / R4 B3 B4` a cubo.

use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use crate::{die::Die, hand::Hand, square::Square};

/// Why a text is not the dice it should be, and how to write them.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Misread {
    /// A word that is no die.
    #[error("{token:?} is not a die: write R, B or W and a number from 1 to 6, such as R6")]
    NotADie {
        /// The word, shortened if long.
        token: String,
    },
    /// A hand of more or fewer than nine dice.
    #[error("a hand is nine dice, and here are {found}: write eight red or blue ones and a white one")]
    NotNine {
        /// How many there were.
        found: usize,
    },
    /// No white die among the nine.
    #[error("one of the nine dice must be white, such as W4")]
    NoWhite,
    /// More than one white die.
    #[error("{token} is a second white die: a hand has one, the other eight are red or blue")]
    SecondWhite {
        /// The second one.
        token: String,
    },
    /// A cubo of more or fewer than three rows.
    #[error("a cubo is three rows of three dice, and here are {found} rows: part them with /")]
    NotThreeRows {
        /// How many there were.
        found: usize,
    },
    /// A row of more or fewer than three dice.
    #[error("row {row} has {found} dice ({token:?}): each of the three rows has three")]
    NotThreeDice {
        /// The row, from 1.
        row: usize,
        /// How many dice it had.
        found: usize,
        /// The row as written, shortened if long.
        token: String,
    },
    /// A coloured die in the middle of a cubo.
    #[error("{token} lies in the middle: that is the place of the white die")]
    MiddleNotWhite {
        /// What lies there.
        token: String,
    },
    /// A white die taken from the centre.
    #[error("{token} cannot be taken: the dice in the centre are red and blue")]
    WhiteTaken {
        /// The die.
        token: String,
    },
    /// A colour stock that does not exist.
    #[error("{red} red dice are too many: a hand has eight coloured dice, so 0 to 8 of them are red")]
    NoSuchStock {
        /// The number of reds asked for.
        red: u8,
    },
}

impl Misread {
    pub(crate) fn not_a_die(token: &str) -> Self {
        Self::NotADie { token: short(token) }
    }
}

/// A text short enough to be shown in a message.
fn short(text: &str) -> String {
    const MOST: usize = 16;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The dice of a text, parted by blanks or commas.
fn dice(text: &str) -> Result<Vec<Die>, Misread> {
    text.split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .map(str::parse)
        .collect()
}

impl FromStr for Hand {
    type Err = Misread;

    fn from_str(text: &str) -> Result<Self, Misread> {
        let dice = dice(text)?;
        let nine = dice.as_slice().try_into().map_err(|_| Misread::NotNine { found: dice.len() })?;
        Self::new(nine)
    }
}

impl FromStr for Square {
    type Err = Misread;

    fn from_str(text: &str) -> Result<Self, Misread> {
        let rows: Vec<&str> = text.trim().trim_end_matches('/').split('/').collect();
        if rows.len() != 3 {
            return Err(Misread::NotThreeRows { found: rows.len() });
        }
        let mut nine = Vec::with_capacity(9);
        for (row, text) in (1..).zip(rows) {
            let dice = dice(text)?;
            if dice.len() != 3 {
                return Err(Misread::NotThreeDice { row, found: dice.len(), token: short(text.trim()) });
            }
            nine.extend(dice);
        }
        let nine = nine.as_slice().try_into().map_err(|_| Misread::NotNine { found: nine.len() })?;
        Self::new(nine)
    }
}

/// Reads a die that may be taken from the centre.
pub(crate) fn taken(text: &str) -> Result<Die, Misread> {
    let die: Die = text.trim().parse()?;
    if die.is_white() { Err(Misread::WhiteTaken { token: die.to_string() }) } else { Ok(die) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(text: &str) -> Misread {
        text.parse::<Hand>().unwrap_err()
    }

    fn cubo(text: &str) -> Misread {
        text.parse::<Square>().unwrap_err()
    }

    #[test]
    fn a_wrong_die_is_named() {
        for token in ["R7", "X1", "R0", "R", "R12", "7", "é6", "R١"] {
            let text = format!("R1 R2 R3 {token} B1 B2 B3 B4 W4");
            assert_eq!(hand(&text), Misread::NotADie { token: token.into() });
        }
        let long = hand(&"é".repeat(10_000));
        assert_eq!(long, Misread::NotADie { token: format!("{}…", "é".repeat(16)) });
        assert!(long.to_string().contains("such as R6"));
    }

    #[test]
    fn a_hand_is_nine_dice_with_one_white() {
        assert_eq!(hand(""), Misread::NotNine { found: 0 });
        assert_eq!(hand("R1 R2 W4"), Misread::NotNine { found: 3 });
        assert_eq!(hand("R1 R2 R3 R4 B1 B2 B3 B4 W4 R1"), Misread::NotNine { found: 10 });
        assert_eq!(hand("R1 R2 R3 R4 B1 B2 B3 B4 B5"), Misread::NoWhite);
        assert_eq!(hand("R1 R2 R3 R4 B1 B2 B3 W2 W4"), Misread::SecondWhite { token: "W4".into() });
        assert!("r1,r2,r3,r4,b1,b2,b3,b4,w4".parse::<Hand>().is_ok());
    }

    #[test]
    fn a_cubo_is_three_rows_of_three_round_a_white_die() {
        assert_eq!(cubo("R1 R2 R3 R4 B1 B2 B3 B4 W4"), Misread::NotThreeRows { found: 1 });
        assert_eq!(
            cubo("R1 R2 R3 / B1 W4 / R4 B3 B4"),
            Misread::NotThreeDice { row: 2, found: 2, token: "B1 W4".into() }
        );
        assert_eq!(cubo("R1 R2 R3 / B1 R4 B2 / R4 B3 W4"), Misread::MiddleNotWhite { token: "R4".into() });
        assert_eq!(cubo("R1 R2 W3 / B1 W4 B2 / R4 B3 B4"), Misread::SecondWhite { token: "W3".into() });
        let text = "R1 R2 R3 / B1 W4 B2 / R4 B3 B4";
        assert_eq!(text.parse::<Square>().unwrap().to_string(), text);
    }

    #[test]
    fn a_white_die_is_not_taken() {
        assert_eq!(taken("W3"), Err(Misread::WhiteTaken { token: "W3".into() }));
        assert_eq!(taken("Q3"), Err(Misread::NotADie { token: "Q3".into() }));
    }
}
