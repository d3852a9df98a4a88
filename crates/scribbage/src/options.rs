//! What a table of Scribbage agrees on before it starts.

use crate::Set;
use crate::refusal::Refusal;
use crate::set::Throw;
use letters::{Accepts, Rules};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use table::{Seat, Seats};
use words::{Counting, WordsId, shelf};

/// The agreements, each with the house's default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The cubes and the values of the letters.
    pub set: Set,
    /// The timer, 60 to 600 seconds (SB-R1).
    pub seconds: u32,
    /// Turns each, 1 to 50 (SB-S8); where nothing is agreed, [as usual](Options::usual_turns).
    pub turns: Option<u32>,
    /// Play for the highest score over this figure instead, 1 to 2,000 (SB-S8); 200 is usual.
    pub figure: Option<u32>,
    /// The number of teams; 0 when everybody plays alone (SB-S9). Seats join the teams in turn, like cards dealt.
    pub teams: u32,
    /// Young players: words side by side, not a crossword (SB-S11).
    pub young: bool,
    /// The dictionary, or `none` for challenge and vote (SB-S5).
    pub words: WordsId,
    /// Offensive words of the dictionary can be laid.
    pub offensive: bool,
    /// Show while the cubes are arranged which words are good, and the score.
    pub judge: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            set: Set::standard(),
            seconds: 180,
            turns: None,
            figure: None,
            teams: 0,
            young: false,
            words: WordsId::default(),
            offensive: false,
            judge: true,
        }
    }
}

impl Options {
    /// What the timer may be set to.
    pub const SECONDS: RangeInclusive<u32> = 60..=600;
    /// The turns that may be agreed on. A game for a figure may have more: see [`figure_is_won`](crate::figure_is_won).
    pub const TURNS: RangeInclusive<u32> = 1..=50;
    /// The figures that may be agreed on.
    pub const FIGURES: RangeInclusive<u32> = 1..=2000;
    /// Members of a team (SB-S9).
    pub const MEMBERS: RangeInclusive<u32> = 2..=4;
    /// The figure of the sheet.
    pub const USUAL_FIGURE: u32 = 200;

    /// The turns where none are agreed on: four, and for one alone a single throw (SB-S8, SB-S10).
    pub const fn usual_turns(seats: usize) -> u32 {
        if seats == 1 { 1 } else { 4 }
    }

    /// The time for one throw, in milliseconds.
    pub const fn time(&self) -> u64 {
        self.seconds as u64 * 1000
    }

    /// How layouts are counted (SB-S7, SB-S11).
    pub const fn counting(&self) -> Counting {
        if self.young { Counting::Young } else { Counting::Scribbage }
    }

    /// A throw under these agreements.
    pub fn rules(&self, throw: &Throw) -> Rules {
        Rules { faces: throw.faces(&self.set), counting: self.counting() }
    }

    /// How many may sit down.
    pub fn seating(&self) -> RangeInclusive<u32> {
        let most = Seats::MOST as u32;
        match self.teams {
            0 => 1..=most,
            teams => {
                let times = |members: u32| teams.saturating_mul(members);
                times(*Self::MEMBERS.start())..=times(*Self::MEMBERS.end()).min(most)
            }
        }
    }

    /// How many sides play: teams, or single players.
    pub const fn sides(&self, seats: u32) -> u32 {
        if self.teams == 0 { seats } else { self.teams }
    }

    /// The side a seat plays on.
    pub const fn side(&self, seat: Seat) -> u32 {
        if self.teams == 0 { seat.0 } else { seat.0 % self.teams }
    }

    /// Which words the table takes.
    pub const fn accepts(&self) -> Accepts {
        Accepts { words: self.words, offensive: self.offensive }
    }

    /// The same agreements with the dictionary named in full: what a record should keep, so that it is replayed with the
    /// very same words or not at all.
    pub fn pinned(mut self) -> Result<Options, Refusal> {
        self.words = shelf::pin(&self.words).ok_or(Refusal::NoSuchWords { words: self.words })?;
        Ok(self)
    }

    /// Are these agreements a game?
    pub fn check(&self) -> Result<(), Refusal> {
        let within = |range: RangeInclusive<u32>, found: u32, fault: fn(u32) -> Refusal| {
            if range.contains(&found) { Ok(()) } else { Err(fault(found)) }
        };
        within(Self::SECONDS, self.seconds, |found| Refusal::Seconds { found })?;
        within(Self::TURNS, self.turns.unwrap_or(*Self::TURNS.start()), |found| Refusal::Turns { found })?;
        let figure = self.figure.unwrap_or(Self::USUAL_FIGURE);
        within(Self::FIGURES, figure, |found| Refusal::Figure { found })
    }
}
