//! What lies on the square and in the tray: dice that are dragged, dice that were uncovered, the cover and the cup.

use super::drawing::{CELL, EDGE, corner, slot};
use super::square::Sight;
use super::{Fingers, tap_die};
use crate::boards::cubo::{drawn, moves};
use cubo::{Cell, Die, SeatView, Uncovered, WHITE};
use leptos::prelude::*;

/// A die of the throw: one element that moves, so that it is seen to go where it goes.
pub(super) fn piece(sight: Sight, die: u8) -> impl IntoView {
    let Sight { fingers, shown, layout, wide } = sight;
    let Fingers { held, picked, .. } = fingers;
    let face = Memo::new(move |_| {
        shown.with(|shown| shown.as_ref().and_then(|shown| shown.dice).map(|dice| dice[usize::from(die)]))
    });
    let dragged = move || held.get().filter(|held| held.moved && held.die == die);
    let cell = move || layout.get().and_then(|layout| layout.find(die));
    let is_picked = move || picked.get() == Some(die);
    let style = move || {
        let (x, y) = match (dragged(), cell().map(corner)) {
            (Some(held), _) => (held.at.0 - 48.0, held.at.1 - 52.0),
            (None, Some((x, y))) => (x + 5.0, y + 4.0),
            (None, None) => slot(die, wide.get()),
        };
        format!("transform:translate({x:.1}px,{y:.1}px)")
    };
    let class = move || {
        let held = if dragged().is_some() { " is-held" } else { "" };
        let picked = if is_picked() { " is-picked" } else { "" };
        format!("piece{held}{picked}")
    };
    let label = move || {
        let place = cell().map_or_else(|| "in the tray".to_owned(), |cell| cell.to_string());
        face.get().map(|face| format!("{}, {place}", face.in_words()))
    };
    let reached = move || if sight.races() && die != WHITE { "0" } else { "-1" };
    let key = move |event: web_sys::KeyboardEvent| {
        if sight.races() && presses(&event) {
            tap_die(fingers, layout, die);
        }
    };
    view! {
        <Show when=move || face.get().is_some() && sight.uncovered().is_none()>
            <g class=class style=style role="button" tabindex=reached aria-label=label aria-pressed=move || is_picked().to_string()
                on:pointerdown=move |event| sight.down(&event, die) on:pointermove=move |event| sight.moved(&event) on:pointerup=move |event| sight.up(&event) on:pointercancel=move |_| held.set(None) on:keydown=key>
                <g class="piece-roll" style=move || roll_style(shown, die)>{move || face.get().map(drawn)}</g>
            </g>
        </Show>
    }
}

/// Whether a key presses what has the focus; then it does nothing else.
fn presses(event: &web_sys::KeyboardEvent) -> bool {
    let presses = event.key() == "Enter" || event.key() == " ";
    if presses {
        event.prevent_default();
        event.stop_propagation();
    }
    presses
}

/// Each throw rolls the dice in, each a little differently.
fn roll_style(shown: Memo<Option<SeatView>>, die: u8) -> String {
    let throws = shown.with(|shown| shown.as_ref().map_or(0, |shown| shown.throws));
    if !moves() {
        return String::new();
    }
    // A name that changes with the throw starts the animation anew.
    let name = if throws % 2 == 0 { "roll-a" } else { "roll-b" };
    format!("animation-name:{name};animation-delay:{}ms", u32::from(die) * 23)
}

/// The square after its cover was lifted.
pub(super) fn open_square(sight: Sight, open: Uncovered) -> impl IntoView {
    let changed = open.exchange.map(|made| made.at);
    let dice = Cell::all().map(|cell| open_die(sight, cell, open.square.at(cell), changed == Some(cell)));
    view! { <g class="open" class:is-choosing=move || sight.exchanges()>{dice.collect_view()}</g> }
}

/// A die there, which may be exchanged.
fn open_die(sight: Sight, cell: Cell, die: Die, changed: bool) -> impl IntoView {
    let (x, y) = corner(cell);
    let may = move || sight.exchanges() && cell != Cell::MIDDLE;
    let label = move || {
        let says = format!("{}, {cell}", die.in_words());
        if may() { format!("Exchange the {says}") } else { says }
    };
    let key = move |event: web_sys::KeyboardEvent| {
        if presses(&event) {
            sight.exchange(cell);
        }
    };
    view! {
        <g class="piece" class:is-new=changed transform=format!("translate({} {})", x + 5.0, y + 4.0) aria-label=label
            role=move || if may() { "button" } else { "img" } tabindex=move || if may() { "0" } else { "-1" } on:click=move |_| sight.exchange(cell) on:keydown=key>{drawn(die)}</g>
    }
}

/// The cover, with the die taken on it.
#[component]
pub(super) fn Cover(shown: Memo<Option<SeatView>>) -> impl IntoView {
    let taken = move || shown.with(|shown| shown.as_ref().and_then(|shown| shown.taken));
    let side = 3.0 * CELL + 8.0;
    view! {
        <g class="cover" aria-label="Covered">
            <rect class="cover-back" x=EDGE - 4.0 y=EDGE - 4.0 width=side height=side rx="20"/>
            <rect class="cover-line" x=EDGE + 12.0 y=EDGE + 12.0 width=side - 32.0 height=side - 32.0 rx="12"/>
            <text class="cover-word" x=EDGE + 1.5 * CELL y=EDGE + 0.62 * CELL>"Cubo!"</text>
            {move || taken().map(|die| view! { <g class="cover-die" transform=format!("translate({} {})", EDGE + CELL + 3.0, EDGE + CELL + 10.0)>{drawn(die)}</g> })}
        </g>
    }
}

/// The dice in the hand, waiting to be rolled.
#[component]
pub(super) fn Cup(shown: Memo<Option<SeatView>>) -> impl IntoView {
    let last = move || shown.with(|shown| shown.as_ref().is_some_and(|shown| shown.last_roll));
    view! {
        <g class="cup">
            <text x=EDGE + 1.5 * CELL y=EDGE + 1.5 * CELL - 6.0>"In your hand"</text>
            <text class="cup-small" x=EDGE + 1.5 * CELL y=EDGE + 1.5 * CELL + 26.0>{move || if last() { "one last roll" } else { "roll when you like" }}</text>
        </g>
    }
}
