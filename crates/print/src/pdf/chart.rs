//! Score sheets: a ruled chart with a column a player, and room for a name above each.

use crate::pdf::area::Area;
use crate::pdf::ink::{GREY, Ink, Line, PALE};
use crate::pdf::lettering::{Align, Style};
use crate::pdf::sheet::{Sheet, rect, segment};

/// What a chart looks like.
pub(crate) struct Chart<'a> {
    /// What stands at the left of each row.
    pub(crate) rows: Vec<String>,
    /// How many players have a column.
    pub(crate) players: usize,
    /// What is written in a column, side by side.
    pub(crate) parts: &'a [&'a str],
    /// The last row.
    pub(crate) total: &'a str,
    pub(crate) ink: Ink,
}

const NAMES: f32 = 12.0;
const PARTS: f32 = 5.0;

impl Chart<'_> {
    /// Draws the chart over an area.
    pub(crate) fn draw(&self, page: &mut Sheet<'_>, area: Area) {
        // Some air above the ruler at the foot.
        let area = Area { h: area.h - 3.0, ..area };
        let first = self.first_column(page);
        let column = (area.w - first) / self.players as f32;
        let top = NAMES + if self.parts.len() > 1 { PARTS } else { 0.0 };
        let row = (area.h - top) / (self.rows.len() + 1) as f32;
        let strong = Line::new(self.ink, 0.4);
        for player in 0..self.players {
            let x = area.x + first + player as f32 * column;
            page.text("Name", (x + 1.5, area.y + 3.6), Style::plain(6.5).ink(GREY));
            self.parts_of_column(page, Area { x, w: column, ..area });
            page.stroke(segment((x, area.y), (x, area.bottom())), strong);
        }
        for (number, says) in self.rows.iter().map(String::as_str).chain([self.total]).enumerate() {
            let y = area.y + top + number as f32 * row;
            let total = number == self.rows.len();
            let style = if total { Style::bold(9.0) } else { Style::plain(9.0) };
            let base = y + row / 2.0 + page.lettering().capitals(style) / 2.0;
            page.text(says, (area.x + first - 2.0, base), style.align(Align::Right));
            let line = if number == 0 || total { strong } else { Line::new(PALE, 0.25) };
            page.stroke(segment((area.x, y), (area.right(), y)), line);
        }
        page.stroke(rect(area), Line::new(self.ink, 0.6));
    }

    fn first_column(&self, page: &Sheet<'_>) -> f32 {
        let widths = self.rows.iter().map(String::as_str).chain([self.total]);
        widths.map(|says| page.lettering().width(says, Style::bold(9.0))).fold(0.0, f32::max) + 5.0
    }

    fn parts_of_column(&self, page: &mut Sheet<'_>, column: Area) {
        if self.parts.len() < 2 {
            return;
        }
        let width = column.w / self.parts.len() as f32;
        for (number, part) in self.parts.iter().enumerate() {
            let x = column.x + number as f32 * width;
            let cell = Area { x, y: column.y + NAMES, w: width, h: PARTS };
            page.label(part, cell, Style::plain(6.5).ink(GREY));
            if number > 0 {
                page.stroke(segment((x, cell.y), (x, column.bottom())), Line::new(PALE, 0.25));
            }
        }
    }
}
