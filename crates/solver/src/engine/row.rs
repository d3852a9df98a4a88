//! The words that a row can be, chosen all at once when it begins.

use super::{Engine, MAX_DICE, Owes, Sides, Watch};
use crate::count::Count;
use crate::lengths::Lengths;
use crate::tables::{Stock, Tables};
use crate::trie::{Node, Tries};

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

impl<C: Count, W: Watch> Engine<'_, C, W> {
    /// The words that fit a run of `length` beginning at `x`, as far as the columns above and the dice left say.
    pub(super) fn fit(&mut self, x: usize, length: usize, s: &Sides) {
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
}
