//! One client's WebSocket: commands in, messages out, and never more of either than is good for the others.

use crate::hall::Hall;
use crate::keeper::{Asked, ToTable, refuse};
use crate::outlet::{Bye, Outlet};
use crate::rates::{Bucket, Rate};
use crate::room::text;
use crate::{id, say};
use axum::extract::ws::{CloseFrame, Message as Frame, Utf8Bytes, WebSocket};
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use protocol::http::Person;
use protocol::{Command, Message, PROTOCOL, RawCommand, TableId};
use serde::Deserialize;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use table::Spoken;
use tokio::sync::mpsc::Receiver;
use tokio::time::Instant;

/// How often the server makes sure that somebody is still there.
const PING: Duration = Duration::from_secs(25);
/// After so much silence nobody is.
const SILENCE: Duration = Duration::from_secs(80);
/// How long a client may take to say hello, and a closing socket to close.
const MANNERS: Duration = Duration::from_secs(10);
/// So many refused commands above the rate, and the socket is closed.
const STRIKES: u32 = 200;

/// The highest number a command may have: what every language of the web counts exactly, and every store keeps.
const HIGHEST: u64 = (1 << 53) - 1;

/// What frames come and go by: a WebSocket, or a pipe in memory.
pub(crate) trait Socket:
    Stream<Item = Result<Frame, Self::Fault>> + Sink<Frame, Error = Self::Fault> + Unpin
{
    /// How it breaks.
    type Fault;
}

impl Socket for WebSocket {
    type Fault = axum::Error;
}

/// Serves a socket until it closes. Nobody's is for looking only.
pub(crate) async fn serve<S: Socket>(
    hall: Arc<Hall>,
    mut socket: S,
    person: Option<Person>,
    stop: tokio::sync::watch::Receiver<bool>,
) {
    hall.metrics.sockets.add(1);
    match tokio::time::timeout(MANNERS, hello(&mut socket)).await {
        Ok(Ok(client)) => {
            let looks = person.is_none();
            let (outlet, frames) = Outlet::new(person.unwrap_or_else(stranger), client, hall.limits.queue);
            let mut talk = Talk::new(Arc::clone(&hall), Arc::new(outlet), looks);
            if !looks {
                hall.guests.enter(&talk.outlet);
            }
            let bye = talk.run(&mut socket, frames, stop).await;
            hall.guests.leave(&talk.outlet);
            talk.leave();
            close(&hall, &mut socket, bye).await;
        }
        Ok(Err(bye)) => close(&hall, &mut socket, bye).await,
        Err(_) => close(&hall, &mut socket, Some(Bye::Policy)).await,
    }
    hall.metrics.sockets.add(-1);
}

/// Somebody without a name: one more who watches, and nobody's seat is his.
fn stranger() -> Person {
    Person { id: id::fresh(), name: String::new() }
}

/// The first word; answers the client's name for itself.
async fn hello(socket: &mut impl Socket) -> Result<String, Option<Bye>> {
    loop {
        let text = match socket.next().await {
            Some(Ok(Frame::Text(text))) => text,
            Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => continue,
            Some(Ok(Frame::Binary(_))) => return Err(Some(Bye::Policy)),
            Some(Ok(Frame::Close(_)) | Err(_)) | None => return Err(None),
        };
        return match RawCommand::read(&text) {
            Ok(Command::Hello { protocol, client }) if protocol == PROTOCOL && good_client(&client) => {
                Ok(client)
            }
            Ok(Command::Hello { protocol, .. }) if protocol != PROTOCOL => Err(Some(Bye::Version)),
            _ => Err(Some(Bye::Policy)),
        };
    }
}

fn good_client(name: &str) -> bool {
    (1..=40).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

async fn close(hall: &Hall, socket: &mut impl Socket, bye: Option<Bye>) {
    let Some(bye) = bye else { return };
    let (code, name, says) = bye.words();
    if bye == Bye::Slow {
        hall.metrics.slow.one();
    }
    tracing::debug!(code, name, "a socket is closed");
    let last = Message::<()>::Bye { code: name.to_owned(), says: says.to_owned() };
    let farewell = async {
        // Who reads too slowly would not read this either.
        if bye != Bye::Slow {
            drop(socket.send(Frame::Text(self::text(&last).into())).await);
        }
        drop(socket.send(Frame::Close(Some(CloseFrame { code, reason: name.into() }))).await);
        while let Some(Ok(_)) = socket.next().await {}
    };
    drop(tokio::time::timeout(if bye == Bye::Slow { MANNERS / 10 } else { MANNERS / 5 }, farewell).await);
}

/// A client that has said hello.
struct Talk {
    hall: Arc<Hall>,
    outlet: Arc<Outlet>,
    /// Whether the client has no name, and only looks.
    looks: bool,
    watched: HashSet<TableId>,
    bucket: Bucket,
    rate: Rate,
    strikes: u32,
    heard: Instant,
}

impl Talk {
    fn new(hall: Arc<Hall>, outlet: Arc<Outlet>, looks: bool) -> Talk {
        let (burst, commands) = (hall.limits.burst.max(1), hall.limits.commands.max(1));
        let rate = Rate { most: burst, per: Duration::from_secs_f64(f64::from(burst) / f64::from(commands)) };
        let now = Instant::now();
        Talk {
            hall,
            outlet,
            looks,
            watched: HashSet::new(),
            bucket: Bucket::full(rate, now),
            rate,
            strikes: 0,
            heard: now,
        }
    }

    /// Until one side has had enough; answers the server's reason, if it was the server.
    async fn run(
        &mut self,
        socket: &mut impl Socket,
        mut frames: Receiver<Utf8Bytes>,
        mut stop: tokio::sync::watch::Receiver<bool>,
    ) -> Option<Bye> {
        let (you, now) = ((!self.looks).then(|| self.outlet.person.clone()), self.hall.clock.now());
        self.outlet.send(text(&Message::<()>::Welcome { protocol: PROTOCOL, you, now }).into());
        let mut ping = tokio::time::interval(PING);
        let mut out = Vec::with_capacity(16);
        let outlet = Arc::clone(&self.outlet);
        loop {
            tokio::select! {
                biased;
                bye = outlet.closed() => return Some(bye),
                () = stopped(&mut stop) => outlet.close(Bye::Restart),
                _ = frames.recv_many(&mut out, 64) => {
                    if let Err(bye) = unless_closed(&outlet, &mut stop, send_all(socket, &mut out)).await {
                        return bye;
                    }
                }
                frame = socket.next() => match frame {
                    Some(Ok(frame)) => {
                        self.heard = Instant::now();
                        if !self.frame(frame).await {
                            return None;
                        }
                    }
                    // Too long, or no WebSocket at all: the protocol below has answered what there is to answer.
                    Some(Err(_)) | None => return None,
                },
                _ = ping.tick() => {
                    if self.heard.elapsed() > SILENCE {
                        return Some(Bye::Silent);
                    }
                    let ping = socket.send(Frame::Ping(bytes::Bytes::new()));
                    if let Err(bye) = unless_closed(&outlet, &mut stop, ping).await {
                        return bye;
                    }
                }
            }
        }
    }

    /// Answers whether the talk goes on.
    async fn frame(&mut self, frame: Frame) -> bool {
        match frame {
            Frame::Text(text) => self.words(&text).await,
            Frame::Binary(_) => {
                refuse(&self.outlet, None, &say("bad-command", "Send text, one JSON object a frame."));
            }
            Frame::Close(_) => return false,
            Frame::Ping(_) | Frame::Pong(_) => {}
        }
        true
    }

    async fn words(&mut self, text: &str) {
        self.hall.metrics.commands.one();
        if !self.bucket.take(self.rate, self.heard) {
            self.hall.metrics.limited.one();
            self.strikes += 1;
            if self.strikes > STRIKES {
                self.outlet.close(Bye::Policy);
            }
            let id = serde_json::from_str::<JustId>(text).ok().and_then(|just| just.id);
            return refuse(
                &self.outlet,
                id,
                &say("slow-down", "You are sending too much at once. Wait a second."),
            );
        }
        match RawCommand::read(text) {
            Ok(command) => self.command(command).await,
            Err(fault) => {
                let id = serde_json::from_str::<JustId>(text).ok().and_then(|just| just.id);
                let why = say("bad-command", format!("This is no command: {fault}. See docs/protocol.md."));
                refuse(&self.outlet, id, &why);
            }
        }
    }

    async fn command(&mut self, command: RawCommand) {
        if let Err(why) = countable(&command) {
            return refuse(&self.outlet, command.id(), &why);
        }
        // To leave a table is always allowed.
        if command.needs_name()
            && !matches!(command, Command::Leave { .. })
            && let Err(why) = self.hall.guests.may_play(&self.outlet.person.id)
        {
            return refuse(&self.outlet, command.id(), &why);
        }
        match command {
            Command::Ping { at } => {
                let now = self.hall.clock.now();
                self.outlet.send(text(&Message::<()>::Pong { at, now }).into());
            }
            Command::Hello { .. } => {
                refuse(&self.outlet, None, &say("said-hello", "You have said hello already."));
            }
            Command::Lobby { id, on } => {
                self.done(id);
                if on {
                    self.hall.lobby.enter(&self.outlet);
                } else {
                    self.hall.lobby.leave(self.outlet.id);
                }
            }
            Command::Create { id, .. } => match self.create(&command).await {
                Ok(table) => {
                    let done = Message::<()>::Done { id, table: Some(table.clone()), seq: Some(0) };
                    self.outlet.send(text(&done).into());
                    self.watched.insert(table.clone());
                    drop(self.hall.pass(&table, ToTable::Attach(Arc::clone(&self.outlet))));
                }
                Err(why) => refuse(&self.outlet, Some(id), &why),
            },
            command => self.pass_on(command),
        }
    }

    async fn create(&self, command: &RawCommand) -> Result<TableId, Spoken> {
        if self.looks {
            return Err(nameless());
        }
        self.hall.may_join(&self.outlet.person.id)?;
        self.watch_one_more("")?;
        self.hall.create(&self.outlet, command).await
    }

    fn done(&self, id: u64) {
        self.outlet.send(text(&Message::<()>::Done { id, table: None, seq: None }).into());
    }

    fn pass_on(&mut self, command: RawCommand) {
        if let Err(why) = self.try_pass_on(command) {
            let (id, why) = *why;
            refuse(&self.outlet, id, &why);
        }
    }

    fn try_pass_on(&mut self, command: RawCommand) -> Result<(), Box<(Option<u64>, Spoken)>> {
        let number = command.id();
        let refused = |why| Box::new((number, why));
        let Some(table) = command.table().map(str::to_owned) else { return Ok(()) };
        if self.looks && command.needs_name() {
            return Err(refused(nameless()));
        }
        if !id::plausible(&table) {
            return Err(refused(say("no-such-table", "There is no such table. Ask for the link again.")));
        }
        match &command {
            Command::Watch { .. } => self.watch_one_more(&table).map_err(refused)?,
            Command::Join { .. } => {
                self.hall.may_join(&self.outlet.person.id).map_err(refused)?;
                self.watch_one_more(&table).map_err(refused)?;
            }
            Command::Unwatch { .. } => drop(self.watched.remove(&table)),
            _ => {}
        }
        if matches!(command, Command::Watch { .. } | Command::Join { .. }) {
            self.watched.insert(table.clone());
        }
        let (outlet, heard) = (Arc::clone(&self.outlet), self.heard);
        let message = ToTable::Command(Box::new(Asked { outlet, command, heard }));
        self.hall
            .pass(&table, message)
            .map_err(|_| refused(say("busy", "The table is busy. Send that again in a moment.")))
    }

    fn watch_one_more(&self, table: &str) -> Result<(), Spoken> {
        if self.watched.len() < self.hall.limits.watched || self.watched.contains(table) {
            return Ok(());
        }
        Err(say("enough-watched", "You watch as many tables as one connection may. Use another."))
    }

    fn leave(&self) {
        self.hall.lobby.leave(self.outlet.id);
        for table in &self.watched {
            self.hall.gone(table, self.outlet.id);
        }
    }
}

/// Whether the command's number is one that can be kept.
fn countable(command: &RawCommand) -> Result<(), Spoken> {
    match command.id() {
        Some(id) if id > HIGHEST => {
            Err(say("bad-command", format!("The id of a command is at most {HIGHEST}. Count from 1.")))
        }
        _ => Ok(()),
    }
}

fn nameless() -> Spoken {
    say("who-are-you", "Say your name first: POST /api/me, then open /ws.")
}

async fn stopped(stop: &mut tokio::sync::watch::Receiver<bool>) {
    drop(stop.wait_for(|stop| *stop).await); // a sender that is gone has stopped too
}

/// The number of a command that could not be read otherwise.
#[derive(Deserialize)]
struct JustId {
    id: Option<u64>,
}

/// Sends, but not for longer than the socket is to be open: who does not read must neither hold a queue nor the end of the house.
/// Where it ends here, says with which words.
async fn unless_closed<E>(
    outlet: &Outlet,
    stop: &mut tokio::sync::watch::Receiver<bool>,
    sending: impl Future<Output = Result<(), E>>,
) -> Result<(), Option<Bye>> {
    tokio::select! {
        biased;
        bye = outlet.closed() => Err(Some(bye)),
        () = stopped(stop) => Err(Some(Bye::Restart)),
        sent = sending => sent.map_err(|_| None),
    }
}

async fn send_all<S: Socket>(socket: &mut S, out: &mut Vec<Utf8Bytes>) -> Result<(), S::Fault> {
    for frame in out.drain(..) {
        socket.feed(Frame::Text(frame)).await?;
    }
    socket.flush().await
}
