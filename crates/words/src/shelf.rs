//! The shelf of word lists. A game's state is pure data and names its words by a [`WordsId`]; the lexicon itself stands
//! here, once for the whole process, put there before the table opens.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, PoisonError, RwLock};

use serde::{Deserialize, Serialize};

use crate::graph::Digest;
use crate::lexicon::Lexicon;

/// The first eight bytes of a [`Digest`], enough to tell word lists apart: sixteen hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp(u64);

impl From<Digest> for Stamp {
    fn from(digest: Digest) -> Self {
        let [a, b, c, d, e, f, g, h, ..] = digest.0;
        Self(u64::from_be_bytes([a, b, c, d, e, f, g, h]))
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The name of a word list. In text and JSON: `house`, `british`, `list:0123456789abcdef`, `none`; or, pinned to the very
/// words, `house:0123456789abcdef`.
///
/// ```
/// use words::WordsId;
/// let id: WordsId = "house".parse()?;
/// assert_eq!(id, WordsId::default());
/// assert!("shakespeare".parse::<WordsId>().is_err());
/// # Ok::<(), words::NoSuchWords>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum WordsId {
    /// No dictionary: the table judges by challenge and vote (IQ-S9, SB-S5).
    None,
    /// The house dictionary, American spelling; any edition, or that of the stamp.
    House(Option<Stamp>),
    /// The house dictionary, British spelling; any edition, or that of the stamp.
    British(Option<Stamp>),
    /// A list of one's own.
    List(Stamp),
}

impl Default for WordsId {
    fn default() -> Self {
        Self::House(None)
    }
}

/// This names no word list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} names no word list: say house, british, none, or list: and the sixteen digits of a list of your own"
)]
pub struct NoSuchWords(pub String);

impl fmt::Display for WordsId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::House(None) => f.write_str("house"),
            Self::House(Some(stamp)) => write!(f, "house:{stamp}"),
            Self::British(None) => f.write_str("british"),
            Self::British(Some(stamp)) => write!(f, "british:{stamp}"),
            Self::List(stamp) => write!(f, "list:{stamp}"),
        }
    }
}

impl FromStr for WordsId {
    type Err = NoSuchWords;

    fn from_str(text: &str) -> Result<Self, NoSuchWords> {
        let unknown = || NoSuchWords(text.chars().take(40).collect());
        let (name, stamp) = match text.split_once(':') {
            None => (text, None),
            Some((name, digits)) => (name, Some(stamp(digits).ok_or_else(unknown)?)),
        };
        match (name, stamp) {
            ("none", None) => Ok(Self::None),
            ("house", stamp) => Ok(Self::House(stamp)),
            ("british", stamp) => Ok(Self::British(stamp)),
            ("list", Some(stamp)) => Ok(Self::List(stamp)),
            _ => Err(unknown()),
        }
    }
}

/// Exactly sixteen lower-case hexadecimal digits, so that a name is written in one way only.
fn stamp(digits: &str) -> Option<Stamp> {
    let plain = digits.len() == 16 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    u64::from_str_radix(digits, 16).ok().filter(|_| plain).map(Stamp)
}

impl TryFrom<String> for WordsId {
    type Error = NoSuchWords;

    fn try_from(text: String) -> Result<Self, NoSuchWords> {
        text.parse()
    }
}

impl From<WordsId> for String {
    fn from(id: WordsId) -> Self {
        id.to_string()
    }
}

impl WordsId {
    /// Does a lexicon of the full name `other` answer to this name?
    fn calls(self, other: Self) -> bool {
        match (self, other) {
            (Self::House(None), Self::House(_)) | (Self::British(None), Self::British(_)) => true,
            _ => self == other,
        }
    }
}

static SHELF: RwLock<Vec<Arc<Lexicon>>> = RwLock::new(Vec::new());

/// Puts a lexicon on the shelf and gives its full name. One that stands there already is not put twice.
pub fn install(lexicon: Arc<Lexicon>) -> WordsId {
    let id = lexicon.id();
    let mut shelf = SHELF.write().unwrap_or_else(PoisonError::into_inner);
    if !shelf.iter().any(|known| known.id() == id) {
        shelf.push(lexicon);
    }
    id
}

/// The lexicon of this name, if it is on the shelf; the newest where several answer to it. The embedded house dictionary
/// (feature `house`) is always there.
pub fn find(id: &WordsId) -> Option<Arc<Lexicon>> {
    let shelf = SHELF.read().unwrap_or_else(PoisonError::into_inner);
    let found = shelf.iter().rev().find(|lexicon| id.calls(lexicon.id())).cloned();
    drop(shelf);
    found.or_else(|| embedded(*id))
}

#[cfg(feature = "house")]
fn embedded(id: WordsId) -> Option<Arc<Lexicon>> {
    let lexicon = match id {
        WordsId::House(_) => Lexicon::house(),
        WordsId::British(_) => Lexicon::british(),
        WordsId::List(_) | WordsId::None => return None,
    };
    id.calls(lexicon.id()).then_some(lexicon)
}

#[cfg(not(feature = "house"))]
fn embedded(_: WordsId) -> Option<Arc<Lexicon>> {
    None
}

/// The full name of what `id` calls now, to stand in a table's options: a record then replays with the very same words or
/// not at all. `None` if it is not on the shelf; [`WordsId::None`] is its own full name.
pub fn pin(id: &WordsId) -> Option<WordsId> {
    match id {
        WordsId::None => Some(WordsId::None),
        _ => find(id).map(|lexicon| lexicon.id()),
    }
}
