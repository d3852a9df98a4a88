//! The two countings, as the search sees them: what one word counts, and whether a die left over costs its value.

/// How words count. `size` dice, of values `sum` together, whose colours are the bits of `colours`.
pub(crate) trait Count: Copy + Send + Sync {
    /// What one word counts.
    fn gain(self, size: u8, sum: u16, colours: u8) -> u16;
    /// What a die in a word counts in that word, where that depends on nothing but the die: a joker is then best spent
    /// on a letter that stands in one word only.
    const ADDS_UP: bool;
    /// Dice left over cost their value.
    const LEFT_OVER_COSTS: bool;
}

/// The colours as bits; a die without colour is of neither, and its word counts once.
pub(crate) const RED: u8 = 1;
pub(crate) const BLACK: u8 = 2;
pub(crate) const PLAIN: u8 = 4;

/// I-Qubes: letters, twice those of a word of one colour (IQ-S8).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByLength {
    /// The size of a word of all dice, where that counts 15 or 30 (IQ-S10).
    pub(crate) all_dice: Option<u8>,
}

impl Count for ByLength {
    fn gain(self, size: u8, _: u16, colours: u8) -> u16 {
        let letters = if self.all_dice == Some(size) { 15 } else { u16::from(size) };
        letters << u16::from(colours == RED || colours == BLACK)
    }
    const ADDS_UP: bool = false;
    const LEFT_OVER_COSTS: bool = false;
}

/// Scribbage: the values of the letters (SB-S7).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByValue;

impl Count for ByValue {
    fn gain(self, _: u8, sum: u16, _: u8) -> u16 {
        sum
    }
    const ADDS_UP: bool = true;
    const LEFT_OVER_COSTS: bool = true;
}
