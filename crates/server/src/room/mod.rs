//! A table as a state machine: the room with its seats, the game in it, and the rows that tell how it came to be.
//!
//! Nothing here waits, reads a clock or touches a disk. A command is checked and carried out in memory at once; the rows and
//! frames it gives are kept in a [`Batch`] until the rows are on disk. If they cannot be written, the room is thrown away and loaded
//! again: what is on disk is what happened.

mod batch;
mod life;
mod play;
mod seats;
mod show;
mod terms;
mod throws;

pub(crate) use batch::{Batch, Told};
pub(crate) use life::Life;
pub(crate) use seats::{checked_bots, place_for};
pub(crate) use terms::{Terms, new_table};

use crate::repeats::Repeats;
use crate::say;
use crate::store::{By, Stage, TableKey};
use batch::Pen;
use house::Driver;
use protocol::http::Person;
use protocol::{Command, PersonId, Phase, Place, RawCommand, TableId, Why};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use table::chain::Link;
use table::verify::Rules;
use table::{Outcome, Seed, Spoken, Time};

/// Who commands, and from where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Who<'a> {
    pub(crate) person: &'a Person,
    pub(crate) client: &'a str,
}

/// The moment of a command: the table's clock and the server's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    pub(crate) time: Time,
    pub(crate) wall: u64,
}

/// Bounds that the room keeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) seats: usize,
    pub(crate) own_seats: usize,
    pub(crate) bots: usize,
}

impl Bounds {
    /// For who only reads a table.
    pub(crate) const NONE: Bounds = Bounds { seats: usize::MAX, own_seats: usize::MAX, bots: usize::MAX };
}

/// A table.
pub(crate) struct Room {
    pub(crate) id: TableId,
    pub(crate) key: TableKey,
    pub(crate) terms: Terms,
    pub(crate) phase: Phase,
    pub(crate) places: Vec<Place>,
    pub(crate) game: Option<Driver>,
    /// The next table, where everybody may know it.
    pub(crate) rematch: Option<TableId>,
    /// The next table of one that is not public: its name is the invitation, and only for who has a seat here.
    secret_rematch: Option<TableId>,
    /// The anchor of the chain of each person whose client adds to the dice.
    chains: BTreeMap<PersonId, Link>,
    /// Who was shown out, until the host opens a seat anew.
    kicked: BTreeSet<PersonId>,
    made: u64,
    seating: RangeInclusive<u32>,
    variations: Vec<String>,
    seed: Seed,
    outcome: Option<Outcome>,
    /// The rules that the game was begun under, if they are not played here.
    pub(crate) unplayable: Option<Rules>,
    /// Why the game was broken off, if it was.
    pub(crate) aborted: Option<String>,
    /// An administrator's words for its players, if the table is to be closed.
    pub(crate) closing: Option<String>,
    rows: u64,
    pub(crate) repeats: Repeats,
    bounds: Bounds,
}

/// A table whose rows do not make sense.
pub(crate) type Damaged = String;

impl Room {
    /// The number of the last event.
    pub(crate) const fn seq(&self) -> u64 {
        self.rows - 1
    }

    /// The seats of a person.
    pub(crate) fn seats_of<'a>(&'a self, person: &'a str) -> impl Iterator<Item = u32> + 'a {
        (0..).zip(&self.places).filter(move |(_, place)| place.person() == Some(person)).map(|(seat, _)| seat)
    }

    /// When time itself will act.
    pub(crate) fn deadline(&self) -> Option<Time> {
        self.game.as_ref().and_then(|game| game.table().deadline())
    }

    /// Carries out a command, or says why not; then nothing has changed. Time that is up acts first.
    pub(crate) fn command(
        &mut self,
        who: Who<'_>,
        command: &RawCommand,
        at: Now,
        batch: &mut Batch,
    ) -> Result<(), Spoken> {
        let by = By {
            person: who.person.id.clone(),
            client: who.client.to_owned(),
            id: command.id().unwrap_or(0),
        };
        let mut pen = Pen { by: Some(by), at, batch };
        match command {
            Command::Join { seat, name, seed, .. } => self.join(who, *seat, name.as_deref(), seed, &mut pen),
            Command::Leave { seat, .. } => self.leave(who, *seat, &mut pen),
            Command::Kick { seat, .. } => self.kick(who, *seat, &mut pen),
            Command::Place { seat, wish, .. } => self.place(who, *seat, wish, &mut pen),
            Command::Ready { ready, seed, .. } => self.ready(who, *ready, seed.as_ref(), &mut pen),
            Command::Start { anyway, .. } => self.start(who, *anyway, &mut pen),
            Command::Chain { anchor, .. } => self.chain(who, *anchor, &mut pen),
            Command::Act { seat, act, .. } => self.act(who, *seat, act.get(), &mut pen),
            Command::Close { .. } => self.close(who, &mut pen),
            _ => Err(say("not-here", "This is nothing to ask of a table.")),
        }
    }

    fn gathering(&self) -> Result<(), Spoken> {
        match self.phase {
            Phase::Gathering => Ok(()),
            Phase::Playing => {
                Err(say("started", "The game has started. You can watch it, or make a table of your own."))
            }
            Phase::Over => Err(say("over", "This game is over. Ask for a rematch, or make another table.")),
            Phase::Closed => Err(self.closed()),
        }
    }

    /// What is answered to whoever wants something of a table that is closed.
    pub(crate) fn closed(&self) -> Spoken {
        say("closed", self.aborted.as_deref().unwrap_or("The host closed this table. Make another."))
    }

    fn playing(&self) -> Result<(), Spoken> {
        match self.phase {
            Phase::Playing => Ok(()),
            Phase::Gathering => Err(say("not-started", "The game has not started yet.")),
            Phase::Over | Phase::Closed => self.gathering(),
        }
    }

    fn hosted_by(&self, who: Who<'_>) -> Result<(), Spoken> {
        if who.person.id == self.terms.host.id {
            Ok(())
        } else {
            Err(say("not-host", format!("Only {}, who made this table, can do that.", self.terms.host.name)))
        }
    }

    fn close(&mut self, who: Who<'_>, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        self.hosted_by(who)?;
        self.gathering()?;
        pen.batch.append.stage = Some(Stage::Closed);
        self.happen(&Life::Closed, Why::Closed, &[], pen);
        Ok(())
    }
}

/// Plain data as JSON.
pub(crate) fn text<T: Serialize>(thing: &T) -> String {
    serde_json::to_string(thing).expect("messages are plain data with text keys")
}
