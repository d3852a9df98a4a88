//! One game being played: the state, the dice and the clock, moved only by acts and by time.

use crate::record::{Entry, Event, Head, VERSION};
use crate::{Dice, Game, Moment, Outcome, Refused, Seat, Seats, Seed, Time, fingerprint};
use std::ops::RangeInclusive;
use thiserror::Error;

/// A table with a game on it.
///
/// It never reads a clock: whoever holds it says what time it is. Before an act, let time do what is due
/// ([`Table::expire_due`]); an act that comes at or after the deadline is refused otherwise.
#[derive(Clone, Debug)]
pub struct Table<G: Game> {
    game: G,
    dice: Dice,
    now: Time,
    events: u64,
    seats: u32,
}

/// Why a table could not be opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpenFault<R> {
    /// Made by a later Parlor.
    #[error("this record is of version {found}; this program reads version {VERSION}")]
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
    /// The seed is not the one that was committed.
    #[error("the seed does not match the commitment made before the game")]
    WrongSeed,
    /// The options make no game.
    #[error("{0}")]
    Rule(R),
}

impl<G: Game> Table<G> {
    /// Sets the table that a record's head describes.
    pub fn open(head: &Head<G::Options>, seed: &Seed) -> Result<Table<G>, OpenFault<G::Refusal>> {
        if head.parlor != VERSION {
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
        Table::seat(&head.options, seats, seed)
    }

    fn seat(options: &G::Options, seats: &Seats, seed: &Seed) -> Result<Table<G>, OpenFault<G::Refusal>> {
        let mut dice = Dice::new(seed, G::NAME, seats);
        let mut at = Moment { now: Time::START, dice: &mut dice };
        let game = G::open(options, seats, &mut at).map_err(OpenFault::Rule)?;
        Ok(Table { game, dice, now: Time::START, events: 0, seats: seats.count() })
    }

    /// A seat acts. Refused, nothing has changed: not the game, not the dice, not the clock.
    pub fn act(&mut self, now: Time, seat: Seat, act: &G::Act) -> Result<(), Refused<G::Refusal>> {
        if seat.0 >= self.seats {
            return Err(Refused::NoSuchSeat { seat, seats: self.seats });
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
        let drawn = self.dice.drawn();
        let mut at = Moment { now, dice: &mut self.dice };
        if let Err(refusal) = self.game.act(seat, act, &mut at) {
            self.dice.rewind(drawn);
            return Err(Refused::Rule(refusal));
        }
        self.now = now;
        self.events += 1;
        Ok(())
    }

    /// Lets time act once if it is due by `now`; answers when it did. Call it until it answers `None`.
    pub fn expire_due(&mut self, now: Time) -> Option<Time> {
        let deadline = self.deadline().filter(|&deadline| deadline <= now)?;
        debug_assert!(deadline >= self.now, "{}: a deadline in the past", G::NAME);
        self.game.expire(&mut Moment { now: deadline, dice: &mut self.dice });
        self.now = deadline;
        self.events += 1;
        Some(deadline)
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

    /// When time itself will act. A finished game waits for nothing.
    pub fn deadline(&self) -> Option<Time> {
        if self.outcome().is_some() { None } else { self.game.deadline() }
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
    pub const fn drawn(&self) -> u64 {
        self.dice.drawn()
    }

    /// The game as it stands.
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// How it ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    /// The fingerprint of the state.
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.game)
    }
}
