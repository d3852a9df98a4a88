//! Replaying a record: dice, rules, clocks and outcome. A fault names its line and what was expected there.

use crate::live::OpenFault;
use crate::record::{End, Entry, Head, Line, LineFault, Reader};
use crate::{Game, Outcome, Seed, Spoken, Table, Time};
use serde::Serialize;
use thiserror::Error;

/// What a record was found to be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verified {
    /// The game.
    pub game: String,
    /// The names in order.
    pub players: Vec<String>,
    /// How many events there were.
    pub events: u64,
    /// How long it took, in milliseconds of table time.
    pub lasted: Time,
    /// How it ended.
    pub outcome: Outcome,
    /// The fingerprint of the last state.
    pub state: String,
    /// How many words the dice used.
    pub drawn: u64,
}

/// A record that does not hold.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("line {line}: {what}")]
pub struct Fault {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: What,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum What {
    /// Its text.
    #[error("{0}")]
    Text(LineFault),
    /// The table it describes cannot be opened.
    #[error("this table cannot be opened: {0}")]
    Open(String),
    /// The event could not have happened.
    #[error("this could not have happened: {}", .0.says)]
    Refused(Box<Spoken>),
    /// Something follows the end.
    #[error("the record goes on after its end")]
    AfterEnd,
    /// The end is missing.
    #[error("the record is cut short: its end, with the seed of the dice, is missing")]
    NoEnd,
    /// The game has not ended there.
    #[error("the record ends, but the game does not: somebody could still play")]
    GoesOn,
    /// The end does not follow from the game.
    #[error("the game ends with {field} {expected}; the record says {found}")]
    End {
        /// Which field of the end.
        field: &'static str,
        /// What the replay gives.
        expected: String,
        /// What the record says.
        found: String,
    },
}

/// Replays a finished record and checks everything in it.
pub fn verify<G: Game>(text: &str) -> Result<Verified, Fault> {
    walk::<G>(text, |_, _| ())
}

/// Only the head of a record: which game it is, and who played.
pub fn head(text: &str) -> Result<Head<serde_json::Value>, Fault> {
    let line = text.lines().next().unwrap_or("");
    Reader::new().head(line).map_err(|fault| Fault { line: 1, what: What::Text(fault) })
}

/// Replays a finished record and shows the table after each event.
pub fn walk<G: Game>(text: &str, mut each: impl FnMut(&Table<G>, &Entry<G::Act>)) -> Result<Verified, Fault> {
    let mut reader = Reader::new();
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let (_, first) = lines.next().unwrap_or((1, ""));
    let head: Head<G::Options> =
        reader.head(first).map_err(|fault| Fault { line: 1, what: What::Text(fault) })?;
    let seed = shown_seed(text)?;
    let mut table = Table::<G>::open(&head, &seed).map_err(|fault| {
        // A false seed is the end's fault: that is where it stands.
        let line = if fault == OpenFault::WrongSeed { text.lines().count() } else { 1 };
        Fault { line, what: What::Open(fault.to_string()) }
    })?;
    let mut end = None;
    for (number, line) in lines {
        let at = |what| Fault { line: number, what };
        if end.is_some() {
            return Err(at(What::AfterEnd));
        }
        match reader.line::<G::Act>(line).map_err(|fault| at(What::Text(fault)))? {
            Line::Entry(entry) => {
                table.redo(&entry).map_err(|refused| at(What::Refused(Box::new(Spoken::of(&refused)))))?;
                each(&table, &entry);
            }
            Line::End(when, last) => {
                check_end(&table, when, &last).map_err(at)?;
                end = Some(last);
            }
        }
    }
    let end = end.ok_or(Fault { line: text.lines().count(), what: What::NoEnd })?;
    Ok(Verified {
        game: head.game,
        players: head.seats.seated().iter().map(|seated| seated.name.clone()).collect(),
        events: table.events(),
        lasted: table.now(),
        outcome: end.outcome,
        state: end.state,
        drawn: end.drawn,
    })
}

/// The seed stands on the last line; the replay needs it before the first throw. Whether that line is sound is
/// found out in its turn.
fn shown_seed(text: &str) -> Result<Seed, Fault> {
    #[derive(serde::Deserialize)]
    struct Last {
        end: End,
    }
    let last = text.lines().enumerate().last();
    match last.map(|(at, line)| (at + 1, serde_json::from_str::<Last>(line))) {
        Some((_, Ok(last))) => Ok(last.end.seed),
        Some((line, Err(_))) => Err(after_end_or_cut(text, line)),
        None => Err(Fault { line: 1, what: What::NoEnd }),
    }
}

/// The last line is no end: something was added after the end, or the end was cut off.
fn after_end_or_cut(text: &str, last: usize) -> Fault {
    let ended = text.lines().position(|line| line.contains("\"end\":{"));
    match ended {
        Some(at) if at + 1 < last => Fault { line: at + 2, what: What::AfterEnd },
        _ => Fault { line: last, what: What::NoEnd },
    }
}

fn check_end<G: Game>(table: &Table<G>, when: Time, end: &End) -> Result<(), What> {
    let outcome = table.outcome().ok_or(What::GoesOn)?;
    let same = |field, expected: String, found: String| {
        if expected == found { Ok(()) } else { Err(What::End { field, expected, found }) }
    };
    same("time", table.now().to_string(), when.to_string())?;
    same("outcome", format!("{outcome:?}"), format!("{:?}", end.outcome))?;
    same("state", table.fingerprint(), end.state.clone())?;
    same("dice drawn", table.drawn().to_string(), end.drawn.to_string())
}
