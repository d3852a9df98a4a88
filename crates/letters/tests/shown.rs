//! What the house lays by itself (bots, hints, the coach) never has a word that it would not show, whatever the dice: for every such
//! word of the list a throw that could spell it.

use letters::{Accepts, AllDice, Board, Count, Judge, Player, Reading, Review, Rules, Spot, hint, review};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use words::notation::{self, Style};
use words::{Colour, Counting, DiceSet, Face, Layout, Letter, Lexicon, Word, WordsId};

/// A table that takes them all.
const RUDE: Accepts = Accepts { words: WordsId::House(None), offensive: true };

/// All words of both editions that the house does not lay.
fn flagged() -> BTreeSet<Word> {
    let lists = [Lexicon::house(), Lexicon::british()];
    let words = lists.iter().flat_map(|list| list.words().filter(|(_, entry)| entry.offensive));
    words.map(|(word, _)| word).collect()
}

/// Dice that show these letters, up to so many of them; every third is black.
fn dice(letters: &str, most: usize) -> Vec<Face> {
    let face = |(at, letter): (usize, char)| Face {
        letter: Letter::from_char(letter),
        colour: Some(if at % 3 == 2 { Colour::Black } else { Colour::Red }),
        value: 1 + at as u8 % 5,
    };
    letters.chars().take(most).enumerate().map(face).collect()
}

const COUNTINGS: [Counting; 3] = [Counting::IQubes { long_word: true }, Counting::Scribbage, Counting::Young];

/// For every flagged word a throw with its letters, and some more for words to cross it with.
fn each_throw(mut each: impl FnMut(&Word, &Rules)) {
    let flagged = flagged();
    assert!(flagged.len() > 200);
    for word in &flagged {
        for counting in COUNTINGS {
            let most = word.len().max(7);
            each(word, &Rules { faces: dice(&format!("{word}etanos"), most), counting });
        }
    }
}

/// The words of a layout that are flagged.
fn offences(layout: &Layout, rules: &Rules, flagged: &BTreeSet<Word>) -> Vec<Word> {
    let checked = layout.check(&rules.faces, rules.counting, |_| true);
    checked.runs().iter().filter_map(|run| run.word).filter(|word| flagged.contains(word)).collect()
}

#[test]
fn no_bot_of_any_level_lays_a_flagged_word() {
    let flagged = flagged();
    let mut laid = 0;
    each_throw(|word, rules| {
        // The strong ones search; with more than seven dice that takes long.
        let levels = if rules.faces.len() > 7 { 1..=3 } else { 1..=5 };
        for (seed, level) in (0..).zip(levels) {
            let plan = Player::new(level, seed)
                .plan(rules, WordsId::default(), &std::collections::BTreeMap::new())
                .clone();
            let found = offences(&plan.layout, rules, &flagged);
            assert!(found.is_empty(), "level {level} lays {found:?} with the dice of {word}");
            laid += plan.layout.dice.len();
        }
    });
    assert!(laid > 10_000, "{laid} dice laid");
}

#[test]
fn no_hint_makes_a_flagged_word() {
    let flagged = flagged();
    let mut shown = 0;
    each_throw(|word, rules| {
        let mut laid = Layout::EMPTY;
        while let Some(next) = hint(rules, WordsId::default(), &laid) {
            let found = offences(&next, rules, &flagged);
            assert!(found.is_empty(), "{found:?} with the dice of {word}");
            laid = next;
            shown += 1;
        }
    });
    assert!(shown > 700, "{shown} hints");
}

#[test]
fn no_hint_makes_a_flagged_word_out_of_what_lies_there() {
    // An I between the two Ts would make ID, and another word down.
    let read = |text: &str| notation::read(text, Style::Jokers, |tile| tile.face(1)).expect("a layout");
    let (laid, mut faces) = read("ta/.d/to");
    faces.extend(read("i").1);
    let rules = Rules { faces, counting: Counting::Scribbage };
    let whole = laid.check(&rules.faces, rules.counting, |word| Lexicon::house().contains(word));
    assert!(whole.is_good(), "{:?}", whole.faults());
    let next = hint(&rules, WordsId::default(), &laid);
    let found = next.map(|next| offences(&next, &rules, &flagged()));
    assert!(found.is_none_or(|found| found.is_empty()), "no person laid it");
}

#[test]
fn a_hint_goes_on_from_a_flagged_word_that_a_person_laid() {
    let house = Lexicon::house();
    let mut words = flagged().into_iter().filter(|word| word.len() == 4 && house.contains(word));
    let word = words.next().expect("the list has one");
    let (laid, mut faces) =
        notation::read(&word.to_string(), Style::Jokers, |tile| tile.face(1)).expect("a layout");
    faces.extend(dice("estaeni", 7));
    let rules = Rules { faces, counting: Counting::Scribbage };
    let next = hint(&rules, RUDE, &laid).expect("many words cross it");
    assert_eq!(offences(&next, &rules, &flagged()), [word]);
    assert_eq!(
        hint(&rules, WordsId::default(), &laid),
        None,
        "where it cannot be laid it must be mended first"
    );
}

#[test]
fn what_is_left_of_other_words_is_not_said_where_it_is_flagged() {
    let house = Lexicon::house();
    let rulings = std::collections::BTreeMap::new();
    let judge = Judge::new(RUDE, &rulings);
    let mut tried = 0;
    for word in flagged().into_iter().filter(|word| house.contains(word)) {
        // A Q behind it makes it no word; without the Q it is one again.
        let faces = dice(&format!("{word}q"), word.len() + 1);
        let mut board = Board::beside(faces.len());
        for die in 0..faces.len() as u8 {
            board.place(die, Spot(die as i8, 0)).expect("a free place");
        }
        let rules = Rules { faces, counting: Counting::Scribbage };
        let reading = Reading::of(&board, &rules, Some(&judge));
        assert_eq!(reading.points, Count::of(&board, &rules, &judge).points);
        assert!(reading.left.iter().all(|said| said.word != word), "{word}");
        tried += usize::from(reading.left.is_empty());
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn the_coach_shows_no_flagged_word() {
    let flagged = flagged();
    let never = AtomicBool::new(false);
    each_throw(|word, rules| {
        let board = Board::beside(rules.faces.len());
        let lost = rules.counting.all_unused(&rules.faces, DiceSet::NONE);
        let count = Count { points: -lost, words: Vec::new(), used: 0, taken: DiceSet::NONE };
        let nodes = 50_000;
        let Review { layout, words, missed, all_dice, .. } =
            review(rules, WordsId::default(), &board, &count, Style::Colours, nodes, &never);
        let rows = |rows: &[String]| {
            notation::read_with(&rows.join("/"), Style::Colours, &rules.faces).expect("its own dice")
        };
        let mut found = offences(&rows(&layout), rules, &flagged);
        if let AllDice::Possible { layout } = &all_dice {
            found.extend(offences(&rows(layout), rules, &flagged));
        }
        let told = words.iter().map(|said| said.word).chain(missed.iter().map(|missed| missed.word));
        found.extend(told.filter(|word| flagged.contains(word)));
        assert!(found.is_empty(), "{found:?} with the dice of {word}");
    });
}

// rules: IQ-S9 SB-S5
#[test]
fn a_flagged_word_is_no_word_unless_the_table_says_so() {
    let (house, rulings) = (Lexicon::house(), std::collections::BTreeMap::new());
    let (usual, rude) = (Judge::new(WordsId::default(), &rulings), Judge::new(RUDE, &rulings));
    for word in flagged().into_iter().filter(|word| house.contains(word)) {
        assert!(!usual.good(&word) && rude.good(&word), "{word}");
    }
    let plain = house.words().filter(|(_, entry)| !entry.offensive);
    assert!(plain.take(20_000).all(|(word, _)| usual.good(&word) && rude.good(&word)));
}
