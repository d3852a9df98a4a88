//! A look at the engine at work: perft, search depth and speed, and a few middle-game positions.

use std::time::{Duration, Instant};

use contact::eval::Weights;
use contact::search::{Limits, Searcher};
use contact::{Players, Position, Set};

fn main() {
    for setup in ["six", "twelve"] {
        let Some(start) = Position::start(&Set::default(), setup, Players::Two) else { continue };
        let clock = Instant::now();
        let count = contact::perft(&start, 6);
        println!("{setup}: perft 6 = {count}, {:.1} M/s", count as f64 / clock.elapsed().as_secs_f64() / 1e6);
        let mut searcher = Searcher::new(&Weights::default(), 64);
        let mut position = start;
        for turn in 0..24 {
            let clock = Instant::now();
            let thought = searcher
                .think(&position, &Limits::time(Duration::from_millis(if turn == 0 { 1000 } else { 200 })));
            let speed = thought.nodes as f64 / clock.elapsed().as_secs_f64() / 1e6;
            let mvs: Vec<String> = thought.line.iter().take(8).map(ToString::to_string).collect();
            println!(
                "{turn:3} depth {:2} score {:6} {:.2} M nodes/s  {}",
                thought.depth,
                thought.score,
                speed,
                mvs.join(" ")
            );
            if position.play(thought.best).is_none() {
                break;
            }
        }
        println!("{position}");
    }
}
