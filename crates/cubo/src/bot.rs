//! Players that are programs: five levels that differ in how well they see and in how fast their hands are, so that
//! a person can win the race. They know what a person in their seat would, and no more.

use table::{Bot, Intent, Luck, Time, View};

use crate::{
    census::{Census, THROWS},
    die::{Colour, Die},
    game::{Act, Cubo},
    hand::Hand,
    layout::{Arrangement, Layout, Throw, arrangement},
    score::Straights,
    square::{Cell, Square},
    view::{Phase, Public, SeatView, Stage},
};

/// A player of this level, 1 (a beginner) to 5 (who never errs), with luck of his own.
pub fn bot(level: u8, seed: u64) -> CuboBot {
    let manner = MANNERS[usize::from(level.clamp(1, LEVELS) - 1)];
    CuboBot { manner, luck: Luck::new(seed), throw: None, intent: None }
}

/// How many levels there are.
pub const LEVELS: u8 = MANNERS.len() as u8;

/// How a level plays. Times are in milliseconds, and vary by a quarter up and down.
#[derive(Clone, Copy, Debug)]
struct Manner {
    /// From the throw to knowing what to lay.
    look: u64,
    /// For laying a die, and for every other thing hands do.
    hand: u64,
    /// How it looks for a cubo.
    eye: Eye,
    /// Points enough to stay with a throw.
    content: u8,
    /// How often it rolls in a round at most.
    rolls: u32,
    /// How often in four times it sees the best die of the centre and the best exchange.
    sharp: u64,
}

/// How a level looks for a cubo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Eye {
    /// Sets the dice in its mind at random, so many times, and keeps the best.
    Tries(u32),
    /// Sees the best cubo.
    Best,
    /// Sees the best cubo with the best exchange, and what the exchange does for later rounds.
    Ahead,
}

const MANNERS: [Manner; 5] = [
    Manner { look: 24_000, hand: 4_000, eye: Eye::Tries(12), content: 3, rolls: 2, sharp: 1 },
    Manner { look: 18_000, hand: 3_200, eye: Eye::Tries(60), content: 6, rolls: 2, sharp: 2 },
    Manner { look: 14_000, hand: 2_500, eye: Eye::Tries(400), content: 9, rolls: 3, sharp: 3 },
    Manner { look: 11_000, hand: 1_900, eye: Eye::Best, content: 12, rolls: 3, sharp: 4 },
    Manner { look: 8_000, hand: 1_400, eye: Eye::Ahead, content: 15, rolls: 4, sharp: 4 },
];

/// With the countdown running, hands are this much faster.
const HASTE: u64 = 5;

/// What anybody still sees whom the countdown surprises while looking.
const GLIMPSE: u32 = 12;

/// A player that is a program.
#[derive(Clone, Debug)]
pub struct CuboBot {
    manner: Manner,
    luck: Luck,
    /// What it makes of the dice it threw last.
    throw: Option<Seen>,
    /// What it means to do, as long as nothing changes for it.
    intent: Option<(Situation, Intent<Act>)>,
}

/// A throw, looked at.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// Which throw it is: round and number.
    throw: (u32, u32),
    /// When it knows what to lay.
    at: Time,
    /// What that brings.
    points: u8,
    grid: Arrangement,
}

/// All that a bot heeds: when two situations are equal, what it means to do stands.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Situation {
    round: u32,
    throws: u32,
    stage: Stage,
    layout: Layout,
    called: bool,
    hurried: bool,
    /// How many dice lie in the centre, while that matters.
    centre: usize,
}

impl Bot<Cubo> for CuboBot {
    fn next(&mut self, view: &View<'_, Cubo>) -> Option<Intent<Act>> {
        let me = view.public.seats.get(view.seat.index())?;
        let now = Situation::of(view, me);
        if let Some((then, intent)) = &self.intent
            && *then == now
        {
            return Some(intent.clone());
        }
        let intent = self.decide(view, me, &now)?;
        self.intent = Some((now, intent.clone()));
        Some(intent)
    }
}

impl Situation {
    fn of(view: &View<'_, Cubo>, me: &SeatView) -> Self {
        let (called, hurried) = match view.public.phase {
            Phase::Race { first_call, countdown, .. } => (first_call.is_some(), countdown.is_some()),
            _ => (false, false),
        };
        let choosing = me.stage.take_by().is_some();
        Self {
            round: view.public.round,
            throws: me.throws,
            stage: me.stage,
            layout: view.private.layout,
            called,
            hurried,
            centre: if choosing { view.public.centre.iter().flatten().count() } else { 0 },
        }
    }
}

impl CuboBot {
    fn decide(&mut self, view: &View<'_, Cubo>, me: &SeatView, now: &Situation) -> Option<Intent<Act>> {
        let public = view.public;
        let step = if now.hurried { self.manner.hand / HASTE } else { self.manner.hand };
        let step = self.about(step);
        let soon = |act| Some(Intent { at: view.now.plus(step), act });
        match (&public.phase, me.stage) {
            (Phase::Pause { .. }, _) => soon(Act::Ready),
            (Phase::Race { .. }, Stage::Held) => soon(Act::Roll),
            (Phase::Race { cap, .. }, Stage::Thrown) => {
                let seen = self.look(view, me, now.hurried)?;
                let in_time = *cap - seen.at > self.manner.look + 10 * self.manner.hand;
                let may_roll = !now.called && in_time && me.throws < self.manner.rolls;
                if may_roll && seen.points < self.manner.content {
                    return Some(Intent { at: seen.at, act: Act::PickUp });
                }
                let from = view.now.max(seen.at);
                Some(Intent { at: from.plus(step), act: lay_next(&seen.grid, &now.layout) })
            }
            (Phase::Race { .. }, Stage::Called { .. }) => soon(self.choose_die(view, me)?),
            (Phase::Scoring { turn, .. }, Stage::Uncovered) if *turn == view.seat => {
                soon(self.choose_exchange(public, me)?)
            }
            _ => None,
        }
    }

    /// Looks at the dice thrown, once for each throw; a countdown ends all looking.
    fn look(&mut self, view: &View<'_, Cubo>, me: &SeatView, hurried: bool) -> Option<Seen> {
        let throw = (view.public.round, me.throws);
        let known = self.throw.filter(|seen| seen.throw == throw && !(hurried && seen.at > view.now));
        if known.is_some() {
            return known;
        }
        let dice = me.dice.as_ref()?;
        let (points, grid) = if hurried {
            self.try_out(dice, view.public.straights, GLIMPSE)?
        } else {
            self.see(dice, view.public)?
        };
        let at = if hurried { view.now } else { view.now.plus(self.about(self.manner.look)) };
        self.throw = Some(Seen { throw, at, points, grid });
        self.throw
    }

    /// The best it sees in a throw.
    fn see(&mut self, dice: &Throw, public: &Public) -> Option<(u8, Arrangement)> {
        let straights = public.straights;
        let hand = Hand::new(dice).ok()?;
        let plan = match self.manner.eye {
            Eye::Tries(tries) => return self.try_out(dice, straights, tries),
            Eye::Best => hand.plan(straights),
            Eye::Ahead => {
                let centre: Vec<Die> = public.centre.iter().flatten().copied().collect();
                hand.best_take(&centre, straights).map_or_else(|| hand.plan(straights), |(_, plan)| plan)
            }
        };
        Some((plan.score, arrangement(dice, &plan.arrangement())?))
    }

    /// Sets the dice in its mind so many times, and keeps the best.
    fn try_out(&mut self, dice: &Throw, straights: Straights, tries: u32) -> Option<(u8, Arrangement)> {
        let mut coloured = [0, 1, 2, 3, 4, 5, 6, 7];
        let mut best: Option<(u8, Arrangement)> = None;
        for _ in 0..tries.max(1) {
            self.luck.shuffle(&mut coloured);
            let [a, b, c, d, e, f, g, h] = coloured;
            let grid = [[a, b, c], [d, 8, e], [f, g, h]];
            let points = Layout::arranged(&grid)?.square(dice)?.points(straights);
            if best.is_none_or(|(most, _)| points > most) {
                best = Some((points, grid));
            }
        }
        best
    }

    /// A die of the centre for the cubo under the cover.
    fn choose_die(&mut self, view: &View<'_, Cubo>, me: &SeatView) -> Option<Act> {
        let public = view.public;
        let offered: Vec<(u8, Die)> =
            (0..).zip(&public.centre).filter_map(|(place, die)| die.map(|die| (place, die))).collect();
        let cubo = view.private.layout.square(me.dice.as_ref()?)?;
        let die = if self.is_sharp() {
            let worth = |die| self.best_swap(public, me.red, &cubo, die).0;
            offered.iter().rev().max_by_key(|(_, die)| worth(*die))?.0
        } else {
            self.luck.pick(&offered)?.0
        };
        Some(Act::Take { die })
    }

    fn choose_exchange(&mut self, public: &Public, me: &SeatView) -> Option<Act> {
        let (shown, taken) = (me.uncovered.as_ref()?, me.taken?);
        let out = if self.is_sharp() { self.best_swap(public, me.red, &shown.square, taken).1 } else { None };
        Some(out.map_or(Act::Keep, |out| Act::Exchange { out }))
    }

    /// What a covered cubo can come to with this die, and what to give for it. Who looks ahead counts what the
    /// new stock of colours brings in the rounds to come, in units of one point over all 6⁹ throws.
    fn best_swap(&self, public: &Public, red: u8, cubo: &Square, taken: Die) -> (u64, Option<Cell>) {
        if self.manner.eye != Eye::Ahead {
            let swap = cubo.best_swap(taken, public.straights);
            return (swap.score.into(), swap.out);
        }
        let rounds_left = u64::from(public.rounds.saturating_sub(public.round));
        let later = |red: u8| match rounds_left {
            0 => 0,
            _ => Census::of(red, public.straights).map_or(0, |census| rounds_left * census.sum()),
        };
        let value = |cubo: &Square, red: u8| u64::from(cubo.points(public.straights)) * THROWS + later(red);
        let is_red = |die: Die| u8::from(die.colour() == Colour::Red);
        let mut best = (value(cubo, red), None);
        for cell in Cell::coloured() {
            let Some(other) = cubo.exchanged(cell, taken) else { continue };
            let worth = value(&other, red + is_red(taken) - is_red(cubo.at(cell)));
            if worth > best.0 {
                best = (worth, Some(cell));
            }
        }
        best
    }

    fn is_sharp(&mut self) -> bool {
        self.luck.chance(self.manner.sharp, 4)
    }

    /// About so long: a quarter more or less.
    fn about(&mut self, ms: u64) -> u64 {
        ms * 3 / 4 + self.luck.below(ms / 2 + 1)
    }
}

/// The next thing hands do towards this arrangement: lay a die, or cover and call.
fn lay_next(grid: &Arrangement, layout: &Layout) -> Act {
    let wanted = Cell::all().zip(grid.as_flattened());
    let mut missing = wanted.filter(|(cell, die)| layout.at(*cell) != Some(**die));
    missing.next().map_or(Act::Call, |(at, &die)| Act::Place { die, at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_lay_the_dice_one_by_one_and_then_call() {
        let grid = [[3, 1, 2], [0, 8, 4], [5, 7, 6]];
        let mut layout = Layout::THROWN;
        let mut laid = 0;
        while let Act::Place { die, at } = lay_next(&grid, &layout) {
            layout.place(die, at);
            laid += 1;
        }
        assert_eq!((laid, Some(layout)), (8, Layout::arranged(&grid)));
    }

    #[test]
    fn every_level_is_faster_and_sees_more_than_the_one_below() {
        for pair in MANNERS.windows(2) {
            assert!(pair[1].look < pair[0].look && pair[1].hand < pair[0].hand);
            assert!(pair[1].content > pair[0].content && pair[1].sharp >= pair[0].sharp);
        }
    }
}
