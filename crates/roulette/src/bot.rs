//! Five gamblers, each with a way of betting of its own. The dice are fair to all of them (DR-R2): they differ in how
//! wildly their chips swing, and only the last one looks at what the others have.

use table::{Bot, Intent, Luck, Seat, Time, View};

use crate::game::{Act, Roulette};
use crate::notation::Stake;
use crate::options::Banker;
use crate::set::{Kind, Set};
use crate::slip::LAYOUT_LIMIT;
use crate::spot::{Side, Spot};
use crate::view::{Phase, Private, Public};

/// The ways of betting, from level 1 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// Level 1: a tenth of its chips on three numbers it has just dreamt of.
    LongShots,
    /// Level 2: the same stake on the same number, for ever.
    Faithful,
    /// Level 3: a little on everything that catches the eye.
    Spreader,
    /// Level 4: red, and twice as much after every loss.
    Martingale,
    /// Level 5: keeps its chips while it leads, and near the end lays just what it takes to lead.
    Cautious,
}

impl Style {
    /// The style of a level; levels below 1 and above 5 play as 1 and 5.
    pub fn of_level(level: u8) -> Self {
        match level {
            0 | 1 => Self::LongShots,
            2 => Self::Faithful,
            3 => Self::Spreader,
            4 => Self::Martingale,
            _ => Self::Cautious,
        }
    }
}

/// A bot of a level from 1 to 5, whose whims follow from the seed.
///
/// ```
/// let mut bots = vec![roulette::bot(1, 7), roulette::bot(5, 8)];
/// # assert_eq!(bots.len(), 2);
/// ```
pub fn bot(level: u8, seed: u64) -> Box<dyn Bot<Roulette>> {
    Box::new(Gambler::new(Style::of_level(level), seed))
}

/// A gambler. It makes up its mind once a throw, however often it is asked.
#[derive(Clone, Debug)]
pub struct Gambler {
    style: Style,
    luck: Luck,
    favourite: u64,
    /// What it is thinking about: the throw and the phase.
    turn: Option<(u32, Phase)>,
    /// When it will have made up its mind, and what it would like to lay then.
    at: Time,
    wish: Option<Vec<Stake>>,
    /// Whether it would stop here, once somebody has asked since the last throw, and when it will say so.
    answer: Option<(u32, Time, bool)>,
}

impl Gambler {
    /// A gambler of this style.
    pub fn new(style: Style, seed: u64) -> Self {
        let mut luck = Luck::new(seed);
        let favourite = luck.below(36);
        Self { style, favourite, luck, turn: None, at: Time::START, wish: None, answer: None }
    }

    fn think(&mut self, now: Time, public: &Public) {
        let turn = Some((public.thrown, public.phase));
        if self.turn != turn {
            self.turn = turn;
            self.at = now.plus(400 + self.luck.below(2_600));
            self.wish = None;
        }
    }

    /// Agrees to stop more often than not. As the table is asked anew after each throw, so is the bot (DR-R5).
    fn answer(&mut self, view: &View<'_, Roulette>) -> Option<Intent<Act>> {
        let View { public, private, now, seat } = view;
        let has_voice = has_chips(private) || public.loan > 0 || public.banker == Banker::Seat(*seat);
        let asked = public.phase == Phase::Betting && public.agreed > 0;
        if !asked || !has_voice || private.agreed {
            return None;
        }
        let known = self.answer.filter(|(thrown, ..)| *thrown == public.thrown);
        let (thrown, at, yes) = known.unwrap_or_else(|| {
            (public.thrown, now.plus(1_000 + self.luck.below(4_000)), self.luck.chance(2, 3))
        });
        self.answer = Some((thrown, at, yes));
        yes.then_some(Intent { at, act: Act::Agree })
    }

    fn choose(&mut self, view: &View<'_, Roulette>) -> Option<Act> {
        let View { public, private, .. } = view;
        let has_chips = has_chips(private);
        match public.phase {
            Phase::Over => None,
            Phase::Throwing => (public.banker == Banker::Seat(view.seat)).then_some(Act::Throw),
            Phase::Betting if public.offered == Some(view.seat) && has_chips => Some(Act::TakeBank),
            Phase::Betting if private.ready || public.banker == Banker::Seat(view.seat) => None,
            Phase::Betting if !has_chips => (public.loan > 0).then_some(Act::Borrow),
            Phase::Betting if !private.slip.is_empty() => Some(Act::Ready),
            Phase::Betting => {
                let wish = self.wish.take().unwrap_or_else(|| self.bets(view));
                let bets = affordable(&wish, public, private);
                self.wish = Some(wish);
                Some(if bets.is_empty() { Act::Ready } else { Act::Lay { bets, ready: true } })
            }
        }
    }

    fn bets(&mut self, view: &View<'_, Roulette>) -> Vec<Stake> {
        let (set, chips) = (&view.public.set, view.private.chips);
        match self.style {
            Style::LongShots => {
                let stake = (chips / 30).max(1);
                (0..3).map(|_| on(self.any(set, Kind::Number), stake)).collect()
            }
            Style::Faithful => vec![on(Spot::Number(set.numbers()[self.favourite as usize]), 3)],
            Style::Spreader => {
                let kinds = [Kind::Number, Kind::Pair, Kind::Four, Kind::Run, Kind::Dozen];
                let stake = (chips / 50).max(1);
                kinds.into_iter().map(|kind| on(self.any(set, kind), stake)).collect()
            }
            Style::Martingale => {
                let lost = u64::from(view.private.last.swept);
                vec![on(Spot::Half(Side::Red), if lost > 0 { lost * 2 } else { 2 })]
            }
            Style::Cautious => self.careful(view),
        }
    }

    /// Ahead, it keeps what it has. Behind, it plays small until the last throws, then for the lead: with the
    /// likeliest bet that would bring it there.
    fn careful(&mut self, view: &View<'_, Roulette>) -> Vec<Stake> {
        let (public, chips) = (view.public, view.private.chips);
        let lead = best_of_the_others(public, view.seat);
        if chips > lead {
            return Vec::new();
        }
        if public.throws - public.thrown > 3 {
            return vec![on(self.any(&public.set, Kind::Half), (chips / 25).max(1))];
        }
        let gap = lead - chips + 1;
        let kinds = [Kind::Half, Kind::Dozen, Kind::Run, Kind::Four, Kind::Pair, Kind::Number];
        let stake_on = |kind: Kind| gap.div_ceil(kind.pays().into());
        let kind = kinds.into_iter().find(|kind| stake_on(*kind) <= chips).unwrap_or(Kind::Number);
        vec![on(self.any(&public.set, kind), stake_on(kind).min(chips))]
    }

    /// Any spot of a kind.
    fn any(&mut self, set: &Set, kind: Kind) -> Spot {
        let mut bets = kind.bets();
        let bet = bets.nth(self.luck.below(bets.len() as u64) as usize);
        bet.map_or(Spot::Half(Side::Red), |bet| set.spot(bet))
    }
}

impl Bot<Roulette> for Gambler {
    fn next(&mut self, view: &View<'_, Roulette>) -> Option<Intent<Act>> {
        self.think(view.now, view.public);
        let answer = self.answer(view);
        let bet = self.choose(view).map(|act| Intent { at: self.at, act });
        answer.into_iter().chain(bet).min_by_key(|intent| intent.at)
    }
}

fn has_chips(private: &Private) -> bool {
    private.chips > 0 || !private.slip.is_empty()
}

fn on(spot: Spot, chips: u64) -> Stake {
    Stake { on: spot, chips: chips.min(LAYOUT_LIMIT.into()) as u32 }
}

/// The most chips any other player has: in hand, on the layout where that can be seen, or in the bank.
fn best_of_the_others(public: &Public, seat: Seat) -> u64 {
    let banker = public.bank.map_or(0, |bank| bank.chips.saturating_sub(bank.stock));
    let others = public.chips.iter().enumerate().filter(|(at, _)| *at != seat.index());
    let laid = |at: usize| public.players.get(at).map_or(0, |player| sum(&player.slip));
    others.map(|(at, hand)| hand + laid(at)).chain([banker]).max().unwrap_or(0)
}

fn sum(stakes: &[Stake]) -> u64 {
    stakes.iter().map(|stake| u64::from(stake.chips)).sum()
}

/// As many of these stakes as the player can lay, the bank can pay and the layout can hold.
fn affordable(wish: &[Stake], public: &Public, private: &Private) -> Vec<Stake> {
    let room = u64::from(LAYOUT_LIMIT).saturating_sub(sum(&public.layout));
    let mut chips = private.chips.min(room);
    let mut bank = public.bank.map_or(u64::MAX, crate::view::Purse::free);
    let mut within = |mut stake: Stake| {
        let pays = public.set.bet(stake.on).map_or(1, |bet| u64::from(public.set.pays(bet)));
        stake.chips = u64::from(stake.chips).min(chips).min(bank / pays) as u32;
        chips -= u64::from(stake.chips);
        bank -= u64::from(stake.chips) * pays;
        (stake.chips > 0).then_some(stake)
    };
    wish.iter().filter_map(|stake| within(*stake)).collect()
}
