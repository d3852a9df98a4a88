//! Random throws of the real cubes of Scribbage, the same for the same seed wherever they are measured.

/// The thirteen cubes.
pub(crate) const CUBES: &str =
    "NCOVUK ONUSMB SEHLAT LAIGQF IRELOT ARENDJ AETWDV MYOWUP SAYBEX SEDRI* OHTREN FIZACE GEMPI*";

/// splitmix64.
pub(crate) struct Random(u64);

const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

impl Random {
    /// The numbers of a seed, without the first so many.
    pub(crate) const fn after(seed: u64, numbers: u64) -> Random {
        Random(seed.wrapping_add(numbers.wrapping_mul(GAMMA)))
    }

    /// The next number, below `n`.
    pub(crate) fn below(&mut self, n: u64) -> usize {
        self.0 = self.0.wrapping_add(GAMMA);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n) as usize
    }
}
