//! What a move would do, and what the opponents threaten, told before anything is moved: for boards that show it.

use crate::board::{Corner, Side};
use crate::moves::Move;
use crate::position::Position;
use crate::tile::Tile;

/// The ways to the four tiles that can touch a tile, clockwise from the north-west.
const WAYS: [(i8, i8); 4] = [(-1, 1), (1, 1), (1, -1), (-1, -1)];

/// One corner of the moved tile that would meet a corner of an opponent's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touch {
    /// Which corner of the moved tile, clockwise from its north-west.
    pub corner: u8,
    /// The opponent's tile.
    pub tile: Tile,
    /// The moved tile's figure there.
    pub ours: u8,
    /// The opponent's figure there.
    pub theirs: u8,
    /// Whether the opponent's tile would go.
    pub goes: bool,
}

/// What a move would do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Foresight {
    /// The move.
    pub mv: Move,
    /// The tile as it would lie when corners meet: moved and spun.
    pub tile: Tile,
    /// Its figures then, clockwise from its north-west.
    pub figures: [u8; 4],
    /// Every corner that would meet another.
    pub touches: Vec<Touch>,
    /// Whether the moved tile would go.
    pub lost: bool,
    /// Whether it would be turned over (CT-S12).
    pub turns_over: bool,
    /// Its figures when all is done: turned over, if it is.
    pub settled: [u8; 4],
}

/// A move of an opponent that would take something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threat {
    /// The move.
    pub mv: Move,
    /// The corners of the tiles it would take.
    pub takes: Vec<Corner>,
}

impl Position {
    /// What a move would do; nothing for a pass, or where no tile stands on its first corner.
    ///
    /// ```
    /// let position: contact::Position = "15/15/15/15/15/15/8Nb6/15/15/7Sb7/15/15/15/15/sa14 s two".parse().unwrap();
    /// let seen = position.foresee("h6-h8".parse().unwrap()).unwrap();
    /// assert_eq!((seen.touches[0].ours, seen.touches[0].theirs, seen.lost), (4, 3, false));
    /// ```
    pub fn foresee(&self, mv: Move) -> Option<Foresight> {
        let (from, to) = mv.ends()?;
        let before = self.tile_on(from)?;
        let tile = Tile { at: to, spin: (before.spin + 1) & 3, ..before };
        let figures = self.figures(tile);
        let verdict = self.verdict(mv);
        let team = self.players().team(tile.owner);
        let touches = (0..4u8).filter_map(|corner| {
            let (dx, dy) = WAYS[usize::from(corner)];
            let at = Corner::new(to.x().checked_add_signed(dx)?, to.y().checked_add_signed(dy)?)?;
            let other = self.tile_on(at).filter(|o| team >> o.owner.index() & 1 == 0)?;
            let theirs = self.figures(other)[usize::from((corner + 2) & 3)];
            let goes = verdict.foes >> other.id & 1 != 0;
            Some(Touch { corner, tile: other, ours: figures[usize::from(corner)], theirs, goes })
        });
        let turns_over = !verdict.mover && !tile.turned && self.goal(tile.owner).has(to);
        let settled = self.figures(Tile { turned: tile.turned || turns_over, ..tile });
        let touches = touches.collect();
        Some(Foresight { mv, tile, figures, touches, lost: verdict.mover, turns_over, settled })
    }

    /// Every move of an opponent's own tiles that would take a tile of `side`, were it the opponent's turn.
    pub fn threats_to(&self, side: Side) -> Vec<Threat> {
        let near = self.of(side).diagonals();
        let mut threats = Vec::new();
        for tile in self.foes(side).into_iter().filter_map(|at| self.tile_on(at)) {
            for to in self.reach(tile.id) & near {
                let mv = Move::new(tile.at, to);
                let gone = self.verdict(mv).foes;
                let takes: Vec<Corner> = self
                    .of(side)
                    .into_iter()
                    .filter(|&at| self.tile_on(at).is_some_and(|t| gone >> t.id & 1 != 0))
                    .collect();
                if !takes.is_empty() {
                    threats.push(Threat { mv, takes });
                }
            }
        }
        threats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Position {
        text.parse().expect("a position")
    }

    #[test]
    fn what_is_foreseen_is_what_comes_of_the_move() {
        let mut position = board("15/15/15/15/15/15/8Nb6/15/15/7Sb7/15/15/15/15/sa14 s two");
        for _ in 0..40 {
            let Some(&mv) = position.legal().last() else { break };
            let Some(seen) = position.foresee(mv) else { break };
            let removed = position.make(mv).removed();
            let foreseen = seen.touches.iter().filter(|t| t.goes).fold(0, |all, t| all | 1 << t.tile.id);
            assert_eq!(removed, foreseen | u32::from(seen.lost) << seen.tile.id);
            let now = mv.ends().and_then(|(_, to)| position.tile_on(to));
            assert_eq!(now.map(|t| t.turned), (!seen.lost).then_some(seen.turns_over || seen.tile.turned));
        }
    }

    #[test]
    fn threats_name_exactly_the_tiles_that_can_be_taken() {
        let position = board("15/15/15/15/15/15/8Na6/15/15/7Sb7/15/15/15/15/sa14 n two");
        let threats = position.threats_to(Side::South);
        let takeable = position.takeable(position.of(Side::South));
        assert!(threats.iter().flat_map(|t| &t.takes).all(|&at| takeable.has(at)));
        assert!(takeable.into_iter().all(|at| threats.iter().any(|t| t.takes.contains(&at))));
        assert!(!threats.is_empty());
    }

    #[test]
    fn nothing_is_foreseen_of_a_pass() {
        assert_eq!(board("15/15/15/15/15/15/8Nb6/15/15/7Sb7/15/15/15/15/15 s two").foresee(Move::PASS), None);
    }
}
