//! Who is at a table: sockets that watch it, people with a seat who are away, and how many look on.

use super::Keeper;
use crate::bus::{Note, letter};
use crate::outlet::{Bye, Outlet, SocketId};
use crate::room::{Who, text};
use crate::say;
use axum::extract::ws::Utf8Bytes;
use protocol::{Away, Message, PersonId, Phase, Reaction};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;
use table::Spoken;
use tokio::time::Instant;

/// Who is there is told no more often than this.
const CROWD: Duration = Duration::from_secs(1);

/// A socket that hears about the table. Dropped without being let go (the table fell over), it is closed, and comes back.
pub(super) struct Watcher {
    pub(super) outlet: Arc<Outlet>,
    pub(super) let_go: bool,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if !self.let_go {
            self.outlet.close(Bye::Fell);
        }
    }
}

/// How somebody comes to hear about a table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Watch {
    /// By asking for it, having heard everything up to here before.
    Asked(Option<u64>),
    /// By sitting down.
    Joined,
}

/// Who is here, and who is not.
pub(super) struct Presence {
    pub(super) watchers: Vec<Watcher>,
    /// How many sockets each person has here.
    pub(super) here: HashMap<PersonId, u32>,
    /// Since when players with a seat are away.
    pub(super) away: BTreeMap<PersonId, (Instant, u64)>,
    /// When the head-count is to be told.
    pub(super) crowd_due: Option<Instant>,
    crowd_told: Instant,
    pub(super) idle_since: Option<Instant>,
    reacted: HashMap<PersonId, Instant>,
}

impl Presence {
    pub(super) fn new(now: Instant) -> Presence {
        Presence {
            watchers: Vec::new(),
            here: HashMap::new(),
            away: BTreeMap::new(),
            crowd_due: None,
            crowd_told: now,
            idle_since: Some(now),
            reacted: HashMap::new(),
        }
    }

    /// How many people are here.
    pub(super) fn people(&self) -> u32 {
        self.here.len() as u32
    }

    pub(super) fn outlets(&self) -> impl Iterator<Item = &Arc<Outlet>> {
        self.watchers.iter().map(|watcher| &watcher.outlet)
    }

    pub(super) fn watches(&self, socket: SocketId) -> bool {
        self.outlets().any(|outlet| outlet.id == socket)
    }

    /// Keeps the watchers that stay; answers whether any has gone.
    pub(super) fn keep(&mut self, stays: impl Fn(&Outlet) -> bool) -> bool {
        let (here, before) = (&mut self.here, self.watchers.len());
        self.watchers.retain_mut(|watcher| {
            let stays = stays(&watcher.outlet);
            if !stays {
                lose(here, watcher);
            }
            stays
        });
        self.watchers.len() < before
    }

    pub(super) fn note_idle(&mut self) {
        self.idle_since = match (self.watchers.is_empty(), self.idle_since) {
            (false, _) => None,
            (true, since) => since.or_else(|| Some(Instant::now())),
        };
    }

    pub(super) fn note_crowd(&mut self) {
        let soonest = self.crowd_told + CROWD;
        self.crowd_due.get_or_insert(soonest.max(Instant::now()));
    }
}

/// A watcher goes.
fn lose(here: &mut HashMap<PersonId, u32>, watcher: &mut Watcher) {
    watcher.let_go = true;
    let person = &watcher.outlet.person.id;
    if let Some(count) = here.get_mut(person) {
        *count -= 1;
        if *count == 0 {
            here.remove(person);
        }
    }
}

impl Keeper {
    /// A socket hears about the table from now on.
    pub(super) fn watch(&mut self, outlet: &Arc<Outlet>, watch: Watch) {
        let watches = self.presence.watches(outlet.id);
        if !watches {
            self.presence.watchers.push(Watcher { outlet: Arc::clone(outlet), let_go: false });
            if let SocketId { node: Some(node), number: socket } = outlet.id {
                let (table, from, seq) = (self.id.clone(), self.hall.node, self.history.told);
                self.hall.bus.send(node, letter(&Note::Watches { table, from, socket, seq }, []));
            }
            *self.presence.here.entry(outlet.person.id.clone()).or_default() += 1;
            self.presence.away.remove(&outlet.person.id);
            self.presence.note_crowd();
            self.presence.note_idle();
        }
        match watch {
            Watch::Joined if watches => {}
            Watch::Asked(Some(seq)) if self.catch_up(outlet, seq) => {}
            Watch::Asked(_) | Watch::Joined => {
                self.note_shown(&outlet.person.id);
                outlet.send(self.view(outlet));
            }
        }
        self.tell_of_throws(outlet);
    }

    pub(super) fn unwatch(&mut self, who: impl Fn(SocketId) -> bool) {
        if self.presence.keep(|outlet| !who(outlet.id)) {
            self.note_gone();
        }
    }

    /// Somebody watches no longer.
    pub(super) fn note_gone(&mut self) {
        self.note_away();
        self.presence.note_crowd();
        self.presence.note_idle();
    }

    /// Whose seat is played and who is not here is away, from now.
    pub(super) fn note_away(&mut self) {
        if self.room.phase != Phase::Playing {
            return self.presence.away.clear();
        }
        for place in &self.room.places {
            if let Some(person) = place.person().filter(|person| !self.presence.here.contains_key(*person)) {
                let now = (Instant::now(), self.hall.clock.now());
                self.presence.away.entry(person.to_owned()).or_insert(now);
            }
        }
    }

    /// The time after which a seat is given to a bot, if anybody else is here to mind.
    fn grace(&self) -> Option<Duration> {
        let grace = self.room.terms.grace.filter(|_| self.room.phase == Phase::Playing)?;
        let mut owners = self.room.places.iter().filter_map(|place| place.person());
        owners
            .any(|person| self.presence.here.contains_key(person))
            .then(|| Duration::from_secs(grace.into()))
    }

    /// Who is away, plays himself, and since when.
    fn missed(&self) -> impl Iterator<Item = (&PersonId, Instant)> {
        let plays = |person: &str| {
            self.room.places.iter().any(|place| place.person() == Some(person) && place.bot().is_none())
        };
        self.presence
            .away
            .iter()
            .filter(move |(person, _)| plays(person))
            .map(|(person, (since, _))| (person, *since))
    }

    pub(super) fn next_abandoned(&self) -> Option<Instant> {
        let grace = self.grace()?;
        self.missed().map(|(_, since)| since + grace).min()
    }

    pub(super) fn abandoned(&self) -> Option<PersonId> {
        let grace = self.grace()?;
        self.missed().find(|(_, since)| since.elapsed() >= grace).map(|(person, _)| person.clone())
    }

    pub(super) fn who_is_away(&self) -> Vec<Away> {
        let grace = self.grace().map(|grace| grace.as_millis() as u64);
        let seats = (0..).zip(&self.room.places).filter_map(|(seat, place)| {
            let (_, since) = self.presence.away.get(place.person()?)?;
            Some(Away { seat, until: grace.filter(|_| place.bot().is_none()).map(|grace| since + grace) })
        });
        seats.take(64).collect()
    }

    pub(super) fn tell_crowd_if_due(&mut self) {
        let now = Instant::now();
        if self.presence.crowd_due.take_if(|due| *due <= now).is_none() {
            return;
        }
        self.presence.crowd_told = now;
        let (table, seq, watching) = (self.id.clone(), self.room.seq(), self.presence.people());
        let frame: Utf8Bytes =
            text(&Message::<()>::Crowd { table, seq, watching, away: self.who_is_away() }).into();
        self.tell_all(&frame);
        self.list();
    }

    /// How the table stands in the lobby now.
    pub(super) fn list(&self) {
        if self.room.terms.public {
            self.hall.lobby.update(&self.id, self.room.listed(self.presence.people()));
        }
    }

    pub(super) fn react(&mut self, who: Who<'_>, reaction: Reaction) -> Result<(), Spoken> {
        let person = &who.person.id;
        if self.room.seats_of(person).next().is_none() && *person != self.room.terms.host.id {
            return Err(say("not-seated", "Only who sits at the table can nod across it."));
        }
        let now = Instant::now();
        if self.presence.reacted.get(person).is_some_and(|last| now - *last < Duration::from_millis(500)) {
            return Err(say("slow-down", "One nod at a time."));
        }
        self.presence.reacted.insert(person.clone(), now);
        let (table, seq) = (self.id.clone(), self.room.seq());
        let (person, name) = (person.clone(), who.person.name.clone());
        let frame: Utf8Bytes = text(&Message::<()>::Reaction { table, seq, person, name, reaction }).into();
        self.tell_all(&frame);
        Ok(())
    }
}
