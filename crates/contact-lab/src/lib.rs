//! Contact's laboratory: how strong a player is.
//!
//! * [`matches::run`] plays two contestants against each other from both sides of random openings.
//! * [`contestant::Kind`] names them: a player of the game's engine, or the yardstick [`mcts::Mcts`], which knows the
//!   rules and nothing else.

pub mod contestant;
pub mod matches;
pub mod mcts;
