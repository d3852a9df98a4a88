//! Letter dice on a grid: the word graph, layouts, their words and their faults.
//!
//! A [`Lexicon`] knows words: the house dictionary, its British edition, or a list of one's own. Game state names it by a
//! [`WordsId`] and finds it on the [`shelf`].
//!
//! A [`Layout`] is dice on a grid as a player put them down. It knows its words across and down, its faults, its count
//! under each game's [`Counting`], and what of it counts when time is up ([`remainder`]). [`notation`] is its text.

mod bind;
mod count;
mod entry;
mod graph;
mod layout;
mod letter;
mod lexicon;
mod list;
mod near;
pub mod notation;
pub mod remainder;
pub mod shelf;

pub use bind::Binder;
pub use count::{Colour, Counting, Face};
pub use entry::{Dialect, Entry, NoSuchTier, Spelling, Tier, Vocabulary};
pub use graph::{Digest, LexiconError, Node};
pub use layout::{Checked, DiceSet, Fault, Layout, MAX_DICE, Placed, Run};
pub use letter::{ALPHABET, Letter, LetterSet, MAX_LETTERS, Word, WordFault};
pub use lexicon::{Lexicon, Words};
pub use list::{Faults, LineFault};
pub use near::Near;
pub use remainder::Remainder;
pub use shelf::{NoSuchWords, Stamp, WordsId};

/// The house dictionary as bytes, made by `cargo xtask words` from SCOWL; its licence is beside it. For
/// [`Lexicon::from_bytes`].
#[cfg(feature = "house")]
pub const HOUSE_BYTES: &[u8] = include_bytes!("../data/house.words");
