//! The search: iterative deepening, principal variation search with a transposition table, null moves, late move
//! reductions and a quiescence over contacts. It serves one player or partnership against everybody else: exact for two
//! camps, and "paranoid" where three or four play each for himself. Nothing in it allocates once a searcher stands.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::eval::{Camps, Evaluator, Ledger, Weights, urge};
use super::memory::Memory;
use crate::board::Side;
use crate::moves::Move;
use crate::position::Position;

mod clock;
mod line;
mod order;
mod tree;

use clock::Clock;
pub use line::Line;
use order::Frame;
use tree::Node;

/// The score of a won game, less the moves to get there.
pub const WIN: i32 = 20_000;
/// Scores beyond this are wins or losses seen to the end.
pub const WON: i32 = WIN - 500;
/// The deepest line.
const MAX_PLY: usize = 96;
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
        Self {
            evaluator: Evaluator::new(weights),
            memory,
            stop,
            heeded: None,
            frames: std::iter::repeat_with(Frame::default).take(MAX_PLY + 2).collect(),
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
            let node = Node { depth: depth as i32 - 1, ply: 0, tiles, may_pass: true };
            let score = self.child(&mut position, mv, (-INFINITE, INFINITE), node);
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
            let score = self.visit(position, (low, high), Node { depth, ply: 0, tiles, may_pass: true });
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Players;
    use crate::set::Set;
    use table::Luck;

    #[test]
    fn the_sum_over_the_tiles_follows_every_move() {
        for players in [Players::Two, Players::Three, Players::Four, Players::Partners] {
            let mut luck = Luck::new(players as u64);
            let mut position = Position::start(&Set::default(), "six", players).expect("a set-up");
            let mut searcher = Searcher::new(&Weights::default(), 1);
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
