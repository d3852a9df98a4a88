//! The way to one socket: a bounded queue of frames. Who does not read in time is closed and comes back; nobody waits for them.

use axum::extract::ws::Utf8Bytes;
use protocol::http::Person;
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

/// The way to one socket.
#[derive(Debug)]
pub(crate) struct Outlet {
    /// Its number in this run of the server.
    pub(crate) id: u64,
    /// Who is there.
    pub(crate) person: Person,
    /// The name the client gave itself.
    pub(crate) client: String,
    frames: mpsc::Sender<Utf8Bytes>,
    bye: AtomicU8,
    closed: Notify,
}

static NEXT: AtomicU64 = AtomicU64::new(1);

impl Outlet {
    /// A way with room for so many frames, and its other end.
    pub(crate) fn new(person: Person, client: String, room: usize) -> (Outlet, mpsc::Receiver<Utf8Bytes>) {
        let (frames, heard) = mpsc::channel(room);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        (Outlet { id, person, client, frames, bye: AtomicU8::new(0), closed: Notify::new() }, heard)
    }

    /// Puts a frame in the queue; if that is full, the socket is closed. Answers whether it is still open.
    pub(crate) fn send(&self, frame: Utf8Bytes) -> bool {
        match self.frames.try_send(frame) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Full(_)) => {
                self.close(Bye::Slow);
                false
            }
            Err(mpsc::error::TrySendError::Closed(_)) => false,
        }
    }

    /// Closes the socket; the first reason counts.
    pub(crate) fn close(&self, bye: Bye) {
        if self.bye.compare_exchange(0, bye as u8, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            self.closed.notify_one();
        }
    }

    /// Whether it is being closed.
    pub(crate) fn closing(&self) -> Option<Bye> {
        let bye = self.bye.load(Ordering::Acquire);
        Bye::ALL.into_iter().find(|one| *one as u8 == bye)
    }

    /// Waits until it is to be closed.
    pub(crate) async fn closed(&self) -> Bye {
        loop {
            if let Some(bye) = self.closing() {
                return bye;
            }
            self.closed.notified().await;
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
