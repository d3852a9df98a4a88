//! The board: ruled in ink, tiles that turn as they go, and on it everything that a look should tell.

use super::hand::{self, Hand};
use super::marks;
use super::sight::{CELL, EDGE, Sight, WHOLE};
use super::tile::{self, Print, printed};
use super::words;
use crate::voice::voice;
use contact::view::TileView;
use contact::{Public, Side, set::MAX_TILES};
use leptos::prelude::*;
use std::fmt::Write;

/// The board and everything on it.
#[component]
pub(super) fn Board(hand: Hand) -> impl IntoView {
    let voice = voice();
    let rules = Memo::new(move |_| {
        let (sight, side) = (hand.sight.get(), hand.side.get());
        hand.view.with(|view| view.as_ref().map(|view| ruled(view, sight, side)).unwrap_or_default())
    });
    let label = move || {
        let at = words::corner(hand, hand::cursor(hand));
        format!(
            "Board. {at}. Arrow keys walk, Enter picks a tile and places it, Escape lets go, N goes to the next choice, T shows threats."
        )
    };
    // What the keyboard meets is said.
    Effect::new(move |first: Option<()>| {
        let words = words::corner(hand, hand::cursor(hand));
        if first.is_some() && hand.keyed.get_untracked() {
            voice.say(words);
        }
    });
    let open = move || hand.session.my_turn() && !hand.session.over();
    let grabs = move || hand.over.get().is_some() || hand.aim.get().is_some();
    let tiles = (0..MAX_TILES as u8).map(|id| view! { <OnBoard hand id/> }).collect_view();
    let keys = move |event: web_sys::KeyboardEvent| hand::key(hand, &event, voice);
    view! {
        <svg class="ct-board" class:is-open=open class:is-near=grabs class:is-dragged=move || hand.grip.get().is_some_and(|grip| grip.moved)
            viewBox=format!("0 0 {WHOLE} {WHOLE}") role="application" tabindex="0" aria-label=label
            on:pointerdown=move |event| hand::down(hand, &event) on:pointermove=move |event| hand::moved(hand, &event)
            on:pointerup=move |_| hand::up(hand, voice) on:pointercancel=move |_| hand.let_go()
            on:pointerleave=move |_| { hand.over.set(None); if hand.held.get_untracked().is_none() && !hand.keyed.get_untracked() { hand.aim.set(None); } }
            on:keydown=keys on:blur=move |_| hand.keyed.set(false)>
            <g class="ct-frame" style=move || hand.frame.get().style()>
                <g class="ct-ruled" inner_html=move || rules.get()></g>
                {move || marks::last(hand)}
                {move || marks::ways(hand)}
                <g class="ct-tiles">{tiles}</g>
                {move || marks::gone(hand)}
                {move || marks::threats(hand)}
                {move || marks::advised(hand)}
                {move || marks::foreseen(hand)}
                {move || marks::cursor(hand)}
            </g>
        </svg>
    }
}

/// One tile for the whole game: one element that moves, so that it is seen to go where it goes.
#[component]
fn OnBoard(hand: Hand, id: u8) -> impl IntoView {
    let tile = Memo::new(move |_| {
        hand.view
            .with(|view| view.as_ref().and_then(|view| view.tiles.iter().find(|tile| tile.id == id).cloned()))
    });
    let print = Memo::new(move |_| {
        let tile = tile.get()?;
        hand.view.with(|view| view.as_ref().map(|view| Print::of(&tile, view)))
    });
    let at = Memo::new(move |_| tile.with(|tile| tile.as_ref().map(|tile| tile.at)));
    let held = Memo::new(move |_| {
        let grip = hand.grip.get().filter(|grip| grip.moved)?;
        if Some(grip.from) == at.get() { hand.held.get() } else { None }
    });
    let snapped = Memo::new(move |_| held.get().is_some() && hand.aim.get().is_some());
    let spin = Memo::new(move |before: Option<&i32>| {
        let spin = tile.with(|tile| tile.as_ref().map_or(0, |tile| i32::from(tile.spin)));
        tile::unrolled(before.copied(), spin - hand.sight.get().quarters())
    });
    // Held over a place where it may go, it already lies there as it would.
    let quarters = move || spin.get() + i32::from(snapped.get());
    let place = move || {
        let sight = hand.sight.get();
        let aimed = snapped.get().then(|| hand.aim.get()).flatten().map(|aim| sight.place(aim));
        let (x, y) = aimed
            .or_else(|| held.get().map(|held| held.at))
            .or_else(|| at.get().map(|at| sight.place(at)))
            .unwrap_or_default();
        format!("transform:translate({x:.1}px,{y:.1}px)")
    };
    let class = move || {
        let picked = hand.picked.get().is_some() && hand.picked.get() == at.get();
        match (held.get().is_some(), snapped.get(), picked) {
            (true, false, _) => "ct-tile is-held",
            (true, true, _) => "ct-tile is-held is-snapped",
            (false, _, true) => "ct-tile is-picked",
            _ => "ct-tile",
        }
    };
    let label = move || tile.with(|tile| tile.as_ref().map(|tile| described(hand, tile)));
    view! {
        <Show when=move || at.get().is_some()>
            <g class=class data-at=move || at.get().map(|at| at.to_string()) style=place role="img" aria-label=label>
                <g class="ct-lift">{move || print.get().map(|print| printed(print, quarters))}</g>
            </g>
        </Show>
    }
}

fn described(hand: Hand, tile: &TileView) -> String {
    let figures = hand.sight.get().figures(tile.figures).map(|figure| figure.to_string()).join(" ");
    let turned = if tile.turned { ", turned over" } else { "" };
    format!("{} {} tile on {}: {figures}{turned}", tile.colour, tile::kind(tile.step), tile.at)
}

/// The printed board as one side sees it: lines, rings, letters and numbers, and a bar of colour where each player sits.
/// It changes only when the board is turned, so it is drawn as text.
fn ruled(public: &Public, sight: Sight, side: Option<Side>) -> String {
    let (first, last) = (EDGE, WHOLE - EDGE);
    let mut ink =
        format!(r#"<rect class="ct-paper" x="{first}" y="{first}" width="{0}" height="{0}"/>"#, last - first);
    let mut lines = String::new();
    for line in 1..16 {
        let at = EDGE + f64::from(line) * CELL;
        let _ = write!(lines, "M{at} {first}V{last}M{first} {at}H{last}");
    }
    let _ = write!(ink, r#"<path class="ct-line" d="{lines}"/>"#);
    for (&home, places) in &public.rings {
        // A ring is for those who come from across the board.
        let goal = side.is_some_and(|side| side.opposite() == home);
        for corner in places.iter().filter_map(|&place| home.corner(1, place)) {
            let (x, y) = sight.place(corner);
            let class = if goal { "ct-ring is-goal" } else { "ct-ring" };
            let _ = write!(
                ink,
                r#"<circle class="{class}" cx="{x}" cy="{y}" r="15"/><circle class="{class} is-inner" cx="{x}" cy="{y}" r="10.5"/>"#
            );
        }
    }
    let _ = write!(
        ink,
        r#"<rect class="ct-rim" x="{first}" y="{first}" width="{0}" height="{0}"/>"#,
        last - first
    );
    ink.push_str(&homes(public, sight));
    ink.push_str(&names_of_lines(sight));
    ink
}

/// A bar in the colours of each player along that player's edge.
fn homes(public: &Public, sight: Sight) -> String {
    let mut bars = String::new();
    for &side in public.players.sides() {
        let mut colours: Vec<String> = public
            .tiles
            .iter()
            .filter(|tile| tile.owner == side)
            .map(|tile| tile.colour.to_string())
            .collect();
        colours.sort();
        colours.dedup();
        if colours.is_empty() {
            colours.push(contact::Colour::of(side).to_string());
        }
        let (Some(low), Some(high)) = (side.corner(1, 5), side.corner(1, 11)) else { continue };
        let (Some(from), Some(to)) = (out(sight, low), out(sight, high)) else { continue };
        for (part, colour) in colours.iter().enumerate() {
            let share = |at: usize| at as f64 / colours.len() as f64;
            let between = |part: f64| (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
            let ((x1, y1), (x2, y2)) = (between(share(part)), between(share(part + 1)));
            let _ = write!(bars, r#"<path class="ct-home is-{colour}" d="M{x1} {y1}L{x2} {y2}"/>"#);
        }
    }
    bars
}

/// The point outside the rim nearest to a corner of a home line.
fn out(sight: Sight, corner: contact::Corner) -> Option<(f64, f64)> {
    let (x, y) = sight.place(corner);
    let (near, far) = (EDGE + CELL, EDGE + 15.0 * CELL);
    let outside = 1.5;
    match (x, y) {
        (x, y) if x <= near => Some((EDGE - outside, y)),
        (x, y) if x >= far => Some((WHOLE - EDGE + outside, y)),
        (x, y) if y <= near => Some((x, EDGE - outside)),
        (x, y) if y >= far => Some((x, WHOLE - EDGE + outside)),
        _ => None,
    }
}

/// Letters for columns and numbers for rows, at the left and below, as this side sees them.
fn names_of_lines(sight: Sight) -> String {
    let mut names = String::new();
    for number in 1..=15_u8 {
        let column = contact::Corner::new(number, 1).map(|corner| sight.place(corner));
        let row = contact::Corner::new(1, number).map(|corner| sight.place(corner));
        let letter = char::from(b'a' + number - 1).to_string();
        for (place, name) in [(column, letter), (row, number.to_string())] {
            let Some((x, y)) = place else { continue };
            // A line that runs up is named below it, one that runs across at its left.
            let upright = (name.parse::<u8>().is_err()) == (sight.quarters() % 2 == 0);
            let (x, y) = if upright { (x, WHOLE - 5.0) } else { (13.0, y + 5.0) };
            let _ = write!(names, r#"<text class="ct-name" x="{x}" y="{y}">{name}</text>"#);
        }
    }
    names
}
