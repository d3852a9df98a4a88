//! Tunes the evaluation by self-play: `cargo xtask tune contact [games]`. Prints the weights it ended with as the data
//! file has them, and plays a match of them against those it started from.

use contact::eval::Weights;
use contact::level::Kind;
use contact::matches::{Match, run_with};
use contact::tune::{Tuning, run};
use contact::{Set, tune};

fn main() {
    let games = std::env::args().nth(1).and_then(|games| games.parse().ok()).unwrap_or(400);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let tuning = Tuning { games, threads, ..Tuning::default() };
    let start = Weights::default();
    let Some(tuned) = run(&Set::default(), &start, &tuning, |line| eprintln!("{line}")) else {
        eprintln!("the standard set has no set-up to play from");
        return;
    };
    eprintln!("{} positions", tuned.positions);
    eprintln!("error on what was learnt from: {:.6} before, {:.6} after", tuned.learnt.0, tuned.learnt.1);
    eprintln!("error on games kept apart:     {:.6} before, {:.6} after", tuned.tested.0, tuned.tested.1);
    println!("# before\n{}\n# after\n{}", tune::toml_of(&start), tuned.to_toml());
    let kind = Kind::Nodes(tuning.nodes);
    let play = Match { a: kind, b: kind, games: 100, seed: 2, threads, ..Match::default() };
    if let Some(report) = run_with(&Set::default(), &play, [&tuned.end, &start], |_| {}) {
        println!("# after against before\n# {report}");
    }
}
