//! For who hosts a house: a copy of everything while it runs, a check of every record, and where to find it from the sofa.

use crate::checkup::{Found, check_up};
use crate::store::StoreFault;
use crate::store::files::new_own_file;
use crate::store::sqlite::{self, FILE};
use qrcodegen::{QrCode, QrCodeEcc};
use std::io::ErrorKind;
use std::net::{IpAddr, UdpSocket};
use std::path::{Path, PathBuf};

/// Copies a whole house into one file while the server runs. The file must not be there yet.
pub fn backup(data: &Path, file: &Path) -> Result<(), StoreFault> {
    let db = sqlite::connect_reader(&existing(data)?)?;
    let name = file.to_str().ok_or_else(|| StoreFault::Broken("the file's name is not text".to_owned()))?;
    // The house's secret is in it: it is private before there is anything in it.
    let copy = new_own_file(file).map_err(|fault| match fault.kind() {
        ErrorKind::AlreadyExists => {
            StoreFault::Broken(format!("{} is already there; choose another name", file.display()))
        }
        _ => StoreFault::Broken(format!("{}: {fault}", file.display())),
    })?;
    let done = db.execute("VACUUM INTO ?1", [name]).map_err(StoreFault::from);
    let done = done.and_then(|_| copy.sync_all().map_err(|fault| StoreFault::Broken(fault.to_string())));
    if done.is_err() {
        let _ = std::fs::remove_file(file); // half a copy is none
    }
    done
}

/// Puts a copy made by [`backup`] where a house is, or will be; nobody may be using that. A house that was there is moved aside and
/// answered.
pub fn restore(file: &Path, data: &Path) -> Result<Option<PathBuf>, StoreFault> {
    let wrong = |what: &str| StoreFault::Broken(format!("{} {what}; the house is as it was", file.display()));
    if !file.is_file() {
        return Err(wrong("is no file"));
    }
    let copy = sqlite::connect_reader(file)?;
    let sound = copy.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    let house =
        copy.query_row("SELECT count(*) FROM meta WHERE name = 'secret'", [], |row| row.get::<_, u64>(0));
    if sound.as_deref() != Ok("ok") || house != Ok(1) {
        return Err(wrong("is no whole copy of a house"));
    }
    let _lock = sqlite::lock(data)?;
    let io = |fault: std::io::Error| StoreFault::Broken(format!("{}: {fault}", data.display()));
    let new = data.join("restored.db");
    match std::fs::remove_file(&new) {
        Err(fault) if fault.kind() != ErrorKind::NotFound => return Err(io(fault)),
        _ => {}
    }
    drop(copy);
    backup(file, &new)?;
    let aside = set_aside(data).map_err(io)?;
    std::fs::rename(&new, data.join(FILE)).map_err(io)?;
    sync_folder(data).map_err(io)?;
    Ok(aside)
}

/// Moves the house in a folder aside, with what SQLite keeps beside it. The log goes first: without it nobody would take the file for whole.
fn set_aside(data: &Path) -> std::io::Result<Option<PathBuf>> {
    let house = data.join(FILE);
    if !house.exists() {
        return Ok(None);
    }
    let free =
        (1..=u16::MAX).map(|number| data.join(format!("replaced-{number}.db"))).find(|path| !path.exists());
    let aside = free.unwrap_or_else(|| data.join("replaced.db"));
    for beside in ["db-wal", "db-shm", "db"] {
        match std::fs::rename(house.with_extension(beside), aside.with_extension(beside)) {
            Err(fault) if fault.kind() != ErrorKind::NotFound => return Err(fault),
            _ => {}
        }
    }
    Ok(Some(aside))
}

/// Names are on disk, too.
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    if cfg!(unix) { std::fs::File::open(folder)?.sync_all() } else { Ok(()) }
}

fn existing(data: &Path) -> Result<std::path::PathBuf, StoreFault> {
    let file = if data.is_dir() { data.join(FILE) } else { data.to_owned() };
    if file.exists() {
        Ok(file)
    } else {
        Err(StoreFault::Broken(format!("there is no house in {}", data.display())))
    }
}

/// What was moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Tables, each read back and found the same.
    pub tables: u64,
    /// Of those, finished games whose records hold.
    pub verified: u64,
    /// Rows of all kinds.
    pub rows: u64,
    /// Tables that could not be read before and cannot be read now: they were moved as they are.
    pub faults: Vec<String>,
}

/// Where there is no PostgreSQL to move to.
#[cfg(not(feature = "cluster"))]
pub fn migrate(_: &Path, _: &str, _: impl FnMut(u64, u64)) -> Result<Moved, StoreFault> {
    Err(StoreFault::LeftOut)
}

/// Moves the house in a folder to a database; shows how far it has come. See [`moving`](crate::store::moving).
#[cfg(feature = "cluster")]
pub fn migrate(from: &Path, to: &str, progress: impl FnMut(u64, u64)) -> Result<Moved, StoreFault> {
    use crate::store::moving::move_house;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|fault| StoreFault::Broken(fault.to_string()))?;
    runtime.block_on(move_house(from, to, progress))
}

/// What the doctor found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Tables looked at.
    pub tables: u64,
    /// Of those, games that are being played.
    pub playing: u64,
    /// Of those, finished games whose records hold: dice, rules, clocks and outcome.
    pub verified: u64,
    /// Of those, games that were broken off, or will be, because this program does not play their rules.
    pub aborted: u64,
    /// What could not be checked, and which games cannot go on. Nothing is wrong with these tables.
    pub notes: Vec<String>,
    /// Everything that is wrong.
    pub faults: Vec<String>,
}

/// Checks the database and every record in a data folder (or of a backup), while a server runs or not; shows how far it has come.
pub fn doctor(data: &Path, mut progress: impl FnMut(u64, u64)) -> Result<Health, StoreFault> {
    let db = sqlite::connect_reader(&existing(data)?)?;
    let mut health = Health::default();
    let mut broken = db.prepare("PRAGMA integrity_check(20)")?;
    let broken = broken.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    health.faults.extend(broken.into_iter().filter(|line| line != "ok"));
    let tables = sqlite::all_tables(&db)?;
    let all = tables.len() as u64;
    for (at, (id, last)) in (1..).zip(tables) {
        progress(at, all);
        health.tables += 1;
        let stored = sqlite::examine(&db, &id, last).map_err(|fault| fault.to_string());
        match stored.and_then(|stored| check_up(&id, &stored)) {
            Ok((found, note)) => {
                match found {
                    Found::Playing => health.playing += 1,
                    Found::Verified => health.verified += 1,
                    Found::Aborted => health.aborted += 1,
                    Found::Empty => {}
                }
                health.notes.extend(note.map(|note| format!("table {id}: {note}")));
            }
            Err(fault) => health.faults.push(format!("table {id}: {fault}")),
        }
    }
    Ok(health)
}

/// This machine's address in its network, for who sits on the sofa. Nothing is sent to find it.
pub fn lan_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}

/// A QR code of an address, for a terminal: dark on light, with the quiet edge that a camera needs.
pub fn qr(text: &str) -> Option<String> {
    const QUIET: i32 = 4;
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let edge = || -QUIET..code.size() + QUIET;
    // Two of its squares, one above the other, are one letter of the terminal.
    let letter = |x, y| match (code.get_module(x, y), code.get_module(x, y + 1)) {
        (false, false) => ' ',
        (false, true) => '▄',
        (true, false) => '▀',
        (true, true) => '█',
    };
    let lines: Vec<String> = edge().step_by(2).map(|y| edge().map(|x| letter(x, y)).collect()).collect();
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares of a code as it stands in a terminal: `#` is dark.
    fn squares(code: &str) -> Vec<String> {
        let half = |line: &str, dark: [char; 2]| {
            line.chars().map(|letter| if dark.contains(&letter) { '#' } else { '.' }).collect()
        };
        code.lines().flat_map(|line| [half(line, ['▀', '█']), half(line, ['▄', '█'])]).collect()
    }

    #[test]
    fn a_qr_code_is_whole_with_its_three_corners_and_a_quiet_edge() {
        const CORNER: [&str; 7] =
            ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"];
        let code = squares(&qr("http://192.0.2.7:7777/").unwrap());
        // Version 2 (25 squares) holds so short an address; the last line of the terminal has a half to spare.
        let (wide, quiet) = (25 + 2 * 4, ".".repeat(33));
        assert!(code.len() == wide + 1 && code.iter().all(|line| line.chars().count() == wide), "{code:#?}");
        for line in [0, 3, 4 + 25, wide - 1] {
            assert_eq!(code[line], quiet);
        }
        assert!(code.iter().all(|line| line.starts_with("....") && line.ends_with("....")));
        for (number, corner) in CORNER.iter().enumerate() {
            assert_eq!(&code[4 + number][4..11], *corner);
            assert_eq!(&code[4 + number][22..29], *corner);
            assert_eq!(&code[22 + number][4..11], *corner);
        }
        // Between the corners dark and light take turns.
        assert_eq!(&code[10][12..21], "#.#.#.#.#");
    }

    #[test]
    fn what_no_code_can_hold_has_none() {
        assert_eq!(qr(&"x".repeat(5000)), None);
    }
}
