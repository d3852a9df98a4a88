//! A small seeded random source for bots and tests. Games never see it: their only chance is the fair dice.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Luck that repeats itself for the same seed.
///
/// ```
/// use table::Luck;
/// let mut luck = Luck::new(4);
/// assert!(luck.below(6) < 6);
/// assert!([1, 2, 3].contains(luck.pick(&[1, 2, 3]).unwrap()));
/// ```
#[derive(Clone, Debug)]
pub struct Luck(ChaCha8Rng);

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
