//! Words like a given one: for the person who asks after a word that is none, or wants its neighbours.

use crate::entry::Entry;
use crate::graph::Node;
use crate::letter::{Letter, MAX_LETTERS, Word};
use crate::lexicon::Lexicon;

/// Further away no word is like another.
const REACH: u8 = 2;

/// A word near another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Near {
    /// The word.
    pub word: Word,
    /// How many letters must be put in, left out, changed, or swapped with the next: 1 or 2.
    pub distance: u8,
    /// What is known of it.
    pub entry: Entry,
}

/// Distances of what was spelt so far to every beginning of the word asked for.
type Row = [u8; MAX_LETTERS + 1];

struct Search<'a> {
    lexicon: &'a Lexicon,
    asked: &'a [Letter],
    spelt: Word,
    rows: [Row; MAX_LETTERS + 1],
    found: Vec<Near>,
}

impl Lexicon {
    /// Up to `most` words near this one, the nearest first and then the most common; not the word itself, and none that is
    /// offensive.
    ///
    /// ```
    /// # #[cfg(feature = "house")] {
    /// let near = words::Lexicon::house().near(&"plnat".parse().expect("letters"), 1);
    /// assert_eq!(near[0].word.to_string(), "plant");
    /// # }
    /// ```
    pub fn near(&self, word: &Word, most: usize) -> Vec<Near> {
        let mut rows = [[0; MAX_LETTERS + 1]; MAX_LETTERS + 1];
        for (i, distance) in rows[0].iter_mut().enumerate() {
            *distance = i as u8;
        }
        let mut search = Search { lexicon: self, asked: word, spelt: Word::EMPTY, rows, found: Vec::new() };
        search.from(self.root(), 0);
        let mut found = search.found;
        found.sort_by_key(|near| (near.distance, near.entry.tier, near.word));
        found.truncate(most);
        found
    }
}

impl Search<'_> {
    fn from(&mut self, node: Node, depth: usize) {
        for (letter, child) in self.lexicon.branches(node) {
            self.spelt.truncate(depth);
            if self.spelt.push(letter).is_err() {
                return;
            }
            let row = self.row(depth + 1);
            self.rows[depth + 1] = row;
            let distance = row[self.asked.len()];
            if (1..=REACH).contains(&distance) && self.lexicon.is_word(child) {
                self.keep(distance);
            }
            if row[..=self.asked.len()].iter().any(|&distance| distance <= REACH) {
                self.from(child, depth + 1);
            }
        }
    }

    /// The row after the letter at `depth` − 1 was spelt.
    fn row(&self, depth: usize) -> Row {
        let before = &self.rows[depth - 1];
        let letter = self.spelt[depth - 1];
        let mut row = [depth as u8; MAX_LETTERS + 1];
        for i in 1..=self.asked.len() {
            let change = before[i - 1] + u8::from(self.asked[i - 1] != letter);
            row[i] = change.min(before[i] + 1).min(row[i - 1] + 1);
            let swapped = i > 1
                && depth > 1
                && self.asked[i - 2] == letter
                && self.asked[i - 1] == self.spelt[depth - 2];
            if swapped {
                row[i] = row[i].min(self.rows[depth - 2][i - 2] + 1);
            }
        }
        row
    }

    fn keep(&mut self, distance: u8) {
        let word = self.spelt;
        if let Some(entry) = self.lexicon.entry(&word).filter(|entry| !entry.offensive) {
            self.found.push(Near { word, distance, entry });
        }
    }
}
