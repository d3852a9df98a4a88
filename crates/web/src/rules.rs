//! The rules over a table: whoever looks something up stays where they are, sees the clock, and goes on.

use crate::boards;
use crate::learn::{Lesson, Reference};
use crate::pieces;
use crate::session::Session;
use crate::ui::{ClockRing, Dialog};
use house::Kind;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// The button that opens them.
#[component]
pub fn RulesButton(
    /// Whether they are open.
    open: RwSignal<bool>,
) -> impl IntoView {
    view! { <button class="btn btn-quiet bar-rules" data-do="rules" aria-haspopup="dialog" on:click=move |_| open.set(true)>"Rules"</button> }
}

/// The rules of a game over its table.
#[component]
pub fn Rules(
    /// Of which game.
    kind: Kind,
    /// Whether they are open.
    open: RwSignal<bool>,
    /// The table under them; none before its game has started.
    #[prop(into)]
    session: Signal<Option<Session>>,
) -> impl IntoView {
    let meanwhile = move || session.get().map(|session| view! { <Meanwhile session/> });
    view! {
        <Dialog open name="rules" game=kind title=format!("How to play {kind}") beside=meanwhile>
            <Pages kind/>
        </Dialog>
    }
}

/// What goes on at the table meanwhile: a live region under a dialog is heard by nobody.
#[component]
fn Meanwhile(session: Session) -> impl IntoView {
    let turn = move || if session.my_turn() && !session.over() { "Your turn" } else { "" };
    view! { <span class="over-turn" role="status">{turn}</span><ClockRing session silent=true/> }
}

/// The rules on one page, and the lesson for whoever asks for it.
#[component]
fn Pages(kind: Kind) -> impl IntoView {
    let fetched = RwSignal::new(pieces::game(kind).map(|_| true));
    if fetched.get_untracked().is_none() {
        spawn_local(async move {
            let come = pieces::fetch(kind).await.is_ok();
            fetched.try_set(Some(come));
        });
    }
    move || {
        match fetched.get() {
        None => view! { <p class="faint" role="status">"Fetching the rules…"</p> }.into_any(),
        Some(false) => view! {
            <p role="alert">"The rules could not be fetched. Check the connection, then close this and open it again."</p>
        }
        .into_any(),
        Some(true) => view! { <Fetched kind/> }.into_any(),
    }
    }
}

#[component]
fn Fetched(kind: Kind) -> impl IntoView {
    let game = boards::game(kind);
    let lesson = RwSignal::new(false);
    view! {
        <Reference game/>
        <Show when=|| !game.steps.is_empty()>
            <button class="btn" data-do="lesson" aria-expanded=move || lesson.get().to_string() on:click=move |_| lesson.update(|shown| *shown = !*shown)>
                {move || if lesson.get() { "Hide the lesson" } else { "Show the lesson, step by step" }}
            </button>
        </Show>
        <Show when=move || lesson.get()><Lesson game over=true/></Show>
    }
}
