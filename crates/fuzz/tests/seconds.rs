//! A second of every target with a fixed number: the same inputs on every machine, as far as a second gets. `cargo xtask fuzz` goes on for longer.

use fuzz::{TARGETS, run, seeds};
use std::time::Duration;

#[test]
fn every_reader_survives_a_second_of_nonsense_and_knows_its_seeds() {
    for target in &TARGETS {
        let seeds = seeds(target).expect("seeds in the tree");
        assert!(seeds.len() >= 4, "{} has few seeds", target.name);
        for seed in &seeds {
            assert!((target.read)(seed), "{} does not accept its seed {seed:?}", target.name);
        }
        match run(target, &seeds, 1963, Duration::from_secs(1)) {
            Ok(ran) => assert!(ran.tried >= seeds.len() as u64),
            Err(found) => panic!("{} fell over {:?}", target.name, found.input),
        }
    }
}
