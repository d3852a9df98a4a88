//! A bot's thinking as a piece of work that can be done elsewhere: on another thread, in a worker of the page, or on another machine.

use crate::Kind;
use crate::games::engine;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::any::Any;
use table::{Bot, House, Seat, Time, View};

/// A bot about to think. Send it where there is time, run it, and bring the answer back to its table.
pub struct Ponder(Box<dyn Think>);

/// What a bot came up with. Bring it back with [`AnyTable::pondered`](crate::AnyTable::pondered), in any case: the bot itself is in it.
pub struct Pondered {
    pub(crate) seat: Seat,
    pub(crate) bot: Box<dyn Any + Send>,
    pub(crate) seen: u64,
    pub(crate) intent: Option<(Time, String)>,
}

/// A bot's thinking for another machine: what it remembers, and what its seat sees.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Errand {
    game: Kind,
    now: Time,
    seat: Seat,
    public: Value,
    private: Value,
    memory: Value,
}

/// What came of an errand: what the bot means to do, and what it remembers now.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Thought {
    intent: Option<(Time, String)>,
    memory: Option<Value>,
}

impl Ponder {
    pub(crate) fn new<G: House>(away: Away<G>) -> Ponder
    where
        G::Public: Send,
        G::Private: Send,
    {
        Ponder(Box::new(away))
    }

    /// Whose bot this is.
    pub fn seat(&self) -> Seat {
        self.0.seat()
    }

    /// Thinks. May take as long as the bot's level allows.
    pub fn run(self) -> Pondered {
        self.0.run()
    }

    /// The same for another machine, if it takes so long that this is worth while.
    pub fn errand(&self) -> Option<Errand> {
        self.0.errand()
    }

    /// Takes what another machine came up with.
    pub fn heard(self, thought: Thought) -> Pondered {
        self.0.heard(thought)
    }
}

impl Pondered {
    /// Whose bot this is.
    pub const fn seat(&self) -> Seat {
        self.seat
    }
}

impl Errand {
    /// Thinks; nothing if this is no errand of ours.
    pub fn run(self) -> Option<Thought> {
        (engine(self.game).think)(self)
    }
}

pub(crate) fn think<G: House>(errand: Errand) -> Option<Thought> {
    let (public, private) =
        (serde_json::from_value(errand.public).ok()?, serde_json::from_value(errand.private).ok()?);
    let bot = G::recall(errand.memory)?;
    let mut away = Away::<G> { bot, now: errand.now, seat: errand.seat, public, private, seen: 0 };
    let intent = away.next();
    Some(Thought { intent, memory: away.bot.memory() })
}

/// A bot with everything it needs to think.
pub(crate) struct Away<G: House> {
    pub(crate) bot: Box<dyn Bot<G>>,
    pub(crate) now: Time,
    pub(crate) seat: Seat,
    pub(crate) public: G::Public,
    pub(crate) private: G::Private,
    pub(crate) seen: u64,
}

impl<G: House> Away<G> {
    fn view(&self) -> View<'_, G> {
        View { now: self.now, seat: self.seat, public: &self.public, private: &self.private }
    }

    fn next(&mut self) -> Option<(Time, String)> {
        let Away { bot, now, seat, public, private, .. } = self;
        let intent = bot.next(&View { now: *now, seat: *seat, public, private })?;
        Some((intent.at, crate::any::text(&intent.act)))
    }
}

/// Thinking, whatever the game.
trait Think: Send {
    fn seat(&self) -> Seat;
    fn run(self: Box<Self>) -> Pondered;
    fn errand(&self) -> Option<Errand>;
    fn heard(self: Box<Self>, thought: Thought) -> Pondered;
}

impl<G: House> Think for Away<G>
where
    G::Public: Send,
    G::Private: Send,
{
    fn seat(&self) -> Seat {
        self.seat
    }

    fn run(mut self: Box<Self>) -> Pondered {
        let intent = self.next();
        Pondered { seat: self.seat, bot: Box::new(self.bot), seen: self.seen, intent }
    }

    fn errand(&self) -> Option<Errand> {
        let memory = self.bot.ponders(&self.view()).then(|| self.bot.memory())??;
        let (public, private) =
            (serde_json::to_value(&self.public).ok()?, serde_json::to_value(&self.private).ok()?);
        Some(Errand { game: G::NAME.parse().ok()?, now: self.now, seat: self.seat, public, private, memory })
    }

    fn heard(self: Box<Self>, thought: Thought) -> Pondered {
        let bot = thought.memory.and_then(G::recall).unwrap_or(self.bot);
        Pondered { seat: self.seat, bot: Box::new(bot), seen: self.seen, intent: thought.intent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyTable, Setting};
    use serde_json::json;
    use table::{Seats, Seed};

    /// A table of two bots.
    fn table(game: Kind, level: u8) -> AnyTable {
        let setting = Setting::new(game, json!({})).unwrap();
        let (mut table, _) =
            AnyTable::open(&setting, Seats::named(["Ann", "Ben"]).unwrap(), &Seed::from_number(7), None)
                .unwrap();
        for seat in 0..2 {
            table.seat_bot(Seat(seat), level, 5 + u64::from(seat));
        }
        table
    }

    /// Asks the bots and lets the first of them act; answers what was done, and how many thought elsewhere.
    fn step(table: &mut AnyTable, away: bool) -> (Option<(Time, u32, String)>, usize) {
        let (mut intents, mut errands) = (Vec::new(), 0);
        for seat in 0..2 {
            let Some(ponder) = table.ponder(Seat(seat), table.now()) else { continue };
            let errand = ponder.errand().filter(|_| away);
            errands += usize::from(errand.is_some());
            let pondered = match errand {
                Some(errand) => {
                    let sent = serde_json::to_string(&errand).unwrap();
                    let thought = serde_json::from_str::<Errand>(&sent).unwrap().run().unwrap();
                    ponder.heard(thought)
                }
                None => ponder.run(),
            };
            intents.extend(table.pondered(pondered).map(|(at, act)| (at, seat, act)));
        }
        let first = intents.into_iter().min();
        if let Some((at, seat, act)) = &first {
            let at = (*at).max(table.now());
            if table.expire_due(at).is_none() {
                table.act(at, Seat(*seat), act).unwrap();
            }
        }
        (first, errands)
    }

    #[test]
    fn a_bot_that_thinks_elsewhere_does_what_it_would_have_done_here() {
        for (game, level, steps) in [(Kind::Contact, 6, 10), (Kind::IQubes, 4, 30), (Kind::Scribbage, 4, 30)]
        {
            let (mut here, mut there) = (table(game, level), table(game, level));
            let mut errands = 0;
            for _ in 0..steps {
                let (done, sent) = step(&mut there, true);
                assert_eq!(step(&mut here, false).0, done, "{game}");
                errands += sent;
            }
            assert!(errands > 0 && here.fingerprint() == there.fingerprint(), "{game}: {errands}");
        }
    }

    #[test]
    fn what_is_no_errand_comes_to_nothing() {
        let errand =
            json!({"game": "contact", "now": 0, "seat": 0, "public": {}, "private": 1, "memory": []});
        assert!(serde_json::from_value::<Errand>(errand).unwrap().run().is_none());
    }
}
