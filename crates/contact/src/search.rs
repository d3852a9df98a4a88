//! The search: iterative deepening, principal variation search with a transposition table, null moves, late move
//! reductions and a quiescence over contacts. It serves one player or partnership against everybody else: exact for two
//! camps, and "paranoid" where three or four play each for himself. Nothing in it allocates once a searcher stands.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::{Corner, Players, Side};
use crate::ending::{Over, Pair};
use crate::eval::{Camps, Evaluator, TIE, Weights, drive};
use crate::moves::{Move, Moves};
use crate::position::{Position, Undo};
use crate::tile::Code;
use crate::tt::{Bound, Known, Memory};

/// The score of a won game, less the moves to get there.
pub const WIN: i32 = 20_000;
/// Scores beyond this are wins or losses seen to the end.
pub const WON: i32 = WIN - 500;
/// The deepest line.
pub(crate) const MAX_PLY: usize = 96;
const MAX_DEPTH: u32 = 60;
const INFINITE: i32 = 30_000;

/// How long to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// At most so many plies.
    pub depth: u32,
    /// At most so many nodes.
    pub nodes: u64,
    /// At most so long, where there is a clock.
    pub time: Option<Duration>,
}

impl Limits {
    /// So many nodes: the same moves on every machine.
    pub const fn nodes(nodes: u64) -> Self {
        Self { depth: MAX_DEPTH, nodes, time: None }
    }

    /// So many plies.
    pub const fn depth(depth: u32) -> Self {
        Self { depth, nodes: u64::MAX, time: None }
    }

    /// So long.
    pub const fn time(time: Duration) -> Self {
        Self { depth: MAX_DEPTH, nodes: u64::MAX, time: Some(time) }
    }
}

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
    fn lead(&mut self, first: Move, rest: &Self) {
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

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub struct Thought {
    /// The best move; a pass where the game is over.
    pub best: Move,
    /// Its score for the player to move, in hundredths of a point.
    pub score: i32,
    /// The depth searched to the end.
    pub depth: u32,
    /// The nodes it took.
    pub nodes: u64,
    /// What both sides would play.
    pub line: Line,
}

/// What is kept for each ply of a line.
struct Frame {
    moves: Moves,
    order: [i32; 256],
    killers: [Move; 2],
    line: Line,
}

/// A thinker with its memory.
pub struct Searcher {
    evaluator: Evaluator,
    memory: Arc<Memory>,
    stop: Arc<AtomicBool>,
    frames: Vec<Frame>,
    history: Vec<i32>,
    camps: Camps,
    served: Side,
    salt: u64,
    limits: Limits,
    clock: Clock,
    nodes: u64,
    aborted: bool,
    root_skip: Vec<Move>,
}

/// A clock, where the platform has one.
#[derive(Clone, Copy, Debug)]
struct Clock {
    #[cfg(not(target_arch = "wasm32"))]
    start: std::time::Instant,
}

impl Clock {
    fn start() -> Self {
        Self {
            #[cfg(not(target_arch = "wasm32"))]
            start: std::time::Instant::now(),
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn elapsed(self) -> Duration {
        self.start.elapsed()
    }

    #[cfg(target_arch = "wasm32")]
    fn elapsed(self) -> Duration {
        Duration::ZERO
    }
}

impl std::fmt::Debug for Searcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searcher")
            .field("served", &self.served)
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}

impl Searcher {
    /// A searcher with a table of about so many megabytes.
    pub fn new(weights: &Weights, megabytes: usize) -> Self {
        Self::sharing(weights, Arc::new(Memory::new(megabytes)), Arc::default())
    }

    fn sharing(weights: &Weights, memory: Arc<Memory>, stop: Arc<AtomicBool>) -> Self {
        let frame = || Frame {
            moves: Moves::default(),
            order: [0; 256],
            killers: [Move::PASS; 2],
            line: Line::default(),
        };
        Self {
            evaluator: Evaluator::new(weights),
            memory,
            stop,
            frames: std::iter::repeat_with(frame).take(MAX_PLY + 2).collect(),
            history: vec![0; 8 * 256],
            camps: Camps { factor: [0; 4], scale: 1 },
            served: Side::South,
            salt: 0,
            limits: Limits::depth(1),
            clock: Clock::start(),
            nodes: 0,
            aborted: false,
            root_skip: Vec::with_capacity(256),
        }
    }

    /// A flag that ends a search soon after it is set.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Forgets all that was learnt, so that the next search depends on nothing before.
    pub fn forget(&mut self) {
        self.memory.clear();
        self.history.fill(0);
    }

    fn begin(&mut self, position: &Position, limits: &Limits) {
        self.served = position.turn();
        self.camps = Camps::of(position, self.served);
        let own_camp = matches!(position.players(), Players::Two | Players::Partners);
        self.salt = if own_camp { 0 } else { 0x9E37_79B9_97F4_A7C1u64.rotate_left(8 * self.served as u32) };
        self.limits = *limits;
        self.clock = Clock::start();
        self.nodes = 0;
        self.aborted = false;
        self.history.iter_mut().for_each(|h| *h /= 8);
        for frame in &mut self.frames {
            frame.killers = [Move::PASS; 2];
        }
    }

    /// Thinks about the position within the limits, and always finds a legal move if there is one.
    pub fn think(&mut self, position: &Position, limits: &Limits) -> Thought {
        self.root_skip.clear();
        self.begin(position, limits);
        self.deepen(position, 0)
    }

    /// The best `count` first moves with their lines, best first.
    pub fn best_lines(&mut self, position: &Position, limits: &Limits, count: usize) -> Vec<Thought> {
        let mut found: Vec<Thought> = Vec::new();
        let choices = position.clone().legal().len();
        self.root_skip.clear();
        for i in 0..count.min(choices) {
            // The first line is worth half of the time, the others share the rest.
            let share = if count == 1 {
                1
            } else if i == 0 {
                2
            } else {
                2 * (count as u32 - 1)
            };
            let part = Limits {
                depth: limits.depth,
                nodes: (limits.nodes / u64::from(share)).max(1),
                time: limits.time.map(|t| t / share),
            };
            self.begin(position, &part);
            let thought = self.deepen(position, 0);
            self.root_skip.push(thought.best);
            found.push(thought);
        }
        self.root_skip.clear();
        found.sort_by_key(|t| -t.score);
        found
    }

    /// The score of every legal move at a fixed depth, for players who do not always take the best.
    pub fn rank(&mut self, position: &Position, depth: u32) -> Vec<(Move, i32)> {
        self.root_skip.clear();
        self.begin(position, &Limits::depth(depth));
        let mut position = position.clone();
        let tiles = self.evaluator.tiles(&position, &self.camps);
        let moves = position.legal();
        let mut ranked = Vec::with_capacity(moves.len());
        for &mv in moves.iter() {
            let score =
                self.child(&mut position, mv, tiles, (-INFINITE, INFINITE), depth as i32 - 1, 0, true);
            ranked.push((mv, score));
        }
        ranked
    }

    fn deepen(&mut self, position: &Position, offset: u32) -> Thought {
        let mut position = position.clone();
        let tiles = self.evaluator.tiles(&position, &self.camps);
        let mut best = Thought { best: Move::PASS, score: 0, depth: 0, nodes: 0, line: Line::default() };
        self.frames[0].moves.clear();
        position.generate(&mut self.frames[0].moves);
        let first = self.frames[0].moves.iter().copied().find(|mv| !self.root_skip.contains(mv));
        let Some(first) = first else { return best };
        best.best = first;
        for depth in 1 + offset..=self.limits.depth.clamp(1, MAX_DEPTH) {
            let score = self.aspire(&mut position, tiles, depth as i32, best.score, best.depth > 0);
            let line = self.frames[0].line;
            if let Some(&mv) = line.first() {
                // A search cut short still knows better where it has seen a whole first move.
                (best.best, best.line) = (mv, line);
                if !self.aborted {
                    (best.score, best.depth) = (score, depth);
                }
            }
            let late = self.limits.time.is_some_and(|t| self.clock.elapsed() * 2 > t);
            if self.aborted || late || score.abs() > WON && depth as i32 > 2 * (WIN - score.abs()) {
                break;
            }
        }
        best.nodes = self.nodes;
        best
    }

    fn aspire(&mut self, position: &mut Position, tiles: i32, depth: i32, guess: i32, known: bool) -> i32 {
        let mut width = 40;
        let (mut low, mut high) =
            if depth > 3 && known { (guess - width, guess + width) } else { (-INFINITE, INFINITE) };
        loop {
            let score = self.visit(position, (low, high), depth, 0, tiles, true);
            if self.aborted || low < score && score < high {
                return score;
            }
            width *= 4;
            if score <= low {
                low = if width > 2000 { -INFINITE } else { score - width };
            } else {
                high = if width > 2000 { INFINITE } else { score + width };
            }
        }
    }

    fn out_of_time(&mut self) -> bool {
        if !self.aborted && self.nodes >= self.limits.nodes {
            self.aborted = true;
        }
        if !self.aborted && self.nodes.is_multiple_of(2048) {
            let late = self.limits.time.is_some_and(|t| self.clock.elapsed() >= t);
            self.aborted = late || self.stop.load(Ordering::Relaxed);
        }
        self.aborted
    }

    /// The score of a finished game for the served player.
    fn final_score(&self, over: Over, ply: usize) -> i32 {
        let ours = over.sides >> self.served.index() & 1 != 0;
        match (ours, over.is_tie()) {
            (true, true) => -TIE,
            (true, false) => WIN - ply as i32,
            (false, _) => ply as i32 - WIN,
        }
    }

    /// The change of the sum over the tiles by a move that was just made.
    #[inline]
    fn difference(&self, position: &Position, undo: &Undo) -> i32 {
        let Some((id, before)) = undo.mover() else { return 0 };
        let mv = undo.mv();
        let factor = self.camps.factor[before.owner().index()];
        let urge = if factor > 0 { self.camps.scale } else { 0 };
        let worth = |code: Code, at: u8| {
            self.evaluator.worth(code, at) * factor + urge * drive(code, Corner::from_index(at))
        };
        let mut change = -worth(before, mv.start_index());
        let mut gone = undo.removed();
        if gone >> id & 1 == 0 {
            change += worth(position.code_of(id), mv.end_index());
        }
        gone &= !(1 << id);
        while gone != 0 {
            let id = gone.trailing_zeros() as u8;
            let code = position.code_of(id);
            let factor = self.camps.factor[code.owner().index()];
            let at = position.corner_of(id);
            let urge = if factor > 0 { self.camps.scale * drive(code, at) } else { 0 };
            change -= self.evaluator.worth(code, at.index()) * factor + urge;
            gone &= gone - 1;
        }
        change
    }

    /// Makes a move, searches what follows, takes it back; the score is for who made the move.
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "the state of a node, passed in registers")]
    fn child(
        &mut self,
        position: &mut Position,
        mv: Move,
        tiles: i32,
        (alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        may_pass: bool,
    ) -> i32 {
        let ours = self.camps.is_ours(position.turn());
        let undo = position.make(mv);
        let tiles = tiles + self.difference(position, &undo);
        let ply = ply + 1;
        let score = if let Some(over) = position.over() {
            self.nodes += 1;
            self.frames[ply].line.len = 0;
            let score = self.final_score(over, ply);
            if ours { score } else { -score }
        } else if !position.is_in(self.served) {
            self.nodes += 1;
            self.frames[ply].line.len = 0;
            let score = ply as i32 - WIN;
            if ours { score } else { -score }
        } else if self.camps.is_ours(position.turn()) == ours {
            self.enter(position, (alpha, beta), depth, ply, tiles, may_pass)
        } else {
            -self.enter(position, (-beta, -alpha), depth, ply, tiles, may_pass)
        };
        position.unmake(&undo);
        score
    }

    #[inline]
    fn enter(
        &mut self,
        position: &mut Position,
        window: (i32, i32),
        depth: i32,
        ply: usize,
        tiles: i32,
        may_pass: bool,
    ) -> i32 {
        if depth <= 0 {
            self.frames[ply].line.len = 0;
            self.contacts(position, window, ply, tiles)
        } else {
            self.visit(position, window, depth, ply, tiles, may_pass)
        }
    }

    /// The evaluation for the player to move.
    #[inline]
    fn evaluate(&self, position: &Position, tiles: i32, (alpha, beta): (i32, i32)) -> i32 {
        if self.camps.is_ours(position.turn()) {
            self.evaluator.score(position, &self.camps, tiles, (alpha, beta))
        } else {
            -self.evaluator.score(position, &self.camps, tiles, (-beta, -alpha))
        }
    }

    fn key(&self, position: &Position) -> u64 {
        let turns = match position.pair() {
            Pair::None => 0,
            Pair::Ordinary(n) | Pair::Seven(n) => u64::from(n) + 1,
        };
        // Near the end by quiet moves it matters how near.
        let quiet = u64::from(position.quiet().saturating_sub(44)) << 8;
        position.hash() ^ self.salt ^ (turns | quiet).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }

    /// Principal variation search; the score is for the player to move.
    fn visit(
        &mut self,
        position: &mut Position,
        (mut alpha, mut beta): (i32, i32),
        depth: i32,
        ply: usize,
        tiles: i32,
        may_pass: bool,
    ) -> i32 {
        self.nodes += 1;
        self.frames[ply].line.len = 0;
        if self.out_of_time() {
            return 0;
        }
        let wide = beta - alpha > 1;
        if ply > 0 {
            if position.r9().0 && position.quiet() >= 4 && position.stood_before() > 0 {
                return if self.camps.is_ours(position.turn()) { -TIE } else { TIE };
            }
            if ply >= MAX_PLY {
                return self.evaluate(position, tiles, (alpha, beta));
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
            && let Some(known) = known
            && i32::from(known.depth) >= depth
        {
            let score = from_memory(known.score, ply);
            let enough = match known.bound {
                Bound::Exact => true,
                Bound::AtLeast => score >= beta,
                Bound::AtMost => score <= alpha,
            };
            if enough {
                return score;
            }
        }
        let two_camps = self.salt == 0;
        let seven = matches!(position.pair(), Pair::Seven(_));
        if !wide && ply > 0 && !seven && depth <= 6 + 10 * i32::from(two_camps) && beta.abs() < WON {
            let still = self.evaluate(position, tiles, (alpha, beta));
            if depth <= 3 && still - 70 * depth >= beta {
                return still;
            }
            if two_camps && may_pass && depth >= 3 && still >= beta && position.total() > 3 {
                let reduced = depth - 3 - depth / 6;
                let score = self.child(position, Move::PASS, tiles, (beta - 1, beta), reduced, ply, false);
                if self.aborted {
                    return 0;
                }
                if score >= beta {
                    return score.min(WON);
                }
            }
        }
        let table_move = known.map_or(Move::PASS, |k| k.mv);
        let depth = if wide && table_move.is_pass() && depth >= 5 { depth - 1 } else { depth };
        position.generate(&mut self.frames[ply].moves);
        self.arrange(position, ply, table_move);
        self.try_moves(position, (alpha, beta), depth, ply, tiles, key)
    }

    fn try_moves(
        &mut self,
        position: &mut Position,
        (mut alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        tiles: i32,
        key: u64,
    ) -> i32 {
        let first_alpha = alpha;
        let wide = beta - alpha > 1;
        let mut best = -INFINITE;
        let mut best_move = Move::PASS;
        let count = self.frames[ply].moves.len();
        let mut tried = 0;
        for i in 0..count {
            let (mv, order) = self.pick(ply, i, count);
            if ply == 0 && self.root_skip.contains(&mv) {
                continue;
            }
            let quiet = order.abs() < QUIET_ORDER;
            if !wide && quiet && depth <= 3 && tried > 6 + 4 * depth * depth && best > -WON {
                continue;
            }
            let score = if tried == 0 {
                self.child(position, mv, tiles, (alpha, beta), depth - 1, ply, true)
            } else {
                let mut less = 0;
                if depth >= 3 && tried >= 3 && order < QUIET_ORDER {
                    less = 1 + i32::from(tried >= 10) + i32::from(depth >= 7) - i32::from(wide);
                }
                let narrow = (alpha, alpha + 1);
                let mut score = self.child(position, mv, tiles, narrow, depth - 1 - less.max(0), ply, true);
                if score > alpha && less > 0 {
                    score = self.child(position, mv, tiles, narrow, depth - 1, ply, true);
                }
                if score > alpha && score < beta {
                    score = self.child(position, mv, tiles, (alpha, beta), depth - 1, ply, true);
                }
                score
            };
            if self.aborted {
                return 0;
            }
            tried += 1;
            if score > best {
                best = score;
                best_move = mv;
                if score > alpha {
                    alpha = score;
                    let (above, below) = self.frames.split_at_mut(ply + 1);
                    above[ply].line.lead(mv, &below[0].line);
                }
            }
            if alpha >= beta {
                if quiet {
                    self.reward(position, ply, mv, depth, i);
                }
                break;
            }
        }
        if tried == 0 {
            return alpha;
        }
        let bound = if best >= beta {
            Bound::AtLeast
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        if ply > 0 || self.root_skip.is_empty() {
            let known =
                Known { mv: best_move, score: to_memory(best, ply), depth: depth.min(100) as i8, bound };
            self.memory.put(key, known);
        }
        best
    }

    /// Quiescence: only contacts that win something, until none is left.
    fn contacts(
        &mut self,
        position: &mut Position,
        (mut alpha, beta): (i32, i32),
        ply: usize,
        tiles: i32,
    ) -> i32 {
        self.nodes += 1;
        if self.out_of_time() {
            return 0;
        }
        let still = self.evaluate(position, tiles, (alpha, beta));
        if still >= beta || ply >= MAX_PLY {
            return still;
        }
        alpha = alpha.max(still);
        let mut best = still;
        position.generate_contacts(&mut self.frames[ply].moves);
        let mut count = 0;
        for i in 0..self.frames[ply].moves.len() {
            let mv = self.frames[ply].moves[i];
            let gain = self.exchange(position, mv);
            if gain > 0 && still + gain + 150 > alpha {
                let frame = &mut self.frames[ply];
                frame.moves.swap(count, i);
                frame.order[i] = frame.order[count];
                frame.order[count] = gain;
                count += 1;
            }
        }
        for i in 0..count {
            let (mv, _) = self.pick(ply, i, count);
            let score = self.child(position, mv, tiles, (alpha, beta), 0, ply, true);
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

    /// What a move's contacts win less what they cost.
    #[inline]
    fn exchange(&self, position: &Position, mv: Move) -> i32 {
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
        gain
    }

    /// Gives every move of the frame its place: the table's first, then contacts by exchange, turnings over, killers,
    /// history, and contacts that lose last.
    #[inline]
    fn arrange(&mut self, position: &Position, ply: usize, table_move: Move) {
        let turn = position.turn();
        let near = position.foes(turn).diagonals();
        let goal = position.goal(turn);
        let twos = position.two_steps();
        for i in 0..self.frames[ply].moves.len() {
            let mv = self.frames[ply].moves[i];
            let order = if mv == table_move {
                3 * FIRST_ORDER
            } else if near.bit(mv.end_index()) {
                let gain = self.exchange(position, mv);
                if gain >= 0 { 2 * FIRST_ORDER + gain } else { gain - 2 * FIRST_ORDER }
            } else if goal.bit(mv.end_index()) && Self::would_turn(position, mv) {
                FIRST_ORDER + FIRST_ORDER / 2
            } else if self.frames[ply].killers[0] == mv {
                QUIET_ORDER - 1
            } else if self.frames[ply].killers[1] == mv {
                QUIET_ORDER - 2
            } else {
                self.history[slot(turn, twos.bit(mv.start_index()), mv)]
            };
            self.frames[ply].order[i] = order;
        }
    }

    fn would_turn(position: &Position, mv: Move) -> bool {
        let code = position.id_on(mv.start_index()).map(|id| position.code_of(id));
        code.is_some_and(|c| !c.turned() && position.goal(c.owner()).bit(mv.end_index()))
    }

    /// The best of the moves from `i` on, brought to place `i`.
    #[inline]
    fn pick(&mut self, ply: usize, i: usize, count: usize) -> (Move, i32) {
        let frame = &mut self.frames[ply];
        let mut best = i;
        for j in i + 1..count {
            if frame.order[j] > frame.order[best] {
                best = j;
            }
        }
        frame.moves.swap(i, best);
        frame.order.swap(i, best);
        (frame.moves[i], frame.order[i])
    }

    /// A quiet move refuted this node: remember it, and think less of those before it.
    fn reward(&mut self, position: &Position, ply: usize, mv: Move, depth: i32, tried: usize) {
        let killers = &mut self.frames[ply].killers;
        if killers[0] != mv {
            killers[1] = killers[0];
            killers[0] = mv;
        }
        let bonus = (depth * depth).min(400);
        let turn = position.turn();
        let twos = position.two_steps();
        for i in 0..=tried {
            let other = self.frames[ply].moves[i];
            let change = if other == mv { bonus } else { -bonus };
            let entry = &mut self.history[slot(turn, twos.bit(other.start_index()), other)];
            *entry += change - *entry * bonus / 16_384;
        }
    }
}

/// Moves with an order below this are quiet.
const QUIET_ORDER: i32 = 100_000;
const FIRST_ORDER: i32 = 1_000_000;

#[inline]
fn slot(turn: Side, two_step: bool, mv: Move) -> usize {
    turn.index() << 9 | usize::from(two_step) << 8 | usize::from(mv.end_index())
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

/// Thinks on several threads that share a table; the first one's result counts.
#[cfg(not(target_arch = "wasm32"))]
pub fn think_together(
    weights: &Weights,
    megabytes: usize,
    threads: usize,
    position: &Position,
    limits: &Limits,
) -> Thought {
    let memory = Arc::new(Memory::new(megabytes));
    let stop: Arc<AtomicBool> = Arc::default();
    std::thread::scope(|scope| {
        for helper in 1..threads.max(1) {
            let (memory, stop) = (Arc::clone(&memory), Arc::clone(&stop));
            scope.spawn(move || {
                let mut searcher = Searcher::sharing(weights, memory, stop);
                searcher.begin(position, &Limits { nodes: u64::MAX, ..*limits });
                searcher.deepen(position, helper as u32 & 1);
            });
        }
        let mut searcher = Searcher::sharing(weights, memory, Arc::default());
        let thought = searcher.think(position, limits);
        stop.store(true, Ordering::Relaxed);
        thought
    })
}
