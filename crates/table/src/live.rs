//! One game being played: the state, the dice and the clock, moved only by acts and by time.

use crate::chain::Link;
use crate::record::{Entry, Event, Gathered, Head, LINKED, PLAIN, Scribe, Sum};
use crate::ring::{Ask, BadThrow, Ring};
use crate::{Dice, Game, Moment, Outcome, Refused, Seat, Seats, Seed, Time, fingerprint};
use std::ops::RangeInclusive;
use thiserror::Error;

/// A table with a game on it.
///
/// It never reads a clock: whoever holds it says what time it is. Before an act, let time do what is due
/// ([`Table::expire_due`]); an act that comes at or after the deadline is refused otherwise.
///
/// Where players' clients add to the dice, an act that throws is only accepted at first: then [`Table::ask`] says whose links are
/// missing, nothing else can happen, and [`Table::throw`] makes the throw.
#[derive(Clone, Debug)]
pub struct Table<G: Game> {
    game: G,
    dice: Dice,
    linked: Option<Linked<G>>,
    now: Time,
    events: u64,
    seats: u32,
}

/// What a table has besides where players' clients add to the dice.
#[derive(Clone, Debug)]
struct Linked<G: Game> {
    ring: Ring,
    /// What was accepted and waits for its throw.
    waits: Option<Waits<G>>,
    /// How many words of earlier throws' streams were used.
    drawn: u64,
}

/// What makes a throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thrower {
    /// The table is laid. Until its dice lie there is no game to be shown.
    Laying,
    /// A seat acted.
    Seat(Seat),
    /// Time was up.
    Time,
}

#[derive(Clone, Debug)]
enum Waits<G: Game> {
    /// The table is laid: until then its game is only tried, and not to be shown.
    Open(G::Options, Seats),
    Event(Entry<G::Act>),
}

/// Why a table could not be opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpenFault<R> {
    /// Made by a later Parlor.
    #[error("this record is of version {found}; this program reads versions {PLAIN} and {LINKED}")]
    Version {
        /// The version in the head.
        found: u32,
    },
    /// The head names another game.
    #[error("this is a game of {found}, not of {expected}")]
    OtherGame {
        /// The game asked for.
        expected: &'static str,
        /// The game in the head.
        found: String,
    },
    /// Too few or too many people.
    #[error("{game} with these options is for {} to {} players; {seats} sat down", .seating.start(), .seating.end())]
    Seating {
        /// The game.
        game: &'static str,
        /// How many sat down.
        seats: u32,
        /// How many may.
        seating: RangeInclusive<u32>,
    },
    /// A seat that is not there adds to the dice, or none does where some should.
    #[error("the anchors of this record do not fit its seats")]
    Anchors,
    /// The seed is not the one that was committed.
    #[error("the seed does not match the commitment made before the game")]
    WrongSeed,
    /// The options make no game.
    #[error("{0}")]
    Rule(R),
}

impl<G: Game> Table<G> {
    /// Sets the table that a record's head describes, when that record begins with a line of our own.
    pub fn open(head: &Head<G::Options>, seed: &Seed) -> Result<Table<G>, OpenFault<G::Refusal>> {
        let mut scribe = Scribe::new();
        if head.parlor == LINKED {
            scribe.head(head);
        }
        Table::open_after(head, scribe.sum(), seed)
    }

    /// Sets the table of a record whose head was read, and has this sum.
    pub fn open_after(
        head: &Head<G::Options>,
        sum: Sum,
        seed: &Seed,
    ) -> Result<Table<G>, OpenFault<G::Refusal>> {
        if ![PLAIN, LINKED].contains(&head.parlor) {
            return Err(OpenFault::Version { found: head.parlor });
        }
        if head.game != G::NAME {
            return Err(OpenFault::OtherGame { expected: G::NAME, found: head.game.clone() });
        }
        if head.commit != seed.commitment() {
            return Err(OpenFault::WrongSeed);
        }
        let seats = &head.seats;
        let seating = G::seating(&head.options);
        if !seating.contains(&seats.count()) {
            return Err(OpenFault::Seating { game: G::NAME, seats: seats.count(), seating });
        }
        let linked = head.parlor == LINKED;
        if linked == head.anchors.is_empty() || !head.anchors.keys().all(|seat| seats.has(*seat)) {
            return Err(OpenFault::Anchors);
        }
        let ring = linked.then(|| Ring::new(seed.clone(), sum, &head.anchors));
        Table::seat(head, ring, seed).map_err(OpenFault::Rule)
    }

    fn seat(head: &Head<G::Options>, ring: Option<Ring>, seed: &Seed) -> Result<Table<G>, G::Refusal> {
        let Head { options, seats, .. } = head;
        let lay = |dice: &mut Dice| G::open(options, seats, &mut Moment { now: Time::START, dice });
        let table = |game, dice, linked| {
            let (now, events, seats) = (Time::START, 0, seats.count());
            Ok(Table { game, dice, linked, now, events, seats })
        };
        let Some(ring) = ring else {
            let mut dice = Dice::new(seed, G::NAME, seats);
            return table(lay(&mut dice)?, dice, None);
        };
        let mut trial = Dice::trial();
        let game = lay(&mut trial)?;
        let waits = (trial.drawn() > 0).then(|| Waits::Open(options.clone(), seats.clone()));
        // A game that throws without having said so gets dice that nobody but the house can foresee.
        table(game, Dice::new(seed, G::NAME, seats), Some(Linked { ring, waits, drawn: 0 }))
    }

    /// A seat acts. Refused, nothing has changed: not the game, not the dice, not the clock.
    pub fn act(&mut self, now: Time, seat: Seat, act: &G::Act) -> Result<(), Refused<G::Refusal>> {
        if seat.0 >= self.seats {
            return Err(Refused::NoSuchSeat { seat, seats: self.seats });
        }
        if self.waits() {
            return Err(Refused::Throwing);
        }
        if self.game.outcome().is_some() {
            return Err(Refused::Over);
        }
        if now < self.now {
            return Err(Refused::ClockBack { at: now, now: self.now });
        }
        if let Some(deadline) = self.game.deadline().filter(|&deadline| deadline <= now) {
            return Err(Refused::TimeUp { at: now, deadline });
        }
        if self.linked.is_some() && self.game.throws(seat, act) {
            let event = Event::Act { seat, act: act.clone() };
            return self.accept(Entry { at: now, event }).map_err(Refused::Rule);
        }
        let drawn = self.dice.drawn();
        let mut at = Moment { now, dice: &mut self.dice };
        if let Err(refusal) = self.game.act(seat, act, &mut at) {
            self.dice.rewind(drawn);
            return Err(Refused::Rule(refusal));
        }
        self.happened(now);
        Ok(())
    }

    fn happened(&mut self, now: Time) {
        self.now = now;
        self.events += 1;
    }

    /// Tries something on a copy of the game. What throws is accepted and waits for its dice; what does not has happened.
    fn accept(&mut self, entry: Entry<G::Act>) -> Result<(), G::Refusal> {
        let (mut tried, mut trial) = (self.game.clone(), Dice::trial());
        play(&mut tried, &entry, &mut trial)?;
        match &mut self.linked {
            Some(linked) if trial.drawn() > 0 => linked.waits = Some(Waits::Event(entry)),
            _ => {
                self.game = tried;
                self.happened(entry.at);
            }
        }
        Ok(())
    }

    /// Lets time act once if it is due by `now`; answers when it did. Call it until it answers `None`.
    pub fn expire_due(&mut self, now: Time) -> Option<Time> {
        let deadline = self.deadline().filter(|&deadline| deadline <= now)?;
        debug_assert!(deadline >= self.now, "{}: a deadline in the past", G::NAME);
        if self.linked.is_some() && self.game.time_throws() {
            let accepted = self.accept(Entry { at: deadline, event: Event::Time });
            debug_assert!(accepted.is_ok(), "time is never refused");
            return Some(deadline);
        }
        self.game.expire(&mut Moment { now: deadline, dice: &mut self.dice });
        self.happened(deadline);
        Some(deadline)
    }

    /// Whether something was accepted and waits for its dice.
    fn waits(&self) -> bool {
        self.linked.as_ref().is_some_and(|linked| linked.waits.is_some())
    }

    /// Whose links are missing for the throw that is to be made now, if there is one.
    pub fn ask(&self) -> Option<Ask> {
        self.linked.as_ref().filter(|linked| linked.waits.is_some()).map(|linked| linked.ring.ask())
    }

    /// Whether a link is the one that a seat is asked for now.
    pub fn fits(&self, seat: Seat, link: &Link) -> bool {
        let linked = self.linked.as_ref();
        linked.zip(self.ask()).is_some_and(|(linked, ask)| linked.ring.fits(seat, &ask, link))
    }

    /// Makes the throw that is to be made now. `sum` is that of the record's last line. Answers whether it was made: where somebody was
    /// silent it was not, and the others are asked again.
    pub fn throw(&mut self, at: Time, throw: u32, sum: Sum, gathered: &Gathered) -> Result<bool, BadThrow> {
        let moment = self.throws_at().ok_or(BadThrow::NoThrow)?;
        if at != moment {
            return Err(BadThrow::Moment);
        }
        let linked = self.linked.as_mut().ok_or(BadThrow::NoThrow)?;
        let Some(mut dice) = linked.ring.gather(throw, sum, gathered)? else { return Ok(false) };
        match linked.waits.take() {
            Some(Waits::Open(options, seats)) => {
                let mut at = Moment { now: Time::START, dice: &mut dice };
                self.game = G::open(&options, &seats, &mut at).map_err(|_| BadThrow::Refused)?;
            }
            Some(Waits::Event(entry)) => {
                play(&mut self.game, &entry, &mut dice).map_err(|_| BadThrow::Refused)?;
                self.happened(entry.at);
            }
            None => return Err(BadThrow::NoThrow),
        }
        if let Some(linked) = &mut self.linked {
            linked.drawn += dice.drawn();
        }
        Ok(true)
    }

    /// What waits for its dice.
    pub fn thrower(&self) -> Option<Thrower> {
        Some(match self.linked.as_ref()?.waits.as_ref()? {
            Waits::Open(..) => Thrower::Laying,
            Waits::Event(Entry { event: Event::Act { seat, .. }, .. }) => Thrower::Seat(*seat),
            Waits::Event(Entry { event: Event::Time, .. }) => Thrower::Time,
        })
    }

    /// Whether players' clients can add to the dice of this table.
    pub const fn is_linked(&self) -> bool {
        self.linked.is_some()
    }

    /// Whether a seat's client adds to the next throws.
    pub fn has_chain(&self, seat: Seat) -> bool {
        self.linked.as_ref().is_some_and(|linked| linked.ring.has(seat))
    }

    /// The moment of what waits for its dice.
    pub fn throws_at(&self) -> Option<Time> {
        match self.linked.as_ref()?.waits.as_ref()? {
            Waits::Open(..) => Some(Time::START),
            Waits::Event(entry) => Some(entry.at),
        }
    }

    /// A seat's client goes on with another chain from the next throw. Not while one is made.
    pub fn anchor(&mut self, now: Time, seat: Seat, anchor: Link) -> Result<(), BadThrow> {
        let ready = seat.0 < self.seats && !self.waits() && now >= self.now;
        let linked = self.linked.as_mut().filter(|_| ready).ok_or(BadThrow::NotAsked(seat))?;
        linked.ring.anchor(seat, anchor)
    }

    /// Whether the table has a use for an act of this seat now.
    pub fn awaits(&self, seat: Seat) -> bool {
        seat.0 < self.seats && !self.waits() && self.game.awaits(seat)
    }

    /// Does again what a record says was done.
    pub fn redo(&mut self, entry: &Entry<G::Act>) -> Result<(), Refused<G::Refusal>> {
        match &entry.event {
            Event::Act { seat, act } => self.act(entry.at, *seat, act),
            Event::Time => match self.deadline() {
                Some(deadline) if deadline == entry.at => {
                    self.expire_due(deadline);
                    Ok(())
                }
                deadline => Err(Refused::NotDue { at: entry.at, deadline }),
            },
        }
    }

    /// When time itself will act. A finished game waits for nothing, and one that throws waits for its dice alone.
    pub fn deadline(&self) -> Option<Time> {
        if self.waits() || self.outcome().is_some() { None } else { self.game.deadline() }
    }

    /// Where the clock stands: at the last event.
    pub const fn now(&self) -> Time {
        self.now
    }

    /// How many events (acts, and times that ran out) there have been.
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// How many seats there are.
    pub const fn seats(&self) -> u32 {
        self.seats
    }

    /// How far the dice have come.
    pub fn drawn(&self) -> u64 {
        self.dice.drawn() + self.linked.as_ref().map_or(0, |linked| linked.drawn)
    }

    /// The game as it stands.
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// How it ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().filter(|_| !self.waits())
    }

    /// The fingerprint of the state.
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.game)
    }
}

/// Does to a game what happened.
fn play<G: Game>(game: &mut G, entry: &Entry<G::Act>, dice: &mut Dice) -> Result<(), G::Refusal> {
    let mut at = Moment { now: entry.at, dice };
    match &entry.event {
        Event::Act { seat, act } => game.act(*seat, act, &mut at),
        Event::Time => {
            game.expire(&mut at);
            Ok(())
        }
    }
}
