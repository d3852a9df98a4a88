//! The young players' rule (SB-S11, SB-R6): separate words, each cube in one of them. The same packing table answers it.

use words::{Face, Layout, Letter, Placed};

use crate::dictionary::Spelt;
use crate::engine::MAX_DICE;
use crate::outcome::{Outcome, Proven};
use crate::problem::Problem;

/// The most valuable set of separate words: a packing over all sets of dice.
pub(crate) fn best(problem: &Problem) -> Outcome {
    let faces = &problem.faces;
    let words = formable(problem);
    let total: i32 = faces.iter().map(|face| i32::from(face.value)).sum();
    let mut packing =
        Packing { faces, by_lowest: by_lowest(&words), words: &words, best: vec![None; 1 << faces.len()] };
    let all = (1_u32 << faces.len()) - 1;
    let must = problem.word.map(|word| Spelt::new(&word));
    // The word that must be laid comes first, with every choice of dice for it.
    let mut best: Option<(i32, Vec<Laying>)> = None;
    let mut consider = |first: Option<Laying>, packing: &mut Packing<'_>| {
        let left = all & !first.as_ref().map_or(0, |laying| laying.dice);
        let value = first.as_ref().map_or(0, |laying| packing.value(laying.dice))
            + packing.solve(left, problem.all_dice).unwrap_or(i32::MIN / 2);
        if value >= 0 && best.as_ref().is_none_or(|(known, _)| value > *known) {
            let mut layings: Vec<Laying> = first.into_iter().collect();
            layings.extend(packing.unfold(left));
            best = Some((value, layings));
        }
    };
    match must {
        None => consider(None, &mut packing),
        Some(word) => {
            let mut seen = Vec::new();
            spell(faces, word.letters(), 0, &mut Vec::new(), &mut |dice, order| {
                seen.push(Laying { dice, order: order.to_vec(), word });
            });
            seen.sort_by_key(|laying| laying.dice);
            seen.dedup_by_key(|laying| laying.dice);
            for laying in seen {
                consider(Some(laying), &mut packing);
            }
        }
    }
    match best {
        Some((value, layings)) => Outcome::Proven(Proven::closed(spread(faces, &layings), 2 * value - total)),
        None => Outcome::Impossible,
    }
}

/// A word and the dice that spell it.
#[derive(Clone)]
struct Laying {
    dice: u32,
    order: Vec<u8>,
    word: Spelt,
}

struct Packing<'a> {
    faces: &'a [Face],
    words: &'a [Laying],
    /// By die: the words whose lowest die it is.
    by_lowest: Vec<Vec<usize>>,
    /// By set of dice left: the most that can be covered, and the first choice: a word, or none for the lowest die.
    best: Vec<Option<(Option<i32>, Option<usize>)>>,
}

impl Packing<'_> {
    fn value(&self, dice: u32) -> i32 {
        (0..self.faces.len())
            .filter(|die| dice >> die & 1 == 1)
            .map(|die| i32::from(self.faces[die].value))
            .sum()
    }

    /// The most that words from `left` cover; with `all`, they must cover everything.
    fn solve(&mut self, left: u32, all: bool) -> Option<i32> {
        if left == 0 {
            return Some(0);
        }
        if let Some((value, _)) = self.best[left as usize] {
            return value;
        }
        let lowest = left & left.wrapping_neg();
        let mut best = if all { None } else { self.solve(left & !lowest, all) };
        let mut choice = None;
        for i in 0..self.by_lowest[lowest.trailing_zeros() as usize].len() {
            let n = self.by_lowest[lowest.trailing_zeros() as usize][i];
            let dice = self.words[n].dice;
            if dice & !left != 0 {
                continue;
            }
            let value = self.solve(left & !dice, all).map(|rest| rest + self.value(dice));
            if value.is_some() && value > best {
                best = value;
                choice = Some(n);
            }
        }
        self.best[left as usize] = Some((best, choice));
        best
    }

    fn unfold(&self, mut left: u32) -> Vec<Laying> {
        let mut layings = Vec::new();
        while left != 0 {
            match self.best[left as usize].and_then(|(_, choice)| choice) {
                Some(n) => {
                    layings.push(self.words[n].clone());
                    left &= !self.words[n].dice;
                }
                None => left &= left - 1,
            }
        }
        layings
    }
}

fn by_lowest(words: &[Laying]) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); MAX_DICE];
    for (n, laying) in words.iter().enumerate() {
        lists[laying.dice.trailing_zeros() as usize].push(n);
    }
    lists
}

/// One laying for every set of dice that spells a word.
fn formable(problem: &Problem) -> Vec<Laying> {
    let mut counts = [0; 26];
    let mut wilds = 0;
    for face in &problem.faces {
        match face.letter {
            Some(letter) => counts[letter.index()] += 1,
            None => wilds += 1,
        }
    }
    let mut known = vec![false; 1 << problem.faces.len()];
    let mut found = Vec::new();
    for word in problem.dictionary.formable(&counts, wilds) {
        spell(&problem.faces, word.letters(), 0, &mut Vec::new(), &mut |dice, order| {
            if !known[dice as usize] {
                known[dice as usize] = true;
                found.push(Laying { dice, order: order.to_vec(), word });
            }
        });
    }
    found
}

/// Every set of dice that spells `letters`.
fn spell(faces: &[Face], letters: &[u8], dice: u32, order: &mut Vec<u8>, found: &mut impl FnMut(u32, &[u8])) {
    let Some((&letter, rest)) = letters.split_first() else {
        found(dice, order);
        return;
    };
    for (die, face) in faces.iter().enumerate() {
        let fits = face.letter.is_none_or(|shown| shown.index() == usize::from(letter));
        if fits && dice >> die & 1 == 0 {
            order.push(die as u8);
            spell(faces, rest, dice | 1 << die, order, found);
            order.pop();
        }
    }
}

/// The words one under the other, with a free row between.
fn spread(faces: &[Face], layings: &[Laying]) -> Layout {
    let mut layout = Layout::EMPTY;
    for (row, laying) in layings.iter().enumerate() {
        for (column, (&die, &letter)) in laying.order.iter().zip(laying.word.letters()).enumerate() {
            let called =
                Letter::from_index(usize::from(letter)).filter(|_| faces[usize::from(die)].is_wild());
            layout.dice.push(Placed { die, x: column as i8, y: 2 * row as i8, called });
        }
    }
    layout
}
