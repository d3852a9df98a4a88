//! A layout: dice on a grid as a player has put them down, right or wrong. [`Layout::check`] finds its words and its
//! faults and counts it; it is fast enough to be called on every drag, and allocates nothing unless there are faults.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::count::{Counting, Face};
use crate::letter::{Letter, MAX_LETTERS, Word};

/// The most dice a layout may have: then every run fits a [`Word`]. Two sets of I-Qubes are 14.
pub const MAX_DICE: usize = MAX_LETTERS;

/// No die: the neighbour of a die at the edge.
const NONE: u8 = u8::MAX;

/// A set of dice of one throw, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
pub struct DiceSet(u16);

impl DiceSet {
    /// No die.
    pub const NONE: Self = Self(0);

    /// The dice 0 to `n` − 1, at most [`MAX_DICE`].
    pub const fn first(n: usize) -> Self {
        Self(if n < MAX_DICE { (1 << n) - 1 } else { (1 << MAX_DICE) - 1 })
    }

    /// From its bits, die 0 lowest; those above [`MAX_DICE`] are dropped.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::first(MAX_DICE).0)
    }

    /// Its bits, die 0 lowest.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Is this die in it?
    pub const fn contains(self, die: u8) -> bool {
        (die as usize) < MAX_DICE && self.0 >> die & 1 == 1
    }

    /// This set and that die.
    #[must_use]
    pub const fn with(self, die: u8) -> Self {
        if (die as usize) < MAX_DICE { Self(self.0 | 1 << die) } else { self }
    }

    /// This set without that die.
    #[must_use]
    pub const fn without(self, die: u8) -> Self {
        if (die as usize) < MAX_DICE { Self(self.0 & !(1 << die)) } else { self }
    }

    /// What is in this set and not in the other.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// How many.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// None at all?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The dice, in order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let lowest = (bits != 0).then(|| bits.trailing_zeros() as u8)?;
            bits &= bits - 1;
            Some(lowest)
        })
    }
}

impl FromIterator<u8> for DiceSet {
    fn from_iter<I: IntoIterator<Item = u8>>(dice: I) -> Self {
        dice.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Debug for DiceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl From<DiceSet> for Vec<u8> {
    fn from(set: DiceSet) -> Self {
        set.iter().collect()
    }
}

impl TryFrom<Vec<u8>> for DiceSet {
    type Error = String;

    fn try_from(dice: Vec<u8>) -> Result<Self, String> {
        match dice.iter().find(|&&die| die as usize >= MAX_DICE) {
            Some(die) => Err(format!("there is no die {die}: a throw has at most {MAX_DICE}")),
            None => Ok(dice.into_iter().collect()),
        }
    }
}

/// One die put down: which, where, and for a WILD or joker the letter its player calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placed {
    /// Its number in the throw.
    pub die: u8,
    /// Column, growing to the right. The table has no edge that a player could come near.
    pub x: i8,
    /// Row, growing downwards.
    pub y: i8,
    /// The letter called for it; the same in both its words (IQ-S2, SB-S6).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub called: Option<Letter>,
}

/// Dice on a grid, as the player has put them down.
///
/// ```
/// use words::{notation, Counting};
/// // DASH over TOE, one column in: the second example on the sheet of I-Qubes. The WILD is called O.
/// let (layout, faces) = notation::read("DASH/.TO*E", notation::Style::Colours, |tile| tile.face(0))?;
/// let is_word = |word: &[words::Letter]| word.len() > 1;
/// let checked = layout.check(&faces, Counting::IQubes { long_word: false }, is_word);
/// assert_eq!(checked.count(), Some(26));
/// # Ok::<(), notation::NotationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Layout {
    /// The dice, in the order in which they were put down.
    pub dice: Vec<Placed>,
}

/// A word on the table: a maximal run of two or more dice across or down (IQ-R5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Across, or down.
    pub across: bool,
    /// Column of its first die.
    pub x: i8,
    /// Row of its first die.
    pub y: i8,
    /// Its letters; none if a die in it is a WILD for which no letter is called.
    pub word: Option<Word>,
    /// Did the judge take it as a word?
    pub valid: bool,
    /// What it counts, valid or not.
    pub points: i32,
    dice: [u8; MAX_DICE],
    len: u8,
}

impl Run {
    /// The numbers of its dice, first to last.
    pub fn dice(&self) -> &[u8] {
        &self.dice[..self.len as usize]
    }
}

/// A column or a row as people count them: the first is 1.
fn nth(at: i8) -> i16 {
    i16::from(at) + 1
}

/// What is wrong with a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Fault {
    /// More dice than a throw can have.
    #[error("{dice} dice are on the table: a layout has at most {MAX_DICE}")]
    TooManyDice {
        /// How many there are.
        dice: u32,
    },
    /// A die that was not thrown.
    #[error("there is no die {die} in this throw")]
    UnknownDie {
        /// Its number.
        die: u8,
    },
    /// One die in two places.
    #[error("die {die} is on the table twice: take one away")]
    DieTwice {
        /// Its number.
        die: u8,
    },
    /// One WILD, two letters.
    #[error("the wild die {die} is called both {first} and {second}: it is the same letter in both words")]
    WildCalledTwice {
        /// Its number.
        die: u8,
        /// The first call.
        first: Letter,
        /// The second call.
        second: Letter,
    },
    /// Two dice in one place.
    #[error("die {second} lies on die {first} (column {}, row {}): move one of them", nth(*x), nth(*y))]
    CellTaken {
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// The die that came first.
        first: u8,
        /// The die on top of it.
        second: u8,
    },
    /// A WILD without a letter.
    #[error("say which letter the wild die {die} is")]
    WildUncalled {
        /// Its number.
        die: u8,
    },
    /// A letter called for a die that shows another.
    #[error("die {die} shows {shown} and cannot be called {called}")]
    NotWild {
        /// Its number.
        die: u8,
        /// The letter it shows.
        shown: Letter,
        /// The letter called.
        called: Letter,
    },
    /// A die in no word.
    #[error("die {die} stands alone: it belongs to no word")]
    Alone {
        /// Its number.
        die: u8,
    },
    /// Dice that do not hang together with the others.
    #[error("{} of the dice are not connected with the others: all words must hang together", dice.len())]
    Apart {
        /// All dice outside the largest group.
        dice: DiceSet,
    },
    /// Young players: a die in two words.
    #[error("die {die} is in two words: here each belongs to one word only")]
    Crossed {
        /// Its number.
        die: u8,
    },
    /// A run that is no word.
    #[error("{word} ({}, from column {}, row {}) is no word of this table", if *across { "across" } else { "down" }, nth(*x), nth(*y))]
    NoWord {
        /// What stands there.
        word: Word,
        /// Across, or down.
        across: bool,
        /// Column of its first die.
        x: i8,
        /// Row of its first die.
        y: i8,
    },
}

/// What [`Layout::check`] found.
#[derive(Clone, Debug)]
pub struct Checked {
    runs: [Run; MAX_DICE],
    len: u8,
    faults: Vec<Fault>,
    used: DiceSet,
    count: i32,
}

impl Checked {
    /// All runs, valid or not: first those across, then those down.
    pub fn runs(&self) -> &[Run] {
        &self.runs[..self.len as usize]
    }

    /// What is wrong; empty for a good layout.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Nothing is wrong?
    pub fn is_good(&self) -> bool {
        self.faults.is_empty()
    }

    /// The dice on the table.
    pub fn used(&self) -> DiceSet {
        self.used
    }

    /// The count of a good layout; an empty table is good and counts what the unused dice cost.
    pub fn count(&self) -> Option<i32> {
        self.is_good().then_some(self.count)
    }
}

impl Layout {
    /// An empty table.
    pub const EMPTY: Self = Self { dice: Vec::new() };

    /// Puts a die down, or moves it if it is on the table already.
    pub fn place(&mut self, placed: Placed) {
        self.take(placed.die);
        self.dice.push(placed);
    }

    /// Takes a die off the table.
    pub fn take(&mut self, die: u8) -> Option<Placed> {
        let place = self.dice.iter().position(|placed| placed.die == die)?;
        Some(self.dice.remove(place))
    }

    /// The die in a cell.
    pub fn at(&self, x: i8, y: i8) -> Option<Placed> {
        self.dice.iter().find(|placed| (placed.x, placed.y) == (x, y)).copied()
    }

    /// Where a die lies.
    pub fn find(&self, die: u8) -> Option<Placed> {
        self.dice.iter().find(|placed| placed.die == die).copied()
    }

    /// Only the dice of a set.
    #[must_use]
    pub fn keep(&self, dice: DiceSet) -> Self {
        Self { dice: self.dice.iter().filter(|placed| dice.contains(placed.die)).copied().collect() }
    }

    /// Its words, its faults, its count.
    ///
    /// `faces` is the whole throw, by number of die. `is_word` is asked once for each run whose letters are known; a table
    /// without dictionary says yes to everything that was not voted down.
    pub fn check(&self, faces: &[Face], counting: Counting, is_word: impl Fn(&[Letter]) -> bool) -> Checked {
        let mut faults = Vec::new();
        let grid = Grid::new(self, faces, |fault| faults.push(fault));
        let (runs, len) = grid.runs(grid.all, faces, counting, &is_word);
        let found = &runs[..len];
        grid.shape_faults(found, counting, |fault| faults.push(fault));
        for run in found.iter().filter(|run| !run.valid) {
            if let Run { word: Some(word), across, x, y, .. } = *run {
                faults.push(Fault::NoWord { word, across, x, y });
            }
        }
        let used = grid.used();
        let points: i32 = found.iter().map(|run| run.points).sum();
        let count = points - counting.all_unused(faces, used);
        Checked { runs, len: len as u8, faults, used, count }
    }
}

/// The dice of a layout that lie properly, with who is whose neighbour. Dice here go by *seat*, their order in the layout,
/// so that a set of them is a mask.
pub(crate) struct Grid {
    pub(crate) all: u16,
    placed: [Placed; MAX_DICE],
    letters: [Option<Letter>; MAX_DICE],
    /// The seats of the neighbours, by side.
    near: [[u8; 4]; MAX_DICE],
}

const LEFT: usize = 0;
const RIGHT: usize = 1;
const UP: usize = 2;
const DOWN: usize = 3;

/// On which side of a die another lies, if it is a neighbour. The opposite side differs in the lowest bit.
fn side(of: Placed, other: Placed) -> Option<usize> {
    let (dx, dy) = (i16::from(other.x) - i16::from(of.x), i16::from(other.y) - i16::from(of.y));
    match (dx, dy) {
        (-1, 0) => Some(LEFT),
        (1, 0) => Some(RIGHT),
        (0, -1) => Some(UP),
        (0, 1) => Some(DOWN),
        _ => None,
    }
}

impl Grid {
    /// Seats the dice. Those of which the throw knows nothing, second copies and dice on top of others are told and left
    /// out.
    pub(crate) fn new(layout: &Layout, faces: &[Face], mut tell: impl FnMut(Fault)) -> Self {
        let placed = [Placed { die: 0, x: 0, y: 0, called: None }; MAX_DICE];
        let mut grid = Self { all: 0, placed, letters: [None; MAX_DICE], near: [[NONE; 4]; MAX_DICE] };
        if layout.dice.len() > MAX_DICE || faces.len() > MAX_DICE {
            tell(Fault::TooManyDice { dice: layout.dice.len().max(faces.len()) as u32 });
        }
        let mut seats = 0;
        for &placed in layout.dice.iter().take(MAX_DICE) {
            let Some(face) = faces.get(placed.die as usize).filter(|_| (placed.die as usize) < MAX_DICE)
            else {
                tell(Fault::UnknownDie { die: placed.die });
                continue;
            };
            if let Err(fault) = grid.seat(seats, placed) {
                tell(fault);
                continue;
            }
            grid.letters[seats] = letter(*face, placed, &mut tell);
            // What was called for a die that shows a letter is told above, and forgotten.
            grid.placed[seats].called = placed.called.filter(|_| face.is_wild());
            seats += 1;
        }
        grid.all = DiceSet::first(seats).0;
        grid
    }

    /// Gives `placed` the next seat and makes it known to its neighbours.
    fn seat(&mut self, seat: usize, placed: Placed) -> Result<(), Fault> {
        let (x, y, second) = (placed.x, placed.y, placed.die);
        for known in &self.placed[..seat] {
            if known.die == second {
                return Err(twice(*known, placed));
            }
            if (known.x, known.y) == (x, y) {
                return Err(Fault::CellTaken { x, y, first: known.die, second });
            }
        }
        self.placed[seat] = placed;
        for other in 0..seat {
            if let Some(side) = side(placed, self.placed[other]) {
                self.near[seat][side] = other as u8;
                self.near[other][side ^ 1] = seat as u8;
            }
        }
        Ok(())
    }

    /// The seated dice by number.
    pub(crate) fn used(&self) -> DiceSet {
        self.dice(self.all)
    }

    /// The dice of a set of seats, by number.
    pub(crate) fn dice(&self, seats: u16) -> DiceSet {
        DiceSet(seats).iter().map(|seat| self.placed[seat as usize].die).collect()
    }

    /// The seats of dice given by number.
    pub(crate) fn seats(&self, dice: &[u8]) -> u16 {
        let seated = &self.placed[..self.all.count_ones() as usize];
        let seats = dice.iter().filter_map(|die| seated.iter().position(|placed| placed.die == *die));
        seats.fold(0, |set, seat| set | 1 << seat)
    }

    /// The dice of a set of seats, where they lie.
    pub(crate) fn layout(&self, seats: u16) -> Layout {
        Layout { dice: DiceSet(seats).iter().map(|seat| self.placed[seat as usize]).collect() }
    }

    /// All runs among the dice of `seats`, as if the others were not there.
    pub(crate) fn runs(
        &self,
        seats: u16,
        faces: &[Face],
        counting: Counting,
        is_word: &impl Fn(&[Letter]) -> bool,
    ) -> ([Run; MAX_DICE], usize) {
        let blank = Run {
            across: true,
            x: 0,
            y: 0,
            word: None,
            valid: false,
            points: 0,
            dice: [0; MAX_DICE],
            len: 0,
        };
        let (mut runs, mut len) = ([blank; MAX_DICE], 0);
        for (across, before, after) in [(true, LEFT, RIGHT), (false, UP, DOWN)] {
            for first in DiceSet(seats).iter() {
                let near = &self.near[first as usize];
                if has(seats, near[before]) || !has(seats, near[after]) {
                    continue;
                }
                let run = &mut runs[len];
                len += 1;
                run.across = across;
                self.follow(run, first, seats, after);
                run.points = counting.word(faces, run.dice());
                run.valid = run.word.is_some_and(|word| is_word(&word));
            }
        }
        (runs, len)
    }

    /// Fills in the dice and the letters of a run from its first seat on.
    fn follow(&self, run: &mut Run, first: u8, seats: u16, after: usize) {
        let Placed { x, y, .. } = self.placed[first as usize];
        (run.x, run.y) = (x, y);
        let mut word = Some(Word::EMPTY);
        let mut seat = first;
        while has(seats, seat) {
            run.dice[run.len as usize] = self.placed[seat as usize].die;
            run.len += 1;
            // A run never has more dice than a word may have letters.
            word = word.zip(self.letters[seat as usize]).and_then(|(mut word, letter)| {
                word.push(letter).ok()?;
                Some(word)
            });
            seat = self.near[seat as usize][after];
        }
        run.word = word;
    }

    /// The seats that hang together with the lowest one of `seats`.
    pub(crate) fn group(&self, seats: u16) -> u16 {
        let mut group = seats & seats.wrapping_neg();
        let mut fresh = group;
        while fresh != 0 {
            let seat = fresh.trailing_zeros() as usize;
            fresh &= fresh - 1;
            for side in self.near[seat] {
                if has(seats & !group, side) {
                    (group, fresh) = (group | 1 << side, fresh | 1 << side);
                }
            }
        }
        group
    }

    /// Dice apart, alone, or crossed where they may not be.
    fn shape_faults(&self, runs: &[Run], counting: Counting, mut tell: impl FnMut(Fault)) {
        if counting.is_crossword() {
            let (mut left, mut largest) = (self.all, 0_u16);
            while left != 0 {
                let group = self.group(left);
                left &= !group;
                if group.count_ones() > largest.count_ones() {
                    largest = group;
                }
            }
            match self.all & !largest {
                0 if DiceSet(largest).len() == 1 => {
                    self.dice(largest).iter().for_each(|die| tell(Fault::Alone { die }));
                }
                0 => {}
                apart => tell(Fault::Apart { dice: self.dice(apart) }),
            }
            return;
        }
        let (mut once, mut twice) = (DiceSet::NONE, DiceSet::NONE);
        for &die in runs.iter().flat_map(Run::dice) {
            if once.contains(die) {
                twice = twice.with(die);
            }
            once = once.with(die);
        }
        self.used().minus(once).iter().for_each(|die| tell(Fault::Alone { die }));
        twice.iter().for_each(|die| tell(Fault::Crossed { die }));
    }
}

/// Is there a die at `seat`, and is it in the set?
#[inline]
pub(crate) const fn has(seats: u16, seat: u8) -> bool {
    seat != NONE && seats >> seat & 1 == 1
}

fn twice(first: Placed, second: Placed) -> Fault {
    let die = first.die;
    match (first.called, second.called) {
        (Some(first), Some(second)) if first != second => Fault::WildCalledTwice { die, first, second },
        _ => Fault::DieTwice { die },
    }
}

/// The letter for which a die stands.
fn letter(face: Face, placed: Placed, tell: &mut impl FnMut(Fault)) -> Option<Letter> {
    let die = placed.die;
    match (face.letter, placed.called) {
        (Some(shown), Some(called)) if shown != called => tell(Fault::NotWild { die, shown, called }),
        (None, None) => tell(Fault::WildUncalled { die }),
        _ => {}
    }
    face.letter.or(placed.called)
}
