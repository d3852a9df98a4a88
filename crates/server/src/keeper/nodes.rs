//! A table on its way between nodes: claimed, kept here or looked at where it is kept, handed over, and shut.

use super::presence::Watch;
use super::{Asked, Keeper, ToTable, refuse};
use crate::bus::{Note, Socket, letter};
use crate::clock::TableClock;
use crate::hall::Hall;
use crate::outlet::{Bye, Outlet, SocketId};
use crate::room::Room;
use crate::say;
use crate::store::{Claim, NodeId, PATIENCE, StoreFault};
use crate::window::{End, Window};
use protocol::TableId;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use table::Spoken;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// Somebody who wants to see the table without having asked for it by a command.
pub(super) enum Comer {
    /// A socket here.
    Here(Arc<Outlet>),
    /// The sockets of another node, and what they have heard.
    There(NodeId, Option<u64>, Vec<Socket>),
}

/// What goes along when a table changes hands: who speaks to it here, and what was not answered.
pub(crate) struct Luggage {
    pub(crate) heard: mpsc::Receiver<ToTable>,
    pub(crate) watching: Vec<Arc<Outlet>>,
    pub(crate) asked: VecDeque<Box<Asked>>,
    /// What those who watch have heard.
    pub(crate) seq: Option<u64>,
}

/// Why a table cannot be kept.
pub(super) enum NoTable {
    Unknown,
    Store(StoreFault),
    Damaged(String),
}

impl NoTable {
    pub(super) fn spoken(&self) -> Spoken {
        match self {
            NoTable::Unknown => say("no-such-table", "There is no such table. Ask for the link again."),
            NoTable::Store(fault) => say("store", sentence(fault)),
            NoTable::Damaged(_) => {
                say("damaged", "This table cannot be read any more. Tell the host to run the doctor.")
            }
        }
    }
}

/// As much of a table's name as a log may hold: the whole of it is the invitation.
pub(crate) fn short(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

/// Words for the person from an error's words.
pub(crate) fn sentence(fault: &impl ToString) -> String {
    let mut words = fault.to_string();
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words + "."
}

/// Runs a table, or looks at it where it is kept, until nobody is there any more.
pub(crate) async fn keep(
    hall: Arc<Hall>,
    id: TableId,
    heard: mpsc::Receiver<ToTable>,
    own: mpsc::WeakSender<ToTable>,
) {
    let mut luggage = Luggage { heard, watching: Vec::new(), asked: VecDeque::new(), seq: None };
    let (mut looked, mut found) = (0, Instant::now());
    loop {
        if hall.stopping() && hall.bus.alone() {
            // Who came at the last moment: nobody would tell this table to stop, and its clock must not start.
            return luggage.turn_away(&hall, &id, &own, &NoTable::Store(StoreFault::Closed)).await;
        }
        let (began, sure) = (Instant::now(), hall.silences());
        let held = claim(&hall, &id).await;
        let reached = held.is_ok();
        let end = match held {
            Ok(Held::Here(room, clock)) => {
                let mut keeper =
                    Keeper::new(Arc::clone(&hall), id.clone(), luggage, own.clone(), *room, clock);
                keeper.sure = sure;
                keeper.run().await
            }
            Ok(Held::There(node)) => {
                Window::new(Arc::clone(&hall), id.clone(), node, own.clone(), luggage).run().await
            }
            // Whoever came along with the table waits until it can be asked for again; who comes to it now, for a while.
            Err(NoTable::Store(fault))
                if !hall.stopping()
                    && (luggage.brings() || fault == StoreFault::Lost && found.elapsed() < PATIENCE) =>
            {
                End::Moved(luggage)
            }
            Err(why) => return luggage.turn_away(&hall, &id, &own, &why).await,
        };
        match end {
            End::Shut => return,
            End::Moved(back) => luggage = back,
        }
        if reached {
            found = Instant::now();
        }
        // Who looks in vain looks less often.
        looked = if began.elapsed() < Duration::from_secs(1) { looked + 1 } else { 0 };
        tokio::time::sleep(Duration::from_millis(20 * looked).min(Duration::from_millis(500))).await;
    }
}

impl Luggage {
    fn brings(&self) -> bool {
        !self.watching.is_empty() || !self.asked.is_empty()
    }

    async fn turn_away(mut self, hall: &Hall, id: &str, own: &mpsc::WeakSender<ToTable>, why: &NoTable) {
        if let NoTable::Damaged(what) = &why {
            tracing::error!(table = short(id), what, "a table cannot be read");
        }
        hall.forget(id, own);
        self.heard.close();
        for asked in self.asked {
            refuse(&asked.outlet, asked.command.id(), &why.spoken());
        }
        let bye = if hall.stopping() { Bye::Restart } else { Bye::Fell };
        for outlet in self.watching {
            outlet.close(bye);
        }
        while let Some(message) = self.heard.recv().await {
            turn_away(message, &why.spoken());
        }
    }
}

/// Shuts the door of a table that nobody is at any more. Whoever came in the meantime goes to its next owner.
pub(crate) async fn shut(
    hall: &Arc<Hall>,
    id: &str,
    own: &mpsc::WeakSender<ToTable>,
    mut heard: mpsc::Receiver<ToTable>,
) {
    hall.forget(id, own);
    heard.close();
    while let Some(message) = heard.recv().await {
        if let Err(message) = hall.pass(id, message) {
            turn_away(*message, &busy());
        }
    }
}

pub(super) fn busy() -> Spoken {
    say("busy", "The table is busy. Try again in a moment.")
}

pub(super) fn turn_away(message: ToTable, why: &Spoken) {
    match message {
        ToTable::Command(asked) => refuse(&asked.outlet, asked.command.id(), why),
        ToTable::Stop(done) => drop(done.send(())),
        _ => {}
    }
}

/// Where a table is kept.
pub(super) enum Held {
    Here(Box<Room>, TableClock),
    There(NodeId),
}

/// Takes the table, if it is free.
pub(super) async fn claim(hall: &Hall, id: &TableId) -> Result<Held, NoTable> {
    match hall.store.claim(id.clone(), hall.clock.now()).await.map_err(NoTable::Store)? {
        Claim::Unknown => Err(NoTable::Unknown),
        Claim::Theirs(node) => Ok(Held::There(node)),
        Claim::Mine(stored) => {
            let room = Room::load(id, &stored, hall.bounds()).map_err(NoTable::Damaged)?;
            Ok(Held::Here(Box::new(room), TableClock::at(stored.clock)))
        }
    }
}

impl Keeper {
    /// Another node has the table: everybody here goes on there.
    pub(super) fn hand_over(mut self, mut asked: VecDeque<Box<Asked>>) -> End {
        tracing::info!(table = short(&self.id), "another node keeps this table now");
        self.hall.lobby.update(&self.id, None);
        let (mut watching, mut nodes) = (Vec::new(), self.nodes());
        for comer in std::mem::take(&mut self.comers) {
            match comer {
                Comer::Here(outlet) => drop(self.hall.pass(&self.id, ToTable::Attach(outlet))),
                Comer::There(node, ..) => drop(nodes.insert(node)),
            }
        }
        for watcher in &mut self.presence.watchers {
            watcher.let_go = true;
            if watcher.outlet.id.node.is_none() {
                watching.push(Arc::clone(&watcher.outlet));
            }
        }
        self.send_elsewhere(&nodes);
        asked.append(&mut self.brought);
        // What came from other nodes they send there themselves.
        asked.extend(self.held.drain(..).filter(|asked| asked.outlet.id.node.is_none()));
        End::Moved(Luggage { heard: self.heard, watching, asked, seq: Some(self.history.told) })
    }

    /// The other nodes where somebody watches.
    pub(super) fn nodes(&self) -> BTreeSet<NodeId> {
        self.presence.outlets().filter_map(|outlet| outlet.id.node).collect()
    }

    pub(super) fn send_elsewhere(&self, nodes: &BTreeSet<NodeId>) {
        for node in nodes {
            self.hall.bus.send(*node, letter(&Note::Elsewhere { table: self.id.clone() }, []));
        }
    }

    /// Which sockets of another node watch. Those that we do not know come to it now; those that missed something hear it again.
    pub(super) fn watched_from(&mut self, node: NodeId, seq: Option<u64>, sockets: Vec<Socket>) {
        let watches = |number: u64| sockets.iter().any(|socket| socket.number == number);
        self.unwatch(|id| id.node == Some(node) && !watches(id.number));
        for socket in sockets {
            let id = SocketId { node: Some(node), number: socket.number };
            if seq.is_some() || !self.presence.watches(id) {
                let outlet = Outlet::there(node, socket, &self.id, &self.hall.bus);
                self.watch(&Arc::new(outlet), Watch::Asked(seq));
            }
        }
        self.tell_where_it_stands(node);
    }

    fn tell_where_it_stands(&self, node: NodeId) {
        let (table, from, seq) = (self.id.clone(), self.hall.node, self.history.told);
        self.hall.bus.send(node, letter(&Note::Stands { table, from, seq }, []));
    }

    pub(super) fn tell_nodes_where_it_stands(&self) {
        self.nodes().into_iter().for_each(|node| self.tell_where_it_stands(node));
    }
}
