//! How a game ended: the places, the scores, and what to do next.

use crate::browser;
use crate::route::Route;
use crate::session::Session;
use crate::sound::{Sound, ears};
use crate::ui::{icon, people::colour};
use crate::voice::voice;
use leptos::prelude::*;
use table::{Outcome, Seat};

/// The end of a game, once it has come.
#[component]
pub fn Results(
    /// The table.
    session: Session,
) -> impl IntoView {
    let (voice, ears) = (voice(), ears());
    Effect::new(move |before: Option<bool>| {
        let over = session.over();
        if over && before == Some(false) {
            ears.play(Sound::Bell);
            voice.say(
                session
                    .outcome
                    .with_untracked(|outcome| outcome.as_ref().map(|outcome| headline(session, outcome)))
                    .unwrap_or_default(),
            );
        }
        over
    });
    move || session.outcome.get().map(|outcome| view! { <Ended session outcome/> })
}

/// Who won, in words.
fn headline(session: Session, outcome: &Outcome) -> String {
    let winners: Vec<Seat> = outcome.winners().collect();
    let mine = session.mine.get_untracked();
    match winners.as_slice() {
        _ if outcome.ranks.len() == 1 => {
            format!("{} in the end", outcome.scores.first().copied().unwrap_or(0))
        }
        [one] if mine.len() == 1 && mine.contains(one) => "You won".to_owned(),
        [one] => format!("{} won", session.name(*one)),
        all => {
            let names: Vec<String> = all.iter().map(|seat| session.name(*seat)).collect();
            format!("{} share it", names.join(" and "))
        }
    }
}

#[component]
fn Ended(session: Session, outcome: Outcome) -> impl IntoView {
    let mut order: Vec<usize> = (0..outcome.ranks.len()).collect();
    order.sort_by_key(|&at| outcome.ranks[at]);
    let places = order.into_iter().map(|at| {
        let seat = Seat(at as u32);
        view! {
            <li class="place" class:is-first=outcome.ranks[at] == 1 style=colour(seat)>
                <span class="place-rank num">{outcome.ranks[at]}</span>
                <span class="person-dot" aria-hidden="true"></span>
                <span class="place-name">{session.name(seat)}</span>
                <b class="num">{outcome.scores[at]}</b>
            </li>
        }
    });
    let keep = move |_| {
        if let Some(record) = session.record() {
            browser::download(&format!("{}.parlor", session.kind.name()), &record);
        }
    };
    let replay = move || match crate::route::way().now() {
        Route::Here(id) | Route::There(id) => Some(Route::Replay(id).path()),
        _ => None,
    };
    view! {
        <section class="results card" aria-label="Result">
            <h2>{headline(session, &outcome)}</h2>
            <ol class="places">{places.collect_view()}</ol>
            <div class="buttons">
                {move || replay().map(|path| view! {
                    <button class="btn btn-main" data-do="rematch" on:click=move |_| session.rematch()>{icon::again()}"Once more"</button>
                    <a class="btn" href=path>"See it again"</a>
                })}
                <button class="btn" on:click=keep>{icon::save()}"Keep the record"</button>
            </div>
        </section>
    }
}
