//! The search itself: shapes are walked cell by cell in reading order, shapes with a common beginning together, and
//! every cell is given a die that its row and its column can bear.

mod columns;
mod hope;
mod row;

use crate::count::Count;
use crate::dictionary::Letters;
use crate::fits::Fits;
use crate::lengths::{LENGTHS, LengthTable, Lengths};
use crate::plan::{Rated, Start};
use crate::shapes::Step;
use crate::tables::{Kind, Stock, Tables};
use crate::trie::{Node, Tries};

/// The most dice of a throw: two sets of I-Qubes.
pub const MAX_DICE: usize = 14;

/// A die laid down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Laid {
    pub(crate) row: u8,
    pub(crate) column: u8,
    pub(crate) letter: u8,
    pub(crate) kind: u8,
}

/// A run of dice, in a row or a column, that is not yet at its end.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// Of a column: where it stands in the tries.
    node: u32,
    /// Of a row: the words that fit so far, in `fitting`.
    from: u32,
    to: u32,
    stock: Stock,
    sum: u16,
    size: u8,
    left: u8,
    colours: u8,
}

impl Run {
    /// With one die more, which adds `unit` to the stock.
    #[inline]
    fn with(self, die: Kind, unit: Stock) -> Self {
        Self {
            stock: self.stock + unit,
            sum: self.sum + u16::from(die.value),
            size: self.size + 1,
            left: self.left - 1,
            colours: self.colours | die.colour,
            ..self
        }
    }
}

/// What both sides have, and what they have left.
#[derive(Clone, Copy, Debug)]
struct Sides {
    /// Dice not yet laid.
    rest: Stock,
    /// Dice that may yet count in a row: not in a finished one, not standing alone in their row.
    rows: Stock,
    /// The same for columns.
    columns: Stock,
    across: i16,
    down: i16,
    /// The lengths of words that are not finished.
    across_left: Lengths,
    down_left: Lengths,
    /// The lengths of words of which no die is laid.
    across_new: Lengths,
    down_new: Lengths,
    /// What the dice laid count in all their words, finished or not, where each counts by itself.
    laid: i16,
    /// How many dice are yet to be laid in one word only.
    singles: u8,
    /// Loners not laid yet.
    alone: Stock,
    /// Where a word that must be laid is still to come.
    owes: Owes,
    /// How many of the fixed dice are laid.
    fixed: u8,
    /// The columns that go on, as bits.
    open: u32,
}

/// A die that can never stand in two words, and where it may: see [`Tables::find_loners`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loner {
    No,
    Across,
    Down,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owes {
    Nothing,
    Across,
    Down,
}

/// A stop was asked for.
#[derive(Debug)]
pub(crate) struct Stopped;

type Flow = Result<(), Stopped>;

/// Whoever hears of layouts found, and says when to stop.
pub(crate) trait Watch {
    /// A layout at the target or above; answers the next target.
    fn found(&mut self, score: i32, laid: &[Laid], start: &Start) -> i32;
    /// Called every few thousand nodes; answers the target.
    fn tick(&mut self, nodes: u64) -> Result<i32, Stopped>;
}

pub(crate) struct Engine<'a, C, W> {
    t: &'a Tables,
    lengths: &'static LengthTable,
    count: C,
    pub(crate) watch: W,
    target: i32,
    /// Is it worth while, and right, to ask whether the columns can be finished? Jokers that count would spoil it.
    closes: bool,
    /// Are all layouts wanted? Then also those with a joker where a die could lie as well.
    all: bool,
    /// How many dice will be left over.
    left_over: usize,
    /// What dice cost that are in no word at all.
    lost: i32,
    steps: &'a [Step],
    start: &'a Start,
    columns: [Run; 32],
    left: [u8; MAX_DICE],
    /// By kind.
    loner: [Loner; MAX_DICE],
    laid: [Laid; MAX_DICE],
    /// Words that fit the runs begun: where their letters begin.
    fitting: Vec<u32>,
    pub(crate) fits: Fits,
    pub(crate) nodes: u64,
    /// When to look up next.
    due: u64,
    /// When to give up.
    limit: u64,
}

static EMPTY_TABLE: Start = Start::EMPTY_TABLE;

const TICK: u64 = 1 << 14;

impl<'a, C: Count, W: Watch> Engine<'a, C, W> {
    pub(crate) fn new(t: &'a Tables, count: C, watch: W, fits: Fits) -> Self {
        Self {
            t,
            lengths: &LENGTHS,
            count,
            watch,
            target: 0,
            closes: C::ADDS_UP && t.plain && t.worth[usize::from(t.joker)] == 0,
            all: false,
            left_over: 0,
            lost: 0,
            steps: &[],
            start: &EMPTY_TABLE,
            columns: [Run::default(); 32],
            left: [0; MAX_DICE],
            loner: [Loner::No; MAX_DICE],
            laid: [Laid::default(); MAX_DICE],
            fitting: Vec::new(),
            fits,
            nodes: 0,
            due: TICK,
            limit: u64::MAX,
        }
    }

    /// Finds all layouts, not only one of those that differ in who is the joker.
    pub(crate) fn of_all(self) -> Self {
        Self { all: true, ..self }
    }

    /// Shows the layouts of a family that count `target` or more, the target rising as [`Watch::found`] says.
    pub(crate) fn run(&mut self, family: &Rated, start: &'a Start, target: i32) -> Flow {
        self.target = target;
        self.left_over = usize::from(family.left_over);
        self.lost = family.lost;
        self.steps = family.family.steps();
        self.start = start;
        for (left, kind) in self.left.iter_mut().zip(&self.t.kinds) {
            *left = kind.count;
        }
        for &kind in &self.t.loners {
            let barred = self.t.within(start.not_across, kind) > 0;
            self.loner[usize::from(kind)] = if barred { Loner::Down } else { Loner::Across };
        }
        for fixed in &start.fixed {
            self.left[usize::from(fixed.kind)] -= 1;
        }
        let whole = self.t.whole;
        let owes = match &self.t.owed {
            None => Owes::Nothing,
            Some(_) if start.word_across => Owes::Across,
            Some(_) => Owes::Down,
        };
        let (across_left, down_left) = (family.family.across, family.family.down);
        let sides = Sides {
            rest: whole,
            rows: whole - start.not_across,
            columns: whole - start.not_down,
            across: 0,
            down: 0,
            across_left,
            down_left,
            across_new: across_left,
            down_new: down_left,
            laid: 0,
            singles: family.singles,
            alone: self.t.alone,
            owes,
            fixed: 0,
            open: 0,
        };
        // A look may have been broken off in the middle.
        self.columns = [Run::default(); 32];
        self.fitting.clear();
        if !self.hopeful(&sides) {
            return Ok(());
        }
        self.walk(0, self.steps.len(), 0, 0, Run::default(), &sides)
    }

    /// Gives up after so many nodes more: a look, not a search.
    pub(crate) fn limit(&mut self, nodes: u64) {
        self.limit = self.nodes + nodes;
        self.due = self.due.min(self.limit);
    }

    #[cold]
    fn pause(&mut self) -> Flow {
        self.due = (self.nodes + TICK).min(self.limit);
        if self.nodes >= self.limit {
            self.due = self.nodes + TICK;
            return Err(Stopped);
        }
        self.target = self.watch.tick(self.nodes)?;
        Ok(())
    }

    /// Tries the steps between `from` and `to` as the next.
    fn walk(&mut self, from: usize, to: usize, depth: usize, row: u8, run: Run, s: &Sides) -> Flow {
        let mark = self.fitting.len();
        let mut begun = (0, 0);
        let mut at = from;
        let mut flow = Ok(());
        while at < to && flow.is_ok() {
            let step = self.steps[at];
            let next = step.skip as usize;
            let mut run = run;
            if step.run() > 0 {
                if step.run() > 1 && begun != (step.x(), step.run()) {
                    begun = (step.x(), step.run());
                    self.fitting.truncate(mark);
                    self.fit(step.x(), step.run(), s);
                }
                let words = if step.run() > 1 { (mark as u32, self.fitting.len() as u32) } else { (0, 1) };
                run = Run { from: words.0, to: words.1, left: step.run() as u8, ..Run::default() };
            }
            if run.from < run.to {
                flow = self.step(step, at + 1, next, depth, row + u8::from(step.new_row()), run, s);
            }
            at = next;
        }
        self.fitting.truncate(mark);
        flow
    }

    #[expect(clippy::too_many_arguments, reason = "the whole state of a step")]
    #[inline]
    fn step(
        &mut self,
        step: Step,
        from: usize,
        to: usize,
        depth: usize,
        row: u8,
        run: Run,
        s: &Sides,
    ) -> Flow {
        let mut s = *s;
        let x = step.x();
        let mut allowed = self.t.shows[usize::from(s.rest)];
        let above = self.columns[x];
        let column = match step.column() {
            0 => above,
            length => Run { node: length as u32, left: length as u8, ..Run::default() },
        };
        if step.run() >= 2 {
            s.across_new = self.lengths.minus[usize::from(s.across_new)][step.run()];
        }
        if step.column() >= 2 {
            s.down_new = self.lengths.minus[usize::from(s.down_new)][step.column()];
        }
        let alone_across = step.run() == 1;
        let alone_down = step.column() == 1;
        let column_node = if alone_down { Node::default() } else { self.t.tries.node(column.node) };
        if !alone_down {
            allowed &= column_node.next;
        }
        if let Some(&fixed) = self.start.fixed.get(usize::from(s.fixed)) {
            let here = (row, x as u8).cmp(&(fixed.row, fixed.column));
            if here.is_gt() {
                return Ok(());
            }
            if here.is_eq() {
                return self.lay_fixed(
                    fixed,
                    allowed,
                    from,
                    to,
                    depth,
                    alone_across,
                    run,
                    (alone_down, column, column_node),
                    &s,
                );
            }
        }
        let mut at = run.from;
        while allowed != 0 {
            let (letter, run) = if alone_across {
                let letter = allowed.trailing_zeros();
                allowed &= allowed - 1;
                (letter, run)
            } else {
                // The next words with the same letter here.
                if at == run.to {
                    break;
                }
                let letter = self.letter_at(run, at);
                allowed &= Letters::MAX << letter;
                if allowed >> letter & 1 == 0 {
                    if allowed != 0 {
                        at = self.seek(run, at, allowed.trailing_zeros() as u8);
                    }
                    continue;
                }
                let from = at;
                at = self.seek(run, at, letter + 1);
                (u32::from(letter), Run { from, to: at, ..run })
            };
            let column =
                if alone_down { column } else { Run { node: Tries::child(column_node, letter), ..column } };
            self.lay_letter(x, letter, from, to, depth, row, run, column, &s)?;
        }
        self.columns[x] = above;
        Ok(())
    }

    /// Lays each kind of die that can be this letter.
    #[expect(clippy::too_many_arguments, reason = "the whole state of a step")]
    #[inline]
    fn lay_letter(
        &mut self,
        x: usize,
        letter: u32,
        from: usize,
        to: usize,
        depth: usize,
        row: u8,
        run: Run,
        column: Run,
        s: &Sides,
    ) -> Flow {
        let (kind_from, kind_to) = self.t.of_letter[letter as usize];
        let mut real: u8 = 0;
        for kind in kind_from..kind_to {
            if self.left[usize::from(kind)] > 0 {
                real |= self.t.kinds[usize::from(kind)].colour;
                self.lay(x, kind, letter, from, to, depth, row, run, column, s)?;
            }
        }
        let alone = run.size + run.left == 1 || column.size + column.left == 1;
        for kind in self.t.wilds.0..self.t.wilds.1 {
            if self.left[usize::from(kind)] == 0 {
                continue;
            }
            let spare = if C::ADDS_UP {
                // In place of a die that is there: only where the cell stands in one word.
                real != 0 && !alone && self.t.kinds[usize::from(kind)].value == 0
            } else {
                real & self.t.kinds[usize::from(kind)].colour != 0
            };
            if self.all || !spare {
                self.lay(x, kind, letter, from, to, depth, row, run, column, s)?;
            }
        }
        Ok(())
    }

    /// The letter that a fitting word has at the next place of a run.
    #[inline]
    fn letter_at(&self, run: Run, fitting: u32) -> u8 {
        self.t.letterings[self.fitting[fitting as usize] as usize + usize::from(run.size)]
    }

    /// The first fitting word of a run after `from` that has `letter` or a later one next: ever longer strides, then halves.
    #[inline]
    fn seek(&self, run: Run, from: u32, letter: u8) -> u32 {
        let (mut before, mut stride) = (from, 1);
        while before + stride < run.to && self.letter_at(run, before + stride) < letter {
            before += stride;
            stride *= 2;
        }
        let mut beyond = run.to.min(before + stride);
        while beyond - before > 1 {
            let middle = before + (beyond - before) / 2;
            if self.letter_at(run, middle) < letter { before = middle } else { beyond = middle }
        }
        beyond
    }

    /// The run with those of its words only that have `letter` next.
    fn runs_with(&self, letter: u8, run: Run, alone: bool) -> Option<Run> {
        if alone {
            return Some(run);
        }
        let mut fitting = (run.from..run.to).filter(|&at| self.letter_at(run, at) == letter);
        let from = fitting.next()?;
        let to = fitting.last().unwrap_or(from) + 1;
        Some(Run { from, to, ..run })
    }

    /// Lays a die that must lie here.
    #[expect(clippy::too_many_arguments, reason = "the whole state of a step")]
    #[cold]
    fn lay_fixed(
        &mut self,
        die: Laid,
        allowed: Letters,
        from: usize,
        to: usize,
        depth: usize,
        alone_across: bool,
        run: Run,
        (alone_down, column, column_node): (bool, Run, Node),
        s: &Sides,
    ) -> Flow {
        let letter = u32::from(die.letter);
        if allowed >> letter & 1 == 0 {
            return Ok(());
        }
        let x = usize::from(die.column);
        let above = self.columns[x];
        let Some(run) = self.runs_with(die.letter, run, alone_across) else { return Ok(()) };
        let column =
            if alone_down { column } else { Run { node: Tries::child(column_node, letter), ..column } };
        let s = &Sides { fixed: s.fixed + 1, ..*s };
        // It is not among those left for other places.
        self.left[usize::from(die.kind)] += 1;
        let flow = self.lay(x, die.kind, letter, from, to, depth, die.row, run, column, s);
        self.left[usize::from(die.kind)] -= 1;
        self.columns[x] = above;
        flow
    }

    #[expect(clippy::too_many_arguments, reason = "the whole state of a step")]
    #[inline]
    fn lay(
        &mut self,
        x: usize,
        kind: u8,
        letter: u32,
        from: usize,
        to: usize,
        depth: usize,
        row: u8,
        run: Run,
        column: Run,
        s: &Sides,
    ) -> Flow {
        let mut s = *s;
        self.nodes += 1;
        if self.nodes >= self.due {
            self.pause()?;
        }
        let k = self.t.kinds[usize::from(kind)];
        s.rest -= k.unit;
        let alone_across = run.size + run.left == 1;
        let alone_down = column.size + column.left == 1;
        let alone = alone_across || alone_down;
        let (mut across_unit, mut down_unit) = (k.unit, k.unit);
        if self.loner[usize::from(kind)] != Loner::No {
            s.alone -= k.unit;
            match self.loner[usize::from(kind)] {
                Loner::Down if !alone_across => return Ok(()),
                Loner::Across if !alone_down => return Ok(()),
                Loner::Down => across_unit = 0,
                _ => down_unit = 0,
            }
        }
        s.laid += i16::from(k.value) * if alone { 1 } else { 2 };
        s.singles -= u8::from(alone);
        if !self.can_go_on(&s) {
            return Ok(());
        }
        let (run, column) = (run.with(k, across_unit), column.with(k, down_unit));
        if run.left == 0 {
            s.rows -= run.stock;
            if run.size >= 2 {
                s.across += self.count.gain(run.size, run.sum, run.colours) as i16;
                s.across_left = self.lengths.minus[usize::from(s.across_left)][usize::from(run.size)];
                if s.owes == Owes::Across && self.is_owed(run) {
                    s.owes = Owes::Nothing;
                }
            }
        }
        if column.left == 0 {
            s.columns -= column.stock;
            if column.size >= 2 {
                s.down += self.count.gain(column.size, column.sum, column.colours) as i16;
                s.down_left = self.lengths.minus[usize::from(s.down_left)][usize::from(column.size)];
                if s.owes == Owes::Down && self.t.owed.as_ref().is_some_and(|owed| owed.leaf == column.node) {
                    s.owes = Owes::Nothing;
                }
            }
        }
        if column.left > 0 && !self.column_goes_on(column, s.rest) {
            return Ok(());
        }
        if (run.left == 0 || column.left == 0) && !self.hopeful(&s) {
            return Ok(());
        }
        s.open = s.open & !(1 << x) | u32::from(column.left > 0) << x;
        self.columns[x] = column;
        if run.left == 0 && from != to && self.closes && !self.columns_close(&s) {
            return Ok(());
        }
        self.laid[depth] = Laid { row, column: x as u8, letter: letter as u8, kind };
        if from == to {
            self.finish(&s, depth + 1);
            return Ok(());
        }
        self.left[usize::from(kind)] -= 1;
        let flow = self.walk(from, to, depth + 1, row, run, &s);
        self.left[usize::from(kind)] += 1;
        flow
    }

    /// Is the word of a finished row the one that must be laid?
    fn is_owed(&self, run: Run) -> bool {
        let word = self.fitting[run.from as usize];
        self.t.owed.as_ref().is_some_and(|owed| owed.lettering == word)
    }

    /// All that is laid is a layout.
    fn finish(&mut self, s: &Sides, dice: usize) {
        let mut score = i32::from(s.across) + i32::from(s.down);
        if C::LEFT_OVER_COSTS {
            score -= i32::from(self.t.worth[usize::from(s.rest)]) + self.lost;
        }
        let asked = s.owes == Owes::Nothing && usize::from(s.fixed) == self.start.fixed.len();
        if asked && score >= self.target {
            self.target = self.watch.found(score, &self.laid[..dice], self.start);
        }
    }
}
