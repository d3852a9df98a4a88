//! The server's side of the shelf: tables of ours that go on, public tables, and how a table is made for a link.

use super::http;
use super::line::line;
use super::name::YourName;
use super::room::Lost;
use crate::company::Company;
use crate::lids::Lid;
use crate::options::Chosen;
use crate::route::{Route, way};
use crate::unbox::{Levels, Stepper};
use crate::voice::voice;
use house::Kind;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::http::{Me, MyTable};
use protocol::{Command, Listed, Phase, Wish};
use std::ops::RangeInclusive;

/// Our tables on the server that are not over. Offline there are none, and nothing is wrong.
pub fn my_tables() -> RwSignal<Vec<MyTable>> {
    let tables = RwSignal::new(Vec::new());
    let line = line();
    if crate::browser::window().is_none() {
        return tables;
    }
    spawn_local(async move {
        if let Ok(me) = http::get_json::<Me>("/api/me").await {
            tables.try_set(me.tables);
            line.listen_to_lobby();
        }
    });
    tables
}

/// One of them.
pub fn their_ticket(table: MyTable) -> Option<impl IntoView> {
    let kind: Kind = table.game.parse().ok()?;
    Some(view! {
        <li class="ticket">
            <Lid kind/>
            <a class="ticket-go" href=format!("/table/{}", table.table)><h3>{kind.title()}</h3><p>"With others"</p></a>
        </li>
    })
}

/// Public tables that somebody is at, as far as they were told on the shelf.
#[component]
pub fn PublicTables(
    /// Of this game alone.
    #[prop(optional)]
    kind: Option<Kind>,
) -> impl IntoView {
    let line = line();
    let tables = move || {
        line.lobby
            .get()
            .into_iter()
            .filter(|table| kind.is_none_or(|kind| table.game == kind.name()))
            .filter(|table| matches!(table.phase, Phase::Gathering | Phase::Playing))
            .take(12)
            .collect::<Vec<_>>()
    };
    view! {
        <Show when=move || !tables().is_empty()>
            <section class="section" aria-labelledby="public">
                <h2 id="public">"Open tables"</h2>
                <ul class="tables">{move || tables().into_iter().filter_map(listed).collect_view()}</ul>
            </section>
        </Show>
    }
}

fn listed(table: Listed) -> Option<impl IntoView> {
    let kind: Kind = table.game.parse().ok()?;
    let words = match (table.phase, table.open) {
        (Phase::Gathering, 1) => "one seat free".to_owned(),
        (Phase::Gathering, open) => format!("{open} seats free"),
        _ => "playing; come and watch".to_owned(),
    };
    let rated = if table.rated { " · rated" } else { "" };
    let varied = (!table.variations.is_empty()).then(|| table.variations.join(" · "));
    Some(view! {
        <li class="ticket">
            <Lid kind/>
            <a class="ticket-go" href=format!("/table/{}", table.table)>
                <h3>{kind.title()}</h3>
                <p>{format!("{}'s table · {words}{rated}", table.host)}</p>
                {varied.map(|words| view! { <p>{words}</p> })}
            </a>
        </li>
    })
}

/// Who shall sit at a table with a link, and how it counts.
#[derive(Clone, Copy)]
struct Setup {
    people: RwSignal<u32>,
    bots: RwSignal<u32>,
    level: RwSignal<u8>,
    public: RwSignal<bool>,
    rated: RwSignal<bool>,
}

impl Setup {
    fn new(kind: Kind) -> Setup {
        Setup {
            people: RwSignal::new(2),
            bots: RwSignal::new(0),
            level: RwSignal::new(kind.about().level),
            public: RwSignal::new(false),
            rated: RwSignal::new(false),
        }
    }

    /// Its seats, where no more than this many may play. A rated table has no bots.
    fn seats(self, most: u32) -> Vec<Wish> {
        let others = self.people.get_untracked().min(most).saturating_sub(1);
        let room = if self.rated.get_untracked() { 0 } else { most.saturating_sub(others + 1) };
        let bots = self.bots.get_untracked().min(room);
        let level = self.level.get_untracked();
        std::iter::once(Wish::Me)
            .chain((0..others).map(|_| Wish::Open))
            .chain((0..bots).map(|_| Wish::Bot { level }))
            .collect()
    }

    /// The wish for such a table.
    fn create(self, kind: Kind, chosen: Chosen, most: u32) -> impl FnOnce(u64) -> Command + 'static {
        let (options, seats) = (chosen.options(), self.seats(most));
        let (public, rated) = (self.public.get_untracked(), self.rated.get_untracked());
        move |id| Command::Create {
            id,
            game: kind.name().to_owned(),
            options,
            seats,
            public,
            rated,
            grace: Some(protocol::GRACE),
            seed: crate::browser::fresh_id(),
        }
    }
}

/// A table for a link.
#[component]
pub fn WithLink(
    /// The game.
    kind: Kind,
    /// Its options.
    chosen: Chosen,
    /// How many may play.
    seating: Memo<RangeInclusive<u32>>,
) -> impl IntoView {
    let (line, way, voice) = (line(), way(), voice());
    let setup = Setup::new(kind);
    let busy = RwSignal::new(false);
    let asked = StoredValue::new(None::<u64>);
    let make = move || {
        let most = seating.with_untracked(|range| *range.end());
        line.command(setup.create(kind, chosen, most), move |answer| match answer {
            _ if busy.try_set(false).is_some() => {}
            Ok(Some(table)) => way.go(Route::There(table)),
            Ok(None) => {}
            Err(refused) => voice.tell(refused.says),
        })
    };
    // The name is asked for only now: now others will see it. The table is created as soon as the line is open.
    let go = move |_| {
        if !busy.get_untracked() {
            busy.set(true);
            asked.set_value(make());
        }
    };
    // Nobody would sit at a table that is created after its host has left.
    on_cleanup(move || {
        if let Some(id) = asked.try_get_value().flatten() {
            line.take_back(id);
        }
    });
    let trouble = move || line.trouble().filter(|_| busy.get());
    let nameless = move || busy.get() && line.wants_name.get();
    view! {
        <section class="way">
            <div class="way-words"><h2>"With a link"</h2><p>"Send the link to the people you want to play with."</p></div>
            <button class="btn btn-main" data-way="link" on:click=go>"Create table"</button>
            {move || trouble().map(|says| view! { <Lost says/> })}
            <Seating setup kind chosen seating/>
            <Show when=nameless><div class="way-more"><YourName/></div></Show>
        </section>
    }
}

/// The form for it.
#[component]
fn Seating(setup: Setup, kind: Kind, chosen: Chosen, seating: Memo<RangeInclusive<u32>>) -> impl IntoView {
    let Setup { people, bots, level, public, rated } = setup;
    let most = Signal::derive(move || seating.with(|range| (*range.end()).min(16)));
    view! {
        <div class="way-more">
            <span>"People"<Stepper value=people least=Signal::stored(2) most/></span>
            <Company kind people=people.into() chosen/>
            <Show when=move || !rated.get()>
                <span>"Bots"<Stepper value=bots least=Signal::stored(0) most=Signal::stored(6)/></span>
                <Show when=move || { bots.get() > 0 }><span>"How strong"<Levels level levels=kind.about().levels/></span></Show>
            </Show>
            <Switch label="Public" name="public" on=public/>
            <Switch label="Rated" name="rated" on=rated/>
        </div>
    }
}

#[component]
fn Switch(label: &'static str, name: &'static str, on: RwSignal<bool>) -> impl IntoView {
    let turn = move |event| on.set(event_target_checked(&event));
    view! { <label>{label}<input type="checkbox" name=name role="switch" class="switch" prop:checked=move || on.get() on:change=turn/></label> }
}
