//! `parlor verify` and `parlor replay`: records of finished games.

use crate::answer::{Answer, Failure, Outcome};
use house::Ending;
use std::fmt::{Display, Write};
use std::io::Read;
use std::path::Path;
use table::verify::Verified;

/// Checks a record from its first line to its last.
pub(crate) fn verify(file: &Path) -> Outcome {
    let text = read(file)?;
    match house::verify(&text) {
        Ok(verified) => {
            let ending = ended(file, &text, &verified)?;
            let mut words = format!(
                "It holds: {} of {}, {} events in {}, {} words of the dice. {}",
                verified.game,
                verified.players.join(", "),
                verified.events,
                verified.lasted,
                verified.drawn,
                ending.says(&verified.players),
            );
            if let Some(unchecked) = verified.unchecked() {
                words = format!("{words}\n{unchecked}");
            }
            let json = serde_json::json!({"holds": true, "record": verified, "ending": ending});
            Ok(Answer::new(words, &json))
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
            let ending = ended(file, &text, &verified)?;
            let _ = write!(pages, "{}  {}", verified.lasted, ending.says(&verified.players));
            let json = serde_json::json!({"events": events, "record": verified, "ending": ending});
            Ok(Answer::new(pages, &json))
        }
        Err(fault) => Err(bad(file, &fault)),
    }
}

/// A record that nothing can be made of.
pub(crate) fn bad(file: &Path, why: &dyn Display) -> Failure {
    Failure::new("bad-record", format!("{}: {why}", file.display()))
}

/// Who won, or shares the first place.
fn ended(file: &Path, text: &str, verified: &Verified) -> Result<Ending, Failure> {
    Ending::of_record(text, &verified.outcome).map_err(|fault| bad(file, &fault))
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
