//! What each game brings to the house beyond being a [`Game`], and the one list of all of them.

use serde_json::Value;
use table::{Bot, Game, Seat};

/// A game of the house: it has bots, and a coach.
pub trait House: Game + Send {
    /// The strongest level of its bots; the weakest is 1.
    const LEVELS: u8;

    /// A bot of this level (bounded to the levels there are), with luck of its own.
    fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>>;

    /// What the coach has to say to a seat about the table as it stands; nothing when there is nothing to say.
    fn coach(&self, seat: Seat) -> Option<Value>;
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

impl House for ::roulette::Roulette {
    const LEVELS: u8 = 5;

    fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>> {
        ::roulette::bot(level, seed)
    }

    fn coach(&self, seat: Seat) -> Option<Value> {
        serde_json::to_value(::roulette::coach::advise(&self.public(), &self.private(seat))).ok()
    }
}

impl House for ::cubo::Cubo {
    const LEVELS: u8 = ::cubo::LEVELS;

    fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>> {
        Box::new(::cubo::bot(level, seed))
    }

    fn coach(&self, seat: Seat) -> Option<Value> {
        serde_json::to_value(::cubo::review(&self.public(), seat)?).ok()
    }
}

/// The word games and their coach are alike.
macro_rules! word_house {
    ($game:ident, $Game:ident) => {
        impl House for ::$game::$Game {
            const LEVELS: u8 = ::$game::LEVELS;

            fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>> {
                ::$game::bot(level, seed)
            }

            fn coach(&self, seat: Seat) -> Option<Value> {
                serde_json::to_value(::$game::$Game::coach(self, seat)?).ok()
            }
        }
    };
}
word_house!(iqubes, IQubes);
word_house!(scribbage, Scribbage);

struct Patient;
impl<G: Game> Bot<G> for Patient {
    fn next(&mut self, _: &table::View<'_, G>) -> Option<table::Intent<G::Act>> {
        None
    }
}
macro_rules! later {
    ($($Game:ty),+) => { $(impl House for $Game {
        const LEVELS: u8 = 5;
        fn bot(_: u8, _: u64) -> Box<dyn Bot<Self>> { Box::new(Patient) }
        fn coach(&self, _: Seat) -> Option<Value> { None }
    })+ };
}
later!(::contact::Contact);
