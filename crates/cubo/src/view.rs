//! What everybody sees of a table, and what only one seat sees.

use std::fmt;

use serde::{Deserialize, Serialize};
use table::{Seat, Time};

use crate::{
    die::Die,
    layout::{Layout, Throw},
    score::{Count, Straights},
    square::{Cell, Square},
};

/// What the table is at. All times are table times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Phase {
    /// Before a round: the signal comes when all are ready, or at this time.
    Pause {
        /// When the signal is given at the latest.
        until: Time,
        /// Who has said so.
        ready: Vec<Seat>,
    },
    /// The race: everybody at once.
    Race {
        /// When it began.
        signal: Time,
        /// When the countdown starts for all who have not called (CU-R4); alone, when the round ends (CU-R1).
        cap: Time,
        /// When it is too late, once the countdown runs (CU-S7).
        countdown: Option<Time>,
        /// Who called first: from then on nobody picks his dice up (CU-S5).
        first_call: Option<Seat>,
    },
    /// The cubos are uncovered one by one.
    Scoring {
        /// Who may exchange now.
        turn: Seat,
        /// When he keeps his dice without a word (CU-R5).
        until: Time,
    },
    /// The game is over.
    Over,
}

/// How far a player is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Stage {
    /// Before the first signal.
    Waiting,
    /// Has picked his dice up and not rolled yet.
    Held,
    /// Arranges the dice thrown.
    Thrown,
    /// Has covered and called, and must take a die.
    Called {
        /// When he is given one at random (CU-R3).
        take_by: Time,
    },
    /// Has taken his die and waits.
    Covered,
    /// Did not cover in time: nothing this round (CU-S7).
    Late,
    /// Uncovered; may exchange now.
    Uncovered,
    /// Counted.
    Counted,
}

impl Stage {
    /// When a caller is given a die at random.
    pub const fn take_by(self) -> Option<Time> {
        match self {
            Self::Called { take_by } => Some(take_by),
            _ => None,
        }
    }
}

/// An exchange that was made (CU-S8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// Where.
    pub at: Cell,
    /// The die that went to the centre.
    pub out: Die,
    /// The die that came into its place.
    #[serde(rename = "in")]
    pub taken: Die,
}

/// A cubo that lies open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncovered {
    /// The dice as they lie, the exchange made if there was one.
    #[serde(rename = "grid")]
    pub square: Square,
    /// The exchange.
    pub exchange: Option<Made>,
    /// What each row is worth.
    pub count: Count,
}

/// What everybody sees of one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatView {
    /// All his points.
    pub score: u32,
    /// What each round brought.
    pub points: Vec<u8>,
    /// How many of his eight coloured dice are red (CU-S9).
    pub red: u8,
    /// How far he is.
    pub stage: Stage,
    /// How often he has rolled this round.
    pub throws: u32,
    /// His dice as thrown, reds, blues and the white one; nothing while he holds them.
    pub dice: Option<Throw>,
    /// How many of them lie in his square; which ones and where is his secret.
    pub placed: u8,
    /// He holds his dice and somebody has called: one last roll (CU-S5).
    pub last_roll: bool,
    /// What lay in the centre when he took.
    pub offered: Vec<Die>,
    /// The die on his cover.
    pub taken: Option<Die>,
    /// His cubo of this round, once it lies open.
    pub uncovered: Option<Uncovered>,
}

/// What everybody sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Public {
    /// The round, from 1; 0 before the first.
    pub round: u32,
    /// How many there are.
    pub rounds: u32,
    /// How straights are read.
    pub straights: Straights,
    /// The start player of this round; before the first, who will start.
    pub start: Seat,
    /// What the table is at.
    pub phase: Phase,
    /// The dice in the centre, each in its own place, and gaps where one was taken; empty before the first signal.
    pub centre: Vec<Option<Die>>,
    /// The players.
    pub seats: Vec<SeatView>,
}

/// What only one seat sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Private {
    /// Where his dice lie, each by its place in his throw.
    #[serde(rename = "grid")]
    pub layout: Layout,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pause { until, ready } => write!(f, "signal at {until}, {} ready", ready.len()),
            Self::Race { countdown: Some(end), .. } => write!(f, "countdown to {end}"),
            Self::Race { first_call: Some(seat), .. } => write!(f, "{seat} has called, no more rolls"),
            Self::Race { cap, .. } => write!(f, "race to {cap}"),
            Self::Scoring { turn, until } => write!(f, "{turn} counts until {until}"),
            Self::Over => f.write_str("over"),
        }
    }
}

impl fmt::Display for SeatView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.stage, &self.uncovered) {
            (_, Some(shown)) => return write!(f, "{shown}"),
            (Stage::Waiting, _) => return f.write_str("waits"),
            (Stage::Held, _) if self.last_roll => f.write_str("holds the dice for one last roll")?,
            (Stage::Held, _) => f.write_str("holds the dice")?,
            (Stage::Called { take_by }, _) => write!(f, "calls Cubo, takes a die by {take_by}")?,
            (Stage::Covered, _) => f.write_str("covered")?,
            (Stage::Late, _) => f.write_str("too late")?,
            _ => write!(f, "{} placed", self.placed)?,
        }
        if let Some(taken) = self.taken {
            write!(f, ", took {taken}")?;
        }
        for (i, die) in self.dice.iter().flatten().enumerate() {
            write!(f, "{}{die}", if i == 0 { "  " } else { " " })?;
        }
        Ok(())
    }
}

/// `R1 R2 R3 / B1 W4 B2 / R4 B3 B4  B2 for R6  3+0+0 0+8+0 = 11`
impl fmt::Display for Uncovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.square)?;
        if let Some(Made { out, taken, .. }) = self.exchange {
            write!(f, "  {taken} for {out}")?;
        }
        let [a, b, c, d, e, g] = self.count.rows.map(|row| row.points);
        write!(f, "  across {a}+{b}+{c}, down {d}+{e}+{g} = {}", self.count.total)
    }
}

impl fmt::Display for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "round {} of {}, {} starts: {}", self.round, self.rounds, self.start, self.phase)?;
        f.write_str("centre")?;
        for die in &self.centre {
            match die {
                Some(die) => write!(f, " {die}")?,
                None => f.write_str(" --")?,
            }
        }
        for (seat, view) in (0..).map(Seat).zip(&self.seats) {
            write!(f, "\n{seat} {:>4}  {view}", view.score)?;
        }
        Ok(())
    }
}
