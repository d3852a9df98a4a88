//! Max^n: a search for three and four, each for himself, in which every player looks after his own score. Kept beside
//! the paranoid search of `search.rs` to measure one against the other.

use crate::board::Side;
use crate::eval::{Camps, Evaluator, Weights};
use crate::moves::{Move, Moves};
use crate::position::Position;
use crate::search::{Limits, WIN};

type Scores = [i32; 4];

/// A max^n thinker.
#[derive(Debug)]
pub struct MaxN {
    evaluator: Evaluator,
    nodes: u64,
    limit: u64,
}

impl MaxN {
    /// A thinker with these weights.
    pub fn new(weights: &Weights) -> Self {
        Self { evaluator: Evaluator::new(weights), nodes: 0, limit: 0 }
    }

    /// The best move it finds within the limits on depth and nodes.
    pub fn think(&mut self, position: &Position, limits: &Limits) -> Move {
        let mut position = position.clone();
        let mut moves = position.legal();
        let mut best = moves.first().copied().unwrap_or(Move::PASS);
        (self.nodes, self.limit) = (0, limits.nodes);
        for depth in 1..=limits.depth.min(30) {
            let turn = position.turn().index();
            let mut top = i32::MIN;
            let mut found = best;
            for i in 0..moves.len() {
                let undo = position.make(moves[i]);
                let scores = self.visit(&mut position, depth as i32 - 1, 1);
                position.unmake(&undo);
                let Some(scores) = scores else { return best };
                if scores[turn] > top {
                    top = scores[turn];
                    found = moves[i];
                }
            }
            best = found;
            let place = moves.iter().position(|&m| m == best).unwrap_or(0);
            moves[..=place].rotate_right(1);
        }
        best
    }

    fn visit(&mut self, position: &mut Position, depth: i32, ply: i32) -> Option<Scores> {
        self.nodes += 1;
        if self.nodes > self.limit {
            return None;
        }
        if let Some(over) = position.over() {
            let share = if over.is_tie() { 0 } else { WIN - ply };
            return Some(Side::ALL.map(|s| if over.sides >> s.index() & 1 != 0 { share } else { ply - WIN }));
        }
        if depth <= 0 {
            return Some(self.scores(position));
        }
        let mut moves = Moves::default();
        position.generate(&mut moves);
        let turn = position.turn().index();
        let mut best: Option<Scores> = None;
        for &mv in moves.iter() {
            let undo = position.make(mv);
            // A contact at the horizon is looked at one ply longer.
            let quiet = undo.removed() == 0 || depth > 1;
            let scores = self.visit(position, depth - i32::from(quiet), ply + 1);
            position.unmake(&undo);
            let scores = scores?;
            if best.is_none_or(|b| scores[turn] > b[turn]) {
                best = Some(scores);
            }
        }
        best
    }

    fn scores(&mut self, position: &Position) -> Scores {
        Side::ALL.map(|side| {
            if !position.is_in(side) {
                return -WIN;
            }
            let camps = Camps::of(position, side);
            let tiles = self.evaluator.tiles(position, &camps);
            self.evaluator.score(position, &camps, tiles, (-WIN, WIN)).score
        })
    }
}
