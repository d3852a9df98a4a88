//! What the dice on the desk read and count, worked out in the page on every move: it is quicker than asking the table. The
//! counting is the engine's own ([`Reading`]), so the number shown is what will be counted.

use super::piece::Look;
use super::shown::Shown;
use letters::{Board, Judge, Reading, Rules, Seen, Spot};
use words::{Counting, DiceSet, Fault, Word, WordsId};

/// A run of dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// What it reads; nothing while a wild die in it has no letter.
    pub word: Option<Word>,
    /// Its first cell.
    pub at: Spot,
    /// Across, or down.
    pub across: bool,
    /// How many letters it has.
    pub letters: i8,
    /// What it counts as a good word.
    pub points: i32,
    /// One colour: counted twice.
    pub doubled: bool,
    /// Whether it is a word; untold where the table does not say.
    pub good: Option<bool>,
    /// Whether it will count as it lies; a good word may be in the way of others.
    pub counts: bool,
}

/// The dice as they lie, in words and points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Read {
    /// The runs, first those across.
    pub marks: Vec<Mark>,
    /// What will be counted if nothing changes.
    pub points: i32,
    /// Whether that is certain. It is not where good and bad words are not told apart: then it is so if all are words.
    pub certain: bool,
    /// What the dice take off that will not count.
    pub left: i32,
    /// What to mend, in words.
    pub says: Option<String>,
    /// What would be left of words that do not count, in words.
    pub rest: Option<String>,
    /// The dice in words that would not count. One on its way, which is in no word yet, is none of them.
    pub out: DiceSet,
}

impl Read {
    /// Reads the dice of a throw as they lie on a board.
    pub fn of(board: &Board, shown: &Shown, look: Look) -> Read {
        let told = shown.judge || shown.turn.reading.is_none();
        let judge = Judge::new(shown.accepts(), &shown.rulings);
        let reading = Reading::of(board, &shown.rules, Some(&judge).filter(|judge| told && judge.can_tell()));
        let marks = reading.words.iter().filter_map(|seen| mark(seen, &reading, board, shown)).collect();
        let Rules { faces, counting } = &shown.rules;
        let laid = board.layout().dice.into_iter().map(|placed| placed.die);
        let used = laid.filter(|die| !reading.taken.contains(*die)).collect();
        Read {
            marks,
            points: reading.points,
            certain: reading.is_certain(),
            left: counting.all_unused(faces, used),
            says: reading.faults.iter().find_map(|fault| mend(fault, look)),
            rest: rest(&reading),
            out: out(&reading),
        }
    }
}

/// What a number comes of that is not that of the words as they lie.
fn rest(reading: &Reading) -> Option<String> {
    let words: Vec<String> = reading.left.iter().map(|said| said.word.to_string().to_uppercase()).collect();
    (!words.is_empty()).then(|| format!("As it lies, this would count: {}.", words.join(", ")))
}

fn out(reading: &Reading) -> DiceSet {
    let in_words = reading.words.iter().flat_map(|seen| seen.dice.iter().copied());
    in_words.filter(|die| reading.taken.contains(*die)).collect()
}

fn mark(seen: &Seen, reading: &Reading, board: &Board, shown: &Shown) -> Option<Mark> {
    let first = board.dice().get(usize::from(*seen.dice.first()?))?;
    // Without a dictionary a word is neither good nor bad before the table has spoken.
    let ruled = |word: Word| shown.rulings.get(&word).copied();
    let good = match seen.word {
        Some(word) if shown.words == WordsId::None => seen.good.and_then(|_| ruled(word)),
        _ => seen.good,
    };
    Some(Mark {
        word: seen.word,
        at: first.at?,
        across: seen.across,
        letters: seen.dice.len() as i8,
        points: seen.points,
        doubled: doubled(shown.rules.counting, seen.points, seen.dice.len()),
        good,
        counts: reading.counts(seen),
    })
}

fn doubled(counting: Counting, points: i32, letters: usize) -> bool {
    matches!(counting, Counting::IQubes { .. }) && (points == 2 * letters as i32 || points == 30)
}

/// A fault as advice. A die on its way is no fault, and a bad word is marked where it lies.
fn mend(fault: &Fault, look: Look) -> Option<String> {
    match fault {
        Fault::WildUncalled { .. } => Some(format!("Say which letter the {} is.", look.wild())),
        Fault::Apart { dice } if dice.len() == 1 => Some("One lies apart from the others.".to_owned()),
        Fault::Apart { dice } => {
            Some(format!("{} of the {} lie apart: all words hang together.", dice.len(), look.pieces()))
        }
        Fault::Crossed { .. } => {
            Some("Leave a space between words: here each letter belongs to one word only.".to_owned())
        }
        _ => None,
    }
}

/// A word and what it counts: "COD 6 doubled".
pub(super) fn told(mark: &Mark) -> String {
    let word = mark.word.map_or("…".to_owned(), |word| word.to_string().to_uppercase());
    match (mark.good, mark.doubled) {
        (Some(false), _) if mark.word.is_some() => format!("{word} is no word here"),
        _ if mark.word.is_none() => "a word without its letter".to_owned(),
        _ if !mark.counts => format!("{word}, not counted as it lies"),
        (_, true) => format!("{word} {}, doubled", mark.points),
        (_, false) => format!("{word} {}", mark.points),
    }
}

/// How a word is marked: the classes of it, on the sheet and in the list.
pub(super) fn class(mark: &Mark) -> &'static str {
    match (mark.good, mark.counts) {
        (Some(false), _) => "is-bad",
        (_, false) => "is-out",
        (Some(true), true) if mark.doubled => "is-good is-double",
        (Some(true), true) => "is-good",
        (None, true) if mark.doubled => "is-double",
        (None, true) => "",
    }
}

/// What a word counts, as a sign.
pub(super) fn sign(mark: &Mark) -> String {
    match (mark.good, mark.counts) {
        (Some(false), _) => "×".to_owned(),
        (_, false) => "–".to_owned(),
        (_, true) => mark.points.to_string(),
    }
}
