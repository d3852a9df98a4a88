//! The search as its users see it: give it a problem, watch it get better, stop it or wait for the proof.
//!
//! Levels: the search first asks "is there a layout at the highest bound of any family of shapes?", then lowers the bar
//! until there is one; each level that is refused lowers the proven bound. What is found raises the bar again, and when
//! no family reaches it any more, the best is proven.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};

use words::{Counting, Layout};

use crate::coloured;
use crate::count::{ByLength, ByValue, Count};
use crate::engine::{Engine, Laid, Stopped, Watch};
use crate::fits::Fits;
use crate::outcome::{AllBest, Answer, Outcome, Progress, Proven};
use crate::plan::{Pattern, Plan, Start};
use crate::problem::Problem;
use crate::young;

/// A search for the best layout of a [`Problem`].
///
/// On one thread it is deterministic: the same problem gives the same layout.
#[derive(Debug)]
pub struct Search<'a> {
    problem: &'a Problem,
    threads: usize,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Search<'a> {
    /// On one thread, until it is done.
    pub fn new(problem: &'a Problem) -> Self {
        Self { problem, threads: 1, stop: None }
    }

    /// The most threads of a search: more would only wait for each other.
    pub const MOST_THREADS: usize = 256;

    /// On so many threads, as far as that is sane (a browser has one).
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        let threads = if cfg!(target_arch = "wasm32") { 1 } else { threads.clamp(1, Self::MOST_THREADS) };
        Self { threads, ..self }
    }

    /// Stops soon after `stop` is set.
    #[must_use]
    pub fn stop_when(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Runs to the end.
    pub fn run(&self) -> Outcome {
        self.run_with(|_| ControlFlow::Continue(()))
    }

    /// Runs, telling `progress` of every better layout, of every better bound, and now and then in between; it may
    /// break the search off.
    pub fn run_with(&self, progress: impl FnMut(Progress<'_>) -> ControlFlow<()> + Send) -> Outcome {
        match self.problem.counting {
            Counting::IQubes { long_word } if coloured::answers(self.problem) => {
                coloured::best(self.problem, long_word, self.stop, progress)
            }
            Counting::IQubes { long_word } => {
                let all_dice = long_word.then_some(self.problem.faces.len() as u8);
                self.climb(ByLength { all_dice }, progress).0
            }
            Counting::Scribbage => self.climb(ByValue, progress).0,
            Counting::Young => young::best(self.problem, self.stop, progress),
        }
    }

    /// All layouts that count the most, up to `cap` of them. Under the young players' rule there is one: how the words
    /// are spread is nobody's business.
    pub fn all_best(&self, cap: usize) -> AllBest {
        match self.problem.counting {
            Counting::IQubes { long_word } => {
                let all_dice = long_word.then_some(self.problem.faces.len() as u8);
                self.gather(ByLength { all_dice }, cap)
            }
            Counting::Scribbage => self.gather(ByValue, cap),
            Counting::Young => {
                let outcome = young::best(self.problem, self.stop, |_| ControlFlow::Continue(()));
                let best = outcome.proven();
                AllBest {
                    score: best.map_or(0, Proven::score),
                    complete: best.is_some() && cap > 0,
                    layouts: best.into_iter().take(cap).map(|best| best.layout().clone()).collect(),
                }
            }
        }
    }

    fn gather<C: Count>(&self, count: C, cap: usize) -> AllBest {
        let (outcome, plan) = self.climb(count, |_| ControlFlow::Continue(()));
        let Some(best) = outcome.proven() else {
            return AllBest { score: 0, layouts: Vec::new(), complete: false };
        };
        let mut gathered = Gather {
            score: best.score(),
            cap,
            plan: &plan,
            found: Vec::new(),
            seen: HashSet::new(),
            stop: self.stop,
            full: false,
        };
        if plan.empty_score() == Some(best.score()) {
            gathered.keep(Layout::EMPTY);
        }
        let mut complete = true;
        for start in &plan.starts {
            let mut engine =
                Engine::new(&plan.tables, count, &mut gathered, Fits::new(&plan.tables)).of_all();
            for family in plan.families.iter().filter(|family| family.bound >= best.score()) {
                complete &= !engine.watch.full && engine.run(family, start, best.score()).is_ok();
            }
        }
        complete &= !gathered.full;
        AllBest { score: best.score(), layouts: gathered.found, complete }
    }

    fn climb<C: Count>(
        &self,
        count: C,
        progress: impl FnMut(Progress<'_>) -> ControlFlow<()> + Send,
    ) -> (Outcome, Plan) {
        let plan = Plan::new(self.problem, count);
        let empty = plan.empty_score().map(|score| (Layout::EMPTY, score));
        let lowest = plan.lowest_score();
        let top = plan.families.first().map_or(lowest, |family| family.bound);
        let shared = Shared {
            plan: &plan,
            bar: AtomicI32::new(0),
            best: Mutex::new(Best {
                answer: empty.or_else(|| self.problem.as_it_lies()).map(|(layout, score)| Answer {
                    layout,
                    score,
                    bound: top.max(score),
                }),
                progress,
            }),
            bound: AtomicI32::new(top.max(lowest)),
            nodes: AtomicU64::new(0),
            broken: AtomicBool::new(false),
            stop: self.stop,
            fits: Mutex::default(),
        };
        let mut bar = top;
        let mut step = 1;
        let mut looks = LOOKS.iter().peekable();
        let mut look_around = |shared: &Shared<'_, _>| {
            let nodes = shared.nodes.load(Ordering::Relaxed);
            while let Some(look) = looks.next_if(|look| plan.tables.dice > SMALL && look.after <= nodes) {
                Self::look(shared, count, look);
            }
            nodes
        };
        look_around(&shared);
        loop {
            let least = shared.score().map_or(lowest, |score| score + 1);
            if least > shared.bound.load(Ordering::Relaxed) {
                // The best found is as good as any can be.
                let outcome = shared.proven();
                drop(shared);
                return (outcome, plan);
            }
            bar = bar.max(least);
            shared.bar.store(bar, Ordering::Relaxed);
            if top >= bar {
                self.level(&shared, count, bar);
            }
            if shared.is_broken() {
                break;
            }
            if bar <= least || shared.score().is_some_and(|score| score >= bar) {
                // Every family that could have counted more has been searched through.
                let outcome = shared.proven();
                drop(shared);
                return (outcome, plan);
            }
            shared.lower_bound(bar - 1);
            let nodes = look_around(&shared);
            step = if nodes < EASY { step + 1 } else { STEP };
            bar -= step;
        }
        let outcome = shared.stopped();
        drop(shared);
        (outcome, plan)
    }

    /// Looks into many families, a little into each, for a good layout: what is found spares the search whole levels.
    fn look<C: Count, P>(shared: &Shared<'_, P>, count: C, look: &Look)
    where
        P: FnMut(Progress<'_>) -> ControlFlow<()> + Send,
    {
        let mut engine =
            Engine::new(&shared.plan.tables, count, Worker { shared, told: 0 }, shared.take_fits());
        for start in &shared.plan.starts {
            for family in shared
                .plan
                .families
                .iter()
                .filter(|family| family.singles <= look.singles)
                .take(look.families)
            {
                let least = shared.score().map_or(shared.plan.lowest_score(), |score| score + 1);
                if family.bound < least || shared.is_broken() {
                    break;
                }
                shared.bar.store(least, Ordering::Relaxed);
                engine.limit(look.nodes);
                // Whether it came to an end or not: the levels will look again.
                let _ = engine.run(family, start, least);
            }
        }
        shared.nodes.fetch_add(engine.nodes - engine.watch.told, Ordering::Relaxed);
        shared.keep_fits(engine.fits);
    }

    /// Searches all families that reach `bar`.
    fn level<C: Count, P>(&self, shared: &Shared<'_, P>, count: C, bar: i32)
    where
        P: FnMut(Progress<'_>) -> ControlFlow<()> + Send,
    {
        let reaching = shared.plan.families.partition_point(|family| family.bound >= bar);
        if reaching == 0 {
            return;
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let mut engine =
                Engine::new(&shared.plan.tables, count, Worker { shared, told: 0 }, shared.take_fits());
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                let Some(start) = shared.plan.starts.get(n / reaching) else { break };
                let family = &shared.plan.families[n % reaching];
                let bar = shared.bar.load(Ordering::Relaxed).max(bar);
                if family.bound < bar {
                    continue;
                }
                if engine.run(family, start, bar).is_err() {
                    break;
                }
            }
            shared.nodes.fetch_add(engine.nodes - engine.watch.told, Ordering::Relaxed);
            shared.keep_fits(engine.fits);
        };
        if cfg!(not(target_arch = "wasm32")) && self.threads > 1 {
            std::thread::scope(|scope| {
                for _ in 0..self.threads {
                    scope.spawn(work);
                }
            });
            return;
        }
        work();
    }
}

/// As long as so few nodes were needed, a level costs nothing, and the next may be ever further down.
const EASY: u64 = 20_000;

/// How far down the next level is when levels are dear. Deeper steps mean fewer levels, but a last one that may lie too
/// deep.
const STEP: i32 = 2;

/// A throw of no more dice is searched at once.
const SMALL: u8 = 8;

/// A look around: after so many nodes of search, into so many families, with so many nodes each.
struct Look {
    after: u64,
    families: usize,
    /// Of so many singles at most.
    singles: u8,
    nodes: u64,
}

const LOOKS: [Look; 4] = [
    Look { after: 0, families: 10, singles: 3, nodes: 150 },
    Look { after: 3_000, families: 40, singles: 3, nodes: 200 },
    Look { after: 20_000, families: 300, singles: 5, nodes: 400 },
    Look { after: 500_000, families: 1_000, singles: 14, nodes: 3_000 },
];

struct Best<P> {
    answer: Option<Answer>,
    progress: P,
}

/// What the threads of a search share.
struct Shared<'a, P> {
    plan: &'a Plan,
    /// What a layout must count to be of interest.
    bar: AtomicI32,
    best: Mutex<Best<P>>,
    bound: AtomicI32,
    nodes: AtomicU64,
    broken: AtomicBool,
    stop: Option<&'a AtomicBool>,
    /// What earlier levels remembered, one for each thread.
    fits: Mutex<Vec<Fits>>,
}

impl<P: FnMut(Progress<'_>) -> ControlFlow<()> + Send> Shared<'_, P> {
    fn take_fits(&self) -> Fits {
        let kept = self.fits.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop();
        kept.unwrap_or_else(|| Fits::new(&self.plan.tables))
    }

    fn keep_fits(&self, fits: Fits) {
        self.fits.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(fits);
    }

    fn best(&self) -> std::sync::MutexGuard<'_, Best<P>> {
        self.best.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn score(&self) -> Option<i32> {
        self.best().answer.as_ref().map(|answer| answer.score)
    }

    fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    fn tell(&self) {
        let mut best = self.best();
        let Best { answer, progress } = &mut *best;
        let bound = self.bound.load(Ordering::Relaxed);
        if let Some(answer) = answer {
            answer.bound = bound.max(answer.score);
        }
        let told = Progress { best: answer.as_ref(), bound, nodes: self.nodes.load(Ordering::Relaxed) };
        if progress(told).is_break() {
            self.broken.store(true, Ordering::Relaxed);
        }
    }

    fn lower_bound(&self, bound: i32) {
        self.bound.store(bound, Ordering::Relaxed);
        self.tell();
    }

    fn found(&self, score: i32, laid: &[Laid], start: &Start) -> i32 {
        let mut best = self.best();
        if best.answer.as_ref().is_none_or(|known| score > known.score) {
            best.answer = Some(self.plan.answer(laid, start, score, self.bound.load(Ordering::Relaxed)));
            // At the proven bound there is nothing more to look for.
            let bound = self.bound.load(Ordering::Relaxed);
            self.bar.fetch_max(if score >= bound { i32::MAX } else { score + 1 }, Ordering::Relaxed);
            drop(best);
            self.tell();
        }
        self.bar.load(Ordering::Relaxed)
    }

    /// Only for a search in which every family that could count more than the best has been searched through.
    fn proven(&self) -> Outcome {
        match &self.best().answer {
            Some(answer) => Outcome::Proven(Proven::closed(answer.layout.clone(), answer.score)),
            None => Outcome::Impossible,
        }
    }

    fn stopped(&self) -> Outcome {
        let bound = self.bound.load(Ordering::Relaxed);
        match &self.best().answer {
            Some(answer) => Outcome::Stopped(Answer { bound: bound.max(answer.score), ..answer.clone() }),
            None => Outcome::Unanswered { bound },
        }
    }
}

struct Worker<'a, 'b, P> {
    shared: &'a Shared<'b, P>,
    told: u64,
}

impl<P: FnMut(Progress<'_>) -> ControlFlow<()> + Send> Watch for Worker<'_, '_, P> {
    fn found(&mut self, score: i32, laid: &[Laid], start: &Start) -> i32 {
        self.shared.found(score, laid, start)
    }

    fn tick(&mut self, nodes: u64) -> Result<i32, Stopped> {
        self.shared.nodes.fetch_add(nodes - self.told, Ordering::Relaxed);
        self.told = nodes;
        if self.shared.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            self.shared.broken.store(true, Ordering::Relaxed);
        }
        self.shared.tell();
        if self.shared.is_broken() { Err(Stopped) } else { Ok(self.shared.bar.load(Ordering::Relaxed)) }
    }
}

/// Keeps every layout that counts `score`.
struct Gather<'a> {
    score: i32,
    cap: usize,
    plan: &'a Plan,
    found: Vec<Layout>,
    seen: HashSet<Pattern>,
    stop: Option<&'a AtomicBool>,
    full: bool,
}

impl Gather<'_> {
    /// Keeps a layout, unless it or its mirror image is kept already.
    fn keep(&mut self, layout: Layout) {
        let pattern = self.plan.pattern(&layout);
        if self.seen.contains(&pattern) {
            return;
        }
        self.full = self.found.len() >= self.cap;
        if !self.full {
            self.seen.insert(pattern);
            self.found.push(layout);
        }
    }
}

impl Watch for &mut Gather<'_> {
    fn found(&mut self, _: i32, laid: &[Laid], start: &Start) -> i32 {
        self.keep(self.plan.layout(laid, start));
        // Once full there is nothing more to hear of.
        if self.full { i32::MAX } else { self.score }
    }

    fn tick(&mut self, _: u64) -> Result<i32, Stopped> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(Stopped);
        }
        Ok(if self.full { i32::MAX } else { self.score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dictionary;
    use words::{Colour, Face, Letter, Lexicon, Vocabulary};

    #[test]
    fn nobody_gets_a_million_threads() {
        let problem = Problem::new(&[], Counting::Scribbage, &Dictionary::new([])).expect("no dice");
        let threads = |asked| Search::new(&problem).threads(asked).threads;
        assert_eq!([0, 3, 1_000_000, usize::MAX].map(threads), [1, 3, 256, 256]);
    }

    /// Coloured shapes and families of shapes are two ways to the same answer.
    #[test]
    fn colours_first_and_bounds_first_count_the_same() {
        let dictionary = Dictionary::of(&Lexicon::house(), Vocabulary::default());
        let face = |c: char| Face {
            letter: Letter::from_char(c),
            colour: Some(if c == '!' || c.is_uppercase() { Colour::Red } else { Colour::Black }),
            value: 0,
        };
        for throw in ["DTRChaS", "!?CIMlo", "oO!AEaE", "eTneoGi", "UUHqrjw", "NB?a", "dash", "zz", ""] {
            let faces: Vec<Face> = throw.chars().map(face).collect();
            for long_word in [false, true] {
                let problem =
                    Problem::new(&faces, Counting::IQubes { long_word }, &dictionary).expect("a throw");
                let search = Search::new(&problem);
                let all_dice = long_word.then_some(faces.len() as u8);
                let (by_bounds, _) = search.climb(ByLength { all_dice }, |_| ControlFlow::Continue(()));
                let score = |outcome: &Outcome| outcome.proven().map(Proven::score);
                assert!(coloured::answers(&problem));
                assert_eq!(score(&search.run()), score(&by_bounds), "{throw}");
            }
        }
    }
}
