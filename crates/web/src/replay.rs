//! A finished game again, event by event, on its own board; and "check the dice", which replays the whole record in a
//! worker and compares every throw, rule and score with what stands there.

use crate::app::Bar;
use crate::boards::{self, Telling};
use crate::browser;
use crate::pieces;
use crate::results::Results;
use crate::route::Route;
use crate::seen::Seen;
use crate::session::{Clock, Dealer, Happened, Link, Player, Session};
use crate::store;
use crate::table_page::{Coach, Gone};
use crate::thinker::Thinker;
use crate::ui::{People, icon};
use crate::voice::voice;
use crate::worker::{Ask, Tell};
use house::{AnyTable, Driver, Kind};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use table::verify::Fault;
use table::{Outcome, Seat, Seed, Time};

/// One moment of a game.
#[derive(Clone)]
pub struct Moment {
    /// What everybody saw.
    pub public: Seen,
    /// What each seat saw besides.
    pub privates: BTreeMap<Seat, Seen>,
    /// How many lines of the record lead there.
    pub lines: usize,
    /// What had happened; nothing at the start.
    pub happened: Option<Happened>,
}

/// A whole game, unrolled.
#[derive(Clone)]
pub struct Film {
    /// Which game.
    pub kind: Kind,
    /// Its options.
    pub options: Arc<Value>,
    /// Who played.
    pub names: Vec<String>,
    /// Every moment from the start.
    pub moments: Arc<Vec<Moment>>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// The record itself.
    pub record: Arc<str>,
    /// The secret of its dice.
    pub seed: Seed,
}

#[derive(serde::Deserialize)]
struct Line {
    t: Time,
    seat: Option<Seat>,
    throw: Option<u32>,
    anchor: Option<table::chain::Link>,
    end: Option<table::record::End>,
}

impl Film {
    /// Unrolls a record. A game that is not over has no seed in it; then the seed must be known.
    pub fn unroll(record: &str, seed: Option<Seed>) -> Result<Film, Fault> {
        let head = table::verify::head(record)?;
        let read = |line: &str| serde_json::from_str::<Line>(line).ok();
        let shown = record.lines().rev().find_map(|line| Some(read(line)?.end?.seed));
        let seed = shown.or(seed).unwrap_or_else(|| Seed::from_number(0));
        let first = record.lines().next().unwrap_or_default();
        let table = boards::game(house::kind_of(first)?).engine.resume([first], &seed)?;
        let (mut driver, mut moments, mut acted) = (Driver::new(table), Vec::new(), None);
        // What throws has happened when its dice lie: that may be some lines later.
        for (text, lines) in record.lines().zip(1..) {
            let line = read(text).filter(|_| lines > 1);
            if line.as_ref().is_some_and(|line| line.end.is_some()) {
                break;
            }
            if line.is_some() {
                driver.follow(text);
            }
            let comes_back = line.as_ref().is_some_and(|line| line.anchor.is_some());
            if let Some(line) = line.filter(|line| line.throw.is_none() && !comes_back) {
                acted = Some((line.t, line.seat));
            }
            let table = driver.table();
            if table.ask().is_none() && !comes_back {
                let happened = |(at, seat): (Time, _)| Happened { seq: table.events(), at: at.0, seat };
                moments.push(moment(table, lines, acted.map(happened)));
            }
        }
        let table = driver.table();
        Ok(Film {
            kind: table.kind(),
            options: Arc::new(head.options),
            names: head.seats.seated().iter().map(|seated| seated.name.clone()).collect(),
            moments: Arc::new(moments),
            outcome: table.outcome(),
            record: Arc::from(record),
            seed,
        })
    }
}

fn moment(table: &AnyTable, lines: usize, happened: Option<Happened>) -> Moment {
    let seats = (0..table.seats().min(8)).map(Seat);
    let privates = seats.map(|seat| (seat, table.private(seat).get().into())).collect();
    Moment { public: table.public().get().into(), privates, lines, happened }
}

/// Shows a film on the board, and asks the coach about the moment that is shown.
struct Projector {
    session: Session,
    film: Film,
    at: ReadSignal<usize>,
    thinker: OnceCell<Option<Rc<Thinker>>>,
    /// How many questions the coach has not answered yet, and about which moment the last of them was.
    asked: Rc<Cell<(u32, usize)>>,
}

impl Dealer for Projector {
    fn act(&self, _: Seat, _: Value) {}

    /// The coach speaks to whoever has just acted: that is what is seen.
    fn ask_coach(&self, seat: Seat) {
        let (session, now, asked) = (self.session, self.at, Rc::clone(&self.asked));
        let thinker = self.thinker.get_or_init(|| {
            Thinker::start(move |tell| {
                let Tell::Coach { seat, says } = tell else { return };
                let (open, about) = asked.get();
                asked.set((open.saturating_sub(1), about));
                // What he says of a moment that has passed is not said.
                if open <= 1 && now.try_get_untracked() == Some(about) {
                    session.coach.try_set(Some((seat, says)));
                }
            })
        });
        let Some(thinker) = thinker else { return };
        let at = self.at.get_untracked();
        self.asked.set((self.asked.get().0 + 1, at));
        let moment = self.film.moments.get(at);
        let acted = moment.and_then(|moment| moment.happened.as_ref()?.seat);
        let lines = moment.map_or(0, |moment| moment.lines);
        crate::dictionary::hand_to(thinker);
        let lines = self.film.record.lines().take(lines).map(str::to_owned).collect();
        thinker.ask(&Ask::Sit { lines, seed: self.film.seed.clone(), bots: Vec::new() });
        thinker.ask(&Ask::Coach { seat: acted.unwrap_or(seat) });
    }

    fn record(&self) -> Option<String> {
        Some(self.film.record.to_string())
    }
}

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

/// Where a record is, and so what a link to it must hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    /// In this browser or in the link that led here: nowhere else.
    Here,
    /// On the server: its name is enough.
    Server,
}

/// The name of a game that travels in the link itself.
const IN_LINK: &str = "link";
/// Longer links are cut by those who carry them.
const LONGEST_LINK: usize = 30_000;

async fn in_link() -> Option<String> {
    let hash = window().location().hash().ok()?;
    browser::unpack(hash.trim_start_matches('#')).await
}

/// A link that leads to this game from anywhere.
async fn link(record: &str, home: Home) -> Option<String> {
    let location = window().location();
    if home == Home::Server {
        return location.href().ok();
    }
    let place = Route::Replay(IN_LINK.to_owned()).path();
    let link = format!("{}{place}#{}", location.origin().ok()?, browser::pack(record).await?);
    (link.len() <= LONGEST_LINK).then_some(link)
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
    let session = Session::new(film.kind);
    provide_context(session);
    session.options.set(film.options.clone());
    session.link.set(Link::Here);
    session
        .players
        .set(film.names.iter().map(|name| Player { name: name.clone(), bot: None, here: true }).collect());
    session.hand.set(Some(Seat(0)));
    session.clock.set(Clock { told: 0.0, when: 0.0, runs: false });
    let last = film.moments.len() - 1;
    let (at, set_at) = signal(0_usize);
    session.serve(Rc::new(Projector {
        session,
        film: film.clone(),
        at,
        thinker: OnceCell::new(),
        asked: Rc::default(),
    }));
    let plays = RwSignal::new(false);
    let (moments, outcome) = (film.moments.clone(), film.outcome.clone());
    Effect::new(move |_| {
        let moment = moments[at.get().min(last)].clone();
        session.privates.set(moment.privates);
        session.public.set(moment.public);
        session.happened.set(moment.happened);
        session.outcome.set(if at.get() == last { outcome.clone() } else { None });
    });
    // Going by itself: a step a second, quicker where nothing is lost by it.
    Effect::new(move |_| {
        if plays.get() {
            let now = at.get();
            browser::later(700, move || {
                if plays.try_get_untracked() == Some(true) && at.try_get_untracked() == Some(now) {
                    if now < last { set_at.set(now + 1) } else { plays.set(false) }
                }
            });
        }
    });
    let step = move |by: i64| set_at.set((at.get_untracked() as i64 + by).clamp(0, last as i64) as usize);
    let names = film.names.clone();
    let film_moments = film.moments.clone();
    let told = move || {
        let at = at.get().min(last);
        let (moment, before) = (&film_moments[at], &film_moments[at.saturating_sub(1)]);
        let Some(happened) = &moment.happened else { return "The table as it was laid.".to_owned() };
        let (before, now) = (&before.public, &moment.public);
        boards::told(film.kind, &Telling { before, now, by: happened.seat, names: &names })
    };
    let keys = move |event: web_sys::KeyboardEvent| {
        // What has keys of its own keeps them: the slide, the list of seats, a board with a cursor.
        if event.default_prevented() || browser::within(&event, "input, select") {
            return;
        }
        match event.key().as_str() {
            "ArrowLeft" => step(-1),
            "ArrowRight" => step(1),
            "Home" => set_at.set(0),
            "End" => set_at.set(last),
            _ => {}
        }
    };
    let record = film.record.clone();
    let keep = {
        let record = record.clone();
        move |_| {
            let _ = browser::download("game.parlor", &record);
        }
    };
    let by_hand = RwSignal::new(None::<String>);
    let share = {
        let (record, voice) = (record.clone(), voice());
        move |_| {
            let record = record.clone();
            spawn_local(async move {
                let Some(link) = link(&record, home).await else {
                    voice.tell("This game is too long for a link. Keep the record and send the file.");
                    return;
                };
                if browser::copy(&link).await {
                    voice.tell("The link is copied. Whoever has it sees this game.");
                } else {
                    by_hand.try_set(Some(link));
                    browser::select_soon("#game-link");
                    voice.tell(browser::BY_HAND);
                }
            });
        }
    };
    let seats = (0..).map(Seat).zip(film.names.clone()).map(|(seat, name)| {
        view! { <option value=seat.0>{name}</option> }
    });
    view! {
        <div class="table replay" data-game=film.kind.name() on:keydown=keys>
            <Bar><span class="bar-game">{format!("{}, again", film.kind)}</span></Bar>
            <main id="main" class="table-main" tabindex="-1">
                <People session/>
                <div class="board">{(game.board)(session)}</div>
                <aside class="side is-static" aria-label="The game again">
                    <section class="card reel" aria-label="Move by move">
                        <div class="reel-buttons">
                            <button class="btn btn-icon" aria-label="One back" on:click=move |_| step(-1)>{icon::back()}</button>
                            <button class="btn btn-icon btn-main" aria-label="Go on by itself" aria-pressed=move || plays.get().to_string() on:click=move |_| plays.update(|on| *on = !*on)>{icon::play()}</button>
                            <button class="btn btn-icon" data-do="forward" aria-label="One on" on:click=move |_| step(1)>{icon::next()}</button>
                            <span class="num faint">{move || format!("{} / {last}", at.get())}</span>
                        </div>
                        <input class="reel-slide" type="range" min="0" max=last aria-label="Where in the game" prop:value=move || at.get().to_string()
                            on:input=move |event| set_at.set(event_target_value(&event).parse().unwrap_or(0))/>
                        <p class="reel-told" aria-live="polite">{told}</p>
                        <label class="field">"Seen from"<select on:change=move |event| session.hand.set(event_target_value(&event).parse().ok().map(Seat))>{seats.collect_view()}</select></label>
                    </section>
                    <Coach session follows=true/>
                    <CheckDice record/>
                    <Results session/>
                    {(game.sheet)(session)}
                    <div class="buttons">
                        <button class="btn" on:click=keep>{icon::save()}"Keep the record"</button>
                        <button class="btn" data-do="share" on:click=share>"Copy the link"</button>
                    </div>
                    {move || by_hand.get().map(|link| view! { <input id="game-link" class="text" readonly aria-label="Link to this game" prop:value=link/> })}
                </aside>
            </main>
        </div>
    }
}

/// Verifies the record in the page.
#[component]
fn CheckDice(record: Arc<str>) -> impl IntoView {
    let found = RwSignal::new(None::<Result<Value, String>>);
    let busy = RwSignal::new(false);
    let thinker = StoredValue::new_local(Thinker::start(move |tell| {
        if let Tell::Verified { found: now } = tell {
            busy.try_set(false);
            found.try_set(Some(now));
        }
    }));
    let check = move |_| {
        busy.set(true);
        thinker.with_value(|thinker| {
            if let Some(thinker) = thinker {
                crate::dictionary::hand_to(thinker);
                thinker.ask(&Ask::Verify { record: record.to_string(), kept: None });
            }
        });
    };
    let says = move || match found.get() {
        None => ().into_any(),
        Some(Ok(good)) => {
            let number = |key: &str| good.get(key).and_then(Value::as_u64).unwrap_or(0);
            let words = format!(
                "It holds. All {} events replayed, {} numbers drawn from the dice that were promised before the game, and the result is the same.",
                number("events"),
                number("drawn")
            );
            let unchecked = good.get("unchecked").and_then(Value::as_str).map(str::to_owned);
            view! { <p class="verdict is-good">{icon::check()}<span>{unchecked.unwrap_or(words)}</span></p> }
                .into_any()
        }
        Some(Err(bad)) => {
            view! { <p class="verdict is-bad"><span>{format!("This record does not hold: {bad}")}</span></p> }
                .into_any()
        }
    };
    view! {
        <section class="card" aria-label="Check the dice">
            <header class="card-head">
                <h2>"The dice"</h2>
                <button class="btn" data-do="check" disabled=move || busy.get() on:click=check>"Check the dice"</button>
            </header>
            <div aria-live="polite">{says}</div>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use house::Setting;
    use table::chain::Secret;
    use table::record::Gathered;
    use table::{Seats, Seed};

    #[test]
    fn a_throw_with_links_is_one_moment_and_the_coach_is_told_all_its_lines() {
        let setting = Setting::new(Kind::Roulette, serde_json::json!({"throws": 2})).expect("options");
        let (seats, seed, secret) =
            (Seats::named(["Ann"]).expect("a name"), Seed::from_number(7), Secret::new([1; 32]));
        let anchors = BTreeMap::from([(Seat(0), secret.anchor())]);
        let (mut table, head) =
            AnyTable::open_linked(&setting, seats, anchors, &seed, None).expect("it opens");
        let mut lines = vec![head];
        lines.push(table.act(Time(1), Seat(0), r#"{"do":"ready"}"#).expect("allowed"));
        let link = secret.link(1).expect("the first");
        lines.push(table.throw(&Gathered::Links(vec![link])).expect("the link").0);
        lines.push(table.anchor(Time(1), Seat(0), secret.derive("again").anchor()).expect("a new chain"));
        lines.push(table.act(Time(1), Seat(0), r#"{"do":"lay","bets":["red=1"]}"#).expect("allowed"));
        let film = Film::unroll(&lines.join("\n"), Some(seed)).expect("it unrolls");
        let ends: Vec<usize> = film.moments.iter().map(|moment| moment.lines).collect();
        assert_eq!(ends, [1, 3, 5], "laid, thrown, a bet");
        assert_eq!(film.moments[2].public, Seen::from(table.public().get()));
    }
}
