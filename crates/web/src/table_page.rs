//! A table: the board as large as the screen allows, one calm panel beside it.

use crate::app::{Bar, Kindly};
use crate::boards::{self, Telling};
use crate::browser;
use crate::dictionary;
use crate::local;
use crate::net;
use crate::results::Results;
use crate::rules::{Rules, RulesButton};
use crate::seen::Seen;
use crate::session::Session;
use crate::sound::{Sound, ears};
use crate::store;
use crate::turn;
use crate::ui::{Leaving, People, Wire, icon};
use crate::voice::voice;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;

/// A table on this screen.
#[component]
pub fn Here(
    /// Its name in the drawer.
    id: String,
) -> impl IntoView {
    let words = store::find(&id).is_some_and(|game| dictionary::needed(game.kind));
    let ready = RwSignal::new(!words || dictionary::bytes().is_some());
    if !ready.get_untracked() {
        spawn_local(async move {
            dictionary::fetch().await;
            ready.try_set(true);
        });
    }
    move || {
        if !ready.get() {
            return view! { <Bar/><p class="section faint" role="status">"Fetching the word list…"</p> }
                .into_any();
        }
        match local::sit(&id) {
            Some(session) => {
                let rules = RwSignal::new(false);
                let (kind, under) = (session.kind, Signal::stored(Some(session)));
                view! { <Felt session rules/><Rules kind open=rules session=under/> }.into_any()
            }
            None => {
                view! { <Gone says="This game is not in the drawer of this browser any more."/> }.into_any()
            }
        }
    }
}

/// A table on the server.
#[component]
pub fn There(
    /// Its name.
    id: String,
) -> impl IntoView {
    view! { <net::Room id/> }
}

/// There is no table here: why, and the way on.
#[component]
pub fn Gone(
    /// Why.
    #[prop(into)]
    says: String,
) -> impl IntoView {
    view! {
        <Kindly title="No table here" says><a class="btn btn-main" href="./">"Back to the shelf"</a></Kindly>
    }
}

/// The table with everything on it.
#[component]
pub fn Felt(
    /// The table.
    session: Session,
    /// Whether its rules are open: whoever shows the table lays them over it.
    #[prop(optional)]
    rules: RwSignal<bool>,
) -> impl IntoView {
    let game = boards::game(session.kind);
    let (drawer, leaving) = (RwSignal::new(false), RwSignal::new(false));
    provide_context(session);
    refusals(session);
    announcements(session);
    turn::beckons(session);
    // The end is told on the board's page: a drawer that is open would lie over it.
    Effect::new(move |_| {
        if session.over() {
            drawer.set(false);
        }
    });
    view! {
        <div class="table" class:is-over=move || session.over() data-game=session.kind.name()>
            <Bar>
                <span class="bar-game">{session.kind.title()}</span>
                <RulesButton open=rules/>
            </Bar>
            <main id="main" class="table-main" tabindex="-1">
                <People session/>
                <div class="board">{(game.board)(session)}</div>
                <div class="beside">
                    <Results session/>
                    <aside class="side" class:is-open=move || drawer.get() aria-label="Score sheet and coach">
                        <button class="btn btn-icon side-close" aria-label="Close" on:click=move |_| drawer.set(false)>{icon::close()}</button>
                        {(game.sheet)(session)}
                        <Coach session/>
                        <Wire session leaving/>
                    </aside>
                </div>
                <button class="btn side-open" aria-expanded=move || drawer.get().to_string() on:click=move |_| drawer.update(|open| *open = !*open)>
                    {icon::drawer()}<span>"Sheet and coach"</span>
                </button>
            </main>
            <Leaving session open=leaving/>
        </div>
    }
}

/// A refused act is told in words, with a low note.
fn refusals(session: Session) {
    let (voice, ears) = (voice(), ears());
    Effect::new(move |_| {
        if let Some(refused) = session.refused.get() {
            ears.play(Sound::Nope);
            voice.tell(refused.says);
        }
    });
}

/// What others did is told to those who listen.
fn announcements(session: Session) {
    let voice = voice();
    Effect::new(move |before: Option<Seen>| {
        session.public.track();
        let told = before.map(|before| told_since(session, &before));
        if let Some(words) = told.filter(|words| !words.is_empty()) {
            voice.say(words);
        }
        session.public.get_untracked()
    });
    Effect::new(move |before: Option<bool>| {
        let turn = session.my_turn() && !session.over();
        if turn && before == Some(false) {
            voice.say("Your turn.");
        }
        turn
    });
}

/// What has happened at a table since a view of it.
pub fn told_since(session: Session, before: &Seen) -> String {
    let now = session.public.get_untracked();
    let players = session.players.get_untracked();
    let names: Vec<String> = players.into_iter().map(|player| player.name).collect();
    let by = session.happened.get_untracked().and_then(|happened| happened.seat);
    boards::told(session.kind, &Telling { before, now: &now, by, names: &names })
}

/// What the coach says, when he is asked.
#[component]
pub fn Coach(
    /// The table.
    session: Session,
    /// Whether the coach, once asked, goes on speaking at every step.
    #[prop(optional)]
    follows: bool,
) -> impl IntoView {
    let game = boards::game(session.kind);
    let asked = RwSignal::new(false);
    let ask = move |_| {
        asked.set(true);
        session.ask_coach();
    };
    // What was said about one position is silent about the next. Where he follows, he waits until somebody stays a moment.
    let step = StoredValue::new(0_u32);
    Effect::new(move |_| {
        session.happened.track();
        session.coach.set(None);
        step.update_value(|step| *step += 1);
        if follows && asked.get_untracked() {
            let now = step.get_value();
            browser::later(300, move || {
                if step.try_get_value() == Some(now) {
                    session.ask_coach();
                }
            });
        } else {
            asked.set(false);
        }
    });
    let may = move || session.coached.get() || session.over();
    let says = move || match (session.coach.get(), asked.get()) {
        (Some((_, Value::Null)), _) => view! { <p class="faint">"Nothing to say just now."</p> }.into_any(),
        (Some((_, advice)), _) => (game.advice)(&advice),
        (None, true) => view! { <p class="faint" role="status">"Thinking…"</p> }.into_any(),
        (None, false) => ().into_any(),
    };
    view! {
        <section class="coach card" aria-label="Coach">
            <header class="card-head">
                <h2>"Coach"</h2>
                <button class="btn" data-ask="coach" disabled=move || !may() || session.hand.get().is_none() on:click=ask>"Ask the coach"</button>
            </header>
            <Show when=may fallback=|| view! { <p class="faint">"In a rated game the coach waits until the end."</p> }>
                <div class="coach-says" aria-live="polite">{says}</div>
            </Show>
        </section>
    }
}
