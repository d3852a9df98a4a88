//! The coach: what a slip is worth before the throw, exactly, and what the throw did to it afterwards.

use serde::Serialize;

use crate::odds::{Odds, odds_of};
use crate::set::NUMBERS;
use crate::slip::Slip;
use crate::view::{Private, Public};

/// What the coach has to say to one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// The exact odds of the slip that is laid, if one is.
    pub odds: Option<Odds>,
    /// What the last throw did to the seat, if it had anything on it.
    pub last: Option<String>,
    /// All of it in words.
    pub says: String,
}

/// Looks at what a seat sees.
pub fn advise(public: &Public, private: &Private) -> Advice {
    let slip = Slip::of(&public.set, &private.slip).filter(|slip| !slip.is_empty());
    let odds = slip.map(|slip| odds_of(&public.set, &slip));
    let last = last_throw(public, private);
    let now = match &odds {
        Some(odds) => describe(odds),
        None => "Nothing laid. Every bet on this layout is fair: none is better than another, only wilder."
            .to_owned(),
    };
    let says = last.iter().chain([&now]).map(String::as_str).collect::<Vec<_>>().join(" ");
    Advice { odds, last, says }
}

/// The odds of a slip in a sentence or two.
pub fn describe(odds: &Odds) -> String {
    let swing = odds.variance.decimal().sqrt();
    let best = odds.distribution.first().map_or(0, |way| way.net);
    let worst = odds.distribution.last().map_or(0, |way| way.net);
    format!(
        "{} on the layout: {} of {NUMBERS} numbers put you ahead, {} leave you even, {} behind; from {best:+} to {worst:+}. \
         On average you gain {}, give or take {swing:.1}.",
        chips(odds.stake.into()),
        odds.ahead,
        odds.even,
        odds.behind,
        odds.expectation,
    )
}

fn last_throw(public: &Public, private: &Private) -> Option<String> {
    let (thrown, own) = (public.last.as_ref()?, private.last);
    if own.swept == 0 && own.returned == 0 {
        return None;
    }
    let won = if own.returned == 0 {
        "nothing won".to_owned()
    } else {
        format!("{} came back and {} paid", own.returned, were(own.paid))
    };
    Some(format!(
        "{} came: {} swept off, {won}; {:+} for you.",
        thrown.number,
        were(own.swept.into()),
        own.net()
    ))
}

fn chips(count: u64) -> String {
    if count == 1 { "1 chip".to_owned() } else { format!("{count} chips") }
}

fn were(count: u64) -> String {
    if count == 1 { "1 was".to_owned() } else { format!("{count} were") }
}
