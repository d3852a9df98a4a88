//! The tables and columns of both stores, as the stores themselves name them.

use crate::store::StoreFault;
use crate::store::postgres::Line;
use bytes::Bytes;
use futures_util::{SinkExt, TryStreamExt};
use rusqlite::Connection;
use rusqlite::types::{Value, ValueRef};
use std::collections::HashMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::pin::pin;

/// The only table whose rows a database keeps in another form: numbered, instead of each knowing the one before it.
pub(super) const LINES: &str =
    "SELECT *, row_number() OVER (PARTITION BY tab ORDER BY id) - 1 AS n FROM lines";
const CHAINED: [&str; 2] = ["id", "prev"];

/// A table of both stores.
pub(super) struct Part {
    pub(super) name: String,
    /// How the old store tells all of it.
    pub(super) told: String,
    pub(super) columns: Vec<Column>,
}

/// A column of both stores.
pub(super) struct Column {
    pub(super) name: String,
    /// Where it stands in what the old store tells.
    at: usize,
    /// Its type in the new store.
    kind: String,
}

/// What the old store has and does not find out by itself. All of it must have a place in the new one; what only the new one has begins as it does there.
pub(super) async fn parts(old: &Connection, new: &Line) -> Result<Vec<Part>, StoreFault> {
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
    pub(super) async fn copy(
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
    pub(super) fn sum_of_old(&self, old: &Connection) -> Result<u64, StoreFault> {
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
    pub(super) async fn sum_of_new(&self, new: &Line) -> Result<u64, StoreFault> {
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

pub(super) fn hash(values: &[Option<String>]) -> u64 {
    let mut hasher = DefaultHasher::new();
    values.hash(&mut hasher);
    hasher.finish()
}

impl Column {
    /// What reads it from the new store in one form for both.
    pub(super) fn read(&self, part: &str) -> String {
        let name = &self.name;
        match (part, name.as_str(), self.kind.as_str()) {
            ("bests", "options", _) => "coalesce(whole, options)".to_owned(),
            (_, _, "boolean") => format!("{name}::integer::text"),
            (_, _, "double precision") => format!("encode(float8send({name}), 'hex')"),
            (_, _, "bytea") => format!("encode({name}, 'hex')"),
            _ => format!("{name}::text"),
        }
    }

    /// A value in that form as a file keeps it.
    pub(super) fn kept(&self, value: Option<String>) -> Result<Value, StoreFault> {
        let Some(text) = value else { return Ok(Value::Null) };
        let kept = match self.kind.as_str() {
            "bigint" | "integer" | "smallint" | "boolean" => text.parse().ok().map(Value::Integer),
            "double precision" => {
                u64::from_str_radix(&text, 16).ok().map(|bits| Value::Real(f64::from_bits(bits)))
            }
            "bytea" => unhex(&text).map(Value::Blob),
            _ => return Ok(Value::Text(text)),
        };
        kept.ok_or_else(|| StoreFault::Broken(format!("a value of {} is no {}", self.name, self.kind)))
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

fn unhex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
    pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect()
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
