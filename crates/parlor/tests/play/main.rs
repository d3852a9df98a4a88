//! `parlor play`, the real command in a pseudo-terminal: whole games by key presses, screens as snapshots, other sizes, an end at
//! every stage that leaves the terminal clean, and tables of a real server.
//!
//! Tables here have a seed, so that their dice repeat, and a clock that stands (`--pace 0`) where pictures are compared.

mod ending;
mod games;
mod online;
mod pictures;
mod pty;
