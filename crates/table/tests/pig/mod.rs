//! Pig, a small dice game, to try the kernel on: throw and add, or hold; a one loses the turn. Before the game
//! each seat writes down a secret guess of the winner's score, and every throw must come within five seconds.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use table::{Game, Moment, Outcome, Seat, Seats, Time};
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Rules {
    pub(crate) goal: u32,
    /// Whether it keeps to itself what throws: an error that the conformance suite must find.
    pub(crate) secretive: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { goal: 20, secretive: false }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Act {
    Guess { score: u32 },
    Throw,
    Hold,
}

#[derive(Clone, Debug, PartialEq, Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub(crate) enum Refusal {
    #[error("It is the turn of {turn}. Wait for yours.")]
    NotYourTurn { turn: Seat },
    #[error("Throw at least once before you hold.")]
    NothingToHold,
    #[error("A goal is from 10 to 100.")]
    Goal,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pig {
    goal: u32,
    secretive: bool,
    turn: Seat,
    pot: u32,
    totals: Vec<u32>,
    pub(crate) guesses: Vec<Option<u32>>,
    bell: Time,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Public {
    turn: Seat,
    pot: u32,
    totals: Vec<u32>,
}

impl fmt::Display for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has {} in the pot; totals {:?}", self.turn, self.pot, self.totals)
    }
}

impl Pig {
    fn pass(&mut self, now: Time) {
        self.totals[self.turn.index()] += std::mem::take(&mut self.pot);
        self.turn = self.turn.left(self.totals.len() as u32);
        self.bell = now.plus_secs(5);
    }
}

impl Game for Pig {
    const NAME: &'static str = "pig";
    const RULES: u32 = 3;
    const OLDEST_RULES: u32 = 2;
    type Options = Rules;
    type Act = Act;
    type Public = Public;
    type Private = Option<u32>;
    type Refusal = Refusal;

    /// Under revision 2 a table that agreed on no goal played to 60.
    fn older_options(rules: u32, options: &mut serde_json::Map<String, serde_json::Value>) {
        if rules == 2 {
            options.entry("goal").or_insert(60.into());
        }
    }

    fn seating(_: &Rules) -> RangeInclusive<u32> {
        2..=4
    }

    fn open(rules: &Rules, seats: &Seats, at: &mut Moment<'_>) -> Result<Pig, Refusal> {
        if !(10..=100).contains(&rules.goal) {
            return Err(Refusal::Goal);
        }
        let count = seats.count() as usize;
        Ok(Pig {
            goal: rules.goal,
            secretive: rules.secretive,
            turn: Seat(at.dice.below(seats.count())),
            pot: 0,
            totals: vec![0; count],
            guesses: vec![None; count],
            bell: at.now.plus_secs(5),
        })
    }

    fn act(&mut self, seat: Seat, act: &Act, at: &mut Moment<'_>) -> Result<(), Refusal> {
        if let Act::Guess { score } = act {
            self.guesses[seat.index()] = Some(*score);
            return Ok(());
        }
        let shown = at.dice.below(6) + 1; // drawn before the checks on purpose: a refusal must give it back
        if seat != self.turn {
            return Err(Refusal::NotYourTurn { turn: self.turn });
        }
        match act {
            Act::Hold if self.pot == 0 => return Err(Refusal::NothingToHold),
            Act::Hold => self.pass(at.now),
            _ if shown == 1 => {
                self.pot = 0;
                self.pass(at.now);
            }
            _ => {
                self.pot += shown;
                self.bell = at.now.plus_secs(5);
            }
        }
        Ok(())
    }

    fn throws(&self, _: Seat, act: &Act) -> bool {
        // It draws for a hold too, and looks at nothing.
        !self.secretive && !matches!(act, Act::Guess { .. })
    }

    fn time_throws(&self) -> bool {
        false
    }

    fn awaits(&self, seat: Seat) -> bool {
        self.outcome().is_none() && (seat == self.turn || self.guesses[seat.index()].is_none())
    }

    fn deadline(&self) -> Option<Time> {
        Some(self.bell)
    }

    fn expire(&mut self, at: &mut Moment<'_>) {
        self.pass(at.now);
    }

    fn public(&self) -> Public {
        Public { turn: self.turn, pot: self.pot, totals: self.totals.clone() }
    }

    fn private(&self, seat: Seat) -> Option<u32> {
        self.guesses[seat.index()]
    }

    fn outcome(&self) -> Option<Outcome> {
        let won = self.totals.iter().any(|&total| total >= self.goal);
        won.then(|| Outcome::by_score(self.totals.iter().map(|&total| i64::from(total)).collect()))
    }
}
