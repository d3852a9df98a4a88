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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    fn twice(&self) -> Letters {
        let (mut once, mut twice, mut thrice) = (0, 0, 0);
        for letter in self.letters().iter().map(|&letter| 1 << letter) {
            thrice |= twice & letter;
            twice |= once & letter;
            once |= letter;
        }
        twice | if thrice == 0 { 0 } else { THRICE }
    }

    /// Letters and length as one number, in alphabetical order: quicker to compare than a row of bytes.
    fn order(&self) -> u128 {
        let mut bytes = [0; MAX_LETTERS + 1];
        bytes[..MAX_LETTERS].copy_from_slice(&self.letters);
        bytes[MAX_LETTERS] = self.len;
        u128::from_be_bytes(bytes)
    }
}

/// Words in alphabetical order, and an index of them by their two rarest letters.
#[derive(Debug)]
struct Shelf {
    words: Vec<Spelt>,
    /// The letters of the words, file by file, and what else is to be known of each.
    sets: Vec<Letters>,
    cards: Vec<Card>,
    /// By [`file_of`]: where its words begin; one more for the end.
    files: Vec<u32>,
}

/// What a file says of a word beside its letters.
#[derive(Clone, Copy, Debug)]
struct Card {
    /// The letters that it has twice, and [`THRICE`] where it has one more often.
    twice: Letters,
    /// Its place among the words.
    place: u32,
}

/// No letter: a mark beside them.
const THRICE: Letters = 1 << 31;

const FILES: usize = 26 * 26;

impl Shelf {
    /// Of words in alphabetical order.
    fn new(words: Vec<Spelt>) -> Self {
        let mut filed: Vec<(usize, u32)> =
            words.iter().enumerate().map(|(place, word)| (file_of(word.set()), place as u32)).collect();
        filed.sort_unstable();
        let first = |file| filed.partition_point(|&(f, _)| f < file) as u32;
        let card = |&(_, place): &(usize, u32)| Card { twice: words[place as usize].twice(), place };
        Self {
            files: (0..=FILES).map(first).collect(),
            sets: filed.iter().map(|&(_, place)| words[place as usize].set()).collect(),
            cards: filed.iter().map(card).collect(),
            words,
        }
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
        words.sort_unstable_by_key(Spelt::order);
        words.dedup();
        let short = words.iter().filter(|word| word.letters().len() <= SHORT).copied().collect();
        Self { shelves: Arc::new([Shelf::new(short), Shelf::new(words)]) }
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
        self.shelves[1].words.binary_search_by_key(&Spelt::new(word).order(), Spelt::order).is_ok()
    }

    /// The words, in alphabetical order, that can be formed from `counts` of each letter and `wilds` more dice of any.
    pub(crate) fn formable(&self, counts: &[u8; 26], wilds: u8) -> Vec<Spelt> {
        let dice = counts.iter().sum::<u8>() + wilds;
        let shelf = &self.shelves[usize::from(usize::from(dice) > SHORT)];
        let with =
            |least: u8| (0..26).fold(0, |set, letter| set | u32::from(counts[letter] >= least) << letter);
        let hand = Hand { counts, once: with(1), twice: with(2) | THRICE, wilds };
        // By place, as bits: so they need no sorting.
        let mut found = vec![0; shelf.words.len().div_ceil(64)];
        for rarest in 0..26 {
            for next in rarest..26 {
                let missing = (letter_of(rarest) | letter_of(next)) & !hand.once;
                if missing.count_ones() <= u32::from(wilds) {
                    shelf.look_through(rarest * 26 + next, &hand, &mut found);
                }
            }
        }
        let mut formable = Vec::with_capacity(found.iter().map(|set| set.count_ones() as usize).sum());
        for (block, mut set) in found.into_iter().enumerate() {
            while set != 0 {
                formable.push(shelf.words[block * 64 + set.trailing_zeros() as usize]);
                set &= set - 1;
            }
        }
        formable
    }
}

/// The dice to form words of.
struct Hand<'a> {
    counts: &'a [u8; 26],
    /// The letters that are there, and those that are there twice.
    once: Letters,
    twice: Letters,
    wilds: u8,
}

/// So many sets are looked at in one go: nearly always none of them fits.
const GO: usize = 16;

impl Shelf {
    /// Adds the places of the words of a file that can be formed.
    fn look_through(&self, file: usize, hand: &Hand, found: &mut [u64]) {
        let (sets, cards) = (&self.sets[self.file(file)], &self.cards[self.file(file)]);
        for (sets, cards) in sets.chunks(GO).zip(cards.chunks(GO)) {
            if sets.iter().fold(false, |any, &set| any | fits(set, hand.once, hand.wilds)) {
                for (&set, &card) in sets.iter().zip(cards) {
                    if self.can_be_formed(set, card, hand) {
                        found[card.place as usize / 64] |= 1 << (card.place % 64);
                    }
                }
            }
        }
    }

    #[inline]
    fn can_be_formed(&self, set: Letters, card: Card, hand: &Hand) -> bool {
        let missing = u64::from(set & !hand.once) << 32 | u64::from(card.twice & !hand.twice);
        missing.count_ones() <= u32::from(hand.wilds)
            && (card.twice & THRICE == 0
                || missing_dice(self.words[card.place as usize].letters(), hand.counts) <= hand.wilds)
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
