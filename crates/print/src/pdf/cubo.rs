//! Cubo: forty dice with pips in three colours, four cover tiles, score sheets and the rules.

use crate::pdf::area::Area;
use crate::pdf::chart::Chart;
use crate::pdf::ink::{BLACK, BLUE, CUT, Ink, Line, RED, WHITE, accent};
use crate::pdf::lettering::Style;
use crate::pdf::net;
use crate::pdf::rules;
use crate::pdf::sheet::{Book, Sheet, disc, rect};
use ::cubo::Set;
use house::Kind;

/// A cover hides nine dice and a little around them.
const COVER: f32 = 58.0;

pub(crate) fn pages(book: &mut Book, set: &Set) {
    rules::pages(book, Kind::Cubo);
    let dice = set.dice();
    for (name, count, face, pip) in [
        ("Red dice", dice.red, RED, WHITE),
        ("Blue dice", dice.blue, BLUE, WHITE),
        ("White dice", dice.white, WHITE, BLACK),
    ] {
        net::pages(book, name, count.into(), |page, _, number, area| {
            page.fill(rect(area), face);
            pips(page, number + 1, area, pip);
        });
    }
    covers(book, set.players() as usize);
    score_sheets(book, set);
}

/// The pips of a face of 1 to 6, in the cells of a three by three grid.
pub(crate) fn pips(page: &mut Sheet<'_>, number: usize, area: Area, ink: Ink) {
    let cells: &[(i8, i8)] = match number {
        1 => &[(0, 0)],
        2 => &[(-1, -1), (1, 1)],
        3 => &[(-1, -1), (0, 0), (1, 1)],
        4 => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        5 => &[(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        _ => &[(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    };
    let ((x, y), step) = (area.centre(), area.w * 0.26);
    for (column, row) in cells {
        page.fill(disc((x + f32::from(*column) * step, y + f32::from(*row) * step), area.w * 0.095), ink);
    }
}

fn covers(book: &mut Book, players: usize) {
    let places = book.free().below(4.0).places((COVER, COVER), 8.0);
    book.page("Cover tiles", |page| {
        for &place in places.iter().take(players) {
            page.panel(place, WHITE, CUT);
            let square = Area::square(place.centre().0 - 15.0, place.centre().1 - 15.0, 30.0);
            for (number, cell) in square.places((9.0, 9.0), 1.4).into_iter().enumerate() {
                let ink = [RED, BLUE][number % 2];
                if number == 4 {
                    page.stroke(rect(cell.inset(0.2)), Line::new(BLACK, 0.4));
                } else {
                    page.fill(rect(cell), ink);
                }
            }
            let foot = Area { y: place.bottom() - 12.0, h: 10.0, ..place };
            page.label("CUBO", foot, Style::bold(13.0).ink(accent(Kind::Cubo)));
        }
    });
}

fn score_sheets(book: &mut Book, set: &Set) {
    let free = book.free().below(2.0);
    let half = (free.h - 10.0) / 2.0;
    book.page("Score sheets", |page| {
        for top in [free.y, free.y + half + 10.0] {
            let chart = Chart {
                rows: (1..=set.rounds()).map(|round| format!("Round {round}")).collect(),
                players: set.players() as usize,
                parts: &["across", "down", "round"],
                total: "Total",
                ink: accent(Kind::Cubo),
            };
            chart.draw(page, Area { y: top, h: half, ..free });
        }
    });
}
