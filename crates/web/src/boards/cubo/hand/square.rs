//! The square and the tray beside it, drawn: what lies there, what counts, and where a finger drags a die.

use super::drawing::{CELL, EDGE, SQUARE, cell_at, corner, size, tray};
use super::pieces::{Cover, Cup, open_square, piece};
use super::{Fingers, Held, tap_cell, tap_die};
use crate::browser;
use crate::ui::point;
use cubo::{Act, Cell, Layout, Public, Row, SeatView, Stage, Straights, Throw, Uncovered, WHITE};
use leptos::prelude::*;

/// A square as it lies before somebody, and the fingers on it.
#[derive(Clone, Copy)]
pub(super) struct Sight {
    pub(super) fingers: Fingers,
    pub(super) shown: Memo<Option<SeatView>>,
    pub(super) layout: Memo<Option<Layout>>,
    /// Whether the tray lies beside the square, not below it.
    pub(super) wide: Memo<bool>,
}

/// What is seen.
impl Sight {
    fn stage(self) -> Stage {
        self.shown.with(|shown| shown.as_ref().map_or(Stage::Waiting, |shown| shown.stage))
    }

    /// Whether the dice can be moved.
    pub(super) fn races(self) -> bool {
        self.stage() == Stage::Thrown && self.fingers.is_mine()
    }

    /// Whether a die can be exchanged for the one that was taken.
    pub(super) fn exchanges(self) -> bool {
        self.stage() == Stage::Uncovered && self.fingers.is_mine()
    }

    fn is_covered(self) -> bool {
        matches!(self.stage(), Stage::Called { .. } | Stage::Covered)
    }

    pub(super) fn uncovered(self) -> Option<Uncovered> {
        self.shown.with(|shown| shown.as_ref().and_then(|shown| shown.uncovered))
    }

    /// Beside a square that is empty, covered or counted lies nothing: it moves to the middle.
    fn is_alone(self) -> bool {
        self.wide.get() && !matches!(self.stage(), Stage::Held | Stage::Thrown | Stage::Late)
    }

    fn view_box(self) -> String {
        let alone = (SQUARE + 64.0, SQUARE + 58.0);
        let (width, height) = if self.is_alone() { alone } else { size(self.wide.get()) };
        format!("0 0 {width} {height}")
    }

    /// The rows that count so far, or count for good.
    fn counted(self, straights: Straights) -> Vec<(Row, u8, bool)> {
        if let Some(open) = self.uncovered() {
            return open.count.rows.iter().map(|row| (row.row, row.points, row.doubled)).collect();
        }
        let dice = self.shown.with(|shown| shown.as_ref().and_then(|shown| shown.dice));
        let placed = dice.and_then(|dice| Some(counts(&dice, &self.layout.get()?, straights)));
        placed.unwrap_or_default()
    }
}

/// What fingers do.
impl Sight {
    pub(super) fn down(self, event: &web_sys::PointerEvent, die: u8) {
        if !self.races() || die == WHITE {
            return;
        }
        let Some(element) = point::handled_by(event) else { return };
        let Some(at) = point::on_drawing(event, &element) else { return };
        let _ = element.set_pointer_capture(event.pointer_id());
        self.fingers.held.set(Some(Held { die, at, moved: false }));
    }

    pub(super) fn moved(self, event: &web_sys::PointerEvent) {
        let held = self.fingers.held;
        let (Some(now), Some(element)) = (held.get_untracked(), point::handled_by(event)) else { return };
        let Some((x, y)) = point::on_drawing(event, &element) else { return };
        let far = (x - now.at.0).hypot(y - now.at.1) > 8.0;
        if now.moved || far {
            held.set(Some(Held { at: (x, y), moved: true, ..now }));
        }
    }

    pub(super) fn up(self, event: &web_sys::PointerEvent) {
        let Some(held) = self.fingers.held.get_untracked() else { return };
        self.fingers.held.set(None);
        if !held.moved {
            tap_die(self.fingers, self.layout, held.die);
            return;
        }
        let point = point::handled_by(event)
            .and_then(|element| point::on_drawing(event, &element))
            .unwrap_or(held.at);
        match cell_at(point.0, point.1) {
            Some(cell) => self.fingers.place(held.die, cell),
            None if self.layout.get_untracked().is_some_and(|layout| layout.find(held.die).is_some()) => {
                self.fingers.lift(held.die);
            }
            None => {}
        }
    }

    /// A tap on a cell, whatever is asked now.
    fn tap(self, cell: Cell) {
        if self.races() {
            tap_cell(self.fingers, self.layout, cell);
        } else {
            self.exchange(cell);
        }
    }

    /// Exchanges the die of a cell, where that may be.
    pub(super) fn exchange(self, cell: Cell) {
        if self.exchanges() && cell != Cell::MIDDLE {
            self.fingers.act(Act::Exchange { out: cell });
        }
    }
}

/// The rows that are full, and what each is worth.
fn counts(dice: &Throw, layout: &Layout, straights: Straights) -> Vec<(Row, u8, bool)> {
    let die = |cell: Cell| layout.at(cell).and_then(|die| dice.get(usize::from(die)).copied());
    Row::ALL
        .into_iter()
        .filter_map(|row| {
            let [a, b, c] = row.cells().map(die);
            let count = straights.count_row(row, [a?, b?, c?]);
            Some((row, count.points, count.doubled))
        })
        .collect()
}

/// The square, and the tray of dice not yet in it.
#[component]
pub(super) fn Square(
    fingers: Fingers,
    view: Memo<Option<Public>>,
    shown: Memo<Option<SeatView>>,
    layout: Memo<Option<Layout>>,
) -> impl IntoView {
    let screen =
        browser::watching("(min-width: 861px) and (min-aspect-ratio: 1/1), (min-aspect-ratio: 13/10)");
    let wide = Memo::new(move |_| screen.get() && fingers.session.mine.with(|mine| mine.len() < 2));
    let sight = Sight { fingers, shown, layout, wide };
    let straights = move || view.with(|view| view.as_ref().map_or(Straights::InOrder, |view| view.straights));
    let dice = (0..9_u8).map(|die| piece(sight, die)).collect_view();
    let tray = move || {
        let (x, y, width, height) = tray(wide.get());
        view! { <rect class="tray" x=x y=y width=width height=height rx="20"/> }
    };
    view! {
        <svg class="square" viewBox=move || sight.view_box() role="group" aria-label="The square and the tray">
            <rect class="mat" x="2" y="2" width=EDGE * 2.0 + 3.0 * CELL - 4.0 height=EDGE * 2.0 + 3.0 * CELL - 4.0 rx="20"/>
            <Show when=move || !sight.is_alone()>{tray}</Show>
            {Cell::all().map(|cell| place(sight, cell)).collect_view()}
            <g class="lights">{move || lights(sight, straights())}</g>
            {move || sight.uncovered().map(|open| open_square(sight, open))}
            <g class="pieces">{dice}</g>
            <Show when=move || sight.is_covered()><Cover shown/></Show>
            <Show when=move || sight.stage() == Stage::Held><Cup shown/></Show>
            <Show when=move || sight.stage() == Stage::Late>
                <text class="late" x=EDGE + 1.5 * CELL y=EDGE + 1.5 * CELL>"Too late"</text>
            </Show>
        </svg>
    }
}

/// A cell, which glows where a die would go to it.
fn place(sight: Sight, cell: Cell) -> impl IntoView {
    let (x, y) = corner(cell);
    let Fingers { held, picked, .. } = sight.fingers;
    let glows = move || {
        let over = held.get().filter(|held| held.moved).and_then(|held| cell_at(held.at.0, held.at.1));
        let waits = picked.get().is_some() && held.get().is_none();
        sight.races() && cell != Cell::MIDDLE && (over == Some(cell) || waits)
    };
    view! { <rect class="cell" class:is-glowing=glows x=x + 3.0 y=y + 3.0 width=CELL - 6.0 height=CELL - 6.0 rx="14" on:click=move |_| sight.tap(cell)/> }
}

/// The rows that count, and their sum.
fn lights(sight: Sight, straights: Straights) -> impl IntoView {
    let rows = sight.counted(straights);
    let total: u32 = rows.iter().map(|row| u32::from(row.1)).sum();
    let lit = rows.into_iter().map(|(row, points, doubled)| light(row, points, doubled)).collect_view();
    let shows = !sight.is_covered() && sight.stage() != Stage::Waiting;
    let sum = shows.then(|| view! { <text class="sum num" x=EDGE + 3.0 * CELL + 32.0 y=EDGE + 3.0 * CELL + 42.0>{total}</text> });
    view! { {lit}{sum} }
}

/// A row that counts, lit, with its points at its end.
fn light(row: Row, points: u8, doubled: bool) -> AnyView {
    let [first, _, last] = row.cells();
    let ((x1, y1), (x2, y2)) = (corner(first), corner(last));
    let across = (y1 - y2).abs() < f64::EPSILON;
    let (tx, ty) = if across {
        (EDGE + 3.0 * CELL + 32.0, y1 + CELL / 2.0 + 9.0)
    } else {
        (x1 + CELL / 2.0, EDGE + 3.0 * CELL + 42.0)
    };
    let class = match (points, doubled) {
        (0, _) => "light is-none",
        (_, true) => "light is-double",
        _ => "light",
    };
    view! {
        <g class=class>
            <rect x=x1.min(x2) + 1.0 y=y1.min(y2) + 1.0 width=(x2 - x1).abs() + CELL - 2.0 height=(y2 - y1).abs() + CELL - 2.0 rx="16"/>
            <text class="light-points num" x=tx y=ty>{points}</text>
        </g>
    }
    .into_any()
}
