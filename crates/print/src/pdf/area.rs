//! A rectangle on a sheet, in millimetres from its top left corner, and how it is shared out.

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// From the left edge.
    pub x: f32,
    /// From the top edge.
    pub y: f32,
    /// Width.
    pub w: f32,
    /// Height.
    pub h: f32,
}

impl Area {
    /// A square.
    pub const fn square(x: f32, y: f32, side: f32) -> Area {
        Area { x, y, w: side, h: side }
    }

    /// The same area, so much smaller on every side.
    #[must_use]
    pub fn inset(self, by: f32) -> Area {
        Area { x: self.x + by, y: self.y + by, w: self.w - 2.0 * by, h: self.h - 2.0 * by }
    }

    /// Where its middle is.
    pub fn centre(self) -> (f32, f32) {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// Its right edge.
    pub fn right(self) -> f32 {
        self.x + self.w
    }

    /// Its bottom edge.
    pub fn bottom(self) -> f32 {
        self.y + self.h
    }

    /// What is left below the first `h` millimetres.
    #[must_use]
    pub fn below(self, h: f32) -> Area {
        Area { y: self.y + h, h: self.h - h, ..self }
    }

    /// The places of a grid of equal cells in the middle of the area, row by row.
    pub fn places(self, cell: (f32, f32), gap: f32) -> Vec<Area> {
        let fit = |length: f32, cell: f32| ((length + gap) / (cell + gap)).floor().max(0.0) as usize;
        let (columns, rows) = (fit(self.w, cell.0), fit(self.h, cell.1));
        let width = columns as f32 * (cell.0 + gap) - gap;
        let left = self.x + (self.w - width) / 2.0;
        let place = |number: usize| Area {
            x: left + (number % columns) as f32 * (cell.0 + gap),
            y: self.y + (number / columns) as f32 * (cell.1 + gap),
            w: cell.0,
            h: cell.1,
        };
        (0..columns * rows).map(place).collect()
    }

    /// Where it lies on the back of the sheet, when the sheet is turned over its long edge.
    #[must_use]
    pub fn behind(self, sheet_width: f32) -> Area {
        Area { x: sheet_width - self.x - self.w, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_fill_an_area_and_stay_in_it() {
        let area = Area { x: 10.0, y: 20.0, w: 100.0, h: 70.0 };
        let places = area.places((30.0, 30.0), 5.0);
        assert_eq!(places.len(), 6);
        assert!((places[0].x - 10.0).abs() < 1e-3 && (places[2].right() - 110.0).abs() < 1e-3);
        assert!(places.iter().all(|place| place.bottom() <= area.bottom()));
        assert_eq!(area.places((200.0, 10.0), 0.0), Vec::new(), "too wide: no place at all");
    }

    #[test]
    fn turning_a_sheet_twice_changes_nothing() {
        let area = Area { x: 12.0, y: 3.0, w: 15.0, h: 15.0 };
        assert_eq!(area.behind(210.0).behind(210.0), area);
        assert!((area.behind(210.0).x - 183.0).abs() < 1e-3);
    }
}
