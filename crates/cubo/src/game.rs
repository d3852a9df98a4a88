//! The game itself: rounds of a race and its scoring, moved by what players do and by the clock.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use table::{Dice, Game, Moment, Outcome, Seat, Seats, Time};

use crate::{
    die::{Colour, Die, FACES},
    hand::COLOURED,
    layout::{Arrangement, Layout, Throw, WHITE},
    options::{Options, Start, after},
    refusal::Refusal,
    square::{Cell, Square},
    view::{Made, Phase, Private, Public, SeatView, Stage, Uncovered},
};

/// A game of Cubo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cubo {
    options: Options,
    /// From 1; 0 before the first signal.
    round: u32,
    /// Who starts this round; before the first signal, who will.
    start: Seat,
    phase: Phase,
    /// The dice in the centre, each in its own place; empty before the first signal.
    centre: Vec<Option<Die>>,
    players: Vec<Player>,
}

/// A player and what lies before him.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Player {
    /// How many of his eight coloured dice are red (CU-S9).
    red: u8,
    /// What each round brought.
    points: Vec<u8>,
    stage: Stage,
    /// How often he has rolled this round.
    throws: u32,
    /// His dice as thrown; nothing while he holds them in his hand.
    dice: Option<Throw>,
    layout: Layout,
    /// What lay in the centre when he took.
    offered: Vec<Die>,
    taken: Option<Taken>,
    uncovered: Option<Uncovered>,
}

/// A die from the centre on a cover, and the place it left there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Taken {
    place: u8,
    die: Die,
}

/// What a player can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Act {
    /// Ready for the signal: when all are, it is given.
    Ready,
    /// Picks all nine dice up, to roll them again.
    PickUp,
    /// Rolls the nine dice in the hand.
    Roll,
    /// Lays a die of the throw in a cell.
    Place {
        /// Its place in the throw, 0 to 7.
        die: u8,
        /// Where to. If a die lies there they change places, or it goes out of the square.
        at: Cell,
    },
    /// Takes a die out of the square again.
    Lift {
        /// Its place in the throw, 0 to 7.
        die: u8,
    },
    /// Lays all nine at once.
    Arrange {
        /// The dice by their places in the throw, row by row, the white one (8) in the middle.
        grid: Arrangement,
    },
    /// Covers the cubo and calls "Cubo".
    Call,
    /// Takes a die from the centre.
    Take {
        /// Its place in the centre.
        die: u8,
    },
    /// Puts the die taken into the uncovered cubo.
    Exchange {
        /// The cell of the die that goes to the centre.
        out: Cell,
    },
    /// Leaves the uncovered cubo as it is.
    Keep,
}

impl Player {
    fn new(red: u8) -> Self {
        Self {
            red,
            points: Vec::new(),
            stage: Stage::Waiting,
            throws: 0,
            dice: None,
            layout: Layout::EMPTY,
            offered: Vec::new(),
            taken: None,
            uncovered: None,
        }
    }

    /// Throws all nine dice: reds, blues, the white one.
    fn roll(&mut self, dice: &mut Dice) {
        let red = usize::from(self.red);
        self.dice = Some(std::array::from_fn(|i| match i {
            _ if i < red => thrown(Colour::Red, dice),
            _ if i < COLOURED => thrown(Colour::Blue, dice),
            _ => thrown(Colour::White, dice),
        }));
        self.layout = Layout::THROWN;
        self.throws = self.throws.saturating_add(1);
        self.stage = Stage::Thrown;
    }

    /// The dice of a player who is still arranging, or why he is not.
    fn thrown(&self) -> Result<&Throw, Refusal> {
        self.racing()?;
        self.dice.as_ref().ok_or(Refusal::DiceInHand)
    }

    fn racing(&self) -> Result<(), Refusal> {
        match self.stage {
            Stage::Held | Stage::Thrown => Ok(()),
            Stage::Late => Err(Refusal::TooLate),
            Stage::Called { .. } | Stage::Covered => Err(Refusal::Covered),
            Stage::Waiting | Stage::Uncovered | Stage::Counted => Err(Refusal::NoRace),
        }
    }

    /// The countdown is over, and his cubo is not covered: nothing for this round (CU-S7).
    fn miss(&mut self) {
        self.stage = Stage::Late;
        self.points.push(0);
    }

    fn is_racing(&self) -> bool {
        self.racing().is_ok()
    }

    fn has_taken(&self) -> bool {
        self.taken.is_some()
    }

    /// The cubo under the cover.
    fn square(&self) -> Option<Square> {
        self.layout.square(self.dice.as_ref()?)
    }

    fn score(&self) -> u32 {
        self.points.iter().map(|&points| u32::from(points)).sum()
    }
}

fn thrown(colour: Colour, dice: &mut Dice) -> Die {
    Die::thrown(colour, dice.below(FACES.into()) as u8)
}

/// The phases of a round.
impl Cubo {
    /// The pause before a round.
    fn pause(&mut self, now: Time) {
        self.phase = Phase::Pause { until: after(now, self.options.clocks.pause), ready: Vec::new() };
    }

    /// The signal: the centre and everybody's dice are rolled at the same time (CU-F2).
    fn signal(&mut self, at: &mut Moment<'_>) {
        if self.round > 0 {
            self.start = self.start.left(self.seats()); // CU-S3
        }
        self.round += 1;
        let colours: Vec<Colour> = match self.centre.as_slice() {
            [] => self.options.set.centre().colours().collect(),
            lying => lying.iter().flatten().map(|die| die.colour()).collect(),
        };
        self.centre = colours.into_iter().map(|colour| Some(thrown(colour, at.dice))).collect();
        for player in &mut self.players {
            *player = Player { points: std::mem::take(&mut player.points), ..Player::new(player.red) };
            player.roll(at.dice);
        }
        let clocks = &self.options.clocks;
        let cap = if self.alone() { clocks.practice } else { clocks.round };
        self.phase =
            Phase::Race { signal: at.now, cap: after(at.now, cap), countdown: None, first_call: None };
    }

    /// Starts the countdown if it is time for it, and the scoring if nobody is left in the race.
    fn move_on(&mut self, now: Time) {
        let Phase::Race { countdown, .. } = &mut self.phase else { return };
        let mut left = self.players.iter().filter(|player| !player.has_taken());
        let last = left.next();
        // CU-S7: all but one have taken. Alone there is nobody to count down (CU-R1).
        if let (Some(last), None, true) = (last, left.next(), self.players.len() > 1)
            && last.is_racing()
        {
            countdown.get_or_insert(after(now, self.options.clocks.countdown));
        }
        if self.players.iter().all(|player| player.stage == Stage::Covered || player.stage == Stage::Late) {
            self.count_next(now);
        }
    }

    /// The clocks of the race that have run out by now.
    fn race_clocks(&mut self, at: &mut Moment<'_>) {
        for index in self.slow_to_take(at.now) {
            let free: Vec<u8> = (0..).zip(&self.centre).filter_map(|(i, die)| die.map(|_| i)).collect();
            let place = free[at.dice.below(free.len() as u32) as usize]; // CU-R3
            self.take(index, place);
        }
        let alone = self.alone();
        let Phase::Race { cap, countdown, .. } = &mut self.phase else { return };
        match countdown {
            None if *cap > at.now => {}
            None if !alone => *countdown = Some(after(at.now, self.options.clocks.countdown)), // CU-R4
            Some(end) if *end > at.now => {}
            // The countdown is over, or the cap of practice (CU-R1).
            _ => self.players.iter_mut().filter(|player| player.is_racing()).for_each(Player::miss),
        }
        self.move_on(at.now);
    }

    /// Who called and has let his time to take run out, in the order of the calls.
    fn slow_to_take(&self, now: Time) -> Vec<usize> {
        let called = self.players.iter().enumerate().filter_map(|(index, player)| match player.stage {
            Stage::Called { take_by } if take_by <= now => Some((take_by, index)),
            _ => None,
        });
        let mut slow: Vec<(Time, usize)> = called.collect();
        slow.sort_unstable();
        slow.into_iter().map(|(_, index)| index).collect()
    }

    /// Lays a die from the centre on a cover (CU-S6).
    fn take(&mut self, index: usize, place: u8) {
        let offered = self.centre.iter().flatten().copied().collect();
        let Some(die) = self.centre[usize::from(place)].take() else { return };
        let player = &mut self.players[index];
        player.offered = offered;
        player.taken = Some(Taken { place, die });
        player.stage = Stage::Covered;
    }

    /// Uncovers the next cubo, the start player's first; after the last the round is over (CU-S8).
    fn count_next(&mut self, now: Time) {
        let (start, count) = (self.start.0, self.seats());
        for seat in (start..start + count).map(|i| Seat(i % count)) {
            let player = &mut self.players[seat.index()];
            if let (Stage::Covered, Some(square)) = (player.stage, player.square()) {
                let count = square.count(self.options.straights);
                player.uncovered = Some(Uncovered { square, exchange: None, count });
                player.stage = Stage::Uncovered;
                self.phase = Phase::Scoring { turn: seat, until: after(now, self.options.clocks.exchange) };
                return;
            }
        }
        if self.round < self.options.set.rounds() {
            self.pause(now);
        } else {
            self.phase = Phase::Over; // CU-S13
        }
    }

    /// Counts the uncovered cubo, with the exchange made if there is one, and goes on to the next (CU-S8).
    fn settle(&mut self, seat: Seat, out: Option<Cell>, now: Time) {
        let player = &mut self.players[seat.index()];
        let (Some(taken), Some(shown)) = (player.taken, player.uncovered.as_mut()) else { return };
        let mut back = taken.die;
        let exchanged = out.and_then(|cell| Some((cell, shown.square.exchanged(cell, taken.die)?)));
        if let Some((cell, square)) = exchanged {
            back = shown.square.at(cell);
            player.red = player.red + u8::from(taken.die.colour() == Colour::Red)
                - u8::from(back.colour() == Colour::Red); // CU-S9
            shown.exchange = Some(Made { at: cell, out: back, taken: taken.die });
            shown.square = square;
            shown.count = square.count(self.options.straights);
        }
        player.points.push(shown.count.total);
        player.stage = Stage::Counted;
        self.centre[usize::from(taken.place)] = Some(back);
        self.count_next(now);
    }

    fn seats(&self) -> u32 {
        self.players.len() as u32
    }

    fn alone(&self) -> bool {
        self.players.len() == 1
    }
}

/// What a player does in the race.
impl Cubo {
    fn ready(&mut self, seat: Seat, at: &mut Moment<'_>) -> Result<(), Refusal> {
        let count = self.players.len();
        let Phase::Pause { ready, .. } = &mut self.phase else { return Err(Refusal::RoundIsOn) };
        if ready.contains(&seat) {
            return Err(Refusal::AlreadyReady);
        }
        ready.push(seat);
        if ready.len() == count {
            self.signal(at);
        }
        Ok(())
    }

    fn pick_up(&mut self, seat: Seat) -> Result<(), Refusal> {
        let (player, first_call) = self.racer(seat)?;
        player.thrown()?;
        if let Some(by) = first_call {
            return Err(Refusal::NoMoreRolls { by }); // CU-S5
        }
        player.stage = Stage::Held;
        player.dice = None;
        player.layout = Layout::EMPTY;
        Ok(())
    }

    fn roll(&mut self, seat: Seat, dice: &mut Dice) -> Result<(), Refusal> {
        let (player, _) = self.racer(seat)?;
        player.racing()?;
        if player.stage != Stage::Held {
            return Err(Refusal::DiceOnTable);
        }
        player.roll(dice); // CU-S5: whoever holds his dice may roll, called or not
        Ok(())
    }

    fn place(&mut self, seat: Seat, die: u8, at: Cell) -> Result<(), Refusal> {
        let (player, _) = self.racer(seat)?;
        player.thrown()?;
        coloured(die)?;
        if at == Cell::MIDDLE {
            return Err(Refusal::MiddleIsWhite); // CU-S4
        }
        player.layout.place(die, at);
        Ok(())
    }

    fn lift(&mut self, seat: Seat, die: u8) -> Result<(), Refusal> {
        let (player, _) = self.racer(seat)?;
        player.thrown()?;
        coloured(die)?;
        player.layout.find(die).ok_or(Refusal::NotPlaced)?;
        player.layout.lift(die);
        Ok(())
    }

    fn arrange(&mut self, seat: Seat, grid: &Arrangement) -> Result<(), Refusal> {
        let (player, _) = self.racer(seat)?;
        player.thrown()?;
        player.layout = Layout::arranged(grid).ok_or(Refusal::BadArrangement)?;
        Ok(())
    }

    fn call(&mut self, seat: Seat, now: Time) -> Result<(), Refusal> {
        let take_by = after(now, self.options.clocks.take);
        let (player, _) = self.racer(seat)?;
        player.thrown()?;
        player.square().ok_or(Refusal::NotAllPlaced { placed: player.layout.placed() })?;
        player.stage = Stage::Called { take_by }; // CU-S6
        if let Phase::Race { first_call, .. } = &mut self.phase {
            first_call.get_or_insert(seat);
        }
        Ok(())
    }

    fn take_die(&mut self, seat: Seat, die: u8, now: Time) -> Result<(), Refusal> {
        let (player, _) = self.racer(seat)?;
        match player.stage {
            Stage::Called { .. } => {}
            Stage::Covered => return Err(Refusal::AlreadyTaken),
            Stage::Late => return Err(Refusal::TooLate),
            _ => return Err(Refusal::CallFirst),
        }
        match self.centre.get(usize::from(die)) {
            None => return Err(Refusal::NotInCentre { die, last: self.centre.len() as u8 - 1 }),
            Some(None) => return Err(Refusal::Snatched { die }),
            Some(Some(_)) => self.take(seat.index(), die),
        }
        self.move_on(now);
        Ok(())
    }

    /// A player while the race is on, and who has called first.
    fn racer(&mut self, seat: Seat) -> Result<(&mut Player, Option<Seat>), Refusal> {
        match self.phase {
            Phase::Race { first_call, .. } => Ok((&mut self.players[seat.index()], first_call)),
            _ => Err(Refusal::NoRace),
        }
    }

    fn exchange(&mut self, seat: Seat, out: Option<Cell>, now: Time) -> Result<(), Refusal> {
        let Phase::Scoring { turn, .. } = self.phase else { return Err(Refusal::NoScoring) };
        if turn != seat {
            return Err(Refusal::NotYourTurn { turn });
        }
        if out == Some(Cell::MIDDLE) {
            return Err(Refusal::WhiteNotExchanged); // CU-S8
        }
        self.settle(seat, out, now);
        Ok(())
    }
}

fn coloured(die: u8) -> Result<(), Refusal> {
    match die {
        WHITE => Err(Refusal::WhiteStays),
        _ if die > WHITE => Err(Refusal::NoSuchDie { die }),
        _ => Ok(()),
    }
}

impl Game for Cubo {
    const NAME: &'static str = "cubo";
    type Options = Options;
    type Act = Act;
    type Public = Public;
    type Private = Private;
    type Refusal = Refusal;

    /// One alone practises (CU-R1); otherwise as many as there are white dice (CU-S2).
    fn seating(options: &Options) -> RangeInclusive<u32> {
        1..=options.set.players()
    }

    fn open(options: &Options, seats: &Seats, at: &mut Moment<'_>) -> Result<Self, Refusal> {
        options.check(seats.count())?;
        let start = match options.start {
            Start::Random => Seat(at.dice.below(seats.count())), // CU-R2
            Start::Seat(seat) => seat,
        };
        let red = options.set.player().red;
        let mut game = Self {
            options: options.clone(),
            round: 0,
            start,
            phase: Phase::Over,
            centre: Vec::new(),
            players: seats.all().map(|_| Player::new(red)).collect(),
        };
        game.pause(at.now);
        Ok(game)
    }

    fn act(&mut self, seat: Seat, act: &Act, at: &mut Moment<'_>) -> Result<(), Refusal> {
        match *act {
            Act::Ready => self.ready(seat, at),
            Act::PickUp => self.pick_up(seat),
            Act::Roll => self.roll(seat, at.dice),
            Act::Place { die, at } => self.place(seat, die, at),
            Act::Lift { die } => self.lift(seat, die),
            Act::Arrange { ref grid } => self.arrange(seat, grid),
            Act::Call => self.call(seat, at.now),
            Act::Take { die } => self.take_die(seat, die, at.now),
            Act::Exchange { out } => self.exchange(seat, Some(out), at.now),
            Act::Keep => self.exchange(seat, None, at.now),
        }
    }

    fn throws(&self, _: Seat, act: &Act) -> bool {
        matches!(act, Act::Ready | Act::Roll)
    }

    fn awaits(&self, seat: Seat) -> bool {
        match &self.phase {
            Phase::Pause { ready, .. } => !ready.contains(&seat),
            Phase::Race { .. } => {
                let stage = self.players[seat.index()].stage;
                matches!(stage, Stage::Held | Stage::Thrown | Stage::Called { .. })
            }
            Phase::Scoring { turn, .. } => *turn == seat,
            Phase::Over => false,
        }
    }

    fn deadline(&self) -> Option<Time> {
        match &self.phase {
            Phase::Pause { until, .. } | Phase::Scoring { until, .. } => Some(*until),
            Phase::Race { cap, countdown, .. } => {
                let race = self.players.iter().any(Player::is_racing).then(|| countdown.unwrap_or(*cap));
                let takes = self.players.iter().filter_map(|player| player.stage.take_by());
                takes.chain(race).min()
            }
            Phase::Over => None,
        }
    }

    fn expire(&mut self, at: &mut Moment<'_>) {
        match self.phase {
            Phase::Pause { .. } => self.signal(at),
            Phase::Race { .. } => self.race_clocks(at),
            Phase::Scoring { turn, .. } => self.settle(turn, None, at.now), // CU-R5
            Phase::Over => {}
        }
    }

    fn public(&self) -> Public {
        let first_call = match self.phase {
            Phase::Race { first_call, .. } => first_call,
            _ => None,
        };
        let seats = self.players.iter().map(|player| SeatView {
            score: player.score(),
            points: player.points.clone(),
            red: player.red,
            stage: player.stage,
            throws: player.throws,
            dice: player.dice,
            placed: player.layout.placed(),
            last_roll: player.stage == Stage::Held && first_call.is_some(),
            offered: player.offered.clone(),
            taken: player.taken.map(|taken| taken.die),
            uncovered: player.uncovered,
        });
        Public {
            round: self.round,
            rounds: self.options.set.rounds(),
            straights: self.options.straights,
            start: self.start,
            phase: self.phase.clone(),
            centre: self.centre.clone(),
            seats: seats.collect(),
        }
    }

    fn private(&self, seat: Seat) -> Private {
        let player = self.players.get(seat.index());
        Private { layout: player.map_or(Layout::EMPTY, |player| player.layout) }
    }

    /// The most points win, ties are shared (CU-S13).
    fn outcome(&self) -> Option<Outcome> {
        (self.phase == Phase::Over)
            .then(|| Outcome::by_score(self.players.iter().map(|player| player.score().into()).collect()))
    }
}
