//! What the server says.

use crate::{Known, PersonId, Phase, Place, Reaction, Room, TableId, Why, http::Person};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use table::Time;

/// Something the server says. `V` is how the game's own JSON is held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "msg", rename_all = "kebab-case")]
pub enum Message<V = Value> {
    /// The answer to [`Hello`](crate::Command::Hello).
    Welcome {
        /// The protocol the server speaks.
        protocol: u32,
        /// Who the client is; left out for who only looks in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        you: Option<Person>,
        /// The server's clock, in milliseconds since 1970.
        now: u64,
    },
    /// The answer to [`Ping`](crate::Command::Ping).
    Pong {
        /// The client's own time, as it was sent.
        at: u64,
        /// The server's clock, in milliseconds since 1970.
        now: u64,
    },
    /// A command was carried out, and is on disk.
    Done {
        /// The command's number.
        id: u64,
        /// The table it was about, or that it made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<TableId>,
        /// The `seq` of the last event it caused, or the table's present one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
    },
    /// A command was refused; nothing has changed.
    Refused {
        /// The command's number, if it could be read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
        /// A stable name for programs.
        code: String,
        /// Words for the person, with what to do instead.
        says: String,
        /// The figures behind the words.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        details: Map<String, Value>,
    },
    /// A whole table, afresh. It replaces everything known about that table.
    View(Box<View<V>>),
    /// What only one seat sees; sent to its owner, always just before the event with the same `seq`.
    Private {
        /// Which table.
        table: TableId,
        /// The event it belongs to.
        seq: u64,
        /// The seat.
        seat: u32,
        /// What it sees.
        private: V,
    },
    /// Something happened at a table. Events of a table come in order and without gaps.
    Event(Box<Event<V>>),
    /// Dice are to be thrown: answer with the next link of your chain ([`Link`](crate::Command::Link)), once for each throw. Not kept, not
    /// counted; asked again of whoever comes back.
    Ask {
        /// Which table.
        table: TableId,
        /// Which throw.
        throw: u32,
        /// The sum of the record's last line: what is decided already. Note it, to find it in the record at the end.
        sum: String,
        /// Your seat.
        seat: u32,
        /// Which link of its chain.
        link: u32,
    },
    /// Your chain is not used, because it was silent at a throw or was never said: send another ([`Chain`](crate::Command::Chain)).
    Unchained {
        /// Which table.
        table: TableId,
    },
    /// Who is there. Not kept, not counted: `seq` is the table's present one.
    Crowd {
        /// Which table.
        table: TableId,
        /// The table's present `seq`.
        seq: u64,
        /// How many people hear about the table, its players included.
        watching: u32,
        /// The players who are away.
        away: Vec<Away>,
    },
    /// A nod across the table. Not kept, not counted.
    Reaction {
        /// Which table.
        table: TableId,
        /// The table's present `seq`.
        seq: u64,
        /// Who.
        person: PersonId,
        /// The name of who.
        name: String,
        /// Which nod.
        reaction: Reaction,
    },
    /// All public tables; the answer to [`Lobby`](crate::Command::Lobby).
    Lobby {
        /// The tables, the newest first.
        tables: Vec<Listed>,
    },
    /// What has changed in the lobby.
    LobbyChange {
        /// Tables that are new or different.
        changed: Vec<Listed>,
        /// Tables that are no longer there.
        gone: Vec<TableId>,
    },
    /// The last thing before the server closes the socket.
    Bye {
        /// A stable name for programs.
        code: String,
        /// Why, and when to come back.
        says: String,
    },
}

/// A whole table as one client may see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View<V = Value> {
    /// Which table.
    pub table: TableId,
    /// The last event that is in this view.
    pub seq: u64,
    /// The table's clock now.
    pub time: Time,
    /// The server's clock at that moment, in milliseconds since 1970.
    pub now: u64,
    /// When, on the table's clock, time itself will act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Time>,
    /// The seats that the table waits for (at tables of up to 64 seats).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub awaits: Vec<u32>,
    /// The table but for the game.
    pub room: Room<V>,
    /// What everybody sees of the game, once it has started.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub public: Option<V>,
    /// What only this client's seats see.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub private: Vec<PrivateAt<V>>,
    /// How many people hear about the table.
    pub watching: u32,
    /// The players who are away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub away: Vec<Away>,
    /// Whether the host removed this client's person, and has opened no seat since: `join` would be refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
}

/// What only one seat sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrivateAt<V = Value> {
    /// The seat.
    pub seat: u32,
    /// What it sees.
    pub private: V,
}

/// A player who is away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Away {
    /// The seat.
    pub seat: u32,
    /// When a bot will take it over, by the server's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
}

/// Something that happened at a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event<V = Value> {
    /// Which table.
    pub table: TableId,
    /// Its number: one more than the event's before.
    pub seq: u64,
    /// At tables with a great many watchers one event may stand for several: then this is the number of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// What happened.
    pub why: Why,
    /// How far the table has come.
    pub phase: Phase,
    /// The table's clock when this was sent.
    pub time: Time,
    /// The server's clock at that moment, in milliseconds since 1970.
    pub now: u64,
    /// When, on the table's clock, time itself will act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Time>,
    /// The seats that the table waits for (at tables of up to 64 seats).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub awaits: Vec<u32>,
    /// The seats that have changed, if there are still as many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<PlaceAt>,
    /// The whole room, if more than some seats has changed.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub room: Option<Box<Room<V>>>,
    /// What everybody sees of the game, if that has changed.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub public: Option<V>,
    /// What `public` leaves out, because it was told before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
}

/// A seat and what it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceAt {
    /// The seat.
    pub seat: u32,
    /// What it is now.
    pub place: Place,
}

/// A public table in the lobby.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Which table.
    pub table: TableId,
    /// The game's name.
    pub game: String,
    /// In words, what is played otherwise than the sheet has it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<String>,
    /// The name of who made it.
    pub host: String,
    /// The names at its seats; nothing for an open one.
    pub seats: Vec<String>,
    /// How many seats are open.
    pub open: u32,
    /// How many people hear about it.
    pub watching: u32,
    /// How far it has come.
    pub phase: Phase,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// When it was made, in milliseconds since 1970.
    pub made: u64,
}
