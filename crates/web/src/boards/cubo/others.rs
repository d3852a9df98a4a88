//! Everybody else at a glance: who arranges, who has covered, and with which die.

use super::small;
use crate::session::Session;
use crate::ui::people::colour;
use cubo::{Cell, Phase, Public, SeatView, Stage};
use leptos::prelude::*;
use table::Seat;

/// The others.
#[component]
pub(super) fn Others(session: Session, view: Memo<Option<Public>>, seats: Memo<Vec<Seat>>) -> impl IntoView {
    let all = move || {
        let shown = seats.get();
        let view = view.get();
        let turn = view.as_ref().and_then(|view| match view.phase {
            Phase::Scoring { turn, .. } => Some(turn),
            _ => None,
        });
        let seats = view.map(|view| view.seats).unwrap_or_default();
        (0..)
            .map(Seat)
            .zip(seats)
            .filter(|(seat, _)| !shown.contains(seat))
            .map(|(seat, state)| other(session, seat, state, turn))
            .collect_view()
    };
    view! { <ul class="others" aria-label="The others">{all}</ul> }
}

fn other(session: Session, seat: Seat, state: SeatView, turn: Option<Seat>) -> impl IntoView {
    let words = match state.stage {
        Stage::Waiting => "waits".to_owned(),
        Stage::Held => "picks up".to_owned(),
        Stage::Thrown => format!("{} of 9", state.placed),
        Stage::Called { .. } => "Cubo!".to_owned(),
        Stage::Covered => "covered".to_owned(),
        Stage::Late => "too late".to_owned(),
        Stage::Uncovered | Stage::Counted => {
            state.uncovered.map_or_else(String::new, |open| format!("{} points", open.count.total))
        }
    };
    let covered = matches!(state.stage, Stage::Called { .. } | Stage::Covered);
    let grid = match (state.uncovered, state.dice) {
        (Some(open), _) => Cell::all().map(|cell| small(open.square.at(cell))).collect_view().into_any(),
        (None, Some(dice)) if !covered => dice.into_iter().map(small).collect_view().into_any(),
        _ => ().into_any(),
    };
    view! {
        <li class="other" class:is-covered=covered class:is-turn=turn == Some(seat) style=colour(seat)>
            <p class="other-name"><b>{session.name(seat)}</b><span>{words}</span></p>
            <div class="other-grid">{grid}{covered.then(|| view! { <span class="other-cover">{state.taken.map(small)}</span> })}</div>
        </li>
    }
}
