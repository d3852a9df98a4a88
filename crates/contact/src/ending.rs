//! How a game of Contact ends, and the numbers that end it.

/// CT-R9: so many moves without a removal or a turning over are a tie.
pub const QUIET_LIMIT: u8 = 60;
/// CT-R9: a position that stands so many times is a tie.
pub const REPEAT_LIMIT: u32 = 3;
/// CT-S17, CT-R8: a last pair has so many turns each.
pub const PAIR_TURNS_EACH: u8 = 10;
/// CT-S17: steps of a move in the seven-step ending.
pub const SEVEN: u32 = 7;

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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, serde::Serialize, serde::Deserialize)]
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
    /// CT-R9: sixty moves with nothing removed or turned over.
    Quiet,
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
        self.ending != Ending::LastTile
    }
}
