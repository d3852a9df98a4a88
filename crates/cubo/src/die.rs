//! A die as it lies on the table: a colour and a face. Written `R1`, `B6`, `W4`, and serialised the same way.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::notation::Misread;

/// How many faces a die has, 1 to 6 (CU-S1).
pub const FACES: u8 = 6;

/// The colour of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colour {
    /// One of the eight coloured dice of a hand.
    Red,
    /// One of the eight coloured dice of a hand.
    Blue,
    /// The one die in the middle: both colours at once, its pips its own (CU-F1).
    White,
}

/// A die showing a face: eighteen of them, reds first, then blues, then whites.
///
/// ```
/// use cubo::{Colour, Die};
///
/// let die: Die = "R6".parse()?;
/// assert_eq!((die.colour(), die.face()), (Colour::Red, 6));
/// assert_eq!(die.to_string(), "R6");
/// # Ok::<(), cubo::Misread>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Die(u8);

impl Die {
    /// The die of this colour showing this face, if there is such a face.
    pub const fn new(colour: Colour, face: u8) -> Option<Self> {
        if face >= 1 && face <= FACES { Some(Self(colour as u8 * FACES + face - 1)) } else { None }
    }

    /// The die of this colour with its face counted from nought, as dice are thrown.
    pub(crate) const fn thrown(colour: Colour, below_six: u8) -> Self {
        Self(colour as u8 * FACES + below_six % FACES)
    }

    /// The die of this kind: 0–5 red, 6–11 blue, 12–17 white.
    pub(crate) const fn of_kind(kind: u8) -> Self {
        Self(kind % (3 * FACES))
    }

    /// The number of its kind: 0–5 red, 6–11 blue, 12–17 white.
    pub(crate) const fn kind(self) -> u8 {
        self.0
    }

    /// It in words: "red 4".
    pub fn in_words(self) -> String {
        let colour = match self.colour() {
            Colour::Red => "red",
            Colour::Blue => "blue",
            Colour::White => "white",
        };
        format!("{colour} {}", self.face())
    }

    /// Its colour.
    pub const fn colour(self) -> Colour {
        match self.0 / FACES {
            0 => Colour::Red,
            1 => Colour::Blue,
            _ => Colour::White,
        }
    }

    /// The pips it shows, 1 to 6.
    pub const fn face(self) -> u8 {
        self.0 % FACES + 1
    }

    /// Is it the wild one of the middle?
    pub const fn is_white(self) -> bool {
        self.0 >= 2 * FACES
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colour = match self.colour() {
            Colour::Red => 'R',
            Colour::Blue => 'B',
            Colour::White => 'W',
        };
        write!(f, "{colour}{}", self.face())
    }
}

impl FromStr for Die {
    type Err = Misread;

    fn from_str(text: &str) -> Result<Self, Misread> {
        let colour = match text.as_bytes().first() {
            Some(b'R' | b'r') => Colour::Red,
            Some(b'B' | b'b') => Colour::Blue,
            Some(b'W' | b'w') => Colour::White,
            _ => return Err(Misread::not_a_die(text)),
        };
        match text.as_bytes() {
            [_, digit @ b'1'..=b'6'] => Ok(Self::thrown(colour, digit - b'1')),
            _ => Err(Misread::not_a_die(text)),
        }
    }
}

impl Serialize for Die {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Die {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;
        impl de::Visitor<'_> for Text {
            type Value = Die;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a die such as \"R6\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Die, E> {
                text.parse().map_err(E::custom)
            }
        }
        from.deserialize_str(Text)
    }
}
