//! The Python bot of `examples/`, run as a person would run it: a client written only from the protocol page.

use crate::common::{House, Http};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::process::Command;

/// Python with its `websockets`, from where this machine has them or can get them; nothing, with a word why, if it cannot.
async fn python() -> Option<Vec<(&'static str, PathBuf)>> {
    let imports = async |path: &Path| {
        let mut python = Command::new("python3");
        python.args(["-c", "import websockets.asyncio.client"]).env("PYTHONPATH", path).stderr(Stdio::null());
        python.status().await.is_ok_and(|status| status.success())
    };
    let here = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    if imports(Path::new("")).await {
        return Some(Vec::new());
    }
    if !imports(&here).await {
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--quiet", "--target"])
            .arg(&here)
            .arg("websockets")
            .stderr(Stdio::null());
        let _ = pip.status().await; // what came of it shows in the next line
        if !imports(&here).await {
            eprintln!(
                "skipped: this test needs python3 and its package websockets, and could not install it"
            );
            return None;
        }
    }
    Some(vec![("PYTHONPATH", here)])
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_bot_plays_a_whole_game_of_each_of_the_five() {
    let Some(environment) = python().await else { return };
    let house = House::open().await;
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bot.py");
    let url = format!("http://{}", house.address);
    let mut games = Vec::new();
    for kind in house::Kind::ALL {
        let guest = house.guest("Snake").await;
        let token = Http::post("/api/me/token").by(&guest).send(house.address).await.value()["token"]
            .as_str()
            .unwrap()
            .to_owned();
        let mut python = Command::new("python3");
        python.arg(&bot).args([&url, &token, kind.name()]).envs(environment.clone());
        games.push((kind, guest, tokio::spawn(python.output())));
    }
    for (kind, guest, game) in games {
        let out = tokio::time::timeout(crate::common::PATIENCE * 5, game)
            .await
            .expect("the game ends")
            .unwrap()
            .unwrap();
        let (said, wrong) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        let outcome: Value =
            serde_json::from_str(&said).unwrap_or_else(|_| panic!("{kind}: {said}\n{wrong}"));
        assert_eq!(outcome["ranks"].as_array().map(Vec::len), Some(2), "{kind}: {outcome}");
        let found =
            Http::get(&format!("/api/finished?person={}", guest.id)).send(house.address).await.value();
        assert_eq!(found["games"][0]["game"], kind.name());
        let table = found["games"][0]["table"].as_str().unwrap();
        let record = Http::get(&format!("/api/finished/{table}/record")).send(house.address).await.body;
        house::verify(&record).unwrap_or_else(|fault| panic!("{kind}: {fault}"));
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_bot_sits_down_at_somebodys_table() {
    let Some(environment) = python().await else { return };
    let house = House::open().await;
    let (ann, snake) = (house.guest("Ann").await, house.guest("Snake").await);
    let mut a = house.socket(&ann).await;
    let options = json!({"throws": 2, "window": 600});
    let seats = json!([{"for": "me"}, {"for": "bot", "level": 1}, {"for": "open"}]);
    let table = a.create(json!({"game": "roulette", "options": options, "seats": seats})).await;
    let token = Http::post("/api/me/token").by(&snake).send(house.address).await.value()["token"]
        .as_str()
        .unwrap()
        .to_owned();
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bot.py");
    let mut python = Command::new("python3");
    python
        .arg(&bot)
        .args([&format!("http://{}", house.address), &token, "roulette", &table])
        .envs(environment);
    let game = tokio::spawn(python.output());
    a.hear_event("ready").await;
    // The seat before the snake's goes; it moves up, and plays from there.
    a.done(json!({"cmd": "place", "table": table, "seat": 1, "wish": {"for": "nobody"}})).await;
    a.done(json!({"cmd": "start", "table": table})).await;
    for _ in 0..2 {
        a.act(&table, json!({"do": "ready"})).await;
        loop {
            // The throw comes when both are ready.
            let event = a.hear_msg("event").await;
            if event["public"]["players"][0]["ready"] == false || event["why"]["what"] == "over" {
                break;
            }
        }
    }
    let out =
        tokio::time::timeout(crate::common::PATIENCE, game).await.expect("the game ends").unwrap().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    house.close().await;
}
