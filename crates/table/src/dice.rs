//! Fair dice that anybody can check.
//!
//! Before the first seat is taken the house draws a secret 32-byte [`Seed`] and shows its SHA-256, the
//! [`Commitment`]. Each seat adds a seed of its own on joining. The dice are then the `ChaCha20` stream whose key is
//!
//! ```text
//! HMAC-SHA-256(key = house seed, message = "parlor dice 1" ‖ game ‖ seed of seat 1 ‖ seed of seat 2 ‖ …)
//! ```
//!
//! where each part is preceded by its length as four little-endian bytes. A number below `n` is taken from the
//! stream's 32-bit words `w` in order: words from `⌊2³² / n⌋ · n` upwards are thrown away (so no face is
//! favoured), the first that is left gives `w mod n`. At the end the seed is shown.
//!
//! So nobody else can foresee such dice, but the house can, from the first throw to the last. Where players' clients add a link of their chain
//! to every throw (see [`chain`](crate::chain)), the house cannot either. Each throw then has a stream of its own, with the key
//!
//! ```text
//! HMAC-SHA-256(key = house seed, message = "parlor dice 2" ‖ sum of the record's head ‖ number of the throw
//!     ‖ sum of the line before the throw ‖ seat ‖ its link ‖ seat ‖ its link ‖ …)
//! ```
//!
//! with parts as above, and numbers as four little-endian bytes.

use crate::chain::Link;
use crate::record::Sum;
use crate::{Seat, Seats, hex};
use hmac::{Hmac, KeyInit, Mac};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use thiserror::Error;

/// The house's secret, shown when the game is over.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Seed([u8; 32]);

/// The SHA-256 of a [`Seed`], shown before the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Commitment([u8; 32]);

/// Text that is not 32 bytes in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected 64 hexadecimal digits")]
pub struct NotHex;

impl Seed {
    /// A seed from 32 bytes of a good random source (or any fixed bytes, for a game that is to be repeated).
    pub const fn new(bytes: [u8; 32]) -> Seed {
        Seed(bytes)
    }

    /// A seed from a number: for simulations and tests, where games are to be repeated.
    pub fn from_number(number: u64) -> Seed {
        Seed(Sha256::digest(number.to_le_bytes()).into())
    }

    /// What is shown before the game.
    pub fn commitment(&self) -> Commitment {
        Commitment(Sha256::digest(self.0).into())
    }

    /// The seed in hexadecimal, for the end of the game.
    pub fn reveal(&self) -> String {
        hex::encode(&self.0)
    }
}

/// A seed never shows itself in a log.
impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(secret)")
    }
}

impl TryFrom<String> for Seed {
    type Error = NotHex;
    fn try_from(text: String) -> Result<Seed, NotHex> {
        hex::decode(&text).map(Seed).ok_or(NotHex)
    }
}

impl From<Seed> for String {
    fn from(seed: Seed) -> String {
        seed.reveal()
    }
}

impl TryFrom<String> for Commitment {
    type Error = NotHex;
    fn try_from(text: String) -> Result<Commitment, NotHex> {
        hex::decode(&text).map(Commitment).ok_or(NotHex)
    }
}

impl From<Commitment> for String {
    fn from(commitment: Commitment) -> String {
        hex::encode(&commitment.0)
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

/// What the key of a stream is made of: parts, each preceded by its length.
struct Message(Hmac<Sha256>);

impl Message {
    fn begin(seed: &Seed, tag: &[u8]) -> Message {
        let mac = Hmac::new_from_slice(&seed.0).expect("HMAC takes a key of any length");
        let mut message = Message(mac);
        message.part(tag);
        message
    }

    fn part(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u32).to_le_bytes());
        self.0.update(bytes);
    }

    fn dice(self) -> Dice {
        Dice { stream: ChaCha20Rng::from_seed(self.0.finalize().into_bytes().into()), drawn: 0 }
    }
}

/// The dice of one table, or of one throw.
///
/// ```
/// use table::{Dice, Seats, Seed};
/// let seats = Seats::named(["Ann", "Ben"]).unwrap();
/// let mut dice = Dice::new(&Seed::from_number(7), "cubo", &seats);
/// let mut again = Dice::new(&Seed::from_number(7), "cubo", &seats);
/// let throw: Vec<u32> = (0..9).map(|_| dice.below(6) + 1).collect();
/// assert!(throw.iter().all(|face| (1..=6).contains(face)));
/// assert_eq!(throw, (0..9).map(|_| again.below(6) + 1).collect::<Vec<_>>());
/// ```
#[derive(Clone)]
pub struct Dice {
    stream: ChaCha20Rng,
    drawn: u64,
}

impl Dice {
    /// The dice that a seed and these seats give.
    pub fn new(seed: &Seed, game: &str, seats: &Seats) -> Dice {
        let mut message = Message::begin(seed, b"parlor dice 1");
        message.part(game.as_bytes());
        for seated in seats.seated() {
            message.part(seated.seed.as_bytes());
        }
        message.dice()
    }

    /// The dice of one throw to which players' clients add.
    pub(crate) fn of_throw(seed: &Seed, head: Sum, throw: u32, sum: Sum, links: &[(Seat, Link)]) -> Dice {
        let mut message = Message::begin(seed, b"parlor dice 2");
        message.part(head.bytes());
        message.part(&throw.to_le_bytes());
        message.part(sum.bytes());
        for (seat, link) in links {
            message.part(&seat.0.to_le_bytes());
            message.part(link.bytes());
        }
        message.dice()
    }

    /// Dice that show nothing: what is done with them on a copy of the game is not kept. They tell whether it throws.
    pub(crate) fn trial() -> Dice {
        Dice { stream: ChaCha20Rng::from_seed([0; 32]), drawn: 0 }
    }

    /// A number from 0 to `n` − 1, each equally likely. (Below 1 or 0 there is nothing to throw: always 0.)
    pub fn below(&mut self, n: u32) -> u32 {
        if n <= 1 {
            return 0;
        }
        let words = 1_u64 << 32;
        let limit = words - words % u64::from(n);
        loop {
            self.drawn += 1;
            let word = self.stream.next_u32();
            if u64::from(word) < limit {
                return word % n;
            }
        }
    }

    /// Puts things in random order, each order equally likely.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    /// How many words of the stream have been used.
    pub const fn drawn(&self) -> u64 {
        self.drawn
    }

    /// Puts the stream back (or forward) to a place it was (or will be) at.
    pub fn rewind(&mut self, drawn: u64) {
        if self.drawn != drawn {
            self.stream.set_word_pos(u128::from(drawn));
            self.drawn = drawn;
        }
    }
}

impl fmt::Debug for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dice({} drawn)", self.drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seated;

    fn dice(number: u64) -> Dice {
        Dice::new(&Seed::from_number(number), "test", &Seats::named(["Ann"]).unwrap())
    }

    /// The stream is a promise: records of years ago must still verify.
    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut dice = dice(1948);
        let throws: Vec<u32> = (0..20).map(|_| dice.below(6)).collect();
        assert_eq!(throws, STREAM_OF_1948);
    }

    /// Worked out with another program, from the description above.
    const STREAM_OF_1948: [u32; 20] = [4, 4, 0, 1, 4, 3, 4, 5, 5, 0, 4, 1, 4, 1, 0, 0, 2, 3, 5, 4];

    #[test]
    fn every_seat_changes_the_dice() {
        let throws = |seeds: [&str; 2]| {
            let seated = seeds.map(|seed| Seated { name: "x".into(), seed: seed.into() });
            let seats = Seats::new(seated.to_vec()).unwrap();
            let mut dice = Dice::new(&Seed::from_number(1), "test", &seats);
            (0..16).map(|_| dice.below(1000)).collect::<Vec<_>>()
        };
        let all = [
            throws(["a", "b"]),
            throws(["a", "c"]),
            throws(["d", "b"]),
            throws(["ab", ""]),
            throws(["", "ab"]),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[at + 1..].contains(one), "{at}");
        }
    }

    #[test]
    fn a_rewound_stream_repeats_itself() {
        let mut dice = dice(3);
        for _ in 0..37 {
            dice.below(6);
        }
        let place = dice.drawn();
        let first: Vec<u32> = (0..50).map(|_| dice.below(6)).collect();
        dice.rewind(place);
        assert_eq!(first, (0..50).map(|_| dice.below(6)).collect::<Vec<_>>());
    }

    #[test]
    fn nothing_to_throw_is_no_throw() {
        let mut dice = dice(3);
        assert_eq!((dice.below(0), dice.below(1), dice.drawn()), (0, 0, 0));
    }

    #[test]
    fn a_seed_shows_itself_only_when_asked() {
        let seed = Seed::from_number(5);
        assert!(!format!("{seed:?}").contains(&seed.reveal()[..8]));
        assert_eq!(Seed::try_from(seed.reveal()), Ok(seed));
        assert_eq!(Seed::try_from("12".to_owned()), Err(NotHex));
    }

    /// Chi-square over a million throws of each die the games use; the limits are the 99.9 % points.
    #[test]
    fn each_die_is_fair_over_a_million_throws() {
        for (sides, limit) in [(2, 10.83), (4, 16.27), (6, 20.52), (13, 32.91), (36, 66.62)] {
            let mut dice = dice(u64::from(sides));
            let mut seen = vec![0_u32; sides as usize];
            for _ in 0..1_000_000 {
                seen[dice.below(sides) as usize] += 1;
            }
            let expected = 1e6 / f64::from(sides);
            let chi: f64 = seen.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
            assert!(chi < limit, "a die of {sides}: chi-square {chi:.2} over {limit}");
        }
    }
}
