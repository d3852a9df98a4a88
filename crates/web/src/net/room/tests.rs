//! The room before a game, drawn to text for each of those in it.

use super::*;
use crate::route::Route;
use crate::tests::{count, drawn};
use protocol::Place;
use protocol::http::Person;

/// A table of Contact with a host, a guest, a bot and a free seat, as somebody sees it.
fn gathering(you: &'static str, change: impl FnOnce(&mut Table), removed: bool) -> String {
    let guest = |person: &str, name: &str, ready| Place::Guest {
        person: person.to_owned(),
        name: name.to_owned(),
        ready,
        seed: String::new(),
        bot: None,
    };
    let bot = Place::Bot { level: 3, name: "Bot".to_owned() };
    let mut table = Table {
        game: "contact".to_owned(),
        options: client::Raw("{}".into()),
        variations: Vec::new(),
        seating: (2, 5),
        seats: vec![guest("ann", "Ann", true), guest("ben", "Ben", false), bot, Place::Open],
        host: "ann".to_owned(),
        phase: Phase::Gathering,
        public: false,
        rated: false,
        grace: None,
        commit: String::new(),
        made: 0,
        outcome: None,
        seed: None,
        rematch: None,
        closed: None,
    };
    change(&mut table);
    drawn(Route::There("t".to_owned()), move || {
        line().you.set(Some(Person { id: you.to_owned(), name: String::new() }));
        let (room, rules) = (RwSignal::new(Some(table)), RwSignal::new(false));
        view! { <Gathering id="t".to_owned() room removed=RwSignal::new(removed) rules/> }
    })
}

/// What the buttons say, apart from the dialog's.
fn buttons(page: &str) -> Vec<String> {
    let said = |button: &str| button.split_once('>')?.1.split("</button>").next().map(words);
    let all = page.split("<button").skip(1).filter_map(said);
    all.filter(|says| !says.is_empty()).collect()
}

/// Text without its tags.
fn words(html: &str) -> String {
    let parts = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    parts.collect::<String>().trim().to_owned()
}

#[test]
fn everybody_in_the_room_is_offered_what_they_may_do() {
    let keep = |_: &mut Table| ();
    let host = gathering("ann", keep, false);
    let seats = [
        "Leave seat",
        "Remove Ben",
        "Remove bot",
        "Remove seat",
        "Someone next to me",
        "Add a bot",
        "Remove seat",
    ];
    for says in seats.iter().chain(&["Add a seat", "Start game", "Close table"]) {
        assert!(buttons(&host).iter().any(|button| button == says), "{says}: {:?}", buttons(&host));
    }
    assert_eq!(count(&host, "<b>Free seat</b>"), 1);
    assert_eq!(count(&host, "Waiting for players"), 2);

    let guest = gathering("ben", keep, false);
    let offered = buttons(&guest);
    for says in ["Leave seat", "Someone next to me", "Ready"] {
        assert!(offered.iter().any(|button| button == says), "{says}: {offered:?}");
    }
    for says in ["Remove bot", "Remove seat", "Add a bot", "Add a seat", "Start game", "Close table", "Join"]
    {
        assert!(!offered.iter().any(|button| button == says), "only the host: {says}");
    }

    let visitor = buttons(&gathering("cid", keep, false));
    assert!(visitor.contains(&"Join".to_owned()), "{visitor:?}");
    assert!(!visitor.contains(&"Leave seat".to_owned()) && !visitor.contains(&"Ready".to_owned()));
    let removed = gathering("cid", keep, true);
    assert!(removed.contains("The host removed you from this table.") && !removed.contains(">Join<"));
}

#[test]
fn whoever_is_ready_may_think_again() {
    let ready = |table: &mut Table| {
        if let Place::Guest { ready, .. } = &mut table.seats[1] {
            *ready = true;
        }
    };
    let offered = buttons(&gathering("ben", ready, false));
    assert!(offered.contains(&"Not ready".to_owned()), "{offered:?}");
}

#[test]
fn a_rated_table_takes_neither_bots_nor_somebody_at_the_same_screen() {
    let offered = buttons(&gathering("ann", |table| table.rated = true, false));
    assert!(
        !offered.contains(&"Add a bot".to_owned()) && !offered.contains(&"Someone next to me".to_owned())
    );
}

#[test]
fn no_seat_is_added_or_removed_beyond_what_the_game_can_seat() {
    let full = buttons(&gathering("ann", |table| table.seating = (2, 4), false));
    assert!(!full.contains(&"Add a seat".to_owned()) && full.contains(&"Remove seat".to_owned()));
    let small = buttons(&gathering("ann", |table| table.seating = (4, 5), false));
    assert!(small.contains(&"Add a seat".to_owned()) && !small.contains(&"Remove seat".to_owned()));
}

#[test]
fn closing_a_table_is_asked_about() {
    let page = gathering("ann", |_| (), false);
    assert_eq!(count(&page, "data-over=\"closing\""), 1);
    assert!(page.contains("Close this table for everyone?"), "{page}");
    assert_eq!(count(&page, "data-do=\"close\""), 1, "the button that asks");
}
