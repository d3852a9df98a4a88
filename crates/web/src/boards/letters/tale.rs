//! What happened at a table of letters, in sentences. Each begins with a name and a verb, as a page that says "You" needs it.

use super::piece::spoken;
use crate::session::Happened;
use letters::{Count, Reading, Ruling, StageView, TurnView};
use serde_json::Value;
use table::Seat;
use words::Face;

/// The letters of a throw, as they are read out.
pub(super) fn letters(faces: &[Face]) -> String {
    let named =
        |face: &Face| face.letter.map_or_else(|| spoken(*face, None), |letter| letter.upper().to_string());
    faces.iter().map(named).collect::<Vec<_>>().join(" ")
}

/// Something done with the dice, in a sentence; `None` if it was something else.
#[expect(clippy::option_option, reason = "told or not, and if it was a touch at all")]
pub(super) fn touched(
    does: Option<&str>,
    who: Option<&str>,
    happened: &Happened,
    turn: &TurnView,
    faces: &[Face],
) -> Option<Option<String>> {
    let who = who?;
    let die = || {
        let die = happened.act.get("die").and_then(Value::as_u64)? as usize;
        let called = turn.dice.dice().get(die).and_then(|lie| lie.called);
        faces.get(die).map(|face| spoken(*face, called))
    };
    let reads = || turn.reading.as_ref().map(read).unwrap_or_default();
    let told = match does? {
        "place" => die().map(|die| format!("{who} lays {die}.{}", reads())),
        "lift" => die().map(|die| format!("{who} takes {die} back.")),
        "call" => die().map(|die| format!("{who} calls it: {die}.{}", reads())),
        "arrange" => Some(format!("{who} rearranges.{}", reads())),
        "clear" => Some(format!("{who} takes all back.")),
        "challenge" => happened
            .act
            .get("word")
            .and_then(Value::as_str)
            .map(|word| format!("{who} challenges {}.", word.to_uppercase())),
        "vote" if matches!(turn.stage, StageView::Voting { .. }) => Some(format!("{who} votes.")),
        _ => return None,
    };
    Some(told)
}

/// Are the words being heard?
pub(super) fn heard(turn: &TurnView) -> bool {
    matches!(turn.stage, StageView::Hearing { .. })
}

fn read(reading: &Reading) -> String {
    let word = |seen: &letters::Seen| {
        let word = seen.word?.to_string().to_uppercase();
        Some(match seen.good {
            Some(false) => format!("{word} is no word"),
            _ if reading.counts(seen) => format!("{word} {}", seen.points),
            _ => format!("{word} does not count so"),
        })
    };
    let words: Vec<String> = reading.words.iter().filter_map(word).collect();
    if words.is_empty() {
        String::new()
    } else {
        let certain = if reading.is_certain() { "so far" } else { "if all are words" };
        format!(" {}: {} {certain}.", words.join(", "), reading.points)
    }
}

/// A count: "17 with COD 6, TO 4, IS 4, DIE 3".
pub(super) fn count(count: &Count) -> String {
    let words: Vec<String> = count
        .words
        .iter()
        .map(|said| format!("{} {}", said.word.to_string().to_uppercase(), said.points))
        .collect();
    let taken = match count.taken.len() {
        0 => String::new(),
        1 => ", one die taken out".to_owned(),
        taken => format!(", {taken} dice taken out"),
    };
    match words.as_slice() {
        [] => format!("{}{taken}", count.points),
        _ => format!("{} with {}{taken}", count.points, words.join(", ")),
    }
}

/// What the table decided about a word.
pub(super) fn ruled(ruling: &Ruling) -> String {
    let word = ruling.word.to_string().to_uppercase();
    let stands = if ruling.stands { "stands" } else { "falls" };
    format!("{word} {stands}: {} for it, {} against.", ruling.tally.yes, ruling.tally.no)
}

/// What an event without words has come to, where the turn itself says it.
pub(super) fn came(turn: &TurnView, name: &dyn Fn(Seat) -> String) -> Option<String> {
    match &turn.stage {
        StageView::Voting { word, by, .. } => {
            Some(format!("{} challenges {}.", name(*by), word.to_string().to_uppercase()))
        }
        _ => None,
    }
}

/// Is the last news what has just happened? While the dice are arranged only a fresh throw is.
pub(super) fn tells(turn: &TurnView, threw: bool) -> bool {
    match turn.stage {
        StageView::Arranging => threw && turn.dice.laid() == 0,
        StageView::Hearing { .. } => !threw,
        _ => true,
    }
}

/// Who won, in a sentence.
pub(super) fn ending(totals: &[i64], name: impl Fn(u32) -> String) -> String {
    let most = totals.iter().copied().max().unwrap_or(0);
    let first: Vec<String> =
        (0..).zip(totals).filter(|(_, total)| **total == most).map(|(side, _)| name(side)).collect();
    match first.as_slice() {
        _ if totals.len() == 1 => format!("The game is over: {most}."),
        [one] if one == "You" => format!("The game is over: you win with {most}."),
        [one] => format!("The game is over: {one} wins with {most}."),
        all => format!("The game is over: {} share it with {most}.", all.join(" and ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_names_whoever_has_most() {
        let name = |seat: u32| ["You", "Ben", "Cleo"][seat as usize].to_owned();
        assert_eq!(ending(&[-4], name), "The game is over: -4.");
        assert_eq!(ending(&[9, 4], name), "The game is over: you win with 9.");
        assert_eq!(ending(&[1, 4, 2], name), "The game is over: Ben wins with 4.");
        assert_eq!(ending(&[1, 4, 4], name), "The game is over: Ben and Cleo share it with 4.");
    }
}
