//! For whoever hosts a house: its move to a database, a check of every record, and where to find it from the sofa.

use crate::checkup::{Found, check_up};
use crate::store::StoreFault;
use crate::store::sqlite::{self, FILE};
use qrcodegen::{QrCode, QrCodeEcc};
use std::net::{IpAddr, UdpSocket};
use std::path::Path;

pub(crate) fn existing(data: &Path) -> Result<std::path::PathBuf, StoreFault> {
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
    /// Where the house is now that was there before, if one was.
    pub aside: Option<String>,
}

/// Where there is no PostgreSQL to move to.
#[cfg(not(feature = "cluster"))]
pub fn migrate(_: &Path, _: &str, _: impl FnMut(u64, u64)) -> Result<Moved, StoreFault> {
    Err(StoreFault::LeftOut)
}

/// Moves the house in a folder to a database; shows how far it has come. See [`moving`](crate::store::moving).
#[cfg(feature = "cluster")]
pub fn migrate(from: &Path, to: &str, progress: impl FnMut(u64, u64)) -> Result<Moved, StoreFault> {
    wait_for(crate::store::moving::move_house(from, to, progress))
}

/// For commands, which do one thing and have nothing else to do meanwhile.
pub(crate) fn wait_for<T>(work: impl Future<Output = Result<T, StoreFault>>) -> Result<T, StoreFault> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|fault| StoreFault::Broken(fault.to_string()))?.block_on(work)
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
