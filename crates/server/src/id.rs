//! Names that cannot be guessed: 128 random bits as 26 small letters and digits.

/// Fills a buffer from the system's random source.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("a system without a random source cannot run a fair house");
    bytes
}

/// Letters and digits without those that are taken for each other (i, l, o, u).
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A new id.
pub(crate) fn fresh() -> String {
    encode(u128::from_le_bytes(random()))
}

fn encode(bits: u128) -> String {
    (0..26).rev().map(|at| char::from(DIGITS[(bits >> (5 * at) & 31) as usize])).collect()
}

/// Whether this could be an id: what is not is never looked up.
pub(crate) fn plausible(text: &str) -> bool {
    text.len() == 26 && text.bytes().all(|byte| DIGITS.contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_all_its_bits_and_no_two_are_equal() {
        assert_eq!(encode(0), "0".repeat(26));
        assert_eq!(encode(u128::MAX), format!("7{}", "z".repeat(25)));
        assert!(plausible(&fresh()));
        assert_ne!(fresh(), fresh());
        for bad in ["", "abc", &"O".repeat(26), &format!("{}/", "0".repeat(25))] {
            assert!(!plausible(bad), "{bad}");
        }
    }
}
