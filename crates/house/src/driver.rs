//! A table being played, whoever holds it: a server, a page, a terminal or a simulation.
//!
//! The driver lets time and bots act in the right order and answers what happened, with the line for the record. It reads no clock
//! and starts no thread: whoever holds it asks when something is due ([`Driver::due`]), says what time it is ([`Driver::step`]),
//! and lets bots think where there is time for it ([`Driver::ponderings`]).
//!
//! ```
//! use house::{Driver, Kind, Setting};
//! use table::{Seat, Seats, Seed};
//!
//! let setting = Setting::new("cubo".parse::<Kind>()?, serde_json::json!({}))?;
//! let seats = Seats::named(["Ada", "Bruno"])?;
//! let (mut driver, _head) = Driver::open(&setting, seats, &Seed::from_number(1), None)?;
//! for seat in 0..2 {
//!     driver.seat_bot(Seat(seat), 3, 7);
//! }
//! while driver.table().outcome().is_none() {
//!     driver.think();
//!     let due = driver.due().expect("somebody acts, or time does");
//!     driver.step(due).expect("it is due").expect("bots keep the rules");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{AnyTable, Ponder, Pondered, Setting};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use table::chain::Link;
use table::record::Gathered;
use table::ring::BadThrow;
use table::verify::Fault;
use table::{Seat, Seats, Seed, Spoken, Time};

/// A table with the bots at it, and what they mean to do.
pub struct Driver {
    table: AnyTable,
    /// What each bot will do and when, unless something happens first.
    intents: BTreeMap<Seat, (Time, String)>,
    /// How many events there had been when each bot was last asked: it has nothing new to say before there are more.
    asked: BTreeMap<Seat, u64>,
}

/// Something that happened at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// When, in table time.
    pub at: Time,
    /// The seat that acted; nobody, if time was up.
    pub seat: Option<Seat>,
    /// The line for the record.
    pub line: String,
}

/// A bot tried what is not allowed. It is asked again once something has changed.
#[derive(Clone, Debug, PartialEq)]
pub struct BotRefused {
    /// The bot's seat.
    pub seat: Seat,
    /// What it tried, in JSON.
    pub act: String,
    /// Why that is not allowed.
    pub why: Spoken,
}

/// A line of a record after the head, as far as a replica needs it.
#[derive(Deserialize)]
struct Line {
    t: Time,
    seat: Option<Seat>,
    act: Option<Value>,
    anchor: Option<Link>,
    links: Option<Vec<Link>>,
    silent: Option<Vec<Seat>>,
    end: Option<Value>,
}

impl Driver {
    /// Drives a table that was opened or resumed.
    pub const fn new(table: AnyTable) -> Driver {
        Driver { table, intents: BTreeMap::new(), asked: BTreeMap::new() }
    }

    /// Opens a table; answers the first line of its record too. See [`AnyTable::open`].
    pub fn open(
        setting: &Setting,
        seats: Seats,
        seed: &Seed,
        opened: Option<u64>,
    ) -> Result<(Driver, String), Spoken> {
        Driver::open_linked(setting, seats, BTreeMap::new(), seed, opened)
    }

    /// The same, where the clients of these seats add to every throw. See [`AnyTable::open_linked`].
    pub fn open_linked(
        setting: &Setting,
        seats: Seats,
        anchors: BTreeMap<Seat, Link>,
        seed: &Seed,
        opened: Option<u64>,
    ) -> Result<(Driver, String), Spoken> {
        let (table, head) = AnyTable::open_linked(setting, seats, anchors, seed, opened)?;
        Ok((Driver::new(table), head))
    }

    /// Goes on with a game from the lines of its record so far. See [`AnyTable::resume`].
    pub fn resume<'a>(lines: impl IntoIterator<Item = &'a str>, seed: &Seed) -> Result<Driver, Fault> {
        AnyTable::resume(lines, seed).map(Driver::new)
    }

    /// The table as it stands.
    pub const fn table(&self) -> &AnyTable {
        &self.table
    }

    /// Makes the throw that is asked for. See [`AnyTable::throw`].
    pub fn throw(&mut self, gathered: &Gathered) -> Result<(String, bool), BadThrow> {
        self.table.throw(gathered)
    }

    /// A seat's client goes on with another chain. See [`AnyTable::anchor`].
    pub fn anchor(&mut self, now: Time, seat: Seat, anchor: Link) -> Result<String, BadThrow> {
        self.table.anchor(now, seat, anchor)
    }

    /// The last line of the record, once the game is over. Shows the seed.
    pub fn end(&mut self, seed: &Seed) -> Option<String> {
        self.table.end(seed)
    }

    /// Gives a seat to a bot.
    pub fn seat_bot(&mut self, seat: Seat, level: u8, luck: u64) {
        self.forget(seat);
        self.table.seat_bot(seat, level, luck);
    }

    /// Takes the bot out of a seat.
    pub fn unseat_bot(&mut self, seat: Seat) {
        self.forget(seat);
        self.table.unseat_bot(seat);
    }

    fn forget(&mut self, seat: Seat) {
        self.intents.remove(&seat);
        self.asked.remove(&seat);
    }

    /// Every bot that has something to think about: run these wherever there is time, and bring what comes of each back to
    /// [`Driver::pondered`]. Ask after every step and after every bot that came back; a bot is asked once for every change.
    pub fn ponderings(&mut self, now: Time) -> Vec<Ponder> {
        let (now, events) = (now.max(self.table.now()), self.table.events());
        let mut ponderings = Vec::new();
        for seat in (0..self.table.seats()).map(Seat) {
            if self.asked.get(&seat) == Some(&events) {
                continue;
            }
            if let Some(ponder) = self.table.ponder(seat, now) {
                self.asked.insert(seat, events);
                ponderings.push(ponder);
            }
        }
        ponderings
    }

    /// A bot has thought. If the table has moved on meanwhile it is among the next [`Driver::ponderings`].
    pub fn pondered(&mut self, pondered: Pondered) {
        let seat = pondered.seat();
        if let Some((at, act)) = self.table.pondered(pondered) {
            self.intents.insert(seat, (at, act));
        }
    }

    /// A bot that thinks at a replica of this table means to do this, having seen so many events.
    pub fn intend(&mut self, seat: Seat, seen: u64, at: Time, act: String) {
        if seen == self.table.events() {
            self.intents.insert(seat, (at, act));
        }
    }

    /// What a bot means to do, and when.
    pub fn intent(&self, seat: Seat) -> Option<&(Time, String)> {
        self.intents.get(&seat)
    }

    /// Lets every bot think here and now, for whoever has the time to wait.
    pub fn think(&mut self) {
        for ponder in self.ponderings(self.table.now()) {
            self.pondered(ponder.run());
        }
    }

    /// The earliest intent: of those for the same moment, the lowest seat's. A time gone by means at once.
    fn first_intent(&self) -> Option<(Time, Seat)> {
        let now = self.table.now();
        self.intents.iter().map(|(seat, (at, _))| ((*at).max(now), *seat)).min()
    }

    /// When the next thing happens by itself: time is up, or a bot acts.
    pub fn due(&self) -> Option<Time> {
        let bot = self.first_intent().map(|(at, _)| at);
        [self.table.deadline(), bot].into_iter().flatten().min()
    }

    /// Does the first thing that is due by `now`. Call it until it answers nothing, and before anybody acts.
    pub fn step(&mut self, now: Time) -> Option<Result<Step, BotRefused>> {
        let deadline = self.table.deadline();
        let bot = self.first_intent().filter(|(at, _)| *at <= now && deadline.is_none_or(|time| *at < time));
        let Some((at, seat)) = bot else { return self.time_is_up(now).map(Ok) };
        let (_, act) = self.intents.remove(&seat)?;
        Some(self.act(at, seat, &act).map_err(|why| BotRefused { seat, act, why }))
    }

    /// Does what a line of the record says was done at the table that this one replicates. Answers whether it fits.
    pub fn follow(&mut self, line: &str) -> bool {
        match serde_json::from_str(line) {
            Ok(Line { t, seat: Some(seat), act: Some(act), .. }) => {
                self.act(t, seat, &act.to_string()).is_ok()
            }
            Ok(Line { t, seat: Some(seat), anchor: Some(anchor), .. }) => {
                self.anchor(t, seat, anchor).is_ok()
            }
            Ok(Line { links: Some(links), .. }) => self.throw(&Gathered::Links(links)).is_ok(),
            Ok(Line { silent: Some(silent), .. }) => self.throw(&Gathered::Silent(silent)).is_ok(),
            Ok(Line { end: Some(_), .. }) => self.table.outcome().is_some(),
            Ok(Line { t, seat: None, act: None, .. }) => self.time_is_up(t).is_some(),
            _ => false,
        }
    }

    fn time_is_up(&mut self, now: Time) -> Option<Step> {
        let (at, line) = self.table.expire_due(now)?;
        self.intents.clear();
        Some(Step { at, seat: None, line })
    }

    /// A seat acts, in JSON. Refused, nothing has changed. What is due by `now` must have been done.
    pub fn act(&mut self, now: Time, seat: Seat, act: &str) -> Result<Step, Spoken> {
        let at = now.max(self.table.now());
        let line = self.table.act(at, seat, act)?;
        self.intents.clear();
        Ok(Step { at, seat: Some(seat), line })
    }
}

impl std::fmt::Debug for Driver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Driver({:?}, {} intents)", self.table, self.intents.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use serde_json::json;

    fn driver(kind: Kind, options: serde_json::Value, seats: usize) -> Driver {
        let setting = Setting::new(kind, options).unwrap();
        let names = Seats::named(crate::BOTS[..seats].iter().copied()).unwrap();
        Driver::open(&setting, names, &Seed::from_number(5), None).unwrap().0
    }

    /// Bots that mean something at these times.
    fn roulette(intents: &[(u32, u64)]) -> Driver {
        let mut driver = driver(Kind::Roulette, json!({"window": 10}), 3);
        for &(seat, at) in intents {
            driver.intend(Seat(seat), 0, Time(at), r#"{"do":"ready"}"#.to_owned());
        }
        driver
    }

    fn step(driver: &mut Driver, now: u64) -> Option<(u64, Option<u32>)> {
        let step = driver.step(Time(now))?.expect("allowed");
        Some((step.at.0, step.seat.map(|seat| seat.0)))
    }

    #[test]
    fn the_earliest_bot_acts_first_and_of_two_at_once_the_lower_seat() {
        let mut driver = roulette(&[(0, 700), (1, 500), (2, 500)]);
        assert_eq!(driver.due(), Some(Time(500)));
        assert_eq!(step(&mut driver, 499), None);
        assert_eq!(step(&mut driver, 900), Some((500, Some(1))), "at its own time, however late it is asked");
    }

    #[test]
    fn what_bots_meant_is_forgotten_when_something_happens() {
        let mut driver = roulette(&[(0, 700), (1, 500)]);
        assert_eq!(step(&mut driver, 500), Some((500, Some(1))));
        assert_eq!(driver.intent(Seat(0)), None);
        driver.intend(Seat(0), 0, Time(700), r#"{"do":"ready"}"#.to_owned());
        assert_eq!(driver.intent(Seat(0)), None, "it had not seen what happened");
        driver.act(Time(600), Seat(2), r#"{"do":"ready"}"#).unwrap();
        assert!(driver.act(Time(600), Seat(2), "nonsense").is_err());
    }

    #[test]
    fn time_that_is_up_goes_before_a_bot_that_would_act_then() {
        let mut driver = roulette(&[(1, 10_000)]);
        assert_eq!(driver.due(), Some(Time(10_000)));
        assert_eq!(step(&mut driver, 12_000), Some((10_000, None)));
    }

    #[test]
    fn a_bot_in_the_past_acts_at_once() {
        let mut driver = roulette(&[]);
        driver.act(Time(400), Seat(2), r#"{"do":"ready"}"#).unwrap();
        driver.intend(Seat(0), 1, Time(3), r#"{"do":"ready"}"#.to_owned());
        assert_eq!(driver.due(), Some(Time(400)));
        assert_eq!(step(&mut driver, 400), Some((400, Some(0))));
    }

    #[test]
    fn a_bot_is_asked_once_for_every_change() {
        let mut driver = driver(Kind::Cubo, json!({}), 2);
        driver.seat_bot(Seat(0), 2, 1);
        let first = driver.ponderings(Time(0));
        assert_eq!(first.len(), 1);
        assert!(driver.ponderings(Time(0)).is_empty(), "it thinks");
        driver.step(driver.table().deadline().unwrap()).unwrap().unwrap();
        assert!(driver.ponderings(Time(0)).is_empty(), "it still thinks");
        for ponder in first {
            driver.pondered(ponder.run());
        }
        assert_eq!(driver.intent(Seat(0)), None, "the table has moved on");
        assert_eq!(driver.ponderings(Time(0)).len(), 1, "so it is asked again");
        driver.seat_bot(Seat(0), 1, 1);
        assert_eq!(driver.ponderings(Time(0)).len(), 1, "another bot is asked afresh");
        driver.unseat_bot(Seat(0));
        assert!(driver.ponderings(Time(0)).is_empty());
    }

    #[test]
    fn a_replica_follows_line_by_line_and_does_nothing_by_itself() {
        let mut here = driver(Kind::Cubo, json!({}), 2);
        let mut there = driver(Kind::Cubo, json!({}), 2);
        for driver in [&mut here, &mut there] {
            (0..2).for_each(|seat| driver.seat_bot(Seat(seat), 3, 7));
        }
        for _ in 0..60 {
            there.think();
            here.think();
            let Some(step) = here.due().and_then(|due| here.step(due)) else { break };
            assert!(there.follow(&step.unwrap().line));
            assert_eq!(there.table().fingerprint(), here.table().fingerprint());
        }
        assert!(!there.follow("{}") && !there.follow(r#"{"t":0,"seat":0,"act":{"do":"fly"},"c":""}"#));
    }

    #[test]
    fn a_bot_that_is_refused_is_told_apart_from_one_that_acts() {
        let mut driver = roulette(&[]);
        driver.intend(Seat(1), 0, Time(5), r#"{"do":"fly"}"#.to_owned());
        let refused = driver.step(Time(5)).unwrap().unwrap_err();
        assert_eq!((refused.seat, refused.why.code.as_str()), (Seat(1), "bad-act"));
        assert_eq!(driver.step(Time(5)), None, "and not tried again");
    }
}
