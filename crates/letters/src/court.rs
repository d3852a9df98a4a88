//! Who decides what a word is: the agreed dictionary, or the table itself (IQ-S9, SB-S5).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use words::{Letter, Lexicon, Tier, Vocabulary, Word, WordsId, shelf};

/// Which words a table takes: those of its dictionary, and of these the ones that most people would rather not see only where it
/// says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepts {
    /// The dictionary.
    pub words: WordsId,
    /// Offensive words of it, too.
    pub offensive: bool,
}

impl Accepts {
    /// The words of the dictionary that are taken.
    pub const fn vocabulary(self) -> Vocabulary {
        Vocabulary { tier_max: Tier::T70, clean: !self.offensive }
    }
}

impl From<WordsId> for Accepts {
    fn from(words: WordsId) -> Accepts {
        Accepts { words, offensive: false }
    }
}

/// The judge of words at one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Court {
    words: WordsId,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    offensive: bool,
    seats: u32,
    /// What the table has decided, for the rest of the game (IQ-R6): true for words that stand.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    rulings: BTreeMap<Word, bool>,
}

/// A court in session: the dictionary is taken from the shelf.
#[derive(Debug)]
pub struct Judge<'a> {
    lexicon: Option<Arc<Lexicon>>,
    accepts: Vocabulary,
    /// Without a dictionary the table judges by itself.
    votes: bool,
    rulings: &'a BTreeMap<Word, bool>,
}

impl Court {
    /// The court of a table with so many seats; `None` if no such dictionary is on the shelf.
    pub fn open(accepts: Accepts, seats: u32) -> Option<Court> {
        let Accepts { words, offensive } = accepts;
        Some(Court { words: shelf::pin(&words)?, offensive, seats, rulings: BTreeMap::new() })
    }

    /// The full name of the dictionary.
    pub const fn words(&self) -> WordsId {
        self.words
    }

    /// How many may vote.
    pub const fn seats(&self) -> u32 {
        self.seats
    }

    /// Does the table judge by vote?
    pub fn votes(&self) -> bool {
        self.words == WordsId::None
    }

    /// What the table has decided about a word.
    pub fn ruling(&self, word: &Word) -> Option<bool> {
        self.rulings.get(word).copied()
    }

    /// All that the table has decided.
    pub const fn rulings(&self) -> &BTreeMap<Word, bool> {
        &self.rulings
    }

    pub(crate) fn rule(&mut self, word: Word, stands: bool) {
        self.rulings.insert(word, stands);
    }

    /// Opens the dictionary.
    pub fn judge(&self) -> Judge<'_> {
        Judge::new(Accepts { words: self.words, offensive: self.offensive }, &self.rulings)
    }
}

impl<'a> Judge<'a> {
    /// The judge of a table, from what everybody knows of it: which words it takes and what it has decided. So whoever only looks
    /// on judges as the table does.
    pub fn new(accepts: impl Into<Accepts>, rulings: &'a BTreeMap<Word, bool>) -> Judge<'a> {
        let accepts = accepts.into();
        let (lexicon, votes) = (shelf::find(&accepts.words), accepts.words == WordsId::None);
        Judge { lexicon, accepts: accepts.vocabulary(), votes, rulings }
    }

    /// Takes every word that a player laid.
    pub(crate) fn trusting() -> Judge<'static> {
        static NOTHING: BTreeMap<Word, bool> = BTreeMap::new();
        Judge::new(WordsId::None, &NOTHING)
    }

    /// Can it tell words from others? Not where the dictionary of the table is not on the shelf.
    pub fn can_tell(&self) -> bool {
        self.votes || self.lexicon.is_some()
    }

    /// Is this a word that a player may lay and the house does not say?
    pub(crate) fn hides(&self, word: &Word) -> bool {
        self.lexicon.as_ref().and_then(|lexicon| lexicon.entry(word)).is_some_and(|entry| entry.offensive)
    }

    /// Is this a word here? Without a dictionary every word is, until the table says otherwise. A dictionary that is no
    /// longer on the shelf knows no word.
    pub fn good(&self, letters: &[Letter]) -> bool {
        self.good_if(letters, |_| true)
    }

    /// Is this a word here, where without a dictionary a word that nobody has judged is good if its player `laid` it?
    /// Dice taken out of a bad word must not leave a word that nobody thought of.
    pub fn good_if(&self, letters: &[Letter], laid: impl Fn(&Word) -> bool) -> bool {
        match &self.lexicon {
            Some(lexicon) => lexicon.entry(letters).is_some_and(|entry| self.accepts.has(entry)),
            None if self.votes => Word::new(letters)
                .is_ok_and(|word| self.rulings.get(&word).copied().unwrap_or_else(|| laid(&word))),
            None => false,
        }
    }
}
