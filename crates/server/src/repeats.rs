//! What a table remembers of the commands it has answered, so that one that comes again changes nothing.

use protocol::PersonId;
use std::collections::{HashMap, VecDeque};
use table::Spoken;

/// How a command was answered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// Done: the last event it caused, and the table it made, if it made one.
    Done(u64, Option<Box<str>>),
    /// Refused.
    Refused(Box<Spoken>),
}

/// The latest answers of every client.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    clients: HashMap<(PersonId, Box<str>), Answered>,
    /// Counts up with every answer: who was heard last is forgotten last.
    heard: u64,
}

#[derive(Debug, Default)]
struct Answered {
    last: VecDeque<(u64, Answer)>,
    heard: u64,
}

/// So many answers are remembered of each client.
const ANSWERS: usize = 64;

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
        // The pair is looked up rarely enough that two small copies do not matter.
        let Some(answered) = self.clients.get(&(person.to_owned(), client.into())) else { return Known::New };
        match answered.last.iter().rev().find(|(at, _)| *at == id) {
            Some((_, answer)) => Known::Again(answer.clone()),
            None if answered.last.len() == ANSWERS && answered.last.iter().all(|(at, _)| *at > id) => {
                Known::Old
            }
            None => Known::New,
        }
    }

    /// Remembers an answer; at most `clients` clients are remembered.
    pub(crate) fn remember(&mut self, person: &str, client: &str, id: u64, answer: Answer, clients: usize) {
        self.heard += 1;
        let key = (person.to_owned(), client.into());
        if self.clients.len() >= clients && !self.clients.contains_key(&key) {
            self.forget_one();
        }
        let answered = self.clients.entry(key).or_default();
        answered.heard = self.heard;
        if let Some(known) = answered.last.iter_mut().find(|(at, _)| *at == id) {
            known.1 = answer;
            return;
        }
        if answered.last.len() == ANSWERS {
            answered.last.pop_front();
        }
        answered.last.push_back((id, answer));
    }

    /// Remembers what another refused, as long as it is not known to be done.
    pub(crate) fn take_refusals(&mut self, other: Repeats, clients: usize) {
        for ((person, client), answered) in other.clients {
            for (id, answer) in answered.last {
                if matches!(answer, Answer::Refused(_)) && self.known(&person, &client, id) == Known::New {
                    self.remember(&person, &client, id, answer, clients);
                }
            }
        }
    }

    fn forget_one(&mut self) {
        let oldest =
            self.clients.iter().min_by_key(|(_, answered)| answered.heard).map(|(key, _)| key.clone());
        if let Some(key) = oldest {
            self.clients.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_comes_again_is_known_and_an_old_one_is_too_old() {
        let mut repeats = Repeats::default();
        assert_eq!(repeats.known("ann", "tab", 1), Known::New);
        for id in 1..=100 {
            repeats.remember("ann", "tab", id, Answer::Done(id * 10, None), 9);
        }
        assert_eq!(repeats.known("ann", "tab", 100), Known::Again(Answer::Done(1000, None)));
        assert_eq!(repeats.known("ann", "tab", 37), Known::Again(Answer::Done(370, None)));
        assert_eq!(repeats.known("ann", "tab", 36), Known::Old);
        assert_eq!(repeats.known("ann", "tab", 101), Known::New);
        assert_eq!(repeats.known("ann", "other tab", 100), Known::New);
        assert_eq!(repeats.known("ben", "tab", 100), Known::New);
    }

    #[test]
    fn refusals_outlive_what_was_not_written() {
        let mut before = Repeats::default();
        let refused = Answer::Refused(Box::new(crate::say("full", "All seats are taken.")));
        before.remember("ann", "tab", 1, Answer::Done(1, None), 9);
        before.remember("ann", "tab", 2, refused.clone(), 9);
        let mut after = Repeats::default();
        after.take_refusals(before, 9);
        assert_eq!(after.known("ann", "tab", 1), Known::New);
        assert_eq!(after.known("ann", "tab", 2), Known::Again(refused));
    }

    #[test]
    fn only_so_many_clients_are_remembered_the_latest() {
        let mut repeats = Repeats::default();
        for client in ["a", "b", "a", "c"] {
            repeats.remember("ann", client, 1, Answer::Done(1, None), 2);
        }
        let known = |client| repeats.known("ann", client, 1) != Known::New;
        assert_eq!((known("a"), known("b"), known("c")), (true, false, true));
    }
}
