//! How Scribbage introduces itself.

use crate::{CUBES, Options, Scribbage, Set};
use letters::LayoutQuestion;
use letters::bench::{Thrown, best_layout, can_be_thrown, is_a_throw};
use letters::fields::{JUDGE, OFFENSIVE, WORDS};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use table::{About, Bot, Field, House, Progress, Seat, Span, Spoken};
use words::Counting;
use words::notation::Style;

impl House for Scribbage {
    const ABOUT: &'static About = &About {
        title: "Scribbage",
        lead: "Thirteen letter cubes out of a cup, three minutes, one crossword. Rare letters count most, and what is left over counts against you.",
        plate: "Crossword cubes, 1963 · any number",
        around: "Pass the cup round, one throw each; more than six make partners.",
        seats: 1..=64,
        bots: 1,
        levels: crate::LEVELS,
        level: 2,
    };

    const FIELDS: &'static [Field] = &[
        Field::perhaps("turns", "Turns", "for everybody", Span::new(1, 50, 4), "one alone, four together"),
        Field::perhaps(
            "figure",
            "Play for a figure",
            "instead of turns: the highest score over it wins",
            Span::new(1, 2000, 200).of("points"),
            "no",
        ),
        Field::number("seconds", "The timer", "for a throw", Span::new(60, 600, 180).of("s")),
        Field::choice(
            "teams",
            "Teams",
            "of two to four; seats join them in turn, like cards dealt",
            &[
                ("0", "everybody alone"),
                ("1", "one of all"),
                ("2", "two"),
                ("3", "three"),
                ("4", "four"),
                ("5", "five"),
                ("6", "six"),
                ("7", "seven"),
                ("8", "eight"),
            ],
        ),
        Field::switch("young", "Young players", "words side by side, not a crossword", false),
        WORDS,
        OFFENSIVE,
        JUDGE,
    ];

    const PIECES: &'static str = Set::FILE;

    fn pieces(file: &str) -> Result<Value, Vec<String>> {
        Set::from_toml(file).map(|set| json!(set)).map_err(|fault| vec![fault.to_string()])
    }

    fn side(options: &Options, seat: Seat) -> u32 {
        options.side(seat)
    }

    fn pinned(options: Options) -> Result<Options, Self::Refusal> {
        options.pinned()
    }

    fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>> {
        crate::bot(level, seed)
    }

    fn coach(&self, seat: Seat, stop: &AtomicBool) -> Option<Value> {
        serde_json::to_value(Scribbage::coach(self, seat, stop)?).ok()
    }

    fn solve(question: Value, stop: &AtomicBool, progress: Progress<'_>) -> Result<Value, Spoken> {
        let ask: LayoutQuestion = Spoken::read(question)?;
        best_layout(&ask, thrown(&ask)?, stop, progress)
    }

    fn guest(question: Value) -> Result<Value, Spoken> {
        Ok(json!(Spoken::read::<LayoutQuestion>(question)?.of_guest()?))
    }
}

/// The cubes of a question.
fn thrown(ask: &LayoutQuestion) -> Result<Thrown, Spoken> {
    let dice = ask.dice.split_whitespace().collect::<String>().replace('?', "*");
    let throw: crate::Throw =
        dice.parse().map_err(|why: crate::NoFace| Spoken::new("no-such-cube", why.to_string()))?;
    let set = match &ask.set {
        Some(toml) => crate::Set::from_toml(toml).map_err(|why| Spoken::new("bad-set", why.to_string()))?,
        None => crate::Set::standard(),
    };
    if !ask.any_letters {
        is_a_throw(throw.0.len(), &[CUBES], "a set has thirteen")?;
        can_be_thrown(&throw.0, set.cubes(), "The thirteen cubes")?;
    }
    let counting = if ask.young { Counting::Young } else { Counting::Scribbage };
    Ok((throw.faces(&set), counting, Style::Jokers))
}
