//! Skeleton: a game of Parlor. The rules, with their ids, are in `docs/rules/skeleton.md`.
//!
//! The door is [`Skeleton`], the game itself, with its [`Options`] and [`Act`]s; [`bot()`] plays it.

mod bot;
mod game;
mod house;

pub use bot::{LEVELS, bot};
pub use game::{Act, Options, Public, Refusal, Skeleton};
