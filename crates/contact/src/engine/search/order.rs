//! In which order the moves of a node are tried: the better first, the fewer are looked at.

use super::{Line, Searcher};
use crate::bits::Bits;
use crate::moves::{Move, Moves};
use crate::position::{Position, Verdict};

/// What is kept for each ply of a line. `order` has for each listed move its rank and, in the last eight bits, its place.
pub(super) struct Frame {
    pub(super) moves: Moves,
    order: [i32; 256],
    pub(super) killers: [Move; 2],
    pub(super) line: Line,
}

impl Default for Frame {
    fn default() -> Self {
        Self { moves: Moves::default(), order: [0; 256], killers: [Move::PASS; 2], line: Line::default() }
    }
}

/// Hands out a node's moves: the table's before anything is listed, contacts that win, killers, and then the rest, best
/// first.
pub(super) struct Picker {
    stage: Stage,
    table: Move,
    calm: bool,
    /// The table's move and killers that were handed out before the rest was listed.
    tried: [Move; 3],
    next: usize,
    count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    Touching,
    Touch,
    Killer(u8),
    Listing,
    List,
}

impl Picker {
    /// `calm` says that nobody can be touched.
    pub(super) fn new(table: Move, calm: bool) -> Self {
        Self { stage: Stage::Table, table, calm, tried: [Move::PASS; 3], next: 0, count: 0 }
    }

    fn has_tried(&self, mv: Move) -> bool {
        !mv.is_pass() && self.tried.contains(&mv)
    }
}

/// Moves with an order below this are quiet.
pub(super) const QUIET_ORDER: i32 = 100_000;
const FIRST_ORDER: i32 = 1_000_000;

/// A rank that carries the place of its move in the list; of equal moves the first listed comes first.
#[inline]
fn ranked(order: i32, place: usize) -> i32 {
    order << 8 | (255 - place as i32)
}

/// The place of a ranked move in the list.
#[inline]
fn place(rank: i32) -> usize {
    255 - (rank & 255) as usize
}

#[inline]
fn slot(two_step: bool, mv: Move) -> usize {
    usize::from(two_step) << 8 | usize::from(mv.end_index())
}

impl Searcher<'_> {
    /// Whether a move's contacts take anything, and what they win less what they cost.
    #[inline]
    fn exchange(&self, position: &Position, mv: Move) -> (bool, i32) {
        let verdict = position.verdict(mv);
        let mut gain = 0;
        let mut gone = verdict.foes;
        while gone != 0 {
            let id = gone.trailing_zeros() as u8;
            gain += self.evaluator.worth(position.code_of(id), position.corner_of(id).index());
            gone &= gone - 1;
        }
        if verdict.mover
            && let Some(id) = position.id_on(mv.start_index())
        {
            gain -= self.evaluator.worth(position.code_of(id), mv.start_index());
        }
        (verdict.foes != 0, gain)
    }

    /// The next move of a node and its order.
    #[inline]
    pub(super) fn next_move(
        &mut self,
        position: &mut Position,
        ply: usize,
        picker: &mut Picker,
    ) -> Option<(Move, i32)> {
        loop {
            match picker.stage {
                Stage::Table => {
                    picker.stage = if picker.calm { Stage::Killer(0) } else { Stage::Touching };
                    // What the table says is surely legal only where it is a step of the player's own tile.
                    if position.is_own_step(picker.table) {
                        picker.tried[0] = picker.table;
                        return Some((picker.table, 3 * FIRST_ORDER));
                    }
                }
                Stage::Touching => {
                    position.generate_contacts(&mut self.frames[ply].moves);
                    picker.count = self.arrange_contacts(position, ply, picker.tried[0], 0);
                    picker.stage = Stage::Touch;
                }
                Stage::Touch if picker.next < picker.count => {
                    picker.next += 1;
                    let (mv, gain) = self.pick(ply, picker.next - 1, picker.count);
                    return Some((mv, 2 * FIRST_ORDER + gain));
                }
                Stage::Touch => picker.stage = Stage::Killer(0),
                Stage::Killer(n @ (0 | 1)) => {
                    picker.stage = Stage::Killer(n + 1);
                    let mv = self.frames[ply].killers[usize::from(n)];
                    if mv != picker.tried[0]
                        && position.is_own_step(mv)
                        && position.verdict(mv) == Verdict::default()
                    {
                        picker.tried[usize::from(n) + 1] = mv;
                        return Some((mv, QUIET_ORDER - 1 - i32::from(n)));
                    }
                }
                Stage::Killer(_) => picker.stage = Stage::Listing,
                Stage::Listing => {
                    position.generate(&mut self.frames[ply].moves);
                    picker.next = 0;
                    picker.count = self.arrange(position, ply, picker);
                    picker.stage = Stage::List;
                }
                Stage::List => {
                    picker.next += 1;
                    return (picker.next <= picker.count)
                        .then(|| self.pick(ply, picker.next - 1, picker.count));
                }
            }
        }
    }

    /// Ranks the contacts of the frame that win at least so much, but for one; returns how many there are.
    #[inline]
    pub(super) fn arrange_contacts(
        &mut self,
        position: &Position,
        ply: usize,
        but: Move,
        least: i32,
    ) -> usize {
        let mut count = 0;
        for i in 0..self.frames[ply].moves.len() {
            let mv = self.frames[ply].moves[i];
            if mv == but {
                continue;
            }
            let (takes, gain) = self.exchange(position, mv);
            if takes && gain >= least {
                self.frames[ply].order[count] = ranked(gain, i);
                count += 1;
            }
        }
        count
    }

    /// Ranks what is left of the moves of the frame: the table's first, then turnings over, history, and contacts that
    /// lose last. Returns how many there are.
    #[inline]
    fn arrange(&mut self, position: &Position, ply: usize, picker: &Picker) -> usize {
        let turn = position.turn();
        let near = if picker.calm { Bits::NONE } else { position.foes(turn).diagonals() };
        let goal = position.goal(turn);
        let twos = position.two_steps();
        let history = &self.history[turn.index() << 9..][..512];
        let mut count = 0;
        for i in 0..self.frames[ply].moves.len() {
            let mv = self.frames[ply].moves[i];
            if picker.has_tried(mv) {
                continue;
            }
            let order = if near.bit(mv.end_index()) {
                let (takes, gain) = self.exchange(position, mv);
                if takes && gain >= 0 {
                    continue;
                }
                gain.min(0) - 2 * FIRST_ORDER
            } else if mv == picker.table {
                3 * FIRST_ORDER
            } else if goal.bit(mv.end_index()) && Self::would_turn(position, mv) {
                FIRST_ORDER + FIRST_ORDER / 2
            } else {
                history[slot(twos.bit(mv.start_index()), mv)]
            };
            self.frames[ply].order[count] = ranked(order, i);
            count += 1;
        }
        count
    }

    fn would_turn(position: &Position, mv: Move) -> bool {
        let code = position.id_on(mv.start_index()).map(|id| position.code_of(id));
        code.is_some_and(|c| !c.turned() && position.goal(c.owner()).bit(mv.end_index()))
    }

    /// The best of the ranked moves from `i` on, brought to place `i`.
    #[inline]
    pub(super) fn pick(&mut self, ply: usize, i: usize, count: usize) -> (Move, i32) {
        let frame = &mut self.frames[ply];
        let rest = &mut frame.order[i..count];
        let mut best = (rest[0], 0);
        for (j, &rank) in rest.iter().enumerate() {
            if rank > best.0 {
                best = (rank, j);
            }
        }
        rest.swap(0, best.1);
        (frame.moves[place(best.0)], best.0 >> 8)
    }

    /// A quiet move refuted this node: remember it, and think less of those before it.
    pub(super) fn reward(&mut self, position: &Position, ply: usize, mv: Move, depth: i32, picker: &Picker) {
        let killers = &mut self.frames[ply].killers;
        if killers[0] != mv {
            killers[1] = killers[0];
            killers[0] = mv;
        }
        let bonus = (depth * depth).min(400);
        let turn = position.turn();
        let twos = position.two_steps();
        let frame = &self.frames[ply];
        let listed = if picker.stage == Stage::List { picker.next } else { 0 };
        let listed = frame.order[..listed].iter().map(|&rank| frame.moves[place(rank)]);
        for other in listed.chain(picker.tried.into_iter().filter(|t| !t.is_pass())) {
            let change = if other == mv { bonus } else { -bonus };
            let entry = &mut self.history[turn.index() << 9 | slot(twos.bit(other.start_index()), other)];
            *entry += change - *entry * bonus / 16_384;
        }
    }
}
