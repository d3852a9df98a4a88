//! The boards of I-Qubes and Scribbage on the host, drawn to text: every die by name, every stage of a turn with what can be
//! done in it.

use super::{count, drawn, looked_at, opened};
use crate::boards::{self, Telling};
use crate::route::Route;
use house::Kind;
use leptos::prelude::*;
use serde_json::{Value, json};
use table::{Seat, Time};

/// Dice that always fall the same: the first example of the sheet, the second, and the one of Scribbage.
const DASH: &str = "DT!AEHS";
const PLANT: &str = "PLANTICKRMWOQ";

fn iqubes(faces: &str, more: Value) -> Value {
    let dice: Vec<String> = faces.chars().map(|face| face.to_string().repeat(6)).collect();
    with(json!({"set": {"name": "fixed", "dice": dice}, "rounds": 1}), more)
}

fn scribbage(faces: &str, more: Value) -> Value {
    let cubes: Vec<String> = faces.chars().map(|face| face.to_string().repeat(6)).collect();
    let values = json!({"1": "AEO", "2": "ILNRST", "3": "DHMU", "4": "BCFGPVWY", "5": "K", "6": "J", "8": "QX", "10": "Z"});
    with(json!({"set": {"name": "fixed", "cubes": cubes, "values": values}, "turns": 1}), more)
}

fn with(mut options: Value, more: Value) -> Value {
    if let (Value::Object(options), Value::Object(more)) = (&mut options, more) {
        options.extend(more);
    }
    options
}

/// A layout in the words of the engine, made of the dice of a throw.
fn arrange(text: &str, faces: &[words::Face], style: words::notation::Style) -> Value {
    json!({"do": "arrange", "dice": words::notation::read_with(text, style, faces).unwrap().dice})
}

fn dash() -> Value {
    let faces = DASH.parse::<::iqubes::Throw>().unwrap().faces();
    arrange("DASH/.TO*E", &faces, words::notation::Style::Colours)
}

fn plant() -> Value {
    let faces = PLANT.parse::<::scribbage::Throw>().unwrap().faces(&::scribbage::Set::standard());
    arrange("plant/i.r.w/c.m.o/k", &faces, words::notation::Style::Jokers)
}

/// A table after some acts, as one seat of it sees it; the last act as it is told.
struct Seen {
    page: String,
    told: String,
}

fn seen(kind: Kind, options: Value, names: &[&str], acts: &[(u32, Value)], me: Option<u32>) -> Seen {
    let (setting, mut table) = opened(kind, options, names);
    let (mut before, mut by) = (table.public(), None);
    for (at, (seat, act)) in (1..).zip(acts) {
        (before, by) = (table.public(), Some(Seat(*seat)));
        table.act(Time(at * 1000), Seat(*seat), &act.to_string()).unwrap();
    }
    let (before, now) = (before.get().into(), table.public().get().into());
    let called: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let told = boards::told(kind, &Telling { before: &before, now: &now, by, names: &called });
    let page = drawn(Route::Home, || {
        let session = looked_at(&setting, &table, names, me);
        view! { <crate::table_page::Felt session/> }
    });
    Seen { page, told }
}

fn throw(seat: u32) -> (u32, Value) {
    (seat, json!({"do": "throw"}))
}

fn done(seat: u32) -> (u32, Value) {
    (seat, json!({"do": "done"}))
}

#[test]
fn before_the_throw_there_is_a_cup_and_one_button() {
    let seen = seen(Kind::IQubes, iqubes(DASH, json!({})), &["Ann", "Ben"], &[], Some(0));
    assert!(seen.page.contains("data-do=\"throw\"") && seen.page.contains("lt-cup is-full"), "{}", seen.page);
    assert_eq!(count(&seen.page, "data-die="), 0);
}

#[test]
fn every_die_of_a_throw_has_its_name_and_red_and_black_differ_in_shape() {
    let page = seen(Kind::IQubes, iqubes("DTraEhs", json!({})), &["Ann"], &[throw(0)], Some(0)).page;
    for name in ["red D, in the tray", "red T, in the tray", "black r", "black A", "red E"] {
        let name = name.replace("black r", "black R");
        assert!(page.contains(&format!("aria-label=\"{name}")), "{name}: {page}");
    }
    assert_eq!((count(&page, "lt-die is-red"), count(&page, "lt-dot")), (3, 3), "red dice have a dot");
    assert_eq!(count(&page, "lt-die is-black"), 4);
    assert!(page.contains("rx=\"25\"") && page.contains("rx=\"7\""), "round corners and square ones");
}

#[test]
fn the_second_example_of_the_sheet_counts_26_on_the_board() {
    let acts = [throw(0), (0, dash())];
    let seen = seen(Kind::IQubes, iqubes(DASH, json!({})), &["Ann"], &acts, Some(0));
    assert!(seen.page.contains("red WILD as O, row"), "the WILD says what it is and where it lies");
    assert!(seen.page.contains("<b class=\"lt-points\">26</b>"), "{}", seen.page);
    assert_eq!(count(&seen.page, "lt-word is-good is-double"), 5, "five words, all doubled");
    let told = seen.told;
    assert!(
        told.starts_with("Ann rearranges.") && told.contains("DASH 8") && told.ends_with("26 so far."),
        "{told}"
    );
}

#[test]
fn the_example_of_the_scribbage_sheet_counts_31_with_8_left_over() {
    let acts = [throw(0), (0, plant())];
    let page = seen(Kind::Scribbage, scribbage(PLANT, json!({})), &["Ann"], &acts, Some(0)).page;
    assert!(page.contains("<b class=\"lt-points\">31</b>") && page.contains("−8 left over"), "{page}");
    assert!(page.contains("Q, 8 points, in the tray"));
    assert_eq!(count(&page, "class=\"lt-value\""), 13, "every cube has its value in the corner");
}

#[test]
fn bad_words_are_marked_where_the_table_wants_it_and_only_there() {
    let faces = DASH.parse::<::iqubes::Throw>().unwrap().faces();
    let bad = arrange("DTH", &faces, words::notation::Style::Colours);
    let page = |judge: bool| {
        let options = iqubes(DASH, json!({"judge": judge}));
        seen(Kind::IQubes, options, &["Ann"], &[throw(0), (0, bad.clone())], Some(0)).page
    };
    assert!(page(true).contains("DTH is no word here"));
    assert!(!page(false).contains("no word here") && page(false).contains("DTH 6, doubled"));
}

#[test]
fn whoever_watches_sees_everything_and_is_offered_nothing() {
    let acts = [throw(0), (0, dash())];
    let page = seen(Kind::IQubes, iqubes(DASH, json!({})), &["Ann", "Ben"], &acts, None).page;
    assert!(page.contains("red WILD as O") && page.contains("Ann arranges."));
    assert!(!page.contains("data-do=\"done\"") && !page.contains("data-do=\"undo\""));
    assert!(!page.contains("role=\"button\" tabindex=\"0\""));
}

#[test]
fn without_a_dictionary_the_others_challenge_and_everybody_votes() {
    let options = || iqubes(DASH, json!({"words": "none"}));
    let names = ["Ann", "Ben", "Cleo"];
    let laid = [throw(0), (0, dash()), done(0)];
    let heard = seen(Kind::IQubes, options(), &names, &laid, Some(1)).page;
    assert_eq!(count(&heard, "data-challenge="), 5, "{heard}");
    assert!(heard.contains("data-do=\"pass\""));
    let own = seen(Kind::IQubes, options(), &names, &laid, Some(0)).page;
    assert!(own.contains("The others look at your words.") && !own.contains("data-challenge="));
    let mut voting = laid.to_vec();
    voting.push((2, json!({"do": "challenge", "word": "toe"})));
    let vote = seen(Kind::IQubes, options(), &names, &voting, Some(0));
    assert!(vote.page.contains("data-do=\"vote-yes\"") && vote.page.contains("data-do=\"vote-no\""));
    assert_eq!(vote.told, "Cleo challenges TOE.");
    voting.extend([0, 1, 2].map(|seat| (seat, json!({"do": "vote", "good": seat == 0}))));
    let fell = seen(Kind::IQubes, options(), &names, &voting, Some(1));
    assert_eq!(fell.told, "TOE falls: 1 for it, 2 against.");
    assert!(fell.page.contains("Decided by the table"));
}

#[test]
fn an_auction_shows_the_count_the_bid_and_who_thinks() {
    let options = iqubes(DASH, json!({"bidding": true}));
    let names = ["Ann", "Ben", "Cleo"];
    let mut acts = vec![throw(0), done(0)];
    let open = seen(Kind::IQubes, options.clone(), &names, &acts, Some(1)).page;
    assert!(open.contains("Ann made 0.") && open.contains("data-do=\"bid\"") && open.contains("No bid yet."));
    acts.push((2, json!({"do": "bid", "count": 12})));
    let bid = seen(Kind::IQubes, options.clone(), &names, &acts, Some(1));
    assert!(bid.page.contains("Cleo bids 12.") && bid.page.contains("holds the bid"));
    assert_eq!(bid.told, "Cleo bids 12.");
    let holder = seen(Kind::IQubes, options.clone(), &names, &acts, Some(2)).page;
    assert!(holder.contains("Your bid holds") && !holder.contains("data-do=\"bid\""));
    acts.push((1, json!({"do": "pass"})));
    let bidder = seen(Kind::IQubes, options, &names, &acts, Some(2)).page;
    assert!(bidder.contains("You bid 12: make it.") && bidder.contains("data-do=\"done\""), "{bidder}");
}

#[test]
fn the_end_can_be_proposed_and_answered() {
    let options = iqubes(DASH, json!({}));
    let propose = [(0, json!({"do": "propose", "rounds": 2}))];
    let before = seen(Kind::IQubes, options.clone(), &["Ann", "Ben"], &[], Some(0)).page;
    assert_eq!(count(&before, "data-propose="), 3);
    let after = seen(Kind::IQubes, options, &["Ann", "Ben"], &propose, Some(1));
    assert!(after.page.contains("data-do=\"agree\"") && after.page.contains("data-do=\"disagree\""));
    assert_eq!(after.told, "Ann proposes to end after round 3.");
}

#[test]
fn a_full_count_earns_another_throw_and_says_so() {
    let acts = [throw(0), (0, dash()), done(0)];
    let seen = seen(Kind::IQubes, iqubes(DASH, json!({})), &["Ann", "Ben"], &acts, Some(0));
    assert!(seen.page.contains("You used them all: throw again."), "{}", seen.page);
    assert!(seen.page.contains("second throw"));
    let told = seen.told;
    assert!(told.starts_with("Ann counts 26 with DASH 8") && told.ends_with("another throw."), "{told}");
}

#[test]
fn scribbage_draws_for_the_start_and_partners_share_the_cubes() {
    let names = ["Ann", "Ben", "Cleo", "Dan"];
    let options = || scribbage("ZLANTICKRMWOQ", json!({"teams": 2}));
    let drawn = seen(Kind::Scribbage, options(), &names, &[], Some(0)).page;
    assert!(drawn.contains(": the highest cube.") && drawn.contains("Ann and Cleo"), "{drawn}");
    let starts = if drawn.contains("<b>Ann and Cleo</b>") { [0, 2] } else { [1, 3] };
    for seat in starts {
        let page = seen(Kind::Scribbage, options(), &names, &[throw(starts[0])], Some(seat)).page;
        assert!(page.contains("data-do=\"done\"") && page.contains("Your team arranges."), "{page}");
    }
}

#[test]
fn young_players_lay_words_side_by_side_and_a_turn_may_be_negative() {
    let faces = PLANT.parse::<::scribbage::Throw>().unwrap().faces(&::scribbage::Set::standard());
    let apart = arrange("plant/...../row", &faces, words::notation::Style::Jokers);
    let options = scribbage(PLANT, json!({"young": true, "turns": 2}));
    let page = seen(Kind::Scribbage, options.clone(), &["Ann"], &[throw(0), (0, apart)], Some(0)).page;
    assert!(page.contains("words side by side") && !page.contains("lie apart"), "{page}");
    let nothing = seen(Kind::Scribbage, options, &["Ann"], &[throw(0), done(0)], Some(0));
    assert_eq!(nothing.told, "Ann counts -40.");
    assert!(nothing.page.contains("−40"));
}

#[test]
fn a_figure_to_play_for_is_shown_with_the_way_to_it() {
    let options = scribbage(PLANT, json!({"figure": 200}));
    let acts = [throw(0), (0, plant()), done(0)];
    let page = seen(Kind::Scribbage, options, &["Ann"], &acts, Some(0)).page;
    assert!(page.contains("for more than 200") && page.contains("31 of more than 200"), "{page}");
}
