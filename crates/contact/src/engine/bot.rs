//! A bot for a seat: plays from what that seat sees, at a level, and can be stopped while it thinks.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use table::{Bot, Intent, View};

use super::level::{Kind, Player};
use crate::game::{Act, Contact};

/// How long it waits before it moves, in milliseconds.
const PAUSE: u64 = 700;

/// A bot at a table of Contact, for every number of players and for partners.
#[derive(Debug)]
pub struct ContactBot {
    player: Player,
}

impl ContactBot {
    /// A bot of a level 1 to 8 with its own seeded luck.
    pub fn new(level: u8, seed: u64) -> Self {
        Self::of(Kind::Level(level.clamp(1, 8)), seed)
    }

    /// A bot of any kind, such as one with a time budget.
    pub fn of(kind: Kind, seed: u64) -> Self {
        Self { player: Player::new(kind, seed) }
    }

    /// A flag that ends its thinking soon; it then plays the best it has found.
    pub fn stop_flag(&self) -> Option<Arc<AtomicBool>> {
        self.player.stop_flag()
    }
}

impl Bot<Contact> for ContactBot {
    fn next(&mut self, view: &View<'_, Contact>) -> Option<Intent<Act>> {
        if view.public.turn != view.private.side || view.public.end.is_some() {
            return None;
        }
        let position = view.public.rebuild().ok()?;
        let mv = self.player.choose(&position);
        Some(Intent { at: view.now.plus(PAUSE), act: mv.into() })
    }
}
