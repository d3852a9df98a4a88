//! Whole conversations through a pipe: what people type, what they are told, and what is on disk after it.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its stage has failed")]

use keep::{Desk, Dictionary, Ended, KeepError, Kept, StoreError, Terms, run};
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

const IQUBES: Terms =
    Terms::IQubes { rounds: 1, long_word: false, two_sets: false, dictionary: Dictionary::House };
const SCRIBBAGE: Terms =
    Terms::Scribbage { rounds: Some(1), figure: None, young: false, dictionary: Dictionary::House };
const CUBO: Terms = Terms::Cubo { rounds: 2, any_order: false };
const CONTACT: Terms = Terms::Contact { twelve: false, partners: false, first: 1 };

fn roulette(bank: Option<&str>) -> Terms {
    Terms::Roulette { throws: 2, chips: 100, bank: bank.map(str::to_owned) }
}

fn desk(folder: &Path) -> Desk {
    Desk {
        file: folder.join("game.json"),
        sheet: None,
        think: None,
        seconds: None,
        visible: false,
        anew: false,
    }
}

fn talk_at(desk: &Desk, terms: &Terms, names: &[&str], typed: &str) -> (Result<Ended, KeepError>, String) {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut told = Vec::new();
    let ended = run(terms, &names, desk, &mut typed.as_bytes(), &mut told);
    (ended, String::from_utf8(told).unwrap())
}

/// Talks in a folder of its own; says the points of each player, and all that was told.
fn talk(terms: &Terms, names: &[&str], typed: &str) -> (Vec<i64>, String) {
    let folder = TempDir::new().unwrap();
    let (ended, told) = talk_at(&desk(folder.path()), terms, names, typed);
    let ended = ended.unwrap_or_else(|why| panic!("{why}\n{told}"));
    (ended.standing.iter().map(|player| player.points).collect(), told)
}

#[test]
fn iq_s6_all_dice_used_bring_a_second_throw_to_the_same_player() {
    let (points, told) = talk(&IQUBES, &["Ann", "Bob"], "DASH/.TO*E\nSPAR/..T. xi\nspar/..t. XI\n");
    assert_eq!(points, [26 + 12, 12], "{told}");
    assert!(
        told.contains("Ann: 26 points for dash 8, toe 6, at 4, so 4, he 4; all dice used: a second throw!\n"),
        "as docs/workbench.md has it: {told}"
    );
    assert!(told.contains("Ann, round 1 of 1, second throw> "), "{told}");
    assert!(told.contains("Ann has won."), "{told}");
}

#[test]
fn iq_s12_a_bid_moves_its_difference() {
    let (points, told) = talk(&IQUBES, &["Ann", "Bob"], "spar/..t. XI\nbid Bob 15 made\n");
    assert_eq!(points, [12, 3], "{told}");
    let (points, _) = talk(&IQUBES, &["Ann", "Bob"], "spar/..t. XI\nbid bob 15 failed\n");
    assert_eq!(points, [15, -3]);
    for (bad, taught) in [
        ("bid Ann 15 made", "his own count"),
        ("bid Bob 12 made", "higher than the count"),
        ("bid Eve 15 made", "Ann, Bob"),
        ("bid Bob many made", "how many points"),
        ("bid Bob 15", "bid NAME POINTS"),
    ] {
        let (points, told) = talk(&IQUBES, &["Ann", "Bob"], &format!("spar/..t. XI\n{bad}\n"));
        assert_eq!(points, [12, 0]);
        assert!(told.to_lowercase().contains(&taught.to_lowercase()), "{bad}: {told}");
    }
}

#[test]
fn iq_s12_one_bid_holds_for_a_throw_and_no_more_than_the_dice_can_give() {
    for (lines, points, taught) in [
        ("spar/..t. XI\nbid Bob 28 made\n", [12, 16], "Bob gains 16"),
        ("spar/..t. XI\nbid Bob 29 made\n", [12, 0], "counts more than 28"),
        ("spar/..t. XI\nbid Bob 13 made\nbid Bob 15 made\n", [12, 1], "a bid on this count already"),
        ("spar/..t. XI\nbid Bob 13 failed\nbid Bob 15 made\n", [13, -1], "a bid on this count already"),
        ("spar/..t. XI\nbid Bob 13 made\nundo\nbid Bob 15 made\n", [12, 3], "Bob gains 3"),
        ("spar/..t. XI\nbid Bob 13 made\nspar/..t. XI\nbid Ann 14 made\n", [14, 13], "Ann gains 2"),
        ("spar/..t. XI\nbid Bob 4294967295 failed\n", [12, 0], "counts more than 28"),
    ] {
        let (stand, told) = talk(&IQUBES, &["Ann", "Bob"], lines);
        assert_eq!(stand, points, "{lines}: {told}");
        assert!(told.contains(taught), "{lines}: {told}");
    }
    let long = Terms::IQubes { rounds: 1, long_word: true, two_sets: false, dictionary: Dictionary::House };
    let (stand, told) = talk(&long, &["Ann", "Bob"], "spar/..t. XI\nbid Bob 30 made\n");
    assert_eq!(stand, [12, 18], "a long word may make 30: {told}");
}

#[test]
fn iq_s5_a_throw_without_vowel_may_be_kept() {
    let (points, told) = talk(&IQUBES, &["Ann", "Bob"], "- BCDFGHJ\n");
    assert_eq!(points, [0, 0], "{told}");
    assert!(told.contains("Bob, round 1"), "{told}");
}

#[test]
fn a_command_with_dice_behind_it_is_a_layout() {
    for (line, points) in [
        ("END abcr", 6),
        ("end ABCR", 6),
        ("UNDO abc", 8),
        ("Quit abc", 4),
        ("exit abc", 8),
        ("HELP abc", 8),
        ("BEST abc", 8),
        ("SCORE ab", 10),
        ("SHEET ab", 10),
        ("TIME abc", 8),
        ("bid acer", 6),
        ("allow it", 10),
        ("anyway s", 12),
        ("anyway bid acer", 6),
    ] {
        let folder = TempDir::new().unwrap();
        let desk = desk(folder.path());
        let (ended, told) = talk_at(&desk, &IQUBES, &["Ann", "Bob"], &format!("{line}\n"));
        let ended = ended.unwrap();
        assert_eq!((ended.standing[0].points, ended.over), (points, false), "{line}: {told}");
        assert_eq!(Kept::read(&desk.file).unwrap().unwrap().lines, [line]);
    }
}

#[test]
fn a_command_alone_is_a_command_whatever_its_case() {
    let (points, told) = talk(
        &IQUBES,
        &["Ann", "Bob"],
        "spar/..t. XI\nUndo\nHELP\n?\nScore\ntime 60 s\nTIME 60S\nSheet\nBest\nEND\n",
    );
    assert_eq!(points, [0, 0], "{told}");
    assert!(told.contains("Taken back: spar/..t. XI"), "{told}");
    assert_eq!(told.matches("60 s from now").count(), 2, "{told}");
    assert_eq!(told.matches("There is no best to tell.").count(), 1, "{told}");
    assert!(told.trim_end().ends_with("Not finished."), "{told}");
    // In the other games nothing can be laid that begins so; it is a line like any other.
    let (points, told) = talk(&CUBO, &["Ann"], "end now\nundo that\nlate\n");
    assert_eq!((points.len(), told.matches("R1 R4 B6").count()), (1, 2), "{told}");
    let (points, told) = talk(&roulette(None), &["End Game"], "End Game red=5\nthrow 1\n");
    assert_eq!(points, [105], "{told}");
}

#[test]
fn a_line_that_allows_a_word_and_lays_one_is_refused_with_both_ways() {
    let (points, told) = talk(&SCRIBBAGE, &["Ann", "Bob"], "allow plantick\n");
    assert_eq!(points, [0, 0]);
    assert!(told.contains("`allow. plantick`") && told.contains("`allow \"plantick\"`"), "{told}");
    let (points, told) = talk(&SCRIBBAGE, &["Ann", "Bob"], "allow. plantick\n");
    assert!(points[0] < 0 && told.contains("for allow 10"), "10, and 20 left over: {told}");
    let (_, told) = talk(&SCRIBBAGE, &["Ann", "Bob"], "allow \"plantick\"\nplantick rmwoq\n");
    assert!(told.to_lowercase().contains("for plantick"), "{told}");
    for nothing in ["allow", "allow \"\"", "allow 5"] {
        let (_, told) = talk(&SCRIBBAGE, &["Ann"], &format!("{nothing}\n"));
        assert!(told.contains("is no word"), "{nothing}: {told}");
    }
}

#[test]
fn sb_s7_what_is_left_over_is_taken_off() {
    let (points, told) = talk(&SCRIBBAGE, &["Ann"], "plant/i.r.w/c.m.o/k q\n");
    assert_eq!(points, [31], "{told}");
    let (points, _) = talk(&SCRIBBAGE, &["Ann"], "- plantickrmwoq\n");
    assert!(points[0] < 0);
}

#[test]
fn a_faulty_layout_is_refused_with_three_ways_out() {
    let bad = "plxnt/i.r.w/c.m.o/k q";
    let (points, told) = talk(&SCRIBBAGE, &["Ann"], &format!("{bad}\n"));
    assert_eq!(points, [0]);
    assert!(told.contains("allow WORD") && told.contains(&format!("anyway {bad}")), "{told}");
    let (points, told) = talk(&SCRIBBAGE, &["Ann"], &format!("anyway {bad}\n"));
    assert_ne!(points, [0], "{told}");
    assert!(told.contains("Ann has won."), "{told}");
    let (_, told) = talk(&SCRIBBAGE, &["Ann"], &format!("allow plxnt\nallow xrm\n{bad}\n"));
    assert!(told.contains("PLXNT") || told.contains("plxnt"), "{told}");
    let none = Terms::Scribbage { rounds: Some(1), figure: None, young: false, dictionary: Dictionary::None };
    let (_, told) = talk(&none, &["Ann"], &format!("{bad}\n"));
    assert!(told.contains("Ann has won."), "without a dictionary the table decides: {told}");
}

#[test]
fn sb_s10_one_alone_has_one_throw_unless_more_are_said() {
    let good = "plant/i.r.w/c.m.o/k q\n";
    let terms =
        |rounds| Terms::Scribbage { rounds, figure: None, young: false, dictionary: Dictionary::House };
    for (rounds, names, throws) in
        [(None, &["Ann"][..], 1), (Some(3), &["Ann"], 3), (None, &["Ann", "Bob"], 8)]
    {
        let (points, told) = talk(&terms(rounds), names, &good.repeat(9));
        assert_eq!(points.iter().sum::<i64>(), 31 * throws, "{told}");
        assert!(told.contains("The game is over"), "{told}");
    }
}

#[test]
fn sb_r5_a_figure_is_played_to_the_end_of_the_round() {
    let terms =
        Terms::Scribbage { rounds: Some(4), figure: Some(30), young: false, dictionary: Dictionary::House };
    let good = "plant/i.r.w/c.m.o/k q\n";
    let (points, told) = talk(&terms, &["Ann", "Bob"], &format!("{good}- plantickrmwoq\n"));
    assert_eq!(points[0], 31);
    assert!(told.contains("Ann has won."), "{told}");
    let (_, told) = talk(&terms, &["Ann", "Bob"], &format!("{good}{good}"));
    assert!(told.contains("Ann, round 2"), "level at the top: another round; {told}");
}

#[test]
fn sb_r5_a_game_for_a_figure_that_gets_nowhere_ends_after_twenty_rounds() {
    let terms =
        Terms::Scribbage { rounds: Some(4), figure: Some(30), young: false, dictionary: Dictionary::House };
    let nothing = "- plantickrmwoq\n";
    let (_, told) = talk(&terms, &["Ann"], &nothing.repeat(19));
    assert!(told.contains("Ann, round 20") && !told.contains("has won"), "{told}");
    let (points, told) = talk(&terms, &["Ann"], &nothing.repeat(21));
    assert!(told.contains("Ann has won.") && told.contains("The game is over; `undo`"), "{told}");
    let (once, _) = talk(&terms, &["Ann"], nothing);
    assert_eq!(points[0], 20 * once[0]);
}

#[test]
fn cu_s9_an_exchange_changes_the_stock_of_colours() {
    let first = "R1 R4 B6 / B3 W4 B5 / R6 R4 B1";
    let (points, told) = talk(&CUBO, &["Ann"], &format!("{first}\n"));
    assert_eq!(points, [18], "{told}");
    // A red 3 for a blue 6: from now on five reds.
    let swapped = "R1 R4 R3 / B3 W4 B5 / R6 R4 B1 took R3 for B6";
    let (_, told) = talk(&CUBO, &["Ann"], &format!("{swapped}\n{first}\n"));
    assert!(told.contains("Ann has 5 red and 3 blue dice"), "{told}");
    let (points, told) = talk(&CUBO, &["Ann"], &format!("{swapped}\nlate\n"));
    assert_eq!(points.len(), 1);
    assert!(told.contains("nothing this round"), "{told}");
}

// rules: CU-S2 CU-S9
#[test]
fn cu_s2_no_more_dice_of_a_colour_are_taken_than_lie_in_the_centre() {
    let plain = "R1 R4 B6 / B3 W4 B5 / R6 R4 B1";
    let took = |die: &str| format!("{plain} took {die}\n");
    let three = ["Ann", "Bob", "Cat"];
    let (_, told) = talk(&CUBO, &three, &[took("R1"), took("R2"), took("R3")].concat());
    assert!(told.contains("3 red dice cannot have been taken this round: there were 2"), "{told}");
    let (points, told) = talk(&CUBO, &three, &[took("R1"), took("R2"), took("B3")].concat());
    assert_eq!(points, [18, 18, 18], "{told}");
    // The next round they lie there again, but for what was exchanged: a red for a blue leaves one red and three blue.
    let swapped = "R1 R4 R3 / B3 W4 B5 / R6 R4 B1 took R3 for B6\n";
    let rest = "late\nlate\n";
    let (points, told) = talk(&CUBO, &three, &format!("{swapped}{rest}{}{}", took("R1"), took("R2")));
    assert_eq!(points[1..], [18, 0], "{told}");
    assert!(told.contains("2 red dice cannot have been taken this round: there were 1"), "{told}");
    let (points, _) = talk(&CUBO, &three, &format!("{swapped}{rest}{}{}", took("B1"), took("B2")));
    assert_eq!(points[1..], [18, 18]);
}

#[test]
fn cu_s3_the_start_passes_to_the_left_each_round() {
    let (_, told) = talk(&CUBO, &["Ann", "Bob"], "late\nlate\nlate\nlate\n");
    let order: Vec<&str> =
        told.lines().filter_map(|line| line.split_once(", round ").map(|(who, _)| who)).collect();
    let order: Vec<&str> = order.iter().map(|who| who.rsplit(' ').next().unwrap()).collect();
    assert_eq!(order, ["Ann", "Bob", "Bob", "Ann"], "{told}");
}

#[test]
fn dr_s7_stakes_come_back_with_the_winnings() {
    let (points, told) =
        talk(&roulette(None), &["Ann", "Bob"], "Ann 15=2 black=10\nBob red=5\nthrow 1 5\nthrow 16\n");
    // 15: tens and units make 6, so it is black; 2 × 35 + 10.
    assert_eq!(points, [180, 95], "{told}");
    assert!(told.contains("15, black"), "{told}");
}

#[test]
fn dr_r3_a_players_bank_pays_and_must_be_able_to() {
    let bank = roulette(Some("Eve"));
    let (points, told) = talk(&bank, &["Ann", "Eve"], "Ann red=40\nthrow 1\n");
    assert_eq!(points, [140, 60], "{told}");
    let (points, told) = talk(&bank, &["Ann", "Eve"], "Ann 15=6\nthrow 15\n");
    assert_eq!(points, [100, 100], "6 × 35 is more than the bank's 200: {told}");
    assert!(told.contains("could not pay"), "{told}");
    let (_, told) = talk(&bank, &["Ann", "Eve"], "Eve red=1\n");
    assert!(told.contains("lays no bets"), "{told}");
    let (points, told) = talk(&bank, &["Ann", "Eve"], "bank house\nEve red=1\nthrow 1\n");
    assert_eq!(points, [100, 101], "{told}");
}

#[test]
fn dr_r3_nobody_without_chips_takes_the_bank() {
    let names = ["Ann", "Bob", "Cat"];
    let (points, told) =
        talk(&roulette(None), &names, "Ann red=100\nthrow 2\nbank Ann\nBob red=5\nthrow 1\n");
    assert!(told.contains("Ann has no chips left"), "{told}");
    assert_eq!(points, [0, 105, 100], "{told}");
    // Nor from a player who banks; and that one keeps it.
    let (points, told) =
        talk(&roulette(Some("Cat")), &names, "Ann red=100\nthrow 2\nbank Ann\nBob red=5\nthrow 2\n");
    assert!(told.contains("Ann has no chips left") && !told.contains("Ann holds the bank."), "{told}");
    assert_eq!(points, [0, 95, 205], "{told}");
}

#[test]
fn dr_r3_the_stock_counts_everybody_but_the_banker() {
    let table = ["Ann", "Bob", "Cat"];
    for (bank, opens) in [(None, "bank Ann\n"), (Some("Ann"), "")] {
        let (_, told) = talk(&roulette(bank), &table, &format!("{opens}Bob 15=9\n"));
        assert!(told.contains("might cost it 315, and it has 300"), "{told}");
        let (points, told) = talk(&roulette(bank), &table, &format!("{opens}Bob 15=8\nthrow 15\n"));
        assert_eq!(points, [100 - 280, 100 + 280, 100], "{told}");
    }
}

#[test]
fn dr_r5_the_game_ends_when_one_player_has_all_the_chips() {
    let over = "All the chips are on one side: the game is over.";
    for (bank, names, lines, ended) in [
        // 2 is black. Against the house, with others and alone.
        (None, &["Ann", "Bob"][..], "Ann red=100\nthrow 2\n", true),
        (None, &["Ann"], "Ann red=100\nthrow 2\n", true),
        (None, &["Ann"], "Ann red=99\nthrow 2\n", false),
        (None, &["Ann", "Bob", "Cat"], "Ann red=100\nthrow 2\n", false),
        // Against a player: he has them all; or he has none, and one player is left.
        (Some("Eve"), &["Ann", "Eve"], "Ann red=100\nthrow 2\n", true),
        (Some("Eve"), &["Ann", "Eve"], "Ann red=100\nthrow 1\n", false),
        (Some("Eve"), &["Ann", "Eve"], "Ann 1st12=100\nthrow 2\n", true),
        (Some("Eve"), &["Ann", "Bob", "Eve"], "Ann 1st12=100\nBob low=100\nthrow 2\n", false),
        (Some("Eve"), &["Ann", "Bob", "Eve"], "Ann red=100\nthrow 2\n", false),
    ] {
        let (_, told) = talk(&roulette(bank), names, lines);
        assert_eq!(told.contains(over), ended, "{lines}: {told}");
        assert_eq!(told.contains("has won."), ended, "{lines}: {told}");
    }
    let (points, told) =
        talk(&roulette(None), &["Ann", "Bob"], "Ann red=100\nthrow 2\nBob red=5\nundo\nthrow 1\n");
    assert!(told.contains("The game is over; `undo` takes the last line back"), "{told}");
    assert_eq!(points, [200, 100], "nobody is locked out by a slip of the pen: {told}");
}

#[test]
fn roulette_teaches_what_to_type() {
    for (line, taught) in [
        ("Zoe red=5", "Ann, Bob"),
        ("Ann 7=1", "never be thrown"),
        ("Ann red=101", "has 100 chips"),
        ("throw 7", "throw blank 6"),
        ("throw 9 9 9", "throw blank 6"),
        ("throw 255 255", "throw blank 6"),
        ("hello", "Ann 15=2"),
        ("bank Zoe", "Ann, Bob"),
    ] {
        let (points, told) = talk(&roulette(None), &["Ann", "Bob"], &format!("{line}\n"));
        assert_eq!(points, [100, 100], "{line}");
        assert!(told.contains(taught), "{line}: {told}");
    }
}

#[test]
fn ct_s8_moves_are_checked_and_told_by_the_referee() {
    let (points, told) = talk(&CONTACT, &["Ann", "Bob"], "h2-h4\nh2-h3\nh14-h13\nnonsense\nundo\n");
    assert_eq!(points, [6, 6]);
    assert!(told.contains("one step along a line"), "{told}");
    assert!(told.contains("h2-h3, now 6 3 / 5 4"), "a quarter to the right: {told}");
    assert!(told.contains("Taken back: h14-h13"), "{told}");
    assert!(told.contains("Bob (North), move 2"), "{told}");
    let second = Terms::Contact { twelve: false, partners: false, first: 2 };
    let (_, told) = talk(&second, &["Ann", "Bob"], "");
    assert!(told.contains("Bob (North), move 1"), "{told}");
    let folder = TempDir::new().unwrap();
    let terms = Terms::Contact { twelve: true, partners: false, first: 1 };
    let (ended, _) = talk_at(&desk(folder.path()), &terms, &["Ann", "Bob", "Eve"], "");
    assert!(ended.is_err_and(|why| why.to_string().contains("for two players")));
}

#[test]
fn a_game_is_taken_up_where_it_was_left() {
    let folder = TempDir::new().unwrap();
    let desk = desk(folder.path());
    let (left, told) = talk_at(&desk, &CUBO, &["Ann", "Bob"], "R1 R4 B6 / B3 W4 B5 / R6 R4 B1\nquit\n");
    assert!(!left.unwrap().over);
    assert!(told.contains("parlor keep cubo"), "{told}");
    let (back, told) = talk_at(&desk, &CUBO, &[], "late\nend\n");
    assert!(told.contains("Going on with the game of Ann and Bob."), "{told}");
    let back = back.unwrap();
    assert!(back.over);
    assert_eq!(back.lines, 2);
    assert!(
        back.sheet.contains("| 1         | 18 (R1 R4 B6 / B3 W4 B5 / R6 R4 B1) | late  |"),
        "{}",
        back.sheet
    );
    let (anew, told) = talk_at(&desk, &CUBO, &["Eve"], "quit\n");
    assert_eq!(anew.unwrap().lines, 0, "an ended game makes room for the next: {told}");
}

#[test]
fn the_game_of_other_people_is_not_overwritten() {
    let folder = TempDir::new().unwrap();
    let mut desk = desk(folder.path());
    talk_at(&desk, &CUBO, &["Ann", "Bob"], "late\nquit\n").0.unwrap();
    let (other, _) = talk_at(&desk, &CUBO, &["Eve"], "");
    assert!(other.is_err_and(|why| why.to_string().contains("--new")));
    let (other, _) = talk_at(&desk, &CONTACT, &[], "");
    assert!(other.is_err());
    assert_eq!(Kept::read(&desk.file).unwrap().unwrap().lines, ["late"]);
    desk.anew = true;
    assert_eq!(talk_at(&desk, &CUBO, &["Eve"], "").0.unwrap().standing.len(), 1);
}

/// Somebody who, before he types anything, starts to keep the same game in another window.
struct Intruder<'a> {
    desk: &'a Desk,
    met: Option<KeepError>,
}

impl Read for Intruder<'_> {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.met = talk_at(self.desk, &CUBO, &["Ann"], "late\n").0.err();
        Ok(0)
    }
}

#[test]
fn one_session_at_a_time_keeps_a_game() {
    let folder = TempDir::new().unwrap();
    let desk = desk(folder.path());
    let mut typed = BufReader::new(Intruder { desk: &desk, met: None });
    run(&CUBO, &["Ann".to_owned()], &desk, &mut typed, &mut Vec::new()).unwrap();
    let met = typed.into_inner().met;
    assert!(matches!(met, Some(KeepError::Store(StoreError::Busy(_)))), "{met:?}");
    assert!(met.unwrap().to_string().contains("--file"));
    assert!(Kept::read(&desk.file).unwrap().unwrap().lines.is_empty(), "and nothing was overwritten");
    // The lock went with the session; the file that was locked is still there, as after a crash, and stops nobody.
    assert!(folder.path().join("game.json.lock").exists());
    assert_eq!(talk_at(&desk, &CUBO, &["Ann"], "late\n").0.unwrap().lines, 1);
}

#[test]
fn a_folder_that_takes_no_game_is_said_to_take_none() {
    let folder = TempDir::new().unwrap();
    let nowhere = Desk { file: folder.path().join("no/such/game.json"), ..desk(folder.path()) };
    let (failed, _) = talk_at(&nowhere, &CUBO, &["Ann"], "late\n");
    let says = failed.unwrap_err().to_string();
    assert!(says.contains("game.json") && says.contains("--file"), "{says}");
    let (failed, _) = talk_at(&desk(folder.path()), &CONTACT, &["Ann"], "");
    assert!(failed.is_err_and(|why| why.to_string().contains("2 to 4 players")));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "a table that cannot be opened leaves nothing");
}

#[test]
fn a_file_that_is_no_game_is_said_to_be_none() {
    let folder = TempDir::new().unwrap();
    let desk = desk(folder.path());
    for text in ["", "{}", "[1,2", "{\"terms\":{\"game\":\"chess\"}}"] {
        std::fs::write(&desk.file, text).unwrap();
        let (ended, _) = talk_at(&desk, &CUBO, &["Ann"], "");
        assert!(ended.is_err_and(|why| why.to_string().contains("--new")), "{text}");
        assert_eq!(std::fs::read_to_string(&desk.file).unwrap(), text, "and it is left alone");
    }
    let mut kept = Kept {
        terms: CUBO,
        names: vec!["Ann".into()],
        lines: vec!["late".into(), "R7".into()],
        ended: false,
    };
    kept.write(&desk.file).unwrap();
    let (ended, _) = talk_at(&desk, &CUBO, &[], "");
    assert!(ended.is_err_and(|why| why.to_string().contains("line 2 of the game")));
    kept.lines.pop();
    kept.write(&desk.file).unwrap();
    assert!(talk_at(&desk, &CUBO, &[], "").0.is_ok());
}

#[test]
fn names_are_asked_for_until_they_will_do() {
    let (_, told) = talk(&CUBO, &[], "\nAnn, ann\nAnn,Bob,Eve,Joe,Kim\nAnn, Bob\nlate\n");
    assert!(told.contains("\"ann\" will not do"), "{told}");
    assert!(told.contains("1 to 4 players"), "{told}");
    assert!(told.contains("Ann was late"), "{told}");
    let folder = TempDir::new().unwrap();
    let (nobody, _) = talk_at(&desk(folder.path()), &CUBO, &[], "");
    assert!(matches!(nobody, Err(KeepError::Nobody)));
}

#[test]
fn undo_takes_back_one_line_after_the_other() {
    let (points, told) =
        talk(&IQUBES, &["Ann", "Bob"], "DASH/.TO*E\nSPAR/..T. xi\nundo\nundo\nundo\nspar/..t. XI\n");
    assert_eq!(points, [12, 0], "{told}");
    assert!(told.contains("nothing to take back"), "{told}");
}

#[test]
fn the_solver_says_what_was_there() {
    let folder = TempDir::new().unwrap();
    let desk = Desk { think: Some(Duration::from_secs(60)), ..desk(folder.path()) };
    let (_, told) = talk_at(&desk, &IQUBES, &["Ann"], "SPAR/..T. xi\n");
    assert!(told.contains("that is proven"), "{told}");
    let (_, told) =
        talk_at(&Desk { anew: true, ..desk.clone() }, &CUBO, &["Ann"], "R4 R1 B6 / B3 W4 B5 / R6 R4 B1\n");
    assert!(told.contains("These dice could make"), "{told}");
    let (_, told) = talk_at(&Desk { anew: true, ..desk.clone() }, &CONTACT, &["Ann", "Bob"], "h2-h3\nbest\n");
    assert_eq!(told.matches("A short search").count(), 2, "{told}");
    let (_, told) = talk_at(&Desk { anew: true, ..desk }, &roulette(None), &["Ann"], "Ann red=5\nthrow 1\n");
    assert!(told.contains("18 of 36 numbers, with +5 at best"), "{told}");
}

fn told_by_the_coach(terms: &Terms, typed: &str) -> String {
    let folder = TempDir::new().unwrap();
    let desk = Desk { think: Some(Duration::from_secs(60)), ..desk(folder.path()) };
    talk_at(&desk, terms, &["Ann", "Bob"], typed).1
}

#[test]
fn a_count_above_the_dictionarys_best_is_not_said_to_be_beaten() {
    let told = told_by_the_coach(&IQUBES, "allow zzqxkva\nZZQXKVA\n");
    assert!(told.contains("Ann: 14 points"), "{told}");
    assert!(told.contains("above what the dictionary alone allows") && !told.contains("proven"), "{told}");
    let told = told_by_the_coach(&IQUBES, "allow zzq\nSPAR/..T. xi\n");
    assert!(told.contains("proven of the dictionary alone"), "the table has a word of its own: {told}");
    let table = Terms::IQubes { rounds: 1, long_word: false, two_sets: false, dictionary: Dictionary::None };
    let told = told_by_the_coach(&table, "ZZQ/..X/..K va\nbest\n");
    assert!(!told.contains("proven") && !told.contains("dictionary"), "nobody can know: {told}");
    assert!(told.contains("There is no best to tell."), "{told}");
    // A word of the dictionary that the table takes only because it allowed it, and the coach only because a player laid it.
    let long = Terms::IQubes { rounds: 1, long_word: true, two_sets: false, dictionary: Dictionary::House };
    let told = told_by_the_coach(&long, "TOSSERS\nallow tossers\nTOSSERS\n");
    assert!(told.contains("ossers (across") && told.contains("`allow WORD`"), "{told}");
    let says = "30 points is the best there was; that is proven of the dictionary alone.";
    assert!(told.contains(says), "{told}");
}

#[test]
fn the_timer_never_takes_a_line_away() {
    let (points, told) = talk(&SCRIBBAGE, &["Ann"], "time\nplant/i.r.w/c.m.o/k q\n");
    assert_eq!(points, [31], "{told}");
    assert!(told.contains("180 s from now") && told.contains("s of 180."), "{told}");
    let (_, told) = talk(&CONTACT, &["Ann", "Bob"], "time\ntime 60\nh2-h3\ntime 0\n");
    assert_eq!(told.matches("How many seconds?").count(), 2, "{told}");
    assert!(told.contains("s of 60."), "{told}");
}

#[test]
fn the_sheet_goes_to_a_file() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("sheet.md");
    let desk = Desk { sheet: Some(file.clone()), ..desk(folder.path()) };
    talk_at(&desk, &roulette(None), &["Ann"], "Ann 1|2=3\nthrow 2\nthrow 3\n").0.unwrap();
    let sheet = std::fs::read_to_string(file).unwrap();
    assert!(
        sheet.starts_with("# Dice Roulette") && sheet.contains("1\\|2=3") && sheet.contains("Ann has won."),
        "{sheet}"
    );
    let nowhere = Desk { sheet: Some(folder.path().join("no/such/sheet.md")), anew: true, ..desk };
    let (failed, _) = talk_at(&nowhere, &CUBO, &["Ann"], "late\nend\n");
    assert!(failed.is_err_and(|why| why.to_string().contains("sheet.md")));
    assert_eq!(Kept::read(&nowhere.file).unwrap().unwrap().lines, ["late"], "and nothing is lost");
}

#[test]
fn strange_bytes_and_endless_lines_are_only_bad_lines() {
    let folder = TempDir::new().unwrap();
    let mut typed = b"\xff\xfe\x00\n".to_vec();
    typed.extend(std::iter::repeat_n(b'A', 100_000));
    typed.extend(b"\nlate\n");
    let mut told = Vec::new();
    let ended =
        run(&CUBO, &["Ann".to_owned()], &desk(folder.path()), &mut typed.as_slice(), &mut told).unwrap();
    assert_eq!(ended.lines, 1);
    for terms in [IQUBES, SCRIBBAGE, CONTACT, roulette(None)] {
        let names: &[&str] = if terms == CONTACT { &["Ann", "Bob"] } else { &["Ann"] };
        for line in
            ["/", "....", "é", "a*b*c", "took", "Ann", "Ann =", "throw", "bid", "allow", "anyway", "z9-z9"]
        {
            talk(&terms, names, &format!("{line}\n"));
        }
    }
}
