//! The store of a house on one machine: SQLite, one writer thread, and one fsync for all who wait.
//!
//! The writer takes everything that waits, writes it in one transaction, and only then answers. Reads have connections of their own and never wait
//! for it. A table's rows form a chain from the last to the first; [`ends`] knows where each chain ends.

mod connection;
mod ends;
mod games;
mod office;
mod rows;
mod writer;

pub use connection::FILE;
#[cfg(feature = "cluster")]
pub(crate) use connection::fresh;
pub(crate) use connection::{connect_reader, lock, upgraded, upgraded_copy};
pub(crate) use office::FolderOffice;
pub(crate) use rows::{all_tables, examine};

use super::meter::Meter;
use super::{Append, Gauges, Later, NewTable, Search, Stage, Store, StoreFault, Stored};
use ends::Ends;
use protocol::http::{Best, Finished, FinishedPage, Leader, MyTable, Person, Rated};
use protocol::{PersonId, TableId};
use rows::Pen;
use rusqlite::{Connection, OptionalExtension, params};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use tokio::sync::oneshot;
use writer::{Asked, Job, Writer};

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
    ends: Ends,
    readers: Mutex<Vec<Connection>>,
    meter: Meter,
}

type Answer<T> = oneshot::Sender<Result<T, StoreFault>>;

impl Sqlite {
    /// Opens the store in a folder; makes both if they are not there. One server at a time may have it.
    pub fn open(folder: &Path, now: u64) -> Result<Sqlite, StoreFault> {
        let lock = lock(folder)?;
        let file = folder.join(FILE);
        let db = upgraded(&file)?;
        let secret = connection::secret(&db)?;
        let last_alive: u64 = db
            .query_row("SELECT coalesce(max(alive), 0) FROM runs", [], |row| row.get(0))
            .map_err(StoreFault::from)?;
        let began = now.max(last_alive + 1);
        db.execute("INSERT INTO runs (began, alive) VALUES (?1, ?1)", [began])?;
        ends::write_down(&db)?;
        let next = connection::last_row(&db)? + 1;
        let shared = Arc::new(Shared {
            file,
            ends: Ends::default(),
            readers: Mutex::new(Vec::new()),
            meter: Meter::default(),
        });
        let (jobs, waiting) = channel();
        let mut writer = Writer {
            db,
            shared: Arc::clone(&shared),
            next,
            ended: next - 1,
            began,
            folding: None,
            _lock: lock,
        };
        let thread = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || writer.run(&waiting))
            .map_err(|fault| StoreFault::Broken(fault.to_string()))?;
        Ok(Sqlite { jobs, shared, secret, last_alive, writer: Mutex::new(Some(thread)) })
    }

    /// Does something in the writer's next transaction; answered when that is on disk.
    fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Pen<'_>) -> Result<T, StoreFault> + Send + 'static,
    ) -> Later<T> {
        let (answer, heard) = oneshot::channel();
        self.shared.meter.asked();
        let sent = self.jobs.send(Job::Write(Box::new(Asked { work, done: None, answer })));
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

impl Shared {
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

fn person_by(db: &Connection, sql: &str, value: impl rusqlite::ToSql) -> rusqlite::Result<Option<Person>> {
    let read = |row: &rusqlite::Row<'_>| Ok(Person { id: row.get(0)?, name: row.get(1)? });
    db.prepare_cached(sql)?.query_row([value], read).optional()
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
        self.read(move |db, shared| rows::load(db, &shared.ends, &id, now))
    }

    fn gathering(&self, host: PersonId, since: u64) -> Later<u32> {
        let sql =
            "SELECT count(*) FROM tables WHERE host = ?1 AND stage = ?2 AND made >= ?3 AND closing IS NULL";
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
                   WHERE s.person = ?1 AND t.stage < 2 AND t.closing IS NULL ORDER BY t.made DESC LIMIT 50";
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
        self.read(move |db, _| Ok(games::search(db, &search)?))
    }

    fn finished_at(&self, id: TableId) -> Later<Option<Finished>> {
        let sql = "SELECT n, id, game, ended, rated FROM finished WHERE id = ?1";
        self.read(move |db, _| Ok(games::finished(db, sql, [id])?.pop().map(|(_, game)| game)))
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
