//! Where each table's life ends: its last row, and how many rows it has.
//!
//! The rows of all tables stand side by side in the order they came, each with the number of the one before it at its table. To write with every
//! row that it is the last one now would cost a third of the speed. So memory knows the end of every table that was written to since the house was
//! opened, and never forgets one; the file is brought up to date from the rows themselves, now and then and when the house is opened. For a table
//! that memory does not know nothing was written since then, and so the file cannot lag behind.

use crate::lock;
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashMap;
use std::sync::Mutex;

/// The end of a table's life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct End {
    /// Its last row; 0 if it has none.
    pub(super) last: i64,
    /// How many rows it has: the number of the next.
    pub(super) count: u64,
}

/// The ends of all tables.
#[derive(Debug, Default)]
pub(super) struct Ends {
    known: Mutex<HashMap<i64, End>>,
}

impl Ends {
    /// The end of a table's life as it is on disk.
    pub(super) fn of(&self, db: &Connection, table: i64) -> rusqlite::Result<End> {
        let known = lock(&self.known).get(&table).copied();
        if let Some(end) = known {
            return Ok(end);
        }
        let mut end = db.prepare_cached("SELECT last, count FROM ends WHERE tab = ?1")?;
        let read = |row: &rusqlite::Row<'_>| Ok(End { last: row.get(0)?, count: row.get(1)? });
        Ok(end.query_row([table], read).optional()?.unwrap_or_default())
    }

    /// These are on disk now.
    pub(super) fn learn(&self, new: HashMap<i64, End>) {
        lock(&self.known).extend(new);
    }
}

/// Brings the file up to date from the rows that were added since the last time: the last of those before is the last end that it knows.
pub(super) fn write_down(db: &Connection) -> rusqlite::Result<()> {
    let sql = "INSERT INTO ends (tab, last, count)
               SELECT tab, max(id), count(*) FROM lines WHERE id > (SELECT coalesce(max(last), 0) FROM ends) GROUP BY tab
               ON CONFLICT (tab) DO UPDATE SET last = excluded.last, count = ends.count + excluded.count";
    db.execute(sql, []).map(|_| ())
}
