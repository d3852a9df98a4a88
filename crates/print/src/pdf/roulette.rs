//! Dice Roulette: the layout with all its spots and what they pay, the two dice, chips, a sheet for the bank, and the rules.

use crate::pdf::area::Area;
use crate::pdf::chart::Chart;
use crate::pdf::ink::{BAIZE, BLACK, BLUE, CUT, GOLD, GREEN, Ink, Line, RED, WHITE, accent};
use crate::pdf::lettering::{Align, Style};
use crate::pdf::net;
use crate::pdf::rules;
use crate::pdf::sheet::{Book, Sheet, disc, rect, rounded};
use ::roulette::{Kind as Bets, Set, Side, Spot};
use house::Kind;

/// The edge of a numbered square.
const SQUARE: f32 = 21.0;
const SIDE: f32 = 28.0;
const EDGE: f32 = 16.0;
const CHIP: f32 = 20.0;
const RULE: Line = Line::new(GOLD, 0.5);

pub(crate) fn pages(book: &mut Book, set: &Set) {
    let free = book.free();
    book.page("The layout", |page| {
        let width = 6.0 * SQUARE + 2.0 * SIDE;
        let at = Area {
            x: free.x + (free.w - width) / 2.0,
            y: free.y + 3.0,
            w: width,
            h: 6.0 * SQUARE + 2.0 * EDGE,
        };
        layout(page, set, at);
        payments(page, free.below(3.0 + at.h + 8.0));
    });
    rules::pages(book, Kind::Roulette);
    let dice = [set.black_die(), set.white_die()];
    net::pages(book, "The two dice", dice.len(), |page, die, number, area| {
        let (face, ink) = [(BLACK, WHITE), (WHITE, BLACK)][die];
        page.fill(rect(area), face);
        let figure = dice[die][number];
        // A nought on the black die is its blank face (DR-S1).
        if die == 1 || figure > 0 {
            page.label(&figure.to_string(), area, Style::bold(25.0).ink(ink));
        }
    });
    chips(book);
    sheet(book);
}

fn layout(page: &mut Sheet<'_>, set: &Set, at: Area) {
    page.panel(at, BAIZE, Line::new(GOLD, 1.0));
    let grid = Area { x: at.x + SIDE, y: at.y + EDGE, w: 6.0 * SQUARE, h: 6.0 * SQUARE };
    for (row, numbers) in set.grid().into_iter().enumerate() {
        for (column, number) in numbers.into_iter().enumerate() {
            let area = Area::square(grid.x + column as f32 * SQUARE, grid.y + row as f32 * SQUARE, SQUARE);
            let red = set.throw_of(number).is_some_and(|throw| set.is_red(throw));
            square(page, area, number, red);
        }
    }
    for dozen in 1..=3_u8 {
        let area =
            Area { x: grid.x + f32::from(dozen - 1) * 2.0 * SQUARE, y: at.y, w: 2.0 * SQUARE, h: EDGE };
        let name = ["1st 12", "2d 12", "3rd 12"][usize::from(dozen) - 1];
        box_for(page, area, name, &span(set, Spot::Dozen(dozen)));
    }
    for (column, (first, last)) in set.runs().into_iter().enumerate() {
        let area = Area { x: grid.x + column as f32 * SQUARE, y: grid.bottom(), w: SQUARE, h: EDGE };
        page.stroke(rect(area), RULE);
        page.label(&format!("{first}–{last}"), area, Style::bold(11.0).ink(GREEN));
    }
    for (x, sides) in
        [(at.x, [Side::Low, Side::Black, Side::Even]), (grid.right(), [Side::High, Side::Red, Side::Odd])]
    {
        for (number, side) in sides.into_iter().enumerate() {
            let area = Area { x, y: grid.y + number as f32 * 2.0 * SQUARE, w: SIDE, h: 2.0 * SQUARE };
            half(page, set, area, side);
        }
    }
}

/// A numbered square: red numbers on a disc, black ones on a square, so that colour is not the only sign.
fn square(page: &mut Sheet<'_>, area: Area, number: u8, red: bool) {
    page.stroke(rect(area), RULE);
    let shape = if red { disc(area.centre(), 6.3) } else { rounded(area.inset(4.6), 0.8) };
    page.fill(shape, if red { RED } else { BLACK });
    page.label(&number.to_string(), area, Style::bold(15.0).ink(WHITE));
}

fn box_for(page: &mut Sheet<'_>, area: Area, name: &str, span: &str) {
    page.stroke(rect(area), RULE);
    let (upper, lower) = (Area { h: area.h * 0.62, ..area }, area.below(area.h * 0.5));
    page.label(name, upper, Style::bold(12.0).ink(GREEN));
    page.label(span, lower, Style::plain(8.0).ink(GREEN));
}

fn half(page: &mut Sheet<'_>, set: &Set, area: Area, side: Side) {
    page.stroke(rect(area), RULE);
    let (x, y) = area.centre();
    let style = Style::bold(14.0).ink(GREEN);
    match side {
        Side::Low | Side::High => page.label(&span(set, Spot::Half(side)), area, style),
        Side::Even => page.label("EVEN", area, style),
        Side::Odd => page.label("ODD", area, style),
        Side::Black | Side::Red => {
            let (ink, name) = if side == Side::Red { (RED, "RED") } else { (BLACK, "BLACK") };
            let shape = if side == Side::Red {
                disc((x, y - 3.5), 6.0)
            } else {
                rounded(Area::square(x - 5.5, y - 9.0, 11.0), 0.8)
            };
            page.fill(shape, ink);
            page.text(name, (x, y + 9.5), Style::bold(11.0).ink(ink).align(Align::Centre));
        }
    }
}

/// The first and last number of a spot, in words.
fn span(set: &Set, spot: Spot) -> String {
    let Ok(bet) = set.bet(spot) else { return String::new() };
    let numbers: Vec<u8> = set.numbers_of(bet).collect();
    match (numbers.iter().min(), numbers.iter().max()) {
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => String::new(),
    }
}

/// What each spot pays, below the layout.
fn payments(page: &mut Sheet<'_>, area: Area) {
    let rows = [
        ("On a number", Bets::Number),
        ("On the line between two squares", Bets::Pair),
        ("On the point where four squares meet", Bets::Four),
        ("In the box under a run of six", Bets::Run),
        ("On a dozen, at the top", Bets::Dozen),
        ("On a half, at the sides", Bets::Half),
    ];
    page.text("A winner gets the stake back, and for each chip", (area.x, area.y + 4.0), Style::bold(9.5));
    let column = area.w / 2.0;
    for (number, (says, kind)) in rows.into_iter().enumerate() {
        let x = area.x + (number / 3) as f32 * column;
        let y = area.y + 11.0 + (number % 3) as f32 * 6.0;
        page.text(&kind.pays().to_string(), (x + 7.0, y), Style::bold(10.0).ink(GREEN).align(Align::Right));
        page.text(says, (x + 10.0, y), Style::plain(9.5));
    }
}

fn chips(book: &mut Book) {
    let places = book.free().below(3.0).places((CHIP, CHIP), 2.4);
    let kinds: [(&str, Ink); 3] = [("1", BLUE), ("5", RED), ("10", GREEN)];
    let columns = places.iter().filter(|place| (place.y - places[0].y).abs() < 0.1).count();
    let rows = places.len() / columns.max(1);
    book.page("Chips", |page| {
        for (number, &place) in places.iter().enumerate() {
            let (value, ink) = kinds[(number / columns * kinds.len() / rows.max(1)).min(kinds.len() - 1)];
            page.stroke(disc(place.centre(), CHIP / 2.0), CUT);
            page.stroke(disc(place.centre(), CHIP / 2.0 - 1.4), Line::dashed(ink, 2.4, 4.4));
            page.stroke(disc(place.centre(), CHIP / 2.0 - 3.6), Line::new(ink, 0.3));
            page.label(value, place, Style::bold(16.0).ink(ink));
        }
    });
}

fn sheet(book: &mut Book) {
    let free = book.free();
    book.page("Chips after each throw", |page| {
        let chart = Chart {
            rows: (1..=20).map(|throw| format!("Throw {throw}")).collect(),
            players: 7,
            parts: &["won or lost", "chips"],
            total: "At the end",
            ink: accent(Kind::Roulette),
        };
        chart.draw(page, free.below(2.0));
    });
}
