//! How the levels of bots compare: what they make of the same throws, and how long they think.
//! `cargo run --release -p iqubes --example iqubes_levels -- 100`

use iqubes::Options;
use letters::{Level, Player};
use std::time::Instant;
use table::{Dice, Seats, Seed};

fn main() {
    let throws: u32 = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(100);
    for options in [Options::default(), Options { two_sets: true, ..Options::default() }] {
        println!("{throws} throws{}", if options.two_sets { " of two sets" } else { "" });
        for level in 1..=Level::MOST {
            compare(&options, level, throws);
        }
    }
}

fn compare(options: &Options, level: u8, throws: u32) {
    let seats = Seats::named(["bot"]).expect("a name");
    let mut dice = Dice::new(&Seed::from_number(1948), "levels", &seats);
    let mut player = Player::new(level, 1);
    let (mut times, mut made) = (Vec::new(), 0);
    for _ in 0..throws {
        let rules = options.rules(&options.set.throw(options.sets(), &mut dice));
        let start = Instant::now();
        made += player.plan(&rules, options.words, &std::collections::BTreeMap::new()).count;
        times.push(start.elapsed());
    }
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    let mean = f64::from(made) / f64::from(throws);
    println!(
        "level {level}: mean {mean:6.2}, thinks {:?} (median), {:?} (p90), {:?} (most)",
        at(50),
        at(90),
        at(100)
    );
}
