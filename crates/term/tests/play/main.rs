//! The terminal client in a pseudo-terminal: whole games by key presses, screens as snapshots, other sizes, and an end at every
//! stage that leaves the terminal clean.
//!
//! Tables here have a seed, so that their dice repeat, and a clock that stands (`--pace 0`) where pictures are compared.

mod ending;
mod games;
mod online;
mod pictures;
mod pty;
mod room;
mod sealed;

use pty::Setup;
use std::path::Path;

/// The client with these words after it, at 80 × 24, its games in this folder.
fn play(data: &Path, args: &[&str]) -> Setup {
    Setup::of(&[env!("CARGO_BIN_EXE_parlor-play")], data, args)
}
