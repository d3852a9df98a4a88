//! Moves a house from a folder (SQLite) to a database (PostgreSQL): all of it or nothing. Which columns there are, the two stores say themselves; and before
//! anything is kept, all of them are read back and compared.

use super::postgres::{self, Line};
use super::sqlite::{self, FILE};
use super::{StoreFault, Stored};
use crate::checkup::{Found, check_up};
pub use crate::host::Moved;
use bytes::Bytes;
use futures_util::{SinkExt, TryStreamExt};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::collections::HashMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::pin::pin;

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
    let old = sqlite::upgraded(&file)?;
    let new = postgres::take(&postgres::address(to)?).await?;
    let taken = "SELECT EXISTS (SELECT FROM tables) OR EXISTS (SELECT FROM people)";
    if new.client.query_one(taken, &[]).await?.get(0) {
        return Err(StoreFault::Broken(
            "there is a house in this database already; choose an empty one".to_owned(),
        ));
    }
    let (parts, tables) = (parts(&old, &new).await?, sqlite::all_tables(&old)?);
    let mut all = tables.len() as u64;
    for part in &parts {
        all +=
            old.query_row(&format!("SELECT count(*) FROM {}", part.name), [], |row| row.get::<_, u64>(0))?;
    }
    let mut moved = Moved { tables: tables.len() as u64, ..Moved::default() };
    // Until it is committed, whatever goes wrong takes all of it back: the connection goes, and the transaction with it.
    new.client.batch_execute(BEFORE).await?;
    for part in &parts {
        part.copy(&old, &new, |rows| progress(moved.rows + rows, all))
            .await
            .map(|rows| moved.rows += rows)?;
    }
    new.client.batch_execute(AFTER).await?;
    for part in &parts {
        if part.sum_of_old(&old)? != part.sum_of_new(&new).await? {
            let words = format!("{} did not arrive as they were; nothing was moved", part.name);
            return Err(StoreFault::Broken(words));
        }
    }
    for (at, (id, last)) in (1..).zip(tables) {
        compare(&new, &id, &sqlite::examine(&old, &id, last)?, &mut moved).await?;
        progress(moved.rows + at, all);
    }
    new.client.batch_execute("COMMIT").await?;
    Ok(moved)
}

/// The house may have been opened here once and left empty: its secret goes, the one that people have cookies of comes.
/// Long options are no keys there (see schema/postgres5.sql): until they have been replaced by their sums, bests have none.
const BEFORE: &str =
    "BEGIN; DELETE FROM meta; DELETE FROM runs; ALTER TABLE bests DROP CONSTRAINT bests_pkey";
const AFTER: &str = "
    SELECT setval(pg_get_serial_sequence('tables', 'key'), coalesce(max(key), 0) + 1, false) FROM tables;
    SELECT setval(pg_get_serial_sequence('finished', 'n'), coalesce(max(n), 0) + 1, false) FROM finished;
    UPDATE bests SET whole = options, options = options_key(options) WHERE options <> options_key(options);
    ALTER TABLE bests ADD PRIMARY KEY (person, game, options)";

/// The only table whose rows a database keeps in another form: numbered, instead of each knowing the one before it.
const LINES: &str = "SELECT *, row_number() OVER (PARTITION BY tab ORDER BY id) - 1 AS n FROM lines";
const CHAINED: [&str; 2] = ["id", "prev"];

/// A table of both stores.
struct Part {
    name: String,
    /// How the old store tells all of it.
    told: String,
    columns: Vec<Column>,
}

/// A column of both stores.
struct Column {
    name: String,
    /// Where it stands in what the old store tells.
    at: usize,
    /// Its type in the new store.
    kind: String,
}

/// What the old store has and does not find out by itself. All of it must have a place in the new one; what only the new one has begins as it does there.
async fn parts(old: &Connection, new: &Line) -> Result<Vec<Part>, StoreFault> {
    let sql = "SELECT table_name::text, column_name::text, data_type::text FROM information_schema.columns
               WHERE table_schema = 'parlor'";
    let rows = new.client.query(sql, &[]).await?;
    let kinds: HashMap<(String, String), String> =
        rows.iter().map(|row| ((row.get(0), row.get(1)), row.get(2))).collect();
    let mut names = old.prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'ends' ORDER BY name",
    )?;
    let names: Vec<String> = names.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let mut parts = Vec::new();
    for name in names {
        let lines = name == "lines";
        let told = if lines { LINES.to_owned() } else { format!("SELECT * FROM {name}") };
        let mut columns = Vec::new();
        for (at, column) in old.prepare(&told)?.column_names().enumerate() {
            if lines && CHAINED.contains(&column) {
                continue;
            }
            let kind = kinds.get(&(name.clone(), column.to_owned())).ok_or_else(|| {
                StoreFault::Broken(format!("the database has no place for {column} of {name}"))
            })?;
            columns.push(Column { name: column.to_owned(), at, kind: kind.clone() });
        }
        parts.push(Part { name, told, columns });
    }
    Ok(parts)
}

/// About so much text is sent at a time.
const CHUNK: usize = 1 << 20;

impl Part {
    /// Copies all of it; answers how many rows that are, and tells meanwhile.
    async fn copy(
        &self,
        old: &Connection,
        new: &Line,
        mut progress: impl FnMut(u64),
    ) -> Result<u64, StoreFault> {
        let columns: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        let sql = format!("COPY {} ({}) FROM STDIN", self.name, columns.join(", "));
        let mut sink = pin!(new.client.copy_in(&sql).await?);
        let mut told = old.prepare(&self.told)?;
        let mut told = told.query([])?;
        let (mut text, mut rows) = (String::new(), 0);
        while let Some(row) = told.next()? {
            for (nth, column) in self.columns.iter().enumerate() {
                if nth > 0 {
                    text.push('\t');
                }
                tell(row.get_ref(column.at)?, &mut text);
            }
            text.push('\n');
            rows += 1;
            if text.len() > CHUNK {
                sink.send(Bytes::from(std::mem::take(&mut text))).await?;
                progress(rows);
            }
        }
        sink.send(Bytes::from(text)).await?;
        sink.finish().await?;
        progress(rows);
        Ok(rows)
    }

    /// All values in the old store, summed up, in whatever order the rows come.
    fn sum_of_old(&self, old: &Connection) -> Result<u64, StoreFault> {
        let mut told = old.prepare(&self.told)?;
        let mut told = told.query([])?;
        let mut sum = 0_u64;
        while let Some(row) = told.next()? {
            let values = self.columns.iter().map(|column| Ok(column.shown(row.get_ref(column.at)?)));
            sum = sum.wrapping_add(hash(&values.collect::<rusqlite::Result<Vec<_>>>()?));
        }
        Ok(sum)
    }

    /// All values in the new store, in the same way.
    async fn sum_of_new(&self, new: &Line) -> Result<u64, StoreFault> {
        let columns: Vec<String> = self.columns.iter().map(|column| column.read(&self.name)).collect();
        let sql = format!("SELECT {} FROM {}", columns.join(", "), self.name);
        let none: [&str; 0] = [];
        let mut rows = pin!(new.client.query_raw(&sql, none).await?);
        let mut sum = 0_u64;
        while let Some(row) = rows.try_next().await? {
            let values = (0..columns.len()).map(|at| row.get::<_, Option<String>>(at));
            sum = sum.wrapping_add(hash(&values.collect::<Vec<_>>()));
        }
        Ok(sum)
    }
}

fn hash(values: &[Option<String>]) -> u64 {
    let mut hasher = DefaultHasher::new();
    values.hash(&mut hasher);
    hasher.finish()
}

impl Column {
    /// What reads it from the new store in one form for both.
    fn read(&self, part: &str) -> String {
        let name = &self.name;
        match (part, name.as_str(), self.kind.as_str()) {
            ("bests", "options", _) => "coalesce(whole, options)".to_owned(),
            (_, _, "boolean") => format!("{name}::integer::text"),
            (_, _, "double precision") => format!("encode(float8send({name}), 'hex')"),
            (_, _, "bytea") => format!("encode({name}, 'hex')"),
            _ => format!("{name}::text"),
        }
    }

    /// A value of the old store in that form.
    fn shown(&self, value: ValueRef<'_>) -> Option<String> {
        let real = |number: f64| format!("{:016x}", number.to_bits());
        Some(match value {
            ValueRef::Null => return None,
            ValueRef::Integer(number) if self.kind == "double precision" => real(number as f64),
            ValueRef::Integer(number) => number.to_string(),
            ValueRef::Real(number) => real(number),
            ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}"),
            ValueRef::Blob(bytes) => hex(bytes),
        })
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        let _ = write!(text, "{byte:02x}"); // a String never fails to be written
    }
    text
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
        ValueRef::Blob(bytes) => write!(text, "\\\\x{}", hex(bytes)),
    };
}

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
