//! Copies of a house: made while people play, from a folder or a database, and put back into either; and what is refused.

use crate::common::{House, Http, PATIENCE};
use crate::engines::{Database, database};
use crate::old::Old;
use crate::postgres::house_on;
use serde_json::{Value, json};
use server::store::office::Home;
use server::store::sqlite::{FILE, Sqlite};
use server::store::{Store, StoreFault};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

async fn backup(home: &Home, file: &Path) -> Result<(), StoreFault> {
    let (home, file) = (home.clone(), file.to_owned());
    tokio::task::spawn_blocking(move || server::backup(&home, &file)).await.unwrap()
}

/// Puts a copy back, as soon as whoever had the house a moment ago has let go of it.
async fn restore(file: &Path, home: &Home) -> Result<Option<String>, StoreFault> {
    let began = Instant::now();
    loop {
        let (from, to) = (file.to_owned(), home.clone());
        match tokio::task::spawn_blocking(move || server::restore(&from, &to)).await.unwrap() {
            Err(StoreFault::InUse(_)) if began.elapsed() < PATIENCE => {}
            done => return done,
        }
    }
}

async fn health(path: &Path) -> server::Health {
    let path = path.to_owned();
    tokio::task::spawn_blocking(move || server::doctor(&path, |_, _| {})).await.unwrap().unwrap()
}

async fn open(home: &Home, data: &Path) -> House {
    match home {
        Home::Folder(folder) => {
            House::at(folder, |config| (config.database, config.nats) = (None, None)).await
        }
        Home::Database(url) => house_on(url, data).await,
    }
}

fn homes(database: Option<&Database>, folder: &Path, name: &str) -> Vec<Home> {
    let there = database.map(|database| Home::Database(database.database(name).unwrap()));
    std::iter::once(Home::Folder(folder.join(name))).chain(there).collect()
}

/// How a table stands, as far as a copy keeps it.
fn standing(view: &Value) -> [Value; 3] {
    ["seq", "room", "public"].map(|field| view[field].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_either_store_is_put_back_into_either() {
    let (database, folder) = (database(), tempfile::tempdir().unwrap());
    let here = folder.path();
    for (at, from) in homes(database.as_ref(), here, "from").iter().enumerate() {
        let house = open(from, here).await;
        let mut over = house.pair(json!({"throws": 1, "window": 600})).await;
        over.a.act(&over.table, json!({"do": "ready"})).await;
        over.b.act(&over.table, json!({"do": "ready"})).await;
        over.a.hear_event("over").await;
        let mut playing = house.pair(json!({"throws": 3, "window": 600})).await;
        playing.a.act(&playing.table, json!({"do": "lay", "bets": ["black=5"]})).await;
        let before = playing.a.view(&playing.table).await;
        let path = format!("/api/finished/{}/record", over.table);
        let record = Http::get(&path).send(house.address).await.body;
        let file = here.join(format!("copy-{at}.db"));
        backup(from, &file).await.unwrap();
        assert!(backup(from, &file).await.is_err_and(|fault| fault.to_string().contains("already there")));
        // Comes after the copy, and is not in it.
        playing.b.act(&playing.table, json!({"do": "lay", "bets": ["red=5"]})).await;
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        house.close().await;
        let copied = health(&file).await;
        assert_eq!(
            (copied.tables, copied.verified, copied.playing, copied.faults.len()),
            (2, 1, 1, 0),
            "{copied:?}"
        );
        let (ann, table) = (&playing.ann, &playing.table);
        for to in homes(database.as_ref(), here, &format!("to{at}")) {
            assert_eq!(restore(&file, &to).await, Ok(None));
            let house = open(&to, here).await;
            assert_eq!(Http::get(&path).send(house.address).await.body, record);
            let mut wire = house.socket(ann).await;
            let after = wire.view(table).await;
            assert_eq!(standing(&before), standing(&after));
            // The clock stands in the copy, or ran as long as a sign of life came before it.
            let late = after["time"].as_i64().unwrap() - before["time"].as_i64().unwrap();
            assert!(late < 1_400, "{late} ms were charged after the copy");
            wire.act(table, json!({"do": "lay", "bets": ["black=1"]})).await;
            let fresh = house.guest("Cid").await;
            house.close().await;
            // A house that is there is kept beside, and nothing of it is lost.
            let aside = restore(&file, &to).await.unwrap().expect("the house that was there");
            match &to {
                Home::Folder(_) => assert_eq!(health(Path::new(&aside)).await.tables, 2),
                Home::Database(url) => {
                    assert_eq!(aside, "parlor_replaced_1");
                    let sql = format!("SELECT count(*) FROM {aside}.people WHERE id = '{}'", fresh.id);
                    let count: i64 = speak(url).await.query_one(&sql, &[]).await.unwrap().get(0);
                    assert_eq!(count, 1);
                }
            }
            let house = open(&to, here).await;
            assert_eq!(standing(&house.socket(ann).await.view(table).await), standing(&before));
            let gone = Http::get("/api/me").by(&fresh).send(house.address).await.value();
            assert_eq!(gone["you"], Value::Null, "who came later is not in the copy");
            house.close().await;
        }
    }
}

async fn speak(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_made_in_the_middle_of_everything_are_whole() {
    let (database, folder) = (database(), tempfile::tempdir().unwrap());
    for (at, from) in homes(database.as_ref(), folder.path(), "busy").iter().enumerate() {
        let house = open(from, folder.path()).await;
        let mut pairs = Vec::new();
        for _ in 0..4 {
            pairs.push(house.pair(json!({"throws": 10, "window": 600})).await);
        }
        let players: Vec<_> = pairs
            .into_iter()
            .map(|mut pair| {
                tokio::spawn(async move {
                    for number in 0..400_u32 {
                        let lay = json!({"do": "lay", "bets": ["black=1"]});
                        let act = if number % 2 == 0 { lay } else { json!({"do": "clear"}) };
                        pair.a.act(&pair.table, act).await;
                    }
                })
            })
            .collect();
        for number in 0..4 {
            let file = folder.path().join(format!("busy-{at}-{number}.db"));
            backup(from, &file).await.unwrap();
            let found = health(&file).await;
            assert_eq!((found.tables, found.playing, found.faults.len()), (4, 4, 0), "{found:?}");
        }
        for player in players {
            player.await.unwrap();
        }
        house.close().await;
    }
}

/// A house with somebody in it, and a copy of it.
async fn with_a_copy(folder: &Path) -> PathBuf {
    let home = Home::Folder(folder.join("source"));
    let house = open(&home, folder).await;
    house.pair(json!({"throws": 3, "window": 600})).await;
    house.close().await;
    let file = folder.join("copy.db");
    backup(&home, &file).await.unwrap();
    file
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_whole_copy_is_refused_and_the_house_is_as_it_was() {
    let (database, folder) = (database(), tempfile::tempdir().unwrap());
    let good = with_a_copy(folder.path()).await;
    let bytes = std::fs::read(&good).unwrap();
    let mut bad: Vec<(String, Vec<u8>)> = vec![
        ("nothing".into(), Vec::new()),
        ("text".into(), b"this is no house".to_vec()),
        ("half".into(), bytes[..bytes.len() / 2].to_vec()),
        ("all but a page".into(), bytes[..bytes.len() - 4_096].to_vec()),
    ];
    // A letter in somebody's name, which no structure of the file depends on.
    let name = bytes.windows(3).position(|three| three == b"Ben").unwrap();
    let mut changed = bytes.clone();
    changed[name] ^= 1;
    bad.push(("a letter".into(), changed));
    let foreign = folder.path().join("foreign");
    let db = rusqlite::Connection::open(&foreign).unwrap();
    db.execute_batch("PRAGMA user_version = 3; CREATE TABLE meta (name, value); CREATE TABLE notes (x)")
        .unwrap();
    drop(db);
    bad.push(("a database of another program".into(), std::fs::read(&foreign).unwrap()));
    let newer = folder.path().join("newer");
    std::fs::copy(&good, &newer).unwrap();
    rusqlite::Connection::open(&newer).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    bad.push(("a house of a later version".into(), std::fs::read(&newer).unwrap()));
    for home in homes(database.as_ref(), folder.path(), "kept") {
        let house = open(&home, folder.path()).await;
        let ann = house.guest("Zoe").await;
        house.close().await;
        for (what, bytes) in &bad {
            let file = folder.path().join("bad.db");
            std::fs::write(&file, bytes).unwrap();
            let says = restore(&file, &home).await.expect_err(what).to_string();
            assert!(says.contains("as it was") || says.contains("later Parlor"), "{what}: {says}");
        }
        assert!(restore(&folder.path().join("nowhere.db"), &home).await.is_err());
        let house = open(&home, folder.path()).await;
        let untouched =
            Http::get("/api/me").by(&ann).send(house.address).await.value()["you"]["name"] == "Zoe";
        house.close().await;
        assert!(untouched, "{home:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_with_a_wrong_byte_anywhere_is_refused_or_holds_what_it_held() {
    let folder = tempfile::tempdir().unwrap();
    let good = with_a_copy(folder.path()).await;
    let bytes = std::fs::read(&good).unwrap();
    let everything = |file: &Path| {
        let db = rusqlite::Connection::open(file).unwrap();
        let sql = "SELECT string_agg(text, ' ' ORDER BY id), (SELECT string_agg(id || name, ' ' ORDER BY id) FROM people) FROM lines";
        db.query_row(sql, [], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))).unwrap()
    };
    let (before, mut refused) = (everything(&good), 0);
    for at in (0..bytes.len()).step_by(997) {
        let (file, to) = (folder.path().join("bad.db"), folder.path().join(format!("to-{at}")));
        let mut changed = bytes.clone();
        changed[at] ^= 0x11;
        std::fs::write(&file, changed).unwrap();
        match restore(&file, &Home::Folder(to.clone())).await {
            Ok(_) => assert_eq!(everything(&to.join(FILE)), before, "byte {at}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused >= 3, "{refused} were refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_that_is_not_there_cannot_be_copied() {
    let (database, folder) = (database(), tempfile::tempdir().unwrap());
    for home in homes(database.as_ref(), folder.path(), "empty") {
        let file = folder.path().join("copy.db");
        let fault = backup(&home, &file).await.unwrap_err().to_string();
        assert!(fault.contains("no house"), "{fault}");
        assert!(!file.exists(), "half a copy is none");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_930f6e7_made_is_put_back_and_goes_on() {
    let (database, folder) = (database(), tempfile::tempdir().unwrap());
    for home in homes(database.as_ref(), folder.path(), "old") {
        let old = Old::copy();
        assert_eq!(restore(&old.folder.path().join(FILE), &home).await, Ok(None));
        let house = open(&home, folder.path()).await;
        old.goes_on(&house).await;
        house.close().await;
    }
}

#[tokio::test]
async fn an_older_house_is_copied_whole_before_it_is_changed_or_is_not_changed() {
    let old = Old::copy();
    let data = old.folder.path();
    let version = || {
        let db = rusqlite::Connection::open(data.join(FILE)).unwrap();
        db.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)).unwrap()
    };
    let before = version();
    // Nothing can be copied there: a folder is in the way, which cannot be removed like a file.
    let part = data.join("before-version.part");
    std::fs::create_dir(&part).unwrap();
    assert!(Sqlite::open(data, 1).is_err());
    assert_eq!(version(), before, "a house that cannot be copied is left as it is");
    std::fs::remove_dir(&part).unwrap();
    // Half a copy, of an upgrade that was broken off.
    std::fs::write(&part, "half").unwrap();
    Sqlite::open(data, 1).unwrap().close().await.unwrap();
    assert!(version() > before && !part.exists());
    let copies = || {
        let all = std::fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path());
        let mut found: Vec<PathBuf> =
            all.filter(|path| path.to_string_lossy().contains("before-version-")).collect();
        found.sort();
        found
    };
    let [first] = copies().try_into().unwrap();
    let health = server::doctor(&first, |_, _| {}).unwrap();
    assert_eq!((health.tables, health.verified, health.faults.len()), (13, 5, 0));
    // Somebody goes back, and comes again later: that is another copy.
    std::fs::copy(&first, data.join(FILE)).unwrap();
    for beside in ["db-wal", "db-shm"] {
        let _ = std::fs::remove_file(data.join(FILE).with_extension(beside));
    }
    Sqlite::open(data, 1).unwrap().close().await.unwrap();
    assert_eq!(copies().len(), 2);
}
