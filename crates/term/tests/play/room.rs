//! The room before a game on a server, and leaving the game: seats that are removed, people who are removed from theirs, and the
//! question that is asked before a seat is given away.

use crate::online::{Host, Process};
use crate::play;
use crate::pty::{CTRL_C, ENTER, ESC, folder};
use serde_json::json;

/// How many of the screen's lines have such a word.
fn lines(screen: &str, word: &str) -> usize {
    screen.lines().filter(|line| line.split_whitespace().any(|found| found == word)).count()
}

#[test]
fn the_host_removes_free_seats_and_starts_with_who_is_there() {
    let (data, theirs) = (folder(), folder());
    let server = Process::start("127.0.0.1:0", theirs.path());
    let at = format!("http://{}", server.address);
    let players = ["--players", "Ann,open,bot:2,open"];
    let mut ann = play(data.path(), &[&["contact", "--at", &at][..], &players].concat()).open();
    ann.until("two free seats", |screen| lines(screen, "open") == 2);
    ann.see("+ - seats");
    ann.keys("s");
    ann.see("A seat is still free.");
    for free in [1, 0] {
        ann.keys("-");
        ann.until("one fewer", |screen| lines(screen, "open") == free && screen.contains("bot, level 2"));
    }
    ann.keys("-");
    ann.see("No seat is free");
    ann.keys("+");
    ann.until("a free seat again", |screen| lines(screen, "open") == 1);
    ann.keys("-");
    ann.until("none again", |screen| lines(screen, "open") == 0);
    ann.keys("s");
    ann.see("? help");
    ann.until("Ann and the bot", |screen| screen.contains("Ann") && screen.contains("bot 2"));
    ann.keys(CTRL_C);
    ann.is_clean();
}

#[test]
fn a_seat_that_the_game_needs_is_not_removed() {
    let (data, theirs) = (folder(), folder());
    let server = Process::start("127.0.0.1:0", theirs.path());
    let at = format!("http://{}", server.address);
    let mut ann = play(data.path(), &["contact", "--at", &at, "--players", "Ann,open"]).open();
    ann.until("a free seat", |screen| lines(screen, "open") == 1);
    ann.keys("-");
    ann.see("needs at least 2 players");
    assert_eq!(lines(&ann.screen(), "open"), 1);
    ann.keys(CTRL_C);
    ann.is_clean();
}

#[test]
fn whoever_is_removed_is_told_so_and_sits_down_again_only_when_asked() {
    let (data, theirs) = (folder(), folder());
    let server = Process::start("127.0.0.1:0", theirs.path());
    let mut host = Host::call(server.address);
    let table = host.table("roulette", &json!({}));
    let link = format!("http://{}/table/{table}", server.address);
    let mut tess = play(data.path(), &["--join", &link, "--name", "Tess"]).open();
    tess.see("Press Enter when you are ready.");
    host.done(json!({"cmd": "kick", "table": table, "seat": 0}));
    tess.see("The host removed you from this table.");
    tess.until("a free seat", |screen| lines(screen, "open") == 1 && !screen.contains("Tess"));
    // It does not ask for the seat again, and is not refused.
    tess.keys(ENTER);
    tess.see("The host removed you from this table.");
    // A seat is added, but nobody is put into it unasked.
    host.done(json!({"cmd": "place", "table": table, "seat": 2, "wish": {"for": "open"}}));
    tess.see("A seat is free: press Enter to sit down.");
    assert!(!tess.screen().contains("Tess"));
    tess.keys(ENTER);
    tess.see("Press Enter when you are ready.");
    tess.see("Tess");
    tess.keys(CTRL_C);
    tess.is_clean();
}

#[test]
fn a_game_on_a_server_is_not_left_by_one_key() {
    let (data, theirs) = (folder(), folder());
    let server = Process::start("127.0.0.1:0", theirs.path());
    let mut host = Host::call(server.address);
    let table = host.table("roulette", &json!({"throws": 2, "window": 600}));
    let link = format!("http://{}/table/{table}", server.address);
    let mut tess = play(data.path(), &["--join", &link, "--name", "Tess"]).open();
    tess.see("Press Enter when you are ready.");
    tess.keys(ENTER);
    host.start(&table);
    tess.see("throw 1 of 2");
    for (leave, stay) in [("q", "n"), (ESC, ESC)] {
        tess.keys(leave);
        tess.see("Leave the game?");
        tess.see("Your seat stays yours.");
        assert!(!tess.screen().contains("rated"), "{}", tess.screen());
        tess.keys(stay);
        tess.miss("Leave the game?");
        tess.see("throw 1 of 2");
    }
    tess.keys("q");
    tess.see("parlor play --join");
    tess.see(&link);
    tess.keys("y");
    tess.see("five lost tabletop games");
    tess.keys(CTRL_C);
    tess.is_clean();
}

#[test]
fn leaving_a_rated_game_says_that_it_counts() {
    let (data, tess, theirs) = (folder(), folder(), folder());
    let server = Process::start("127.0.0.1:0", theirs.path());
    let at = format!("http://{}", server.address);
    let mut ann = play(data.path(), &["contact", "--at", &at, "--players", "Ann,open", "--rated"]).open();
    ann.see("/table/");
    let screen = ann.screen();
    let link = screen.split_whitespace().find(|word| word.contains("/table/")).expect("a link");
    let mut tess = play(tess.path(), &["--join", link, "--name", "Tess"]).open();
    tess.see("Press Enter when you are ready.");
    tess.keys(ENTER);
    tess.see("You are ready.");
    ann.keys("s");
    for pty in [&mut ann, &mut tess] {
        pty.see("? help");
        pty.keys("q");
        pty.see("This game is rated");
        pty.see("After 60 seconds away a bot plays for you.");
        pty.keys(CTRL_C);
        pty.is_clean();
    }
}
