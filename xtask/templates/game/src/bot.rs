//! Bots. They see what a person in their seat would see, and take their time.

use crate::{Act, Skeleton};
use table::{Bot, Intent, Luck, View};

/// The strongest level of bots; the weakest is 1.
pub const LEVELS: u8 = 1;

/// A bot of a level, bounded to those there are, with luck of its own.
pub fn bot(_level: u8, seed: u64) -> Box<dyn Bot<Skeleton>> {
    Box::new(Robot { luck: Luck::new(seed) })
}

struct Robot {
    luck: Luck,
}

impl Bot<Skeleton> for Robot {
    fn next(&mut self, view: &View<'_, Skeleton>) -> Option<Intent<Act>> {
        let at = view.now.plus(500 + self.luck.below(500));
        (view.public.turn == view.seat).then_some(Intent { at, act: Act::Throw })
    }
}
