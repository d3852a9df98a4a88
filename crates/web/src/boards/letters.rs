//! I-Qubes and Scribbage: letter dice on a grid.

use super::{Game, plain_advice};
use house::Kind;
use leptos::prelude::*;

/// What I-Qubes brings to the page.
pub static IQUBES: Game = Game {
    kind: Kind::IQubes,
    lead: "Throw seven red and black letter dice and cross them into words before the sand runs out. Words of one colour count double.",
    plate: "1948 · 1 to 5 players",
    around: "Pass the dice round, one throw each.",
    fields: &[],
    seating: 1..=5,
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

/// What Scribbage brings to the page.
pub static SCRIBBAGE: Game = Game {
    kind: Kind::Scribbage,
    lead: "Thirteen letter cubes out of a cup, three minutes, one crossword. Rare letters count most, and what is left over counts against you.",
    plate: "1963 · any number",
    around: "Pass the cup round, one throw each.",
    fields: &[],
    seating: 1..=8,
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
