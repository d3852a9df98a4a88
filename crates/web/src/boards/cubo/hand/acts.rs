//! What can be done with a hand now, as buttons, and by which keys.

use super::Fingers;
use crate::boards::cubo::small;
use cubo::{Act, Layout, Phase, Public, SeatView, Stage};
use leptos::prelude::*;

/// What can be done now.
#[component]
pub(super) fn Acts(
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
            <p class="acts-says">"Tap the die to exchange for"{move || shown.with(|shown| shown.as_ref().and_then(|shown| shown.taken)).map(small)}</p>
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
