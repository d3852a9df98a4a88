//! The way to one socket: a bounded queue of frames. Who does not read in time is closed and comes back; nobody waits for them.
//! A socket of another node is reached by letters, which that node's `window` takes to it.

use crate::bus::{Bus, Note, Socket, letter};
use crate::store::NodeId;
use axum::extract::ws::Utf8Bytes;
use protocol::TableId;
use protocol::http::Person;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use tokio::sync::{Notify, mpsc};

/// Why the server closes a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bye {
    /// The server stops or restarts.
    Restart = 1,
    /// The client read too slowly.
    Slow = 2,
    /// A limit was passed.
    Policy = 3,
    /// Something broke that a new connection mends.
    Fell = 4,
    /// Another protocol.
    Version = 5,
    /// Nothing was heard for a long time.
    Silent = 6,
}

impl Bye {
    const ALL: [Bye; 6] = [Bye::Restart, Bye::Slow, Bye::Policy, Bye::Fell, Bye::Version, Bye::Silent];

    /// The close code of the WebSocket, the name for programs, and the words.
    pub(crate) const fn words(self) -> (u16, &'static str, &'static str) {
        match self {
            Bye::Restart => {
                (1012, "restart", "The server restarts. Your tables are safe; come back in a moment.")
            }
            Bye::Slow => {
                (1013, "too-slow", "You were reading too slowly. Connect again and watch your tables.")
            }
            Bye::Policy => (1008, "limit", "Too much at once. Wait a little before you connect again."),
            Bye::Fell => (
                1011,
                "fell",
                "Something went wrong at a table. Connect again; nothing that was answered is lost.",
            ),
            Bye::Version => {
                (4001, "protocol", "This server speaks another protocol. Get a client of its version.")
            }
            Bye::Silent => (1001, "silent", "Nothing was heard from you for a long time."),
        }
    }
}

/// Which socket: of which node, if of another, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SocketId {
    pub(crate) node: Option<NodeId>,
    pub(crate) number: u64,
}

/// The way to one socket.
#[derive(Debug)]
pub(crate) struct Outlet {
    pub(crate) id: SocketId,
    /// Who is there.
    pub(crate) person: Person,
    /// The name the client gave itself.
    pub(crate) client: String,
    way: Way,
}

#[derive(Debug)]
enum Way {
    Here { frames: mpsc::Sender<Utf8Bytes>, bye: AtomicU8, closed: Notify },
    There { node: NodeId, table: TableId, bus: Arc<dyn Bus> },
}

static NEXT: AtomicU64 = AtomicU64::new(1);

impl Outlet {
    /// A way with room for so many frames, and its other end.
    pub(crate) fn new(person: Person, client: String, room: usize) -> (Outlet, mpsc::Receiver<Utf8Bytes>) {
        let (frames, heard) = mpsc::channel(room);
        let id = SocketId { node: None, number: NEXT.fetch_add(1, Ordering::Relaxed) };
        let way = Way::Here { frames, bye: AtomicU8::new(0), closed: Notify::new() };
        (Outlet { id, person, client, way }, heard)
    }

    /// The way from a table to a socket of another node.
    pub(crate) fn there(node: NodeId, socket: Socket, table: &str, bus: &Arc<dyn Bus>) -> Outlet {
        let Socket { number, person, client } = socket;
        let way = Way::There { node, table: table.to_owned(), bus: Arc::clone(bus) };
        Outlet { id: SocketId { node: Some(node), number }, person, client, way }
    }

    /// What another node needs to know of it.
    pub(crate) fn socket(&self) -> Socket {
        Socket { number: self.id.number, person: self.person.clone(), client: self.client.clone() }
    }

    /// Puts a frame in the queue; if that is full, the socket is closed. Answers whether it is still open.
    pub(crate) fn send(&self, frame: Utf8Bytes) -> bool {
        self.answer(None, frame)
    }

    /// Puts frames in the queue that are heard all or not at all: a letter that is lost takes none of them along.
    pub(crate) fn send_together(&self, frames: Vec<Utf8Bytes>) -> bool {
        match &self.way {
            Way::Here { .. } => frames.into_iter().all(|frame| self.send(frame)),
            Way::There { node, table, bus } => {
                let note = Note::Frame { table: table.clone(), socket: self.id.number, answers: None };
                bus.send(*node, letter(&note, frames.iter().map(Utf8Bytes::as_str)));
                true
            }
        }
    }

    /// Puts a frame in the queue as [`Outlet::send`] does; with a number, it answers that command.
    pub(crate) fn answer(&self, answers: Option<u64>, frame: Utf8Bytes) -> bool {
        match &self.way {
            Way::Here { frames, .. } => match frames.try_send(frame) {
                Ok(()) => true,
                Err(mpsc::error::TrySendError::Full(_)) => {
                    self.close(Bye::Slow);
                    false
                }
                Err(mpsc::error::TrySendError::Closed(_)) => false,
            },
            Way::There { node, table, bus } => {
                let note = Note::Frame { table: table.clone(), socket: self.id.number, answers };
                bus.send(*node, letter(&note, [frame.as_str()]));
                true
            }
        }
    }

    /// Closes the socket; the first reason counts. One of another node is told to look for its table again.
    pub(crate) fn close(&self, reason: Bye) {
        match &self.way {
            Way::Here { bye, closed, .. } => {
                if bye.compare_exchange(0, reason as u8, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                    closed.notify_one();
                }
            }
            Way::There { node, table, bus } => {
                bus.send(*node, letter(&Note::Elsewhere { table: table.clone() }, []));
            }
        }
    }

    /// Whether it is being closed.
    pub(crate) fn closing(&self) -> Option<Bye> {
        let Way::Here { bye, .. } = &self.way else { return None };
        let bye = bye.load(Ordering::Acquire);
        Bye::ALL.into_iter().find(|one| *one as u8 == bye)
    }

    /// Whether nobody will ever hear it again.
    pub(crate) fn gone(&self) -> bool {
        matches!(&self.way, Way::Here { frames, .. } if frames.is_closed())
    }

    /// Waits until it is to be closed.
    pub(crate) async fn closed(&self) -> Bye {
        loop {
            if let Some(bye) = self.closing() {
                return bye;
            }
            match &self.way {
                Way::Here { closed, .. } => closed.notified().await,
                Way::There { .. } => std::future::pending().await,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_closes_the_socket_and_the_first_reason_counts() {
        let person = Person { id: "ann".into(), name: "Ann".into() };
        let (outlet, mut heard) = Outlet::new(person, "tab".into(), 2);
        assert!(outlet.send("1".into()) && outlet.send("2".into()));
        assert_eq!(outlet.closing(), None);
        assert!(!outlet.send("3".into()));
        outlet.close(Bye::Restart);
        assert_eq!(outlet.closing(), Some(Bye::Slow));
        assert_eq!(heard.try_recv().unwrap(), "1");
        drop(heard);
        assert!(!outlet.send("4".into()));
    }
}
