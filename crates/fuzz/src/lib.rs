//! Everything that reads what a person, a file or the network wrote, fed with what nobody would write.
//!
//! A [`Target`] is one kind of reader with the properties it must keep; its seeds are files in `seeds/`. Inputs are changed at random from
//! one number; those that are still accepted are changed further. `cargo xtask fuzz` runs every target for a minute, the tests for a second.

mod targets;

pub use targets::TARGETS;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use table::Luck;

/// One kind of reader.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, and that of the folder with its seeds.
    pub name: &'static str,
    /// Reads an input; answers whether it was accepted, and panics if a property does not hold.
    pub read: fn(&str) -> bool,
}

/// What a run came to.
#[derive(Debug)]
pub struct Ran {
    /// Inputs tried.
    pub tried: u64,
    /// Of those, accepted.
    pub accepted: u64,
}

/// An input that a reader did not survive.
#[derive(Debug)]
pub struct Found {
    /// The input.
    pub input: String,
    /// The number that found it.
    pub number: u64,
    /// How many inputs came before it.
    pub tried: u64,
}

/// No input is longer than this.
const LONGEST: usize = 32 * 1024;
/// So many accepted inputs are changed further.
const POOL: usize = 512;

/// The seeds of a target.
pub fn seeds(target: &Target) -> std::io::Result<Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target.name);
    let mut files = std::fs::read_dir(folder)?
        .map(|file| file.map(|file| file.path()))
        .collect::<Result<Vec<PathBuf>, _>>()?;
    files.sort();
    files.iter().map(std::fs::read_to_string).collect()
}

/// Feeds a target for a while, starting from one number.
pub fn run(target: &Target, seeds: &[String], number: u64, time: Duration) -> Result<Ran, Box<Found>> {
    let (mut luck, began) = (Luck::new(number), Instant::now());
    let mut pool = seeds.to_vec();
    let mut ran = Ran { tried: 0, accepted: 0 };
    while began.elapsed() < time || ran.tried < pool.len() as u64 {
        let seed = pool.get(ran.tried as usize).filter(|_| ran.tried < seeds.len() as u64).cloned();
        let input = seed.unwrap_or_else(|| change(&pool, &mut luck));
        let Ok(accepted) = catch_unwind(AssertUnwindSafe(|| (target.read)(&input))) else {
            return Err(Box::new(Found { input, number, tried: ran.tried }));
        };
        ran.tried += 1;
        if accepted {
            ran.accepted += 1;
            if pool.len() < POOL {
                pool.push(input);
            } else {
                let at = seeds.len() as u64 + luck.below((POOL - seeds.len().min(POOL - 1)) as u64);
                pool[at.min(POOL as u64 - 1) as usize] = input;
            }
        }
    }
    Ok(ran)
}

/// Texts that readers stumble over.
const ODD: [&str; 34] = [
    "",
    "0",
    "-1",
    "1e999",
    "-0.0",
    "18446744073709551616",
    "9223372036854775808",
    "4294967296",
    "65536",
    "256",
    "NaN",
    "null",
    "true",
    "\"\"",
    "{}",
    "[]",
    "[[[[[[[[",
    "{\"a\":",
    "\"\\ud800\"",
    "\\u0000",
    "\0",
    "\u{feff}",
    "\u{202e}",
    "é",
    "𝔘",
    "\r\n",
    "\t",
    "/",
    "//",
    "=",
    "|",
    "#",
    "''",
    "1970-01-01",
];

/// One to four changes to something from the pool.
fn change(pool: &[String], luck: &mut Luck) -> String {
    let mut text: Vec<u8> = luck.pick(pool).cloned().unwrap_or_default().into_bytes();
    for _ in 0..=luck.below(4) {
        change_once(&mut text, pool, luck);
    }
    text.truncate(LONGEST);
    String::from_utf8_lossy(&text).into_owned()
}

fn change_once(text: &mut Vec<u8>, pool: &[String], luck: &mut Luck) {
    let (from, to) = range(text.len(), luck);
    match luck.below(8) {
        0 => drop(text.drain(from..to)),
        1 => {
            let twice = text[from..to].to_vec();
            text.splice(to..to, twice);
        }
        2 => {
            if let Some(byte) = text.get_mut(from) {
                *byte ^= 1 << luck.below(8);
            }
        }
        3 => {
            if let Some(byte) = text.get_mut(from) {
                *byte = luck.below(128) as u8;
            }
        }
        4 => {
            let other = luck.pick(pool).map(String::as_bytes).unwrap_or_default();
            let (start, end) = range(other.len(), luck);
            text.splice(from..to, other[start..end].iter().copied());
        }
        5 => {
            let (other, _) = range(text.len(), luck);
            if from < text.len() && other < text.len() {
                text.swap(from, other);
            }
        }
        6 => number(text, from, luck),
        _ => {
            let odd = luck.pick(&ODD).copied().unwrap_or_default();
            text.splice(from..to, odd.bytes());
        }
    }
}

/// A piece of a text, mostly a small one.
fn range(length: usize, luck: &mut Luck) -> (usize, usize) {
    let from = luck.below(length as u64 + 1) as usize;
    let most = if luck.chance(1, 8) { length - from } else { (length - from).min(12) };
    (from, from + luck.below(most as u64 + 1) as usize)
}

/// Changes the next number in the text: a little, or to an extreme.
fn number(text: &mut Vec<u8>, from: usize, luck: &mut Luck) {
    let Some(start) = (from..text.len()).find(|&at| text[at].is_ascii_digit()) else { return };
    let end = (start..text.len()).find(|&at| !text[at].is_ascii_digit()).unwrap_or(text.len());
    let old: u64 =
        std::str::from_utf8(&text[start..end]).ok().and_then(|digits| digits.parse().ok()).unwrap_or(0);
    let new = match luck.below(5) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => u64::MAX,
        3 => 0,
        _ => luck.below(100),
    };
    text.splice(start..end, new.to_string().bytes());
}
