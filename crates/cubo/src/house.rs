//! How Cubo introduces itself, and the workbench for its dice on somebody's real table.

use crate::{Cubo, Set, Straights};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use table::{About, Bot, Field, House, Progress, Seat, Span, Spoken};

/// What to ask about a hand of Cubo.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CuboQuestion {
    /// Nine dice: `R1 R2 R3 R4 B1 B2 B3 B4 W4`.
    pub dice: String,
    /// A die that will be taken.
    pub take: Option<String>,
    /// Straights in any order count.
    pub any_order: bool,
}

impl House for Cubo {
    const ABOUT: &'static About = &About {
        title: "Cubo",
        lead: "Nine dice, everybody at once: set them round the white one so that rows and columns make straights and trips. Content? Slam the cover and call.",
        plate: "Nine dice, all at once · 1 to 4",
        around: "Each has a square on this screen; fastest hands first.",
        seats: 1..=4,
        bots: 1,
        levels: crate::LEVELS,
        level: 2,
    };

    const FIELDS: &'static [Field] = &[
        Field::choice(
            "straights",
            "Straights",
            "4-3-5 counts only in any order",
            &[("\"in-order\"", "in order, up or down"), ("\"any-order\"", "in any order")],
        ),
        Field::choice(
            "start",
            "Who starts",
            "and counts first",
            &[
                ("\"random\"", "the dice say"),
                ("{\"seat\":0}", "seat 1"),
                ("{\"seat\":1}", "seat 2"),
                ("{\"seat\":2}", "seat 3"),
                ("{\"seat\":3}", "seat 4"),
            ],
        ),
        Field::number("clocks/round", "A round", "then the countdown runs for all", Span::seconds(120)),
        Field::number("clocks/practice", "A round alone", "without a countdown", Span::seconds(90)),
        Field::number("clocks/countdown", "The countdown", "for the last one", Span::seconds(6)),
        Field::number("clocks/take", "Taking a die", "then one is given at random", Span::seconds(5)),
        Field::number("clocks/exchange", "Choosing the exchange", "then none is made", Span::seconds(20)),
        Field::number(
            "clocks/pause",
            "Before a round",
            "or until all are ready",
            Span { least: 0, ..Span::seconds(8) },
        ),
    ];

    const PIECES: &'static str = Set::FILE;

    fn pieces(file: &str) -> Result<Value, Vec<String>> {
        Set::from_toml(file).map(|set| json!(set)).map_err(|fault| vec![fault.to_string()])
    }

    fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>> {
        Box::new(crate::bot(level, seed))
    }

    fn coach(&self, seat: Seat, _: &AtomicBool) -> Option<Value> {
        use table::Game as _;
        serde_json::to_value(crate::review(&self.public(), seat)?).ok()
    }

    /// The best square of nine dice.
    fn solve(question: Value, _: &AtomicBool, _: Progress<'_>) -> Result<Value, Spoken> {
        let ask: CuboQuestion = Spoken::read(question)?;
        let straights = if ask.any_order { Straights::AnyOrder } else { Straights::InOrder };
        let plan = crate::solve_by(&ask.dice, ask.take.as_deref(), straights);
        Ok(json!(plan.map_err(|why| Spoken::of(&why))?))
    }
}
