//! The administrators' way to a house in a folder, beside a server that has it open or without one.

use super::connection::{FILE, connect, known_version, lock, upgraded, version};
use crate::store::office::{Counts, Deed, Entry, KeySum, Known, Office, OpenTable, asked, other_version};
use crate::store::{Later, StoreFault};
use protocol::PersonId;
use protocol::http::Person;
use rusqlite::{Connection, Row, Transaction, TransactionBehavior, params};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// An office with a connection of its own.
pub(crate) struct FolderOffice(Arc<Desk>);

struct Desk {
    file: PathBuf,
    /// Opened when it is needed first.
    db: Mutex<Option<Connection>>,
    /// No server starts meanwhile, if none has the folder.
    _lock: Option<File>,
}

impl FolderOffice {
    /// Of a folder with a house in it. Where no server runs, nobody starts one meanwhile.
    pub(crate) fn open(folder: &Path) -> Result<FolderOffice, StoreFault> {
        let file = folder.join(FILE);
        if !file.is_file() {
            return Err(StoreFault::Broken(format!("there is no house in {}", folder.display())));
        }
        let (db, lock) = match lock(folder) {
            Ok(lock) => (upgraded(&file)?, Some(lock)),
            Err(StoreFault::InUse(_)) => (connect(&file)?, None),
            Err(fault) => return Err(fault),
        };
        let (found, known) = (version(&db)?, known_version());
        if found != known {
            return Err(other_version(found, known));
        }
        Ok(FolderOffice(Arc::new(Desk { file, db: Mutex::new(Some(db)), _lock: lock })))
    }

    /// Of a house that this program has open already.
    pub(crate) fn of(file: PathBuf) -> FolderOffice {
        FolderOffice(Arc::new(Desk { file, db: Mutex::default(), _lock: None }))
    }

    fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, &Path) -> Result<T, StoreFault> + Send + 'static,
    ) -> Later<T> {
        let desk = Arc::clone(&self.0);
        Box::pin(async move {
            let job = tokio::task::spawn_blocking(move || {
                let mut db = crate::lock(&desk.db);
                let open = match db.take() {
                    Some(open) => open,
                    None if desk.file.exists() => connect(&desk.file)?,
                    None => return Err(StoreFault::Broken("there is no house here".to_owned())),
                };
                let done = work(&open, &desk.file);
                *db = Some(open);
                done
            });
            job.await.unwrap_or_else(|fault| Err(StoreFault::Broken(fault.to_string())))
        })
    }

    fn all<T: Send + 'static>(
        &self,
        sql: &'static str,
        values: impl rusqlite::Params + Send + 'static,
        read: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Later<Vec<T>> {
        self.with(move |db, _| {
            let mut asked = db.prepare_cached(&sql.replace('$', "?"))?;
            Ok(asked.query_map(values, read)?.collect::<rusqlite::Result<_>>()?)
        })
    }
}

impl Office for FolderOffice {
    fn carry_out(&self, deed: Deed, who: String, wall: u64) -> Later<bool> {
        self.with(move |db, _| {
            let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
            if change(&tx, &deed, wall)? == 0 {
                return Ok(false);
            }
            let sql = "INSERT INTO audit (wall, who, deed, subject, says) VALUES (?1, ?2, ?3, ?4, ?5)";
            tx.execute(sql, params![wall, who, deed.name(), deed.subject(), deed.says()])?;
            tx.commit()?;
            Ok(true)
        })
    }

    fn signed_in(&self, sum: KeySum, now: u64) -> Later<bool> {
        let found = self.all(asked::SIGNED_IN, (sum, now), |row| row.get::<_, u64>(0));
        Box::pin(async { Ok(!found.await?.is_empty()) })
    }

    fn people(&self, like: String, most: u32) -> Later<Vec<Known>> {
        let holds = asked::like(&like);
        self.all(asked::PEOPLE, (like, holds, most), |row| {
            let person = Person { id: row.get(0)?, name: row.get(1)? };
            Ok(Known { person, made: row.get(2)?, suspended: row.get(3)? })
        })
    }

    fn suspended(&self) -> Later<Vec<PersonId>> {
        self.all(asked::SUSPENDED, (), |row| row.get(0))
    }

    fn tables(&self, most: u32) -> Later<Vec<OpenTable>> {
        self.all(asked::TABLES, (most,), |row| {
            let (number, id, game, playing) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
            Ok(OpenTable { number, id, game, playing, made: row.get(4)?, people: row.get(5)? })
        })
    }

    fn audit(&self, most: u32) -> Later<Vec<Entry>> {
        self.all(asked::AUDIT, (most,), entry)
    }

    fn news(&self, after: i64) -> Later<Vec<Entry>> {
        self.all(asked::NEWS, (after,), entry)
    }

    fn counts(&self) -> Later<Counts> {
        self.with(|db, file| {
            let size = |path: PathBuf| fs::metadata(path).map_or(0, |found| found.len());
            let bytes = size(file.to_owned()) + size(file.with_extension("db-wal"));
            Ok(db.query_row(asked::COUNTS, [], |row| {
                let (people, suspended, gathering) = (row.get(0)?, row.get(1)?, row.get(2)?);
                Ok(Counts {
                    people,
                    suspended,
                    gathering,
                    playing: row.get(3)?,
                    finished: row.get(4)?,
                    bytes,
                })
            })?)
        })
    }
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let (n, wall, who, deed) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
    let (subject, says, name, table) = (row.get(4)?, row.get(5)?, row.get(6)?, row.get(7)?);
    Ok(Entry { n, wall, who, deed, subject, says, name, table })
}

/// Does what is to be done; answers how much that changed.
fn change(tx: &Connection, deed: &Deed, wall: u64) -> rusqlite::Result<usize> {
    match deed {
        Deed::Link { sum, until } => {
            tx.execute("DELETE FROM keys WHERE until <= ?1", [wall])?;
            tx.execute("INSERT INTO keys (sum, once, until) VALUES (?1, TRUE, ?2)", params![sum, until])
        }
        Deed::FirstLink { sum, until } => {
            let sql = "INSERT INTO keys (sum, once, until) SELECT ?1, TRUE, ?2 WHERE NOT EXISTS (SELECT 1 FROM audit)";
            tx.execute(sql, params![sum, until])
        }
        Deed::SignIn { link, sum, until } => {
            let good =
                tx.execute("DELETE FROM keys WHERE sum = ?1 AND once AND until > ?2", params![link, wall])?;
            let sql = "INSERT INTO keys (sum, once, until) SELECT ?1, FALSE, ?2 WHERE ?3 > 0";
            tx.execute(sql, params![sum, until, good])
        }
        Deed::SignOut { sum } => tx.execute("DELETE FROM keys WHERE sum = ?1 AND NOT once", [sum]),
        Deed::Revoke => tx.execute("DELETE FROM keys", []).map(|_| 1),
        Deed::Rename { person, name } => {
            tx.execute("UPDATE people SET name = ?2 WHERE id = ?1", [person, name])
        }
        Deed::Suspend { person } => {
            let sql = "UPDATE people SET suspended = ?2 WHERE id = ?1 AND suspended IS NULL";
            tx.execute(sql, params![person, wall])
        }
        Deed::Lift { person } => {
            let sql = "UPDATE people SET suspended = NULL WHERE id = ?1 AND suspended IS NOT NULL";
            tx.execute(sql, [person])
        }
        Deed::Forget { person } => {
            for part in ["ratings", "bests", "sitting"] {
                tx.execute(&format!("DELETE FROM {part} WHERE person = ?1"), [person])?;
            }
            tx.execute(
                "UPDATE played SET person = NULL, name = 'Former player' WHERE person = ?1",
                [person],
            )?;
            tx.execute("DELETE FROM people WHERE id = ?1", [person])
        }
        Deed::Close { table, says } => {
            let sql = "UPDATE tables SET closing = ?2 WHERE key = ?1 AND stage < 2 AND closing IS NULL";
            tx.execute(sql, params![table, says])
        }
    }
}
