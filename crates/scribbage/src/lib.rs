//! Scribbage: thirteen letter cubes in one crossword, 1963.
//!
//! In turn a player (or a team) rolls thirteen cubes and has three minutes to lay them out as a crossword. The values of
//! the words across and down are added up, those of the cubes left over are taken off. The rules, with their ids, are in
//! `docs/rules/scribbage.md`.
//!
//! The door is [`Scribbage`], the game itself, with its [`Options`] and [`Act`]s. What a throw is on its way from the cup
//! to the count is shared with I-Qubes and lives in `letters`; what a layout reads and counts, in `words`.

mod bot;
mod coach;
mod draw;
mod figure;
mod game;
mod house;
mod options;
mod refusal;
mod set;
mod view;

pub use bot::{LEVELS, bot};
pub use draw::{DRAW_MS, Draw, Roll, highest};
pub use figure::{IDLE_ROUNDS, figure_is_won};
pub use game::{Act, Scribbage};
pub use options::Options;
pub use refusal::Refusal;
pub use set::{CUBES, Face, MOST_VALUE, NoFace, Set, SetFault, Throw};
pub use view::{News, Private, Public};
