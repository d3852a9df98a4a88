//! A line of moves that needs no allocation.

use super::MAX_PLY;
use crate::moves::Move;

/// A line of moves, without allocation.
#[derive(Clone, Copy)]
pub struct Line {
    moves: [Move; MAX_PLY],
    len: u8,
}

impl Default for Line {
    fn default() -> Self {
        Self { moves: [Move::PASS; MAX_PLY], len: 0 }
    }
}

impl Line {
    /// Becomes the line of no moves.
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Becomes the line that begins with a move and goes on as another.
    pub(super) fn lead(&mut self, first: Move, rest: &Self) {
        let len = usize::from(rest.len).min(MAX_PLY - 1);
        self.moves[0] = first;
        self.moves[1..=len].copy_from_slice(&rest.moves[..len]);
        self.len = len as u8 + 1;
    }
}

impl std::ops::Deref for Line {
    type Target = [Move];
    fn deref(&self) -> &[Move] {
        &self.moves[..usize::from(self.len)]
    }
}

impl std::fmt::Debug for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
