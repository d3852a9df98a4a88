//! After a round: what the dice held, what a fresh throw would have been worth, and which die was the one to take.

use std::fmt;

use serde::Serialize;
use table::Seat;

use crate::{
    census::{Census, Ratio},
    die::Die,
    exchange::{Plan, Swap},
    hand::Hand,
    score::Straights,
    square::{Cell, Square},
    view::{Public, SeatView, Stage, Uncovered},
};

/// What the coach says about a seat's round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Review {
    /// Which round.
    pub round: u32,
    /// What it brought.
    pub scored: u8,
    /// The best cubo of the dice thrown, as they were.
    pub best: Plan,
    /// Stay with these dice, or roll again?
    pub reroll: Reroll,
    /// What could have been made of the cubo as it was covered; nothing if it was not.
    pub covered: Option<Covered>,
    /// The best of arrangement, take and exchange together, from what lay in the centre; nothing without a take.
    pub together: Option<Together>,
}

/// What a fresh throw of the same colours is worth against the dice that were thrown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reroll {
    /// How many of the eight coloured dice were red.
    pub red: u8,
    /// The exact expectation of a fresh throw, arranged perfectly.
    pub mean: Ratio,
    /// The exact chance that it is worth more than the best cubo of the dice thrown.
    pub better: Ratio,
    /// What to do, if there is time.
    pub advice: Advice,
}

/// Stay or roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Advice {
    /// The dice hold at least what a fresh throw is worth.
    Stay,
    /// A fresh throw is worth more.
    RollAgain,
}

/// What could have been made of a covered cubo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Covered {
    /// What it was worth before the exchange.
    pub arranged: u8,
    /// The best exchange for the die that was taken.
    pub exchange: Swap,
    /// The best die to take.
    pub take: Die,
    /// The best exchange for that one.
    pub take_exchange: Swap,
}

/// The best of everything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Together {
    /// Which die to take.
    pub take: Die,
    /// How to arrange and what to exchange.
    pub plan: Plan,
}

/// Reviews a seat's round once it is counted; nothing before that, or when no dice lie there.
pub fn review(public: &Public, seat: Seat) -> Option<Review> {
    let me = public.seats.get(seat.index())?;
    if !matches!(me.stage, Stage::Counted | Stage::Late) {
        return None;
    }
    let straights = public.straights;
    let hand = Hand::new(me.dice.as_ref()?).ok()?;
    let best = hand.plan(straights);
    let together = hand
        .best_take(&me.offered, straights)
        .and_then(|(index, plan)| Some(Together { take: *me.offered.get(index)?, plan }));
    Some(Review {
        round: public.round,
        scored: me.points.last().copied()?,
        reroll: reroll(&hand, best.score, straights)?,
        best,
        covered: covered(me, straights),
        together,
    })
}

/// What a fresh throw of these colours is worth against this hand, whose best cubo has so many points.
fn reroll(hand: &Hand, best: u8, straights: Straights) -> Option<Reroll> {
    let census = Census::of(hand.red(), straights)?;
    let stay = u64::from(best) * census.throws >= census.sum();
    Some(Reroll {
        red: census.red,
        mean: census.mean,
        better: census.chance_above(best),
        advice: if stay { Advice::Stay } else { Advice::RollAgain },
    })
}

fn covered(me: &SeatView, straights: Straights) -> Option<Covered> {
    let (shown, taken) = (me.uncovered.as_ref()?, me.taken?);
    let cubo = as_covered(shown);
    let (index, take_exchange) = cubo.best_take(&me.offered, straights)?;
    Some(Covered {
        arranged: cubo.points(straights),
        exchange: cubo.best_swap(taken, straights),
        take: *me.offered.get(index)?,
        take_exchange,
    })
}

/// The cubo as it lay under the cover.
fn as_covered(shown: &Uncovered) -> Square {
    let undo = shown.exchange.and_then(|made| shown.square.exchanged(made.at, made.out));
    undo.unwrap_or(shown.square)
}

impl fmt::Display for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { round, scored, best, reroll, covered, together } = self;
        writeln!(f, "Round {round} brought {scored}. The dice held {}: {}.", best.score, best.cubo)?;
        if let Some(covered) = covered {
            writeln!(f, "{covered}")?;
        }
        if let Some(Together { take, plan }) = together
            && plan.score > *scored
        {
            writeln!(f, "Everything together: take {take} and make {} of {}.", plan.score, plan.cubo)?;
        }
        write!(f, "{reroll}")
    }
}

impl fmt::Display for Covered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Your cubo was worth {}", self.arranged)?;
        match self.exchange.out {
            Some(out) => write!(f, ", and {} with the die in {out} exchanged", self.exchange.score)?,
            None => f.write_str(", and best without an exchange")?,
        }
        if self.take_exchange.score > self.exchange.score {
            let place = |cell: Cell| format!(" in {cell}");
            let place = self.take_exchange.out.map(place).unwrap_or_default();
            write!(f, ". Taking {} would have made {}{place}", self.take, self.take_exchange.score)?;
        }
        f.write_str(".")
    }
}

impl fmt::Display for Reroll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let advice = match self.advice {
            Advice::Stay => "stay",
            Advice::RollAgain => "roll again, if there is time",
        };
        let percent = self.better.to_f64() * 100.0;
        write!(
            f,
            "A fresh throw is worth {:.1} and beats these dice {percent:.0} times in 100: {advice}.",
            self.mean
        )
    }
}
