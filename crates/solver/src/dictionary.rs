//! The words a search may lay, filed so that those a throw can form are found at once: by their two rarest letters, each
//! with the set of its letters. Built once, then shared.

use std::ops::Range;
use std::sync::Arc;

use words::{Lexicon, MAX_LETTERS, Vocabulary, Word};

/// Letters as bits, A lowest.
pub(crate) type Letters = u32;

/// The most dice of a small throw: it looks only at the short words.
const SHORT: usize = 7;

/// The letters from the rarest to the most common, roughly as words have them.
const RAREST_FIRST: &[u8; 26] = b"jqxzwkvfybhgmpudclotnraise";

/// A word as plain letter numbers (A is 0), for the inner loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spelt {
    /// Filled up with the first letter; the length then puts a word before those that begin with it.
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

    fn set(&self) -> Letters {
        self.letters().iter().fold(0, |set, &letter| set | 1 << letter)
    }
}

/// Words beside the sets of their letters, filed by their two rarest letters.
#[derive(Debug)]
struct Shelf {
    sets: Vec<Letters>,
    words: Vec<Spelt>,
    /// By [`file_of`]: where its words begin; one more for the end.
    files: Vec<u32>,
}

const FILES: usize = 26 * 26;

impl Shelf {
    fn new(words: impl Iterator<Item = Spelt>) -> Self {
        let mut filed: Vec<(usize, Spelt)> = words.map(|word| (file_of(word.set()), word)).collect();
        filed.sort_by_key(|&(file, _)| file);
        let first = |file| filed.partition_point(|&(f, _)| f < file) as u32;
        let files = (0..=FILES).map(first).collect();
        let words: Vec<Spelt> = filed.into_iter().map(|(_, word)| word).collect();
        Self { sets: words.iter().map(Spelt::set).collect(), words, files }
    }

    fn file(&self, file: usize) -> Range<usize> {
        self.files[file] as usize..self.files[file + 1] as usize
    }
}

/// The number of a file: the ranks of the two rarest letters of a set.
fn file_of(set: Letters) -> usize {
    let mut ranks = (0..26).filter(|&rank| set & letter_of(rank) != 0);
    let rarest = ranks.next().unwrap_or(25);
    rarest * 26 + ranks.next().unwrap_or(rarest)
}

/// The letter of a rank, as a bit.
fn letter_of(rank: usize) -> Letters {
    1 << (RAREST_FIRST[rank] - b'a')
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
    /// The short words, and all words.
    shelves: Arc<[Shelf; 2]>,
}

impl Dictionary {
    /// These words, in any order; those of fewer than two letters are left out.
    pub fn new(words: impl IntoIterator<Item = Word>) -> Self {
        let mut words: Vec<Spelt> =
            words.into_iter().filter(|word| word.len() >= 2).map(|word| Spelt::new(&word)).collect();
        words.sort_unstable();
        words.dedup();
        let short = words.iter().filter(|word| word.letters().len() <= SHORT);
        let short = Shelf::new(short.copied());
        Self { shelves: Arc::new([short, Shelf::new(words.into_iter())]) }
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
        let shelf = &self.shelves[1];
        shelf.words[shelf.file(file_of(wanted.set()))].binary_search(&wanted).is_ok()
    }

    /// The words, in alphabetical order, that can be formed from `counts` of each letter and `wilds` more dice of any.
    pub(crate) fn formable(&self, counts: &[u8; 26], wilds: u8) -> Vec<Spelt> {
        let dice = counts.iter().sum::<u8>() + wilds;
        let shelf = &self.shelves[usize::from(usize::from(dice) > SHORT)];
        let have: Letters =
            (0..26).filter(|&letter| counts[letter] > 0).fold(0, |set, letter| set | 1 << letter);
        let mut found = Vec::new();
        for rarest in 0..26 {
            for next in rarest..26 {
                let missing = (letter_of(rarest) | letter_of(next)) & !have;
                let file = shelf.file(rarest * 26 + next);
                if missing.count_ones() <= u32::from(wilds) && !file.is_empty() {
                    let (sets, words) = (&shelf.sets[file.clone()], &shelf.words[file]);
                    look_through(sets, words, counts, have, wilds, &mut found);
                }
            }
        }
        found.retain(|word: &Spelt| word.len <= dice);
        found.sort_unstable();
        found
    }
}

/// So many sets are looked at in one go: nearly always none of them fits.
const GO: usize = 16;

fn look_through(
    sets: &[Letters],
    words: &[Spelt],
    counts: &[u8; 26],
    have: Letters,
    wilds: u8,
    found: &mut Vec<Spelt>,
) {
    for (sets, words) in sets.chunks(GO).zip(words.chunks(GO)) {
        if sets.iter().fold(false, |any, &set| any | fits(set, have, wilds)) {
            for (&set, word) in sets.iter().zip(words) {
                if fits(set, have, wilds) && missing_dice(word.letters(), counts) <= wilds {
                    found.push(*word);
                }
            }
        }
    }
}

/// Has a set no more letters than `wilds` that are not among those we have?
#[inline]
fn fits(set: Letters, have: Letters, wilds: u8) -> bool {
    let missing = set & !have;
    match wilds {
        0 => missing == 0,
        1 => missing & missing.wrapping_sub(1) == 0,
        wilds => missing.count_ones() <= u32::from(wilds),
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
