//! `parlor-play`: what `parlor play` runs, by itself, without the server and the page. It builds in a moment, and is what the
//! tests of this crate hold in their pseudo-terminals.

use clap::Parser;
use std::process::ExitCode;

/// Five lost tabletop games in this terminal.
#[derive(Debug, Parser)]
#[command(name = "parlor-play", version, max_term_width = 100)]
struct Play {
    #[command(flatten)]
    ask: term::Ask,
}

fn main() -> ExitCode {
    match term::run(&Play::parse().ask) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("parlor: {fault}");
            ExitCode::from(2)
        }
    }
}
