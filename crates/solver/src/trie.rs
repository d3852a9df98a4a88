//! The formable words of one throw as tries, one for each length: a prefix in the trie of length n can become a word of
//! n letters. The letters by which a prefix goes on are one bit mask, its children lie side by side, and a child's
//! place is the rank of its letter in the mask.

use words::MAX_LETTERS;

use crate::dictionary::{Letters, Spelt};

/// The set of all letters.
pub(crate) const ALL: Letters = (1 << 26) - 1;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    /// The letters by which some word goes on.
    pub(crate) next: Letters,
    /// Where its children begin.
    first: u32,
}

#[derive(Debug)]
pub(crate) struct Tries {
    nodes: Vec<Node>,
}

impl Tries {
    /// Of words in alphabetical order without repeats.
    pub(crate) fn new(words: &[Spelt]) -> Self {
        let mut nodes = vec![Node::default(); MAX_LETTERS + 1];
        let mut sorted: [Vec<&Spelt>; MAX_LETTERS + 1] = Default::default();
        for word in words {
            sorted[word.letters().len()].push(word);
        }
        let mut layer = Vec::new();
        let mut below = Vec::new();
        for (length, words) in sorted.iter().enumerate() {
            // Breadth first, so that the children of a node are pushed together: (node, first word, past the last).
            layer.clear();
            layer.push((length, 0, words.len()));
            for depth in 0..length {
                for &(node, mut from, to) in &layer {
                    nodes[node].first = nodes.len() as u32;
                    while from < to {
                        let letter = words[from].letters()[depth];
                        let end = from
                            + words[from..to]
                                .iter()
                                .take_while(|word| word.letters()[depth] == letter)
                                .count();
                        nodes[node].next |= 1 << letter;
                        below.push((nodes.len(), from, end));
                        nodes.push(Node::default());
                        from = end;
                    }
                }
                std::mem::swap(&mut layer, &mut below);
                below.clear();
            }
        }
        Self { nodes }
    }

    /// The node of no letters of the words of `length`: it has that number.
    #[inline]
    pub(crate) fn node(&self, at: u32) -> Node {
        self.nodes[at as usize]
    }

    /// Where a word ends.
    pub(crate) fn find(&self, letters: &[u8]) -> Option<u32> {
        letters.iter().try_fold(letters.len() as u32, |at, &letter| {
            let node = self.node(at);
            (node.next >> letter & 1 == 1).then(|| Self::child(node, u32::from(letter)))
        })
    }

    /// One letter further; the letter must be among those by which `node` goes on.
    #[inline]
    pub(crate) fn child(node: Node, letter: u32) -> u32 {
        node.first + (node.next & ((1 << letter) - 1)).count_ones()
    }
}
