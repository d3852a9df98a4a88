//! What the dice on the desk read and count, worked out in the page on every move: it is quicker than asking the table.

use super::piece::Look;
use super::shown::Shown;
use letters::{Board, Rules, Spot};
use std::sync::Arc;
use words::{Counting, Fault, Letter, Lexicon, Word, WordsId, shelf};

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
}

/// The dice as they lie, in words and points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Read {
    /// The runs, first those across.
    pub marks: Vec<Mark>,
    /// What they count, what is left over taken off.
    pub points: i32,
    /// What the dice left over take off.
    pub left: i32,
    /// What to mend, in words.
    pub says: Option<String>,
}

/// Who says what a word is.
enum Judge {
    /// Nobody, while the dice are arranged.
    Silent,
    /// The dictionary.
    Book(Arc<Lexicon>),
    /// The table, by what it decided before.
    Table,
}

impl Read {
    /// Reads the dice of a throw as they lie on a board.
    pub fn of(board: &Board, shown: &Shown, look: Look) -> Read {
        let judge = match shown.words {
            _ if !shown.judge && shown.turn.reading.is_some() => Judge::Silent,
            WordsId::None => Judge::Table,
            words => shelf::find(&words).map_or(Judge::Silent, Judge::Book),
        };
        let good = |word: &[Letter]| match &judge {
            Judge::Silent => true,
            Judge::Book(lexicon) => lexicon.contains(word),
            Judge::Table => {
                Word::new(word).is_ok_and(|word| shown.rulings.get(&word).copied().unwrap_or(true))
            }
        };
        let Rules { faces, counting } = &shown.rules;
        let checked = board.layout().check(faces, *counting, good);
        let marks: Vec<Mark> = checked
            .runs()
            .iter()
            .map(|run| Mark {
                word: run.word,
                at: Spot(run.x, run.y),
                across: run.across,
                letters: run.dice().len() as i8,
                points: run.points,
                doubled: doubled(*counting, run.points, run.dice().len()),
                good: match (&judge, run.word) {
                    (_, None) => Some(false),
                    (Judge::Silent, _) => None,
                    (Judge::Table, Some(word)) => shown.rulings.get(&word).copied(),
                    (Judge::Book(_), Some(_)) => Some(run.valid),
                },
            })
            .collect();
        let left = counting.all_unused(faces, checked.used());
        let valid = checked.runs().iter().filter(|run| run.valid);
        let points = valid.map(|run| run.points).sum::<i32>() - left;
        let says = checked.faults().iter().find_map(|fault| mend(fault, shown, look));
        Read { marks, points, left, says }
    }
}

fn doubled(counting: Counting, points: i32, letters: usize) -> bool {
    matches!(counting, Counting::IQubes { .. }) && (points == 2 * letters as i32 || points == 30)
}

/// A fault as advice. A die on its way is no fault, and a bad word is marked where it lies.
fn mend(fault: &Fault, shown: &Shown, look: Look) -> Option<String> {
    match fault {
        Fault::WildUncalled { .. } => Some(format!("Say which letter the {} is.", look.wild())),
        Fault::Apart { dice } if dice.len() == 1 => Some("One lies apart from the others.".to_owned()),
        Fault::Apart { dice } => {
            Some(format!("{} of the {} lie apart: all words hang together.", dice.len(), look.pieces()))
        }
        Fault::Crossed { die } => {
            let face = shown.rules.faces.get(usize::from(*die))?;
            let letter = face.letter.map_or(look.wild().to_owned(), |letter| letter.upper().to_string());
            Some(format!("The {letter} is in two words; here each belongs to one."))
        }
        _ => None,
    }
}

/// A word and what it counts: "COD 6 doubled".
pub(super) fn told(mark: &Mark) -> String {
    let word = mark.word.map_or("…".to_owned(), |word| word.to_string().to_uppercase());
    match (mark.good, mark.doubled) {
        (Some(false), _) if mark.word.is_some() => format!("{word} is no word here"),
        (Some(false), _) => "a word without its letter".to_owned(),
        (_, true) => format!("{word} {}, doubled", mark.points),
        (_, false) => format!("{word} {}", mark.points),
    }
}
