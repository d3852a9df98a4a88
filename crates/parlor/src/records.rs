//! `parlor verify` and `parlor replay`: records of finished games.

use crate::answer::{Answer, Failure, Outcome};
use std::fmt::{Display, Write};
use std::io::Read;
use std::path::Path;
use table::Time;

/// Checks a record from its first line to its last.
pub(crate) fn verify(file: &Path) -> Outcome {
    let text = read(file)?;
    match house::verify(&text) {
        Ok(verified) => {
            let words = format!(
                "It holds: {} of {}, {} events in {}, {} words of the dice. Winner: {}.",
                verified.game,
                verified.players.join(", "),
                verified.events,
                verified.lasted,
                verified.drawn,
                winners(&verified.players, &verified.outcome),
            );
            Ok(Answer::new(words, &serde_json::json!({"holds": true, "record": verified})))
        }
        Err(fault) => {
            let json =
                serde_json::json!({"holds": false, "line": fault.line, "says": fault.what.to_string()});
            Ok(Answer::new(format!("It does not hold. {}: {fault}", file.display()), &json).no())
        }
    }
}

/// Shows a record event by event.
pub(crate) fn replay(file: &Path) -> Outcome {
    let text = read(file)?;
    let mut pages = String::new();
    let mut events = Vec::new();
    let replayed = house::replay(&text, |at, who, act, picture| {
        let _ = match who {
            Some(name) => writeln!(pages, "{at}  {name}  {act}"),
            None => writeln!(pages, "{at}  time"),
        };
        for line in picture.lines() {
            let _ = writeln!(pages, "    {line}");
        }
        events.push(serde_json::json!({"t": at, "who": who, "act": act, "picture": picture}));
    });
    match replayed {
        Ok(verified) => {
            let _ = write!(
                pages,
                "{}  winner: {}",
                Time(verified.lasted.0),
                winners(&verified.players, &verified.outcome)
            );
            Ok(Answer::new(pages, &serde_json::json!({"events": events, "record": verified})))
        }
        Err(fault) => Err(bad(file, &fault)),
    }
}

/// A record that nothing can be made of.
pub(crate) fn bad(file: &Path, why: &dyn Display) -> Failure {
    Failure::new("bad-record", format!("{}: {why}", file.display()))
}

fn winners(players: &[String], outcome: &table::Outcome) -> String {
    let names = outcome.winners().filter_map(|seat| players.get(seat.index())).cloned();
    names.collect::<Vec<_>>().join(" and ")
}

/// The text of a file, or of the standard input for `-`.
pub(crate) fn read(file: &Path) -> Result<String, Failure> {
    let failed = |why: std::io::Error| Failure::new("unreadable", format!("{}: {why}", file.display()));
    if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(failed)?;
        return Ok(text);
    }
    std::fs::read_to_string(file).map_err(failed)
}
