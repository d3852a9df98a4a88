//! Bots, and whole games played by them on a made-up clock.

use crate::record::{Entry, Event};
use crate::{Game, Outcome, Refused, Seat, Table, Time};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a bot sees: exactly what a person in its seat would.
pub struct View<'a, G: Game> {
    /// Table time.
    pub now: Time,
    /// The bot's seat.
    pub seat: Seat,
    /// What everybody sees.
    pub public: &'a G::Public,
    /// What only this seat sees.
    pub private: &'a G::Private,
}

/// What a bot means to do, and when: bots take their time, so that a person can win a race.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intent<A> {
    /// When it will act, if nothing else happens before. A time gone by means at once.
    pub at: Time,
    /// What it will do.
    pub act: A,
}

/// A player that is a program. It keeps what it needs to remember, and its own seeded luck.
pub trait Bot<G: Game>: Send {
    /// Asked after every change at the table while the table awaits this seat. The answer replaces the one before;
    /// `None` waits for something to change.
    fn next(&mut self, view: &View<'_, G>) -> Option<Intent<G::Act>>;
}

/// Why a game between bots came to nothing. Each is a bug in a bot or a game.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DriveFault<R> {
    /// A bot did what is not allowed.
    #[error("the bot in {seat} tried {act}: {why}")]
    Refused {
        /// Who.
        seat: Seat,
        /// What.
        act: String,
        /// Why not.
        why: Refused<R>,
    },
    /// Nobody does anything, and no clock runs.
    #[error("nobody moves, and no clock runs, after {events} events")]
    Stuck {
        /// How far it came.
        events: u64,
    },
    /// It does not end.
    #[error("the game has not ended after {events} events")]
    TooLong {
        /// How far it came.
        events: u64,
    },
}

/// Plays a table to its end with one bot a seat, showing each event after it happened.
pub fn drive<G: Game>(
    table: &mut Table<G>,
    bots: &mut [Box<dyn Bot<G>>],
    longest: u64,
    mut each: impl FnMut(&Table<G>, &Entry<G::Act>),
) -> Result<Outcome, DriveFault<G::Refusal>> {
    loop {
        if let Some(outcome) = table.outcome() {
            return Ok(outcome);
        }
        if table.events() >= longest {
            return Err(DriveFault::TooLong { events: table.events() });
        }
        let entry = step(table, bots)?;
        each(table, &entry);
    }
}

/// Lets the next thing happen, whoever does it: the earliest bot, or time.
fn step<G: Game>(
    table: &mut Table<G>,
    bots: &mut [Box<dyn Bot<G>>],
) -> Result<Entry<G::Act>, DriveFault<G::Refusal>> {
    let deadline = table.deadline();
    match first_intent(table, bots) {
        Some((seat, Intent { at, act })) if deadline.is_none_or(|deadline| at < deadline) => {
            let refused = |why| DriveFault::Refused { seat, act: format!("{act:?}"), why };
            table.act(at, seat, &act).map_err(refused)?;
            Ok(Entry { at, event: Event::Act { seat, act } })
        }
        _ => {
            let stuck = DriveFault::Stuck { events: table.events() };
            let at = deadline.and_then(|deadline| table.expire_due(deadline)).ok_or(stuck)?;
            Ok(Entry { at, event: Event::Time })
        }
    }
}

fn first_intent<G: Game>(table: &Table<G>, bots: &mut [Box<dyn Bot<G>>]) -> Option<(Seat, Intent<G::Act>)> {
    let now = table.now();
    let public = table.game().public();
    let mut first: Option<(Seat, Intent<G::Act>)> = None;
    for (bot, seat) in bots.iter_mut().zip(0..).map(|(bot, at)| (bot, Seat(at))) {
        if !table.game().awaits(seat) {
            continue;
        }
        let private = table.game().private(seat);
        let Some(mut intent) = bot.next(&View { now, seat, public: &public, private: &private }) else {
            continue;
        };
        intent.at = intent.at.max(now);
        if first.as_ref().is_none_or(|(_, best)| intent.at < best.at) {
            first = Some((seat, intent));
        }
    }
    first
}
