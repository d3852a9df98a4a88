//! What a table of I-Qubes agrees on before it starts.

use crate::Set;
use crate::refusal::Refusal;
use crate::set::{DICE, Throw};
use letters::{Accepts, Rules};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use words::{Counting, WordsId, shelf};

/// What becomes of a throw that shows neither a vowel nor a WILD (IQ-S5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rethrow {
    /// The player is asked, and may keep it (IQ-R2).
    #[default]
    Asked,
    /// It is thrown again until one turns up.
    Automatic,
}

/// The agreements, each with the house's default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the variations of the sheet are on or off, each by itself"
)]
pub struct Options {
    /// The dice.
    pub set: Set,
    /// Seconds to arrange a throw: 60 or 90 (IQ-S4, IQ-R1).
    pub seconds: u32,
    /// Rounds, 1 to 20 (IQ-S7).
    pub rounds: u32,
    /// What becomes of a throw without vowel and WILD (IQ-S5).
    pub rethrow: Rethrow,
    /// Y is a vowel, too (IQ-R2).
    pub y_vowel: bool,
    /// All dice in one word count 15, or 30 in one colour (IQ-S10).
    pub long_word: bool,
    /// Fourteen dice and double time (IQ-S11).
    pub two_sets: bool,
    /// After a count the others may bid for a higher one (IQ-S12).
    pub bidding: bool,
    /// The dictionary, or `none` for challenge and vote (IQ-S9).
    pub words: WordsId,
    /// Offensive words of the dictionary can be laid.
    pub offensive: bool,
    /// Show while the dice are arranged which words are good, and the count.
    pub judge: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            set: Set::standard(),
            seconds: 90,
            rounds: 3,
            rethrow: Rethrow::Asked,
            y_vowel: false,
            long_word: false,
            two_sets: false,
            bidding: false,
            words: WordsId::default(),
            offensive: false,
            judge: true,
        }
    }
}

impl Options {
    /// The rounds that may be agreed on before the game; in play the table may agree on more (IQ-S7).
    pub const ROUNDS: RangeInclusive<u32> = 1..=20;

    /// How many sets are thrown.
    pub const fn sets(&self) -> usize {
        if self.two_sets { 2 } else { 1 }
    }

    /// How many dice are thrown.
    pub const fn dice(&self) -> usize {
        DICE * self.sets()
    }

    /// The time for one throw, in milliseconds: doubled with two sets (IQ-R8).
    pub const fn time(&self) -> u64 {
        self.seconds as u64 * 1000 * self.sets() as u64
    }

    /// Has this throw a vowel, as the table reads it, or a WILD? If not, it may be thrown again (IQ-S5, IQ-R2).
    pub fn opens(&self, throw: &Throw) -> bool {
        throw.opens() || (self.y_vowel && throw.0.iter().any(|face| face.is_y()))
    }

    /// How layouts are counted (IQ-S8, IQ-S10).
    pub const fn counting(&self) -> Counting {
        Counting::IQubes { long_word: self.long_word }
    }

    /// A throw under these agreements.
    pub fn rules(&self, throw: &Throw) -> Rules {
        Rules { faces: throw.faces(), counting: self.counting() }
    }

    /// The highest count that any layout could have: every letter in two words of one colour.
    pub const fn highest(&self) -> u32 {
        let crossed = 4 * self.dice() as u32;
        if self.long_word && crossed < 30 { 30 } else { crossed }
    }

    /// Which words the table takes.
    pub const fn accepts(&self) -> Accepts {
        Accepts { words: self.words, offensive: self.offensive }
    }

    /// The same agreements with the dictionary named in full: what a record should keep, so that it is replayed with the
    /// very same words or not at all.
    pub fn pinned(mut self) -> Result<Options, Refusal> {
        self.words = shelf::pin(&self.words).ok_or(Refusal::NoSuchWords { words: self.words })?;
        Ok(self)
    }

    /// Are these agreements a game?
    pub fn check(&self) -> Result<(), Refusal> {
        if !matches!(self.seconds, 60 | 90) {
            return Err(Refusal::Seconds { found: self.seconds });
        }
        if !Self::ROUNDS.contains(&self.rounds) {
            return Err(Refusal::Rounds { found: self.rounds });
        }
        Ok(())
    }
}
