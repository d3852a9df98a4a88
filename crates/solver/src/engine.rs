//! The search itself: shapes are walked cell by cell in reading order, shapes with a common beginning together, and
//! every cell is given a die that its row and its column can bear.

use crate::count::Count;
use crate::dictionary::Letters;
use crate::fits::Fits;
use crate::lengths::{LENGTHS, LengthTable, Lengths};
use crate::plan::{Rated, Start};
use crate::rows::End;
use crate::shapes::Step;
use crate::tables::{IMPOSSIBLE, Kind, Stock, Tables};
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

/// What must hold after a row for the search to go on: then most of its words need not be tried letter by letter.
struct AfterRow {
    /// Dice before the row.
    rest: Stock,
    rows: Stock,
    /// The lengths of the rows after it.
    across_left: Lengths,
    left_over: usize,
    /// What the row and those after it must count.
    short: i32,
}

impl AfterRow {
    /// Is there hope after a word of the dice `real`, which show the bars `shown`, and of `jokers`, or of more of the
    /// `wilds` in place of some of these dice?
    #[inline]
    fn any_hope(&self, t: &Tables, real: Stock, shown: u16, jokers: u8, wilds: u8) -> bool {
        let word = real + t.joker * Stock::from(jokers);
        self.hope(t, word) || jokers < wilds && self.hope_with_jokers(t, word, shown, wilds - jokers)
    }

    #[inline]
    fn hope(&self, t: &Tables, word: Stock) -> bool {
        // Where the rows to come cannot be laid at all, this is far below what they must count.
        let across = t.most(self.rows - word, self.across_left) + t.worth[usize::from(word)] as i16;
        let toll = if self.left_over == 0 { 0 } else { t.cheapest(self.rest - word, self.left_over) };
        i32::from(across - toll) >= self.short
    }

    #[cold]
    fn hope_with_jokers(&self, t: &Tables, word: Stock, shown: u16, wilds: u8) -> bool {
        let mut dice = shown;
        while dice != 0 {
            let die = dice.trailing_zeros() as usize;
            dice &= dice - 1;
            let other = word - t.units[die] + t.joker;
            if self.hope(t, other) || wilds > 1 && self.hope_with_jokers(t, other, dice, wilds - 1) {
                return true;
            }
        }
        false
    }
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

/// So many ways to finish the columns are looked at.
const WAYS: u32 = 80;

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

    #[inline]
    fn hopeful(&self, s: &Sides) -> bool {
        let across = match s.owes {
            Owes::Across => self.t.most_owed(s.rows, s.across_left),
            _ => self.t.most(s.rows, s.across_left),
        };
        let down = match s.owes {
            Owes::Down => self.t.most_owed(s.columns, s.down_left),
            _ => self.t.most(s.columns, s.down_left),
        };
        let toll = if C::LEFT_OVER_COSTS { self.t.cheapest(s.rest, self.left_over) } else { 0 };
        i32::from(s.across) + i32::from(across) + i32::from(s.down) + i32::from(down)
            - i32::from(toll)
            - self.lost
            >= self.target
    }

    /// Can the dice not laid yet make what is not begun yet?
    #[inline]
    fn can_go_on(&self, s: &Sides) -> bool {
        if C::ADDS_UP {
            // Each die left counts twice, but for those yet to stand in one word, and those left over.
            let rest = 2 * self.t.worth[usize::from(s.rest)] as i16;
            let loners = usize::from(self.t.size[usize::from(s.alone)]);
            let Some(others) = (usize::from(s.singles) + self.left_over).checked_sub(loners) else {
                return false;
            };
            let once = self.t.cheapest(s.rest - s.alone, others) + self.t.worth[usize::from(s.alone)] as i16;
            let never = 2 * self.t.cheapest(s.rest, self.left_over);
            if i32::from(s.laid + rest - once - never) - self.lost < self.target {
                return false;
            }
        }
        self.t.most(s.rest, s.across_new) > IMPOSSIBLE / 2 && self.t.most(s.rest, s.down_new) > IMPOSSIBLE / 2
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

    /// The words that fit a run of `length` beginning at `x`, as far as the columns above and the dice left say.
    fn fit(&mut self, x: usize, length: usize, s: &Sides) {
        let t = self.t;
        let shows = t.shows[usize::from(s.rest)];
        let rows = &t.rows[length];
        // A loner that is in no word across is not among `s.rows`.
        let mut sets = [self.fits.spelt(t, s.rows, length); MAX_DICE + 1];
        let mut going_on = [(0, Node::default()); MAX_DICE];
        let (mut count, mut go_on) = (1, 0);
        for (place, column) in self.columns[x..x + length].iter().enumerate() {
            if column.left > 0 {
                let node = t.tries.node(column.node);
                if node.next & shows == 0 {
                    return;
                }
                sets[count] = self.fits.above(t, column.node, length, place);
                count += 1;
                if column.left > 1 {
                    going_on[go_on] = (place, node);
                    go_on += 1;
                }
            }
        }
        let (sets, going_on) = (&sets[..count], &going_on[..go_on]);
        if !C::ADDS_UP || !t.plain || s.owes != Owes::Nothing {
            self.fits.in_all(rows, sets, |word| self.fitting.push(rows.lettering(word)));
            return;
        }
        let after = self.after_a_row(length, s);
        let (bars, wilds) = t.bars[usize::from(s.rows)];
        self.fits.in_all(rows, sets, |word| {
            let lettering = rows.lettering(word);
            let mut real = rows.stock(word);
            let mut jokers = 0;
            if wilds > 0 {
                jokers = rows.missing(word, bars);
                real -= t.stock_of(rows.needs(word) & !bars);
            }
            if jokers == wilds {
                // Without jokers left it is plain what the columns can go on with.
                let shows = t.shows[usize::from(s.rest - real - t.joker * Stock::from(jokers))];
                let stuck = |&(place, node): &(usize, Node)| {
                    let letter = t.letterings[lettering as usize + place];
                    t.tries.node(Tries::child(node, u32::from(letter))).next & shows == 0
                };
                if going_on.iter().any(stuck) {
                    return;
                }
            }
            if after.any_hope(t, real, rows.needs(word) & bars, jokers, wilds) {
                self.fitting.push(lettering);
            }
        });
    }

    /// What must hold after a row of `length` that begins now.
    fn after_a_row(&self, length: usize, s: &Sides) -> AfterRow {
        let down = s.down + self.t.most(s.columns, s.down_left);
        AfterRow {
            rest: s.rest,
            rows: s.rows,
            across_left: self.lengths.minus[usize::from(s.across_left)][length],
            left_over: self.left_over,
            // The target is out of reach once the best is proven.
            short: self.target.saturating_add(self.lost - i32::from(s.across + down)),
        }
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
            let (kind_from, kind_to) = self.t.of_letter[letter as usize];
            let mut real: u8 = 0;
            for kind in kind_from..kind_to {
                if self.left[usize::from(kind)] > 0 {
                    real |= self.t.kinds[usize::from(kind)].colour;
                    self.lay(x, kind, letter, from, to, depth, row, run, column, &s)?;
                }
            }
            for kind in self.t.wilds.0..self.t.wilds.1 {
                if self.left[usize::from(kind)] == 0 {
                    continue;
                }
                let spare = if C::ADDS_UP {
                    // In place of a die that is there: only where the cell stands in one word.
                    real != 0 && !alone_across && !alone_down && self.t.kinds[usize::from(kind)].value == 0
                } else {
                    real & self.t.kinds[usize::from(kind)].colour != 0
                };
                if self.all || !spare {
                    self.lay(x, kind, letter, from, to, depth, row, run, column, &s)?;
                }
            }
        }
        self.columns[x] = above;
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

    /// Can the columns that are begun all be finished, each with dice of its own, so that enough is counted? It looks at so
    /// many ways and no more: where there are others, there may be hope.
    fn columns_close(&self, s: &Sides) -> bool {
        let t = self.t;
        let mut rest = s.rest;
        for &k in &t.loners {
            if self.loner[usize::from(k)] == Loner::Across && t.within(s.alone, k) > 0 {
                rest -= t.kinds[usize::from(k)].unit;
            }
        }
        let mut begun = s.down;
        let (mut columns, mut count) = ([(0, 0); MAX_DICE], 0);
        let mut open = s.open;
        while open != 0 {
            let x = open.trailing_zeros() as usize;
            open &= open - 1;
            begun += self.columns[x].sum as i16;
            columns[count] = (t.tries.span(self.columns[x].node).len(), x);
            count += 1;
        }
        // Those with the fewest ways first.
        let columns = &mut columns[..count];
        columns.sort_unstable();
        let toll = if C::LEFT_OVER_COSTS { t.cheapest(s.rest, self.left_over) } else { 0 };
        let others = i32::from(s.across + t.most(s.rows, s.across_left) + begun - toll) - self.lost;
        let short = self.target.saturating_sub(others);
        if columns.is_empty() {
            return i32::from(t.most(rest, s.down_new)) >= short;
        }
        self.close(columns, rest, short, s.down_new, &mut { WAYS })
    }

    /// Can these columns, each with the number of its words, be finished with dice of `rest`, and columns of `new` lengths
    /// be laid with what is left, so that all together they count no less than `short`? A joker is taken only where the die
    /// is not there: it could change places with any other, and no count would rise.
    fn close(
        &self,
        columns: &[(usize, usize)],
        rest: Stock,
        short: i32,
        new: Lengths,
        ways: &mut u32,
    ) -> bool {
        let t = self.t;
        let Some((&(_, x), columns)) = columns.split_first() else { return true };
        let column = self.columns[x];
        let rows = &t.rows[usize::from(column.size + column.left)];
        let (bars, wilds) = t.bars[usize::from(rest)];
        for &End { needs, mut stock } in rows.ends(usize::from(column.size), t.tries.span(column.node)) {
            let missing = needs & !u32::from(bars);
            if missing != 0 {
                if wilds == 0 || missing.count_ones() > u32::from(wilds) {
                    continue;
                }
                stock = stock - t.stock_of(missing as u16) + t.joker * missing.count_ones() as Stock;
            }
            if *ways == 0 {
                return true;
            }
            *ways -= 1;
            let (rest, short) = (rest - stock, short - i32::from(t.worth[usize::from(stock)]));
            // Spares a call where this was the last.
            let closed = if columns.is_empty() {
                i32::from(t.most(rest, new)) >= short
            } else {
                self.close(columns, rest, short, new, ways)
            };
            if closed {
                return true;
            }
        }
        false
    }

    /// Is there a die for the next letter of a column?
    #[inline]
    fn column_goes_on(&self, column: Run, rest: Stock) -> bool {
        self.t.tries.node(column.node).next & self.t.shows[usize::from(rest)] != 0
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
