//! A bot's thinking as a piece of work that can be done elsewhere: on another thread, or in a worker of the page.

use std::any::Any;
use table::{Seat, Time};

/// A bot about to think. Send it where there is time, run it, and bring the answer back to its table.
pub struct Ponder(Box<dyn FnOnce() -> Pondered + Send>);

/// What a bot came up with. Bring it back with [`AnyTable::pondered`](crate::AnyTable::pondered), in any case: the bot itself is in it.
pub struct Pondered {
    pub(crate) seat: Seat,
    pub(crate) bot: Box<dyn Any + Send>,
    pub(crate) seen: u64,
    pub(crate) intent: Option<(Time, String)>,
}

impl Ponder {
    pub(crate) fn new(think: impl FnOnce() -> Pondered + Send + 'static) -> Ponder {
        Ponder(Box::new(think))
    }

    /// Thinks. May take as long as the bot's level allows.
    pub fn run(self) -> Pondered {
        (self.0)()
    }
}

impl Pondered {
    /// Whose bot this is.
    pub const fn seat(&self) -> Seat {
        self.seat
    }
}
