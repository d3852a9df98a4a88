//! Screens as pictures: at 80 × 24 and large, without colour, in ASCII, and while the window is pulled.

use crate::play;
use crate::pty::{DOWN, ENTER, RIGHT, folder};

/// Compares a screen with its picture; the folder of the test is a name.
fn picture(name: &str, screen: &str) {
    insta::with_settings!({ snapshot_path => "pictures", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, screen);
    });
}

/// A table whose dice repeat and whose clock stands.
fn table<'a>(game: &'a str, players: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[game, "--players", players, "--seed", "7", "--pace", "0"], more].concat()
}

#[test]
fn the_longest_list_of_keys_is_seen_to_its_end() {
    let data = folder();
    let mut pty = play(data.path(), &table("roulette", "Ann", &[])).open();
    pty.see("? help");
    pty.keys("?");
    pty.see("leave Parlor, at any time");
    pty.see("Any key goes on.");
}

#[test]
fn the_shelf() {
    let data = folder();
    let mut pty = play(data.path(), &[]).open();
    pty.see("q leave");
    picture("shelf", &pty.screen());
    pty.keys("4");
    pty.see("Sit down and play");
    picture("form", &pty.screen());
}

#[test]
fn cubo_small_large_and_plain() {
    let args = table("cubo", "Ann", &[]);
    let data = folder();
    let mut pty = play(data.path(), &args).open();
    pty.see("Ready?");
    pty.keys(ENTER);
    pty.see("the race is on");
    pty.keys("1234");
    pty.see("Bksp lift");
    pty.until("four dice laid", |screen| {
        screen.lines().any(|line| line.contains("Throw") && line.matches('·').count() == 4)
    });
    picture("cubo", &pty.screen());
    pty.resize(120, 40);
    pty.until("a wider line", |screen| screen.lines().nth(1).is_some_and(|line| line.chars().count() == 120));
    picture("cubo-large", &pty.screen());
    pty.resize(60, 20);
    pty.see("Parlor needs a terminal of 80 × 24");
    picture("too-small", &pty.screen());
    pty.resize(80, 24);
    pty.see("the race is on");
    pty.keys("?");
    pty.see("Any key goes on");
    picture("cubo-help", &pty.screen());
}

#[test]
fn roulette_small_large_and_plain() {
    let args = table("roulette", "Ann,Ben", &[]);
    let data = folder();
    let mut pty = play(data.path(), &args).open();
    pty.see("throw 1 of 20");
    pty.keys("/15=2 1|2=3 1|2|11|12=4 1-6=5 black=10 2d12=7\r");
    pty.see("Laid:");
    pty.keys(&RIGHT.repeat(2));
    pty.see("You have 69");
    picture("roulette", &pty.screen());
    pty.resize(132, 43);
    pty.until("a wider line", |screen| screen.lines().nth(1).is_some_and(|line| line.chars().count() == 132));
    picture("roulette-large", &pty.screen());
}

#[test]
fn contact_small_and_large() {
    let args = table("contact", "Ann,Ben", &["--set", "first=south"]);
    let data = folder();
    let mut pty = play(data.path(), &args).open();
    pty.see("move 1 · Ann (South)");
    pty.keys(ENTER);
    pty.see("put down");
    pty.keys("n");
    pty.see("g1-f2: no tile goes");
    picture("contact", &pty.screen());
    pty.resize(140, 45);
    pty.until("a wider line", |screen| screen.lines().nth(1).is_some_and(|line| line.chars().count() == 140));
    picture("contact-large", &pty.screen());
}

#[test]
fn iqubes_and_scribbage() {
    for (game, name) in [("iqubes", "iqubes"), ("scribbage", "scribbage")] {
        let args = table(game, "Ann", &[]);
        let data = folder();
        let mut pty = play(data.path(), &args).open();
        pty.see("Throw the dice");
        pty.keys(ENTER);
        pty.see("Ann throws");
        pty.keys(if game == "iqubes" { "said" } else { " " });
        pty.see(if game == "iqubes" { "said" } else { "[↓]" });
        picture(name, &pty.screen());
        pty.resize(120, 40);
        pty.until("a wider line", |screen| {
            screen.lines().nth(1).is_some_and(|line| line.chars().count() == 120)
        });
        picture(&format!("{name}-large"), &pty.screen());
    }
}

#[test]
fn without_colour_no_colour_is_sent() {
    let data = folder();
    let mut pty = play(data.path(), &table("cubo", "Ann", &[])).with("NO_COLOR", "1").open();
    pty.see("Ready?");
    pty.keys(ENTER);
    pty.see("the race is on");
    let sent = String::from_utf8_lossy(pty.raw()).into_owned();
    // Colours are set with 30 to 49, 90 to 107 and 38;5. What is left is bold, dim, reversed, underlined.
    let codes = sent.split("\x1b[").skip(1).filter_map(|part| part.split_once('m').map(|(codes, _)| codes));
    let codes: Vec<&str> =
        codes.filter(|codes| codes.chars().all(|sign| sign.is_ascii_digit() || sign == ';')).collect();
    assert!(!codes.is_empty());
    for code in codes.iter().flat_map(|codes| codes.split(';')) {
        let number: u32 = code.parse().unwrap_or(0);
        assert!(number < 30 || number == 39 || number == 49 || number == 59, "a colour: {codes:?}");
    }
    picture("cubo-without-colour", &pty.screen());
}

#[test]
fn where_the_locale_has_no_utf_8_only_ascii_is_sent() {
    for (setup, name) in [
        (play(folder().path(), &[]).with("LC_ALL", "C"), "by the locale"),
        (play(folder().path(), &["--ascii"]), "when asked"),
    ] {
        let mut pty = setup.open();
        pty.see("five lost tabletop games");
        pty.keys("5");
        pty.see("Sit down and play");
        pty.keys(ENTER);
        pty.see("Your turn.");
        assert!(pty.raw().is_ascii(), "{name}");
    }
    let data = folder();
    let mut pty =
        play(data.path(), &table("contact", "Ann,Ben", &["--set", "first=south", "--ascii"])).open();
    pty.see("move 1 . Ann (South)");
    picture("contact-ascii", &pty.screen());
}

#[test]
fn the_mouse_does_what_the_keys_do() {
    let data = folder();
    let mut pty = play(data.path(), &["--seed", "7", "--pace", "0"]).open();
    pty.see("five lost tabletop games");
    let (x, y) = pty.find("Cubo");
    pty.click(x, y);
    pty.see("Sit down and play");
    // One chair less: alone.
    pty.keys("-");
    pty.miss("Seat 2");
    let (x, y) = pty.find("Sit down");
    pty.click(x, y);
    pty.see("Ready?");
    let (x, y) = pty.find("Ready?");
    pty.click(x, y);
    pty.see("the race is on");
    let (x, y) = pty.find("Throw");
    let (cell_x, cell_y) = pty.find("┌──────┬");
    // The first die of the throw into the first cell, by clicking one and then the other; the second by dragging.
    pty.click(x + 9, y);
    pty.click(cell_x + 3, cell_y + 1);
    pty.until("one die laid", |screen| {
        screen.lines().any(|line| line.contains("Throw") && line.matches('·').count() == 1)
    });
    pty.keys(&format!("\x1b[<0;{};{}M", x + 15, y + 1));
    pty.keys(&format!("\x1b[<0;{};{}m", cell_x + 10, cell_y + 2));
    pty.until("two dice laid", |screen| {
        screen.lines().any(|line| line.contains("Throw") && line.matches('·').count() == 2)
    });
    let (x, y) = pty.find("? help");
    pty.click(x, y);
    pty.see("Any key goes on");
    pty.keys(DOWN);
    pty.miss("Any key goes on");
}
