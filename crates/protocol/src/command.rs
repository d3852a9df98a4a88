//! What a client says.

use crate::{Reaction, TableId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use table::chain::Link;

/// Something a client wants done. `A` is how an act's own JSON is held.
///
/// Every command but [`Hello`](Command::Hello), [`Ping`](Command::Ping) and [`Link`](Command::Link) has an `id`, which grows from command to command of one client
/// name. Each is answered by one [`Done`](crate::Message::Done) or [`Refused`](crate::Message::Refused) with the same `id`. A command that is sent again changes nothing and gets
/// the same answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "cmd", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command<A = Value> {
    /// The first thing a client says.
    Hello {
        /// The protocol it speaks, [`PROTOCOL`](crate::PROTOCOL).
        protocol: u32,
        /// A random name of the client's own (1 to 40 letters and digits), kept for as long as its ids go on growing: a page keeps it
        /// until it is closed.
        client: String,
    },
    /// What time is it?
    Ping {
        /// The client's own time, sent back as it is.
        at: u64,
    },
    /// Hear (or no longer hear) about public tables.
    Lobby {
        /// The command's number.
        id: u64,
        /// Whether to hear about them.
        on: bool,
    },
    /// Make a table, and watch it.
    Create {
        /// The command's number.
        id: u64,
        /// The game's name: `"cubo"`.
        game: String,
        /// The game's options; what is left out takes its default.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        options: Value,
        /// Who is to sit where, in the order of play.
        seats: Vec<Wish>,
        /// Whether the table stands in the lobby.
        #[serde(default)]
        public: bool,
        /// Whether the game counts for the players' ratings.
        #[serde(default)]
        rated: bool,
        /// After how many seconds away a player's seat is played by a bot; never, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grace: Option<u32>,
        /// What the maker adds to the dice for every seat of his own.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        seed: String,
    },
    /// Hear about a table. Owners of seats there hear their private views too.
    Watch {
        /// The command's number.
        id: u64,
        /// Which table.
        table: TableId,
        /// The last `seq` heard, to be told only what was missed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
    },
    /// No longer hear about a table.
    Unwatch {
        /// The command's number.
        id: u64,
        /// Which table.
        table: TableId,
    },
    /// Take a seat, and watch the table. Once more for each further person around the same screen. In a running game: take an own
    /// seat back from the bot.
    Join {
        /// The command's number.
        id: u64,
        /// Which table.
        table: TableId,
        /// Which seat; the first that is open, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u32>,
        /// The name at this seat; the guest's own, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// What this seat adds to the dice: up to 64 bytes, best 32 random hexadecimal digits.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        seed: String,
    },
    /// Get up: before the start the seat is open again, in a running game a bot plays on.
    Leave {
        /// The command's number.
        id: u64,
        /// Which table.
        table: TableId,
        /// Which seat; all own ones, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u32>,
    },
    /// The host removes somebody from a seat, before the start.
    Kick {
        /// The command's number.
        id: u64,
        /// Which table.
        table: TableId,
        /// Which seat.
        seat: u32,
    },
    /// The host changes a seat nobody sits in, adds one (the next number), or removes one (`{"for":"nobody"}`), before the start.
    /// The seats behind a removed one move up by one.
    Place {
        /// The command's number.
        id: u64,
        /// Which table.
        table: TableId,
        /// Which seat.
        seat: u32,
        /// What it is to be.
        wish: Wish,
    },
    /// The client adds to every throw from now on, with this chain: it answers each [`Ask`](crate::Message::Ask) with a
    /// [`Link`](Command::Link). Before the game, or again in it, when the one before was lost or is not used any more.
    Chain {
        /// The command's number.
        id: u64,
        /// Which table.
        table: TableId,
        /// Link 0 of the chain.
        anchor: Link,
    },
    /// The answer to an [`Ask`](crate::Message::Ask). It has no number, and is answered only where it is refused.
    Link {
        /// Which table.
        table: TableId,
        /// Which throw.
        throw: u32,
        /// The own seat that was asked.
        seat: u32,
        /// The link that was asked for.
        link: Link,
    },
    /// Ready to start, or not.
    Ready {
        /// The command's number.
        id: u64,
        /// Which table.
        table: TableId,
        /// Whether ready.
        ready: bool,
        /// What the own seats add to the dice, if it is to change.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<String>,
    },
    /// The host starts the game.
    Start {
        /// The command's number.
        id: u64,
        /// Which table.
        table: TableId,
        /// Even if somebody is not ready.
        #[serde(default)]
        anyway: bool,
    },
    /// Play.
    Act {
        /// The command's number.
        id: u64,
        /// Which table.
        table: TableId,
        /// Which seat; may be left out by who has only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u32>,
        /// What the seat does, in the game's own words.
        act: A,
    },
    /// A nod across the table.
    React {
        /// The command's number.
        id: u64,
        /// Which table.
        table: TableId,
        /// Which nod.
        reaction: Reaction,
    },
    /// Another game with the same people. The first to ask makes the new table; the others are told its name.
    Rematch {
        /// The command's number.
        id: u64,
        /// Which table.
        table: TableId,
        /// What the asker's seats add to the new dice.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        seed: String,
    },
    /// The host puts a table away that has not started.
    Close {
        /// The command's number.
        id: u64,
        /// Which table.
        table: TableId,
    },
}

/// A command whose act is the text that came.
pub type RawCommand = Command<Box<RawValue>>;

#[derive(Deserialize)]
struct Tag<'a> {
    #[serde(borrow)]
    cmd: Cow<'a, str>,
}

/// A [`Command::Act`], with its tag.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tagged {
    #[serde(rename = "cmd")]
    _cmd: String,
    id: u64,
    table: TableId,
    seat: Option<u32>,
    act: Box<RawValue>,
}

impl RawCommand {
    /// Reads a command, and leaves an act as it is written.
    ///
    /// ```
    /// use protocol::{Command, RawCommand};
    /// let read = RawCommand::read(r#"{"cmd":"act","id":7,"table":"k3v9","act":{"do": "call"}}"#)?;
    /// assert!(matches!(read, Command::Act { id: 7, act, .. } if act.get() == r#"{"do": "call"}"#));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn read(text: &str) -> Result<RawCommand, serde_json::Error> {
        // Raw text cannot be read from inside a tagged enum, because serde takes that apart first: so the tag is looked at alone.
        let Tag { cmd } = serde_json::from_str(text)?;
        if cmd != "act" {
            return serde_json::from_str(text);
        }
        let Tagged { id, table, seat, act, .. } = serde_json::from_str(text)?;
        Ok(Command::Act { id, table, seat, act })
    }
}

impl<A> Command<A> {
    /// The command's number, if it has one.
    pub const fn id(&self) -> Option<u64> {
        match self {
            Command::Hello { .. } | Command::Ping { .. } | Command::Link { .. } => None,
            Command::Lobby { id, .. }
            | Command::Chain { id, .. }
            | Command::Create { id, .. }
            | Command::Watch { id, .. }
            | Command::Unwatch { id, .. }
            | Command::Join { id, .. }
            | Command::Leave { id, .. }
            | Command::Kick { id, .. }
            | Command::Place { id, .. }
            | Command::Ready { id, .. }
            | Command::Start { id, .. }
            | Command::Act { id, .. }
            | Command::React { id, .. }
            | Command::Rematch { id, .. }
            | Command::Close { id, .. } => Some(*id),
        }
    }

    /// Whether others will see who said it: not for who only looks in.
    pub const fn needs_name(&self) -> bool {
        !matches!(
            self,
            Command::Hello { .. }
                | Command::Ping { .. }
                | Command::Lobby { .. }
                | Command::Watch { .. }
                | Command::Unwatch { .. }
        )
    }

    /// The table it is about, if it is about one.
    pub fn table(&self) -> Option<&str> {
        match self {
            Command::Hello { .. } | Command::Ping { .. } | Command::Lobby { .. } | Command::Create { .. } => {
                None
            }
            Command::Watch { table, .. }
            | Command::Chain { table, .. }
            | Command::Link { table, .. }
            | Command::Unwatch { table, .. }
            | Command::Join { table, .. }
            | Command::Leave { table, .. }
            | Command::Kick { table, .. }
            | Command::Place { table, .. }
            | Command::Ready { table, .. }
            | Command::Start { table, .. }
            | Command::Act { table, .. }
            | Command::React { table, .. }
            | Command::Rematch { table, .. }
            | Command::Close { table, .. } => Some(table),
        }
    }
}

/// What a seat is to be when a table is made or changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "for", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Wish {
    /// For whoever makes the table.
    Me,
    /// For somebody else around the same screen.
    Here {
        /// The name at the seat.
        name: String,
    },
    /// For whoever comes.
    Open,
    /// For a bot.
    Bot {
        /// How strong, from 1.
        level: u8,
    },
    /// Away with the seat.
    Nobody,
}
