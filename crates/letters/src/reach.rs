//! The words within reach of a throw: which it can spell, with which dice, and for how much.

use crate::count::Rules;
use std::sync::Arc;
use words::{Colour, DiceSet, Entry, Face, Letter, Lexicon, Node, Vocabulary, Word, WordsId, shelf};

/// The dictionary to think with: that of the table, or the house's where the table has none.
pub fn lexicon(words: WordsId) -> Option<Arc<Lexicon>> {
    shelf::find(if words == WordsId::None { &WordsId::House(None) } else { &words })
}

/// All words of a vocabulary that the dice can spell, in alphabetical order.
pub fn words(faces: &[Face], lexicon: &Lexicon, vocabulary: Vocabulary) -> Vec<(Word, Entry)> {
    let mut cup = Cup { letters: [0; words::ALPHABET], wild: 0 };
    for face in faces {
        match face.letter {
            Some(letter) => cup.letters[letter.index()] += 1,
            None => cup.wild += 1,
        }
    }
    let mut found = Vec::new();
    cup.spell(lexicon, lexicon.root(), Word::EMPTY, &mut |word| {
        if let Some(entry) = lexicon.entry(&word).filter(|&entry| word.len() > 1 && vocabulary.has(entry)) {
            found.push((word, entry));
        }
    });
    found
}

/// The letters that are left while a word is spelt.
struct Cup {
    letters: [u8; words::ALPHABET],
    wild: u8,
}

impl Cup {
    fn spell(&mut self, lexicon: &Lexicon, node: Node, word: Word, each: &mut impl FnMut(Word)) {
        if lexicon.is_word(node) {
            each(word);
        }
        for (letter, next) in lexicon.branches(node) {
            let mut longer = word;
            if longer.push(letter).is_err() {
                return;
            }
            let shown = self.letters[letter.index()] > 0;
            let left = if shown { &mut self.letters[letter.index()] } else { &mut self.wild };
            if *left == 0 {
                continue;
            }
            *left -= 1;
            self.spell(lexicon, next, longer, each);
            let left = if shown { &mut self.letters[letter.index()] } else { &mut self.wild };
            *left += 1;
        }
    }
}

/// The most that a word by itself can count with these dice; `None` if they do not spell it.
pub fn points(word: &[Letter], rules: &Rules) -> Option<i32> {
    let of = |colour: Option<Colour>| {
        let fits = |die: &u8| colour.is_none() || rules.faces[usize::from(*die)].colour == colour;
        spell(word, &rules.faces, DiceSet::first(rules.faces.len()).iter().filter(fits).collect())
    };
    let ways = [None, Some(Colour::Red), Some(Colour::Black)].into_iter().filter_map(of);
    ways.map(|dice| rules.counting.word(&rules.faces, &dice)).max()
}

/// Dice that spell a word: letters as they are shown, wild dice for what is missing.
fn spell(word: &[Letter], faces: &[Face], mut free: DiceSet) -> Option<Vec<u8>> {
    let mut dice = Vec::with_capacity(word.len());
    for &letter in word {
        let shows = |want: Option<Letter>| free.iter().find(|&die| faces[usize::from(die)].letter == want);
        let die = shows(Some(letter)).or_else(|| shows(None))?;
        free = free.without(die);
        dice.push(die);
    }
    Some(dice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use words::Counting;

    fn red(text: &str) -> Vec<Face> {
        let face = |c: char| {
            let colour = Some(if c.is_ascii_lowercase() { Colour::Black } else { Colour::Red });
            Face { letter: Letter::from_char(c), colour, value: 0 }
        };
        text.chars().map(face).collect()
    }

    #[test]
    fn a_throw_reaches_the_words_that_its_letters_and_wild_dice_spell() {
        let house = Lexicon::house();
        let reached = |throw: &str| {
            let found = words(&red(throw), &house, Vocabulary::default());
            found.into_iter().map(|(word, _)| word.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(reached("TA"), ["at", "ta"]);
        assert!(reached("T!").contains(&"to".to_owned()));
        let by_hand = house.words().filter(|(word, _)| points(word, &rules("SPAr!")).is_some());
        let by_hand: Vec<String> =
            by_hand.filter(|(_, entry)| !entry.offensive).map(|(word, _)| word.to_string()).collect();
        assert_eq!(reached("SPAr!"), by_hand);
    }

    fn rules(throw: &str) -> Rules {
        Rules { faces: red(throw), counting: Counting::IQubes { long_word: false } }
    }

    #[test]
    fn a_word_counts_most_with_the_dice_of_one_colour() {
        let at: Word = "at".parse().unwrap();
        assert_eq!(points(&at, &rules("aTAx")), Some(4));
        assert_eq!(points(&at, &rules("aTx")), Some(2));
        assert_eq!(points(&at, &rules("ax")), None);
    }
}
