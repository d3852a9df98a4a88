//! A tie is told as a tie, and partners who win are told as winners.

use crate::common::{folder, json, parlor};
use serde_json::Value;

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().filter_map(Value::as_u64).collect()
}

/// Plays games between bots, and looks at each by its record. Answers how many were ties.
fn played(game: &str, options: &str, bots: &str, games: &str, sides: usize) -> u64 {
    let folder = folder(&format!("ties-{game}-{sides}"));
    let at = folder.to_str().unwrap();
    let tally =
        json(&["simulate", game, "--options", options, "--bots", bots, "--games", games, "--records", at]);
    let (mut tied, mut wins, mut ties) =
        (0, vec![0; bots.split(',').count()], vec![0; bots.split(',').count()]);
    for record in tally["records"].as_array().unwrap() {
        let record = record.as_str().unwrap();
        let verified = json(&["verify", record]);
        let ranks = numbers(&verified["record"]["outcome"]["ranks"]);
        let first: Vec<usize> = (0..ranks.len()).filter(|&seat| ranks[seat] == 1).collect();
        // Seats join the sides in turn.
        let tie = first.iter().any(|seat| seat % sides != first[0] % sides);
        assert_eq!(verified["ending"]["tie"], tie, "{record}: {verified}");
        assert_eq!(json(&["replay", record])["ending"], verified["ending"], "{record}");
        let names: Vec<&str> =
            first.iter().map(|&seat| verified["record"]["players"][seat].as_str().unwrap()).collect();
        let (last, others) = names.split_last().unwrap();
        let names =
            if others.is_empty() { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) };
        let words = if tie { format!("A tie: {names}.") } else { format!("{names} won.") };
        for command in ["verify", "replay"] {
            let said = String::from_utf8(parlor(&[command, record, "--text"]).stdout).unwrap();
            assert!(said.lines().any(|line| line.ends_with(&words)), "{command} {record}: {said}");
        }
        tied += u64::from(tie);
        let counted = if tie { &mut ties } else { &mut wins };
        for seat in first {
            counted[seat] += 1;
        }
    }
    assert_eq!(tally["tied"], tied, "{tally}");
    assert_eq!((numbers(&tally["wins"]), numbers(&tally["ties"])), (wins, ties), "{tally}");
    tied
}

#[test]
fn a_tie_of_contact_is_no_win_for_both() {
    assert!(played("contact", "{}", "1,1", "6", 2) > 0, "players of the first level tie most games");
}

#[test]
fn a_tie_of_dice_roulette_is_no_win_for_both() {
    let tied = played("roulette", "{\"throws\":1}", "1,1,1", "24", 3);
    assert!((1..24).contains(&tied), "{tied}");
}

#[test]
fn a_team_that_wins_has_not_tied() {
    assert!(played("scribbage", "{\"turns\":1,\"teams\":2}", "1,2,1,2", "3", 2) < 3);
}

#[test]
fn a_match_counts_a_tie_as_half_a_win_of_each() {
    let told = json(&["match", "contact", "--a", "level1", "--b", "level1", "--games", "8"]);
    let count = |what: &str| told[what].as_u64().unwrap();
    assert!(count("draws") > 0, "{told}");
    assert_eq!(count("wins") + count("draws") + count("losses"), 8, "{told}");
    let score = (count("wins") as f64 + count("draws") as f64 / 2.0) / 8.0;
    assert!((told["score"].as_f64().unwrap() - score).abs() < 1e-9, "{told}");
}
