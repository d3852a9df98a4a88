//! Copies of a whole house, made while people play, and put back. There is one kind of copy: a file as a folder keeps it, whether the house that it comes from
//! or goes to is in a folder or in a database. The sum of everything in it stands in it, so that a copy that was damaged is found out before it is used.

use crate::host::existing;
#[cfg(feature = "cluster")]
use crate::host::wait_for;
use crate::store::StoreFault;
use crate::store::files::{free_name, new_own_file};
#[cfg(feature = "cluster")]
use crate::store::moving::{Taken, copy_in, copy_out};
use crate::store::office::Home;
#[cfg(feature = "cluster")]
use crate::store::postgres;
use crate::store::sqlite::{self, FILE};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Where the sum stands in the copy.
const SUM: &str = "sum";

/// Copies a whole house into one file, while servers have it open or not. The file must not be there yet, and nobody else may read it.
pub fn backup(home: &Home, file: &Path) -> Result<(), StoreFault> {
    // The house's secret will be in it: it is private before there is anything in it.
    drop(new_own_file(file).map_err(|fault| match fault.kind() {
        ErrorKind::AlreadyExists => {
            StoreFault::Broken(format!("{} is already there; choose another name", file.display()))
        }
        _ => io(file, &fault),
    })?);
    let made = match home {
        Home::Folder(folder) => existing(folder).and_then(|house| copy(&house, file)),
        #[cfg(feature = "cluster")]
        Home::Database(url) => {
            postgres::address(url).and_then(|config| wait_for(copy_out(&config, file)).map(drop))
        }
        #[cfg(not(feature = "cluster"))]
        Home::Database(_) => Err(StoreFault::LeftOut),
    };
    let made = made.and_then(|()| sign(file)).and_then(|()| sync(file).map_err(|fault| io(file, &fault)));
    if made.is_err() {
        let _ = fs::remove_file(file); // half a copy is none
    }
    made
}

/// Copies the house in a file to another, which is empty.
fn copy(house: &Path, file: &Path) -> Result<(), StoreFault> {
    let db = sqlite::connect_reader(house)?;
    let name = file.to_str().ok_or_else(|| StoreFault::Broken("the file's name is not text".to_owned()))?;
    db.execute("VACUUM INTO ?1", [name])?;
    Ok(())
}

/// Puts the sum of everything that is in a copy into it.
fn sign(file: &Path) -> Result<(), StoreFault> {
    let db = Connection::open(file)?;
    let sum = sum(&db)?;
    db.execute("INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)", (SUM, sum))?;
    db.close().map_err(|(_, fault)| fault.into())
}

/// The sum of every value of every table but of the sum itself.
fn sum(db: &Connection) -> rusqlite::Result<[u8; 32]> {
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";
    let names: Vec<String> =
        db.prepare(sql)?.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let mut sum = Sha256::new();
    let mut add = |kind: u8, bytes: &[u8]| {
        sum.update([kind]);
        sum.update((bytes.len() as u64).to_le_bytes());
        sum.update(bytes);
    };
    for name in names {
        add(b't', name.as_bytes());
        let without = if name == "meta" { format!(" WHERE name <> '{SUM}'") } else { String::new() };
        let mut told = db.prepare(&format!("SELECT * FROM {name}{without}"))?;
        let columns = told.column_count();
        let mut told = told.query([])?;
        while let Some(row) = told.next()? {
            for column in 0..columns {
                match row.get_ref(column)? {
                    ValueRef::Null => add(b'0', &[]),
                    ValueRef::Integer(number) => add(b'i', &number.to_le_bytes()),
                    ValueRef::Real(number) => add(b'r', &number.to_bits().to_le_bytes()),
                    ValueRef::Text(text) => add(b's', text),
                    ValueRef::Blob(bytes) => add(b'b', bytes),
                }
            }
        }
    }
    Ok(sum.finalize().into())
}

/// Puts a copy made by [`backup`] where a house is, or will be; nobody may be using that. A copy that an older version made is brought up to date. A house
/// that was there is moved aside, and where to is answered.
pub fn restore(file: &Path, home: &Home) -> Result<Option<String>, StoreFault> {
    check(file)?;
    match home {
        Home::Folder(folder) => restore_folder(file, folder),
        #[cfg(not(feature = "cluster"))]
        Home::Database(_) => Err(StoreFault::LeftOut),
        #[cfg(feature = "cluster")]
        Home::Database(url) => {
            let scratch = Scratch::new().map_err(|fault| io(&std::env::temp_dir(), &fault))?;
            let house = scratch.0.join(FILE);
            let new = prepared(file, &house)?;
            wait_for(copy_in(&new, url, Taken::MoveAside, |_, _| {})).map(|moved| moved.aside)
        }
    }
}

/// Refuses what is no whole copy of a house, before anything is touched.
fn check(file: &Path) -> Result<(), StoreFault> {
    let wrong = |what: &str| StoreFault::Broken(format!("{} {what}; the house is as it was", file.display()));
    if !file.is_file() {
        return Err(wrong("is not there, or is no file"));
    }
    let looked = || -> rusqlite::Result<Option<&str>> {
        let copy = Connection::open_with_flags(file, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let found: i64 = copy.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let sound: String = copy.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
        let secret = "SELECT count(*) FROM meta WHERE name = 'secret'";
        let secret: u64 = copy.query_row(secret, [], |row| row.get(0))?;
        if found < 1 || sound != "ok" || secret != 1 {
            return Ok(Some("is no whole copy of a house"));
        }
        // Older versions wrote no sum.
        let kept =
            copy.query_row("SELECT value FROM meta WHERE name = ?1", [SUM], |row| row.get::<_, [u8; 32]>(0));
        Ok(match kept.optional()? {
            Some(kept) if kept != sum(&copy)? => Some("was changed or damaged after it was made"),
            _ => None,
        })
    };
    match looked() {
        Ok(None) => Ok(()),
        Ok(Some(what)) => Err(wrong(what)),
        Err(_) => Err(wrong("is no whole copy of a house")),
    }
}

/// A copy as a house to be opened: brought up to date, and without the sum of a copy.
fn prepared(file: &Path, house: &Path) -> Result<Connection, StoreFault> {
    drop(new_own_file(house).map_err(|fault| io(house, &fault))?);
    copy(file, house)?;
    let db = sqlite::upgraded_copy(house)?;
    db.execute("DELETE FROM meta WHERE name = ?1", [SUM])?;
    Ok(db)
}

fn restore_folder(file: &Path, data: &Path) -> Result<Option<String>, StoreFault> {
    let _lock = sqlite::lock(data)?;
    let new = data.join("restored.db");
    let remove = || {
        for end in ["db", "db-wal", "db-shm"] {
            let _ = fs::remove_file(new.with_extension(end)); // most likely none is there
        }
    };
    remove(); // of a restore that was broken off
    let ready = prepared(file, &new).and_then(|db| {
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        db.pragma_update(None, "journal_mode", "delete")?;
        db.close().map_err(|(_, fault)| fault)?;
        sync(&new).map_err(|fault| io(&new, &fault))
    });
    ready.inspect_err(|_| remove())?;
    let aside = set_aside(data).map_err(|fault| io(data, &fault))?;
    fs::rename(&new, data.join(FILE)).map_err(|fault| io(data, &fault))?;
    sync_folder(data).map_err(|fault| io(data, &fault))?;
    Ok(aside.map(|aside| aside.display().to_string()))
}

/// Moves the house in a folder aside, with what SQLite keeps beside it. The log goes first: without it nobody would take the file for whole.
fn set_aside(data: &Path) -> io::Result<Option<PathBuf>> {
    let house = data.join(FILE);
    if !house.exists() {
        return Ok(None);
    }
    let aside = free_name(data, "replaced");
    for beside in ["db-wal", "db-shm", "db"] {
        match fs::rename(house.with_extension(beside), aside.with_extension(beside)) {
            Err(fault) if fault.kind() != ErrorKind::NotFound => return Err(fault),
            _ => {}
        }
    }
    Ok(Some(aside))
}

/// A folder for a moment, that nobody else may enter.
#[cfg(feature = "cluster")]
struct Scratch(PathBuf);

#[cfg(feature = "cluster")]
impl Scratch {
    fn new() -> io::Result<Scratch> {
        let folder = std::env::temp_dir().join(format!("parlor-{}", crate::id::fresh()));
        let mut new = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut new, 0o700);
        new.create(&folder)?;
        Ok(Scratch(folder))
    }
}

#[cfg(feature = "cluster")]
impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0); // the system clears such folders too
    }
}

fn sync(file: &Path) -> io::Result<()> {
    File::options().write(true).open(file)?.sync_all()
}

/// Names are on disk, too.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn io(path: &Path, fault: &io::Error) -> StoreFault {
    StoreFault::Broken(format!("{}: {fault}", path.display()))
}
