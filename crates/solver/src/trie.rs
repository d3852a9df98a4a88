//! The formable words of one throw as tries, one for each length: a prefix in the trie of length n can become a word of
//! n letters. The letters by which a prefix goes on are one bit mask, its children lie side by side, and a child's
//! place is the rank of its letter in the mask.

use std::ops::Range;

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

#[derive(Debug, Default)]
pub(crate) struct Tries {
    nodes: Vec<Node>,
    /// By node: the words that begin with it, among those of its length: first and past the last.
    spans: Vec<(u32, u32)>,
    /// Room for the layers of a trie being built: node, first word, past the last.
    layer: Vec<(usize, usize, usize)>,
    below: Vec<(usize, usize, usize)>,
}

impl Tries {
    /// Of words in alphabetical order without repeats: the trie of the words of n letters has the root n.
    pub(crate) fn new(words: &[Spelt]) -> Self {
        let mut tries = Self {
            nodes: vec![Node::default(); MAX_LETTERS + 1],
            spans: vec![(0, 0); MAX_LETTERS + 1],
            ..Self::default()
        };
        let mut sorted: [Vec<&Spelt>; MAX_LETTERS + 1] = Default::default();
        for word in words {
            sorted[word.letters().len()].push(word);
        }
        for (length, words) in sorted.iter().enumerate() {
            tries.grow(length, words, length);
        }
        tries
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A node by which every letter goes on, to nowhere in particular.
    pub(crate) fn any(&mut self) -> u32 {
        self.nodes.push(Node { next: ALL, first: 0 });
        self.spans.push((0, 0));
        (self.nodes.len() - 1) as u32
    }

    /// One more trie, of words of one length in alphabetical order without repeats; answers its root.
    pub(crate) fn add(&mut self, words: &[&Spelt]) -> u32 {
        let root = self.nodes.len();
        self.nodes.push(Node::default());
        self.spans.push((0, 0));
        self.grow(root, words, words.first().map_or(0, |word| word.letters().len()));
        root as u32
    }

    /// Breadth first, so that the children of a node are pushed together.
    fn grow(&mut self, root: usize, words: &[&Spelt], length: usize) {
        self.layer.clear();
        self.layer.push((root, 0, words.len()));
        for depth in 0..length {
            for &(node, mut from, to) in &self.layer {
                self.nodes[node].first = self.nodes.len() as u32;
                while from < to {
                    let letter = words[from].letters()[depth];
                    let alike =
                        words[from..to].iter().take_while(|word| word.letters()[depth] == letter).count();
                    self.nodes[node].next |= 1 << letter;
                    self.below.push((self.nodes.len(), from, from + alike));
                    self.nodes.push(Node::default());
                    self.spans.push((from as u32, (from + alike) as u32));
                    from += alike;
                }
            }
            std::mem::swap(&mut self.layer, &mut self.below);
            self.below.clear();
        }
    }

    /// The node of no letters of the words of `length`: it has that number.
    #[inline]
    pub(crate) fn node(&self, at: u32) -> Node {
        self.nodes[at as usize]
    }

    /// The words that begin with a node, among those of its length.
    #[inline]
    pub(crate) fn span(&self, at: u32) -> Range<usize> {
        let (from, to) = self.spans[at as usize];
        from as usize..to as usize
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
