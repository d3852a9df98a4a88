//! Shapes with their colours: where every cell is red or black, what a layout counts is known before a letter is laid
//! (I-Qubes counts letters and colours, not values). For every stock of red and black dice, all coloured shapes are sorted
//! into levels by what they count, and each level is a trie of cells in reading order.

use std::sync::OnceLock;

use crate::count::{BLACK, ByLength, Count, RED};
use crate::shapes;
use crate::steps::{self, Needs};

/// The most dice of a throw whose shapes are coloured: more would be too many.
pub(crate) const MOST: usize = 7;

/// The colours of the cells of a run as bits, red is 1, the last cell lowest, under a leading one that tells the length.
/// 0 is no run, 2 and 3 are cells that stand alone.
pub(crate) type Pattern = u8;

/// Does a run of this pattern spell a word?
#[inline]
pub(crate) fn spells(pattern: Pattern) -> bool {
    pattern >= 4
}

/// A set of patterns. Long ones share a bit with their neighbours: what is not within the set is surely missing, what is
/// within may be a neighbour only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Patterns([u64; 2]);

impl Patterns {
    pub(crate) fn insert(&mut self, pattern: Pattern) {
        let (word, bit) = match pattern {
            0..64 => (0, pattern),
            64..128 => (1, (pattern - 64) / 2),
            128.. => (1, 32 + (pattern - 128) / 4),
        };
        self.0[word] |= 1 << bit;
    }

    /// Are all of these among `others`?
    #[inline]
    pub(crate) fn within(self, others: Self) -> bool {
        (self.0[0] & !others.0[0]) | (self.0[1] & !others.0[1]) == 0
    }
}

impl Needs for Patterns {
    fn both(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

/// One cell of a coloured shape; it needs the patterns that begin there or later.
pub(crate) type Step = steps::Step<u32, Patterns>;

impl Step {
    pub(crate) fn new_row(self) -> bool {
        self.label >> 24 != 0
    }
    pub(crate) fn x(self) -> usize {
        (self.label >> 19 & 31) as usize
    }
    /// Red is 1.
    pub(crate) fn colour(self) -> usize {
        (self.label >> 18 & 1) as usize
    }
    /// The row run that begins here.
    pub(crate) fn run(self) -> Pattern {
        (self.label >> 8) as Pattern
    }
    /// The column that begins here.
    pub(crate) fn column(self) -> Pattern {
        self.label as Pattern
    }
}

/// All coloured shapes that count the same.
#[derive(Debug)]
pub(crate) struct Level {
    pub(crate) score: i32,
    pub(crate) steps: Vec<Step>,
}

/// The levels of so many red and so many black dice, best first; `long` where a word of all dice counts 15 or 30.
pub(crate) fn levels(red: usize, black: usize, long: bool) -> &'static [Level] {
    static LEVELS: [[[OnceLock<Vec<Level>>; 2]; MOST + 1]; MOST + 1] =
        [const { [const { [const { OnceLock::new() }; 2] }; MOST + 1] }; MOST + 1];
    LEVELS[red][black][usize::from(long)].get_or_init(|| draw(red, black, long))
}

/// The labels of the cells of a coloured shape.
type Shape = [u32; MOST];

fn draw(red: usize, black: usize, long: bool) -> Vec<Level> {
    let count = ByLength { all_dice: long.then_some((red + black) as u8) };
    let mut shapes: Vec<(i32, Shape)> = Vec::new();
    for dice in 2..=red + black {
        shapes::each(dice, |rows| {
            let cells = cells(rows);
            for colours in 0_u32..1 << dice {
                let reds = colours.count_ones() as usize;
                if reds <= red && dice - reds <= black {
                    let (score, shape) = paint(&cells, colours, count);
                    shapes.push((-score, shape));
                }
            }
        });
    }
    shapes.sort_unstable();
    let cells = |(_, shape): &(i32, Shape)| {
        let dice = shape.iter().position(|&label| label == 0).unwrap_or(MOST);
        (*shape).into_iter().zip(needs(&shape[..dice])).take(dice)
    };
    shapes
        .chunk_by(|a, b| a.0 == b.0)
        .map(|level| Level { score: -level[0].0, steps: steps::trie(level.iter().map(cells)) })
        .collect()
}

/// A cell of a shape: its column, whether it is the first of its row, and the cells of the runs that it begins.
struct Cell {
    x: u32,
    new_row: bool,
    run: Vec<usize>,
    column: Vec<usize>,
}

fn cells(rows: &[u32]) -> Vec<Cell> {
    let mut places: Vec<(usize, u32)> = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        places.extend((0..32).filter(|x| row >> x & 1 == 1).map(|x| (y, x)));
    }
    let at = |y: usize, x: u32| places.iter().position(|&place| place == (y, x));
    let cell = |(i, &(y, x)): (usize, &(usize, u32))| Cell {
        x,
        new_row: i > 0 && places[i - 1].0 < y,
        run: if at(y, x - 1).is_some() { Vec::new() } else { (x..).map_while(|x| at(y, x)).collect() },
        column: if at(y - 1, x).is_some() { Vec::new() } else { (y..).map_while(|y| at(y, x)).collect() },
    };
    places.iter().enumerate().map(cell).collect()
}

/// What a shape counts in these colours, and its labels.
fn paint(cells: &[Cell], colours: u32, count: ByLength) -> (i32, Shape) {
    let mut shape = [0; MOST];
    let mut score = 0;
    for (i, cell) in cells.iter().enumerate() {
        let mut label = u32::from(cell.new_row) << 24 | cell.x << 19 | (colours >> i & 1) << 18;
        for (run, shift) in [(&cell.run, 8), (&cell.column, 0)] {
            if run.is_empty() {
                continue;
            }
            let pattern = run.iter().fold(1, |pattern, &i| pattern << 1 | colours >> i & 1);
            label |= pattern << shift;
            if run.len() >= 2 {
                let seen =
                    run.iter().fold(0, |seen, &i| seen | if colours >> i & 1 == 1 { RED } else { BLACK });
                score += i32::from(count.gain(run.len() as u8, 0, seen));
            }
        }
        // A label is never 0: the shape ends at the first that is.
        shape[i] = label;
    }
    (score, shape)
}

/// By cell of a shape: the patterns that begin there or later.
fn needs(shape: &[u32]) -> [Patterns; MOST] {
    let mut needs = [Patterns::default(); MOST];
    let mut later = Patterns::default();
    for (label, needs) in shape.iter().zip(&mut needs).rev() {
        for pattern in [(label >> 8) as Pattern, *label as Pattern] {
            if spells(pattern) {
                later.insert(pattern);
            }
        }
        *needs = later;
    }
    needs
}
