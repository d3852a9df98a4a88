//! The lexicon: is this a word, how common is it, what is like it; and the word graph to walk for those who search.

#[cfg(feature = "house")]
use std::sync::Arc;

use crate::bind::bind;
use crate::entry::{Dialect, Entry, Spelling, Vocabulary};
use crate::graph::{self, Digest, Graph, LexiconError, Node};
use crate::letter::{Letter, LetterSet, MAX_LETTERS, Word};
use crate::shelf::{Stamp, WordsId};

/// A set of words, each with its [`Entry`]. Made once, then shared and never changed.
///
/// ```
/// # #[cfg(feature = "house")] {
/// use words::{Lexicon, Tier};
/// let house = Lexicon::house();
/// assert!(house.contains_str("QI") && !house.contains_str("mb"));
/// let plant = house.entry_str("plant").expect("a word");
/// assert_eq!(plant.tier, Tier::T10);
/// # }
/// ```
#[derive(Debug)]
pub struct Lexicon {
    graph: Graph,
    marks: Vec<u8>,
    digest: Digest,
    id: WordsId,
}

impl Lexicon {
    /// The house dictionary, loaded once.
    #[cfg(feature = "house")]
    pub fn house() -> Arc<Self> {
        static HOUSE: std::sync::LazyLock<Arc<Lexicon>> =
            std::sync::LazyLock::new(|| Lexicon::embedded(Dialect::American));
        Arc::clone(&HOUSE)
    }

    /// The house dictionary in British spelling, loaded once.
    #[cfg(feature = "house")]
    pub fn british() -> Arc<Self> {
        static BRITISH: std::sync::LazyLock<Arc<Lexicon>> =
            std::sync::LazyLock::new(|| Lexicon::embedded(Dialect::British));
        Arc::clone(&BRITISH)
    }

    #[cfg(feature = "house")]
    fn embedded(dialect: Dialect) -> Arc<Self> {
        let lexicon = Self::from_bytes(crate::HOUSE_BYTES, dialect);
        Arc::new(lexicon.expect("the embedded word graph is the one that the tests read"))
    }

    /// Reads a word graph made by a [`Binder`](crate::Binder), for a table of one dialect. Any bytes may be given; what is not a whole
    /// and sound word graph is refused.
    pub fn from_bytes(bytes: &[u8], dialect: Dialect) -> Result<Self, LexiconError> {
        let (graph, digest, marks) = graph::decode(bytes, dialect)?;
        let stamp = Some(Stamp::from(digest));
        let id = match dialect {
            Dialect::American => WordsId::House(stamp),
            Dialect::British => WordsId::British(stamp),
        };
        Ok(Self { graph, marks, digest, id })
    }

    /// Bound words as a list of one's own.
    pub(crate) fn own(bytes: &[u8]) -> Result<Self, LexiconError> {
        let (graph, digest, marks) = graph::decode(bytes, Dialect::American)?;
        Ok(Self { graph, marks, digest, id: WordsId::List(Stamp::from(digest)) })
    }

    /// The name by which game options and records speak of these words, its stamp included.
    pub fn id(&self) -> WordsId {
        self.id
    }

    /// The digest of the word graph.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// How many words it has.
    pub fn len(&self) -> usize {
        self.graph.words as usize
    }

    /// It never is: a word graph without a word is refused.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Are these letters a word?
    #[inline]
    pub fn contains(&self, letters: &[Letter]) -> bool {
        let mut node = self.root();
        for &letter in letters {
            match self.child(node, letter) {
                Some(child) => node = child,
                None => return false,
            }
        }
        self.is_word(node)
    }

    /// Is this text, in either case, a word?
    pub fn contains_str(&self, text: &str) -> bool {
        text.parse::<Word>().is_ok_and(|word| self.contains(&word))
    }

    /// What is known of these letters, if they are a word.
    pub fn entry(&self, letters: &[Letter]) -> Option<Entry> {
        let mut node = self.root();
        let mut number = 0;
        for &letter in letters {
            let (child, before) = self.graph.child_counted(node, letter)?;
            (node, number) = (child, number + before);
        }
        self.entry_at(node, number)
    }

    /// What is known of this text, if it is a word.
    pub fn entry_str(&self, text: &str) -> Option<Entry> {
        self.entry(&text.parse::<Word>().ok()?)
    }

    fn entry_at(&self, node: Node, number: u32) -> Option<Entry> {
        let spelling = self.graph.spelling(node)?;
        let pair = self.marks[number as usize / 2];
        Some(Entry::from_mark(pair >> (number % 2 * 4) & 15, spelling))
    }

    /// The node of no letters, from which all words go out.
    #[inline]
    pub fn root(&self) -> Node {
        self.graph.root()
    }

    /// One letter further, if some word goes that way. With a `node` of another lexicon the answer means nothing, and the
    /// call may panic.
    #[inline]
    pub fn child(&self, node: Node, letter: Letter) -> Option<Node> {
        self.graph.child(node, letter)
    }

    /// Does a word end here?
    #[inline]
    pub fn is_word(&self, node: Node) -> bool {
        self.graph.is_word(node)
    }

    /// The letters by which some word goes on.
    #[inline]
    pub fn children(&self, node: Node) -> LetterSet {
        self.graph.children(node)
    }

    /// The letters by which some word goes on, each with the node it leads to.
    pub fn branches(&self, node: Node) -> impl Iterator<Item = (Letter, Node)> {
        self.children(node).iter().filter_map(move |letter| Some((letter, self.child(node, letter)?)))
    }

    /// All words in alphabetical order, with their entries.
    pub fn words(&self) -> Words<'_> {
        let mut words =
            Words { lexicon: self, word: Word::EMPTY, stack: Vec::with_capacity(MAX_LETTERS + 1) };
        words.stack.push((self.root(), 0, self.children(self.root())));
        words
    }

    /// The words of this lexicon that a vocabulary has, as a lexicon of their own: what a bot of that vocabulary searches.
    /// `None` if there are none.
    pub fn narrow(&self, vocabulary: Vocabulary) -> Option<Self> {
        // A table plays by one spelling: in its own lexicon every word is good.
        let both = |(word, entry)| (word, Entry { spelling: Spelling::Both, ..entry });
        let words = self.words().filter(|&(_, entry)| vocabulary.has(entry)).map(both);
        Self::own(&bind(words)).ok()
    }
}

/// All words of a lexicon in alphabetical order: see [`Lexicon::words`].
#[derive(Debug)]
pub struct Words<'a> {
    lexicon: &'a Lexicon,
    word: Word,
    /// Along the word: node, number of the node's first word, letters still to go.
    stack: Vec<(Node, u32, LetterSet)>,
}

impl Iterator for Words<'_> {
    type Item = (Word, Entry);

    fn next(&mut self) -> Option<(Word, Entry)> {
        loop {
            let depth = self.stack.len().checked_sub(1)?;
            let (node, number, left) = &mut self.stack[depth];
            let Some(letter) = left.iter().next() else {
                self.stack.pop();
                continue;
            };
            *left = LetterSet::from_bits(left.bits() & (left.bits() - 1));
            let (child, before) = self.lexicon.graph.child_counted(*node, letter)?;
            let number = *number + before;
            self.word.truncate(depth);
            self.word.push(letter).ok()?;
            self.stack.push((child, number, self.lexicon.children(child)));
            if let Some(entry) = self.lexicon.entry_at(child, number) {
                return Some((self.word, entry));
            }
        }
    }
}
