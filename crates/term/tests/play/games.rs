//! A whole game of each of the five, played with keys to the result, verified in the client and by the house.

use crate::play;
use crate::pty::{BACKSPACE, CTRL_C, DOWN, ENTER, ESC, Pty, RIGHT, folder};
use std::path::{Path, PathBuf};

/// The only record in a folder of games.
pub(crate) fn record(data: &Path) -> PathBuf {
    let files =
        std::fs::read_dir(data.join("games")).expect("games are kept").flatten().map(|file| file.path());
    let records: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|kind| kind == "jsonl")).collect();
    assert_eq!(records.len(), 1, "{records:?}");
    records[0].clone()
}

/// The result is shown; the game holds in the client and for the house.
pub(crate) fn verified(pty: &mut Pty, data: &Path) {
    pty.see("The result");
    // At a table of a server the record comes a moment after the result.
    pty.see("The record, for parlor verify");
    pty.keys("v");
    pty.see("It holds");
    let record = record(data);
    let text = std::fs::read_to_string(&record).expect("the record is there");
    house::verify(&text).expect("it holds for everybody");
    pty.keys(ENTER);
    pty.see("five lost tabletop games");
    assert!(!pty.screen().contains("Go on with"), "a finished game is not in progress:\n{}", pty.screen());
    pty.keys("q");
    pty.is_clean();
}

#[test]
fn a_whole_game_of_cubo() {
    let data = folder();
    let args = ["cubo", "--players", "Ann", "--seed", "7", "--pace", "0"];
    let mut pty = play(data.path(), &args).open();
    for round in 1..=6 {
        pty.see("Ready?");
        pty.keys(ENTER);
        pty.see(&format!("round {round} of 6"));
        pty.see("the race is on");
        // One by one, one moved, one taken out and laid again, the rest at once; now and then another throw.
        if round == 2 {
            pty.keys("p");
            pty.see("in your hand");
            pty.keys(ENTER);
            pty.see("Ann rolls again");
        }
        pty.keys("12");
        pty.keys("3");
        pty.keys(BACKSPACE);
        pty.keys("a");
        pty.see("Call Cubo!");
        pty.keys(ENTER);
        pty.see("take one!");
        pty.keys("1");
        pty.see("its place?");
        pty.keys(if round % 2 == 0 { "k" } else { ENTER });
        pty.see("Ann counts");
    }
    verified(&mut pty, data.path());
}

#[test]
fn the_bank_is_offered_by_the_number_of_a_seat() {
    let data = folder();
    let eleven = "Ann,Ben,Cy,Di,Ed,Flo,Gus,Hal,Ida,Jo,Kit";
    let args = ["roulette", "--players", eleven, "--set", "bank={\"seat\":0}", "--seed", "7", "--pace", "0"];
    let mut pty = play(data.path(), &args).open();
    // The banker's hand is the last that Tab comes to: the ten others are awaited.
    pty.see("Ben: your turn");
    pty.keys(&"\t".repeat(10));
    pty.see("pass the bank");
    pty.keys("o");
    pty.see("Offer the bank to _");
    // 1 may yet become 10 or 11.
    pty.keys("1");
    pty.see("Offer the bank to 1_: 0 the house, 1 Ann, 10 Jo, 11");
    pty.keys("1");
    pty.miss("Offer the bank to");
    pty.see("The bank is offered to");
    pty.see("Kit.");
    pty.keys(CTRL_C);
    pty.is_clean();
}

#[test]
fn a_whole_game_of_dice_roulette_with_bots() {
    let data = folder();
    let args = [
        "roulette",
        "--players",
        "Ann,bot:2,bot:3",
        "--set",
        "throws=2",
        "--seed",
        "7",
        "--pace",
        "60",
        "--set",
        "window=3600",
    ];
    let mut pty = play(data.path(), &args).open();
    pty.see("throw 1 of 2");
    pty.keys("/");
    pty.see("Lay:");
    pty.keys("15=2 1|2=3 black=10");
    pty.keys(ENTER);
    pty.see("Laid: ");
    pty.keys(RIGHT);
    pty.keys(ENTER);
    pty.keys(BACKSPACE);
    pty.keys("+");
    pty.keys(DOWN);
    pty.keys(ENTER);
    pty.keys("u");
    pty.keys("r");
    pty.see("throw 2 of 2");
    pty.see("Last throw");
    pty.keys("L");
    verified(&mut pty, data.path());
}

#[test]
fn two_round_one_felt_lay_and_take_back_each_their_own() {
    let data = folder();
    let args = ["roulette", "--players", "Ann,Ben", "--set", "throws=3", "--seed", "7", "--pace", "0"];
    let mut pty = play(data.path(), &args).open();
    pty.see("Ann: your turn.");
    pty.keys("/15=2\r");
    pty.see("Laid: 15=2");
    // Nothing of Ann's is Ben's to take back, and nothing of his is hers.
    pty.keys("\t");
    pty.see("Ben: your turn.");
    pty.keys("u");
    pty.see("There is nothing to undo.");
    pty.keys("/15=3\r");
    pty.see("Laid: 15=3");
    pty.keys("\t");
    pty.see("Laid: 15=2");
    pty.keys("u");
    pty.miss("Laid:");
    pty.keys("/15=2\r");
    pty.see("Laid: 15=2");
    pty.keys("r");
    pty.see("Ben: your turn.");
    pty.keys("r");
    pty.see("throw 2 of 3");
    // What each had at the throw is each one's to lay again, whoever was in front of the screen then.
    pty.see("Ben: your turn.");
    pty.keys("l");
    pty.see("Laid: 15=3");
    pty.keys("\t");
    pty.see("Ann: your turn.");
    pty.keys("l");
    pty.see("Laid: 15=2");
    pty.keys("u");
    pty.miss("Laid:");
    pty.keys("L");
    pty.see("Ann lays 15=2.");
    pty.see("Ben: your turn.");
    pty.see("Laid: 15=3");
    pty.keys(CTRL_C);
    pty.is_clean();
}

#[test]
fn alone_one_is_told_that_there_is_no_bank_to_take() {
    let data = folder();
    let mut pty = play(data.path(), &["roulette", "--players", "Ann", "--seed", "7", "--pace", "0"]).open();
    pty.see("throw 1 of 20 · bets are open");
    pty.keys("b");
    pty.see("Alone you play against the house");
    // Everything is as it was.
    pty.see("throw 1 of 20 · bets are open");
    pty.keys("/black=7\r");
    pty.see("Laid: black=7");
    pty.keys(CTRL_C);
    pty.is_clean();
}

#[test]
fn a_whole_game_of_contact() {
    let data = folder();
    let args = ["contact", "--players", "Ann,Ben", "--set", "first=south", "--seed", "7", "--pace", "0"];
    let mut pty = play(data.path(), &args).open();
    pty.see("move 1 · Ann (South)");
    // A tile spins as it goes: after four moves of each side everything lies as it lay. The third time is a tie.
    let mut number = 1;
    for _ in 0..2 {
        for (south, north) in
            [("i2-j2", "i14-j14"), ("j2-i2", "j14-i14"), ("i2-j2", "i14-j14"), ("j2-i2", "j14-i14")]
        {
            for mv in [south, north] {
                pty.see(&format!("move {number} "));
                pty.keys(&format!("/{mv}{ENTER}"));
                number += 1;
            }
        }
    }
    pty.see("The third time this");
    verified(&mut pty, data.path());
}

#[test]
fn a_move_of_contact_is_made_with_the_arrows_and_answered_by_a_bot() {
    let data = folder();
    let args = ["contact", "--players", "Ann,bot:1", "--set", "first=south", "--seed", "7", "--pace", "20"];
    let mut pty = play(data.path(), &args).open();
    pty.see("move 1 · Ann (South)");
    pty.keys(ENTER);
    pty.see("put down");
    pty.keys("n");
    pty.keys(ENTER);
    pty.see("Ann moves");
    pty.see("move 3 · Ann (South)");
    pty.keys(ENTER);
    pty.see("put down");
    pty.keys(BACKSPACE);
    pty.see("pick up");
    pty.keys(ESC);
    pty.see("Go on with Contact");
}

/// Lays a word across from the cursor, counts it, and waits until that is told.
fn lay_and_count(pty: &mut Pty, letters: &str) {
    pty.see("arranges");
    for letter in letters.chars() {
        pty.keys(&letter.to_string());
    }
    pty.keys(ENTER);
    pty.see("Count it as it lies?");
    // What it says there is what comes of it.
    let screen = pty.screen();
    let (_, promised) = screen.split_once("does it, for ").expect("it says for how many points");
    let promised: String = promised.chars().take_while(|c| *c == '-' || c.is_ascii_digit()).collect();
    pty.keys(ENTER);
    pty.see(&format!("Ann counts {promised}"));
}

/// The letters of the dice beside the grid, as the tray shows them.
fn tray(pty: &Pty) -> Vec<char> {
    let screen = pty.screen();
    let line = screen.lines().find(|line| line.starts_with("Dice")).expect("the tray is shown");
    let board = line.split('│').next().unwrap_or_default();
    board.trim_start_matches("Dice").chars().filter(char::is_ascii_alphabetic).collect()
}

#[test]
fn a_whole_game_of_iqubes() {
    let data = folder();
    let args = [
        "iqubes",
        "--players",
        "Ann",
        "--set",
        "rounds=1",
        "--set",
        "words=none",
        "--seed",
        "7",
        "--pace",
        "0",
    ];
    let mut pty = play(data.path(), &args).open();
    pty.see("Throw the dice");
    pty.keys(ENTER);
    pty.see("Ann throws");
    let letters: String = tray(&pty).into_iter().take(3).collect();
    assert_eq!(letters.len(), 3);
    lay_and_count(&mut pty, &letters);
    verified(&mut pty, data.path());
}

#[test]
fn the_draw_for_the_start_of_scribbage_is_shown_until_somebody_rolls() {
    let data = folder();
    let args = ["scribbage", "--players", "Ann,Ben", "--seed", "7", "--pace", "0"];
    let mut pty = play(data.path(), &args).open();
    pty.see("The draw for the start: Ann");
    pty.see("First: ");
    pty.see("Throw the dice");
    pty.keys(CTRL_C);
    pty.is_clean();
}

#[test]
fn a_whole_game_of_scribbage_with_a_coach() {
    let data = folder();
    let args = ["scribbage", "--players", "Ann", "--set", "turns=2", "--seed", "7", "--pace", "0"];
    let mut pty = play(data.path(), &args).open();
    pty.see("Throw the dice");
    pty.keys(ENTER);
    pty.see("Ann throws");
    let letters: String = tray(&pty).into_iter().take(2).collect();
    // Across, taken back, undone, then down.
    pty.keys(&letters);
    pty.keys(BACKSPACE);
    pty.keys("-");
    pty.keys("0");
    pty.keys(" ");
    pty.see("[↓]");
    lay_and_count(&mut pty, &letters);
    pty.see("turn 2 of 2");
    pty.keys("c");
    pty.see("You made");
    pty.keys(ESC);
    pty.see("Throw the dice");
    pty.keys(ENTER);
    pty.see("Ann arranges");
    pty.keys(ENTER);
    pty.see("Count it as it lies?");
    pty.keys(ENTER);
    verified(&mut pty, data.path());
}

#[test]
fn two_round_one_screen_challenge_and_vote() {
    let data = folder();
    let args = [
        "iqubes",
        "--players",
        "Ann,Ben",
        "--set",
        "rounds=1",
        "--set",
        "words=none",
        "--set",
        "bidding=yes",
        "--seed",
        "7",
        "--pace",
        "0",
    ];
    let mut pty = play(data.path(), &args).open();
    for (name, other) in [("Ann", "Ben"), ("Ben", "Ann")] {
        pty.see(&format!("{name} has the cup"));
        pty.keys(ENTER);
        pty.see(&format!("{name} arranges"));
        let letters: String = tray(&pty).into_iter().take(3).collect();
        pty.keys(&letters);
        pty.keys(ENTER);
        pty.see("Count it as it lies?");
        pty.keys(ENTER);
        pty.see("words are heard");
        pty.see(&format!("{other}: your turn."));
        pty.keys("x");
        pty.see("Is it a word?");
        pty.keys("y");
        pty.keys("n");
        pty.see("the auction");
        pty.keys("p");
        pty.see("Nobody bids");
    }
    verified(&mut pty, data.path());
}
