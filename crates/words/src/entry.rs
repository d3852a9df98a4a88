//! What the lexicon knows of a word besides its letters: how common it is, on which side of the ocean it is spelt so,
//! and whether a bot may lay it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How common a word is: the size of the smallest SCOWL list that has it. A child knows the words of tier 10 and 20,
/// most people those up to 50, a scholar all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
#[repr(u8)]
pub enum Tier {
    /// The most common four thousand.
    T10,
    /// Common.
    T20,
    /// Everyday: a small dictionary.
    T35,
    /// Everyday.
    T40,
    /// A desk dictionary.
    T50,
    /// A desk dictionary.
    T55,
    /// A large dictionary.
    T60,
    /// A very large dictionary.
    T70,
}

/// No tier has this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no vocabulary tier is called {0}: take 10, 20, 35, 40, 50, 55, 60 or 70")]
pub struct NoSuchTier(pub u8);

impl Tier {
    /// From the most common to the rarest.
    pub const ALL: [Self; 8] =
        [Self::T10, Self::T20, Self::T35, Self::T40, Self::T50, Self::T55, Self::T60, Self::T70];

    /// The SCOWL size: 10, 20, 35, 40, 50, 55, 60 or 70.
    pub const fn size(self) -> u8 {
        [10, 20, 35, 40, 50, 55, 60, 70][self as usize]
    }
}

impl TryFrom<u8> for Tier {
    type Error = NoSuchTier;

    fn try_from(size: u8) -> Result<Self, NoSuchTier> {
        Self::ALL.into_iter().find(|tier| tier.size() == size).ok_or(NoSuchTier(size))
    }
}

impl From<Tier> for u8 {
    fn from(tier: Tier) -> Self {
        tier.size()
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.size(), f)
    }
}

/// The spelling a table plays by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// COLOR, not COLOUR: the house rule.
    #[default]
    American,
    /// COLOUR, not COLOR.
    British,
}

/// Where a word is spelt so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spelling {
    /// American only.
    American,
    /// British only.
    British,
    /// Everywhere.
    Both,
}

impl Spelling {
    /// Is the word good at a table of this dialect?
    pub const fn fits(self, dialect: Dialect) -> bool {
        matches!(
            (self, dialect),
            (Self::Both, _) | (Self::American, Dialect::American) | (Self::British, Dialect::British)
        )
    }

    /// Spelt so wherever either of the two is.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self == other { self } else { Self::Both }
    }
}

/// What the lexicon knows of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Entry {
    /// How common it is.
    pub tier: Tier,
    /// Where it is spelt so.
    pub spelling: Spelling,
    /// On the short reviewed list of words that bots, coach and hints never lay.
    pub offensive: bool,
}

impl Entry {
    /// Four bits: the tier and the flag. The spelling is in the word graph itself.
    pub(crate) const fn mark(self) -> u8 {
        self.tier as u8 | (self.offensive as u8) << 3
    }

    pub(crate) const fn from_mark(mark: u8, spelling: Spelling) -> Self {
        Self { tier: Tier::ALL[(mark & 7) as usize], spelling, offensive: mark & 8 != 0 }
    }
}

/// Whose words: a filter over a lexicon, for bots of every level, for the coach and for hints.
///
/// ```
/// use words::{Tier, Vocabulary};
/// let child = Vocabulary { tier_max: Tier::T20, ..Vocabulary::default() };
/// assert!(child.clean);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Vocabulary {
    /// The rarest words it has.
    pub tier_max: Tier,
    /// Without the words flagged as offensive.
    pub clean: bool,
}

impl Vocabulary {
    /// Every word of the lexicon: what a person may lay.
    pub const WHOLE: Self = Self { tier_max: Tier::T70, clean: false };

    /// Does it have a word with this entry?
    pub fn has(&self, entry: Entry) -> bool {
        entry.tier <= self.tier_max && !(self.clean && entry.offensive)
    }
}

/// Every word but the offensive ones: what the coach draws on.
impl Default for Vocabulary {
    fn default() -> Self {
        Self { tier_max: Tier::T70, clean: true }
    }
}
