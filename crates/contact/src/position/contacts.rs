//! Contacts: what is removed when a tile has moved and spun.

use super::{EMPTY, Position};
use crate::board::Players;
use crate::moves::Move;
use crate::tile::Code;

/// Corners of a tile, clockwise, and the way to the tile that would touch there.
const TOUCH: [u8; 4] = [15, 17, 15u8.wrapping_neg(), 17u8.wrapping_neg()];

/// The result of a move's contacts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// The opponents' tiles that go, one bit per tile id.
    pub foes: u32,
    /// Whether the moved tile goes.
    pub mover: bool,
}

impl Position {
    /// What the contacts decide if the tile `id`, lying as `code` after its spin, ends its move on `to`
    /// (CT-S9, CT-S10, CT-R2, CT-R3).
    #[inline]
    pub(crate) fn judge(&self, code: Code, to: u8) -> Verdict {
        let owner = code.owner();
        let team = self.players.team(owner);
        let mine = self.faces[code.face()];
        // Balances by opposing side; partners fall into one.
        let mut balance = [0i8; 4];
        let mut hit = [0u32; 4];
        let mut any = false;
        for (corner, way) in TOUCH.into_iter().enumerate() {
            let id = self.on[usize::from(to.wrapping_add(way))];
            if id == EMPTY {
                continue;
            }
            let other = self.code[usize::from(id)];
            if team >> (other.owner() as u8) & 1 != 0 {
                continue;
            }
            let side = if self.players == Players::Partners { 0 } else { other.owner().index() };
            let theirs = self.faces[other.face()][(corner + 2) & 3];
            balance[side] += mine[corner] as i8 - theirs as i8;
            hit[side] |= 1 << id;
            any = true;
        }
        let mut verdict = Verdict::default();
        if any {
            for side in 0..4 {
                if hit[side] != 0 {
                    verdict.mover |= balance[side] <= 0;
                    if balance[side] >= 0 {
                        verdict.foes |= hit[side];
                    }
                }
            }
        }
        verdict
    }

    /// What the contacts of a move would decide. The move need not be legal, but a tile must stand on its first corner.
    pub fn verdict(&self, mv: Move) -> Verdict {
        match self.id_on(mv.start_index()) {
            Some(id) if !mv.is_pass() => self.judge(self.code_of(id).spun(), mv.end_index()),
            _ => Verdict::default(),
        }
    }
}
