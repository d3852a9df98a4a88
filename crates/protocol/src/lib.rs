//! The words that a client and the server exchange, as types: for the server, the terminal and the page alike.
//!
//! A client sends [`Command`]s over a WebSocket and hears [`Message`]s; [`http`] has what travels over plain HTTP.
//! `docs/protocol.md` tells the whole story with examples.
//!
//! ```
//! use protocol::{Command, Message};
//! let command: Command = Command::Watch { id: 1, table: "k3v9".into(), seq: None };
//! assert_eq!(serde_json::to_string(&command)?, r#"{"cmd":"watch","id":1,"table":"k3v9"}"#);
//!
//! let heard: Message = serde_json::from_str(r#"{"msg":"pong","at":17,"now":1700000000000}"#)?;
//! assert!(matches!(heard, Message::Pong { at: 17, .. }));
//! # Ok::<(), serde_json::Error>(())
//! ```

mod command;
pub mod http;
mod known;
mod message;
mod room;
#[cfg(test)]
mod tests;

pub use command::{Command, RawCommand, Wish};
pub use known::Known;
pub use message::{Away, Event, Listed, Message, PlaceAt, PrivateAt, View};
pub use room::{Phase, Place, Reaction, Room, Why};

/// The version of the protocol that these types are.
pub const PROTOCOL: u32 = 2;

/// After so many seconds away a bot plays a seat, where whoever makes the table says nothing else.
pub const GRACE: u32 = 60;

/// A table's name in links: 128 random bits as 26 letters and digits. Whoever knows it may come.
pub type TableId = String;

/// A person's name in the house: 128 random bits as 26 letters and digits. No secret.
pub type PersonId = String;
