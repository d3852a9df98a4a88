//! Bytes as lower-case hexadecimal, and back.

use std::fmt::Write;

pub(crate) fn encode(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // a String never fails to be written
        text
    })
}

pub(crate) fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let high = char::from(pair[0]).to_digit(16)?;
        let low = char::from(pair[1]).to_digit(16)?;
        *byte = (high * 16 + low) as u8;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_anything_else_does_not() {
        assert_eq!(decode::<3>(&encode(&[0, 171, 255])), Some([0, 171, 255]));
        for bad in ["", "00", "zz0000", "00000", "0000é"] {
            assert_eq!(decode::<3>(bad), None, "{bad}");
        }
    }
}
