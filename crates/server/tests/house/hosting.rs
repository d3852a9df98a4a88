//! For who hosts: health, metrics, the description of the API, backup, doctor, a clean stop, and the queue of questions.

use crate::common::{House, Http, PATIENCE};
use serde_json::{Value, json};
use server::NoPage;
use server::store::office::Home;
use std::time::Duration;
use tokio::io::AsyncReadExt;

#[tokio::test(flavor = "multi_thread")]
async fn health_metrics_and_the_description_of_the_api_are_there() {
    let house = House::open().await;
    let get = |path: &'static str| Http::get(path).send(house.address);
    assert_eq!(get("/healthz").await.status, 200);
    assert_eq!(get("/readyz").await.body, "ready\n");
    let metrics = Http::get("/metrics").send(house.nodes[0].metrics.unwrap()).await.body;
    for name in [
        "parlor_tables",
        "parlor_sockets",
        "parlor_acts_total",
        "parlor_store_waiting",
        "parlor_store_commit_seconds_count",
    ] {
        assert!(metrics.contains(&format!("\n{name} ")), "{name} in {metrics}");
    }
    let api = get("/api/openapi.json").await.value();
    for path in ["/api/me", "/api/finished/{table}/record", "/api/solve/{game}", "/readyz"] {
        assert!(api["paths"].get(path).is_some(), "{path}");
    }
    let page = get("/api/docs").await.body;
    assert!(!page.contains("http://") && !page.contains("https://"), "the page needs nothing from elsewhere");
    let games = get("/api/games").await.value();
    assert_eq!(games.as_array().unwrap().len(), 5);
    assert!(
        games
            .as_array()
            .unwrap()
            .iter()
            .all(|game| game["levels"].as_u64().unwrap() >= 1 && game["options"].is_object())
    );
    assert_eq!(get("/api/nothing").await.status, 404);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_carries_the_usual_headers_and_no_invitation_leaks() {
    let house = House::open().await;
    for path in ["/", "/t/0123456789abcdefghjkmnpqrs", "/api/games", "/nothing.txt", "/ws"] {
        let answer = Http::get(path).send(house.address).await;
        for header in [
            "content-security-policy",
            "x-content-type-options",
            "referrer-policy",
            "x-frame-options",
            "x-request-id",
        ] {
            assert!(answer.header(header).is_some(), "{path} {header}");
        }
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    }
    assert_eq!(Http::get("/t/0123456789abcdefghjkmnpqrs").send(house.address).await.status, 200);
    assert_eq!(Http::get("/nothing.txt").send(house.address).await.status, 404);
    let long = json!({"name": "x".repeat(100_000)});
    assert_eq!(Http::post("/api/me").json(&long).send(house.address).await.status, 413);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clean_stop_tells_the_sockets_and_leaves_everything_on_disk() {
    let house = House::open().await;
    let mut pair = house.pair(json!({"throws": 3, "window": 600})).await;
    pair.a.act(&pair.table, json!({"do": "lay", "bets": ["black=5"]})).await;
    let before = pair.a.view(&pair.table).await;
    let closing = tokio::spawn(house.close());
    assert_eq!(pair.a.closed().await.map(|frame| u16::from(frame.code)), Some(1012));
    let folder = closing.await.unwrap().unwrap();
    let house = House::at(folder.path(), |_| {}).await;
    let after = house.socket(&pair.ann).await.view(&pair.table).await;
    assert_eq!((&before["seq"], &before["public"]), (&after["seq"], &after["public"]));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_server_at_a_time_has_a_folder() {
    let house = House::open().await;
    let config = server::Config::new("127.0.0.1:0".parse().unwrap(), &house.data);
    let second = server::Server::bind(config, NoPage).await;
    let words = second.err().map(|fault| fault.to_string()).unwrap_or_default();
    assert!(words.contains("another server is using"), "{words}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_made_while_people_play_passes_the_doctor() {
    let house = House::open().await;
    let mut pair = house.pair(json!({"throws": 1, "window": 600})).await;
    pair.a.act(&pair.table, json!({"do": "ready"})).await;
    let file = house.data.join("copy.db");
    let (data, copy) = (house.data.clone(), file.clone());
    tokio::task::spawn_blocking(move || server::backup(&Home::Folder(data), &copy)).await.unwrap().unwrap();
    assert!(server::backup(&Home::Folder(house.data.clone()), &file).is_err(), "nothing is written over");
    pair.b.act(&pair.table, json!({"do": "ready"})).await;
    pair.b.hear_event("over").await;
    let check = |path: std::path::PathBuf| {
        tokio::task::spawn_blocking(move || server::doctor(&path, |_, _| {}).unwrap())
    };
    let copy = check(file).await.unwrap();
    assert_eq!((copy.tables, copy.playing, copy.verified, copy.faults.len()), (1, 1, 0, 0), "{copy:?}");
    let live = check(house.data.clone()).await.unwrap();
    assert_eq!((live.tables, live.playing, live.verified, live.faults.len()), (1, 0, 1, 0), "{live:?}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_put_back_and_the_house_that_was_there_is_kept() {
    let house = House::open().await;
    let mut pair = house.pair(json!({"throws": 1, "window": 600})).await;
    let (early, late, other) =
        (house.data.join("early.db"), house.data.join("late.db"), house.data.join("other"));
    let copies = (house.data.clone(), early.clone(), late.clone());
    let copy = |from: std::path::PathBuf, to: std::path::PathBuf| {
        tokio::task::spawn_blocking(move || server::backup(&Home::Folder(from), &to).unwrap())
    };
    copy(copies.0.clone(), copies.1).await.unwrap();
    pair.a.act(&pair.table, json!({"do": "ready"})).await;
    pair.b.act(&pair.table, json!({"do": "ready"})).await;
    pair.b.hear_event("over").await;
    copy(copies.0, copies.2).await.unwrap();
    let in_use = server::restore(&early, &Home::Folder(house.data.clone())).unwrap_err().to_string();
    let data = house.data.clone();
    tokio::task::spawn_blocking(move || {
        assert!(in_use.contains("another"), "a house that is open is left alone: {in_use}");
        let health = |path: &dyn AsRef<std::path::Path>| server::doctor(path.as_ref(), |_, _| {}).unwrap();
        let there = Home::Folder(other.clone());
        assert_eq!(server::restore(&late, &there).unwrap(), None);
        assert_eq!((health(&other).verified, health(&other).playing), (1, 0));
        let nonsense = data.join("nonsense.db");
        std::fs::write(&nonsense, "this is no house").unwrap();
        assert!(server::restore(&nonsense, &there).is_err());
        assert!(server::restore(&data.join("nowhere.db"), &there).is_err());
        assert_eq!(health(&other).verified, 1, "what is refused changes nothing");
        let aside = server::restore(&early, &there).unwrap().expect("the house that was there");
        assert_eq!((health(&other).verified, health(&other).playing), (0, 1));
        assert_eq!((health(&aside).verified, health(&aside).playing), (1, 0));
        assert_eq!(server::restore(&late, &there).unwrap().map(|again| again != aside), Some(true));
        assert_eq!(health(&aside).verified, 1, "nothing that was moved aside is written over");
    })
    .await
    .unwrap();
    house.close().await;
}

/// A question that is answered at once, and one that takes as long as it may.
fn quick() -> Http {
    Http::post("/api/solve/iqubes").json(&json!({"dice": "DASHTo!"}))
}

fn endless() -> Http {
    let question = json!({"dice": "ADEGILNOPRST??", "any_letters": true, "all": 1_000});
    Http::post("/api/solve/scribbage").json(&question).header("accept", "application/x-ndjson")
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_wait_in_a_bounded_queue_and_stop_when_the_asker_hangs_up() {
    let house = House::with(|config| (config.limits.thinkers, config.limits.questions) = (1, 1)).await;
    let answer = quick().send(house.address).await.value();
    assert_eq!(answer["proven"], true, "{answer}");
    // A stream tells how far it has come, and ends with the answer.
    let stream = quick().header("accept", "application/x-ndjson").send(house.address).await.body;
    let lines: Vec<Value> = stream.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.last().unwrap()["answer"]["score"], answer["score"], "{stream}");
    let mut working = endless().start(house.address).await;
    let (mut told, mut bytes) = (String::new(), [0; 4_096]);
    while !told.contains("progress") {
        let read = tokio::time::timeout(PATIENCE, working.read(&mut bytes)).await.expect("news in time");
        let news = &bytes[..read.unwrap()];
        assert!(!news.is_empty(), "it ended without news: {told}");
        told += &String::from_utf8_lossy(news);
    }
    // One works, one waits, the next comes back later.
    let waiting = endless().start(house.address).await;
    let asked = async {
        while house.metric("parlor_questions").await < 2.0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asked).await.expect("both are in the queue");
    let full = quick().send(house.address).await;
    assert!(full.status == 503 && full.header("retry-after").is_some(), "{full:?}");
    // Who hangs up is forgotten, working or waiting: neither would ever have come to an end.
    drop((working, waiting));
    let answered = async {
        while quick().send(house.address).await.status != 200 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, answered).await.expect("a place is free again");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_solver_answers_strangers_within_bounds() {
    let house = House::open().await;
    let ask = |game: &str, question: Value| Http::post(&format!("/api/solve/{game}")).json(&question);
    let odds = ask("roulette", json!({"slip": "15=2"})).send(house.address).await.value();
    assert_eq!((&odds["expectation"], &odds["net"]["15"]), (&json!(0), &json!(70)), "{odds}");
    let greedy = ask("scribbage", json!({"dice": "PLANT", "all": 1_000_000})).send(house.address).await;
    assert_eq!((greedy.status, &greedy.value()["code"]), (422, &json!("too-many-layouts")));
    assert_eq!(ask("chess", json!({})).send(house.address).await.status, 404);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coach_speaks_to_the_owner_of_a_seat_only() {
    let house = House::open().await;
    let mut pair = house.pair(json!({"throws": 1, "window": 600})).await;
    let path = format!("/api/coach/{}", pair.table);
    let owner = Http::get(&path).by(&pair.ann).send(house.address).await;
    assert_eq!(owner.status, 200, "{}", owner.body);
    assert_eq!(
        Http::get(&format!("{path}?seat=0")).by(&pair.ben).send(house.address).await.value()["code"],
        "not-your-seat"
    );
    assert_eq!(
        Http::get(&format!("{path}?seat=0")).send(house.address).await.value()["code"],
        "not-your-seat"
    );
    assert_eq!(Http::get("/api/coach/0123456789abcdefghjkmnpqrs").send(house.address).await.status, 404);
    pair.a.act(&pair.table, json!({"do": "ready"})).await;
    pair.b.act(&pair.table, json!({"do": "ready"})).await;
    pair.a.hear_event("over").await;
    assert_eq!(Http::get(&format!("{path}?seat=0")).send(house.address).await.status, 200);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_never_ends_is_cut_off() {
    let house = House::with(|config| config.limits.patience = Duration::from_millis(200)).await;
    let mut stream = tokio::net::TcpStream::connect(house.address).await.unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut stream, b"GET / HTTP/1.1\r\nx: ").await.unwrap();
    let mut rest = Vec::new();
    tokio::time::timeout(crate::common::PATIENCE, stream.read_to_end(&mut rest)).await.expect("cut off").ok();
    house.close().await;
}
