//! How a game of Contact ends, and the numbers that end it.

use serde::{Deserialize, Serialize};

/// CT-R9: turns of every player still in the game, without a removal or a turning over, that are a tie.
pub const QUIET_TURNS_EACH: u8 = 30;
/// The same limit as the first revision of the rules had it: moves of all players together.
pub(crate) const SIXTY_MOVES: u8 = 60;
/// CT-R9: a position that stands so many times is a tie.
pub const REPEAT_LIMIT: u32 = 3;
/// CT-S17, CT-R8: a last pair has so many turns each.
pub const PAIR_TURNS_EACH: u8 = 10;
/// CT-S17: steps of a move in the seven-step ending.
pub const SEVEN: u32 = 7;

/// How a table plays CT-R9.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub enum R9 {
    /// Nothing is a tie because it goes nowhere.
    Off,
    /// As the rules have it.
    #[default]
    On,
    /// As the first revision of the rules had it: sixty moves of all players together, and spins tell positions apart even
    /// where they cannot be seen. Tables that began so end so.
    SixtyMoves,
}

/// In texts the rule is on or off, as ever, and only its older reading has a name.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Holds(bool),
    Named(Named),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Named {
    SixtyMoves,
}

impl From<Written> for R9 {
    fn from(written: Written) -> Self {
        match written {
            Written::Holds(false) => Self::Off,
            Written::Holds(true) => Self::On,
            Written::Named(Named::SixtyMoves) => Self::SixtyMoves,
        }
    }
}

impl From<R9> for Written {
    fn from(r9: R9) -> Self {
        match r9 {
            R9::Off => Self::Holds(false),
            R9::On => Self::Holds(true),
            R9::SixtyMoves => Self::Named(Named::SixtyMoves),
        }
    }
}

/// What a table has agreed on about games that go nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Ties {
    /// How CT-R9 is played.
    pub r9: R9,
    /// Whether the count decides where CT-R9 would make a tie (CT-R10).
    pub count: bool,
}

impl Ties {
    /// Games go on for as long as the players like.
    pub const NEVER: Self = Self { r9: R9::Off, count: false };
}

/// What the last two tiles are playing for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Pair {
    /// More than two tiles, or the game is over.
    #[default]
    None,
    /// CT-R8: ordinary moves, ten turns each; so many turns of the table are gone.
    Ordinary(u8),
    /// CT-S17: moves of seven steps, ten turns each; so many turns of the table are gone.
    Seven(u8),
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// CT-S15: the last with a tile on the board.
    LastTile,
    /// CT-R6: the last tiles went together.
    GoneTogether,
    /// CT-S16: the last two tiles are turned over and equal.
    EqualBacks,
    /// CT-S17: ten turns each of seven steps.
    SevenSteps,
    /// CT-R8: ten turns each of the last pair.
    LastPair,
    /// CT-R9: the position stood for the third time.
    Repetition,
    /// CT-R9: thirty turns each with nothing removed or turned over.
    Quiet,
    /// CT-R10: the count, where the position stood for the third time or too many turns were quiet.
    Count,
}

/// The end of a game: why, and the mask of the sides that win it or share it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Over {
    /// Why.
    pub ending: Ending,
    /// The sides that won, or that share a tie, one bit each in turn order.
    pub sides: u8,
}

impl Over {
    /// Whether nobody won.
    #[inline]
    pub fn is_tie(self) -> bool {
        !matches!(self.ending, Ending::LastTile | Ending::Count)
    }
}
