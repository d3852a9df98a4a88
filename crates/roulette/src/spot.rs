//! Where chips can be put, as a person says it: `15`, `1|2`, `1|2|11|12`, `1-6`, `1st12`, `low`. A [`Spot`] is
//! only words; whether the layout has such a spot, its [`Set`](crate::Set) knows.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The six even chances, in the order of the layout (DR-S3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// L: 1 to 26.
    Low,
    /// M: 31 to 56.
    High,
    /// J: the black squares.
    Black,
    /// K: the red squares.
    Red,
    /// H: the even numbers.
    Even,
    /// I: the odd numbers.
    Odd,
}

impl Side {
    /// All six.
    pub const ALL: [Self; 6] = [Self::Low, Self::High, Self::Black, Self::Red, Self::Even, Self::Odd];

    /// Its name in notation.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::High => "high",
            Self::Black => "black",
            Self::Red => "red",
            Self::Even => "even",
            Self::Odd => "odd",
        }
    }
}

/// A spot on the layout, as written. Numbers of a pair or a four are kept in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// Squarely on a number: `15`.
    Number(u8),
    /// Between two squares: `1|2`.
    Pair([u8; 2]),
    /// On the corner of four: `1|2|11|12`.
    Four([u8; 4]),
    /// The foot of a run of six, by its first and last number: `1-6`.
    Run(u8, u8),
    /// A dozen, 1 to 3: `1st12`, `2d12`, `3rd12`.
    Dozen(u8),
    /// An even chance: `low`, `high`, `black`, `red`, `even`, `odd`.
    Half(Side),
}

impl Spot {
    /// Between two squares, whichever is named first.
    pub fn pair(a: u8, b: u8) -> Self {
        Self::Pair([a.min(b), a.max(b)])
    }

    /// On the corner of four squares, in any order.
    pub fn four(mut numbers: [u8; 4]) -> Self {
        numbers.sort_unstable();
        Self::Four(numbers)
    }

    /// The numbers it names; none for a dozen or an even chance.
    pub fn numbers(self) -> Vec<u8> {
        match self {
            Self::Number(n) => vec![n],
            Self::Pair(two) => two.to_vec(),
            Self::Four(four) => four.to_vec(),
            Self::Run(first, last) => vec![first, last],
            Self::Dozen(_) | Self::Half(_) => Vec::new(),
        }
    }
}

/// Why a spot does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum SpotError {
    /// Words that name no spot.
    #[error(
        "there is no bet {bet:?}: lay on a number (15), two neighbours (1|2), a square of four (1|2|11|12), \
         a run of six (1-6), 1st12, 2d12, 3rd12, low, high, black, red, even or odd"
    )]
    Unknown {
        /// What was written.
        bet: String,
    },
    /// A number that the dice cannot make.
    #[error("{number} can never be thrown, so {bet:?} is no bet: the numbers are {allowed}")]
    NeverThrown {
        /// What was written.
        bet: String,
        /// The number.
        number: u8,
        /// What can be thrown.
        allowed: String,
    },
    /// Two squares that do not share an edge.
    #[error("{bet:?} is no bet: the two squares do not share an edge; the pairs of {number} are {allowed}")]
    NotAPair {
        /// What was written.
        bet: String,
        /// Its first number.
        number: u8,
        /// The pairs that number is in.
        allowed: String,
    },
    /// Four squares that do not share a corner.
    #[error(
        "{bet:?} is no bet: the four squares do not meet in a corner; the fours of {number} are {allowed}"
    )]
    NotAFour {
        /// What was written.
        bet: String,
        /// Its first number.
        number: u8,
        /// The fours that number is in.
        allowed: String,
    },
    /// A range that is no run of six.
    #[error("{bet:?} is no run of six: the runs are {allowed}")]
    NotARun {
        /// What was written.
        bet: String,
        /// The runs.
        allowed: String,
    },
}

impl FromStr for Spot {
    type Err = SpotError;

    fn from_str(text: &str) -> Result<Self, SpotError> {
        let spot = if text.starts_with(|c: char| c.is_ascii_digit()) { counted(text) } else { named(text) };
        spot.ok_or_else(|| SpotError::Unknown { bet: text.to_owned() })
    }
}

fn named(text: &str) -> Option<Spot> {
    Side::ALL.into_iter().find(|side| side.name().eq_ignore_ascii_case(text)).map(Spot::Half)
}

fn counted(text: &str) -> Option<Spot> {
    const DOZENS: [(&str, u8); 5] = [("1st12", 1), ("2d12", 2), ("2nd12", 2), ("3rd12", 3), ("3d12", 3)];
    if let Some((_, dozen)) = DOZENS.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        return Some(Spot::Dozen(dozen));
    }
    if let Some((first, last)) = text.split_once('-') {
        return Some(Spot::Run(number(first)?, number(last)?));
    }
    let mut numbers = [0; 4];
    let mut count = 0;
    for part in text.split('|') {
        *numbers.get_mut(count)? = number(part)?;
        count += 1;
    }
    match count {
        1 => Some(Spot::Number(numbers[0])),
        2 => Some(Spot::pair(numbers[0], numbers[1])),
        4 => Some(Spot::four(numbers)),
        _ => None,
    }
}

/// Digits only: `parse` alone would let `+1` through.
fn number(text: &str) -> Option<u8> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Number(n) => write!(f, "{n}"),
            Self::Pair([a, b]) => write!(f, "{a}|{b}"),
            Self::Four([a, b, c, d]) => write!(f, "{a}|{b}|{c}|{d}"),
            Self::Run(first, last) => write!(f, "{first}-{last}"),
            Self::Dozen(1) => f.write_str("1st12"),
            Self::Dozen(2) => f.write_str("2d12"),
            Self::Dozen(_) => f.write_str("3rd12"),
            Self::Half(side) => f.write_str(side.name()),
        }
    }
}

impl Serialize for Spot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Spot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::notation::from_text(deserializer, "a spot such as \"15\" or \"1|2\"")
    }
}
