//! The table of Scribbage as a state machine: who starts, whose cubes, when it ends. The throw itself, from the cup to
//! the score, is a [`Turn`].

use crate::draw::Draw;
use crate::figure::figure_is_won;
use crate::options::Options;
use crate::refusal::Refusal;
use crate::set::Throw;
use crate::view::{News, Private, Public};
use letters::{Board, Court, Move, Rules, Spot, Stage, Touch, Turn, TurnView};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;
use table::{Game, Moment, Outcome, Seat, Seats, Time};
use words::{Letter, Placed, Word};

/// What a seat can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Act {
    /// Rolls the cubes; the timer starts.
    Throw,
    /// Puts a cube on the grid or moves it there; a cube that lies there changes places with it.
    Place {
        /// Which cube of the throw, from 0.
        die: u8,
        /// To the right.
        x: i8,
        /// Downwards.
        y: i8,
    },
    /// Takes a cube off the grid.
    Lift {
        /// Which cube.
        die: u8,
    },
    /// Takes all cubes off the grid.
    Clear,
    /// Calls the letter of a joker (SB-S6).
    Call {
        /// Which cube.
        die: u8,
        /// The letter.
        letter: Letter,
    },
    /// Lays a whole arrangement; cubes not named lie beside the grid.
    Arrange {
        /// The cubes on the grid.
        dice: Vec<Placed>,
    },
    /// Ends the turn before time is up (SB-S4).
    Done,
    /// Has nothing against the words on the table.
    Pass,
    /// Challenges a word on the table (SB-S5).
    Challenge {
        /// The word.
        word: Word,
    },
    /// Votes on the challenged word.
    Vote {
        /// Let it stand?
        good: bool,
    },
}

impl From<Move> for Act {
    fn from(step: Move) -> Act {
        match step {
            Move::Throw => Act::Throw,
            Move::Place(die, Spot(x, y)) => Act::Place { die, x, y },
            Move::Lift(die) => Act::Lift { die },
            Move::Clear => Act::Clear,
            Move::Call(die, letter) => Act::Call { die, letter },
            Move::Arrange(dice) => Act::Arrange { dice },
            Move::Done => Act::Done,
            Move::Pass => Act::Pass,
            Move::Challenge(word) => Act::Challenge { word },
            Move::Vote(good) => Act::Vote { good },
        }
    }
}

/// A game of Scribbage. Its options say how many turns there are, also where none were agreed on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scribbage {
    options: Options,
    court: Court,
    /// The draw for the start; put away when the first cubes are rolled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    draw: Option<Draw>,
    /// The side that began.
    starts: u32,
    /// The side that has the cubes.
    side: u32,
    /// From 1.
    round: u32,
    throw: Throw,
    turn: Turn,
    /// Points by side, then by turn.
    sheet: Vec<Vec<i64>>,
    news: Vec<News>,
    over: bool,
}

impl Scribbage {
    /// What the table agreed on.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Each side's points so far.
    pub fn totals(&self) -> Vec<i64> {
        self.sheet.iter().map(|turns| turns.iter().sum()).collect()
    }

    /// The cubes as counted stay on the table while the cup goes round.
    fn counted_board(&self) -> Board {
        self.turn.count().map(|count| count.left_of(self.turn.board())).unwrap_or_default()
    }

    fn throw(&mut self, at: &mut Moment<'_>) {
        self.draw = None;
        self.throw = self.options.set.throw(at.dice);
        self.turn.thrown(self.throw.0.len(), at.now, self.options.time());
        self.news = vec![News::Threw { side: self.side, throw: self.throw.clone() }];
    }

    /// What the dice show and how they count.
    fn rules(&self) -> Rules {
        self.options.rules(&self.throw)
    }

    /// Does something with the turn under the rules and the court of this table; then sees whether it stands.
    fn with_turn(
        &mut self,
        now: Time,
        doing: impl FnOnce(&mut Turn, &Rules, &mut Court) -> Result<(), letters::Refusal>,
    ) -> Result<(), Refusal> {
        let rules = self.rules();
        let heard = self.turn.rulings().len();
        doing(&mut self.turn, &rules, &mut self.court)?;
        let rulings = self.turn.rulings()[heard..].iter().cloned();
        self.news.extend(rulings.map(|ruling| News::Ruled { ruling }));
        self.settle_turn(now);
        Ok(())
    }

    /// A score that stands is written down, and the cubes are passed to the left (SB-S8).
    fn settle_turn(&mut self, now: Time) {
        let Some(count) = self.turn.stands().cloned() else { return };
        self.sheet[self.side as usize].push(i64::from(count.points));
        self.news.push(News::Counted { side: self.side, count });
        let sides = self.sheet.len() as u32;
        self.side = (self.side + 1) % sides;
        if self.side == self.starts {
            self.over = self.ends();
            if self.over {
                return;
            }
            self.round += 1;
        }
        let makers = members(&self.options, self.side, self.court.seats());
        self.turn = Turn::new(makers, self.counted_board(), now);
    }

    /// Is the game over with this round? (SB-S8, SB-R5)
    fn ends(&self) -> bool {
        match self.options.figure {
            Some(figure) => figure_is_won(figure.into(), &self.sheet),
            None => self.options.turns.is_none_or(|turns| self.round >= turns),
        }
    }

    fn touch(&mut self, seat: Seat, touch: Touch<'_>, now: Time) -> Result<(), Refusal> {
        self.with_turn(now, |turn, rules, _| turn.touch(seat, touch, rules))
    }
}

/// The seats of a side.
pub(crate) fn members(options: &Options, side: u32, seats: u32) -> Vec<Seat> {
    if options.teams == 0 {
        return vec![Seat(side)];
    }
    (0..seats).map(Seat).filter(|&seat| options.side(seat) == side).collect()
}

impl Game for Scribbage {
    const NAME: &'static str = "scribbage";
    /// 2: offensive words can be laid only where the table says so.
    const RULES: u32 = 2;
    const OLDEST_RULES: u32 = 1;
    type Options = Options;
    type Act = Act;
    type Public = Public;
    type Private = Private;
    type Refusal = Refusal;

    fn older_options(_: u32, options: &mut Map<String, Value>) {
        options.insert("offensive".to_owned(), json!(true));
    }

    fn seating(options: &Options) -> RangeInclusive<u32> {
        options.seating()
    }

    fn open(options: &Options, seats: &Seats, at: &mut Moment<'_>) -> Result<Scribbage, Refusal> {
        options.check()?;
        let seats = seats.count();
        if !options.seating().contains(&seats) {
            return Err(Refusal::Teams { teams: options.teams, seats });
        }
        let no_words = Refusal::NoSuchWords { words: options.words };
        let court = Court::open(options.accepts(), seats).ok_or(no_words)?;
        let sides = options.sides(seats);
        let draw = Draw::new(&options.set, sides, at.dice);
        let side = draw.starts;
        let turns = options.turns.unwrap_or_else(|| Options::usual_turns(seats as usize));
        Ok(Scribbage {
            options: Options { turns: Some(turns), ..options.clone() },
            court,
            turn: Turn::new(members(options, side, seats), Board::default(), at.now),
            draw: Some(draw),
            starts: side,
            side,
            round: 1,
            throw: Throw::default(),
            sheet: vec![Vec::new(); sides as usize],
            news: Vec::new(),
            over: false,
        })
    }

    fn act(&mut self, seat: Seat, act: &Act, at: &mut Moment<'_>) -> Result<(), Refusal> {
        let now = at.now;
        match *act {
            Act::Throw => {
                self.turn.may_throw(seat)?;
                self.throw(at);
                Ok(())
            }
            Act::Place { die, x, y } => self.touch(seat, Touch::Place(die, Spot(x, y)), now),
            Act::Lift { die } => self.touch(seat, Touch::Lift(die), now),
            Act::Clear => self.touch(seat, Touch::Clear, now),
            Act::Call { die, letter } => self.touch(seat, Touch::Call(die, letter), now),
            Act::Arrange { ref dice } => self.touch(seat, Touch::Arrange(dice), now),
            Act::Done => self.with_turn(now, |turn, rules, court| turn.done(seat, now, rules, court)),
            Act::Pass => self.with_turn(now, |turn, _, court| turn.pass(seat, court)),
            Act::Challenge { word } => {
                self.with_turn(now, |turn, _, court| turn.challenge(seat, word, now, court))
            }
            Act::Vote { good } => {
                self.with_turn(now, |turn, rules, court| turn.vote(seat, good, now, rules, court))
            }
        }
    }

    fn throws(&self, _: Seat, act: &Act) -> bool {
        *act == Act::Throw
    }

    fn awaits(&self, seat: Seat) -> bool {
        !self.over && self.turn.awaits(seat)
    }

    fn deadline(&self) -> Option<Time> {
        self.turn.deadline().filter(|_| !self.over)
    }

    fn expire(&mut self, at: &mut Moment<'_>) {
        let now = at.now;
        if *self.turn.stage() == Stage::Cup {
            return self.throw(at);
        }
        let expired = self.with_turn(now, |turn, rules, court| {
            turn.expire(now, rules, court);
            Ok(())
        });
        debug_assert!(expired.is_ok(), "time is never refused");
    }

    fn public(&self) -> Public {
        let rules = self.rules();
        Public {
            options: self.options.clone(),
            seats: self.court.seats(),
            draw: self.draw.clone(),
            starts: self.starts,
            side: self.side,
            round: self.round,
            throw: self.throw.clone(),
            values: self.throw.0.iter().map(|&face| self.options.set.value(face)).collect(),
            turn: TurnView::of(&self.turn, &rules, &self.court, self.options.judge),
            deadline: self.deadline(),
            sheet: self.sheet.clone(),
            totals: self.totals(),
            rulings: self.court.rulings().clone(),
            news: self.news.clone(),
            over: self.over,
        }
    }

    fn private(&self, seat: Seat) -> Private {
        match self.turn.stage() {
            Stage::Hearing { vote: Some(vote), .. } => Private { vote: vote.ballot.vote(seat) },
            _ => Private { vote: None },
        }
    }

    /// The highest total wins, a tie is shared (SB-S8, SB-R5); a team's place is that of each of its members.
    fn outcome(&self) -> Option<Outcome> {
        let sides = self.over.then(|| Outcome::by_score(self.totals()))?;
        let of = |seat: u32| self.options.side(Seat(seat)) as usize;
        let seats = 0..self.court.seats();
        Some(Outcome {
            ranks: seats.clone().map(|seat| sides.ranks[of(seat)]).collect(),
            scores: seats.map(|seat| sides.scores[of(seat)]).collect(),
        })
    }
}
