//! What commands have done, until it is on disk: rows to be written, and events to be told after that.

use super::{Life, Now, Room, text};
use crate::store::{Append, By, Kind as RowKind, Row, TableKey};
use protocol::{Event, Known, PlaceAt, Why};
use serde_json::value::RawValue;

#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) append: Append,
    pub(crate) told: Vec<Told>,
    /// The game has moved: bots are to be asked again.
    pub(crate) moved: bool,
}

impl Batch {
    pub(crate) fn new(table: TableKey) -> Batch {
        Batch { append: Append::new(table), told: Vec::new(), moved: false }
    }
}

/// An event that is to be told.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) event: Box<Event<Box<RawValue>>>,
    /// Whether a later one may stand for it too.
    pub(crate) merges: bool,
    /// Whether it is only for who has a seat.
    pub(crate) secret: bool,
}

impl Told {
    /// The first event it stands for.
    pub(crate) fn from(&self) -> u64 {
        self.event.from.unwrap_or(self.event.seq)
    }

    /// Lets this event stand for one before it too.
    pub(crate) fn stand_for(&mut self, held: &Told) {
        let (event, before) = (&mut self.event, &held.event);
        event.from = Some(held.from()).filter(|from| *from < event.seq);
        // What throws has not changed anything yet; what came before it has.
        if event.public.is_none() {
            (event.public, event.known) = (before.public.clone(), before.known.clone());
            return;
        }
        if let (Some(known), Some(told), Some(public)) = (&event.known, &before.public, &event.public) {
            let left_out = before.known.as_ref().map_or(0, |known| known.first);
            let both = known.put_back(told.get(), left_out, public.get());
            if let Some(both) = both.and_then(|both| RawValue::from_string(both).ok()) {
                (event.public, event.known) = (Some(both), before.known.clone());
            }
        }
    }
}

/// What is written down while a command is carried out.
pub(super) struct Pen<'a> {
    pub(super) by: Option<By>,
    pub(super) at: Now,
    pub(super) batch: &'a mut Batch,
}

impl Room {
    pub(super) fn happen(&mut self, life: &Life, why: Why, seats: &[u32], pen: &mut Pen<'_>) {
        self.apply(life);
        self.row(RowKind::Life, text(life), pen);
        self.tell(why, seats, false, false, pen);
    }

    pub(super) fn happen_whole(&mut self, life: &Life, why: Why, pen: &mut Pen<'_>) {
        self.apply(life);
        self.row(RowKind::Life, text(life), pen);
        self.tell(why, &[], true, false, pen);
    }

    /// A line of the record.
    pub(super) fn line(&mut self, line: String, pen: &mut Pen<'_>) {
        self.row(RowKind::Line, line, pen);
    }

    pub(super) fn row(&mut self, kind: RowKind, text: String, pen: &mut Pen<'_>) {
        pen.batch.append.push(self.rows, Row { kind, text, by: pen.by.clone(), wall: pen.at.wall });
        self.rows += 1;
    }

    pub(super) fn tell(&self, why: Why, seats: &[u32], whole: bool, public: bool, pen: &mut Pen<'_>) {
        let merges = matches!(why, Why::Acted { .. });
        let secret = matches!(why, Why::Rematch { .. }) && !self.terms.public;
        let event = Box::new(self.event(why, seats, whole, public, pen.at));
        pen.batch.told.push(Told { event, merges, secret });
    }

    fn event(&self, why: Why, seats: &[u32], whole: bool, public: bool, at: Now) -> Event<Box<RawValue>> {
        let place_at =
            |&seat: &u32| self.places.get(seat as usize).map(|place| PlaceAt { seat, place: place.clone() });
        let game = self.laid().filter(|_| public);
        let (public, known) = game.map(|game| game.table().news()).unzip();
        let known = known.flatten().filter(|(_, first)| *first > 0);
        Event {
            table: self.id.clone(),
            seq: self.seq(),
            from: None,
            why,
            phase: self.phase,
            time: at.time,
            now: at.wall,
            deadline: self.deadline(),
            awaits: self.awaits(),
            seats: seats.iter().filter_map(place_at).collect(),
            room: whole.then(|| Box::new(self.shown())),
            public,
            known: known.map(|(list, first)| Known { list: list.to_owned(), first }),
        }
    }
}
