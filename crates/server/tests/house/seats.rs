//! Seats before the start: removing free ones, and people who are removed from theirs.

use crate::common::{House, Http, Wire};
use serde_json::{Value, json};

fn remove(table: &str, seat: u32) -> Value {
    json!({"cmd": "place", "table": table, "seat": seat, "wish": {"for": "nobody"}})
}

/// Who sits where; nothing for a free seat.
fn names(room: &Value) -> Vec<&str> {
    let seats = room["seats"].as_array().expect("seats");
    seats.iter().map(|seat| seat["name"].as_str().unwrap_or_default()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_for_three_starts_with_two_and_its_record_agrees() {
    let house = House::open().await;
    let (ann, ben) = (house.guest("Ann").await, house.guest("Ben").await);
    let (mut a, mut b) = (house.socket(&ann).await, house.socket(&ben).await);
    let seats = json!([{"for": "me"}, {"for": "open"}, {"for": "open"}]);
    let options = json!({"throws": 1, "window": 600});
    let table = a.create(json!({"game": "roulette", "options": options, "seats": seats})).await;
    b.done(json!({"cmd": "join", "table": table, "seat": 2, "seed": "b"})).await;
    b.done(json!({"cmd": "ready", "table": table, "ready": true})).await;
    assert_eq!(a.refused(json!({"cmd": "start", "table": table})).await, "open-seats");
    a.done(remove(&table, 1)).await;
    let placed = b.hear_event("placed").await;
    assert_eq!((&placed["why"]["seat"], names(&placed["room"])), (&json!(1), vec!["Ann", "Ben"]));
    // What was removed stays removed when the house closes, before the start and after it.
    let folder = house.close().await.expect("a folder");
    let house = House::at(folder.path(), |_| {}).await;
    let (mut a, mut b) = (house.socket(&ann).await, house.socket(&ben).await);
    assert_eq!(names(&a.view(&table).await["room"]), ["Ann", "Ben"]);
    b.view(&table).await;
    a.done(json!({"cmd": "start", "table": table})).await;
    let started = b.hear_event("started").await;
    assert_eq!((names(&started["room"]), &started["awaits"]), (vec!["Ann", "Ben"], &json!([0, 1])));
    b.act(&table, json!({"do": "lay", "bets": ["black=10"]})).await;
    house.close().await;
    let house = House::at(folder.path(), |_| {}).await;
    let (mut a, mut b) = (house.socket(&ann).await, house.socket(&ben).await);
    let view = b.view(&table).await;
    assert_eq!((names(&view["room"]), &view["private"][0]["seat"]), (vec!["Ann", "Ben"], &json!(1)));
    a.act(&table, json!({"do": "ready"})).await;
    b.act(&table, json!({"do": "ready"})).await;
    let over = b.hear_event("over").await;
    assert_eq!(over["why"]["outcome"]["ranks"].as_array().map(Vec::len), Some(2));
    let record = Http::get(&format!("/api/finished/{table}/record")).send(house.address).await;
    let verified = house::verify(&record.body).expect("a record that holds");
    assert_eq!(verified.players, ["Ann", "Ben"]);
    let page = Http::get(&format!("/api/finished?person={}", ben.id)).send(house.address).await.value();
    let players = page["games"][0]["players"].as_array().expect("players");
    assert_eq!(players.iter().map(|player| &player["name"]).collect::<Vec<_>>(), ["Ann", "Ben"]);
    house.close().await;
}

/// A table of Contact, for two at least, with a bot and a free seat more; Ben sits in the second seat.
async fn contact(a: &mut Wire, b: &mut Wire) -> String {
    let bot = json!({"for": "bot", "level": 1});
    let seats = json!([{"for": "me"}, {"for": "open"}, bot, {"for": "open"}]);
    let table = a.create(json!({"game": "contact", "seats": seats})).await;
    b.done(json!({"cmd": "join", "table": table})).await;
    table
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_host_removes_seats_and_only_those_that_the_game_can_do_without() {
    let house = House::open().await;
    let (ann, ben) = (house.guest("Ann").await, house.guest("Ben").await);
    let (mut a, mut b) = (house.socket(&ann).await, house.socket(&ben).await);
    let table = contact(&mut a, &mut b).await;
    assert_eq!(b.refused(remove(&table, 3)).await, "not-host");
    assert_eq!(b.refused(remove(&table, 1)).await, "not-host", "nor one's own");
    for (seat, code) in [(0, "taken"), (1, "taken"), (4, "no-such-seat"), (u32::MAX, "no-such-seat")] {
        assert_eq!(a.refused(remove(&table, seat)).await, code, "seat {seat}");
    }
    for seat in [json!(-1), json!(1.5), json!("3"), json!(null)] {
        let mut command = remove(&table, 3);
        command["seat"] = seat.clone();
        assert_eq!(a.ask(command).await["msg"], "refused", "seat {seat}");
    }
    assert_eq!(
        a.view(&table).await["room"]["seats"].as_array().map(Vec::len),
        Some(4),
        "nothing has changed"
    );
    // The bot's, then the free one that has moved up, then one too many: with the words that say so.
    a.done(remove(&table, 2)).await;
    a.done(remove(&table, 2)).await;
    b.done(json!({"cmd": "leave", "table": table})).await;
    let refused = a.ask(remove(&table, 1)).await;
    assert_eq!(refused["code"], "seating");
    let says = refused["says"].as_str().expect("words");
    assert!(says.contains("Contact") && says.contains("at least 2 players"), "{says}");
    // A seat is added again as it always was, and removed again.
    a.done(json!({"cmd": "place", "table": table, "seat": 2, "wish": {"for": "open"}})).await;
    a.done(remove(&table, 1)).await;
    b.done(json!({"cmd": "join", "table": table})).await;
    a.done(json!({"cmd": "start", "table": table, "anyway": true})).await;
    assert_eq!(a.refused(remove(&table, 1)).await, "started");
    let closed = contact(&mut a, &mut b).await;
    a.done(json!({"cmd": "close", "table": closed})).await;
    assert_eq!(a.refused(remove(&closed, 3)).await, "closed");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_view_tells_whoever_was_removed_until_the_host_adds_a_seat() {
    let house = House::open().await;
    let (ann, ben) = (house.guest("Ann").await, house.guest("Ben").await);
    let (mut a, mut b) = (house.socket(&ann).await, house.socket(&ben).await);
    let table = contact(&mut a, &mut b).await;
    assert_eq!(b.view(&table).await.get("removed"), None);
    a.done(json!({"cmd": "kick", "table": table, "seat": 1})).await;
    assert_eq!(b.view(&table).await["removed"], true);
    assert_eq!(a.view(&table).await.get("removed"), None, "only whoever it is about");
    let refused = b.ask(json!({"cmd": "join", "table": table})).await;
    let says = refused["says"].as_str().expect("words");
    assert!(says.contains("Ann removed you") && says.contains("add a seat"), "{says}");
    // A seat that goes opens none, though the free one behind it moves up to its place.
    a.done(remove(&table, 2)).await;
    assert_eq!(b.view(&table).await["removed"], true);
    let folder = house.close().await.expect("a folder");
    let house = House::at(folder.path(), |_| {}).await;
    let (mut a, mut b) = (house.socket(&ann).await, house.socket(&ben).await);
    assert_eq!(b.view(&table).await["removed"], true, "a house that opens again remembers it");
    a.done(json!({"cmd": "place", "table": table, "seat": 3, "wish": {"for": "open"}})).await;
    assert_eq!(b.view(&table).await.get("removed"), None);
    b.done(json!({"cmd": "join", "table": table})).await;
    house.close().await;
}
