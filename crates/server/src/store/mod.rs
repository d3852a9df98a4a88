//! Where a house keeps its tables, people and records. One trait; SQL stays behind it.
//!
//! A table's life is a list of rows, oldest first: what happened in the room ([`Kind::Life`]) and the lines of the game's
//! record ([`Kind::Line`]). Rows are only ever added. A write is answered when it is on disk.

pub(crate) mod files;
mod meter;
#[cfg(feature = "cluster")]
pub mod moving;
pub mod office;
#[cfg(feature = "cluster")]
pub mod postgres;
mod schema;
pub mod sqlite;

use protocol::http::{Best, Finished, FinishedPage, Leader, MyTable, Person, Rated};
use protocol::{PersonId, TableId};
use serde::{Deserialize, Serialize};
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;
use table::{Seed, Time};
use thiserror::Error;

/// How long whoever writes, or asks for a table, waits for a database that is away, before it is refused.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// An answer that comes when the store has it.
pub type Later<T> = Pin<Box<dyn Future<Output = Result<T, StoreFault>> + Send>>;

/// Why something could not be kept or found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StoreFault {
    /// No room.
    #[error("the disk is full: nothing was changed, and play goes on when there is room again")]
    Full,
    /// Not allowed to write.
    #[error("the disk cannot be written to: nothing was changed, and play goes on when it can be again")]
    ReadOnly,
    /// The server is stopping.
    #[error("the server is stopping; come back in a moment")]
    Closed,
    /// Made by a later Parlor.
    #[error(
        "this house was kept by a later Parlor (its store has version {found}, this program knows {known}); use that one"
    )]
    Newer {
        /// The version in the store.
        found: i64,
        /// The latest this program knows.
        known: i64,
    },
    /// Another server has the folder, or the database.
    #[error("another server is using {0}; stop it first, or keep this house elsewhere (--data, --database)")]
    InUse(String),
    /// What is remembered of the table is old; most likely another node has taken it.
    #[error("this table is kept by another node now; send that again")]
    Fenced,
    /// Two nodes waited for each other's locks, and this one gave way.
    #[error("the store failed: two nodes waited for each other")]
    Crossed,
    /// The database cannot be reached.
    #[error("the database cannot be reached; look at the table again when it is back, then play goes on")]
    Lost,
    /// PostgreSQL and NATS are a feature that this program was built without.
    #[error(
        "this Parlor was built without PostgreSQL and NATS: use a package of it, or build it with `cargo build --release --features cluster`"
    )]
    LeftOut,
    /// Something else.
    #[error("the store failed: {0}")]
    Broken(String),
}

/// The key to a table. Whoever takes a table over gets a new one, with a higher epoch; the store takes no other from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableKey {
    /// How the store knows the table.
    pub number: i64,
    /// How often it was taken over.
    pub epoch: i64,
}

impl TableKey {
    /// The key to a table that was never taken over.
    pub const fn of(number: i64) -> TableKey {
        TableKey { number, epoch: 0 }
    }
}

/// A server, of those that share a house; a new one each time it starts. 0 where a house has only one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(pub i64);

/// Whose a table is, after it was asked for.
#[derive(Clone, Debug)]
pub enum Claim {
    /// Nobody's: there is no such table.
    Unknown,
    /// Ours from now on.
    Mine(Box<Stored>),
    /// This node's, which lives.
    Theirs(NodeId),
}

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Something happened in the room.
    Life,
    /// A line of the game's record.
    Line,
}

/// Something that happened at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: String,
    /// The command that caused it: person, client name and number.
    pub by: Option<By>,
    /// The server's clock.
    pub wall: u64,
}

/// The command that caused a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct By {
    /// Who.
    pub person: PersonId,
    /// From where.
    pub client: String,
    /// Its number.
    pub id: u64,
}

/// A table to be made.
#[derive(Clone, Debug)]
pub struct NewTable {
    /// Its id.
    pub id: TableId,
    /// What asked for it; asked again, the same table is answered.
    pub asked: String,
    /// The game's name.
    pub game: String,
    /// Who made it.
    pub host: PersonId,
    /// When, in milliseconds since 1970.
    pub made: u64,
    /// The house's secret for the dice.
    pub seed: Seed,
    /// Its first row.
    pub first: Row,
    /// Who sits there.
    pub sitting: Vec<PersonId>,
}

/// A table as it is kept.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its key.
    pub key: TableKey,
    /// When it was made, in milliseconds since 1970.
    pub made: u64,
    /// The house's secret for the dice.
    pub seed: Seed,
    /// Where its clock stands: all the time the game was played, none of the time the server was down.
    pub clock: Time,
    /// Its rows.
    pub rows: Vec<Row>,
    /// What its players are to be told, if an administrator closed it: whoever takes the table does so.
    pub closing: Option<String>,
}

impl Stored {
    /// The lines of the game's record; none before it has started.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().filter(|row| row.kind == Kind::Line).map(|row| row.text.as_str())
    }

    /// The game's record as a text.
    pub fn record(&self) -> String {
        self.lines().flat_map(|line| [line, "\n"]).collect()
    }
}

/// Where a table's clock stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockMark {
    /// What it shows.
    pub time: Time,
    /// The server's clock then.
    pub wall: u64,
    /// Whether it runs.
    pub runs: bool,
}

impl ClockMark {
    /// Where a table's clock was last seen: by its mark, or by the last line of its record. Nowhere before the game.
    pub fn last_seen(mark: ClockMark, rows: &[Row]) -> Option<ClockMark> {
        #[derive(serde::Deserialize)]
        struct At {
            #[serde(default)]
            t: Time,
        }
        let line = rows.iter().rev().find(|row| row.kind == Kind::Line)?;
        let time = serde_json::from_str::<At>(&line.text).map_or(Time::START, |at| at.t);
        Some(if mark.wall > line.wall { mark } else { ClockMark { time, wall: line.wall, runs: true } })
    }

    /// Where it stands `now`, if the server that saw it last was alive until then.
    pub fn charged(self, alive: Option<u64>, now: u64) -> Time {
        let until = alive.filter(|_| self.runs).unwrap_or(self.wall).min(now);
        self.time.plus(until.saturating_sub(self.wall))
    }
}

/// How far a table has come, as far as the store needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Not started.
    Gathering = 0,
    /// Started.
    Playing = 1,
    /// Ended.
    Over = 2,
    /// Put away.
    Closed = 3,
}

/// More of a table's life.
#[derive(Clone, Debug)]
pub struct Append {
    /// Which table.
    pub table: TableKey,
    /// The number of its first row, from 0: as many as the table has before, or whoever appends remembers an old state.
    pub first: u64,
    /// What happened.
    pub rows: Vec<Row>,
    /// How far it has come, if that changed.
    pub stage: Option<Stage>,
    /// People who sat down (true) or got up (false).
    pub sitting: Vec<(PersonId, bool)>,
    /// Where the clock stands, if it was stopped or started.
    pub clock: Option<ClockMark>,
    /// How the game ended, if it did.
    pub finish: Option<Finish>,
    /// Whether the node lets go of the table: from then on it is whose who asks first.
    pub leave: bool,
}

impl Append {
    /// Nothing yet.
    pub const fn new(table: TableKey) -> Append {
        Append {
            table,
            first: 0,
            rows: Vec::new(),
            stage: None,
            sitting: Vec::new(),
            clock: None,
            finish: None,
            leave: false,
        }
    }

    /// Adds a row, the `n`th of the table.
    pub fn push(&mut self, n: u64, row: Row) {
        if self.rows.is_empty() {
            self.first = n;
        }
        self.rows.push(row);
    }
}

/// A game that has ended.
#[derive(Clone, Debug)]
pub struct Finish {
    /// Its table.
    pub id: TableId,
    /// The game's name.
    pub game: String,
    /// All its options, as JSON.
    pub options: String,
    /// Whether it counts.
    pub rated: bool,
    /// When, in milliseconds since 1970.
    pub ended: u64,
    /// Who played, in order.
    pub players: Vec<FinishedSeat>,
}

/// One seat of a game that has ended.
#[derive(Clone, Debug)]
pub struct FinishedSeat {
    /// Whose seat it was, if anybody's.
    pub person: Option<PersonId>,
    /// The name there.
    pub name: String,
    /// The place.
    pub rank: u32,
    /// The score.
    pub score: i64,
}

/// Which finished games are wanted.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Of this person.
    pub person: Option<PersonId>,
    /// Of this game.
    pub game: Option<String>,
    /// With somebody whose name starts so.
    pub name: Option<String>,
    /// Older than this.
    pub before: Option<u64>,
    /// At most so many.
    pub most: u32,
}

/// A store.
pub trait Store: Send + Sync + 'static {
    /// A secret of this house that stays the same as long as the house: signs cookies.
    fn secret(&self) -> [u8; 32];
    /// The last sign of life of the run before this one, in milliseconds since 1970.
    fn last_alive(&self) -> u64;
    /// A sign of life: table clocks are charged up to here if the server is killed.
    fn alive(&self, wall: u64) -> Later<()>;
    /// Makes a table; answers its id, which is an older one if it was asked for before.
    fn make(&self, table: NewTable) -> Later<TableId>;
    /// Adds to a table's life; refused as [`StoreFault::Fenced`] if another node has taken the table meanwhile, or if its first row is not
    /// the table's next: then whoever appends must look at the table again.
    fn append(&self, append: Append) -> Later<()>;
    /// A table and its whole life, with its clock as it stands `now` by the server's clock.
    fn load(&self, id: TableId, now: u64) -> Later<Option<Stored>>;
    /// Which node this is.
    fn node(&self) -> NodeId {
        NodeId::default()
    }
    /// The house's own clock, in milliseconds since 1970, if it has one that all its nodes go by.
    fn wall(&self) -> Option<u64> {
        None
    }
    /// The nodes that live, by the clock of the house.
    fn nodes(&self) -> Later<Vec<NodeId>> {
        let own = self.node();
        Box::pin(async move { Ok(vec![own]) })
    }
    /// Takes a table for this node, unless another that lives has it. Where a house has one node, it has every table.
    fn claim(&self, id: TableId, now: u64) -> Later<Claim> {
        let stored = self.load(id, now);
        Box::pin(async { Ok(stored.await?.map_or(Claim::Unknown, |stored| Claim::Mine(Box::new(stored)))) })
    }
    /// How many tables of a host have not started, of those made since then.
    fn gathering(&self, host: PersonId, since: u64) -> Later<u32>;
    /// A person by id.
    fn person(&self, id: PersonId) -> Later<Option<Person>>;
    /// Makes a person, or changes the name.
    fn name_person(&self, person: Person, wall: u64) -> Later<()>;
    /// Sets the (hashed) passphrase of a person.
    fn set_phrase(&self, id: PersonId, hash: [u8; 32]) -> Later<()>;
    /// Who has this (hashed) passphrase.
    fn by_phrase(&self, hash: [u8; 32]) -> Later<Option<Person>>;
    /// Sets the (hashed) token of a person.
    fn set_token(&self, id: PersonId, hash: [u8; 32]) -> Later<()>;
    /// Who has this (hashed) token.
    fn by_token(&self, hash: [u8; 32]) -> Later<Option<Person>>;
    /// A person's tables that are not over, the latest first.
    fn tables_of(&self, id: PersonId) -> Later<Vec<MyTable>>;
    /// A person's ratings.
    fn ratings_of(&self, id: PersonId) -> Later<Vec<Rated>>;
    /// A person's best solitaire games.
    fn bests_of(&self, id: PersonId) -> Later<Vec<Best>>;
    /// The strongest of a game.
    fn leaders(&self, game: String, most: u32) -> Later<Vec<Leader>>;
    /// Finished games.
    fn finished(&self, search: Search) -> Later<FinishedPage>;
    /// One finished game.
    fn finished_at(&self, id: TableId) -> Later<Option<Finished>>;
    /// How many writes wait, and how the disk has done: for the metrics.
    fn gauges(&self) -> Gauges;
    /// Writes what is left, and stops.
    fn close(&self) -> Later<()>;
    /// Stops because the start of the server failed: nothing stays of this node.
    fn withdraw(&self) -> Later<()> {
        self.close()
    }
}

/// How a store is doing.
#[derive(Clone, Debug, Default)]
pub struct Gauges {
    /// Writes waiting.
    pub waiting: u64,
    /// Groups of writes committed.
    pub commits: u64,
    /// Rows in them.
    pub rows: u64,
    /// Groups that failed.
    pub failed: u64,
    /// The time commits took: bounds in seconds, and how many were at most that.
    pub commit_seconds: Vec<(f64, u64)>,
    /// All of it, in seconds.
    pub commit_seconds_sum: f64,
}
