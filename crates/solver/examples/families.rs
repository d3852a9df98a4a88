//! Writes `data/families.bin`: which word lengths across and down a shape of 2 to 14 dice can have. Run it in the crate's
//! folder; it grows all ten million fixed polyominoes and takes a few seconds.
//!
//! For each number of dice: how many pairs (two bytes, low first), then the pairs, each two numbers of multisets of
//! lengths. These are numbered by their sum, and among equal sums from the longest first word down.

use std::collections::{BTreeMap, BTreeSet};

const MOST: usize = 14;
const MIDDLE: u32 = 16;

fn main() -> std::io::Result<()> {
    let mut parts = Vec::new();
    for sum in 0..=MOST {
        write_sums(sum, sum, &mut Vec::new(), &mut parts);
    }
    let numbers: BTreeMap<Vec<usize>, u8> =
        parts.into_iter().enumerate().map(|(n, parts)| (parts, n as u8)).collect();
    let mut found = vec![BTreeSet::new(); MOST + 1];
    let mut grid = Grid { rows: [0; MOST + 2], seen: [0; MOST + 2], untried: vec![(1, MIDDLE)] };
    // Nothing above the first row, nothing before the first cell.
    grid.seen[0] = u32::MAX;
    grid.seen[1] = (1 << (MIDDLE + 1)) - 1;
    grid.grow(0, 1, &mut |size, rows| {
        let (across, down) = (lengths(rows), lengths(&mirrored(rows)));
        found[size].insert((numbers[&across].max(numbers[&down]), numbers[&across].min(numbers[&down])));
    });
    let mut bytes = Vec::new();
    for pairs in &found[2..] {
        bytes.extend((pairs.len() as u16).to_le_bytes());
        bytes.extend(pairs.iter().flat_map(|&(across, down)| [across, down]));
    }
    std::fs::write("data/families.bin", bytes)
}

fn write_sums(sum: usize, longest: usize, begun: &mut Vec<usize>, parts: &mut Vec<Vec<usize>>) {
    if sum == 0 {
        parts.push(begun.clone());
    }
    for word in (2..=sum.min(longest)).rev() {
        begun.push(word);
        write_sums(sum - word, word, begun, parts);
        begun.pop();
    }
}

/// The lengths of the runs of two or more, longest first.
fn lengths(rows: &[u32]) -> Vec<usize> {
    let mut lengths = Vec::new();
    for &row in rows {
        let mut left = row;
        while left != 0 {
            let from = left.trailing_zeros();
            let size = (left >> from).trailing_ones();
            left &= !(((1 << size) - 1) << from);
            if size > 1 {
                lengths.push(size as usize);
            }
        }
    }
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    lengths
}

fn mirrored(rows: &[u32]) -> [u32; 32] {
    std::array::from_fn(|x| rows.iter().enumerate().fold(0, |column, (y, row)| column | (row >> x & 1) << y))
}

/// A polyomino being grown, Redelmeier's way.
struct Grid {
    rows: [u32; MOST + 2],
    seen: [u32; MOST + 2],
    untried: Vec<(usize, u32)>,
}

impl Grid {
    fn grow(&mut self, from: usize, size: usize, each: &mut impl FnMut(usize, &[u32])) {
        let end = self.untried.len();
        for i in from..end {
            let (y, x) = self.untried[i];
            self.rows[y] |= 1 << x;
            if size >= 2 {
                each(size, &self.rows);
            }
            if size < MOST {
                for (y, x) in [(y, x + 1), (y, x - 1), (y + 1, x), (y - 1, x)] {
                    if self.seen[y] >> x & 1 == 0 {
                        self.seen[y] |= 1 << x;
                        self.untried.push((y, x));
                    }
                }
                self.grow(i + 1, size + 1, each);
                for (y, x) in self.untried.drain(end..) {
                    self.seen[y] &= !(1 << x);
                }
            }
            self.rows[y] &= !(1 << x);
        }
    }
}
