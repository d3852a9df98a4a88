//! What a throw was worth: the points made of those that were possible, the best layout, the words within reach.

use crate::board::Board;
use crate::count::{Count, Rules, Said};
use crate::mind::look;
use crate::reach;
use serde::{Serialize, Serializer};
use solver::{Answer, Dictionary, Outcome, Problem, Proven, Search};
use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;
use words::notation::{self, Style};
use words::{Entry, Layout, Run, Tier, Vocabulary, Word, WordsId};

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

/// The most that a throw can count, and how sure that is. As JSON: `{"score":26,"bound":26,"proven":true}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possible {
    /// There is no better layout: a search has looked everywhere.
    Proven(Proven),
    /// The best so far, or the best without a flagged word; the bound is not reached.
    AtLeast(Answer),
    /// Nothing was found, or there is no dictionary to look into.
    Unknown,
}

impl Possible {
    fn answer(&self) -> Option<&Answer> {
        match self {
            Possible::Proven(proven) => Some(proven.answer()),
            Possible::AtLeast(answer) => Some(answer),
            Possible::Unknown => None,
        }
    }
}

impl Serialize for Possible {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Figures {
            score: i32,
            bound: i32,
            proven: bool,
        }
        let proven = matches!(self, Possible::Proven(_));
        self.answer()
            .map(|answer| Figures { score: answer.score, bound: answer.bound, proven })
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
    words: WordsId,
    board: &Board,
    count: &Count,
    style: Style,
    nodes: u64,
    stop: &AtomicBool,
) -> Review {
    let rows = |layout: &Layout| notation::rows(layout, &rules.faces, style);
    let lexicon = reach::lexicon(words);
    let known = lexicon.map(|lexicon| reach::words(&rules.faces, &lexicon, Vocabulary::WHOLE));
    // A table without a dictionary decides by itself what a word is: nobody can tell what was possible there.
    let coach =
        known.as_ref().filter(|_| words != WordsId::None).map(|known| Coach { rules, known, nodes, stop });
    let own = count.left_of(board);
    let (possible, best) = match &coach {
        Some(coach) => coach.possible(count.points, own.layout()),
        None => (Possible::Unknown, Layout::EMPTY),
    };
    let all_dice = match coach {
        _ if own.laid() == rules.faces.len() => AllDice::Used,
        _ if best.dice.len() == rules.faces.len() => AllDice::Possible { layout: rows(&best) },
        Some(coach) => match coach.shown(coach.look(Vocabulary::WHOLE, true), true) {
            Outcome::Proven(proven) => AllDice::Possible { layout: rows(proven.layout()) },
            Outcome::Stopped(answer) => AllDice::Possible { layout: rows(&answer.layout) },
            Outcome::Impossible => AllDice::Impossible,
            Outcome::Unanswered { .. } => AllDice::Unknown,
        },
        None => AllDice::Unknown,
    };
    let shown = known.iter().flatten().filter(|(_, entry)| SHOWN.has(*entry));
    Review {
        points: count.points,
        layout: rows(&best),
        words: said(&best, rules),
        possible,
        missed: missed(shown.map(|&(word, _)| word), rules, count),
        all_dice,
    }
}

/// The words that the coach lays itself. What it says holds for all words of the dictionary: people may lay flagged ones.
const SHOWN: Vocabulary = Vocabulary { tier_max: Tier::T70, clean: true };

/// A throw, and all words that may be laid with it.
struct Coach<'a> {
    rules: &'a Rules,
    known: &'a [(Word, Entry)],
    nodes: u64,
    stop: &'a AtomicBool,
}

impl Coach<'_> {
    fn look(&self, vocabulary: Vocabulary, all_dice: bool) -> Outcome {
        let words = self.known.iter().filter(|(_, entry)| vocabulary.has(*entry)).map(|&(word, _)| word);
        let Ok(problem) = Problem::new(&self.rules.faces, self.rules.counting, &Dictionary::new(words))
        else {
            return Outcome::Unanswered { bound: i32::MAX };
        };
        let problem = if all_dice { problem.using_all_dice() } else { problem };
        look(&Search::new(&problem).stop_when(self.stop), self.nodes)
    }

    /// What the throw can count, and a layout to show for it, which is the player's own where that counts more than all that
    /// may be shown.
    fn possible(&self, made: i32, own: Layout) -> (Possible, Layout) {
        let whole = self.look(Vocabulary::WHOLE, false);
        if let Outcome::Proven(best) = &whole
            && made >= best.score()
            && !self.is_shown(best.layout())
        {
            return (Possible::Proven(best.clone()), own);
        }
        match self.shown(whole, false) {
            Outcome::Proven(proven) => (Possible::Proven(proven.clone()), proven.layout().clone()),
            Outcome::Stopped(answer) => {
                let known = Answer { layout: own, score: made, bound: answer.bound.max(made) };
                let best = if made > answer.score { known } else { answer };
                (Possible::AtLeast(best.clone()), best.layout)
            }
            Outcome::Impossible | Outcome::Unanswered { .. } => (Possible::Unknown, Layout::EMPTY),
        }
    }

    /// What was found with all words, as it may be shown: if it takes a flagged word, the best without, which is proven only
    /// if it counts no less.
    fn shown(&self, whole: Outcome, all_dice: bool) -> Outcome {
        let Some(best) = whole.answer().filter(|best| !self.is_shown(&best.layout)) else { return whole };
        let bound = best.bound;
        match self.look(SHOWN, all_dice) {
            Outcome::Proven(proven) if proven.score() >= bound => Outcome::Proven(proven),
            other => match other.answer() {
                Some(answer) => Outcome::Stopped(Answer { bound, ..answer.clone() }),
                None => Outcome::Unanswered { bound },
            },
        }
    }

    /// May all words of a layout be shown?
    fn is_shown(&self, layout: &Layout) -> bool {
        let flagged =
            |word: &Word| self.known.iter().any(|(known, entry)| known == word && !SHOWN.has(*entry));
        said(layout, self.rules).iter().all(|said| !flagged(&said.word))
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
            let known = reach::words(&rules.faces, &house, Vocabulary::WHOLE);
            let coach = Coach { rules, known: &known, nodes: u64::MAX, stop: &AtomicBool::new(false) };
            let score = |vocabulary| coach.look(vocabulary, false).answer().map(|answer| answer.score);
            score(Vocabulary::WHOLE) > score(SHOWN) && coach.look(SHOWN, true) == Outcome::Impossible
        };
        let mut found = long.map(|(word, _)| (word, rules(&word))).filter(|(_, rules)| beyond(rules));
        found.next().expect("the house has one")
    }

    #[test]
    fn what_is_said_holds_for_words_that_are_not_shown() {
        let (word, rules) = flagged();
        let review = |points| {
            let (board, count) = laid(&rules, points);
            super::review(
                &rules,
                WordsId::default(),
                &board,
                &count,
                Style::Jokers,
                u64::MAX,
                &AtomicBool::new(false),
            )
        };
        let none = -(rules.faces.len() as i32);
        let Review { possible, words, missed, all_dice, .. } = review(none);
        let Possible::AtLeast(best) = possible else {
            panic!("{possible:?} is not proven: {word} counts more")
        };
        assert!(best.bound > best.score);
        assert!(
            words.iter().all(|said| said.word != word) && missed.iter().all(|missed| missed.word != word)
        );
        assert_eq!(all_dice, AllDice::Unknown, "all dice are used by a word that is not shown");
        // Whoever laid it has done the best there is, and sees what he laid.
        let review = review(best.bound);
        assert!(matches!(&review.possible, Possible::Proven(proven) if proven.score() == best.bound));
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
