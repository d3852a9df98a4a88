//! What happens in a room besides the game, and a room brought back from its rows.

use super::terms::{Made, setting};
use super::{Bounds, Damaged, Room};
use crate::repeats::Repeats;
use crate::store::{Kind as RowKind, Stored};
use house::Driver;
use protocol::http::Person;
use protocol::{PersonId, Phase, Place, TableId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use table::Seat;
use table::chain::Link;
use table::verify::{Fault, What};

/// What happens in a room besides the game. Aborted is a game that could not go on; its players are told why.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "life", rename_all = "kebab-case")]
pub(crate) enum Life {
    Sat { seat: u32, person: Person, seed: String, ready: bool },
    Left { seat: u32 },
    Kicked { seat: u32 },
    Placed { seat: u32, place: Option<Place> },
    Ready { person: PersonId, ready: bool, seed: Option<String> },
    Chained { person: PersonId, anchor: Link },
    BotSat { seat: u32, level: u8 },
    TookBack { seat: u32 },
    Rematch { table: TableId },
    Closed,
    Aborted { why: String },
}

impl Room {
    /// Brings a table back from its rows.
    pub(crate) fn load(id: &str, stored: &Stored, bounds: Bounds) -> Result<Room, Damaged> {
        let damaged = |what: &str, why: &dyn std::fmt::Display| format!("{what}: {why}");
        let first = stored.rows.first().ok_or_else(|| damaged("row 1", &"missing"))?;
        let Made { made: terms, seats } =
            serde_json::from_str(&first.text).map_err(|fault| damaged("row 1", &fault))?;
        let setting = setting(&terms);
        let count = seats.len() as u32;
        let mut room = Room {
            id: id.to_owned(),
            key: stored.key,
            terms,
            phase: Phase::Gathering,
            places: seats,
            game: None,
            rematch: None,
            secret_rematch: None,
            chains: BTreeMap::new(),
            kicked: BTreeSet::new(),
            made: stored.made,
            variations: setting.as_ref().map(house::variations).unwrap_or_default(),
            seating: setting.as_ref().map_or(count..=count, |setting| setting.seating.clone()),
            seed: stored.seed.clone(),
            outcome: None,
            unplayable: None,
            aborted: None,
            closing: stored.closing.clone(),
            rows: stored.rows.len() as u64,
            repeats: Repeats::default(),
            bounds,
        };
        for row in &stored.rows[1..] {
            if row.kind == RowKind::Life {
                let life = serde_json::from_str(&row.text).map_err(|fault| damaged("a row", &fault))?;
                room.apply(&life);
            }
        }
        room.remember_all(&stored.rows);
        if room.aborted.is_none() {
            room.take_up(stored).map_err(|fault| damaged("the record", &fault))?;
        }
        match setting {
            // Options that go with other rules need not be any that this program knows.
            Err(spoken) if !room.is_beyond_us() => Err(damaged("options", &spoken.says)),
            _ => Ok(room),
        }
    }

    /// Takes up the game, if it has begun. One that was begun under rules that are not played here stays as it is.
    fn take_up(&mut self, stored: &Stored) -> Result<(), Fault> {
        if stored.lines().next().is_none() {
            return Ok(());
        }
        match Driver::resume(stored.lines(), &self.seed) {
            Ok(game) => {
                self.outcome = game.table().outcome();
                self.game = Some(game);
            }
            Err(Fault { what: What::Rules(rules), .. }) => {
                self.unplayable = Some(rules);
                self.outcome = match house::verify(&stored.record()) {
                    Ok(verified) => Some(verified.outcome),
                    Err(Fault { what: What::NoEnd, .. }) => None,
                    Err(fault) => return Err(fault),
                };
            }
            Err(fault) => return Err(fault),
        }
        self.phase = match self.outcome {
            Some(_) => Phase::Over,
            None if self.unplayable.is_none() && self.laid().is_none() => Phase::Gathering,
            None => Phase::Playing,
        };
        self.seat_bots();
        Ok(())
    }

    /// Whether there was a game here that cannot be played on or shown.
    fn is_beyond_us(&self) -> bool {
        self.unplayable.is_some() || self.aborted.is_some()
    }

    /// Carries out what happened in the room, now or when it is loaded.
    pub(super) fn apply(&mut self, life: &Life) {
        let place = |room: &mut Room, seat: u32, new: Place| {
            if let Some(place) = room.places.get_mut(seat as usize) {
                *place = new;
            }
        };
        match life.clone() {
            Life::Sat { seat, person: Person { id: person, name }, seed, ready } => {
                place(self, seat, Place::Guest { person, name, ready, seed, bot: None });
            }
            Life::Left { seat } => place(self, seat, Place::Open),
            Life::Kicked { seat } => {
                self.note_kicked(seat);
                place(self, seat, Place::Open);
            }
            // Whoever sits behind it moves up: the game will be opened with the seats that remain.
            Life::Placed { seat, place: None } if (seat as usize) < self.places.len() => {
                self.places.remove(seat as usize);
            }
            Life::Placed { place: None, .. } => {}
            Life::Placed { seat, place: Some(new) } => {
                if new == Place::Open {
                    self.kicked.clear(); // what the host opens is open to everybody
                }
                if seat as usize == self.places.len() {
                    self.places.push(new);
                } else {
                    place(self, seat, new);
                }
            }
            Life::Ready { person, ready, seed } => self.set_ready(&person, ready, seed.as_ref()),
            Life::Chained { person, anchor } => {
                self.chains.insert(person, anchor);
            }
            Life::BotSat { seat, level } => self.set_stand_in(seat, Some(level)),
            Life::TookBack { seat } => self.set_stand_in(seat, None),
            Life::Rematch { table } if self.terms.public => self.rematch = Some(table),
            Life::Rematch { table } => self.secret_rematch = Some(table),
            Life::Closed => self.phase = Phase::Closed,
            Life::Aborted { why } => {
                (self.phase, self.aborted) = (Phase::Closed, Some(why));
                self.game = None; // neither time nor bots go on with it
            }
        }
    }

    /// Whoever sits there is shown out. The host has only himself to blame, and may sit down again.
    fn note_kicked(&mut self, seat: u32) {
        let person = self.places.get(seat as usize).and_then(Place::person);
        let person = person.filter(|person| *person != self.terms.host.id);
        self.kicked.extend(person.map(str::to_owned));
    }

    fn set_ready(&mut self, who: &str, is_ready: bool, new: Option<&String>) {
        for place in &mut self.places {
            if let Place::Guest { person, ready, seed, .. } = place
                && person == who
            {
                *ready = is_ready;
                if let Some(new) = new {
                    seed.clone_from(new);
                }
            }
        }
    }

    fn set_stand_in(&mut self, seat: u32, level: Option<u8>) {
        if let Some(Place::Guest { bot, .. }) = self.places.get_mut(seat as usize) {
            *bot = level;
        }
        if let Some(game) = &mut self.game {
            match level {
                Some(level) => game.seat_bot(Seat(seat), level, u64::from_le_bytes(crate::id::random())),
                None => game.unseat_bot(Seat(seat)),
            }
        }
    }
}
