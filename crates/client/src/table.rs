//! One table as a client knows it: the room, the views its seats may see, and the table's clock.

use crate::heard::Raw;
use protocol::{Away, Event, Phase, Place, Room, View, Why};
use std::collections::BTreeMap;
use std::sync::Arc;
use table::{Seat, Time};

/// What is known of a table. Nothing is, before the first view.
#[derive(Debug, Default)]
pub struct Table {
    /// The number of the last event that is in here.
    pub seq: Option<u64>,
    /// Everything about the table but the game.
    pub room: Option<Room<Raw>>,
    /// What everybody sees of the game, as JSON.
    pub public: Option<Arc<str>>,
    /// What only the client's own seats see, as JSON.
    pub privates: BTreeMap<Seat, Arc<str>>,
    /// The seats that the table waits for.
    pub awaited: Vec<Seat>,
    /// When, on the table's clock, time itself will act.
    pub deadline: Option<Time>,
    /// How many people hear about the table.
    pub watching: u32,
    /// The players who are away.
    pub away: Vec<Away>,
    /// The host removed us: until a seat is added we may only watch.
    pub removed: bool,
    /// Why there is no more to hear of it.
    pub gone: Option<String>,
    clock: Clock,
}

/// What a message has changed about a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Everything may be different.
    View,
    /// Something happened, at this table time.
    Event(Why, Time),
    /// What one seat sees.
    Private,
    /// Who is there.
    Crowd,
    /// There is no more to hear of it.
    Gone,
}

/// A moment of the table's clock, and when it was told by the client's own.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    told: Time,
    heard: u64,
    runs: bool,
}

/// Whether an event follows on what is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follows {
    Yes,
    /// It is in what is known already.
    Known,
    /// Something before it was missed.
    Gap,
}

impl Table {
    /// Table time now, by the client's clock in milliseconds. It stands unless a game is played.
    pub fn time(&self, now: u64) -> Time {
        let Clock { told, heard, runs } = self.clock;
        if runs { told.plus(now.saturating_sub(heard)) } else { told }
    }

    /// Whether the table's clock runs.
    pub const fn runs(&self) -> bool {
        self.clock.runs
    }

    /// The seats of a person.
    pub fn seats_of(&self, person: Option<&str>) -> Vec<Seat> {
        let places = self.room.iter().flat_map(|room| &room.seats);
        let own = |place: &Place| person.is_some() && place.person() == person;
        (0..).map(Seat).zip(places).filter(|(_, place)| own(place)).map(|(seat, _)| seat).collect()
    }

    /// Whether whoever sits there is connected. (A seat nobody sits in is not away.)
    pub fn is_here(&self, seat: Seat) -> bool {
        self.away.iter().all(|away| away.seat != seat.0)
    }

    /// How many people watch who have no seat.
    pub fn onlookers(&self) -> u32 {
        let places = self.room.iter().flat_map(|room| &room.seats);
        let here = (0..).map(Seat).zip(places).filter(|(seat, _)| self.is_here(*seat));
        let mut sitting: Vec<&str> = here.filter_map(|(_, place)| place.person()).collect();
        sitting.sort_unstable();
        sitting.dedup();
        self.watching.saturating_sub(sitting.len() as u32)
    }

    /// Takes the whole table. `lag` is how long a message travels.
    pub(crate) fn view(&mut self, view: View<Raw>, now: u64, lag: u64) {
        self.seq = Some(view.seq);
        (self.watching, self.away) = (view.watching, view.away);
        self.privates = view.private.into_iter().map(|own| (Seat(own.seat), own.private.0)).collect();
        (self.room, self.removed) = (Some(view.room), view.removed);
        self.note_closed();
        if view.public.is_none() {
            self.public = None;
        }
        self.stands(view.time, view.deadline, &view.awaits, view.public, now, lag);
    }

    /// Takes what a seat sees after an event that is about to be told. Of one that is known, it is old news that came late. Answers
    /// whether it was new.
    pub(crate) fn private(&mut self, seq: u64, seat: u32, private: Raw) -> bool {
        let new = self.seq.is_none_or(|known| known < seq);
        if new {
            self.privates.insert(Seat(seat), private.0);
        }
        new
    }

    pub(crate) fn crowd(&mut self, watching: u32, away: Vec<Away>) {
        (self.watching, self.away) = (watching, away);
    }

    /// Whether an event follows: one may stand for several, and part of them may be known.
    pub(crate) fn follows(&self, event: &Event<Raw>) -> Follows {
        match self.seq {
            Some(seq) if event.seq <= seq => Follows::Known,
            Some(seq) if event.from.unwrap_or(event.seq) <= seq + 1 && self.room.is_some() => Follows::Yes,
            _ => Follows::Gap,
        }
    }

    /// Puts back into an event what it leaves out because it was told before. Answers whether that is known here.
    pub(crate) fn complete(&self, event: &mut Event<Raw>) -> bool {
        let Some(known) = event.known.take() else { return true };
        let before = self.public.as_deref().unwrap_or_default();
        let whole = event.public.take().and_then(|Raw(next)| known.put_back(before, 0, &next));
        event.public = whole.map(|whole| Raw(whole.into()));
        event.public.is_some()
    }

    /// Takes an event that follows; `you` is whose client this is.
    pub(crate) fn event(&mut self, event: Event<Raw>, you: Option<&str>, now: u64, lag: u64) -> Change {
        self.seq = Some(event.seq);
        let keeps_out = |room: &Room<Raw>| room.keeps_out(you.unwrap_or_default(), self.removed, &event);
        self.removed = self.room.as_ref().is_some_and(keeps_out);
        self.room = Room::after(self.room.take(), &event);
        self.note_closed();
        self.stands(event.time, event.deadline, &event.awaits, event.public, now, lag);
        Change::Event(event.why, event.time)
    }

    fn note_closed(&mut self) {
        self.gone = self.room.as_ref().and_then(Room::why_closed).map(str::to_owned);
    }

    fn stands(
        &mut self,
        time: Time,
        deadline: Option<Time>,
        awaits: &[u32],
        public: Option<Raw>,
        now: u64,
        lag: u64,
    ) {
        let runs = self.room.as_ref().is_some_and(|room| room.phase == Phase::Playing);
        // What was true when it was sent is half a round trip old.
        let told = if runs { time.plus(lag / 2) } else { time };
        self.clock = Clock { told, heard: now, runs };
        self.deadline = deadline;
        self.awaited = awaits.iter().copied().map(Seat).collect();
        if let Some(Raw(public)) = public
            && self.public.as_ref() != Some(&public)
        {
            self.public = Some(public);
        }
    }
}
