//! The search as a module for a page: solves random throws of Scribbage, the same as the example `measure` throws.
//!
//! `cargo build --profile web -p solver --example in_wasm --target wasm32-unknown-unknown`, then
//! `node crates/solver/examples/in_wasm.mjs target/wasm32-unknown-unknown/web/examples/in_wasm.wasm 200 1` (throws, seed).
#![expect(unsafe_code, reason = "what is called from outside must keep its name")]

#[path = "shared/cube.rs"]
mod cube;
#[path = "shared/throws.rs"]
mod throws;

use std::sync::OnceLock;

use cube::cube;
use solver::{Dictionary, Problem, Search};
use throws::{CUBES, Random};
use words::{Counting, Face, Lexicon, Vocabulary};

fn dictionary() -> &'static Dictionary {
    static DICTIONARY: OnceLock<Dictionary> = OnceLock::new();
    DICTIONARY.get_or_init(|| Dictionary::of(&Lexicon::house(), Vocabulary::default()))
}

/// Opens the dictionary; answers how many words it has.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> usize {
    dictionary().len()
}

/// Proves the best of the `n`th throw of a seed; answers what it counts.
#[unsafe(no_mangle)]
pub extern "C" fn solve(seed: u32, n: u32) -> i32 {
    let cubes = CUBES.split(' ').map(str::as_bytes);
    let mut random = Random::after(seed.into(), u64::from(n) * cubes.clone().count() as u64);
    let faces: Vec<Face> = cubes.map(|faces| cube(char::from(faces[random.below(6)]))).collect();
    let problem = Problem::new(&faces, Counting::Scribbage, dictionary()).expect("thirteen cubes");
    Search::new(&problem).run().proven().map_or(i32::MIN, solver::Proven::score)
}
