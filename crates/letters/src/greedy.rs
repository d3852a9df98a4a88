//! Laying a crossword as people do: the best word first, then at every step the word that adds most to what lies there.

use crate::count::Rules;
use std::cmp::Reverse;
use words::{Colour, DiceSet, Layout, Letter, Placed, Word};

/// A crossword of these words, begun with each of the best `starts` of them; `good` judges what comes up between them.
pub(crate) fn lay(rules: &Rules, words: &[Word], good: impl Fn(&[Letter]) -> bool, starts: usize) -> Layout {
    let table = Hand { rules, words, good };
    let mut first = table.steps(&Layout::EMPTY);
    first.sort_by_key(|(count, _)| Reverse(*count));
    first.truncate(starts);
    let grown = first.into_iter().map(|first| table.grow(first));
    grown.max_by_key(|(count, _)| *count).map_or(Layout::EMPTY, |(_, layout)| layout)
}

/// The best layout that one more of these words makes of this one; `None` if none of them fits.
pub(crate) fn step(
    rules: &Rules,
    words: &[Word],
    good: impl Fn(&[Letter]) -> bool,
    laid: &Layout,
) -> Option<Layout> {
    let steps = Hand { rules, words, good }.steps(laid);
    steps.into_iter().max_by_key(|(count, _)| *count).map(|(_, layout)| layout)
}

struct Hand<'a, J> {
    rules: &'a Rules,
    words: &'a [Word],
    good: J,
}

impl<J: Fn(&[Letter]) -> bool> Hand<'_, J> {
    /// Adds words while that helps.
    fn grow(&self, mut best: (i32, Layout)) -> (i32, Layout) {
        loop {
            let next = self.steps(&best.1).into_iter().max_by_key(|(count, _)| *count);
            match next.filter(|(count, _)| *count > best.0) {
                Some(next) => best = next,
                None => return best,
            }
        }
    }

    /// All good layouts that one more word makes of this one, with their counts.
    fn steps(&self, laid: &Layout) -> Vec<(i32, Layout)> {
        let mut steps = Vec::new();
        for word in self.words {
            for (x, y, across) in self.places(word, laid) {
                // Dice of one colour count double; where there are no colours the three ways are one.
                for colour in [None, Some(Colour::Red), Some(Colour::Black)] {
                    let layout = self.put(word, (x, y, across), colour, laid);
                    steps.extend(layout.and_then(|layout| Some((self.count(&layout)?, layout))));
                }
            }
        }
        steps
    }

    fn count(&self, layout: &Layout) -> Option<i32> {
        layout.check(&self.rules.faces, self.rules.counting, &self.good).count()
    }

    /// Where a word could begin: anywhere on an empty table, else so that it crosses a die with one of its letters, or
    /// apart from all others where words do not cross (SB-S11).
    fn places(&self, word: &Word, laid: &Layout) -> Vec<(i8, i8, bool)> {
        if laid.dice.is_empty() {
            return vec![(0, 0, true)];
        }
        if !self.rules.counting.is_crossword() {
            let left = laid.dice.iter().map(|placed| placed.x).min().unwrap_or_default();
            let below = laid.dice.iter().map(|placed| placed.y).max().unwrap_or_default().saturating_add(2);
            return vec![(left, below, true)];
        }
        let mut places = Vec::new();
        for placed in &laid.dice {
            let shown = self.letter(*placed);
            for at in
                (0_i8..).zip(word.iter()).filter(|(_, letter)| Some(**letter) == shown).map(|(at, _)| at)
            {
                places.extend([(placed.x - at, placed.y, true), (placed.x, placed.y - at, false)]);
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    fn letter(&self, placed: Placed) -> Option<Letter> {
        self.rules.faces[usize::from(placed.die)].letter.or(placed.called)
    }

    /// The word put down with dice that are left, of this colour where there are any; `None` if they do not do it.
    fn put(&self, word: &Word, at: (i8, i8, bool), colour: Option<Colour>, laid: &Layout) -> Option<Layout> {
        let (x, y, across) = at;
        let faces = &self.rules.faces;
        let mut layout = laid.clone();
        let mut free =
            laid.dice.iter().fold(DiceSet::first(faces.len()), |free, placed| free.without(placed.die));
        for (step, &letter) in (0_i8..).zip(word.iter()) {
            let (x, y) = if across { (x + step, y) } else { (x, y + step) };
            if let Some(there) = layout.at(x, y) {
                if self.letter(there) != Some(letter) {
                    return None;
                }
                continue;
            }
            let fits = |die: &u8| faces[usize::from(*die)].letter.is_none_or(|shown| shown == letter);
            let die = free.iter().filter(fits).min_by_key(|&die| {
                let face = faces[usize::from(die)];
                (face.is_wild(), colour.is_some() && face.colour != colour)
            })?;
            free = free.without(die);
            let called = faces[usize::from(die)].is_wild().then_some(letter);
            layout.dice.push(Placed { die, x, y, called });
        }
        (layout.dice.len() > laid.dice.len()).then_some(layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use words::{Counting, Face, Lexicon};

    #[test]
    fn words_are_put_to_words_while_that_counts_more() {
        let face = |c: char| Face { letter: Letter::from_char(c), colour: Some(Colour::Red), value: 1 };
        let rules = Rules { faces: "dasht!e".chars().map(face).collect(), counting: Counting::Scribbage };
        let house = Lexicon::house();
        let good = |word: &[Letter]| house.contains(word);
        let words: Vec<Word> = ["dash", "the"].iter().map(|word| word.parse().unwrap()).collect();
        let layout = lay(&rules, &words, good, 3);
        let checked = layout.check(&rules.faces, rules.counting, good);
        assert!(checked.is_good() && checked.runs().len() == 2, "{layout:?}");
        assert_eq!(lay(&rules, &[], good, 3), Layout::EMPTY);
    }
}
