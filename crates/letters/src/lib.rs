//! What the two word houses share: a throw on its way from the cup to the count.
//!
//! * A [`Board`] is the dice as they lie, on the grid or beside it.
//! * A [`Turn`] is one throw: in the cup, arranged against the clock, heard by the table, counted.
//! * A [`Court`] decides what a word is: the agreed dictionary, or, without one, challenge and vote ([`Ballot`]).
//! * [`Rules`], [`Reading`] and [`Count`] are what a board says and what it is worth.
//! * A throw that is [`Asked`] about has a [`Best`] layout, which says of which words it is the best.
//! * A [`LayoutQuestion`] asks about dice on somebody's real table; [`bench::best_layout`] answers.
//! * A [`Player`] is a bot's hands and mind at a turn, a [`Review`] the coach's word on it.
//!
//! The games add who throws, how often, and what becomes of the count.

mod ballot;
pub mod bench;
mod best;
mod board;
mod coach;
mod count;
mod court;
pub mod fields;
mod greedy;
mod hint;
mod mind;
mod player;
pub mod reach;
mod refusal;
mod turn;
mod view;

pub use ballot::{Ballot, Tally};
pub use bench::LayoutQuestion;
pub use best::{Asked, Best, Proof};
pub use board::{Board, Lie, REACH, Spot};
pub use coach::{AllDice, Missed, Possible, Review, review};
pub use count::{Count, Reading, Rules, Said, Seen};
pub use court::{Accepts, Court, Judge};
pub use hint::hint;
pub use mind::{Level, Plan};
pub use player::{Move, Player, Sight};
pub use refusal::Refusal;
pub use turn::{CUP_MS, HEARING_MS, Ruling, Stage, Touch, Turn, VOTE_MS, Vote};
pub use view::{StageView, TurnView};
