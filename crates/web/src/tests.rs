//! Pages and boards on the host, drawn to text.

mod components;
mod counted;
mod letters;

use crate::route::{Route, Way};
use crate::session::{Player, Session};
use crate::sound::Ears;
use crate::voice::Voice;
use house::{AnyTable, Kind, Setting};
use leptos::prelude::*;
use std::sync::Arc;
use table::{Seat, Seats, Seed};

/// Draws something inside the frame that every page has.
pub(crate) fn drawn<V: IntoView + 'static>(route: Route, view: impl FnOnce() -> V) -> String {
    Owner::new().with(|| {
        provide_context(Way::at(route));
        provide_context(Voice::new());
        provide_context(Ears::remembered());
        provide_context(crate::app::Theme::remembered());
        provide_context(crate::net::Line::new());
        view().into_view().to_html()
    })
}

/// A table that was just opened, and what was chosen for it.
pub(crate) fn opened(kind: Kind, options: serde_json::Value, names: &[&str]) -> (Setting, AnyTable) {
    let setting = Setting::new(kind, options).expect("good options");
    let seats = Seats::named(names.iter().copied()).expect("good names");
    let (table, _) = AnyTable::open(&setting, seats, &Seed::from_number(7), None).expect("a table");
    (setting, table)
}

/// A table as one seat sees it, or a watcher.
fn looked_at(setting: &Setting, table: &AnyTable, names: &[&str], me: Option<u32>) -> Session {
    let session = Session::new(setting.kind);
    session.options.set(Arc::new(setting.options.clone()));
    let player = |name: &&str| Player { name: (*name).to_owned(), bot: None, here: true };
    session.players.set(names.iter().map(player).collect());
    session.mine.set(me.map(Seat).into_iter().collect());
    session.hand.set(Some(Seat(me.unwrap_or(0))));
    session.awaited.set((0..table.seats()).map(Seat).filter(|&seat| table.awaits(seat)).collect());
    let privates = (0..table.seats()).map(Seat).map(|seat| (seat, table.private(seat).get().into()));
    session.privates.set(privates.collect());
    session.public.set(table.public().get().into());
    session.outcome.set(table.outcome());
    session
}

/// How often something stands on a page.
pub(crate) fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}
