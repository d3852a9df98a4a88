//! PostgreSQL and NATS for a test. Where they are not installed, a test that needs them says so and is skipped.

use engines::Trouble;
pub(crate) use engines::{Database, Nats};

/// A database server.
pub(crate) fn database() -> Option<Database> {
    or_skip(Database::start())
}

/// A NATS server.
pub(crate) fn nats() -> Option<Nats> {
    or_skip(Nats::start())
}

pub(crate) fn or_skip<T>(started: Result<T, Trouble>) -> Option<T> {
    match started {
        Ok(engine) => Some(engine),
        Err(missing @ Trouble::Missing(_)) => {
            eprintln!("skipped: {missing}");
            None
        }
        Err(trouble) => panic!("{trouble}"),
    }
}
