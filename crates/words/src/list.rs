//! A word list of one's own: one word a line, in either case. Empty lines and lines that begin with `#` are skipped; every
//! other line that is no word is told by its number.

use std::fmt;

use serde::Serialize;

use crate::bind::Binder;
use crate::entry::{Entry, Spelling, Tier};
use crate::graph::MAX_WORDS;
use crate::letter::{Word, WordFault};
use crate::lexicon::Lexicon;

/// After so many bad lines the rest is only counted.
const MAX_FAULTS: usize = 20;

/// So much of a bad line is shown.
const SHOWN: usize = 40;

/// What is wrong with a word list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum LineFault {
    /// A line that is no word.
    #[error("line {line}: {text:?}: {fault}")]
    NoWord {
        /// Its number, the first being 1.
        line: u32,
        /// The line, shortened.
        text: String,
        /// Why it is no word.
        fault: WordFault,
    },
    /// More than anyone's list has.
    #[error("line {line}: more than {MAX_WORDS} words: take a shorter list")]
    TooManyWords {
        /// The first line too many.
        line: u32,
    },
    /// Bad lines that are not shown one by one.
    #[error("and {lines} more lines that are no words")]
    AndMore {
        /// How many.
        lines: u32,
    },
    /// Not a word in it.
    #[error("the list has no word in it: write one word a line")]
    Empty,
}

/// All faults of a list, one a line, for those who show them to a person.
pub struct Faults<'a>(pub &'a [LineFault]);

impl fmt::Display for Faults<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|fault| writeln!(f, "{fault}"))
    }
}

impl Lexicon {
    /// Reads a list of one's own.
    ///
    /// Tiers and flags are those of the words in `tiers`; words it does not have are the rarest. Without it every word is
    /// of the most common tier, so that bots of all vocabularies know the whole list.
    ///
    /// ```
    /// use words::Lexicon;
    /// let own = Lexicon::from_list("# our own\nfoobar\nBaz\n", None).expect("two good words");
    /// assert_eq!(own.len(), 2);
    /// let faults = Lexicon::from_list("foo\nb4r\n", None).expect_err("one bad line");
    /// assert!(faults[0].to_string().starts_with("line 2: \"b4r\""));
    /// ```
    pub fn from_list(text: &str, tiers: Option<&Lexicon>) -> Result<Self, Vec<LineFault>> {
        let (mut binder, mut faults, mut unshown) = (Binder::default(), Vec::new(), 0);
        let mut words = 0;
        for (i, text) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let (line, text) = (i as u32 + 1, text.trim());
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            words += 1;
            if words > MAX_WORDS {
                faults.push(LineFault::TooManyWords { line });
                break;
            }
            match word(text) {
                Ok(word) => binder.add(word, entry(&word, tiers)),
                Err(_) if faults.len() >= MAX_FAULTS => unshown += 1,
                Err(fault) => {
                    let text = text.chars().take(SHOWN).collect();
                    faults.push(LineFault::NoWord { line, text, fault });
                }
            }
        }
        if unshown > 0 {
            faults.push(LineFault::AndMore { lines: unshown });
        }
        if faults.is_empty() {
            Self::own(&binder.bytes()).map_err(|_| vec![LineFault::Empty])
        } else {
            Err(faults)
        }
    }
}

fn word(text: &str) -> Result<Word, WordFault> {
    let word: Word = text.parse()?;
    if word.len() < 2 { Err(WordFault::TooShort) } else { Ok(word) }
}

fn entry(word: &Word, tiers: Option<&Lexicon>) -> Entry {
    let known = tiers.and_then(|lexicon| lexicon.entry(word));
    let tier = if tiers.is_some() { Tier::T70 } else { Tier::T10 };
    let unknown = Entry { tier, spelling: Spelling::Both, offensive: false };
    known.map_or(unknown, |known| Entry { spelling: Spelling::Both, ..known })
}
