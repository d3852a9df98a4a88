//! A small seeded random source for bots and tests. Games never see it: their only chance is the fair dice.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// Luck that repeats itself for the same seed.
///
/// ```
/// use table::Luck;
/// let mut luck = Luck::new(4);
/// assert!(luck.below(6) < 6);
/// assert!([1, 2, 3].contains(luck.pick(&[1, 2, 3]).unwrap()));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Kept", into = "Kept")]
pub struct Luck(ChaCha8Rng);

/// Luck written down: where it began, and how far it has come.
#[derive(Serialize, Deserialize)]
struct Kept {
    seed: [u8; 32],
    at: u64,
}

impl From<Kept> for Luck {
    fn from(kept: Kept) -> Luck {
        let mut luck = ChaCha8Rng::from_seed(kept.seed);
        luck.set_word_pos(kept.at.into());
        Luck(luck)
    }
}

impl From<Luck> for Kept {
    fn from(Luck(luck): Luck) -> Kept {
        // No bot asks for 2⁶⁴ words.
        Kept { seed: luck.get_seed(), at: luck.get_word_pos() as u64 }
    }
}

impl Luck {
    /// Luck from a number.
    pub fn new(seed: u64) -> Luck {
        Luck(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `n` − 1 (0 if there is none). The bias of at most `n`/2⁶⁴ does not matter to a bot.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// True `chances` times in `of`.
    pub fn chance(&mut self, chances: u64, of: u64) -> bool {
        self.below(of) < chances
    }

    /// One of these, if there is any.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.get(self.below(things.len() as u64) as usize)
    }

    /// Puts things in random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luck_that_was_written_down_goes_on_where_it_was() {
        let mut luck = Luck::new(7);
        for _ in 0..13 {
            luck.below(6);
        }
        let kept = serde_json::to_string(&luck).unwrap();
        let mut again: Luck = serde_json::from_str(&kept).unwrap();
        assert_eq!([(); 9].map(|()| again.bits()), [(); 9].map(|()| luck.bits()));
    }
}
