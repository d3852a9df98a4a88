//! Tables on the server: the connection ([`line`], over a `socket`), one table heard over it ([`online`]), and the pages
//! round it ([`room`], [`lobby`], [`people`]). The words are those of the crate `protocol`; the story is in `docs/protocol.md`.

pub mod http;
pub mod line;
pub mod lobby;
mod name;
pub mod online;
pub mod people;
pub mod room;
pub mod shown;
mod socket;

pub use line::{Line, line};
pub use lobby::{PublicTables, WithLink, my_tables, their_ticket};
pub use people::{Leaders, Somebody, You, ratings_after};
pub use room::Room;
pub use shown::DiceChecked;

/// The record of a finished game, if the server has one of this name.
pub async fn record(id: &str) -> Option<String> {
    http::get(&format!("/api/finished/{id}/record")).await.ok()
}
