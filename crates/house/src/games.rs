//! The one list of the games. A game joins the house by a line here; what it is called, what its options are and how it plays, it says
//! itself ([`table::House`]).

use crate::engine::Engine;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use table::{About, Field, Game, House, Seat};
use thiserror::Error;

/// Makes [`Kind`] and what is looked up by it of the games' types: each with its variant, and the engine that links it alone.
macro_rules! games {
    ($($Kind:ident $ENGINE:ident = $game:ty;)+) => {
        /// One of the games of the house.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Kind {
            $(#[doc = concat!("[`", stringify!($game), "`].")] $Kind,)+
        }

        impl Kind {
            /// All of them, in the order of the shelf.
            pub const ALL: [Kind; [$(Kind::$Kind),+].len()] = [$(Kind::$Kind),+];

            /// The name in records, addresses and commands.
            pub const fn name(self) -> &'static str {
                match self { $(Kind::$Kind => <$game as Game>::NAME,)+ }
            }

            /// What stands on its box.
            pub const fn about(self) -> &'static About {
                match self { $(Kind::$Kind => <$game as House>::ABOUT,)+ }
            }
        }

        $(
            #[doc = concat!("The engine of [`", stringify!($game), "`].")]
            pub static $ENGINE: Engine = Engine::of::<$game>(Kind::$Kind);
        )+

        /// The engine of a game.
        pub const fn engine(kind: Kind) -> &'static Engine {
            match kind { $(Kind::$Kind => &$ENGINE,)+ }
        }

        /// The options of a game.
        pub const fn fields(kind: Kind) -> &'static [Field] {
            match kind { $(Kind::$Kind => <$game as House>::FIELDS,)+ }
        }

        /// The sides that these seats play on.
        pub(crate) fn sides(kind: Kind, options: &Value, seats: &[Seat]) -> BTreeSet<u32> {
            match kind { $(Kind::$Kind => crate::ending::sides::<$game>(options, seats),)+ }
        }

        /// What a table for one has where nothing else was chosen.
        pub(crate) const fn alone(kind: Kind) -> &'static [(&'static str, i64)] {
            match kind { $(Kind::$Kind => <$game as House>::ALONE,)+ }
        }
    };
}

games! {
    IQubes IQUBES = iqubes::IQubes;
    Scribbage SCRIBBAGE = scribbage::Scribbage;
    Contact CONTACT = contact::Contact;
    Cubo CUBO = cubo::Cubo;
    Roulette ROULETTE = roulette::Roulette;
}

/// A name that no game here has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no game \"{0}\" here; the games are {games}", games = Kind::names())]
pub struct UnknownGame(pub String);

impl Kind {
    /// The name on the box.
    pub const fn title(self) -> &'static str {
        self.about().title
    }

    /// The names of all games, for people: "iqubes, scribbage and cubo".
    pub fn names() -> String {
        let names = Kind::ALL.map(Kind::name);
        let (last, others) = names.split_last().unwrap_or((&"", &[]));
        if others.is_empty() { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) }
    }
}

impl FromStr for Kind {
    type Err = UnknownGame;
    fn from_str(name: &str) -> Result<Kind, UnknownGame> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownGame(name.to_owned()))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_known_by_one_name_everywhere() {
        for kind in Kind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
            assert_eq!(kind.name().parse(), Ok(kind));
            assert!(engine(kind).levels() >= 1 && kind.about().level <= engine(kind).levels(), "{kind}");
            assert!(kind.about().seats.contains(&(1 + kind.about().bots)), "{kind}");
        }
        let unknown = "chess".parse::<Kind>().unwrap_err().to_string();
        assert!(unknown.ends_with(&Kind::names()) && unknown.contains(" and "), "{unknown}");
    }
}
