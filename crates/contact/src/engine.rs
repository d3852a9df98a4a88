//! What thinks: the search and its evaluation, players of eight levels, the analysis and the coach. It knows the rules
//! only by [`Position`](crate::Position); nothing of the rules knows of it.

pub mod analysis;
pub mod bot;
pub mod coach;
pub mod eval;
mod hunt;
pub mod level;
mod memory;
pub mod search;
