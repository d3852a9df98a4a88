//! A tile: whose it is, its kind, its face and its spin, also packed into six bits.

use crate::board::{Corner, Side};
use crate::set::Step;

/// A tile on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tile {
    /// Its place in the position's list, for as long as the game lasts.
    pub id: u8,
    /// Whose it is; his side is its home.
    pub owner: Side,
    /// Its kind.
    pub step: Step,
    /// Whether it lies with its back up (CT-S12).
    pub turned: bool,
    /// Quarter spins to the right, 0 to 3, counted from South's start: where its first figure lies, clockwise from north-west.
    pub spin: u8,
    /// Where it stands.
    pub at: Corner,
}

/// A tile without its place, in six bits: owner, kind, face, spin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Code(u8);

impl Code {
    /// From six bits: two of the owner, then kind, face and two of spin.
    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits & 63)
    }
    /// From the four bits of owner, kind and face, with no spin.
    pub(crate) const fn unspun(bits: u8) -> Self {
        Self((bits & 15) << 2)
    }
    pub(crate) fn new(owner: Side, step: Step, turned: bool, spin: u8) -> Self {
        Self((owner as u8) << 4 | (step as u8) << 3 | u8::from(turned) << 2 | spin & 3)
    }
    #[inline]
    pub(crate) fn owner(self) -> Side {
        Side::ALL[usize::from(self.0 >> 4 & 3)]
    }
    #[inline]
    pub(crate) fn step(self) -> Step {
        if self.0 & 8 == 0 { Step::OneStep } else { Step::TwoStep }
    }
    #[inline]
    pub(crate) fn turned(self) -> bool {
        self.0 & 4 != 0
    }
    #[inline]
    pub(crate) fn spin(self) -> u8 {
        self.0 & 3
    }
    /// A quarter spin to the right (CT-S8).
    #[inline]
    pub(crate) fn spun(self) -> Self {
        Self(self.0 & !3 | (self.0 + 1) & 3)
    }
    #[inline]
    pub(crate) fn turn_over(self) -> Self {
        Self(self.0 | 4)
    }
    /// Kind, face and spin: what decides its figures.
    #[inline]
    pub(crate) fn face(self) -> usize {
        usize::from(self.0 & 15)
    }
    /// As it is seen: the spin of a tile on its back cannot be.
    #[inline]
    pub(crate) fn seen(self) -> Self {
        Self(self.0 & !(3 * (self.0 >> 2 & 1)))
    }
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0 & 63)
    }
}
