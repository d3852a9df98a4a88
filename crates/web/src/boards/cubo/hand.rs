//! One player's nine dice: the square, the tray of dice not yet in it, the cover, and what can be done.
//!
//! Drag a die, or tap it and then a cell, or use the keys: `1`–`8` take a die of the tray, `Q W E / A D / Z X C` are
//! the cells round the white one, `S` in their middle covers and calls, `R` picks up and rolls. Then `1`–`4` take a die of
//! the centre, a cell's key exchanges the die there, and `K` keeps all.

mod acts;
mod drawing;
mod pieces;
mod square;

use crate::browser;
use crate::session::Session;
use crate::ui::people::colour;
use acts::Acts;
use cubo::{Act, Cell, Cubo, Layout, Private, Public, SeatView, Stage, WHITE};
use leptos::prelude::*;
use square::Square;
use table::Seat;

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
    /// Whether this hand is played at this screen.
    fn is_mine(self) -> bool {
        self.session.mine.with(|mine| mine.contains(&self.seat))
    }

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

/// One player's dice.
#[component]
pub(super) fn HandOf(session: Session, view: Memo<Option<Public>>, seat: Seat) -> impl IntoView {
    let fingers = Fingers { session, seat, held: RwSignal::new(None), picked: RwSignal::new(None) };
    let shown = Memo::new(move |_| {
        view.with(|view| view.as_ref().and_then(|view| view.seats.get(seat.index()).cloned()))
    });
    let layout = Memo::new(move |_| session.own_of::<Private>(seat).map(|own| own.layout));
    let mine = move || fingers.is_mine();
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
