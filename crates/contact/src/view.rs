//! What the players see. Contact hides nothing: the public view is the whole game, and a seat knows only besides which
//! side it plays.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::{Corner, Players, Side, sides_in};
use crate::ending::{Ending, Pair, R9, Ties};
use crate::moves::Move;
use crate::notation::NoPosition;
use crate::position::{Misplaced, Position};
use crate::set::{ByStep, Colour, Figures, Set, Step};
use crate::tile::Tile;

/// A tile as everybody sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TileView {
    /// Its number, the same for the whole game.
    pub id: u8,
    /// Whose it is.
    pub owner: Side,
    /// Its kind.
    pub step: Step,
    /// Its colour.
    pub colour: Colour,
    /// Whether it lies with its back up.
    pub turned: bool,
    /// Quarter spins to the right since South's start, 0 to 3.
    pub spin: u8,
    /// Its figures now: north-west, north-east, south-east, south-west.
    pub figures: [u8; 4],
    /// Where it stands, or stood when it was removed.
    pub at: Corner,
}

/// The last move, and what came of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Last {
    /// Who moved.
    pub by: Side,
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The tiles it removed, as they lay when their corners met.
    pub removed: Vec<TileView>,
    /// Whether it turned the moved tile over.
    pub turned_over: bool,
}

/// How the last two tiles are played out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairView {
    /// Whether moves are of seven steps (CT-S17).
    pub seven_steps: bool,
    /// Turns of the table since the pair was left.
    pub turns: u8,
}

/// The end of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct End {
    /// Why.
    pub ending: Ending,
    /// Who won it, or shares it.
    pub sides: Vec<Side>,
}

/// What everybody sees: the whole game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Public {
    /// Who plays against whom.
    pub players: Players,
    /// Whose turn it is; nobody's when the game is over.
    pub turn: Option<Side>,
    /// All tiles on the board.
    pub tiles: Vec<TileView>,
    /// All legal moves of the player whose turn it is.
    pub legal: Vec<Move>,
    /// The last move.
    pub last: Option<Last>,
    /// Moves since a tile was removed or turned over.
    pub quiet: u8,
    /// The stand of a last pair.
    pub pair: Option<PairView>,
    /// The end, once there is one.
    pub end: Option<End>,
    /// The position as text.
    pub position: String,
    /// The position the game started from.
    pub start: String,
    /// Every move so far.
    pub moves: Vec<Move>,
    /// Whether CT-R9 holds, and by which reading.
    #[serde(default)]
    pub r9: R9,
    /// Whether the count decides where CT-R9 would make a tie (CT-R10).
    #[serde(default)]
    pub count: bool,
    /// How many quiet moves end the game, where CT-R9 holds.
    #[serde(default)]
    pub quiet_limit: u8,
    /// The figures on the tiles.
    #[serde(deserialize_with = "table::newer::known")]
    pub figures: ByStep<Figures>,
    /// The ringed spots along each side's home line.
    pub rings: BTreeMap<Side, Vec<u8>>,
}

/// What a seat alone is told: the side it plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Private {
    /// The seat's side; none for a seat that is not at the table.
    pub side: Option<Side>,
}

impl Public {
    /// The set, as far as a position needs it.
    pub fn pieces(&self) -> Set {
        Set {
            tiles: self.figures,
            rings: self.rings.clone(),
            stock: BTreeMap::new(),
            setups: BTreeMap::new(),
        }
    }

    /// What the table has agreed on about ties.
    pub const fn ties(&self) -> Ties {
        Ties { r9: self.r9, count: self.count }
    }

    /// The position as it stands, without what stood before: enough to look at, not to judge CT-R9.
    pub fn standing(&self) -> Result<Position, Misplaced> {
        let tile = |t: &TileView| Tile {
            id: t.id,
            owner: t.owner,
            step: t.step,
            turned: t.turned,
            spin: t.spin,
            at: t.at,
        };
        let tiles: Vec<Tile> = self.tiles.iter().map(tile).collect();
        let pair =
            self.pair.map(|p| if p.seven_steps { Pair::Seven(p.turns) } else { Pair::Ordinary(p.turns) });
        let turn = self.turn.unwrap_or(self.players.sides()[0]);
        Position::new(&self.pieces(), self.players, &tiles, turn, 0, pair)
    }

    /// The position with all that stood before, rebuilt from the view alone.
    pub fn rebuild(&self) -> Result<Position, NoPosition> {
        let set = self.pieces();
        let mut position = Position::read(&self.start, &set)?.under(self.ties());
        for &mv in &self.moves {
            if position.play(mv).is_none() {
                // A view that contradicts itself still has a position of its own.
                return Ok(Position::read(&self.position, &set)?.under(self.ties()));
            }
        }
        Ok(position)
    }
}

impl PairView {
    pub(crate) fn of(pair: Pair) -> Option<Self> {
        match pair {
            Pair::None => None,
            Pair::Ordinary(turns) => Some(Self { seven_steps: false, turns }),
            Pair::Seven(turns) => Some(Self { seven_steps: true, turns }),
        }
    }
}

impl End {
    pub(crate) fn of(over: crate::ending::Over) -> Self {
        Self { ending: over.ending, sides: sides_in(over.sides).collect() }
    }
}

impl fmt::Display for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in (1..=15).rev() {
            write!(f, "{y:>2} ")?;
            for x in 1..=15 {
                let tile = self.tiles.iter().find(|t| (t.at.x(), t.at.y()) == (x, y));
                f.write_str(&tile.map_or_else(|| self.spot(x, y), token))?;
            }
            writeln!(f)?;
        }
        write!(f, "   ")?;
        ('a'..='o').try_for_each(|column| write!(f, "  {column} "))?;
        writeln!(f)?;
        self.say_last(f)?;
        self.say_turn(f)
    }
}

/// A tile in four characters: owner, its figure in the north-west, and `+` if turned over.
fn token(tile: &TileView) -> String {
    let letter = tile.owner.letter();
    let letter = if tile.step == Step::TwoStep { letter.to_ascii_uppercase() } else { letter };
    format!(" {letter}{}{}", tile.figures[0], if tile.turned { '+' } else { ' ' })
}

impl Public {
    fn spot(&self, x: u8, y: u8) -> String {
        let ringed = |side: &Side, places: &Vec<u8>| {
            places.iter().any(|&p| side.corner(1, p).is_some_and(|c| (c.x(), c.y()) == (x, y)))
        };
        let ringed = self.rings.iter().any(|(side, places)| ringed(side, places));
        if ringed { "  o " } else { "  . " }.to_owned()
    }

    fn say_last(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(last) = &self.last else { return Ok(()) };
        write!(f, "{} {}", last.by, last.mv)?;
        for tile in &last.removed {
            write!(f, ", {}'s tile on {} goes", tile.owner, tile.at)?;
        }
        writeln!(f, "{}", if last.turned_over { ", turned over" } else { "" })
    }

    fn say_turn(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(end) = &self.end {
            let names: Vec<String> = end.sides.iter().map(ToString::to_string).collect();
            let names = names.join(" and ");
            return match end.ending {
                Ending::LastTile => writeln!(f, "over: {names} won"),
                Ending::Count => writeln!(f, "over: {names} won by the count"),
                _ => writeln!(f, "over: a tie of {names} ({:?})", end.ending),
            };
        }
        if let Some(turn) = self.turn {
            write!(f, "{turn} to move, {} quiet", self.quiet)?;
        }
        match self.pair {
            None => writeln!(f),
            Some(PairView { seven_steps, turns }) => {
                let steps = if seven_steps { "seven steps a move" } else { "ordinary moves" };
                writeln!(f, ", last pair: {steps}, turn {turns}")
            }
        }
    }
}
