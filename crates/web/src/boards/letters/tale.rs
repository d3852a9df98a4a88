//! What happened at a table of letters, in sentences. Each begins with a name and a verb, as a page that says "You" needs it.

use super::piece::spoken;
use crate::boards::Telling;
use letters::{Board, Count, Reading, Ruling, StageView, TurnView};
use words::Face;

/// The letters of a throw, as they are read out.
pub(super) fn letters(faces: &[Face]) -> String {
    let named =
        |face: &Face| face.letter.map_or_else(|| spoken(*face, None), |letter| letter.upper().to_string());
    faces.iter().map(named).collect::<Vec<_>>().join(" ")
}

/// What somebody has done at a turn that is no news of the game: dice moved, words let stand, doubted or voted on.
pub(super) fn done(
    before: &TurnView,
    now: &TurnView,
    faces: &[Face],
    telling: &Telling<'_>,
) -> Option<String> {
    let who = || telling.by.map(|seat| telling.name(seat));
    match (&before.stage, &now.stage) {
        (StageView::Arranging, StageView::Arranging) => touched(&before.dice, now, faces, &who()?),
        (StageView::Hearing { passed: was }, StageView::Hearing { passed: is }) if was != is => {
            Some(format!("{} passes.", who()?))
        }
        (StageView::Voting { voted: was, .. }, StageView::Voting { voted: is, .. }) if was != is => {
            Some(format!("{} votes.", who()?))
        }
        (StageView::Hearing { .. }, StageView::Voting { word, by, .. }) => {
            Some(format!("{} challenges {}.", telling.name(*by), word.to_string().to_uppercase()))
        }
        _ => None,
    }
}

/// Dice moved by somebody.
fn touched(before: &Board, now: &TurnView, faces: &[Face], who: &str) -> Option<String> {
    let lies = (0_usize..).zip(before.dice().iter().zip(now.dice.dice()));
    let moved: Vec<_> = lies.filter(|(_, (was, is))| was != is).collect();
    let reads = || now.reading.as_ref().map(read).unwrap_or_default();
    match moved.as_slice() {
        [] => None,
        [(die, (was, is))] => {
            let die = spoken(*faces.get(*die)?, is.called.or(was.called));
            Some(match (was.at == is.at, is.at) {
                (true, _) => format!("{who} calls it: {die}.{}", reads()),
                (_, Some(_)) => format!("{who} lays {die}.{}", reads()),
                (_, None) => format!("{who} takes {die} back."),
            })
        }
        _ if now.dice.laid() == 0 => Some(format!("{who} takes all back.")),
        _ => Some(format!("{who} rearranges.{}", reads())),
    }
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
