//! One throw, from the cup to the count: thrown, arranged against the clock, heard by the table where it votes, and
//! then it stands. What the dice show and how they count, a game tells by [`Rules`].

use crate::ballot::{Ballot, Tally};
use crate::board::{Board, Spot};
use crate::count::{Count, Rules};
use crate::court::Court;
use crate::refusal::Refusal;
use serde::{Deserialize, Serialize};
use table::{Seat, Time};
use words::{Letter, Placed, Word};

/// A player who does not throw is helped after this time.
pub const CUP_MS: u64 = 30_000;
/// The time to challenge a word of a counted throw.
pub const HEARING_MS: u64 = 15_000;
/// The time to vote on a challenged word.
pub const VOTE_MS: u64 = 15_000;

/// Something done with the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch<'a> {
    /// Puts a die somewhere.
    Place(u8, Spot),
    /// Takes a die off the grid.
    Lift(u8),
    /// Takes all dice off the grid.
    Clear,
    /// Calls the letter of a wild die.
    Call(u8, Letter),
    /// Lays the whole arrangement.
    Arrange(&'a [Placed]),
}

/// Where a turn stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Stage {
    /// The dice are in the cup.
    Cup,
    /// The clock runs.
    Arranging,
    /// The words are on the table, and the others may challenge them (IQ-S9).
    Hearing {
        /// Who has nothing to say against them, by seat.
        passed: Vec<bool>,
        /// The word that is voted on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        vote: Option<Vote>,
    },
    /// Counted, and nobody can change it.
    Stands,
}

/// A challenged word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vote {
    /// The word.
    pub word: Word,
    /// Who challenged it.
    pub by: Seat,
    /// The votes: yes lets it stand.
    pub ballot: Ballot,
}

/// What the table decided about a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    /// The word.
    pub word: Word,
    /// Who challenged it.
    pub by: Seat,
    /// Whether it stands.
    pub stands: bool,
    /// The votes.
    pub tally: Tally,
}

/// One throw on its way from the cup to the count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Who may move the dice: a player, or a team.
    makers: Vec<Seat>,
    stage: Stage,
    /// When the stage is over.
    by: Time,
    board: Board,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<Count>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rulings: Vec<Ruling>,
}

impl Turn {
    /// The cup is handed over; until the throw the dice of the turn before lie where they were counted.
    pub fn new(makers: Vec<Seat>, board: Board, now: Time) -> Turn {
        let by = now.plus(CUP_MS);
        Turn { makers, stage: Stage::Cup, by, board, count: None, rulings: Vec::new() }
    }

    /// Dice that lie on the table already are taken up by others, who have `ms` to do better (IQ-S12).
    pub fn again(makers: Vec<Seat>, board: Board, now: Time, ms: u64) -> Turn {
        let stage = Stage::Arranging;
        Turn { makers, stage, by: now.plus(ms), board, count: None, rulings: Vec::new() }
    }

    /// Who may move the dice.
    pub fn makers(&self) -> &[Seat] {
        &self.makers
    }

    /// Where it stands.
    pub const fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The dice as they were laid.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The count, once the arranging is over.
    pub const fn count(&self) -> Option<&Count> {
        self.count.as_ref()
    }

    /// What was decided about its words.
    pub fn rulings(&self) -> &[Ruling] {
        &self.rulings
    }

    /// The count that nobody can change any more.
    pub fn stands(&self) -> Option<&Count> {
        self.count.as_ref().filter(|_| self.stage == Stage::Stands)
    }

    /// When time acts on it.
    pub fn deadline(&self) -> Option<Time> {
        (self.stage != Stage::Stands).then_some(self.by)
    }

    /// Has the table a use for this seat?
    pub fn awaits(&self, seat: Seat) -> bool {
        match &self.stage {
            Stage::Cup | Stage::Arranging => self.makers.contains(&seat),
            Stage::Hearing { vote: Some(vote), .. } => vote.ballot.vote(seat).is_none(),
            Stage::Hearing { vote: None, passed } => {
                !self.makers.contains(&seat) && passed.get(seat.index()) == Some(&false)
            }
            Stage::Stands => false,
        }
    }

    /// May this seat throw now?
    pub fn may_throw(&self, seat: Seat) -> Result<(), Refusal> {
        self.is_maker(seat)?;
        if self.stage == Stage::Cup { Ok(()) } else { Err(Refusal::Thrown) }
    }

    /// The dice are on the table and may go back into the cup: for that the player has as long as for a throw.
    pub fn may_throw_again(&mut self, dice: usize, now: Time) {
        self.board = Board::beside(dice);
        self.by = now.plus(CUP_MS);
    }

    /// The dice are on the table, and the clock starts.
    pub fn thrown(&mut self, dice: usize, now: Time, ms: u64) {
        self.board = Board::beside(dice);
        self.stage = Stage::Arranging;
        self.by = now.plus(ms);
    }

    /// One of the makers does something with the dice.
    pub fn touch(&mut self, seat: Seat, touch: Touch<'_>, rules: &Rules) -> Result<(), Refusal> {
        self.is_arranging(seat)?;
        match touch {
            Touch::Place(die, spot) => self.board.place(die, spot),
            Touch::Lift(die) => self.board.lift(die),
            Touch::Clear => {
                self.board.clear();
                Ok(())
            }
            Touch::Call(die, letter) => self.board.call(die, letter, rules.is_wild(die)),
            Touch::Arrange(laid) => {
                let tame = |placed: &&Placed| placed.called.is_some() && !rules.is_wild(placed.die);
                match laid.iter().find(tame) {
                    Some(placed) => Err(Refusal::NotWild { die: placed.die }),
                    None => self.board.arrange(laid),
                }
            }
        }
    }

    /// The makers are content before their time is up.
    pub fn done(&mut self, seat: Seat, now: Time, rules: &Rules, court: &mut Court) -> Result<(), Refusal> {
        self.is_arranging(seat)?;
        self.close(now, rules, court);
        Ok(())
    }

    /// A seat challenges a word on the table.
    pub fn challenge(&mut self, seat: Seat, word: Word, now: Time, court: &Court) -> Result<(), Refusal> {
        let Stage::Hearing { vote: open @ None, .. } = &mut self.stage else {
            return Err(Refusal::NoHearing);
        };
        if self.makers.contains(&seat) {
            return Err(Refusal::OwnWords);
        }
        if !self.count.as_ref().is_some_and(|count| count.words.iter().any(|said| said.word == word)) {
            return Err(Refusal::NoSuchWord { word });
        }
        if court.ruling(&word).is_some() {
            return Err(Refusal::Ruled { word });
        }
        *open = Some(Vote { word, by: seat, ballot: Ballot::new(court.seats()) });
        self.by = now.plus(VOTE_MS);
        Ok(())
    }

    /// A seat has nothing against the words on the table.
    pub fn pass(&mut self, seat: Seat, court: &Court) -> Result<(), Refusal> {
        let Stage::Hearing { vote: None, passed } = &mut self.stage else {
            return Err(Refusal::NoHearing);
        };
        if self.makers.contains(&seat) {
            return Err(Refusal::OwnWords);
        }
        match passed.get_mut(seat.index()) {
            Some(passed @ false) => *passed = true,
            _ => return Err(Refusal::Passed),
        }
        self.hear(court);
        Ok(())
    }

    /// A seat votes on the challenged word, the maker too (IQ-R6).
    pub fn vote(
        &mut self,
        seat: Seat,
        good: bool,
        now: Time,
        rules: &Rules,
        court: &mut Court,
    ) -> Result<(), Refusal> {
        let Stage::Hearing { vote: Some(vote), .. } = &mut self.stage else {
            return Err(Refusal::NoVote);
        };
        vote.ballot.cast(seat, good);
        if vote.ballot.complete() {
            self.decide(now, rules, court);
        }
        Ok(())
    }

    /// Time is up for the stage. The cup is the game's to turn over: the dice are its own.
    pub fn expire(&mut self, now: Time, rules: &Rules, court: &mut Court) {
        match &self.stage {
            Stage::Arranging => self.close(now, rules, court),
            Stage::Hearing { vote: Some(_), .. } => self.decide(now, rules, court),
            Stage::Hearing { vote: None, .. } => self.stage = Stage::Stands,
            Stage::Cup | Stage::Stands => {}
        }
    }

    /// The arranging is over: count, and let the others speak where the table votes.
    fn close(&mut self, now: Time, rules: &Rules, court: &mut Court) {
        self.count = Some(Count::of(&self.board, rules, &court.judge()));
        self.stage = Stage::Hearing { passed: vec![false; court.seats() as usize], vote: None };
        self.by = now.plus(HEARING_MS);
        self.hear(court);
    }

    /// Ends the hearing if nobody has anything left to say or to challenge.
    fn hear(&mut self, court: &Court) {
        let Stage::Hearing { passed, vote: None } = &self.stage else { return };
        let silent = |(at, &passed): (usize, &bool)| passed || self.makers.contains(&Seat(at as u32));
        let fresh = |count: &Count| {
            court.votes() && count.words.iter().any(|said| court.ruling(&said.word).is_none())
        };
        if passed.iter().enumerate().all(silent) || !self.count.as_ref().is_some_and(fresh) {
            self.stage = Stage::Stands;
        }
    }

    /// Closes the vote: a tie lets the word stand (IQ-R6). A word that falls leaves a new count, which is heard again.
    fn decide(&mut self, now: Time, rules: &Rules, court: &mut Court) {
        let Stage::Hearing { vote, passed } = &mut self.stage else { return };
        let Some(Vote { word, by, ballot }) = vote.take() else { return };
        let tally = ballot.tally();
        let stands = tally.no <= tally.yes;
        court.rule(word, stands);
        if !stands {
            passed.fill(false);
            self.count = Some(Count::of(&self.board, rules, &court.judge()));
        }
        self.rulings.push(Ruling { word, by, stands, tally });
        self.by = now.plus(HEARING_MS);
        self.hear(court);
    }

    fn is_maker(&self, seat: Seat) -> Result<(), Refusal> {
        match self.makers.first() {
            Some(&turn) if !self.makers.contains(&seat) => Err(Refusal::NotYourTurn { turn }),
            _ => Ok(()),
        }
    }

    fn is_arranging(&self, seat: Seat) -> Result<(), Refusal> {
        self.is_maker(seat)?;
        match self.stage {
            Stage::Arranging => Ok(()),
            Stage::Cup => Err(Refusal::NotThrown),
            Stage::Hearing { .. } | Stage::Stands => Err(Refusal::Arranged),
        }
    }
}
