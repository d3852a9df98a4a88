//! `parlor verify` and `parlor replay`: records of finished games.

use crate::answer::{Answer, Failure, Outcome};
use house::Ending;
use std::fmt::{Display, Write};
use std::io::Read;
use std::path::Path;
use table::Kept;
use table::verify::Verified;

/// Checks a record from its first line to its last, and against what a player's client was shown, if that is given.
pub(crate) fn verify(file: &Path, kept: Option<&Path>) -> Outcome {
    let text = read(file)?;
    let kept = match kept {
        Some(path) => Some((path, read_kept(path)?)),
        None => None,
    };
    match house::verify(&text) {
        Ok(verified) => match kept {
            None => holds(file, &text, &verified, None),
            Some((path, kept)) => match kept.check(&text, |_| Ok(verified)) {
                Ok(verified) => holds(file, &text, &verified, Some(&kept)),
                Err(broken) => {
                    let json = serde_json::json!({"holds": false, "says": broken.to_string()});
                    let (file, path) = (file.display(), path.display());
                    let words = format!("It does not hold. {file} does not fit {path}: {broken}");
                    Ok(Answer::new(words, &json).no())
                }
            },
        },
        Err(fault) => {
            let json =
                serde_json::json!({"holds": false, "line": fault.line, "says": fault.what.to_string()});
            Ok(Answer::new(format!("It does not hold. {}: {fault}", file.display()), &json).no())
        }
    }
}

fn holds(file: &Path, text: &str, verified: &Verified, kept: Option<&Kept>) -> Outcome {
    let ending = ended(file, text, verified)?;
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
    words = format!("{words}\n{}", verified.dice.says());
    if let Some(kept) = kept {
        words = format!("{words}\nIt fits what your client was shown at table {}.", kept.table);
    }
    let json = serde_json::json!({"holds": true, "record": verified, "ending": ending});
    Ok(Answer::new(words, &json))
}

fn read_kept(file: &Path) -> Result<Kept, Failure> {
    let unfit = |why: serde_json::Error| {
        Failure::new(
            "bad-kept",
            format!(
                "{}: {why}. Give the file that the page or the terminal saved beside the record.",
                file.display()
            ),
        )
    };
    serde_json::from_str(&read(file)?).map_err(unfit)
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
