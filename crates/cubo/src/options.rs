//! What a table may agree on before it starts.

use serde::{Deserialize, Serialize};
use table::{Seat, Time};

use crate::{refusal::Refusal, score::Straights, set::Set};

/// The options of a game of Cubo. What is left out takes its default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The pieces.
    pub set: Set,
    /// How the numbers of a straight must lie (CU-R6).
    pub straights: Straights,
    /// Who starts (CU-R2).
    pub start: Start,
    /// How long everything may take.
    pub clocks: Clocks,
}

/// Who is the first start player (CU-R2): `"random"` or `{"seat": 2}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// The dice say who.
    #[default]
    Random,
    /// Whoever sits here, the oldest for instance.
    Seat(Seat),
}

/// How long everything may take, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clocks {
    /// A round, before the countdown starts for all who have not called (CU-R4).
    pub round: u32,
    /// A round of practice alone (CU-R1).
    pub practice: u32,
    /// The countdown for the last (CU-S7).
    pub countdown: u32,
    /// Taking a die after the call (CU-R3).
    pub take: u32,
    /// Choosing the exchange (CU-R5).
    pub exchange: u32,
    /// Before each round, unless all are ready sooner.
    pub pause: u32,
}

impl Default for Clocks {
    fn default() -> Self {
        Self { round: 120, practice: 90, countdown: 6, take: 5, exchange: 20, pause: 8 }
    }
}

impl Clocks {
    /// No clock runs longer than this.
    pub const LONGEST: u32 = 3600;
}

/// Seconds later, in table time.
pub(crate) fn after(now: Time, seconds: u32) -> Time {
    now.plus_secs(seconds.into())
}

impl Options {
    /// Says what is wrong with the options for a table of so many seats.
    pub(crate) fn check(&self, seats: u32) -> Result<(), Refusal> {
        let Clocks { round, practice, countdown, take, exchange, pause } = self.clocks;
        let clocks = [
            ("round", round, 1),
            ("practice", practice, 1),
            ("countdown", countdown, 1),
            ("take", take, 1),
            ("exchange", exchange, 1),
            ("pause", pause, 0),
        ];
        for (clock, seconds, least) in clocks {
            if !(least..=Clocks::LONGEST).contains(&seconds) {
                return Err(Refusal::BadClock { clock: clock.to_owned(), seconds, least });
            }
        }
        match self.start {
            Start::Seat(seat) if seat.0 >= seats => Err(Refusal::NoSuchStart { seat, seats }),
            _ => Ok(()),
        }
    }
}
