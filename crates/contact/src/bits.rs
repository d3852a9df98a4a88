//! A set of corners as 256 bits: sixteen rows of sixteen, of which row 0 and column 0 stay empty, so that a step
//! over the edge always lands in a guard and is masked away.

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not};

use crate::board::Corner;

/// A set of corners of the board.
///
/// ```
/// use contact::{Bits, Corner};
/// let c4: Corner = "c4".parse().unwrap();
/// let near = Bits::of(c4).neighbours();
/// assert_eq!(near.len(), 4);
/// assert!(near.has("c5".parse().unwrap()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Bits([u64; 4]);

impl Bits {
    /// No corner at all.
    pub const NONE: Self = Self([0; 4]);
    /// All 225 corners.
    pub const BOARD: Self =
        Self([0xFFFE_FFFE_FFFE_0000, 0xFFFE_FFFE_FFFE_FFFE, 0xFFFE_FFFE_FFFE_FFFE, 0xFFFE_FFFE_FFFE_FFFE]);

    /// The set of one corner.
    #[inline]
    pub fn of(corner: Corner) -> Self {
        let mut bits = Self::NONE;
        bits.insert(corner);
        bits
    }

    /// Puts a corner in.
    #[inline]
    pub fn insert(&mut self, corner: Corner) {
        self.0[usize::from(corner.index() >> 6)] |= 1 << (corner.index() & 63);
    }

    /// Takes a corner out.
    #[inline]
    pub fn remove(&mut self, corner: Corner) {
        self.0[usize::from(corner.index() >> 6)] &= !(1 << (corner.index() & 63));
    }

    /// Whether the corner is in the set.
    #[inline]
    pub fn has(self, corner: Corner) -> bool {
        self.bit(corner.index())
    }

    #[inline]
    pub(crate) fn bit(self, index: u8) -> bool {
        self.0[usize::from(index >> 6)] >> (index & 63) & 1 != 0
    }

    /// What is in this set and not in the other.
    #[inline]
    pub(crate) fn without(self, o: Self) -> Self {
        Self([self.0[0] & !o.0[0], self.0[1] & !o.0[1], self.0[2] & !o.0[2], self.0[3] & !o.0[3]])
    }

    /// Whether nothing is in the set.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// How many corners are in the set.
    #[inline]
    pub fn len(self) -> u32 {
        let [a, b, c, d] = self.0;
        if cfg!(all(target_arch = "x86_64", not(target_feature = "popcnt"))) {
            return count_together([a, b, c, d]);
        }
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }

    #[inline]
    fn up(self, by: u32) -> Self {
        let [a, b, c, d] = self.0;
        let down = 64 - by;
        Self([a << by, b << by | a >> down, c << by | b >> down, d << by | c >> down])
    }

    #[inline]
    fn down(self, by: u32) -> Self {
        let [a, b, c, d] = self.0;
        let up = 64 - by;
        Self([a >> by | b << up, b >> by | c << up, c >> by | d << up, d >> by])
    }

    /// Everything one step north; may spill into the guards, so mask it.
    #[inline]
    pub(crate) fn north(self) -> Self {
        self.up(16)
    }

    /// Everything one step south, unmasked.
    #[inline]
    pub(crate) fn south(self) -> Self {
        self.down(16)
    }

    /// Everything one step east, unmasked. What leaves a word would land in the guard of the next.
    #[inline]
    pub(crate) fn east(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([a << 1, b << 1, c << 1, d << 1])
    }

    /// Everything one step west, unmasked; nothing may stand in the guards.
    #[inline]
    pub(crate) fn west(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([a >> 1, b >> 1, c >> 1, d >> 1])
    }

    /// All corners one step along a line from a corner of the set.
    #[inline]
    #[must_use]
    pub fn neighbours(self) -> Self {
        (self.north() | self.south() | self.east() | self.west()) & Self::BOARD
    }

    /// All corners diagonally next to a corner of the set.
    #[inline]
    #[must_use]
    pub fn diagonals(self) -> Self {
        let across = self.east() | self.west();
        (across.north() | across.south()) & Self::BOARD
    }
}

/// The bits of four words. Where the processor is not known to count bits itself, the four share the last steps of the count.
#[inline]
fn count_together(words: [u64; 4]) -> u32 {
    const PAIRS: u64 = u64::MAX / 3;
    const FOURS: u64 = u64::MAX / 5;
    const EIGHTS: u64 = u64::MAX / 17;
    let by_four = |w: u64| {
        let w = w - (w >> 1 & PAIRS);
        (w & FOURS) + (w >> 2 & FOURS)
    };
    let by_eight = |w: u64| (w & EIGHTS) + (w >> 4 & EIGHTS);
    let [a, b, c, d] = words.map(by_four);
    let sum = by_eight(a + b) + by_eight(c + d);
    (sum.wrapping_mul(u64::MAX / 255) >> 56) as u32
}

impl BitAnd for Bits {
    type Output = Self;
    #[inline]
    fn bitand(self, o: Self) -> Self {
        Self([self.0[0] & o.0[0], self.0[1] & o.0[1], self.0[2] & o.0[2], self.0[3] & o.0[3]])
    }
}

impl BitOr for Bits {
    type Output = Self;
    #[inline]
    fn bitor(self, o: Self) -> Self {
        Self([self.0[0] | o.0[0], self.0[1] | o.0[1], self.0[2] | o.0[2], self.0[3] | o.0[3]])
    }
}

impl BitOrAssign for Bits {
    #[inline]
    fn bitor_assign(&mut self, o: Self) {
        *self = *self | o;
    }
}

impl BitXor for Bits {
    type Output = Self;
    #[inline]
    fn bitxor(self, o: Self) -> Self {
        Self([self.0[0] ^ o.0[0], self.0[1] ^ o.0[1], self.0[2] ^ o.0[2], self.0[3] ^ o.0[3]])
    }
}

impl Not for Bits {
    type Output = Self;
    /// The corners of the board that are not in the set.
    #[inline]
    fn not(self) -> Self {
        let b = Self::BOARD.0;
        Self([!self.0[0] & b[0], !self.0[1] & b[1], !self.0[2] & b[2], !self.0[3] & b[3]])
    }
}

impl IntoIterator for Bits {
    type Item = Corner;
    type IntoIter = Corners;
    #[inline]
    fn into_iter(self) -> Corners {
        Corners { words: self.0, word: 0 }
    }
}

impl FromIterator<Corner> for Bits {
    fn from_iter<I: IntoIterator<Item = Corner>>(corners: I) -> Self {
        let mut bits = Self::NONE;
        corners.into_iter().for_each(|c| bits.insert(c));
        bits
    }
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// The corners of a set, from a1 eastwards and upwards.
#[derive(Clone, Debug)]
pub struct Corners {
    words: [u64; 4],
    word: usize,
}

impl Iterator for Corners {
    type Item = Corner;
    #[inline]
    fn next(&mut self) -> Option<Corner> {
        while self.word < 4 {
            let word = &mut self.words[self.word];
            if *word != 0 {
                let index = (self.word as u32) << 6 | word.trailing_zeros();
                *word &= *word - 1;
                return Some(Corner::from_index(index as u8));
            }
            self.word += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_counted_together_are_as_many_as_one_by_one() {
        let mut word = 1u64;
        for _ in 0..1000 {
            let words = [1, 2, 3, 4].map(|_| {
                word = word.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                word & Bits::BOARD.0[1]
            });
            assert_eq!(count_together(words), words.iter().map(|w| w.count_ones()).sum::<u32>());
        }
        assert_eq!(count_together(Bits::BOARD.0), 225);
    }

    #[test]
    fn the_board_has_225_corners_and_steps_never_wrap() {
        assert_eq!(Bits::BOARD.len(), 225);
        for corner in Bits::BOARD {
            let (x, y) = (i32::from(corner.x()), i32::from(corner.y()));
            let want: Bits = [(0, 1), (0, -1), (1, 0), (-1, 0)]
                .into_iter()
                .filter_map(|(dx, dy)| Corner::new((x + dx) as u8, (y + dy) as u8))
                .collect();
            assert_eq!(Bits::of(corner).neighbours(), want, "{corner}");
            let want: Bits = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
                .into_iter()
                .filter_map(|(dx, dy)| Corner::new((x + dx) as u8, (y + dy) as u8))
                .collect();
            assert_eq!(Bits::of(corner).diagonals(), want, "{corner}");
        }
    }
}
