//! A table on the server before, while and after it is played: its room, and then the board.

mod gathering;
mod invitation;
mod seats;
#[cfg(test)]
mod tests;

use super::line::{Line, RENEWED, State, UNREACHED, line};
use super::online::{NODS, Online, face};
use crate::app::{Bar, Kindly};
use crate::dictionary;
use crate::pieces::{self, Fetched};
use crate::rules::Rules;
use crate::session::Session;
use crate::table_page::{Felt, Gone};
use crate::ui::icon;
use crate::voice::voice;
use gathering::Gathering;
use house::Kind;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::{Command, Phase};
use std::rc::Rc;

/// A table but for the game.
type Table = protocol::Room<client::Raw>;

/// A table on the server.
#[component]
pub fn Room(
    /// Its name.
    id: String,
) -> impl IntoView {
    let (line, voice) = (line(), voice());
    let online = Rc::new(Online::new(id.clone(), line, voice));
    let (room, session, removed) = (online.room, online.session, online.removed);
    // They stay open when the game begins.
    let rules = RwSignal::new(false);
    let kind =
        Memo::new(move |_| room.with(|room| room.as_ref().and_then(|room| room.game.parse::<Kind>().ok())));
    line.listen_to(Rc::clone(&online));
    on_cleanup({
        let id = id.clone();
        move || line.forget(&id)
    });
    let ready = fetched(kind);
    let stage = {
        let gone = online.gone;
        Memo::new(move |_| Stage::of(line, room, session, gone, ready))
    };
    let shown = move || match stage.get() {
        Stage::Gathering => view! { <Gathering id=id.clone() room removed rules/> }.into_any(),
        Stage::Playing => session
            .get_untracked()
            .map(|session| {
                view! {
                    <Fetched kind=Some(session.kind) show=move || view! { <Felt session rules/> }/>
                    <Nods id=id.clone() room/>
                }
            })
            .into_any(),
        Stage::Waiting => {
            view! { <Bar/><p class="section faint" role="status">"Opening the table…"</p> }.into_any()
        }
        Stage::Gone(says) => view! { <Gone says/> }.into_any(),
        Stage::Renewed => renewed(),
        Stage::Unreached => unreached(),
    };
    view! {
        {shown}
        {move || kind.get().map(|kind| view! { <Rules kind open=rules session/> })}
    }
}

/// Fetches what a game needs, as soon as it is known which one is played; answers whether its words are here.
fn fetched(kind: Memo<Option<Kind>>) -> RwSignal<bool> {
    let ready = RwSignal::new(false);
    Effect::new(move |_| {
        let Some(kind) = kind.get() else { return };
        spawn_local(async move {
            let _ = pieces::fetch(kind).await;
        });
        spawn_local(async move {
            if dictionary::needed(kind) {
                dictionary::fetch().await;
            }
            ready.try_set(true);
        });
    });
    ready
}

/// What is shown of a table.
#[derive(Clone, PartialEq)]
enum Stage {
    Waiting,
    Unreached,
    Renewed,
    Gathering,
    Playing,
    Gone(String),
}

impl Stage {
    fn of(
        line: Line,
        room: RwSignal<Option<Table>>,
        session: RwSignal<Option<Session>>,
        gone: RwSignal<Option<String>>,
        ready: RwSignal<bool>,
    ) -> Stage {
        if let Some(says) = gone.get() {
            return Stage::Gone(says);
        }
        // What the board cannot read it cannot show: an empty one would say that nothing has happened.
        if session.get().is_some_and(|session| session.unreadable.get()) {
            return Stage::Renewed;
        }
        match (
            line.state.get(),
            room.with(|room| room.as_ref().map(|room| room.phase)),
            session.get().is_some(),
        ) {
            (State::Outdated, ..) => Stage::Renewed,
            (_, Some(Phase::Gathering), _) => Stage::Gathering,
            (_, Some(_), true) if ready.get() => Stage::Playing,
            (_, None, _) if line.cut.get() => Stage::Unreached,
            _ => Stage::Waiting,
        }
    }
}

/// The page is older than the server.
fn renewed() -> AnyView {
    view! {
        <Kindly title=RENEWED.0 says=RENEWED.1>
            <button class="btn btn-main" on:click=|_| drop(window().location().reload())>"Load again"</button>
        </Kindly>
    }
    .into_any()
}

/// The server does not answer.
fn unreached() -> AnyView {
    view! {
        <Kindly title=UNREACHED.0 says=UNREACHED.1>
            <a class="btn btn-main" href="./">"Back to the shelf"</a>
        </Kindly>
    }
    .into_any()
}

/// Something is wrong with the line: said where there is no board beside which it would be said.
#[component]
pub fn Lost(
    /// What.
    #[prop(into)]
    says: String,
) -> impl IntoView {
    view! { <p class="lost" role="alert">{says}</p> }
}

/// Whether somebody has a seat at a table.
fn sits(table: &Table, you: &str) -> bool {
    table.seats.iter().any(|place| place.person() == Some(you))
}

/// Quick nods across the table.
#[component]
fn Nods(id: String, room: RwSignal<Option<Table>>) -> impl IntoView {
    let line = line();
    let open = RwSignal::new(false);
    let id = StoredValue::new(id);
    let send = move |reaction| {
        open.set(false);
        line.command(move |number| Command::React { id: number, table: id.get_value(), reaction }, |_| ());
    };
    let seated = move || {
        line.you
            .get()
            .is_some_and(|you| room.with(|room| room.as_ref().is_some_and(|room| sits(room, &you.id))))
    };
    view! {
        <Show when=seated>
        <div class="nods" class:is-open=move || open.get()>
            <button class="btn btn-icon" aria-label="Nod across the table" aria-expanded=move || open.get().to_string() on:click=move |_| open.update(|open| *open = !*open)>{icon::nod()}</button>
            <Show when=move || open.get()>
                {NODS.map(|reaction| view! { <button class="btn btn-icon" aria-label=format!("{reaction:?}") on:click=move |_| send(reaction)>{face(reaction)}</button> })}
            </Show>
        </div>
        </Show>
    }
}
