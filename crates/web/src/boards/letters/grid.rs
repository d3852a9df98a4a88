//! The drawing: the ruled sheet with the dice on it, the tray below, and the hands that move them.
//!
//! Drag a die, or tap it and then a cell, or type. Hold a die still for a moment, or keep Shift down, and all that hangs
//! together with it comes along.

use super::desk::{Cursor, Desk, Held, group};
use super::lay::Lay;
use super::piece::piece;
use super::read::{Mark, class, sign};
use super::throw::Roll;
use crate::browser;
use crate::ui::{point, size};
use leptos::html::Div;
use leptos::prelude::*;
use letters::Spot;
use std::fmt::Write;
use words::Letter;

/// Fingers that rest on a die for so long take hold of its whole group.
const HOLD_MS: i32 = 380;
/// Fingers that move less than this are tapping.
const STILL: f64 = 7.0;

/// The sheet and the tray.
#[component]
pub(super) fn Grid(
    desk: Desk,
    roll: Roll,
    /// What else stands on the sheet.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let mat = NodeRef::<Div>::new();
    size::follow(mat, desk.size);
    let count = Memo::new(move |_| desk.dice());
    let down = move |event: web_sys::PointerEvent| press(&event, desk, roll);
    let moved = move |event: web_sys::PointerEvent| drag(&event, desk);
    let up = move |event: web_sys::PointerEvent| release(&event, desk);
    let label = move || {
        let how = if desk.may.get() {
            " Type letters to lay them. Arrow keys move, Space turns the writing, Backspace takes back, Shift with an arrow key moves what hangs together."
        } else {
            ""
        };
        format!("The sheet, {} {} on it.{how}", desk.board.with(letters::Board::laid), desk.look.pieces())
    };
    let here = move || desk.may.get().then(|| cell_id(desk.cursor.get().spot));
    let flying = Memo::new(move |_| {
        desk.held
            .with(|held| held.as_ref().filter(|held| held.moved).map(|held| held.all.clone()))
            .unwrap_or_default()
    });
    view! {
        <div class="lt-mat" node_ref=mat on:keydown=move |event| keys(&event, desk)>
            <svg class="lt-svg" class:is-open=move || desk.may.get() class:is-still=move || roll.still() class:is-picking=move || desk.picked.get().is_some()
                viewBox=move || { let (width, height) = desk.size.get(); format!("0 0 {width} {height}") }
                on:pointerdown=down on:pointermove=moved on:pointerup=up on:pointercancel=move |_| desk.held.set(None)
                on:contextmenu=move |event| event.prevent_default()>
                <g class="lt-grid" role="grid" tabindex=move || if desk.may.get() { "0" } else { "-1" } aria-label=label aria-activedescendant=here
                    on:focus=move |_| desk.keyed.set(true) on:blur=move |_| desk.keyed.set(false)>
                    {move || sheet(desk, desk.lay.get())}
                </g>
                <g class="lt-trays" aria-hidden="true">{move || tray(desk.lay.get(), count.get())}</g>
                <g class="lt-bands" aria-hidden="true">{move || { let lay = desk.lay.get(); desk.read.with(|read| read.marks.iter().map(|mark| band(mark, &lay)).collect_view()) }}</g>
                <g aria-hidden="true">{move || aim(desk)}{move || cursor(desk)}</g>
                <g class="lt-dice">{move || (0..count.get() as u8).map(|die| view! { <Die desk die roll/> }).collect_view()}</g>
                <g class="lt-ghosts" aria-hidden="true">{move || ghosts(desk)}</g>
                <g class="lt-chips" aria-hidden="true">{move || { let lay = desk.lay.get(); desk.read.with(|read| read.marks.iter().map(|mark| chip(mark, &lay)).collect_view()) }}</g>
                <g class="lt-flying" aria-hidden="true">{move || flying.get().into_iter().map(|die| flier(desk, die)).collect_view()}</g>
            </svg>
            {children.map(|children| children())}
        </div>
    }
}

/// The die under a point: on the grid, or in the tray.
fn die_at(desk: Desk, at: (f64, f64)) -> Option<u8> {
    let lay = desk.lay.get_untracked();
    if let Some(spot) = lay.spot_at(at) {
        return desk.board.with_untracked(|board| board.die_at(spot));
    }
    let dice = desk.order.with_untracked(Vec::len);
    let die =
        lay.slot_at(at, dice).and_then(|slot| desk.order.with_untracked(|order| order.get(slot).copied()))?;
    desk.at(die).is_none().then_some(die)
}

fn press(event: &web_sys::PointerEvent, desk: Desk, roll: Roll) {
    roll.skip();
    let Some(element) = point::handled_by(event) else { return };
    let Some(at) = point::on_drawing(event, &element).filter(|_| desk.may.get_untracked()) else { return };
    let _ = element.set_pointer_capture(event.pointer_id());
    let Some(die) = die_at(desk, at) else { return };
    let laid = desk.at(die).is_some();
    let many = laid && (event.shift_key() || desk.together.get_untracked());
    let all = if many { desk.board.with_untracked(|board| group(board, die)) } else { vec![die] };
    let held = Held { die, all, from: at, at, moved: false };
    desk.held.set(Some(held.clone()));
    if laid && !many {
        browser::later(HOLD_MS, move || {
            if desk.held.try_get_untracked().flatten() == Some(held.clone()) {
                let all = desk.board.with_untracked(|board| group(board, die));
                let moved = all.len() > 1;
                desk.held.set(Some(Held { all, moved, ..held }));
            }
        });
    }
}

fn drag(event: &web_sys::PointerEvent, desk: Desk) {
    let Some(held) = desk.held.get_untracked() else { return };
    let Some(at) = point::handled_by(event).and_then(|element| point::on_drawing(event, &element)) else {
        return;
    };
    let far = (at.0 - held.from.0).hypot(at.1 - held.from.1) > STILL;
    if held.moved || far {
        desk.held.set(Some(Held { at, moved: true, ..held }));
    }
}

fn release(event: &web_sys::PointerEvent, desk: Desk) {
    if !desk.may.get_untracked() {
        return;
    }
    let at = point::handled_by(event).and_then(|element| point::on_drawing(event, &element));
    let lay = desk.lay.get_untracked();
    let Some(held) = desk.held.get_untracked() else {
        if let Some(spot) = at.and_then(|at| lay.spot_at(at)) {
            desk.tap_spot(spot);
        }
        return;
    };
    let at = at.unwrap_or(held.at);
    desk.held.set(None);
    match lay.spot_at(at) {
        _ if !held.moved => desk.tap_die(held.die),
        Some(spot) => desk.drop_on(&held, spot),
        None => desk.drop_beside(&held, lay.slot_at(at, desk.order.with_untracked(Vec::len))),
    }
}

fn keys(event: &web_sys::KeyboardEvent, desk: Desk) {
    let key = event.key();
    if !desk.may.get_untracked() || event.alt_key() {
        return;
    }
    // On a button these press it.
    if matches!(key.as_str(), "Enter" | " ") && browser::within(event, "button") {
        return;
    }
    if event.ctrl_key() || event.meta_key() {
        if key == "z" {
            event.prevent_default();
            desk.undo();
        }
        return;
    }
    let way = match key.as_str() {
        "ArrowLeft" => Some((-1, 0)),
        "ArrowRight" => Some((1, 0)),
        "ArrowUp" => Some((0, -1)),
        "ArrowDown" => Some((0, 1)),
        _ => None,
    };
    let mut chars = key.chars();
    let letter = chars.next().filter(|_| chars.next().is_none()).and_then(Letter::from_char);
    match (way, letter, key.as_str()) {
        (Some(way), ..) if event.shift_key() => desk.push(way),
        (Some(way), ..) => desk.walk(way),
        (_, Some(letter), _) => desk.write(letter, event.shift_key()),
        (.., "?" | "*" | "!") => desk.write_wild(),
        (.., " ") => desk.turn(),
        (.., "Enter") => desk.enter(),
        (.., "Backspace") => desk.rub_out(true),
        (.., "Delete") => desk.rub_out(false),
        (.., "Escape") => desk.drop_all(),
        _ => return,
    }
    event.prevent_default();
}

fn cell_id(Spot(x, y): Spot) -> String {
    format!("cell{x}_{y}")
}

/// The ruled sheet, cell by cell.
fn sheet(desk: Desk, lay: Lay) -> AnyView {
    let (width, height) = (f64::from(lay.columns) * lay.cell, f64::from(lay.rows) * lay.cell);
    let mut rules = String::new();
    for column in 1..lay.columns {
        let _ = write!(
            rules,
            "M{:.1} {:.1}v{height:.1}",
            lay.corner.0 + f64::from(column) * lay.cell,
            lay.corner.1
        );
    }
    for row in 1..lay.rows {
        let _ =
            write!(rules, "M{:.1} {:.1}h{width:.1}", lay.corner.0, lay.corner.1 + f64::from(row) * lay.cell);
    }
    let rows = (0..lay.rows).map(|row| {
        let cells = (0..lay.columns).map(|column| {
            let spot = Spot(lay.first.0 + column, lay.first.1 + row);
            let (x, y) = lay.at(spot);
            let name = move || {
                desk.board.track();
                desk.cell_spoken(spot)
            };
            view! { <rect class="lt-cell" role="gridcell" id=cell_id(spot) data-cell=format!("{},{}", spot.0, spot.1) aria-label=name x=x y=y width=lay.cell height=lay.cell/> }
        });
        view! { <g role="row">{cells.collect_view()}</g> }
    });
    view! {
        <rect class="lt-sheet" x=lay.corner.0 y=lay.corner.1 width=width height=height rx="6"/>
        <path class="lt-rules" d=rules/>
        {rows.collect_view()}
    }
    .into_any()
}

fn tray(lay: Lay, dice: usize) -> AnyView {
    let (x, y, width, height) = lay.tray;
    let slots = (0..dice).map(|at| {
        let (x, y) = lay.slot(at, dice);
        view! { <rect class="lt-slot" x=x + 2.0 y=y + 2.0 width=lay.die - 4.0 height=lay.die - 4.0 rx="8"/> }
    });
    view! {
        <rect class="lt-tray" x=x + 1.0 y=y + 1.0 width=width - 2.0 height=height - 2.0 rx="12"/>
        <rect class="lt-seam" x=x + 5.0 y=y + 5.0 width=width - 10.0 height=height - 10.0 rx="9"/>
        {slots.collect_view()}
    }
    .into_any()
}

fn mark_class(mark: &Mark) -> String {
    format!("lt-mark {}", class(mark))
}

/// A word, marked behind its dice.
fn band(mark: &Mark, lay: &Lay) -> AnyView {
    let (x, y) = lay.at(mark.at);
    let long = f64::from(mark.letters) * lay.cell;
    let (width, height) = if mark.across { (long, lay.cell) } else { (lay.cell, long) };
    view! { <g class=mark_class(mark)><rect x=x + 0.5 y=y + 0.5 width=width - 1.0 height=height - 1.0 rx=lay.cell * 0.2/></g> }.into_any()
}

/// What a word counts, at its end.
fn chip(mark: &Mark, lay: &Lay) -> AnyView {
    let Spot(x, y) = mark.at;
    let end = if mark.across { Spot(x + mark.letters, y) } else { Spot(x, y + mark.letters) };
    let (ex, ey) = lay.at(end);
    let round = (lay.cell * 0.17).clamp(9.0, 17.0);
    let (cx, cy) = if mark.across {
        (ex + round * 0.35, ey + lay.cell / 2.0)
    } else {
        (ex + lay.cell / 2.0, ey + round * 0.35)
    };
    view! {
        <g class=mark_class(mark)>
            <circle cx=cx cy=cy r=round/>
            <text class="num" x=cx y=cy + round * 0.38 style=format!("font-size:{:.1}px", round * 1.12)>{sign(mark)}</text>
        </g>
    }
    .into_any()
}

/// Where what is held would come to lie; or, with a die picked, every free cell.
fn aim(desk: Desk) -> Option<AnyView> {
    let over = desk.over.get()?;
    let (lay, held) = (desk.lay.get(), desk.held.get_untracked()?);
    let Spot(ax, ay) = desk.at(held.die).unwrap_or(over);
    let cells = held.all.iter().map(|&die| {
        let Spot(x, y) = desk.at(die).unwrap_or(over);
        let (x, y) = lay.at(Spot(over.0 + x - ax, over.1 + y - ay));
        view! { <rect class="lt-aim" x=x + 2.0 y=y + 2.0 width=lay.cell - 4.0 height=lay.cell - 4.0 rx="8"/> }
    });
    Some(cells.collect_view().into_any())
}

/// The keyboard's place, and which way it writes.
fn cursor(desk: Desk) -> Option<AnyView> {
    if !desk.may.get() || !desk.keyed.get() {
        return None;
    }
    let Cursor { spot, across } = desk.cursor.get();
    let lay = desk.lay.get();
    if !lay.shows(spot) {
        return None;
    }
    let (x, y) = lay.at(spot);
    let cell = lay.cell;
    let arrow = if across {
        format!("M{} {}l{} {}l{} {}z", x + cell - 11.0, y + cell / 2.0 - 6.0, 8.0, 6.0, -8.0, 6.0)
    } else {
        format!("M{} {}l{} {}l{} {}z", x + cell / 2.0 - 6.0, y + cell - 11.0, 6.0, 8.0, 6.0, -8.0)
    };
    Some(
        view! {
            <g class="lt-cursor" class:is-typed=move || desk.typed.get()>
                <rect x=x + 2.0 y=y + 2.0 width=cell - 4.0 height=cell - 4.0 rx="7"/>
                <path d=arrow/>
            </g>
        }
        .into_any(),
    )
}

/// The dice of a hint that do not lie there yet.
fn ghosts(desk: Desk) -> Option<AnyView> {
    let ghost = desk.ghost.get()?;
    let lay = desk.lay.get();
    let dice = ghost.dice.iter().filter(|placed| desk.at(placed.die).is_none()).filter_map(|placed| {
        let face = desk.face(placed.die)?;
        let (x, y) = lay.at(Spot(placed.x, placed.y));
        let side = lay.cell * 0.93;
        Some(view! { <g style=moved_to(x + lay.cell * 0.035, y + lay.cell * 0.035, side)>{piece(face, placed.called)}</g> })
    });
    Some(dice.collect_view().into_any())
}

fn moved_to(x: f64, y: f64, side: f64) -> String {
    format!("transform:translate({x:.1}px,{y:.1}px) scale({:.4})", side / 100.0)
}

/// Where a die is, and how large.
fn place(desk: Desk, die: u8) -> (f64, f64, f64) {
    let lay = desk.lay.get();
    let spot = desk.at(die);
    let held = desk.held.with(|held| {
        held.as_ref()
            .filter(|held| held.moved && held.all.contains(&die))
            .map(|held| (held.die, held.from, held.at))
    });
    let side = lay.cell * 0.93;
    let on = |spot: Spot| {
        let (x, y) = lay.at(spot);
        (x + lay.cell * 0.035, y + lay.cell * 0.035)
    };
    match (held, spot) {
        (Some((first, from, at)), Some(spot)) if first != die || desk.at(first).is_some() => {
            let (x, y) = on(spot);
            (x + at.0 - from.0, y + at.1 - from.1 - 4.0, side)
        }
        (Some((_, _, at)), _) => (at.0 - side / 2.0, at.1 - side / 2.0 - 4.0, side),
        (None, Some(spot)) => {
            let (x, y) = on(spot);
            (x, y, side)
        }
        (None, None) => {
            let (slot, dice) = desk.order.with(|order| {
                (order.iter().position(|other| *other == die).unwrap_or(usize::from(die)), order.len())
            });
            let (x, y) = lay.slot(slot, dice.max(slot + 1));
            (x, y, lay.die)
        }
    }
}

/// One die: one element that moves, so that it is seen to go where it goes.
#[component]
fn Die(desk: Desk, die: u8, roll: Roll) -> impl IntoView {
    let face = Memo::new(move |_| desk.face(die));
    let called = Memo::new(move |_| desk.called(die));
    let laid = Memo::new(move |_| desk.at(die));
    let held = Memo::new(move |_| {
        desk.held.with(|held| held.as_ref().is_some_and(|held| held.moved && held.all.contains(&die)))
    });
    let taken = move || {
        desk.shown.with(|shown| {
            shown
                .as_ref()
                .and_then(|shown| shown.turn.count.as_ref())
                .is_some_and(|count| count.taken.contains(die))
        })
    };
    let class = move || {
        let mut class = String::from("lt-piece");
        for (on, name) in [
            (held.get(), " is-held"),
            (desk.picked.get() == Some(die), " is-picked"),
            (desk.asking.get() == Some(die), " is-asked"),
            (taken(), " is-taken"),
            (desk.read.with(|read| read.out.contains(die)), " is-out"),
        ] {
            class.push_str(if on { name } else { "" });
        }
        class
    };
    let style = move || {
        let (x, y, side) = place(desk, die);
        moved_to(x, y, side)
    };
    let label = move || {
        let place = match laid.get() {
            None => "in the tray".to_owned(),
            Some(Spot(x, y)) => {
                let first = desk.lay.get().first;
                format!("row {}, column {}", y - first.1 + 1, x - first.0 + 1)
            }
        };
        format!("{}, {place}", desk.spoken(die))
    };
    let key = move |event: web_sys::KeyboardEvent| {
        if (event.key() == "Enter" || event.key() == " ") && desk.may.get_untracked() {
            event.prevent_default();
            event.stop_propagation();
            desk.tap_die(die);
            // Picked with the keyboard, it is laid with the keyboard.
            if desk.picked.get_untracked().is_some() && desk.at(die).is_none() {
                browser::focus_soon(".lt-grid");
            }
        }
    };
    // A reader's own "click" comes without a pointer.
    let click = move |event: web_sys::MouseEvent| {
        if event.detail() == 0 && desk.may.get_untracked() {
            desk.tap_die(die);
        }
    };
    view! {
        <g class=class style=style role="button" data-die=die tabindex=move || if desk.may.get() { "0" } else { "-1" }
            aria-label=label aria-pressed=move || (desk.picked.get() == Some(die)).to_string() on:keydown=key on:click=click>
            <g class="lt-roll" style=move || roll.style(die)>{move || face.get().map(|face| piece(face, called.get()))}</g>
        </g>
    }
}

/// A die in the fingers, above all others.
fn flier(desk: Desk, die: u8) -> AnyView {
    let style = move || {
        let (x, y, side) = place(desk, die);
        moved_to(x, y, side)
    };
    view! { <g class="lt-flier" style=style><g>{desk.face(die).map(|face| piece(face, desk.called(die)))}</g></g> }.into_any()
}
