//! The administrators' way to a house in a database, beside the servers that have it open or without any. Each deed is one statement, with its line in the
//! audit log.

use super::connection::{Reader, address, int, known_version, nat, plain, take, version};
use crate::store::office::{Counts, Deed, Entry, KeySum, Known, Office, OpenTable, asked, other_version};
use crate::store::{Later, PATIENCE, StoreFault};
use protocol::PersonId;
use protocol::http::Person;
use std::sync::Arc;
use tokio::time::timeout;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, Row};

/// An office with a connection of its own.
pub(crate) struct DatabaseOffice(Arc<Reader>);

impl DatabaseOffice {
    /// Of a database with a house in it.
    pub(crate) async fn open(url: &str) -> Result<DatabaseOffice, StoreFault> {
        let config = address(url)?;
        let office = DatabaseOffice::of(config.clone());
        let (found, known) = (version(&*office.0.line().await?).await?, known_version());
        if found == 0 {
            return Err(StoreFault::Broken("there is no house in this database".to_owned()));
        }
        if found < known && take(&config).await.is_err() || found > known {
            return Err(other_version(found, known));
        }
        Ok(office)
    }

    /// Of a house that this program has open already.
    pub(crate) fn of(config: Config) -> DatabaseOffice {
        DatabaseOffice(Arc::new(Reader::new(config)))
    }

    fn all<T: Send + 'static>(
        &self,
        sql: &'static str,
        values: Vec<Box<dyn ToSql + Send + Sync>>,
        read: fn(&Row) -> T,
    ) -> Later<Vec<T>> {
        let reader = Arc::clone(&self.0);
        Box::pin(async move {
            let asked = async {
                let line = reader.line().await?;
                let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| &**value as _).collect();
                let done = timeout(PATIENCE, line.all(sql, &values)).await;
                if done.is_err() {
                    line.hang_up();
                }
                done.unwrap_or(Err(StoreFault::Lost))
            };
            Ok(asked.await?.iter().map(read).collect())
        })
    }
}

/// Values to ask with.
macro_rules! values {
    ($($value:expr),*) => { vec![$(Box::new($value) as Box<dyn ToSql + Send + Sync>),*] };
}

impl Office for DatabaseOffice {
    fn carry_out(&self, deed: Deed, who: String, wall: u64) -> Later<bool> {
        let (sql, more) = statement(&deed, wall);
        let (subject, says) = (plain(deed.subject()), plain(deed.says().to_owned()));
        let mut values = values![int(wall), who, deed.name().to_owned(), subject, says];
        values.extend(more);
        let done = self.all(sql, values, |row| row.get::<_, i64>(0));
        Box::pin(async { Ok(done.await?.first().is_some_and(|count| *count > 0)) })
    }

    fn signed_in(&self, sum: KeySum, now: u64) -> Later<bool> {
        let found = self.all(asked::SIGNED_IN, values![sum.to_vec(), int(now)], |_| ());
        Box::pin(async { Ok(!found.await?.is_empty()) })
    }

    fn people(&self, like: String, most: u32) -> Later<Vec<Known>> {
        let holds = plain(asked::like(&like));
        self.all(asked::PEOPLE, values![plain(like), holds, i64::from(most)], |row| {
            let person = Person { id: row.get(0), name: row.get(1) };
            Known { person, made: nat(row.get(2)), suspended: row.get::<_, Option<i64>>(3).map(nat) }
        })
    }

    fn suspended(&self) -> Later<Vec<PersonId>> {
        self.all(asked::SUSPENDED, Vec::new(), |row| row.get(0))
    }

    fn tables(&self, most: u32) -> Later<Vec<OpenTable>> {
        self.all(asked::TABLES, values![i64::from(most)], |row| {
            let (number, id, game, playing) = (row.get(0), row.get(1), row.get(2), row.get(3));
            OpenTable { number, id, game, playing, made: nat(row.get(4)), people: row.get(5) }
        })
    }

    fn audit(&self, most: u32) -> Later<Vec<Entry>> {
        self.all(asked::AUDIT, values![i64::from(most)], entry)
    }

    fn news(&self, after: i64) -> Later<Vec<Entry>> {
        self.all(asked::NEWS, values![after], entry)
    }

    fn counts(&self) -> Later<Counts> {
        let counts = self.all(asked::COUNTS, Vec::new(), |row| {
            let count = |at| nat(row.get(at));
            let (people, suspended, gathering, playing) = (count(0), count(1), count(2), count(3));
            Counts { people, suspended, gathering, playing, finished: count(4), bytes: 0 }
        });
        let bytes = self.all("SELECT pg_database_size(current_database())", Vec::new(), |row| row.get(0));
        Box::pin(async {
            let counts = counts.await?.pop().unwrap_or_default();
            Ok(Counts { bytes: bytes.await?.pop().map_or(0, nat), ..counts })
        })
    }
}

fn entry(row: &Row) -> Entry {
    Entry {
        n: row.get(0),
        wall: nat(row.get(1)),
        who: row.get(2),
        deed: row.get(3),
        subject: row.get(4),
        says: row.get(5),
        name: row.get(6),
        table: row.get(7),
    }
}

/// A statement that changes something, and if it did, says so in the audit log: the values of that are the first five.
macro_rules! noted {
    ($change:literal) => {
        noted!($change, "")
    };
    ($change:literal, $before:literal) => {
        concat!(
            "WITH ",
            $before,
            "done AS (",
            $change,
            " RETURNING 1), noted AS (
               INSERT INTO audit (wall, who, deed, subject, says)
               SELECT $1::bigint, $2::text, $3::text, $4::text, $5::text WHERE EXISTS (SELECT FROM done))
             SELECT count(*) FROM done"
        )
    };
}

/// How a deed is done, with the values that it has besides those of its line in the log.
fn statement(deed: &Deed, wall: u64) -> (&'static str, Vec<Box<dyn ToSql + Send + Sync>>) {
    match deed {
        Deed::Link { sum, until } => (
            noted!(
                "INSERT INTO keys (sum, once, until) VALUES ($6, true, $7)",
                "old AS (DELETE FROM keys WHERE until <= $1), "
            ),
            values![sum.to_vec(), int(*until)],
        ),
        Deed::FirstLink { sum, until } => (
            noted!(
                "INSERT INTO keys (sum, once, until) SELECT $6, true, $7 WHERE NOT EXISTS (SELECT FROM audit)"
            ),
            values![sum.to_vec(), int(*until)],
        ),
        Deed::SignIn { link, sum, until } => (
            noted!(
                "INSERT INTO keys (sum, once, until) SELECT $7, false, $8 FROM used",
                "used AS (DELETE FROM keys WHERE sum = $6 AND once AND until > $1 RETURNING 1), "
            ),
            values![link.to_vec(), sum.to_vec(), int(*until)],
        ),
        Deed::SignOut { sum } => {
            (noted!("DELETE FROM keys WHERE sum = $6 AND NOT once"), values![sum.to_vec()])
        }
        Deed::Revoke => (
            "WITH done AS (DELETE FROM keys)
             INSERT INTO audit (wall, who, deed, subject, says) VALUES ($1, $2, $3, $4, $5) RETURNING 1::bigint",
            Vec::new(),
        ),
        Deed::Rename { name, .. } => {
            (noted!("UPDATE people SET name = $6 WHERE id = $4"), values![plain(name.clone())])
        }
        Deed::Suspend { .. } => (
            noted!("UPDATE people SET suspended = $6 WHERE id = $4 AND suspended IS NULL"),
            values![int(wall)],
        ),
        Deed::Lift { .. } => (
            noted!("UPDATE people SET suspended = NULL WHERE id = $4 AND suspended IS NOT NULL"),
            Vec::new(),
        ),
        Deed::Forget { .. } => (
            noted!(
                "DELETE FROM people WHERE id = $4",
                "r AS (DELETE FROM ratings WHERE person = $4), b AS (DELETE FROM bests WHERE person = $4),
                 s AS (DELETE FROM sitting WHERE person = $4),
                 p AS (UPDATE played SET person = NULL, name = 'Former player' WHERE person = $4), "
            ),
            Vec::new(),
        ),
        Deed::Close { table, .. } => (
            noted!("UPDATE tables SET closing = $5 WHERE key = $6 AND stage < 2 AND closing IS NULL"),
            values![*table],
        ),
    }
}
