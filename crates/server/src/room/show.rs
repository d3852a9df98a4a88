//! What a room shows: to everybody, to one person, to a seat, and in the lobby.

use super::{Now, Room, text};
use axum::extract::ws::Utf8Bytes;
use protocol::{Away, Listed, Message, Phase, Place, PrivateAt, View};
use serde_json::value::RawValue;
use table::Seat;

impl Room {
    pub(super) fn awaits(&self) -> Vec<u32> {
        match &self.game {
            Some(game) if self.places.len() <= 64 => {
                (0..self.places.len() as u32).filter(|&seat| game.table().awaits(Seat(seat))).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn shown(&self) -> protocol::Room<Box<RawValue>> {
        protocol::Room {
            game: self.terms.game.name().to_owned(),
            options: self.terms.options.clone(),
            variations: self.variations.clone(),
            seating: (*self.seating.start(), *self.seating.end()),
            seats: self.places.clone(),
            host: self.terms.host.id.clone(),
            phase: self.phase,
            public: self.terms.public,
            rated: self.terms.rated,
            grace: self.terms.grace,
            commit: self.seed.commitment().to_string(),
            made: self.made,
            outcome: self.outcome.clone(),
            seed: (self.phase == Phase::Over || self.aborted.is_some()).then(|| self.seed.reveal()),
            rematch: self.rematch.clone(),
            closed: self.why_closed(),
        }
    }

    /// Why nothing of the table can be shown, if it was not closed by its host.
    fn why_closed(&self) -> Option<String> {
        let over = self.unplayable.as_ref().filter(|_| self.phase == Phase::Over);
        let over = over.map(|rules| {
            format!("This finished game cannot be shown: {rules}. Its result and its record are kept.")
        });
        self.aborted.clone().or(over)
    }

    /// The room as one person may see it.
    fn shown_to(&self, person: &str) -> protocol::Room<Box<RawValue>> {
        let secret = self.secret_rematch.as_ref().filter(|_| self.seats_of(person).next().is_some());
        let mut room = self.shown();
        room.rematch = room.rematch.or_else(|| secret.cloned());
        room
    }

    /// The whole table as one person may see it.
    pub(crate) fn view(&self, person: &str, at: Now, watching: u32, away: Vec<Away>) -> Utf8Bytes {
        let game = self.laid();
        let private = game.map_or_else(Vec::new, |game| {
            let private = |seat| PrivateAt { seat, private: game.table().private(Seat(seat)) };
            self.seats_of(person).map(private).collect()
        });
        let view = View {
            table: self.id.clone(),
            seq: self.seq(),
            time: at.time,
            now: at.wall,
            deadline: self.deadline(),
            awaits: self.awaits(),
            room: self.shown_to(person),
            public: game.map(|game| game.table().public()),
            private,
            watching,
            away,
            removed: self.kicked.contains(person),
        };
        text(&Message::View(Box::new(view))).into()
    }

    /// What only this seat sees, as JSON.
    pub(crate) fn private(&self, seat: u32) -> Option<Box<RawValue>> {
        self.laid().map(|game| game.table().private(Seat(seat)))
    }

    /// The message with what only this seat sees.
    pub(crate) fn private_frame(&self, seat: u32, private: Box<RawValue>) -> Utf8Bytes {
        let (table, seq) = (self.id.clone(), self.seq());
        text(&Message::Private { table, seq, seat, private }).into()
    }

    /// How the table stands in the lobby, if it does.
    pub(crate) fn listed(&self, watching: u32) -> Option<Listed> {
        let shown =
            self.terms.public && matches!(self.phase, Phase::Gathering | Phase::Playing) && watching > 0;
        shown.then(|| Listed {
            table: self.id.clone(),
            game: self.terms.game.name().to_owned(),
            variations: self.variations.clone(),
            host: self.terms.host.name.clone(),
            seats: self.places.iter().take(16).map(|place| place.name().to_owned()).collect(),
            open: self.places.iter().filter(|place| **place == Place::Open).count() as u32,
            watching,
            phase: self.phase,
            rated: self.terms.rated,
            made: self.made,
        })
    }
}
