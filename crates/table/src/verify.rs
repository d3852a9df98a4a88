//! Replaying a record: dice, rules, clocks and outcome. A fault names its line and what was expected there.

use crate::live::OpenFault;
use crate::record::{End, Entry, Gathered, Head, LINKED, Line, LineFault, Reader};
use crate::ring::BadThrow;
use crate::{Game, Outcome, Seed, Spoken, Table, Time};
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::Value;
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
    /// What is proven of the dice.
    pub dice: Proof,
    /// How much of it could be checked here.
    pub checked: Checked,
}

/// What a record proves of its dice, besides that they follow from the seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Proof {
    /// The format of the record: 1 has no players' links.
    pub format: u32,
    /// How many throws needed a link of at least one player's client.
    pub linked: u64,
    /// How many did not.
    pub unlinked: u64,
    /// How often somebody was asked for a link and was silent.
    pub silent: u64,
}

impl Proof {
    fn count(&mut self, gathered: &Gathered) {
        match gathered {
            Gathered::Links(links) if links.is_empty() => self.unlinked += 1,
            Gathered::Links(_) => self.linked += 1,
            Gathered::Silent(seats) => self.silent += seats.len() as u64,
        }
    }

    /// What that means, in words.
    pub fn says(&self) -> String {
        let Proof { format, linked, unlinked, silent } = self;
        if *format < LINKED {
            return "This record shows that the dice follow from the house's seed. It does not show that the house did not know them in advance."
                .to_owned();
        }
        let mut says = format!("Players' devices took part in {linked} throws of {}.", linked + unlinked);
        if *unlinked > 0 {
            says += " The house could know the others in advance.";
        }
        if *silent > 0 {
            says = format!("{says} A device that was asked did not answer {silent} times.");
        }
        says
    }
}

/// How much of a record could be checked: all of it, unless it was made under another revision of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "what")]
pub enum Checked {
    /// Everything.
    All,
    /// Everything but the fingerprint of the last state: states were written differently under that revision.
    Play(Rules),
    /// That no line was changed, lost or added, and that the seed is the promised one. The play was not replayed.
    Seals(Rules),
}

/// The revision of the rules that a record was made under, and those that this program can replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Error)]
#[error("it was played by revision {made} of the rules; this Parlor plays {}", self.played())]
pub struct Rules {
    /// In the record.
    pub made: u32,
    /// The oldest that can be replayed.
    pub oldest: u32,
    /// The newest.
    pub newest: u32,
}

impl Rules {
    fn of<G: Game>(made: u32) -> Rules {
        Rules { made, oldest: G::OLDEST_RULES, newest: G::RULES }
    }

    /// The revisions that this program plays, in words.
    fn played(&self) -> String {
        let Rules { oldest, newest, .. } = self;
        if oldest == newest {
            format!("revision {newest}")
        } else {
            format!("revisions {oldest} to {newest}")
        }
    }

    const fn can_be_replayed(&self) -> bool {
        self.oldest <= self.made && self.made <= self.newest
    }
}

impl Verified {
    fn new<O>(head: Head<O>, events: u64, lasted: Time, end: End, dice: Proof, checked: Checked) -> Verified {
        Verified {
            game: head.game,
            players: head.seats.seated().iter().map(|seated| seated.name.clone()).collect(),
            events,
            lasted,
            outcome: end.outcome,
            state: end.state,
            drawn: end.drawn,
            dice,
            checked,
        }
    }

    /// What was not checked, in words; nothing if everything was.
    pub fn unchecked(&self) -> Option<String> {
        match &self.checked {
            Checked::All => None,
            Checked::Play(rules) => Some(format!(
                "Rules, dice, clocks and outcome were checked by that revision; the fingerprint of the last state was not: {rules}."
            )),
            Checked::Seals(rules) => Some(format!(
                "No line was changed and the seed is the promised one, but the play was not checked: {rules}."
            )),
        }
    }
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
    /// It was made under rules that this program does not play.
    #[error("the play cannot be shown: {0}")]
    Rules(Rules),
    /// The event could not have happened.
    #[error("this could not have happened: {}", .0.says)]
    Refused(Box<Spoken>),
    /// The throw could not have been made so.
    #[error("these dice could not have been thrown: {0}")]
    Throw(BadThrow),
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

/// Replays a finished record and checks everything in it. Of one made under rules that this program does not play, it checks
/// what can be checked without playing it.
pub fn verify<G: Game>(text: &str) -> Result<Verified, Fault> {
    match walk::<G>(text, |_, _| ()) {
        Err(Fault { what: What::Rules(rules), .. }) => seals(text, rules),
        checked => checked,
    }
}

/// Reads the first line of a record of this game. The options of an older revision are put in the terms of this one.
pub fn read_head<G: Game>(reader: &mut Reader, line: &str) -> Result<Head<G::Options>, Fault> {
    let at = |what| Fault { line: 1, what };
    let head: Head<Value> = reader.head(line).map_err(|fault| at(What::Text(fault)))?;
    let rules = Rules::of::<G>(head.rules);
    if !rules.can_be_replayed() {
        return Err(at(What::Rules(rules)));
    }
    let Head { parlor, game, rules, mut options, seats, commit, opened, anchors } = head;
    if let Value::Object(options) = &mut options
        && rules < G::RULES
    {
        G::older_options(rules, options);
    }
    let options = serde_json::from_value(options)
        .map_err(|fault| at(What::Text(LineFault::Unreadable(fault.to_string()))))?;
    Ok(Head { parlor, game, rules, options, seats, commit, opened, anchors })
}

/// Checks what holds under any rules: every line's sum, the seed's commitment, and one end as the last line.
fn seals(text: &str, rules: Rules) -> Result<Verified, Fault> {
    let Sealed { head, events, end, dice, lines } = sealed(text.lines())?;
    let (lasted, end) = end.ok_or(Fault { line: lines, what: What::NoEnd })?;
    promised(&head, &end.seed).map_err(|what| Fault { line: lines, what })?;
    Ok(Verified::new(head, events, lasted, end, dice, Checked::Seals(rules)))
}

/// Checks what holds under any rules of a game that has not ended: every line's sum, and that this is the promised seed. Answers
/// how many events there are.
pub fn seals_so_far<'a>(lines: impl IntoIterator<Item = &'a str>, seed: &Seed) -> Result<u64, Fault> {
    let Sealed { head, events, .. } = sealed(lines)?;
    promised(&head, seed).map_err(|what| Fault { line: 1, what })?;
    Ok(events)
}

/// What the lines of a record say under any rules.
struct Sealed {
    head: Head<Value>,
    events: u64,
    end: Option<(Time, End)>,
    dice: Proof,
    lines: usize,
}

/// Checks that each line follows from the one before, whatever it says.
fn sealed<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Sealed, Fault> {
    let mut reader = Reader::new();
    let mut lines = lines.into_iter().zip(1..);
    let at = |line, what| Fault { line, what };
    let (first, _) = lines.next().unwrap_or(("", 1));
    let head = reader.head(first).map_err(|fault| at(1, What::Text(fault)))?;
    let dice = Proof { format: head.parlor, ..Proof::default() };
    let mut sealed = Sealed { head, events: 0, end: None, dice, lines: 1 };
    for (line, number) in lines {
        if sealed.end.is_some() {
            return Err(at(number, What::AfterEnd));
        }
        match reader.line::<IgnoredAct>(line).map_err(|fault| at(number, What::Text(fault)))? {
            Line::Entry(_) => sealed.events += 1,
            Line::Throw(_, _, gathered) => sealed.dice.count(&gathered),
            Line::Anchor(..) => {}
            Line::End(when, end) => sealed.end = Some((when, end)),
        }
        sealed.lines = number;
    }
    Ok(sealed)
}

fn promised(head: &Head<Value>, seed: &Seed) -> Result<(), What> {
    if head.commit == seed.commitment() {
        return Ok(());
    }
    Err(What::Open(OpenFault::<Spoken>::WrongSeed.to_string()))
}

/// An act of whatever rules.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct IgnoredAct(#[allow(dead_code, reason = "it is only passed over")] IgnoredAny);

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
    let head = read_head::<G>(&mut reader, first)?;
    let checked = match head.rules {
        rules if rules == G::RULES => Checked::All,
        older => Checked::Play(Rules::of::<G>(older)),
    };
    let seed = shown_seed(text)?;
    let mut table = Table::<G>::open_after(&head, reader.sum(), &seed).map_err(|fault| {
        // A false seed is the end's fault: that is where it stands.
        let line = if fault == OpenFault::WrongSeed { text.lines().count() } else { 1 };
        Fault { line, what: What::Open(fault.to_string()) }
    })?;
    let (mut end, mut dice) = (None, Proof { format: head.parlor, ..Proof::default() });
    let mut accepted = None;
    for (number, line) in lines {
        let at = |what| Fault { line: number, what };
        if end.is_some() {
            return Err(at(What::AfterEnd));
        }
        let sum = reader.sum();
        match reader.line::<G::Act>(line).map_err(|fault| at(What::Text(fault)))? {
            Line::Entry(entry) => {
                table.redo(&entry).map_err(|refused| at(What::Refused(Box::new(Spoken::of(&refused)))))?;
                accepted = Some(entry);
            }
            Line::Throw(when, throw, gathered) => {
                table.throw(when, throw, sum, &gathered).map_err(|bad| at(What::Throw(bad)))?;
                dice.count(&gathered);
            }
            Line::Anchor(when, seat, anchor) => {
                table.anchor(when, seat, anchor).map_err(|bad| at(What::Throw(bad)))?;
            }
            Line::End(when, last) => {
                check_end(&table, when, &last, &checked).map_err(at)?;
                end = Some(last);
            }
        }
        if table.throws_at().is_none()
            && let Some(entry) = accepted.take()
        {
            each(&table, &entry);
        }
    }
    let end = end.ok_or(Fault { line: text.lines().count(), what: What::NoEnd })?;
    Ok(Verified::new(head, table.events(), table.now(), end, dice, checked))
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

fn check_end<G: Game>(table: &Table<G>, when: Time, end: &End, checked: &Checked) -> Result<(), What> {
    let outcome = table.outcome().ok_or(What::GoesOn)?;
    let same = |field, expected: String, found: String| {
        if expected == found { Ok(()) } else { Err(What::End { field, expected, found }) }
    };
    same("time", table.now().to_string(), when.to_string())?;
    same("outcome", format!("{outcome:?}"), format!("{:?}", end.outcome))?;
    if *checked == Checked::All {
        same("state", table.fingerprint(), end.state.clone())?;
    }
    same("dice drawn", table.drawn().to_string(), end.drawn.to_string())
}
