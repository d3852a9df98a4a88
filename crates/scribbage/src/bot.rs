//! Bots, levels 1 to 5. All they do they do at the cubes, as a [`Player`].

use crate::draw::DRAW_MS;
use crate::game::{Act, Scribbage};
use letters::{CUP_MS, Level, Player, Sight};
use table::{Bot, Intent, Time, View};

/// The strongest level of bots; the weakest is 1.
pub const LEVELS: u8 = Level::MOST;

/// A bot of a level, bounded to those there are, with luck of its own.
pub fn bot(level: u8, seed: u64) -> Box<dyn Bot<Scribbage>> {
    Box::new(Robot(Player::new(level, seed)))
}

struct Robot(Player);

impl Bot<Scribbage> for Robot {
    fn next(&mut self, view: &View<'_, Scribbage>) -> Option<Intent<Act>> {
        let public = view.public;
        let rules = public.options.rules(&public.throw);
        // The draw for the start is shown until the first roll, so that waits (SB-S3).
        let drawn = public.draw.as_ref().filter(|draw| !draw.rolls.is_empty());
        let shown = drawn.and(public.turn.by).map(|by| Time((by.0 + DRAW_MS).saturating_sub(CUP_MS)));
        let (at, step) = self.0.next(&Sight {
            now: view.now,
            seat: view.seat,
            turn: &public.turn,
            rules: &rules,
            words: public.options.words,
            rulings: &public.rulings,
        })?;
        Some(Intent { at: shown.map_or(at, |shown| at.max(shown)), act: step.into() })
    }
}
