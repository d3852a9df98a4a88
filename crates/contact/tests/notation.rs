//! Texts in and out: corpora of good and bad ones, and any text at all.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail loudly")]

use contact::notation::{GameText, NoGame};
use contact::{Corner, Move, Players, Position, Set};
use proptest::prelude::*;

#[test]
fn every_valid_position_is_written_as_it_was_read() {
    for line in include_str!("corpus/valid.txt").lines().filter(|l| !l.starts_with('#')) {
        let position: Position = line.parse().unwrap_or_else(|e| panic!("{line}: {e}"));
        assert_eq!(position.to_string(), line);
        assert!(position.is_consistent(), "{line}");
    }
}

#[test]
fn every_invalid_position_is_refused_with_its_field_and_character() {
    for line in include_str!("corpus/invalid.txt").lines().filter(|l| !l.starts_with('#')) {
        let (text, wanted) = line.rsplit_once(" | ").unwrap();
        let error = text.parse::<Position>().expect_err(line).to_string();
        assert!(error.starts_with(wanted), "{text}\n  says   {error}\n  wanted {wanted}");
    }
}

#[test]
fn the_last_two_fields_may_be_left_out() {
    let full: Position = "Sa14/15/15/15/15/15/15/15/15/15/15/15/15/15/14Nc s two 0 seven:0".parse().unwrap();
    assert_eq!("Sa14/15/15/15/15/15/15/15/15/15/15/15/15/15/14Nc s two".parse::<Position>().unwrap(), full);
}

#[test]
fn moves_are_two_corners_or_a_pass() {
    for text in ["c4-c6", "a1-o15", "h8-h8", "pass"] {
        assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
    }
    for text in
        ["", "c4", "c4c6", "c4-", "-c4", "c4-c16", "c4-c06", "p1-a1", "C4-C6", "c4-c6-c8", "Pass", "c4–c6"]
    {
        assert!(text.parse::<Move>().is_err(), "{text}");
    }
    assert!(["a0", "a", "1a", "a1 ", "", "é1", "a111"].iter().all(|t| t.parse::<Corner>().is_err()));
}

#[test]
fn a_game_is_read_with_comments_and_numbers_and_checked_move_by_move() {
    let start = Position::start(&Set::default(), "six", Players::Two).unwrap();
    let text = format!("[start {start}]\n[result *]\n\n1. h2-h3 {{a quiet\nstart}} h14-h13\n2. h3-h4\n");
    let game: GameText = text.parse().unwrap();
    assert_eq!(game.moves.len(), 3);
    assert_eq!(game.to_string().parse::<GameText>().unwrap(), game);
    let bad = |from: &str, to: &str| text.replace(from, to).parse::<GameText>().unwrap_err();
    assert!(matches!(bad("h3-h4", "h3-h5"), NoGame::Illegal { line: 6, number: 3, .. }));
    assert!(matches!(bad("h3-h4", "h3h4"), NoGame::Move { line: 6, number: 3, .. }));
    assert!(matches!(bad("start}", "start"), NoGame::Comment { line: 4 }));
    assert!(matches!(bad("[result *]", "[result south wins]"), NoGame::Result { .. }));
    assert!(matches!(bad("[result *]", "[who Ann]"), NoGame::Heading { line: 2, .. }));
    assert!(matches!(bad("[start", "[r9 off]\n[stort"), NoGame::Heading { line: 2, .. }));
    assert!(matches!("1. h2-h3".parse::<GameText>(), Err(NoGame::NoStart)));
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,80}") {
        let _ = text.parse::<Position>();
        let _ = text.parse::<Move>();
        let _ = text.parse::<GameText>();
        let _ = contact::set::check(&text);
    }

    #[test]
    fn no_text_of_likely_letters_panics(text in "[0-9a-eswnSWNE+/ :-]{0,120}") {
        if let Ok(position) = text.parse::<Position>() {
            prop_assert_eq!(position.to_string().parse::<Position>().unwrap(), position);
        }
    }

    #[test]
    fn a_damaged_position_never_panics(at in 0usize..80, letter in any::<char>()) {
        let mut letters: Vec<char> =
            Position::start(&Set::default(), "twelve", Players::Two).unwrap().to_string().chars().collect();
        let at = at % letters.len();
        letters[at] = letter;
        let _ = letters.into_iter().collect::<String>().parse::<Position>();
    }
}
