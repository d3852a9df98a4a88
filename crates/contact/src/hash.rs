//! Keys of the incremental hash of positions, from fixed seeds.

use crate::tile::Code;

/// Odd multipliers and random words for the hash, from a fixed seed.
const fn randoms<const N: usize>(mut seed: u64) -> [u64; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        out[i] = z ^ (z >> 31);
        i += 1;
    }
    out
}

pub(crate) static PLACE_KEYS: [u64; 256] = randoms(1);
pub(crate) static TILE_KEYS: [u64; 64] = randoms(2);
pub(crate) static TURN_KEYS: [u64; 4] = randoms(3);
pub(crate) const SEVEN_KEY: u64 = randoms::<1>(4)[0];

/// A tile's share of the hash. A product of two tables of 2.5 KB stays in the first cache, one of 128 KB does not.
#[inline]
pub(crate) fn key(code: Code, at: u8) -> u64 {
    let product = u128::from(PLACE_KEYS[usize::from(at)]) * u128::from(TILE_KEYS[code.index()]);
    (product >> 64) as u64 ^ product as u64
}
