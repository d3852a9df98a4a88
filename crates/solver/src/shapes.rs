//! The shapes a layout can have: all fixed polyominoes, one of each pair of mirror images in the diagonal, sorted by
//! their number of dice and of *singles* (dice in one word only), and written as a trie of cells in reading order.

use std::sync::OnceLock;

use crate::engine::MAX_DICE;
use crate::lengths::{LENGTHS, Lengths};

/// One step of a shape: a cell, and how long its row run and its column are where it begins them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    label: u16,
    /// Past the steps that follow this one.
    pub(crate) skip: u32,
}

const NEW_ROW: u16 = 1 << 13;

impl Step {
    pub(crate) fn x(self) -> usize {
        usize::from(self.label & 31)
    }
    /// The length of the row run that begins here, 0 where the run before goes on.
    pub(crate) fn run(self) -> usize {
        usize::from(self.label >> 5 & 15)
    }
    /// The length of the column that begins here, 0 where the column above goes on.
    pub(crate) fn column(self) -> usize {
        usize::from(self.label >> 9 & 15)
    }
    pub(crate) fn new_row(self) -> bool {
        self.label & NEW_ROW != 0
    }
}

type Shape = [u16; MAX_DICE];

/// The shapes whose rows have words of these lengths, and whose columns have words of those.
#[derive(Debug)]
pub(crate) struct Family {
    pub(crate) across: Lengths,
    pub(crate) down: Lengths,
    /// A trie in preorder.
    pub(crate) steps: Vec<Step>,
}

/// All shapes of `dice` dice.
pub(crate) fn families(dice: usize) -> &'static [Family] {
    static ALL: [OnceLock<Vec<Family>>; MAX_DICE + 1] = [const { OnceLock::new() }; MAX_DICE + 1];
    ALL[dice].get_or_init(|| build(dice))
}

fn build(dice: usize) -> Vec<Family> {
    let mut shapes: Vec<(Lengths, Lengths, Shape)> = Vec::new();
    grow(dice, |grid| {
        let shape = grid.written();
        let across = LENGTHS.number(shape.iter().map(|&label| usize::from(label >> 5 & 15)));
        let down = LENGTHS.number(shape.iter().map(|&label| usize::from(label >> 9 & 15)));
        if across > down || across == down && grid.is_chosen() {
            shapes.push((across, down, shape));
        }
    });
    shapes.sort_unstable();
    shapes
        .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
        .map(|family| Family {
            across: family[0].0,
            down: family[0].1,
            steps: trie(family.iter().map(|f| &f.2), dice),
        })
        .collect()
}

fn trie<'a>(shapes: impl Iterator<Item = &'a Shape>, dice: usize) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut path: Vec<usize> = Vec::new();
    let mut last: Option<&Shape> = None;
    for shape in shapes {
        let shared =
            last.map_or(0, |last| last.iter().zip(shape).take_while(|(a, b)| a == b).count()).min(dice);
        for at in path.drain(shared..) {
            steps[at].skip = steps.len() as u32;
        }
        for &label in &shape[shared..dice] {
            path.push(steps.len());
            steps.push(Step { label, skip: 0 });
        }
        last = Some(shape);
    }
    for at in path {
        steps[at].skip = steps.len() as u32;
    }
    steps
}

/// Rows of cells; the first cell of the first row is in column 16.
#[derive(Clone, Debug)]
struct Grid {
    rows: [u32; MAX_DICE + 2],
}

impl Grid {
    /// Of a shape and its mirror image, the one with longer rows.
    fn is_chosen(&self) -> bool {
        let height = self.rows[1..].iter().take_while(|&&row| row != 0).count();
        let all = self.rows.iter().fold(0, |all, row| all | row);
        let left = all.trailing_zeros();
        let width = (all >> left).count_ones() as usize;
        if height != width {
            return height < width;
        }
        let mirrored = (0..width)
            .map(|x| (0..height).fold(0_u32, |row, y| row | (self.rows[y + 1] >> left >> x & 1) << y));
        self.rows[1..=height].iter().map(|row| row >> left).le(mirrored)
    }

    fn written(&self) -> Shape {
        let mut shape = [0; MAX_DICE];
        let mut n = 0;
        for y in 1..=MAX_DICE {
            let row = self.rows[y];
            let mut left = row;
            let mut new_row = if y > 1 { NEW_ROW } else { 0 };
            while left != 0 {
                let x = left.trailing_zeros();
                left &= left - 1;
                let run = if row >> (x - 1) & 1 == 0 { (row >> x).trailing_ones() as u16 } else { 0 };
                let column = if self.rows[y - 1] >> x & 1 == 0 {
                    self.rows[y..].iter().take_while(|row| *row >> x & 1 == 1).count() as u16
                } else {
                    0
                };
                shape[n] = x as u16 | run << 5 | column << 9 | new_row;
                new_row = 0;
                n += 1;
            }
        }
        shape
    }
}

/// Every fixed polyomino of `dice` cells, once (Redelmeier's way).
fn grow(dice: usize, mut each: impl FnMut(&Grid)) {
    let mut grid = Grid { rows: [0; MAX_DICE + 2] };
    let mut seen = [0_u32; MAX_DICE + 2];
    // Nothing above the first row, nothing before the first cell.
    seen[0] = u32::MAX;
    seen[1] = (1 << 16) - 1;
    let mut untried = Vec::with_capacity(4 * MAX_DICE);
    untried.push((1_usize, 16_u32));
    seen[1] |= 1 << 16;
    step(&mut grid, &mut seen, &mut untried, 0, dice, &mut each);
}

fn step(
    grid: &mut Grid,
    seen: &mut [u32; MAX_DICE + 2],
    untried: &mut Vec<(usize, u32)>,
    from: usize,
    left: usize,
    each: &mut impl FnMut(&Grid),
) {
    let end = untried.len();
    for i in from..end {
        let (y, x) = untried[i];
        grid.rows[y] |= 1 << x;
        if left == 1 {
            each(grid);
        } else {
            for (ny, nx) in [(y, x + 1), (y, x - 1), (y + 1, x), (y - 1, x)] {
                if seen[ny] >> nx & 1 == 0 {
                    seen[ny] |= 1 << nx;
                    untried.push((ny, nx));
                }
            }
            step(grid, seen, untried, i + 1, left - 1, each);
            for (ny, nx) in untried.drain(end..) {
                seen[ny] &= !(1 << nx);
            }
        }
        grid.rows[y] &= !(1 << x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_fixed_polyominoes_are_grown_once() {
        let counts: Vec<usize> = (1..=9)
            .map(|dice| {
                let mut n = 0;
                grow(dice, |_| n += 1);
                n
            })
            .collect();
        assert_eq!(counts, [1, 2, 6, 19, 63, 216, 760, 2725, 9910]);
    }
}
