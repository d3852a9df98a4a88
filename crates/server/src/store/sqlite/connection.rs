//! The house's file: how it is opened, locked and brought up to date, and what its faults mean.

use crate::store::files::{free_name, new_own_file, own_file, own_folder, restrict_file, why_not_written};
use crate::store::{StoreFault, schema};
use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file in the data folder.
pub const FILE: &str = "parlor.db";

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

/// One server at a time: the lock goes with the process, however that ends.
pub(crate) fn lock(folder: &Path) -> Result<File, StoreFault> {
    own_folder(folder, &folder.join(FILE)).map_err(|fault| io(&fault, folder))?;
    let path = folder.join("lock");
    let file = own_file(&path).map_err(|fault| io(&fault, &path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(StoreFault::InUse(folder.display().to_string())),
        Err(fs::TryLockError::Error(fault)) => Err(io(&fault, &path)),
    }
}

pub(crate) fn connect(file: &Path) -> Result<Connection, StoreFault> {
    let db = Connection::open(file)?;
    db.busy_timeout(Duration::from_secs(5))?;
    db.pragma_update(None, "journal_mode", "wal")?;
    db.pragma_update(None, "synchronous", "full")?;
    db.pragma_update(None, "wal_autocheckpoint", 0)?;
    db.pragma_update(None, "cache_size", -16_384)?;
    db.set_prepared_statement_cache_capacity(64);
    Ok(db)
}

/// The writer's connection to a house that was locked, brought up to this program's version.
pub(crate) fn upgraded(file: &Path) -> Result<Connection, StoreFault> {
    // SQLite makes the files beside it as readable as this one; and if it cannot be written, SQLite says so better.
    drop(own_file(file));
    for beside in ["db-wal", "db-shm"] {
        restrict_file(&file.with_extension(beside));
    }
    // Known now, and not when somebody has come to play. (Before SQLite opens them: to close a file takes away the locks that it has on it.)
    if let Some(why) = why_not_written(file) {
        return Err(StoreFault::Broken(format!("the disk cannot be written to: {why}")));
    }
    let db = connect(file)?;
    migrate(&db, file)?;
    Ok(db)
}

/// A copy of a house, brought up to this program's version without another copy beside it.
pub(crate) fn upgraded_copy(file: &Path) -> Result<Connection, StoreFault> {
    let db = connect(file)?;
    bring_up(&db, known(&db)?)?;
    Ok(db)
}

/// A new house in an empty file. It is quick to fill; whoever fills it sees to it that it is on disk.
#[cfg(feature = "cluster")]
pub(crate) fn fresh(file: &Path) -> Result<Connection, StoreFault> {
    let db = Connection::open(file)?;
    db.pragma_update(None, "journal_mode", "memory")?;
    db.pragma_update(None, "synchronous", "off")?;
    bring_up(&db, 0)?;
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

/// The version that this program keeps houses in.
pub(crate) const fn known_version() -> i64 {
    schema::SQLITE.len() as i64
}

/// The version that a house is kept in; 0 where there is none yet.
pub(crate) fn version(db: &Connection) -> rusqlite::Result<i64> {
    db.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// The version of a house, unless a later program kept it.
fn known(db: &Connection) -> Result<i64, StoreFault> {
    let (found, known) = (version(db)?, known_version());
    if found > known { Err(StoreFault::Newer { found, known }) } else { Ok(found) }
}

/// Brings a house up to this version. What an older version left is copied first: whoever wants back finds it beside the house. A house
/// that cannot be copied is left as it is.
fn migrate(db: &Connection, file: &Path) -> Result<(), StoreFault> {
    let found = known(db)?;
    if !(1..known_version()).contains(&found) {
        return bring_up(db, found);
    }
    let copy = keep_as_it_is(db, file)?;
    tracing::info!(copy = %copy.display(), "kept the house as an older version left it");
    bring_up(db, found).inspect_err(|_| drop(fs::remove_file(&copy))) // nothing was changed
}

/// A whole copy beside the house. Under its name it stands only when all of it is on disk.
fn keep_as_it_is(db: &Connection, file: &Path) -> Result<PathBuf, StoreFault> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let part = file.with_file_name("before-version.part");
    let _ = fs::remove_file(&part); // of a copy that was broken off
    let whole = free_name(folder, &format!("before-version-{}", known_version()));
    let made = (|| {
        let copy = new_own_file(&part).map_err(|fault| io(&fault, &part))?;
        db.execute("VACUUM INTO ?1", [part.to_string_lossy()])?;
        copy.sync_all().map_err(|fault| io(&fault, &part))?;
        fs::rename(&part, &whole).map_err(|fault| io(&fault, &part))
    })();
    made.inspect_err(|_| drop(fs::remove_file(&part)))?;
    Ok(whole)
}

/// Every version after the one that was found, all of them or none.
fn bring_up(db: &Connection, found: i64) -> Result<(), StoreFault> {
    let missing: String = schema::SQLITE.into_iter().skip(found as usize).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let version = known_version();
    let done =
        db.execute_batch(&format!("BEGIN IMMEDIATE; {missing} PRAGMA user_version = {version}; COMMIT;"));
    if done.is_err() && !db.is_autocommit() {
        db.execute_batch("ROLLBACK")?;
    }
    Ok(done?)
}

pub(super) fn secret(db: &Connection) -> Result<[u8; 32], StoreFault> {
    let new: [u8; 32] = crate::id::random();
    db.execute("INSERT OR IGNORE INTO meta (name, value) VALUES ('secret', ?1)", [new])?;
    Ok(db.query_row("SELECT value FROM meta WHERE name = 'secret'", [], |row| row.get(0))?)
}

/// The highest number that a row has, or had.
pub(super) fn last_row(db: &Connection) -> rusqlite::Result<i64> {
    let sql = "SELECT coalesce(max(id), 0) FROM (SELECT max(id) AS id FROM lines UNION ALL SELECT max(last) FROM ends)";
    db.query_row(sql, [], |row| row.get(0))
}

/// Folds as much of the write-ahead log into the file as nobody reads any more.
pub(super) fn checkpoint(db: &Connection) -> rusqlite::Result<()> {
    db.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
}
