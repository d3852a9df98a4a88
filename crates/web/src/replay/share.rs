//! A game given away: its record as a file, or a link that leads to it from anywhere.

use crate::browser;
use crate::route::{Route, way};
use crate::ui::icon;
use crate::voice::voice;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;

/// Where a record is, and so what a link to it must hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    /// In this browser or in the link that led here: nowhere else.
    Here,
    /// On the server: its name is enough.
    Server,
}

/// The name of a game that travels in the link itself.
pub(super) const IN_LINK: &str = "link";
/// Longer links are cut by those who carry them.
const LONGEST_LINK: usize = 30_000;

/// The record that the link itself holds.
pub(super) async fn in_link() -> Option<String> {
    let hash = window().location().hash().ok()?;
    browser::unpack(hash.trim_start_matches('#')).await
}

/// A link that leads to this game from anywhere.
async fn link(record: &str, home: Home) -> Option<String> {
    if home == Home::Server {
        return Some(browser::link_to(&way().now_untracked().path()));
    }
    let place = browser::link_to(&Route::Replay(IN_LINK.to_owned()).path());
    let link = format!("{place}#{}", browser::pack(record).await?);
    (link.len() <= LONGEST_LINK).then_some(link)
}

/// What a game is given away by.
#[component]
pub(super) fn Share(record: Arc<str>, home: Home) -> impl IntoView {
    let voice = voice();
    let by_hand = RwSignal::new(None::<String>);
    let keep = {
        let record = record.clone();
        move |_| {
            let _ = browser::download("game.parlor", &record);
        }
    };
    let share = move |_| {
        let record = record.clone();
        spawn_local(async move {
            let Some(link) = link(&record, home).await else {
                voice.tell("This game is too long for a link. Download the record and send the file.");
                return;
            };
            if browser::copy(&link).await {
                voice.tell("Link copied. Anyone with it can watch this game.");
            } else {
                by_hand.try_set(Some(link));
                browser::select_soon("#game-link");
                voice.tell(browser::BY_HAND);
            }
        });
    };
    view! {
        <div class="buttons">
            <button class="btn" on:click=keep>{icon::save()}"Download record"</button>
            <button class="btn" data-do="share" on:click=share>"Copy the link"</button>
        </div>
        {move || by_hand.get().map(|link| view! { <input id="game-link" class="text" readonly aria-label="Link to this game" prop:value=link/> })}
    }
}
