//! Which words fit a row, remembered: sets of words as bits, made when they are first asked for. A search asks for the same
//! few again and again: the words of a length that some dice can spell, and those that have at some place a letter by which a
//! column above goes on.

use std::collections::HashMap;

use words::MAX_LETTERS;

use crate::dictionary::Letters;
use crate::rows::Rows;
use crate::tables::{Stock, Tables};

/// Where a set begins in [`Fits::sets`]; 0 where it is not made yet.
type At = u32;

const LENGTHS: usize = MAX_LETTERS + 1;

#[derive(Debug)]
pub(crate) struct Fits {
    /// All sets made, one after the other.
    sets: Vec<u64>,
    /// By stock and length: the words that these dice can spell.
    spelt: Vec<At>,
    /// By node of the tries: the number of its letters in `above`, plus one.
    letters: Vec<u32>,
    numbers: HashMap<Letters, u32>,
    /// By number of letters, length and place: the words that have one of these letters there.
    above: Vec<[[At; LENGTHS]; LENGTHS]>,
}

impl Fits {
    pub(crate) fn new(t: &Tables) -> Self {
        Self {
            sets: vec![0],
            spelt: vec![0; t.states() * LENGTHS],
            letters: vec![0; t.tries.len()],
            numbers: HashMap::new(),
            above: Vec::new(),
        }
    }

    /// The words of `length` that these dice can spell.
    pub(crate) fn spelt(&mut self, t: &Tables, dice: Stock, length: usize) -> At {
        let at = usize::from(dice) * LENGTHS + length;
        if self.spelt[at] == 0 {
            let (bars, wilds) = t.bars[usize::from(dice)];
            self.spelt[at] = self.sets.len() as At;
            t.rows[length].spelt(bars, wilds, &mut self.sets);
        }
        self.spelt[at]
    }

    /// The words of `length` that have at `place` a letter by which the node goes on.
    pub(crate) fn above(&mut self, t: &Tables, node: u32, length: usize, place: usize) -> At {
        let letters = t.tries.node(node).next;
        let number = self.number(node, letters);
        if self.above[number][length][place] == 0 {
            self.above[number][length][place] = self.sets.len() as At;
            t.rows[length].with(place, letters, &mut self.sets);
        }
        self.above[number][length][place]
    }

    fn number(&mut self, node: u32, letters: Letters) -> usize {
        let known = &mut self.letters[node as usize];
        if *known == 0 {
            let next = self.above.len() as u32 + 1;
            *known = *self.numbers.entry(letters).or_insert(next);
            if *known == next {
                self.above.push([[0; LENGTHS]; LENGTHS]);
            }
        }
        *known as usize - 1
    }

    /// Calls `found` with every word of `rows` that is in all `sets`.
    #[inline]
    pub(crate) fn in_all(&self, rows: &Rows, sets: &[At], mut found: impl FnMut(usize)) {
        for block in 0..rows.blocks() {
            let mut words = u64::MAX;
            for &set in sets {
                words &= self.sets[set as usize + block];
            }
            while words != 0 {
                found(block * 64 + words.trailing_zeros() as usize);
                words &= words - 1;
            }
        }
    }
}
