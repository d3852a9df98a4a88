//! Letters, sets of letters, and whole words: the small change of both games. All three are plain values without
//! allocation; a [`Word`] holds up to [`MAX_LETTERS`] letters in place.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Letters in the alphabet.
pub const ALPHABET: usize = 26;

/// The longest word a lexicon holds.
pub const MAX_LETTERS: usize = 15;

/// One of the letters A to Z.
///
/// ```
/// use words::Letter;
/// let q = Letter::from_char('Q').expect("a letter");
/// assert_eq!(q, Letter::from_char('q').expect("the same letter"));
/// assert_eq!((q.lower(), q.upper(), q.index()), ('q', 'Q', 16));
/// assert_eq!(Letter::from_char('é'), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "char", into = "char")]
pub struct Letter(u8);

impl Letter {
    /// The letter written by `c` in either case.
    pub const fn from_char(c: char) -> Option<Self> {
        match c {
            'a'..='z' => Some(Self(c as u8 - b'a')),
            'A'..='Z' => Some(Self(c as u8 - b'A')),
            _ => None,
        }
    }

    /// The letter at `index`, where A is 0 and Z is 25.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < ALPHABET { Some(Self(index as u8)) } else { None }
    }

    /// Its place in the alphabet: A is 0, Z is 25.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// As a lower-case character.
    pub const fn lower(self) -> char {
        (b'a' + self.0) as char
    }

    /// As an upper-case character.
    pub const fn upper(self) -> char {
        (b'A' + self.0) as char
    }

    /// All 26, in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..ALPHABET as u8).map(Self)
    }
}

impl TryFrom<char> for Letter {
    type Error = WordFault;

    fn try_from(c: char) -> Result<Self, WordFault> {
        Self::from_char(c).ok_or(WordFault::NotALetter { at: 1, found: c })
    }
}

impl From<Letter> for char {
    fn from(letter: Letter) -> Self {
        letter.lower()
    }
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.lower())
    }
}

impl fmt::Debug for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of letters, one bit each (A is bit 0).
///
/// ```
/// use words::{Letter, LetterSet};
/// let vowels: LetterSet = "aeiou".chars().filter_map(Letter::from_char).collect();
/// assert_eq!(vowels.len(), 5);
/// assert!(!vowels.contains(Letter::from_char('y').expect("a letter")));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LetterSet(u32);

impl LetterSet {
    /// No letter.
    pub const NONE: Self = Self(0);
    /// Every letter.
    pub const ALL: Self = Self((1 << ALPHABET) - 1);

    /// From its bits; those above Z are dropped.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Its bits, A lowest.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// This set and `letter`.
    #[must_use]
    pub const fn with(self, letter: Letter) -> Self {
        Self(self.0 | 1 << letter.0)
    }

    /// Is `letter` in it?
    pub const fn contains(self, letter: Letter) -> bool {
        self.0 >> letter.0 & 1 == 1
    }

    /// How many letters are in it.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Has it no letter at all?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What both sets hold.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Its letters, in order.
    pub fn iter(self) -> impl Iterator<Item = Letter> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let lowest = (bits != 0).then(|| Letter(bits.trailing_zeros() as u8))?;
            bits &= bits - 1;
            Some(lowest)
        })
    }
}

impl FromIterator<Letter> for LetterSet {
    fn from_iter<I: IntoIterator<Item = Letter>>(letters: I) -> Self {
        letters.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Debug for LetterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        self.iter().try_for_each(|letter| write!(f, "{letter}"))?;
        f.write_str("}")
    }
}

/// A run of 0 to 15 letters, held in place. It reads as a slice of [`Letter`].
///
/// ```
/// use words::Word;
/// let word: Word = "Plant".parse()?;
/// assert_eq!(word.to_string(), "plant");
/// assert_eq!(word.len(), 5);
/// # Ok::<(), words::WordFault>(())
/// ```
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Word {
    letters: [Letter; MAX_LETTERS],
    len: u8,
}

/// Why a text is no word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum WordFault {
    /// A character that is no letter.
    #[error("{found:?} (character {at}) is no letter: words are written with a to z only")]
    NotALetter {
        /// Its place, the first being 1.
        at: u32,
        /// What stands there.
        found: char,
    },
    /// More than fifteen letters.
    #[error("longer than {MAX_LETTERS} letters: no word list here goes further")]
    TooLong,
    /// Fewer than two letters.
    #[error("shorter than two letters: one die alone is no word")]
    TooShort,
}

impl Word {
    /// The empty word, to which letters are pushed.
    pub const EMPTY: Self = Self { letters: [Letter(0); MAX_LETTERS], len: 0 };

    /// These letters as one word.
    pub fn new(letters: &[Letter]) -> Result<Self, WordFault> {
        let mut word = Self::EMPTY;
        letters.iter().try_for_each(|&letter| word.push(letter))?;
        Ok(word)
    }

    /// Adds a letter at the end.
    pub fn push(&mut self, letter: Letter) -> Result<(), WordFault> {
        let place = self.letters.get_mut(self.len as usize).ok_or(WordFault::TooLong)?;
        *place = letter;
        self.len += 1;
        Ok(())
    }

    /// Keeps the first `len` letters.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len.min(MAX_LETTERS) as u8);
    }
}

impl Deref for Word {
    type Target = [Letter];

    fn deref(&self) -> &[Letter] {
        &self.letters[..self.len as usize]
    }
}

impl FromStr for Word {
    type Err = WordFault;

    fn from_str(text: &str) -> Result<Self, WordFault> {
        let mut word = Self::EMPTY;
        for (i, found) in text.chars().enumerate() {
            let letter = Letter::from_char(found).ok_or(WordFault::NotALetter { at: i as u32 + 1, found })?;
            word.push(letter)?;
        }
        Ok(word)
    }
}

impl TryFrom<String> for Word {
    type Error = WordFault;

    fn try_from(text: String) -> Result<Self, WordFault> {
        text.parse()
    }
}

impl From<Word> for String {
    fn from(word: Word) -> Self {
        word.to_string()
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Word {}

impl PartialOrd for Word {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Word {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (**self).cmp(&**other)
    }
}

impl std::hash::Hash for Word {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; MAX_LETTERS];
        for (place, letter) in text.iter_mut().zip(self.iter()) {
            *place = b'a' + letter.0;
        }
        f.pad(std::str::from_utf8(&text[..self.len()]).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
