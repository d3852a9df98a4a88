//! The same house on PostgreSQL: a cluster of its own in a temporary folder, the suite that every store passes, a database that goes away
//! and comes back, and a move from SQLite. Skipped, with a word why, where PostgreSQL is not installed.

use crate::common::{DATABASE, House, Http, NATS, PATIENCE, Wire, guest, roomy};
use crate::engines::{database, nats};
use crate::store::every_store_must;
use serde_json::json;
use server::store::moving::move_house;
use server::store::postgres::Postgres;
use server::store::{Store, StoreFault};
use server::{Config, Parts};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

#[tokio::test(flavor = "multi_thread")]
async fn postgres_does_what_every_store_must_do() {
    let Some(database) = database() else { return };
    let url = database.database("house").unwrap();
    let store = Postgres::open(&url, 10_000).await.unwrap();
    every_store_must(&store, 10_000).await;
    let secret = store.secret();
    store.close().await.unwrap();
    assert_eq!(store.alive(1).await, Err(StoreFault::Closed));
    let store = Postgres::open(&url, 20_000).await.unwrap();
    assert_eq!((store.secret(), store.last_alive()), (secret, 10_640));
    assert_eq!(store.load("t3".to_owned(), 1_000_000).await.unwrap().unwrap().rows.len(), 21);
    // Who asks with what no text can hold is nobody, not a fault.
    assert_eq!(store.person("a\0b".to_owned()).await, Ok(None));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_server_at_a_time_has_a_database_and_one_that_was_replaced_writes_no_more() {
    let Some(database) = database() else { return };
    let url = database.database("house").unwrap();
    let first = Postgres::open(&url, 1).await.unwrap();
    let second = Postgres::open(&url, 2).await.err();
    assert!(matches!(second, Some(StoreFault::InUse(_))), "{second:?}");
    // The database falls over; while the first server looks for it, another takes the house.
    database.down().unwrap();
    database.up().unwrap();
    let second = Postgres::open(&url, 3).await;
    let late = first.alive(4).await;
    match second {
        Ok(second) => {
            assert!(matches!(late, Err(StoreFault::InUse(_))), "{late:?}");
            second.close().await.unwrap();
            // Even when the other has gone: what this one remembers may be old.
            assert!(matches!(first.alive(5).await, Err(StoreFault::InUse(_))));
        }
        Err(fault) => panic!("{fault}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_none_says_what_to_write() {
    for (url, words) in
        [("nowhere at all", "write postgres://"), ("postgres://h/d?sslmode=require", "without TLS")]
    {
        let fault = Postgres::open(url, 1).await.err().map(|fault| fault.to_string()).unwrap_or_default();
        assert!(fault.contains(words), "{url}: {fault}");
    }
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let fault = Postgres::open(&format!("postgres://p@{closed}/d"), 1).await.err();
    assert_eq!(fault, Some(StoreFault::Lost));
}

/// Tests that are about folders and files, or have been here already.
const FOLDERS: [&str; 9] = [
    "work::",
    "store::",
    "postgres::",
    "cluster::",
    "backup",
    "has_a_folder",
    "disk",
    "may_not_grow",
    "while_nothing_can_be_written",
];

#[test]
fn everything_else_that_holds_in_a_folder_holds_in_a_database() {
    let Some(database) = database() else { return };
    let mut suite = Command::new(std::env::current_exe().unwrap());
    suite.env(DATABASE, database.url());
    the_suite_passes(suite, &FOLDERS);
}

/// Tests that are about one process, or about bounds that each node keeps for itself (sockets of an address, questions that wait) or hears of a moment
/// later (`cluster::what_one_node_allows_counts_at_the_others`).
const ONE_NODE: [&str; 5] = [
    "child_server",
    "fifty_times_killed",
    "an_address_has_only_so_many_sockets",
    "too_many_guests_are_turned_away",
    "questions_wait_in_a_bounded_queue",
];

#[test]
fn everything_else_that_holds_in_a_folder_holds_at_three_nodes() {
    let (Some(database), Some(nats)) = (database(), nats()) else { return };
    let mut suite = Command::new(std::env::current_exe().unwrap());
    suite.env(DATABASE, database.url()).env(NATS, nats.url());
    the_suite_passes(suite, &[&FOLDERS[..], &ONE_NODE].concat());
}

fn the_suite_passes(mut suite: Command, without: &[&str]) {
    suite.args(without.iter().flat_map(|name| ["--skip", name])).args(["--test-threads", "4"]);
    let out = suite.output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    let ran = said.lines().filter(|line| line.ends_with("... ok")).count();
    assert!(
        out.status.success() && ran > 30,
        "{ran} passed\n{said}\n{}",
        String::from_utf8_lossy(&out.stderr)
    );
}

async fn house_on(url: &str, data: &Path) -> House {
    let mut config = Config::new("127.0.0.1:0".parse().unwrap(), data);
    config.database = Some(url.to_owned());
    roomy(&mut config);
    House::run(server::Server::bind(config, Parts::default()).await.unwrap(), data)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_falls_over_and_comes_back_loses_nothing_and_does_nothing_twice() {
    let Some(database) = database() else { return };
    let folder = tempfile::tempdir().unwrap();
    let house = house_on(&database.database("house").unwrap(), folder.path()).await;
    let ann = house.guest("Ann").await;
    let mut a = house.socket(&ann).await;
    let options = json!({"throws": 10_000, "window": 3600});
    let table = a.create(json!({"game": "roulette", "options": options, "seats": [{"for": "me"}]})).await;
    let mut seq = a.done(json!({"cmd": "start", "table": table})).await["seq"].as_u64().unwrap();
    let mut act = 0;
    for _ in 0..3 {
        for _ in 0..20 {
            act += 1;
            seq += 1;
            let what =
                if act % 2 == 1 { json!({"do": "lay", "bets": ["black=1"]}) } else { json!({"do": "clear"}) };
            assert_eq!(a.act(&table, what).await["seq"], seq);
        }
        // In the middle of an act: it is answered when the database is back.
        a.id += 1;
        act += 1;
        seq += 1;
        let what =
            if act % 2 == 1 { json!({"do": "lay", "bets": ["black=1"]}) } else { json!({"do": "clear"}) };
        a.send(&json!({"cmd": "act", "id": a.id, "table": table, "act": what})).await;
        database.down().unwrap();
        database.up().unwrap();
        let answer = a.answer(a.id).await;
        assert_eq!((&answer["msg"], &answer["seq"]), (&json!("done"), &json!(seq)), "{answer}");
    }
    assert_eq!(a.view(&table).await["seq"], seq);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_moves_from_a_folder_to_a_database_with_everything_it_has() {
    let Some(database) = database() else { return };
    let folder = tempfile::tempdir().unwrap();
    let house = House::at(folder.path(), |_| {}, Parts::default()).await;
    // One game over, one in the middle, one that gathers, and a name that needs care.
    let mut over = house.pair(json!({"throws": 1, "window": 600})).await;
    over.a.act(&over.table, json!({"do": "ready"})).await;
    over.b.act(&over.table, json!({"do": "ready"})).await;
    over.a.hear_event("over").await;
    let mut playing = house.pair(json!({"throws": 3, "window": 600})).await;
    playing.a.act(&playing.table, json!({"do": "lay", "bets": ["black=5"]})).await;
    let odd = guest(house.address, r"Zoë \N \t \\x").await;
    let mut z = house.socket(&odd).await;
    let gathering = z.create(json!({"game": "cubo", "seats": [{"for": "me"}, {"for": "open"}]})).await;
    let before = (playing.a.view(&playing.table).await, z.view(&gathering).await);
    let path = format!("/api/finished/{}/record", over.table);
    let record = Http::get(&path).send(house.address).await.body;
    let url = database.database("house").unwrap();
    let busy = move_house(folder.path(), &url, |_, _| {}).await;
    assert!(matches!(busy, Err(StoreFault::InUse(_))), "{busy:?}");
    house.close().await;

    let (mut told, began) = (0, Instant::now());
    let moved = loop {
        match move_house(folder.path(), &url, |at, all| {
            assert!(at <= all && at >= told);
            told = at;
        })
        .await
        {
            // The connections of the first try may take a moment to go.
            Err(StoreFault::InUse(_)) if began.elapsed() < PATIENCE => {}
            other => break other.unwrap(),
        }
    };
    assert_eq!((moved.tables, moved.verified, &moved.faults), (3, 1, &Vec::new()));
    let again = move_house(folder.path(), &url, |_, _| {}).await;
    assert!(matches!(&again, Err(StoreFault::Broken(why)) if why.contains("already")), "{again:?}");

    // The same cookies, the same tables, and play goes on.
    let house = house_on(&url, folder.path()).await;
    let mut a = house.socket(&playing.ann).await;
    let after = (a.view(&playing.table).await, house.socket(&odd).await.view(&gathering).await);
    for (before, after) in [(&before.0, &after.0), (&before.1, &after.1)] {
        assert_eq!(
            (&before["seq"], &before["room"], &before["public"]),
            (&after["seq"], &after["room"], &after["public"])
        );
    }
    assert_eq!(Http::get(&path).send(house.address).await.body, record);
    let found = Http::get("/api/finished?name=an").send(house.address).await.value();
    assert_eq!(found["games"][0]["table"], over.table);
    a.act(&playing.table, json!({"do": "lay", "bets": ["black=1"]})).await;
    let mut wire = Wire::open(house.address, &odd, "moved").await;
    wire.create(json!({"game": "cubo", "seats": [{"for": "me"}, {"for": "open"}]})).await;
    house.close().await;
}
