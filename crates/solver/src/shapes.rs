//! The shapes a layout can have: all fixed polyominoes, one of each pair of mirror images in the diagonal, sorted by
//! their number of dice and of *singles* (dice in one word only), and written as a trie of cells in reading order.

use std::sync::{LazyLock, OnceLock};

use crate::engine::MAX_DICE;
use crate::lengths::{LENGTHS, Lengths};
use crate::steps;

/// One step of a shape: a cell, and how long its row run and its column are where it begins them.
pub(crate) type Step = steps::Step<u16>;

/// The label, from its highest bit: new row, column, length of the run, length of the column. Steps side by side that
/// begin the same run are neighbours then.
const NEW_ROW: u16 = 1 << 13;

impl Step {
    pub(crate) fn x(self) -> usize {
        usize::from(self.label >> 8 & 31)
    }
    /// The length of the row run that begins here, 0 where the run before goes on.
    pub(crate) fn run(self) -> usize {
        usize::from(self.label >> 4 & 15)
    }
    /// The length of the column that begins here, 0 where the column above goes on.
    pub(crate) fn column(self) -> usize {
        usize::from(self.label & 15)
    }
    pub(crate) fn new_row(self) -> bool {
        self.label & NEW_ROW != 0
    }
}

/// The shapes of so many dice whose rows have words of these lengths, and whose columns have words of those.
#[derive(Debug)]
pub(crate) struct Family {
    dice: u8,
    pub(crate) across: Lengths,
    pub(crate) down: Lengths,
    /// How many of its dice stand in one word only.
    pub(crate) singles: u8,
    /// Its place among the families of as many dice.
    place: u16,
}

impl Family {
    /// Its shapes, a trie in preorder. All dense families of a number of dice are drawn when the first of them is asked
    /// for, and so are all others: most throws never ask for those.
    pub(crate) fn steps(&self) -> &'static [Step] {
        static DRAWN: [[OnceLock<Vec<Vec<Step>>>; 2]; MAX_DICE + 1] =
            [const { [const { OnceLock::new() }; 2] }; MAX_DICE + 1];
        let dense = self.singles <= DENSE;
        let drawn = DRAWN[usize::from(self.dice)][usize::from(dense)]
            .get_or_init(|| draw(usize::from(self.dice), dense));
        &drawn[usize::from(self.place)]
    }
}

/// The most singles of a dense shape.
const DENSE: u8 = 3;

/// Which families have a shape: for every number of dice from 2 to 14 how many, then their lengths across and down.
const FAMILIES: &[u8] = include_bytes!("../data/families.bin");

/// The families of shapes of `dice` dice.
pub(crate) fn families(dice: usize) -> &'static [Family] {
    static ALL: LazyLock<Vec<Vec<Family>>> = LazyLock::new(read_families);
    ALL.get(dice).map_or(&[], Vec::as_slice)
}

fn read_families() -> Vec<Vec<Family>> {
    let mut all = vec![Vec::new(), Vec::new()];
    let mut bytes = FAMILIES;
    for dice in 2..=MAX_DICE as u8 {
        let (count, rest) = bytes.split_at(2);
        let (pairs, rest) = rest.split_at(2 * usize::from(u16::from_le_bytes([count[0], count[1]])));
        bytes = rest;
        let sum = |lengths: Lengths| LENGTHS.parts[usize::from(lengths)].iter().sum::<u8>();
        let family = |(place, pair): (usize, &[u8])| Family {
            dice,
            across: pair[0],
            down: pair[1],
            singles: 2 * dice - sum(pair[0]) - sum(pair[1]),
            place: place as u16,
        };
        all.push(pairs.chunks(2).enumerate().map(family).collect());
    }
    all
}

/// A shape as the labels of its steps.
type Shape = [u16; MAX_DICE];

/// The shapes of all dense families of `dice` dice, or of all others, by place of the family.
fn draw(dice: usize, dense: bool) -> Vec<Vec<Step>> {
    let families = families(dice);
    let mut shapes: Vec<(u16, Shape)> = Vec::new();
    Grid::grow_all(dice, dense.then_some(DENSE.into()), &mut |rows| {
        if (singles(rows, rows) <= u32::from(DENSE)) != dense {
            return;
        }
        let shape = written(rows);
        let across = LENGTHS.number(shape.iter().map(|&label| usize::from(label >> 4 & 15)));
        let down = LENGTHS.number(shape.iter().map(|&label| usize::from(label & 15)));
        if across > down || across == down && is_chosen(rows) {
            let place = families.binary_search_by_key(&(across, down), |family| (family.across, family.down));
            shapes.push((place.expect("every family is in the table") as u16, shape));
        }
    });
    shapes.sort_unstable();
    let mut drawn = vec![Vec::new(); families.len()];
    for family in shapes.chunk_by(|a, b| a.0 == b.0) {
        let labels = |(_, shape): &(u16, Shape)| shape.map(|label| (label, ())).into_iter().take(dice);
        drawn[usize::from(family[0].0)] = steps::trie(family.iter().map(labels));
    }
    drawn
}

/// Every shape of `dice` dice, one of each pair of mirror images, as rows of bits.
pub(crate) fn each(dice: usize, mut each: impl FnMut(&[u32])) {
    Grid::grow_all(dice, None, &mut |rows| {
        if is_chosen(rows) {
            each(rows);
        }
    });
}

/// Rows of cells as bits, with an empty one above and below.
type Rows = [u32; MAX_DICE + 2];

/// A polyomino being grown, Redelmeier's way; rows begin at 1, and the first cell is in column 16.
struct Grid {
    rows: Rows,
    seen: Rows,
    untried: Vec<(usize, u32)>,
    /// The cells of the shape, and those that may yet become so.
    open: Rows,
    /// Shapes of more singles may be left out.
    most_singles: Option<u32>,
}

impl Grid {
    /// All shapes of `dice` dice; those with more than `most_singles` may be left out.
    fn grow_all(dice: usize, most_singles: Option<u32>, each: &mut impl FnMut(&Rows)) {
        let mut grid = Self {
            rows: [0; MAX_DICE + 2],
            seen: [0; MAX_DICE + 2],
            untried: vec![(1, 16)],
            open: [u32::MAX; MAX_DICE + 2],
            most_singles,
        };
        // Nothing above the first row, nothing before the first cell.
        grid.seen[0] = u32::MAX;
        grid.seen[1] = (1 << 17) - 1;
        grid.open[0] = 0;
        grid.open[1] = !((1 << 16) - 1);
        grid.grow(0, dice, each);
    }

    fn grow(&mut self, from: usize, left: usize, each: &mut impl FnMut(&Rows)) {
        let end = self.untried.len();
        for i in from..end {
            let (y, x) = self.untried[i];
            self.rows[y] |= 1 << x;
            if left == 1 {
                each(&self.rows);
            } else if !self.has_too_many_singles(left - 1) {
                for (y, x) in [(y, x + 1), (y, x - 1), (y + 1, x), (y - 1, x)] {
                    if self.seen[y] >> x & 1 == 0 {
                        self.seen[y] |= 1 << x;
                        self.untried.push((y, x));
                    }
                }
                self.grow(i + 1, left - 1, each);
                for (y, x) in self.untried.drain(end..) {
                    self.seen[y] &= !(1 << x);
                }
            }
            self.rows[y] &= !(1 << x);
            self.open[y] &= !(1 << x);
        }
        for &(y, x) in &self.untried[from..] {
            self.open[y] |= 1 << x;
        }
    }

    /// Will there be too many singles, with `left` cells more? Singles for good have no open cell on either side, or none above
    /// and below; of all others a new cell can mend the four that it touches.
    fn has_too_many_singles(&self, left: usize) -> bool {
        self.most_singles.is_some_and(|most| {
            singles(&self.rows, &self.open) > most || singles(&self.rows, &self.rows) > most + 4 * left as u32
        })
    }
}

/// How many cells stand in one word only, when the cells of `laid` are beside them.
fn singles(rows: &Rows, laid: &Rows) -> u32 {
    let mut singles = 0;
    for y in 1..=MAX_DICE {
        let row = rows[y];
        if row == 0 {
            break;
        }
        let beside = laid[y];
        singles += (row & !((beside << 1 | beside >> 1) & (laid[y - 1] | laid[y + 1]))).count_ones();
    }
    singles
}

fn written(rows: &Rows) -> Shape {
    let mut shape = [0; MAX_DICE];
    let mut n = 0;
    for y in 1..=MAX_DICE {
        let row = rows[y];
        let mut left = row;
        let mut new_row = if y > 1 { NEW_ROW } else { 0 };
        while left != 0 {
            let x = left.trailing_zeros();
            left &= left - 1;
            let run = if row >> (x - 1) & 1 == 0 { (row >> x).trailing_ones() as u16 } else { 0 };
            let column = if rows[y - 1] >> x & 1 == 0 {
                rows[y..].iter().take_while(|row| *row >> x & 1 == 1).count() as u16
            } else {
                0
            };
            shape[n] = (x as u16) << 8 | run << 4 | column | new_row;
            new_row = 0;
            n += 1;
        }
    }
    shape
}

/// Of a shape and its mirror image in the diagonal, the one to keep; rows begin at 1.
fn is_chosen(rows: &[u32]) -> bool {
    let height = rows[1..].iter().take_while(|&&row| row != 0).count();
    let all = rows.iter().fold(0, |all, row| all | row);
    let left = all.trailing_zeros();
    let width = (all >> left).count_ones() as usize;
    if height != width {
        return height < width;
    }
    let mirrored =
        (0..width).map(|x| (0..height).fold(0_u32, |row, y| row | (rows[y + 1] >> left >> x & 1) << y));
    rows[1..=height].iter().map(|row| row >> left).le(mirrored)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    type Cells = Vec<(u8, u8)>;

    /// All fixed polyominoes, grown the plain way.
    fn polyominoes(dice: usize) -> BTreeSet<Cells> {
        let mut layer: BTreeSet<Cells> = BTreeSet::from([vec![(0, 0)]]);
        for _ in 1..dice {
            let mut next = BTreeSet::new();
            for shape in &layer {
                for &(y, x) in shape {
                    for (dy, dx) in [(1_i8, 0_i8), (-1, 0), (0, 1), (0, -1)] {
                        let mut grown: Vec<(i8, i8)> =
                            shape.iter().map(|&(y, x)| (y as i8, x as i8)).collect();
                        let new = (y as i8 + dy, x as i8 + dx);
                        if grown.contains(&new) {
                            continue;
                        }
                        grown.push(new);
                        next.insert(moved(&grown));
                    }
                }
            }
            layer = next;
        }
        layer
    }

    fn moved(cells: &[(i8, i8)]) -> Cells {
        let top = cells.iter().map(|c| c.0).min().unwrap_or(0);
        let left = cells.iter().map(|c| c.1).min().unwrap_or(0);
        let mut moved: Cells = cells.iter().map(|&(y, x)| ((y - top) as u8, (x - left) as u8)).collect();
        moved.sort_unstable();
        moved
    }

    fn lengths(cells: &Cells, down: bool) -> Lengths {
        let has = |y: i8, x: i8| cells.contains(&(y as u8, x as u8)) && y >= 0 && x >= 0;
        let (dy, dx) = if down { (1, 0) } else { (0, 1) };
        LENGTHS.number(
            cells
                .iter()
                .map(|&(y, x)| (y as i8, x as i8))
                .filter(|&(y, x)| !has(y - dy, x - dx))
                .map(|(y, x)| (0..16).take_while(|i| has(y + i * dy, x + i * dx)).count()),
        )
    }

    /// What the families should be: of every shape and its mirror image one, with the higher number across.
    fn expected(dice: usize) -> BTreeMap<(Lengths, Lengths), BTreeSet<Cells>> {
        let mut families: BTreeMap<(Lengths, Lengths), BTreeSet<Cells>> = BTreeMap::new();
        for shape in polyominoes(dice) {
            let (across, down) = (lengths(&shape, false), lengths(&shape, true));
            let mut mirror: Cells = shape.iter().map(|&(y, x)| (x, y)).collect();
            mirror.sort_unstable();
            if across > down
                || across == down && !families.get(&(across, down)).is_some_and(|f| f.contains(&mirror))
            {
                families.entry((across, down)).or_default().insert(shape);
            }
        }
        families
    }

    fn drawn(steps: &[Step], from: usize, to: usize, cells: &mut Vec<(i8, i8)>, all: &mut Vec<Cells>) {
        let mut at = from;
        while at < to {
            let step = steps[at];
            let y = cells.last().map_or(0, |last| last.0) + i8::from(step.new_row());
            cells.push((y, step.x() as i8));
            if step.skip as usize == at + 1 {
                all.push(moved(cells));
            }
            drawn(steps, at + 1, step.skip as usize, cells, all);
            cells.pop();
            at = step.skip as usize;
        }
    }

    fn agree(dice: usize) {
        let expected = expected(dice);
        let pairs: Vec<_> = families(dice).iter().map(|family| (family.across, family.down)).collect();
        assert_eq!(pairs, expected.keys().copied().collect::<Vec<_>>());
        for family in families(dice) {
            let mut all = Vec::new();
            drawn(family.steps(), 0, family.steps().len(), &mut Vec::new(), &mut all);
            let one_of_each = |cells: &Cells| {
                let mut mirror: Cells = cells.iter().map(|&(y, x)| (x, y)).collect();
                mirror.sort_unstable();
                if family.across == family.down { cells.min(&mirror).clone() } else { cells.clone() }
            };
            let set: BTreeSet<Cells> = all.iter().map(one_of_each).collect();
            assert_eq!(set.len(), all.len(), "a shape twice");
            assert_eq!(set, expected[&(family.across, family.down)].iter().map(one_of_each).collect());
        }
    }

    #[test]
    fn every_polyomino_is_in_its_family_once() {
        (2..=9).for_each(agree);
    }

    #[test]
    #[ignore = "the long form: a minute"]
    fn every_larger_polyomino_is_in_its_family_once() {
        (10..=12).for_each(agree);
    }
}
