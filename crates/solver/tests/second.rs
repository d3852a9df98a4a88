//! The solver against a second exact method on eight and nine dice: for every polyomino, words are put into its slots one
//! after the other, and letters are turned into dice at the end.

mod common;

use std::collections::HashSet;

use common::{Cell, Random, faces, house, left_over_costs, points, polyominoes, recount, runs, throw};
use solver::{Outcome, Problem, Search};
use words::{Counting, Face};

struct Slots<'a> {
    game: Counting,
    throw: &'a [Face],
    /// Words that the dice can form, by length.
    words: &'a [Vec<Vec<u8>>],
    counts: [i32; 26],
    wilds: i32,
    #[expect(clippy::struct_field_names, reason = "a cell has its slots, and the slots their cells")]
    slots: Vec<Vec<usize>>,
    grid: Vec<Option<u8>>,
    best: i32,
}

impl Slots<'_> {
    fn fill(&mut self, slot: usize) {
        if slot == self.slots.len() {
            let letters: Vec<u8> =
                self.grid.iter().copied().map(|letter| letter.expect("every cell is in a slot")).collect();
            let mut dice = Vec::new();
            self.dice(&letters, &mut dice);
            return;
        }
        let cells = self.slots[slot].clone();
        let before = self.grid.clone();
        for word in &self.words[cells.len()] {
            if cells
                .iter()
                .zip(word)
                .all(|(&cell, &letter)| self.grid[cell].is_none_or(|there| there == letter))
            {
                for (&cell, &letter) in cells.iter().zip(word) {
                    self.grid[cell] = Some(letter);
                }
                let mut left = self.counts;
                self.grid.iter().flatten().for_each(|&letter| left[usize::from(letter)] -= 1);
                if -left.iter().filter(|&&n| n < 0).sum::<i32>() <= self.wilds {
                    self.fill(slot + 1);
                }
                self.grid.clone_from(&before);
            }
        }
    }

    /// Every way to show these letters with the dice.
    fn dice(&mut self, letters: &[u8], dice: &mut Vec<usize>) {
        let Some(&letter) = letters.get(dice.len()) else {
            let face = |&cell: &usize| self.throw[dice[cell]];
            let word =
                |slot: &Vec<usize>| points(self.game, self.throw, &slot.iter().map(face).collect::<Vec<_>>());
            let mut count: i32 = self.slots.iter().map(word).sum();
            if left_over_costs(self.game) {
                let unused = (0..self.throw.len()).filter(|die| !dice.contains(die));
                count -= unused.map(|die| i32::from(self.throw[die].value)).sum::<i32>();
            }
            self.best = self.best.max(count);
            return;
        };
        let mut tried = HashSet::new();
        for die in 0..self.throw.len() {
            let face = self.throw[die];
            let shows = face.letter.is_none_or(|shown| shown.index() == usize::from(letter));
            if shows && !dice.contains(&die) && tried.insert(face) {
                dice.push(die);
                self.dice(letters, dice);
                dice.pop();
            }
        }
    }
}

fn by_slots(game: Counting, throw: &[Face], words: &HashSet<String>, shapes: &[Vec<Cell>]) -> i32 {
    let mut counts = [0; 26];
    let mut wilds = 0;
    for face in throw {
        match face.letter {
            Some(letter) => counts[letter.index()] += 1,
            None => wilds += 1,
        }
    }
    let mut formable = vec![Vec::new(); throw.len() + 1];
    for word in words.iter().filter(|word| word.len() <= throw.len()) {
        let letters: Vec<u8> = word.bytes().map(|b| b - b'a').collect();
        let mut left = counts;
        for &letter in &letters {
            left[usize::from(letter)] -= 1;
        }
        if -left.iter().filter(|&&n| n < 0).sum::<i32>() <= wilds {
            formable[letters.len()].push(letters);
        }
    }
    let mut best =
        if left_over_costs(game) { -throw.iter().map(|face| i32::from(face.value)).sum::<i32>() } else { 0 };
    for shape in shapes.iter().filter(|shape| (2..=throw.len()).contains(&shape.len())) {
        // The longest first, then always one that crosses what is there.
        let mut waiting = runs(shape);
        let mut slots: Vec<Vec<usize>> = Vec::new();
        while let Some(next) = (0..waiting.len()).max_by_key(|&i| {
            let crossings =
                waiting[i].iter().filter(|cell| slots.iter().any(|slot| slot.contains(cell))).count();
            (crossings, waiting[i].len())
        }) {
            slots.push(waiting.remove(next));
        }
        let grid = vec![None; shape.len()];
        let mut search = Slots { game, throw, words: &formable, counts, wilds, slots, grid, best };
        search.fill(0);
        best = search.best;
    }
    best
}

fn agree(game: Counting, throws: usize, sizes: [usize; 2], wilds: usize, seed: u64) {
    let (words, dictionary) = house();
    let shapes = polyominoes(sizes[1]);
    let mut random = Random(seed);
    let mut done = 0;
    while done < throws {
        let text = throw(game, sizes[done % 2], &mut random);
        if text.chars().filter(|c| !c.is_ascii_alphabetic()).count() > wilds {
            continue;
        }
        done += 1;
        let throw = faces(game, &text);
        let problem = Problem::new(&throw, game, &dictionary).expect("a throw");
        let Outcome::Proven(proven) = Search::new(&problem).run() else { panic!("nobody stopped it") };
        assert_eq!(recount(game, &throw, &words, proven.layout()), Ok(proven.score()));
        assert_eq!(proven.score(), by_slots(game, &throw, &words, &shapes), "{text}");
    }
}

#[test]
fn words_in_slots_agree_on_seven_and_eight_dice() {
    agree(Counting::Scribbage, 4, [7, 8], 0, 21);
    agree(Counting::IQubes { long_word: false }, 2, [7, 7], 0, 22);
}

#[test]
#[ignore = "the long form: minutes"]
fn words_in_slots_agree_on_a_hundred_throws_of_eight_and_nine_dice() {
    agree(Counting::Scribbage, 70, [8, 9], 1, 23);
    agree(Counting::IQubes { long_word: false }, 30, [8, 9], 0, 24);
}
