//! Players of all strengths behind one door: the eight levels, bare searches, and any move at all. All but timed ones
//! play the same moves on every machine.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use table::Luck;

use super::eval::Weights;
use super::hunt::HUNTERS;
use super::search::{Limits, Searcher};
use crate::moves::Move;
use crate::position::Position;
use crate::tile::Tile;

/// What kind of player, in a word such as `level5`, `nodes:20000`, `time:500` or `random`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Kind {
    /// Level 1 to 8.
    Level(u8),
    /// The search with so many nodes a move.
    Nodes(u64),
    /// The search with so many milliseconds a move.
    Time(u64),
    /// Any legal move.
    Random,
}

/// Why a word names no player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no player: use level1 to level8, nodes:N, time:MILLISECONDS or random")]
pub struct NoKind(pub String);

impl FromStr for Kind {
    type Err = NoKind;

    fn from_str(word: &str) -> Result<Self, NoKind> {
        let bad = || NoKind(word.chars().take(32).collect());
        if let Some(level) = word.strip_prefix("level") {
            return match level.parse() {
                Ok(level @ 1..=8) => Ok(Self::Level(level)),
                _ => Err(bad()),
            };
        }
        if word == "random" {
            return Ok(Self::Random);
        }
        let (kind, number) = word.split_once(':').ok_or_else(bad)?;
        let number: u64 = number.parse().ok().filter(|n| (1..=1 << 40).contains(n)).ok_or_else(bad)?;
        match kind {
            "nodes" => Ok(Self::Nodes(number)),
            "time" => Ok(Self::Time(number)),
            _ => Err(bad()),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => write!(f, "level{level}"),
            Self::Nodes(n) => write!(f, "nodes:{n}"),
            Self::Time(n) => write!(f, "time:{n}"),
            Self::Random => f.write_str("random"),
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

/// How a level plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// How deep it looks.
    pub depth: u32,
    /// How many nodes it may visit.
    pub nodes: u64,
    /// How far its judgement of a move may be off, in hundredths of a point either way; 0 plays the best it sees.
    pub noise: u32,
    /// How often in a hundred moves it rushes on without looking.
    pub careless: u32,
    /// How much it may like one move of the opening better than another that is as good, in hundredths of a point: a
    /// level that never slips would else play the same game every time.
    pub whim: u32,
}

/// The eight levels. A child beats the first; the last is as strong as a second or so of one core makes it.
pub const LEVELS: [Strength; 8] = [
    Strength { depth: 1, nodes: u64::MAX, noise: 60, careless: 100, whim: 0 },
    Strength { depth: 1, nodes: u64::MAX, noise: 20, careless: 58, whim: 0 },
    Strength { depth: 2, nodes: u64::MAX, noise: 10, careless: 28, whim: 0 },
    Strength { depth: 3, nodes: 2_000, noise: 0, careless: 13, whim: 0 },
    Strength { depth: 4, nodes: 5_000, noise: 0, careless: 6, whim: 0 },
    Strength { depth: 6, nodes: 15_000, noise: 0, careless: 2, whim: 0 },
    Strength { depth: 8, nodes: 60_000, noise: 0, careless: 0, whim: 12 },
    Strength { depth: 60, nodes: 3_000_000, noise: 0, careless: 0, whim: 12 },
];

/// How the nearest level there is plays.
fn strength(level: u8) -> Strength {
    LEVELS[usize::from(level.clamp(1, 8)) - 1]
}

/// A player at work.
#[derive(Debug)]
pub struct Player {
    kind: Kind,
    luck: Luck,
    /// Nobody needs one who moves at random.
    searcher: Option<Searcher<'static>>,
}

impl Player {
    /// A player with its own seeded luck.
    pub fn new(kind: Kind, seed: u64) -> Self {
        let megabytes = match kind {
            Kind::Level(level) if level < 7 => Some(1),
            Kind::Nodes(nodes) if nodes < 50_000 => Some(1),
            Kind::Level(_) | Kind::Nodes(_) | Kind::Time(_) => Some(8),
            Kind::Random => None,
        };
        let searcher = megabytes.map(|megabytes| Searcher::new(&Weights::default(), megabytes));
        Self { kind, luck: Luck::new(seed), searcher }
    }

    /// A flag that makes a long thought end soon, for players that search.
    pub fn stop_flag(&self) -> Option<Arc<AtomicBool>> {
        self.searcher.as_ref().map(Searcher::stop_flag)
    }

    /// The move it plays; a pass where the game is over. The same position and luck give the same move.
    pub fn choose(&mut self, position: &Position) -> Move {
        let moves = position.clone().legal();
        if moves.len() < 2 {
            return moves.first().copied().unwrap_or(Move::PASS);
        }
        let Some(searcher) = &mut self.searcher else {
            return self.luck.pick(&moves).copied().unwrap_or(Move::PASS);
        };
        let luck = &mut self.luck;
        let (limits, whim) = match self.kind {
            Kind::Time(ms) => return searcher.think(position, &Limits::time(Duration::from_millis(ms))).best,
            Kind::Nodes(nodes) => (Limits::nodes(nodes), 0),
            Kind::Level(level) => {
                let strength = strength(level);
                if strength.careless > 0 && luck.chance(strength.careless.into(), 100) {
                    return rash(position, &moves, luck);
                }
                if strength.noise > 0 {
                    searcher.forget();
                    return noisy(searcher, luck, position, strength);
                }
                (Limits { depth: strength.depth, nodes: strength.nodes, time: None }, strength.whim)
            }
            Kind::Random => return Move::PASS,
        };
        searcher.forget();
        if whim == 0 || !is_opening(position) {
            return searcher.think(position, &limits).best;
        }
        searcher.think_liking(position, &limits, |_| luck.below(u64::from(whim) + 1) as i32).best
    }
}

/// So many steps lie between opponents in the opening: nothing can go wrong yet.
const APART: u8 = 7;

/// Whether nobody is near enough to anybody that a move could turn out badly. With few tiles left, every step of a hunt counts.
fn is_opening(position: &Position) -> bool {
    let near = |own: Tile, other: Tile| {
        let steps = own.at.x().abs_diff(other.at.x()) + own.at.y().abs_diff(other.at.y());
        steps < APART && position.players().team(own.owner) >> other.owner.index() & 1 == 0
    };
    position.total() > HUNTERS && !position.tiles().any(|own| position.tiles().any(|other| near(own, other)))
}

/// Any move that does not go back, with no thought of what it runs into.
fn rash(position: &Position, moves: &[Move], luck: &mut Luck) -> Move {
    let turn = position.turn();
    let onward = |mv: &&Move| mv.ends().is_some_and(|(from, to)| turn.line_of(to) > turn.line_of(from));
    let onward: Vec<Move> = moves.iter().filter(onward).copied().collect();
    luck.pick(if onward.is_empty() { moves } else { &onward }).copied().unwrap_or(Move::PASS)
}

/// The best move as seen through noise.
fn noisy(searcher: &mut Searcher<'_>, luck: &mut Luck, position: &Position, strength: Strength) -> Move {
    let ranked = searcher.rank(position, strength.depth);
    let blur = u64::from(strength.noise) * 2 + 1;
    let seen = ranked.into_iter().map(|(mv, score)| (score + luck.below(blur) as i32, mv));
    seen.max_by_key(|&(score, _)| score).map_or(Move::PASS, |(_, mv)| mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_named_and_read_again() {
        for word in ["level1", "level8", "nodes:500", "time:20", "random"] {
            assert_eq!(word.parse::<Kind>().map(|k| k.to_string()), Ok(word.to_owned()));
        }
        for word in ["level0", "level9", "level", "nodes", "nodes:0", "nodes:-1", "", "nodes:99999999999999"]
        {
            assert!(word.parse::<Kind>().is_err(), "{word}");
        }
    }
}
