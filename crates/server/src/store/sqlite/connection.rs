//! The house's file: how it is opened, locked and brought up to date, and what its faults mean.

use crate::store::files::{new_own_file, own_file, own_folder, restrict_file};
use crate::store::{StoreFault, schema};
use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};
use std::fs::{self, File};
use std::path::Path;
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

pub(super) fn connect(file: &Path) -> Result<Connection, StoreFault> {
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
    let db = connect(file)?;
    migrate(&db, file)?;
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

/// Brings a house up to this version. What an older version left is copied first: whoever wants back finds it beside the house.
fn migrate(db: &Connection, file: &Path) -> Result<(), StoreFault> {
    let known = schema::SQLITE.len() as i64;
    let found: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > known {
        return Err(StoreFault::Newer { found, known });
    }
    if (1..known).contains(&found) {
        let copy = file.with_file_name(format!("before-version-{known}.db"));
        // Of an upgrade that was broken off, the first copy is the one that counts.
        if new_own_file(&copy).is_ok() {
            let name = copy.to_string_lossy();
            db.execute("VACUUM INTO ?1", [&name]).inspect_err(|_| drop(fs::remove_file(&copy)))?;
            tracing::info!(copy = %name, "kept the house as an older version left it");
        }
    }
    for (version, schema) in (1_i64..).zip(schema::SQLITE).skip(found as usize) {
        db.execute_batch(&format!("BEGIN IMMEDIATE; {schema} PRAGMA user_version = {version}; COMMIT;"))?;
    }
    Ok(())
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
