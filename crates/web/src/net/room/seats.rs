//! The seats of a room before its game: who sits there, how strong they are, and what can be done about it.

use super::Table;
use super::gathering::Gathered;
use crate::browser;
use crate::net::name::{NameForm, YourName};
use crate::ui::people::colour;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::{PersonId, Place, Wish};
use std::collections::BTreeMap;
use table::Seat;

/// How strong people are, as far as it is known.
type Strengths = RwSignal<BTreeMap<PersonId, Option<String>>>;

/// All seats, and one more.
#[component]
pub(super) fn Seats(gathered: Gathered) -> impl IntoView {
    let strengths = strengths(gathered.room);
    // The seat that is wanted for somebody at this screen.
    let beside = RwSignal::new(None::<u32>);
    let rows = move || {
        let seats = gathered.table().map(|table| table.seats).unwrap_or_default();
        (0..).zip(seats).map(|(at, place)| seat(gathered, strengths, beside, at, &place)).collect_view()
    };
    let add = move |_| {
        let at = gathered.table().map_or(0, |table| table.seats.len() as u32);
        gathered.place(at, Wish::Open);
    };
    let room_left = move || gathered.hosts() && gathered.has_room();
    let sit_beside = move |name: String| {
        let Some(at) = beside.try_update(Option::take).flatten() else { return };
        gathered.join(at, Some(name));
    };
    view! {
        <section class="card" aria-label="Seats">
            <ul class="seats" aria-live="polite">{rows}</ul>
            <Show when=room_left><button class="btn" on:click=add>"Add a seat"</button></Show>
            <Show when=move || gathered.line.wants_name.get()><YourName/></Show>
            <Show when=move || beside.get().is_some()><BesideYou sit=sit_beside/></Show>
        </section>
    }
}

/// A seat, whoever has it.
fn seat(
    gathered: Gathered,
    strengths: Strengths,
    beside: RwSignal<Option<u32>>,
    at: u32,
    place: &Place,
) -> AnyView {
    let open = *place == Place::Open;
    let name = if place.name().is_empty() { "Free seat".to_owned() } else { place.name().to_owned() };
    let words = match place {
        Place::Open => String::new(),
        Place::Bot { level, .. } => format!("bot, strength {level}"),
        Place::Guest { person, ready, .. } => {
            let ready = if *ready { "ready" } else { "not ready yet" };
            let known = strengths.with(|known| known.get(person).cloned().flatten());
            known.map_or_else(|| ready.to_owned(), |strength| format!("{strength} · {ready}"))
        }
    };
    let act = act(gathered, beside, at, place);
    let gone = gathered.hosts() && gathered.can_shrink() && matches!(place, Place::Open | Place::Bot { .. });
    let remove = gone.then(|| view! { <button class="btn" data-do="remove-seat" on:click=move |_| gathered.place(at, Wish::Nobody)>"Remove seat"</button> });
    view! {
        <li class="seat" class:is-open=open style=colour(Seat(at))><span class="person-dot" aria-hidden="true"></span><b>{name}</b><span class="faint">{words}</span><span class="seat-acts">{act}{remove}</span></li>
    }
    .into_any()
}

/// What can be done with a seat: to sit down or get up, or, for the host, to change who has it.
fn act(gathered: Gathered, beside: RwSignal<Option<u32>>, at: u32, place: &Place) -> Option<AnyView> {
    let (hosts, mine) = (gathered.hosts(), place.person() == Some(&*gathered.you()));
    match place {
        Place::Open if !gathered.is_seated() && gathered.is_welcome() => Some(view! { <button class="btn btn-main" data-do="join" on:click=move |_| gathered.join(at, None)>"Join"</button> }.into_any()),
        Place::Open if gathered.is_seated() && !gathered.is_rated() => {
            let beside_me = gathered.is_welcome().then(|| view! { <button class="btn" data-do="beside" on:click=move |_| beside.set(Some(at))>"Someone next to me"</button> });
            let bot = hosts.then(|| view! { <button class="btn" on:click=move |_| gathered.place(at, gathered.bot())>"Add a bot"</button> });
            Some(view! { {beside_me}{bot} }.into_any())
        }
        Place::Bot { .. } if hosts => Some(view! { <button class="btn" on:click=move |_| gathered.place(at, Wish::Open)>"Remove bot"</button> }.into_any()),
        Place::Guest { .. } if mine => Some(view! { <button class="btn" data-do="get-up" on:click=move |_| gathered.get_up(at)>"Leave seat"</button> }.into_any()),
        Place::Guest { name, .. } if hosts => Some(view! { <button class="btn" data-do="kick" on:click=move |_| gathered.kick(at)>{format!("Remove {name}")}</button> }.into_any()),
        _ => None,
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

/// How strong everybody at a rated table is, as far as it is known.
fn strengths(room: RwSignal<Option<Table>>) -> Strengths {
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
                if let Ok(found) = crate::net::people::strength(&person, &game).await {
                    known.try_update(|known| known.insert(person, Some(found)));
                }
            });
        }
    });
    known
}
