//! A box, opened: how shall it be played? The second tap is the first throw.

use crate::app::Bar;
use crate::boards;
use crate::browser;
use crate::company::Company;
use crate::dictionary;
use crate::lids::Lid;
use crate::local;
use crate::net;
use crate::options::{Chosen, Form};
use crate::route::{Route, way};
use crate::store::Chair;
use crate::ui::icon;
use crate::voice::voice;
use house::Kind;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::ops::RangeInclusive;

const NAME: &str = "parlor.name";

/// What the person here is called, where nobody else needs to know.
pub fn my_name() -> String {
    browser::recall(NAME).unwrap_or_else(|| "You".to_owned())
}

/// An opened box.
#[component]
pub fn Unbox(
    /// Which.
    kind: Kind,
) -> impl IntoView {
    let game = boards::game(kind);
    let about = kind.about();
    let chosen = Chosen::remembered(kind);
    let seating = Memo::new(move |_| {
        game.engine.setting(chosen.options()).map_or(about.seats.clone(), |setting| setting.seating)
    });
    let changed = move || match chosen.count() {
        0 => "as on the sheet".to_owned(),
        1 => "one changed".to_owned(),
        count => format!("{count} changed"),
    };
    view! {
        <Bar/>
        <main id="main" class="unbox" data-game=kind.name() tabindex="-1">
            <div class="unbox-lid">
                <Lid kind/>
                <div><h1>{kind.title()}</h1><p class="faint">{about.plate}</p></div>
            </div>
            <div class="unbox-words">
                <header><h1>{kind.title()}</h1><p class="faint">{about.plate}</p></header>
                <p class="lead">{about.lead}</p>
                <p><a class="btn btn-quiet how" href=format!("./learn/{}", kind.name())>"How it is played"{icon::next()}</a>{game.solver.as_ref().map(|solver| view! { <a class="btn btn-quiet how" href=format!("./solve/{}", kind.name())>{solver.title}{icon::next()}</a> })}</p>
                <div class="ways">
                    <Show when=move || seating.with(|range| range.contains(&1))><Alone kind chosen/></Show>
                    <Show when=move || seating.with(|range| *range.end() > 1)>
                        <AgainstBots kind chosen seating/>
                        <AroundScreen kind chosen seating/>
                        <net::WithLink kind chosen seating/>
                    </Show>
                </div>
                <net::PublicTables kind/>
                <details class="options card">
                    <summary>"Table options "<span class="faint">{changed}</span></summary>
                    <Form kind chosen/>
                    <button class="btn" on:click=move |_| chosen.reset()>"As on the sheet"</button>
                </details>
            </div>
        </main>
    }
}

/// Opens a table on this screen and goes there; says kindly why not, where it cannot be.
fn begin(kind: Kind, chosen: Chosen, chairs: Vec<Chair>) {
    let (way, voice) = (way(), voice());
    let options = chosen.options_for(chairs.len());
    spawn_local(async move {
        if dictionary::needed(kind) && !dictionary::fetch().await {
            voice.tell("The word list could not be fetched. Check the connection and try once more.");
            return;
        }
        match local::open(kind, options, chairs) {
            Ok(id) => way.go(Route::Here(id)),
            Err(refused) => voice.tell(refused.says),
        }
    });
}

fn person(name: String) -> Chair {
    Chair { name, bot: None }
}

#[component]
fn Alone(kind: Kind, chosen: Chosen) -> impl IntoView {
    view! {
        <section class="way">
            <div class="way-words"><h2>"Alone"</h2><p>"You and the dice; your best is kept."</p></div>
            <button class="btn btn-main" data-way="alone" on:click=move |_| begin(kind, chosen, vec![person(my_name())])>"Play"</button>
        </section>
    }
}

#[component]
fn AgainstBots(kind: Kind, chosen: Chosen, seating: Memo<RangeInclusive<u32>>) -> impl IntoView {
    let about = kind.about();
    let (count, level) = (RwSignal::new(about.bots.clamp(1, 7)), RwSignal::new(about.level));
    let most = move || seating.with(|range| range.end().saturating_sub(1).min(7));
    let least = move || seating.with(|range| range.start().saturating_sub(1).max(1));
    let play = move |_| {
        let bots = count.get().clamp(least(), most().max(least())) as usize;
        let bots = (0..bots).map(|chair| Chair { name: house::bot_name(chair), bot: Some(level.get()) });
        begin(kind, chosen, std::iter::once(person(my_name())).chain(bots).collect());
    };
    view! {
        <section class="way">
            <div class="way-words"><h2>"Against bots"</h2><p>"They wait for nobody, and never mind."</p></div>
            <button class="btn btn-main" data-way="bots" on:click=play>"Play"</button>
            <div class="way-more">
                <span>"How many"<Stepper value=count least=Signal::derive(least) most=Signal::derive(most)/></span>
                <span>"How strong"<Levels level levels=about.levels/></span>
            </div>
        </section>
    }
}

/// A choice of bots' strength.
#[component]
pub fn Levels(
    /// The one chosen, from 1.
    level: RwSignal<u8>,
    /// How many there are.
    levels: u8,
) -> impl IntoView {
    let value = RwSignal::new(u32::from(level.get_untracked()));
    Effect::new(move |_| level.set(value.get() as u8));
    view! { <Stepper value least=Signal::stored(1) most=Signal::stored(u32::from(levels))/> }
}

/// A number with a button on either side.
#[component]
pub fn Stepper(
    /// The number.
    value: RwSignal<u32>,
    /// The least it may be.
    least: Signal<u32>,
    /// The most it may be.
    most: Signal<u32>,
) -> impl IntoView {
    let bounded = move || value.get().clamp(least.get(), most.get().max(least.get()));
    let fewer = move |_: web_sys::MouseEvent| value.set(bounded().saturating_sub(1).max(least.get()));
    let more = move |_: web_sys::MouseEvent| value.set((bounded() + 1).min(most.get()));
    view! {
        <span class="step">
            <button type="button" aria-label="fewer" disabled={move || bounded() <= least.get()} on:click=fewer>"−"</button>
            <output class="num">{bounded}</output>
            <button type="button" aria-label="more" disabled={move || bounded() >= most.get()} on:click=more>"+"</button>
        </span>
    }
}

#[component]
fn AroundScreen(kind: Kind, chosen: Chosen, seating: Memo<RangeInclusive<u32>>) -> impl IntoView {
    let count = RwSignal::new(2);
    let names = RwSignal::new(["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"].map(str::to_owned));
    let most = move || seating.with(|range| (*range.end()).min(8));
    let least = move || seating.with(|range| (*range.start()).max(2));
    let people = move || count.get().clamp(least(), most().max(least()));
    let play = move |_| {
        let chairs =
            names.with_untracked(|names| names.iter().take(people() as usize).cloned().map(person).collect());
        begin(kind, chosen, chairs);
    };
    let inputs = move || {
        (0..people() as usize)
            .map(|at| {
                let write = move |event| {
                    let name = event_target_value(&event).trim().to_owned();
                    if !name.is_empty() {
                        names.update(|names| names[at] = name);
                    }
                };
                let label = format!("Name of player {}", at + 1);
                view! { <input class="text" maxlength="40" aria-label=label prop:value=names.get_untracked()[at].clone() on:change=write/> }
            })
            .collect_view()
    };
    view! {
        <section class="way">
            <div class="way-words"><h2>"Around this screen"</h2><p>{kind.about().around}</p></div>
            <button class="btn btn-main" data-way="around" on:click=play>"Play"</button>
            <div class="way-more">
                <span>"How many"<Stepper value=count least=Signal::derive(least) most=Signal::derive(most)/></span>
                <Company kind people=Signal::derive(people) chosen/>
                {inputs}
            </div>
        </section>
    }
}
