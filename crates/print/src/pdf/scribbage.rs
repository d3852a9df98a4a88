//! Scribbage: thirteen ivory cubes with the value of each letter in its corner, a score sheet and the rules.

use crate::pdf::area::Area;
use crate::pdf::chart::Chart;
use crate::pdf::ink::{BLACK, IVORY, ORANGE, TEAL, accent};
use crate::pdf::iqubes::letter_on;
use crate::pdf::lettering::{Align, Style};
use crate::pdf::net;
use crate::pdf::rules;
use crate::pdf::sheet::{Book, Sheet, rect, star};
use ::scribbage::{Face, Set};
use house::Kind;

pub(crate) fn pages(book: &mut Book, set: &Set) {
    rules::pages(book, Kind::Scribbage);
    let cubes = set.cubes();
    net::pages(book, "The thirteen cubes", cubes.len(), |page, cube, number, area| {
        face(page, set, cubes[cube][number], area);
    });
    let free = book.free();
    book.page("Score sheet", |page| {
        let chart = Chart {
            rows: (1..=12).map(|turn| format!("Turn {turn}")).collect(),
            players: 4,
            parts: &["across", "down", "left over", "score"],
            total: "Total",
            ink: accent(Kind::Scribbage),
        };
        chart.draw(page, free.below(2.0));
    });
}

fn face(page: &mut Sheet<'_>, set: &Set, face: Face, area: Area) {
    page.fill(rect(area), IVORY);
    let Some(letter) = face.0 else {
        let (x, y) = area.centre();
        page.fill(star((x, y - 0.8), 4.8), ORANGE);
        page.text("JOKER", (x, area.bottom() - 1.6), Style::bold(5.5).ink(ORANGE).align(Align::Centre));
        return;
    };
    letter_on(page, letter.upper(), area, Style::bold(25.0).ink(BLACK));
    let corner = (area.right() - 1.3, area.bottom() - 1.4);
    page.text(&set.value(face).to_string(), corner, Style::bold(8.0).ink(TEAL).align(Align::Right));
}
