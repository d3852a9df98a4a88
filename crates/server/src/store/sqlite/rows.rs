//! A table and the rows of its life: how they are written and how they are read.

use super::ends::{End, Ends};
use crate::store::{Append, By, ClockMark, Kind, NewTable, Row, StoreFault, Stored, TableKey};
use protocol::TableId;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashMap;
use table::{Seed, Time};

/// What writes inside a group's transaction.
pub(super) struct Pen<'a> {
    db: &'a Connection,
    ends: &'a Ends,
    /// Where the tables that this group added to end now.
    pub(super) new: HashMap<i64, End>,
    /// The next row's number.
    pub(super) next: i64,
}

impl<'a> Pen<'a> {
    pub(super) fn new(db: &'a Connection, ends: &'a Ends, next: i64) -> Pen<'a> {
        Pen { db, ends, new: HashMap::new(), next }
    }

    pub(super) const fn db(&self) -> &'a Connection {
        self.db
    }

    pub(super) fn run(&self, sql: &str, values: impl rusqlite::Params) -> Result<(), StoreFault> {
        self.db.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    pub(super) fn append(&mut self, append: &Append) -> Result<(), StoreFault> {
        self.rows(append.table, append.first, &append.rows)?;
        let key = append.table.number;
        if let Some(stage) = append.stage {
            self.run("UPDATE tables SET stage = ?2 WHERE key = ?1", params![key, stage as i64])?;
        }
        if let Some(ClockMark { time, wall, runs }) = append.clock {
            let sql = "UPDATE tables SET clock_time = ?2, clock_wall = ?3, clock_runs = ?4 WHERE key = ?1";
            self.run(sql, params![key, time.0, wall, runs])?;
        }
        for (person, sits) in &append.sitting {
            let sql = if *sits {
                "INSERT OR IGNORE INTO sitting (person, tab) VALUES (?1, ?2)"
            } else {
                "DELETE FROM sitting WHERE person = ?1 AND tab = ?2"
            };
            self.run(sql, params![person, key])?;
        }
        match &append.finish {
            Some(finish) => self.finish(key, finish),
            None => Ok(()),
        }
    }

    /// Adds rows to a table, which must have as many before as whoever adds them believes.
    fn rows(&mut self, table: TableKey, first: u64, rows: &[Row]) -> Result<(), StoreFault> {
        if rows.is_empty() {
            return Ok(());
        }
        let own = self.new.get(&table.number).copied();
        let mut end = own.map_or_else(|| self.ends.of(self.db, table.number), Ok)?;
        if end.count != first {
            return Err(StoreFault::Fenced);
        }
        let mut insert = self.db.prepare_cached(
            "INSERT INTO lines (id, prev, tab, kind, wall, by_person, by_client, by_id, text)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?;
        for row in rows {
            let by = row.by.as_ref();
            insert.execute(params![
                self.next,
                end.last,
                table.number,
                row.kind == Kind::Line,
                row.wall,
                by.map(|by| &by.person),
                by.map(|by| &by.client),
                by.map(|by| by.id),
                row.text
            ])?;
            end = End { last: self.next, count: end.count + 1 };
            self.next += 1;
        }
        self.new.insert(table.number, end);
        Ok(())
    }

    pub(super) fn make(&mut self, table: &NewTable) -> Result<TableId, StoreFault> {
        let mut made = self.db.prepare_cached("SELECT id FROM tables WHERE asked = ?1")?;
        if let Some(id) = made.query_row([&table.asked], |row| row.get(0)).optional()? {
            return Ok(id);
        }
        let sql = "INSERT INTO tables (id, asked, game, host, made, seed) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let NewTable { id, asked, game, host, made, seed, first, sitting } = table;
        self.run(sql, params![id, asked, game, host, made, seed.reveal()])?;
        let key = TableKey::of(self.db.last_insert_rowid());
        self.rows(key, 0, std::slice::from_ref(first))?;
        for person in sitting {
            self.run(
                "INSERT OR IGNORE INTO sitting (person, tab) VALUES (?1, ?2)",
                params![person, key.number],
            )?;
        }
        Ok(id.clone())
    }
}

/// A table's rows, following its chain from the last to the first.
fn chain(db: &Connection, last: i64) -> Result<Vec<Row>, StoreFault> {
    let sql = "SELECT prev, kind, wall, by_person, by_client, by_id, text FROM lines WHERE id = ?1";
    let mut line = db.prepare_cached(sql)?;
    let (mut rows, mut at) = (Vec::new(), last);
    while at != 0 {
        let (prev, row) = line.query_row([at], |row| {
            let kind = if row.get(1)? { Kind::Line } else { Kind::Life };
            let by = match (row.get(3)?, row.get(4)?, row.get(5)?) {
                (Some(person), Some(client), Some(id)) => Some(By { person, client, id }),
                _ => None,
            };
            Ok((row.get(0)?, Row { kind, wall: row.get(2)?, by, text: row.get(6)? }))
        })?;
        rows.push(row);
        if prev >= at {
            return Err(StoreFault::Broken(format!("row {at} follows row {prev}")));
        }
        at = prev;
    }
    rows.reverse();
    Ok(rows)
}

/// Where a table's clock stands: where it was last seen, and on from there for as long as that server is known to have run.
fn clock_of(db: &Connection, mark: ClockMark, rows: &[Row], now: u64) -> rusqlite::Result<Time> {
    let Some(seen) = ClockMark::last_seen(mark, rows) else { return Ok(Time::START) };
    let mut run =
        db.prepare_cached("SELECT alive FROM runs WHERE began <= ?1 ORDER BY began DESC LIMIT 1")?;
    let alive = run.query_row([seen.wall], |row| row.get(0)).optional()?;
    Ok(seen.charged(alive, now))
}

pub(super) fn load(db: &Connection, ends: &Ends, id: &str, now: u64) -> Result<Option<Stored>, StoreFault> {
    let sql = "SELECT key, made, seed, clock_time, clock_wall, clock_runs, closing FROM tables WHERE id = ?1";
    let found = db
        .prepare_cached(sql)?
        .query_row([id], |row| {
            let mark = ClockMark { time: Time(row.get(3)?), wall: row.get(4)?, runs: row.get(5)? };
            Ok((TableKey::of(row.get(0)?), row.get(1)?, row.get::<_, String>(2)?, mark, row.get(6)?))
        })
        .optional()?;
    let Some((key, made, seed, mark, closing)) = found else { return Ok(None) };
    let seed = Seed::try_from(seed)
        .map_err(|fault| StoreFault::Broken(format!("the seed of table {id}: {fault}")))?;
    let rows = chain(db, ends.of(db, key.number)?.last)?;
    let clock = clock_of(db, mark, &rows, now)?;
    Ok(Some(Stored { key, made, seed, clock, rows, closing }))
}

/// Every table of a house, with the last row of its life as the rows themselves say it: whatever version the file has, and whether it is in use or not.
pub(crate) fn all_tables(db: &Connection) -> Result<Vec<(TableId, i64)>, StoreFault> {
    let sql = "SELECT tables.id, coalesce(ends.last, 0) FROM tables
               LEFT JOIN (SELECT tab, max(id) AS last FROM lines GROUP BY tab) AS ends ON ends.tab = tables.key
               ORDER BY tables.key";
    let mut tables = db.prepare(sql)?;
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
    Ok(tables.query_map([], read)?.collect::<rusqlite::Result<_>>()?)
}

/// A table for the doctor, who does not care what time it is.
pub(crate) fn examine(db: &Connection, id: &str, last: i64) -> Result<Stored, StoreFault> {
    let sql = "SELECT key, made, seed FROM tables WHERE id = ?1";
    let read =
        |row: &rusqlite::Row<'_>| Ok((TableKey::of(row.get(0)?), row.get(1)?, row.get::<_, String>(2)?));
    let (key, made, seed) = db.prepare_cached(sql)?.query_row([id], read)?;
    let seed = Seed::try_from(seed).map_err(|fault| StoreFault::Broken(format!("its seed: {fault}")))?;
    Ok(Stored { key, made, seed, clock: Time::START, rows: chain(db, last)?, closing: None })
}
