//! The rules as a state machine.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use table::{Game, Moment, Outcome, Seat, Seats, Time};
use thiserror::Error;

/// What a table agrees on before it starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The points that win.
    pub goal: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { goal: 30 }
    }
}

/// What a seat can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Act {
    /// Throw the die and add what it shows.
    Throw,
}

/// Why an act or a set of options is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Refusal {
    /// Another seat is to move.
    #[error("It is somebody else's turn. Wait for yours.")]
    NotYourTurn,
    /// The goal is out of bounds.
    #[error("Choose a goal from 10 to 500.")]
    Goal,
}

/// A table of Skeleton.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skeleton {
    goal: u32,
    turn: Seat,
    totals: Vec<u32>,
    last: Option<(Seat, u32)>,
}

/// What everybody sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Public {
    /// The points that win.
    pub goal: u32,
    /// Whose turn it is.
    pub turn: Seat,
    /// The points of every seat.
    pub totals: Vec<u32>,
    /// What was thrown last, and by whom.
    pub last: Option<(Seat, u32)>,
}

impl fmt::Display for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((seat, shown)) = self.last {
            writeln!(f, "{seat} threw {shown}.")?;
        }
        for (seat, total) in (0..).map(Seat).zip(&self.totals) {
            writeln!(f, "{} {seat}: {total} of {}", if seat == self.turn { '>' } else { ' ' }, self.goal)?;
        }
        Ok(())
    }
}

impl Game for Skeleton {
    const NAME: &'static str = "skeleton";
    type Options = Options;
    type Act = Act;
    type Public = Public;
    type Private = ();
    type Refusal = Refusal;

    fn seating(_: &Options) -> RangeInclusive<u32> {
        2..=8
    }

    fn open(options: &Options, seats: &Seats, at: &mut Moment<'_>) -> Result<Skeleton, Refusal> {
        if !(10..=500).contains(&options.goal) {
            return Err(Refusal::Goal);
        }
        let turn = Seat(at.dice.below(seats.count()));
        Ok(Skeleton { goal: options.goal, turn, totals: vec![0; seats.count() as usize], last: None })
    }

    fn act(&mut self, seat: Seat, act: &Act, at: &mut Moment<'_>) -> Result<(), Refusal> {
        if seat != self.turn {
            return Err(Refusal::NotYourTurn);
        }
        match act {
            Act::Throw => {
                let shown = at.dice.below(6) + 1;
                self.totals[seat.index()] += shown;
                self.last = Some((seat, shown));
                self.turn = seat.left(self.totals.len() as u32);
            }
        }
        Ok(())
    }

    fn awaits(&self, seat: Seat) -> bool {
        self.outcome().is_none() && seat == self.turn
    }

    fn deadline(&self) -> Option<Time> {
        None
    }

    fn expire(&mut self, _: &mut Moment<'_>) {}

    fn public(&self) -> Public {
        Public { goal: self.goal, turn: self.turn, totals: self.totals.clone(), last: self.last }
    }

    fn private(&self, _: Seat) {}

    fn outcome(&self) -> Option<Outcome> {
        let won = self.totals.iter().any(|&total| total >= self.goal);
        won.then(|| Outcome::by_score(self.totals.iter().map(|&total| i64::from(total)).collect()))
    }
}
