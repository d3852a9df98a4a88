//! What a search needs to know of one throw, laid out flat: the kinds of dice, every sub-multiset of them as a number
//! (a [`Stock`]), the formable words as a trie, and for every stock the most that words laid side by side can count.

use std::ops::Range;

use words::{Colour, Face, MAX_LETTERS, Word};

use crate::count::{BLACK, Count, PLAIN, RED};
use crate::dictionary::{Dictionary, Letters, Spelt};
use crate::engine::MAX_DICE;
use crate::lengths::{LENGTHS, LengthTable, Lengths, NONE};
use crate::rows::{Bars, Letterings, Rows};
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
    /// Its lowest bar (see [`Tables::kind_bars`]): all stocks that have a die of this kind have it.
    low: u16,
}

impl Kind {
    /// How many of this kind are in a stock.
    fn within(self, stock: Stock) -> u8 {
        (stock / self.unit % (Stock::from(self.count) + 1)) as u8
    }

    /// The kind of one die; its number comes later.
    pub(crate) fn of(face: Face) -> Self {
        let colour = match face.colour {
            Some(Colour::Red) => RED,
            Some(Colour::Black) => BLACK,
            None => PLAIN,
        };
        let letter = face.letter.map(|letter| letter.index() as u8);
        Self { letter, colour, value: face.value, count: 1, unit: 0, low: 0 }
    }

    /// Is this die of this kind?
    pub(crate) fn is(self, face: Face) -> bool {
        let other = Self::of(face);
        (self.letter, self.colour, self.value) == (other.letter, other.colour, other.value)
    }
}

/// Gives every kind its bars, and says what one of its dice adds to a stock, the most common the least; answers how many
/// stocks there are.
fn number_stocks(kinds: &mut [Kind], words: &[Spelt]) -> usize {
    let mut with = [0_u32; 27];
    for word in words {
        for &letter in word.letters() {
            with[usize::from(letter)] += 1;
        }
    }
    with[26] = u32::MAX;
    let mut bars = 0;
    for kind in &mut *kinds {
        kind.low = 1 << bars;
        bars += kind.count;
    }
    let mut common: Vec<&mut Kind> = kinds.iter_mut().collect();
    common.sort_by_key(|kind| std::cmp::Reverse(with[usize::from(kind.letter.unwrap_or(26))]));
    let mut states = 1;
    for kind in common {
        kind.unit = states as Stock;
        states *= usize::from(kind.count) + 1;
    }
    states
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
    /// By stock and number: see [`Tables::cheapest`].
    cheapest: Vec<[i16; MAX_DICE + 1]>,
    /// By stock and lengths: see [`Tables::most`].
    most: Vec<i16>,
    /// How many multisets of lengths there are for these dice, in whole [`LANES`].
    stride: usize,
    pub(crate) tries: Tries,
    /// By length: the words as rows.
    pub(crate) rows: [Rows; MAX_LETTERS + 1],
    pub(crate) letterings: Letterings,
    /// By stock: its letters as [`Bars`], and its wilds.
    pub(crate) bars: Vec<(u16, u8)>,
    /// By stock, a bar for each kind: one stock fits in another where none of its bars stands above.
    kind_bars: Vec<u16>,
    /// Are dice of one letter all alike, and all wilds?
    pub(crate) plain: bool,
    /// By bar, where that is so: what its die adds to a stock.
    pub(crate) units: Vec<Stock>,
    /// What a wild adds to a stock.
    pub(crate) joker: Stock,
    pub(crate) owed: Option<Owed>,
    /// Kinds, of one die each, that can never stand in two words: see [`Tables::find_loners`].
    pub(crate) loners: Vec<u8>,
    /// All loners.
    pub(crate) alone: Stock,
}

/// A word that must be laid.
#[derive(Debug)]
pub(crate) struct Owed {
    /// Its end in the tries.
    pub(crate) leaf: u32,
    /// Where its letters begin.
    pub(crate) lettering: u32,
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
        let states = number_stocks(&mut kinds, &words);
        let span = |wanted: u8| {
            let from = kinds.partition_point(|kind| kind.letter.unwrap_or(26) < wanted);
            let to = kinds.partition_point(|kind| kind.letter.unwrap_or(26) <= wanted);
            (from as u8, to as u8)
        };
        let dice = kinds.iter().map(|kind| kind.count).sum();
        let bars = Bars::new(counts);
        let (rows, letterings) = Rows::by_length(&words, &bars);
        let mut tables = Self {
            of_letter: std::array::from_fn(|letter| span(letter as u8)),
            wilds: span(26),
            whole: (states - 1) as Stock,
            dice,
            shows: vec![0; states],
            size: vec![0; states],
            worth: vec![0; states],
            cheapest: vec![[0; MAX_DICE + 1]; states],
            most: Vec::new(),
            stride: LENGTHS.up_to[usize::from(dice)].next_multiple_of(LANES),
            tries: Tries::new(&words),
            rows,
            letterings,
            bars: vec![(0, 0); states],
            kind_bars: vec![0; states],
            plain: false,
            units: Vec::new(),
            joker: 0,
            owed: None,
            loners: Vec::new(),
            alone: 0,
            kinds,
        };
        tables.name_bars(&counts);
        tables.fill_stocks(states, &bars);
        let gains = tables.gains(&words, states, count);
        tables.most = tables.packing::<C>(&gains);
        tables.find_loners(&gains);
        if let Some(word) = word {
            tables.owed = tables.owe(&Spelt::new(word), count);
        }
        tables
    }

    /// A die stands in two words only if two words with it can be spelt that share no other die: a word across and a word
    /// down have one cell in common. A Q whose only word is QI, beside one I, is a loner: it loses its value, for sure.
    fn find_loners(&mut self, gains: &[i16]) {
        let spelling: Vec<usize> = (1..gains.len()).filter(|&stock| gains[stock] > IMPOSSIBLE).collect();
        for (k, kind) in
            self.kinds.iter().enumerate().filter(|(_, kind)| kind.count == 1 && kind.letter.is_some())
        {
            let unit = usize::from(kind.unit);
            let with: Vec<usize> =
                spelling.iter().copied().filter(|&stock| kind.within(stock as Stock) > 0).collect();
            let cross = |&one: &usize| {
                // What is left beside the first word must hold the rest of the second.
                let beside = self.kind_bars[usize::from(self.whole) - one + unit];
                with.iter().any(|&two| self.kind_bars[two] & !beside == 0)
            };
            if !with.iter().any(cross) {
                self.loners.push(k as u8);
            }
        }
        // Each doubles the ways to begin: the dearest few are worth it.
        let kinds = &self.kinds;
        self.loners.sort_by_key(|&k| std::cmp::Reverse(kinds[usize::from(k)].value));
        self.loners.truncate(3);
        self.alone = self.loners.iter().map(|&k| kinds[usize::from(k)].unit).sum();
    }

    /// Writes down which die each bar is; the bars stand in the order of their letters, `counts` of each.
    fn name_bars(&mut self, counts: &[u8; 26]) {
        let showing = |(from, to): (u8, u8)| usize::from(to - from);
        self.plain = self.of_letter.iter().all(|&kinds| showing(kinds) <= 1) && showing(self.wilds) <= 1;
        let unit = |(from, to): (u8, u8)| if from < to { self.kinds[usize::from(from)].unit } else { 0 };
        let dice = counts.iter().zip(self.of_letter);
        let units = dice.flat_map(|(&count, kinds)| std::iter::repeat_n(unit(kinds), usize::from(count)));
        self.units = units.collect();
        self.joker = unit(self.wilds);
        if self.plain {
            let mut rows = std::mem::take(&mut self.rows);
            for rows in &mut rows {
                rows.take_stock(|bars| self.stock_of(bars));
            }
            self.rows = rows;
        }
    }

    /// How many stocks there are.
    pub(crate) fn states(&self) -> usize {
        self.size.len()
    }

    /// The dice of these bars.
    #[inline]
    pub(crate) fn stock_of(&self, mut bars: u16) -> Stock {
        let mut stock = 0;
        while bars != 0 {
            stock += self.units[bars.trailing_zeros() as usize];
            bars &= bars - 1;
        }
        stock
    }

    /// What changes when `word` must be laid; `None` if these dice cannot spell it.
    fn owe<C: Count>(&self, word: &Spelt, count: C) -> Option<Owed> {
        let leaf = self.tries.find(word.letters())?;
        let size = word.letters().len();
        let mut left: Vec<u8> = self.kinds.iter().map(|kind| kind.count).collect();
        let mut spellings = Vec::new();
        self.spell(word.letters(), 0, &mut left, &mut |stock| spellings.push(stock));
        for _ in 0..self.bars[usize::from(self.whole)].1 {
            let more: Vec<Stock> = spellings.iter().flat_map(|&spelling| self.swaps(spelling)).collect();
            spellings.extend(more);
            spellings.sort_unstable();
            spellings.dedup();
        }
        let mut most = vec![IMPOSSIBLE; self.most.len()];
        for stock in 0..self.size.len() {
            for &spelling in
                spellings.iter().filter(|&&s| self.kind_bars[usize::from(s)] & !self.kind_bars[stock] == 0)
            {
                let gain = self.gain_of(spelling, count) as i16;
                for lengths in 0..LENGTHS.up_to[usize::from(self.dice)] {
                    let rest = LENGTHS.minus[lengths][size];
                    if rest != NONE {
                        let sum = gain + self.most(stock as Stock - spelling, rest);
                        most[stock * self.stride + lengths] = most[stock * self.stride + lengths].max(sum);
                    }
                }
            }
        }
        let row = self.rows[size].words.iter().position(|row| row.letters() == word.letters())?;
        Some(Owed { leaf, lettering: self.rows[size].lettering(row), most })
    }

    fn fill_stocks(&mut self, states: usize, letter_bars: &Bars) {
        let mut done = 1;
        let mut by_unit: Vec<&Kind> = self.kinds.iter().collect();
        by_unit.sort_by_key(|kind| kind.unit);
        for kind in by_unit {
            let shows = kind.letter.map_or(ALL, |letter| 1 << letter);
            for n in 0..usize::from(kind.count) {
                let bar = kind.low << n;
                for rest in n * done..(n + 1) * done {
                    let stock = rest + done;
                    self.shows[stock] = self.shows[rest] | shows;
                    self.size[stock] = self.size[rest] + 1;
                    self.worth[stock] = self.worth[rest] + u16::from(kind.value);
                    self.kind_bars[stock] = self.kind_bars[rest] | bar;
                    let (bars, wilds) = self.bars[rest];
                    self.bars[stock] = match kind.letter {
                        Some(letter) => (letter_bars.one_more(bars, letter), wilds),
                        None => (bars, wilds + 1),
                    };
                }
            }
            done *= usize::from(kind.count) + 1;
        }
        debug_assert_eq!(done, states);
        // From the dearest kind to the cheapest: the sums of a stock are its cheapest die and the sums of the rest.
        let mut by_value: Vec<&Kind> = self.kinds.iter().collect();
        by_value.sort_by_key(|kind| kind.value);
        for stock in 1..states {
            let bars = self.kind_bars[stock];
            let Some(kind) = by_value.iter().find(|kind| bars & kind.low != 0) else { continue };
            let rest = self.cheapest[stock - usize::from(kind.unit)];
            for n in 1..=usize::from(self.size[stock]) {
                self.cheapest[stock][n] = rest[n - 1] + i16::from(kind.value);
            }
        }
    }

    /// By stock: what a word of exactly these dice counts, [`IMPOSSIBLE`] where there is none. A word of jokers counts nothing,
    /// and may be what joins two others.
    fn gains<C: Count>(&self, words: &[Spelt], states: usize, count: C) -> Vec<i16> {
        let mut gains = vec![IMPOSSIBLE; states];
        let mut left: Vec<u8> = self.kinds.iter().map(|kind| kind.count).collect();
        let add = |stock: Stock, gains: &mut [i16]| {
            if gains[usize::from(stock)] == IMPOSSIBLE {
                gains[usize::from(stock)] = self.gain_of(stock, count) as i16;
            }
        };
        for word in words {
            self.spell(word.letters(), 0, &mut left, &mut |stock| add(stock, &mut gains));
        }
        for _ in 0..self.bars[usize::from(self.whole)].1 {
            for stock in 0..states {
                if gains[stock] > IMPOSSIBLE {
                    self.swaps(stock as Stock).for_each(|other| add(other, &mut gains));
                }
            }
        }
        gains
    }

    /// Every stock that spells a word with wilds only where no die of the letter is left. Wilds can take the place of more of its
    /// dice: see [`Tables::swaps`].
    fn spell(&self, word: &[u8], stock: Stock, left: &mut [u8], found: &mut impl FnMut(Stock)) {
        let Some((&letter, rest)) = word.split_first() else {
            found(stock);
            return;
        };
        let kinds_left =
            |(from, to): (u8, u8), left: &[u8]| (from..to).any(|kind| left[usize::from(kind)] > 0);
        let real = self.of_letter[usize::from(letter)];
        let (from, to) = if kinds_left(real, left) { real } else { self.wilds };
        for kind in usize::from(from)..usize::from(to) {
            if left[kind] > 0 {
                left[kind] -= 1;
                self.spell(rest, stock + self.kinds[kind].unit, left, found);
                left[kind] += 1;
            }
        }
    }

    /// The stocks with a wild in place of one of the other dice.
    fn swaps(&self, stock: Stock) -> impl Iterator<Item = Stock> {
        let bars = self.kind_bars[usize::from(stock)];
        // The wilds are the last of the kinds.
        let (others, wilds) = self.kinds.split_at(usize::from(self.wilds.0));
        let more = wilds.iter().filter(move |wild| bars & (wild.low << (wild.count - 1)) == 0);
        more.flat_map(move |wild| {
            let less = others.iter().filter(move |kind| bars & kind.low != 0);
            less.map(move |kind| stock - kind.unit + wild.unit)
        })
    }

    fn gain_of<C: Count>(&self, stock: Stock, count: C) -> u16 {
        let mut colours = 0;
        for kind in self.kinds.iter().filter(|_| !C::ADDS_UP) {
            if kind.within(stock) > 0 {
                colours |= kind.colour;
            }
        }
        count.gain(self.size[usize::from(stock)], self.worth[usize::from(stock)], colours)
    }

    /// How many dice of a kind are in a stock.
    pub(crate) fn within(&self, stock: Stock, kind: u8) -> u8 {
        self.kinds[usize::from(kind)].within(stock)
    }

    /// The sum of the values of the `n` cheapest dice of a stock.
    #[inline]
    pub(crate) fn cheapest(&self, stock: Stock, n: usize) -> i16 {
        self.cheapest[usize::from(stock)][n]
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

    fn packing<C: Count>(&self, gains: &[i16]) -> Vec<i16> {
        let mut most = vec![IMPOSSIBLE; gains.len() * self.stride];
        most[0] = 0;
        let mut packing = Packing::new::<C>(self, gains, most);
        packing.walk::<C>(0, 0, 0..packing.words.len(), false);
        packing.most
    }
}

/// So many counts are weighed at once.
const LANES: usize = 8;

/// Less than any count.
pub(crate) const IMPOSSIBLE: i16 = -20_000;

/// A walk through all stocks, each after all that it holds: the kinds are decided on from the scarcest to the most common,
/// and the words that still fit go along. Of the words that use a stock up, one has its scarcest die.
struct Packing<'a> {
    t: &'a Tables,
    gains: &'a [i16],
    lengths: &'static LengthTable,
    most: Vec<i16>,
    /// By stock: the lengths of words that use it up, as bits. Where values add up they need not be counted: the words are
    /// worth what the stock is worth.
    whole: Vec<u64>,
    /// Scarcest first: its lowest bar, how many dice, what one adds to a stock.
    kinds: Vec<(u16, u8, usize)>,
    /// The stocks that spell a word, and their bars; then those among them that fit so far, step after step.
    words: Vec<(Stock, u16)>,
}

impl<'a> Packing<'a> {
    fn new<C: Count>(t: &'a Tables, gains: &'a [i16], most: Vec<i16>) -> Self {
        let mut whole = vec![0; if C::ADDS_UP { gains.len() } else { 0 }];
        if C::ADDS_UP {
            whole[0] = 1;
        }
        let mut kinds: Vec<(u16, u8, usize)> =
            t.kinds.iter().map(|kind| (kind.low, kind.count, usize::from(kind.unit))).collect();
        kinds.sort_by_key(|&(_, _, unit)| std::cmp::Reverse(unit));
        let spelling = (1..gains.len()).filter(|&stock| gains[stock] > IMPOSSIBLE);
        let words = spelling.map(|stock| (stock as Stock, t.kind_bars[stock])).collect();
        Self { t, gains, lengths: &LENGTHS, most, whole, kinds, words }
    }

    /// Goes on from the kinds decided on, which make `stock`; `begun` where that is not empty. Then all of `fitting` have its
    /// scarcest die.
    fn walk<C: Count>(&mut self, kind: usize, stock: usize, fitting: Range<usize>, begun: bool) {
        let Some(&(low, count, unit)) = self.kinds.get(kind) else {
            if stock > 0 {
                self.pack::<C>(stock, fitting);
            }
            return;
        };
        let all = (low << count).wrapping_sub(low);
        for n in 0..=count {
            let above = all & !((low << n).wrapping_sub(low));
            let must = if begun || n == 0 { 0 } else { low };
            let stock = stock + usize::from(n) * unit;
            if above | must == 0 {
                self.walk::<C>(kind + 1, stock, fitting.clone(), begun);
                continue;
            }
            let from = self.words.len();
            self.words.resize(from + fitting.len(), (0, 0));
            let (before, those) = self.words.split_at_mut(from);
            let mut count = 0;
            // Written down first and kept if it fits: nothing for the processor to guess.
            for &(word, bars) in &before[fitting.clone()] {
                those[count] = (word, bars);
                count += usize::from(bars & above == 0 && bars & must == must);
            }
            self.words.truncate(from + count);
            self.walk::<C>(kind + 1, stock, from..from + count, begun || n > 0);
            self.words.truncate(from);
        }
    }

    /// Weighs one stock: `fitting` are the words in it with its scarcest die.
    fn pack<C: Count>(&mut self, stock: usize, fitting: Range<usize>) {
        let (t, lengths) = (self.t, self.lengths);
        let size = usize::from(t.size[stock]);
        let below = lengths.up_to[size - 1];
        let (before, row) = self.most.split_at_mut(stock * t.stride);
        if fitting.is_empty() {
            // Its scarcest die is in no word.
            let scarcest = self.kinds.iter().find(|&&(low, ..)| t.kind_bars[stock] & low != 0);
            let fewer = (stock - scarcest.map_or(0, |&(_, _, unit)| unit)) * t.stride;
            row[..below].copy_from_slice(&before[fewer..][..below]);
            return;
        }
        // Some die is in no word. Fewer dice have nothing for the lengths above, so whole lanes can be taken.
        let lanes = below.next_multiple_of(LANES);
        for &(low, _, unit) in &self.kinds {
            if t.kind_bars[stock] & low != 0 {
                let (fewer, _) = before[(stock - unit) * t.stride..][..lanes].as_chunks::<LANES>();
                for (most, fewer) in row[..lanes].as_chunks_mut::<LANES>().0.iter_mut().zip(fewer) {
                    *most = std::array::from_fn(|lane| most[lane].max(fewer[lane]));
                }
            }
        }
        // All are.
        let of_size = |size: usize| if size == 0 { 0 } else { lengths.up_to[size - 1] };
        if C::ADDS_UP {
            let mut rests = [0; MAX_DICE + 1];
            for &(word, _) in &self.words[fitting] {
                rests[usize::from(t.size[usize::from(word)])] |= self.whole[stock - usize::from(word)];
            }
            for (length, &rests) in rests.iter().enumerate().take(size + 1).skip(2) {
                let mut rests = rests;
                while rests != 0 {
                    let rest = of_size(size - length) + rests.trailing_zeros() as usize;
                    rests &= rests - 1;
                    let lengths = usize::from(lengths.plus[rest][length]);
                    self.whole[stock] |= 1 << (lengths - below);
                    row[lengths] = t.worth[stock] as i16;
                }
            }
            return;
        }
        for &(word, _) in &self.words[fitting] {
            let length = usize::from(t.size[usize::from(word)]);
            let gain = self.gains[usize::from(word)];
            let rest = (stock - usize::from(word)) * t.stride;
            for of_rest in of_size(size - length)..lengths.up_to[size - length] {
                let sum = before[rest + of_rest] + gain;
                let lengths = usize::from(lengths.plus[of_rest][length]);
                row[lengths] = row[lengths].max(sum);
            }
        }
    }
}
