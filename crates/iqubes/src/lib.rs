//! I-Qubes: crossword dice in red and black, 1948.
//!
//! In turn a player throws seven dice and has a minute and a half to lay them out as a crossword. A word counts its
//! letters, twice where all are of one colour; whoever uses every die throws again. The rules, with their ids, are in
//! `docs/rules/iqubes.md`.
//!
//! The door is [`IQubes`], the game itself, with its [`Options`] and [`Act`]s. What a throw is on its way from the cup to
//! the count is shared with Scribbage and lives in `letters`; what a layout reads and counts, in `words`.

mod auction;
mod bot;
mod coach;
mod game;
mod house;
mod options;
mod refusal;
mod set;
mod view;

pub use auction::{AUCTION_MS, Auction, Bid, settle};
pub use bot::{LEVELS, bot};
pub use game::{Act, IQubes, PROPOSAL_MS};
pub use options::{Options, Rethrow};
pub use refusal::Refusal;
pub use set::{DICE, Face, NoFace, Set, SetFault, Throw};
pub use view::{News, Private, ProposalView, Public};
pub use words::Colour;
