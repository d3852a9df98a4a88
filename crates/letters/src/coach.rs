//! What a throw was worth: the points made of those that were possible, the best layout, the words within reach.

use crate::best::{Asked, Best, Proof};
use crate::board::Board;
use crate::count::{Count, Rules, Said};
use crate::court::Accepts;
use crate::mind::look;
use crate::reach;
use serde::{Serialize, Serializer};
use solver::{Answer, Problem, Proven, Search};
use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;
use words::notation::{self, Style};
use words::{Layout, Run, Vocabulary, Word, WordsId};

/// How many missed words are worth telling.
const MISSED: usize = 10;

/// The coach's word on one throw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Review {
    /// The points that were made.
    pub points: i32,
    /// The points that could have been made.
    pub possible: Possible,
    /// The best layout that may be shown, as [`words::notation`] writes it, row by row. Where words flagged as offensive count
    /// more, the bound says how much.
    pub layout: Vec<String>,
    /// Its words.
    pub words: Vec<Said>,
    /// Words that the dice could have spelt and that were not laid, those that count most first.
    pub missed: Vec<Missed>,
    /// Whether all dice could be used.
    #[serde(rename = "all-dice")]
    pub all_dice: AllDice,
}

/// The most that a throw can count, and how sure that is. As JSON: `{"score":26,"bound":26,"proven":true,"proof":"accepted"}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possible {
    /// There is no better layout: a search has looked everywhere.
    Proven(Proven),
    /// There is no better layout of words that may be shown. With others there may be.
    Shown {
        /// The best of the words shown.
        best: Proven,
        /// No layout of any words counts more than this.
        bound: i32,
    },
    /// The best so far; the bound is not reached.
    AtLeast(Answer),
    /// Nothing was found, or there is no dictionary to look into.
    Unknown,
}

impl Serialize for Possible {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Figures {
            score: i32,
            bound: i32,
            proven: bool,
            proof: Option<Proof>,
        }
        let figures = |score, bound, proof| {
            Some(Figures { score, bound, proven: proof == Some(Proof::Accepted), proof })
        };
        match self {
            Possible::Proven(best) => figures(best.score(), best.score(), Some(Proof::Accepted)),
            Possible::Shown { best, bound } => figures(best.score(), *bound, Some(Proof::Shown)),
            Possible::AtLeast(answer) => figures(answer.score, answer.bound, None),
            Possible::Unknown => None,
        }
        .serialize(serializer)
    }
}

/// A word that was within reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Missed {
    /// The word.
    pub word: Word,
    /// What it counts by itself.
    pub points: i32,
}

/// Whether a layout of all dice was there: in I-Qubes it earns a second throw (IQ-S6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum AllDice {
    /// The player used them all.
    Used,
    /// They could have been used, like this.
    Possible {
        /// The layout, row by row.
        layout: Vec<String>,
    },
    /// Nobody could have used them all.
    Impossible,
    /// The search was stopped before it could tell, there is no dictionary, or only a flagged word would do it.
    Unknown,
}

/// Looks at a counted throw for at most so many `nodes` of search, or twice as many where the best words are not fit to be
/// shown; and not much longer than until somebody says `stop`.
pub fn review(
    rules: &Rules,
    accepts: impl Into<Accepts>,
    board: &Board,
    count: &Count,
    style: Style,
    nodes: u64,
    stop: &AtomicBool,
) -> Review {
    let accepts = accepts.into();
    let (words, accepted) = (accepts.words, accepts.vocabulary());
    let rows = |layout: &Layout| notation::rows(layout, &rules.faces, style);
    let asked =
        reach::lexicon(words).map(|lexicon| Asked::new(rules, &lexicon, accepted, Vocabulary::default()));
    // A table without a dictionary decides by itself what a word is: nobody can tell what was possible there.
    let coach = asked.as_ref().filter(|_| words != WordsId::None).map(|asked| Coach { asked, nodes, stop });
    let own = count.left_of(board);
    let (possible, best) = match &coach {
        Some(coach) => coach.possible(count.points, own.layout()),
        None => (Possible::Unknown, Layout::EMPTY),
    };
    let all_dice = match coach {
        _ if own.laid() == rules.faces.len() => AllDice::Used,
        _ if best.dice.len() == rules.faces.len() => AllDice::Possible { layout: rows(&best) },
        Some(coach) => match coach.best(true) {
            Best::Impossible => AllDice::Impossible,
            best => best
                .answer()
                .map_or(AllDice::Unknown, |best| AllDice::Possible { layout: rows(&best.layout) }),
        },
        None => AllDice::Unknown,
    };
    let shown = asked.iter().flat_map(Asked::words);
    Review {
        points: count.points,
        layout: rows(&best),
        words: said(&best, rules),
        possible,
        missed: missed(shown, rules, count),
        all_dice,
    }
}

/// A throw, and how long it may be looked at.
struct Coach<'a> {
    asked: &'a Asked<'a>,
    nodes: u64,
    stop: &'a AtomicBool,
}

impl Coach<'_> {
    /// The best layout, or the best of all dice.
    fn best(&self, all_dice: bool) -> Best {
        let wish = |problem: Problem| Ok(if all_dice { problem.using_all_dice() } else { problem });
        let look = |problem: &Problem| look(&Search::new(problem).stop_when(self.stop), self.nodes);
        self.asked.best(wish, look).unwrap_or(Best::Unanswered { bound: i32::MAX })
    }

    /// What the throw can count, and a layout to show for it, which is the player's own where that counts more than all that
    /// may be shown: people may lay words that the coach does not.
    fn possible(&self, made: i32, own: Layout) -> (Possible, Layout) {
        let own_is = |bound: i32| Answer { layout: own.clone(), score: made, bound: bound.max(made) };
        match self.best(false) {
            Best::Proven(best) => (Possible::Proven(best.clone()), best.layout().clone()),
            Best::Shown { whole: Some(whole), .. } if made >= whole.score() => (Possible::Proven(whole), own),
            Best::Shown { best, bound, .. } if made > best.score() => (Possible::AtLeast(own_is(bound)), own),
            Best::Shown { best, bound, .. } => {
                let layout = best.layout().clone();
                (Possible::Shown { best, bound }, layout)
            }
            Best::Open(answer) => {
                let best = if made > answer.score { own_is(answer.bound) } else { answer };
                (Possible::AtLeast(best.clone()), best.layout)
            }
            Best::Impossible | Best::NotShown | Best::Unanswered { .. } => (Possible::Unknown, Layout::EMPTY),
        }
    }
}

fn said(layout: &Layout, rules: &Rules) -> Vec<Said> {
    let checked = layout.check(&rules.faces, rules.counting, |_| true);
    let said = |run: &Run| run.word.map(|word| Said { word, across: run.across, points: run.points });
    checked.runs().iter().filter_map(said).collect()
}

fn missed(known: impl Iterator<Item = Word>, rules: &Rules, count: &Count) -> Vec<Missed> {
    let laid = |word: &Word| count.words.iter().any(|said| said.word == *word);
    let worth = |word: Word| reach::points(&word, rules).map(|points| Missed { word, points });
    let mut missed: Vec<Missed> = known.filter(|word| !laid(word)).filter_map(worth).collect();
    missed.sort_by_key(|missed| (Reverse(missed.points), Reverse(missed.word.len()), missed.word));
    missed.truncate(MISSED);
    missed
}

#[cfg(test)]
mod tests {
    use super::*;
    use words::{Counting, Face, Lexicon};

    fn rules(word: &Word) -> Rules {
        let face = |letter: &words::Letter| Face { letter: Some(*letter), colour: None, value: 1 };
        Rules { faces: word.iter().map(face).collect(), counting: Counting::Scribbage }
    }

    /// The dice in a row, counted: `points` of them.
    fn laid(rules: &Rules, points: i32) -> (Board, Count) {
        let mut board = Board::beside(rules.faces.len());
        for die in (0..rules.faces.len() as u8).filter(|_| points > 0) {
            board.place(die, crate::board::Spot(die as i8, 0)).expect("a free place");
        }
        (board, Count { points, words: Vec::new(), used: 0, taken: words::DiceSet::default() })
    }

    /// A flagged word of the house beyond all that can be laid with its letters otherwise.
    fn flagged() -> (Word, Rules) {
        let house = Lexicon::house();
        let long = house.words().filter(|(word, entry)| entry.offensive && (4..=6).contains(&word.len()));
        let beyond = |rules: &Rules| {
            let best = |all_dice| {
                let asked = Asked::new(rules, &house, Vocabulary::WHOLE, Vocabulary::default());
                Coach { asked: &asked, nodes: u64::MAX, stop: &AtomicBool::new(false) }.best(all_dice)
            };
            matches!(best(false), Best::Shown { .. }) && best(true) == Best::NotShown
        };
        let mut found = long.map(|(word, _)| (word, rules(&word))).filter(|(_, rules)| beyond(rules));
        found.next().expect("the house has one")
    }

    #[test]
    fn what_is_said_holds_for_words_that_are_not_shown() {
        let (word, rules) = flagged();
        let accepts = Accepts { words: WordsId::default(), offensive: true };
        let review = |points| {
            let (board, count) = laid(&rules, points);
            super::review(&rules, accepts, &board, &count, Style::Jokers, u64::MAX, &AtomicBool::new(false))
        };
        let none = -(rules.faces.len() as i32);
        let Review { possible, words, missed, all_dice, .. } = review(none);
        let json = serde_json::to_value(&possible).expect("it is JSON");
        assert_eq!((&json["proven"], &json["proof"]), (&false.into(), &"shown".into()), "{word}");
        let Possible::Shown { best, bound } = possible else { panic!("{possible:?}: {word} counts more") };
        assert!(bound > best.score());
        assert!(
            words.iter().all(|said| said.word != word) && missed.iter().all(|missed| missed.word != word)
        );
        assert_eq!(all_dice, AllDice::Unknown, "all dice are used by a word that is not shown");
        // Whoever laid it has done the best there is, and sees what he laid.
        let review = review(bound);
        assert!(matches!(&review.possible, Possible::Proven(proven) if proven.score() == bound));
        assert_eq!((&review.layout[..], review.all_dice), (&[word.to_string()][..], AllDice::Used));
    }

    #[test]
    fn without_a_dictionary_nothing_is_proven() {
        let rules = rules(&"planet".parse().expect("a word"));
        let (board, count) = laid(&rules, -6);
        let review = |words| {
            super::review(&rules, words, &board, &count, Style::Jokers, u64::MAX, &AtomicBool::new(false))
        };
        let none = review(WordsId::None);
        assert_eq!((&none.possible, &none.all_dice), (&Possible::Unknown, &AllDice::Unknown));
        assert!(none.layout.is_empty() && none.words.is_empty());
        assert!(!none.missed.is_empty(), "words that the house knows are a hint all the same");
        // Nor where the agreed dictionary is not here.
        let gone = review("list:0123456789abcdef".parse().expect("a name"));
        assert_eq!((gone.possible, gone.all_dice), (Possible::Unknown, AllDice::Unknown));
        assert!(matches!(review(WordsId::default()).possible, Possible::Proven(_)));
    }
}
