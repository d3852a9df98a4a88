//! The formable words of one throw by length, as bit sets: which have this letter in that place. The words that fit a row
//! of which some columns are begun are found by a few ANDs.

use std::ops::Range;

use words::MAX_LETTERS;

use crate::dictionary::{Letters, Spelt};
use crate::tables::Stock;

/// The words of one length.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub(crate) words: Vec<Spelt>,
    /// Where the letters of its first word begin in [`Letterings`].
    first: u32,
    /// By word: its letters as bars (see [`Bars`]), and how many dice it needs beyond all that show its letters.
    needs: Vec<(u16, u8)>,
    /// By word: the dice of its bars, where dice of one letter are alike.
    stocks: Vec<Stock>,
    /// By place and word: its letters from there on.
    ends: Vec<End>,
    blocks: usize,
    /// By place, letter and block of 64 words.
    places: Vec<u64>,
}

/// The last letters of a word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct End {
    /// As bars, and from the seventeenth bit a bit for every die that they need beyond all that show them.
    pub(crate) needs: u32,
    /// The dice of its bars, where dice of one letter are alike.
    pub(crate) stock: Stock,
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

    /// These bars and one die more that shows `letter`.
    pub(crate) fn one_more(&self, bars: u16, letter: u8) -> u16 {
        let letter = usize::from(letter);
        let all = (((1_u32 << self.counts[letter]) - 1) << self.first[letter]) as u16;
        let free = all & !bars;
        bars | free & free.wrapping_neg()
    }

    /// What an [`End`] needs with one letter more, when it has `counts` of each.
    fn need_one(&self, needs: u32, letter: u8, counts: &mut [u8; 26]) -> u32 {
        let letter = usize::from(letter);
        if counts[letter] == self.counts[letter] {
            return needs | (needs >> 16 << 1 | 1) << 16;
        }
        counts[letter] += 1;
        needs | 1 << (self.first[letter] + counts[letter] - 1)
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
            rows.ends = vec![End::default(); length * rows.words.len()];
            for (n, word) in rows.words.iter().enumerate() {
                let (mut counts, mut needs) = ([0; 26], 0);
                for (place, &letter) in word.letters().iter().enumerate().rev() {
                    needs = bars.need_one(needs, letter, &mut counts);
                    rows.ends[place * rows.words.len() + n].needs = needs;
                }
            }
            rows.places = vec![0; length * 26 * rows.blocks];
            for (n, word) in rows.words.iter().enumerate() {
                for (place, &letter) in word.letters().iter().enumerate() {
                    rows.places[(place * 26 + usize::from(letter)) * rows.blocks + n / 64] |= 1 << (n % 64);
                }
            }
        }
        (all, letterings)
    }

    /// Writes down the dice of each word, as `stock_of` tells them from its bars.
    pub(crate) fn take_stock(&mut self, stock_of: impl Fn(u16) -> Stock) {
        for end in &mut self.ends {
            end.stock = stock_of(end.needs as u16);
        }
        self.stocks = self.needs.iter().map(|&(bars, _)| stock_of(bars)).collect();
    }

    /// The dice of all bars of a word.
    #[inline]
    pub(crate) fn stock(&self, word: usize) -> Stock {
        self.stocks[word]
    }

    /// All bars of a word.
    #[inline]
    pub(crate) fn needs(&self, word: usize) -> u16 {
        self.needs[word].0
    }

    /// Where the letters of a word begin.
    pub(crate) fn lettering(&self, word: usize) -> u32 {
        self.first + (word * ROOM) as u32
    }

    /// Some words from a place on.
    #[inline]
    pub(crate) fn ends(&self, place: usize, words: Range<usize>) -> &[End] {
        let at = place * self.words.len();
        &self.ends[at + words.start..at + words.end]
    }

    /// How many blocks of 64 words there are.
    pub(crate) fn blocks(&self) -> usize {
        self.blocks
    }

    /// Appends the set of the words that need no more than `wilds` dice beyond `bars`.
    pub(crate) fn spelt(&self, bars: u16, wilds: u8, sets: &mut Vec<u64>) {
        let words = self.ends[..self.words.len()].chunks(64);
        let missing = |end: &End| end.needs & !u32::from(bars);
        match wilds {
            0 => sets.extend(words.map(|words| set_of(words, |end| missing(end) == 0))),
            1 => sets.extend(
                words.map(|words| set_of(words, |end| missing(end) & missing(end).wrapping_sub(1) == 0)),
            ),
            _ => sets.extend(
                words.map(|words| set_of(words, |end| missing(end).count_ones() <= u32::from(wilds))),
            ),
        }
    }

    /// Appends the set of the words that have one of these letters at a place.
    pub(crate) fn with(&self, place: usize, mut letters: Letters, sets: &mut Vec<u64>) {
        let from = sets.len();
        sets.resize(from + self.blocks, 0);
        while letters != 0 {
            let letter = letters.trailing_zeros() as usize;
            letters &= letters - 1;
            let with = &self.places[(place * 26 + letter) * self.blocks..][..self.blocks];
            for (set, with) in sets[from..].iter_mut().zip(with) {
                *set |= with;
            }
        }
    }

    /// How many dice a word needs beyond `bars`.
    #[inline]
    pub(crate) fn missing(&self, word: usize, bars: u16) -> u8 {
        missing(self.needs[word], bars)
    }
}

#[inline]
fn missing((needs, over): (u16, u8), bars: u16) -> u8 {
    (needs & !bars).count_ones() as u8 + over
}

/// The first 64 words at most, as bits, that have what is asked.
fn set_of(words: &[End], has: impl Fn(&End) -> bool) -> u64 {
    words.iter().rev().fold(0, |set, end| set << 1 | u64::from(has(end)))
}
