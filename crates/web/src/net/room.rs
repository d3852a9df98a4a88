//! A table on the server before, while and after it is played: seats and names, the invitation, and then the board.

use super::line::{RENEWED, State, UNREACHED, line};
use super::online::{NODS, Online, face};
use crate::app::{Bar, Kindly};
use crate::browser;
use crate::dictionary;
use crate::lids::Lid;
use crate::pieces::{self, Fetched};
use crate::rules::{Rules, RulesButton};
use crate::table_page::{Felt, Gone};
use crate::ui::{icon, people::colour};
use crate::voice::voice;
use house::Kind;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::{Command, PersonId, Phase, Place, Wish};
use std::collections::BTreeMap;
use std::rc::Rc;
use table::Seat;

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
    let (room, session, gone, removed) = (online.room, online.session, online.gone, online.removed);
    // They stay open when the game begins.
    let rules = RwSignal::new(false);
    let kind =
        Memo::new(move |_| room.with(|room| room.as_ref().and_then(|room| room.game.parse::<Kind>().ok())));
    line.listen_to(Rc::clone(&online));
    on_cleanup({
        let id = id.clone();
        move || line.forget(&id)
    });
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
    let phase = Memo::new(move |_| {
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
    });
    let stage = move || {
        match phase.get() {
        Stage::Gone(says) => view! { <Gone says/> }.into_any(),
        Stage::Renewed => view! {
            <Kindly title=RENEWED.0 says=RENEWED.1>
                <button class="btn btn-main" on:click=|_| drop(window().location().reload())>"Load again"</button>
            </Kindly>
        }.into_any(),
        Stage::Unreached => view! {
            <Kindly title=UNREACHED.0 says=UNREACHED.1>
                <a class="btn btn-main" href="./">"Back to the shelf"</a>
            </Kindly>
        }.into_any(),
        Stage::Waiting => view! { <Bar/><p class="section faint" role="status">"Going to the table…"</p> }.into_any(),
        Stage::Gathering => view! { <Gathering id=id.clone() room removed rules/> }.into_any(),
        Stage::Playing => session.get_untracked().map(|session| view! {
            <Fetched kind=Some(session.kind) show=move || view! { <Felt session rules/> }/>
            <Nods id=id.clone() room/>
        }).into_any(),
    }
    };
    view! {
        {stage}
        {move || kind.get().map(|kind| view! { <Rules kind open=rules session/> })}
    }
}

#[derive(Clone, PartialEq)]
enum Stage {
    Waiting,
    Unreached,
    Renewed,
    Gathering,
    Playing,
    Gone(String),
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

/// A form for somebody's name.
#[component]
pub fn NameForm(
    /// The name of its input in the page.
    id: &'static str,
    /// Who is asked for.
    label: &'static str,
    /// What stands there to begin with.
    #[prop(optional)]
    begin: String,
    /// What the browser may fill in.
    #[prop(default = "nickname")]
    autocomplete: &'static str,
    /// What the button says.
    does: &'static str,
    /// Takes what was typed, without the blanks round it.
    take: impl Fn(String) + 'static,
) -> impl IntoView {
    let name = RwSignal::new(begin);
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        take(name.with_untracked(|name| name.trim().to_owned()));
    };
    view! {
        <form class="your-name" on:submit=submit>
            <label for=id>{label}</label>
            <div class="typed-line">
                <input id=id class="text" maxlength="40" autocomplete=autocomplete prop:value=move || name.get() on:input=move |event| name.set(event_target_value(&event))/>
                <button class="btn btn-main">{does}</button>
            </div>
        </form>
    }
}

/// Told to whoever the host removed, for as long as it holds.
const REMOVED: &str = "The host removed you from this table. You can stay and watch. To play, ask the host to add a seat for you.";

/// Asks for one's own name.
pub const CALL_YOU: &str = "What shall the others call you?";

/// Takes a name for oneself, and keeps it for the next time.
pub fn call_me() -> impl Fn(String) + Copy + 'static {
    let (line, voice) = (line(), voice());
    move |wanted: String| {
        if wanted.is_empty() {
            voice.tell("Any name will do.");
            return;
        }
        browser::remember("parlor.name", &wanted);
        line.name_me(wanted, move |says| voice.tell(says));
    }
}

/// What shall the others call you? Asked when they are about to see it.
#[component]
pub fn YourName() -> impl IntoView {
    let line = line();
    browser::focus_soon("#your-name");
    on_cleanup(move || line.stay_nameless());
    let begin = browser::recall("parlor.name").unwrap_or_default();
    view! { <NameForm id="your-name" label=CALL_YOU begin does="Sit down" take=call_me()/> }
}

#[component]
fn Gathering(
    id: String,
    room: RwSignal<Option<Table>>,
    removed: RwSignal<bool>,
    rules: RwSignal<bool>,
) -> impl IntoView {
    let (line, voice) = (line(), voice());
    let id = StoredValue::new(id);
    let kind = room
        .with_untracked(|room| room.as_ref().and_then(|room| room.game.parse::<Kind>().ok()))
        .unwrap_or(Kind::Cubo);
    let level = kind.about().level;
    let you = move || line.you.get().map(|you| you.id).unwrap_or_default();
    let table = move || room.get();
    let host = move || table().is_some_and(|table| table.host == you());
    let seated = move || table().is_some_and(|table| sits(&table, &you()));
    let is_ready = move || {
        seated()
            && table().is_some_and(|table| {
                let waits =
                    |place: &Place| matches!(place, Place::Guest { person, ready: false, .. } if *person == you());
                !table.seats.iter().any(waits)
            })
    };
    let room_left = move || table().is_some_and(|table| (table.seats.len() as u32) < table.seating.1.min(16));
    let say = move |make: Box<dyn FnOnce(u64, String) -> Command>| {
        line.command(
            move |number| make(number, id.get_value()),
            move |answer| {
                if let Err(refused) = answer {
                    voice.tell(refused.says);
                }
            },
        );
    };
    // Who is ready adds to the dice now that the house has bound itself: what was sent with the wish for a table came before.
    let be_ready = move |ready: bool| {
        let seed = ready.then(browser::fresh_id);
        say(Box::new(move |id, table| Command::Ready { id, table, ready, seed }));
    };
    let start = move |_| {
        if is_ready() {
            be_ready(true);
        }
        say(Box::new(|id, table| Command::Start { id, table, anyway: false }));
    };
    let link = move || browser::link_to(&crate::route::Route::There(id.get_value()).path());
    let strengths = strengths(room);
    let beside = RwSignal::new(None::<u32>);
    let sit_beside = move |name: String| {
        let Some(at) = beside.try_update(Option::take).flatten() else { return };
        say(Box::new(move |id, table| Command::Join {
            id,
            table,
            seat: Some(at),
            name: Some(name),
            seed: browser::fresh_id(),
        }));
    };
    let seats = move || {
        let Some(Table { seats, rated, seating, .. }) = table() else { return Vec::new() };
        let (spare, welcome) = (seats.len() as u64 > u64::from(seating.0), !removed.get());
        (0..).zip(seats).map(|(at, place)| {
            let words = match &place {
                Place::Open => String::new(),
                Place::Bot { level, .. } => format!("bot, strength {level}"),
                Place::Guest { person, ready, .. } => {
                    let ready = if *ready { "ready" } else { "not ready yet" };
                    let known = strengths.with(|known| known.get(person).cloned().flatten());
                    known.map_or_else(|| ready.to_owned(), |strength| format!("{strength} · {ready}"))
                }
            };
            let name = if place.name().is_empty() { "A free seat".to_owned() } else { place.name().to_owned() };
            let open = place == Place::Open;
            let mine = place.person() == Some(&*you());
            let act = match (&place, mine, host()) {
                (Place::Open, _, _) if !seated() && welcome => Some(view! { <button class="btn btn-main" data-do="join" on:click=move |_| say(Box::new(move |id, table| Command::Join { id, table, seat: Some(at), name: None, seed: browser::fresh_id() }))>"Sit here"</button> }.into_any()),
                (Place::Open, _, hosts) if !rated && seated() => Some(view! {
                    {welcome.then(|| view! { <button class="btn" data-do="beside" on:click=move |_| beside.set(Some(at))>"For somebody beside me"</button> })}
                    {hosts.then(|| view! { <button class="btn" on:click=move |_| say(Box::new(move |id, table| Command::Place { id, table, seat: at, wish: Wish::Bot { level } }))>"Give it to a bot"</button> })}
                }.into_any()),
                (Place::Bot { .. }, _, true) => Some(view! { <button class="btn" on:click=move |_| say(Box::new(move |id, table| Command::Place { id, table, seat: at, wish: Wish::Open }))>"Free it"</button> }.into_any()),
                (Place::Guest { name, .. }, false, true) => Some(view! { <button class="btn" data-do="kick" on:click=move |_| say(Box::new(move |id, table| Command::Kick { id, table, seat: at }))>{format!("Remove {name}")}</button> }.into_any()),
                (Place::Guest { .. }, true, _) => Some(view! { <button class="btn" data-do="get-up" on:click=move |_| say(Box::new(move |id, table| Command::Leave { id, table, seat: Some(at) }))>"Leave this seat"</button> }.into_any()),
                _ => None,
            };
            let gone = host() && spare && matches!(place, Place::Open | Place::Bot { .. });
            let remove = gone.then(|| view! { <button class="btn" data-do="remove-seat" on:click=move |_| say(Box::new(move |id, table| Command::Place { id, table, seat: at, wish: Wish::Nobody }))>"Remove seat"</button> });
            view! {
                <li class="seat" class:is-open=open style=colour(Seat(at))><span class="person-dot" aria-hidden="true"></span><b>{name}</b><span class="faint">{words}</span><span class="seat-acts">{act}{remove}</span></li>
            }
        }).collect()
    };
    view! {
        <Bar><RulesButton open=rules/></Bar>
        <main id="main" class="unbox" data-game=kind.name() tabindex="-1">
            <div class="unbox-lid"><Lid kind/><div><h1>{kind.title()}</h1><p class="faint">"Sitting down"</p></div></div>
            <div class="unbox-words">
                <header><h1>{kind.title()}</h1><p class="faint">"People are sitting down"</p></header>
                <p class="variations">{move || table().map(|table| played_by(&table))}</p>
                <Show when=move || line.cut.get()><Lost says="The line is lost. Your table is safe; trying again…"/></Show>
                <Show when=move || removed.get() && !seated()><p class="removed" role="alert">{REMOVED}</p></Show>
                <section class="card" aria-label="Seats">
                    <ul class="seats" aria-live="polite">{move || seats().collect_view()}</ul>
                    <Show when=move || host() && room_left()>
                        <button class="btn" on:click=move |_| {
                            let at = table().map_or(0, |table| table.seats.len() as u32);
                            say(Box::new(move |id, table| Command::Place { id, table, seat: at, wish: Wish::Open }));
                        }>"One more seat"</button>
                    </Show>
                    <Show when=move || line.wants_name.get()><YourName/></Show>
                    <Show when=move || beside.get().is_some()><BesideYou sit=sit_beside/></Show>
                </section>
                <div class="buttons">
                    <Show when=move || seated() && !host()>
                        <button class="btn btn-main" data-do="ready" on:click=move |_| be_ready(!is_ready())>{move || if is_ready() { "Not ready after all" } else { "Ready" }}</button>
                    </Show>
                    <Show when=host>
                        <button class="btn btn-main" data-do="start" on:click=start>"Start the game"</button>
                        <button class="btn" data-do="close" on:click=move |_| say(Box::new(|id, table| Command::Close { id, table }))>"Put it away"</button>
                    </Show>
                </div>
                <Invitation link=Signal::derive(link)/>
            </div>
        </main>
    }
}

/// Who sits beside you, and plays at this screen too?
#[component]
fn BesideYou(
    /// Gives the seat.
    sit: impl Fn(String) + Copy + Send + 'static,
) -> impl IntoView {
    browser::focus_soon("#beside");
    let take = move |name: String| {
        if !name.is_empty() {
            sit(name);
        }
    };
    view! { <NameForm id="beside" label="Who sits beside you, and plays at this screen?" autocomplete="off" does="Sit down" take/> }
}

/// How it will be played, for whoever comes to the table.
fn played_by(table: &Table) -> String {
    let rated = if table.rated { "Rated. " } else { "" };
    let sheet = if table.variations.is_empty() { "As on the sheet." } else { &table.variations.join(" · ") };
    format!("{rated}{sheet}")
}

/// How strong everybody at a rated table is, as far as it is known.
fn strengths(room: RwSignal<Option<Table>>) -> RwSignal<BTreeMap<PersonId, Option<String>>> {
    let known = RwSignal::new(BTreeMap::new());
    Effect::new(move |_| {
        let Some(table) = room.get().filter(|table| table.rated) else { return };
        for person in table.seats.iter().filter_map(Place::person) {
            if known.with_untracked(|known: &BTreeMap<_, _>| known.contains_key(person)) {
                continue;
            }
            known.update_untracked(|known| drop(known.insert(person.to_owned(), None)));
            let (person, game) = (person.to_owned(), table.game.clone());
            spawn_local(async move {
                if let Ok(found) = super::people::strength(&person, &game).await {
                    known.try_update(|known| known.insert(person, Some(found)));
                }
            });
        }
    });
    known
}

/// The link, to be copied, and as a picture for a phone.
#[component]
fn Invitation(link: Signal<String>) -> impl IntoView {
    let voice = voice();
    let copy = move |_| {
        let link = link.get_untracked();
        spawn_local(async move {
            if browser::copy(&link).await {
                voice.tell("The link is copied. Send it to whoever shall come.");
            } else {
                browser::select_soon("#table-link");
                voice.tell(browser::BY_HAND);
            }
        });
    };
    view! {
        <section class="card invitation" aria-labelledby="invite">
            <div>
                <h2 id="invite">"Invite"</h2>
                <p class="faint">"Whoever has this link may sit down or watch."</p>
                <Show when=browser::only_here>
                    <p class="only-here">"It works on this machine only. For phones and friends in your network, start the house with "<code>"parlor serve --lan"</code>" and open the address it prints."</p>
                </Show>
                <div class="typed-line"><input id="table-link" class="text" readonly aria-label="Link to this table" prop:value=move || link.get()/><button class="btn" on:click=copy>"Copy"</button></div>
            </div>
            {move || qr(&link.get())}
        </section>
    }
}

fn qr(link: &str) -> Option<AnyView> {
    use std::fmt::Write;
    let code = qrcodegen::QrCode::encode_text(link, qrcodegen::QrCodeEcc::Low).ok()?;
    let size = code.size();
    let mut path = String::new();
    for y in 0..size {
        for x in (0..size).filter(|&x| code.get_module(x, y)) {
            let _ = write!(path, "M{x} {y}h1v1h-1z");
        }
    }
    Some(view! {
        <svg class="qr" viewBox=format!("-2 -2 {} {}", size + 4, size + 4) role="img" aria-label="The link as a QR code" shape-rendering="crispEdges">
            <rect x="-2" y="-2" width=size + 4 height=size + 4 fill="#fff"/><path d=path fill="#000"/>
        </svg>
    }
    .into_any())
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
