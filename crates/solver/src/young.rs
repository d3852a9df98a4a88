//! The young players' rule (SB-S11, SB-R6): separate words, each cube in one of them. Dice that are alike are one kind, so
//! that thirteen jokers are no more work than one; a table over all stocks of dice says how words fill them best.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use words::{Face, Layout, Letter, Placed};

use crate::dictionary::Spelt;
use crate::engine::Stopped;
use crate::outcome::{Answer, Outcome, Progress, Proven};
use crate::problem::Problem;

/// The most valuable set of separate words.
pub(crate) fn best(
    problem: &Problem,
    stop: Option<&AtomicBool>,
    mut progress: impl FnMut(Progress<'_>) -> ControlFlow<()>,
) -> Outcome {
    let total: i32 = problem.faces.iter().map(|face| i32::from(face.value)).sum();
    // Whoever stops it has an empty table, where that is an answer.
    let free = !problem.all_dice && problem.word.is_none();
    let empty = free.then_some(Answer { layout: Layout::EMPTY, score: -total, bound: total });
    let mut watch = Watch { stop, progress: &mut progress, empty, bound: total, nodes: 0 };
    match most(problem, &mut watch) {
        Err(Stopped) => match watch.empty {
            Some(empty) => Outcome::Stopped(empty),
            None => Outcome::Unanswered { bound: total },
        },
        Ok(None) => Outcome::Impossible,
        Ok(Some((value, layout))) => {
            let score = 2 * value - total;
            let answer = Answer { layout, score, bound: score };
            // It is over: whether the listener wants to go on makes no difference.
            let told = Progress { best: Some(&answer), bound: score, nodes: watch.nodes };
            let _ = (watch.progress)(told);
            Outcome::Proven(Proven::closed(answer.layout, score))
        }
    }
}

/// The most that words can cover, and how they do; `None` where nothing does what was asked.
fn most(problem: &Problem, watch: &mut Watch<'_>) -> Result<Option<(i32, Layout)>, Stopped> {
    let kinds = kinds_of(&problem.faces);
    let words = formable(problem, &kinds, watch)?;
    let mut packing = Packing::new(&kinds, &words, problem.all_dice);
    let whole = packing.best.len() - 1;
    let mut firsts = vec![None];
    if let Some(word) = problem.word {
        // The word that must be laid comes first, with every choice of dice for it.
        let word = Spelt::new(&word);
        firsts.clear();
        spell_all(&kinds, word, watch, &mut |stock| firsts.push(Some(Laying { stock, word })))?;
    }
    let mut best: Option<(i32, Option<Laying>)> = None;
    for first in firsts {
        let dice = first.map_or(0, |first| first.stock);
        let rest = packing.solve(whole - dice, watch)?;
        let value = rest.map(|rest| rest + packing.value[dice]);
        if value > best.map(|(known, _)| known) {
            best = value.map(|value| (value, first));
        }
    }
    Ok(best.map(|(value, first)| {
        let mut layings: Vec<Laying> = first.into_iter().collect();
        layings.extend(packing.unfold(whole - first.map_or(0, |first| first.stock)));
        (value, spread(&problem.faces, &kinds, &layings))
    }))
}

/// Whoever hears how far it is, and may end it.
struct Watch<'a> {
    stop: Option<&'a AtomicBool>,
    progress: &'a mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    empty: Option<Answer>,
    bound: i32,
    nodes: u64,
}

/// How many nodes there are between two looks at the clock.
const TICK: u64 = 1 << 14;

impl Watch<'_> {
    #[inline]
    fn tick(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(TICK) { self.look_up() } else { Ok(()) }
    }

    #[cold]
    fn look_up(&mut self) -> Result<(), Stopped> {
        let told = Progress { best: self.empty.as_ref(), bound: self.bound, nodes: self.nodes };
        let broken = (self.progress)(told).is_break();
        let stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if broken || stopped { Err(Stopped) } else { Ok(()) }
    }
}

/// A multiset of the dice, as a number in mixed radix: one digit for each kind.
type Stock = usize;

/// Dice that are alike.
struct Kind {
    face: Face,
    count: u8,
    /// What one of them adds to a stock.
    unit: Stock,
}

impl Kind {
    /// How many of this kind are in a stock.
    fn within(&self, stock: Stock) -> u8 {
        (stock / self.unit % (usize::from(self.count) + 1)) as u8
    }

    fn shows(&self, letter: u8) -> bool {
        self.face.letter.is_none_or(|shown| shown.index() == usize::from(letter))
    }
}

/// The kinds of a throw, jokers last: a die that is there is then found before a joker.
fn kinds_of(faces: &[Face]) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for &face in faces {
        match kinds.iter_mut().find(|kind| kind.face == face) {
            Some(kind) => kind.count += 1,
            None => kinds.push(Kind { face, count: 1, unit: 0 }),
        }
    }
    kinds.sort_by_key(|kind| kind.face.is_wild());
    let mut states = 1;
    for kind in &mut kinds {
        kind.unit = states;
        states *= usize::from(kind.count) + 1;
    }
    kinds
}

/// How many stocks there are.
fn states(kinds: &[Kind]) -> usize {
    kinds.iter().map(|kind| usize::from(kind.count) + 1).product()
}

/// A word and the dice that spell it.
#[derive(Clone, Copy)]
struct Laying {
    stock: Stock,
    word: Spelt,
}

struct Packing<'a> {
    kinds: &'a [Kind],
    words: &'a [Laying],
    /// By kind: the words of which it is the first kind.
    by_first: Vec<Vec<usize>>,
    /// Must all dice be used?
    all: bool,
    /// By stock: its value.
    value: Vec<i32>,
    /// By stock, a bar for each die: one stock fits in another where none of its bars stands above.
    bars: Vec<u16>,
    /// By stock of dice left: the most that can be covered, and the first choice: a word, or none for the first die.
    best: Vec<Option<(Option<i32>, Option<usize>)>>,
}

impl<'a> Packing<'a> {
    fn new(kinds: &'a [Kind], words: &'a [Laying], all: bool) -> Self {
        let states = states(kinds);
        let mut by_first = vec![Vec::new(); kinds.len()];
        for (n, word) in words.iter().enumerate() {
            by_first[first_kind(kinds, word.stock)].push(n);
        }
        let value =
            |stock| kinds.iter().map(|kind| i32::from(kind.within(stock)) * i32::from(kind.face.value)).sum();
        let bars =
            |stock| kinds.iter().fold(0, |bars, kind| bars << kind.count | ((1 << kind.within(stock)) - 1));
        Self {
            kinds,
            words,
            by_first,
            all,
            value: (0..states).map(value).collect(),
            bars: (0..states).map(bars).collect(),
            best: vec![None; states],
        }
    }

    /// The most that words from `left` cover; `None` where they must cover everything and cannot.
    fn solve(&mut self, left: Stock, watch: &mut Watch<'_>) -> Result<Option<i32>, Stopped> {
        if left == 0 {
            return Ok(Some(0));
        }
        if let Some((value, _)) = self.best[left] {
            return Ok(value);
        }
        let first = first_kind(self.kinds, left);
        let mut best = if self.all { None } else { self.solve(left - self.kinds[first].unit, watch)? };
        let mut choice = None;
        for i in 0..self.by_first[first].len() {
            watch.tick()?;
            let n = self.by_first[first][i];
            let word = self.words[n].stock;
            if self.bars[word] & !self.bars[left] != 0 {
                continue;
            }
            let value = self.solve(left - word, watch)?.map(|rest| rest + self.value[word]);
            if value > best {
                best = value;
                choice = Some(n);
            }
        }
        self.best[left] = Some((best, choice));
        Ok(best)
    }

    fn unfold(&self, mut left: Stock) -> Vec<Laying> {
        let mut layings = Vec::new();
        while left != 0 {
            match self.best[left].and_then(|(_, choice)| choice) {
                Some(n) => {
                    layings.push(self.words[n]);
                    left -= self.words[n].stock;
                }
                None => left -= self.kinds[first_kind(self.kinds, left)].unit,
            }
        }
        layings
    }
}

/// The first kind that a stock has a die of.
fn first_kind(kinds: &[Kind], stock: Stock) -> usize {
    kinds.iter().position(|kind| kind.within(stock) > 0).unwrap_or(0)
}

/// One laying for every stock that spells a word.
fn formable(problem: &Problem, kinds: &[Kind], watch: &mut Watch<'_>) -> Result<Vec<Laying>, Stopped> {
    let mut counts = [0; 26];
    let mut wilds = 0;
    for face in &problem.faces {
        match face.letter {
            Some(letter) => counts[letter.index()] += 1,
            None => wilds += 1,
        }
    }
    let mut known = vec![false; states(kinds)];
    let mut found = Vec::new();
    for word in problem.dictionary.formable(&counts, wilds) {
        spell_all(kinds, word, watch, &mut |stock| {
            if !std::mem::replace(&mut known[stock], true) {
                found.push(Laying { stock, word });
            }
        })?;
    }
    Ok(found)
}

/// Finds every stock that spells a word, each once.
fn spell_all(
    kinds: &[Kind],
    word: Spelt,
    watch: &mut Watch<'_>,
    found: &mut impl FnMut(Stock),
) -> Result<(), Stopped> {
    let mut letters = word.letters().to_vec();
    letters.sort_unstable();
    let mut left: Vec<u8> = kinds.iter().map(|kind| kind.count).collect();
    spell(kinds, &letters, 0, 0, &mut left, watch, found)
}

/// Dice for `letters`, which are sorted. Kinds before `from` are barred for the first of them: of two letters that are the
/// same the second never takes a kind before that of the first, for the two could change places.
fn spell(
    kinds: &[Kind],
    letters: &[u8],
    from: usize,
    stock: Stock,
    left: &mut [u8],
    watch: &mut Watch<'_>,
    found: &mut impl FnMut(Stock),
) -> Result<(), Stopped> {
    watch.tick()?;
    let Some((&letter, rest)) = letters.split_first() else {
        found(stock);
        return Ok(());
    };
    for k in from..kinds.len() {
        if left[k] > 0 && kinds[k].shows(letter) {
            left[k] -= 1;
            let from = if rest.first() == Some(&letter) { k } else { 0 };
            spell(kinds, rest, from, stock + kinds[k].unit, left, watch, found)?;
            left[k] += 1;
        }
    }
    Ok(())
}

/// The words one under the other, with a free row between.
fn spread(faces: &[Face], kinds: &[Kind], layings: &[Laying]) -> Layout {
    let mut layout = Layout::EMPTY;
    let mut used = vec![false; faces.len()];
    for (row, laying) in layings.iter().enumerate() {
        let mut left: Vec<u8> = kinds.iter().map(|kind| kind.within(laying.stock)).collect();
        for (column, &letter) in laying.word.letters().iter().enumerate() {
            // A stock that spells the word has dice for all its letters.
            let Some(k) = (0..kinds.len()).find(|&k| left[k] > 0 && kinds[k].shows(letter)) else { continue };
            let Some(die) = (0..faces.len()).find(|&die| !used[die] && faces[die] == kinds[k].face) else {
                continue;
            };
            left[k] -= 1;
            used[die] = true;
            let called = Letter::from_index(usize::from(letter)).filter(|_| kinds[k].face.is_wild());
            layout.dice.push(Placed { die: die as u8, x: column as i8, y: 2 * row as i8, called });
        }
    }
    layout
}
