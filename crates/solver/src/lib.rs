//! The proven best crossword of a throw of letter dice: one engine for I-Qubes, Scribbage and the young players' rule, and
//! for any dice.
//!
//! ```
//! use solver::{Dictionary, Outcome, Problem, Search};
//! use words::{Colour, Counting, Face, Letter};
//!
//! let dictionary = Dictionary::new(["ad", "at", "dash", "he", "so", "toe"].iter().filter_map(|word| word.parse().ok()));
//! let face = |c| Face { letter: Letter::from_char(c), colour: Some(Colour::Red), value: 0 };
//! // DASH over TOE, one column in; the last die is a WILD.
//! let faces: Vec<Face> = "DASHTE!".chars().map(face).collect();
//! let problem = Problem::new(&faces, Counting::IQubes { long_word: false }, &dictionary)?;
//! let Outcome::Proven(best) = Search::new(&problem).run() else { unreachable!("nobody stopped it") };
//! assert_eq!(best.score(), 26);
//! # Ok::<(), solver::ProblemError>(())
//! ```
//!
//! # Lab notes: why it is exact, and why it is fast
//!
//! **Shapes.** A layout is a shape (a polyomino) and a die for each of its cells. All shapes of up to fourteen cells are
//! enumerated, one of each pair of mirror images in the diagonal: words across and down count alike. They are sorted into
//! *families* by the multiset of their word lengths across and that of their lengths down; thirteen dice have 1,424
//! families for 950,000 shapes. A family's shapes are one trie of cells in reading order, each with the length of the run
//! and of the column that begin there; so shapes with a common beginning are searched together, and at every cell it is
//! known whether it stands in one word or in two. Nothing is ever charged twice, and nothing is refunded.
//!
//! **The packing bound.** Words across use every die once at most, and so do words down. For every sub-multiset of the
//! dice (8,192 at most for thirteen) and every multiset of lengths, a table holds the most that words of exactly these
//! lengths can count. A family can count no more than its best row packing and its best column packing together, less
//! what the cheapest dice cost that it leaves over; that orders the families and throws most of them out. In the search,
//! the same table is asked for the lengths that are left and the dice that may yet count: those not in a finished word
//! and not known to stand alone on that side. A die in an unfinished word stays in the pool. For words not yet begun there
//! must be a packing in the dice not yet laid.
//!
//! **Singles.** Where values add up, the dice yet to stand in one word cost at least the cheapest that are left, and those
//! left over three times theirs: rows and columns cannot both choose the same cheap die.
//!
//! **Loners.** Two crossing words share one die. If no two words with the Q can be spelt that share nothing but the Q, it
//! can never stand in two words. The search then splits: the Q is in no word across, or in none down; and in each half
//! both bounds know it. Throws with a Q were the worst by far, and are now among the others.
//!
//! **Columns together.** When a row is laid, the columns that it begins or goes on with must all be finished with dice that
//! are left, each with its own. Trying eighty ways at most to finish them all leaves two nodes in five.
//!
//! **Likely shapes first.** Most throws have a layout at the bound, and the search is over when it is found. Of families with
//! equal bounds those come first whose words are likely to be laid by chance: short ones, of lengths that have many words.
//!
//! **Wilds.** A joker in place of a die that is there is worth while in a cell of one word only, for else the two could
//! change places and no count would fall. A coloured WILD in place of a die of its own letter and colour never is. Only where
//! all best layouts are asked for are these laid, too.
//! A word of jokers alone counts nothing and is a word all the same: it may be what joins two others.
//!
//! **Rows.** The words that can follow in a row under columns already begun come out of a few ANDs of bit sets.
//!
//! **Levels.** The bar starts at the best bound of any family and is lowered in steps until a layout is found; each level
//! refused is a better proven bound. Short looks around between the levels find good layouts early.
//!
//! **Colours first.** I-Qubes counts letters and colours, not values: what a shape counts is known as soon as each of its cells
//! is red or black. For seven dice there are few enough coloured shapes to sort them all by what they count and try them from
//! the top (`coloured.rs`); the first that can be filled is the best. A cell's colour leaves few dice for it, a run's colours few
//! words, and for every set of dice it is known which colours it can spell at all. Ten times faster than the search above,
//! which remains for more dice and for what else may be asked; over all throws of the set both count the same.
//!
//! What keeps it honest: a brute force over all polyominoes and assignments, and a second method by words in slots, share
//! no code with it (`tests/`); every layout is counted anew there.

mod coloured;
mod count;
mod dictionary;
mod engine;
mod fits;
mod lengths;
mod outcome;
mod patterns;
mod plan;
mod problem;
mod rows;
mod search;
mod shapes;
mod steps;
mod tables;
mod trie;
mod young;

pub use dictionary::Dictionary;
pub use engine::MAX_DICE;
pub use outcome::{AllBest, Answer, Outcome, Progress, Proven};
pub use problem::{Problem, ProblemError};
pub use search::Search;
