//! The lobby: public tables that somebody is at, and everybody who wants to hear of them. Changes are told together, a few times a second.

use crate::outlet::Outlet;
use crate::room::text;
use protocol::{Listed, Message, TableId};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often changes are told.
pub(crate) const TELL: Duration = Duration::from_millis(250);
/// The most tables that are shown.
const SHOWN: usize = 200;

#[derive(Debug, Default)]
pub(crate) struct Lobby(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    tables: HashMap<TableId, Listed>,
    touched: BTreeSet<TableId>,
    heard_by: Vec<Arc<Outlet>>,
}

impl Lobby {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How a table stands in the lobby now, if it does.
    pub(crate) fn update(&self, table: &str, listed: Option<Listed>) {
        let mut state = self.state();
        if state.tables.get(table) == listed.as_ref() {
            return;
        }
        match listed {
            Some(listed) => state.tables.insert(table.to_owned(), listed),
            None => state.tables.remove(table),
        };
        state.touched.insert(table.to_owned());
    }

    /// Somebody wants to hear, and hears at once what is there.
    pub(crate) fn enter(&self, outlet: &Arc<Outlet>) {
        let mut state = self.state();
        let mut tables: Vec<Listed> = state.tables.values().cloned().collect();
        tables.sort_unstable_by(|a, b| (b.made, &b.table).cmp(&(a.made, &a.table)));
        tables.truncate(SHOWN);
        outlet.send(text(&Message::<()>::Lobby { tables }).into());
        if !state.heard_by.iter().any(|other| other.id == outlet.id) {
            state.heard_by.push(Arc::clone(outlet));
        }
    }

    /// Somebody has heard enough.
    pub(crate) fn leave(&self, outlet: u64) {
        self.state().heard_by.retain(|other| other.id != outlet);
    }

    /// Tells everybody what has changed since the last time.
    pub(crate) fn tell(&self) {
        let mut state = self.state();
        if state.touched.is_empty() {
            return;
        }
        let (mut changed, mut gone) = (Vec::new(), Vec::new());
        for table in std::mem::take(&mut state.touched) {
            match state.tables.get(&table) {
                Some(listed) => changed.push(listed.clone()),
                None => gone.push(table),
            }
        }
        let frame: axum::extract::ws::Utf8Bytes = text(&Message::<()>::LobbyChange { changed, gone }).into();
        state.heard_by.retain(|outlet| outlet.send(frame.clone()));
    }
}
