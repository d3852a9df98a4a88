//! The real command: golden answers, every example of its help, whole games verified, and bad input that teaches.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its stage has failed")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn parlor(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_parlor")).args(args).output().unwrap()
}

/// The answer of a command that succeeds, in JSON (its output is a pipe).
fn json(args: &[&str]) -> Value {
    let out = parlor(args);
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap_or_else(|why| panic!("{args:?}: {why}"))
}

/// What a command says when it cannot answer: exit code 2, words on stderr.
fn failure(args: &[&str]) -> String {
    let out = parlor(&[args, &["--text"]].concat());
    assert_eq!(out.status.code(), Some(2), "{args:?}: {}", String::from_utf8_lossy(&out.stdout));
    assert!(out.stdout.is_empty(), "{args:?} printed something beside its failure");
    String::from_utf8(out.stderr).unwrap()
}

/// A folder of this test's own, emptied.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn the_best_cubo_is_the_json_that_was_asked_for() {
    let hand = "R1 R2 R3 R4 B1 B2 B3 B4 W4";
    let plain = json(&["solve", "cubo", hand]);
    assert_eq!(plain["exchange"], Value::Null);
    assert_eq!(plain["grid"][1][1], "W4");
    let counted = json(&["score", "cubo", &rows(&plain["grid"])]);
    assert_eq!(counted["total"], plain["score"], "the count of the answer is its score");
    let taken = json(&["solve", "cubo", hand, "--take", "R5"]);
    assert!(taken["score"].as_u64() >= plain["score"].as_u64());
    assert_eq!(taken["exchange"]["in"], "R5", "{taken}");
    let counted = json(&["score", "cubo", &rows(&taken["grid"])]);
    assert_eq!(counted["total"], taken["score"]);
}

fn rows(grid: &Value) -> String {
    let row = |row: &Value| {
        row.as_array().unwrap().iter().map(|die| die.as_str().unwrap()).collect::<Vec<_>>().join(" ")
    };
    grid.as_array().unwrap().iter().map(row).collect::<Vec<_>>().join(" / ")
}

#[test]
fn the_odds_of_a_slip_are_exact() {
    let odds = json(&["odds", "roulette", "15=1"]);
    assert_eq!((&odds["expectation"], &odds["variance"]), (&0.into(), &35.into()));
    assert_eq!(odds["net"].as_object().unwrap().len(), 36);
    assert_eq!((&odds["net"]["15"], &odds["net"]["16"]), (&35.into(), &(-1).into()));
    let followed = json(&["odds", "roulette", "red=1", "--chips", "1", "--throws", "2"]);
    assert_eq!(followed["outlook"]["broke"]["exact"], "1/2", "{followed}");
}

#[test]
fn the_census_of_cubo_covers_every_throw() {
    let census = json(&["census", "cubo", "--red", "8"]);
    let throws =
        census["distribution"].as_array().unwrap().iter().map(|share| share["throws"].as_u64().unwrap());
    assert_eq!(throws.sum::<u64>(), 6_u64.pow(9));
}

#[test]
fn layouts_count_as_their_sheets_say() {
    assert_eq!(json(&["score", "iqubes", "DASH/.TO*E"])["count"], 26);
    let plant = json(&["score", "scribbage", "plant/i.r.w/c.m.o/k", "--unused", "q"]);
    assert_eq!(plant["count"], 31);
    assert_eq!(plant["words"].as_array().unwrap().len(), 4);
    let bad = parlor(&["score", "scribbage", "plxnt"]);
    assert_eq!(bad.status.code(), Some(1), "a layout that does not count is a no");
}

#[test]
fn perft_gives_the_referees_numbers() {
    for (args, count) in [
        (&["--setup", "six", "--players", "2"][..], 1793),
        (&["--setup", "twelve"], 4095),
        (&["--setup", "six", "--players", "4"], 1331),
    ] {
        let answer = json(&[&["perft", "contact", "--depth", "3"], args].concat());
        assert_eq!(answer["count"], count, "{args:?}");
        let divided = json(&[&["perft", "contact", "--depth", "3", "--divide"], args].concat());
        let shares =
            divided["divide"].as_array().unwrap().iter().map(|share| share["count"].as_u64().unwrap());
        assert_eq!(shares.sum::<u64>(), count);
    }
}

#[test]
fn a_word_is_looked_up() {
    assert_eq!(json(&["word", "QI"])["valid"], true);
    let none = parlor(&["word", "plnat"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(String::from_utf8(none.stdout).unwrap().contains("plant"), "it says what is near");
    for silly in ["cs", "mb", "kb"] {
        assert_eq!(parlor(&["word", silly]).status.code(), Some(1), "{silly}");
    }
}

#[test]
fn a_list_of_ones_own_is_read_line_by_line() {
    let folder = folder("words");
    let (good, bad) = (folder.join("good.txt"), folder.join("bad.txt"));
    std::fs::write(&good, "zyx\nplant\n").unwrap();
    std::fs::write(&bad, "plant\nna1ve\n").unwrap();
    assert_eq!(json(&["word", "zyx", "--words", good.to_str().unwrap()])["valid"], true);
    let says = failure(&["word", "plant", "--words", bad.to_str().unwrap()]);
    assert!(says.contains("line 2"), "{says}");
}

#[test]
fn whole_games_of_bots_verify_and_replay_and_a_touched_one_does_not() {
    for (game, bots, options) in [
        ("roulette", "1,2,3,4,5", r#"{"throws":6}"#),
        ("cubo", "2,4", "{}"),
        ("cubo", "3", "{}"),
        ("contact", "1,2", "{}"),
        ("iqubes", "1,3", r#"{"rounds":1}"#),
        ("scribbage", "1,2", r#"{"turns":1}"#),
    ] {
        let folder = folder(&format!("games-{game}-{}", bots.len()));
        let records = folder.to_str().unwrap();
        let args = ["simulate", game, "--games", "2", "--seed", "5", "--bots", bots, "--options", options];
        let tally = json(&[&args[..], &["--records", records]].concat());
        assert_eq!(tally["games"], 2, "{game}");
        for file in tally["records"].as_array().unwrap() {
            let file = file.as_str().unwrap();
            assert_eq!(json(&["verify", file])["holds"], true, "{game}");
            assert!(!json(&["replay", file])["events"].as_array().unwrap().is_empty());
            tamper(file, game);
        }
    }
}

/// Changes one digit of a line in the middle: `verify` says no, and names that line.
fn tamper(file: &str, game: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let middle = lines.len() / 2;
    lines[middle] = lines[middle].replacen("\"t\":", "\"t\":1", 1);
    let touched = format!("{file}.touched");
    std::fs::write(&touched, lines.join("\n")).unwrap();
    let out = parlor(&["verify", &touched]);
    assert_eq!(out.status.code(), Some(1), "{game}");
    let answer: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(answer["line"], middle + 1, "{game}: {answer}");
}

#[test]
fn bad_input_is_answered_with_what_to_do() {
    for (args, taught) in [
        (&["solve", "cubo", "R1 R2"][..], "nine dice"),
        (&["solve", "cubo", "R1 R2 R3 R4 B1 B2 B3 B4 X4"], "\"X4\""),
        (&["solve", "cubo", "R1 R2 R3 R4 B1 B2 B3 B4 W4", "--take", "W1"], "red and blue"),
        (&["census", "cubo", "--red", "9"], "0 to 8"),
        (&["odds", "roulette", "7=1"], "can never be thrown"),
        (&["odds", "roulette", "6|11=1"], "6|11"),
        (&["odds", "roulette", "15"], "15"),
        (&["score", "scribbage", "pl4nt"], "column 3"),
        (&["word", "na1ve"], "na1ve"),
        (&["perft", "contact", "--depth", "1", "--position", "nonsense"], ""),
        (&["perft", "contact", "--depth", "1", "--players", "2", "--partners"], "--players 4"),
        (&["simulate", "cubo", "--options", "{\"rounds\":\"many\"}"], "rounds"),
        (&["simulate", "cubo", "--options", "nonsense"], "--options"),
        (&["simulate", "cubo", "--bots", "1,1,1,1,1,1,1"], "players"),
        (&["simulate", "chess"], "scribbage"),
        (&["verify", "/no/such/file"], "/no/such/file"),
        (&["contact", "check", "/no/such/file"], "/no/such/file"),
    ] {
        let says = failure(args);
        assert!(says.contains(taught), "{args:?} says: {says}");
    }
    let json = parlor(&["odds", "roulette", "7=1"]);
    let answer: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(
        answer["error"].is_string() && answer["says"].is_string(),
        "programs get their failure in JSON: {answer}"
    );
}

/// The commands in the help of every command, each run.
#[test]
fn every_example_in_the_help_works() {
    let folder = folder("examples");
    let mut run = 0;
    for path in [
        &["solve", "cubo"][..],
        &["score", "cubo"],
        &["score", "iqubes"],
        &["score", "scribbage"],
        &["odds", "roulette"],
        &["census", "cubo"],
        &["word"],
        &["throw", "iqubes"],
        &["throw", "scribbage"],
        &["perft", "contact"],
        &["simulate"],
    ] {
        let help = parlor(&[path, &["--help"]].concat());
        let help = String::from_utf8(help.stdout).unwrap();
        let examples = help.lines().map(str::trim).filter(|line| line.starts_with("parlor "));
        for example in examples {
            let out = Command::new("sh")
                .args(["-c", &example.replacen("parlor", env!("CARGO_BIN_EXE_parlor"), 1)])
                .current_dir(&folder)
                .output()
                .unwrap();
            assert!(out.status.success(), "{example}: {}", String::from_utf8_lossy(&out.stdout));
            run += 1;
        }
    }
    assert!(run >= 12, "only {run} examples were found");
}
