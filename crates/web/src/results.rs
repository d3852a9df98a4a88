//! How a game ended: the places, the scores, and what to do next.

use crate::browser;
use crate::route::{Route, way};
use crate::session::Session;
use crate::sound::{Sound, ears};
use crate::ui::{icon, people::colour};
use crate::voice::voice;
use leptos::prelude::*;
use leptos::task::spawn_local;
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
    let voice = voice();
    let mut order: Vec<usize> = (0..outcome.ranks.len()).collect();
    order.sort_by_key(|&at| outcome.ranks[at]);
    let ratings = ratings(session);
    let rating = move |at: usize| ratings.with(|all| all.get(at).copied().flatten());
    let places = order.into_iter().map(|at| {
        let seat = Seat(at as u32);
        view! {
            <li class="place" class:is-first=outcome.ranks[at] == 1 data-seat=seat.0 style=colour(seat)>
                <span class="place-rank num">{outcome.ranks[at]}</span>
                <span class="person-dot" aria-hidden="true"></span>
                <span class="place-name">{session.name(seat)}</span>
                {move || rating(at).map(|rating| view! { <span class="place-rating faint num">{format!("rating {rating:.0}")}</span> })}
                <b class="num">{outcome.scores[at]}</b>
            </li>
        }
    });
    let best =
        (outcome.ranks.len() == 1).then(|| best(session, outcome.scores.first().copied().unwrap_or(0)));
    let file = format!("{}.parlor", session.kind.name());
    let keep = move |_| match (session.record(), way().now_untracked()) {
        (Some(record), _) => drop(browser::download(&file, &record)),
        (None, Route::There(id)) => {
            let file = file.clone();
            spawn_local(async move {
                match crate::net::record(&id).await {
                    Some(record) => drop(browser::download(&file, &record)),
                    None => {
                        voice
                            .tell("The server does not give the record out just now. Try again in a moment.");
                    }
                }
            });
        }
        (None, _) => {}
    };
    let replay = move || match way().now() {
        Route::Here(id) | Route::There(id) => Some(Route::Replay(id).path()),
        _ => None,
    };
    view! {
        <section class="results card" aria-label="Result">
            <h2>{headline(session, &outcome)}</h2>
            {best.map(|words| view! { <p>{words}</p> })}
            <ol class="places">{places.collect_view()}</ol>
            <div class="buttons">
                {move || replay().map(|path| view! {
                    <Show when=move || !session.mine.with(Vec::is_empty)>
                        <button class="btn btn-main" data-do="rematch" on:click=move |_| session.rematch()>{icon::again()}"Once more"</button>
                    </Show>
                    <a class="btn" href=path>"See it again"</a>
                })}
                <button class="btn" on:click=keep>{icon::save()}"Keep the record"</button>
            </div>
        </section>
    }
}

/// What everybody's rating is after a rated game, seat by seat, as soon as the server has told it.
fn ratings(session: Session) -> RwSignal<Vec<Option<f64>>> {
    let ratings = RwSignal::new(Vec::new());
    if let (Route::There(table), false) = (way().now_untracked(), session.coached.get_untracked()) {
        let game = session.kind.name();
        spawn_local(async move {
            if let Some(after) = crate::net::ratings_after(&table, game).await {
                ratings.try_set(after);
            }
        });
    }
    ratings
}

/// The personal best of a game played alone, kept with the options it was played by.
fn best(session: Session, score: i64) -> String {
    let name = format!("parlor.best.{}", session.kind.name());
    let options = session.options.get_untracked().to_string();
    let mut bests: Vec<(String, i64)> =
        browser::recall(&name).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let before = bests.iter().find(|(played, _)| *played == options).map(|best| best.1);
    // Somebody who only looks at a game again does not set a record with it.
    if before.is_none_or(|before| before < score) && !session.mine.with_untracked(Vec::is_empty) {
        bests.retain(|(played, _)| *played != options);
        bests.insert(0, (options, score));
        bests.truncate(12);
        browser::remember(&name, &serde_json::to_string(&bests).unwrap_or_default());
    }
    match before {
        None => "Your first with these options: a best to beat.".to_owned(),
        Some(before) if before < score => format!("A new best; it was {before}."),
        Some(before) => format!("Your best is {before}."),
    }
}
