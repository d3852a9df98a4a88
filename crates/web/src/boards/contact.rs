//! Contact: tiles with numbered corners that spin as they move.

use super::{Game, plain_advice};
use house::Kind;
use leptos::prelude::*;

/// What Contact brings to the page.
pub static GAME: Game = Game {
    kind: Kind::Contact,
    lead: "Tiles walk the lines of a ruled board and turn a quarter with every move. Where two corners touch, the higher number stays.",
    plate: "Tiles that turn · 2 to 4",
    around: "Pass the board round, one move each.",
    fields: &[],
    seating: 2..=4,
    bots: 1,
    levels: 5,
    level: 2,
    board: |_| ().into_any(),
    sheet: |_| ().into_any(),
    advice: plain_advice,
    tally: |_| Vec::new(),
    tell: |_, _, _| None,
    steps: &[],
    reference: &[],
};
