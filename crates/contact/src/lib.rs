//! Contact: tiles with numbered corners that spin as they move.

mod bits;
mod board;
mod ending;
mod game;
mod hash;
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
pub use ending::{Ending, Over, PAIR_TURNS_EACH, Pair, QUIET_LIMIT, REPEAT_LIMIT, SEVEN};
pub use game::{Act, Contact};
pub use moves::{Move, Moves};
pub use options::{First, Options};
pub use perft::{Share, perft, perft_divide};
pub use position::{Misplaced, Position, Undo, Verdict};
pub use refusal::{Refusal, check_move};
pub use set::{Colour, Set, Step};
pub use tile::Tile;
pub use view::{Private, Public};
