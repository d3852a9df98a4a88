//! Tables whose game was begun under rules that this program does not play: by a later version, or by one that is long gone.

use crate::common::{Guest, House, Http, Pair};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use server::Health;
use server::store::sqlite::FILE;
use std::path::Path;
use table::Seed;
use table::record::{Head, Line, Reader, Scribe};

/// The rows of a table, which is the only one in its house: their number, whether they are lines of the record, and their text.
fn rows(data: &Path) -> Vec<(i64, bool, String)> {
    let db = Connection::open(data.join(FILE)).unwrap();
    let mut rows = db.prepare("SELECT id, kind, text FROM lines ORDER BY id").unwrap();
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    rows.query_map([], read).unwrap().map(Result::unwrap).collect()
}

/// Writes the record anew, as a program does that plays this revision of the rules: with an option that nobody else knows.
fn rewrite(data: &Path, rules: u32) {
    let db = Connection::open(data.join(FILE)).unwrap();
    let (mut reader, mut scribe) = (Reader::new(), Scribe::new());
    let mut first = true;
    for (number, is_line, text) in rows(data) {
        let new = if !is_line {
            text.replacen(r#""options":{"#, r#""options":{"unheard of":true,"#, 1)
        } else if std::mem::take(&mut first) {
            let mut head: Head<Value> = reader.head(&text).unwrap();
            head.options["unheard of"] = json!(true);
            scribe.head(&head.under(rules))
        } else {
            match reader.line::<Value>(&text).unwrap() {
                Line::Entry(entry) => scribe.event(entry.at, &entry.event),
                Line::End(at, end) => scribe.end(at, &end),
                Line::Throw(..) | Line::Anchor(..) => panic!("nobody has a chain here"),
            }
        };
        db.execute("UPDATE lines SET text = ?2 WHERE id = ?1", params![number, new]).unwrap();
    }
}

/// The house in this folder, whatever database other tests use.
async fn open(data: &Path) -> House {
    House::at(data, |config| (config.database, config.nats) = (None, None)).await
}

async fn doctor(data: &Path) -> Health {
    let data = data.to_owned();
    tokio::task::spawn_blocking(move || server::doctor(&data, |_, _| {}).unwrap()).await.unwrap()
}

/// The tables of somebody that are not over.
async fn open_tables(house: &House, guest: &Guest) -> usize {
    let me = Http::get("/api/me").by(guest).send(house.address).await.value();
    me["tables"].as_array().map_or(0, Vec::len)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_game_under_unknown_rules_is_broken_off_and_its_players_are_told_why() {
    for rules in [0, 9999] {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path();
        let house = open(data).await;
        let Pair { ann, ben, mut a, table, .. } = house.pair(json!({"throws": 3, "window": 600})).await;
        a.act(&table, json!({"do": "lay", "bets": ["black=5"]})).await;
        let before = a.view(&table).await;
        assert_eq!(open_tables(&house, &ben).await, 1);
        house.close().await;
        rewrite(data, rules);
        let begun = rows(data);

        let health = doctor(data).await;
        assert_eq!((health.aborted, health.playing, health.faults.len()), (1, 0, 0), "{health:?}");
        let note = &health.notes[0];
        assert!(note.contains(&format!("revision {rules} ")) && note.contains("will be closed"), "{note}");
        assert_eq!(rows(data), begun, "the doctor only looks");

        let house = open(data).await;
        let after = house.socket(&ann).await.view(&table).await;
        let why = after["room"]["closed"].as_str().unwrap();
        assert!(why.contains(&format!("revision {rules} ")) && why.contains("cannot go on"), "{why}");
        assert_eq!((&after["room"]["phase"], &after["public"]), (&json!("closed"), &Value::Null));
        assert_eq!(after["seq"].as_u64(), before["seq"].as_u64().map(|seq| seq + 1));
        let seed = Seed::try_from(after["room"]["seed"].as_str().unwrap().to_owned()).unwrap();
        assert_eq!(seed.commitment().to_string(), after["room"]["commit"], "its dice can be checked");
        let mut b = house.socket(&ben).await;
        for mut command in [
            json!({"cmd": "join", "seed": "b"}),
            json!({"cmd": "act", "act": {"do": "ready"}}),
            json!({"cmd": "rematch", "seed": "b"}),
        ] {
            command["table"] = json!(table);
            assert_eq!(b.refused(command.clone()).await, "closed", "{command}");
        }
        assert_eq!(open_tables(&house, &ben).await, 0);
        house.close().await;

        let ended = rows(data);
        assert_eq!(ended[..begun.len()], begun, "what was played stays as it was");
        assert_eq!(ended.len(), begun.len() + 1, "it is broken off once");
        let house = open(data).await;
        assert_eq!(house.socket(&ben).await.view(&table).await["room"]["closed"], why);
        house.close().await;
        assert_eq!(rows(data), ended);
        let health = doctor(data).await;
        assert_eq!((health.aborted, health.faults.len()), (1, 0), "{health:?}");
        assert!(health.notes[0].contains("was broken off"), "{health:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_under_unknown_rules_keeps_its_result_and_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let house = open(data).await;
    let Pair { ann, mut a, mut b, table, .. } = house.pair(json!({"throws": 1, "window": 600})).await;
    for player in [&mut a, &mut b] {
        player.act(&table, json!({"do": "ready"})).await;
    }
    let over = b.hear_event("over").await;
    house.close().await;
    rewrite(data, 9999);
    let health = doctor(data).await;
    assert_eq!((health.verified, health.aborted, health.faults.len()), (1, 0, 0), "{health:?}");
    assert!(health.notes[0].contains("the play was not checked"), "{health:?}");

    let house = open(data).await;
    let mut a = house.socket(&ann).await;
    let view = a.view(&table).await;
    assert!(view["room"]["closed"].as_str().unwrap().contains("cannot be shown"), "{view}");
    let (outcome, phase) = (&view["room"]["outcome"], &view["room"]["phase"]);
    assert_eq!((outcome, phase), (&over["why"]["outcome"], &json!("over")));
    let record = Http::get(&format!("/api/finished/{table}/record")).send(house.address).await.body;
    assert!(house::verify(&record).unwrap().unchecked().is_some());
    // The options are those of other rules: there is no table to be made with them.
    assert_eq!(a.refused(json!({"cmd": "rematch", "table": table, "seed": ""})).await, "bad-options");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_under_unknown_rules_that_was_touched_is_a_fault_and_not_broken_off() {
    let house = House::with(|config| (config.database, config.nats) = (None, None)).await;
    let Pair { ann, mut a, table, .. } = house.pair(json!({"throws": 3, "window": 600})).await;
    a.act(&table, json!({"do": "lay", "bets": ["black=5"]})).await;
    let folder = house.close().await.unwrap();
    let data = folder.path();
    rewrite(data, 9999);
    let db = Connection::open(data.join(FILE)).unwrap();
    let touched = db.execute("UPDATE lines SET text = replace(text, 'black=5', 'black=9')", []);
    assert!(touched.is_ok_and(|rows| rows > 0));
    drop(db);
    let before = rows(data);
    let health = doctor(data).await;
    assert!(health.aborted == 0 && health.faults[0].contains("the line was changed"), "{health:?}");
    let house = open(data).await;
    let code = house.socket(&ann).await.refused(json!({"cmd": "watch", "table": table})).await;
    assert_eq!(code, "damaged");
    house.close().await;
    assert_eq!(rows(data), before);
}
