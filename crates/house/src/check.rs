//! Records of any game: verify, replay, and whole games by bots.

use crate::engine::engine;
use crate::games::{House, with_game};
use crate::{Kind, Setting, UnknownGame};
use serde::Serialize;
use serde_json::Value;
use table::record::{End, Event, Head, Scribe};
use table::verify::{Fault, Verified, What};
use table::{Bot, Game as _, Outcome, Seats, Seed, Spoken, Table, Time, bot};

/// Replays a finished record of any game and checks everything in it.
pub fn verify(text: &str) -> Result<Verified, Fault> {
    let kind = kind_of(text)?;
    engine(kind).verify(text)
}

/// Replays a finished record and shows each event: when, who (nobody: time), what, and the table after it as a picture.
pub fn replay(text: &str, mut each: impl FnMut(Time, Option<&str>, &Value, &str)) -> Result<Verified, Fault> {
    let head = table::verify::head(text)?;
    let kind = kind_of(text)?;
    with_game!(kind, Game => table::verify::walk::<Game>(text, |table, entry| {
        let picture = table.game().public().to_string();
        match &entry.event {
            Event::Act { seat, act } => {
                let act = serde_json::to_value(act).unwrap_or_default();
                each(entry.at, Some(head.seats.name(*seat)), &act, &picture);
            }
            Event::Time => each(entry.at, None, &Value::Null, &picture),
        }
    }))
}

/// Which game a record is of: its first line says it.
pub fn kind_of(text: &str) -> Result<Kind, Fault> {
    let head = table::verify::head(text)?;
    head.game.parse().map_err(|unknown: UnknownGame| Fault { line: 1, what: What::Open(unknown.to_string()) })
}

/// Whether a record is of this game.
pub fn is_of(text: &str, kind: Kind) -> Result<(), Fault> {
    let found = kind_of(text)?;
    let other = || format!("this is a game of {found}, not of {kind}");
    if found == kind { Ok(()) } else { Err(Fault { line: 1, what: What::Open(other()) }) }
}

/// A game that bots have played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Simulated {
    /// How it ended.
    pub outcome: Outcome,
    /// How many events it took.
    pub events: u64,
    /// How long it took in table time.
    pub lasted: Time,
    /// Its record, if it was asked for.
    #[serde(skip)]
    pub record: Option<String>,
}

/// Plays a whole game between bots of these levels, one a seat. The same number gives the same game.
pub fn simulate(setting: &Setting, levels: &[u8], number: u64, keep: bool) -> Result<Simulated, Spoken> {
    with_game!(setting.kind, Game => simulate_game::<Game>(setting, levels, number, keep))
}

/// No game of bots needs more events than this; one that does is a bug worth hearing of.
const LONGEST: u64 = 10_000_000;

fn simulate_game<G: House>(
    setting: &Setting,
    levels: &[u8],
    number: u64,
    keep: bool,
) -> Result<Simulated, Spoken> {
    let failed =
        |why: String| Spoken { code: "simulation".into(), says: why, details: serde_json::Map::new() };
    let seed = Seed::from_number(number);
    let names = levels.iter().zip(1..).map(|(level, at)| format!("Bot {at} (level {level})"));
    let seats = Seats::named(names).map_err(|fault| failed(fault.to_string()))?;
    let options: G::Options =
        serde_json::from_value(setting.options.clone()).map_err(|fault| failed(fault.to_string()))?;
    let head = Head::new(G::NAME, options, seats, seed.commitment());
    let mut table = Table::<G>::open(&head, &seed).map_err(|fault| failed(fault.to_string()))?;
    let mut bots: Vec<Box<dyn Bot<G>>> = levels
        .iter()
        .zip(1..)
        .map(|(&level, at)| G::bot(level.clamp(1, G::LEVELS), number.wrapping_mul(31).wrapping_add(at)))
        .collect();
    let mut scribe = Scribe::new();
    let mut record = keep.then(|| scribe.head(&head) + "\n");
    let outcome = bot::drive(&mut table, &mut bots, LONGEST, |_, entry| {
        if let Some(text) = &mut record {
            text.push_str(&scribe.event(entry.at, &entry.event));
            text.push('\n');
        }
    });
    let outcome = outcome.map_err(|fault| failed(format!("{} from seed {number}: {fault}", G::NAME)))?;
    if let Some(text) = &mut record {
        let (state, drawn) = (table.fingerprint(), table.drawn());
        text.push_str(&scribe.end(table.now(), &End { outcome: outcome.clone(), state, drawn, seed }));
        text.push('\n');
    }
    Ok(Simulated { outcome, events: table.events(), lasted: table.now(), record })
}
