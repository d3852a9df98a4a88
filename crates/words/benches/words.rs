//! Look-up, loading, checking a layout, and what is left at time-up. `cargo bench -p words`.

use std::cell::Cell;

use divan::{Bencher, black_box};
use words::notation::{self, Style};
use words::{Counting, Dialect, Face, HOUSE_BYTES, Layout, Letter, Lexicon, Tier, Vocabulary, Word};

fn main() {
    divan::main();
}

fn layout(text: &str) -> (Layout, Vec<Face>) {
    notation::read(text, Style::Jokers, |tile| tile.face(1)).expect("a layout")
}

/// Every 97th word, and each of these with its letters turned round: some good, most not.
fn mixed() -> Vec<Word> {
    let house = Lexicon::house();
    let turned =
        |word: Word| Word::new(&word.iter().rev().copied().collect::<Vec<Letter>>()).expect("as long");
    house.words().step_by(97).flat_map(|(word, _)| [word, turned(word)]).collect()
}

fn each(bencher: Bencher, act: impl Fn(&Lexicon, &Word) -> bool + Sync) {
    let (house, words) = (Lexicon::house(), mixed());
    let next = Cell::new(0);
    bencher.bench_local(|| {
        let at = next.get();
        next.set(if at + 1 == words.len() { 0 } else { at + 1 });
        act(&house, black_box(&words[at]))
    });
}

#[divan::bench]
fn look_up(bencher: Bencher) {
    each(bencher, |house, word| house.contains(word));
}

#[divan::bench]
fn entry(bencher: Bencher) {
    each(bencher, |house, word| house.entry(word).is_some());
}

#[divan::bench]
fn load() -> Lexicon {
    Lexicon::from_bytes(black_box(HOUSE_BYTES), Dialect::American).expect("sound")
}

#[divan::bench]
fn narrow_to_tier_50() -> Option<Lexicon> {
    Lexicon::house().narrow(Vocabulary { tier_max: Tier::T50, clean: true })
}

#[divan::bench]
fn all_words() -> usize {
    Lexicon::house().words().count()
}

#[divan::bench]
fn near() -> usize {
    Lexicon::house().near(black_box(&"plantick".parse().expect("letters")), 10).len()
}

#[divan::bench(args = ["plant/i.r.w/c.m.o/k....", "dash/.toe", "aahed/.bone/..sat/...s."])]
fn check(bencher: Bencher, text: &str) {
    let (layout, faces) = layout(text);
    let house = Lexicon::house();
    bencher
        .bench_local(|| black_box(&layout).check(&faces, Counting::Scribbage, |word| house.contains(word)));
}

#[divan::bench(args = ["plantx", "zplant/xi.r.w/qc.m.o", "qzxv/zxqj/xvzq/jq", "qzxvz/zxqjx/xvzqq"])]
fn remainder(bencher: Bencher, text: &str) {
    let (layout, faces) = layout(text);
    let house = Lexicon::house();
    bencher.bench_local(|| {
        black_box(&layout).remainder(&faces, Counting::Scribbage, |word| house.contains(word))
    });
}

/// The worst for the search: two of three words are good, so that groups of all shapes occur.
#[divan::bench]
fn remainder_of_fifteen_dice_with_a_moody_judge(bencher: Bencher) {
    let (layout, faces) = layout("abcde/fghij/klmno");
    let moody = |word: &[Letter]| word.iter().map(|letter| letter.index()).sum::<usize>() % 3 == 0;
    bencher.bench_local(|| black_box(&layout).remainder(&faces, Counting::Scribbage, moody));
}
