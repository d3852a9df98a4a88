//! The record of a game: JSON lines, one for the head, one for each event, one for the end.
//!
//! ```text
//! {"parlor":1,"game":"cubo","options":{…},"seats":[{"name":"Ann","seed":"…"}],"commit":"…","c":"…"}
//! {"t":1500,"seat":0,"act":{"do":"call"},"c":"…"}
//! {"t":7500,"c":"…"}                                            time was up: nobody acted
//! {"t":9000,"end":{"outcome":{…},"state":"…","drawn":36,"seed":"…"},"c":"…"}
//! ```
//!
//! `c` is a running sum: the first 8 bytes of SHA-256 over the sum before and the text of the line up to it. So a
//! line that was changed, lost, added or moved is found and named. A record can be written and read as a stream.

use crate::{Commitment, Outcome, Seat, Seats, Seed, Time, hex};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The version of records that this program writes and reads.
pub const VERSION: u32 = 1;

/// How a record begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head<O> {
    /// The version of the record, [`VERSION`].
    pub parlor: u32,
    /// The game's name.
    pub game: String,
    /// The revision of the game's rules that was played; records from before there were revisions are of the first.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub rules: u32,
    /// What the table agreed on, whole.
    pub options: O,
    /// Who sits where, and what each added to the dice.
    pub seats: Seats,
    /// The house's promise about the dice.
    pub commit: Commitment,
    /// When the table opened, in milliseconds since 1970, where it matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened: Option<u64>,
}

const fn first() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
const fn is_first(rules: &u32) -> bool {
    *rules == first()
}

impl<O> Head<O> {
    /// The same head for a game played by this revision of its rules, [`Game::RULES`](crate::Game::RULES).
    #[must_use]
    pub fn under(mut self, rules: u32) -> Head<O> {
        self.rules = rules;
        self
    }

    /// The same head with the wall clock of its opening, in milliseconds since 1970.
    #[must_use]
    pub fn opened(mut self, opened: Option<u64>) -> Head<O> {
        self.opened = opened;
        self
    }

    /// The head of a new game.
    pub fn new(game: &str, options: O, seats: Seats, commit: Commitment) -> Head<O> {
        Head { parlor: VERSION, game: game.to_owned(), rules: first(), options, seats, commit, opened: None }
    }
}

/// Something that happened at a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<A> {
    /// A seat acted.
    Act {
        /// Who.
        seat: Seat,
        /// What.
        act: A,
    },
    /// Time was up.
    Time,
}

/// An event and when it happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<A> {
    /// When, in table time.
    pub at: Time,
    /// What.
    pub event: Event<A>,
}

/// How a record ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// Who won, and the scores.
    #[serde(deserialize_with = "WholeOutcome::deserialize")]
    pub outcome: Outcome,
    /// The fingerprint of the last state.
    pub state: String,
    /// How many words of the dice's stream were used.
    pub drawn: u64,
    /// The house's seed, shown at last.
    pub seed: Seed,
}

/// On a wire an outcome may have fields that are unknown here; in a record, nothing stands that the replay does not give.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, remote = "Outcome")]
struct WholeOutcome {
    ranks: Vec<u32>,
    scores: Vec<i64>,
}

/// One line of a record after the head.
#[derive(Clone, Debug, PartialEq)]
pub enum Line<A> {
    /// An event.
    Entry(Entry<A>),
    /// The end, and when it came.
    End(Time, End),
}

/// The running sum of a record: what the next line continues from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum([u8; 8]);

const SUM_KEY: &str = ",\"c\":\"";
/// `,"c":"` + 16 digits + `"}`
const SEAL: usize = SUM_KEY.len() + 16 + 2;

impl Sum {
    fn after(self, body: &str) -> Sum {
        let digest = Sha256::new().chain_update(self.0).chain_update(body).finalize();
        let mut sum = Sum::default();
        sum.0.copy_from_slice(&digest[..8]);
        sum
    }

    /// The sum that a line carries, unchecked: where to go on writing after it.
    pub fn of_line(line: &str) -> Option<Sum> {
        let (_, found) = unseal(line)?;
        hex::decode(found).map(Sum)
    }
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

/// A line as its text before the sum, and the sum.
fn unseal(line: &str) -> Option<(&str, &str)> {
    let at = line.len().checked_sub(SEAL)?;
    let (body, seal) = line.split_at_checked(at)?;
    Some((body, seal.strip_prefix(SUM_KEY)?.strip_suffix("\"}")?))
}

/// Writes the lines of one record, in order, without their line ends.
#[derive(Clone, Debug, Default)]
pub struct Scribe {
    sum: Sum,
}

#[derive(Serialize)]
struct ActLine<'a, A> {
    t: Time,
    seat: Seat,
    act: &'a A,
}

#[derive(Serialize)]
struct TimeLine {
    t: Time,
}

#[derive(Serialize)]
struct EndLine<'a> {
    t: Time,
    end: &'a End,
}

impl Scribe {
    /// A scribe for a new record.
    pub fn new() -> Scribe {
        Scribe::default()
    }

    /// A scribe that goes on after a line whose sum is known.
    pub const fn after(sum: Sum) -> Scribe {
        Scribe { sum }
    }

    /// The first line.
    pub fn head<O: Serialize>(&mut self, head: &Head<O>) -> String {
        self.seal(head)
    }

    /// A seat acted.
    pub fn act<A: Serialize>(&mut self, t: Time, seat: Seat, act: &A) -> String {
        self.seal(&ActLine { t, seat, act })
    }

    /// Time was up.
    pub fn time(&mut self, t: Time) -> String {
        self.seal(&TimeLine { t })
    }

    /// Whatever happened.
    pub fn event<A: Serialize>(&mut self, at: Time, event: &Event<A>) -> String {
        match event {
            Event::Act { seat, act } => self.act(at, *seat, act),
            Event::Time => self.time(at),
        }
    }

    /// The last line.
    pub fn end(&mut self, t: Time, end: &End) -> String {
        self.seal(&EndLine { t, end })
    }

    fn seal<T: Serialize>(&mut self, line: &T) -> String {
        let mut text = serde_json::to_string(line).expect("a record is plain data with text keys");
        text.pop(); // the closing brace comes after the sum
        self.sum = self.sum.after(&text);
        text.push_str(SUM_KEY);
        text.push_str(&self.sum.to_string());
        text.push_str("\"}");
        text
    }
}

/// What is wrong with one line's text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineFault {
    /// The sum does not follow from the line before.
    #[error("the line was changed, moved or cut: its sum should be {expected}, and is {found}")]
    Sum {
        /// The sum that the text gives.
        expected: String,
        /// The sum that stands there.
        found: String,
    },
    /// There is no sum.
    #[error("the line does not end with a sum (…,\"c\":\"16 digits\"}}); it was cut or is not from a record")]
    NoSum,
    /// It is no line of this game.
    #[error("the line is not an event of this game: {0}")]
    Unreadable(String),
}

/// Reads the lines of one record, in order, and checks that each follows from the one before.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    sum: Sum,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound = "A: DeserializeOwned")]
struct RawLine<A> {
    t: Time,
    seat: Option<Seat>,
    act: Option<A>,
    end: Option<End>,
    #[serde(rename = "c")]
    _sum: serde::de::IgnoredAny,
}

impl Reader {
    /// A reader at the beginning of a record.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// The first line.
    pub fn head<O: DeserializeOwned>(&mut self, line: &str) -> Result<Head<O>, LineFault> {
        self.check(line)?;
        serde_json::from_str(line).map_err(|fault| unreadable(&fault))
    }

    /// Any further line.
    pub fn line<A: DeserializeOwned>(&mut self, line: &str) -> Result<Line<A>, LineFault> {
        self.check(line)?;
        let raw: RawLine<A> = serde_json::from_str(line).map_err(|fault| unreadable(&fault))?;
        let entry = |event| Line::Entry(Entry { at: raw.t, event });
        match (raw.seat, raw.act, raw.end) {
            (Some(seat), Some(act), None) => Ok(entry(Event::Act { seat, act })),
            (None, None, None) => Ok(entry(Event::Time)),
            (None, None, Some(end)) => Ok(Line::End(raw.t, end)),
            _ => Err(LineFault::Unreadable("seat and act go together, and alone".to_owned())),
        }
    }

    fn check(&mut self, line: &str) -> Result<(), LineFault> {
        let (body, found) = unseal(line).ok_or(LineFault::NoSum)?;
        let sum = self.sum.after(body);
        if hex::decode(found) != Some(sum.0) {
            return Err(LineFault::Sum { expected: sum.to_string(), found: found.to_owned() });
        }
        self.sum = sum;
        Ok(())
    }

    /// Where a scribe may go on.
    pub const fn sum(&self) -> Sum {
        self.sum
    }
}

fn unreadable(fault: &serde_json::Error) -> LineFault {
    let fault = fault.to_string();
    // The line's number within itself (always 1) would only confuse; the caller knows the real one.
    LineFault::Unreadable(fault.replace(" at line 1 column", " at column"))
}
