//! Time to proof on throws of the real dice, easy ones and hard ones, and the time to make a dictionary ready.

#[path = "../examples/shared/cube.rs"]
mod cube;

use cube::cube;
use divan::Bencher;
use solver::{Dictionary, Problem, Search};
use words::{Colour, Counting, Face, Letter, Lexicon, Vocabulary};

fn main() {
    divan::main();
}

fn dictionary() -> Dictionary {
    Dictionary::of(&Lexicon::house(), Vocabulary::default())
}

#[divan::bench]
fn make_dictionary(bencher: Bencher<'_, '_>) {
    let lexicon = Lexicon::house();
    bencher.bench(|| Dictionary::of(&lexicon, Vocabulary::default()));
}

#[divan::bench(args = ["eTneoGi", "DaLeMIy", "NBnAMG?", "oO!weG?"])]
fn iqubes(bencher: Bencher<'_, '_>, throw: &str) {
    let red = |c: char| c == '!' || c.is_ascii_uppercase();
    let colour = |c| Some(if red(c) { Colour::Red } else { Colour::Black });
    let faces: Vec<Face> =
        throw.chars().map(|c| Face { letter: Letter::from_char(c), colour: colour(c), value: 0 }).collect();
    let problem =
        Problem::new(&faces, Counting::IQubes { long_word: false }, &dictionary()).expect("seven dice");
    bencher.bench(|| Search::new(&problem).run());
}

#[divan::bench(args = ["UMTGTEAUSRTAE", "OMLIENTOXRTIM", "UULAERDMY*TF*", "NOLQERTMXRHEI"], sample_count = 10)]
fn scribbage(bencher: Bencher<'_, '_>, throw: &str) {
    let faces: Vec<Face> = throw.chars().map(cube).collect();
    let problem = Problem::new(&faces, Counting::Scribbage, &dictionary()).expect("thirteen cubes");
    bencher.bench(|| Search::new(&problem).run());
}
