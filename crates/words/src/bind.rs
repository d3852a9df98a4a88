//! Binds a list of words into a word graph with the fewest nodes (Daciuk's way: words in order, and whatever can no
//! longer change is merged with its equal at once). The same list always gives the same bytes.

use std::collections::BTreeMap;

use crate::entry::{Entry, Spelling};
use crate::graph::{self, ends};
use crate::letter::{ALPHABET, Letter, LetterSet, MAX_LETTERS, Word};

/// Words on their way into a book. What is added twice takes the more common tier and both spellings.
///
/// ```
/// use words::{Binder, Dialect, Entry, Lexicon, Spelling, Tier};
/// let mut binder = Binder::default();
/// let entry = Entry { tier: Tier::T10, spelling: Spelling::Both, offensive: false };
/// binder.add("die".parse()?, entry);
/// binder.add("dice".parse()?, entry);
/// let lexicon = Lexicon::from_bytes(&binder.bytes(), Dialect::American)?;
/// assert!(lexicon.contains_str("dice") && !lexicon.contains_str("di"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Binder {
    words: BTreeMap<Word, Entry>,
}

impl Binder {
    /// Adds a word.
    pub fn add(&mut self, word: Word, entry: Entry) {
        self.words
            .entry(word)
            .and_modify(|known| {
                known.tier = known.tier.min(entry.tier);
                known.spelling = known.spelling.or(entry.spelling);
                known.offensive |= entry.offensive;
            })
            .or_insert(entry);
    }

    /// Takes a word out again.
    pub fn remove(&mut self, word: &Word) -> Option<Entry> {
        self.words.remove(word)
    }

    /// What is known of a word so far.
    pub fn entry_mut(&mut self, word: &Word) -> Option<&mut Entry> {
        self.words.get_mut(word)
    }

    /// The words so far, in order.
    pub fn words(&self) -> impl Iterator<Item = (&Word, &Entry)> {
        self.words.iter()
    }

    /// The word graph as bytes: what [`Lexicon::from_bytes`](crate::Lexicon::from_bytes) reads.
    pub fn bytes(&self) -> Vec<u8> {
        bind(self.words.iter().map(|(&word, &entry)| (word, entry)))
    }
}

/// Binds words that come in order, each once.
pub(crate) fn bind(words: impl Iterator<Item = (Word, Entry)>) -> Vec<u8> {
    let (mut press, mut marks) = (Press::default(), Vec::new());
    for (word, entry) in words {
        press.add(&word, entry.spelling);
        marks.push(entry.mark());
    }
    graph::encode(&press.finish(), &marks)
}

/// A node that may still get children: the last of them is not merged yet.
#[derive(Clone, Copy, Default)]
struct Open {
    ends: u32,
    letters: u32,
    children: [u32; ALPHABET],
}

/// Cells finished so far, a hash table of the nodes in them, and the open nodes along the last word.
struct Press {
    cells: Vec<u32>,
    /// Heads of finished nodes by hash, plus one; 0 is free. Never more than half full.
    table: Vec<u32>,
    nodes: usize,
    open: [Open; MAX_LETTERS + 1],
    last: Word,
}

impl Default for Press {
    fn default() -> Self {
        let open = [Open::default(); MAX_LETTERS + 1];
        Self { cells: Vec::new(), table: vec![0; 1 << 12], nodes: 0, open, last: Word::EMPTY }
    }
}

impl Press {
    /// Adds the next word in order.
    fn add(&mut self, word: &Word, spelling: Spelling) {
        let shared = word.iter().zip(self.last.iter()).take_while(|(a, b)| a == b).count();
        self.close_to(shared);
        self.last = *word;
        self.open[word.len()].ends = ends(spelling);
    }

    /// Finishes the open nodes deeper than `depth`.
    fn close_to(&mut self, depth: usize) {
        for deep in (depth + 1..=self.last.len()).rev() {
            let node = std::mem::take(&mut self.open[deep]);
            let cell = self.finished(&node);
            let letter: Letter = self.last[deep - 1];
            let parent = &mut self.open[deep - 1];
            parent.letters |= 1 << letter.index();
            parent.children[letter.index()] = cell;
        }
    }

    /// The finished node equal to this one: an old one where there is one.
    fn finished(&mut self, node: &Open) -> u32 {
        let start = self.cells.len();
        self.cells.push(node.ends | node.letters);
        let children = LetterSet::from_bits(node.letters).iter().map(|letter| node.children[letter.index()]);
        self.cells.extend(children);
        if self.nodes * 2 >= self.table.len() {
            self.widen();
        }
        let slot = self.seat(start);
        if let Some(known) = self.table[slot].checked_sub(1) {
            self.cells.truncate(start);
            return known;
        }
        self.table[slot] = start as u32 + 1;
        self.nodes += 1;
        start as u32
    }

    /// Where in the table the node at `start` is, or may be put.
    fn seat(&self, start: usize) -> usize {
        let node = self.node(start);
        let hash = node.iter().fold(0_u64, |hash, &cell| {
            (hash.rotate_left(5) ^ u64::from(cell)).wrapping_mul(0x517c_c1b7_2722_0a95)
        });
        let mask = self.table.len() - 1;
        let mut slot = (hash >> 32) as usize & mask;
        while let Some(known) = self.table[slot].checked_sub(1) {
            if self.node(known as usize) == node {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn node(&self, start: usize) -> &[u32] {
        let children = LetterSet::from_bits(self.cells[start]).len();
        &self.cells[start..=start + children]
    }

    fn widen(&mut self) {
        let doubled = vec![0; self.table.len() * 2];
        let old = std::mem::replace(&mut self.table, doubled);
        for head in old.into_iter().filter(|&head| head != 0) {
            let slot = self.seat(head as usize - 1);
            self.table[slot] = head;
        }
    }

    /// All cells, the root's last.
    fn finish(mut self) -> Vec<u32> {
        self.close_to(0);
        let root = std::mem::take(&mut self.open[0]);
        self.finished(&root);
        self.cells
    }
}
