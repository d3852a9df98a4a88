//! However it ends, the terminal is as it was; and one comes back to where one was.

use crate::play;
use crate::pty::{CTRL_C, DOWN, ENTER, ESC, RIGHT, folder};

#[test]
fn ctrl_c_at_every_stage_leaves_the_terminal_clean() {
    // The shelf, the form, a name being typed, a table, its help, its coach.
    let stages: [(&[&str], &[&str], &str); 6] = [
        (&[], &[], "five lost tabletop games"),
        (&["cubo"], &[], "Sit down and play"),
        (&["cubo"], &[DOWN, ENTER, "x"], "Youx_"),
        (&["cubo", "--players", "Ann", "--pace", "0"], &[], "Ready?"),
        (&["cubo", "--players", "Ann", "--pace", "0"], &["?"], "Any key goes on"),
        (&["roulette", "--players", "Ann", "--pace", "0"], &["c"], "Nothing laid."),
    ];
    for (args, keys, sight) in stages {
        let data = folder();
        let mut pty = play(data.path(), args).open();
        // Keys pressed before the terminal is taken are not the client's yet.
        pty.until("first picture", |screen| !screen.trim().is_empty());
        for key in keys {
            pty.keys(key);
        }
        pty.see(sight);
        pty.keys(CTRL_C);
        pty.is_clean();
    }
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_the_terminal_clean_and_the_game_kept() {
    for signal in ["-TERM", "-HUP", "-INT"] {
        let data = folder();
        let mut pty = play(data.path(), &["cubo", "--players", "Ann", "--pace", "0"]).open();
        pty.see("Ready?");
        pty.signal(signal);
        pty.is_clean();
        let mut pty = play(data.path(), &[]).open();
        pty.see("Go on with Cubo");
    }
}

#[test]
fn one_comes_back_to_where_one_was() {
    let data = folder();
    let args = ["cubo", "--players", "Ann", "--seed", "7", "--pace", "0"];
    let mut pty = play(data.path(), &args).open();
    pty.see("Ready?");
    pty.keys(ENTER);
    pty.see("the race is on");
    pty.keys("12");
    pty.keys("3");
    pty.until("three dice laid", |screen| {
        screen.lines().any(|line| line.contains("Throw") && line.matches('·').count() == 3)
    });
    let before = pty.screen();
    pty.keys(CTRL_C);
    pty.is_clean();
    let mut pty = play(data.path(), &["--pace", "0"]).open();
    pty.see("Go on with Cubo");
    pty.keys(ENTER);
    pty.see("the race is on");
    pty.until("three dice laid", |screen| {
        screen.lines().any(|line| line.contains("Throw") && line.matches('·').count() == 3)
    });
    let dice = |screen: &str| {
        screen
            .lines()
            .skip(2)
            .take(14)
            .map(|line| line.chars().take(50).collect::<String>())
            .collect::<Vec<_>>()
    };
    assert_eq!(dice(&pty.screen())[..3], dice(&before)[..3]);
    pty.keys(ESC);
    pty.see("Go on with Cubo");
    // Thrown away for good, when asked for twice.
    pty.keys("x");
    pty.see("x again does it");
    pty.keys("x");
    pty.see("It is thrown away.");
    assert!(!pty.screen().contains("Go on with"));
    pty.keys("q");
    pty.is_clean();
}

#[test]
fn a_crash_loses_nothing() {
    let data = folder();
    let mut pty = play(data.path(), &["roulette", "--players", "Ann", "--seed", "7", "--pace", "0"]).open();
    pty.see("throw 1 of 20");
    pty.keys("/black=7\r");
    pty.see("Laid: black=7");
    drop(pty);
    let mut pty = play(data.path(), &["roulette", "--pace", "0"]).open();
    pty.see("Go on with Dice Roulette");
    pty.keys(ENTER);
    pty.see("Laid: black=7");
}

#[test]
fn a_game_is_open_in_one_terminal_at_a_time() {
    let data = folder();
    let mut first = play(data.path(), &["roulette", "--players", "Ann", "--seed", "7", "--pace", "0"]).open();
    first.see("throw 1 of 20");
    let mut second = play(data.path(), &["--pace", "0"]).open();
    second.see("Go on with Dice Roulette");
    second.keys(ENTER);
    second.see("this game is open in another terminal");
    // The question in between shows that the keys were heard while the game was still open there.
    second.keys("x");
    second.see("x again does it");
    second.keys("x");
    second.see("this game is open in another terminal");
    first.keys("/black=7\r");
    first.see("Laid: black=7");
    // Killed, not left: the system lets go of it by itself.
    drop(first);
    second.keys(ENTER);
    second.see("Laid: black=7");
}

#[test]
fn options_are_changed_in_the_form_and_remembered() {
    let data = folder();
    let mut pty = play(data.path(), &["roulette", "--pace", "0"]).open();
    pty.see("Sit down and play");
    // Three chairs and "one more" are below the first line, then the options: throws to 3, chips one more.
    pty.keys("--");
    pty.keys(&DOWN.repeat(3));
    pty.see("to a game");
    pty.keys("3");
    pty.see("3_");
    pty.keys(ENTER);
    pty.keys(DOWN);
    pty.keys(RIGHT);
    pty.see("101");
    pty.keys("\x1b[H");
    pty.see("Enter sit down");
    pty.keys(ENTER);
    pty.see("throw 1 of 3");
    pty.see("You have 101");
    pty.keys(CTRL_C);
    pty.is_clean();
    let mut pty = play(data.path(), &[]).open();
    pty.see("Go on with Dice Roulette");
    pty.keys(&DOWN.repeat(5));
    pty.keys(ENTER);
    pty.see("Sit down and play");
    pty.see("101");
}

#[test]
fn what_cannot_be_is_said_before_the_terminal_is_taken() {
    let data = folder();
    for (args, says) in [
        (&["cubo", "--players", "Ann,bot:77"][..], "levels 1 to"),
        (&["cubo", "--set", "dice=9"], "clocks/round"),
        (&["cubo", "--players", "A,B,C,D,E"], "1 to 4 players"),
        (&["--join", "nonsense"], "is no invitation"),
        (&["--join", "https://house.example/chair/a1"], "is no invitation"),
        (&["cubo", "--at", "nonsense:x"], "is no server"),
        (&["cubo", "--at", "http://house.example", "--players", "open,bot"], "name yourself"),
        (&["cubo", "--name", "Ann"], "--join"),
        (&["chess"], "there is no game"),
    ] {
        let mut pty = play(data.path(), args).open();
        let status = pty.end();
        assert_eq!(status.exit_code(), 2, "{args:?}\n{}", pty.screen());
        let words = pty.screen().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(says), "{args:?}\n{words}");
        assert!(!pty.raw().windows(8).any(|bytes| bytes == b"\x1b[?1049h"), "the terminal was left alone");
    }
}
