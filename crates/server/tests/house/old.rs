//! Houses that older versions left: each opens, is brought up to date, and goes on, in its folder and moved to a database.

use crate::common::{Guest, House, Http, Wire};
use crate::engines::database;
use crate::postgres::{house_on, moved};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The house of version 930f6e7, copied where it may be changed.
pub(crate) struct Old {
    pub(crate) folder: TempDir,
    is: Value,
}

impl Old {
    pub(crate) fn kept() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old/930f6e7")
    }

    pub(crate) fn copy() -> Old {
        Old::left_by("930f6e7")
    }

    /// The same house, as a later version left it.
    pub(crate) fn left_by(version: &str) -> Old {
        let folder = tempfile::tempdir().unwrap();
        let file = Old::kept().with_file_name(version).join("parlor.db");
        std::fs::copy(file, folder.path().join("parlor.db")).unwrap();
        let is = std::fs::read_to_string(Old::kept().join("house.json")).unwrap();
        Old { folder, is: serde_json::from_str(&is).unwrap() }
    }

    /// The tables in this state, and their games.
    fn tables(&self, state: &str) -> Vec<(String, String)> {
        let all = self.is["tables"].as_object().unwrap().iter();
        let there = all.filter(|(_, what)| what[1] == state);
        there.map(|(id, what)| (id.clone(), what[0].as_str().unwrap().to_owned())).collect()
    }

    async fn guest(&self, house: &House, name: &str) -> Guest {
        let cookie = self.is["cookies"][name].as_str().unwrap().to_owned();
        let me = Http::get("/api/me").header("cookie", &cookie).send(house.address).await.value();
        assert_eq!(me["you"]["name"], name);
        Guest { id: me["you"]["id"].as_str().unwrap().to_owned(), name: name.to_owned(), cookie }
    }

    /// Everything that this house had goes on in the new one.
    pub(crate) async fn goes_on(&self, house: &House) {
        let (ann, ben) = (self.guest(house, "Ann").await, self.guest(house, "Ben").await);
        let token = format!("Bearer {}", self.is["tokens"]["Ben"].as_str().unwrap());
        let me = Http::get("/api/me").header("authorization", &token).send(house.address).await.value();
        assert_eq!(me["you"]["id"], ben.id, "his token is still his");
        let mut finished = 0;
        for (id, game) in self.tables("bots").into_iter().chain(self.tables("people")) {
            let record = Http::get(&format!("/api/finished/{id}/record")).send(house.address).await;
            if record.status == 404 {
                continue; // the bots were still at it when the house was closed
            }
            house::verify(&record.body).unwrap_or_else(|fault| panic!("{game}: {fault}"));
            finished += 1;
        }
        assert_eq!(finished, 5);
        let (mut a, mut b) = (house.socket(&ann).await, house.socket(&ben).await);
        for (id, game) in self.tables("running") {
            play_on(&mut a, &mut b, &id, &game).await;
        }
        for (id, game) in self.tables("waiting") {
            let before = a.view(&id).await;
            assert_eq!(before["room"]["phase"], "gathering", "{game}");
            b.done(json!({"cmd": "join", "table": id, "seed": "b"})).await;
            b.done(json!({"cmd": "ready", "table": id, "ready": true})).await;
            a.done(json!({"cmd": "start", "table": id})).await;
            assert_eq!(a.view(&id).await["room"]["phase"], "playing", "{game}");
        }
    }
}

/// A game in the middle: both players get up, the bots in their places act, and one of them comes back.
async fn play_on(a: &mut Wire, b: &mut Wire, id: &str, game: &str) {
    let before = a.view(id).await;
    assert_eq!(before["room"]["phase"], "playing", "{game}");
    if game == "roulette" {
        a.act(id, json!({"do": "lay", "bets": ["black=1"]})).await;
    }
    b.view(id).await;
    for wire in [&mut *a, &mut *b] {
        wire.done(json!({"cmd": "leave", "table": id})).await;
    }
    let acted = a.hear_event("acted").await;
    assert!(acted["seq"].as_u64() > before["seq"].as_u64(), "{game}: {acted}");
    b.done(json!({"cmd": "join", "table": id})).await;
    a.done(json!({"cmd": "unwatch", "table": id})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_of_930f6e7_opens_is_brought_up_to_date_and_goes_on() {
    opens_and_goes_on(Old::copy()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_of_7db12a1_opens_is_brought_up_to_date_and_goes_on() {
    opens_and_goes_on(Old::left_by("7db12a1")).await;
}

async fn opens_and_goes_on(old: Old) {
    let data = old.folder.path();
    let before = server::doctor(data, |_, _| {}).unwrap();
    assert_eq!((before.tables, before.verified, &before.faults), (13, 5, &Vec::new()));
    let house = House::at(data, |_| {}).await;
    for (id, game) in finished(&old) {
        let given = std::fs::read_to_string(Old::kept().join(format!("records/rec-{game}.jsonl"))).unwrap();
        let record = Http::get(&format!("/api/finished/{id}/record")).send(house.address).await;
        assert_eq!(record.body, given, "{game}: the record is given out as it always was");
    }
    old.goes_on(&house).await;
    house.close().await;
    let beside = std::fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path());
    let as_it_was = |path: &PathBuf| path.to_string_lossy().contains("before-version-");
    let kept: Vec<PathBuf> = beside.filter(as_it_was).collect();
    let [kept] = kept.as_slice() else { panic!("one copy of what the older version left: {kept:?}") };
    let kept = server::doctor(kept, |_, _| {}).unwrap();
    assert_eq!((kept.tables, kept.playing, kept.verified), (before.tables, before.playing, before.verified));
    // What was brought up to date is a house like any other.
    let house = House::at(data, |_| {}).await;
    let ann = old.guest(&house, "Ann").await;
    for (id, game) in old.tables("running").into_iter().chain(old.tables("waiting")) {
        assert_eq!(house.socket(&ann).await.view(&id).await["room"]["phase"], "playing", "{game}");
    }
    house.close().await;
    let after = server::doctor(data, |_, _| {}).unwrap();
    assert_eq!((after.tables, after.verified, &after.faults), (13, 5, &Vec::new()));
}

/// The finished tables, and what their records are called.
fn finished(old: &Old) -> Vec<(String, String)> {
    let named = |state: &'static str| {
        old.tables(state).into_iter().map(move |(id, game)| (id, format!("{game}-{state}")))
    };
    let there = |name: &str| Old::kept().join(format!("records/rec-{name}.jsonl")).exists();
    named("bots").chain(named("people")).filter(|(_, name)| there(name)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_of_930f6e7_moves_to_a_database_and_goes_on_there() {
    let Some(database) = database() else { return };
    let old = Old::copy();
    let url = database.database("house").unwrap();
    let moved = moved(old.folder.path(), &url).await.unwrap();
    assert_eq!((moved.tables, moved.verified, &moved.faults), (13, 5, &Vec::new()));
    let house = house_on(&url, old.folder.path()).await;
    old.goes_on(&house).await;
    house.close().await;
}
