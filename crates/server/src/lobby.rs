//! The lobby: public tables that somebody is at, and everybody who wants to hear of them. Changes are told together, a few times a second.
//!
//! Where a house has many nodes, each tells the others how the tables it keeps stand. Its news are numbered; who missed some asks for all of it.

use crate::bus::Note;
use crate::lock;
use crate::outlet::{Outlet, SocketId};
use crate::room::text;
use crate::store::NodeId;
use protocol::{Listed, Message, TableId};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// How often changes are told.
pub(crate) const TELL: Duration = Duration::from_millis(250);
/// The most tables that are shown.
const SHOWN: usize = 200;

#[derive(Debug, Default)]
pub(crate) struct Lobby {
    state: Mutex<State>,
    own: NodeId,
    alone: bool,
}

#[derive(Debug, Default)]
struct State {
    /// Every table, and who keeps it.
    tables: HashMap<TableId, (NodeId, Listed)>,
    touched: BTreeSet<TableId>,
    heard_by: Vec<Arc<Outlet>>,
    /// What other nodes have not been told yet, and how often they were told something.
    news: BTreeSet<TableId>,
    version: u64,
    /// How much of the news of every other node has come.
    versions: BTreeMap<NodeId, u64>,
}

impl State {
    fn set(&mut self, node: NodeId, table: &str, listed: Option<Listed>) -> bool {
        match (self.tables.get(table), listed) {
            (Some((of, old)), Some(new)) if *of == node && *old == new => return false,
            // Who takes a table over says how it stands; who had it has nothing more to say.
            (Some((of, _)), None) if *of != node => return false,
            (None, None) => return false,
            (_, Some(new)) => drop(self.tables.insert(table.to_owned(), (node, new))),
            (Some(_), None) => drop(self.tables.remove(table)),
        }
        self.touched.insert(table.to_owned());
        true
    }

    fn of(&self, node: NodeId) -> Vec<TableId> {
        self.tables.iter().filter(|(_, (of, _))| *of == node).map(|(table, _)| table.clone()).collect()
    }
}

impl Lobby {
    pub(crate) fn new(own: NodeId, alone: bool) -> Lobby {
        Lobby { state: Mutex::default(), own, alone }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// How a table of this node stands in the lobby now, if it does.
    pub(crate) fn update(&self, table: &str, listed: Option<Listed>) {
        let mut state = self.state();
        if state.set(self.own, table, listed) && !self.alone {
            state.news.insert(table.to_owned());
        }
    }

    /// Somebody wants to hear, and hears at once what is there.
    pub(crate) fn enter(&self, outlet: &Arc<Outlet>) {
        let mut state = self.state();
        let mut tables: Vec<Listed> = state.tables.values().map(|(_, listed)| listed.clone()).collect();
        tables.sort_unstable_by(|a, b| (b.made, &b.table).cmp(&(a.made, &a.table)));
        tables.truncate(SHOWN);
        outlet.send(text(&Message::<()>::Lobby { tables }).into());
        if !state.heard_by.iter().any(|other| other.id == outlet.id) {
            state.heard_by.push(Arc::clone(outlet));
        }
    }

    /// Somebody has heard enough.
    pub(crate) fn leave(&self, outlet: SocketId) {
        self.state().heard_by.retain(|other| other.id != outlet);
    }

    /// Tells everybody here what has changed since the last time.
    pub(crate) fn tell(&self) {
        let mut state = self.state();
        if state.touched.is_empty() {
            return;
        }
        let (mut changed, mut gone) = (Vec::new(), Vec::new());
        for table in std::mem::take(&mut state.touched) {
            match state.tables.get(&table) {
                Some((_, listed)) => changed.push(listed.clone()),
                None => gone.push(table),
            }
        }
        let frame: axum::extract::ws::Utf8Bytes = text(&Message::<()>::LobbyChange { changed, gone }).into();
        state.heard_by.retain(|outlet| outlet.send(frame.clone()));
    }

    /// What other nodes should know; `anyway`, even if that is nothing new, so that who missed the last of it notices.
    pub(crate) fn news(&self, anyway: bool) -> Option<Note> {
        let mut state = self.state();
        if state.news.is_empty() && !anyway {
            return None;
        }
        let before = state.version;
        state.version += u64::from(!state.news.is_empty());
        let (mut changed, mut gone) = (Vec::new(), Vec::new());
        for table in std::mem::take(&mut state.news) {
            match state.tables.get(&table) {
                Some((of, listed)) if *of == self.own => changed.push(listed.clone()),
                Some(_) | None => gone.push(table),
            }
        }
        Some(Note::Lobby { from: self.own, before: Some(before), version: state.version, changed, gone })
    }

    /// All tables of this node, for who missed something. What is new is told to everybody as usual, and changes nothing for them.
    pub(crate) fn whole(&self) -> Note {
        let state = self.state();
        let own = state.tables.values().filter(|(of, _)| *of == self.own);
        let changed = own.map(|(_, listed)| listed.clone()).collect();
        Note::Lobby { from: self.own, before: None, version: state.version, changed, gone: Vec::new() }
    }

    /// News of another node; answers whether some were missed.
    pub(crate) fn hear(
        &self,
        from: NodeId,
        before: Option<u64>,
        version: u64,
        changed: Vec<Listed>,
        gone: Vec<TableId>,
    ) -> bool {
        let mut state = self.state();
        match before {
            Some(before) if state.versions.get(&from) != Some(&before) => return true,
            Some(_) => {
                for table in gone {
                    state.set(from, &table, None);
                }
            }
            None => {
                for table in state.of(from) {
                    if !changed.iter().any(|listed| listed.table == table) {
                        state.set(from, &table, None);
                    }
                }
            }
        }
        for listed in changed {
            state.set(from, &listed.table.clone(), Some(listed));
        }
        state.versions.insert(from, version);
        false
    }

    /// A node is gone, and with it its tables, until others have them.
    pub(crate) fn forget(&self, node: NodeId) {
        let mut state = self.state();
        state.versions.remove(&node);
        for table in state.of(node) {
            state.set(node, &table, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Phase;

    fn listed(table: &str, watching: u32) -> Listed {
        Listed {
            table: table.into(),
            game: "cubo".into(),
            variations: Vec::new(),
            host: "Ann".into(),
            seats: Vec::new(),
            open: 1,
            watching,
            phase: Phase::Gathering,
            rated: false,
            made: 1,
        }
    }

    fn pass(note: Option<Note>, to: &Lobby) -> bool {
        let Some(Note::Lobby { from, before, version, changed, gone }) = note else { return false };
        to.hear(from, before, version, changed, gone)
    }

    fn shown(lobby: &Lobby) -> Vec<(TableId, u32)> {
        let state = lobby.state();
        let mut all: Vec<_> = state.tables.values().map(|(_, at)| (at.table.clone(), at.watching)).collect();
        all.sort();
        all
    }

    #[test]
    fn nodes_know_each_others_tables_and_notice_what_they_missed() {
        let (one, two) = (Lobby::new(NodeId(1), false), Lobby::new(NodeId(2), false));
        assert!(pass(one.news(true), &two), "a stranger's news cannot be joined to anything");
        assert!(!pass(Some(one.whole()), &two));
        one.update("a", Some(listed("a", 1)));
        assert!(!pass(one.news(false), &two));
        one.update("b", Some(listed("b", 1)));
        drop(one.news(false)); // lost on the way
        assert!(pass(one.news(true), &two));
        assert!(!pass(Some(one.whole()), &two));
        assert_eq!(shown(&two), [("a".to_owned(), 1), ("b".to_owned(), 1)]);
        // The second takes a table over; what the first says of it afterwards is old.
        two.update("a", Some(listed("a", 5)));
        one.update("a", None);
        assert!(!pass(one.news(false), &two));
        assert_eq!(shown(&two), [("a".to_owned(), 5), ("b".to_owned(), 1)]);
        two.forget(NodeId(1));
        assert_eq!(shown(&two), [("a".to_owned(), 5)]);
    }
}
