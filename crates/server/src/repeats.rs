//! What a table remembers of the commands it has answered, so that one that comes again changes nothing.

use crate::room::{Batch, Life, Room, Who};
use crate::store::{By, Kind as RowKind, Row};
use protocol::{PersonId, Place};
use std::collections::{BTreeMap, BTreeSet};
use table::Spoken;

/// How a command was answered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// Done: the last event it caused, and the table it made, if it made one.
    Done(u64, Option<Box<str>>),
    /// Refused.
    Refused(Box<Spoken>),
}

impl Answer {
    const fn is_refused(&self) -> bool {
        matches!(self, Answer::Refused(_))
    }
}

/// The latest answers of the latest clients of everybody who matters to a table. Nobody's commands push out another person's.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    people: BTreeMap<PersonId, Clients>,
    /// Counts up with every answer: the longest silent are forgotten first.
    heard: u64,
}

/// One person's clients.
#[derive(Debug, Default)]
struct Clients {
    clients: BTreeMap<Box<str>, Answered>,
    heard: u64,
}

/// One client's commands.
#[derive(Debug, Default)]
struct Answered {
    answers: BTreeMap<u64, Answer>,
    /// The highest number whose answer is forgotten.
    forgotten: Option<u64>,
    heard: u64,
}

/// Clients remembered of each person.
const CLIENTS: usize = 16;
/// Answers remembered of each client.
const ANSWERS: usize = 64;

/// People without a seat whose commands are remembered because they changed something, such as joining and leaving again.
const GUESTS_REMEMBERED: usize = 64;

/// What is known of a command.
#[derive(Debug, PartialEq)]
pub(crate) enum Known {
    /// Nothing: carry it out.
    New,
    /// It was answered so.
    Again(Answer),
    /// It is so old that nobody remembers.
    Old,
}

impl Repeats {
    /// Whether this command was here before.
    pub(crate) fn known(&self, person: &str, client: &str, id: u64) -> Known {
        let client = self.people.get(person).and_then(|of| of.clients.get(client));
        let Some(Answered { answers, forgotten, .. }) = client else { return Known::New };
        match answers.get(&id) {
            Some(answer) => Known::Again(answer.clone()),
            None if forgotten.is_some_and(|forgotten| id <= forgotten) => Known::Old,
            None => Known::New,
        }
    }

    /// Remembers an answer.
    pub(crate) fn remember(&mut self, person: &str, client: &str, id: u64, answer: Answer) {
        self.heard += 1;
        let clients = self.people.entry(person.to_owned()).or_default();
        clients.heard = self.heard;
        clients.remember(client, id, answer, self.heard);
    }

    /// How many people are remembered.
    pub(crate) fn people(&self) -> usize {
        self.people.len()
    }

    /// Forgets people until there are at most so many, but none of these.
    pub(crate) fn forget_people(&mut self, most: usize, but: &BTreeSet<&str>) {
        while self.people.len() > most {
            let others = self.people.iter().filter(|(person, _)| !but.contains(person.as_str()));
            let oldest = others.min_by_key(|(_, of)| of.heard).map(|(person, _)| person.clone());
            let Some(oldest) = oldest else { return };
            self.people.remove(&oldest);
        }
    }

    /// Remembers what another refused, as long as it is not known to be done.
    pub(crate) fn take_refusals(&mut self, other: Repeats) {
        for (person, of) in other.people {
            for (client, answered) in of.clients {
                for (id, answer) in answered.answers {
                    if answer.is_refused() && self.known(&person, &client, id) == Known::New {
                        self.remember(&person, &client, id, answer);
                    }
                }
            }
        }
    }
}

impl Clients {
    fn remember(&mut self, client: &str, id: u64, answer: Answer, heard: u64) {
        if self.clients.len() >= CLIENTS && !self.clients.contains_key(client) {
            // A client that has changed nothing goes before one that has.
            let oldest = self.clients.iter().min_by_key(|(_, of)| (of.has_done(), of.heard));
            if let Some(oldest) = oldest.map(|(name, _)| name.clone()) {
                self.clients.remove(&oldest);
            }
        }
        let answered = self.clients.entry(client.into()).or_default();
        answered.heard = heard;
        answered.answers.insert(id, answer);
        if answered.answers.len() > ANSWERS {
            answered.forget_one();
        }
    }
}

impl Answered {
    fn has_done(&self) -> bool {
        !self.answers.values().all(Answer::is_refused)
    }

    /// Forgets the oldest refusal; where there is none, the oldest answer. From then on nothing as old as that is carried out.
    fn forget_one(&mut self) {
        let refused = self.answers.iter().find(|(_, answer)| answer.is_refused());
        if let Some(id) = refused.or(self.answers.first_key_value()).map(|(id, _)| *id) {
            self.answers.remove(&id);
            self.forgotten = self.forgotten.max(Some(id));
        }
    }
}

/// What a table remembers.
impl Room {
    /// Remembers what its rows tell: what is on disk is what was done.
    pub(crate) fn remember_all(&mut self, rows: &[Row]) {
        for (seq, row) in (0..).zip(rows) {
            if let Some(By { person, client, id }) = &row.by {
                let table = match (row.kind, serde_json::from_str(&row.text)) {
                    (RowKind::Life, Ok(Life::Rematch { table })) => Some(table.into()),
                    _ => None,
                };
                self.note(person, client, *id, Answer::Done(seq, table));
            }
        }
    }

    /// Notes an answer. Of people who have no seat here any more, the latest are remembered.
    fn note(&mut self, person: &str, client: &str, id: u64, answer: Answer) {
        self.repeats.remember(person, client, id, answer);
        let most = self.places.len() + 1 + GUESTS_REMEMBERED;
        if self.repeats.people() > most {
            let own = self.places.iter().filter_map(Place::person).chain([self.terms.host.id.as_str()]);
            self.repeats.forget_people(most, &own.collect());
        }
    }

    /// What is known of a command: answered before, or new.
    pub(crate) fn known(&self, who: Who<'_>, id: u64) -> Known {
        self.repeats.known(&who.person.id, who.client, id)
    }

    /// Remembers how a command was answered: what changed something, and what came from a seat or from the host. What a stranger is
    /// refused is not remembered, or strangers could make the table forget what players did.
    pub(crate) fn remember(&mut self, who: Who<'_>, id: u64, answer: Answer, changed: bool) {
        let person = &who.person.id;
        if changed || *person == self.terms.host.id || self.seats_of(person).next().is_some() {
            self.note(person, who.client, id, answer);
        }
    }

    /// What was refused before the room was loaded again stays refused: rows do not tell of it.
    pub(crate) fn remember_refusals(&mut self, before: Room) {
        self.repeats.take_refusals(before.repeats);
    }

    /// The number of the last event that a command in this batch caused, if it caused any.
    pub(crate) fn caused(&self, batch: &Batch, who: Who<'_>, id: u64) -> Option<u64> {
        let by = |row: &Row| {
            row.by
                .as_ref()
                .is_some_and(|by| by.id == id && by.client == who.client && by.person == who.person.id)
        };
        let after = batch.append.rows.iter().rev().position(by)?;
        Some(self.seq() - after as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::{Bounds, Now, Terms, new_table};
    use crate::store::{Stored, TableKey};
    use protocol::RawCommand;
    use protocol::http::Person;
    use serde_json::value::RawValue;
    use table::Time;

    fn refused() -> Answer {
        Answer::Refused(Box::new(crate::say("full", "All seats are taken.")))
    }

    #[test]
    fn a_command_that_comes_again_is_known_and_an_old_one_is_too_old() {
        let mut repeats = Repeats::default();
        assert_eq!(repeats.known("ann", "tab", 1), Known::New);
        for id in 1..=100 {
            repeats.remember("ann", "tab", id, Answer::Done(id * 10, None));
        }
        assert_eq!(repeats.known("ann", "tab", 100), Known::Again(Answer::Done(1000, None)));
        assert_eq!(repeats.known("ann", "tab", 37), Known::Again(Answer::Done(370, None)));
        assert_eq!(repeats.known("ann", "tab", 36), Known::Old);
        assert_eq!(repeats.known("ann", "tab", 101), Known::New);
        assert_eq!(repeats.known("ann", "other tab", 100), Known::New);
        assert_eq!(repeats.known("ben", "tab", 100), Known::New);
    }

    #[test]
    fn a_hundred_refusals_do_not_push_out_what_was_done_and_stay_refused() {
        let mut repeats = Repeats::default();
        repeats.remember("ann", "tab", 1, Answer::Done(10, None));
        for id in 2..=100 {
            repeats.remember("ann", "tab", id, refused());
        }
        assert_eq!(repeats.known("ann", "tab", 1), Known::Again(Answer::Done(10, None)));
        assert_eq!(repeats.known("ann", "tab", 2), Known::Old);
        assert_eq!(repeats.known("ann", "tab", 100), Known::Again(refused()));
        // A client that does not count up is refused, and nothing is done twice.
        for id in [5000, 4000].into_iter().chain(101..200) {
            repeats.remember("ben", "tab", id, Answer::Done(id, None));
        }
        let again = [5000, 4000].into_iter().chain(101..200).map(|id| repeats.known("ben", "tab", id));
        assert_eq!(again.filter(|known| *known == Known::New).count(), 0);
    }

    #[test]
    fn refusals_outlive_what_was_not_written() {
        let mut before = Repeats::default();
        before.remember("ann", "tab", 1, Answer::Done(1, None));
        before.remember("ann", "tab", 2, refused());
        let mut after = Repeats::default();
        after.take_refusals(before);
        assert_eq!(after.known("ann", "tab", 1), Known::New);
        assert_eq!(after.known("ann", "tab", 2), Known::Again(refused()));
    }

    #[test]
    fn only_so_many_clients_of_a_person_are_remembered_those_that_did_something_the_longest() {
        let mut repeats = Repeats::default();
        repeats.remember("ben", "phone", 1, Answer::Done(1, None));
        repeats.remember("ann", "phone", 1, Answer::Done(2, None));
        for client in 0..10_000 {
            repeats.remember("ann", &format!("r{client}"), 1, refused());
        }
        for client in 0..CLIENTS - 1 {
            repeats.remember("ann", &format!("d{client}"), 1, Answer::Done(3, None));
        }
        let known = |repeats: &Repeats, person, client| repeats.known(person, client, 1) != Known::New;
        assert!(known(&repeats, "ann", "phone") && known(&repeats, "ann", "d0"));
        assert!(!known(&repeats, "ann", "r9999"));
        repeats.remember("ann", "one more", 1, Answer::Done(4, None));
        assert!(!known(&repeats, "ann", "phone") && known(&repeats, "ann", "d0"));
        assert!(known(&repeats, "ben", "phone"), "nobody pushes out another person's");
    }

    /// A table of two: Ann has a seat and is the host, the other seat is open.
    fn table() -> Room {
        let host = person("ann");
        let seat = |id: &str| Place::Guest {
            person: id.to_owned(),
            name: id.to_owned(),
            ready: true,
            seed: String::new(),
            bot: None,
        };
        let terms = Terms {
            game: house::Kind::Roulette,
            options: RawValue::from_string("{}".to_owned()).unwrap(),
            public: false,
            rated: false,
            grace: None,
            host,
        };
        let new = new_table(terms, vec![seat("ann"), Place::Open], "asked".to_owned(), None, 1);
        let stored = Stored {
            key: TableKey::of(1),
            made: 1,
            seed: new.seed,
            clock: Time::START,
            rows: vec![new.first],
            closing: None,
        };
        Room::load("t", &stored, Bounds::NONE).unwrap()
    }

    fn person(id: &str) -> Person {
        Person { id: id.to_owned(), name: id.to_owned() }
    }

    /// Asks as a keeper does; answers whether it was carried out.
    fn ask(room: &mut Room, person: &Person, id: u64, command: &RawCommand) -> Known {
        let (who, mut batch) = (Who { person, client: "tab" }, Batch::new(room.key));
        let known = room.known(who, id);
        if known == Known::New {
            let at = Now { time: Time::START, wall: 1 };
            let done = room.command(who, command, at, &mut batch);
            let caused = room.caused(&batch, who, id);
            let answer = match done {
                Ok(()) => Answer::Done(room.seq(), None),
                Err(why) => Answer::Refused(Box::new(why)),
            };
            room.remember(who, id, answer, caused.is_some());
        }
        known
    }

    #[test]
    fn ten_thousand_strangers_do_not_make_a_table_forget_what_players_did() {
        let (mut room, ann, ben) = (table(), person("ann"), person("ben"));
        let text = |text: &str| RawCommand::read(text).unwrap();
        let join = text(r#"{"cmd":"join","id":1,"table":"t"}"#);
        let (leave, ready) = (
            text(r#"{"cmd":"leave","id":2,"table":"t"}"#),
            text(r#"{"cmd":"ready","id":1,"table":"t","ready":true}"#),
        );
        assert_eq!(ask(&mut room, &ann, 1, &ready), Known::New);
        assert_eq!(ask(&mut room, &ben, 1, &join), Known::New);
        for number in 0..10_000 {
            // All seats are taken.
            assert_eq!(ask(&mut room, &person(&format!("s{number}")), 1, &join), Known::New);
        }
        assert_eq!(room.repeats.people(), 2, "what strangers are refused is not remembered");
        assert!(matches!(ask(&mut room, &ann, 1, &ready), Known::Again(Answer::Done(..))));
        assert!(matches!(ask(&mut room, &ben, 1, &join), Known::Again(Answer::Done(..))));
        // Ben gets up, and ten thousand sit down and get up again: that is remembered, but not of all of them, and Ann stays.
        assert_eq!(ask(&mut room, &ben, 2, &leave), Known::New);
        for number in 0..10_000 {
            let stranger = person(&format!("s{number}"));
            assert_eq!(ask(&mut room, &stranger, 1, &join), Known::New);
            assert_eq!(ask(&mut room, &stranger, 2, &leave), Known::New);
            assert!(matches!(ask(&mut room, &stranger, 2, &leave), Known::Again(Answer::Done(..))));
        }
        assert!(room.repeats.people() < 100, "{}", room.repeats.people());
        assert!(matches!(ask(&mut room, &ann, 1, &ready), Known::Again(Answer::Done(..))));
    }

    #[test]
    fn people_are_forgotten_by_their_silence_but_not_those_who_stay() {
        let mut repeats = Repeats::default();
        for person in ["ann", "ben", "cid", "dot", "ben"] {
            repeats.remember(person, "tab", 1, Answer::Done(1, None));
        }
        repeats.forget_people(2, &BTreeSet::from(["ann"]));
        let known = |person| repeats.known(person, "tab", 1) != Known::New;
        assert_eq!(["ann", "ben", "cid", "dot"].map(known), [true, true, false, false]);
        repeats.forget_people(0, &BTreeSet::from(["ann", "ben"]));
        assert_eq!(repeats.people(), 2);
    }
}
