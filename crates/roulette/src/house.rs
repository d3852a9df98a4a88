//! How Dice Roulette introduces itself, and the workbench for a slip on somebody's real table.

use crate::set::Set;
use crate::{Roulette, coach};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use table::{About, Bot, Field, Game as _, House, Progress, Seat, Span, Spoken};

/// What to ask about a slip of Dice Roulette.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SlipQuestion {
    /// The slip: `15=2 red=5`.
    pub slip: String,
    /// Follow it from so many chips, …
    pub chips: Option<u64>,
    /// … over so many throws.
    pub throws: Option<u32>,
}

const fn chips(most: i64) -> Span {
    Span::new(1, most, 100).of("chips")
}

impl House for Roulette {
    const ABOUT: &'static About = &About {
        title: "Dice Roulette",
        lead: "A black die and a white one, thirty-six numbers, a green layout. Lay your chips, then let the dice fall: every bet is exactly fair.",
        plate: "Two dice, 1932 · any number",
        around: "Everyone lays bets in turn, then one throw for all.",
        seats: 1..=64,
        bots: 2,
        levels: 5,
        level: 2,
    };

    const FIELDS: &'static [Field] = &[
        Field::number("throws", "Throws", "to a game", Span::new(1, 10_000, 20)),
        Field::number("chips", "Chips", "for every player at the start", chips(1_000_000)),
        Field::number("window", "Time to bet", "or until all are ready", Span::seconds(30)),
        Field::choice(
            "bank",
            "The bank",
            "who throws, takes and pays",
            &[
                ("\"house\"", "the house"),
                ("{\"seat\":0}", "seat 1"),
                ("{\"seat\":1}", "seat 2"),
                ("{\"seat\":2}", "seat 3"),
                ("{\"seat\":3}", "seat 4"),
            ],
        ),
        Field::perhaps(
            "bank_chips",
            "A player's bank",
            "its stock in chips; left alone, chips for every other player",
            chips(1_000_000_000_000),
            "as the players have",
        ),
        Field::switch("passing", "The bank may pass", "between throws", true),
        Field::number("hold", "Time to throw", "for a player who banks", Span::seconds(10)),
        Field::switch("borrow", "Borrowing", "a player without chips may start again on loan", false),
    ];

    // Nobody is waiting, so no clock hurries.
    const ALONE: &'static [(&'static str, i64)] = &[("window", Span::seconds(30).most)];

    const PIECES: &'static str = Set::FILE;

    fn pieces(file: &str) -> Result<Value, Vec<String>> {
        Set::from_toml(file).map(|set| json!(set)).map_err(|fault| vec![fault.to_string()])
    }

    fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>> {
        crate::bot(level, seed)
    }

    fn coach(&self, seat: Seat, _: &AtomicBool) -> Option<Value> {
        serde_json::to_value(coach::advise(&self.public(), &self.private(seat))).ok()
    }

    /// The exact odds of a slip, once and over many throws.
    fn solve(question: Value, _: &AtomicBool, _: Progress<'_>) -> Result<Value, Spoken> {
        let ask: SlipQuestion = Spoken::read(question)?;
        let mut answer = json!(crate::odds(&ask.slip).map_err(|why| Spoken::of(&why))?);
        if let Some(throws) = ask.throws {
            let outlook = crate::outlook(&ask.slip, ask.chips.unwrap_or(100), throws);
            answer["outlook"] = json!(outlook.map_err(|why| Spoken::new("outlook", why.to_string()))?);
        }
        Ok(answer)
    }
}
