//! What every client of the protocol must know, without sockets and clocks: page, terminal and simulated players
//! feed it what they hear and do what it says.
//!
//! A [`Client`] holds one connection: the hello, numbered commands that are sent again until they are answered, coming back after a
//! loss with a growing wait, pings, and the server's time. For every table it follows there is a [`Table`]: the room, the
//! views and the clock, kept whole over gaps and losses; and what it has to keep so that it can check the dice at the end ([`Do::Keep`]).
//!
//! ```
//! use client::{Client, Do, News};
//! use protocol::Command;
//!
//! let mut client: Client<&str> = Client::new("k3v9".to_owned(), 7);
//! client.follow("t1");
//! assert_eq!(client.poll(), Some(Do::Connect));
//! client.opened(10);
//! client.poll(); // the hello
//! client.hear(r#"{"msg":"welcome","protocol":2,"you":{"id":"a","name":"Ann"},"now":5}"#, 20);
//! let call = |id| Command::Act { id, table: "t1".into(), seat: None, act: serde_json::json!({"do": "call"}) };
//! let id = client.command(call, "call");
//! while let Some(todo) = client.poll() {
//!     assert!(matches!(todo, Do::Say(_)));
//! }
//! let done = format!(r#"{{"msg":"done","id":{id},"table":"t1","seq":9}}"#);
//! let news = client.hear(&done, 40);
//! assert!(matches!(news, Some(News::Done { tag: "call", .. })));
//! ```

mod backoff;
mod connection;
mod heard;
mod notes;
mod table;

pub use connection::{Client, Do, News, State};
pub use heard::Raw;
pub use table::{Change, Table};
