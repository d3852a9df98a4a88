//! The server's side of the shelf: tables of ours that go on, public tables, and how a table is made for a link.

use super::http;
use super::line::line;
use super::room::{Lost, YourName};
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
            <a class="ticket-go" href=format!("./table/{}", table.table)><h3>{kind.title()}</h3><p>"With others"</p></a>
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
            <a class="ticket-go" href=format!("./table/{}", table.table)>
                <h3>{kind.title()}</h3>
                <p>{format!("{}'s table · {words}{rated}", table.host)}</p>
                {varied.map(|words| view! { <p>{words}</p> })}
            </a>
        </li>
    })
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
    let (people, bots, level) = (RwSignal::new(2), RwSignal::new(0), RwSignal::new(kind.about().level));
    let (public, rated) = (RwSignal::new(false), RwSignal::new(false));
    let busy = RwSignal::new(false);
    let asked = StoredValue::new(None::<u64>);
    let make = move || {
        let most = seating.with_untracked(|range| *range.end());
        let others = people.get_untracked().min(most).saturating_sub(1);
        let bots =
            if rated.get_untracked() { 0 } else { bots.get_untracked().min(most.saturating_sub(others + 1)) };
        let seats = std::iter::once(Wish::Me)
            .chain((0..others).map(|_| Wish::Open))
            .chain((0..bots).map(|_| Wish::Bot { level: level.get_untracked() }))
            .collect();
        let options = chosen.options();
        let (public, rated) = (public.get_untracked(), rated.get_untracked());
        line.command(
            move |id| Command::Create {
                id,
                game: kind.name().to_owned(),
                options,
                seats,
                public,
                rated,
                grace: Some(protocol::GRACE),
                seed: crate::browser::fresh_id(),
            },
            move |answer| match answer {
                _ if busy.try_set(false).is_some() => {}
                Ok(Some(table)) => way.go(Route::There(table)),
                Ok(None) => {}
                Err(refused) => voice.tell(refused.says),
            },
        )
    };
    // The name is asked for only now: now others will see it. The table is laid as soon as the line is open.
    let go = move |_| {
        if !busy.get_untracked() {
            busy.set(true);
            asked.set_value(make());
        }
    };
    // Nobody would sit at a table that is laid after its host has left.
    on_cleanup(move || {
        if let Some(id) = asked.try_get_value().flatten() {
            line.take_back(id);
        }
    });
    let trouble = move || line.trouble().filter(|_| busy.get());
    let nameless = move || busy.get() && line.wants_name.get();
    view! {
        <section class="way">
            <div class="way-words"><h2>"With a link"</h2><p>"Send it to whoever shall sit down."</p></div>
            <button class="btn btn-main" data-way="link" on:click=go>"Lay the table"</button>
            {move || trouble().map(|says| view! { <Lost says/> })}
            <div class="way-more">
                <span>"People"<Stepper value=people least=Signal::stored(2) most=Signal::derive(move || seating.with(|range| (*range.end()).min(16)))/></span>
                <Company kind people=people.into() chosen/>
                <Show when=move || !rated.get()>
                    <span>"Bots"<Stepper value=bots least=Signal::stored(0) most=Signal::stored(6)/></span>
                    <Show when=move || { bots.get() > 0 }><span>"How strong"<Levels level levels=kind.about().levels/></span></Show>
                </Show>
                <label>"Public"<input type="checkbox" name="public" role="switch" class="switch" prop:checked=move || public.get() on:change=move |event| public.set(event_target_checked(&event))/></label>
                <label>"Rated"<input type="checkbox" name="rated" role="switch" class="switch" prop:checked=move || rated.get() on:change=move |event| rated.set(event_target_checked(&event))/></label>
            </div>
            <Show when=nameless><div class="way-more"><YourName/></div></Show>
        </section>
    }
}
