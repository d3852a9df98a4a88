//! What a row and a cubo are worth: straights, trips, one colour doubled. Pure arithmetic, and the same as tables for
//! the search.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    die::{Colour, Die, FACES},
    square::{Row, Square},
};

/// How the three numbers of a straight must lie (CU-S10, CU-R6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Straights {
    /// Ascending or descending along the row: the printed rule.
    #[default]
    InOrder,
    /// Consecutive in any order, so that 4-3-5 counts.
    AnyOrder,
}

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// Neither straight nor trip.
    Nothing,
    /// Three consecutive numbers: the highest counts.
    Straight,
    /// Three equal numbers: that number counts.
    Trip,
}

/// A row, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RowCount {
    /// Which of the six.
    pub row: Row,
    /// Its dice, from the left or from the top.
    pub dice: [Die; 3],
    /// What they show.
    pub figure: Figure,
    /// All of one colour, the white die taking either (CU-S12)?
    pub doubled: bool,
    /// What the row is worth.
    pub points: u8,
}

/// A cubo, counted row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Count {
    /// The six rows: across from the top, then down from the left.
    pub rows: [RowCount; 6],
    /// Their sum.
    pub total: u8,
}

impl Straights {
    /// The figure of three numbers as they lie, and its worth in one colour or not.
    const fn figure(self, [a, b, c]: [u8; 3]) -> (Figure, u8) {
        if a == b && b == c {
            return (Figure::Trip, a); // CU-S11
        }
        let high = max(a, max(b, c));
        let low = min(a, min(b, c));
        let three_in_a_row = high - low == 2 && a != b && b != c && a != c;
        let lies_right = match self {
            Self::InOrder => a + c == 2 * b, // CU-S10
            Self::AnyOrder => true,          // CU-R6
        };
        if three_in_a_row && lies_right { (Figure::Straight, high) } else { (Figure::Nothing, 0) }
    }

    /// A row of three dice, counted.
    pub const fn count_row(self, row: Row, dice: [Die; 3]) -> RowCount {
        let (figure, worth) = self.figure([dice[0].face(), dice[1].face(), dice[2].face()]);
        let doubled = worth > 0 && one_colour(dice);
        RowCount { row, dice, figure, doubled, points: if doubled { 2 * worth } else { worth } }
    }
}

/// No row has both a red and a blue die: the white one goes with either (CU-S12).
const fn one_colour(dice: [Die; 3]) -> bool {
    let mut red = false;
    let mut blue = false;
    let mut i = 0;
    while i < 3 {
        match dice[i].colour() {
            Colour::Red => red = true,
            Colour::Blue => blue = true,
            Colour::White => {}
        }
        i += 1;
    }
    !(red && blue)
}

const fn max(a: u8, b: u8) -> u8 {
    if a > b { a } else { b }
}

const fn min(a: u8, b: u8) -> u8 {
    if a < b { a } else { b }
}

impl Square {
    /// What the cubo is worth (CU-S10 to CU-S12).
    pub fn points(&self, straights: Straights) -> u8 {
        Row::ALL.iter().map(|&row| straights.count_row(row, self.row(row)).points).sum()
    }

    /// What each row is worth, and the whole.
    pub fn count(&self, straights: Straights) -> Count {
        let rows = Row::ALL.map(|row| straights.count_row(row, self.row(row)));
        Count { rows, total: rows.iter().map(|row| row.points).sum() }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for RowCount { row, dice: [a, b, c], figure, doubled, points } in self.rows {
            let figure = match figure {
                Figure::Nothing => "",
                Figure::Straight => "straight",
                Figure::Trip => "trip",
            };
            let doubled = if doubled { ", one colour" } else { "" };
            writeln!(f, "{row:<7} {a} {b} {c} {points:>3}  {figure}{doubled}")?;
        }
        write!(f, "total {:>14}", self.total)
    }
}

/// How many kinds of coloured dice there are.
pub(crate) const KINDS: usize = 2 * FACES as usize;

/// Kinds of dice of every colour, and padding to a power of two.
const MIDDLES: usize = 32;

/// The worth of every possible row, by the kinds of its two ends and then of its middle die.
pub(crate) struct Worth([[[u8; MIDDLES]; KINDS]; KINDS]);

static IN_ORDER: Worth = Worth::new(Straights::InOrder);
static ANY_ORDER: Worth = Worth::new(Straights::AnyOrder);

impl Worth {
    pub(crate) fn of(straights: Straights) -> &'static Self {
        match straights {
            Straights::InOrder => &IN_ORDER,
            Straights::AnyOrder => &ANY_ORDER,
        }
    }

    /// The rows between two dice of these kinds, by the kind of the middle die: coloured or white.
    pub(crate) fn between(&self, x: u8, y: u8) -> &[u8; MIDDLES] {
        &self.0[usize::from(x)][usize::from(y)]
    }

    const fn new(straights: Straights) -> Self {
        let mut worth = [[[0; MIDDLES]; KINDS]; KINDS];
        let mut row = 0;
        while row < KINDS * KINDS * MIDDLES {
            let (x, y, middle) = (row / MIDDLES / KINDS, row / MIDDLES % KINDS, row % MIDDLES);
            if middle < 3 * FACES as usize {
                let dice = [Die::of_kind(x as u8), Die::of_kind(middle as u8), Die::of_kind(y as u8)];
                // Which row it is does not matter to its worth.
                worth[x][y][middle] = straights.count_row(Row::Top, dice).points;
            }
            row += 1;
        }
        Self(worth)
    }
}
