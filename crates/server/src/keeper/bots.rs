//! The bots of a table: asked whenever the table waits for one, and back when they have thought.

use super::{Keeper, short};
use house::Pondered;
use table::Seat;

impl Keeper {
    /// Lets every bot think that the table waits for and that is not thinking already.
    pub(super) fn ask_bots(&mut self) {
        let now = self.time();
        let ponderings = self.room.game.as_mut().map_or_else(Vec::new, |game| game.ponderings(now));
        for ponder in ponderings {
            self.hall.think(ponder, self.own.clone());
        }
    }

    pub(super) fn pondered(&mut self, pondered: Pondered) {
        if let Some(game) = &mut self.room.game {
            game.pondered(pondered);
        }
        self.ask_bots(); // the table may have moved on while it thought
    }

    /// A bot that fell over is replaced by a simple one.
    pub(super) fn bot_fell(&mut self, seat: u32) {
        tracing::error!(table = short(&self.id), seat, "a bot fell over; a simple one plays on");
        let bot = self.room.places.get(seat as usize).and_then(protocol::Place::bot);
        if let (Some(_), Some(game)) = (bot, &mut self.room.game) {
            game.seat_bot(Seat(seat), 1, u64::from_le_bytes(crate::id::random()));
            self.ask_bots();
        }
    }
}
