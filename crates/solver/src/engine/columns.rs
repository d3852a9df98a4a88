//! Whether the columns that are begun can all be finished: asked whenever a row is.

use super::{Engine, Loner, MAX_DICE, Sides, Watch};
use crate::count::Count;
use crate::lengths::Lengths;
use crate::rows::End;
use crate::tables::Stock;

/// So many ways to finish the columns are looked at.
const WAYS: u32 = 80;

impl<C: Count, W: Watch> Engine<'_, C, W> {
    /// Can the columns that are begun all be finished, each with dice of its own, so that enough is counted? It looks at so
    /// many ways and no more: where there are others, there may be hope.
    pub(super) fn columns_close(&self, s: &Sides) -> bool {
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
}
