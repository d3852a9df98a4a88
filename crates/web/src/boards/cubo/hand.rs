//! One player's nine dice: the square, the tray of dice not yet in it, the cover, and what can be done.
//!
//! Drag a die, or tap it and then a cell, or use the keys: `1`–`8` take a die of the tray, `Q W E / A D / Z X C` are
//! the cells round the white one, `S` in their middle covers and calls, `R` picks up and rolls. Then `1`–`4` take a die of
//! the centre, a cell's key exchanges the die there, and `K` keeps all.

use super::{drawn, moves};
use crate::browser;
use crate::session::Session;
use crate::ui::people::colour;
use crate::ui::point;
use cubo::{
    Act, Cell, Cubo, Die, Layout, Phase, Private, Public, Row, SeatView, Stage, Straights, Throw, WHITE,
};
use leptos::prelude::*;
use table::Seat;

/// The drawing: a square of 3 × 3 cells of 110 with room for the counts, and a tray of 8 slots below it or beside it.
const CELL: f64 = 110.0;
const EDGE: f64 = 14.0;
const SQUARE: f64 = EDGE + 3.0 * CELL;
const SLOT: f64 = 96.0;

/// How large the drawing is.
const fn size(wide: bool) -> (f64, f64) {
    let (x, y, width, height) = tray(wide);
    (x + width + 2.0, y + height + 2.0)
}

/// The tray: left, top, width and height.
const fn tray(wide: bool) -> (f64, f64, f64, f64) {
    if wide {
        (SQUARE + 84.0, 2.0, 2.0 * SLOT + 40.0, 4.0 * SLOT + 32.0)
    } else {
        (2.0, SQUARE + 58.0, 4.0 * SLOT + 34.0, 2.0 * SLOT + 28.0)
    }
}

/// A die in somebody's fingers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Held {
    die: u8,
    at: (f64, f64),
    moved: bool,
}

/// What a hand remembers that is no business of the table.
#[derive(Clone, Copy)]
struct Fingers {
    session: Session,
    seat: Seat,
    held: RwSignal<Option<Held>>,
    picked: RwSignal<Option<u8>>,
}

impl Fingers {
    fn act(self, act: Act) {
        self.session.act_as::<Cubo>(self.seat, act);
    }

    fn place(self, die: u8, cell: Cell) {
        self.picked.set(None);
        self.act(Act::Place { die, at: cell });
    }

    fn lift(self, die: u8) {
        self.picked.set(None);
        self.act(Act::Lift { die });
    }
}

/// Where the dice of a throw not yet in the square lie in the tray.
fn slot(die: u8, wide: bool) -> (f64, f64) {
    let (more, less) = (f64::from(die / if wide { 2 } else { 4 }), f64::from(die % if wide { 2 } else { 4 }));
    if wide {
        (SQUARE + 98.0 + less * (SLOT + 6.0), EDGE + more * (SLOT + 4.0))
    } else {
        (EDGE + less * (SLOT + 4.0), SQUARE + 70.0 + more * (SLOT + 4.0))
    }
}

/// Where a cell lies.
fn corner(cell: Cell) -> (f64, f64) {
    let at = cell.index();
    (EDGE + (at % 3) as f64 * CELL, EDGE + (at / 3) as f64 * CELL)
}

/// The cell under a point.
fn cell_at(x: f64, y: f64) -> Option<Cell> {
    let (column, row) = ((x - EDGE) / CELL, (y - EDGE) / CELL);
    let inside = (0.0..3.0).contains(&column) && (0.0..3.0).contains(&row);
    if inside { Cell::new(row as u8, column as u8) } else { None }
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

/// One player's dice.
#[component]
pub(super) fn HandOf(session: Session, view: Memo<Option<Public>>, seat: Seat) -> impl IntoView {
    let fingers = Fingers { session, seat, held: RwSignal::new(None), picked: RwSignal::new(None) };
    let shown = Memo::new(move |_| {
        view.with(|view| view.as_ref().and_then(|view| view.seats.get(seat.index()).cloned()))
    });
    let layout = Memo::new(move |_| session.own_of::<Private>(seat).map(|own| own.layout));
    let mine = move || session.mine.with(|mine| mine.contains(&seat));
    let named = move || session.mine.with(|mine| mine.len() > 1) || !mine();
    let keys = move |event: web_sys::KeyboardEvent| {
        if mine() {
            hand_keys(&event, fingers, shown, layout);
        }
    };
    // What had the keyboard may be gone at each new stage; with one hand at this screen it is clear whose keys they are.
    let stage = Memo::new(move |_| shown.with(|shown| shown.as_ref().map(|shown| shown.stage)));
    Effect::new(move |_| {
        if stage.get().is_some() && session.mine.with_untracked(|mine| mine.as_slice() == [seat]) {
            browser::focus_if_lost(".hand");
        }
    });
    view! {
        <section class="hand" tabindex="-1" style=colour(seat) aria-label=move || format!("Dice of {}", session.name(seat)) on:keydown=keys>
            <Show when=named><h3 class="hand-name">{move || session.name(seat)}</h3></Show>
            <Square fingers view shown layout/>
            <Show when=mine><Acts fingers view shown layout/></Show>
        </section>
    }
}

fn hand_keys(
    event: &web_sys::KeyboardEvent,
    fingers: Fingers,
    shown: Memo<Option<SeatView>>,
    layout: Memo<Option<Layout>>,
) {
    let key = event.key().to_lowercase();
    let stage = shown.with_untracked(|shown| shown.as_ref().map(|shown| shown.stage));
    let cell = match key.as_str() {
        "q" => Cell::new(0, 0),
        "w" => Cell::new(0, 1),
        "e" => Cell::new(0, 2),
        "a" => Cell::new(1, 0),
        "d" => Cell::new(1, 2),
        "z" | "y" => Cell::new(2, 0),
        "x" => Cell::new(2, 1),
        "c" => Cell::new(2, 2),
        _ => None,
    };
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    match (key.as_str(), cell, stage) {
        (_, Some(cell), Some(Stage::Uncovered)) => fingers.act(Act::Exchange { out: cell }),
        (_, Some(cell), _) => tap_cell(fingers, layout, cell),
        ("1" | "2" | "3" | "4", _, Some(Stage::Called { .. })) => {
            fingers.act(Act::Take { die: key.parse().map_or(0, |number: u8| number - 1) });
        }
        ("1" | "2" | "3" | "4" | "5" | "6" | "7" | "8", ..) => {
            fingers.picked.set(key.parse::<u8>().ok().map(|number| number - 1));
        }
        ("r", _, Some(Stage::Held)) => fingers.act(Act::Roll),
        ("r", _, Some(Stage::Thrown)) => fingers.act(Act::PickUp),
        ("s", _, Some(Stage::Thrown)) => fingers.act(Act::Call),
        ("k", _, Some(Stage::Uncovered)) => fingers.act(Act::Keep),
        ("escape", ..) => fingers.picked.set(None),
        _ => return,
    }
    event.prevent_default();
}

/// A tap on a cell: the picked die goes there; without one, the die there is picked.
fn tap_cell(fingers: Fingers, layout: Memo<Option<Layout>>, cell: Cell) {
    let there = layout.get_untracked().and_then(|layout| layout.at(cell));
    match (fingers.picked.get_untracked(), there) {
        (Some(die), Some(other)) if die == other => fingers.lift(die),
        (Some(die), _) => fingers.place(die, cell),
        (None, Some(die)) if die != WHITE => fingers.picked.set(Some(die)),
        _ => {}
    }
}

#[component]
fn Square(
    fingers: Fingers,
    view: Memo<Option<Public>>,
    shown: Memo<Option<SeatView>>,
    layout: Memo<Option<Layout>>,
) -> impl IntoView {
    let session = fingers.session;
    let stage = move || shown.with(|shown| shown.as_ref().map_or(Stage::Waiting, |shown| shown.stage));
    let racing = move || stage() == Stage::Thrown && session.mine.with(|mine| mine.contains(&fingers.seat));
    let exchanging =
        move || stage() == Stage::Uncovered && session.mine.with(|mine| mine.contains(&fingers.seat));
    let straights = move || view.with(|view| view.as_ref().map_or(Straights::InOrder, |view| view.straights));
    let uncovered = move || shown.with(|shown| shown.as_ref().and_then(|shown| shown.uncovered));
    let covered = move || matches!(stage(), Stage::Called { .. } | Stage::Covered);
    let screen =
        browser::watching("(min-width: 861px) and (min-aspect-ratio: 1/1), (min-aspect-ratio: 13/10)");
    let wide = Memo::new(move |_| screen.get() && session.mine.with(|mine| mine.len() < 2));

    // Beside a square that is empty, covered or counted lies nothing: it moves to the middle.
    let bare = move || !matches!(stage(), Stage::Held | Stage::Thrown | Stage::Late);
    let drawn_size =
        move || if wide.get() && bare() { (SQUARE + 64.0, SQUARE + 58.0) } else { size(wide.get()) };

    let down = move |event: web_sys::PointerEvent, die: u8| {
        if !racing() || die == WHITE {
            return;
        }
        let Some(element) = point::handled_by(&event) else { return };
        let Some(at) = point::on_drawing(&event, &element) else { return };
        let _ = element.set_pointer_capture(event.pointer_id());
        fingers.held.set(Some(Held { die, at, moved: false }));
    };
    let moved = move |event: web_sys::PointerEvent| {
        let (Some(held), Some(element)) = (fingers.held.get_untracked(), point::handled_by(&event)) else {
            return;
        };
        let Some((x, y)) = point::on_drawing(&event, &element) else { return };
        let far = (x - held.at.0).hypot(y - held.at.1) > 8.0;
        if held.moved || far {
            fingers.held.set(Some(Held { at: (x, y), moved: true, ..held }));
        }
    };
    let up = move |event: web_sys::PointerEvent| {
        let Some(held) = fingers.held.get_untracked() else { return };
        fingers.held.set(None);
        if !held.moved {
            tap_die(fingers, layout, held.die);
            return;
        }
        let point = point::handled_by(&event)
            .and_then(|element| point::on_drawing(&event, &element))
            .unwrap_or(held.at);
        match cell_at(point.0, point.1) {
            Some(cell) => fingers.place(held.die, cell),
            None if layout.get_untracked().is_some_and(|layout| layout.find(held.die).is_some()) => {
                fingers.lift(held.die);
            }
            None => {}
        }
    };
    let cells = Cell::all().map(|cell| {
        let (x, y) = corner(cell);
        let glows = move || {
            let over = fingers.held.get().filter(|held| held.moved).and_then(|held| cell_at(held.at.0, held.at.1));
            racing() && cell != Cell::MIDDLE && (over == Some(cell) || (fingers.picked.get().is_some() && fingers.held.get().is_none()))
        };
        let tap = move |_| if racing() { tap_cell(fingers, layout, cell) } else if exchanging() && cell != Cell::MIDDLE { fingers.act(Act::Exchange { out: cell }) };
        view! { <rect class="cell" class:is-glowing=glows x=x + 3.0 y=y + 3.0 width=CELL - 6.0 height=CELL - 6.0 rx="14" on:click=tap/> }
    });
    // The dice: each is one element that moves, so that it is seen to go where it goes.
    let dice = (0..9_u8).map(move |die| {
        let face = Memo::new(move |_| shown.with(|shown| shown.as_ref().and_then(|shown| shown.dice).map(|dice| dice[usize::from(die)])));
        let place = move || {
            if let Some(held) = fingers.held.get().filter(|held| held.moved && held.die == die) {
                return (held.at.0 - 48.0, held.at.1 - 52.0);
            }
            match layout.get().and_then(|layout| layout.find(die)) {
                Some(cell) => { let (x, y) = corner(cell); (x + 5.0, y + 4.0) }
                None => slot(die, wide.get()),
            }
        };
        let class = move || {
            let mut class = String::from("piece");
            for (on, name) in [
                (fingers.held.get().is_some_and(|held| held.moved && held.die == die), " is-held"),
                (fingers.picked.get() == Some(die), " is-picked"),
            ] {
                class.push_str(if on { name } else { "" });
            }
            class
        };
        let label = move || face.get().map(|face| {
            let place = layout.get().and_then(|layout| layout.find(die)).map_or_else(|| "in the tray".to_owned(), |cell| cell.to_string());
            format!("{}, {place}", face.in_words())
        });
        let key = move |event: web_sys::KeyboardEvent| {
            if (event.key() == "Enter" || event.key() == " ") && racing() {
                event.prevent_default();
                event.stop_propagation();
                tap_die(fingers, layout, die);
            }
        };
        view! {
            <Show when=move || face.get().is_some() && uncovered().is_none()>
                <g class=class style=move || { let (x, y) = place(); format!("transform:translate({x:.1}px,{y:.1}px)") }
                    role="button" tabindex=move || if racing() && die != WHITE { "0" } else { "-1" } aria-label=label aria-pressed=move || (fingers.picked.get() == Some(die)).to_string()
                    on:pointerdown=move |event| down(event, die) on:pointermove=moved on:pointerup=up on:pointercancel=move |_| fingers.held.set(None) on:keydown=key>
                    <g class="piece-roll" style=move || roll_style(shown, die)>{move || face.get().map(drawn)}</g>
                </g>
            </Show>
        }
    }).collect_view();
    let open = move || {
        uncovered().map(|open| {
        let dice = Cell::all().map(|cell| {
            let (x, y) = corner(cell);
            let die: Die = open.square.at(cell);
            let changed = open.exchange.is_some_and(|made| made.at == cell);
            let may = move || exchanging() && cell != Cell::MIDDLE;
            let go = move || if may() { fingers.act(Act::Exchange { out: cell }) };
            let key = move |event: web_sys::KeyboardEvent| {
                if event.key() == "Enter" || event.key() == " " {
                    event.prevent_default();
                    event.stop_propagation();
                    go();
                }
            };
            let label = move || if may() { format!("Exchange the {}, {cell}", die.in_words()) } else { format!("{}, {cell}", die.in_words()) };
            view! {
                <g class="piece" class:is-new=changed transform=format!("translate({} {})", x + 5.0, y + 4.0) aria-label=label
                    role=move || if may() { "button" } else { "img" } tabindex=move || if may() { "0" } else { "-1" } on:click=move |_| go() on:keydown=key>{drawn(die)}</g>
            }
        });
        view! { <g class="open" class:is-choosing=exchanging>{dice.collect_view()}</g> }
    })
    };
    let lights = move || {
        let rows: Vec<(Row, u8, bool)> = match uncovered() {
            Some(open) => open.count.rows.iter().map(|row| (row.row, row.points, row.doubled)).collect(),
            None => shown
                .with(|shown| {
                    let dice = shown.as_ref().and_then(|shown| shown.dice)?;
                    Some(counts(&dice, &layout.get()?, straights()))
                })
                .unwrap_or_default(),
        };
        let total: u32 = rows.iter().map(|row| u32::from(row.1)).sum();
        let lit = rows.into_iter().map(|(row, points, doubled)| light(row, points, doubled)).collect_view();
        let sum = (!covered() && stage() != Stage::Waiting).then(|| view! { <text class="sum num" x=EDGE + 3.0 * CELL + 32.0 y=EDGE + 3.0 * CELL + 42.0>{total}</text> });
        view! { {lit}{sum} }
    };
    view! {
        <svg class="square" viewBox={move || { let (width, height) = drawn_size(); format!("0 0 {width} {height}") }} role="group" aria-label="The square and the tray">
            <rect class="mat" x="2" y="2" width=EDGE * 2.0 + 3.0 * CELL - 4.0 height=EDGE * 2.0 + 3.0 * CELL - 4.0 rx="20"/>
            <Show when=move || !(wide.get() && bare())>{move || {
                let (x, y, width, height) = tray(wide.get());
                view! { <rect class="tray" x=x y=y width=width height=height rx="20"/> }
            }}</Show>
            {cells.collect_view()}
            <g class="lights">{lights}</g>
            {open}
            <g class="pieces">{dice}</g>
            <Show when=covered><Cover shown/></Show>
            <Show when=move || stage() == Stage::Held><Cup shown/></Show>
            <Show when=move || stage() == Stage::Late>
                <text class="late" x=EDGE + 1.5 * CELL y=EDGE + 1.5 * CELL>"Too late"</text>
            </Show>
        </svg>
    }
}

/// A tap on a die: pick it; picked already, put it back; another picked and this one in the square: they change places.
fn tap_die(fingers: Fingers, layout: Memo<Option<Layout>>, die: u8) {
    let cell = layout.get_untracked().and_then(|layout| layout.find(die));
    match (fingers.picked.get_untracked(), cell) {
        (Some(picked), Some(_)) if picked == die => fingers.lift(die),
        (Some(picked), None) if picked == die => fingers.picked.set(None),
        (Some(picked), Some(cell)) => fingers.place(picked, cell),
        _ => fingers.picked.set(Some(die)),
    }
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

/// The cover, with the die taken on it.
#[component]
fn Cover(shown: Memo<Option<SeatView>>) -> impl IntoView {
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
fn Cup(shown: Memo<Option<SeatView>>) -> impl IntoView {
    let last = move || shown.with(|shown| shown.as_ref().is_some_and(|shown| shown.last_roll));
    view! {
        <g class="cup">
            <text x=EDGE + 1.5 * CELL y=EDGE + 1.5 * CELL - 6.0>"In your hand"</text>
            <text class="cup-small" x=EDGE + 1.5 * CELL y=EDGE + 1.5 * CELL + 26.0>{move || if last() { "one last roll" } else { "roll when you like" }}</text>
        </g>
    }
}

/// What can be done now.
#[component]
fn Acts(
    fingers: Fingers,
    view: Memo<Option<Public>>,
    shown: Memo<Option<SeatView>>,
    layout: Memo<Option<Layout>>,
) -> impl IntoView {
    let session = fingers.session;
    let stage = move || shown.with(|shown| shown.as_ref().map_or(Stage::Waiting, |shown| shown.stage));
    let phase = move || view.with(|view| view.as_ref().map(|view| view.phase.clone()));
    let called = move || matches!(phase(), Some(Phase::Race { first_call: Some(_), .. }));
    let placed = move || layout.get().map_or(0, |layout| layout.placed());
    let ready = move || matches!(phase(), Some(Phase::Pause { ready, .. }) if ready.contains(&fingers.seat));
    let act = move |act: Act| move |_| fingers.act(act);
    let body = move || {
        match (phase(), stage()) {
        (Some(Phase::Pause { .. }), _) => view! {
            <button class="btn btn-main wide" data-do="ready" disabled=ready on:click=act(Act::Ready)>{move || if ready() { "Waiting for the others" } else { "Ready" }}</button>
        }.into_any(),
        (Some(Phase::Race { .. }), Stage::Thrown) => view! {
            <button class="btn" data-do="pick-up" disabled=called on:click=act(Act::PickUp)>"Pick up"</button>
            <button class="btn btn-main wide" data-do="call" disabled={move || placed() < 9} on:click=act(Act::Call)>
                {move || if placed() < 9 { format!("{} to place", 9 - placed()) } else { "Cubo!".to_owned() }}
            </button>
        }.into_any(),
        (Some(Phase::Race { .. }), Stage::Held) => view! { <button class="btn btn-main wide" data-do="roll" on:click=act(Act::Roll)>"Roll"</button> }.into_any(),
        (_, Stage::Called { .. }) => view! { <p class="acts-says">"Take a die from the centre, quickly."</p> }.into_any(),
        (Some(Phase::Scoring { turn, .. }), Stage::Covered) => view! { <p class="acts-says">{format!("{} counts before you.", session.name(turn))}</p> }.into_any(),
        (_, Stage::Covered) => view! { <p class="acts-says">"Covered. The others are still at it."</p> }.into_any(),
        (_, Stage::Late) => view! { <p class="acts-says">"Too late this time: nothing counts, and your dice stay yours."</p> }.into_any(),
        (_, Stage::Uncovered) => view! {
            <p class="acts-says">"Tap the die to exchange for"{move || shown.with(|shown| shown.as_ref().and_then(|shown| shown.taken)).map(super::small)}</p>
            <button class="btn btn-main" data-do="keep" on:click=act(Act::Keep)>"Keep as it is"</button>
        }.into_any(),
        (Some(Phase::Scoring { turn, .. }), _) => view! { <p class="acts-says">{format!("{} is counting.", session.name(turn))}</p> }.into_any(),
        _ => ().into_any(),
    }
    };
    let keys = move || match stage() {
        Stage::Called { .. } => "Keys: 1–4 take a die of the centre",
        Stage::Uncovered => "Keys: Q W E A D Z X C exchange a die, K keeps all",
        _ => "Keys: 1–8 take a die, Q W E A D Z X C lay it, R picks up and rolls, S covers",
    };
    view! {
        <div class="acts">{body}</div>
        <p class="keys faint">{keys}</p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_under_a_finger_at_its_middle_and_none_outside() {
        for cell in Cell::all() {
            let (x, y) = corner(cell);
            assert_eq!(cell_at(x + CELL / 2.0, y + CELL / 2.0), Some(cell));
        }
        assert_eq!(cell_at(2.0, 50.0), None);
        let (x, y) = slot(7, false);
        assert_eq!(cell_at(x + 10.0, y + 10.0), None);
    }

    #[test]
    fn the_tray_lies_on_the_drawing() {
        for (die, wide) in (0..8).flat_map(|die| [(die, false), (die, true)]) {
            let ((x, y), (width, height)) = (slot(die, wide), size(wide));
            assert!(x + 96.0 <= width && y + 96.0 <= height, "{die} {wide}");
        }
    }
}
