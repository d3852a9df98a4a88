//! What is printed on the layout, as the text of a drawing: numbers, boxes and the rim round them.

use super::layout::{CELL, HEIGHT, WIDTH};
use roulette::{Set as Pieces, Side, Spot};

/// The square of a number, by its upper left corner. Red and black are told apart by shape too: a round field and a pointed one.
pub(super) fn number(number: u8, (x, y): (f64, f64), set: &Pieces) -> String {
    let red = set.throw_of(number).is_some_and(|throw| set.is_red(throw));
    let (cx, cy) = (x + CELL / 2.0, y + CELL / 2.0);
    let field = if red {
        format!(r#"<circle class="sq-red" cx="{cx}" cy="{cy}" r="22"/>"#)
    } else {
        pointed("sq-black", (cx, cy), (27.0, 27.0))
    };
    format!(
        r#"<rect class="sq" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>{field}<text class="sq-number" x="{cx}" y="{}">{number}</text>"#,
        cy + 8.0
    )
}

/// The box of an outer bet: left, top, width and height.
pub(super) fn outer(spot: Spot, (x, y, wide, high): (f64, f64, f64, f64)) -> String {
    let middle = (x + wide / 2.0, y + high / 2.0);
    let inside = match spot {
        Spot::Half(Side::Red) => colour("sq-red", "Red", middle),
        Spot::Half(Side::Black) => colour("sq-black", "Black", middle),
        Spot::Half(Side::Low) => span(1, 26, middle),
        Spot::Half(Side::High) => span(31, 56, middle),
        Spot::Half(Side::Even) => word("sq-word", "Even", middle, 7.0),
        Spot::Half(Side::Odd) => word("sq-word", "Odd", middle, 7.0),
        Spot::Dozen(dozen) => {
            let name = ["1st 12", "2d 12", "3rd 12"][usize::from(dozen.clamp(1, 3) - 1)];
            word("sq-word", name, middle, 7.0)
        }
        _ => word("sq-small", &spot.to_string(), middle, 5.0),
    };
    format!(r#"<rect class="sq" x="{x}" y="{y}" width="{wide}" height="{high}"/>{inside}"#)
}

/// The rim of the whole layout.
pub(super) fn rim() -> String {
    format!(r#"<rect class="rim" x="2" y="2" width="{}" height="{}" rx="7"/>"#, WIDTH - 4.0, HEIGHT - 4.0)
}

/// A field with four points, so far from its middle.
fn pointed(class: &str, (cx, cy): (f64, f64), (across, down): (f64, f64)) -> String {
    let (left, right, top, bottom) = (cx - across, cx + across, cy - down, cy + down);
    format!(r#"<path class="{class}" d="M{cx} {top}L{right} {cy}L{cx} {bottom}L{left} {cy}z"/>"#)
}

/// A word so far below the middle that it stands in it.
fn word(class: &str, says: &str, (cx, cy): (f64, f64), below: f64) -> String {
    format!(r#"<text class="{class}" x="{cx}" y="{}">{says}</text>"#, cy + below)
}

fn colour(class: &str, name: &str, middle: (f64, f64)) -> String {
    pointed(class, middle, (30.0, 44.0)) + &word("sq-small", name, middle, 5.0)
}

fn span(from: u8, to: u8, middle: (f64, f64)) -> String {
    [
        word("sq-word", &from.to_string(), middle, -18.0),
        word("sq-small", "to", middle, 5.0),
        word("sq-word", &to.to_string(), middle, 32.0),
    ]
    .concat()
}
