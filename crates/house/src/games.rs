//! What each game brings to the house beyond being a [`Game`], and the one list of all of them.

use crate::workbench::{self, Progress};
use serde_json::Value;
use std::sync::atomic::AtomicBool;
use table::{Bot, Game, Seat, Spoken};

/// A game of the house: it has bots, a coach and a solver.
pub trait House: Game + Send {
    /// The strongest level of its bots; the weakest is 1.
    const LEVELS: u8;

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

    /// A bot of this level (bounded to the levels there are), with luck of its own.
    fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>>;

    /// The pieces of the house as a data file, for whoever makes his own.
    const PIECES: &str;

    /// Reads a data file of pieces, as the option `set` holds them; or says everything that is wrong with it.
    fn pieces(file: &str) -> Result<Value, Vec<String>>;

    /// What the coach has to say to a seat about the table as it stands; nothing when there is nothing to say. `stop` ends
    /// what takes long, where the game's search can be stopped, with what was found so far.
    fn coach(&self, seat: Seat, stop: &AtomicBool) -> Option<Value>;

    /// Answers a question about pieces on somebody's real table, as [`solve`](crate::solve) does.
    fn solve(question: Value, stop: &AtomicBool, progress: Progress<'_>) -> Result<Value, Spoken>;
}

/// Runs `$body` with `$Game` standing for the game of a [`Kind`](crate::Kind). The only place that lists the games.
macro_rules! with_game {
    ($kind:expr, $Game:ident => $body:expr) => {
        match $kind {
            $crate::Kind::IQubes => {
                type $Game = ::iqubes::IQubes;
                $body
            }
            $crate::Kind::Scribbage => {
                type $Game = ::scribbage::Scribbage;
                $body
            }
            $crate::Kind::Contact => {
                type $Game = ::contact::Contact;
                $body
            }
            $crate::Kind::Cubo => {
                type $Game = ::cubo::Cubo;
                $body
            }
            $crate::Kind::Roulette => {
                type $Game = ::roulette::Roulette;
                $body
            }
        }
    };
}
pub(crate) use with_game;

/// Pieces as options hold them.
fn held(set: impl serde::Serialize) -> Value {
    serde_json::to_value(set).unwrap_or_default()
}

/// Games whose set files name one fault at a time.
macro_rules! pieces_of {
    ($game:ident) => {
        const PIECES: &str = ::$game::Set::FILE;

        fn pieces(file: &str) -> Result<Value, Vec<String>> {
            ::$game::Set::from_toml(file).map(held).map_err(|fault| vec![fault.to_string()])
        }
    };
}

impl House for ::roulette::Roulette {
    pieces_of!(roulette);

    const LEVELS: u8 = 5;

    fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>> {
        ::roulette::bot(level, seed)
    }

    fn coach(&self, seat: Seat, _: &AtomicBool) -> Option<Value> {
        serde_json::to_value(::roulette::coach::advise(&self.public(), &self.private(seat))).ok()
    }

    fn solve(question: Value, _: &AtomicBool, _: Progress<'_>) -> Result<Value, Spoken> {
        workbench::odds(&workbench::read(question)?)
    }
}

impl House for ::cubo::Cubo {
    pieces_of!(cubo);

    const LEVELS: u8 = ::cubo::LEVELS;

    fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>> {
        Box::new(::cubo::bot(level, seed))
    }

    fn coach(&self, seat: Seat, _: &AtomicBool) -> Option<Value> {
        serde_json::to_value(::cubo::review(&self.public(), seat)?).ok()
    }

    fn solve(question: Value, _: &AtomicBool, _: Progress<'_>) -> Result<Value, Spoken> {
        workbench::best_square(&workbench::read(question)?)
    }
}

/// The word games and their coach are alike.
macro_rules! word_house {
    ($game:ident, $Game:ident, $thrown:path, $side:expr) => {
        impl House for ::$game::$Game {
            pieces_of!($game);

            fn side(options: &Self::Options, seat: Seat) -> u32 {
                $side(options, seat)
            }

            const LEVELS: u8 = ::$game::LEVELS;

            fn pinned(options: Self::Options) -> Result<Self::Options, Self::Refusal> {
                options.pinned()
            }

            fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>> {
                ::$game::bot(level, seed)
            }

            fn coach(&self, seat: Seat, stop: &AtomicBool) -> Option<Value> {
                serde_json::to_value(::$game::$Game::coach(self, seat, stop)?).ok()
            }

            fn solve(question: Value, stop: &AtomicBool, progress: Progress<'_>) -> Result<Value, Spoken> {
                let ask = workbench::read(question)?;
                workbench::best_layout(&ask, $thrown(&ask)?, stop, progress)
            }
        }
    };
}
word_house!(iqubes, IQubes, workbench::iqubes_throw, |_: &::iqubes::Options, seat: Seat| seat.0);
word_house!(scribbage, Scribbage, workbench::scribbage_throw, ::scribbage::Options::side);

impl House for ::contact::Contact {
    /// Partners sit opposite each other (CT-S4).
    fn side(options: &Self::Options, seat: Seat) -> u32 {
        if options.partners { seat.0 % 2 } else { seat.0 }
    }

    const PIECES: &str = ::contact::set::HOUSE;

    fn pieces(file: &str) -> Result<Value, Vec<String>> {
        let faults = |faults: Vec<::contact::set::Fault>| faults.iter().map(ToString::to_string).collect();
        ::contact::set::check(file).map(held).map_err(faults)
    }

    const LEVELS: u8 = ::contact::level::LEVELS.len() as u8;

    fn check(options: &Self::Options) -> Result<(), Self::Refusal> {
        options.check()
    }

    fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>> {
        Box::new(::contact::ContactBot::new(level, seed))
    }

    /// The best lines of the position, and what the seat's own last move was worth.
    fn coach(&self, seat: Seat, stop: &AtomicBool) -> Option<Value> {
        use ::contact::{coach::mark_move, eval::Weights, search::Limits, search::Searcher};
        let public = self.public();
        let limits = Limits::nodes(COACH_NODES);
        let mut searcher = Searcher::new(&Weights::default(), 16).heeding(stop);
        let mut before = public.clone();
        let last = std::iter::from_fn(|| {
            Some((before.moves.pop()?, before.rebuild().ok()?, before.moves.len() + 1))
        })
        .find(|(_, position, _)| self.side(seat) == Some(position.turn()));
        let position = public.rebuild().ok()?;
        let last =
            last.map(|(mv, position, number)| mark_move(&mut searcher, &position, mv, number, &limits));
        let best = ::contact::analysis::best_with(&mut searcher, &position, &limits, 3);
        Some(serde_json::json!({"best": best, "last": last}))
    }

    fn solve(question: Value, stop: &AtomicBool, _: Progress<'_>) -> Result<Value, Spoken> {
        workbench::best_move(&workbench::read(question)?, stop)
    }
}

/// How long the coach of Contact thinks: the same everywhere.
const COACH_NODES: u64 = 300_000;
