//! PostgreSQL and NATS for a test. Where they are not installed, a test that needs them says so and is skipped.

use engines::if_here;
pub(crate) use engines::{Database, Front, Nats};

/// A database server.
pub(crate) fn database() -> Option<Database> {
    if_here(Database::start()).unwrap()
}

/// A NATS server.
pub(crate) fn nats() -> Option<Nats> {
    if_here(Nats::start()).unwrap()
}
