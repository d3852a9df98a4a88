//! A bot's thinking as a piece of work that can be done elsewhere: on another thread, or in a worker of the page.

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
}

impl Pondered {
    /// Whose bot this is.
    pub const fn seat(&self) -> Seat {
        self.seat
    }
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
}
