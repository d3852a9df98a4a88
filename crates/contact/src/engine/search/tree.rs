//! The tree: principal variation search with null moves and late move reductions, and a quiescence over contacts.

use super::order::{Picker, QUIET_ORDER};
use super::{INFINITE, MAX_PLY, Searcher, WIN, WON};
use crate::board::Players;
use crate::ending::{Over, Pair};
use crate::engine::eval::{Seen, by_the_count, tie};
use crate::engine::memory::{Bound, Known};
use crate::moves::Move;
use crate::position::{Position, Undo};

type Window = (i32, i32);

/// Where a search is in the tree.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// How much deeper it looks.
    pub(super) depth: i32,
    /// Moves made since the root.
    pub(super) ply: usize,
    /// The sum over the tiles.
    pub(super) tiles: i32,
    /// Whether a null move may be tried; not twice in a row.
    pub(super) may_pass: bool,
}

impl Node {
    /// The same place, from which the next move is searched to this depth.
    const fn to(self, depth: i32) -> Self {
        Self { depth, may_pass: true, ..self }
    }
}

impl Searcher<'_> {
    /// The score of a finished game for the served player.
    fn final_score(&self, position: &Position, over: Over, ply: usize) -> i32 {
        let ours = over.sides >> self.served.index() & 1 != 0;
        match (ours, over.is_tie()) {
            (true, true) => tie(position, &self.camps),
            (true, false) => WIN - ply as i32,
            (false, _) => ply as i32 - WIN,
        }
    }

    /// What it is worth to the served player that nobody finds anything better than to repeat a position.
    fn repeated(&self, position: &Position) -> i32 {
        let lead = if position.ties().count { by_the_count(position, &self.camps) } else { 0 };
        if lead == 0 { tie(position, &self.camps) } else { lead }
    }

    /// The change of the sum over the tiles by a move that was just made.
    #[inline]
    pub(super) fn difference(&self, position: &Position, undo: &Undo) -> i32 {
        let Some((id, before)) = undo.mover() else { return 0 };
        let mv = undo.mv();
        let mut change = -self.ledger.entry(before, mv.start_index());
        let mut gone = undo.removed();
        if gone >> id & 1 == 0 {
            change += self.ledger.entry(position.code_of(id), mv.end_index());
        }
        gone &= !(1 << id);
        while gone != 0 {
            let id = gone.trailing_zeros() as u8;
            change -= self.ledger.entry(position.code_of(id), position.corner_of(id).index());
            gone &= gone - 1;
        }
        change
    }

    /// Makes a move of a node and searches what follows as deep as the node says, takes it back; the score is for who
    /// made the move.
    #[inline]
    pub(super) fn child(
        &mut self,
        position: &mut Position,
        mv: Move,
        (alpha, beta): Window,
        node: Node,
    ) -> i32 {
        let ours = self.camps.is_ours(position.turn());
        if node.depth > 0 {
            self.memory.expect(position.hash_after(mv) ^ self.camps.key);
        }
        let undo = position.make(mv);
        let node = Node { ply: node.ply + 1, tiles: node.tiles + self.difference(position, &undo), ..node };
        let ended = match position.over() {
            Some(over) => Some(self.final_score(position, over, node.ply)),
            None if !position.is_in(self.served) => Some(node.ply as i32 - WIN),
            None => None,
        };
        let score = if let Some(score) = ended {
            self.nodes += 1;
            self.frames[node.ply].line.clear();
            if ours { score } else { -score }
        } else if self.camps.is_ours(position.turn()) == ours {
            self.enter(position, (alpha, beta), node)
        } else {
            -self.enter(position, (-beta, -alpha), node)
        };
        position.unmake(&undo);
        score
    }

    #[inline]
    fn enter(&mut self, position: &mut Position, window: Window, node: Node) -> i32 {
        if node.depth <= 0 {
            self.frames[node.ply].line.clear();
            self.contacts(position, window, node)
        } else {
            self.visit(position, window, node)
        }
    }

    /// The evaluation for the player to move.
    #[inline]
    fn evaluate(&mut self, position: &Position, tiles: i32, (alpha, beta): (i32, i32)) -> Seen {
        let ours = self.camps.is_ours(position.turn());
        let window = if ours { (alpha, beta) } else { (-beta, -alpha) };
        let mut seen = self.evaluator.score(position, &self.camps, tiles, window);
        // Nothing at all is the score of a tie that is seen, so that one can be told from an even game.
        if seen.score == 0 && !self.camps.driven {
            seen.score = 1;
        }
        if ours { seen } else { Seen { score: -seen.score, ..seen } }
    }

    fn key(&self, position: &Position) -> u64 {
        let turns = match position.pair() {
            Pair::None => 0,
            Pair::Ordinary(n) | Pair::Seven(n) => u64::from(n) + 1,
        };
        // Near the end by quiet moves it matters how near, and where somebody wins by it, from afar.
        let far = if position.ties().count { 0 } else { position.quiet_limit() - 16 };
        let quiet = u64::from(position.quiet().saturating_sub(far)) << 8;
        position.hash() ^ self.camps.key ^ (turns | quiet).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }

    /// Principal variation search; the score is for the player to move.
    pub(super) fn visit(
        &mut self,
        position: &mut Position,
        (mut alpha, mut beta): Window,
        node: Node,
    ) -> i32 {
        let Node { depth, ply, tiles, .. } = node;
        self.nodes += 1;
        self.frames[ply].line.clear();
        if self.out_of_time() {
            return 0;
        }
        let wide = beta - alpha > 1;
        if ply > 0 {
            if position.heeds_repetition() && position.quiet() >= 2 && position.stood_before() > 0 {
                let end = self.repeated(position);
                return if self.camps.is_ours(position.turn()) { end } else { -end };
            }
            if ply >= MAX_PLY {
                return self.evaluate(position, tiles, (alpha, beta)).score;
            }
            // No line can be better than winning at once.
            alpha = alpha.max(ply as i32 - WIN);
            beta = beta.min(WIN - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }
        let key = self.key(position);
        let known = self.memory.get(key);
        if ply > 0
            && !wide
            && let Some(score) = known.and_then(|known| enough(known, (alpha, beta), node))
        {
            return score;
        }
        let calm = match self.still_enough(position, (alpha, beta), node) {
            Still::Enough(score) => return score,
            Still::No { calm } => calm,
        };
        let table_move = known.map_or(Move::PASS, |k| k.mv);
        let depth = if wide && table_move.is_pass() && depth >= 5 { depth - 1 } else { depth };
        let picker = Picker::new(table_move, calm);
        self.try_moves(position, (alpha, beta), Node { depth, ..node }, key, picker)
    }

    /// Whether a node is so good that it need not be searched: as it stands, or though the player to move passes.
    #[inline]
    fn still_enough(&mut self, position: &mut Position, (alpha, beta): Window, node: Node) -> Still {
        let Node { depth, ply, tiles, may_pass } = node;
        let two_camps = matches!(position.players(), Players::Two | Players::Partners);
        let seven = matches!(position.pair(), Pair::Seven(_));
        let deep = depth > 6 + 10 * i32::from(two_camps);
        if beta - alpha > 1 || ply == 0 || seven || deep || beta.abs() >= WON {
            return Still::No { calm: false };
        }
        let Seen { score: still, calm } = self.evaluate(position, tiles, (alpha, beta));
        if depth <= 3 && still - 70 * depth >= beta {
            return Still::Enough(still);
        }
        if two_camps && may_pass && depth >= 3 && still >= beta && position.total() > 3 {
            let reduced = Node { depth: depth - 3 - depth / 6, may_pass: false, ..node };
            let score = self.child(position, Move::PASS, (beta - 1, beta), reduced);
            if self.aborted {
                return Still::Enough(0);
            }
            if score >= beta {
                return Still::Enough(score.min(WON));
            }
        }
        Still::No { calm }
    }

    fn try_moves(
        &mut self,
        position: &mut Position,
        (mut alpha, beta): Window,
        node: Node,
        key: u64,
        mut picker: Picker,
    ) -> i32 {
        let Node { depth, ply, .. } = node;
        let first_alpha = alpha;
        let wide = beta - alpha > 1;
        let (mut best, mut best_move) = (-INFINITE, Move::PASS);
        let mut tried = 0;
        while let Some((mv, order)) = self.next_move(position, ply, &mut picker) {
            if ply == 0 && self.root_skip.contains(&mv) {
                continue;
            }
            let quiet = order.abs() < QUIET_ORDER;
            // What is left is as quiet, or worse.
            if !wide && quiet && depth <= 3 && tried > 6 + 4 * depth * depth && best > -WON {
                break;
            }
            let late = if order < QUIET_ORDER { tried } else { tried.min(1) };
            let favour = if ply == 0 { self.favour(mv) } else { 0 };
            let mut score = self.try_move(position, mv, (alpha - favour, beta - favour), node, late);
            if self.aborted {
                return 0;
            }
            if score.abs() <= WON {
                score += favour;
            }
            tried += 1;
            if score > best {
                (best, best_move) = (score, mv);
            }
            if score > alpha {
                alpha = score;
                if wide {
                    let (above, below) = self.frames.split_at_mut(ply + 1);
                    above[ply].line.lead(mv, &below[0].line);
                }
            }
            if alpha >= beta {
                if quiet {
                    self.reward(position, ply, mv, depth, &picker);
                }
                break;
            }
        }
        if tried == 0 {
            return alpha;
        }
        if ply > 0 || self.root_skip.is_empty() && self.favours.is_empty() {
            let bound = if best >= beta {
                Bound::AtLeast
            } else if best > first_alpha {
                Bound::Exact
            } else {
                Bound::AtMost
            };
            let (score, depth) = (to_memory(best, ply), depth.clamp(0, 63) as u8);
            self.memory.put(key, Known { mv: best_move, score, depth, bound });
        }
        best
    }

    /// What a first move counts beyond what is found of it.
    fn favour(&self, mv: Move) -> i32 {
        self.favours.iter().find(|(liked, _)| *liked == mv).map_or(0, |(_, favour)| *favour)
    }

    /// The score of one move of a node: of the first in the whole window, of the others first whether they are better at
    /// all, and of late quiet ones not so deep.
    #[inline]
    fn try_move(
        &mut self,
        position: &mut Position,
        mv: Move,
        (alpha, beta): Window,
        node: Node,
        late: i32,
    ) -> i32 {
        let depth = node.depth;
        if late == 0 {
            return self.child(position, mv, (alpha, beta), node.to(depth - 1));
        }
        let wide = beta - alpha > 1;
        let mut less = 0;
        if depth >= 3 && late >= 3 {
            less = (1 + i32::from(late >= 10) + i32::from(depth >= 7) - i32::from(wide)).max(0);
        }
        let narrow = (alpha, alpha + 1);
        let mut score = self.child(position, mv, narrow, node.to(depth - 1 - less));
        if score > alpha && less > 0 {
            score = self.child(position, mv, narrow, node.to(depth - 1));
        }
        if score > alpha && score < beta {
            score = self.child(position, mv, (alpha, beta), node.to(depth - 1));
        }
        score
    }

    /// Quiescence: only contacts that win something, until none is left.
    fn contacts(&mut self, position: &mut Position, (mut alpha, beta): Window, node: Node) -> i32 {
        let Node { ply, tiles, .. } = node;
        self.nodes += 1;
        if self.out_of_time() {
            return 0;
        }
        let Seen { score: still, calm } = self.evaluate(position, tiles, (alpha, beta));
        if still >= beta || calm || ply >= MAX_PLY {
            return still;
        }
        alpha = alpha.max(still);
        let mut best = still;
        position.generate_contacts(&mut self.frames[ply].moves);
        let least = (alpha - still - 149).max(1);
        let count = self.arrange_contacts(position, ply, Move::PASS, least);
        for i in 0..count {
            let (mv, _) = self.pick(ply, i, count);
            let score = self.child(position, mv, (alpha, beta), node.to(0));
            if self.aborted {
                return 0;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// What a node is worth without a search.
enum Still {
    /// So much, and that is enough.
    Enough(i32),
    /// It must be searched; `calm` if the player to move is known to touch nobody.
    No { calm: bool },
}

/// The score of a node, where the table knows enough of it.
#[inline]
fn enough(known: Known, (alpha, beta): Window, node: Node) -> Option<i32> {
    let score = from_memory(known.score, node.ply);
    let enough = match known.bound {
        Bound::Exact => true,
        Bound::AtLeast => score >= beta,
        Bound::AtMost => score <= alpha,
    };
    (enough && i32::from(known.depth) >= node.depth).then_some(score)
}

/// Wins are stored by their distance from the node, not from the root.
fn to_memory(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    (if score > WON {
        score + ply
    } else if score < -WON {
        score - ply
    } else {
        score
    }) as i16
}

fn from_memory(score: i16, ply: usize) -> i32 {
    let (score, ply) = (i32::from(score), ply as i32);
    if score > WON {
        score - ply
    } else if score < -WON {
        score + ply
    } else {
        score
    }
}
