//! How long proofs take: percentiles over random throws of the real dice, and the worst throws by name.
//!
//! `cargo run --release -p solver --example measure -- scribbage 2000 1` (game, throws, seed), or a throw instead of the
//! number to see how its search goes. Times are those of one thread on the processor. The shapes are drawn once, before the
//! first throw; how long that takes is told apart.

#[path = "shared/cube.rs"]
mod cube;
#[path = "shared/throws.rs"]
mod throws;

use std::ops::ControlFlow;
use std::time::Instant;

use cube::cube;
use solver::{Dictionary, Outcome, Problem, Search};
use throws::{CUBES, Random};
use words::{Colour, Counting, Face, Letter, Lexicon, Vocabulary};

const DICE: &str = "DNUero TOBasl !RLtni ACFehw EMNeoc HIGadt SEP?iy";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (game, what) = match &args[..] {
        [game, what, ..] if game == "scribbage" || game == "iqubes" => (game.as_str(), what.as_str()),
        _ => {
            eprintln!("measure scribbage|iqubes THROWS|THROW|all [SEED [FROM]]");
            std::process::exit(2);
        }
    };
    let number = |at: usize| args.get(at).and_then(|text| text.parse().ok());
    let begun = Instant::now();
    let lexicon = Lexicon::house();
    println!("lexicon {:.1?}", begun.elapsed());
    let begun = Instant::now();
    let dictionary = Dictionary::of(&lexicon, Vocabulary::default());
    println!("dictionary of {} words {:.1?}", dictionary.len(), begun.elapsed());
    let measure = Measure { scribbage: game == "scribbage", dictionary };
    let begun = Clock::start();
    measure.warm();
    println!("shapes {:.1} ms", begun.seconds() * 1e3);
    match what.parse::<usize>() {
        Ok(throws) => measure.sample(throws, number(2).unwrap_or(1)),
        Err(_) if what == "all" => measure.all(number(2).unwrap_or(1) as usize),
        Err(_) => measure.one(what),
    }
}

struct Measure {
    scribbage: bool,
    dictionary: Dictionary,
}

struct Timed {
    throw: String,
    seconds: f64,
    first: f64,
    near: f64,
    score: i32,
    nodes: u64,
}

impl Measure {
    fn dice(&self) -> Vec<&'static [u8]> {
        let set = if self.scribbage { CUBES } else { DICE };
        set.split(' ').map(str::as_bytes).collect()
    }

    fn problem(&self, throw: &str) -> Problem {
        let faces: Vec<Face> = throw.chars().map(|c| if self.scribbage { cube(c) } else { die(c) }).collect();
        let counting =
            if self.scribbage { Counting::Scribbage } else { Counting::IQubes { long_word: false } };
        Problem::new(&faces, counting, &self.dictionary).expect("dice of the set")
    }

    /// Draws the shapes that most throws ask for.
    fn warm(&self) {
        let throws: &[&str] = if self.scribbage {
            &["NONLITADAARAI"]
        } else {
            &["TOASTED", "TOASTEd", "TOASTed", "TOASted", "TOAsted", "TOasted", "Toasted", "toasted"]
        };
        for throw in throws {
            self.solve(throw, false);
        }
    }

    fn solve(&self, throw: &str, tell: bool) -> Timed {
        let problem = self.problem(throw);
        let clock = Clock::start();
        let (mut nodes, mut told, mut scores) = (0, None, Vec::new());
        let outcome = Search::new(&problem).run_with(|progress| {
            nodes = progress.nodes;
            let now = (progress.best.map(|best| best.score), progress.bound);
            if told != Some(now) {
                told = Some(now);
                let seconds = clock.seconds();
                scores.push((seconds, now.0));
                if tell {
                    println!(
                        "{:10.3} ms  best {:?}  bound {}  nodes {}",
                        seconds * 1e3,
                        now.0,
                        now.1,
                        progress.nodes
                    );
                }
            }
            ControlFlow::Continue(())
        });
        let seconds = clock.seconds();
        let Outcome::Proven(proven) = outcome else { panic!("nobody stopped it") };
        if tell {
            println!("{:?}", proven.layout());
        }
        let score = proven.score();
        let near = f64::from(score) - f64::from(score).abs() * 0.05;
        let near = scores
            .iter()
            .find(|(_, found)| found.is_some_and(|found| f64::from(found) >= near))
            .map_or(seconds, |s| s.0);
        let first = scores.first().map_or(seconds, |first| first.0);
        Timed { throw: throw.to_owned(), seconds, first, near, score, nodes }
    }

    fn one(&self, throw: &str) {
        let timed = self.solve(throw, true);
        println!("{}: {} in {:.3} ms", timed.throw, timed.score, timed.seconds * 1e3);
    }

    fn sample(&self, throws: usize, seed: u64) {
        let mut random = Random::after(seed, 0);
        let mut times = Vec::new();
        for _ in 0..throws {
            let throw: String = self.dice().iter().map(|die| die[random.below(6)] as char).collect();
            times.push(self.solve(&throw, false));
        }
        report(times);
    }

    /// All throws of the set, every `step`th of them, each multiset of faces once.
    fn all(&self, step: usize) {
        let dice = self.dice();
        let mut seen = std::collections::BTreeSet::new();
        for n in (0..6_usize.pow(dice.len() as u32)).step_by(step) {
            let mut throw: Vec<u8> =
                dice.iter().enumerate().map(|(i, die)| die[n / 6_usize.pow(i as u32) % 6]).collect();
            throw.sort_unstable();
            seen.insert(throw);
        }
        report(seen.into_iter().map(|throw| self.solve(&String::from_utf8_lossy(&throw), false)).collect());
    }
}

fn report(mut times: Vec<Timed>) {
    let n = times.len();
    let percentile = |sorted: &[f64], p: f64| sorted[((n as f64 * p / 100.0) as usize).min(n - 1)] * 1e3;
    for (name, of) in
        [("proof", (|t| t.seconds) as fn(&Timed) -> f64), ("first", |t| t.first), ("within 5 %", |t| t.near)]
    {
        let mut sorted: Vec<f64> = times.iter().map(of).collect();
        sorted.sort_by(f64::total_cmp);
        print!("{name:>10}:");
        for p in [50.0, 90.0, 99.0, 99.9, 100.0] {
            print!("  p{p} {:.3} ms", percentile(&sorted, p));
        }
        println!("  mean {:.3} ms", sorted.iter().sum::<f64>() / n as f64 * 1e3);
    }
    let nodes: u64 = times.iter().map(|t| t.nodes).sum();
    let mut by_nodes: Vec<u64> = times.iter().map(|t| t.nodes).collect();
    by_nodes.sort_unstable();
    let at = |p: usize| by_nodes[(n * p / 100).min(n - 1)];
    println!("     nodes:  p50 {}  p90 {}  p99 {}  all {nodes}", at(50), at(90), at(99));
    let seconds: f64 = times.iter().map(|t| t.seconds).sum();
    println!(
        "{n} throws, sum of scores {}, {:.1} M nodes/s",
        times.iter().map(|t| i64::from(t.score)).sum::<i64>(),
        nodes as f64 / seconds / 1e6
    );
    times.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    for t in times.iter().take(8) {
        println!("{:>14} counts {:>3} in {:9.3} ms, {} nodes", t.throw, t.score, t.seconds * 1e3, t.nodes);
    }
}

fn die(c: char) -> Face {
    let red = c == '!' || c.is_ascii_uppercase();
    Face {
        letter: Letter::from_char(c),
        colour: Some(if red { Colour::Red } else { Colour::Black }),
        value: 0,
    }
}

/// A clock that a busy machine does not push: time of this thread on the processor.
#[derive(Clone, Copy)]
struct Clock(f64);

impl Clock {
    fn start() -> Self {
        Self(Self::now())
    }

    fn seconds(self) -> f64 {
        Self::now() - self.0
    }

    fn now() -> f64 {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    }
}
