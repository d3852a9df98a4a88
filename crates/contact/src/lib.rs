//! Contact: tiles with numbered corners that spin as they move.
//!
//! A tile moves along the lines and spins a quarter to the right; where its corner then meets an opponent's corner, the
//! higher figure stays. The last with a tile wins. docs/rules/contact.md has the rules, docs/notation.md the texts.
//!
//! * [`Contact`] is the game at a table; [`Position`] the fast board under it, with `make` and `unmake`.
//! * [`set::check`] reads a set from a data file and says what is wrong with it; [`Set::default`] is the house's.
//! * [`perft`] and [`perft_divide`] count move sequences.
//! * [`best`] analyses a position, [`coach::mark_game`] a whole game; [`search::Searcher`] is what thinks.
//! * [`level::Player`] plays at a level, [`bot::ContactBot`] at a table.
//!
//! The rules are the files beside this one; what thinks is in `engine`, and what measures it in the crate `contact-lab`.

mod bits;
mod board;
mod ending;
mod engine;
mod foresight;
mod game;
mod hash;
mod house;
mod moves;
pub mod notation;
mod options;
mod perft;
mod position;
mod refusal;
pub mod set;
mod tile;
pub mod view;

pub use bits::{Bits, Corners};
pub use board::{Corner, NoCorner, Players, Side};
pub use ending::{Ending, Over, PAIR_TURNS_EACH, Pair, QUIET_TURNS_EACH, R9, REPEAT_LIMIT, SEVEN, Ties};
pub use engine::analysis::{Analysis, BestLine, best};
pub use engine::bot::ContactBot;
pub use engine::{analysis, bot, coach, eval, level, search};
pub use foresight::{Foresight, Threat, Touch};
pub use game::{Act, Contact};
pub use house::PositionQuestion;
pub use moves::{Move, Moves};
pub use options::{First, Options};
pub use perft::{Share, perft, perft_divide};
pub use position::{Count, Misplaced, Position, Standing, Undo, Verdict};
pub use refusal::{Refusal, check_move};
pub use set::{Colour, Set, Step};
pub use tile::Tile;
pub use view::{Private, Public};
