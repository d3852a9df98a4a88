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
    /// The depth searched to the end; 0 if there was no time for any.
    pub depth: u32,
    /// The nodes it took.
    pub nodes: u64,
    /// What both sides would play.
    pub line: Line,
}

impl Default for Thought {
    fn default() -> Self {
        Self::of(Move::PASS)
    }
}

impl Thought {
    /// A move that nothing is known of yet.
    fn of(best: Move) -> Self {
        Self { best, score: 0, depth: 0, nodes: 0, line: Line::default() }
    }
}

/// An analysis visits no fewer nodes: they are enough to have looked at every move.
const LEAST: u64 = 2_000;

/// Whether a score is that of an end which a deeper search would not bring nearer.
const fn is_decided(score: i32, depth: u32) -> bool {
    score.abs() > WON && depth as i32 > 2 * (WIN - score.abs())
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
    /// Whether it is to say how a position stands, and not to play it.
    impartial: bool,
    /// What first moves count beyond what is found of them.
    favours: Vec<(Move, i32)>,
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
            impartial: false,
            favours: Vec::with_capacity(256),
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
        let camps = if self.impartial { camps.impartial() } else { camps };
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

    /// Thinks about what to play within the limits, and always finds a legal move if there is one. The score tells how
    /// keen it is: a tie is worth less than nothing to it.
    pub fn think(&mut self, position: &Position, limits: &Limits) -> Thought {
        self.root_skip.clear();
        self.impartial = false;
        self.begin(position, limits);
        let (mut thought, nodes) = self.helped(position, |own| own.deepen(position, 0));
        thought.nodes += nodes;
        thought
    }

    /// The same with a liking for some moves, in hundredths of a point, which count as much as what is found of them: so it
    /// chooses among moves that are nearly as good as each other. An end that is seen is as good as it is.
    pub fn think_liking(
        &mut self,
        position: &Position,
        limits: &Limits,
        mut liking: impl FnMut(Move) -> i32,
    ) -> Thought {
        self.favours.extend(position.clone().legal().iter().map(|&mv| (mv, liking(mv))));
        let thought = self.think(position, limits);
        self.favours.clear();
        thought
    }

    /// The best `count` first moves with their lines, best first, all searched to the same depth. A tie that is seen
    /// scores 0, and nothing else does.
    pub fn best_lines(&mut self, position: &Position, limits: &Limits, count: usize) -> Vec<Thought> {
        let count = count.min(position.clone().legal().len());
        self.analyse(position, limits, &vec![None; count])
    }

    /// The best move and another one, searched to the same depth; nothing is said of a move that is not legal.
    pub fn compare(&mut self, position: &Position, mv: Move, limits: &Limits) -> Option<[Thought; 2]> {
        let legal = position.clone().legal().contains(&mv);
        let found = if legal { self.analyse(position, limits, &[None, Some(mv)]) } else { Vec::new() };
        found.try_into().ok()
    }

    /// One line for each that is wanted: of a certain first move, or the best that begins with none of those before it.
    /// The first has the nodes of all.
    fn analyse(&mut self, position: &Position, limits: &Limits, wanted: &[Option<Move>]) -> Vec<Thought> {
        self.root_skip.clear();
        self.impartial = true;
        self.begin(position, &Limits { nodes: limits.nodes.max(LEAST), ..*limits });
        let (mut lines, nodes) = self.helped(position, |own| own.deepen_lines(position, wanted));
        self.root_skip.clear();
        if let Some(first) = lines.first_mut() {
            first.nodes = self.nodes + nodes;
        }
        if wanted.iter().all(Option::is_none) {
            lines.sort_by_key(|line| -line.score);
        }
        lines
    }

    /// The score of every legal move at a fixed depth, for players who do not always take the best.
    pub fn rank(&mut self, position: &Position, depth: u32) -> Vec<(Move, i32)> {
        self.root_skip.clear();
        self.impartial = false;
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

    /// Does this thread's work while the others leave in the table what they learn; how many nodes they visited.
    fn helped<T>(&mut self, position: &Position, work: impl FnOnce(&mut Self) -> T) -> (T, u64) {
        let Some(stop) = self.helpers.first().map(Self::stop_flag) else { return (work(self), 0) };
        let mut helpers = std::mem::take(&mut self.helpers);
        stop.store(false, Ordering::Relaxed);
        let limits = Limits { nodes: u64::MAX, ..self.limits };
        let done = std::thread::scope(|scope| {
            // Every second one is a ply ahead, so that they do not all walk in step.
            for (helper, ahead) in helpers.iter_mut().zip([1, 0].into_iter().cycle()) {
                helper.impartial = self.impartial;
                scope.spawn(move || {
                    helper.begin(position, &limits);
                    helper.deepen(position, ahead);
                });
            }
            let done = work(self);
            stop.store(true, Ordering::Relaxed);
            done
        });
        let nodes = helpers.iter().map(|helper| helper.nodes).sum();
        self.helpers = helpers;
        (done, nodes)
    }

    /// Deepens all lines together, so that they can be compared: what one of them alone has reached is not told.
    fn deepen_lines(&mut self, position: &Position, wanted: &[Option<Move>]) -> Vec<Thought> {
        let mut position = position.clone();
        let legal = position.legal();
        let first =
            |(i, mv): (usize, &Option<Move>)| Thought::of(mv.or(legal.get(i).copied()).unwrap_or(Move::PASS));
        let mut lines: Vec<Thought> = wanted.iter().enumerate().map(first).collect();
        for depth in 1..=self.limits.depth.clamp(1, MAX_DEPTH) {
            let mut deeper: Vec<Thought> = Vec::with_capacity(lines.len());
            for (mv, known) in wanted.iter().zip(&lines) {
                let thought = self.line_of(&mut position, &legal, *mv, depth, known, &deeper);
                deeper.extend(thought);
            }
            if self.aborted || deeper.len() < lines.len() {
                break;
            }
            lines = deeper;
            let late = self.limits.time.is_some_and(|t| self.clock.elapsed() * 2 > t);
            if late || lines.iter().all(|line| is_decided(line.score, depth)) {
                break;
            }
        }
        lines
    }

    /// One line to a depth: of the move that is wanted, or of the best that none of the lines before begins with.
    fn line_of(
        &mut self,
        position: &mut Position,
        legal: &[Move],
        wanted: Option<Move>,
        depth: u32,
        known: &Thought,
        before: &[Thought],
    ) -> Option<Thought> {
        if let Some(same) = before.iter().find(|line| Some(line.best) == wanted) {
            return Some(*same);
        }
        self.root_skip.clear();
        match wanted {
            Some(mv) => self.root_skip.extend(legal.iter().filter(|&&other| other != mv)),
            None => self.root_skip.extend(before.iter().map(|line| line.best)),
        }
        let tiles = self.ledger.total(position);
        let score = self.aspire(position, tiles, depth as i32, known.score, known.depth > 0);
        let line = self.frames[0].line;
        let best = *line.first()?;
        (!self.aborted).then_some(Thought { best, score, depth, nodes: 0, line })
    }

    fn deepen(&mut self, position: &Position, offset: u32) -> Thought {
        let mut position = position.clone();
        let tiles = self.ledger.total(&position);
        self.frames[0].moves.clear();
        position.generate(&mut self.frames[0].moves);
        let Some(&first) = self.frames[0].moves.first() else { return Thought::of(Move::PASS) };
        let mut best = Thought::of(first);
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
            if self.aborted || late || is_decided(score, depth) {
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
