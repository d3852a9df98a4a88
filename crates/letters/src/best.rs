//! The best layout of a throw, and what a proof of it is a proof of.
//!
//! A table accepts the words of its list, those flagged as offensive only where it says so. What the house lays by itself (solver,
//! coach, hints, bots) always leaves these out, and whatever else it was asked to. A search proves something of the words it was
//! given, and of no others. So a best is called [`Best::Proven`] only where no layout of any words that the table accepts counts more. Where words
//! that are not shown count more, or may, it is [`Best::Shown`]: proven too, but of the words shown.
//!
//! Both together are hardly more work than one. The search goes over all words that the table accepts; nearly always what it finds
//! can be shown, and all is said. Only where it takes a word that is not shown is there another search, without those.

use crate::count::Rules;
use crate::reach;
use serde::{Deserialize, Serialize};
use solver::{Answer, Dictionary, Outcome, Problem, ProblemError, Proven};
use words::{Entry, Layout, Lexicon, MAX_DICE, Tier, Vocabulary, Word};

/// Of which words a best is the best. As JSON beside it: `"accepted"`, `"shown"`, or `null` where the search was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// Of all that the word list accepts.
    Accepted,
    /// Of the words that are shown; those that are left out may count more.
    Shown,
}

/// The best there is, as far as it is known and may be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Best {
    /// No layout of any words that the table accepts counts more.
    Proven(Proven),
    /// No layout of the words shown counts more.
    Shown {
        /// The best of them.
        best: Proven,
        /// No layout of any words counts more than this; where rarer words were left out by wish, none of those wished for.
        bound: i32,
        /// The best of all words, with some that are not shown, where that is known.
        whole: Option<Proven>,
    },
    /// The best so far: the search was stopped. The bound is that of all words which the table accepts.
    Open(Answer),
    /// No layout of any words does what was asked.
    Impossible,
    /// None of the words shown does; others may.
    NotShown,
    /// The search was stopped before it had found one.
    Unanswered {
        /// No layout of any words counts more than this.
        bound: i32,
    },
}

impl Best {
    /// The layout to be shown.
    pub fn answer(&self) -> Option<&Answer> {
        match self {
            Best::Proven(best) | Best::Shown { best, .. } => Some(best.answer()),
            Best::Open(answer) => Some(answer),
            Best::Impossible | Best::NotShown | Best::Unanswered { .. } => None,
        }
    }

    /// No layout counts more than this.
    pub fn bound(&self) -> Option<i32> {
        match self {
            Best::Proven(best) => Some(best.score()),
            Best::Open(Answer { bound, .. }) | Best::Shown { bound, .. } | Best::Unanswered { bound } => {
                Some(*bound)
            }
            Best::Impossible | Best::NotShown => None,
        }
    }

    /// Of which words it is proven, that there is nothing better or nothing at all.
    pub fn proof(&self) -> Option<Proof> {
        match self {
            Best::Proven(_) | Best::Impossible => Some(Proof::Accepted),
            Best::Shown { .. } | Best::NotShown => Some(Proof::Shown),
            Best::Open(_) | Best::Unanswered { .. } => None,
        }
    }
}

/// A throw, the words that the table accepts and these dice can spell, and which of them may be shown.
#[derive(Debug)]
pub struct Asked<'a> {
    rules: &'a Rules,
    known: Vec<(Word, Entry)>,
    shown: Vocabulary,
}

impl<'a> Asked<'a> {
    /// A throw at a table that accepts these words of a list, of which those may be shown.
    pub fn new(rules: &'a Rules, lexicon: &Lexicon, accepted: Vocabulary, shown: Vocabulary) -> Asked<'a> {
        // More dice are no problem to be put; it says so itself.
        let faces = if rules.faces.len() > MAX_DICE { &[] } else { &rules.faces[..] };
        Asked { rules, known: reach::words(faces, lexicon, accepted), shown }
    }

    /// The words that may be shown.
    pub fn words(&self) -> impl Iterator<Item = Word> {
        self.known.iter().filter(|(_, entry)| self.shown.has(*entry)).map(|&(word, _)| word)
    }

    /// May all words of a layout be shown?
    pub fn shows(&self, layout: &Layout) -> bool {
        let hidden = |word: &Word| {
            let known = self.known.binary_search_by_key(&word, |(known, _)| known);
            known.is_ok_and(|at| !self.shown.has(self.known[at].1))
        };
        let checked = layout.check(&self.rules.faces, self.rules.counting, |_| true);
        !checked.runs().iter().filter_map(|run| run.word.as_ref()).any(hidden)
    }

    /// The best layout of the words shown: the question of [`Asked::best`] with those alone.
    pub fn problem(&self) -> Result<Problem, ProblemError> {
        self.problem_of(self.shown)
    }

    fn problem_of(&self, vocabulary: Vocabulary) -> Result<Problem, ProblemError> {
        let words = self.known.iter().filter(|(_, entry)| vocabulary.has(*entry)).map(|&(word, _)| word);
        Problem::new(&self.rules.faces, self.rules.counting, &Dictionary::new(words))
    }

    /// The best layout, and of which words it is the best. `wish` puts to the problem what else the layout must do; `look`
    /// searches.
    pub fn best(
        &self,
        wish: impl Fn(Problem) -> Result<Problem, ProblemError>,
        mut look: impl FnMut(&Problem) -> Outcome,
    ) -> Result<Best, ProblemError> {
        let shown = wish(self.problem()?)?;
        if self.known.iter().all(|(_, entry)| self.shown.has(*entry)) {
            return Ok(of_all(look(&shown)));
        }
        if self.shown.tier_max < Tier::T70 {
            // Whoever asks for common words only wants the best of those, and not to wait for another.
            return Ok(of_shown(look(&shown), None));
        }
        let whole = look(&wish(self.problem_of(Vocabulary::WHOLE)?)?);
        match whole.answer() {
            Some(best) if !self.shows(&best.layout) => Ok(of_shown(look(&shown), Some(&whole))),
            _ => Ok(of_all(whole)),
        }
    }
}

/// What comes of a search among all words that the table accepts.
fn of_all(outcome: Outcome) -> Best {
    match outcome {
        Outcome::Proven(best) => Best::Proven(best),
        Outcome::Stopped(answer) => Best::Open(answer),
        Outcome::Impossible => Best::Impossible,
        Outcome::Unanswered { bound } => Best::Unanswered { bound },
    }
}

/// What comes of a search among the words shown, after one among all words, if there was one.
fn of_shown(outcome: Outcome, whole: Option<&Outcome>) -> Best {
    let most = whole.and_then(Outcome::answer).map(|answer| answer.bound);
    match outcome {
        Outcome::Proven(best) if most.is_some_and(|most| best.score() >= most) => Best::Proven(best),
        Outcome::Proven(best) => {
            let bound = most.unwrap_or(best.score());
            Best::Shown { bound, whole: whole.and_then(Outcome::proven).cloned(), best }
        }
        Outcome::Stopped(answer) => Best::Open(Answer { bound: most.unwrap_or(answer.bound), ..answer }),
        Outcome::Impossible => Best::NotShown,
        Outcome::Unanswered { bound } => Best::Unanswered { bound: most.unwrap_or(bound) },
    }
}
