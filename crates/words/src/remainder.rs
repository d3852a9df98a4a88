//! What counts when time is up and the arrangement on the table is not good (IQ-R7, SB-R4).
//!
//! The rule as it is read here:
//!
//! 1. While a run is no word, a die of such a run is taken out; any other die stays where it is. Each time the runs are
//!    read anew: a die taken out may free a shorter word, or break a good one that it was part of. Which die of which bad
//!    run goes, and in what order, is the choice of the rule.
//! 2. Where this leaves several groups that do not hang together, one stays and the others are taken out; a die that
//!    stands alone is no word and goes. For young players (SB-R6) every separate word stays, and a die in two words is
//!    as bad as a run that is no word.
//! 3. Among all ways to do this, the one that leaves the highest count is taken; among those, the most dice; among those,
//!    the dice that were put down first.
//!
//! So a good arrangement is left as it is, and a die in good words only is never taken out to make them count more (a
//! black S from a red CATS). A WILD without a letter makes its runs bad. Dice that lie on others, or were never thrown,
//! are taken out before anything else.
//!
//! Each group of dice is solved once, by a table over all sets of dice: exact, and small, since only sets that hang
//! together occur.

use crate::count::{Counting, Face};
use crate::layout::{Checked, Grid, Layout, MAX_DICE, Run};
use crate::letter::Letter;

/// What is left, and what it counts.
#[derive(Clone, Debug)]
pub struct Remainder {
    /// The dice that stay, each where it was.
    pub layout: Layout,
    /// Its words; there are no faults.
    pub checked: Checked,
    /// The count: that of `checked`.
    pub count: i32,
}

/// The best of a group: what it counts beyond not being used, and which seats stay.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Best {
    gain: i32,
    kept: u16,
}

impl Best {
    const NOTHING: Self = Self { gain: 0, kept: 0 };

    fn better(self, other: Self) -> Self {
        // The lowest seat is the first die put down: mirrored, "earlier dice" is "the higher number".
        let rank = |best: Self| (best.gain, best.kept.count_ones(), best.kept.reverse_bits());
        if rank(other) > rank(self) { other } else { self }
    }
}

struct Search<'a, J> {
    grid: Grid,
    faces: &'a [Face],
    counting: Counting,
    is_word: J,
    known: Vec<Option<Best>>,
}

impl Layout {
    /// What of this layout counts when time is up: all of it if it is good, else the best that is left when the bad dice
    /// are taken out. The [module's own words](crate::remainder) say exactly how.
    pub fn remainder(
        &self,
        faces: &[Face],
        counting: Counting,
        is_word: impl Fn(&[Letter]) -> bool,
    ) -> Remainder {
        let faces = &faces[..faces.len().min(MAX_DICE)];
        let checked = self.check(faces, counting, &is_word);
        if let Some(count) = checked.count() {
            return Remainder { layout: self.clone(), checked, count };
        }
        let grid = Grid::new(self, faces, |_| ());
        let known = vec![None; grid.all as usize + 1];
        let mut search = Search { grid, faces, counting, is_word: &is_word, known };
        let kept = search.groups(search.grid.all).kept;
        let layout = search.grid.layout(kept);
        let checked = layout.check(faces, counting, &is_word);
        debug_assert!(checked.is_good(), "the remainder is good: {:?}", checked.faults());
        let count = checked.count().unwrap_or_default();
        Remainder { layout, checked, count }
    }
}

impl<J: Fn(&[Letter]) -> bool> Search<'_, J> {
    /// The best of all groups among `seats`: the best one of them, or all together where words stand apart.
    fn groups(&mut self, mut seats: u16) -> Best {
        let mut best = Best::NOTHING;
        while seats != 0 {
            let group = self.grid.group(seats);
            seats &= !group;
            let found = self.group(group);
            best = if self.counting.is_crossword() {
                best.better(found)
            } else {
                Best { gain: best.gain + found.gain, kept: best.kept | found.kept }
            };
        }
        best
    }

    /// The best of one group of dice that hang together.
    fn group(&mut self, seats: u16) -> Best {
        if seats.count_ones() < 2 {
            return Best::NOTHING;
        }
        if let Some(known) = self.known[seats as usize] {
            return known;
        }
        let (runs, len) = self.grid.runs(seats, self.faces, self.counting, &self.is_word);
        let best = match self.bad(seats, &runs[..len]) {
            0 => self.gain(seats, &runs[..len]),
            bad => {
                let each = (0..MAX_DICE).map(|seat| 1 << seat).filter(|seat| bad & seat != 0);
                each.fold(Best::NOTHING, |best, seat| best.better(self.groups(seats & !seat)))
            }
        };
        self.known[seats as usize] = Some(best);
        best
    }

    /// The seats that may be taken out.
    fn bad(&self, seats: u16, runs: &[Run]) -> u16 {
        let bad = runs.iter().filter(|run| !run.valid).fold(0, |bad, run| bad | self.grid.seats(run.dice()));
        if self.counting.is_crossword() {
            return bad;
        }
        let mut once = 0;
        let crossed = runs.iter().map(|run| self.grid.seats(run.dice())).fold(0, |crossed, run| {
            let again = once & run;
            once |= run;
            crossed | again
        });
        let through_crossed =
            runs.iter().map(|run| self.grid.seats(run.dice())).filter(|run| run & crossed != 0);
        seats & through_crossed.fold(bad, |bad, run| bad | run)
    }

    fn gain(&self, seats: u16, runs: &[Run]) -> Best {
        let points: i32 = runs.iter().map(|run| run.points).sum();
        let saved: i32 =
            self.grid.dice(seats).iter().map(|die| self.counting.unused(self.faces[die as usize])).sum();
        Best { gain: points + saved, kept: seats }
    }
}
