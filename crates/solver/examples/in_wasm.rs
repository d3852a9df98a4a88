//! The search as a module for a page: solves random throws of Scribbage, the same as the example `measure` throws.
//!
//! `cargo build --profile web -p solver --example in_wasm --target wasm32-unknown-unknown`, then
//! `node crates/solver/examples/in_wasm.mjs target/wasm32-unknown-unknown/web/examples/in_wasm.wasm 200 1` (throws, seed).
#![expect(unsafe_code, reason = "what is called from outside must keep its name")]

use std::sync::OnceLock;

use solver::{Dictionary, Problem, Search};
use words::{Counting, Face, Letter, Lexicon, Vocabulary};

const CUBES: [&[u8; 6]; 13] = [
    b"NCOVUK", b"ONUSMB", b"SEHLAT", b"LAIGQF", b"IRELOT", b"ARENDJ", b"AETWDV", b"MYOWUP", b"SAYBEX",
    b"SEDRI*", b"OHTREN", b"FIZACE", b"GEMPI*",
];

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
    let first = u64::from(n) * CUBES.len() as u64;
    let shown = CUBES.iter().zip(first..).map(|(cube, i)| char::from(cube[random(u64::from(seed), i)]));
    let faces: Vec<Face> = shown.map(face).collect();
    let problem = Problem::new(&faces, Counting::Scribbage, dictionary()).expect("thirteen cubes");
    Search::new(&problem).run().proven().map_or(i32::MIN, solver::Proven::score)
}

fn face(shown: char) -> Face {
    let value = match shown {
        '*' => 0,
        'A' | 'E' | 'O' => 1,
        'I' | 'L' | 'N' | 'R' | 'S' | 'T' => 2,
        'D' | 'H' | 'M' | 'U' => 3,
        'K' => 5,
        'J' => 6,
        'Q' | 'X' => 8,
        'Z' => 10,
        _ => 4,
    };
    Face { letter: Letter::from_char(shown), colour: None, value }
}

/// The `i`th number of splitmix64, below six.
fn random(seed: u64, i: u64) -> usize {
    let z = seed.wrapping_add((i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) % 6) as usize
}
