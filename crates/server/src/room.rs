//! A table as a state machine: the room with its seats, the game in it, and the rows that tell how it came to be.
//!
//! Nothing here waits, reads a clock or touches a disk. A command is checked and carried out in memory at once; the rows and
//! frames it gives are kept in a [`Batch`] until the rows are on disk. If they cannot be written, the room is thrown away and loaded
//! again: what is on disk is what happened.

use crate::keeper::short;
use crate::repeats::Repeats;
use crate::say;
use crate::seating;
use crate::store::{
    Append, By, Finish, FinishedSeat, Kind as RowKind, NewTable, Row, Stage, Stored, TableKey,
};
use axum::extract::ws::Utf8Bytes;
use house::{BotRefused, Driver, Kind, Setting, Step};
use protocol::http::Person;
use protocol::{
    Away, Command, Event, Known, Listed, Message, PersonId, Phase, Place, PlaceAt, PrivateAt, RawCommand,
    TableId, View, Why, Wish,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use table::{Outcome, Seat, Seated, Seats, Seed, Spoken, Time};

/// What a table agreed on when it was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Terms {
    pub(crate) game: Kind,
    pub(crate) options: Box<RawValue>,
    pub(crate) public: bool,
    pub(crate) rated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) grace: Option<u32>,
    pub(crate) host: Person,
}

/// What happens in a room besides the game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "life", rename_all = "kebab-case")]
pub(crate) enum Life {
    Sat { seat: u32, person: Person, seed: String, ready: bool },
    Left { seat: u32 },
    Kicked { seat: u32 },
    Placed { seat: u32, place: Option<Place> },
    Ready { person: PersonId, ready: bool, seed: Option<String> },
    BotSat { seat: u32, level: u8 },
    TookBack { seat: u32 },
    Rematch { table: TableId },
    Closed,
}

/// The first row of a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Made {
    pub(crate) made: Terms,
    pub(crate) seats: Vec<Place>,
}

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

/// What a batch of commands has done: nothing of it is told before all of it is on disk.
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
        if let (Some(known), Some(told), Some(public)) = (&event.known, &before.public, &event.public) {
            let left_out = before.known.as_ref().map_or(0, |known| known.first);
            let both = known.put_back(told.get(), left_out, public.get());
            if let Some(both) = both.and_then(|both| RawValue::from_string(both).ok()) {
                (event.public, event.known) = (Some(both), before.known.clone());
            }
        }
    }
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
    /// Who was shown out, until the host opens a seat anew.
    kicked: BTreeSet<PersonId>,
    made: u64,
    seating: RangeInclusive<u32>,
    variations: Vec<String>,
    seed: Seed,
    outcome: Option<Outcome>,
    rows: u64,
    pub(crate) repeats: Repeats,
    bounds: Bounds,
}

/// A table whose rows do not make sense.
pub(crate) type Damaged = String;

impl Room {
    /// Brings a table back from its rows.
    pub(crate) fn load(id: &str, stored: &Stored, bounds: Bounds) -> Result<Room, Damaged> {
        let damaged = |what: &str, why: &dyn std::fmt::Display| format!("{what}: {why}");
        let first = stored.rows.first().ok_or_else(|| damaged("row 1", &"missing"))?;
        let Made { made: terms, seats } =
            serde_json::from_str(&first.text).map_err(|fault| damaged("row 1", &fault))?;
        let setting = setting(&terms).map_err(|spoken| damaged("options", &spoken.says))?;
        let mut room = Room {
            id: id.to_owned(),
            key: stored.key,
            terms,
            phase: Phase::Gathering,
            places: seats,
            game: None,
            rematch: None,
            secret_rematch: None,
            kicked: BTreeSet::new(),
            made: stored.made,
            variations: house::variations(&setting),
            seating: setting.seating,
            seed: stored.seed.clone(),
            outcome: None,
            rows: stored.rows.len() as u64,
            repeats: Repeats::default(),
            bounds,
        };
        for row in &stored.rows[1..] {
            if row.kind == RowKind::Life {
                let life = serde_json::from_str(&row.text).map_err(|fault| damaged("a row", &fault))?;
                room.live(&life);
            }
        }
        room.remember_all(&stored.rows);
        let lines =
            || stored.rows.iter().filter(|row| row.kind == RowKind::Line).map(|row| row.text.as_str());
        if lines().next().is_some() {
            let game = Driver::resume(lines(), &room.seed).map_err(|fault| damaged("the record", &fault))?;
            room.outcome = game.table().outcome();
            room.phase = if room.outcome.is_some() { Phase::Over } else { Phase::Playing };
            room.game = Some(game);
            room.seat_bots();
        }
        Ok(room)
    }

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

    fn seat_bots(&mut self) {
        let Some(game) = &mut self.game else { return };
        for (seat, place) in (0..).zip(&self.places) {
            if let Some(level) = place.bot() {
                game.seat_bot(Seat(seat), level, u64::from_le_bytes(crate::id::random()));
            }
        }
    }

    /// Carries out what happened in the room, now or when it is loaded.
    fn live(&mut self, life: &Life) {
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
            Life::BotSat { seat, level } => self.set_stand_in(seat, Some(level)),
            Life::TookBack { seat } => self.set_stand_in(seat, None),
            Life::Rematch { table } if self.terms.public => self.rematch = Some(table),
            Life::Rematch { table } => self.secret_rematch = Some(table),
            Life::Closed => self.phase = Phase::Closed,
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
            Phase::Closed => Err(say("closed", "This table was put away. Make another.")),
        }
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

    fn join(
        &mut self,
        who: Who<'_>,
        seat: Option<u32>,
        name: Option<&str>,
        seed: &str,
        pen: &mut Pen<'_>,
    ) -> Result<(), Spoken> {
        if self.phase == Phase::Playing {
            return self.take_back(who, seat, pen);
        }
        self.gathering()?;
        let own = self.seats_of(&who.person.id).count();
        if own > 0 && seat.is_none() && name.is_none() {
            return Ok(()); // sits already
        }
        if self.kicked.contains(&who.person.id) {
            return Err(seating::removed(&self.terms.host.name));
        }
        if own >= if self.terms.rated { 1 } else { self.bounds.own_seats } {
            return Err(say("enough-seats", "You have as many seats here as one person may have."));
        }
        let seed = checked_seed(seed)?;
        let seat = self.open_seat(seat)?;
        let name = name.map_or_else(|| Ok(who.person.name.clone()), crate::clean_name)?;
        let ready = who.person.id == self.terms.host.id;
        let person = Person { id: who.person.id.clone(), name };
        pen.batch.append.sitting.push((person.id.clone(), true));
        self.happen(&Life::Sat { seat, person, seed, ready }, Why::Joined { seat }, &[seat], pen);
        Ok(())
    }

    fn open_seat(&self, wanted: Option<u32>) -> Result<u32, Spoken> {
        let Some(seat) = wanted else {
            let open = self.places.iter().position(|place| *place == Place::Open);
            return open
                .map(|at| at as u32)
                .ok_or_else(|| say("full", "All seats are taken. You can watch."));
        };
        match self.places.get(seat as usize) {
            Some(Place::Open) => Ok(seat),
            Some(_) => Err(say("taken", "This seat is taken. Choose another.")),
            None => Err(say("no-such-seat", "This table has no such seat.")),
        }
    }

    fn take_back(&mut self, who: Who<'_>, seat: Option<u32>, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        let own: Vec<u32> =
            self.seats_of(&who.person.id).filter(|own| seat.is_none_or(|seat| seat == *own)).collect();
        if own.is_empty() {
            return Err(say(
                "started",
                "The game has started. You can watch it, or make a table of your own.",
            ));
        }
        for seat in own {
            if self.places[seat as usize].bot().is_some() {
                self.happen(&Life::TookBack { seat }, Why::TookBack { seat }, &[seat], pen);
            }
        }
        Ok(())
    }

    fn leave(&mut self, who: Who<'_>, seat: Option<u32>, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        let own: Vec<u32> =
            self.seats_of(&who.person.id).filter(|own| seat.is_none_or(|seat| seat == *own)).collect();
        if own.is_empty() {
            return Err(say("not-seated", "You have no such seat here."));
        }
        match self.phase {
            Phase::Gathering => {
                for &seat in &own {
                    self.happen(&Life::Left { seat }, Why::Left { seat }, &[seat], pen);
                }
                if self.seats_of(&who.person.id).next().is_none() {
                    pen.batch.append.sitting.push((who.person.id.clone(), false));
                }
            }
            Phase::Playing => {
                for seat in own {
                    self.stand_in(seat, pen);
                }
            }
            Phase::Over | Phase::Closed => {}
        }
        Ok(())
    }

    /// A bot plays on for somebody who has left or is away.
    fn stand_in(&mut self, seat: u32, pen: &mut Pen<'_>) {
        if self.places[seat as usize].bot().is_none() {
            self.happen(&Life::BotSat { seat, level: STAND_IN }, Why::BotSat { seat }, &[seat], pen);
            pen.batch.moved = true;
        }
    }

    /// Seats of somebody who has been away for too long.
    pub(crate) fn abandon(&mut self, person: &str, at: Now, batch: &mut Batch) {
        let seats: Vec<u32> = self.seats_of(person).collect();
        let mut pen = Pen { by: None, at, batch };
        if self.phase == Phase::Playing {
            for seat in seats {
                self.stand_in(seat, &mut pen);
            }
        }
    }

    fn kick(&mut self, who: Who<'_>, seat: u32, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        self.hosted_by(who)?;
        self.gathering()?;
        let Some(Place::Guest { person, .. }) = self.places.get(seat as usize) else {
            return Err(say("nobody-there", "Nobody sits there."));
        };
        let person = person.clone();
        self.happen(&Life::Kicked { seat }, Why::Kicked { seat }, &[seat], pen);
        if self.seats_of(&person).next().is_none() {
            pen.batch.append.sitting.push((person, false));
        }
        Ok(())
    }

    fn place(&mut self, who: Who<'_>, seat: u32, wish: &Wish, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        self.hosted_by(who)?;
        self.gathering()?;
        let (at, count) = (seat as usize, self.places.len());
        let taken = self.places.get(at).and_then(Place::person).is_some_and(|person| person != who.person.id);
        if taken {
            return Err(say("taken", "Somebody sits there. Ask them to get up first."));
        }
        let most = self.bounds.seats.min(*self.seating.end() as usize);
        let place = match wish {
            Wish::Nobody => {
                seating::removable(self.terms.game.title(), &self.places, at, *self.seating.start())?;
                None
            }
            _ if at > count || at == count && count >= most => {
                return Err(say("no-such-seat", format!("This table can have {most} seats.")));
            }
            wish => Some(self.wished(who, wish, at)?),
        };
        if place.as_ref().and_then(Place::person).is_some() {
            pen.batch.append.sitting.push((who.person.id.clone(), true));
        }
        self.happen_whole(&Life::Placed { seat, place }, Why::Placed { seat }, pen);
        Ok(())
    }

    fn wished(&self, who: Who<'_>, wish: &Wish, at: usize) -> Result<Place, Spoken> {
        let others = (0..).zip(&self.places).filter(|(other, _)| *other != at).map(|(_, place)| place);
        let own = others.clone().filter(|place| place.person() == Some(&who.person.id)).count();
        let bots = others.clone().filter(|place| matches!(place, Place::Bot { .. })).count();
        if matches!(wish, Wish::Bot { .. }) {
            checked_bots(bots + 1, self.bounds.bots)?;
        }
        let place = place_for(who.person, wish, "", others)?;
        let most = if self.terms.rated { 1 } else { self.bounds.own_seats };
        if place.person().is_some() && own >= most {
            return Err(say("enough-seats", "You have as many seats here as one person may have."));
        }
        Ok(place)
    }

    fn ready(
        &mut self,
        who: Who<'_>,
        ready: bool,
        seed: Option<&String>,
        pen: &mut Pen<'_>,
    ) -> Result<(), Spoken> {
        self.gathering()?;
        let seats: Vec<u32> = self.seats_of(&who.person.id).collect();
        if seats.is_empty() {
            return Err(say("not-seated", "Sit down first."));
        }
        let seed = seed.map(|seed| checked_seed(seed)).transpose()?;
        let person = who.person.id.clone();
        self.happen(
            &Life::Ready { person: person.clone(), ready, seed },
            Why::Ready { person, ready },
            &seats,
            pen,
        );
        Ok(())
    }

    fn start(&mut self, who: Who<'_>, anyway: bool, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        self.hosted_by(who)?;
        self.gathering()?;
        self.startable(anyway)?;
        let seated = self.places.iter().map(|place| match place {
            Place::Guest { name, seed, .. } => Seated { name: name.clone(), seed: seed.clone() },
            Place::Open | Place::Bot { .. } => Seated { name: place.name().to_owned(), seed: String::new() },
        });
        let seats = Seats::new(seated.collect()).map_err(|fault| say("bad-seats", fault.to_string()))?;
        let setting = setting(&self.terms)?;
        let (game, line) = Driver::open(&setting, seats, &self.seed, Some(self.made.max(pen.at.wall)))?;
        self.game = Some(game);
        self.phase = Phase::Playing;
        self.seat_bots();
        pen.at.time = Time::START;
        pen.batch.append.stage = Some(Stage::Playing);
        pen.batch.moved = true;
        self.row(RowKind::Line, line, pen);
        self.tell(Why::Started, &[], true, true, pen);
        self.end_if_over(pen);
        Ok(())
    }

    fn startable(&self, anyway: bool) -> Result<(), Spoken> {
        let (count, seating) = (self.places.len() as u32, &self.seating);
        if !seating.contains(&count) {
            let (least, most) = (seating.start(), seating.end());
            let title = self.terms.game.title();
            return Err(say(
                "seating",
                format!(
                    "{title} with these options is for {least} to {most} players; there are {count} seats."
                ),
            ));
        }
        if self.places.contains(&Place::Open) {
            return Err(say(
                "open-seats",
                "A seat is still free. Remove it, give it to a bot, or wait for somebody.",
            ));
        }
        let waiting = self.places.iter().find(|place| matches!(place, Place::Guest { ready: false, .. }));
        if let (false, Some(place)) = (anyway, waiting) {
            return Err(say("not-ready", format!("{} is not ready yet.", place.name())));
        }
        if self.terms.rated {
            let mut people: Vec<&str> = self.places.iter().filter_map(Place::person).collect();
            people.sort_unstable();
            people.dedup();
            if people.len() < 2 || people.len() < self.places.len() {
                return Err(say("not-rated", "A rated game needs at least two people, and no bots."));
            }
        }
        Ok(())
    }

    fn act(&mut self, who: Who<'_>, seat: Option<u32>, act: &str, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        self.playing()?;
        let seat = self.own_seat(who, seat)?;
        if self.places[seat as usize].bot().is_some() {
            return Err(say("bot-plays", "A bot plays this seat for you. Join again to take it back."));
        }
        self.play(seat, act, pen)
    }

    fn own_seat(&self, who: Who<'_>, seat: Option<u32>) -> Result<u32, Spoken> {
        let mut own = self.seats_of(&who.person.id);
        match (seat, own.next(), own.next()) {
            (_, None, _) => Err(say("not-seated", "You have no seat here. You can watch.")),
            (Some(seat), Some(_), _) => {
                let mine = self
                    .places
                    .get(seat as usize)
                    .is_some_and(|place| place.person() == Some(&who.person.id));
                if mine { Ok(seat) } else { Err(say("not-your-seat", "This seat is somebody else's.")) }
            }
            (None, Some(seat), None) => Ok(seat),
            (None, Some(_), Some(_)) => {
                Err(say("which-seat", "You have several seats here. Say which one acts."))
            }
        }
    }

    fn play(&mut self, seat: u32, act: &str, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        let game = self.game.as_mut().ok_or_else(|| say("not-started", "The game has not started yet."))?;
        let step = game.act(pen.at.time, Seat(seat), act)?;
        self.stepped(step, pen);
        Ok(())
    }

    /// Lets time and bots do everything that is due.
    pub(crate) fn let_due_act(&mut self, at: Now, batch: &mut Batch) {
        let mut pen = Pen { by: None, at, batch };
        while let Some(step) = self.game.as_mut().and_then(|game| game.step(at.time)) {
            match step {
                Ok(step) => self.stepped(step, &mut pen),
                Err(BotRefused { seat, act, why }) => {
                    tracing::warn!(table = short(&self.id), %seat, act, why = why.says, "a bot's act was refused");
                }
            }
        }
    }

    /// Something happened in the game: a line for the record, and an event for everybody.
    fn stepped(&mut self, step: Step, pen: &mut Pen<'_>) {
        pen.at.time = pen.at.time.max(step.at);
        pen.batch.moved = true;
        self.row(RowKind::Line, step.line, pen);
        let why = step.act.map_or(Why::TimeUp, |(seat, _)| Why::Acted { seat: seat.0 });
        self.tell(why, &[], false, true, pen);
        self.end_if_over(pen);
    }

    fn end_if_over(&mut self, pen: &mut Pen<'_>) {
        let end = self.game.as_mut().and_then(|game| Some((game.table().outcome()?, game.end(&self.seed)?)));
        let Some((outcome, line)) = end else { return };
        self.phase = Phase::Over;
        self.outcome = Some(outcome.clone());
        pen.batch.append.stage = Some(Stage::Over);
        pen.batch.append.finish = Some(self.finish(&outcome, pen.at.wall));
        pen.by = None;
        self.row(RowKind::Line, line, pen);
        self.tell(Why::Over { outcome, seed: self.seed.reveal() }, &[], false, false, pen);
    }

    fn finish(&self, outcome: &Outcome, ended: u64) -> Finish {
        let players = self.places.iter().zip(&outcome.ranks).zip(&outcome.scores);
        let players = players.map(|((place, &rank), &score)| FinishedSeat {
            person: place.person().map(str::to_owned),
            name: place.name().to_owned(),
            rank,
            score,
        });
        Finish {
            id: self.id.clone(),
            game: self.terms.game.name().to_owned(),
            options: self.terms.options.get().to_owned(),
            rated: self.terms.rated,
            ended,
            players: players.collect(),
        }
    }

    fn close(&mut self, who: Who<'_>, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        self.hosted_by(who)?;
        self.gathering()?;
        pen.batch.append.stage = Some(Stage::Closed);
        self.happen(&Life::Closed, Why::Closed, &[], pen);
        Ok(())
    }

    /// The table of a rematch: the same terms and seats, a new seed, and nobody ready but who asks.
    pub(crate) fn rematch_table(&self, who: Who<'_>, seed: &str, wall: u64) -> Result<NewTable, Spoken> {
        if self.phase != Phase::Over {
            return Err(say("not-over", "The game is not over yet."));
        }
        if self.seats_of(&who.person.id).next().is_none() {
            return Err(say("not-seated", "Only who played can ask for a rematch."));
        }
        let own_seed = checked_seed(seed)?;
        let seats = self.places.iter().cloned().map(|mut place| {
            if let Place::Guest { person, ready, seed, bot, .. } = &mut place {
                *ready = *person == who.person.id;
                *seed = if *ready { own_seed.clone() } else { String::new() };
                *bot = None;
            }
            place
        });
        let terms = Terms { host: who.person.clone(), ..self.terms.clone() };
        Ok(new_table(terms, seats.collect(), format!("rematch {}", self.id), None, wall))
    }

    /// Somebody asked for a rematch, and its table is made, or was: asking again leads to the same one.
    pub(crate) fn rematched(&mut self, who: Who<'_>, id: u64, table: TableId, at: Now, batch: &mut Batch) {
        if self.secret_rematch.is_some() {
            return;
        }
        let by = By { person: who.person.id.clone(), client: who.client.to_owned(), id };
        let mut pen = Pen { by: Some(by), at, batch };
        self.happen(&Life::Rematch { table: table.clone() }, Why::Rematch { table }, &[], &mut pen);
    }

    fn happen(&mut self, life: &Life, why: Why, seats: &[u32], pen: &mut Pen<'_>) {
        self.live(life);
        self.row(RowKind::Life, text(life), pen);
        self.tell(why, seats, false, false, pen);
    }

    fn happen_whole(&mut self, life: &Life, why: Why, pen: &mut Pen<'_>) {
        self.live(life);
        self.row(RowKind::Life, text(life), pen);
        self.tell(why, &[], true, false, pen);
    }

    fn row(&mut self, kind: RowKind, text: String, pen: &mut Pen<'_>) {
        pen.batch.append.push(self.rows, Row { kind, text, by: pen.by.clone(), wall: pen.at.wall });
        self.rows += 1;
    }

    fn tell(&self, why: Why, seats: &[u32], whole: bool, public: bool, pen: &mut Pen<'_>) {
        let merges = matches!(why, Why::Acted { .. });
        let secret = matches!(why, Why::Rematch { .. }) && !self.terms.public;
        let event = Box::new(self.event(why, seats, whole, public, pen.at));
        pen.batch.told.push(Told { event, merges, secret });
    }

    fn event(&self, why: Why, seats: &[u32], whole: bool, public: bool, at: Now) -> Event<Box<RawValue>> {
        let place_at =
            |&seat: &u32| self.places.get(seat as usize).map(|place| PlaceAt { seat, place: place.clone() });
        let game = self.game.as_ref().filter(|_| public);
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

    fn awaits(&self) -> Vec<u32> {
        match &self.game {
            Some(game) if self.places.len() <= 64 => {
                (0..self.places.len() as u32).filter(|&seat| game.table().awaits(Seat(seat))).collect()
            }
            _ => Vec::new(),
        }
    }

    fn shown(&self) -> protocol::Room<Box<RawValue>> {
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
            seed: (self.phase == Phase::Over).then(|| self.seed.reveal()),
            rematch: self.rematch.clone(),
        }
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
        let game = self.game.as_ref();
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
        self.game.as_ref().map(|game| game.table().private(Seat(seat)))
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

/// What is written down while a command is carried out.
struct Pen<'a> {
    by: Option<By>,
    at: Now,
    batch: &'a mut Batch,
}

/// The level of a bot that plays for somebody who is away.
const STAND_IN: u8 = 2;

fn setting(terms: &Terms) -> Result<Setting, Spoken> {
    let options =
        serde_json::from_str(terms.options.get()).map_err(|fault| say("bad-options", fault.to_string()))?;
    Setting::kept(terms.game, options)
}

fn checked_seed(seed: &str) -> Result<String, Spoken> {
    if seed.len() <= Seats::LONGEST_SEED && house::is_plain(seed) {
        return Ok(seed.to_owned());
    }
    let most = Seats::LONGEST_SEED;
    Err(say("bad-seed", format!("A seed has at most {most} bytes, and no invisible characters.")))
}

/// Whether a table may have so many bots.
pub(crate) fn checked_bots(bots: usize, most: usize) -> Result<(), Spoken> {
    if bots <= most {
        return Ok(());
    }
    Err(say("enough-bots", format!("A table here has at most {most} bots. Leave a seat open for somebody.")))
}

/// What a wish comes to. `others` are the other seats, so that no two bots have one name.
pub(crate) fn place_for<'a>(
    person: &Person,
    wish: &Wish,
    seed: &str,
    others: impl Iterator<Item = &'a Place>,
) -> Result<Place, Spoken> {
    let guest = |name: String| {
        let seed = checked_seed(seed)?;
        Ok(Place::Guest { person: person.id.clone(), name, ready: true, seed, bot: None })
    };
    match wish {
        Wish::Me => guest(person.name.clone()),
        Wish::Here { name } => guest(crate::clean_name(name)?),
        Wish::Open => Ok(Place::Open),
        Wish::Bot { level } => {
            let taken: Vec<&str> = others.map(Place::name).collect();
            let free = house::BOTS.iter().find(|name| !taken.contains(name));
            let name = free.map_or_else(|| format!("Bot {}", taken.len() + 1), |name| (*name).to_owned());
            Ok(Place::Bot { level: (*level).max(1), name })
        }
        Wish::Nobody => Err(say("bad-wish", "A seat for nobody is no seat.")),
    }
}

/// A table to be made.
pub(crate) fn new_table(
    terms: Terms,
    seats: Vec<Place>,
    asked: String,
    by: Option<By>,
    wall: u64,
) -> NewTable {
    let mut sitting: Vec<PersonId> = seats.iter().filter_map(Place::person).map(str::to_owned).collect();
    sitting.sort_unstable();
    sitting.dedup();
    let (game, host) = (terms.game.name().to_owned(), terms.host.id.clone());
    let first = Row { kind: RowKind::Life, text: text(&Made { made: terms, seats }), by, wall };
    let seed = Seed::new(crate::id::random());
    NewTable { id: crate::id::fresh(), asked, game, host, made: wall, seed, first, sitting }
}

/// Plain data as JSON.
pub(crate) fn text<T: Serialize>(thing: &T) -> String {
    serde_json::to_string(thing).expect("messages are plain data with text keys")
}
