//! Contact: the tiles on both sides of one sheet, the board in two halves, a sheet for the moves, and the rules.

use crate::pdf::area::Area;
use crate::pdf::chart::Chart;
use crate::pdf::ink::{BLACK, BLUE, CUT, GREEN, GREY, Ink, Line, RED, WHITE, YELLOW, accent};
use crate::pdf::lettering::{Align, Style};
use crate::pdf::rules;
use crate::pdf::sheet::{Book, Sheet, disc, polygon, rect, segment};
use ::contact::set::{Colour, Figures, Step};
use ::contact::{Set, Side};
use house::Kind;

/// The edge of a square of the board, in millimetres.
pub const SQUARE: f32 = 14.5;
/// The edge of a tile: as large as a square (CT-F1).
pub const TILE: f32 = SQUARE;
const SQUARES: u8 = 16;
/// The band around the squares, with the names of lines and places.
const BAND: f32 = 4.0;
/// What of the western half goes under the eastern one.
const FLAP: f32 = 10.0;
/// Between two tiles on their sheet.
const GAP: f32 = 6.0;

pub(crate) fn pages(book: &mut Book, set: &Set) {
    tiles(book, set);
    for half in [Half::West, Half::East] {
        board(book, set, half);
    }
    rules::pages(book, Kind::Contact);
    let free = book.free();
    book.page("The moves of a game", |page| {
        let chart = Chart {
            rows: (1..=24).map(|turn| turn.to_string()).collect(),
            players: Side::ALL.len(),
            parts: &["from", "to"],
            total: "Tiles left",
            ink: accent(Kind::Contact),
        };
        chart.draw(page, free.below(2.0));
    });
}

const fn ink_of(colour: Colour) -> Ink {
    match colour {
        Colour::Red => RED,
        Colour::Blue => BLUE,
        Colour::Green => GREEN,
        Colour::Yellow => YELLOW,
    }
}

/// Fronts on one page, backs on the next: printed on both sides of a sheet that is turned over its long edge, each back
/// lies behind its front.
fn tiles(book: &mut Book, set: &Set) {
    let stock = stock(set);
    let (free, width) = (book.free(), book.paper().width());
    let across = stock.iter().map(Vec::len).max().unwrap_or(0) as f32;
    let wide = across * (TILE + GAP) - GAP;
    let grid = Area { x: (width - wide) / 2.0, w: wide, ..free.below(18.0) };
    let place = |row: usize, column: usize| {
        Area::square(grid.x + column as f32 * (TILE + GAP), grid.y + row as f32 * (TILE + GAP), TILE)
    };
    for front in [true, false] {
        book.page(if front { "The tiles, fronts" } else { "The tiles, backs" }, |page| {
            if front {
                let says = "Print this page and the next on the two sides of one stiff sheet, turned over the long edge: each back then \
                            lies behind its front. Cut along the thin lines. One mark in the middle is a ONE STEP tile, two are a TWO STEP tile.";
                page.paragraph(says, (free.x, free.y + 3.0), free.w, Style::plain(9.0));
            }
            for (row, tiles) in stock.iter().enumerate() {
                for (column, &(colour, step)) in tiles.iter().enumerate() {
                    let area = place(row, column);
                    let area = if front { area } else { area.behind(width) };
                    tile(page, area, colour, step, *set.tiles.get(step), front);
                }
            }
        });
    }
}

/// The tiles of the box, a row a colour.
fn stock(set: &Set) -> Vec<Vec<(Colour, Step)>> {
    let of = |(&colour, count): (&Colour, &::contact::set::ByStep<u8>)| {
        let kind = |step| std::iter::repeat_n((colour, step), usize::from(*count.get(step)));
        kind(Step::TwoStep).chain(kind(Step::OneStep)).collect()
    };
    set.stock.iter().map(of).collect()
}

fn tile(page: &mut Sheet<'_>, area: Area, colour: Colour, step: Step, figures: Figures, front: bool) {
    let ink = ink_of(colour);
    page.panel(area, WHITE, CUT);
    edge(page, area, colour);
    let numbers = if front { figures.corners } else { [figures.back; 4] };
    let cell = 5.0;
    let (right, bottom) = (area.right() - cell - 0.9, area.bottom() - cell - 0.9);
    // Clockwise from the front left, as the owner holds it (CT-F2).
    let corners =
        [(area.x + 0.9, area.y + 0.9), (right, area.y + 0.9), (right, bottom), (area.x + 0.9, bottom)];
    for (number, (x, y)) in numbers.into_iter().zip(corners) {
        page.label(&number.to_string(), Area::square(x, y, cell), Style::bold(11.0).ink(BLACK));
    }
    let (x, y) = area.centre();
    match step {
        Step::OneStep => mark(page, (x, y), ink, colour, front),
        Step::TwoStep => {
            mark(page, (x - 1.5, y), ink, colour, front);
            mark(page, (x + 1.5, y), ink, colour, front);
        }
    }
}

/// The edge of a tile: each colour has a pattern of its own.
fn edge(page: &mut Sheet<'_>, area: Area, colour: Colour) {
    let ink = ink_of(colour);
    let line = match colour {
        Colour::Red => Line::new(ink, 1.0),
        Colour::Blue => Line::dashed(ink, 1.0, 2.0),
        Colour::Yellow => Line::dashed(ink, 1.0, 0.7),
        Colour::Green => {
            page.stroke(rect(area.inset(1.1)), Line::new(ink, 0.35));
            Line::new(ink, 0.35)
        }
    };
    page.stroke(rect(area.inset(if colour == Colour::Green { 0.4 } else { 0.75 })), line);
}

/// The mark in the middle of a tile: a shape a colour, filled on the front and hollow on the back.
fn mark(page: &mut Sheet<'_>, (x, y): (f32, f32), ink: Ink, colour: Colour, front: bool) {
    let r = 1.15;
    let shape = match colour {
        Colour::Red => disc((x, y), r),
        Colour::Blue => rect(Area::square(x - r * 0.9, y - r * 0.9, r * 1.8)),
        Colour::Green => polygon(&[(x, y - r), (x + r, y + r * 0.85), (x - r, y + r * 0.85)]),
        Colour::Yellow => polygon(&[(x, y - r * 1.2), (x + r * 1.2, y), (x, y + r * 1.2), (x - r * 1.2, y)]),
    };
    if front { page.fill(shape, ink) } else { page.stroke(shape, Line::new(ink, 0.35)) }
}

/// The half of the board that is on a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    West,
    East,
}

fn board(book: &mut Book, set: &Set, half: Half) {
    let free = book.free();
    let (title, hint) = match half {
        Half::West => ("The board, western half", "goes under the eastern half"),
        Half::East => ("The board, eastern half", ""),
    };
    let (w, h) = (8.0 * SQUARE + BAND, f32::from(SQUARES) * SQUARE + 2.0 * BAND);
    let frame = Area { x: free.x + (free.w - w) / 2.0, y: free.y + (free.h - h) / 2.0, w, h };
    book.page(title, |page| {
        let squares = match half {
            Half::West => Area { x: frame.x + BAND, y: frame.y + BAND, w: w - BAND, h: h - 2.0 * BAND },
            Half::East => Area { y: frame.y + BAND, w: w - BAND, h: h - 2.0 * BAND, ..frame },
        };
        if half == Half::West {
            let flap = Area { x: frame.right(), w: FLAP, ..frame };
            page.stroke(rect(flap), CUT);
            let middle = flap.centre();
            page.turned(90.0, middle, |page| {
                page.label(
                    hint,
                    Area { x: middle.0, y: middle.1, w: 0.0, h: 0.0 },
                    Style::plain(8.0).ink(GREY),
                );
            });
        }
        lines(page, squares);
        homes(page, frame, squares, half);
        rings(page, set, squares, half);
        page.stroke(rect(frame), Line::new(BLACK, 0.4));
    });
}

fn lines(page: &mut Sheet<'_>, squares: Area) {
    let thin = Line::new(BLACK, 0.25);
    for number in 0..=SQUARES {
        let y = squares.y + f32::from(number) * SQUARE;
        page.stroke(segment((squares.x, y), (squares.right(), y)), thin);
    }
    for number in 0..=SQUARES / 2 {
        let x = squares.x + f32::from(number) * SQUARE;
        page.stroke(segment((x, squares.y), (x, squares.bottom())), thin);
    }
}

/// Where a corner is on this page, if it is on this half.
fn corner(squares: Area, half: Half, x: u8, y: u8) -> Option<(f32, f32)> {
    let first = if half == Half::West { 0 } else { SQUARES / 2 };
    let column = x.checked_sub(first).filter(|&column| column <= SQUARES / 2)?;
    Some((squares.x + f32::from(column) * SQUARE, squares.bottom() - f32::from(y) * SQUARE))
}

fn rings(page: &mut Sheet<'_>, set: &Set, squares: Area, half: Half) {
    for (side, places) in &set.rings {
        for at in places.iter().filter_map(|&place| side.corner(1, place)) {
            if let Some(at) = corner(squares, half, at.x(), at.y()) {
                page.stroke(disc(at, 3.4), Line::new(BLACK, 0.55));
            }
        }
    }
}

/// The band around the squares: the names of columns and rows, and a bar in the colour of whoever sits there.
fn homes(page: &mut Sheet<'_>, frame: Area, squares: Area, half: Half) {
    let style = Style::plain(7.0).ink(GREY).align(Align::Centre);
    for number in 1..SQUARES {
        let name = char::from(b'a' + number - 1).to_string();
        // The column on the seam is named on the half that lies above.
        let at = corner(squares, half, number, 0).filter(|_| half == Half::East || number < SQUARES / 2);
        if let Some((x, _)) = at {
            page.text(&name, (x, frame.bottom() - 1.2), style);
            page.text(&name, (x, frame.y + 2.8), style);
        }
        let y = squares.bottom() - f32::from(number) * SQUARE + 0.9;
        let x = if half == Half::West { frame.x + BAND / 2.0 } else { frame.right() - BAND / 2.0 };
        page.text(&number.to_string(), (x, y), style);
    }
    let bar = |x: f32, y: f32, w: f32, h: f32| Area { x, y, w, h };
    let thick = 0.9;
    page.fill(rect(bar(squares.x, frame.y, squares.w, thick)), ink_of(Colour::of(Side::North)));
    page.fill(
        rect(bar(squares.x, frame.bottom() - thick, squares.w, thick)),
        ink_of(Colour::of(Side::South)),
    );
    let (x, side) = match half {
        Half::West => (frame.x, Side::West),
        Half::East => (frame.right() - thick, Side::East),
    };
    page.fill(rect(bar(x, squares.y, thick, squares.h)), ink_of(Colour::of(side)));
}
