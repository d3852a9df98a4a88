//! A hand: nine thrown dice, their order forgotten. Each of the 453,492 hands has a number of its own.

use std::fmt;

use crate::{
    die::{Colour, Die, FACES},
    notation::Misread,
    score::KINDS,
    square::Square,
};

/// How many coloured dice a hand has.
pub(crate) const COLOURED: usize = 8;

/// How many ways eight coloured dice can lie, whatever their colours: multisets of 8 from 12 kinds.
pub(crate) const SPREADS: usize = choose(COLOURED + KINDS - 1, COLOURED) as usize;

/// How many hands there are, over every colour stock and every white die.
pub const HANDS: usize = SPREADS * FACES as usize;

/// Nine thrown dice: eight coloured in any split of red and blue, and the white one.
///
/// ```
/// use cubo::{Hand, Straights};
///
/// let hand: Hand = "R1 R2 R3 R4 B1 B2 B3 B4 W4".parse()?;
/// assert_eq!(hand.red(), 4);
/// let best = hand.best(Straights::InOrder);
/// assert_eq!(best.points(Straights::InOrder), hand.best_points(Straights::InOrder));
/// # Ok::<(), cubo::Misread>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hand {
    /// The kinds of the coloured dice, ascending: reds before blues.
    kinds: [u8; COLOURED],
    /// The white die's face, from nought.
    white: u8,
}

impl Hand {
    /// The hand of these nine dice, in whatever order.
    pub fn new(dice: &[Die; 9]) -> Result<Self, Misread> {
        let mut kinds = [0; COLOURED];
        let mut found = 0;
        let mut white = None;
        for die in dice {
            if !die.is_white() {
                // A ninth coloured die leaves no white one: reported below.
                if let Some(place) = kinds.get_mut(found) {
                    *place = die.kind();
                }
                found += 1;
            } else if white.replace(die.face() - 1).is_some() {
                return Err(Misread::SecondWhite { token: die.to_string() });
            }
        }
        let white = white.ok_or(Misread::NoWhite)?;
        kinds.sort_unstable();
        Ok(Self { kinds, white })
    }

    pub(crate) const fn of_kinds(sorted: [u8; COLOURED], white: u8) -> Self {
        Self { kinds: sorted, white }
    }

    pub(crate) const fn kinds(&self) -> &[u8; COLOURED] {
        &self.kinds
    }

    pub(crate) const fn white(&self) -> u8 {
        self.white
    }

    /// How many of the eight coloured dice are red.
    pub fn red(&self) -> u8 {
        self.kinds.iter().filter(|&&kind| kind < FACES).count() as u8
    }

    /// The nine dice: reds, blues, the white one.
    pub fn dice(&self) -> [Die; 9] {
        std::array::from_fn(|i| match self.kinds.get(i) {
            Some(&kind) => Die::of_kind(kind),
            None => Die::thrown(Colour::White, self.white),
        })
    }

    /// The hand after giving up one coloured die for another; nothing if the hand has no such die or one is white.
    #[must_use]
    pub fn exchanged(&self, out: Die, taken: Die) -> Option<Self> {
        if taken.is_white() {
            return None;
        }
        let place = self.kinds.iter().position(|&kind| kind == out.kind())?;
        let mut kinds = self.kinds;
        kinds[place] = taken.kind();
        kinds.sort_unstable();
        Some(Self { kinds, white: self.white })
    }

    /// The hand's number, 0 to [`HANDS`] − 1.
    #[inline]
    pub fn rank(&self) -> usize {
        rank(self.kinds) * FACES as usize + self.white as usize
    }

    /// The hand with this number, if there is one.
    pub fn from_rank(number: usize) -> Option<Self> {
        let (spread, white) = (number / FACES as usize, (number % FACES as usize) as u8);
        (spread < SPREADS).then(|| Self { kinds: unrank(spread), white })
    }
}

impl From<&Square> for Hand {
    fn from(cubo: &Square) -> Self {
        let &[a, b, c, d, middle, e, f, g, h] = cubo.dice();
        let mut kinds = [a, b, c, d, e, f, g, h].map(Die::kind);
        kinds.sort_unstable();
        Self { kinds, white: middle.face() - 1 }
    }
}

/// `R1 R2 R3 R4 B1 B2 B3 B4 W4`
impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, die) in self.dice().iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{die}")?;
        }
        Ok(())
    }
}

const fn choose(n: usize, k: usize) -> u32 {
    let mut ways = 1;
    let mut i = 0;
    while i < k {
        ways = ways * (n - i) / (i + 1);
        i += 1;
    }
    ways as u32
}

/// `STEP[i][k]`: how many multisets of i + 1 kinds have all their kinds below k. Rows padded to a power of two.
static STEP: [[u32; 16]; COLOURED] = {
    let mut step = [[0; 16]; COLOURED];
    let mut i = 0;
    while i < COLOURED {
        let mut kind = 1;
        while kind < KINDS {
            step[i][kind] = choose(kind + i, i + 1);
            kind += 1;
        }
        i += 1;
    }
    step
};

/// The number of a sorted multiset of kinds, in colexicographic order.
#[inline]
fn rank(kinds: [u8; COLOURED]) -> usize {
    STEP.iter().zip(kinds).map(|(step, kind)| step[(kind & 15) as usize]).sum::<u32>() as usize
}

/// The sorted multiset with this number.
pub(crate) fn unrank(mut number: usize) -> [u8; COLOURED] {
    let mut kinds = [0; COLOURED];
    for (step, kind) in STEP.iter().zip(&mut kinds).rev() {
        let highest = (0..KINDS).rev().find(|&k| step[k] as usize <= number).unwrap_or(0);
        number -= step[highest] as usize;
        *kind = highest as u8;
    }
    kinds
}

/// Steps to the multiset with the next number; past the last one it starts again.
pub(crate) fn advance(kinds: &mut [u8; COLOURED]) {
    for i in 0..COLOURED {
        let ceiling = kinds.get(i + 1).copied().unwrap_or(KINDS as u8 - 1);
        if kinds[i] < ceiling {
            kinds[i] += 1;
            return;
        }
        kinds[i] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_453_492_hands() {
        assert_eq!(HANDS, 453_492);
    }

    #[test]
    fn every_hand_has_its_own_number() {
        let mut kinds = [0; COLOURED];
        for number in 0..SPREADS {
            assert_eq!(rank(kinds), number);
            assert_eq!(unrank(number), kinds);
            assert!(kinds.is_sorted());
            advance(&mut kinds);
        }
        assert_eq!(kinds, [0; COLOURED], "after the last comes the first");
        assert_eq!(Hand::from_rank(HANDS), None);
    }

    #[test]
    fn the_order_of_the_dice_is_forgotten() {
        let one: Hand = "B4 W2 R1 R1 B6 R3 R5 B2 B2".parse().unwrap();
        let other: Hand = "R1 R5 R3 R1 B2 B2 B6 B4 W2".parse().unwrap();
        assert_eq!(one, other);
        assert_eq!(one.to_string(), "R1 R1 R3 R5 B2 B2 B4 B6 W2");
        assert_eq!(Hand::from_rank(one.rank()), Some(one));
    }
}
