//! The one suite that every game must pass, on Skeleton.

use skeleton::{Act, Options, Skeleton};
use table::conformance::Suite;
use table::{Luck, Seat};

struct AtRandom;

impl Suite for AtRandom {
    type Game = Skeleton;

    fn table(luck: &mut Luck) -> (Options, u32) {
        (Options { goal: 10 + luck.below(50) as u32 }, 2 + luck.below(7) as u32)
    }

    fn any_act(_: &Skeleton, _: Seat, _: &mut Luck) -> Option<Act> {
        Some(Act::Throw)
    }
}

table::conformance_suite!(AtRandom);
