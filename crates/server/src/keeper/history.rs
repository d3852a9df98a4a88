//! What has been told of a table, and telling it: the last events for clients that come back, and what each seat was shown.

use super::Keeper;
use crate::bus::{Note, letter};
use crate::outlet::Outlet;
use crate::room::{Batch, Told, text};
use crate::store::NodeId;
use axum::extract::ws::Utf8Bytes;
use protocol::{Event, Message, PersonId};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;
use tokio::time::Instant;

/// With more watchers than this, acts are told together.
const MANY: usize = 64;
/// How long acts are gathered then.
const GATHER: Duration = Duration::from_millis(100);
/// Past events are kept for who comes back, up to so many bytes and so many of them.
const KEPT_BYTES: usize = 12 * 1024;
const KEPT_EVENTS: usize = 64;

/// An event that was told, and the first that it stands for.
struct Kept {
    from: u64,
    seq: u64,
    frame: Utf8Bytes,
}

/// What was told.
pub(super) struct History {
    /// The last events.
    kept: VecDeque<Kept>,
    kept_bytes: usize,
    /// An event that waits to stand for more, at a table with many watchers.
    pub(super) held: Option<(Told, Instant)>,
    /// A mark of what each seat was shown last.
    pub(super) shown: HashMap<u32, u64>,
    /// Everybody was told everything up to here.
    pub(super) told: u64,
}

impl History {
    pub(super) fn new(told: u64) -> History {
        History { kept: VecDeque::new(), kept_bytes: 0, held: None, shown: HashMap::new(), told }
    }

    /// What was told before does not lead to what will be.
    fn forget(&mut self) {
        self.kept.clear();
        self.kept_bytes = 0;
    }

    fn keep(&mut self, kept: Kept) {
        self.kept_bytes += kept.frame.len();
        self.kept.push_back(kept);
        while self.kept.len() > KEPT_EVENTS || self.kept_bytes > KEPT_BYTES {
            let Some(old) = self.kept.pop_front() else { break };
            self.kept_bytes -= old.frame.len();
        }
    }

    /// What was told after `seq`, up to `now`, if that is still known.
    fn after(&self, seq: u64, now: u64) -> Option<impl ExactSizeIterator<Item = &Utf8Bytes>> {
        // In this order: a client that says it has heard the last number of all must not make it overflow.
        let missed = self.kept.iter().position(|told| seq < told.seq && told.from <= seq + 1)?;
        let whole = self.kept.back().is_some_and(|told| told.seq == now);
        whole.then(|| self.kept.range(missed..).map(|told| &told.frame))
    }
}

/// The one encoding of an event, whoever hears it.
fn frame(event: Box<Event<Box<RawValue>>>) -> Utf8Bytes {
    text(&Message::Event(event)).into()
}

fn mark(private: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    private.hash(&mut hasher);
    hasher.finish()
}

impl Keeper {
    /// What is on disk now is told to everybody who watches, and bots are asked again.
    pub(super) fn release(&mut self, batch: Batch) {
        let Batch { mut told, moved, .. } = batch;
        let life = told.iter().any(|told| !told.merges);
        for _ in &told {
            self.hall.metrics.events.one();
        }
        let secret = told.pop_if(|told| told.secret);
        self.tell_events(told);
        if let Some(secret) = secret {
            self.tell_seated(secret);
        }
        if life {
            self.note_away();
            self.list();
        }
        if moved {
            self.ask_bots();
        }
    }

    /// At a table with many watchers acts wait a moment for others, and one event stands for all of them.
    fn tell_events(&mut self, told: Vec<Told>) {
        let many = self.presence.watchers.len() > MANY;
        let mut out = Vec::new();
        for mut event in told {
            if let Some((held, due)) = self.history.held.take() {
                if event.merges && many {
                    event.stand_for(&held);
                    self.history.held = Some((event, due));
                    continue;
                }
                out.push(held);
            }
            if event.merges && many {
                self.history.held = Some((event, Instant::now() + GATHER));
            } else {
                out.push(event);
            }
        }
        self.tell(out);
    }

    /// Everybody gets a whole view: what they knew is no longer followed by what they will hear.
    pub(super) fn tell_afresh(&mut self) {
        self.history.forget();
        self.history.held = None;
        self.history.told = self.room.seq();
        self.tell_nodes_where_it_stands();
        for outlet in self.presence.outlets() {
            outlet.send(self.view(outlet));
        }
    }

    /// Tells an event to who has a seat. The others get a view, so that nobody misses a number; who comes back gets one too.
    fn tell_seated(&mut self, told: Told) {
        self.history.forget();
        self.history.told = told.event.seq;
        let frame = frame(told.event);
        for outlet in self.presence.outlets() {
            let seated = self.room.seats_of(&outlet.person.id).next().is_some();
            outlet.send(if seated { frame.clone() } else { self.view(outlet) });
        }
        self.tell_nodes_where_it_stands();
    }

    /// The whole table as somebody who watches may see it now.
    pub(super) fn view(&self, outlet: &Outlet) -> Utf8Bytes {
        self.room.view(&outlet.person.id, self.at(), self.presence.people(), self.who_is_away())
    }

    pub(super) fn tell_held_if_due(&mut self) {
        let now = Instant::now();
        if let Some((held, _)) = self.history.held.take_if(|(_, due)| *due <= now) {
            self.tell(vec![held]);
        }
    }

    /// Tells events, each seat's private view before the last of them.
    fn tell(&mut self, events: Vec<Told>) {
        let Some(seq) = events.last().map(|last| last.event.seq) else { return };
        let private = self.private_news();
        let mut frames = Vec::with_capacity(events.len());
        for told in events {
            let (from, seq, frame) = (told.from(), told.event.seq, frame(told.event));
            frames.push(frame.clone());
            self.history.keep(Kept { from, seq, frame });
        }
        let before = std::mem::replace(&mut self.history.told, seq);
        self.spread(&frames, &private, before);
    }

    /// Tells something that is not kept.
    pub(super) fn tell_all(&mut self, frame: &Utf8Bytes) {
        self.spread(std::slice::from_ref(frame), &HashMap::new(), self.history.told);
    }

    /// To every socket here, and once to every node where somebody watches.
    fn spread(&mut self, frames: &[Utf8Bytes], private: &HashMap<PersonId, Vec<Utf8Bytes>>, before: u64) {
        let Some((last, first)) = frames.split_last() else { return };
        let mut there: BTreeMap<NodeId, BTreeSet<&str>> = BTreeMap::new();
        for outlet in self.presence.outlets() {
            if let Some(node) = outlet.id.node {
                let known = private.get_key_value(&outlet.person.id).map(|(person, _)| person.as_str());
                there.entry(node).or_default().extend(known);
            }
        }
        for (node, people) in there {
            let news = people.iter().filter_map(|person| private.get_key_value(*person));
            let note = Note::Told {
                table: self.id.clone(),
                from: self.hall.node,
                before,
                seq: self.history.told,
                frames: frames.len(),
                private: news.clone().map(|(person, own)| (person.clone(), own.len())).collect(),
            };
            let lines = frames.iter().chain(news.flat_map(|(_, own)| own)).map(Utf8Bytes::as_str);
            self.hall.bus.send(node, letter(&note, lines));
        }
        let gone = self.presence.keep(|outlet| {
            if outlet.id.node.is_some() {
                return true;
            }
            let own = private.get(&outlet.person.id).map_or(&[][..], Vec::as_slice);
            first.iter().chain(own).chain([last]).all(|frame| outlet.send(frame.clone()))
        });
        if gone {
            self.note_gone();
        }
    }

    /// What has changed for each seat whose owner is here.
    fn private_news(&mut self) -> HashMap<PersonId, Vec<Utf8Bytes>> {
        let mut news: HashMap<PersonId, Vec<Utf8Bytes>> = HashMap::new();
        for (seat, place) in (0..).zip(&self.room.places) {
            let Some(person) = place.person().filter(|person| self.presence.here.contains_key(*person))
            else {
                continue;
            };
            let Some(private) = self.room.private(seat) else { break };
            let mark = mark(private.get());
            if self.history.shown.insert(seat, mark) != Some(mark) {
                news.entry(person.to_owned()).or_default().push(self.room.private_frame(seat, private));
            }
        }
        news
    }

    /// Tells what was missed since `seq`, if that is still known.
    pub(super) fn catch_up(&mut self, outlet: &Outlet, seq: u64) -> bool {
        let now = self.room.seq();
        if seq == now {
            return true;
        }
        let Some(missed) = self.history.after(seq, now) else { return false };
        let mut frames: Vec<Utf8Bytes> = missed.cloned().collect();
        let last = frames.pop();
        let own = self.note_shown(&outlet.person.id);
        frames.extend(own.into_iter().map(|(seat, private)| self.room.private_frame(seat, private)));
        frames.extend(last);
        // Whoever heard the events without what the own seats see would never ask for it again.
        outlet.send_together(frames);
        true
    }

    /// What somebody's seats see, which is shown to them now.
    pub(super) fn note_shown(&mut self, person: &str) -> Vec<(u32, Box<RawValue>)> {
        let own = self.room.seats_of(person).filter_map(|seat| Some((seat, self.room.private(seat)?)));
        let own: Vec<_> = own.collect();
        self.history.shown.extend(own.iter().map(|(seat, private)| (*seat, mark(private.get()))));
        own
    }
}
