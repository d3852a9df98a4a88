//! The board and its four sides: corners of the lines, home lines, and who sits where.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::bits::Bits;

/// A corner of the lines on which a tile can stand: column `a`–`o`, row 1–15 (CT-F1).
///
/// ```
/// use contact::Corner;
/// let corner: Corner = "h8".parse().unwrap();
/// assert_eq!((corner.x(), corner.y()), (8, 8));
/// assert!("p1".parse::<Corner>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Corner(u8);

impl Corner {
    /// The corner in column `x` and row `y`, both 1 to 15.
    pub const fn new(x: u8, y: u8) -> Option<Self> {
        if 1 <= x && x <= 15 && 1 <= y && y <= 15 { Some(Self(y << 4 | x)) } else { None }
    }

    /// Column, 1 to 15.
    #[inline]
    pub const fn x(self) -> u8 {
        self.0 & 15
    }

    /// Row, 1 to 15.
    #[inline]
    pub const fn y(self) -> u8 {
        self.0 >> 4
    }

    #[inline]
    pub(crate) const fn index(self) -> u8 {
        self.0
    }

    /// From an index that is known to be on the board.
    #[inline]
    pub(crate) const fn from_index(index: u8) -> Self {
        debug_assert!(index & 15 != 0 && index >> 4 != 0);
        Self(index)
    }

    /// The point-mirrored corner: what South sees here, North sees there.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self((16 - self.y()) << 4 | (16 - self.x()))
    }
}

impl fmt::Display for Corner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.x() - 1), self.y())
    }
}

impl fmt::Debug for Corner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is no corner.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
#[error("`{0}` is no corner of the board: write a column a to o and a row 1 to 15, such as h8")]
pub struct NoCorner(pub String);

impl FromStr for Corner {
    type Err = NoCorner;

    fn from_str(text: &str) -> Result<Self, NoCorner> {
        let parse = || {
            let (&column, row) = text.as_bytes().split_first()?;
            if !column.is_ascii_lowercase() || row.is_empty() || row.len() > 2 || row[0] == b'0' {
                return None;
            }
            let y = row.iter().try_fold(0u8, |y, d| d.is_ascii_digit().then(|| y * 10 + (d - b'0')))?;
            Self::new(column - b'a' + 1, y)
        };
        parse().ok_or_else(|| NoCorner(text.chars().take(12).collect()))
    }
}

impl Serialize for Corner {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Corner {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A side of the board, and the player who sits there, in turn order (CT-F3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Row 1, red.
    South,
    /// Column 1, blue.
    West,
    /// Row 15, green.
    North,
    /// Column 15, yellow.
    East,
}

impl Side {
    /// All four, in turn order.
    pub const ALL: [Self; 4] = [Self::South, Self::West, Self::North, Self::East];

    /// The number of the side in turn order, 0 to 3.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side across the board.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) & 3]
    }

    /// The corner at `place` of the line `line` counted from this side's edge; both 1 to 15.
    pub const fn corner(self, line: u8, place: u8) -> Option<Corner> {
        if line == 0 || line > 15 {
            return None;
        }
        match self {
            Self::South => Corner::new(place, line),
            Self::West => Corner::new(line, place),
            Self::North => Corner::new(place, 16 - line),
            Self::East => Corner::new(16 - line, place),
        }
    }

    /// How many lines `corner` is from this side's edge, 1 to 15.
    #[inline]
    pub const fn line_of(self, corner: Corner) -> u8 {
        match self {
            Self::South => corner.y(),
            Self::West => corner.x(),
            Self::North => 16 - corner.y(),
            Self::East => 16 - corner.x(),
        }
    }

    /// The small letter of the side in texts.
    pub const fn letter(self) -> char {
        match self {
            Self::South => 's',
            Self::West => 'w',
            Self::North => 'n',
            Self::East => 'e',
        }
    }

    /// The side with that small letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.letter() == letter)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::South => "South",
            Self::West => "West",
            Self::North => "North",
            Self::East => "East",
        })
    }
}

/// Who plays against whom (CT-S4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Players {
    /// South against North.
    Two,
    /// South, West and North, each for himself.
    Three,
    /// All four, each for himself.
    Four,
    /// South and North against West and East.
    Partners,
}

impl Players {
    /// The sides that sit down, in turn order.
    pub const fn sides(self) -> &'static [Side] {
        match self {
            Self::Two => &[Side::South, Side::North],
            Self::Three => &[Side::South, Side::West, Side::North],
            Self::Four | Self::Partners => &Side::ALL,
        }
    }

    /// How many sit down.
    pub const fn count(self) -> usize {
        self.sides().len()
    }

    /// Whether that side plays.
    #[inline]
    pub fn seats(self, side: Side) -> bool {
        self.sides().contains(&side)
    }

    /// The sides, as a mask, that win and lose together with `side`: itself, and a partner if it has one.
    #[inline]
    pub const fn team(self, side: Side) -> u8 {
        match self {
            Self::Partners => 0b0101 << (side as u8 & 1),
            _ => 1 << side as u8,
        }
    }

    /// The partner of a side.
    pub fn partner(self, side: Side) -> Option<Side> {
        (self == Self::Partners).then(|| side.opposite())
    }

    /// The word for it in texts.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Two => "two",
            Self::Three => "three",
            Self::Four => "four",
            Self::Partners => "partners",
        }
    }

    /// The players of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Two, Self::Three, Self::Four, Self::Partners].into_iter().find(|p| p.word() == word)
    }

    /// So many players, each for himself.
    pub const fn each_for_himself(count: u32) -> Option<Self> {
        match count {
            2 => Some(Self::Two),
            3 => Some(Self::Three),
            4 => Some(Self::Four),
            _ => None,
        }
    }
}

/// The sides in a mask, in turn order.
pub(crate) fn sides_in(mask: u8) -> impl Iterator<Item = Side> {
    Side::ALL.into_iter().filter(move |s| mask >> s.index() & 1 != 0)
}

/// The corners of a side's home line that carry a ring, from the places along that line (CT-F6).
pub(crate) fn ring_bits(side: Side, places: &[u8]) -> Bits {
    places.iter().filter_map(|&p| side.corner(1, p)).collect()
}
