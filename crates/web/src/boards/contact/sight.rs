//! Where things lie on the drawing, seen from one side of the board: corners to points and back, and what part of
//! the board is looked at.

use contact::{Corner, Side};

/// A square of the board, in the measure of the drawing.
pub(super) const CELL: f64 = 50.0;
/// From the edge of the drawing to the first line.
pub(super) const EDGE: f64 = 28.0;
/// The whole drawing: sixteen squares and both edges.
pub(super) const WHOLE: f64 = 16.0 * CELL + 2.0 * EDGE;

/// The board as one side sees it: that side's home line is the nearest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sight {
    /// Quarter turns of the board against the clock.
    quarters: u8,
}

impl Sight {
    /// As that side sees it.
    pub(super) const fn from(side: Side) -> Sight {
        Sight { quarters: side.index() as u8 }
    }

    /// Quarter turns of the board against the clock.
    pub(super) const fn quarters(self) -> i32 {
        self.quarters as i32
    }

    /// Column from the left and row from the top, both 1 to 15.
    fn seen(self, corner: Corner) -> (u8, u8) {
        let (x, y) = (corner.x(), corner.y());
        match self.quarters {
            0 => (x, 16 - y),
            1 => (16 - y, 16 - x),
            2 => (16 - x, y),
            _ => (y, x),
        }
    }

    /// The corner at a column from the left and a row from the top.
    fn unseen(self, column: u8, row: u8) -> Option<Corner> {
        if !(1..=15).contains(&column) || !(1..=15).contains(&row) {
            return None;
        }
        match self.quarters {
            0 => Corner::new(column, 16 - row),
            1 => Corner::new(16 - row, 16 - column),
            2 => Corner::new(16 - column, row),
            _ => Corner::new(row, column),
        }
    }

    /// Where a corner lies on the drawing.
    pub(super) fn place(self, corner: Corner) -> (f64, f64) {
        let (column, row) = self.seen(corner);
        (EDGE + f64::from(column) * CELL, EDGE + f64::from(row) * CELL)
    }

    /// The corner one step to the right and one down, as the eye sees it; the same at the edge.
    pub(super) fn step(self, corner: Corner, right: i8, down: i8) -> Corner {
        let (column, row) = self.seen(corner);
        let to = (column.saturating_add_signed(right), row.saturating_add_signed(down));
        self.unseen(to.0, to.1).unwrap_or(corner)
    }

    /// The nearest of some corners to a point, if it is near enough.
    pub(super) fn nearest(
        self,
        (x, y): (f64, f64),
        among: impl IntoIterator<Item = Corner>,
        within: f64,
    ) -> Option<(Corner, f64)> {
        let far = |corner: Corner| {
            let (cx, cy) = self.place(corner);
            (cx - x).hypot(cy - y)
        };
        among
            .into_iter()
            .map(|corner| (corner, far(corner)))
            .filter(|(_, far)| *far <= within)
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The figures of a tile as the eye meets them, clockwise from the top left.
    pub(super) fn figures(self, figures: [u8; 4]) -> [u8; 4] {
        let mut seen = figures;
        seen.rotate_left(usize::from(self.quarters));
        seen
    }
}

/// The part of the drawing that is looked at: a square.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Frame {
    x: f64,
    y: f64,
    side: f64,
}

impl Frame {
    /// All of it.
    pub(super) const ALL: Frame = Frame { x: 0.0, y: 0.0, side: WHOLE };
    /// All squares, without the letters and numbers round them.
    pub(super) const SQUARES: Frame = Frame { x: EDGE - 10.0, y: EDGE - 10.0, side: 16.0 * CELL + 20.0 };

    /// The smallest square that shows some corners with a square of room round them, at least `least` squares wide.
    pub(super) fn around(sight: Sight, corners: &[Corner], least: f64) -> Frame {
        let points: Vec<(f64, f64)> = corners.iter().map(|&corner| sight.place(corner)).collect();
        let span = |values: Vec<f64>| {
            let low = values.iter().copied().fold(f64::INFINITY, f64::min) - 1.4 * CELL;
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) + 1.4 * CELL;
            (low, high)
        };
        let (left, right) = span(points.iter().map(|point| point.0).collect());
        let (top, bottom) = span(points.iter().map(|point| point.1).collect());
        if points.is_empty() {
            return Frame::SQUARES;
        }
        let all = Frame::SQUARES;
        let side = (right - left).max(bottom - top).max(least * CELL).min(all.side);
        let within = |middle: f64, low: f64| (middle - side / 2.0).clamp(low, low + all.side - side);
        Frame {
            x: within(f64::midpoint(left, right), all.x),
            y: within(f64::midpoint(top, bottom), all.y),
            side,
        }
    }

    fn scale(self) -> f64 {
        WHOLE / self.side
    }

    /// A point of the drawing's surface, on the board.
    pub(super) fn onto_board(self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x + x / self.scale(), self.y + y / self.scale())
    }

    /// How the drawing is moved so that this part fills it.
    pub(super) fn style(self) -> String {
        let scale = self.scale();
        format!("transform:translate({:.2}px,{:.2}px) scale({scale:.4})", -self.x * scale, -self.y * scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_side_sees_its_own_home_line_nearest_and_its_neighbour_to_the_left_at_the_left() {
        for side in Side::ALL {
            let sight = Sight::from(side);
            let home = side.corner(1, 8).expect("a corner");
            assert_eq!(sight.place(home), (EDGE + 8.0 * CELL, EDGE + 15.0 * CELL), "{side}");
            let left = Side::ALL[(side.index() + 1) % 4].corner(1, 8).expect("a corner");
            assert_eq!(sight.place(left), (EDGE + CELL, EDGE + 8.0 * CELL), "{side}");
        }
    }

    #[test]
    fn what_is_seen_is_found_again() {
        for side in Side::ALL {
            let sight = Sight::from(side);
            for at in (1..=15).flat_map(|x| (1..=15).filter_map(move |y| Corner::new(x, y))) {
                let all = (1..=15).flat_map(|x| (1..=15).filter_map(move |y| Corner::new(x, y)));
                assert_eq!(sight.nearest(sight.place(at), all, 1.0).map(|found| found.0), Some(at));
                let right = sight.step(at, 1, 0);
                assert!(right == at || sight.step(right, -1, 0) == at, "{side} {at}");
            }
        }
    }

    #[test]
    fn a_frame_stays_on_the_board_and_shows_what_it_is_for() {
        let corner = |text: &str| text.parse::<Corner>().expect("a corner");
        let frame = Frame::around(Sight::from(Side::South), &[corner("a1"), corner("b2")], 7.0);
        assert!(frame.x >= Frame::SQUARES.x && frame.side >= 7.0 * CELL);
        assert!(frame.y + frame.side <= Frame::SQUARES.y + Frame::SQUARES.side + 1e-6);
        let (x, y) = frame.onto_board((WHOLE, WHOLE));
        assert!((x - frame.x - frame.side).abs() < 1e-6 && (y - frame.y - frame.side).abs() < 1e-6);
    }
}
