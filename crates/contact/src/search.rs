//! The search: iterative deepening, principal variation search with a transposition table, null moves, late move
//! reductions and a quiescence over contacts. It serves one player or partnership against everybody else: exact for two
//! camps, and "paranoid" where three or four play each for himself. Nothing in it allocates once a searcher stands.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::bits::Bits;
use crate::board::{Players, Side};
use crate::ending::{Over, Pair};
use crate::eval::{Camps, Evaluator, Ledger, Seen, Weights, by_the_count, tie, urge};
use crate::moves::{Move, Moves};
use crate::position::{Position, Undo, Verdict};
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

/// What is kept for each ply of a line. `order` has for each listed move its rank and, in the last eight bits, its place.
struct Frame {
    moves: Moves,
    order: [i32; 256],
    killers: [Move; 2],
    line: Line,
}

/// Hands out a node's moves: the table's before anything is listed, contacts that win, killers, and then the rest, best
/// first.
struct Picker {
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
    fn new(table: Move, calm: bool) -> Self {
        Self { stage: Stage::Table, table, calm, tried: [Move::PASS; 3], next: 0, count: 0 }
    }

    fn has_tried(&self, mv: Move) -> bool {
        !mv.is_pass() && self.tried.contains(&mv)
    }
}

/// A thinker with its memory; it stops by a flag of its own, and by another's where it was given one.
pub struct Searcher<'a> {
    evaluator: Evaluator,
    memory: Arc<Memory>,
    stop: Arc<AtomicBool>,
    heeded: Option<&'a AtomicBool>,
    frames: Vec<Frame>,
    history: Vec<i32>,
    camps: Camps,
    ledger: Ledger,
    served: Side,
    limits: Limits,
    clock: Clock,
    nodes: u64,
    aborted: bool,
    root_skip: Vec<Move>,
    /// Searchers of other threads, which fill the same table; all of them stop by one flag.
    helpers: Vec<Self>,
}

/// A clock, where the platform has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    #[cfg(not(target_arch = "wasm32"))]
    start: std::time::Instant,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self {
            #[cfg(not(target_arch = "wasm32"))]
            start: std::time::Instant::now(),
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn elapsed(self) -> Duration {
        self.start.elapsed()
    }

    #[cfg(target_arch = "wasm32")]
    #[expect(clippy::unused_self, reason = "a page is told how far to look, not how long")]
    pub(crate) fn elapsed(self) -> Duration {
        Duration::ZERO
    }
}

impl std::fmt::Debug for Searcher<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searcher")
            .field("served", &self.served)
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}

impl<'a> Searcher<'a> {
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
            heeded: None,
            frames: std::iter::repeat_with(frame).take(MAX_PLY + 2).collect(),
            history: vec![0; 8 * 256],
            camps: Camps::NOBODY,
            ledger: Ledger::new(),
            served: Side::South,
            limits: Limits::depth(1),
            clock: Clock::start(),
            nodes: 0,
            aborted: false,
            root_skip: Vec::with_capacity(256),
            helpers: Vec::new(),
        }
    }

    /// A searcher that thinks on so many threads. What it finds then depends on how they meet, so this is for who is bounded
    /// by time.
    pub fn together(weights: &Weights, megabytes: usize, threads: usize) -> Self {
        let mut searcher = Self::new(weights, megabytes);
        let stop: Arc<AtomicBool> = Arc::default();
        let helper = || Self::sharing(weights, Arc::clone(&searcher.memory), Arc::clone(&stop));
        searcher.helpers = std::iter::repeat_with(helper).take(threads.max(1) - 1).collect();
        searcher
    }

    /// The same searcher, whose thinking ends soon after somebody else's flag is set too.
    #[must_use]
    pub fn heeding(self, flag: &'a AtomicBool) -> Self {
        Self { heeded: Some(flag), ..self }
    }

    /// A flag that ends a search soon after it is set.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Forgets all that was learnt, so that the next search depends on nothing before.
    pub fn forget(&mut self) {
        self.memory.clear();
        self.history.fill(0);
        self.helpers.iter_mut().for_each(|helper| helper.history.fill(0));
    }

    fn begin(&mut self, position: &Position, limits: &Limits) {
        self.served = position.turn();
        let camps = Camps::of(position, self.served);
        if camps != self.camps {
            self.camps = camps;
            self.evaluator.serve(&camps, &mut self.ledger);
        }
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
        self.deepen_together(position)
    }

    /// What a search finds whose first move is given; nothing is found of a move that is not legal.
    pub fn think_of(&mut self, position: &Position, mv: Move, limits: &Limits) -> Thought {
        let others = position.clone().legal();
        self.root_skip.clear();
        self.root_skip.extend(others.iter().filter(|&&other| other != mv));
        self.begin(position, limits);
        let thought = self.deepen_together(position);
        self.root_skip.clear();
        thought
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
            let thought = self.deepen_together(position);
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
        let tiles = self.ledger.total(&position);
        let moves = position.legal();
        let mut ranked = Vec::with_capacity(moves.len());
        for &mv in moves.iter() {
            let score =
                self.child(&mut position, mv, tiles, (-INFINITE, INFINITE), depth as i32 - 1, 0, true);
            ranked.push((mv, score));
        }
        ranked
    }

    /// Deepens on all threads: this one's result counts, the others leave in the table what they learn.
    fn deepen_together(&mut self, position: &Position) -> Thought {
        let Some(stop) = self.helpers.first().map(Self::stop_flag) else { return self.deepen(position, 0) };
        let mut helpers = std::mem::take(&mut self.helpers);
        stop.store(false, Ordering::Relaxed);
        let limits = Limits { nodes: u64::MAX, ..self.limits };
        let mut thought = std::thread::scope(|scope| {
            // Every second one is a ply ahead, so that they do not all walk in step.
            for (helper, ahead) in helpers.iter_mut().zip([1, 0].into_iter().cycle()) {
                helper.root_skip.clone_from(&self.root_skip);
                scope.spawn(move || {
                    helper.begin(position, &limits);
                    helper.deepen(position, ahead);
                });
            }
            let thought = self.deepen(position, 0);
            stop.store(true, Ordering::Relaxed);
            thought
        });
        thought.nodes += helpers.iter().map(|helper| helper.nodes).sum::<u64>();
        self.helpers = helpers;
        thought
    }

    fn deepen(&mut self, position: &Position, offset: u32) -> Thought {
        let mut position = position.clone();
        let tiles = self.ledger.total(&position);
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
        if best.depth > 0 && best.score.abs() <= WON {
            best.score -= urge(&position, &self.camps);
        }
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
            let told = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
            self.aborted = late || told(&self.stop) || self.heeded.is_some_and(told);
        }
        self.aborted
    }

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
    fn difference(&self, position: &Position, undo: &Undo) -> i32 {
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
        if depth > 0 {
            self.memory.expect(position.hash_after(mv) ^ self.camps.key);
        }
        let undo = position.make(mv);
        let tiles = tiles + self.difference(position, &undo);
        let ply = ply + 1;
        let score = if let Some(over) = position.over() {
            self.nodes += 1;
            self.frames[ply].line.len = 0;
            let score = self.final_score(position, over, ply);
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
    fn evaluate(&mut self, position: &Position, tiles: i32, (alpha, beta): (i32, i32)) -> Seen {
        if self.camps.is_ours(position.turn()) {
            self.evaluator.score(position, &self.camps, tiles, (alpha, beta))
        } else {
            let seen = self.evaluator.score(position, &self.camps, tiles, (-beta, -alpha));
            Seen { score: -seen.score, ..seen }
        }
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
        let two_camps = matches!(position.players(), Players::Two | Players::Partners);
        let seven = matches!(position.pair(), Pair::Seven(_));
        let mut calm = false;
        if !wide && ply > 0 && !seven && depth <= 6 + 10 * i32::from(two_camps) && beta.abs() < WON {
            let seen = self.evaluate(position, tiles, (alpha, beta));
            let still = seen.score;
            calm = seen.calm;
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
        self.try_moves(position, (alpha, beta), depth, ply, tiles, key, table_move, calm)
    }

    #[expect(clippy::too_many_arguments, reason = "the state of a node, passed in registers")]
    fn try_moves(
        &mut self,
        position: &mut Position,
        (mut alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        tiles: i32,
        key: u64,
        table_move: Move,
        calm: bool,
    ) -> i32 {
        let first_alpha = alpha;
        let wide = beta - alpha > 1;
        let mut best = -INFINITE;
        let mut best_move = Move::PASS;
        let mut picker = Picker::new(table_move, calm);
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
                    if wide {
                        let (above, below) = self.frames.split_at_mut(ply + 1);
                        above[ply].line.lead(mv, &below[0].line);
                    }
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
        let bound = if best >= beta {
            Bound::AtLeast
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        if ply > 0 || self.root_skip.is_empty() {
            let known =
                Known { mv: best_move, score: to_memory(best, ply), depth: depth.clamp(0, 63) as u8, bound };
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
    fn next_move(&mut self, position: &mut Position, ply: usize, picker: &mut Picker) -> Option<(Move, i32)> {
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
    fn arrange_contacts(&mut self, position: &Position, ply: usize, but: Move, least: i32) -> usize {
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
    fn pick(&mut self, ply: usize, i: usize, count: usize) -> (Move, i32) {
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
    fn reward(&mut self, position: &Position, ply: usize, mv: Move, depth: i32, picker: &Picker) {
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

/// Moves with an order below this are quiet.
const QUIET_ORDER: i32 = 100_000;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Set;
    use table::Luck;

    #[test]
    fn the_sum_over_the_tiles_follows_every_move() {
        for players in [Players::Two, Players::Three, Players::Four, Players::Partners] {
            let mut luck = Luck::new(players as u64);
            let mut position = Position::start(&Set::default(), "six", players).expect("a set-up");
            let weights = Weights { spins: [[1, 2, 3, 4], [5, 6, 7, 8]], ..Weights::default() };
            let mut searcher = Searcher::new(&weights, 1);
            searcher.begin(&position, &Limits::depth(1));
            let mut tiles = searcher.ledger.total(&position);
            while position.over().is_none() {
                let moves = position.legal();
                let undo = position.make(*luck.pick(&moves).expect("somebody moves or passes"));
                tiles += searcher.difference(&position, &undo);
                assert_eq!(tiles, searcher.ledger.total(&position), "{position}");
                assert_eq!(tiles, searcher.evaluator.tiles(&position, &searcher.camps), "{position}");
            }
        }
    }
}
