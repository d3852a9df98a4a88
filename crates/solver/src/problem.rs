//! What is asked: the dice of a throw, how layouts of them count, the words that may be laid, and what else the layout
//! must do.

use words::{Counting, Face, Layout, Letter, Word};

use crate::dictionary::Dictionary;
use crate::engine::MAX_DICE;

/// A throw and what is wanted of it.
///
/// ```
/// use solver::{Dictionary, Outcome, Problem, Search};
/// use words::{Counting, Face, Letter};
///
/// let dictionary = Dictionary::new(["at", "cat", "act"].into_iter().filter_map(|word| word.parse().ok()));
/// let faces: Vec<Face> = "cat".chars().map(|c| Face { letter: Letter::from_char(c), colour: None, value: 1 }).collect();
/// let problem = Problem::new(&faces, Counting::Scribbage, &dictionary)?;
/// let Outcome::Proven(best) = Search::new(&problem).run() else { panic!("nobody stopped it") };
/// assert_eq!(best.score(), 3);
/// # Ok::<(), solver::ProblemError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Problem {
    pub(crate) faces: Vec<Face>,
    pub(crate) counting: Counting,
    pub(crate) dictionary: Dictionary,
    pub(crate) all_dice: bool,
    pub(crate) word: Option<Word>,
    pub(crate) start: Option<Layout>,
}

/// Why a problem cannot be put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProblemError {
    /// Too many dice.
    #[error("{0} dice: a throw to solve has at most {MAX_DICE}")]
    TooManyDice(usize),
    /// The partial layout does not belong to the throw.
    #[error(
        "the layout to go on from has a die {0} that is not in the throw, or has it twice, or on another die"
    )]
    StrangeDie(u8),
    /// A wild of the partial layout has no letter, or a die another letter than it shows.
    #[error("die {0} of the layout to go on from has no letter, or not the one it shows")]
    StrangeLetter(u8),
    /// The young players' rule knows no partial layouts.
    #[error("words that stand apart have no layout to go on from")]
    NoCrossword,
    /// The word is none of the dictionary's, or has fewer than two letters.
    #[error("{0} is no word of this dictionary")]
    NoWord(Word),
}

impl Problem {
    /// The best layout of these dice.
    pub fn new(faces: &[Face], counting: Counting, dictionary: &Dictionary) -> Result<Self, ProblemError> {
        if faces.len() > MAX_DICE {
            return Err(ProblemError::TooManyDice(faces.len()));
        }
        Ok(Self {
            faces: faces.to_vec(),
            counting,
            dictionary: dictionary.clone(),
            all_dice: false,
            word: None,
            start: None,
        })
    }

    /// All dice must be used.
    #[must_use]
    pub fn using_all_dice(self) -> Self {
        Self { all_dice: true, ..self }
    }

    /// This word must be laid.
    pub fn using_word(self, word: Word) -> Result<Self, ProblemError> {
        if !self.dictionary.contains(&word) {
            return Err(ProblemError::NoWord(word));
        }
        Ok(Self { word: Some(word), ..self })
    }

    /// The dice of `start` stay where they are, as they are; others are put to them. Its runs need not be words yet.
    pub fn extending(self, start: &Layout) -> Result<Self, ProblemError> {
        if !self.counting.is_crossword() {
            return Err(ProblemError::NoCrossword);
        }
        for (i, placed) in start.dice.iter().enumerate() {
            let before = &start.dice[..i];
            let again = before.iter().any(|p| p.die == placed.die || (p.x, p.y) == (placed.x, placed.y));
            let Some(face) = self.faces.get(usize::from(placed.die)).filter(|_| !again) else {
                return Err(ProblemError::StrangeDie(placed.die));
            };
            let right = match face.letter {
                Some(letter) => placed.called.is_none_or(|called| called == letter),
                None => placed.called.is_some(),
            };
            if !right {
                return Err(ProblemError::StrangeLetter(placed.die));
            }
        }
        Ok(Self { start: Some(start.clone()).filter(|start| !start.dice.is_empty()), ..self })
    }

    /// The layout to go on from and what it counts, where it is an answer itself: whoever cannot wait gets no less.
    pub(crate) fn as_it_lies(&self) -> Option<(Layout, i32)> {
        let start =
            self.start.as_ref().filter(|start| !self.all_dice || start.dice.len() == self.faces.len())?;
        let known = |letters: &[Letter]| Word::new(letters).is_ok_and(|word| self.dictionary.contains(&word));
        let lies = start.check(&self.faces, self.counting, known);
        let laid = |word: &Word| lies.runs().iter().any(|run| run.word.as_ref() == Some(word));
        let wanted = self.word.as_ref().map_or(!lies.runs().is_empty(), laid);
        Some((start.clone(), lies.count().filter(|_| wanted)?))
    }

    /// The dice of the throw.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// How layouts count.
    pub fn counting(&self) -> Counting {
        self.counting
    }
}
