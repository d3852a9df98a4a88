//! The house opens: tables, people and records over HTTP and WebSocket. Nothing here names a game.
//!
//! One task owns a table (`keeper`): it hears commands through a bounded channel, lets the pure [`room`](crate) check them,
//! puts what happened on disk ([`store`]), and only then answers and tells everybody. A client that reconnects says the last event
//! it heard and gets what it missed. `docs/protocol.md` is the whole of what is said; `docs/hosting.md` is for who runs a server.
//!
//! ```no_run
//! use server::{Config, NoPage};
//! let config = Config::new("127.0.0.1:7777".parse()?, "data");
//! server::run(config, NoPage, |open| println!("http://{}/", open.address))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod admin;
pub mod bus;
mod checkup;
mod clock;
mod config;
mod copies;
mod door;
mod hall;
mod host;
mod http;
mod id;
mod keeper;
mod lobby;
pub mod metrics;
mod name;
#[cfg(feature = "cluster")]
mod nats;
pub mod node;
mod outlet;
mod page;
mod people;
mod probe;
mod rates;
pub mod ratings;
mod repeats;
mod room;
mod serve;
mod site;
mod socket;
pub mod store;
pub mod tally;
mod think;
mod tls;
mod vitals;
mod window;

pub use admin::Admin;
pub use config::{Config, Limits};
pub use copies::{backup, restore};
pub use host::{Health, doctor, lan_address, migrate, qr};
pub use name::{clean_name, clean_sentence};
#[cfg(feature = "cluster")]
pub use nats::BusFault;
pub use page::{Asset, NoPage, Page, Plain};
pub use serve::{Open, ServeFault, Server, run};
pub use site::{BasePath, NoBasePath, NoPublicUrl, PublicUrl};
pub use tls::{Tls, TlsFault};

use std::sync::{Mutex, MutexGuard, PoisonError};
use table::Spoken;

/// What is behind a mutex, even if somebody fell over while he had it: nothing here is left half done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A refusal with words, and a name for programs.
pub(crate) fn say(code: &str, says: impl Into<String>) -> Spoken {
    Spoken { code: code.to_owned(), says: says.into(), details: serde_json::Map::new() }
}
