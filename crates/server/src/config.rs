//! What the host decides: where to listen, where to keep things, and how much of anything is enough.

use crate::rates::Rate;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// How a server is to run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where to keep everything.
    pub data: PathBuf,
    /// A database to keep everything in instead: `postgres://user@host/name`.
    pub database: Option<String>,
    /// Share the house in that database with other nodes, over this NATS: `nats://host:4222`.
    pub nats: Option<String>,
    /// Believe `X-Forwarded-For` and `X-Forwarded-Proto` of the proxy in front.
    pub trust_proxy: bool,
    /// Pages of other origins that may open sockets, besides the server's own: `https://games.example`.
    pub origins: Vec<String>,
    /// Show `/metrics` to every address, not only to this machine.
    pub open_metrics: bool,
    /// How much of anything is enough.
    pub limits: Limits,
}

impl Config {
    /// A server on this address with its data in this folder, and everything else as usual.
    pub fn new(listen: SocketAddr, data: impl Into<PathBuf>) -> Config {
        Config {
            listen,
            data: data.into(),
            database: None,
            nats: None,
            trust_proxy: false,
            origins: Vec::new(),
            open_metrics: false,
            limits: Limits::default(),
        }
    }
}

/// How much of anything is enough.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a frame or a request's body.
    pub message: usize,
    /// Messages waiting for one socket before it is closed as too slow.
    pub queue: usize,
    /// Commands a second from one socket, in the long run.
    pub commands: u32,
    /// Commands at once after a rest.
    pub burst: u32,
    /// Sockets and other connections of one address.
    pub connections: u32,
    /// Tables one socket may watch.
    pub watched: usize,
    /// Tables of one guest that have not started.
    pub tables: u32,
    /// Tables one guest may make or join in a minute.
    pub joins: u32,
    /// Guests that one address may make in an hour.
    pub guests: u32,
    /// Tries at a passphrase from one address in an hour.
    pub phrases: u32,
    /// HTTP requests of one address in a minute.
    pub requests: u32,
    /// Coach and solver questions being worked on at once.
    pub thinkers: usize,
    /// Coach and solver questions waiting.
    pub questions: usize,
    /// How long a request's head may take to come.
    pub patience: Duration,
    /// How long a table nobody is at stays awake.
    pub linger: Duration,
    /// The same, while the clock of its game is running.
    pub linger_playing: Duration,
    /// Seats of one table.
    pub seats: usize,
    /// Seats of one guest at one table.
    pub own_seats: usize,
}

impl Limits {
    /// How often one person or address may do something.
    pub(crate) fn rate(&self, what: &str) -> Option<Rate> {
        let (most, seconds) = match what {
            "join" => (self.joins, 60),
            "request" => (self.requests, 60),
            "guest" => (self.guests, 3_600),
            "phrase" => (self.phrases, 3_600),
            _ => return None,
        };
        Some(Rate { most, per: Duration::from_secs(seconds) })
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            message: 64 * 1024,
            queue: 256,
            commands: 30,
            burst: 200,
            connections: 100,
            watched: 32,
            tables: 20,
            joins: 60,
            guests: 30,
            phrases: 20,
            requests: 600,
            thinkers: 1,
            questions: 16,
            patience: Duration::from_secs(10),
            linger: Duration::from_secs(60),
            linger_playing: Duration::from_secs(600),
            seats: 20_000,
            own_seats: 16,
        }
    }
}
