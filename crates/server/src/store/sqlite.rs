//! The store of a house on one machine: SQLite, one writer thread, and one fsync for all who wait.
//!
//! The writer takes everything that waits, writes it in one transaction, and only then answers. Reads have
//! connections of their own and never wait for it. A table's rows form a chain from the last to the first; where each chain
//! ends is known in memory, and written to the tables only now and then: what was added since is found again at the start.

use super::meter::Meter;
use super::{
    Append, By, ClockMark, Finish, FinishedSeat, Gauges, Kind, Later, NewTable, Row, Search, Stage, Store,
    StoreFault, Stored, TableKey,
};
use crate::ratings::{self, Strength};
use protocol::http::{Best, Finished, FinishedPage, Leader, MyTable, Person, Played, Rated};
use protocol::{PersonId, TableId};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, ffi, params,
};
use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use table::{Seed, Time};
use tokio::sync::oneshot;

/// Every version of the schema, in order: a store of version n has the first n.
const SCHEMA: [&str; 1] = [include_str!("schema.sql")];

/// The file in the data folder.
pub const FILE: &str = "parlor.db";

/// So many rows may be added before the ends of the chains are written down again.
const HEADS_AFTER: u64 = 100_000;
/// The write-ahead log is folded in when it has so many pages.
const FOLD_AFTER: i64 = 4_000;
/// The most writes in one group.
const GROUP: usize = 8_192;

/// A house's store in a folder.
pub struct Sqlite {
    jobs: Sender<Job>,
    shared: Arc<Shared>,
    secret: [u8; 32],
    last_alive: u64,
    writer: Mutex<Option<JoinHandle<()>>>,
}

/// What the writer and the readers both know.
struct Shared {
    file: PathBuf,
    /// The last row of every table that was written to since `tables.last` was.
    heads: Mutex<HashMap<i64, i64>>,
    readers: Mutex<Vec<Connection>>,
    meter: Meter,
}

type Answer<T> = oneshot::Sender<Result<T, StoreFault>>;
/// Work inside the group's transaction (or not, if that has failed already). Gives its fault, if any, and what to do when the
/// group is on disk, or is not.
type Work = Box<dyn FnOnce(Option<&mut Pen<'_>>) -> (Option<StoreFault>, Settle) + Send>;
type Settle = Box<dyn FnOnce(&Result<(), StoreFault>) + Send>;

enum Job {
    Work(Work),
    Close(Answer<()>),
}

impl From<rusqlite::Error> for StoreFault {
    fn from(fault: rusqlite::Error) -> StoreFault {
        match fault.sqlite_error() {
            Some(ffi::Error { code: ErrorCode::DiskFull, .. }) => StoreFault::Full,
            Some(ffi::Error {
                code: ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied,
                ..
            }) => StoreFault::ReadOnly,
            Some(ffi::Error { extended_code, .. }) if CANNOT_WRITE.contains(extended_code) => {
                StoreFault::ReadOnly
            }
            _ => StoreFault::Broken(fault.to_string()),
        }
    }
}

/// The system refused to write, grow or sync a file: a quota, a limit, a disk that has become read-only.
const CANNOT_WRITE: [i32; 4] =
    [ffi::SQLITE_IOERR_WRITE, ffi::SQLITE_IOERR_FSYNC, ffi::SQLITE_IOERR_TRUNCATE, ffi::SQLITE_IOERR_SHMSIZE];

fn io(fault: &std::io::Error, path: &Path) -> StoreFault {
    StoreFault::Broken(format!("{}: {fault}", path.display()))
}

impl Sqlite {
    /// Opens the store in a folder; makes both if they are not there. One server at a time may have it.
    pub fn open(folder: &Path, now: u64) -> Result<Sqlite, StoreFault> {
        fs::create_dir_all(folder).map_err(|fault| io(&fault, folder))?;
        let lock = lock(folder)?;
        let file = folder.join(FILE);
        let db = connect(&file)?;
        migrate(&db)?;
        let secret = secret(&db)?;
        let last_alive: u64 = db
            .query_row("SELECT coalesce(max(alive), 0) FROM runs", [], |row| row.get(0))
            .map_err(StoreFault::from)?;
        let began = now.max(last_alive + 1);
        db.execute("INSERT INTO runs (began, alive) VALUES (?1, ?1)", [began])?;
        let (heads, flushed) = unflushed(&db)?;
        let next = last_row(&db)? + 1;
        let shared = Arc::new(Shared {
            file,
            heads: Mutex::new(heads),
            readers: Mutex::new(Vec::new()),
            meter: Meter::default(),
        });
        let (jobs, waiting) = channel();
        let mut writer =
            Writer { db, shared: Arc::clone(&shared), next, flushed, began, folding: None, _lock: lock };
        let thread = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || writer.run(&waiting))
            .map_err(|fault| StoreFault::Broken(fault.to_string()))?;
        Ok(Sqlite { jobs, shared, secret, last_alive, writer: Mutex::new(Some(thread)) })
    }

    /// Does something in the writer's next transaction; answered when that is on disk.
    fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Pen<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Later<T> {
        let (answer, heard) = oneshot::channel();
        let work: Work = Box::new(move |pen| {
            let (fault, done) = match pen.map(work) {
                Some(Ok(done)) => (None, Some(done)),
                Some(Err(fault)) => (Some(StoreFault::from(fault)), None),
                None => (None, None),
            };
            let settle = move |group: &Result<(), StoreFault>| {
                let done = group.clone().and_then(|()| done.ok_or(StoreFault::Closed));
                drop(answer.send(done)); // nobody waits any more: nothing to tell
            };
            (fault, Box::new(settle))
        });
        self.shared.meter.asked();
        let sent = self.jobs.send(Job::Work(work));
        Box::pin(async move {
            sent.map_err(|_| StoreFault::Closed)?;
            heard.await.map_err(|_| StoreFault::Closed)?
        })
    }

    /// Reads with a connection of its own.
    fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, &Shared) -> Result<T, StoreFault> + Send + 'static,
    ) -> Later<T> {
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            let job = tokio::task::spawn_blocking(move || shared.reading(|db| work(db, &shared)));
            job.await.unwrap_or_else(|fault| Err(StoreFault::Broken(fault.to_string())))
        })
    }
}

/// One server at a time: the lock goes with the process, however that ends.
pub(crate) fn lock(folder: &Path) -> Result<File, StoreFault> {
    let path = folder.join("lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|fault| io(&fault, &path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(StoreFault::InUse(folder.display().to_string())),
        Err(fs::TryLockError::Error(fault)) => Err(io(&fault, &path)),
    }
}

fn connect(file: &Path) -> Result<Connection, StoreFault> {
    let db = Connection::open(file)?;
    db.busy_timeout(Duration::from_secs(5))?;
    db.pragma_update(None, "journal_mode", "wal")?;
    db.pragma_update(None, "synchronous", "full")?;
    db.pragma_update(None, "wal_autocheckpoint", 0)?;
    db.pragma_update(None, "cache_size", -16_384)?;
    db.set_prepared_statement_cache_capacity(64);
    Ok(db)
}

/// A connection that can only read.
pub(crate) fn connect_reader(file: &Path) -> Result<Connection, StoreFault> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let db = Connection::open_with_flags(file, flags)?;
    db.busy_timeout(Duration::from_secs(5))?;
    db.pragma_update(None, "cache_size", -4_096)?;
    db.set_prepared_statement_cache_capacity(32);
    Ok(db)
}

/// Brings a store up to this program's version.
fn migrate(db: &Connection) -> Result<(), StoreFault> {
    let known = SCHEMA.len() as i64;
    let found: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > known {
        return Err(StoreFault::Newer { found, known });
    }
    for (version, schema) in (1_i64..).zip(SCHEMA).skip(found as usize) {
        db.execute_batch(&format!("BEGIN IMMEDIATE; {schema} PRAGMA user_version = {version}; COMMIT;"))?;
    }
    Ok(())
}

fn secret(db: &Connection) -> Result<[u8; 32], StoreFault> {
    let new: [u8; 32] = crate::id::random();
    db.execute("INSERT OR IGNORE INTO meta (name, value) VALUES ('secret', ?1)", [new])?;
    Ok(db.query_row("SELECT value FROM meta WHERE name = 'secret'", [], |row| row.get(0))?)
}

fn last_row(db: &Connection) -> Result<i64, StoreFault> {
    Ok(db.query_row("SELECT coalesce(max(id), 0) FROM lines", [], |row| row.get(0))?)
}

/// The ends of the chains that `tables.last` does not know, and up to which row it knows them.
fn unflushed(db: &Connection) -> Result<(HashMap<i64, i64>, i64), StoreFault> {
    let flushed: i64 = db
        .query_row("SELECT value FROM meta WHERE name = 'heads'", [], |row| row.get(0))
        .optional()?
        .unwrap_or(0);
    let mut heads = HashMap::new();
    let mut rows = db.prepare("SELECT id, tab FROM lines WHERE id > ?1 ORDER BY id")?;
    let mut rows = rows.query([flushed])?;
    while let Some(row) = rows.next()? {
        heads.insert(row.get(1)?, row.get(0)?);
    }
    Ok((heads, flushed))
}

impl Shared {
    fn heads(&self) -> MutexGuard<'_, HashMap<i64, i64>> {
        crate::lock(&self.heads)
    }

    /// The last row of a table's chain. Memory is asked before the file: what memory has forgotten was committed to the file before.
    /// (Asked the other way round, the file's answer may be older than what memory forgot in between, and the chain would fork.)
    fn last_row_of(&self, db: &Connection, table: TableKey) -> rusqlite::Result<i64> {
        let known = self.heads().get(&table.number).copied();
        known.map_or_else(
            || {
                let mut last = db.prepare_cached("SELECT last FROM tables WHERE key = ?1")?;
                Ok(last.query_row([table.number], |row| row.get(0)).optional()?.unwrap_or(0))
            },
            Ok,
        )
    }

    fn reading<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreFault>) -> Result<T, StoreFault> {
        let idle = crate::lock(&self.readers).pop();
        let db = idle.map_or_else(|| connect_reader(&self.file), Ok)?;
        let done = work(&db);
        let mut readers = crate::lock(&self.readers);
        if readers.len() < 4 {
            readers.push(db);
        }
        done
    }
}

/// The one thread that writes.
struct Writer {
    db: Connection,
    shared: Arc<Shared>,
    /// The next row's number.
    next: i64,
    /// The last row that `tables.last` knows about.
    flushed: i64,
    began: u64,
    folding: Option<JoinHandle<()>>,
    _lock: File,
}

impl Writer {
    fn run(&mut self, waiting: &Receiver<Job>) {
        while let Ok(first) = waiting.recv() {
            let (mut group, mut close) = (Vec::new(), None);
            for job in std::iter::once(first).chain(waiting.try_iter().take(GROUP)) {
                match job {
                    Job::Work(work) => group.push(work),
                    Job::Close(answer) => close = Some(answer),
                }
            }
            self.shared.meter.taken(group.len());
            if !group.is_empty() {
                self.commit(group);
            }
            if let Some(answer) = close {
                drop(answer.send(self.finish()));
                return;
            }
            self.fold();
        }
        drop(self.finish());
    }

    /// One transaction, one fsync, and then everybody's answer.
    fn commit(&mut self, group: Vec<Work>) {
        let began = Instant::now();
        let (mut settles, mut heads, before) = (Vec::with_capacity(group.len()), HashMap::new(), self.next);
        let done = self.write_group(group, &mut settles, &mut heads);
        self.shared.meter.settled(began, done.is_ok());
        match &done {
            Ok(()) => {
                self.shared.meter.added((self.next - before) as u64);
                self.shared.heads().extend(heads);
            }
            Err(fault) => {
                tracing::warn!(%fault, writes = settles.len(), "nothing of this group was written");
            }
        }
        for settle in settles {
            settle(&done);
        }
    }

    fn write_group(
        &mut self,
        group: Vec<Work>,
        settles: &mut Vec<Settle>,
        heads: &mut HashMap<i64, i64>,
    ) -> Result<(), StoreFault> {
        let tx =
            Transaction::new_unchecked(&self.db, TransactionBehavior::Immediate).map_err(StoreFault::from);
        let mut failed = tx.as_ref().err().cloned();
        let mut pen = Pen { db: &self.db, shared: &self.shared, heads, next: self.next };
        for work in group {
            // All of a group stands or falls together: after a failure the rest is not even tried.
            let (fault, settle) = work(failed.is_none().then_some(&mut pen));
            failed = failed.or(fault);
            settles.push(settle);
        }
        let next = pen.next;
        if let Some(fault) = failed {
            return Err(fault);
        }
        tx?.commit()?;
        self.next = next;
        Ok(())
    }

    /// Folds the write-ahead log into the database, beside the writing; the little that is left at the end is done here, so that
    /// the log can start over.
    fn fold(&mut self) {
        if let Some(folding) = self.folding.take_if(|folding| folding.is_finished()) {
            drop(folding.join());
            if let Err(fault) = checkpoint(&self.db) {
                tracing::warn!(%fault, "the write-ahead log could not be folded in");
            }
            self.flush_heads_if_many();
        } else if self.folding.is_none() && self.log_pages() > FOLD_AFTER {
            let file = self.shared.file.clone();
            self.folding = Some(std::thread::spawn(move || {
                let done = connect(&file).and_then(|db| Ok(checkpoint(&db)?));
                if let Err(fault) = done {
                    tracing::warn!(%fault, "the write-ahead log could not be folded in");
                }
            }));
        }
    }

    fn log_pages(&self) -> i64 {
        let log = self.shared.file.with_extension("db-wal");
        fs::metadata(log).map_or(0, |log| log.len() as i64 / 4096)
    }

    fn flush_heads_if_many(&mut self) {
        if self.next - self.flushed > HEADS_AFTER as i64
            && let Err(fault) = self.flush_heads()
        {
            tracing::warn!(%fault, "the ends of the chains could not be written");
        }
    }

    /// Writes down where each table's chain ends. Memory forgets it only when it is committed: see [`Shared::last_row_of`].
    fn flush_heads(&mut self) -> Result<(), StoreFault> {
        // A copy, so that loading a table does not wait for the disk. Only this thread adds to it.
        let heads = self.shared.heads().clone();
        let tx = Transaction::new_unchecked(&self.db, TransactionBehavior::Immediate)?;
        {
            let mut update = tx.prepare_cached("UPDATE tables SET last = ?2 WHERE key = ?1")?;
            for (key, last) in &heads {
                update.execute([key, last])?;
            }
            tx.execute("INSERT OR REPLACE INTO meta (name, value) VALUES ('heads', ?1)", [self.next - 1])?;
        }
        tx.commit()?;
        self.flushed = self.next - 1;
        self.shared.heads().clear();
        Ok(())
    }

    fn finish(&mut self) -> Result<(), StoreFault> {
        if let Some(folding) = self.folding.take() {
            drop(folding.join());
        }
        self.flush_heads()?;
        checkpoint(&self.db)?;
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        tracing::debug!(began = self.began, "the store is closed");
    }
}

fn checkpoint(db: &Connection) -> rusqlite::Result<()> {
    db.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
}

/// What writes inside a group's transaction.
struct Pen<'a> {
    db: &'a Connection,
    shared: &'a Shared,
    heads: &'a mut HashMap<i64, i64>,
    next: i64,
}

impl Pen<'_> {
    fn head(&self, table: TableKey) -> rusqlite::Result<i64> {
        let own = self.heads.get(&table.number).copied();
        own.map_or_else(|| self.shared.last_row_of(self.db, table), Ok)
    }

    fn append(&mut self, append: &Append) -> rusqlite::Result<()> {
        self.rows(append.table, &append.rows)?;
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

    fn rows(&mut self, table: TableKey, rows: &[Row]) -> rusqlite::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut prev = self.head(table)?;
        let mut insert = self.db.prepare_cached(
            "INSERT INTO lines (id, prev, tab, kind, wall, by_person, by_client, by_id, text)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?;
        for row in rows {
            let by = row.by.as_ref();
            insert.execute(params![
                self.next,
                prev,
                table.number,
                row.kind == Kind::Line,
                row.wall,
                by.map(|by| &by.person),
                by.map(|by| &by.client),
                by.map(|by| by.id),
                row.text
            ])?;
            prev = self.next;
            self.next += 1;
        }
        self.heads.insert(table.number, prev);
        Ok(())
    }

    fn make(&mut self, table: &NewTable) -> rusqlite::Result<TableId> {
        let mut made = self.db.prepare_cached("SELECT id FROM tables WHERE asked = ?1")?;
        if let Some(id) = made.query_row([&table.asked], |row| row.get(0)).optional()? {
            return Ok(id);
        }
        let sql = "INSERT INTO tables (id, asked, game, host, made, seed) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let NewTable { id, asked, game, host, made, seed, first, sitting } = table;
        self.run(sql, params![id, asked, game, host, made, seed.reveal()])?;
        let key = TableKey::of(self.db.last_insert_rowid());
        self.rows(key, std::slice::from_ref(first))?;
        for person in sitting {
            self.run(
                "INSERT OR IGNORE INTO sitting (person, tab) VALUES (?1, ?2)",
                params![person, key.number],
            )?;
        }
        Ok(id.clone())
    }

    fn finish(&self, key: i64, finish: &Finish) -> rusqlite::Result<()> {
        let Finish { id, game, options, rated, ended, players } = finish;
        let sql = "INSERT INTO finished (id, game, ended, rated) VALUES (?1, ?2, ?3, ?4)";
        self.run(sql, params![id, game, ended, rated])?;
        let n = self.db.last_insert_rowid();
        let strengths = if *rated { self.rate(game, players)? } else { vec![None; players.len()] };
        for ((seat, player), strength) in (0_u32..).zip(players).zip(strengths) {
            let FinishedSeat { person, name, rank, score } = player;
            let sql = "INSERT INTO played (n, seat, person, name, place, score, rating) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            self.run(sql, params![n, seat, person, name, rank, score, strength])?;
        }
        if let [FinishedSeat { person: Some(person), score, .. }] = players.as_slice() {
            let sql = "INSERT INTO bests (person, game, options, score, id, ended) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                       ON CONFLICT DO UPDATE SET score = excluded.score, id = excluded.id, ended = excluded.ended
                       WHERE excluded.score > score";
            self.run(sql, params![person, game, options, score, id, ended])?;
        }
        self.run("DELETE FROM sitting WHERE tab = ?1", [key])
    }

    /// New ratings for everybody who played; answers them.
    fn rate(&self, game: &str, players: &[FinishedSeat]) -> rusqlite::Result<Vec<Option<f64>>> {
        let known = |player: &FinishedSeat| match &player.person {
            Some(person) => strength_of(self.db, person, game),
            None => Ok(Strength::default()),
        };
        let before = players.iter().map(known).collect::<rusqlite::Result<Vec<_>>>()?;
        let ranks: Vec<u32> = players.iter().map(|player| player.rank).collect();
        let after = ratings::after(&before, &ranks);
        let mut new = Vec::new();
        for (player, Strength { rating, deviation, volatility }) in players.iter().zip(after) {
            let Some(person) = &player.person else {
                new.push(None);
                continue;
            };
            let sql = "INSERT INTO ratings (person, game, rating, deviation, volatility, games) VALUES (?1, ?2, ?3, ?4, ?5, 1)
                       ON CONFLICT DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation,
                       volatility = excluded.volatility, games = games + 1";
            self.run(sql, params![person, game, rating, deviation, volatility])?;
            new.push(Some(rating));
        }
        Ok(new)
    }

    fn run(&self, sql: &str, values: impl rusqlite::Params) -> rusqlite::Result<()> {
        self.db.prepare_cached(sql)?.execute(values).map(|_| ())
    }
}

fn strength_of(db: &Connection, person: &str, game: &str) -> rusqlite::Result<Strength> {
    let sql = "SELECT rating, deviation, volatility FROM ratings WHERE person = ?1 AND game = ?2";
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Strength { rating: row.get(0)?, deviation: row.get(1)?, volatility: row.get(2)? })
    };
    Ok(db.prepare_cached(sql)?.query_row([person, game], read).optional()?.unwrap_or_default())
}

/// A table's rows, following its chain from the last to the first.
pub(crate) fn chain(db: &Connection, last: i64) -> rusqlite::Result<Vec<Row>> {
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

fn load(db: &Connection, shared: &Shared, id: &str, now: u64) -> Result<Option<Stored>, StoreFault> {
    let sql = "SELECT key, made, seed, clock_time, clock_wall, clock_runs FROM tables WHERE id = ?1";
    let found = db
        .prepare_cached(sql)?
        .query_row([id], |row| {
            let mark = ClockMark { time: Time(row.get(3)?), wall: row.get(4)?, runs: row.get(5)? };
            Ok((TableKey::of(row.get(0)?), row.get(1)?, row.get::<_, String>(2)?, mark))
        })
        .optional()?;
    let Some((key, made, seed, mark)) = found else { return Ok(None) };
    let seed = Seed::try_from(seed)
        .map_err(|fault| StoreFault::Broken(format!("the seed of table {id}: {fault}")))?;
    let rows = chain(db, shared.last_row_of(db, key)?)?;
    let clock = clock_of(db, mark, &rows, now)?;
    Ok(Some(Stored { key, made, seed, clock, rows }))
}

/// Every table of a house, with the last row of its life.
pub(crate) fn all_tables(db: &Connection) -> Result<Vec<(TableId, i64)>, StoreFault> {
    let (heads, _) = unflushed(db)?;
    let mut tables = db.prepare("SELECT id, key, last FROM tables ORDER BY key")?;
    let read = |row: &rusqlite::Row<'_>| {
        let (key, last): (i64, i64) = (row.get(1)?, row.get(2)?);
        Ok((row.get(0)?, heads.get(&key).copied().unwrap_or(last)))
    };
    Ok(tables.query_map([], read)?.collect::<rusqlite::Result<_>>()?)
}

/// A table for the doctor, who does not care what time it is.
pub(crate) fn examine(db: &Connection, id: &str, last: i64) -> Result<Stored, StoreFault> {
    let sql = "SELECT key, made, seed FROM tables WHERE id = ?1";
    let read =
        |row: &rusqlite::Row<'_>| Ok((TableKey::of(row.get(0)?), row.get(1)?, row.get::<_, String>(2)?));
    let (key, made, seed) = db.prepare_cached(sql)?.query_row([id], read)?;
    let seed = Seed::try_from(seed).map_err(|fault| StoreFault::Broken(format!("its seed: {fault}")))?;
    Ok(Stored { key, made, seed, clock: Time::START, rows: chain(db, last)? })
}

fn person_by(db: &Connection, sql: &str, value: impl rusqlite::ToSql) -> rusqlite::Result<Option<Person>> {
    let read = |row: &rusqlite::Row<'_>| Ok(Person { id: row.get(0)?, name: row.get(1)? });
    db.prepare_cached(sql)?.query_row([value], read).optional()
}

fn finished_games(
    db: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> rusqlite::Result<Vec<(u64, Finished)>> {
    let read = |row: &rusqlite::Row<'_>| {
        let (table, game, ended, rated) = (row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?);
        Ok((row.get(0)?, Finished { table, game, ended, rated, players: Vec::new() }))
    };
    let mut games = db.prepare_cached(sql)?.query_map(values, read)?.collect::<rusqlite::Result<Vec<_>>>()?;
    let sql = "SELECT person, name, place, score, rating FROM played WHERE n = ?1 ORDER BY seat LIMIT 64";
    let mut players = db.prepare_cached(sql)?;
    for (n, game) in &mut games {
        let read = |row: &rusqlite::Row<'_>| {
            let (person, name, rank) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(Played { person, name, rank, score: row.get(3)?, rating: row.get(4)? })
        };
        game.players = players.query_map([*n], read)?.collect::<rusqlite::Result<_>>()?;
    }
    Ok(games)
}

fn search_finished(db: &Connection, search: &Search) -> rusqlite::Result<FinishedPage> {
    let Search { person, game, name, before, most } = search;
    // Names are cleaned of control characters, so this comes after every name that starts so.
    let last = name.as_ref().map(|name| format!("{name}\u{10ffff}"));
    let by = match (person, name) {
        (Some(_), _) => "n IN (SELECT n FROM played WHERE person = ?1)",
        (None, Some(_)) => {
            "n IN (SELECT n FROM played WHERE name >= ?3 COLLATE NOCASE AND name < ?4 COLLATE NOCASE)"
        }
        (None, None) => "TRUE",
    };
    let sql = format!(
        "SELECT n, id, game, ended, rated FROM finished WHERE {by}
         AND (?2 IS NULL OR game = ?2) AND n < ?5 AND (?1 IS NULL OR TRUE) AND (?3 IS NULL OR ?4 IS NOT NULL)
         ORDER BY n DESC LIMIT ?6"
    );
    let before = before.unwrap_or(i64::MAX as u64).min(i64::MAX as u64);
    let games = finished_games(db, &sql, params![person, game, name, last, before, most])?;
    let more = games.len() as u32 == *most;
    let before = games.last().filter(|_| more).map(|(n, _)| *n);
    Ok(FinishedPage { games: games.into_iter().map(|(_, game)| game).collect(), before })
}

impl Store for Sqlite {
    fn secret(&self) -> [u8; 32] {
        self.secret
    }

    fn last_alive(&self) -> u64 {
        self.last_alive
    }

    fn alive(&self, wall: u64) -> Later<()> {
        self.write(move |pen| {
            pen.run("UPDATE runs SET alive = ?1 WHERE began = (SELECT max(began) FROM runs)", [wall])
        })
    }

    fn make(&self, table: NewTable) -> Later<TableId> {
        self.write(move |pen| pen.make(&table))
    }

    fn append(&self, append: Append) -> Later<()> {
        self.write(move |pen| pen.append(&append))
    }

    fn load(&self, id: TableId, now: u64) -> Later<Option<Stored>> {
        self.read(move |db, shared| load(db, shared, &id, now))
    }

    fn gathering(&self, host: PersonId, since: u64) -> Later<u32> {
        let sql = "SELECT count(*) FROM tables WHERE host = ?1 AND stage = ?2 AND made >= ?3";
        self.read(move |db, _| {
            let values = params![host, Stage::Gathering as i64, since];
            Ok(db.prepare_cached(sql)?.query_row(values, |row| row.get(0))?)
        })
    }

    fn person(&self, id: PersonId) -> Later<Option<Person>> {
        self.read(move |db, _| Ok(person_by(db, "SELECT id, name FROM people WHERE id = ?1", id)?))
    }

    fn name_person(&self, person: Person, wall: u64) -> Later<()> {
        let sql = "INSERT INTO people (id, name, made) VALUES (?1, ?2, ?3)
                   ON CONFLICT DO UPDATE SET name = excluded.name";
        self.write(move |pen| pen.run(sql, params![person.id, person.name, wall]))
    }

    fn set_phrase(&self, id: PersonId, hash: [u8; 32]) -> Later<()> {
        self.write(move |pen| pen.run("UPDATE people SET phrase = ?2 WHERE id = ?1", params![id, hash]))
    }

    fn by_phrase(&self, hash: [u8; 32]) -> Later<Option<Person>> {
        self.read(move |db, _| Ok(person_by(db, "SELECT id, name FROM people WHERE phrase = ?1", hash)?))
    }

    fn set_token(&self, id: PersonId, hash: [u8; 32]) -> Later<()> {
        self.write(move |pen| pen.run("UPDATE people SET token = ?2 WHERE id = ?1", params![id, hash]))
    }

    fn by_token(&self, hash: [u8; 32]) -> Later<Option<Person>> {
        self.read(move |db, _| Ok(person_by(db, "SELECT id, name FROM people WHERE token = ?1", hash)?))
    }

    fn tables_of(&self, id: PersonId) -> Later<Vec<MyTable>> {
        let sql = "SELECT t.id, t.game, t.made FROM sitting s JOIN tables t ON t.key = s.tab
                   WHERE s.person = ?1 AND t.stage < 2 ORDER BY t.made DESC LIMIT 50";
        self.read(move |db, _| {
            let read = |row: &rusqlite::Row<'_>| {
                Ok(MyTable { table: row.get(0)?, game: row.get(1)?, made: row.get(2)? })
            };
            Ok(db.prepare_cached(sql)?.query_map([id], read)?.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn ratings_of(&self, id: PersonId) -> Later<Vec<Rated>> {
        let sql = "SELECT game, rating, deviation, games FROM ratings WHERE person = ?1 ORDER BY game";
        self.read(move |db, _| {
            let read = |row: &rusqlite::Row<'_>| {
                let (game, rating, deviation) = (row.get(0)?, row.get(1)?, row.get(2)?);
                Ok(Rated { game, rating, deviation, games: row.get(3)? })
            };
            Ok(db.prepare_cached(sql)?.query_map([id], read)?.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn bests_of(&self, id: PersonId) -> Later<Vec<Best>> {
        let sql = "SELECT game, options, score, id, ended FROM bests WHERE person = ?1 ORDER BY game, ended DESC LIMIT 50";
        self.read(move |db, _| {
            let read = |row: &rusqlite::Row<'_>| {
                let options: String = row.get(1)?;
                let options = serde_json::from_str(&options).unwrap_or_default();
                Ok(Best {
                    game: row.get(0)?,
                    options,
                    variations: Vec::new(),
                    score: row.get(2)?,
                    table: row.get(3)?,
                    ended: row.get(4)?,
                })
            };
            Ok(db.prepare_cached(sql)?.query_map([id], read)?.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn leaders(&self, game: String, most: u32) -> Later<Vec<Leader>> {
        let sql = "SELECT p.id, p.name, r.rating, r.deviation, r.games FROM ratings r JOIN people p ON p.id = r.person
                   WHERE r.game = ?1 ORDER BY r.rating - 2 * r.deviation DESC, p.id LIMIT ?2";
        self.read(move |db, _| {
            let read = |row: &rusqlite::Row<'_>| {
                let person = Person { id: row.get(0)?, name: row.get(1)? };
                Ok(Leader {
                    place: 0,
                    person,
                    rating: row.get(2)?,
                    deviation: row.get(3)?,
                    games: row.get(4)?,
                })
            };
            let mut leaders: Vec<Leader> = db
                .prepare_cached(sql)?
                .query_map(params![game, most], read)?
                .collect::<rusqlite::Result<_>>()?;
            for (place, leader) in (1..).zip(&mut leaders) {
                leader.place = place;
            }
            Ok(leaders)
        })
    }

    fn finished(&self, search: Search) -> Later<FinishedPage> {
        self.read(move |db, _| Ok(search_finished(db, &search)?))
    }

    fn finished_at(&self, id: TableId) -> Later<Option<Finished>> {
        let sql = "SELECT n, id, game, ended, rated FROM finished WHERE id = ?1";
        self.read(move |db, _| Ok(finished_games(db, sql, [id])?.pop().map(|(_, game)| game)))
    }

    fn gauges(&self) -> Gauges {
        self.shared.meter.read()
    }

    fn close(&self) -> Later<()> {
        let (answer, heard) = oneshot::channel();
        let sent = self.jobs.send(Job::Close(answer));
        let writer = crate::lock(&self.writer).take();
        Box::pin(async move {
            sent.map_err(|_| StoreFault::Closed)?;
            let done = heard.await.map_err(|_| StoreFault::Closed)?;
            if let Some(writer) = writer {
                drop(tokio::task::spawn_blocking(move || writer.join()).await);
            }
            done
        })
    }
}
