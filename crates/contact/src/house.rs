//! How Contact introduces itself, and the workbench for a position on somebody's real table.

use crate::coach::mark_move;
use crate::eval::Weights;
use crate::search::{Limits, Searcher};
use crate::{Contact, ContactBot, Options, Position, Set, analysis, level, set};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use table::{About, Bot, Field, Game as _, House, Progress, Seat, Spoken};

/// What to ask about a position of Contact.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PositionQuestion {
    /// The position, as docs/notation.md writes it.
    pub position: String,
    /// How many lines; one where nothing is said.
    pub lines: Option<usize>,
    /// How many nodes to look at, up to [`PositionQuestion::MOST_NODES`].
    pub nodes: Option<u64>,
}

impl PositionQuestion {
    /// Some ten seconds of one core.
    pub const MOST_NODES: u64 = 30_000_000;
    const NODES: u64 = 3_000_000;
}

/// How long the coach thinks: the same everywhere.
const COACH_NODES: u64 = 300_000;

impl House for Contact {
    const ABOUT: &'static About = &About {
        title: "Contact",
        lead: "Tiles walk the lines of a ruled board and turn a quarter with every move. Where two corners touch, the higher number stays.",
        plate: "Tiles that turn · 2 to 4",
        around: "Pass the board round, one move each; it turns to whoever moves.",
        seats: 2..=4,
        bots: 1,
        levels: level::LEVELS.len() as u8,
        level: 3,
    };

    const FIELDS: &'static [Field] = &[
        Field::choice(
            "setup",
            "Set-up",
            "twelve tiles each are for two players",
            &[("\"six\"", "six tiles each"), ("\"twelve\"", "twelve tiles each")],
        ),
        Field::switch("partners", "Partners", "four players: opposite sides play together", false),
        Field::choice(
            "first",
            "Who starts",
            "South is the first seat; two play South and North",
            &[
                ("\"drawn\"", "the dice say"),
                ("\"south\"", "South"),
                ("\"west\"", "West"),
                ("\"north\"", "North"),
                ("\"east\"", "East"),
            ],
        ),
        Field::choice(
            "r9",
            "Ties",
            "by the third repetition, or thirty quiet turns each",
            &[
                ("true", "yes"),
                ("false", "no"),
                ("\"sixty-moves\"", "as it was: sixty quiet moves of all together"),
            ],
        ),
        Field::switch(
            "count",
            "The count",
            "decides such ties: more tiles win, or the higher figures",
            false,
        ),
    ];

    const PIECES: &'static str = set::HOUSE;

    fn pieces(file: &str) -> Result<Value, Vec<String>> {
        let faults = |faults: Vec<set::Fault>| faults.iter().map(ToString::to_string).collect();
        set::check(file).map(|set| json!(set)).map_err(faults)
    }

    /// Partners sit opposite each other (CT-S4).
    fn side(options: &Options, seat: Seat) -> u32 {
        if options.partners { seat.0 % 2 } else { seat.0 }
    }

    fn check(options: &Options) -> Result<(), Self::Refusal> {
        options.check()
    }

    fn bot(level: u8, seed: u64) -> Box<dyn Bot<Self>> {
        Box::new(ContactBot::new(level, seed))
    }

    /// The best lines of the position, and what the seat's own last move was worth.
    fn coach(&self, seat: Seat, stop: &AtomicBool) -> Option<Value> {
        let public = self.public();
        let limits = Limits::nodes(COACH_NODES);
        let mut searcher = Searcher::new(&Weights::default(), 16).heeding(stop);
        let mut before = public.clone();
        let last = std::iter::from_fn(|| {
            Some((before.moves.pop()?, before.rebuild().ok()?, before.moves.len() + 1))
        })
        .find(|(_, position, _)| self.side(seat) == Some(position.turn()));
        let position = public.rebuild().ok()?;
        let last =
            last.map(|(mv, position, number)| mark_move(&mut searcher, &position, mv, number, &limits));
        let best = analysis::best_with(&mut searcher, &position, &limits, 3);
        Some(json!({"best": best, "last": last}))
    }

    /// The best lines of a position. Contact is not solved: this is what a search of so many nodes thinks, or of fewer if `stop` is
    /// set before.
    fn solve(question: Value, stop: &AtomicBool, _: Progress<'_>) -> Result<Value, Spoken> {
        let ask: PositionQuestion = Spoken::read(question)?;
        let position = Position::read(&ask.position, &Set::default())
            .map_err(|why| Spoken::new("bad-position", why.to_string()))?;
        let nodes = ask.nodes.unwrap_or(PositionQuestion::NODES).min(PositionQuestion::MOST_NODES);
        let lines = ask.lines.unwrap_or(1).clamp(1, 20);
        let mut searcher = Searcher::new(&Weights::default(), 64).heeding(stop);
        Ok(json!(analysis::best_with(&mut searcher, &position, &Limits::nodes(nodes), lines)))
    }
}
