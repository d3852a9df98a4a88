//! The table of I-Qubes as a state machine: who throws, what is bid, when it ends. The throw itself, from the cup to
//! the count, is a [`Turn`].

use crate::auction::{Auction, settle};
use crate::options::{Options, Rethrow};
use crate::refusal::Refusal;
use crate::set::Throw;
use crate::view::{News, Private, ProposalView, Public};
use letters::{Ballot, Board, Court, Move, Rules, Spot, Stage, Touch, Turn, TurnView};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;
use table::{Game, Moment, Outcome, Seat, Seats, Time};
use words::{Letter, Placed, Word};

/// How long a proposal to end the game waits for answers.
pub const PROPOSAL_MS: u64 = 30_000;

/// What a seat can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Act {
    /// Throws the dice; the clock starts. A throw without vowel and WILD may be thrown again first (IQ-S5).
    Throw,
    /// Keeps a throw without vowel and WILD; the clock starts.
    Keep,
    /// Puts a die on the grid or moves it there; a die that lies there changes places with it.
    Place {
        /// Which die of the throw, from 0.
        die: u8,
        /// To the right.
        x: i8,
        /// Downwards.
        y: i8,
    },
    /// Takes a die off the grid.
    Lift {
        /// Which die.
        die: u8,
    },
    /// Takes all dice off the grid.
    Clear,
    /// Calls the letter of a WILD (IQ-S2).
    Call {
        /// Which die.
        die: u8,
        /// The letter.
        letter: Letter,
    },
    /// Lays a whole arrangement; dice not named lie beside the grid.
    Arrange {
        /// The dice on the grid.
        dice: Vec<Placed>,
    },
    /// Ends the arranging before time is up.
    Done,
    /// Bids for a higher count (IQ-S12).
    Bid {
        /// The count.
        count: u32,
    },
    /// Makes no bid, or no challenge.
    Pass,
    /// Challenges a word on the table (IQ-S9).
    Challenge {
        /// The word.
        word: Word,
    },
    /// Votes on the challenged word (IQ-R6).
    Vote {
        /// Let it stand?
        good: bool,
    },
    /// Proposes to end the game after this and so many more rounds (IQ-S7).
    Propose {
        /// One, two or three.
        rounds: u32,
    },
    /// Answers the proposal.
    Agree {
        /// Agreed?
        yes: bool,
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

/// What is going on besides the turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub(crate) enum Phase {
    /// A player has the dice.
    Own,
    /// The others bid on the count that stands.
    Auction(Auction),
    /// The highest bidder has the dice.
    Bid {
        original: u32,
        bid: u32,
    },
    Over,
}

/// A proposal to end the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Proposal {
    by: Seat,
    /// The round that would be the last.
    last: u32,
    until: Time,
    ballot: Ballot,
}

/// A game of I-Qubes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IQubes {
    options: Options,
    court: Court,
    /// From 1.
    round: u32,
    /// The round that is agreed to be the last.
    last: u32,
    player: Seat,
    /// This is the throw that a full first one earned (IQ-S6).
    second: bool,
    /// The throw on the table earned another.
    earned: bool,
    throw: Throw,
    /// The throws of this turn without vowel and WILD, all thrown again but the last: that one the player is asked about, or
    /// has kept (IQ-S5).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    mute: Vec<Throw>,
    turn: Turn,
    phase: Phase,
    /// Points by round, then by seat.
    sheet: Vec<Vec<i64>>,
    proposal: Option<Proposal>,
    news: Vec<News>,
}

impl IQubes {
    /// What the table agreed on.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Each seat's points so far.
    pub fn totals(&self) -> Vec<i64> {
        let seats = self.court.seats() as usize;
        (0..seats).map(|seat| self.sheet.iter().map(|round| round[seat]).sum()).collect()
    }

    /// The dice as counted stay on the table while the cup goes round.
    fn counted_board(&self) -> Board {
        self.turn.count().map(|count| count.left_of(self.turn.board())).unwrap_or_default()
    }

    /// Throws all dice (IQ-S5). Where neither a vowel nor a WILD turns up they are thrown again, or the player is asked;
    /// everybody sees all of it, and the clock starts with the throw that is played (IQ-R2).
    fn throw(&mut self, at: &mut Moment<'_>, rethrow: Rethrow) {
        loop {
            self.throw = self.options.set.throw(self.options.sets(), at.dice);
            if self.options.opens(&self.throw) {
                return self.arrange_throw(at.now);
            }
            self.mute.push(self.throw.clone());
            if rethrow == Rethrow::Asked {
                self.turn.may_throw_again(self.options.dice(), at.now);
                return self.tell_throw();
            }
        }
    }

    /// Is the player asked whether a throw without vowel and WILD is to be thrown again?
    fn asks(&self) -> bool {
        *self.turn.stage() == Stage::Cup && !self.mute.is_empty()
    }

    fn keep(&mut self, seat: Seat, now: Time) -> Result<(), Refusal> {
        self.turn.may_throw(seat)?;
        if !self.asks() {
            return Err(Refusal::NothingToKeep);
        }
        self.arrange_throw(now);
        Ok(())
    }

    fn arrange_throw(&mut self, now: Time) {
        self.turn.thrown(self.options.dice(), now, self.options.time());
        self.tell_throw();
    }

    /// The last throw is news, with those before it in this turn that were thrown again.
    fn tell_throw(&mut self) {
        let thrown_again = match self.mute.split_last() {
            Some((last, before)) if *last == self.throw => before,
            _ => &self.mute,
        };
        let (seat, second, rethrown) = (self.player, self.second, thrown_again.to_vec());
        self.news = vec![News::Threw { seat, second, rethrown, throw: self.throw.clone() }];
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

    /// A count that stands is written down, and the game goes on from there.
    fn settle_turn(&mut self, now: Time) {
        let Some(count) = self.turn.stands().cloned() else { return };
        let points = count.points.unsigned_abs();
        match self.phase {
            Phase::Own => {
                let full = usize::from(count.used) == self.options.dice();
                self.earned = full && !self.second; // IQ-R3: once a turn
                self.credit(self.player, i64::from(points));
                self.news.push(News::Counted { seat: self.player, count, full, earned: self.earned });
                self.open_auction(points, now);
            }
            Phase::Bid { original, bid } => {
                let seat = self.turn.makers().first().copied().unwrap_or(self.player);
                let (bidder, player) = settle(original, bid, points);
                self.credit(seat, bidder);
                self.credit(self.player, player);
                self.news.push(News::Bid { seat, bid, original, made: points >= bid, count });
                self.next(now);
            }
            Phase::Auction(_) | Phase::Over => {}
        }
    }

    fn credit(&mut self, seat: Seat, points: i64) {
        if let Some(cell) = self.sheet.last_mut().and_then(|round| round.get_mut(seat.index())) {
            *cell += points;
        }
    }

    /// Lets the others bid, where the table plays so and there is somebody to bid (IQ-S12).
    fn open_auction(&mut self, original: u32, now: Time) {
        let auction = Auction::new(self.player, original, self.options.highest(), self.court.seats(), now);
        if self.options.bidding && !auction.over() {
            self.phase = Phase::Auction(auction);
        } else {
            self.next(now);
        }
    }

    /// The highest bidder takes the dice as they lie, for half the time; without a bid the game goes on.
    fn close_auction(&mut self, now: Time) {
        let Phase::Auction(auction) = &self.phase else { return };
        let (original, high) = (auction.original, auction.high);
        self.news.push(News::Auction { original, high });
        match high {
            None => self.next(now),
            Some(bid) => {
                let half = self.options.time() / 2;
                self.turn = Turn::again(vec![bid.seat], self.counted_board(), now, half);
                self.phase = Phase::Bid { original, bid: bid.count };
            }
        }
    }

    /// The cup goes to the second throw, to the next player, to the next round, or back into the box.
    fn next(&mut self, now: Time) {
        self.phase = Phase::Own;
        self.second = std::mem::take(&mut self.earned);
        if !self.second {
            self.player = self.player.left(self.court.seats());
            if self.player == Seat(0) && !self.next_round() {
                return;
            }
        }
        self.mute.clear();
        self.turn = Turn::new(vec![self.player], self.counted_board(), now);
    }

    /// Begins another round, if there is one.
    fn next_round(&mut self) -> bool {
        if self.round >= self.last {
            self.phase = Phase::Over;
            self.proposal = None;
            return false;
        }
        self.round += 1;
        let seats = self.court.seats() as usize;
        self.sheet.push(vec![0; seats]);
        true
    }

    fn propose(&mut self, seat: Seat, rounds: u32, now: Time) -> Result<(), Refusal> {
        if !(1..=3).contains(&rounds) {
            return Err(Refusal::MoreRounds { found: rounds });
        }
        if self.proposal.is_some() {
            return Err(Refusal::ProposalOpen);
        }
        let last = self.round + rounds;
        let mut ballot = Ballot::new(self.court.seats());
        ballot.cast(seat, true);
        self.proposal = Some(Proposal { by: seat, last, until: now.plus(PROPOSAL_MS), ballot });
        self.count_hands(false);
        Ok(())
    }

    fn agree(&mut self, seat: Seat, yes: bool) -> Result<(), Refusal> {
        self.proposal.as_mut().ok_or(Refusal::NoProposal)?.ballot.cast(seat, yes);
        self.count_hands(false);
        Ok(())
    }

    /// Closes the proposal when it is carried or lost, or when its time is up. A proposal whose last round went by while
    /// people thought is closed with it.
    fn count_hands(&mut self, time_up: bool) {
        let Some(Proposal { by, last, ballot, .. }) = &self.proposal else { return };
        let (by, last, agreed, tally) = (*by, *last, ballot.carried(), ballot.tally());
        if agreed || ballot.lost() || time_up {
            if agreed {
                self.last = last.max(self.round);
            }
            self.news.push(News::Proposal { by, last, agreed, tally });
            self.proposal = None;
        }
    }

    fn touch(&mut self, seat: Seat, touch: Touch<'_>, now: Time) -> Result<(), Refusal> {
        self.with_turn(now, |turn, rules, _| turn.touch(seat, touch, rules))
    }

    fn pass(&mut self, seat: Seat, now: Time) -> Result<(), Refusal> {
        if let Phase::Auction(auction) = &mut self.phase {
            auction.pass(seat)?;
            if auction.over() {
                self.close_auction(now);
            }
            return Ok(());
        }
        self.with_turn(now, |turn, _, court| turn.pass(seat, court))
    }

    fn bid(&mut self, seat: Seat, count: u32, now: Time) -> Result<(), Refusal> {
        let Phase::Auction(auction) = &mut self.phase else { return Err(Refusal::NoAuction) };
        auction.bid(seat, count)?;
        if auction.over() {
            self.close_auction(now);
        }
        Ok(())
    }

    fn phase_deadline(&self) -> Option<Time> {
        match &self.phase {
            Phase::Own | Phase::Bid { .. } => self.turn.deadline(),
            Phase::Auction(auction) => Some(auction.by),
            Phase::Over => None,
        }
    }
}

impl Game for IQubes {
    const NAME: &'static str = "iqubes";
    /// 2: a player is asked about a throw without vowel and WILD, which used to be thrown again at once; offensive words can be laid
    /// only where the table says so.
    const RULES: u32 = 2;
    const OLDEST_RULES: u32 = 1;
    type Options = Options;
    type Act = Act;
    type Public = Public;
    type Private = Private;
    type Refusal = Refusal;

    fn older_options(_: u32, options: &mut Map<String, Value>) {
        options.insert("rethrow".to_owned(), json!(Rethrow::Automatic));
        options.insert("offensive".to_owned(), json!(true));
    }

    /// Solitaire, or two to five (IQ-S3).
    fn seating(_: &Options) -> RangeInclusive<u32> {
        1..=5
    }

    fn open(options: &Options, seats: &Seats, at: &mut Moment<'_>) -> Result<IQubes, Refusal> {
        options.check()?;
        let count = seats.count();
        let no_words = Refusal::NoSuchWords { words: options.words };
        let court = Court::open(options.accepts(), count).ok_or(no_words)?;
        Ok(IQubes {
            options: options.clone(),
            court,
            round: 1,
            last: options.rounds,
            player: Seat(0),
            second: false,
            earned: false,
            throw: Throw::default(),
            mute: Vec::new(),
            turn: Turn::new(vec![Seat(0)], Board::default(), at.now),
            phase: Phase::Own,
            sheet: vec![vec![0; count as usize]],
            proposal: None,
            news: Vec::new(),
        })
    }

    fn act(&mut self, seat: Seat, act: &Act, at: &mut Moment<'_>) -> Result<(), Refusal> {
        let now = at.now;
        match *act {
            Act::Throw => {
                self.turn.may_throw(seat)?;
                self.throw(at, self.options.rethrow);
                Ok(())
            }
            Act::Keep => self.keep(seat, now),
            Act::Place { die, x, y } => self.touch(seat, Touch::Place(die, Spot(x, y)), now),
            Act::Lift { die } => self.touch(seat, Touch::Lift(die), now),
            Act::Clear => self.touch(seat, Touch::Clear, now),
            Act::Call { die, letter } => self.touch(seat, Touch::Call(die, letter), now),
            Act::Arrange { ref dice } => self.touch(seat, Touch::Arrange(dice), now),
            Act::Done => self.with_turn(now, |turn, rules, court| turn.done(seat, now, rules, court)),
            Act::Bid { count } => self.bid(seat, count, now),
            Act::Pass => self.pass(seat, now),
            Act::Challenge { word } => {
                self.with_turn(now, |turn, _, court| turn.challenge(seat, word, now, court))
            }
            Act::Vote { good } => {
                self.with_turn(now, |turn, rules, court| turn.vote(seat, good, now, rules, court))
            }
            Act::Propose { rounds } => self.propose(seat, rounds, now),
            Act::Agree { yes } => self.agree(seat, yes),
        }
    }

    fn throws(&self, _: Seat, act: &Act) -> bool {
        *act == Act::Throw
    }

    fn awaits(&self, seat: Seat) -> bool {
        if self.proposal.as_ref().is_some_and(|proposal| proposal.ballot.vote(seat).is_none()) {
            return true;
        }
        match &self.phase {
            Phase::Own | Phase::Bid { .. } => self.turn.awaits(seat),
            Phase::Auction(auction) => auction.awaits(seat),
            Phase::Over => false,
        }
    }

    fn deadline(&self) -> Option<Time> {
        let phase = self.phase_deadline()?;
        Some(self.proposal.as_ref().map_or(phase, |proposal| phase.min(proposal.until)))
    }

    fn expire(&mut self, at: &mut Moment<'_>) {
        let now = at.now;
        if self.proposal.as_ref().is_some_and(|proposal| proposal.until <= now) {
            self.count_hands(true);
        } else if matches!(self.phase, Phase::Auction(_)) {
            self.close_auction(now);
        } else if *self.turn.stage() == Stage::Cup {
            // Nobody is there to be asked.
            self.throw(at, Rethrow::Automatic);
        } else {
            let expired = self.with_turn(now, |turn, rules, court| {
                turn.expire(now, rules, court);
                Ok(())
            });
            debug_assert!(expired.is_ok(), "time is never refused");
        }
    }

    fn public(&self) -> Public {
        let rules = self.rules();
        let over = self.phase == Phase::Over;
        Public {
            options: self.options.clone(),
            round: self.round,
            last: self.last,
            player: self.player,
            second: self.second,
            throw: self.throw.clone(),
            asks: self.asks(),
            turn: TurnView::of(&self.turn, &rules, &self.court, self.options.judge),
            auction: match &self.phase {
                Phase::Auction(auction) => Some(auction.clone()),
                _ => None,
            },
            bid: match self.phase {
                Phase::Bid { bid, .. } => Some(bid),
                _ => None,
            },
            deadline: self.deadline(),
            sheet: self.sheet.clone(),
            totals: self.totals(),
            proposal: self.proposal.as_ref().map(|proposal| ProposalView {
                by: proposal.by,
                last: proposal.last,
                until: proposal.until,
                voted: proposal.ballot.voted(),
            }),
            rulings: self.court.rulings().clone(),
            news: self.news.clone(),
            over,
        }
    }

    fn private(&self, seat: Seat) -> Private {
        let vote = match self.turn.stage() {
            Stage::Hearing { vote: Some(vote), .. } => vote.ballot.vote(seat),
            _ => None,
        };
        Private { vote, agreed: self.proposal.as_ref().and_then(|proposal| proposal.ballot.vote(seat)) }
    }

    /// The highest total wins; equal totals share (IQ-R10).
    fn outcome(&self) -> Option<Outcome> {
        (self.phase == Phase::Over).then(|| Outcome::by_score(self.totals()))
    }
}
