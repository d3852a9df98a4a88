//! Where everything lies on the drawing of a hand.

use cubo::Cell;

/// The drawing: a square of 3 × 3 cells of 110 with room for the counts, and a tray of 8 slots below it or beside it.
pub(super) const CELL: f64 = 110.0;
pub(super) const EDGE: f64 = 14.0;
pub(super) const SQUARE: f64 = EDGE + 3.0 * CELL;
const SLOT: f64 = 96.0;

/// How large the drawing is.
pub(super) const fn size(wide: bool) -> (f64, f64) {
    let (x, y, width, height) = tray(wide);
    (x + width + 2.0, y + height + 2.0)
}

/// The tray: left, top, width and height.
pub(super) const fn tray(wide: bool) -> (f64, f64, f64, f64) {
    if wide {
        (SQUARE + 84.0, 2.0, 2.0 * SLOT + 40.0, 4.0 * SLOT + 32.0)
    } else {
        (2.0, SQUARE + 58.0, 4.0 * SLOT + 34.0, 2.0 * SLOT + 28.0)
    }
}

/// Where the dice of a throw not yet in the square lie in the tray.
pub(super) fn slot(die: u8, wide: bool) -> (f64, f64) {
    let (more, less) = (f64::from(die / if wide { 2 } else { 4 }), f64::from(die % if wide { 2 } else { 4 }));
    if wide {
        (SQUARE + 98.0 + less * (SLOT + 6.0), EDGE + more * (SLOT + 4.0))
    } else {
        (EDGE + less * (SLOT + 4.0), SQUARE + 70.0 + more * (SLOT + 4.0))
    }
}

/// Where a cell lies.
pub(super) fn corner(cell: Cell) -> (f64, f64) {
    let at = cell.index();
    (EDGE + (at % 3) as f64 * CELL, EDGE + (at / 3) as f64 * CELL)
}

/// The cell under a point.
pub(super) fn cell_at(x: f64, y: f64) -> Option<Cell> {
    let (column, row) = ((x - EDGE) / CELL, (y - EDGE) / CELL);
    let inside = (0.0..3.0).contains(&column) && (0.0..3.0).contains(&row);
    if inside { Cell::new(row as u8, column as u8) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_under_a_finger_at_its_middle_and_none_outside() {
        for cell in Cell::all() {
            let (x, y) = corner(cell);
            assert_eq!(cell_at(x + CELL / 2.0, y + CELL / 2.0), Some(cell));
        }
        assert_eq!(cell_at(2.0, 50.0), None);
        let (x, y) = slot(7, false);
        assert_eq!(cell_at(x + 10.0, y + 10.0), None);
    }

    #[test]
    fn the_tray_lies_on_the_drawing() {
        for (die, wide) in (0..8).flat_map(|die| [(die, false), (die, true)]) {
            let ((x, y), (width, height)) = (slot(die, wide), size(wide));
            assert!(x + 96.0 <= width && y + 96.0 <= height, "{die} {wide}");
        }
    }
}
