//! Lengths of words side by side: every way to write up to fourteen dice as a sum of words of two or more, numbered from
//! the smallest sum to the largest.

use std::sync::LazyLock;

use crate::engine::MAX_DICE;

/// The number of a multiset of word lengths; 0 is no word at all.
pub(crate) type Lengths = u8;

/// No such multiset.
pub(crate) const NONE: Lengths = u8::MAX;

#[derive(Debug)]
pub(crate) struct LengthTable {
    /// The lengths of each, longest first.
    pub(crate) parts: Vec<Vec<u8>>,
    /// How many have a sum of at most this.
    pub(crate) up_to: [usize; MAX_DICE + 1],
    /// One word more: `plus[lengths][word]`.
    pub(crate) plus: Vec<[Lengths; MAX_DICE + 1]>,
    /// One word less.
    pub(crate) minus: Vec<[Lengths; MAX_DICE + 1]>,
}

pub(crate) static LENGTHS: LazyLock<LengthTable> = LazyLock::new(LengthTable::new);

impl LengthTable {
    fn new() -> Self {
        let mut parts: Vec<Vec<u8>> = Vec::new();
        let mut up_to = [0; MAX_DICE + 1];
        for (sum, up_to) in up_to.iter_mut().enumerate() {
            write_sums(sum as u8, sum as u8, &mut Vec::new(), &mut parts);
            *up_to = parts.len();
        }
        let number =
            |wanted: &[u8]| parts.iter().position(|parts| parts == wanted).map_or(NONE, |n| n as Lengths);
        let mut plus = vec![[NONE; MAX_DICE + 1]; parts.len()];
        let mut minus = vec![[NONE; MAX_DICE + 1]; parts.len()];
        for from in 0..parts.len() {
            for word in 2..=MAX_DICE {
                let mut more = parts[from].clone();
                more.push(word as u8);
                more.sort_unstable_by(|a, b| b.cmp(a));
                let to = number(&more);
                if to != NONE {
                    plus[from][word] = to;
                    minus[usize::from(to)][word] = from as Lengths;
                }
            }
        }
        Self { parts, up_to, plus, minus }
    }

    /// The number of these lengths, in any order; those below two are no words.
    pub(crate) fn number(&self, words: impl IntoIterator<Item = usize>) -> Lengths {
        words
            .into_iter()
            .filter(|&word| word >= 2)
            .fold(0, |lengths, word| self.plus[usize::from(lengths)][word])
    }
}

fn write_sums(sum: u8, longest: u8, begun: &mut Vec<u8>, parts: &mut Vec<Vec<u8>>) {
    if sum == 0 {
        parts.push(begun.clone());
    }
    for word in (2..=sum.min(longest)).rev() {
        begun.push(word);
        write_sums(sum - word, word, begun, parts);
        begun.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirteen_dice_can_be_written_in_a_hundred_and_one_ways() {
        assert_eq!(LENGTHS.up_to[13], 101);
        assert_eq!(LENGTHS.number([1, 3, 2, 4, 1]), LENGTHS.number([4, 3, 2]));
        assert_eq!(LENGTHS.minus[usize::from(LENGTHS.number([4, 3]))][3], LENGTHS.number([4]));
    }
}
