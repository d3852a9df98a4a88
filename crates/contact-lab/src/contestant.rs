//! Who can play a match: the engine's players, and the yardsticks.

use std::fmt;
use std::str::FromStr;

use contact::level::{self, Player};
use contact::{Move, Position};
use serde::{Deserialize, Serialize};

use crate::mcts::Mcts;

/// A contestant in a word such as `level5`, `nodes:20000`, `time:500`, `uct:100000`, `mcts:100000` or `random`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Kind {
    /// A player of the engine.
    Player(level::Kind),
    /// Plain UCT with so many playouts a move.
    Uct(u64),
    /// UCT with so many short playouts a move.
    Mcts(u64),
}

/// Why a word names no contestant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is not a player: use level1 to level8, nodes:N, time:MILLISECONDS, uct:PLAYOUTS, mcts:PLAYOUTS or random"
)]
pub struct NoKind(pub String);

impl FromStr for Kind {
    type Err = NoKind;

    fn from_str(word: &str) -> Result<Self, NoKind> {
        let bad = || NoKind(word.chars().take(32).collect());
        let playouts =
            |number: &str| number.parse().ok().filter(|n| (1..=1 << 40).contains(n)).ok_or_else(bad);
        match word.split_once(':') {
            Some(("uct", number)) => playouts(number).map(Self::Uct),
            Some(("mcts", number)) => playouts(number).map(Self::Mcts),
            _ => word.parse().map(Self::Player).map_err(|_| bad()),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(kind) => kind.fmt(f),
            Self::Uct(n) => write!(f, "uct:{n}"),
            Self::Mcts(n) => write!(f, "mcts:{n}"),
        }
    }
}

impl From<Kind> for String {
    fn from(kind: Kind) -> Self {
        kind.to_string()
    }
}

impl TryFrom<String> for Kind {
    type Error = NoKind;
    fn try_from(word: String) -> Result<Self, NoKind> {
        word.parse()
    }
}

/// A contestant at work.
#[derive(Debug)]
pub enum Contestant {
    /// A player of the engine.
    Player(Box<Player>),
    /// UCT with so many playouts a move.
    Mcts(Box<Mcts>, u64),
}

impl Contestant {
    /// A contestant with its own seeded luck.
    pub fn new(kind: Kind, seed: u64) -> Self {
        match kind {
            Kind::Player(kind) => Self::Player(Box::new(Player::new(kind, seed))),
            Kind::Uct(playouts) => Self::Mcts(Box::new(Mcts::plain(seed)), playouts),
            Kind::Mcts(playouts) => Self::Mcts(Box::new(Mcts::quick(seed)), playouts),
        }
    }

    /// The move it plays; a pass where the game is over.
    pub fn choose(&mut self, position: &Position) -> Move {
        match self {
            Self::Player(player) => player.choose(position),
            Self::Mcts(mcts, playouts) => mcts.think(position, *playouts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact::{Players, Set};
    use table::Luck;

    #[test]
    fn contestants_are_named_and_read_again() {
        for word in ["level1", "level8", "nodes:500", "uct:7", "mcts:100000", "random"] {
            assert_eq!(word.parse::<Kind>().map(|k| k.to_string()), Ok(word.to_owned()));
        }
        for word in ["level9", "uct", "uct:0", "maxn:9", "", "mcts:99999999999999"] {
            assert!(word.parse::<Kind>().is_err(), "{word}");
        }
    }

    #[test]
    fn every_contestant_plays_every_kind_of_game() {
        for kind in ["random", "uct:50", "mcts:200", "nodes:300", "time:2", "level1", "level5"] {
            for players in [Players::Two, Players::Three, Players::Four, Players::Partners] {
                let mut luck = Luck::new(11);
                let mut position = Position::start(&Set::default(), "six", players).expect("a set-up");
                for _ in 0..30 {
                    let legal = position.legal();
                    position.make(*luck.pick(&legal).expect("somebody moves or passes"));
                }
                let mut contestant = Contestant::new(kind.parse().expect("a contestant"), 3);
                for _ in 0..4 {
                    let mv = contestant.choose(&position);
                    assert!(
                        position.over().is_some() || position.play(mv).is_some(),
                        "{kind} {players:?} {mv}"
                    );
                }
            }
        }
    }
}
