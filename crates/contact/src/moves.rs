//! A move, and a list of moves that needs no allocation.

use std::fmt;

use crate::board::Corner;

/// A move: one tile from a corner to a corner, or a forced pass.
///
/// ```
/// use contact::Move;
/// let out_and_back: Move = "c4-c4".parse().unwrap();
/// assert_eq!(out_and_back.to_string(), "c4-c4");
/// assert_eq!("pass".parse::<Move>().unwrap(), Move::PASS);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Move(u16);

impl Move {
    /// Nothing to move (CT-R5).
    pub const PASS: Self = Self(0);

    /// The tile on `from` goes to `to`.
    #[inline]
    pub const fn new(from: Corner, to: Corner) -> Self {
        Self((from.index() as u16) << 8 | to.index() as u16)
    }

    /// Whether nothing moves.
    #[inline]
    pub const fn is_pass(self) -> bool {
        self.0 == 0
    }

    /// Where the tile stood, and where it goes; `None` for a pass.
    #[inline]
    pub const fn ends(self) -> Option<(Corner, Corner)> {
        if self.is_pass() {
            None
        } else {
            Some((Corner::from_index((self.0 >> 8) as u8), Corner::from_index(self.0 as u8)))
        }
    }

    #[inline]
    pub(crate) const fn start_index(self) -> u8 {
        (self.0 >> 8) as u8
    }

    #[inline]
    pub(crate) const fn end_index(self) -> u8 {
        self.0 as u8
    }

    /// The sixteen bits of a move, for tables.
    #[inline]
    pub(crate) const fn raw(self) -> u16 {
        self.0
    }

    /// From the bits of a move that was stored; checked again before it is made.
    #[inline]
    pub(crate) const fn from_raw(raw: u16) -> Self {
        Self(raw)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Most moves a player can have: 24 tiles of nine corners each.
const MOST_MOVES: usize = 256;

/// A list of moves that lives on the stack.
#[derive(Clone)]
pub struct Moves {
    moves: [Move; MOST_MOVES],
    len: usize,
}

impl Default for Moves {
    #[inline]
    fn default() -> Self {
        Self { moves: [Move::PASS; MOST_MOVES], len: 0 }
    }
}

impl Moves {
    #[inline]
    pub(crate) fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    pub(crate) fn retain_from(&mut self, start: usize, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = start;
        for i in start..self.len {
            if keep(self.moves[i]) {
                self.moves[kept] = self.moves[i];
                kept += 1;
            }
        }
        self.len = kept;
    }
}

impl std::ops::Deref for Moves {
    type Target = [Move];
    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl std::ops::DerefMut for Moves {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len]
    }
}

impl fmt::Debug for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
