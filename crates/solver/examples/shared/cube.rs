//! A cube of Scribbage as it lies: its letter and what that counts.

use words::{Face, Letter};

/// The face that shows this letter; `*` and `?` are jokers.
pub(crate) fn cube(shown: char) -> Face {
    let value = match shown {
        '*' | '?' => 0,
        'A' | 'E' | 'O' => 1,
        'I' | 'L' | 'N' | 'R' | 'S' | 'T' => 2,
        'D' | 'H' | 'M' | 'U' => 3,
        'K' => 5,
        'J' => 6,
        'Q' | 'X' => 8,
        'Z' => 10,
        _ => 4,
    };
    Face { letter: Letter::from_char(shown), colour: None, value }
}
