//! The worked examples of both rule files, and each fault by name, at the level of the layout.

use words::notation::{self, NotationError, Style};
use words::{Colour, Counting, DiceSet, Face, Fault, Layout, Letter, Lexicon, Placed, Remainder};

const IQUBES: Counting = Counting::IQubes { long_word: false };
const LONG_WORD: Counting = Counting::IQubes { long_word: true };

/// SB-F2.
fn value(letter: Letter) -> u8 {
    match letter.upper() {
        'A' | 'E' | 'O' => 1,
        'I' | 'L' | 'N' | 'R' | 'S' | 'T' => 2,
        'D' | 'H' | 'M' | 'U' => 3,
        'K' => 5,
        'J' => 6,
        'Q' | 'X' => 8,
        'Z' => 10,
        _ => 4,
    }
}

fn iqubes(text: &str) -> (Layout, Vec<Face>) {
    notation::read(text, Style::Colours, |tile| tile.face(0)).expect("a layout")
}

fn scribbage(text: &str) -> (Layout, Vec<Face>) {
    let face = |tile: notation::Tile| tile.face(if tile.wild { 0 } else { tile.letter.map_or(0, value) });
    notation::read(text, Style::Jokers, face).expect("a layout")
}

fn cube(c: char) -> Face {
    let letter = Letter::from_char(c);
    Face { letter, colour: None, value: letter.map_or(0, value) }
}

fn die(c: char) -> Face {
    let colour = if c.is_ascii_uppercase() || c == '!' { Colour::Red } else { Colour::Black };
    Face { letter: Letter::from_char(c), colour: Some(colour), value: 0 }
}

fn house(word: &[Letter]) -> bool {
    Lexicon::house().contains(word)
}

fn letter(c: char) -> Letter {
    Letter::from_char(c).expect("a letter")
}

/// Each word with its points, as on the sheet.
fn words(layout: &Layout, faces: &[Face], counting: Counting) -> Vec<(String, i32)> {
    let checked = layout.check(faces, counting, house);
    checked.runs().iter().map(|run| (run.word.expect("letters").to_string(), run.points)).collect()
}

fn remainder(text: &str, extra: &str) -> (String, Remainder) {
    let (layout, mut faces) = iqubes(text);
    faces.extend(extra.chars().map(die));
    let rest = layout.remainder(&faces, IQUBES, house);
    (notation::write(&rest.layout, &faces, Style::Colours), rest)
}

#[test]
fn iq_s8_cod_to_is_die_count_seventeen() {
    let (layout, faces) = iqubes(".T../CO*D./..IS/..e.");
    let checked = layout.check(&faces, IQUBES, house);
    assert_eq!(checked.count(), Some(17));
    let expected = [("cod", 6), ("is", 4), ("to", 4), ("die", 3)];
    assert_eq!(words(&layout, &faces, IQUBES), expected.map(|(word, points)| (word.to_owned(), points)));
    assert_eq!(checked.used(), DiceSet::first(7), "all seven: a second throw");
}

#[test]
fn iq_s8_dash_over_toe_counts_twenty_six() {
    let (layout, faces) = iqubes("DASH/.TO*E");
    let checked = layout.check(&faces, IQUBES, house);
    assert_eq!(checked.count(), Some(26));
    let found: Vec<_> = words(&layout, &faces, IQUBES);
    let expected = [("dash", 8), ("toe", 6), ("at", 4), ("so", 4), ("he", 4)];
    assert_eq!(found, expected.map(|(word, points)| (word.to_owned(), points)));
    assert_eq!(checked.used(), DiceSet::first(7));
}

#[test]
fn iq_r4_spar_and_at_count_six_and_two_dice_left_over_cost_nothing() {
    let (layout, mut faces) = iqubes("SpAR/..t");
    faces.extend([die('c'), die('o')]);
    let checked = layout.check(&faces, IQUBES, house);
    assert_eq!(checked.count(), Some(6));
    assert_eq!(checked.used().len(), 5);
}

#[test]
fn iq_s10_all_dice_in_one_word_count_fifteen_or_thirty() {
    let (mixed, faces) = iqubes("PlANTED");
    assert_eq!(mixed.check(&faces, IQUBES, house).count(), Some(7));
    assert_eq!(mixed.check(&faces, LONG_WORD, house).count(), Some(15));
    let (red, faces) = iqubes("PLANTED");
    assert_eq!(red.check(&faces, IQUBES, house).count(), Some(14));
    assert_eq!(red.check(&faces, LONG_WORD, house).count(), Some(30));
    let mut eight = faces;
    eight.push(die('s'));
    assert_eq!(red.check(&eight, LONG_WORD, house).count(), Some(14), "a die is left over");
}

#[test]
fn sb_s7_plant_pick_arm_two_and_a_q_left_over_count_thirty_one() {
    let (layout, mut faces) = scribbage("plant/i.r.w/c.m.o/k....");
    faces.push(cube('q'));
    let checked = layout.check(&faces, Counting::Scribbage, house);
    let expected = [("plant", 11), ("pick", 15), ("arm", 6), ("two", 7)];
    let mut found = words(&layout, &faces, Counting::Scribbage);
    found.sort_by_key(|(word, _)| expected.iter().position(|(known, _)| known == word));
    assert_eq!(found, expected.map(|(word, points)| (word.to_owned(), points)));
    assert_eq!(checked.count(), Some(31), "11 across, 28 down, 8 left over");
}

#[test]
fn sb_s6_a_joker_scores_nothing_and_sb_r3_costs_nothing_unused() {
    let (layout, faces) = scribbage("Quiz");
    assert_eq!(layout.check(&faces, Counting::Scribbage, house).count(), Some(3 + 2 + 10));
    let (layout, mut faces) = scribbage("quiz");
    faces.push(cube('?'));
    assert_eq!(layout.check(&faces, Counting::Scribbage, house).count(), Some(23));
    assert_eq!(Layout::EMPTY.check(&faces, Counting::Scribbage, house).count(), Some(-23));
}

#[test]
fn sb_r6_young_players_lay_separate_words_and_use_each_cube_once() {
    let (layout, mut faces) = scribbage("plant/...../.quiz");
    faces.push(cube('k'));
    let checked = layout.check(&faces, Counting::Young, house);
    assert_eq!(checked.count(), Some(11 + 23 - 5));
    assert!(layout.check(&faces, Counting::Scribbage, house).count().is_none(), "not one crossword");

    let (crossed, faces) = scribbage("plant/i/n");
    let faults = crossed.check(&faces, Counting::Young, house).faults().to_vec();
    assert_eq!(faults, [Fault::Crossed { die: 0 }]);
    let rest = crossed.remainder(&faces, Counting::Young, house);
    assert_eq!(rest.count, 8 + 5 - 2, "the L goes: PIN and ANT stay");
}

#[test]
fn iq_r5_every_maximal_run_must_be_a_word() {
    let (layout, faces) = iqubes("DASH/TOE.");
    let faults = layout.check(&faces, IQUBES, house).faults().to_vec();
    let no_word =
        |word: &str, x, y| Fault::NoWord { word: word.parse().expect("letters"), across: false, x, y };
    assert_eq!(faults, [no_word("dt", 0, 0), no_word("ao", 1, 0), no_word("se", 2, 0)]);
    assert_eq!(faults[0].to_string(), "dt (down, from column 1, row 1) is no word of this table");
}

#[test]
fn iq_r5_all_dice_hang_together_and_a_corner_does_not_connect() {
    let (layout, faces) = iqubes("CAT/...ON");
    let faults = layout.check(&faces, IQUBES, house).faults().to_vec();
    assert_eq!(faults, [Fault::Apart { dice: DiceSet::from_iter([3, 4]) }]);
    let (alone, faces) = iqubes("A");
    assert_eq!(alone.check(&faces, IQUBES, house).faults(), [Fault::Alone { die: 0 }]);
    assert_eq!(Layout::EMPTY.check(&faces, IQUBES, house).count(), Some(0));
}

#[test]
fn iq_r5_a_repeated_word_counts_each_time() {
    let (layout, faces) = iqubes("to/oh");
    assert_eq!(layout.check(&faces, IQUBES, house).count(), Some(16), "TO and OH, across and down, in black");
}

#[test]
fn iq_s2_a_wild_must_be_called_once() {
    let (layout, faces) = iqubes("C!D");
    let checked = layout.check(&faces, IQUBES, house);
    assert_eq!(checked.faults(), [Fault::WildUncalled { die: 1 }]);
    assert_eq!(checked.runs()[0].word, None);

    let (mut layout, faces) = iqubes("CO*D");
    layout.dice.push(Placed { die: 1, x: 1, y: 1, called: Some(letter('a')) });
    let twice = Fault::WildCalledTwice { die: 1, first: letter('o'), second: letter('a') };
    assert_eq!(layout.check(&faces, IQUBES, house).faults(), [twice]);
}

#[test]
fn a_letter_cannot_be_called_for_a_die_that_shows_another() {
    let (mut layout, faces) = iqubes("CAT");
    layout.dice[0].called = Some(letter('b'));
    let fault = Fault::NotWild { die: 0, shown: letter('c'), called: letter('b') };
    assert_eq!(layout.check(&faces, IQUBES, house).faults(), [fault]);
}

#[test]
fn dice_that_cannot_lie_so_are_told_one_by_one() {
    let (mut layout, faces) = iqubes("CAT");
    layout.dice.push(Placed { die: 9, x: 5, y: 5, called: None });
    layout.dice.push(Placed { die: 0, x: 5, y: 6, called: None });
    let faults = layout.check(&faces, IQUBES, house).faults().to_vec();
    assert_eq!(faults, [Fault::UnknownDie { die: 9 }, Fault::DieTwice { die: 0 }]);

    let (mut layout, faces) = iqubes("CATS");
    layout.dice[3].x = 1;
    let taken = Fault::CellTaken { x: 1, y: 0, first: 1, second: 3 };
    assert_eq!(layout.check(&faces, IQUBES, house).faults(), [taken]);

    let many = Layout { dice: (0..16).map(|die| Placed { die, x: die as i8, y: 0, called: None }).collect() };
    assert_eq!(many.check(&[die('A'); 16], IQUBES, house).faults()[0], Fault::TooManyDice { dice: 16 });
}

#[test]
fn iq_r7_a_good_arrangement_is_left_as_it_is() {
    // CAT alone would count 6, but nothing is wrong with CATs.
    let (text, rest) = remainder("CATs", "");
    assert_eq!((text.as_str(), rest.count), ("CATs", 4));
}

#[test]
fn iq_r7_a_bad_run_loses_the_dice_that_leave_the_most() {
    let (text, rest) = remainder("CATX", "");
    assert_eq!((text.as_str(), rest.count), ("CAT", 6));
    let (text, rest) = remainder("xCATx", "");
    assert_eq!((text.as_str(), rest.count), ("CAT", 6));
    // Taking the Q out also takes the end of a good word down.
    let (text, rest) = remainder("CATQ/...U/...I/...T", "");
    assert_eq!((text.as_str(), rest.count), ("Q/U/I/T", 8));
}

#[test]
fn iq_r7_only_one_group_stays() {
    let (text, rest) = remainder("CAT../...../PLANT", "");
    assert_eq!((text.as_str(), rest.count), ("PLANT", 10));
    let (text, rest) = remainder("CAT../...../plaNT", "");
    assert_eq!(
        (text.as_str(), rest.count),
        ("CAT", 6),
        "the group that counts most, not that of the most dice"
    );
}

#[test]
fn iq_r7_nothing_valid_left_counts_nothing() {
    let (text, rest) = remainder("XQZ", "");
    assert_eq!((text.as_str(), rest.count), ("", 0));
    assert!(rest.checked.is_good());
}

#[test]
fn iq_r7_a_wild_that_was_not_called_goes() {
    let (text, rest) = remainder("CAT!", "");
    assert_eq!((text.as_str(), rest.count), ("CAT", 6));
}

#[test]
fn sb_r4_cubes_taken_out_count_as_not_used() {
    let (layout, faces) = scribbage("plantz");
    let rest = layout.remainder(&faces, Counting::Scribbage, house);
    assert_eq!(rest.count, 11 - 10);
    let (layout, faces) = scribbage("zqx");
    assert_eq!(layout.remainder(&faces, Counting::Scribbage, house).count, -26);
}

#[test]
fn a_remainder_of_dice_on_top_of_each_other_is_still_a_layout() {
    let (mut layout, faces) = iqubes("CATS");
    layout.dice[3].x = 1;
    layout.dice.push(Placed { die: 77, x: 3, y: 0, called: None });
    let rest = layout.remainder(&faces, IQUBES, house);
    assert_eq!(rest.count, 6);
}

#[test]
fn text_that_is_no_layout_is_refused_by_row_and_column() {
    let read = |text: &str| notation::read(text, Style::Colours, |tile| tile.face(0)).map(|_| ());
    assert_eq!(read("DASH/.T1"), Err(NotationError::Unreadable { row: 2, column: 3, found: '1' }));
    assert_eq!(read("DA*SH/*TOE"), Err(NotationError::StrayStar { row: 2, column: 0 }));
    assert_eq!(read("DA**"), Err(NotationError::StrayStar { row: 1, column: 2 }));
    assert_eq!(read("?*"), Err(NotationError::StrayStar { row: 1, column: 1 }));
    assert_eq!(read(&"A".repeat(16)), Err(NotationError::TooManyDice { row: 1, column: 16 }));
    assert_eq!(read(&".".repeat(500)), Err(NotationError::TooFar { row: 1, column: 129 }));
    assert_eq!(read(&format!("{}A", "/".repeat(128))), Err(NotationError::TooFar { row: 129, column: 1 }));
    let joker = notation::read("pl*nt", Style::Jokers, |tile| tile.face(0)).map(|_| ());
    assert_eq!(joker, Err(NotationError::Unreadable { row: 1, column: 3, found: '*' }));
}

#[test]
fn a_layout_can_be_typed_with_the_dice_of_a_throw() {
    let throw: Vec<Face> = "TDAS!HE".chars().map(die).collect();
    let layout = notation::read_with("DASH/.TO*E", Style::Colours, &throw).expect("all dice are there");
    assert_eq!(layout.dice.iter().map(|placed| placed.die).collect::<Vec<_>>(), [1, 2, 3, 5, 0, 4, 6]);
    assert_eq!(layout.check(&throw, IQUBES, house).count(), Some(26));
    let missing = notation::read_with("DaSH", Style::Colours, &throw);
    assert_eq!(missing, Err(NotationError::NotThrown { row: 1, column: 2 }));
}
