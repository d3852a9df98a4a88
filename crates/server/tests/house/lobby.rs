//! Public tables: heard of, and watched by people who have no name yet.

use crate::common::{House, Wire};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_shows_public_tables_as_they_come_and_go() {
    let house = House::open().await;
    let (ann, ben) = (house.guest("Ann").await, house.guest("Ben").await);
    let (mut a, mut b) = (house.socket(&ann).await, house.socket(&ben).await);
    b.done(json!({"cmd": "lobby", "on": true})).await;
    assert_eq!(b.hear_msg("lobby").await["tables"], json!([]));
    let seats = json!([{"for": "me"}, {"for": "open"}]);
    let hidden = a.create(json!({"game": "roulette", "seats": seats})).await;
    let options = json!({"throws": 7});
    let table =
        a.create(json!({"game": "roulette", "options": options, "seats": seats, "public": true})).await;
    let change = b.hear_msg("lobby-change").await;
    let listed = &change["changed"][0];
    assert_eq!(
        (&listed["table"], &listed["open"], &listed["host"]),
        (&json!(table), &json!(1), &json!("Ann"))
    );
    assert_eq!(listed["variations"], json!(["Throws: 7"]));
    assert_ne!(listed["table"], json!(hidden));
    a.done(json!({"cmd": "close", "table": table})).await;
    loop {
        let change = b.hear_msg("lobby-change").await;
        if change["gone"] == json!([table]) {
            break;
        }
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_no_name_hears_the_lobby_and_watches_and_changes_nothing() {
    let house = House::open().await;
    let mut stranger = Wire::look_in(house.address).await;
    stranger.done(json!({"cmd": "lobby", "on": true})).await;
    assert_eq!(stranger.hear_msg("lobby").await["tables"], json!([]));
    let ann = house.guest("Ann").await;
    let mut a = house.socket(&ann).await;
    let seats = json!([{"for": "me"}, {"for": "open"}]);
    let table = a.create(json!({"game": "cubo", "seats": seats, "public": true})).await;
    assert_eq!(stranger.hear_msg("lobby-change").await["changed"][0]["table"], json!(table));
    // Two strangers are two who watch.
    let mut another = Wire::look_in(house.address).await;
    stranger.view(&table).await;
    assert_eq!(another.view(&table).await["watching"], 3);
    for command in [
        json!({"cmd": "create", "game": "cubo", "seats": seats}),
        json!({"cmd": "join", "table": table}),
        json!({"cmd": "leave", "table": table}),
        json!({"cmd": "ready", "table": table, "ready": true}),
        json!({"cmd": "start", "table": table, "anyway": true}),
        json!({"cmd": "act", "table": table, "act": {"do": "ready"}}),
        json!({"cmd": "react", "table": table, "reaction": "clap"}),
        json!({"cmd": "close", "table": table}),
    ] {
        assert_eq!(stranger.refused(command).await, "who-are-you");
    }
    a.done(json!({"cmd": "place", "table": table, "seat": 1, "wish": {"for": "bot", "level": 1}})).await;
    a.done(json!({"cmd": "start", "table": table})).await;
    // What is Ann's alone is told to Ann alone.
    assert_eq!(a.hear_msg("private").await["seat"], 0);
    loop {
        let heard = stranger.hear().await;
        assert_ne!(heard["msg"], "private");
        if heard["why"]["what"] == "started" {
            break;
        }
    }
    house.close().await;
}
