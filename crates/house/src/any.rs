//! A table of any game: JSON in, JSON and record lines out.

use crate::games::engine;
use crate::ponder::{Away, Ponder, Pondered};
use crate::{Kind, kind_of, plain};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;
use table::chain::Link;
use table::record::{End, Gathered, Head, Line, Reader, Scribe, Sum};
use table::ring::{Ask, BadThrow};
use table::verify::{Fault, What, read_head};
use table::{Bot, House, Outcome, Seat, Seats, Seed, Spoken, Table, Thrower, Time};

/// A game and its options, checked and complete.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// Which game.
    pub kind: Kind,
    /// Every option with its value.
    pub options: Value,
    /// How many may sit down.
    #[serde(skip)]
    pub seating: RangeInclusive<u32>,
}

impl Setting {
    /// Options from a person: what is left out takes its default, what is odd is refused.
    /// (What only shows when the table opens, say too many players for a variation, is refused then.)
    pub fn new(kind: Kind, options: Value) -> Result<Setting, Spoken> {
        engine(kind).setting(options)
    }

    /// Options that a table has: they were good when it was made, and it goes on with them.
    pub fn kept(kind: Kind, options: Value) -> Result<Setting, Spoken> {
        (engine(kind).kept)(kind, options)
    }

    pub(crate) fn of<G: House>(kind: Kind, options: Value) -> Result<Setting, Spoken> {
        plain::check(&options)?;
        let given: G::Options = read(options, "bad-options", "These options do not fit")?;
        G::check(&given).map_err(|refusal| Spoken::of(&refusal))?;
        let setting = Setting::complete::<G>(kind, given)?;
        plain::check(&setting.options)?; // with what was left out they may have become too many
        Ok(setting)
    }

    pub(crate) fn kept_of<G: House>(kind: Kind, options: Value) -> Result<Setting, Spoken> {
        Setting::complete::<G>(kind, read(options, "bad-options", "These options do not fit")?)
    }

    fn complete<G: House>(kind: Kind, given: G::Options) -> Result<Setting, Spoken> {
        let given = G::pinned(given).map_err(|refusal| Spoken::of(&refusal))?;
        let seating = G::seating(&given);
        Ok(Setting { kind, options: json(&given), seating })
    }
}

/// The strongest level of a game's bots; the weakest is 1.
pub fn levels(kind: Kind) -> u8 {
    engine(kind).levels()
}

/// A table with any of the five games on it.
pub struct AnyTable {
    kind: Kind,
    live: Box<dyn Live>,
}

impl AnyTable {
    /// Opens a table; answers the first line of its record too. `opened` is the wall clock in milliseconds since 1970.
    pub fn open(
        setting: &Setting,
        seats: Seats,
        seed: &Seed,
        opened: Option<u64>,
    ) -> Result<(AnyTable, String), Spoken> {
        AnyTable::open_linked(setting, seats, BTreeMap::new(), seed, opened)
    }

    /// The same, where the clients of these seats add to every throw: then a throw waits for their links ([`AnyTable::ask`]), the laying
    /// of the table included.
    pub fn open_linked(
        setting: &Setting,
        seats: Seats,
        anchors: BTreeMap<Seat, Link>,
        seed: &Seed,
        opened: Option<u64>,
    ) -> Result<(AnyTable, String), Spoken> {
        engine(setting.kind).open_linked(setting.options.clone(), seats, anchors, seed, opened)
    }

    /// Takes up a game from the lines of its record so far and its seed.
    pub fn resume<'a>(lines: impl IntoIterator<Item = &'a str>, seed: &Seed) -> Result<AnyTable, Fault> {
        let mut lines = lines.into_iter().peekable();
        let kind = kind_of(lines.peek().copied().unwrap_or(""))?;
        engine(kind).resume(lines, seed)
    }

    pub(crate) fn with(kind: Kind, live: Box<dyn Live>) -> AnyTable {
        AnyTable { kind, live }
    }

    /// Which game it is.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// A seat acts, in JSON. Answers the line for the record; refused, nothing has changed.
    pub fn act(&mut self, now: Time, seat: Seat, act: &str) -> Result<String, Spoken> {
        self.live.act(now, seat, act)
    }

    /// Lets time act once if it is due by `now`; answers when it did, and the line for the record.
    pub fn expire_due(&mut self, now: Time) -> Option<(Time, String)> {
        self.live.expire_due(now)
    }

    /// Whose links are missing for the throw that is to be made now, if there is one. Until it is made nothing else happens.
    pub fn ask(&self) -> Option<Ask> {
        self.live.ask()
    }

    /// The sum of the record's last line, which is named to whoever is asked for a link.
    pub fn sum(&self) -> Sum {
        self.live.sum()
    }

    /// Whether a link is the one that a seat is asked for now.
    pub fn fits(&self, seat: Seat, link: &Link) -> bool {
        self.live.fits(seat, link)
    }

    /// What makes that throw.
    pub fn thrower(&self) -> Option<Thrower> {
        self.live.thrower()
    }

    /// Whether players' clients can add to the dice of this table.
    pub fn is_linked(&self) -> bool {
        self.live.is_linked()
    }

    /// Whether a seat's client adds to the next throws.
    pub fn has_chain(&self, seat: Seat) -> bool {
        self.live.has_chain(seat)
    }

    /// Makes the throw that is asked for, or goes on without those who were silent. Answers the line for the record, and whether the throw
    /// was made.
    pub fn throw(&mut self, gathered: &Gathered) -> Result<(String, bool), BadThrow> {
        self.live.throw(gathered)
    }

    /// A seat's client goes on with another chain. Answers the line for the record.
    pub fn anchor(&mut self, now: Time, seat: Seat, anchor: Link) -> Result<String, BadThrow> {
        self.live.anchor(now, seat, anchor)
    }

    /// The last line of the record, once the game is over. Shows the seed.
    pub fn end(&mut self, seed: &Seed) -> Option<String> {
        self.live.end(seed)
    }

    /// What everybody sees, as JSON.
    pub fn public(&self) -> Box<RawValue> {
        self.live.public()
    }

    /// What everybody sees since the last event, as JSON: the list that only grows (see [`table::Game::grown`]) without what was in it
    /// before. Answers the name of that list too, and how many entries are left out.
    pub fn news(&self) -> (Box<RawValue>, Option<(&'static str, usize)>) {
        self.live.news()
    }

    /// What everybody sees, as a picture in text.
    pub fn picture(&self) -> String {
        self.live.picture()
    }

    /// What only this seat sees, as JSON.
    pub fn private(&self, seat: Seat) -> Box<RawValue> {
        self.live.private(seat)
    }

    /// Whether the table has a use for an act of this seat now.
    pub fn awaits(&self, seat: Seat) -> bool {
        self.live.awaits(seat)
    }

    /// When time itself will act.
    pub fn deadline(&self) -> Option<Time> {
        self.live.deadline()
    }

    /// Where the clock stands: at the last event.
    pub fn now(&self) -> Time {
        self.live.now()
    }

    /// How many events there have been.
    pub fn events(&self) -> u64 {
        self.live.events()
    }

    /// How many seats there are.
    pub fn seats(&self) -> u32 {
        self.live.seats()
    }

    /// How it ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.live.outcome()
    }

    /// The fingerprint of the state.
    pub fn fingerprint(&self) -> String {
        self.live.fingerprint()
    }

    /// What the coach says to a seat, as JSON. May think for a while.
    pub fn coach(&self, seat: Seat) -> Option<Value> {
        self.coach_until(seat, &AtomicBool::new(false))
    }

    /// The same for somebody who may leave: `stop` ends what takes long, where the game's search can be stopped.
    pub fn coach_until(&self, seat: Seat, stop: &AtomicBool) -> Option<Value> {
        self.live.coach(seat, stop)
    }

    /// Gives a seat to a bot.
    pub(crate) fn seat_bot(&mut self, seat: Seat, level: u8, seed: u64) {
        self.live.seat_bot(seat, level, seed);
    }

    /// Takes the bot out of a seat.
    pub(crate) fn unseat_bot(&mut self, seat: Seat) {
        self.live.unseat_bot(seat);
    }

    /// Asks the bot in a seat, if it is there, not thinking already, and awaited. `now` is what the bot takes for the time.
    pub(crate) fn ponder(&mut self, seat: Seat, now: Time) -> Option<Ponder> {
        self.live.ponder(seat, now)
    }

    /// Puts a bot back that has thought; answers what it means to do and when, unless the table has moved on since
    /// (then ask again). A bot that was unseated meanwhile is gone.
    pub(crate) fn pondered(&mut self, pondered: Pondered) -> Option<(Time, String)> {
        self.live.pondered(pondered)
    }
}

impl std::fmt::Debug for AnyTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AnyTable({}, {} events)", self.kind.name(), self.events())
    }
}

/// What a table does, whatever its game.
pub(crate) trait Live: Send {
    fn act(&mut self, now: Time, seat: Seat, act: &str) -> Result<String, Spoken>;
    fn expire_due(&mut self, now: Time) -> Option<(Time, String)>;
    fn ask(&self) -> Option<Ask>;
    fn sum(&self) -> Sum;
    fn fits(&self, seat: Seat, link: &Link) -> bool;
    fn thrower(&self) -> Option<Thrower>;
    fn is_linked(&self) -> bool;
    fn has_chain(&self, seat: Seat) -> bool;
    fn throw(&mut self, gathered: &Gathered) -> Result<(String, bool), BadThrow>;
    fn anchor(&mut self, now: Time, seat: Seat, anchor: Link) -> Result<String, BadThrow>;
    fn end(&mut self, seed: &Seed) -> Option<String>;
    fn public(&self) -> Box<RawValue>;
    fn news(&self) -> (Box<RawValue>, Option<(&'static str, usize)>);
    fn picture(&self) -> String;
    fn private(&self, seat: Seat) -> Box<RawValue>;
    fn awaits(&self, seat: Seat) -> bool;
    fn deadline(&self) -> Option<Time>;
    fn now(&self) -> Time;
    fn events(&self) -> u64;
    fn seats(&self) -> u32;
    fn outcome(&self) -> Option<Outcome>;
    fn fingerprint(&self) -> String;
    fn coach(&self, seat: Seat, stop: &AtomicBool) -> Option<Value>;
    fn seat_bot(&mut self, seat: Seat, level: u8, seed: u64);
    fn unseat_bot(&mut self, seat: Seat);
    fn ponder(&mut self, seat: Seat, now: Time) -> Option<Ponder>;
    fn pondered(&mut self, pondered: Pondered) -> Option<(Time, String)>;
}

/// A seat's bot: at the table, or away thinking.
enum BotAt<G: House> {
    Here(Box<dyn Bot<G>>),
    Away,
}

pub(crate) struct Playing<G: House> {
    table: Table<G>,
    scribe: Scribe,
    bots: Vec<(Seat, BotAt<G>)>,
    /// How long the list that only grows was before the last event.
    known: usize,
}

impl<G: House> Playing<G>
where
    G::Public: Send,
    G::Private: Send,
{
    pub(crate) fn open(head: Head<Value>, seed: &Seed) -> Result<(Box<dyn Live>, String), Spoken> {
        let options: G::Options = read(head.options, "bad-options", "These options do not fit")?;
        let head = Head::new(&head.game, options, head.seats, head.commit)
            .opened(head.opened)
            .under(G::RULES)
            .linked(head.anchors);
        let table = Table::<G>::open(&head, seed).map_err(|fault| say("cannot-open", fault.to_string()))?;
        let mut scribe = Scribe::new();
        let line = scribe.head(&head);
        Ok((Box::new(Playing { table, scribe, bots: Vec::new(), known: 0 }), line))
    }

    fn grown(&self) -> usize {
        self.table.game().grown().map_or(0, |(_, entries)| entries)
    }

    pub(crate) fn resume(
        first: &str,
        lines: &mut dyn Iterator<Item = &str>,
        seed: &Seed,
    ) -> Result<Box<dyn Live>, Fault> {
        let mut reader = Reader::new();
        let text = |line, fault| Fault { line, what: What::Text(fault) };
        let head = read_head::<G>(&mut reader, first)?;
        let mut table =
            Table::<G>::open_after(&head, reader.sum(), seed).map_err(|fault| open_fault(&fault))?;
        for (number, line) in (2..).zip(lines) {
            let sum = reader.sum();
            let bad = |bad| Fault { line: number, what: What::Throw(bad) };
            match reader.line::<G::Act>(line).map_err(|fault| text(number, fault))? {
                Line::Entry(entry) => {
                    let refused =
                        |refused| Fault { line: number, what: What::Refused(Box::new(Spoken::of(&refused))) };
                    table.redo(&entry).map_err(refused)?;
                }
                Line::Throw(at, throw, gathered) => {
                    table.throw(at, throw, sum, &gathered).map_err(bad)?;
                }
                Line::Anchor(at, seat, anchor) => table.anchor(at, seat, anchor).map_err(bad)?,
                Line::End(..) => {}
            }
        }
        Ok(Box::new(Playing { table, scribe: Scribe::after(reader.sum()), bots: Vec::new(), known: 0 }))
    }
}

impl<G: House> Live for Playing<G>
where
    G::Public: Send,
    G::Private: Send,
{
    fn act(&mut self, now: Time, seat: Seat, act: &str) -> Result<String, Spoken> {
        let bad = |why: serde_json::Error| say("bad-act", format!("This is no act of {}: {why}", G::NAME));
        let act: G::Act = serde_json::from_str(act).map_err(bad)?;
        let known = self.grown();
        self.table.act(now, seat, &act).map_err(|refused| Spoken::of(&refused))?;
        self.known = known;
        Ok(self.scribe.act(now, seat, &act))
    }

    fn expire_due(&mut self, now: Time) -> Option<(Time, String)> {
        let known = self.grown();
        let at = self.table.expire_due(now)?;
        self.known = known;
        Some((at, self.scribe.time(at)))
    }

    fn ask(&self) -> Option<Ask> {
        self.table.ask()
    }

    fn sum(&self) -> Sum {
        self.scribe.sum()
    }

    fn fits(&self, seat: Seat, link: &Link) -> bool {
        self.table.fits(seat, link)
    }

    fn thrower(&self) -> Option<Thrower> {
        self.table.thrower()
    }

    fn is_linked(&self) -> bool {
        self.table.is_linked()
    }

    fn has_chain(&self, seat: Seat) -> bool {
        self.table.has_chain(seat)
    }

    fn throw(&mut self, gathered: &Gathered) -> Result<(String, bool), BadThrow> {
        let known = self.grown();
        let (at, ask) = self.table.throws_at().zip(self.table.ask()).ok_or(BadThrow::NoThrow)?;
        let made = self.table.throw(at, ask.throw, self.scribe.sum(), gathered)?;
        self.known = known;
        Ok((self.scribe.throw(at, ask.throw, gathered), made))
    }

    fn anchor(&mut self, now: Time, seat: Seat, anchor: Link) -> Result<String, BadThrow> {
        let at = now.max(self.table.now());
        self.table.anchor(at, seat, anchor)?;
        Ok(self.scribe.anchor(at, seat, anchor))
    }

    fn end(&mut self, seed: &Seed) -> Option<String> {
        let outcome = self.table.outcome()?;
        let (state, drawn) = (self.table.fingerprint(), self.table.drawn());
        let end = End { outcome, state, drawn, seed: seed.clone() };
        Some(self.scribe.end(self.table.now(), &end))
    }

    fn public(&self) -> Box<RawValue> {
        raw(&self.table.game().public())
    }

    fn news(&self) -> (Box<RawValue>, Option<(&'static str, usize)>) {
        let game = self.table.game();
        (raw(&game.public_since(self.known)), game.grown().map(|(list, _)| (list, self.known)))
    }

    fn picture(&self) -> String {
        self.table.game().public().to_string()
    }

    fn private(&self, seat: Seat) -> Box<RawValue> {
        raw(&self.table.game().private(seat))
    }

    fn awaits(&self, seat: Seat) -> bool {
        self.table.awaits(seat)
    }

    fn deadline(&self) -> Option<Time> {
        self.table.deadline()
    }

    fn now(&self) -> Time {
        self.table.now()
    }

    fn events(&self) -> u64 {
        self.table.events()
    }

    fn seats(&self) -> u32 {
        self.table.seats()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.table.outcome()
    }

    fn fingerprint(&self) -> String {
        self.table.fingerprint()
    }

    fn coach(&self, seat: Seat, stop: &AtomicBool) -> Option<Value> {
        self.table.game().coach(seat, stop)
    }

    fn seat_bot(&mut self, seat: Seat, level: u8, seed: u64) {
        self.unseat_bot(seat);
        if seat.0 < self.table.seats() {
            self.bots.push((seat, BotAt::Here(G::bot(level.clamp(1, G::ABOUT.levels), seed))));
        }
    }

    fn unseat_bot(&mut self, seat: Seat) {
        self.bots.retain(|(at, _)| *at != seat);
    }

    fn ponder(&mut self, seat: Seat, now: Time) -> Option<Ponder> {
        if !self.awaits(seat) {
            return None;
        }
        let (_, place) = self.bots.iter_mut().find(|(at, _)| *at == seat)?;
        let BotAt::Here(bot) = std::mem::replace(place, BotAt::Away) else { return None };
        let (public, private) = (self.table.game().public(), self.table.game().private(seat));
        let seen = self.table.events();
        Some(Ponder::new(Away::<G> { bot, now, seat, public, private, seen }))
    }

    fn pondered(&mut self, pondered: Pondered) -> Option<(Time, String)> {
        let Pondered { seat, bot, seen, intent } = pondered;
        let (_, place) = self.bots.iter_mut().find(|(at, _)| *at == seat)?;
        if let (BotAt::Away, Ok(bot)) = (&place, bot.downcast::<Box<dyn Bot<G>>>()) {
            *place = BotAt::Here(*bot);
        }
        intent.filter(|_| seen == self.table.events())
    }
}

fn say(code: &str, says: String) -> Spoken {
    Spoken { code: code.to_owned(), says, details: serde_json::Map::new() }
}

fn open_fault(fault: &dyn std::error::Error) -> Fault {
    Fault { line: 1, what: What::Open(fault.to_string()) }
}

fn read<T: DeserializeOwned>(value: Value, code: &str, what: &str) -> Result<T, Spoken> {
    serde_json::from_value(value).map_err(|why| say(code, format!("{what}: {why}")))
}

fn json<T: Serialize>(thing: &T) -> Value {
    serde_json::to_value(thing).expect("options are plain data with text keys")
}

fn raw<T: Serialize>(view: &T) -> Box<RawValue> {
    to_raw_value(view).expect("views are plain data with text keys")
}

pub(crate) fn text<T: Serialize>(thing: &T) -> String {
    serde_json::to_string(thing).expect("acts are plain data with text keys")
}
