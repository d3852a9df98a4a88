//! How a game ended: the places, the scores, and what to do next.

use crate::browser;
use crate::net::DiceChecked;
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
    Effect::new(move |_| {
        if session.rematch.with(Option::is_some) && !session.mine.with_untracked(Vec::is_empty) {
            voice.say("The rematch is ready.");
        }
    });
    move || session.outcome.get().map(|outcome| view! { <Ended session outcome/> })
}

/// Who won and, where there are two, by how much.
fn headline(session: Session, outcome: &Outcome) -> String {
    let winners: Vec<Seat> = outcome.winners().collect();
    let mine = session.mine.get_untracked();
    match winners.as_slice() {
        _ if outcome.ranks.len() == 1 => {
            format!("{} in the end", signed(outcome.scores.first().copied().unwrap_or(0)))
        }
        [one] => {
            let winner = if mine == [*one] { "You".to_owned() } else { session.name(*one) };
            format!("{winner} won{}", by_how_much(outcome).unwrap_or_default())
        }
        all => {
            let names: Vec<String> = all.iter().map(|seat| session.name(*seat)).collect();
            format!("{} share it", names.join(" and "))
        }
    }
}

fn by_how_much(outcome: &Outcome) -> Option<String> {
    let [one, other] = outcome.scores.as_slice() else { return None };
    let (more, less) = (one.max(other), one.min(other));
    (more != less).then(|| format!(", {} to {}", signed(*more), signed(*less)))
}

/// A score as it is printed, with a true minus.
fn signed(score: i64) -> String {
    score.to_string().replace('-', "−")
}

/// The place of somebody who has not won among many: the list may be longer than the screen.
fn place(session: Session, outcome: &Outcome) -> Option<String> {
    let mine = session.mine.get_untracked();
    let [seat] = mine.as_slice() else { return None };
    let rank = *outcome.ranks.get(seat.index())?;
    let many = outcome.ranks.len();
    (rank > 1 && many > 2).then(|| format!("You are {} of {many}.", ordinal(rank)))
}

fn ordinal(number: u32) -> String {
    let ending = match (number % 10, number % 100) {
        (1..=3, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
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
                <b class="num">{signed(outcome.scores[at])}</b>
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
            {place(session, &outcome).map(|words| view! { <p>{words}</p> })}
            {best.map(|words| view! { <p>{words}</p> })}
            <ol class="places">{places.collect_view()}</ol>
            <DiceChecked session/>
            <div class="buttons">
                {move || replay().map(|path| view! {
                    <Again session/>
                    <a class="btn" href=path>"Replay"</a>
                })}
                <button class="btn results-keep" on:click=keep>{icon::save()}<span>"Keep the record"</span></button>
            </div>
        </section>
    }
}

/// The same again: to be asked for or, once somebody has, the way there.
#[component]
fn Again(session: Session) -> impl IntoView {
    let seated = Memo::new(move |_| !session.mine.with(Vec::is_empty));
    let alone = Memo::new(move |_| session.players.with(Vec::len) < 2);
    move || match session.rematch.get() {
        Some(table) => {
            let says = if seated.get() { "Join the rematch" } else { "Watch the rematch" };
            let path = Route::There(table).path();
            view! { <a class="btn btn-main" data-do="rematch" href=path>{icon::again()}{says}</a> }.into_any()
        }
        None if seated.get() => {
            let says = if alone.get() { "Once more" } else { "Rematch" };
            let ask = move |_| session.ask_rematch();
            view! { <button class="btn btn-main" data-do="rematch" on:click=ask>{icon::again()}{says}</button> }
                .into_any()
        }
        None => ().into_any(),
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
    let mut bests = house::Bests::read(browser::recall(&name).as_deref());
    let told = bests.tell(&options, score);
    // Somebody who only looks at a game again does not set a record with it.
    if !session.mine.with_untracked(Vec::is_empty) {
        bests.keep(&options, score);
        browser::remember(&name, &bests.text());
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_spoken_as_people_say_them() {
        let spoken: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 22, 64, 101, 111].map(ordinal).into();
        let said =
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "64th", "101st", "111th"];
        assert_eq!(spoken, said);
    }
}
