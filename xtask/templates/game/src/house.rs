//! How Skeleton introduces itself.

use crate::{Act, Public, Skeleton};
use table::{About, Bot, Choice, Field, House, Seat, Span};

impl House for Skeleton {
    const ABOUT: &'static About = &About {
        title: "Skeleton",
        lead: "In turn everybody throws a die. The first with thirty points wins.",
        plate: "One die · 2 to 8",
        around: "Pass the die around, one throw each.",
        seats: 2..=8,
        bots: 1,
        levels: crate::LEVELS,
        level: 1,
    };

    const FIELDS: &'static [Field] =
        &[Field::number("goal", "Goal", "the points that win", Span::new(10, 500, 30).of("points"))];

    const REFERENCE: &'static [(&'static str, &'static str)] = &[
        ("Aim", "Be the first to reach the goal."),
        ("Your turn", "Throw the die. What it shows is added to your points."),
    ];

    fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>> {
        crate::bot(level, seed)
    }

    fn choices(public: &Public, (): &(), seat: Seat) -> Vec<Choice<Act>> {
        let mine = public.turn == seat;
        mine.then(|| Choice::new("Throw", Act::Throw)).into_iter().collect()
    }
}
