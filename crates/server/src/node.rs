//! A node without its doors: the tables of a house, on a store, a bus and sockets that are handed in. [`Server`](crate::Server) puts
//! HTTP in front of one; the simulator brings everything around it itself.

use crate::bus::{Bus, Post};
use crate::clock::Clock;
use crate::hall::Hall;
use crate::room::{Bounds, Room};
use crate::socket::{self, Socket};
use crate::store::{Store, Stored};
use crate::{Limits, lock};
use axum::extract::ws::Message as Frame;
use futures_util::{Sink, Stream};
use protocol::http::Person;
use protocol::{Phase, Place};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use table::Time;
use tokio::sync::mpsc::{self, Receiver, UnboundedReceiver, UnboundedSender};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// How long a stop may take before open connections are cut.
const FAREWELL: Duration = Duration::from_secs(5);

/// One node of a house.
pub struct Node {
    pub(crate) hall: Arc<Hall>,
    stop: watch::Sender<bool>,
    chores: Mutex<Vec<JoinHandle<()>>>,
}

impl Node {
    /// A node that does nothing yet by itself.
    pub fn new(store: Arc<dyn Store>, bus: Arc<dyn Bus>, limits: Limits) -> Node {
        let clock = store.wall().map_or_else(|| Clock::start(store.last_alive() + 1), Clock::at);
        let hall = Hall::new(store, bus, clock, limits);
        Node { hall, stop: watch::Sender::new(false), chores: Mutex::default() }
    }

    /// Begins with what it does by itself: signs of life, and, where a house has many nodes, reading what comes from the others.
    pub fn start(&self, post: Option<Receiver<Post>>) {
        let mut chores = lock(&self.chores);
        chores.push(tokio::spawn(Arc::clone(&self.hall).pulse()));
        if let Some(post) = post {
            chores.push(tokio::spawn(Arc::clone(&self.hall).look_around()));
            chores.push(tokio::spawn(Arc::clone(&self.hall).correspond(post)));
        }
    }

    /// Something else that it does by itself until it stops.
    pub(crate) fn chore(&self, work: impl Future<Output = ()> + Send + 'static) {
        lock(&self.chores).push(tokio::spawn(work));
    }

    /// Becomes true when sockets are to be closed.
    pub(crate) fn stopping(&self) -> watch::Receiver<bool> {
        self.stop.subscribe()
    }

    /// Stops: tells the sockets, stops the clocks, and puts everything on disk.
    pub async fn stop(&self) {
        self.hall.leave();
        self.stop.send_replace(true);
        let (began, metrics, alone) = (Instant::now(), &self.hall.metrics, self.hall.bus.alone());
        if alone {
            // Clients that were just sent away must not lose time while we wait for the last to go.
            self.hall.stop().await;
        }
        while metrics.sockets.get() + metrics.connections.get() > 0 && began.elapsed() < FAREWELL {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        if !alone {
            // Until then the tables are played on from other nodes.
            self.hall.stop().await;
        }
        self.end_chores();
        self.hall.bus.flush().await;
    }

    fn end_chores(&self) {
        lock(&self.chores).drain(..).for_each(|chore| chore.abort());
    }

    /// Opens a socket in memory for a person, or for somebody who only watches.
    pub fn connect(&self, person: Option<Person>) -> (UnboundedSender<String>, UnboundedReceiver<Heard>) {
        let (said, incoming) = mpsc::unbounded_channel();
        let (outgoing, heard) = mpsc::unbounded_channel();
        let (hall, pipe) = (Arc::clone(&self.hall), Pipe { incoming, outgoing });
        tokio::spawn(socket::serve(hall, pipe, person, self.stopping()));
        (said, heard)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.end_chores();
    }
}

/// What a client hears on a socket in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A message.
    Text(String),
    /// The server closes the socket, by this code.
    Close(u16),
}

/// The server's end of a socket in memory.
struct Pipe {
    incoming: UnboundedReceiver<String>,
    outgoing: UnboundedSender<Heard>,
}

impl Socket for Pipe {
    type Fault = Infallible;
}

impl Stream for Pipe {
    type Item = Result<Frame, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let text = ready!(self.incoming.poll_recv(context));
        Poll::Ready(text.map(|text| Ok(Frame::Text(text.into()))))
    }
}

impl Sink<Frame> for Pipe {
    type Error = Infallible;

    fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn start_send(self: Pin<&mut Self>, frame: Frame) -> Result<(), Infallible> {
        let heard = match frame {
            Frame::Text(text) => Heard::Text(text.to_string()),
            Frame::Close(Some(close)) => Heard::Close(close.code),
            _ => return Ok(()),
        };
        let _ = self.outgoing.send(heard); // a client that has gone hears nothing
        Ok(())
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }
}

/// A table as its rows tell it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// How far it has come.
    pub phase: Phase,
    /// Who sits there.
    pub seats: Vec<Place>,
    /// The table's clock at the last event of the game.
    pub time: Time,
}

impl Snapshot {
    /// Reads a table's rows as a node does that takes the table over.
    pub fn of(id: &str, stored: &Stored) -> Result<Snapshot, String> {
        let room = Room::load(id, stored, Bounds::NONE)?;
        let time = room.game.as_ref().map_or(Time::START, |game| game.table().now());
        Ok(Snapshot { phase: room.phase, seats: room.places, time })
    }
}
