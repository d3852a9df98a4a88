//! The table: players, their slips, the bank and the dice, moved only by acts and by time.

mod bank;
mod bets;

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use table::{Dice, Game, Moment, Outcome, Seat, Seats, Time};

use crate::layout::Layout;
use crate::notation::Stake;
use crate::options::{Banker, Options};
use crate::refusal::Refusal;
use crate::set::Throw;
use crate::slip::{Settled, Slip};
use crate::view::{OPEN_TABLE, Phase, Place, Private, Public, Thrown};

/// What a seat can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Act {
    /// Lay chips: `{"do":"lay","bets":["15=2","1|2=3"]}`. All of them, or none if one is refused.
    Lay {
        /// What and where.
        bets: Vec<Stake>,
        /// Whether that is all, and the player is ready with it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        ready: bool,
    },
    /// Take chips back before the window closes.
    TakeBack {
        /// What and where.
        bets: Vec<Stake>,
    },
    /// Take everything back.
    Clear,
    /// Wait for the throw. Laying or taking back afterwards makes a player busy again.
    Ready,
    /// Throw, as the banker.
    Throw,
    /// Pass the bank: to the house at once, or offer it to a seat.
    PassBank {
        /// Who is to have it.
        to: Banker,
    },
    /// Take the bank that was offered, that the house holds, or that is broken.
    TakeBank,
    /// Agree to end the game now.
    Agree,
    /// Withdraw that.
    PlayOn,
    /// Borrow chips, where the table lends and none are left.
    Borrow,
}

impl Act {
    /// Lay chips, with more to follow.
    pub fn lay(bets: Vec<Stake>) -> Self {
        Self::Lay { bets, ready: false }
    }
}

/// A table of Dice Roulette.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roulette {
    options: Options,
    phase: Phase,
    deadline: Time,
    thrown: u32,
    players: Vec<Player>,
    layout: Layout,
    banker: Banker,
    /// What lies in a player's bank, the banker's own chips included; 0 while the house banks.
    bank: u64,
    stock: u64,
    offered: Option<Seat>,
    heir: Option<Banker>,
    /// What the house has won and lost as banker.
    house: i64,
    /// Every chip that came out of the box and did not go back: starting chips, a bank's stock, loans.
    issued: u64,
    /// Players with chips; of those, the ones not ready; of the voters, the ones who agreed to stop.
    playing: u32,
    waiting: u32,
    agreed: u32,
    last: Option<Thrown>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Player {
    hand: u64,
    debt: u64,
    slip: Slip,
    ready: bool,
    agreed: bool,
    last: Settled,
}

impl Player {
    fn new(chips: u32) -> Self {
        let (slip, last) = (Slip::default(), Settled::default());
        Self { hand: chips.into(), debt: 0, slip, ready: false, agreed: false, last }
    }

    fn chips(&self) -> u64 {
        self.hand + u64::from(self.slip.total())
    }
}

/// Where all chips are. None is ever made or lost: `players + layout + bank + house == issued`, at every moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Books {
    /// In the players' hands.
    pub players: u64,
    /// On the layout.
    pub layout: u64,
    /// In a player's bank.
    pub bank: u64,
    /// Won or lost by the house.
    pub house: i64,
    /// Given out: starting chips, the stock of a player's bank, loans.
    pub issued: u64,
}

impl Books {
    /// Whether every chip is accounted for.
    pub fn balance(self) -> bool {
        (self.players + self.layout + self.bank) as i64 + self.house == self.issued as i64
    }
}

impl Roulette {
    /// The options of the table.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Where the table stands.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Who holds the bank.
    pub fn banker(&self) -> Banker {
        self.banker
    }

    /// The slip a player has on the layout; `None` if there is no such seat.
    pub fn slip(&self, seat: Seat) -> Option<&Slip> {
        self.players.get(seat.index()).map(|player| &player.slip)
    }

    /// Where all chips are.
    pub fn books(&self) -> Books {
        Books {
            players: self.players.iter().map(|player| player.hand).sum(),
            layout: self.layout.total().into(),
            bank: self.bank,
            house: self.house,
            issued: self.issued,
        }
    }

    fn is_banker(&self, seat: Seat) -> bool {
        self.banker == Banker::Seat(seat)
    }

    fn while_betting(&self) -> Result<(), Refusal> {
        match self.phase {
            Phase::Betting => Ok(()),
            Phase::Throwing => Err(Refusal::Closed),
            Phase::Over => Err(Refusal::Over),
        }
    }

    /// The player behind a seat, if bets are open and he may bet.
    fn bettor(&self, seat: Seat) -> Result<&Player, Refusal> {
        self.while_betting()?;
        if self.is_banker(seat) {
            return Err(Refusal::BankerNeverBets);
        }
        self.player(seat)
    }

    fn player(&self, seat: Seat) -> Result<&Player, Refusal> {
        let seats = self.players.len() as u32;
        self.players.get(seat.index()).ok_or(Refusal::NobodyThere { seat, seats })
    }

    fn ready(&mut self, seat: Seat, at: &mut Moment<'_>) -> Result<(), Refusal> {
        let player = self.bettor(seat)?;
        if player.ready {
            return Err(Refusal::AlreadyReady);
        }
        if !self.is_in(player) {
            return Err(Refusal::NoChips);
        }
        self.players[seat.index()].ready = true;
        self.waiting -= 1;
        self.close_if_all_ready(at);
        Ok(())
    }

    /// DR-R5: who has no chips is out, unless the table lends.
    fn is_in(&self, player: &Player) -> bool {
        player.chips() > 0 || self.options.borrow
    }

    /// DR-R4: nobody is waited for who is out.
    fn close_if_all_ready(&mut self, at: &mut Moment<'_>) {
        if self.phase == Phase::Betting && self.waiting == 0 {
            self.close(at);
        }
    }

    /// No more bets. The house throws at once; a player takes the dice in hand.
    fn close(&mut self, at: &mut Moment<'_>) {
        match self.banker {
            Banker::House => self.throw(at),
            Banker::Seat(_) => {
                self.phase = Phase::Throwing;
                self.deadline = at.now.plus_secs(self.options.hold.into());
            }
        }
    }

    fn throw_by(&mut self, seat: Seat, at: &mut Moment<'_>) -> Result<(), Refusal> {
        if self.phase == Phase::Over {
            return Err(Refusal::Over);
        }
        if !self.is_banker(seat) {
            return Err(Refusal::NotYourDice);
        }
        if self.phase == Phase::Betting {
            return Err(Refusal::BetsOpen);
        }
        self.throw(at);
        Ok(())
    }

    fn throw(&mut self, at: &mut Moment<'_>) {
        let throw = cast(at.dice);
        self.thrown_by_hand(throw, at.now);
    }

    /// Settles a throw that was made with real dice, and opens the next window. Nothing happens once the game is over.
    pub fn thrown_by_hand(&mut self, throw: Throw, now: Time) {
        if self.phase == Phase::Over {
            return;
        }
        self.settle(throw);
        self.thrown += 1;
        if let Some(heir) = self.heir {
            self.hand_over(heir);
        }
        self.open_window(now);
    }

    /// What a seat would have if the game ended now: its chips, wherever they are, less what it owes. `None` if there is no such
    /// seat.
    pub fn worth(&self, seat: Seat) -> Option<i64> {
        let player = self.players.get(seat.index())?;
        let bank = if self.is_banker(seat) { self.bank as i64 - self.stock as i64 } else { 0 };
        Some(player.chips() as i64 + bank - player.debt as i64)
    }

    /// DR-S7: the losers are swept off, then the winners are paid.
    fn settle(&mut self, throw: Throw) {
        let set = &self.options.set;
        let (swept, won) = self.layout.split(set, throw);
        let (mut swept_chips, mut paid_chips) = (0, 0);
        for player in &mut self.players {
            player.last = player.slip.settle(set, throw);
            swept_chips += u64::from(player.last.swept);
            paid_chips += player.last.paid;
            player.hand += u64::from(player.last.returned) + player.last.paid;
            player.slip.clear();
        }
        match self.banker {
            Banker::House => self.house += swept_chips as i64 - paid_chips as i64,
            Banker::Seat(_) => self.bank = self.bank + swept_chips - paid_chips,
        }
        self.last = Some(Thrown {
            black: set.black_die()[throw.index() / 6],
            white: set.white_die()[throw.index() % 6],
            number: set.number(throw),
            red: set.is_red(throw),
            swept,
            swept_chips,
            won,
            paid_chips,
        });
        self.layout.clear();
    }

    /// Bets are open again, unless the game is over.
    fn open_window(&mut self, now: Time) {
        for player in &mut self.players {
            (player.ready, player.agreed) = (false, false);
        }
        self.recount();
        if self.thrown >= self.options.throws || self.no_contest() {
            self.finish();
        } else {
            self.phase = Phase::Betting;
            self.deadline = now.plus_secs(self.options.window.into());
        }
        debug_assert!(self.books().balance(), "a chip was made or lost");
    }

    fn recount(&mut self) {
        (self.playing, self.waiting, self.agreed) = (0, 0, 0);
        for (at, player) in self.players.iter().enumerate() {
            let bets = self.banker != Banker::Seat(Seat(at as u32));
            self.playing += u32::from(bets && player.chips() > 0);
            self.waiting += u32::from(bets && self.is_in(player) && !player.ready);
            self.agreed += u32::from(player.agreed);
        }
    }

    /// DR-R5: one player has all the chips, or nobody can play any more. While the table lends, only a broken bank that
    /// may not pass ends the game: no loan makes it whole.
    fn no_contest(&self) -> bool {
        let broken = self.banker != Banker::House && self.bank == 0;
        if broken && !self.options.passing {
            return true;
        }
        if self.options.borrow {
            return false;
        }
        match self.banker {
            Banker::House => self.playing == 0 || (self.playing == 1 && self.players.len() > 1),
            Banker::Seat(_) => self.playing == 0 || (broken && self.playing == 1),
        }
    }

    /// Stakes that still stand go back to their owners, and the banker squares his account.
    fn finish(&mut self) {
        for at in 0..self.players.len() {
            self.return_slip(at);
        }
        self.hand_over(Banker::House);
        self.phase = Phase::Over;
    }

    /// DR-R5: when the table agrees. Everybody who is in has a voice, and so has the banker.
    fn agree(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.while_betting()?;
        let player = self.player(seat)?;
        if player.agreed {
            return Err(Refusal::AlreadyAgreed);
        }
        if !self.is_in(player) && !self.is_banker(seat) {
            return Err(Refusal::NoChips);
        }
        self.players[seat.index()].agreed = true;
        self.agreed += 1;
        if self.agreed == self.voices() {
            self.finish();
        }
        Ok(())
    }

    fn voices(&self) -> u32 {
        if self.options.borrow {
            return self.players.len() as u32;
        }
        self.playing + u32::from(self.banker != Banker::House)
    }

    fn play_on(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.while_betting()?;
        if !self.player(seat)?.agreed {
            return Err(Refusal::NotAgreed);
        }
        self.players[seat.index()].agreed = false;
        self.agreed -= 1;
        Ok(())
    }

    /// DR-R5: a fresh start from the box, to be given back at the end.
    fn borrow(&mut self, seat: Seat) -> Result<(), Refusal> {
        let chips = self.bettor(seat)?.chips();
        if !self.options.borrow {
            return Err(Refusal::NoLoans);
        }
        if chips > 0 {
            return Err(Refusal::NotBroke { chips });
        }
        let loan = u64::from(self.options.chips);
        let player = &mut self.players[seat.index()];
        player.hand = loan;
        player.debt += loan;
        self.issued += loan;
        self.playing += 1;
        self.busy(seat);
        Ok(())
    }
}

/// DR-S1: the black die, then the white one; each face of each is equally likely, so each number is.
fn cast(dice: &mut Dice) -> Throw {
    let (black, white) = (dice.below(6), dice.below(6));
    Throw::of_faces(black, white).expect("a die has six faces")
}

impl Game for Roulette {
    const NAME: &'static str = "roulette";
    type Options = Options;
    type Act = Act;
    type Public = Public;
    type Private = Private;
    type Refusal = Refusal;

    fn seating(options: &Options) -> RangeInclusive<u32> {
        options.seating()
    }

    fn open(options: &Options, seats: &Seats, at: &mut Moment<'_>) -> Result<Self, Refusal> {
        options.check(seats.count())?;
        let players = vec![Player::new(options.chips); seats.count() as usize];
        let mut game = Self {
            phase: Phase::Betting,
            deadline: at.now,
            thrown: 0,
            layout: Layout::empty(),
            banker: Banker::House,
            bank: 0,
            stock: options.stock(seats.count()),
            offered: None,
            heir: None,
            house: 0,
            issued: u64::from(options.chips) * u64::from(seats.count()),
            playing: 0,
            waiting: 0,
            agreed: 0,
            last: None,
            players,
            options: options.clone(),
        };
        if options.bank != Banker::House {
            game.hand_over(options.bank);
        }
        game.open_window(at.now);
        Ok(game)
    }

    fn act(&mut self, seat: Seat, act: &Act, at: &mut Moment<'_>) -> Result<(), Refusal> {
        match act {
            Act::Lay { bets, ready } => {
                self.lay(seat, bets)?;
                if *ready { self.ready(seat, at) } else { Ok(()) }
            }
            Act::TakeBack { bets } => self.take_back(seat, bets),
            Act::Clear => self.clear(seat),
            Act::Ready => self.ready(seat, at),
            Act::Throw => self.throw_by(seat, at),
            Act::PassBank { to } => self.pass_bank(seat, *to, at),
            Act::TakeBank => self.take_bank(seat, at),
            Act::Agree => self.agree(seat),
            Act::PlayOn => self.play_on(seat),
            Act::Borrow => self.borrow(seat),
        }
    }

    /// DR-R4: the last to be ready closes the bets, and then the house throws. Changing the banker may make somebody the last.
    fn throws(&self, _: Seat, act: &Act) -> bool {
        match act {
            Act::Ready | Act::Lay { ready: true, .. } => self.waiting <= 1,
            Act::Throw | Act::PassBank { .. } | Act::TakeBank | Act::Agree => true,
            Act::Lay { .. } | Act::TakeBack { .. } | Act::Clear | Act::PlayOn | Act::Borrow => false,
        }
    }

    fn awaits(&self, seat: Seat) -> bool {
        let Some(player) = self.players.get(seat.index()) else { return false };
        let (is_in, banks) = (self.is_in(player), self.is_banker(seat));
        let asked_to_stop = self.agreed > 0 && !player.agreed && (is_in || banks);
        match self.phase {
            Phase::Betting if banks => asked_to_stop,
            Phase::Betting => (is_in && !player.ready) || self.offered == Some(seat) || asked_to_stop,
            Phase::Throwing => self.is_banker(seat),
            Phase::Over => false,
        }
    }

    fn deadline(&self) -> Option<Time> {
        (self.phase != Phase::Over).then_some(self.deadline)
    }

    fn expire(&mut self, at: &mut Moment<'_>) {
        match self.phase {
            Phase::Betting => self.close(at),
            Phase::Throwing => self.throw(at),
            Phase::Over => {}
        }
    }

    fn public(&self) -> Public {
        let set = &self.options.set;
        let open = self.players.len() <= OPEN_TABLE;
        let place = |player: &Player| Place {
            slip: player.slip.on(set).collect(),
            ready: player.ready,
            agreed: player.agreed,
            debt: player.debt,
            last: player.last,
        };
        Public {
            set: set.clone(),
            phase: self.phase,
            closes: self.deadline(),
            thrown: self.thrown,
            throws: self.options.throws,
            banker: self.banker,
            bank: self.purse(),
            offered: self.offered,
            heir: self.heir,
            passing: self.options.passing,
            loan: if self.options.borrow { self.options.chips } else { 0 },
            chips: self.players.iter().map(|player| player.hand).collect(),
            players: if open { self.players.iter().map(place).collect() } else { Vec::new() },
            waiting: self.waiting,
            agreed: self.agreed,
            layout: self.layout.stakes(set),
            last: self.last.clone(),
        }
    }

    fn private(&self, seat: Seat) -> Private {
        let nobody = Player::new(0);
        let player = self.players.get(seat.index()).unwrap_or(&nobody);
        Private {
            chips: player.hand,
            debt: player.debt,
            slip: player.slip.on(&self.options.set).collect(),
            ready: player.ready,
            agreed: player.agreed,
            last: player.last,
        }
    }

    /// DR-R5: the most chips win; what was borrowed is given back first.
    fn outcome(&self) -> Option<Outcome> {
        let score = |player: &Player| player.hand as i64 - player.debt as i64;
        (self.phase == Phase::Over).then(|| Outcome::by_score(self.players.iter().map(score).collect()))
    }
}
