//! A finished game again, event by event, on its own board; and "check the dice", which replays the whole record in a
//! worker and compares every throw, rule and score with what stands there.

mod check;
mod film;
mod projector;
mod reel;
mod share;

use crate::app::Bar;
use crate::boards;
use crate::pieces;
use crate::results::Results;
use crate::store;
use crate::table_page::{Coach, Gone};
use crate::ui::People;
use check::CheckDice;
use film::Film;
use leptos::prelude::*;
use leptos::task::spawn_local;
use projector::screening;
use reel::{Controls, Reel};
use share::{Home, IN_LINK, Share, in_link};
use table::Seed;

/// A finished game again.
#[component]
pub fn Replay(
    /// Its name: in the drawer, or on the server.
    id: String,
) -> impl IntoView {
    let film = RwSignal::new(None::<Result<(Film, Home), String>>);
    let kept = store::find(&id).zip(store::lines(&id));
    spawn_local(async move {
        let found = match kept {
            Some((kept, lines)) => Some((lines.join("\n") + "\n", Some(kept.seed), Home::Here)),
            None if id == IN_LINK => in_link().await.map(|record| (record, None, Home::Here)),
            None => crate::net::record(&id).await.map(|record| (record, None, Home::Server)),
        };
        let found = match found {
            Some((record, seed, home)) => develop(&record, seed).await.map(|film| (film, home)),
            None => {
                Err("There is no finished game of this name here, and the server does not know it either."
                    .to_owned())
            }
        };
        film.try_set(Some(found));
    });
    move || match film.get() {
        None => view! { <Bar/><p class="section faint" role="status">"Finding the record…"</p> }.into_any(),
        Some(Err(says)) => view! { <Gone says/> }.into_any(),
        Some(Ok((film, home))) => view! { <Screen film home/> }.into_any(),
    }
}

/// Fetches what a record needs to be unrolled, and unrolls it.
async fn develop(record: &str, seed: Option<Seed>) -> Result<Film, String> {
    let kind = house::kind_of(record).map_err(|fault| fault.to_string())?;
    if pieces::fetch(kind).await.is_err() {
        return Err(format!("{kind} could not be fetched. Check the connection and load the page again."));
    }
    if crate::dictionary::needed(kind) {
        crate::dictionary::fetch().await;
    }
    Film::unroll(record, seed).map_err(|fault| fault.to_string())
}

#[component]
fn Screen(film: Film, home: Home) -> impl IntoView {
    let game = boards::game(film.kind);
    let reel = Reel::new(&film);
    let session = screening(&film, reel);
    provide_context(session);
    let (kind, record) = (film.kind, film.record.clone());
    view! {
        <div class="table replay" data-game=kind.name() on:keydown=move |event| reel.keys(&event)>
            <Bar><span class="bar-game">{format!("{kind}, again")}</span></Bar>
            <main id="main" class="table-main" tabindex="-1">
                <People session/>
                <div class="board">{(game.board)(session)}</div>
                <aside class="side is-static" aria-label="The game again">
                    <Controls film reel session/>
                    <Coach session follows=true/>
                    <CheckDice record=record.clone()/>
                    <Results session/>
                    {(game.sheet)(session)}
                    <Share record home/>
                </aside>
            </main>
        </div>
    }
}
