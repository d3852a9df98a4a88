//! From a database to a file, while people play: everything as it was at one moment.

use super::parts::{LINES, Part, hash, parts};
use crate::store::office::other_version;
use crate::store::postgres::{self, Line, nat};
use crate::store::{Kind, StoreFault, sqlite};
use futures_util::TryStreamExt;
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};
use std::collections::HashSet;
use std::path::Path;
use std::pin::pin;
use tokio_postgres::Config;

/// What only a database has: which node has a table, and sums of what is too long for a key. In a folder there is neither.
const ONLY_THERE: [(&str, &str); 6] = [
    ("tables", "owner"),
    ("tables", "epoch"),
    ("tables", "claimed"),
    ("bests", "whole"),
    ("nodes", "*"),
    ("version", "*"),
];

/// Copies the house in a database to a new file, as a folder keeps it; answers how many rows that are.
pub(crate) async fn copy_out(from: &Config, file: &Path) -> Result<u64, StoreFault> {
    let old = Line::connect(from).await?;
    old.client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    let (found, known) = (postgres::version(&old).await?, postgres::known_version());
    if found == 0 {
        return Err(StoreFault::Broken("there is no house in this database".to_owned()));
    }
    if found != known {
        return Err(other_version(found, known));
    }
    let new = sqlite::fresh(file)?;
    let parts = parts(&new, &old).await?;
    all_has_a_place(&old, &parts).await?;
    new.execute_batch("BEGIN")?;
    let mut rows = 0;
    for part in &parts {
        let (count, sum) = part.copy_out(&old, &new).await?;
        if part.sum_of_old(&new)? != sum {
            return Err(StoreFault::Broken(format!("{} did not arrive as they were", part.name)));
        }
        rows += count;
    }
    stop_the_clocks(&old, &new).await?;
    new.execute_batch("COMMIT")?;
    new.close().map_err(|(_, fault)| fault)?;
    Ok(rows)
}

/// A column that a later version of this program made, and forgot here, must not be lost without a word.
async fn all_has_a_place(old: &Line, parts: &[Part]) -> Result<(), StoreFault> {
    let sql = "SELECT table_name::text, column_name::text FROM information_schema.columns WHERE table_schema = 'parlor'";
    let placed: HashSet<(&str, &str)> = parts
        .iter()
        .flat_map(|part| part.columns.iter().map(|column| (part.name.as_str(), column.name.as_str())))
        .collect();
    for row in old.client.query(sql, &[]).await? {
        let (table, column): (&str, &str) = (row.get(0), row.get(1));
        let only_there = ONLY_THERE.contains(&(table, column)) || ONLY_THERE.contains(&(table, "*"));
        if !only_there && !placed.contains(&(table, column)) {
            return Err(StoreFault::Broken(format!("the copy has no place for {column} of {table}")));
        }
    }
    Ok(())
}

/// In a database the clock of a game is charged up to the last sign of life of the node that has it; a folder knows no nodes. So each clock stands in the
/// copy where it stood at the moment of the copy.
async fn stop_the_clocks(old: &Line, new: &Connection) -> Result<(), StoreFault> {
    let sql = "SELECT greatest((extract(epoch FROM clock_timestamp()) * 1000)::bigint, (SELECT max(alive) FROM nodes)),
                      greatest((SELECT max(alive) FROM nodes), (SELECT max(alive) FROM runs), 0)";
    let row = old.client.query_one(sql, &[]).await?;
    let (now, alive) = (nat(row.get(0)), nat(row.get(1)));
    for row in old.client.query("SELECT id FROM tables WHERE stage = 1", &[]).await? {
        let id: String = row.get(0);
        let Some(stored) = postgres::load(old, &id, now).await? else { continue };
        let line = stored.rows.iter().rev().find(|row| row.kind == Kind::Line);
        let wall = line.map_or(now, |line| now.max(line.wall + 1));
        let sql = "UPDATE tables SET clock_time = ?2, clock_wall = ?3, clock_runs = 0 WHERE key = ?1";
        new.execute(sql, params![stored.key.number, stored.clock.0, wall])?;
    }
    // The next server's clock does not go back.
    let sql = "INSERT INTO runs (began, alive) VALUES (?1, ?1) ON CONFLICT DO NOTHING";
    new.execute(sql, [alive])?;
    Ok(())
}

impl Part {
    /// Copies all of it; answers how many rows that are, and their sum.
    async fn copy_out(&self, old: &Line, new: &Connection) -> Result<(u64, u64), StoreFault> {
        let lines = self.told == LINES;
        let columns: Vec<String> = self.columns.iter().map(|column| column.read(&self.name)).collect();
        // By the columns themselves, and not by the text of them that is asked for.
        let order = if lines { " ORDER BY lines.tab, lines.n" } else { "" };
        let sql = format!("SELECT {} FROM {}{order}", columns.join(", "), self.name);
        let none: [&str; 0] = [];
        let mut told = pin!(old.client.query_raw(&sql, none).await?);
        let mut insert = new.prepare(&self.insert(lines))?;
        let (mut rows, mut sum, mut chain) = (0_u64, 0_u64, Chain::default());
        while let Some(row) = told.try_next().await? {
            let values: Vec<Option<String>> = (0..columns.len()).map(|at| row.get(at)).collect();
            sum = sum.wrapping_add(hash(&values));
            let mut kept = Vec::with_capacity(values.len() + 2);
            let mut place = [0, 0];
            for (column, value) in self.columns.iter().zip(values) {
                let value = column.kept(value)?;
                match (lines, column.name.as_str(), &value) {
                    (true, "n", Value::Integer(n)) => {
                        place[1] = *n;
                        continue;
                    }
                    (true, "tab", Value::Integer(tab)) => place[0] = *tab,
                    _ => {}
                }
                kept.push(value);
            }
            if lines {
                kept.extend(chain.next(place)?);
            }
            insert.execute(params_from_iter(kept))?;
            rows += 1;
        }
        Ok((rows, sum))
    }

    fn insert(&self, lines: bool) -> String {
        let mut names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        if lines {
            names.retain(|name| *name != "n");
            names.extend(["id", "prev"]);
        }
        let places = vec!["?"; names.len()].join(", ");
        format!("INSERT INTO {} ({}) VALUES ({places})", self.name, names.join(", "))
    }
}

/// The rows of all tables, table by table, each with the number of the one before it.
#[derive(Default)]
struct Chain {
    last: i64,
    table: Option<i64>,
    n: i64,
}

impl Chain {
    /// The number of the next row, and of the one before it.
    fn next(&mut self, [table, n]: [i64; 2]) -> Result<[Value; 2], StoreFault> {
        let (prev, expected) = if self.table == Some(table) { (self.last, self.n + 1) } else { (0, 0) };
        if n != expected {
            return Err(StoreFault::Broken(format!("row {expected} of a table is missing")));
        }
        self.last += 1;
        (self.table, self.n) = (Some(table), n);
        Ok([Value::Integer(self.last), Value::Integer(prev)])
    }
}
