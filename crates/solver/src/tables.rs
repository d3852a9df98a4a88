//! What a search needs to know of one throw, laid out flat: the kinds of dice, every sub-multiset of them as a number
//! (a [`Stock`]), the formable words as a trie, and for every stock the most that words laid side by side can count.

use words::{Face, Word};

use crate::count::Count;
use crate::dictionary::{Dictionary, Letters, Spelt};
use crate::engine::MAX_DICE;
use crate::lengths::{LENGTHS, Lengths, NONE};
use crate::trie::{ALL, Tries};

/// A multiset of the dice, as a number in mixed radix: one digit for each kind.
pub(crate) type Stock = u16;

/// Dice that are alike: same face, same colour, same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// Its letter; a wild has none.
    pub(crate) letter: Option<u8>,
    /// Its colour as a bit.
    pub(crate) colour: u8,
    pub(crate) value: u8,
    pub(crate) count: u8,
    /// What one die of this kind adds to a stock.
    pub(crate) unit: Stock,
}

impl Kind {
    /// How many of this kind are in a stock.
    fn within(self, stock: Stock) -> u8 {
        (stock / self.unit % (Stock::from(self.count) + 1)) as u8
    }
}

#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) kinds: Vec<Kind>,
    /// For every letter, its kinds: first and past the last, in `kinds`.
    pub(crate) of_letter: [(u8, u8); 26],
    /// The wild kinds: first and past the last.
    pub(crate) wilds: (u8, u8),
    /// All dice.
    pub(crate) whole: Stock,
    pub(crate) dice: u8,
    /// By stock: the letters it can show.
    pub(crate) shows: Vec<Letters>,
    /// By stock: how many dice it has.
    pub(crate) size: Vec<u8>,
    /// By stock: its value.
    pub(crate) worth: Vec<u16>,
    /// By stock and lengths: see [`Tables::most`].
    most: Vec<i16>,
    /// How many multisets of lengths there are for these dice.
    stride: usize,
    pub(crate) tries: Tries,
    pub(crate) owed: Option<Owed>,
}

/// A word that must be laid.
#[derive(Debug)]
pub(crate) struct Owed {
    /// Its end in the tries.
    pub(crate) leaf: u32,
    /// As [`Tables::most`], with this word among the words.
    most: Vec<i16>,
}

impl Tables {
    /// Of a throw; dice that are in no word at all are left out. `word` is one that must be laid.
    pub(crate) fn new<C: Count>(
        faces: &[Face],
        word: Option<&Word>,
        dictionary: &Dictionary,
        count: C,
    ) -> Self {
        let mut counts = [0; 26];
        let mut wilds = 0;
        for face in faces {
            match face.letter {
                Some(letter) => counts[letter.index()] += 1,
                None => wilds += 1,
            }
        }
        let words = dictionary.formable(&counts, wilds);
        let mut kinds: Vec<Kind> = Vec::new();
        let in_words = words
            .iter()
            .fold(0, |set, word| set | word.letters().iter().fold(0, |set, letter| set | 1 << letter));
        for face in faces
            .iter()
            .filter(|face| in_words != 0 && face.letter.is_none_or(|l| in_words >> l.index() & 1 == 1))
        {
            match kinds.iter_mut().find(|kind| kind.is(*face)) {
                Some(kind) => kind.count += 1,
                None => kinds.push(Kind::of(*face)),
            }
        }
        kinds.sort_by_key(|kind| (kind.letter.unwrap_or(26), kind.colour, kind.value));
        let mut states = 1;
        for kind in &mut kinds {
            kind.unit = states as Stock;
            states *= usize::from(kind.count) + 1;
        }
        let span = |wanted: u8| {
            let from = kinds.partition_point(|kind| kind.letter.unwrap_or(26) < wanted);
            let to = kinds.partition_point(|kind| kind.letter.unwrap_or(26) <= wanted);
            (from as u8, to as u8)
        };
        let dice = kinds.iter().map(|kind| kind.count).sum();
        let mut tables = Self {
            of_letter: std::array::from_fn(|letter| span(letter as u8)),
            wilds: span(26),
            whole: (states - 1) as Stock,
            dice,
            shows: vec![0; states],
            size: vec![0; states],
            worth: vec![0; states],
            most: Vec::new(),
            stride: LENGTHS.up_to[usize::from(dice)],
            tries: Tries::new(&words),
            owed: None,
            kinds,
        };
        tables.fill_stocks(states);
        let gains = tables.gains(&words, states, count);
        tables.most = tables.packing::<C>(&gains);
        if let Some(word) = word {
            tables.owed = tables.owe(&Spelt::new(word), count);
        }
        tables
    }

    /// What changes when `word` must be laid; `None` if these dice cannot spell it.
    fn owe<C: Count>(&self, word: &Spelt, count: C) -> Option<Owed> {
        let leaf = self.tries.find(word.letters())?;
        let size = word.letters().len();
        let mut left: Vec<u8> = self.kinds.iter().map(|kind| kind.count).collect();
        let mut spellings = Vec::new();
        self.spell(word.letters(), 0, &mut left, &mut |stock| spellings.push(stock));
        spellings.sort_unstable();
        spellings.dedup();
        let words = WordStocks::new(self, &vec![0; self.size.len()]);
        let mut most = vec![IMPOSSIBLE; self.most.len()];
        for stock in 0..self.size.len() {
            for &spelling in
                spellings.iter().filter(|&&s| words.bars[usize::from(s)] & !words.bars[stock] == 0)
            {
                let gain = self.gain_of(spelling, count) as i16;
                for lengths in 0..self.stride {
                    let rest = LENGTHS.minus[lengths][size];
                    if rest != NONE {
                        let sum = gain + self.most(stock as Stock - spelling, rest);
                        most[stock * self.stride + lengths] = most[stock * self.stride + lengths].max(sum);
                    }
                }
            }
        }
        Some(Owed { leaf, most })
    }

    fn fill_stocks(&mut self, states: usize) {
        let mut done = 1;
        for kind in &self.kinds {
            let shows = kind.letter.map_or(ALL, |letter| 1 << letter);
            for stock in done..done * (usize::from(kind.count) + 1) {
                let rest = stock - done;
                self.shows[stock] = self.shows[rest] | shows;
                self.size[stock] = self.size[rest] + 1;
                self.worth[stock] = self.worth[rest] + u16::from(kind.value);
            }
            done *= usize::from(kind.count) + 1;
        }
        debug_assert_eq!(done, states);
    }

    /// By stock: what a word of exactly these dice counts, 0 where there is none.
    fn gains<C: Count>(&self, words: &[Spelt], states: usize, count: C) -> Vec<u16> {
        let mut gains = vec![0; states];
        let mut left: Vec<u8> = self.kinds.iter().map(|kind| kind.count).collect();
        for word in words {
            self.spell(word.letters(), 0, &mut left, &mut |stock| {
                if gains[usize::from(stock)] == 0 {
                    gains[usize::from(stock)] = self.gain_of(stock, count);
                }
            });
        }
        gains
    }

    /// Every stock with which a word can be spelt.
    fn spell(&self, word: &[u8], stock: Stock, left: &mut [u8], found: &mut impl FnMut(Stock)) {
        let Some((&letter, rest)) = word.split_first() else {
            found(stock);
            return;
        };
        for (from, to) in [self.of_letter[usize::from(letter)], self.wilds] {
            for kind in usize::from(from)..usize::from(to) {
                if left[kind] > 0 {
                    left[kind] -= 1;
                    self.spell(rest, stock + self.kinds[kind].unit, left, found);
                    left[kind] += 1;
                }
            }
        }
    }

    fn gain_of<C: Count>(&self, stock: Stock, count: C) -> u16 {
        let mut colours = 0;
        for kind in &self.kinds {
            if kind.within(stock) > 0 {
                colours |= kind.colour;
            }
        }
        count.gain(self.size[usize::from(stock)], self.worth[usize::from(stock)], colours)
    }

    /// The packing bound: the most that words of exactly these lengths, side by side, can count with dice of this stock;
    /// [`IMPOSSIBLE`] where there are no such words.
    #[inline]
    pub(crate) fn most(&self, stock: Stock, lengths: Lengths) -> i16 {
        self.most[usize::from(stock) * self.stride + usize::from(lengths)]
    }

    /// As [`Tables::most`] where the word that must be laid is not laid yet.
    #[inline]
    pub(crate) fn most_owed(&self, stock: Stock, lengths: Lengths) -> i16 {
        self.owed
            .as_ref()
            .map_or(IMPOSSIBLE, |owed| owed.most[usize::from(stock) * self.stride + usize::from(lengths)])
    }

    fn packing<C: Count>(&self, gains: &[u16]) -> Vec<i16> {
        let words = WordStocks::new(self, gains);
        let mut most = vec![IMPOSSIBLE; gains.len() * self.stride];
        most[0] = 0;
        // For a sum of values it is enough to know which lengths can use a stock up: the value is that of the stock.
        let mut whole = vec![0_u64; if C::ADDS_UP { gains.len() } else { 0 }];
        if C::ADDS_UP {
            whole[0] = 1;
        }
        for stock in 1..gains.len() {
            let size = usize::from(self.size[stock]);
            let below = LENGTHS.up_to[size - 1];
            let (before, row) = most.split_at_mut(stock * self.stride);
            // Some die is in no word.
            for &kind in &words.has[stock] {
                let rest = stock - usize::from(self.kinds[usize::from(kind)].unit);
                let fewer = &before[rest * self.stride..][..below];
                for (most, fewer) in row[..below].iter_mut().zip(fewer) {
                    *most = (*most).max(*fewer);
                }
            }
            // All are: the scarcest in one of its words.
            for (length, fitting) in words.of_scarcest(stock) {
                let Some(rest_size) = size.checked_sub(length) else { break };
                let first = if rest_size == 0 { 0 } else { LENGTHS.up_to[rest_size - 1] };
                let last = LENGTHS.up_to[rest_size];
                if C::ADDS_UP {
                    let mut rests =
                        fitting.fold(0, |rests, (word, _)| rests | whole[stock - usize::from(word)]);
                    while rests != 0 {
                        let lengths = first + rests.trailing_zeros() as usize;
                        rests &= rests - 1;
                        let lengths = usize::from(LENGTHS.plus[lengths][length]);
                        whole[stock] |= 1 << (lengths - below);
                        row[lengths] = self.worth[stock] as i16;
                    }
                } else {
                    for (word, gain) in fitting {
                        let rest = (stock - usize::from(word)) * self.stride;
                        for lengths in first..last {
                            let sum = before[rest + lengths] + gain as i16;
                            let lengths = usize::from(LENGTHS.plus[lengths][length]);
                            row[lengths] = row[lengths].max(sum);
                        }
                    }
                }
            }
        }
        most
    }
}

/// Less than any count.
pub(crate) const IMPOSSIBLE: i16 = -20_000;

/// The stocks that spell a word, filed by their scarcest die and their size.
struct WordStocks {
    /// By stock: its scarcest kind.
    scarcest: Vec<u8>,
    /// By stock: its kinds.
    has: Vec<Vec<u8>>,
    /// By stock, a bar for each kind: one stock fits in another where none of its bars stands above.
    bars: Vec<u16>,
    /// By kind and size: stock, bars, gain.
    files: Vec<[Vec<(Stock, u16, u16)>; MAX_DICE + 1]>,
}

impl WordStocks {
    fn new(t: &Tables, gains: &[u16]) -> Self {
        let mut in_words: Vec<(usize, u8)> = (0..t.kinds.len()).map(|k| (0, k as u8)).collect();
        let mut bars = vec![0_u16; gains.len()];
        let mut has = vec![Vec::new(); gains.len()];
        for stock in 1..gains.len() {
            let mut shift = 0;
            for (k, kind) in t.kinds.iter().enumerate() {
                let n = kind.within(stock as Stock);
                if n > 0 {
                    bars[stock] |= (((1_u32 << n) - 1) << shift) as u16;
                    has[stock].push(k as u8);
                    in_words[k].0 += usize::from(gains[stock] > 0);
                }
                shift += kind.count;
            }
        }
        in_words.sort_unstable();
        let mut rank = [0; MAX_DICE];
        for (place, &(_, kind)) in in_words.iter().enumerate() {
            rank[usize::from(kind)] = place;
        }
        let scarcest: Vec<u8> = has
            .iter()
            .map(|has| has.iter().copied().min_by_key(|&kind| rank[usize::from(kind)]).unwrap_or(0))
            .collect();
        let mut files: Vec<[Vec<(Stock, u16, u16)>; MAX_DICE + 1]> = vec![Default::default(); t.kinds.len()];
        for (stock, &gain) in gains.iter().enumerate().filter(|&(_, &gain)| gain > 0) {
            files[usize::from(scarcest[stock])][usize::from(t.size[stock])].push((
                stock as Stock,
                bars[stock],
                gain,
            ));
        }
        Self { scarcest, has, bars, files }
    }

    /// By size: the word stocks within `stock` that hold its scarcest die.
    fn of_scarcest(&self, stock: usize) -> impl Iterator<Item = (usize, impl Iterator<Item = (Stock, u16)>)> {
        let outside = !self.bars[stock];
        self.files[usize::from(self.scarcest[stock])]
            .iter()
            .enumerate()
            .filter(|(_, file)| !file.is_empty())
            .map(move |(size, file)| {
                let fitting = file.iter().filter(move |&&(_, bars, _)| bars & outside == 0);
                (size, fitting.map(|&(word, _, gain)| (word, gain)))
            })
    }
}
