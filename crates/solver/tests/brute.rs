//! The solver against brute force: all polyominoes, all assignments of dice to cells. It shares no code with the solver.

mod common;

use std::collections::HashSet;

use common::{Cell, Random, faces, house, left_over_costs, points, polyominoes, recount, runs, throw};
use solver::{Dictionary, Outcome, Problem, Search};
use words::{Counting, Face, Letter};

const IQUBES: Counting = Counting::IQubes { long_word: false };
const LONG: Counting = Counting::IQubes { long_word: true };

struct Brute<'a> {
    game: Counting,
    throw: &'a [Face],
    words: &'a HashSet<String>,
    beginnings: &'a HashSet<String>,
    /// For each cell: the cells of its row run up to it and whether it ends there; the same down.
    lines: Vec<[(Vec<usize>, bool); 2]>,
    runs: Vec<Vec<usize>>,
    cells: Vec<(u8, char)>,
    best: i32,
}

impl Brute<'_> {
    fn fill(&mut self) {
        let at = self.cells.len();
        if at == self.lines.len() {
            let face = |&i: &usize| self.throw[usize::from(self.cells[i].0)];
            let mut count: i32 = self
                .runs
                .iter()
                .map(|run| points(self.game, self.throw, &run.iter().map(face).collect::<Vec<_>>()))
                .sum();
            if left_over_costs(self.game) {
                let unused =
                    (0..self.throw.len() as u8).filter(|die| self.cells.iter().all(|cell| cell.0 != *die));
                count -= unused.map(|die| i32::from(self.throw[usize::from(die)].value)).sum::<i32>();
            }
            self.best = self.best.max(count);
            return;
        }
        let mut tried = HashSet::new();
        for die in 0..self.throw.len() as u8 {
            if self.cells.iter().any(|cell| cell.0 == die) || !tried.insert(self.throw[usize::from(die)]) {
                continue;
            }
            for letter in Letter::all() {
                if self.throw[usize::from(die)].letter.is_some_and(|shown| shown != letter) {
                    continue;
                }
                self.cells.push((die, letter.lower()));
                let good = self.lines[at].iter().all(|(line, ends)| {
                    let text: String = line.iter().map(|&i| self.cells[i].1).collect();
                    if *ends {
                        line.len() == 1 || self.words.contains(&text)
                    } else {
                        self.beginnings.contains(&text)
                    }
                });
                if good {
                    self.fill();
                }
                self.cells.pop();
            }
        }
    }
}

fn lines(shape: &[Cell]) -> Vec<[(Vec<usize>, bool); 2]> {
    let line = |(y, x): Cell, (dy, dx): Cell| {
        let place = |i: i32| shape.iter().position(|&cell| cell == (y + i * dy, x + i * dx));
        let mut line: Vec<usize> = (0..).map_while(|i| place(-i)).collect();
        line.reverse();
        (line, place(1).is_none())
    };
    shape.iter().map(|&cell| [line(cell, (0, 1)), line(cell, (1, 0))]).collect()
}

fn brute(
    game: Counting,
    throw: &[Face],
    words: &HashSet<String>,
    beginnings: &HashSet<String>,
    shapes: &[Vec<Cell>],
) -> i32 {
    let empty =
        if left_over_costs(game) { -throw.iter().map(|face| i32::from(face.value)).sum::<i32>() } else { 0 };
    let mut best = empty;
    for shape in shapes.iter().filter(|shape| (2..=throw.len()).contains(&shape.len())) {
        let mut brute = Brute {
            game,
            throw,
            words,
            beginnings,
            lines: lines(shape),
            runs: runs(shape),
            cells: Vec::new(),
            best,
        };
        brute.fill();
        best = brute.best;
    }
    best
}

fn beginnings(words: &HashSet<String>) -> HashSet<String> {
    words.iter().flat_map(|word| (1..=word.len()).map(|n| word[..n].to_owned())).collect()
}

/// The solver's proven best, its layout counted anew.
fn solved(game: Counting, throw: &[Face], words: &HashSet<String>, dictionary: &Dictionary) -> i32 {
    let problem = Problem::new(throw, game, dictionary).expect("a throw");
    let Outcome::Proven(proven) = Search::new(&problem).run() else { panic!("nobody stopped it") };
    assert_eq!(recount(game, throw, words, proven.layout()), Ok(proven.score()), "{:?}", proven.layout());
    proven.score()
}

fn agree_on_real_dice(game: Counting, throws: usize, sizes: std::ops::RangeInclusive<usize>, seed: u64) {
    let (words, dictionary) = house();
    let beginnings = beginnings(&words);
    let shapes = polyominoes(*sizes.end());
    let mut random = Random(seed);
    for n in 0..throws {
        let size = sizes.start() + n % (sizes.end() - sizes.start() + 1);
        let text = throw(game, size, &mut random);
        let throw = faces(game, &text);
        let expected = brute(game, &throw, &words, &beginnings, &shapes);
        assert_eq!(solved(game, &throw, &words, &dictionary), expected, "{game:?} {text}");
    }
}

/// Few letters and made-up words: dense layouts, many ties, repeated letters, several wilds.
fn agree_on_made_up_words(game: Counting, throws: usize, dice: usize, seed: u64) {
    let shapes = polyominoes(dice);
    let mut random = Random(seed);
    for _ in 0..throws {
        let letters = 2 + random.below(4);
        let density = 1 + random.below(4);
        let mut words = HashSet::new();
        for size in 2..=dice as u32 {
            for n in 0..(letters.pow(size)).min(400) {
                if random.below(6) < density {
                    let spread = if letters.pow(size) > 400 { random.below(letters.pow(size)) } else { n };
                    words.insert(
                        (0..size)
                            .map(|i| (b'a' + (spread / letters.pow(i) % letters) as u8) as char)
                            .collect(),
                    );
                }
            }
        }
        let dictionary = Dictionary::new(words.iter().filter_map(|word: &String| word.parse().ok()));
        let coloured = matches!(game, Counting::IQubes { .. });
        let throw: Vec<Face> = (0..dice)
            .map(|_| {
                let wild = random.below(8) == 0;
                let letter = Letter::from_index(random.below(letters)).filter(|_| !wild);
                let colour = coloured
                    .then(|| if random.below(2) == 0 { words::Colour::Red } else { words::Colour::Black });
                let value = if coloured || wild { 0 } else { 1 + letter.map_or(0, Letter::index) as u8 * 2 };
                Face { letter, colour, value }
            })
            .collect();
        let expected = brute(game, &throw, &words, &beginnings(&words), &shapes);
        assert_eq!(solved(game, &throw, &words, &dictionary), expected, "{game:?} {throw:?} {words:?}");
    }
}

#[test]
fn iqubes_agrees_with_brute_force() {
    agree_on_real_dice(IQUBES, 40, 4..=6, 1);
}

#[test]
fn scribbage_agrees_with_brute_force() {
    agree_on_real_dice(Counting::Scribbage, 40, 4..=6, 2);
}

#[test]
fn made_up_words_agree_with_brute_force() {
    agree_on_made_up_words(IQUBES, 25, 5, 3);
    agree_on_made_up_words(Counting::Scribbage, 25, 5, 4);
    agree_on_made_up_words(LONG, 25, 4, 5);
}

#[test]
#[ignore = "the long form: minutes"]
fn iqubes_agrees_with_brute_force_on_two_thousand_throws() {
    agree_on_real_dice(IQUBES, 2000, 5..=7, 11);
}

#[test]
#[ignore = "the long form: minutes"]
fn the_long_word_agrees_with_brute_force() {
    agree_on_real_dice(LONG, 300, 5..=7, 12);
}

#[test]
#[ignore = "the long form: minutes"]
fn scribbage_agrees_with_brute_force_on_two_thousand_throws() {
    agree_on_real_dice(Counting::Scribbage, 2000, 5..=7, 13);
}

#[test]
#[ignore = "the long form: minutes"]
fn many_made_up_words_agree_with_brute_force() {
    agree_on_made_up_words(IQUBES, 600, 6, 14);
    agree_on_made_up_words(Counting::Scribbage, 600, 6, 15);
    agree_on_made_up_words(LONG, 300, 5, 16);
}
