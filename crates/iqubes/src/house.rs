//! How I-Qubes introduces itself.

use crate::{DICE, IQubes, Options, Set};
use letters::LayoutQuestion;
use letters::bench::{Thrown, best_layout, can_be_thrown, is_a_throw};
use letters::fields::{JUDGE, OFFENSIVE, WORDS};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use table::{About, Bot, Field, House, Progress, Seat, Span, Spoken};
use words::Counting;
use words::notation::Style;

impl House for IQubes {
    const ABOUT: &'static About = &About {
        title: "I-Qubes",
        lead: "Throw seven red and black letter dice and cross them into words before the sand runs out. Words of one colour count double.",
        plate: "Crossword dice, 1948 · 1 to 5",
        around: "Pass the dice round, one throw each.",
        seats: 1..=5,
        bots: 1,
        levels: crate::LEVELS,
        level: 2,
    };

    const FIELDS: &'static [Field] = &[
        Field::number(
            "rounds",
            "Rounds",
            "the table may agree on more or fewer during the game",
            Span::new(1, 20, 3),
        ),
        Field::choice(
            "seconds",
            "Time for a throw",
            "double with two sets",
            &[("90", "90 seconds"), ("60", "60 seconds")],
        ),
        Field::choice(
            "rethrow",
            "Neither vowel nor WILD",
            "such a throw may be thrown again",
            &[("\"asked\"", "the player is asked"), ("\"automatic\"", "thrown again at once")],
        ),
        Field::switch("y_vowel", "Y is a vowel", "as A, E, I, O and U are", false),
        Field::switch("long_word", "Long word", "all dice in one word count 15, in one colour 30", false),
        Field::switch("two_sets", "Two sets", "fourteen dice and double time", false),
        Field::switch("bidding", "Bidding", "after a count the others may bid for a higher one", false),
        WORDS,
        OFFENSIVE,
        JUDGE,
    ];

    const PIECES: &'static str = Set::FILE;

    fn pieces(file: &str) -> Result<Value, Vec<String>> {
        Set::from_toml(file).map(|set| json!(set)).map_err(|fault| vec![fault.to_string()])
    }

    fn pinned(options: Options) -> Result<Options, Self::Refusal> {
        options.pinned()
    }

    fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>> {
        crate::bot(level, seed)
    }

    fn coach(&self, seat: Seat, stop: &AtomicBool) -> Option<Value> {
        serde_json::to_value(IQubes::coach(self, seat, stop)?).ok()
    }

    fn solve(question: Value, stop: &AtomicBool, progress: Progress<'_>) -> Result<Value, Spoken> {
        let ask: LayoutQuestion = Spoken::read(question)?;
        best_layout(&ask, thrown(&ask)?, stop, progress)
    }

    fn guest(question: Value) -> Result<Value, Spoken> {
        Ok(json!(Spoken::read::<LayoutQuestion>(question)?.of_guest()?))
    }
}

/// The dice of a question.
fn thrown(ask: &LayoutQuestion) -> Result<Thrown, Spoken> {
    let throw: crate::Throw = ask
        .dice
        .split_whitespace()
        .collect::<String>()
        .parse()
        .map_err(|why: crate::NoFace| Spoken::new("no-such-die", why.to_string()))?;
    let set = match &ask.set {
        Some(toml) => crate::Set::from_toml(toml).map_err(|why| Spoken::new("bad-set", why.to_string()))?,
        None => crate::Set::standard(),
    };
    let whole = [DICE, 2 * DICE].contains(&throw.0.len());
    if !ask.any_letters {
        is_a_throw(throw.0.len(), &[DICE, 2 * DICE], "a set has seven, and two sets have fourteen")?;
        can_be_thrown(&throw.0, &set.dice().repeat(2), "Two sets of seven dice")?;
    }
    // A long word is one of all seven dice, or all fourteen: of fewer there is none (IQ-S10).
    Ok((throw.faces(), Counting::IQubes { long_word: ask.long_word && whole }, Style::Colours))
}
