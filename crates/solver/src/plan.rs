//! A problem made ready for the engine: its tables, the families of shapes with the most that each can count, and the
//! ways in which a layout to go on from can lie in a shape.

use words::{Face, Layout, Letter, Placed};

use crate::count::Count;
use crate::engine::{Laid, MAX_DICE};
use crate::lengths::{LENGTHS, Lengths};
use crate::outcome::Answer;
use crate::problem::Problem;
use crate::shapes::{self, Family};
use crate::tables::{Kind, Stock, Tables};

/// A family of shapes, and the most that layouts of it can count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rated {
    pub(crate) bound: i32,
    /// How many dice are left over.
    pub(crate) left_over: u8,
    /// How many stand in one word only.
    pub(crate) singles: u8,
    /// What dice cost that are in no word at all.
    pub(crate) lost: i32,
    pub(crate) family: &'static Family,
}

/// Where the search begins: on an empty table, or with dice that are to lie where they are.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// Dice fixed to their places, in reading order.
    pub(crate) fixed: Vec<Laid>,
    /// Is the word that must be laid to be across?
    pub(crate) word_across: bool,
    /// Loners (see [`Tables::find_loners`]) that are in no word across, and those that are in no word down.
    pub(crate) not_across: Stock,
    pub(crate) not_down: Stock,
    /// Rows and columns have changed places.
    mirrored: bool,
    /// From row and column of the shape to those of the table.
    shift: (i16, i16),
}

impl Start {
    pub(crate) const EMPTY_TABLE: Self = Self {
        fixed: Vec::new(),
        word_across: false,
        not_across: 0,
        not_down: 0,
        mirrored: false,
        shift: (0, 0),
    };

    /// Column and row on the table.
    fn place(&self, laid: Laid) -> (i8, i8) {
        let (y, x) = (i16::from(laid.row) + self.shift.0, i16::from(laid.column) + self.shift.1);
        let (y, x) = if self.mirrored { (x, y) } else { (y, x) };
        (x as i8, y as i8)
    }
}

#[derive(Debug)]
pub(crate) struct Plan {
    faces: Vec<Face>,
    start: Option<Layout>,
    pub(crate) tables: Tables,
    /// Best first.
    pub(crate) families: Vec<Rated>,
    /// What dice cost that are in no word at all.
    lost: i32,
    lowest: i32,
    constrained: bool,
    pub(crate) starts: Vec<Start>,
}

impl Plan {
    pub(crate) fn new<C: Count>(problem: &Problem, count: C) -> Self {
        let tables = Tables::new(&problem.faces, problem.word.as_ref(), &problem.dictionary, count);
        let cost = |face: &Face| if C::LEFT_OVER_COSTS { i32::from(face.value) } else { 0 };
        let all: i32 = problem.faces.iter().map(cost).sum();
        let lost =
            all - if C::LEFT_OVER_COSTS { i32::from(tables.worth[usize::from(tables.whole)]) } else { 0 };
        let constrained = problem.all_dice || problem.word.is_some() || problem.start.is_some();
        let starts = Self::starts_of(problem, &tables);
        let mut plan = Self {
            faces: problem.faces.clone(),
            start: problem.start.clone(),
            tables,
            families: Vec::new(),
            lost,
            lowest: -all,
            constrained,
            starts,
        };
        plan.rate::<C>(problem);
        plan
    }

    fn rate<C: Count>(&mut self, problem: &Problem) {
        let t = &self.tables;
        if problem.word.is_some() && t.owed.is_none() {
            // These dice cannot spell it.
            return;
        }
        let dice = usize::from(t.dice);
        let least = if problem.all_dice { problem.faces.len() } else { 2 };
        let mut values: Vec<i32> = Vec::new();
        for kind in &t.kinds {
            values.extend(std::iter::repeat_n(i32::from(kind.value), usize::from(kind.count)));
        }
        values.sort_unstable();
        for size in least..=dice {
            let left_over = dice - size;
            let toll = if C::LEFT_OVER_COSTS { values[..left_over].iter().sum() } else { 0 };
            for family in shapes::families(size) {
                let both = |start: &Start| {
                    i32::from(t.most(t.whole - start.not_across, family.across))
                        + i32::from(t.most(t.whole - start.not_down, family.down))
                };
                let mut bound = self.starts.iter().map(both).max().unwrap_or(self.lowest) - toll;
                let singles = usize::from(family.singles);
                if C::ADDS_UP {
                    // Dice in no word across are others than those in no word down, and the loners are among them.
                    let Some(others) = (singles + left_over).checked_sub(t.loners.len()) else { continue };
                    let once = t.cheapest(t.whole - t.alone, others) + t.worth[usize::from(t.alone)] as i16;
                    let never = 2 * t.cheapest(t.whole, left_over);
                    bound = bound.min(2 * values.iter().sum::<i32>() - i32::from(once) - i32::from(never));
                }
                let bound = bound - self.lost;
                // Jokers alone make words that count nothing: no more than an empty table, and yet a layout.
                if bound >= self.lowest {
                    self.families.push(Rated {
                        bound,
                        left_over: left_over as u8,
                        singles: singles as u8,
                        lost: self.lost,
                        family,
                    });
                }
            }
        }
        let rarity = rarities(t);
        let rare = |lengths: Lengths| -> i32 {
            LENGTHS.parts[usize::from(lengths)].iter().map(|&length| rarity[usize::from(length)]).sum()
        };
        // Of equal bounds the likeliest first: that whose words chance lays soonest, all dice before fewer.
        self.families.sort_by_cached_key(|rated| {
            let left_over = LEFT_OVER * i32::from(rated.left_over);
            (-rated.bound, rare(rated.family.across) + rare(rated.family.down) + left_over)
        });
    }

    /// What an empty table counts, if it is an answer.
    pub(crate) fn empty_score(&self) -> Option<i32> {
        (!self.constrained).then_some(self.lowest)
    }

    /// Less than this no layout counts.
    pub(crate) fn lowest_score(&self) -> i32 {
        self.lowest
    }

    /// All ways in which the word and the layout that are asked for can lie in a shape: shapes are kept in one of their two
    /// orientations only.
    fn starts_of(problem: &Problem, tables: &Tables) -> Vec<Start> {
        let mut starts = vec![Start::EMPTY_TABLE];
        if let Some(layout) = &problem.start {
            starts = [false, true]
                .into_iter()
                .flat_map(|mirrored| places(&problem.faces, layout, &tables.kinds, mirrored))
                .collect();
        }
        if problem.word.is_some() {
            starts = starts
                .into_iter()
                .flat_map(|start| [true, false].map(|word_across| Start { word_across, ..start.clone() }))
                .collect();
        }
        for &loner in &tables.loners {
            let unit = tables.kinds[usize::from(loner)].unit;
            starts = starts
                .into_iter()
                .flat_map(|start| {
                    let down = Start { not_across: start.not_across + unit, ..start.clone() };
                    [down, Start { not_down: start.not_down + unit, ..start }]
                })
                .collect();
        }
        starts
    }

    pub(crate) fn answer(&self, laid: &[Laid], start: &Start, score: i32, bound: i32) -> Answer {
        Answer { layout: self.layout(laid, start), score, bound: bound.max(score) }
    }

    /// The dice laid by number: of dice that are alike, the first first.
    pub(crate) fn layout(&self, laid: &[Laid], start: &Start) -> Layout {
        let left =
            if start.fixed.is_empty() { laid.iter().map(|laid| laid.column).min().unwrap_or(0) } else { 0 };
        let fixed = |x, y| self.start.as_ref().and_then(|start| start.at(x, y));
        let mut used: Vec<u8> =
            self.start.iter().flat_map(|start| start.dice.iter().map(|placed| placed.die)).collect();
        let dice = laid.iter().map(|&laid| {
            let (x, y) = start.place(Laid { column: laid.column - left, ..laid });
            let kind = self.tables.kinds[usize::from(laid.kind)];
            if let Some(placed) = fixed(x, y) {
                return placed;
            }
            let alike = |&die: &u8| !used.contains(&die) && kind.is(self.faces[usize::from(die)]);
            let die = (0..self.faces.len() as u8).find(alike).unwrap_or(0);
            used.push(die);
            let called = Letter::from_index(usize::from(laid.letter)).filter(|_| kind.letter.is_none());
            Placed { die, x, y, called }
        });
        Layout { dice: dice.collect() }
    }

    /// The pattern of a layout, or that of its mirror image in the diagonal, whichever comes first: so both have the same.
    pub(crate) fn pattern(&self, layout: &Layout) -> Pattern {
        let kinds = &self.tables.kinds;
        let fixed = |placed: &Placed| {
            self.start.as_ref().is_some_and(|start| start.dice.iter().any(|fixed| fixed.die == placed.die))
        };
        let drawn = |mirrored: bool| {
            let cell = |placed: &Placed| {
                let face = self.faces[usize::from(placed.die)];
                let kind = kinds.iter().position(|kind| kind.is(face)).unwrap_or(kinds.len());
                let letter = face.letter.or(placed.called).map_or(u8::MAX, |letter| letter.index() as u8);
                let (x, y) = (i16::from(placed.x), i16::from(placed.y));
                let (row, column) = if mirrored { (x, y) } else { (y, x) };
                (row, column, letter, kind as u8, Some(placed.die).filter(|_| fixed(placed)))
            };
            let mut cells: Pattern = layout.dice.iter().map(cell).collect();
            let top = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
            let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
            for cell in &mut cells {
                *cell = (cell.0 - top, cell.1 - left, cell.2, cell.3, cell.4);
            }
            cells.sort_unstable();
            cells
        };
        drawn(false).min(drawn(true))
    }
}

/// A layout wherever it lies, and whichever of alike dice it is made of: its dice in order, each with its row and column,
/// its letter and its kind; one that was to stay where it lies is told by its number, too.
pub(crate) type Pattern = Vec<(i16, i16, u8, u8, Option<u8>)>;

/// How much less likely a die left over makes a layout: one way to lie instead of some twelve.
const LEFT_OVER: i32 = 2_500;

/// By length: how seldom dice that lie by chance are a word, as a logarithm in thousandths.
fn rarities(t: &Tables) -> [i32; MAX_DICE + 1] {
    let mut rarities = [0; MAX_DICE + 1];
    let mut ways = 1.0;
    for (n, rarity) in rarities.iter_mut().enumerate().take(usize::from(t.dice) + 1).skip(1) {
        ways *= f64::from(t.dice) + 1.0 - n as f64;
        let words = t.rows.get(n).map_or(0, |rows| rows.words.len()).max(1);
        *rarity = ((ways / words as f64).ln() * 1000.0) as i32;
    }
    rarities
}

/// The dice of a layout at every place of a shape: its first row may be any row, and its columns anywhere beside the
/// first die of the shape, which is in column 16.
fn places(faces: &[Face], layout: &Layout, kinds: &[Kind], mirrored: bool) -> Vec<Start> {
    let cells: Vec<(i16, i16, u8, u8)> = layout
        .dice
        .iter()
        .filter_map(|placed| {
            let face = faces[usize::from(placed.die)];
            let kind = kinds.iter().position(|kind| kind.is(face))? as u8;
            let letter = face.letter.or(placed.called)?.index() as u8;
            let (row, column) = if mirrored { (placed.x, placed.y) } else { (placed.y, placed.x) };
            Some((i16::from(row), i16::from(column), letter, kind))
        })
        .collect();
    // A die that is in no word can lie nowhere.
    if cells.len() < layout.dice.len() {
        return Vec::new();
    }
    let (top, left) =
        (cells.iter().map(|c| c.0).min().unwrap_or(0), cells.iter().map(|c| c.1).min().unwrap_or(0));
    let most = MAX_DICE as i16;
    if cells.iter().any(|c| c.0 - top >= most || c.1 - left >= most) {
        return Vec::new();
    }
    let mut starts = Vec::new();
    for row in 0..most {
        for column in 17 - most..16 + most {
            let mut fixed: Vec<Laid> = cells
                .iter()
                .map(|&(y, x, letter, kind)| Laid {
                    row: (y - top + row) as u8,
                    column: (x - left + column) as u8,
                    letter,
                    kind,
                })
                .collect();
            fixed.sort_unstable_by_key(|laid| (laid.row, laid.column));
            if fixed.iter().all(|laid| laid.row < most as u8 && laid.column < 16 + most as u8) {
                let shift = (top - row, left - column);
                starts.push(Start { fixed, mirrored, shift, ..Start::EMPTY_TABLE });
            }
        }
    }
    starts
}
