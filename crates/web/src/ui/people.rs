//! The people at a table in one line: who is awaited, who is away, how it stands.

use super::{ClockRing, Confirm, icon};
use crate::boards;
use crate::session::{Link, Player, Session};
use leptos::prelude::*;
use protocol::Command;
use table::Seat;

/// Everybody at the table, and the clock.
#[component]
pub fn People(
    /// The table.
    session: Session,
) -> impl IntoView {
    let shared = Memo::new(move |_| session.is_shared());
    // The dice are cast from what was added before the game began.
    let back = move |_| {
        session.say(|id, table| Command::Join { id, table, seat: None, name: None, seed: String::new() });
    };
    let tally = move || session.public.with(boards::game(session.kind).tally);
    let rows = move || {
        let tally = tally();
        let seats = session.players.get();
        (0..)
            .map(Seat)
            .zip(seats)
            .map(|(seat, player)| person(session, shared, seat, player, tally.get(seat.index()).cloned()))
            .collect_view()
    };
    view! {
        <section class="who" aria-label="At the table">
            <ul class="people">{rows}</ul>
            <ClockRing session/>
        </section>
        <Show when=move || session.link.get() == Link::Lost>
            <p class="lost" role="alert">"The line is lost. Your game is safe; trying again…"</p>
        </Show>
        <Show when=move || session.is_stood_in()>
            <p class="stand-in" role="status">"A bot plays for you."<button class="btn" data-do="back" on:click=back>"Take the seat back"</button></p>
        </Show>
    }
}

/// How a table on the server is heard, and who looks on. On this screen there is nothing to say.
#[component]
pub fn Wire(
    /// The table.
    session: Session,
    /// Whether somebody is asked whether to leave.
    leaving: RwSignal<bool>,
) -> impl IntoView {
    move || {
        let lag = match session.link.get() {
            Link::Open(lag) => {
                lag.map_or_else(|| "On the server".to_owned(), |lag| format!("On the server · {lag} ms"))
            }
            Link::Lost => "Trying to reach the server".to_owned(),
            Link::Here | Link::Gone(_) => return None,
        };
        let you = session.mine.with(Vec::is_empty);
        let watch = match (session.onlookers.get(), you) {
            (0, _) => String::new(),
            (1, true) => " · you look on".to_owned(),
            (all, true) => format!(" · you look on, with {} more", all - 1),
            (1, false) => " · one looks on".to_owned(),
            (all, false) => format!(" · {all} look on"),
        };
        let may_go = !you && !session.over() && !session.is_stood_in();
        let go = may_go.then(|| view! { <button class="btn btn-quiet" data-do="leave" aria-haspopup="dialog" on:click=move |_| leaving.set(true)>"Leave the game"</button> });
        Some(view! { <p class="wire faint num">{lag}{watch}</p>{go} })
    }
}

/// Leave the game? One click is too little to give a seat away.
#[component]
pub fn Leaving(
    /// The table.
    session: Session,
    /// Whether it is asked.
    open: RwSignal<bool>,
) -> impl IntoView {
    Effect::new(move |_| {
        if session.over() && open.get_untracked() {
            open.set(false);
        }
    });
    let leave = move || session.say(|id, table| Command::Leave { id, table, seat: None });
    let rated = move || {
        session
            .rated
            .get()
            .then_some("This game is rated: its result counts for your rating, whoever plays for you.")
    };
    view! {
        <Confirm open name="leaving" game=session.kind title="Leave the game?" stay="Stay" go=("leave-now", "Leave, and let a bot play") act=leave>
            <p>"A bot takes your seat at once and plays on for you. You can take the seat back while the game goes on."</p>
            {move || rated().map(|says| view! { <p><b>{says}</b></p> })}
        </Confirm>
    }
}

fn person(
    session: Session,
    shared: Memo<bool>,
    seat: Seat,
    player: Player,
    tally: Option<String>,
) -> impl IntoView {
    let awaited = move || session.awaited.with(|awaited| awaited.contains(&seat)) && !session.over();
    let mine = move || session.mine.with(|mine| mine.contains(&seat));
    let shown = move || session.hand.get() == Some(seat);
    let several = move || mine() && session.mine.with(|mine| mine.len() > 1);
    let class = move || {
        let mut class = String::from("person");
        for (on, name) in [(awaited(), " is-awaited"), (shown(), " is-shown"), (!player.here, " is-away")] {
            class.push_str(if on { name } else { "" });
        }
        class
    };
    // Among people at other screens it is said which of them one is.
    let you = move || {
        (mine() && !several() && shared.get()).then(|| view! { <span class="person-you">"(you)"</span> })
    };
    let name = player.name.clone();
    let words = view! {
        <span class="person-dot" aria-hidden="true"></span>
        <span class="person-name">{player.name}" "{you}</span>
        {player.bot.map(|_| view! { <span class="person-bot" title="bot">{icon::bot()}</span> })}
        <b class="num person-tally">{tally}</b>
        <span class="sr">{move || if awaited() { "the table waits for them" } else { "" }}</span>
        {(!player.here).then_some(view! { <span class="sr">"away"</span> })}
    };
    if several() {
        let label = format!("Play for {name}");
        view! {
            <li class=class data-seat=seat.0 style=colour(seat)>
                <button class="person-pick" aria-label=label aria-pressed=move || shown().to_string() on:click=move |_| session.hand.set(Some(seat))>{words}</button>
            </li>
        }
        .into_any()
    } else {
        view! { <li class=class data-seat=seat.0 style=colour(seat)>{words}</li> }.into_any()
    }
}

/// Each seat has a colour of its own, for chips and names.
pub fn colour(seat: Seat) -> String {
    const HUES: [&str; 8] =
        ["#b3322a", "#2f5fa8", "#2e7d4f", "#c99112", "#7a4b9e", "#1d8a8f", "#c0602b", "#6b6f2a"];
    format!("--seat:{}", HUES[seat.index() % HUES.len()])
}
