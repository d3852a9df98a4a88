//! The shelf: five boxes. Games in progress come first, public tables last.

use crate::app::Bar;
use crate::lids::Lid;
use crate::net;
use crate::store::{self, Kept};
use crate::ui::icon;
use house::Kind;
use leptos::prelude::*;

/// What is said instead where the browser may not keep the page: `boot.js` finds out.
const NOT_KEPT: &str = "Everything runs in this page. Its address is not one that this browser calls secure (https with a certificate it \
    knows), so it can't keep Parlor for when there is no network, or install it. What you play alone goes on while this page is open.";

/// The first page.
#[component]
pub fn Home() -> impl IntoView {
    view! {
        <Bar><a class="btn btn-quiet btn-icon" href="./you" aria-label="You: your name, ratings and games">{icon::person()}</a></Bar>
        <main id="main" class="home" tabindex="-1">
            <h1 class="sr">"Parlor: five lost games"</h1>
            <Drawer/>
            <nav aria-label="The games">
                <ul class="shelf">{Kind::ALL.map(|kind| view! { <li><BoxOnShelf kind/></li> })}</ul>
            </nav>
            <net::PublicTables/>
            <Finished/>
            <footer class="foot">
                <p class="foot-kept">"Everything runs in this page; what you play alone works without a network too."</p>
                <p class="foot-not-kept">{NOT_KEPT}</p>
                <p>{Kind::ALL.map(|kind| view! { <a href=format!("./learn/{}", kind.name())>{format!("{kind} rules")}</a> })}</p>
                <p><a href=format!("./leaders/{}", Kind::ALL[0].name())>"The strongest players"</a><a href="./docs/">"Docs"</a></p>
            </footer>
        </main>
    }
}

#[component]
fn BoxOnShelf(kind: Kind) -> impl IntoView {
    let label = kind.about();
    let plate = label.plate;
    let label = format!("{kind}. {} {plate}", label.lead);
    view! {
        <a class="box" data-game=kind.name() href=format!("./box/{}", kind.name()) aria-label=label>
            <Lid kind/>
            <span class="box-plate" aria-hidden="true"><b>{kind.title()}</b>{plate}</span>
        </a>
    }
}

/// Games in progress: they come first.
#[component]
fn Drawer() -> impl IntoView {
    let kept = RwSignal::new(store::all().into_iter().filter(|game| !game.over).collect::<Vec<_>>());
    let theirs = net::my_tables();
    let some = move || !kept.with(Vec::is_empty) || !theirs.with(Vec::is_empty);
    view! {
        <Show when=some>
            <section class="section" aria-labelledby="drawer">
                <h2 id="drawer">"Still on the table"</h2>
                <ul class="tables">
                    {move || theirs.get().into_iter().map(net::their_ticket).collect_view()}
                    {move || kept.get().into_iter().map(|game| ticket(game, kept)).collect_view()}
                </ul>
            </section>
        </Show>
    }
}

fn ticket(game: Kept, kept: RwSignal<Vec<Kept>>) -> impl IntoView {
    let Kept { id, kind, .. } = game.clone();
    let away = format!("Throw this game of {kind} away");
    let throw_away = move |_| {
        store::discard(&id);
        kept.update(|games| games.retain(|game| game.id != id));
    };
    view! {
        <li class="ticket">
            <Lid kind/>
            <a class="ticket-go" href=format!("./here/{}", game.id)>
                <h3>{kind.title()}</h3>
                <p>{who(&game)}</p>
            </a>
            <button class="btn btn-quiet btn-icon" aria-label=away on:click=throw_away>{icon::bin()}</button>
        </li>
    }
}

fn who(game: &Kept) -> String {
    let names: Vec<&str> = game.chairs.iter().map(|chair| chair.name.as_str()).collect();
    match names.as_slice() {
        [_] => "Alone, on this screen".to_owned(),
        [first @ .., last] => format!("{} and {last}, on this screen", first.join(", ")),
        [] => String::new(),
    }
}

/// The last games that ended, to be seen again.
#[component]
fn Finished() -> impl IntoView {
    let games: Vec<Kept> = store::all().into_iter().filter(|game| game.over).take(6).collect();
    (!games.is_empty()).then(|| {
        let list = games.into_iter().map(|game| {
            let scores: Vec<String> = game.scores.iter().map(ToString::to_string).collect();
            view! {
                <li class="ticket">
                    <Lid kind=game.kind/>
                    <a class="ticket-go" href=format!("./replay/{}", game.id)>
                        <h3>{game.kind.title()}</h3>
                        <p class="num">{format!("{} · {}", who(&game), scores.join(" : "))}</p>
                    </a>
                </li>
            }
        });
        view! {
            <section class="section" aria-labelledby="finished">
                <h2 id="finished">"Played here"</h2>
                <ul class="tables">{list.collect_view()}</ul>
            </section>
        }
    })
}
