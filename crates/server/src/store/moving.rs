//! Moves a house from a folder (SQLite) to a database (PostgreSQL): all of it or nothing, and then every table is read back and compared.

use super::postgres::{self, Line};
use super::sqlite::{self, FILE};
use super::{Kind, StoreFault, Stored};
use crate::room::{Bounds, Room};
use bytes::Bytes;
use futures_util::SinkExt;
use protocol::Phase;
use rusqlite::types::ValueRef;
use std::fmt::Write;
use std::path::Path;
use std::pin::pin;

/// What is moved: a table of the store, its columns, and how the old store tells them where that is more than reading them.
const PARTS: [(&str, &str, Option<&str>); 10] = [
    ("meta", "name, value", Some("SELECT name, value FROM meta WHERE name = 'secret'")),
    ("people", "id, name, made, phrase, token", None),
    ("ratings", "person, game, rating, deviation, volatility, games", None),
    ("bests", "person, game, options, score, id, ended", None),
    ("finished", "n, id, game, ended, rated", None),
    ("played", "n, seat, person, name, place, score, rating", None),
    ("runs", "began, alive", None),
    ("sitting", "person, tab", None),
    ("tables", "key, id, asked, game, host, made, seed, stage, clock_time, clock_wall, clock_runs", None),
    (
        "lines",
        "tab, n, kind, wall, by_person, by_client, by_id, text",
        Some(
            "SELECT tab, row_number() OVER (PARTITION BY tab ORDER BY id) - 1, kind, wall, by_person, by_client, by_id, text
             FROM lines",
        ),
    ),
];

/// What was moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Tables, each read back and found the same.
    pub tables: u64,
    /// Of those, finished games whose records hold.
    pub verified: u64,
    /// Rows of all kinds.
    pub rows: u64,
    /// Tables that could not be read before and cannot be read now: they were moved as they are.
    pub faults: Vec<String>,
}

/// Moves the house in a folder, which no server may be using, to a database without one. Tells how far it has come.
pub async fn move_house(
    from: &Path,
    to: &str,
    mut progress: impl FnMut(u64, u64),
) -> Result<Moved, StoreFault> {
    let file = from.join(FILE);
    if !file.exists() {
        return Err(StoreFault::Broken(format!("there is no house in {}", from.display())));
    }
    let _lock = sqlite::lock(from)?;
    let old = sqlite::connect_reader(&file)?;
    let mut new = postgres::take(&postgres::address(to)?).await?;
    let taken = new
        .client
        .query_one("SELECT EXISTS (SELECT FROM tables) OR EXISTS (SELECT FROM people)", &[])
        .await?;
    if taken.get(0) {
        return Err(StoreFault::Broken(
            "there is a house in this database already; choose an empty one".to_owned(),
        ));
    }
    let tables = sqlite::all_tables(&old)?;
    let all = count(&old)? + tables.len() as u64;
    let mut moved = Moved { tables: tables.len() as u64, ..Moved::default() };
    let tx = new.client.transaction().await?;
    // The house may have been opened here once and left empty: its secret goes, the one that people have cookies of comes.
    // Long options are no keys there (see postgres5.sql): until they have been replaced by their sums, bests have none.
    tx.batch_execute("DELETE FROM meta; DELETE FROM runs; ALTER TABLE bests DROP CONSTRAINT bests_pkey")
        .await?;
    for (part, columns, told) in PARTS {
        let sql = told.map_or_else(|| format!("SELECT {columns} FROM {part}"), str::to_owned);
        let sink = tx.copy_in(&format!("COPY {part} ({columns}) FROM STDIN")).await?;
        let mut sink = pin!(sink);
        // rusqlite's rows must not be held while we wait: they are told a chunk at a time.
        let mut offset = 0_u64;
        loop {
            let (chunk, rows) = chunk(&old, &sql, offset)?;
            if rows == 0 {
                break;
            }
            sink.send(Bytes::from(chunk)).await?;
            offset += rows;
            moved.rows += rows;
            progress(moved.rows, all);
        }
        sink.finish().await?;
    }
    let numbers = "SELECT setval(pg_get_serial_sequence('tables', 'key'), coalesce(max(key), 0) + 1, false) FROM tables;
                   SELECT setval(pg_get_serial_sequence('finished', 'n'), coalesce(max(n), 0) + 1, false) FROM finished";
    tx.batch_execute(numbers).await?;
    let keys = "UPDATE bests SET whole = options, options = options_key(options) WHERE options <> options_key(options);
                ALTER TABLE bests ADD PRIMARY KEY (person, game, options)";
    tx.batch_execute(keys).await?;
    tx.commit().await?;
    for (at, (id, last)) in (1..).zip(tables) {
        let before = sqlite::examine(&old, &id, last)?;
        compare(&new, &id, &before, &mut moved).await?;
        progress(moved.rows + at, all);
    }
    Ok(moved)
}

fn count(old: &rusqlite::Connection) -> Result<u64, StoreFault> {
    let mut all = 0;
    for (part, _, _) in PARTS {
        all += old.query_row(&format!("SELECT count(*) FROM {part}"), [], |row| row.get::<_, u64>(0))?;
    }
    Ok(all)
}

/// So many rows are told at a time.
const CHUNK: u64 = 50_000;

/// Some rows as the text that COPY reads, and how many.
fn chunk(old: &rusqlite::Connection, sql: &str, offset: u64) -> Result<(String, u64), StoreFault> {
    let mut rows = old.prepare_cached(&format!("{sql} LIMIT {CHUNK} OFFSET {offset}"))?;
    let columns = rows.column_count();
    let mut rows = rows.query([])?;
    let (mut text, mut count) = (String::new(), 0);
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            if column > 0 {
                text.push('\t');
            }
            tell(row.get_ref(column)?, &mut text);
        }
        text.push('\n');
        count += 1;
    }
    Ok((text, count))
}

/// A value as the text that COPY reads.
fn tell(value: ValueRef<'_>, text: &mut String) {
    // A String never fails to be written.
    let _ = match value {
        ValueRef::Null => write!(text, "\\N"),
        ValueRef::Integer(number) => write!(text, "{number}"),
        ValueRef::Real(number) => write!(text, "{number}"),
        ValueRef::Text(bytes) => {
            for letter in String::from_utf8_lossy(bytes).chars() {
                match letter {
                    '\\' => text.push_str("\\\\"),
                    '\n' => text.push_str("\\n"),
                    '\r' => text.push_str("\\r"),
                    '\t' => text.push_str("\\t"),
                    '\0' => text.push('\u{fffd}'),
                    letter => text.push(letter),
                }
            }
            Ok(())
        }
        ValueRef::Blob(bytes) => {
            text.push_str("\\\\x");
            bytes.iter().try_for_each(|byte| write!(text, "{byte:02x}"))
        }
    };
}

/// Reads a table back: it must be the same, and if it could be read before it can be now.
async fn compare(new: &Line, id: &str, before: &Stored, moved: &mut Moved) -> Result<(), StoreFault> {
    let short = id.get(..8).unwrap_or(id);
    let after = postgres::load(new, id, 0).await?;
    let same = after.is_some_and(|after| {
        (after.key, after.made, &after.seed.reveal(), &after.rows)
            == (before.key, before.made, &before.seed.reveal(), &before.rows)
    });
    if !same {
        return Err(StoreFault::Broken(format!(
            "table {short} did not arrive as it was; use another database"
        )));
    }
    match Room::load(id, before, Bounds::NONE) {
        Err(fault) => moved.faults.push(format!("table {short}: {fault}")),
        Ok(room) if room.phase == Phase::Over => {
            let lines = before.rows.iter().filter(|row| row.kind == Kind::Line);
            let record: String = lines.flat_map(|row| [row.text.as_str(), "\n"]).collect();
            match house::verify(&record) {
                Ok(_) => moved.verified += 1,
                Err(fault) => moved.faults.push(format!("table {short}: {fault}")),
            }
        }
        Ok(_) => {}
    }
    Ok(())
}
