//! Where things lie on the screen, in pixels: a window of cells that keeps the pattern in its middle, and the tray below it
//! with a place for every die. Pure arithmetic.

use letters::{Board, Spot};
use words::Layout;

/// As large as the drawing is before it has been measured.
pub(super) const UNMEASURED: (f64, f64) = (720.0, 560.0);
/// A finger needs this much.
const FINGER: f64 = 44.0;
/// Around the tray, and between its dice.
const PAD: f64 = 8.0;
const GAP: f64 = 6.0;
/// A die in the tray is never larger.
const LARGEST: f64 = 84.0;

/// The columns and rows that a pattern covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// First and last column.
    pub x: (i8, i8),
    /// First and last row.
    pub y: (i8, i8),
}

impl Span {
    /// What the dice on the grid cover; none, if none lie there.
    pub fn of(board: &Board) -> Option<Span> {
        let spots = || board.dice().iter().filter_map(|lie| lie.at);
        let x = spots().map(|spot| spot.0).min().zip(spots().map(|spot| spot.0).max())?;
        let y = spots().map(|spot| spot.1).min().zip(spots().map(|spot| spot.1).max())?;
        Some(Span { x, y })
    }

    /// What a layout covers.
    pub fn of_layout(layout: &Layout) -> Option<Span> {
        let spans =
            layout.dice.iter().map(|placed| Some(Span { x: (placed.x, placed.x), y: (placed.y, placed.y) }));
        spans.fold(None, Span::both)
    }

    /// What two patterns cover together.
    pub fn both(one: Option<Span>, other: Option<Span>) -> Option<Span> {
        let wider = |a: (i8, i8), b: (i8, i8)| (a.0.min(b.0), a.1.max(b.1));
        match (one, other) {
            (Some(one), Some(other)) => Some(Span { x: wider(one.x, other.x), y: wider(one.y, other.y) }),
            (one, other) => one.or(other),
        }
    }
}

/// Where everything lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lay {
    /// The whole drawing.
    pub size: (f64, f64),
    /// The side of a cell.
    pub cell: f64,
    /// How many cells are shown.
    pub columns: i8,
    /// How many cells are shown.
    pub rows: i8,
    /// The first cell that is shown.
    pub first: Spot,
    /// Where that cell lies.
    pub corner: (f64, f64),
    /// The tray: left, top, width, height.
    pub tray: (f64, f64, f64, f64),
    /// The side of a die in the tray.
    pub die: f64,
    /// How many dice lie in a row of the tray.
    pub across: usize,
}

impl Lay {
    /// Lays out so many dice. `before` is the window as it was: it moves only when the pattern comes near its edge.
    pub fn of(size: (f64, f64), dice: usize, span: Option<Span>, before: Option<Lay>) -> Lay {
        let (width, height) = size;
        let (die, across, lines) = tray(width, height, dice);
        let deep = lines as f64 * (die + GAP) - GAP + 2.0 * PAD;
        let room = (width, (height - deep - PAD).max(FINGER));
        let (wide, high) = span.map_or((1, 1), |span| (span.x.1 - span.x.0 + 1, span.y.1 - span.y.0 + 1));
        let least = least(width, dice);
        let need = (least.0.max(wide + 2), least.1.max(high + 2));
        let cell = (room.0 / f64::from(need.0)).min(room.1 / f64::from(need.1)).min(118.0);
        let columns = ((room.0 / cell) as i8).clamp(need.0, 41);
        let rows = ((room.1 / cell) as i8).clamp(need.1, 41);
        let before = before.filter(|before| (before.columns, before.rows) == (columns, rows));
        let first = Spot(
            window(span.map(|span| span.x), columns, before.map(|before| before.first.0)),
            window(span.map(|span| span.y), rows, before.map(|before| before.first.1)),
        );
        let corner =
            ((width - f64::from(columns) * cell) / 2.0, ((room.1 - f64::from(rows) * cell) / 2.0).max(0.0));
        Lay { size, cell, columns, rows, first, corner, tray: (0.0, height - deep, width, deep), die, across }
    }

    /// The upper left corner of a cell.
    pub fn at(&self, spot: Spot) -> (f64, f64) {
        let step = |from: f64, at: i8, first: i8| from + f64::from(at - first) * self.cell;
        (step(self.corner.0, spot.0, self.first.0), step(self.corner.1, spot.1, self.first.1))
    }

    /// The cell under a point.
    pub fn spot_at(&self, (x, y): (f64, f64)) -> Option<Spot> {
        let (column, row) = ((x - self.corner.0) / self.cell, (y - self.corner.1) / self.cell);
        let inside = (0.0..f64::from(self.columns)).contains(&column)
            && (0.0..f64::from(self.rows)).contains(&row)
            && y < self.tray.1;
        inside.then(|| Spot(self.first.0 + column as i8, self.first.1 + row as i8))
    }

    /// Is this cell shown?
    pub fn shows(&self, Spot(x, y): Spot) -> bool {
        (self.first.0..self.first.0 + self.columns).contains(&x)
            && (self.first.1..self.first.1 + self.rows).contains(&y)
    }

    /// The upper left corner of a place in the tray that has so many of them.
    pub fn slot(&self, at: usize, dice: usize) -> (f64, f64) {
        let (line, column) = (at / self.across, at % self.across);
        let here = (dice - (line * self.across).min(dice)).min(self.across);
        let wide = here as f64 * (self.die + GAP) - GAP;
        let x = self.tray.0 + (self.tray.2 - wide) / 2.0 + column as f64 * (self.die + GAP);
        (x, self.tray.1 + PAD + line as f64 * (self.die + GAP))
    }

    /// The place of the tray under a point.
    pub fn slot_at(&self, (x, y): (f64, f64), dice: usize) -> Option<usize> {
        let near = |at: &usize| {
            let (left, top) = self.slot(*at, dice);
            let within =
                |from: f64, point: f64| (from - GAP / 2.0..from + self.die + GAP / 2.0).contains(&point);
            within(left, x) && within(top, y)
        };
        (0..dice).find(near)
    }
}

/// The fewest columns and rows worth showing.
fn least(width: f64, dice: usize) -> (i8, i8) {
    match dice {
        0..=7 if width < 340.0 => (6, 5),
        0..=7 => (7, 5),
        _ if width < 340.0 => (6, 5),
        _ if width < 520.0 => (8, 7),
        _ => (10, 7),
    }
}

/// The side of a die in the tray, how many lie in a row, and how many rows there are.
fn tray(width: f64, height: f64, dice: usize) -> (f64, usize, usize) {
    let dice = dice.max(7);
    let largest = LARGEST.min(height * 0.16).max(FINGER);
    let fit = |lines: usize| {
        let across = dice.div_ceil(lines);
        ((width - 2.0 * PAD + GAP) / across as f64 - GAP, across, lines)
    };
    // Fingers come first, unless the tray then leaves too little of a low screen to the sheet.
    let deep = |lines: usize, die: f64| lines as f64 * (die.min(largest) + GAP) > height * 0.4;
    let fits = |(die, _, lines): &(f64, usize, usize)| *die >= FINGER && !deep(*lines, *die);
    let tight = |(die, _, lines): &(f64, usize, usize)| *die >= 30.0 && !deep(*lines, *die);
    let ways = || (1..=3).map(fit);
    let (die, across, lines) = ways().find(fits).or_else(|| ways().find(tight)).unwrap_or_else(|| fit(2));
    (die.min(largest), across, lines)
}

/// The first of `shown` lines, so that the covered ones lie in the middle; where they lie well enough it stays.
fn window(covered: Option<(i8, i8)>, shown: i8, before: Option<i8>) -> i8 {
    let Some((first, last)) = covered else { return -(shown / 2) };
    let middle = (first + last + 1 - shown).div_euclid(2);
    let well = |from: &i8| {
        let (ahead, behind) = (first - from, from + shown - 1 - last);
        ahead >= 1 && behind >= 1 && (ahead - behind).abs() <= 3
    };
    before.filter(well).unwrap_or(middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spots(lay: &Lay) -> Vec<Spot> {
        let row = |y: i8| (0..lay.columns).map(move |x| (x, y));
        let all = (0..lay.rows).flat_map(row);
        all.map(|(x, y)| Spot(lay.first.0 + x, lay.first.1 + y)).collect()
    }

    fn board(spots: &[(i8, i8)]) -> Board {
        let mut board = Board::beside(spots.len());
        for (die, &(x, y)) in (0..).zip(spots) {
            board.place(die, Spot(x, y)).unwrap();
        }
        board
    }

    #[test]
    fn every_cell_is_under_a_finger_at_its_middle_and_the_tray_is_none() {
        for (size, dice) in
            [((374.0, 480.0), 7), ((374.0, 480.0), 13), ((880.0, 600.0), 14), ((304.0, 380.0), 13)]
        {
            let lay = Lay::of(size, dice, None, None);
            for spot in spots(&lay) {
                let (x, y) = lay.at(spot);
                assert_eq!(lay.spot_at((x + lay.cell / 2.0, y + lay.cell / 2.0)), Some(spot), "{size:?}");
            }
            for at in 0..dice {
                let (x, y) = lay.slot(at, dice);
                let middle = (x + lay.die / 2.0, y + lay.die / 2.0);
                assert_eq!((lay.spot_at(middle), lay.slot_at(middle, dice)), (None, Some(at)), "{size:?}");
            }
        }
    }

    #[test]
    fn dice_and_cells_are_as_large_as_a_finger_on_a_phone() {
        for dice in [7, 13, 14] {
            let lay = Lay::of((374.0, 480.0), dice, None, None);
            assert!(lay.die >= FINGER && lay.cell >= FINGER, "{dice}: {lay:?}");
            let narrow = Lay::of((304.0, 330.0), dice, None, None);
            assert!(narrow.die >= 34.0 && narrow.cell >= 34.0, "{dice}: {narrow:?}");
        }
    }

    #[test]
    fn everything_lies_on_the_drawing() {
        for (width, height) in
            [(304.0, 300.0), (374.0, 480.0), (880.0, 600.0), (2600.0, 1700.0), (700.0, 240.0)]
        {
            for dice in [7, 13, 14] {
                let lay = Lay::of((width, height), dice, None, None);
                let (x, y) = lay.slot(dice - 1, dice);
                assert!(x >= 0.0 && x + lay.die <= width && y + lay.die <= height, "{lay:?}");
                assert!(f64::from(lay.columns) * lay.cell <= width + 0.1, "{lay:?}");
            }
        }
    }

    #[test]
    fn the_pattern_is_in_the_middle_and_the_window_moves_only_when_it_must() {
        let size = (880.0, 600.0);
        let lay = |board: &Board, before| Lay::of(size, 7, Span::of(board), before);
        let one = lay(&board(&[(0, 0)]), None);
        let two = lay(&board(&[(0, 0), (1, 0)]), Some(one));
        assert_eq!(one.first, two.first, "one step aside is no reason to move everything");
        let far = lay(&board(&[(9, 9), (10, 9)]), Some(two));
        assert!(far.shows(Spot(9, 9)) && far.shows(Spot(10, 9)) && far.first != two.first);
        let (ahead, behind) = (9 - far.first.0, far.first.0 + far.columns - 1 - 10);
        assert!((ahead - behind).abs() <= 1, "in the middle: {ahead} and {behind}");
    }

    #[test]
    fn a_pattern_of_any_shape_is_shown_with_a_free_cell_round_it() {
        for spots in [(0..13).map(|x| (x, 0)).collect::<Vec<_>>(), (0..13).map(|y| (0, y)).collect()] {
            let board = board(&spots);
            let lay = Lay::of((374.0, 480.0), 13, Span::of(&board), None);
            for (x, y) in spots {
                assert!(
                    lay.shows(Spot(x - 1, y)) && lay.shows(Spot(x + 1, y + 1)) && lay.shows(Spot(x, y - 1))
                );
            }
        }
    }
}
