//! The board of a game that nobody has drawn yet: the table as its picture in text, and what the hand can do as buttons. A game that
//! does not say what can be done ([`table::House::choices`]) is played by writing its acts.

use super::{Game, plain_advice};
use crate::session::Session;
use crate::voice::voice;
use house::{Engine, Kind};
use leptos::prelude::*;
use serde_json::Value;

/// Whether a game has a board of its own.
const fn is_drawn(kind: Kind) -> bool {
    matches!(kind, Kind::IQubes | Kind::Scribbage | Kind::Contact | Kind::Cubo | Kind::Roulette)
}

/// The games without. Made while compiling, so that their piece of the page brings their engines and no others.
static GAMES: [Option<Game>; Kind::ALL.len()] = {
    let mut games = [const { None }; Kind::ALL.len()];
    let mut at = 0;
    while at < games.len() {
        if !is_drawn(Kind::ALL[at]) {
            games[at] = Some(of(house::engine(Kind::ALL[at])));
        }
        at += 1;
    }
    games
};

/// What a game without a drawing brings to the page; nothing for one that has its own board.
pub fn game(kind: Kind) -> Option<&'static Game> {
    let at = Kind::ALL.iter().position(|other| *other == kind)?;
    GAMES.get(at)?.as_ref()
}

const fn of(engine: &'static Engine) -> Game {
    Game {
        engine,
        board,
        sheet: |_| ().into_any(),
        advice: plain_advice,
        tally: |_| Vec::new(),
        tell: |_| Vec::new(),
        solver: None,
        steps: &[],
        reference: engine.reference(),
    }
}

fn board(session: Session) -> AnyView {
    let engine = super::game(session.kind).engine;
    view! { <Board session engine/> }.into_any()
}

/// The table in text, and what can be done.
#[component]
fn Board(session: Session, engine: &'static Engine) -> impl IntoView {
    let picture = move || session.public.with(|public| engine.picture(public.json())).unwrap_or_default();
    let choices = move || {
        let seat = session.hand.get().filter(|_| session.my_turn())?;
        let private = session.privates.with(|all| all.get(&seat).cloned().unwrap_or_default());
        Some(session.public.with(|public| engine.choices(public.json(), private.json(), seat)))
    };
    let offer = move || match choices() {
        None => ().into_any(),
        Some(none) if none.is_empty() => view! { <Written session/> }.into_any(),
        Some(choices) => {
            let button = |choice: house::Choice<Value>| {
                let act = choice.act;
                view! { <button class="btn btn-main" on:click=move |_| session.act_json(act.clone())>{choice.label}</button> }
            };
            choices.into_iter().map(button).collect_view().into_any()
        }
    };
    view! {
        <div class="undrawn">
            <pre class="undrawn-picture card" aria-live="polite" tabindex="0">{picture}</pre>
            <div class="undrawn-acts">{offer}</div>
        </div>
    }
}

/// An act as it is written in a record.
#[component]
fn Written(session: Session) -> impl IntoView {
    let voice = voice();
    let typed = RwSignal::new(String::new());
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        match typed.with_untracked(|text| serde_json::from_str::<Value>(text)) {
            Ok(act) => session.act_json(act),
            Err(why) => voice.tell(format!("This is not JSON: {why}.")),
        }
    };
    view! {
        <form class="undrawn-written" on:submit=submit>
            <label for="act">"Your move, as records write it"</label>
            <input id="act" class="text" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="4000" placeholder="{\"do\":\"pass\"}"
                prop:value=move || typed.get() on:input=move |event| typed.set(event_target_value(&event))/>
            <button class="btn btn-main">"Play it"</button>
        </form>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::Route;
    use crate::seen::Seen;
    use crate::session::Session;
    use house::{AnyTable, Setting};
    use serde_json::json;
    use table::{Seat, Seats, Seed};

    #[test]
    fn only_what_has_no_board_of_its_own_is_brought() {
        for kind in Kind::ALL {
            assert_eq!(game(kind).is_none(), is_drawn(kind), "{kind}");
        }
    }

    #[test]
    fn any_game_can_be_seen_and_played_without_a_drawing() {
        for kind in Kind::ALL {
            let setting = Setting::new(kind, json!({})).unwrap();
            let seats = Seats::named(["Ann", "Ben"]).unwrap();
            let (table, _) = AnyTable::open(&setting, seats, &Seed::from_number(7), None).unwrap();
            let seat = (0..2).map(Seat).find(|&seat| table.awaits(seat)).expect("somebody is to act");
            let (public, private, picture) = (table.public(), table.private(seat), table.picture());
            let page = crate::tests::drawn(Route::Home, move || {
                let session = Session::new(kind);
                session.public.set(Seen::from(public.get()));
                session.privates.update(|all| drop(all.insert(seat, Seen::from(private.get()))));
                session.hand.set(Some(seat));
                session.awaited.set(vec![seat]);
                view! { <Board session engine=house::engine(kind)/> }.into_any()
            });
            let line =
                picture.lines().find(|line| line.chars().filter(char::is_ascii_alphanumeric).count() > 3);
            let word = line.and_then(|line| {
                line.split(|c: char| !c.is_ascii_alphanumeric()).max_by_key(|word: &&str| word.len())
            });
            assert!(page.contains(word.expect("a picture says something")), "{kind}: {page}");
            assert!(page.contains("<button"), "{kind}: {page}");
        }
    }
}
