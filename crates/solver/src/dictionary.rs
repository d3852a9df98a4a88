//! The words a search may lay, in the order a search wants them: alphabetical, each with the set of its letters, so that
//! those a throw can form are found by one pass over flat memory. Built once, then shared.

use std::sync::Arc;

use words::{Lexicon, MAX_LETTERS, Vocabulary, Word};

/// Letters as bits, A lowest.
pub(crate) type Letters = u32;

/// The most dice of a small throw: it looks only at the short words.
const SHORT: usize = 7;

/// A word as plain letter numbers (A is 0), for the inner loops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spelt {
    letters: [u8; MAX_LETTERS],
    len: u8,
}

impl Spelt {
    pub(crate) fn new(word: &Word) -> Self {
        let mut letters = [0; MAX_LETTERS];
        for (place, letter) in letters.iter_mut().zip(word.iter()) {
            *place = letter.index() as u8;
        }
        Self { letters, len: word.len() as u8 }
    }

    /// Its letters.
    pub(crate) fn letters(&self) -> &[u8] {
        &self.letters[..self.len as usize]
    }
}

/// Words in alphabetical order beside the sets of their letters.
#[derive(Debug, Default)]
struct Shelf {
    sets: Vec<Letters>,
    words: Vec<Spelt>,
}

impl Shelf {
    fn push(&mut self, word: Spelt) {
        self.sets.push(word.letters().iter().fold(0, |set, &letter| set | 1 << letter));
        self.words.push(word);
    }
}

/// The vocabulary of a search: an index over the words of a lexicon. Cheap to clone, made in a few milliseconds.
///
/// ```
/// use solver::Dictionary;
/// let dictionary = Dictionary::new(["at", "cat", "act"].into_iter().filter_map(|word| word.parse().ok()));
/// assert_eq!(dictionary.len(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Dictionary {
    shelves: Arc<[Shelf; 2]>,
}

impl Dictionary {
    /// These words, in any order; those of fewer than two letters are left out.
    pub fn new(words: impl IntoIterator<Item = Word>) -> Self {
        let mut words: Vec<Word> = words.into_iter().filter(|word| word.len() >= 2).collect();
        if !words.is_sorted() {
            words.sort_unstable();
        }
        words.dedup();
        let mut shelves = [Shelf::default(), Shelf::default()];
        for word in &words {
            let spelt = Spelt::new(word);
            if word.len() <= SHORT {
                shelves[0].push(spelt);
            }
            shelves[1].push(spelt);
        }
        Self { shelves: Arc::new(shelves) }
    }

    /// The words of `lexicon` that `vocabulary` has.
    pub fn of(lexicon: &Lexicon, vocabulary: Vocabulary) -> Self {
        Self::new(lexicon.words().filter(|&(_, entry)| vocabulary.has(entry)).map(|(word, _)| word))
    }

    /// How many words it has.
    pub fn len(&self) -> usize {
        self.shelves[1].words.len()
    }

    /// Has it no word at all?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Is this one of its words?
    pub fn contains(&self, word: &Word) -> bool {
        let wanted = Spelt::new(word);
        self.shelves[1].words.binary_search_by(|spelt| spelt.letters().cmp(wanted.letters())).is_ok()
    }

    /// The words, in alphabetical order, that can be formed from `counts` of each letter and `wilds` more dice of any.
    pub(crate) fn formable(&self, counts: &[u8; 26], wilds: u8) -> Vec<Spelt> {
        let dice = counts.iter().sum::<u8>() + wilds;
        let shelf = &self.shelves[usize::from(usize::from(dice) > SHORT)];
        let have: Letters =
            (0..26).filter(|&letter| counts[letter] > 0).fold(0, |set, letter| set | 1 << letter);
        let mut found = Vec::new();
        let near = |set: Letters| {
            let mut missing = set & !have;
            for _ in 0..wilds {
                missing &= missing.wrapping_sub(1);
            }
            missing == 0
        };
        for (sets, words) in shelf.sets.chunks(16).zip(shelf.words.chunks(16)) {
            // The first look is over flat memory only: most stretches have no word near.
            if !sets.iter().fold(false, |any, &set| any | near(set)) {
                continue;
            }
            for (&set, word) in sets.iter().zip(words) {
                if near(set) && word.len <= dice && missing_dice(word.letters(), counts) <= wilds {
                    found.push(*word);
                }
            }
        }
        found
    }
}

/// How many dice a word needs beyond `counts`.
fn missing_dice(letters: &[u8], counts: &[u8; 26]) -> u8 {
    let mut left = *counts;
    let mut missing = 0;
    for &letter in letters {
        match left[usize::from(letter)].checked_sub(1) {
            Some(fewer) => left[usize::from(letter)] = fewer,
            None => missing += 1,
        }
    }
    missing
}
