//! What the host decides: where to listen, where to keep things, and how much of anything is enough.

use crate::rates::Rate;
use crate::say;
use crate::site::{BasePath, PublicUrl};
use crate::tls::Tls;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;
use table::Spoken;

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
    /// The folder of its server that the house is in.
    pub base: BasePath,
    /// The address that others call the house by, but for its folder. Pages from there may open sockets.
    pub public: Option<PublicUrl>,
    /// Speak https, and how that is proven.
    pub tls: Option<Tls>,
    /// What this node is called where it speaks of itself.
    pub node_name: String,
    /// Write a line in the log for every request.
    pub access_log: bool,
    /// Where that port is taken, one of the next twenty will do.
    pub any_port: bool,
    /// Where to show `/metrics`, and nothing else. Where players come in they are shown to nobody.
    pub metrics: Option<SocketAddr>,
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
            base: BasePath::root(),
            public: None,
            tls: None,
            node_name: "parlor".to_owned(),
            access_log: false,
            any_port: false,
            metrics: None,
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
    /// Bots at one table.
    pub bots: usize,
}

/// A limit that a host may set: its name, what it may be, and where it goes.
type Knob = (&'static str, RangeInclusive<u64>, fn(&mut Limits, u64));

/// A million of anything is as good as no limit.
const MANY: u64 = 1_000_000;
const DAY: u64 = 24 * 60 * 60;

/// All of them, as docs/hosting.md names them. Times are in seconds.
const KNOBS: [Knob; 19] = [
    ("message", 4_096..=16 * 1024 * 1024, |limits, to| limits.message = to as usize),
    ("queue", 16..=65_536, |limits, to| limits.queue = to as usize),
    ("commands", 1..=MANY, |limits, to| limits.commands = to as u32),
    ("burst", 1..=MANY, |limits, to| limits.burst = to as u32),
    ("connections", 1..=MANY, |limits, to| limits.connections = to as u32),
    ("watched", 1..=10_000, |limits, to| limits.watched = to as usize),
    ("tables", 1..=MANY, |limits, to| limits.tables = to as u32),
    ("joins", 1..=MANY, |limits, to| limits.joins = to as u32),
    ("guests", 1..=MANY, |limits, to| limits.guests = to as u32),
    ("phrases", 1..=MANY, |limits, to| limits.phrases = to as u32),
    ("requests", 1..=MANY, |limits, to| limits.requests = to as u32),
    ("thinkers", 1..=256, |limits, to| limits.thinkers = to as usize),
    ("questions", 0..=10_000, |limits, to| limits.questions = to as usize),
    ("patience", 1..=600, |limits, to| limits.patience = Duration::from_secs(to)),
    ("linger", 1..=DAY, |limits, to| limits.linger = Duration::from_secs(to)),
    ("linger-playing", 1..=DAY, |limits, to| limits.linger_playing = Duration::from_secs(to)),
    ("seats", 1..=65_535, |limits, to| limits.seats = to as usize),
    ("own-seats", 1..=65_535, |limits, to| limits.own_seats = to as usize),
    ("bots", 0..=1_000, |limits, to| limits.bots = to as usize),
];

impl Limits {
    /// Sets a limit as a host writes it: `bots=32`.
    ///
    /// ```
    /// let mut limits = server::Limits::default();
    /// limits.set("bots=32")?;
    /// assert_eq!(limits.bots, 32);
    /// # Ok::<(), table::Spoken>(())
    /// ```
    pub fn set(&mut self, wish: &str) -> Result<(), Spoken> {
        let wrong = |says: String| say("bad-limit", says);
        let (name, number) = wish.split_once('=').ok_or_else(|| {
            wrong(format!("{wish:?} is no limit: write a name and a number, as in bots=32"))
        })?;
        let Some((_, range, put)) = KNOBS.iter().find(|(known, ..)| *known == name) else {
            let known: Vec<&str> = KNOBS.iter().map(|(known, ..)| *known).collect();
            return Err(wrong(format!("there is no limit {name:?}; there are {}", known.join(", "))));
        };
        let to = number.parse().ok().filter(|to| range.contains(to));
        let to = to.ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            wrong(format!("{name}={number}: say a whole number from {least} to {most}"))
        })?;
        put(self, to);
        Ok(())
    }

    /// How often one person or address may do something.
    pub(crate) fn rate(&self, what: &str) -> Option<Rate> {
        let (most, seconds) = match what {
            "join" => (self.joins, 60),
            "request" => (self.requests, 60),
            "guest" => (self.guests, 3_600),
            // Guesses at what brings somebody in: a passphrase, or the key of an administrator.
            "phrase" | "key" => (self.phrases, 3_600),
            _ => return None,
        };
        Some(Rate { most, per: Duration::from_secs(seconds) })
    }
}

impl Limits {
    /// All of them by name, as they are in force; times in seconds.
    pub(crate) fn in_force(&self) -> [(&'static str, u64); KNOBS.len()] {
        let Limits { message, queue, commands, burst, connections, watched, tables, joins, guests, .. } =
            *self;
        let Limits { phrases, requests, thinkers, questions, patience, linger, linger_playing, .. } = *self;
        let Limits { seats, own_seats, bots, .. } = *self;
        let values = [
            message as u64,
            queue as u64,
            commands.into(),
            burst.into(),
            connections.into(),
            watched as u64,
            tables.into(),
            joins.into(),
            guests.into(),
            phrases.into(),
            requests.into(),
            thinkers as u64,
            questions as u64,
            patience.as_secs(),
            linger.as_secs(),
            linger_playing.as_secs(),
            seats as u64,
            own_seats as u64,
            bots as u64,
        ];
        std::array::from_fn(|at| (KNOBS[at].0, values[at]))
    }

    /// For a school or a club: many people behind one address, who know each other.
    pub fn club() -> Limits {
        Limits { connections: 2_000, guests: 2_000, phrases: 200, requests: 20_000, ..Limits::default() }
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
            bots: 16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_is_set_by_its_name_and_stands_in_the_docs() {
        let docs = include_str!("../../../docs/hosting.md");
        for (name, range, _) in KNOBS {
            let mut limits = Limits::default();
            limits.set(&format!("{name}={}", range.end())).unwrap();
            assert_ne!(format!("{limits:?}"), format!("{:?}", Limits::default()), "{name}");
            assert!(limits.in_force().contains(&(name, *range.end())), "{name}");
            assert!(docs.contains(&format!("`{name}`")), "{name} is not in docs/hosting.md");
        }
    }

    #[test]
    fn a_limit_that_is_none_says_what_there_is() {
        let said = |wish: &str| Limits::default().set(wish).unwrap_err().says;
        assert!(said("bots").contains("bots=32"));
        let unknown = said("robots=3");
        assert!(unknown.contains("bots") && unknown.contains("linger-playing"), "{unknown}");
        for wish in ["bots=", "bots=-1", "bots=1001", "bots=many", "seats=0", "queue=99999999999999999999"] {
            assert!(said(wish).contains("whole number from"), "{wish}");
        }
    }
}
