//! What the dice show and what they count: the arithmetic of both games, one [`Counting`] each.

use serde::{Deserialize, Serialize};

use crate::layout::DiceSet;
use crate::letter::Letter;

/// The two colours of the I-Qubes dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colour {
    /// Upper case in text.
    Red,
    /// Lower case in text.
    Black,
}

/// What a die shows after the throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Face {
    /// The letter; none on a WILD or a joker, which stands for what its player calls.
    pub letter: Option<Letter>,
    /// The colour, where the set has colours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<Colour>,
    /// The value, where the set has values.
    #[serde(default)]
    pub value: u8,
}

impl Face {
    /// A face that stands for any letter?
    pub const fn is_wild(self) -> bool {
        self.letter.is_none()
    }
}

/// How a layout is counted, and with that what a layout must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "rule", deny_unknown_fields)]
pub enum Counting {
    /// IQ-S8: each word's number of letters, twice that in one colour; dice left over cost nothing (IQ-R4).
    IQubes {
        /// IQ-S10: all dice of the throw in one word count 15, or 30 in one colour.
        long_word: bool,
    },
    /// SB-S7: the values of all words across and down, less the values of the cubes left over.
    Scribbage,
    /// SB-S11, SB-R6: separate words, each cube in one only; their values, less those of the cubes left over.
    Young,
}

impl Counting {
    /// Must all dice hang together?
    pub const fn is_crossword(self) -> bool {
        !matches!(self, Self::Young)
    }

    /// What one word counts, made of `dice` of the throw `faces`.
    pub fn word(self, faces: &[Face], dice: &[u8]) -> i32 {
        let shown = || dice.iter().filter_map(|&die| faces.get(die as usize));
        match self {
            Self::IQubes { long_word } => {
                let colour = shown().next().and_then(|face| face.colour);
                let plain = colour.is_some() && shown().all(|face| face.colour == colour);
                let letters = if long_word && dice.len() == faces.len() { 15 } else { dice.len() as i32 };
                letters * if plain { 2 } else { 1 }
            }
            Self::Scribbage | Self::Young => shown().map(|face| i32::from(face.value)).sum(),
        }
    }

    /// What a die costs if it is not used.
    pub fn unused(self, face: Face) -> i32 {
        match self {
            Self::IQubes { .. } => 0,
            Self::Scribbage | Self::Young => i32::from(face.value),
        }
    }

    /// What all dice outside of `used` cost.
    pub fn all_unused(self, faces: &[Face], used: DiceSet) -> i32 {
        let left = faces.iter().enumerate().filter(|&(die, _)| !used.contains(die as u8));
        left.map(|(_, &face)| self.unused(face)).sum()
    }
}
