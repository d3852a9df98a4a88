//! A cubo: nine dice in a square, the white one in the middle, and its six rows.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    die::{Die, FACES},
    notation::Misread,
};

/// Where the white die lies, counted row by row.
pub(crate) const MIDDLE: usize = 4;

/// A square of the cubo, written `[row, column]`, each 0 to 2 from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "[u8; 2]", into = "[u8; 2]")]
pub struct Cell(u8);

impl Cell {
    /// The cell at this row and column, if both are 0 to 2.
    pub const fn new(row: u8, column: u8) -> Option<Self> {
        if row < 3 && column < 3 { Some(Self(row * 3 + column)) } else { None }
    }

    /// The middle, where the white die lies.
    pub const MIDDLE: Self = Self(MIDDLE as u8);

    /// All nine, row by row.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..9).map(Self)
    }

    /// The eight round the middle, row by row.
    pub fn coloured() -> impl Iterator<Item = Self> {
        Self::all().filter(|&cell| cell != Self::MIDDLE)
    }

    /// Counted row by row, 0 to 8.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl TryFrom<[u8; 2]> for Cell {
    type Error = String;

    fn try_from([row, column]: [u8; 2]) -> Result<Self, String> {
        Self::new(row, column)
            .ok_or_else(|| format!("[{row}, {column}] is not in the square: row and column are 0 to 2"))
    }
}

impl From<Cell> for [u8; 2] {
    fn from(cell: Cell) -> Self {
        [cell.0 / 3, cell.0 % 3]
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.0 / 3 + 1, self.0 % 3 + 1)
    }
}

/// One of the six rows that count: three across, three down, no diagonals (CU-S4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Row {
    /// Across, the first.
    Top,
    /// Across, through the white die.
    Middle,
    /// Across, the last.
    Bottom,
    /// Down, the first.
    Left,
    /// Down, through the white die.
    Centre,
    /// Down, the last.
    Right,
}

impl Row {
    /// All six: across from the top, then down from the left.
    pub const ALL: [Self; 6] = [Self::Top, Self::Middle, Self::Bottom, Self::Left, Self::Centre, Self::Right];

    /// Its three cells, from the left or from the top.
    pub const fn cells(self) -> [Cell; 3] {
        let [a, b, c] = match self {
            Self::Top => [0, 1, 2],
            Self::Middle => [3, 4, 5],
            Self::Bottom => [6, 7, 8],
            Self::Left => [0, 3, 6],
            Self::Centre => [1, 4, 7],
            Self::Right => [2, 5, 8],
        };
        [Cell(a), Cell(b), Cell(c)]
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Top => "top",
            Self::Middle => "middle",
            Self::Bottom => "bottom",
            Self::Left => "left",
            Self::Centre => "centre",
            Self::Right => "right",
        })
    }
}

/// Nine dice in a square with the white one in the middle, and no other white one (CU-S4).
///
/// ```
/// use cubo::{Square, Straights};
///
/// let cubo: Square = "R1 B2 B3 / R2 W3 R4 / B3 B4 R5".parse()?;
/// assert_eq!(cubo.points(Straights::InOrder), 32);
/// # Ok::<(), cubo::Misread>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "[[Die; 3]; 3]", into = "[[Die; 3]; 3]")]
pub struct Square([Die; 9]);

impl Square {
    /// A cubo of these dice, row by row.
    pub fn new(dice: [Die; 9]) -> Result<Self, Misread> {
        if !dice[MIDDLE].is_white() {
            return Err(Misread::MiddleNotWhite { token: dice[MIDDLE].to_string() });
        }
        match Cell::coloured().find(|cell| dice[cell.index()].is_white()) {
            Some(cell) => Err(Misread::SecondWhite { token: dice[cell.index()].to_string() }),
            None => Ok(Self(dice)),
        }
    }

    /// A cubo of eight coloured kinds round a white face, where both are known to be right.
    pub(crate) fn of_kinds(around: [u8; 8], white: u8) -> Self {
        let [a, b, c, d, e, f, g, h] = around.map(Die::of_kind);
        Self([a, b, c, d, Die::of_kind(2 * FACES + white), e, f, g, h])
    }

    /// The nine dice, row by row.
    pub const fn dice(&self) -> &[Die; 9] {
        &self.0
    }

    /// The die in this cell.
    pub const fn at(&self, cell: Cell) -> Die {
        self.0[cell.index()]
    }

    /// The three dice of a row.
    pub fn row(&self, row: Row) -> [Die; 3] {
        row.cells().map(|cell| self.at(cell))
    }

    /// The same cubo with one coloured die replaced, in its place (CU-S8); nothing if either die is white.
    #[must_use]
    pub fn exchanged(&self, out: Cell, taken: Die) -> Option<Self> {
        if out == Cell::MIDDLE || taken.is_white() {
            return None;
        }
        let mut dice = self.0;
        dice[out.index()] = taken;
        Some(Self(dice))
    }
}

impl TryFrom<[[Die; 3]; 3]> for Square {
    type Error = Misread;

    fn try_from([top, middle, bottom]: [[Die; 3]; 3]) -> Result<Self, Misread> {
        let ([a, b, c], [d, e, f], [g, h, i]) = (top, middle, bottom);
        Self::new([a, b, c, d, e, f, g, h, i])
    }
}

impl From<Square> for [[Die; 3]; 3] {
    fn from(cubo: Square) -> Self {
        [Row::Top, Row::Middle, Row::Bottom].map(|row| cubo.row(row))
    }
}

/// `R1 R2 R3 / B1 W4 B2 / R4 B3 B4`
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g, h, i, j] = self.0;
        write!(f, "{a} {b} {c} / {d} {e} {g} / {h} {i} {j}")
    }
}
