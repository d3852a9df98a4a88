//! `parlor doctor`: whether the machine is fit for a house, and whether the house in a folder is sound.

use crate::address;
use crate::answer::{Answer, Failure, Outcome};
use crate::machine;
use crate::progress::Progress;
use crate::serve::{house_answers, report};
use serde_json::json;
use server::Health;
use std::fmt::Write;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// With less room than this a house soon refuses acts.
const LITTLE: u64 = 200 * 1024 * 1024;
/// Fewer open files than this are too few for an evening.
const FEW: u64 = 1_024;
/// When this was written, in seconds since 1970: a clock before it has not been set. (1 January 2026.)
const WRITTEN: u64 = 1_767_225_600;
/// Clocks that differ by less do no harm.
const SLACK: Duration = Duration::from_mins(5);

/// Something about the machine.
struct Sign {
    what: &'static str,
    well: bool,
    says: String,
}

impl Sign {
    fn well(what: &'static str, says: impl Into<String>) -> Sign {
        Sign { what, well: true, says: says.into() }
    }

    fn ill(what: &'static str, says: impl Into<String>) -> Sign {
        Sign { what, well: false, says: says.into() }
    }
}

/// Looks at the machine, and at every record in a data folder, if there is a house.
pub(crate) fn doctor(data: &Path, listen: SocketAddr) -> Outcome {
    address::folder(data, "The doctor looks at houses in folders, and at backups of them.")?;
    let signs = examine(data, listen);
    if data.is_dir() && !data.join("parlor.db").exists() || !data.exists() {
        let none = format!("There is no house in {} yet; parlor serve makes one.", data.display());
        return Ok(told(&signs, Answer::new(none, &json!({"tables": 0, "notes": [], "faults": []}))));
    }
    let mut bar: Option<Progress> = None;
    let health =
        server::doctor(data, |_, all| bar.get_or_insert_with(|| Progress::new(all, "tables")).step());
    if let Some(bar) = bar {
        bar.done();
    }
    let health = health.map_err(|fault| Failure::new("doctor", fault))?;
    Ok(told(&signs, diagnosis(health)))
}

fn examine(data: &Path, listen: SocketAddr) -> Vec<Sign> {
    let (now, most) = machine::file_limit();
    let mut signs = vec![port(listen), files(now, most)];
    signs.extend(machine::free_room(data).map(|bytes| room(data, bytes)));
    signs.extend(folder(data));
    signs.push(clock(SystemTime::now(), data));
    signs
}

fn port(listen: SocketAddr) -> Sign {
    match TcpListener::bind(listen) {
        Ok(_) => Sign::well("port", format!("{listen} is free")),
        Err(fault) if fault.kind() == ErrorKind::AddrInUse && house_answers(listen, "/healthz").is_ok() => {
            Sign::well("port", format!("a house is open at {listen}"))
        }
        // The house takes the next, if nobody told it which.
        Err(fault) if fault.kind() == ErrorKind::AddrInUse => {
            Sign::well("port", format!("another program listens at {listen}; choose a port with --listen"))
        }
        Err(fault) if fault.kind() == ErrorKind::PermissionDenied => Sign::ill(
            "port",
            format!(
                "nobody but the superuser may listen at {listen}; choose a port from 1024 up with --listen"
            ),
        ),
        Err(fault) => {
            Sign::ill("port", format!("{listen}: {fault}; choose an address of this machine with --listen"))
        }
    }
}

fn files(now: u64, most: u64) -> Sign {
    let number = |limit: u64| if limit == u64::MAX { "any number of".to_owned() } else { limit.to_string() };
    let says = format!("a program may have {} files open; the house asks for {}", number(now), number(most));
    if most >= FEW {
        return Sign::well("files", says);
    }
    Sign::ill(
        "files",
        format!(
            "{says}, and each player takes one: raise the limit with ulimit -Hn 65536, or LimitNOFILE= in its unit"
        ),
    )
}

fn room(data: &Path, bytes: u64) -> Sign {
    let says = format!("{} free at {}", size(bytes), data.display());
    if bytes >= LITTLE {
        return Sign::well("disk", says);
    }
    Sign::ill(
        "disk",
        format!("only {says}: acts are refused when it is full. Make room, or choose another --data"),
    )
}

fn size(bytes: u64) -> String {
    const MIB: u64 = 1024 * 1024;
    if bytes >= 10 * 1024 * MIB {
        format!("{} GiB", bytes / 1024 / MIB)
    } else {
        format!("{} MiB", bytes / MIB)
    }
}

/// Whose the folder and its files are, and who else can open them.
fn folder(data: &Path) -> Vec<Sign> {
    let of = if data.is_dir() { data } else { data.parent().unwrap_or(data) };
    let names = ["parlor.db", "parlor.db-wal", "parlor.db-shm", "lock", "tls/certificate.pem"];
    let inside = names.into_iter().map(|name| data.join(name));
    let all: Vec<PathBuf> = std::iter::once(data.to_owned()).chain(inside).collect();
    let ill: Vec<Sign> = all
        .iter()
        .flat_map(|path| machine::hindrances(path, of))
        .map(|says| Sign::ill("folder", says))
        .collect();
    if ill.is_empty() && data.exists() {
        return vec![Sign::well("folder", format!("{} can be used, and by nobody else", data.display()))];
    }
    ill
}

/// Whether the clock can be right: it is used for who was here when, and for how long certificates hold.
fn clock(now: SystemTime, data: &Path) -> Sign {
    let ill = |what: &str| {
        Sign::ill(
            "clock",
            format!("{what}: set the clock, or let the system do it (timedatectl set-ntp true)"),
        )
    };
    if now < UNIX_EPOCH + Duration::from_secs(WRITTEN) {
        return ill("it shows a day before this program was written");
    }
    let written = ["parlor.db-wal", "parlor.db"]
        .iter()
        .filter_map(|name| data.join(name).metadata().ok()?.modified().ok())
        .max();
    match written.and_then(|written| written.duration_since(now).ok()).filter(|ahead| *ahead > SLACK) {
        Some(ahead) => {
            ill(&format!("the house was last written to {} minutes from now", ahead.as_secs() / 60))
        }
        None => Sign::well("clock", "it can be right"),
    }
}

/// The machine, and then the house.
fn told(signs: &[Sign], house: Answer) -> Answer {
    let mut words = String::new();
    for Sign { what, well, says } in signs {
        let _ = writeln!(words, "{} {what:<6}  {says}", if *well { "ok" } else { "!!" });
    }
    let machine: Vec<_> =
        signs.iter().map(|sign| json!({"what": sign.what, "well": sign.well, "says": sign.says})).collect();
    let answer = house.after(&words, "machine", json!(machine));
    if signs.iter().all(|sign| sign.well) { answer } else { answer.no() }
}

fn diagnosis(health: Health) -> Answer {
    let Health { tables, playing, verified, aborted, notes, faults } = health;
    let mut words = format!("{tables} tables: {verified} finished and verified, {playing} in play");
    if aborted > 0 {
        let _ = write!(words, ", {aborted} broken off");
    }
    for note in &notes {
        let _ = write!(words, "\n  {note}");
    }
    let json = json!({
        "tables": tables, "playing": playing, "verified": verified, "aborted": aborted, "notes": notes, "faults": faults,
    });
    report(words, &faults, &json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_doctor_names_games_that_cannot_go_on_and_takes_them_for_no_fault() {
        let broken_off = "table t: The game cannot go on here.";
        let health =
            Health { tables: 2, playing: 1, aborted: 1, notes: vec![broken_off.into()], ..Health::default() };
        let answer = diagnosis(health.clone());
        let words = "2 tables: 0 finished and verified, 1 in play, 1 broken off\n  table t: The game cannot go on here.";
        assert_eq!(answer.said(), (words, true));
        let faults = vec!["table u: row 1: missing".to_owned()];
        assert!(!diagnosis(Health { faults, ..health }).said().1);
    }

    #[test]
    fn what_is_wrong_with_a_machine_is_said_with_what_to_do() {
        assert!(files(1_024, 524_288).well && !files(256, 512).well);
        assert!(files(256, 512).says.contains("LimitNOFILE="));
        let data = Path::new("nowhere");
        assert!(room(data, 5 << 30).well && room(data, 5 << 30).says.contains("5120 MiB free"));
        assert!(room(data, 1 << 20).says.starts_with("only 1 MiB free"));
        assert!(!clock(UNIX_EPOCH, data).well && clock(SystemTime::now(), data).well);
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let says = port(taken.local_addr().unwrap()).says;
        assert!(says.contains("another program"), "{says}");
    }

    #[test]
    fn a_house_from_the_future_means_a_clock_that_is_wrong() {
        let folder = std::env::temp_dir().join(format!("parlor-clock-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("parlor.db"), "").unwrap();
        let yesterday = SystemTime::now() - Duration::from_hours(24);
        let sign = clock(yesterday, &folder);
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(!sign.well && sign.says.contains("minutes from now"), "{}", sign.says);
    }
}
