//! The word graph: all words in one flat array of 32-bit cells, common beginnings and common endings shared.
//!
//! # The bytes
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 0–7 | `PARLORWG` |
//! | 8–11 | version of this format, 1 |
//! | 12–15 | number of cells |
//! | 16–19 | number of words, both spellings together |
//! | 20–31 | zero |
//! | 32–63 | SHA-256 of the cells: it names the words, whatever their tiers |
//! | 64– | the cells, four bytes each |
//! | then | the marks, four bits a word in alphabetical order, the lower half first: tier (3 bits), offensive (1 bit) |
//!
//! A node is a head cell and then one cell per child, in the order of the alphabet. The head has one bit per letter that
//! goes on (bit 0 is A), bit 26 if an American word ends here, bit 27 if a British word does. A child's cell is the index
//! of the child's head, which always lies before its parent's: so the graph has no loops, one pass forward checks and
//! counts everything, and the root is the last node. A child is found by one bit test and one population count.
//!
//! A word's number (for its mark) is the count of words before it in the alphabet; it is found on the way down.

use sha2::{Digest as _, Sha256};

use crate::entry::{Dialect, Spelling};
use crate::letter::{Letter, LetterSet, MAX_LETTERS};

const MAGIC: &[u8; 8] = b"PARLORWG";
const VERSION: u32 = 1;
const HEADER: usize = 64;
const LETTERS: u32 = LetterSet::ALL.bits();
/// An American word ends at this node.
pub(crate) const AMERICAN: u32 = 1 << 26;
/// A British word ends at this node.
pub(crate) const BRITISH: u32 = 1 << 27;
const ENDS: u32 = AMERICAN | BRITISH;
/// In the loaded graph only: a word of the table's dialect ends at this node.
const WORD: u32 = 1 << 31;

/// More words than anyone's list has: a bound on what foreign bytes can make us hold.
pub(crate) const MAX_WORDS: u32 = 1_000_000;
const MAX_CELLS: u32 = 1 << 24;

/// Why bytes are no lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LexiconError {
    /// They do not begin like one.
    #[error("this is no word graph: it does not begin with PARLORWG")]
    NotALexicon,
    /// Made by another version of this program.
    #[error("this word graph has format {found}, this program reads format {VERSION}: make it anew")]
    OtherVersion {
        /// The format it has.
        found: u32,
    },
    /// Cut off, or with something behind it.
    #[error("this word graph is {found} bytes long and should be {wanted}: fetch it again")]
    WrongLength {
        /// What its header says.
        wanted: u64,
        /// What there is.
        found: u64,
    },
    /// More than any list needs.
    #[error("this word graph says that it has {words} words: at most {MAX_WORDS} are read")]
    TooLarge {
        /// What its header says.
        words: u32,
    },
    /// Changed on the way.
    #[error("this word graph is damaged (its digest does not fit its words): fetch it again")]
    Damaged,
    /// A whole graph by its digest, and yet not one.
    #[error("this word graph is malformed at cell {cell}: make it anew")]
    Malformed {
        /// Where.
        cell: u32,
    },
}

/// The SHA-256 of a word graph's cells. It names a set of words exactly.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// A place in the word graph: all words that begin with the letters that led here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node(u32);

/// The graph of one dialect, loaded and checked: every child exists, every branch leads to a word.
#[derive(Debug)]
pub(crate) struct Graph {
    cells: Vec<u32>,
    /// Beside each child's cell: how many words of the file stand before those of that child.
    before: Vec<u32>,
    root: u32,
    /// Words of this dialect.
    pub(crate) words: u32,
}

impl Graph {
    pub(crate) fn root(&self) -> Node {
        Node(self.root)
    }

    #[inline]
    fn head(&self, node: Node) -> u32 {
        self.cells[node.0 as usize]
    }

    #[inline]
    pub(crate) fn children(&self, node: Node) -> LetterSet {
        LetterSet::from_bits(self.head(node))
    }

    #[inline]
    pub(crate) fn is_word(&self, node: Node) -> bool {
        self.head(node) & WORD != 0
    }

    pub(crate) fn spelling(&self, node: Node) -> Option<Spelling> {
        spelling(self.head(node)).filter(|_| self.is_word(node))
    }

    #[inline]
    fn slot(&self, node: Node, letter: Letter) -> Option<usize> {
        let head = self.head(node);
        let bit = 1 << letter.index();
        (head & bit != 0).then(|| node.0 as usize + 1 + (head & (bit - 1)).count_ones() as usize)
    }

    #[inline]
    pub(crate) fn child(&self, node: Node, letter: Letter) -> Option<Node> {
        self.slot(node, letter).map(|slot| Node(self.cells[slot]))
    }

    /// The child, and how many words of the file stand between those of the node's start and the child's.
    #[inline]
    pub(crate) fn child_counted(&self, node: Node, letter: Letter) -> Option<(Node, u32)> {
        self.slot(node, letter).map(|slot| (Node(self.cells[slot]), self.before[slot]))
    }
}

fn spelling(head: u32) -> Option<Spelling> {
    match head & ENDS {
        AMERICAN => Some(Spelling::American),
        BRITISH => Some(Spelling::British),
        ENDS => Some(Spelling::Both),
        _ => None,
    }
}

pub(crate) const fn ends(spelling: Spelling) -> u32 {
    match spelling {
        Spelling::American => AMERICAN,
        Spelling::British => BRITISH,
        Spelling::Both => ENDS,
    }
}

/// Writes cells and marks (one byte a word) as described above.
pub(crate) fn encode(cells: &[u32], marks: &[u8]) -> Vec<u8> {
    let body: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
    let mut bytes = Vec::with_capacity(HEADER + body.len() + marks.len().div_ceil(2));
    bytes.extend_from_slice(MAGIC);
    for number in [VERSION, cells.len() as u32, marks.len() as u32, 0, 0, 0] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(&Sha256::digest(&body));
    bytes.extend_from_slice(&body);
    bytes.extend(marks.chunks(2).map(|pair| pair[0] | pair.get(1).map_or(0, |high| high << 4)));
    bytes
}

/// A file whose header fits what follows it.
struct Parts<'a> {
    digest: Digest,
    cells: &'a [u8],
    words: u32,
    marks: &'a [u8],
}

fn parts(bytes: &[u8]) -> Result<Parts<'_>, LexiconError> {
    let (header, rest) = bytes.split_at_checked(HEADER).ok_or(LexiconError::NotALexicon)?;
    if !header.starts_with(MAGIC) {
        return Err(LexiconError::NotALexicon);
    }
    let number = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let (version, cells, words) = (number(8), number(12), number(16));
    if version != VERSION {
        return Err(LexiconError::OtherVersion { found: version });
    }
    if words > MAX_WORDS || cells > MAX_CELLS {
        return Err(LexiconError::TooLarge { words });
    }
    let (cells_len, marks_len) = (cells as usize * 4, words.div_ceil(2) as usize);
    if rest.len() != cells_len + marks_len {
        let wanted = (HEADER + cells_len + marks_len) as u64;
        return Err(LexiconError::WrongLength { wanted, found: bytes.len() as u64 });
    }
    let (cells, marks) = rest.split_at(cells_len);
    let digest = Digest(Sha256::digest(cells).into());
    if digest.0 != header[32..HEADER] {
        return Err(LexiconError::Damaged);
    }
    Ok(Parts { digest, cells, words, marks })
}

/// Reads a file for one dialect: words that are spelt so on the other side only, and the branches that lead to nothing
/// else, are left out.
pub(crate) fn decode(bytes: &[u8], dialect: Dialect) -> Result<(Graph, Digest, Vec<u8>), LexiconError> {
    let Parts { digest, cells, words, marks } = parts(bytes)?;
    let file: Vec<u32> =
        cells.chunks_exact(4).map(|cell| u32::from_le_bytes([cell[0], cell[1], cell[2], cell[3]])).collect();
    let graph = Loader::new(&file, dialect).load(words)?;
    Ok((graph, digest, marks.to_vec()))
}

/// What is known of a node of the file after it was read.
#[derive(Clone, Copy, Default)]
struct Read {
    /// Words of both spellings from here; 0 for a cell that is no node's head.
    words: u32,
    /// Words of the dialect from here; 0 for a node that is left out.
    own: u32,
    /// Where the node now stands.
    place: u32,
    /// Letters of the longest word from here.
    height: u32,
}

struct Loader<'a> {
    file: &'a [u32],
    end: u32,
    read: Vec<Read>,
    cells: Vec<u32>,
    before: Vec<u32>,
}

impl<'a> Loader<'a> {
    fn new(file: &'a [u32], dialect: Dialect) -> Self {
        let end = ends(match dialect {
            Dialect::American => Spelling::American,
            Dialect::British => Spelling::British,
        });
        let (cells, before) = (Vec::with_capacity(file.len()), Vec::with_capacity(file.len()));
        Self { file, end, read: vec![Read::default(); file.len()], cells, before }
    }

    fn load(mut self, words: u32) -> Result<Graph, LexiconError> {
        let (mut at, mut root) = (0, None);
        while at < self.file.len() {
            root = Some(at);
            at = self.node(at).ok_or(LexiconError::Malformed { cell: at as u32 })?;
        }
        let last = root.map(|root| (self.read[root], self.file[root]));
        match last {
            Some((read, head)) if read.words == words && head & ENDS == 0 && read.own > 0 => {
                Ok(Graph { cells: self.cells, before: self.before, root: read.place, words: read.own })
            }
            _ => Err(LexiconError::Malformed { cell: root.unwrap_or(0) as u32 }),
        }
    }

    /// Reads the node whose head is at `at`; gives the place of the next.
    fn node(&mut self, at: usize) -> Option<usize> {
        let head = self.file[at];
        if head & !(LETTERS | ENDS) != 0 {
            return None;
        }
        let next = at + 1 + (head & LETTERS).count_ones() as usize;
        let children = self.file.get(at + 1..next)?;
        let place = self.cells.len();
        let mut node = Read { place: place as u32, ..Read::default() };
        node.words = u32::from(head & ENDS != 0);
        node.own = u32::from(head & self.end != 0);
        self.cells.push((head & ENDS) | if node.own > 0 { WORD } else { 0 });
        self.before.push(0);
        for (letter, &child) in LetterSet::from_bits(head).iter().zip(children) {
            let child = *self.read[..at].get(child as usize).filter(|child| child.words > 0)?;
            if child.own > 0 {
                self.cells[place] |= 1 << letter.index();
                self.cells.push(child.place);
                self.before.push(node.words);
            }
            node.words = node.words.checked_add(child.words).filter(|&words| words <= MAX_WORDS)?;
            node.own += child.own;
            node.height = node.height.max(child.height + 1);
        }
        if node.words == 0 || node.height > MAX_LETTERS as u32 {
            return None;
        }
        if node.own == 0 {
            self.cells.truncate(place);
            self.before.truncate(place);
        }
        self.read[at] = node;
        Some(next)
    }
}
