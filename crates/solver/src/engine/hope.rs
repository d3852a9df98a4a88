//! The bounds that are asked for at every die: whether what is laid can still lead to the target.

use super::{Engine, Owes, Run, Sides, Watch};
use crate::count::Count;
use crate::tables::{IMPOSSIBLE, Stock};

impl<C: Count, W: Watch> Engine<'_, C, W> {
    /// Can what is finished, and the most that is to come, reach the target?
    #[inline]
    pub(super) fn hopeful(&self, s: &Sides) -> bool {
        let across = match s.owes {
            Owes::Across => self.t.most_owed(s.rows, s.across_left),
            _ => self.t.most(s.rows, s.across_left),
        };
        let down = match s.owes {
            Owes::Down => self.t.most_owed(s.columns, s.down_left),
            _ => self.t.most(s.columns, s.down_left),
        };
        let toll = if C::LEFT_OVER_COSTS { self.t.cheapest(s.rest, self.left_over) } else { 0 };
        i32::from(s.across) + i32::from(across) + i32::from(s.down) + i32::from(down)
            - i32::from(toll)
            - self.lost
            >= self.target
    }

    /// Can the dice not laid yet make what is not begun yet?
    #[inline]
    pub(super) fn can_go_on(&self, s: &Sides) -> bool {
        if C::ADDS_UP {
            // Each die left counts twice, but for those yet to stand in one word, and those left over.
            let rest = 2 * self.t.worth[usize::from(s.rest)] as i16;
            let loners = usize::from(self.t.size[usize::from(s.alone)]);
            let Some(others) = (usize::from(s.singles) + self.left_over).checked_sub(loners) else {
                return false;
            };
            let once = self.t.cheapest(s.rest - s.alone, others) + self.t.worth[usize::from(s.alone)] as i16;
            let never = 2 * self.t.cheapest(s.rest, self.left_over);
            if i32::from(s.laid + rest - once - never) - self.lost < self.target {
                return false;
            }
        }
        self.t.most(s.rest, s.across_new) > IMPOSSIBLE / 2 && self.t.most(s.rest, s.down_new) > IMPOSSIBLE / 2
    }

    /// Is there a die for the next letter of a column?
    #[inline]
    pub(super) fn column_goes_on(&self, column: Run, rest: Stock) -> bool {
        self.t.tries.node(column.node).next & self.t.shows[usize::from(rest)] != 0
    }
}
