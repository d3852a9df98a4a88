//! Questions about pieces on somebody's real table.

use house::{CONTACT, IQUBES, Kind, LayoutQuestion, PositionQuestion, SCRIBBAGE};
use letters::bench::can_be_thrown;
use serde_json::{Value, json};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use words::Lexicon;

#[test]
fn a_throw_is_held_against_the_dice() {
    let cubes = scribbage::Set::standard();
    let fits =
        |text: &str| can_be_thrown(&scribbage::Throw::from_str(text).unwrap().0, cubes.cubes(), "x").is_ok();
    assert!(fits("PLANTICKRMWO*"));
    assert!(fits("PLANTICKRMWOQ"));
    assert!(!fits("QQ"), "one cube alone has a Q");
    assert!(!fits("***"), "two cubes have a joker");
    assert!(!fits("AAAAAAAAAAAAAA"), "fourteen cubes");
}

fn best(dice: &str, more: Value) -> Value {
    let mut ask = json!({"dice": dice, "any_letters": true});
    if let (Value::Object(ask), Value::Object(more)) = (&mut ask, more) {
        ask.extend(more);
    }
    SCRIBBAGE.solve(ask, &AtomicBool::new(false), &mut |_| ()).expect("an answer")
}

/// Words that the house accepts and does not show, of so many letters at most.
fn hidden(letters: usize) -> Vec<String> {
    let house = Lexicon::house();
    let hidden = house.words().filter(|(word, entry)| entry.offensive && word.len() <= letters);
    hidden.map(|(word, _)| word.to_string()).collect()
}

const ACCEPTED: (bool, &str) = (true, "accepted");
const SHOWN: (bool, &str) = (false, "shown");

/// Whether the best is said to be proven, and of which words.
fn sure(answer: &Value) -> (bool, &str) {
    (answer["proven"] == true, answer["proof"].as_str().unwrap_or_default())
}

#[test]
fn a_best_is_proven_of_the_words_that_the_table_takes() {
    let mut beaten = 0;
    for text in hidden(5) {
        let (usual, rude) = (best(&text, json!({})), best(&text, json!({"offensive": true})));
        assert_eq!((sure(&usual), sure(&rude)), (ACCEPTED, ACCEPTED), "{text}");
        assert!(!usual["layout"].to_string().contains(&text), "{text}");
        assert!(usual["score"].as_i64() <= rude["score"].as_i64(), "{text}");
        beaten += i32::from(usual["score"] != rude["score"]);
    }
    assert!(beaten > 5, "{beaten}");
}

#[test]
fn common_words_alone_are_the_best_of_themselves() {
    let answer = best("quiz", json!({"tier": 10}));
    assert_eq!((sure(&answer), &answer["bound"]), (SHOWN, &answer["score"]), "{answer}");
    assert!(answer["says"].as_str().is_some_and(|says| says.contains("among the words shown")), "{answer}");
    assert_eq!(sure(&best("quiz", json!({}))), ACCEPTED);
}

#[test]
fn a_layout_that_only_rarer_words_can_make_is_not_said_to_be_impossible() {
    let all_dice = |text: &str, tier| best(text, json!({"all_dice": true, "tier": tier}));
    let none = |answer: &Value| answer["score"].is_null() && sure(answer) == SHOWN;
    let common = all_dice("qat", json!(10));
    assert!(
        none(&common) && common["says"].as_str().is_some_and(|says| says.contains("words shown")),
        "{common}"
    );
    assert_eq!(all_dice("qat", Value::Null)["score"], 11);
    assert_eq!(sure(&all_dice("qqv", Value::Null)), ACCEPTED, "no words at all do that");
    let answer = best("plant", json!({"using": "quiz"}));
    assert_eq!((&answer["score"], sure(&answer)), (&Value::Null, ACCEPTED), "{answer}");
    let text = hidden(3).remove(0);
    let ask = json!({"dice": "PLANT", "using": text, "any_letters": true});
    let refused = SCRIBBAGE.solve(ask, &AtomicBool::new(false), &mut |_| ()).unwrap_err();
    assert!(refused.says.contains("none of those to be laid"), "{refused:?}");
}

#[test]
fn a_guest_has_one_thread_and_so_many_layouts() {
    let ask = |all| LayoutQuestion { all, threads: Some(1_000_000), ..LayoutQuestion::default() };
    assert_eq!(ask(Some(1_000)).of_guest().map(|ask| (ask.threads, ask.all)), Ok((None, Some(1_000))));
    let stop = AtomicBool::new(false);
    let greedy = json!({"dice": "PLANT", "all": 1_001});
    for engine in [&IQUBES, &SCRIBBAGE] {
        let refused = engine.solve_for_guest(greedy.clone(), &stop, &mut |_| ()).unwrap_err();
        assert_eq!(refused.code, "too-many-layouts");
    }
    let mine = json!({"dice": "PLANT", "all": 1_001, "threads": 2, "any_letters": true});
    assert_eq!(SCRIBBAGE.solve(mine, &stop, &mut |_| ()).unwrap()["proven"], true);
}

#[test]
fn who_has_gone_is_thought_for_no_longer() {
    let start = contact::Position::start(&contact::Set::default(), "six", contact::Players::Two).unwrap();
    let ask = json!({"position": start.to_string(), "nodes": PositionQuestion::MOST_NODES});
    let gone = AtomicBool::new(true);
    let answer = CONTACT.solve(ask, &gone, &mut |_| ()).unwrap();
    let nodes = answer["nodes"].as_u64().unwrap();
    assert!(nodes < 10_000, "{nodes}");
}

#[test]
fn the_coach_of_contact_stops_too() {
    let setting = house::Setting::new(Kind::Contact, json!({})).unwrap();
    let seats = table::Seats::named(["Ann", "Ben"]).unwrap();
    let (table, _) = house::AnyTable::open(&setting, seats, &table::Seed::from_number(7), None).unwrap();
    let nodes = |stop: bool| {
        let says = table.coach_until(table::Seat(0), &AtomicBool::new(stop)).unwrap();
        says["best"]["nodes"].as_u64().unwrap()
    };
    assert!(nodes(true) < 20_000 && nodes(false) > 100_000);
}
