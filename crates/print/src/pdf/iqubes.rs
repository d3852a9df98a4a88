//! I-Qubes: seven dice with red and black letters, a score sheet and the rules. Red letters stand in a round frame with a
//! dot, black ones in a square frame, so that colour is never the only sign.

use crate::pdf::area::Area;
use crate::pdf::chart::Chart;
use crate::pdf::ink::{BLACK, CREAM, Ink, Line, RED, accent};
use crate::pdf::lettering::Style;
use crate::pdf::net;
use crate::pdf::rules;
use crate::pdf::sheet::{Book, Sheet, disc, rect, rounded, segment};
use ::iqubes::{Colour, Face, Set};
use house::Kind;

pub(crate) fn pages(book: &mut Book, set: &Set) {
    rules::pages(book, Kind::IQubes);
    let dice = set.dice();
    net::pages(book, "The seven dice", dice.len(), |page, die, number, area| {
        face(page, dice[die][number], area);
    });
    let free = book.free();
    book.page("Score sheet", |page| {
        let chart = Chart {
            rows: (1..=15).map(|round| format!("Round {round}")).collect(),
            players: 5,
            parts: &["1st throw", "2nd throw"],
            total: "Total",
            ink: accent(Kind::IQubes),
        };
        chart.draw(page, free.below(2.0));
    });
}

fn face(page: &mut Sheet<'_>, face: Face, area: Area) {
    let red = face.colour == Colour::Red;
    let ink = if red { RED } else { BLACK };
    let frame = area.inset(1.4);
    page.fill(rect(area), CREAM);
    page.stroke(if red { rounded(frame, 3.2) } else { rect(frame) }, Line::new(ink, 0.45));
    if red {
        page.fill(disc((frame.right() - 2.3, frame.y + 2.3), 0.7), ink);
    }
    match face.letter {
        Some(letter) => letter_on(page, letter.upper(), area, Style::bold(26.0).ink(ink)),
        None => page.label("WILD", area, Style::bold(9.5).ink(ink)),
    }
}

/// A letter in the middle of a face. Those that read as another one when the die lies askew get a bar below.
pub(crate) fn letter_on(page: &mut Sheet<'_>, letter: char, area: Area, style: Style) {
    page.label(&letter.to_string(), area, style);
    if matches!(letter, 'M' | 'W' | 'N' | 'Z' | 'U' | 'C') {
        bar(page, area, style.ink);
    }
}

fn bar(page: &mut Sheet<'_>, area: Area, ink: Ink) {
    let (x, y) = (area.centre().0, area.bottom() - 3.1);
    page.stroke(segment((x - 2.2, y), (x + 2.2, y)), Line::new(ink, 0.5));
}
