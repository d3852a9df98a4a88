//! What is drawn over the board: the last move, the ways of a tile, what a move would do, threats, the coach's arrow, the
//! keyboard's place.

use super::hand::{self, Hand};
use super::sight::{CELL, Sight};
use super::tile::{HALF, Print, printed, quarters};
use contact::{Colour, Corner, Foresight, Move, Position};
use leptos::prelude::*;
use serde_json::Value;

/// Something drawn at a corner.
fn at(sight: Sight, corner: Corner) -> String {
    let (x, y) = sight.place(corner);
    format!("translate({x} {y})")
}

/// A line from corner to corner that stops short of both tiles.
fn line(sight: Sight, from: Corner, to: Corner) -> String {
    let ((x1, y1), (x2, y2)) = (sight.place(from), sight.place(to));
    let far = (x2 - x1).hypot(y2 - y1).max(1.0);
    let (dx, dy) = ((x2 - x1) / far, (y2 - y1) / far);
    let (a, b) = (HALF.min(far / 3.0), 7.0);
    format!("M{:.1} {:.1}L{:.1} {:.1}", x1 + dx * a, y1 + dy * a, x2 - dx * b, y2 - dy * b)
}

/// An arrow from corner to corner; a loop where a tile steps out and back.
fn arrow(sight: Sight, mv: Move) -> Option<(String, String)> {
    let (from, to) = mv.ends()?;
    let ((x1, y1), (x2, y2)) = (sight.place(from), sight.place(to));
    if from == to {
        let path = format!("M{} {}a19 19 0 1 1 12 20", x1 + 8.0, y1 - HALF);
        let head = format!("M{} {}l-1 -12l10 9z", x1 + 16.0, y1 - 2.0);
        return Some((path, head));
    }
    let far = (x2 - x1).hypot(y2 - y1);
    let (dx, dy) = ((x2 - x1) / far, (y2 - y1) / far);
    let (tip, back, wide) = ((x2 - dx * 2.0, y2 - dy * 2.0), 17.0, 9.0);
    let base = (tip.0 - dx * back, tip.1 - dy * back);
    let path = format!("M{x1:.1} {y1:.1}L{:.1} {:.1}", base.0, base.1);
    let head = format!(
        "M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z",
        tip.0,
        tip.1,
        base.0 - dy * wide,
        base.1 + dx * wide,
        base.0 + dy * wide,
        base.1 - dx * wide
    );
    Some((path, head))
}

/// The last move: where the tile came from, and its way.
pub(super) fn last(hand: Hand) -> Option<AnyView> {
    let (from, to) = hand.view.with(|view| view.as_ref()?.last.as_ref()?.mv.ends())?;
    let sight = hand.sight.get();
    let side = 2.0 * HALF;
    let way = (from != to).then(|| view! { <path class="ct-went" d=line(sight, from, to)/> });
    Some(
        view! {
            <g class="ct-last">
                <rect class="ct-left" x=-HALF y=-HALF width=side height=side rx="5" transform=at(sight, from)/>
                {way}
                <rect class="ct-came" x=-HALF - 3.0 y=-HALF - 3.0 width=side + 6.0 height=side + 6.0 rx="8" transform=at(sight, to)/>
            </g>
        }
        .into_any(),
    )
}

/// The tiles that the last move removed, leaving: first the move is seen, then they go.
pub(super) fn gone(hand: Hand) -> Option<AnyView> {
    let sight = hand.sight.get();
    let gone = hand.view.with(|view| {
        let view = view.as_ref()?;
        let removed = &view.last.as_ref()?.removed;
        (!removed.is_empty()).then(|| {
            removed
                .iter()
                .map(|tile| (tile.at, Print::of(tile, view), i32::from(tile.spin)))
                .collect::<Vec<_>>()
        })
    })?;
    let gone = gone.into_iter().map(|(corner, print, spin)| {
        let turn = spin - sight.quarters();
        view! {
            <g transform=at(sight, corner)>
                <path class="ct-gone-mark" d="M-9 -9L9 9M9 -9L-9 9"/>
                <g class="ct-gone" aria-hidden="true">{printed(print, move || turn)}</g>
            </g>
        }
    });
    Some(gone.collect_view().into_any())
}

/// What a way would lead to, in a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    /// No contact.
    Plain,
    /// It takes, and stays.
    Takes,
    /// Both go.
    Trades,
    /// It goes.
    Loses,
    /// It is turned over.
    Turns,
}

impl Sign {
    pub(super) fn of(seen: &Foresight) -> Sign {
        match (seen.lost, seen.touches.iter().any(|touch| touch.goes)) {
            (true, true) => Sign::Trades,
            (true, false) => Sign::Loses,
            (false, true) => Sign::Takes,
            (false, false) if seen.turns_over => Sign::Turns,
            (false, false) => Sign::Plain,
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Sign::Plain => "ct-way is-plain",
            Sign::Takes => "ct-way is-takes",
            Sign::Trades => "ct-way is-trades",
            Sign::Loses => "ct-way is-loses",
            Sign::Turns => "ct-way is-turns",
        }
    }

    /// A shape for each, so that colour is not the only sign.
    const fn shape(self) -> &'static str {
        match self {
            Sign::Plain => "",
            Sign::Takes => "M-6 0.5L-1.5 5L6.5 -4.5",
            Sign::Trades => "M-5.5 -2.8H5.5M-5.5 2.8H5.5",
            Sign::Loses => "M-5 -5L5 5M5 -5L-5 5",
            Sign::Turns => "M4.6 -3.2A5.6 5.6 0 1 0 5.4 1.6M5.4 -6.4V-2.6H1.6",
        }
    }
}

/// The ways of the tile in hand, picked or under the mouse, each with the sign of what it would lead to.
pub(super) fn ways(hand: Hand) -> Option<AnyView> {
    let from = hand.looked_at()?;
    let sight = hand.sight.get();
    let signs: Vec<(Corner, Sign)> = hand.board.with(|board| {
        let Some(board) = board else { return Vec::new() };
        let sign = |to: Corner| board.foresee(Move::new(from, to)).map(|seen| (to, Sign::of(&seen)));
        hand.ends(from).into_iter().filter(|&to| to != from).filter_map(sign).collect()
    });
    let only_seen = hand.grip.with(Option::is_none) && hand.picked.get().is_none();
    let ways = signs.into_iter().map(|(to, sign)| {
        let aimed = move || hand.aim.get() == Some(to);
        view! {
            <g class=sign.class() class:is-aimed=aimed data-to=to.to_string() transform=at(sight, to)>
                <circle class="ct-glow" r="22"/>
                <circle class="ct-spot" r=if sign == Sign::Plain { 7.0 } else { 11.5 }/>
                <path class="ct-sign" d=sign.shape()/>
            </g>
        }
    });
    Some(view! { <g class="ct-ways" class:is-faint=only_seen>{ways.collect_view()}</g> }.into_any())
}

/// What the aimed move would do: the tile as it would lie, sparks where corners meet, and a cross on what would go.
pub(super) fn foreseen(hand: Hand) -> Option<AnyView> {
    let seen = hand.foreseen.get()?;
    let sight = hand.sight.get();
    let dragged = hand.grip.get().is_some_and(|grip| grip.moved);
    let print = hand.view.with(|view| {
        let view = view.as_ref()?;
        let from = seen.mv.ends()?.0;
        let colour = view.tiles.iter().find(|tile| tile.at == from).map_or(Colour::Red, |tile| tile.colour);
        Some(Print::new(colour, seen.tile.step, seen.tile.turned || seen.turns_over, view))
    })?;
    let turn = quarters(&seen.tile) - sight.quarters();
    let (x, y) = sight.place(seen.tile.at);
    // What is dragged lies there already.
    let ghost = (!dragged).then(|| {
        view! { <g class="ct-ghost" transform=at(sight, seen.tile.at)>{printed(print, move || turn)}</g> }
    });
    let cross = |corner: Corner| {
        let side = 2.0 * HALF;
        view! {
            <g class="ct-goes" transform=at(sight, corner)>
                <rect x=-HALF y=-HALF width=side height=side rx="5"/>
                <path d=CROSS/>
                <path d=CROSS/>
            </g>
        }
    };
    let crosses = seen.touches.iter().filter(|touch| touch.goes).map(|touch| cross(touch.tile.at));
    let sparks = seen.touches.iter().map(|touch| {
        let (ox, oy) = sight.place(touch.tile.at);
        let (mx, my) = (f64::midpoint(x, ox), f64::midpoint(y, oy));
        // The strokes fly where no tile lies.
        let turn = if (ox > x) == (oy > y) { 0 } else { 90 };
        view! { <path class="ct-spark" transform=format!("translate({mx} {my}) rotate({turn})") d=SPARK/> }
    });
    let lost = seen.lost.then(|| cross(seen.tile.at));
    let turns = seen
        .turns_over
        .then(|| view! { <circle class="ct-turns" r="31" transform=at(sight, seen.tile.at)/> });
    Some(
        view! { <g class="ct-foreseen">{ghost}{turns}{crosses.collect_view()}{lost}{sparks.collect_view()}</g> }
            .into_any(),
    )
}

/// What goes is crossed out in its middle: its figures stay to be read.
const CROSS: &str = "M-7 -7L7 7M7 -7L-7 7";

/// Three short strokes to either side of the point where two corners meet.
const SPARK: &str = "M6 -6L15 -15M3 -8.5L5 -18M8.5 -3L18 -5M-6 6L-15 15M-3 8.5L-5 18M-8.5 3L-18 5";

/// What the opponents could take now: their ways, and rings round what is threatened.
pub(super) fn threats(hand: Hand) -> Option<AnyView> {
    if !hand.threats.get() || hand.session.over() {
        return None;
    }
    let sight = hand.sight.get();
    let threats = hand.board.with(|board| {
        let board = board.as_ref()?;
        let side = hand.side.get().unwrap_or_else(|| Position::turn(board));
        Some(board.threats_to(side))
    })?;
    let mut taken: Vec<Corner> = threats.iter().flat_map(|threat| threat.takes.clone()).collect();
    taken.sort_unstable();
    taken.dedup();
    let rings = taken.into_iter().map(|corner| {
        let side = 2.0 * HALF + 8.0;
        view! { <rect class="ct-threat" x=-HALF - 4.0 y=-HALF - 4.0 width=side height=side rx="9" transform=at(sight, corner)/> }
    });
    let ways = threats.iter().filter_map(|threat| {
        let (path, head) = arrow(sight, threat.mv)?;
        Some(view! { <path class="ct-threat-way" d=path/><path class="ct-threat-head" d=head/> })
    });
    Some(view! { <g class="ct-threats">{rings.collect_view()}{ways.collect_view()}</g> }.into_any())
}

/// The coach's better move, as an arrow.
pub(super) fn advised(hand: Hand) -> Option<AnyView> {
    let mv: Move = hand.session.coach.with(|coach| {
        let text = coach.as_ref()?.1.pointer("/best/lines/0/move").and_then(Value::as_str)?;
        text.parse().ok()
    })?;
    let (path, head) = arrow(hand.sight.get(), mv)?;
    Some(view! { <g class="ct-advised"><path class="ct-advised-way" d=path/><path class="ct-advised-head" d=head/></g> }.into_any())
}

/// Where the keyboard is.
pub(super) fn cursor(hand: Hand) -> Option<AnyView> {
    if !hand.keyed.get() {
        return None;
    }
    let (x, y) = hand.sight.get().place(hand::cursor(hand));
    let half = CELL / 2.0 + 3.0;
    Some(
        view! { <rect class="ct-cursor" x=x - half y=y - half width=2.0 * half height=2.0 * half rx="9"/> }
            .into_any(),
    )
}
