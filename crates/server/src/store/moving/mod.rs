//! Moves whole houses between the two stores, all of it or nothing: from a folder (SQLite) to a database (PostgreSQL), and from a database to a file that is
//! a house of a folder, which is a backup too. Which columns there are, the two stores say themselves; and before anything is kept, all of them are read back
//! and compared.

mod out;
mod parts;

pub(crate) use out::copy_out;

use super::postgres::{self, Line};
use super::sqlite::{self, FILE};
use super::{StoreFault, Stored};
use crate::checkup::{Found, check_up};
pub use crate::host::Moved;
use parts::parts;
use rusqlite::Connection;
use std::path::Path;

/// What is to become of a house that is in the database already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// It stays, and nothing is moved.
    Refuse,
    /// It gets another schema, and its place is free.
    MoveAside,
}

/// Moves the house in a folder, which no server may be using, to a database without one. Tells how far it has come.
pub async fn move_house(from: &Path, to: &str, progress: impl FnMut(u64, u64)) -> Result<Moved, StoreFault> {
    let file = from.join(FILE);
    if !file.exists() {
        return Err(StoreFault::Broken(format!("there is no house in {}", from.display())));
    }
    let _lock = sqlite::lock(from)?;
    let old = sqlite::upgraded(&file)?;
    copy_in(&old, to, Taken::Refuse, progress).await
}

/// Copies a house of this program's version to a database that no server is using.
pub(crate) async fn copy_in(
    old: &Connection,
    to: &str,
    taken: Taken,
    mut progress: impl FnMut(u64, u64),
) -> Result<Moved, StoreFault> {
    let new = postgres::take(&postgres::address(to)?).await?;
    // Until it is committed, whatever goes wrong takes all of it back: the connection goes, and the transaction with it.
    new.client.batch_execute("BEGIN").await?;
    let aside = make_room(&new, taken).await?;
    let (parts, tables) = (parts(old, &new).await?, sqlite::all_tables(old)?);
    let mut all = tables.len() as u64;
    for part in &parts {
        all +=
            old.query_row(&format!("SELECT count(*) FROM {}", part.name), [], |row| row.get::<_, u64>(0))?;
    }
    let mut moved = Moved { tables: tables.len() as u64, aside, ..Moved::default() };
    new.client.batch_execute(BEFORE).await?;
    for part in &parts {
        part.copy(old, &new, |rows| progress(moved.rows + rows, all)).await.map(|rows| moved.rows += rows)?;
    }
    new.client.batch_execute(AFTER).await?;
    for part in &parts {
        if part.sum_of_old(old)? != part.sum_of_new(&new).await? {
            let words = format!("{} did not arrive as they were; nothing was moved", part.name);
            return Err(StoreFault::Broken(words));
        }
    }
    for (at, (id, last)) in (1..).zip(tables) {
        compare(&new, &id, &sqlite::examine(old, &id, last)?, &mut moved).await?;
        progress(moved.rows + at, all);
    }
    new.client.batch_execute("COMMIT").await?;
    Ok(moved)
}

/// Makes sure that there is no house where one is to come; answers where the one is that was there.
async fn make_room(new: &Line, taken: Taken) -> Result<Option<String>, StoreFault> {
    let is_taken = "SELECT EXISTS (SELECT FROM tables) OR EXISTS (SELECT FROM people)";
    if !new.client.query_one(is_taken, &[]).await?.get::<_, bool>(0) {
        return Ok(None);
    }
    if taken == Taken::Refuse {
        return Err(StoreFault::Broken(
            "there is a house in this database already; choose an empty one".to_owned(),
        ));
    }
    let sql = "SELECT n::text FROM generate_series(1, 1000) AS n
               WHERE to_regnamespace('parlor_replaced_' || n) IS NULL ORDER BY n LIMIT 1";
    let number: String = new.client.query_one(sql, &[]).await?.get(0);
    let aside = format!("parlor_replaced_{number}");
    new.client.batch_execute(&format!("ALTER SCHEMA parlor RENAME TO {aside}")).await?;
    postgres::bring_up(new).await?;
    Ok(Some(aside))
}

/// The house may have been opened here once and left empty: its secret goes, the one that people have cookies of comes; and so do its administrators' keys.
/// Long options are no keys there (see schema/postgres5.sql): until they have been replaced by their sums, bests have none.
const BEFORE: &str =
    "DELETE FROM meta; DELETE FROM runs; DELETE FROM keys; ALTER TABLE bests DROP CONSTRAINT bests_pkey;
    ALTER TABLE audit DISABLE TRIGGER USER; DELETE FROM audit; ALTER TABLE audit ENABLE TRIGGER USER";
const AFTER: &str = "
    SELECT setval(pg_get_serial_sequence('tables', 'key'), coalesce(max(key), 0) + 1, false) FROM tables;
    SELECT setval(pg_get_serial_sequence('finished', 'n'), coalesce(max(n), 0) + 1, false) FROM finished;
    SELECT setval(pg_get_serial_sequence('audit', 'n'), coalesce(max(n), 0) + 1, false) FROM audit;
    UPDATE bests SET whole = options, options = options_key(options) WHERE options <> options_key(options);
    ALTER TABLE bests ADD PRIMARY KEY (person, game, options)";

/// Reads a table back as a server does: its life must be the same, and if it could be read before it can be now.
async fn compare(new: &Line, id: &str, before: &Stored, moved: &mut Moved) -> Result<(), StoreFault> {
    let short = id.get(..8).unwrap_or(id);
    let after = postgres::load(new, id, 0).await?;
    if after.is_none_or(|after| (after.key, &after.rows) != (before.key, &before.rows)) {
        let words = format!("table {short} did not arrive as it was; nothing was moved");
        return Err(StoreFault::Broken(words));
    }
    match check_up(id, before) {
        Err(fault) => moved.faults.push(format!("table {short}: {fault}")),
        Ok((Found::Verified, _)) => moved.verified += 1,
        Ok(_) => {}
    }
    Ok(())
}
