//! What it answers: golden answers, whole games verified, and bad input that teaches.

use crate::common::{commands, folder, json, parlor};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use table::record::{Head, Line, Reader, Scribe};
use table::{Kept, Seed};

/// What a command says when it cannot answer: exit code 2, words on stderr.
fn failure(args: &[&str]) -> String {
    let out = parlor(&[args, &["--text"]].concat());
    assert_eq!(out.status.code(), Some(2), "{args:?}: {}", String::from_utf8_lossy(&out.stdout));
    assert!(out.stdout.is_empty(), "{args:?} printed something beside its failure");
    String::from_utf8(out.stderr).unwrap()
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
fn score_and_solve_take_the_same_words() {
    let offensive = ["--any-letters", "--offensive"];
    let none = parlor(&["score", "scribbage", "gyp"]);
    assert_eq!(none.status.code(), Some(1), "no word here unless it is asked for");
    let best = json(&["solve", "scribbage", "GYP", "--any-letters"]);
    assert_eq!(
        (&best["score"], &best["proven"], &best["bound"]),
        (&(-12).into(), &true.into(), &(-12).into())
    );
    let counted = json(&[&["score", "scribbage", "gyp"], &offensive[..]].concat());
    let best = json(&[&["solve", "scribbage", "GYP"], &offensive[..]].concat());
    assert_eq!((&counted["count"], &best["score"], &best["proven"]), (&12.into(), &12.into(), &true.into()));
    assert_eq!(json(&["word", "gyp"])["offensive"], true);
    let common = json(&["solve", "scribbage", "QAT", "--any-letters", "--tier", "10"]);
    assert_eq!((&common["proven"], &common["proof"]), (&false.into(), &"shown".into()));
    let says = parlor(&["solve", "scribbage", "QAT", "--any-letters", "--tier", "10", "--text"]).stdout;
    let says = String::from_utf8(says).unwrap();
    assert!(says.contains("the most among the words shown") && !says.contains("proven"), "{says}");
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

// rules: IQ-S10
#[test]
fn the_dice_of_a_layout_are_those_of_a_throw() {
    for (args, taught) in [
        (&["score", "iqubes", "PLANTING"][..], "8 dice are too many"),
        (&["score", "iqubes", "!*A!B?C"], "*"),
        (&["score", "iqubes", "S*O*N*"], "cannot show"),
        (&["score", "iqubes", "QUIZ"], "cannot show Q"),
        (&["score", "iqubes", "DASH/.TO*E", "--unused", "S"], "8 dice are too many"),
        (&["score", "scribbage", "plAN/i.R", "--unused", "???"], "cannot show"),
        (&["score", "scribbage", "zzz"], "cannot show"),
        (&["score", "scribbage", "plant/i.r.w/c.m.o/k", "--unused", "qe"], "14 dice are too many"),
        (&["solve", "iqubes", "DASHT"], "5 dice are no throw"),
        (&["solve", "iqubes", "DASHTo!e"], "8 dice are no throw"),
        (&["solve", "iqubes", "QUIZDJK"], "cannot show Q"),
        (&["solve", "scribbage", "PLANTICKRMWO"], "12 dice are no throw"),
        (&["solve", "scribbage", "", "--any-letters"], "Type the dice"),
        (&["keep", "scribbage", "--names", "Ann", "--figure", "2001"], "2000"),
        (&["keep", "scribbage", "--names", "Ann", "--figure", "0"], "2000"),
    ] {
        let says = failure(args);
        assert!(says.contains(taught), "{args:?} says: {says}");
    }
    // All that is typed is not all that is thrown: a long word has seven dice, or fourteen.
    let points = |args: &[&str]| json(&[&["score", "iqubes"], args].concat())["count"].clone();
    let any = ["--long-word", "--any-letters"];
    assert_eq!(points(&[&["CAT"], &any[..]].concat()), 6);
    assert_eq!(points(&[&["PARTIES"], &any[..]].concat()), 30);
    assert_eq!(points(&[&["PARTIES", "--two-sets"], &any[..]].concat()), 14);
    assert_eq!(json(&["solve", "iqubes", "CAT", "--long-word", "--any-letters"])["score"], 6);
    // Other pieces, and spaces between them.
    assert_eq!(json(&["solve", "iqubes", "QUIZDJK", "--any-letters"])["proven"], true);
    assert_eq!(
        json(&["solve", "iqubes", "DASH To!"])["score"],
        json(&["solve", "iqubes", "DASHTo!"])["score"]
    );
    let seeds = [0, 1].map(|_| json(&["throw", "iqubes"])["seed"].clone());
    assert_ne!(seeds[0], seeds[1], "without a number every throw is another");
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
fn a_record_is_held_against_what_a_client_was_shown() {
    let folder = folder("kept");
    let args = ["simulate", "roulette", "--games", "1", "--bots", "1,2", "--options", r#"{"throws":3}"#];
    let made = json(&[&args[..], &["--records", folder.to_str().unwrap()]].concat());
    let file = made["records"][0].as_str().unwrap();
    let head = table::verify::head(&std::fs::read_to_string(file).unwrap()).unwrap();
    let beside = folder.join("shown.kept.json");
    let shown = beside.to_str().unwrap();
    let keep = |kept: &Kept| std::fs::write(&beside, serde_json::to_string(kept).unwrap()).unwrap();
    keep(&Kept::new("t", head.commit));
    assert_eq!(json(&["verify", file, "--kept", shown])["holds"], true);
    assert!(parlor(&["verify", file, "--kept", shown, "--text"]).stdout.ends_with(b"at table t.\n"));
    // The same record from a house that showed another commitment.
    keep(&Kept::new("t", Seed::from_number(99).commitment()));
    let out = parlor(&["verify", file, "--kept", shown]);
    let answer: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!((out.status.code(), &answer["holds"]), (Some(1), &json!(false)), "{answer}");
    assert!(answer["says"].as_str().unwrap().contains("The house changed its secret"), "{answer}");
    std::fs::write(&beside, "nonsense").unwrap();
    let says = failure(&["verify", file, "--kept", shown]);
    assert!(says.contains("saved beside the record"), "{says}");
}

#[test]
fn an_honest_record_under_rules_of_another_parlor_holds_and_says_what_was_not_checked() {
    let folder = folder("other-rules");
    let args = ["simulate", "cubo", "--games", "1", "--bots", "2,3", "--records", folder.to_str().unwrap()];
    let file = json(&args)["records"][0].as_str().unwrap().to_owned();
    // The same game as a later Parlor would have written it down.
    let text = std::fs::read_to_string(&file).unwrap();
    let (mut reader, mut scribe) = (Reader::new(), Scribe::new());
    let mut lines = text.lines();
    let head: Head<Value> = reader.head(lines.next().unwrap()).unwrap();
    let mut later = vec![scribe.head(&head.under(99))];
    later.extend(lines.map(|line| match reader.line::<Value>(line).unwrap() {
        Line::Entry(entry) => scribe.event(entry.at, &entry.event),
        Line::End(at, end) => scribe.end(at, &end),
        Line::Throw(..) | Line::Anchor(..) => panic!("nobody has a chain here"),
    }));
    let later = (format!("{file}.later"), later.join("\n"));
    std::fs::write(&later.0, later.1).unwrap();
    let checked = json(&["verify", &later.0]);
    assert_eq!(
        (&checked["holds"], &checked["record"]["checked"]["what"]),
        (&json!(true), &json!("seals")),
        "{checked}"
    );
    let words = parlor(&["verify", &later.0, "--text"]);
    let words = String::from_utf8(words.stdout).unwrap();
    assert!(words.contains("revision 99") && words.contains("the play was not checked"), "{words}");
    assert!(failure(&["replay", &later.0]).contains("revision 99"));
    tamper(&later.0, "cubo");
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
        (&["simulate", "cubo", "--bots", "3,99"], "no bot of level 99"),
        (&["simulate", "chess"], "scribbage"),
        (&["solve", "iqubes", "DASHTo!", "--threads", "99999999"], "1 to 256"),
        (&["best", "contact", "--threads", "0"], "1 to 256"),
        (&["match", "contact", "--a", "random", "--b", "random", "--games", "4000000000"], "1..=1000000"),
        (&["match", "contact", "--a", "random", "--b", "random", "--opening-moves", "4000000000"], "0..=20"),
        (&["census", "scribbage", "--sample", "99999999999"], "1..=1000000"),
        (&["verify", "/no/such/file"], "/no/such/file"),
        (&["contact", "check", "/no/such/file"], "/no/such/file"),
        (&["contact", "review", "/no/such/file"], "/no/such/file"),
        (&["print", "chess"], "scribbage"),
        (&["print", "cubo", "--paper", "a5"], "a4 or letter"),
        (&["print", "cubo", "--out", "/no/such/folder/cubo.pdf"], "/no/such/folder"),
        (&["keep", "contact", "--names", "Ann"], "2 to 4 players"),
        (&["keep", "roulette", "--names", "Ann,Bob", "--bank", "Eve"], "Ann, Bob"),
        (&["completions", "tcsh"], "bash"),
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

#[test]
fn the_coach_goes_through_a_game_of_contact_from_its_record_and_from_its_text() {
    let folder = folder("review");
    json(&["simulate", "contact", "--bots", "1,2", "--records", folder.to_str().unwrap()]);
    let record = folder.join("contact-1.jsonl");
    let review = |file: &Path| json(&["contact", "review", file.to_str().unwrap(), "--nodes", "500"]);
    let told = review(&record);
    let (notes, text) = (told["notes"].as_array().unwrap(), told["game"].as_str().unwrap());
    assert!(notes.len() > 20, "{told}");
    let moves = std::fs::read_to_string(&record).unwrap().matches("\"move\"").count();
    assert_eq!(notes.len(), moves, "a note for every move");
    let marked = |mark: &str| notes.iter().filter(|note| note["mark"] == mark).count() as u64;
    for mark in ["best", "blunder"] {
        let counted: u64 =
            ["south", "north"].iter().filter_map(|side| told["marks"][side][mark].as_u64()).sum();
        assert!(counted > 0 && counted == marked(mark), "{mark}: {}", told["marks"]);
    }
    let file = folder.join("game.txt");
    std::fs::write(&file, text).unwrap();
    assert_eq!(review(&file), told, "its text is the same game");

    json(&["simulate", "cubo", "--records", folder.to_str().unwrap()]);
    let says = failure(&["contact", "review", folder.join("cubo-1.jsonl").to_str().unwrap()]);
    assert!(says.contains("a game of Cubo"), "{says}");
    std::fs::write(&file, text.replacen("1. ", "1. a1-o15 ", 1)).unwrap();
    let says = failure(&["contact", "review", file.to_str().unwrap()]);
    assert!(says.contains("a1-o15"), "{says}");
}

#[test]
fn a_census_that_was_cut_is_taken_up_where_it_was() {
    let folder = folder("census-kept");
    let file = folder.join("kept.tsv");
    let ask = |limit: &str| json(&["census", "iqubes", "--limit", limit, "--keep", file.to_str().unwrap()]);
    ask("20");
    // The plug was pulled in the middle of a line.
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, &text[..text.len() - 3]).unwrap();
    let (whole, fresh) = (ask("30"), json(&["census", "iqubes", "--limit", "30"]));
    for what in ["throws", "different", "sum", "full", "distribution"] {
        assert_eq!(whole[what], fresh[what], "{what}");
    }
    let lines = std::fs::read_to_string(&file).unwrap();
    assert_eq!(lines.lines().count(), 31, "one line was cut, and its throw solved again");
    assert_eq!(ask("30")["sum"], fresh["sum"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), lines, "nothing was left to solve");
}

#[test]
fn a_set_is_printed_on_either_paper() {
    let folder = folder("print");
    for paper in ["a4", "letter"] {
        let file = folder.join(format!("{paper}.pdf"));
        let answer = json(&["print", "roulette", "--paper", paper, "--out", file.to_str().unwrap()]);
        let pdf = std::fs::read(&file).unwrap();
        assert!(pdf.starts_with(b"%PDF"));
        assert_eq!(answer["bytes"], pdf.len());
    }
    let piped = parlor(&["print", "roulette", "--out", "-"]);
    assert!(piped.stdout.starts_with(b"%PDF"), "and into a pipe");
}

#[test]
fn completions_and_man_pages_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = String::from_utf8(parlor(&["completions", shell]).stdout).unwrap();
        // Fish writes a long option without its dashes.
        assert!(script.contains("scribbage") && script.contains("paper"), "{shell}");
    }
    let page = String::from_utf8(parlor(&["man"]).stdout).unwrap();
    assert!(page.starts_with(".ie") && page.contains("parlor"), "{page}");
    let folder = folder("man");
    let pages = json(&["man", "--out", folder.to_str().unwrap()]);
    let mut found = Vec::new();
    commands(&[], &mut found);
    assert!(
        pages["pages"].as_array().unwrap().len() > found.len(),
        "the command itself, and each of its commands"
    );
    assert!(folder.join("parlor-keep-cubo.1").exists());
}

#[test]
fn a_kept_game_ends_in_json_for_programs() {
    let folder = folder("keep");
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(["keep", "cubo", "--names", "Ann", "--json"])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"R1 R4 B6 / B3 W4 B5 / R6 R4 B1\n").unwrap();
    let out = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(answer["standing"][0]["points"], 18);
    assert_eq!(answer["over"], false);
    assert!(String::from_utf8(out.stderr).unwrap().contains("Ann: 18"));
}

/// Sends Ctrl-C as soon as the command listens for it, and reads what it has found so far.
#[cfg(target_os = "linux")]
fn interrupted(args: &[&str]) -> Value {
    let child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = child.id();
    let listens = || {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).map(str::trim);
        // SIGINT is signal 2, the second bit.
        caught.is_some_and(|mask| u64::from_str_radix(mask, 16).is_ok_and(|mask| mask & 2 != 0))
    };
    while !listens() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &id.to_string()]).status().unwrap().success());
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(130), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_gives_what_was_found_so_far() {
    for args in [
        &["census", "iqubes"][..],
        &["census", "scribbage", "--sample", "100000"],
        &["best", "contact", "--time", "60m"],
        &["match", "contact", "--a", "level3", "--b", "level3", "--games", "100000"],
        &["simulate", "cubo", "--games", "1000000"],
        &["solve", "scribbage", "PLANTICKRMWO?", "--all", "1000"],
    ] {
        let answer = interrupted(args);
        assert_eq!(answer["interrupted"], true, "{args:?}: {answer}");
    }
}
