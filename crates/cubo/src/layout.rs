//! A cubo in the making: which die of the throw lies in which cell. Nobody but its owner sees it before it is uncovered.

use serde::{Deserialize, Serialize};

use crate::{
    die::Die,
    square::{Cell, Square},
};

/// The nine dice a player has thrown: reds, blues, and the white one last.
pub type Throw = [Die; 9];

/// The place of the white die in a throw.
pub const WHITE: u8 = 8;

/// Which die of a throw lies where, row by row, each by its place in the throw. The white die lies in the middle from
/// the moment it is thrown: it has no other place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout([[Option<u8>; 3]; 3]);

/// All nine dice of a throw, laid out: a permutation with the white die in the middle.
pub type Arrangement = [[u8; 3]; 3];

impl Layout {
    /// Only the white die, in the middle.
    pub const THROWN: Self = Self([[None; 3], [None, Some(WHITE), None], [None; 3]]);

    /// Nothing.
    pub const EMPTY: Self = Self([[None; 3]; 3]);

    /// Everything at once; nothing if a die is missing, double, or the middle is not white.
    pub fn arranged(grid: &Arrangement) -> Option<Self> {
        let mut seen = [false; 9];
        for &die in grid.as_flattened() {
            *seen.get_mut(usize::from(die))? = true;
        }
        let layout = Self(grid.map(|row| row.map(Some)));
        (seen == [true; 9] && layout.at(Cell::MIDDLE) == Some(WHITE)).then_some(layout)
    }

    /// The die in this cell.
    pub fn at(&self, cell: Cell) -> Option<u8> {
        self.0.as_flattened()[cell.index()]
    }

    /// Where this die lies.
    pub fn find(&self, die: u8) -> Option<Cell> {
        Cell::all().find(|&cell| self.at(cell) == Some(die))
    }

    /// How many dice lie in the square.
    pub fn placed(&self) -> u8 {
        self.0.as_flattened().iter().flatten().count() as u8
    }

    /// Lays a die in a cell. If another lies there they change places; a die from outside sends the other out.
    pub(crate) fn place(&mut self, die: u8, at: Cell) {
        let other = self.at(at);
        if let Some(from) = self.find(die) {
            self.set(from, other);
        }
        self.set(at, Some(die));
    }

    /// Takes a die out of the square.
    pub(crate) fn lift(&mut self, die: u8) {
        if let Some(from) = self.find(die) {
            self.set(from, None);
        }
    }

    fn set(&mut self, cell: Cell, die: Option<u8>) {
        self.0.as_flattened_mut()[cell.index()] = die;
    }

    /// The cubo these dice make, once all nine are placed.
    pub fn square(&self, dice: &Throw) -> Option<Square> {
        let mut square = *dice;
        for cell in Cell::all() {
            square[cell.index()] = *dice.get(usize::from(self.at(cell)?))?;
        }
        Square::new(square).ok()
    }
}

/// How to lay a throw so that it makes this cubo; nothing if the dice are others.
pub fn arrangement(dice: &Throw, cubo: &Square) -> Option<Arrangement> {
    let mut used = [false; 9];
    let mut grid = [[0; 3]; 3];
    for (place, die) in grid.as_flattened_mut().iter_mut().zip(cubo.dice()) {
        let index = (0..9).find(|&i| !used[i] && dice[i] == *die)?;
        used[index] = true;
        *place = index as u8;
    }
    Some(grid)
}
