//! The formable words of one throw by length, as bit sets: which have this letter in that place. The words that fit a row
//! of which some columns are begun are found by a few ANDs.

use words::MAX_LETTERS;

use crate::dictionary::{Letters, Spelt};

/// The words of one length.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub(crate) words: Vec<Spelt>,
    /// Where the letters of its first word begin in [`Letterings`].
    first: u32,
    /// By word: its letters as bars (see [`Bars`]), and how many dice it needs beyond all that show its letters.
    needs: Vec<(u16, u8)>,
    blocks: usize,
    /// By place, letter and block of 64 words.
    places: Vec<u64>,
}

/// The letters of all rows, one word after the other, each with the same room.
pub(crate) type Letterings = Vec<u8>;

const ROOM: usize = MAX_LETTERS + 1;

/// How many dice show each letter, as one bar of bits for each letter: what a word needs beyond is a plain AND away.
#[derive(Debug)]
pub(crate) struct Bars {
    first: [u8; 26],
    counts: [u8; 26],
}

impl Bars {
    pub(crate) fn new(counts: [u8; 26]) -> Self {
        let mut first = [0; 26];
        let mut next = 0;
        for (first, count) in first.iter_mut().zip(counts) {
            *first = next;
            next += count;
        }
        Self { first, counts }
    }

    /// These letters as bars, and how many of them stand above all dice.
    pub(crate) fn of(&self, letters: impl IntoIterator<Item = u8>) -> (u16, u8) {
        let mut counts = [0; 26];
        let (mut bars, mut over) = (0, 0);
        for letter in letters {
            let n = &mut counts[usize::from(letter)];
            if *n < self.counts[usize::from(letter)] {
                bars |= 1 << (self.first[usize::from(letter)] + *n);
                *n += 1;
            } else {
                over += 1;
            }
        }
        (bars, over)
    }
}

impl Rows {
    /// By length, of words in alphabetical order.
    pub(crate) fn by_length(words: &[Spelt], bars: &Bars) -> ([Self; MAX_LETTERS + 1], Letterings) {
        let mut all: [Self; MAX_LETTERS + 1] = Default::default();
        for word in words {
            let rows = &mut all[word.letters().len()];
            rows.words.push(*word);
            rows.needs.push(bars.of(word.letters().iter().copied()));
        }
        let mut letterings = Vec::with_capacity(words.len() * ROOM);
        for (length, rows) in all.iter_mut().enumerate() {
            rows.first = letterings.len() as u32;
            for word in &rows.words {
                letterings.extend_from_slice(word.letters());
                letterings.resize(letterings.len().next_multiple_of(ROOM), 0);
            }
            rows.blocks = rows.words.len().div_ceil(64);
            rows.places = vec![0; length * 26 * rows.blocks];
            for (n, word) in rows.words.iter().enumerate() {
                for (place, &letter) in word.letters().iter().enumerate() {
                    rows.places[(place * 26 + usize::from(letter)) * rows.blocks + n / 64] |= 1 << (n % 64);
                }
            }
        }
        (all, letterings)
    }

    /// Where the letters of a word begin.
    pub(crate) fn lettering(&self, word: usize) -> u32 {
        self.first + (word * ROOM) as u32
    }

    /// Pushes the words (where their letters begin) that have one of the letters `at` each place (where it says something) and need no more than
    /// `wilds` dice beyond `bars`.
    pub(crate) fn fitting(&self, at: &[Option<Letters>], bars: u16, wilds: u8, found: &mut Vec<u32>) {
        for block in 0..self.blocks {
            let mut fit = u64::MAX;
            for (place, letters) in at.iter().enumerate() {
                let Some(mut letters) = *letters else { continue };
                let mut any = 0;
                while letters != 0 {
                    let letter = letters.trailing_zeros() as usize;
                    letters &= letters - 1;
                    any |= self.places[(place * 26 + letter) * self.blocks + block];
                }
                fit &= any;
                if fit == 0 {
                    break;
                }
            }
            if block + 1 == self.blocks && !self.words.len().is_multiple_of(64) {
                fit &= (1 << (self.words.len() % 64)) - 1;
            }
            while fit != 0 {
                let word = block * 64 + fit.trailing_zeros() as usize;
                fit &= fit - 1;
                let (needs, over) = self.needs[word];
                let missing = needs & !bars;
                if missing == 0 && over <= wilds
                    || wilds > 0 && missing.count_ones() + u32::from(over) <= u32::from(wilds)
                {
                    found.push(self.lettering(word));
                }
            }
        }
    }
}
