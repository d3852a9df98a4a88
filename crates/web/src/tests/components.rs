//! The components on the host, drawn to text: what must be there, by name and by number.

use super::{count, drawn, looked_at, opened};
use crate::boards;
use crate::route::Route;
use crate::seen::Seen;
use crate::session::Session;
use house::Kind;
use leptos::prelude::*;
use table::{Outcome, Seat, Time};

/// A table as somebody at the first seat sees it, after some acts.
fn seated(kind: Kind, options: serde_json::Value, names: &[&str], acts: &[(u64, u32, &str)]) -> Session {
    let (setting, mut table) = opened(kind, options, names);
    for (at, seat, act) in acts {
        table.act(Time(*at), Seat(*seat), act).unwrap();
    }
    looked_at(&setting, &table, names, Some(0))
}

#[test]
fn the_shelf_has_every_game_whose_board_is_drawn_with_its_name_and_its_link() {
    let home = drawn(Route::Home, || view! { <crate::home::Home/> });
    assert_eq!(count(&home, "class=\"box\""), Kind::ALL.len());
    for kind in Kind::ALL {
        assert!(home.contains(&format!("href=\"./box/{}\"", kind.name())), "{kind}");
        assert!(home.contains(kind.title()), "{kind}");
    }
}

#[test]
fn every_option_of_a_box_has_a_label_that_belongs_to_its_input() {
    for kind in Kind::ALL {
        let page = drawn(Route::Open(kind), move || view! { <crate::unbox::Unbox kind/> });
        for field in house::fields(kind) {
            let id = format!("option-{}", field.key.replace('/', "-"));
            assert!(
                page.contains(&format!("for=\"{id}\"")) && page.contains(&format!("id=\"{id}\"")),
                "{kind} {id}"
            );
        }
    }
}

#[test]
fn the_layout_shows_36_numbers_15_boxes_and_every_chip() {
    let lay = r#"{"do":"lay","bets":["15=2","1|2=3","1|2|11|12=4","red=10"]}"#;
    let page = drawn(Route::Home, move || {
        let session = seated(Kind::Roulette, serde_json::json!({}), &["Ann", "Ben"], &[(1000, 0, lay)]);
        view! { <crate::table_page::Felt session/> }
    });
    assert_eq!(count(&page, "class=\"sq-number\""), 36);
    assert_eq!(count(&page, "class=\"sq\""), 36 + 15);
    assert_eq!(count(&page, "stack is-own"), 4);
    assert!(page.contains("19 on the layout, 81 in hand."), "the rack says what is laid");
}

#[test]
fn a_view_of_another_version_is_read_or_told_and_never_passed_over() {
    Owner::new().with(|| {
        let session = seated(Kind::Roulette, serde_json::json!({}), &["Ann"], &[]);
        let (view, own) = (session.view::<roulette::Public>(), session.own::<roulette::Private>());
        let plain = (view.get_untracked(), own.get_untracked());
        assert!(plain.0.is_some() && plain.1.is_some());
        let more = |seen: &Seen| Seen::from(seen.json().replacen('{', "{\"surprise\":[1],", 1));
        session.public.update(|seen| *seen = more(seen));
        session.privates.update(|all| all.values_mut().for_each(|seen| *seen = more(seen)));
        assert_eq!((view.get_untracked(), own.get_untracked()), plain, "a newer server says more");
        session.public.set(Seen::default());
        assert_eq!(view.get_untracked(), None);
        assert!(!session.unreadable.get_untracked(), "what has not come yet is no fault");
        session.public.set(Seen::from("{\"phase\":\"asleep\"}"));
        assert_eq!(view.get_untracked(), None);
        assert!(session.unreadable.get_untracked(), "and what cannot be read is one");
    });
}

#[test]
fn red_and_black_differ_in_shape_too() {
    let page = drawn(Route::Home, || {
        let session = seated(Kind::Roulette, serde_json::json!({}), &["Ann"], &[]);
        (boards::game(Kind::Roulette).board)(session)
    });
    assert_eq!(count(&page, "<circle class=\"sq-red\""), 18);
    assert_eq!(count(&page, "<path class=\"sq-black\""), 18 + 1);
}

#[test]
fn a_hand_of_cubo_names_its_dice_and_says_how_many_are_left() {
    let acts = [(100, 0, r#"{"do":"ready"}"#), (900, 0, r#"{"do":"place","die":0,"at":[0,0]}"#)];
    let page = drawn(Route::Home, move || {
        let session = seated(Kind::Cubo, serde_json::json!({}), &["Ann"], &acts);
        (boards::game(Kind::Cubo).board)(session)
    });
    assert!(page.contains("7 to place"), "nine dice, the white one and one more lie");
    assert!(page.contains("row 1, column 1"), "the die that was laid says where it lies");
    assert_eq!(count(&page, "in the tray"), 7);
}

/// Where the tile on a corner is drawn.
fn drawn_at(page: &str, corner: &str) -> String {
    let from = page.find(&format!("data-at=\"{corner}\"")).unwrap();
    page[from..].split("style=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

#[test]
fn the_board_of_contact_names_its_tiles_and_is_turned_to_whoever_sits_there() {
    for (seat, at) in
        [(0, "transform:translate(378.0px,728.0px)"), (1, "transform:translate(478.0px,128.0px)")]
    {
        let page = drawn(Route::Home, move || {
            let session = seated(Kind::Contact, serde_json::json!({}), &["Ann", "Ben"], &[]);
            let side = ["south", "north"][seat as usize];
            session.hand.set(Some(Seat(seat)));
            session.privates.set([(Seat(seat), format!("{{\"side\":\"{side}\"}}").into())].into());
            (boards::game(Kind::Contact).board)(session)
        });
        assert_eq!(count(&page, "class=\"ct-tile\""), 12);
        assert_eq!(count(&page, "one-step tile on"), 6);
        assert_eq!(drawn_at(&page, "g2").trim_end_matches(';'), at, "seat {seat}");
    }
}

#[test]
fn twelve_tiles_each_show_all_four_colours_and_marks() {
    let page = drawn(Route::Home, || {
        let session = seated(Kind::Contact, serde_json::json!({"setup": "twelve"}), &["Ann", "Ben"], &[]);
        view! { <crate::table_page::Felt session/> }
    });
    assert_eq!(count(&page, "class=\"ct-tile\""), 24);
    for (colour, tiles) in [("red", 6), ("green", 6), ("blue", 6), ("yellow", 6)] {
        assert_eq!(count(&page, &format!("ct-print is-{colour}")), tiles, "{colour}");
    }
    assert_eq!(count(&page, "ct-mark"), 24 + 10, "a mark for each step");
}

#[test]
fn the_coach_of_contact_draws_his_move_and_says_what_it_is_worth() {
    let advice = serde_json::json!({
        "best": {"lines": [{"move": "g2-g3", "score": 140, "ends_in": null, "line": ["g2-g3", "g14-g13"]}]},
        "last": {"move": "h2-h3", "mark": "slip", "words": "a slip; g2-g3 was better by 0.9"}
    });
    let said = advice.clone();
    let page = drawn(Route::Home, move || {
        let session = seated(Kind::Contact, serde_json::json!({}), &["Ann", "Ben"], &[]);
        session.coach.set(Some((Seat(0), advice)));
        (boards::game(Kind::Contact).board)(session)
    });
    assert_eq!(count(&page, "ct-advised-head"), 1);
    let page = drawn(Route::Home, move || (boards::game(Kind::Contact).advice)(&said));
    for words in ["+1.4", "a slip; g2-g3 was better", "by 1.4", "g14-g13"] {
        assert!(page.contains(words), "{words}: {page}");
    }
}

#[test]
fn a_result_names_the_winner_and_everybody_s_score() {
    let page = drawn(Route::Home, || {
        let session = seated(Kind::Roulette, serde_json::json!({}), &["Ann", "Ben"], &[]);
        session.outcome.set(Some(Outcome::by_score(vec![90, 110])));
        view! { <crate::results::Results session/> }
    });
    assert!(page.contains("Ben won, 110 to 90"), "{page}");
}

/// The end of a game of four, as one of them or a watcher reads it on the server or on this screen.
fn ended(scores: &[i64], me: Option<u32>, rematch: Option<&str>) -> String {
    let (scores, rematch) = (scores.to_vec(), rematch.map(str::to_owned));
    drawn(Route::There("t".to_owned()), move || {
        let session = seated(Kind::Roulette, serde_json::json!({}), &["Ann", "Ben", "Cleo", "Dan"], &[]);
        session.mine.set(me.map(Seat).into_iter().collect());
        session.outcome.set(Some(Outcome::by_score(scores)));
        session.rematch.set(rematch);
        view! { <crate::results::Results session/> }
    })
}

#[test]
fn everybody_reads_who_won_the_own_place_and_where_the_rematch_is() {
    let scores = [90, 110, 100, 100];
    for (me, told, place) in [
        (Some(1), "You won<", None),
        (Some(0), "Ben won<", Some("You are 4th of 4.")),
        (Some(3), "Ben won<", Some("You are 2nd of 4.")),
        (None, "Ben won<", None),
    ] {
        let page = ended(&scores, me, None);
        assert!(page.contains(told), "{me:?}: {page}");
        assert_eq!(page.contains("You are"), place.is_some(), "{me:?}: {page}");
        assert!(place.is_none_or(|place| page.contains(place)), "{me:?}: {page}");
        assert_eq!(page.contains("Rematch<"), me.is_some(), "who watched asks for no rematch: {page}");
        let page = ended(&scores, me, Some("next"));
        let says = if me.is_some() { "Join the rematch" } else { "Watch the rematch" };
        assert!(page.contains("href=\"./table/next\"") && page.contains(says), "{me:?}: {page}");
    }
    assert!(ended(&[100, 90, 100, 80], Some(0), None).contains("Ann and Cleo share it"));
}

#[test]
fn every_game_on_the_shelf_has_a_lesson_and_a_reference() {
    for kind in Kind::ALL {
        let game = boards::game(kind);
        let page = drawn(Route::Learn(kind), move || view! { <crate::learn::Learn kind/> });
        assert!(game.steps.len() >= 3 && game.reference.len() >= 4, "{kind}");
        assert!(page.contains(game.steps[0].title), "{kind}");
    }
}

#[test]
fn a_lost_address_leads_back_to_the_shelf() {
    assert_eq!(Route::of("/chess"), Route::Lost);
}

/// Every file of Rust in a folder and the folders in it.
fn sources(folder: &std::path::Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn no_link_of_the_page_begins_at_the_root_of_its_server() {
    let mut found = Vec::new();
    sources(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 50, "{} files", found.len());
    let rooted = [concat!("href=", "\"/"), concat!("href=format!(", "\"/")];
    for (path, text) in found {
        let line = text.lines().find(|line| rooted.iter().any(|rooted| line.contains(rooted)));
        assert_eq!(line, None, "{path}: the house may be in a folder; write ./ before the address");
    }
}
