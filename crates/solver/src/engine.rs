//! The search itself: shapes are walked cell by cell in reading order, shapes with a common beginning together, and
//! every cell is given a die that its row and its column can bear.

use crate::count::Count;
use crate::dictionary::Letters;
use crate::lengths::{LENGTHS, Lengths};
use crate::plan::{Rated, Start};
use crate::shapes::Step;
use crate::tables::{Stock, Tables};
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
    node: u32,
    stock: Stock,
    sum: u16,
    size: u8,
    left: u8,
    colours: u8,
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
    /// Where a word that must be laid is still to come.
    owes: Owes,
    /// How many of the fixed dice are laid.
    fixed: u8,
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
    count: C,
    pub(crate) watch: W,
    target: i32,
    /// What the dice left over cost at least.
    toll: i32,
    /// What dice cost that are in no word at all.
    lost: i32,
    steps: &'a [Step],
    start: &'a Start,
    columns: [Run; 32],
    left: [u8; MAX_DICE],
    laid: [Laid; MAX_DICE],
    pub(crate) nodes: u64,
}

static EMPTY_TABLE: Start = Start::EMPTY_TABLE;

const TICK: u64 = 1 << 14;

impl<'a, C: Count, W: Watch> Engine<'a, C, W> {
    pub(crate) fn new(t: &'a Tables, count: C, watch: W) -> Self {
        Self {
            t,
            count,
            watch,
            target: 0,
            toll: 0,
            lost: 0,
            steps: &[],
            start: &EMPTY_TABLE,
            columns: [Run::default(); 32],
            left: [0; MAX_DICE],
            laid: [Laid::default(); MAX_DICE],
            nodes: 0,
        }
    }

    /// Shows every layout of a family that counts `target` or more, the target rising as [`Watch::found`] says.
    pub(crate) fn run(&mut self, family: &Rated, start: &'a Start, target: i32) -> Flow {
        self.target = target;
        self.toll = family.toll;
        self.lost = family.lost;
        self.steps = family.steps;
        self.start = start;
        for (left, kind) in self.left.iter_mut().zip(&self.t.kinds) {
            *left = kind.count;
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
        let (across_left, down_left) = (family.across, family.down);
        let sides = Sides {
            rest: whole,
            rows: whole,
            columns: whole,
            across: 0,
            down: 0,
            across_left,
            down_left,
            owes,
            fixed: 0,
        };
        if !self.hopeful(sides) {
            return Ok(());
        }
        self.walk(0, self.steps.len(), 0, 0, Run::default(), sides)
    }

    #[inline]
    fn hopeful(&self, s: Sides) -> bool {
        let across = match s.owes {
            Owes::Across => self.t.most_owed(s.rows, s.across_left),
            _ => self.t.most(s.rows, s.across_left),
        };
        let down = match s.owes {
            Owes::Down => self.t.most_owed(s.columns, s.down_left),
            _ => self.t.most(s.columns, s.down_left),
        };
        i32::from(s.across) + i32::from(across) + i32::from(s.down) + i32::from(down) - self.toll
            >= self.target
    }

    /// Tries the steps between `from` and `to` as the next.
    fn walk(&mut self, from: usize, to: usize, depth: usize, row: u8, run: Run, s: Sides) -> Flow {
        let mut at = from;
        while at < to {
            let step = self.steps[at];
            let next = step.skip as usize;
            self.step(step, at + 1, next, depth, row + u8::from(step.new_row()), run, s)?;
            at = next;
        }
        Ok(())
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
        s: Sides,
    ) -> Flow {
        let x = step.x();
        let mut allowed = self.t.shows[usize::from(s.rest)];
        let run = match step.run() {
            0 => run,
            length => Run { node: length as u32, left: length as u8, ..Run::default() },
        };
        let above = self.columns[x];
        let column = match step.column() {
            0 => above,
            length => Run { node: length as u32, left: length as u8, ..Run::default() },
        };
        let alone_across = step.run() == 1;
        let alone_down = step.column() == 1;
        let run_node = if alone_across { Node::default() } else { self.t.tries.node(run.node) };
        let column_node = if alone_down { Node::default() } else { self.t.tries.node(column.node) };
        if !alone_across {
            allowed &= run_node.next;
        }
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
                    (alone_across, run, run_node),
                    (alone_down, column, column_node),
                    s,
                );
            }
        }
        while allowed != 0 {
            let letter = allowed.trailing_zeros();
            allowed &= allowed - 1;
            let run = if alone_across { run } else { Run { node: Tries::child(run_node, letter), ..run } };
            let column =
                if alone_down { column } else { Run { node: Tries::child(column_node, letter), ..column } };
            let (kind_from, kind_to) = self.t.of_letter[letter as usize];
            let mut real: u8 = 0;
            for kind in kind_from..kind_to {
                if self.left[usize::from(kind)] > 0 {
                    real |= self.t.kinds[usize::from(kind)].colour;
                    self.lay(x, kind, letter, from, to, depth, row, run, column, s)?;
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
                if !spare {
                    self.lay(x, kind, letter, from, to, depth, row, run, column, s)?;
                }
            }
        }
        self.columns[x] = above;
        Ok(())
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
        (alone_across, run, run_node): (bool, Run, Node),
        (alone_down, column, column_node): (bool, Run, Node),
        s: Sides,
    ) -> Flow {
        let letter = u32::from(die.letter);
        if allowed >> letter & 1 == 0 {
            return Ok(());
        }
        let x = usize::from(die.column);
        let above = self.columns[x];
        let run = if alone_across { run } else { Run { node: Tries::child(run_node, letter), ..run } };
        let column =
            if alone_down { column } else { Run { node: Tries::child(column_node, letter), ..column } };
        let s = Sides { fixed: s.fixed + 1, ..s };
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
        mut run: Run,
        mut column: Run,
        mut s: Sides,
    ) -> Flow {
        self.nodes += 1;
        if self.nodes.is_multiple_of(TICK) {
            self.target = self.watch.tick(self.nodes)?;
        }
        let k = self.t.kinds[usize::from(kind)];
        s.rest -= k.unit;
        for run in [&mut run, &mut column] {
            run.stock += k.unit;
            run.sum += u16::from(k.value);
            run.size += 1;
            run.left -= 1;
            run.colours |= k.colour;
        }
        if run.left == 0 {
            s.rows -= run.stock;
            if run.size >= 2 {
                s.across += self.count.gain(run.size, run.sum, run.colours) as i16;
                s.across_left = LENGTHS.minus[usize::from(s.across_left)][usize::from(run.size)];
                if s.owes == Owes::Across && self.t.owed.as_ref().is_some_and(|owed| owed.leaf == run.node) {
                    s.owes = Owes::Nothing;
                }
            }
        }
        if column.left == 0 {
            s.columns -= column.stock;
            if column.size >= 2 {
                s.down += self.count.gain(column.size, column.sum, column.colours) as i16;
                s.down_left = LENGTHS.minus[usize::from(s.down_left)][usize::from(column.size)];
                if s.owes == Owes::Down && self.t.owed.as_ref().is_some_and(|owed| owed.leaf == column.node) {
                    s.owes = Owes::Nothing;
                }
            }
        }
        if !self.hopeful(s) {
            return Ok(());
        }
        self.laid[depth] = Laid { row, column: x as u8, letter: letter as u8, kind };
        if from == to {
            self.finish(s, depth + 1);
            return Ok(());
        }
        self.left[usize::from(kind)] -= 1;
        self.columns[x] = column;
        let flow = self.walk(from, to, depth + 1, row, run, s);
        self.left[usize::from(kind)] += 1;
        flow
    }

    /// All that is laid is a layout.
    fn finish(&mut self, s: Sides, dice: usize) {
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
