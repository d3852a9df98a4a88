//! Records of any game: verify, replay, and whole games by bots.

use crate::games::engine;
use crate::{BotRefused, Driver, Kind, Setting, UnknownGame};
use serde::Serialize;
use serde_json::Value;
use table::kept::Broken;
use table::record::Event;
use table::verify::{Fault, Verified, What};
use table::{House, Kept, Outcome, Seat, Seats, Seed, Spoken, Time};

/// Replays a finished record of any game and checks everything in it.
pub fn verify(text: &str) -> Result<Verified, Fault> {
    let kind = kind_of(text)?;
    engine(kind).verify(text)
}

/// The same, and holds the record against what a player's client was shown.
pub fn verify_kept(text: &str, kept: &Kept) -> Result<Verified, Broken> {
    kept.check(text, verify)
}

/// Who is shown each event of a record: when, who (nobody: time), what, and the table after it as a picture.
pub(crate) type Shown<'a> = &'a mut dyn FnMut(Time, Option<&str>, &Value, &str);

/// Replays a finished record and shows each event: when, who (nobody: time), what, and the table after it as a picture.
pub fn replay(text: &str, mut each: impl FnMut(Time, Option<&str>, &Value, &str)) -> Result<Verified, Fault> {
    (engine(kind_of(text)?).replay)(text, &mut each)
}

pub(crate) fn replay_of<G: House>(text: &str, each: Shown<'_>) -> Result<Verified, Fault> {
    let head = table::verify::head(text)?;
    table::verify::walk::<G>(text, |table, entry| {
        let picture = table.game().public().to_string();
        match &entry.event {
            Event::Act { seat, act } => {
                let act = serde_json::to_value(act).unwrap_or_default();
                each(entry.at, Some(head.seats.name(*seat)), &act, &picture);
            }
            Event::Time => each(entry.at, None, &Value::Null, &picture),
        }
    })
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
    let game = setting.kind.name();
    let failed = |why: String| Spoken {
        code: "simulation".into(),
        says: format!("{game} from seed {number}: {why}"),
        details: serde_json::Map::new(),
    };
    let seed = Seed::from_number(number);
    let names = levels.iter().zip(1..).map(|(level, at)| format!("Bot {at} (level {level})"));
    let seats = Seats::named(names).map_err(|fault| failed(fault.to_string()))?;
    let (mut driver, head) = Driver::open(setting, seats, &seed, None)?;
    for (seat, level) in (0..).zip(levels) {
        driver.seat_bot(Seat(seat), *level, number.wrapping_mul(31).wrapping_add(u64::from(seat) + 1));
    }
    let mut lines = vec![head];
    while driver.table().outcome().is_none() {
        let events = driver.table().events();
        if events >= LONGEST {
            return Err(failed(format!("the game has not ended after {events} events")));
        }
        driver.think();
        let stuck = || failed(format!("nobody moves, and no clock runs, after {events} events"));
        let step = driver.due().and_then(|due| driver.step(due)).ok_or_else(stuck)?;
        let refused =
            |BotRefused { seat, act, why }| failed(format!("the bot in {seat} tried {act}: {}", why.says));
        let step = step.map_err(refused)?;
        if keep {
            lines.push(step.line);
        }
    }
    lines.extend(driver.end(&seed));
    let table = driver.table();
    let outcome = table.outcome().ok_or_else(|| failed("it has no outcome".to_owned()))?;
    let record = keep.then(|| lines.join("\n") + "\n");
    Ok(Simulated { outcome, events: table.events(), lasted: table.now(), record })
}

/// No game of bots needs more events than this; one that does is a bug worth hearing of.
const LONGEST: u64 = 10_000_000;
