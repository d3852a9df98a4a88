//! How a game introduces itself. Whatever stands above the game crates (server, page, terminal, command line) knows a game by what it says
//! here, so that one line in the list of games brings it everywhere.

use crate::{Bot, Field, Game, Seat, Spoken};
use serde_json::Value;
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;

/// Who hears of every step on the way to an answer.
pub type Progress<'a> = &'a mut (dyn FnMut(Value) + Send);

/// What stands on a game's box: known before the box is opened.
#[derive(Debug)]
pub struct About {
    /// The name on the box.
    pub title: &'static str,
    /// The game in a sentence or two.
    pub lead: &'static str,
    /// What it is, when it came out and for how many, in a few words.
    pub plate: &'static str,
    /// How playing around one screen works.
    pub around: &'static str,
    /// How many may play, where the options say nothing else.
    pub seats: RangeInclusive<u32>,
    /// How many bots are offered at first.
    pub bots: u32,
    /// The strongest level of its bots; the weakest is 1.
    pub levels: u8,
    /// The level offered at first.
    pub level: u8,
}

/// Something a seat can do, as a button shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<A> {
    /// In words, the verb first: `Roll`.
    pub label: String,
    /// It.
    pub act: A,
}

impl<A> Choice<A> {
    /// An act and the words on its button.
    pub fn new(label: impl Into<String>, act: A) -> Choice<A> {
        Choice { label: label.into(), act }
    }
}

/// A game that introduces itself: what a [`Game`] brings besides its rules. What has a default here can be left out, and then the
/// game is played without it.
pub trait House: Game + Send {
    /// What stands on its box.
    const ABOUT: &'static About;

    /// Its options, as people meet them.
    const FIELDS: &'static [Field] = &[];

    /// Its rules on one page, for where nobody has written a lesson: what, and how.
    const REFERENCE: &'static [(&'static str, &'static str)] = &[];

    /// What a table for one has where nothing else was chosen: keys of options and their values.
    const ALONE: &'static [(&'static str, i64)] = &[];

    /// Its pieces as a data file, for people who make their own; empty where there are none to make.
    const PIECES: &'static str = "";

    /// A bot of this level (bounded to the levels there are), with luck of its own.
    fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>>;

    /// What can be said against options before anybody sits down, beyond what reading them says.
    fn check(_options: &Self::Options) -> Result<(), Self::Refusal> {
        Ok(())
    }

    /// The options with everything named in full that could mean something else another day (a word list's edition).
    fn pinned(options: Self::Options) -> Result<Self::Options, Self::Refusal> {
        Ok(options)
    }

    /// The side that a seat plays on: its own, or that of its partners.
    fn side(_options: &Self::Options, seat: Seat) -> u32 {
        seat.0
    }

    /// What a seat can do now, from what it sees: the buttons where nobody has drawn a board yet.
    fn choices(_public: &Self::Public, _private: &Self::Private, _seat: Seat) -> Vec<Choice<Self::Act>> {
        Vec::new()
    }

    /// Reads a data file of pieces, as the option `set` holds them; or says everything that is wrong with it.
    fn pieces(_file: &str) -> Result<Value, Vec<String>> {
        Err(vec!["This game is played with its own pieces only.".to_owned()])
    }

    /// What the coach has to say to a seat about the table as it stands; nothing when there is nothing to say. `stop` ends
    /// what takes long, where the game's search can be stopped, with what was found so far.
    fn coach(&self, _seat: Seat, _stop: &AtomicBool) -> Option<Value> {
        None
    }

    /// Answers a question about pieces on somebody's real table. `stop` ends a long search with the best so far; `progress` hears of
    /// every step on the way.
    fn solve(_question: Value, _stop: &AtomicBool, _progress: Progress<'_>) -> Result<Value, Spoken> {
        Err(Spoken::new("no-solver", format!("{} has no solver.", Self::ABOUT.title)))
    }

    /// What is left of the question of somebody whose machine this is not.
    fn guest(question: Value) -> Result<Value, Spoken> {
        Ok(question)
    }
}
