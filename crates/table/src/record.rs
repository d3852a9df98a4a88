//! The record of a game: JSON lines, one for the head, one for each event, one for the end.
//!
//! ```text
//! {"parlor":1,"game":"cubo","options":{…},"seats":[{"name":"Ann","seed":"…"}],"commit":"…","c":"…"}
//! {"t":1500,"seat":0,"act":{"do":"call"},"c":"…"}
//! {"t":7500,"c":"…"}                                            time was up: nobody acted
//! {"t":9000,"end":{"outcome":{…},"state":"…","drawn":36,"seed":"…"},"c":"…"}
//! ```
//!
//! `c` is a running sum: SHA-256 over the sum before and the text of the line up to it. So a line that was changed, lost, added or moved
//! is found and named. A record can be written and read as a stream.
//!
//! Where players' clients add to the dice (see [`chain`](crate::chain)) the record is of format 2. Its head has their anchors; after it, and
//! after each line that throws, stand the links that the throw was made with:
//!
//! ```text
//! {"parlor":2,…,"anchors":{"0":"…","1":"…"},"c":"…"}
//! {"t":0,"throw":1,"links":["…","…"],"c":"…"}                   the table is laid
//! {"t":1500,"seat":0,"act":{"do":"ready"},"c":"…"}
//! {"t":1500,"throw":2,"silent":[1],"c":"…"}                     seat 1 did not answer: nothing was thrown
//! {"t":1500,"throw":3,"links":["…"],"c":"…"}
//! {"t":2000,"seat":1,"anchor":"…","c":"…"}                      seat 1 is back with another chain
//! ```
//!
//! A sum has 8 bytes in format 1, where it guards against accidents, and 32 in format 2, where players' clients sign with it what they saw:
//! of two records with the same 8 bytes a house could make thousands in a minute.

use crate::chain::Link;
use crate::{Commitment, Outcome, Seat, Seats, Seed, Time, hex};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use thiserror::Error;

/// The format of records without players' links.
pub const PLAIN: u32 = 1;
/// The format of records with players' links, the latest that this program writes and reads.
pub const LINKED: u32 = 2;

/// How a record begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head<O> {
    /// The format of the record, [`PLAIN`] or [`LINKED`].
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
    /// The anchors of the seats whose clients add to every throw.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub anchors: BTreeMap<Seat, Link>,
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

    /// The same head with the anchors of players' chains. With any, the record is [`LINKED`].
    #[must_use]
    pub fn linked(mut self, anchors: BTreeMap<Seat, Link>) -> Head<O> {
        self.parlor = if anchors.is_empty() { PLAIN } else { LINKED };
        self.anchors = anchors;
        self
    }

    /// The head of a new game.
    pub fn new(game: &str, options: O, seats: Seats, commit: Commitment) -> Head<O> {
        let (game, rules, anchors) = (game.to_owned(), first(), BTreeMap::new());
        Head { parlor: PLAIN, game, rules, options, seats, commit, opened: None, anchors }
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

/// What players' clients answered when they were asked for a throw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gathered {
    /// A link from each that was asked, in the order of their seats: the throw is made.
    Links(Vec<Link>),
    /// Some did not answer: nothing is thrown, and the others are asked again without them.
    Silent(Vec<Seat>),
}

/// One line of a record after the head.
#[derive(Clone, Debug, PartialEq)]
pub enum Line<A> {
    /// An event. Where it throws, a throw follows.
    Entry(Entry<A>),
    /// A throw, its number, and what was gathered for it.
    Throw(Time, u32, Gathered),
    /// A seat's client goes on with another chain.
    Anchor(Time, Seat, Link),
    /// The end, and when it came.
    End(Time, End),
}

/// The running sum of a record: what the next line continues from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    bytes: [u8; 32],
    /// Whether all bytes count, and not only the first 8.
    whole: bool,
}

const SUM_KEY: &str = ",\"c\":\"";

impl Sum {
    /// What the head of a record of this format continues from.
    const fn before_head(format: u32) -> Sum {
        Sum { bytes: [0; 32], whole: format >= LINKED }
    }

    /// The bytes that count.
    pub(crate) fn bytes(&self) -> &[u8] {
        if self.whole { &self.bytes } else { &self.bytes[..8] }
    }

    fn after(self, body: &str) -> Sum {
        let digest = Sha256::new().chain_update(self.bytes()).chain_update(body).finalize();
        Sum { bytes: digest.into(), ..self }
    }

    /// The sum that a line carries, unchecked: where to go on writing after it.
    pub fn of_line(line: &str) -> Option<Sum> {
        let (_, found) = unseal(line)?;
        let short = || {
            let mut sum = Sum::default();
            sum.bytes[..8].copy_from_slice(&hex::decode::<8>(found)?);
            Some(sum)
        };
        hex::decode(found).map(|bytes| Sum { bytes, whole: true }).or_else(short)
    }
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex::encode(self.bytes()))
    }
}

/// A line as its text before the sum, and the sum.
fn unseal(line: &str) -> Option<(&str, &str)> {
    let (body, seal) = line.split_at(line.rfind(SUM_KEY)?);
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
struct ThrowLine<'a> {
    t: Time,
    throw: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    links: Option<&'a [Link]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    silent: Option<&'a [Seat]>,
}

#[derive(Serialize)]
struct AnchorLine {
    t: Time,
    seat: Seat,
    anchor: Link,
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

    /// The sum of the last line.
    pub const fn sum(&self) -> Sum {
        self.sum
    }

    /// The first line.
    pub fn head<O: Serialize>(&mut self, head: &Head<O>) -> String {
        self.sum = Sum::before_head(head.parlor);
        self.seal(head)
    }

    /// A throw was made, or not.
    pub fn throw(&mut self, t: Time, throw: u32, gathered: &Gathered) -> String {
        let (links, silent) = match gathered {
            Gathered::Links(links) => (Some(&links[..]), None),
            Gathered::Silent(silent) => (None, Some(&silent[..])),
        };
        self.seal(&ThrowLine { t, throw, links, silent })
    }

    /// A seat goes on with another chain.
    pub fn anchor(&mut self, t: Time, seat: Seat, anchor: Link) -> String {
        self.seal(&AnchorLine { t, seat, anchor })
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
    #[error("the line does not end with a sum (…,\"c\":\"…\"}}); it was cut or is not from a record")]
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
    anchor: Option<Link>,
    throw: Option<u32>,
    links: Option<Vec<Link>>,
    silent: Option<Vec<Seat>>,
    end: Option<End>,
    #[serde(rename = "c")]
    _sum: serde::de::IgnoredAny,
}

impl<A> RawLine<A> {
    fn read(self) -> Option<Line<A>> {
        let RawLine { t, seat, act, anchor, throw, links, silent, end, .. } = self;
        match (seat, act, anchor, throw, links, silent, end) {
            (Some(seat), Some(act), None, None, None, None, None) => {
                Some(Line::Entry(Entry { at: t, event: Event::Act { seat, act } }))
            }
            (None, None, None, None, None, None, None) => {
                Some(Line::Entry(Entry { at: t, event: Event::Time }))
            }
            (Some(seat), None, Some(anchor), None, None, None, None) => Some(Line::Anchor(t, seat, anchor)),
            (None, None, None, Some(throw), Some(links), None, None) => {
                Some(Line::Throw(t, throw, Gathered::Links(links)))
            }
            (None, None, None, Some(throw), None, Some(silent), None) => {
                Some(Line::Throw(t, throw, Gathered::Silent(silent)))
            }
            (None, None, None, None, None, None, Some(end)) => Some(Line::End(t, end)),
            _ => None,
        }
    }
}

impl Reader {
    /// A reader at the beginning of a record.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// The first line.
    pub fn head<O: DeserializeOwned>(&mut self, line: &str) -> Result<Head<O>, LineFault> {
        #[derive(Deserialize)]
        struct Format {
            #[serde(default)]
            parlor: u32,
        }
        // What cannot be read has no format: then its sum or its reading says what is wrong.
        let format = serde_json::from_str(line).map_or(PLAIN, |Format { parlor }| parlor);
        self.sum = Sum::before_head(format);
        self.check(line)?;
        serde_json::from_str(line).map_err(|fault| unreadable(&fault))
    }

    /// Any further line.
    pub fn line<A: DeserializeOwned>(&mut self, line: &str) -> Result<Line<A>, LineFault> {
        self.check(line)?;
        let raw: RawLine<A> = serde_json::from_str(line).map_err(|fault| unreadable(&fault))?;
        raw.read().ok_or_else(|| {
            LineFault::Unreadable(
                "seat and act go together, so do throw and links (or silent), and each goes alone".to_owned(),
            )
        })
    }

    fn check(&mut self, line: &str) -> Result<(), LineFault> {
        let (body, found) = unseal(line).ok_or(LineFault::NoSum)?;
        let sum = self.sum.after(body);
        if sum.to_string() != found {
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
