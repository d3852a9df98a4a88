//! A hint for somebody who arranges: one everyday word that goes well with what lies there.

use crate::count::Rules;
use crate::court::Accepts;
use crate::greedy;
use crate::reach;
use words::{Layout, Letter, Tier, Vocabulary, Word};

/// The words of a hint are such as everybody knows.
const KNOWN: Vocabulary = Vocabulary { tier_max: Tier::T50, clean: true };

/// What lies there with one more word, the one that makes most of it. `None` if no word fits, or while something that lies
/// there must be mended first.
///
/// ```
/// # use letters::{Rules, hint};
/// # use words::{Counting, Layout, WordsId, notation};
/// let (_, faces) = notation::read("DASHTOE", notation::Style::Colours, |tile| tile.face(0))?;
/// let rules = Rules { faces, counting: Counting::IQubes { long_word: false } };
/// let first = hint(&rules, WordsId::default(), &Layout::EMPTY).expect("a word is there");
/// let second = hint(&rules, WordsId::default(), &first);
/// assert!(second.is_none_or(|second| second.dice.len() > first.dice.len()));
/// # Ok::<(), notation::NotationError>(())
/// ```
pub fn hint(rules: &Rules, accepts: impl Into<Accepts>, laid: &Layout) -> Option<Layout> {
    let accepts = accepts.into();
    let (lexicon, accepted) = (reach::lexicon(accepts.words)?, accepts.vocabulary());
    let taken = |word: &[Letter]| lexicon.entry(word).is_some_and(|entry| accepted.has(entry));
    let whole = laid.check(&rules.faces, rules.counting, taken);
    let sound = whole.is_good();
    // A person may lay any word of the table; what comes up beside a hint is such as a hint may show.
    let lies =
        |word: &[Letter]| whole.runs().iter().any(|run| run.word.is_some_and(|lying| lying[..] == *word));
    let good = |word: &[Letter]| {
        lexicon.entry(word).is_some_and(|entry| Vocabulary::default().has(entry)) || lies(word)
    };
    let known = reach::words(&rules.faces, &lexicon, KNOWN);
    let known: Vec<Word> = known.into_iter().map(|(word, _)| word).collect();
    sound.then(|| greedy::step(rules, &known, good, laid)).flatten()
}
