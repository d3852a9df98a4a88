//! The same house on PostgreSQL: a cluster of its own in a temporary folder, the suite that every store passes, a database that goes away
//! and comes back, and a move from SQLite. Skipped, with a word why, where PostgreSQL is not installed.

use crate::common::{DATABASE, House, Http, NATS, PATIENCE, Wire, guest, roomy};
use crate::engines::{Database, database, nats};
use crate::store::{
    a_best_is_kept_however_long_its_options_are, every_store_must, load, long_options, new_table,
    played_alone, row, rows,
};
use futures_util::future::join_all;
use protocol::http::Person;
use serde_json::json;
use server::store::moving::{Moved, move_house};
use server::store::office::{self, Deed, Home};
use server::store::postgres::Postgres;
use server::store::sqlite::{FILE, Sqlite};
use server::store::{Append, Claim, Kind, Stage, Store, StoreFault};
use server::{Config, NoPage};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

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

/// Somebody who speaks to a database himself.
async fn speak(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

// In one thread: everything is asked for before the writer comes to it, and so all of it is one group.
#[tokio::test]
async fn a_write_that_the_database_refuses_hurts_nobody_else_in_its_group() {
    let Some(database) = database() else { return };
    let store = Postgres::open(&database.database("house").unwrap(), 1).await.unwrap();
    let mut keys = Vec::new();
    for id in ["t1", "t2", "t3"] {
        store.make(new_table(id, id)).await.unwrap();
        keys.push(load(&store, id).await.key);
    }
    let fenced = server::store::TableKey { epoch: 7, ..keys[2] };
    let commits = store.gauges().commits;
    let said = join_all([
        store.append(rows(keys[0], 1, vec![row(Kind::Life, "good", 2)])),
        store.append(rows(keys[1], 1, vec![row(Kind::Life, "no text holds \0", 2)])),
        store.append(rows(fenced, 1, vec![row(Kind::Life, "late", 2)])),
        store.append(rows(keys[0], 2, vec![row(Kind::Life, "and good", 2)])),
    ])
    .await;
    assert_eq!((&said[0], &said[2], &said[3]), (&Ok(()), &Err(StoreFault::Fenced), &Ok(())));
    assert!(matches!(&said[1], Err(StoreFault::Broken(_))), "{said:?}");
    assert!(store.gauges().commits > commits + 1, "they were one group, and then each its own");
    for (id, texts) in
        [("t1", vec!["first", "good", "and good"]), ("t2", vec!["first"]), ("t3", vec!["first"])]
    {
        let stored = load(&store, id).await;
        assert_eq!(stored.rows.iter().map(|row| row.text.as_str()).collect::<Vec<_>>(), texts);
    }
    store.alive(3).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_written_before_without_an_answer_is_not_written_twice() {
    let Some(database) = database() else { return };
    let url = database.database("house").unwrap();
    let store = Postgres::open(&url, 1).await.unwrap();
    store.make(new_table("t1", "t1")).await.unwrap();
    let key = load(&store, "t1").await.key;
    let add = |first, text| store.append(rows(key, first, vec![row(Kind::Life, text, 2)]));
    for _ in 0..2 {
        assert_eq!(add(1, "second").await, Ok(()));
    }
    assert_eq!(add(1, "another second").await, Err(StoreFault::Fenced));
    // Somebody is still writing there: most likely this server, on a connection that broke when it was about to be answered.
    let other = speak(&url).await;
    for (n, text, said) in [(2, "third", Ok(())), (3, "of somebody else", Err(StoreFault::Fenced))] {
        let begun = format!(
            "BEGIN; INSERT INTO parlor.lines (tab, n, kind, wall, text) VALUES (1, {n}, 0, 2, '{text}')"
        );
        other.batch_execute(&begun).await.unwrap();
        let adding = tokio::spawn(add(n, if n == 2 { "third" } else { "fourth" }));
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!adding.is_finished(), "the key waits for whoever is there");
        other.batch_execute("COMMIT").await.unwrap();
        assert_eq!(adding.await.unwrap(), said);
    }
    // One that is given up leaves the place free.
    let begun = "BEGIN; INSERT INTO parlor.lines (tab, n, kind, wall, text) VALUES (1, 4, 0, 2, 'given up')";
    other.batch_execute(begun).await.unwrap();
    let adding = tokio::spawn(add(4, "fifth"));
    tokio::time::sleep(Duration::from_millis(300)).await;
    other.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(adding.await.unwrap(), Ok(()));
    let stored = load(&store, "t1").await;
    let texts: Vec<&str> = stored.rows.iter().map(|row| row.text.as_str()).collect();
    assert_eq!(texts, ["first", "second", "third", "of somebody else", "fifth"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn bests_of_the_version_before_are_found_by_their_options_again() {
    let Some(database) = database() else { return };
    let url = database.database("house").unwrap();
    Postgres::open(&url, 1).await.unwrap().close().await.unwrap();
    let options = json!({"set": "a".repeat(9_000)}).to_string(); // an index takes that: it can be made shorter
    let back = format!(
        "SET search_path TO parlor; DELETE FROM version WHERE version >= 5; DROP TABLE audit, keys; DROP FUNCTION audit_is_kept;
         ALTER TABLE people DROP COLUMN suspended; ALTER TABLE tables DROP COLUMN closing;
         ALTER TABLE bests DROP COLUMN whole; DROP FUNCTION options_key;
         INSERT INTO bests VALUES ('eve', 'cubo', '{options}', 7, 't', 1), ('eve', 'cubo', '{{}}', 3, 't', 1)"
    );
    speak(&url).await.batch_execute(&back).await.unwrap();
    let store = Postgres::open(&url, 2).await.unwrap();
    let mut bests = played_alone(&store, "eve", &options, 9).await;
    bests.sort_by_key(|best| best.score);
    let known: Vec<_> = bests.iter().map(|best| (best.score, best.options.to_string())).collect();
    assert_eq!(known, [(3, "{}".to_owned()), (9, options)]);
}

/// How many nodes the house knows.
async fn nodes(url: &str) -> i64 {
    speak(url).await.query_one("SELECT count(*) FROM parlor.nodes", &[]).await.unwrap().get(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn dead_nodes_leave_and_a_start_that_failed_was_never_there() {
    let Some(database) = database() else { return };
    let url = database.database("house").unwrap();
    let first = Postgres::join(&url).await.unwrap();
    first.make(new_table("t1", "t1")).await.unwrap();
    let Claim::Mine(stored) = first.claim("t1".to_owned(), 1).await.unwrap() else { panic!("it is free") };
    let playing =
        Append { stage: Some(Stage::Playing), ..rows(stored.key, 1, vec![row(Kind::Life, "on", 2)]) };
    first.append(playing).await.unwrap();
    let idle = Postgres::join(&url).await.unwrap();
    assert_eq!(nodes(&url).await, 2);
    // Both die; one had a game, whose clock goes by its last sign of life.
    drop((first, idle));
    tokio::time::sleep(Duration::from_secs(4)).await;
    let second = Postgres::join(&url).await.unwrap();
    assert_eq!(nodes(&url).await, 2);
    assert!(matches!(second.claim("t1".to_owned(), 1).await, Ok(Claim::Mine(_))));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut config = Config::new(taken.local_addr().unwrap(), "nowhere");
    config.database = Some(url.clone());
    config.nats = nats().map(|nats| nats.url());
    if config.nats.is_some() {
        // This NATS is gone again already.
        assert!(server::Server::bind(config.clone(), NoPage).await.is_err());
        assert_eq!(nodes(&url).await, 1, "it found no NATS; and nothing is needed of the dead node any more");
    }
    second.close().await.unwrap();
    config.nats = None;
    assert!(server::Server::bind(config, NoPage).await.is_err());
    let left: i64 =
        speak(&url).await.query_one("SELECT sum(node)::bigint FROM parlor.nodes", &[]).await.unwrap().get(0);
    assert_eq!(
        left,
        second.node().0,
        "whose start failed has left nothing; the clock of a game goes by this one"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_log_of_a_database_is_only_added_to() {
    let Some(database) = database() else { return };
    let url = database.database("house").unwrap();
    Postgres::open(&url, 1).await.unwrap().close().await.unwrap();
    let office = office::open(&Home::Database(url.clone())).await.unwrap();
    assert_eq!(office.carry_out(Deed::Revoke, "test".to_owned(), 7).await, Ok(true));
    let client = speak(&url).await;
    for sql in ["UPDATE parlor.audit SET who = 'nobody'", "DELETE FROM parlor.audit"] {
        assert!(client.batch_execute(sql).await.is_err(), "{sql}");
    }
    assert_eq!(office.audit(9).await.unwrap().len(), 1);
}

/// Moves a house, as soon as whoever had it a moment ago has let go of the folder and the database.
pub(crate) async fn moved(folder: &Path, url: &str) -> Result<Moved, StoreFault> {
    let began = Instant::now();
    loop {
        match move_house(folder, url, |_, _| {}).await {
            Err(StoreFault::InUse(_)) if began.elapsed() < PATIENCE => {}
            done => return done,
        }
    }
}

/// A house in a folder with a person who has a motto, and a database where nothing is kept yet: a column that this program does not know.
async fn with_a_motto(database: &Database) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let old = Sqlite::open(folder.path(), 1).unwrap();
    old.name_person(Person { id: "ann".to_owned(), name: "Ann".to_owned() }, 1).await.unwrap();
    old.close().await.unwrap();
    let db = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    db.execute_batch("ALTER TABLE people ADD COLUMN motto TEXT; UPDATE people SET motto = 'a\tb'").unwrap();
    let url = database.database("house").unwrap();
    Postgres::open(&url, 1).await.unwrap().close().await.unwrap();
    (folder, url)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_column_moves_because_it_is_there_and_one_without_a_place_is_not_lost() {
    let Some(database) = database() else { return };
    let (folder, url) = with_a_motto(&database).await;
    let there = speak(&url).await;
    let lost = moved(folder.path(), &url).await;
    assert!(
        matches!(&lost, Err(StoreFault::Broken(why)) if why.contains("no place for motto of people")),
        "{lost:?}"
    );
    there.batch_execute("ALTER TABLE parlor.people ADD COLUMN motto text").await.unwrap();
    moved(folder.path(), &url).await.unwrap();
    let motto: String = there.query_one("SELECT motto FROM parlor.people", &[]).await.unwrap().get(0);
    assert_eq!(motto, "a\tb");
}

#[tokio::test(flavor = "multi_thread")]
async fn if_one_value_does_not_arrive_as_it_was_nothing_is_moved() {
    let Some(database) = database() else { return };
    let (folder, url) = with_a_motto(&database).await;
    let there = speak(&url).await;
    let spoilt = "SET search_path TO parlor; ALTER TABLE people ADD COLUMN motto text;
        CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.motto := NULL; RETURN NEW; END';
        CREATE TRIGGER spoil BEFORE INSERT ON people FOR EACH ROW EXECUTE FUNCTION spoil()";
    there.batch_execute(spoilt).await.unwrap();
    let said = moved(folder.path(), &url).await;
    assert!(
        matches!(&said, Err(StoreFault::Broken(why)) if why.starts_with("people did not arrive")),
        "{said:?}"
    );
    let people: i64 = there.query_one("SELECT count(*) FROM people", &[]).await.unwrap().get(0);
    assert_eq!(people, 0, "all or nothing");
    there.batch_execute("DROP TRIGGER spoil ON people").await.unwrap();
    moved(folder.path(), &url).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn bests_with_long_options_move_too() {
    let Some(database) = database() else { return };
    let folder = tempfile::tempdir().unwrap();
    let old = Sqlite::open(folder.path(), 1).unwrap();
    a_best_is_kept_however_long_its_options_are(&old).await;
    let before = old.bests_of("eve".to_owned()).await.unwrap();
    old.close().await.unwrap();
    let url = database.database("house").unwrap();
    moved(folder.path(), &url).await.unwrap();
    let new = Postgres::open(&url, 2).await.unwrap();
    assert_eq!(new.bests_of("eve".to_owned()).await.unwrap(), before);
    assert_eq!(played_alone(&new, "eve", &long_options("one"), 8).await, before);
}

/// All processes of a database, stopped in the middle of what they do: its machine takes what is sent, and nobody answers.
#[cfg(target_os = "linux")]
struct Frozen(Vec<String>);

#[cfg(target_os = "linux")]
impl Frozen {
    async fn freeze(url: &str) -> Frozen {
        let data: String = speak(url).await.query_one("SHOW data_directory", &[]).await.unwrap().get(0);
        let file = std::fs::read_to_string(Path::new(&data).join("postmaster.pid")).unwrap();
        let mut frozen = Frozen(vec![file.lines().next().unwrap().to_owned()]);
        frozen.signal("-STOP"); // first the one that starts the others
        let others = Command::new("pgrep").args(["-P", &frozen.0[0]]).output().unwrap();
        frozen.0.extend(String::from_utf8(others.stdout).unwrap().lines().map(str::to_owned));
        assert!(frozen.0.len() > 3, "{:?}", frozen.0);
        frozen.signal("-STOP");
        frozen
    }

    fn signal(&self, signal: &str) {
        Command::new("kill").arg(signal).args(&self.0).stderr(std::process::Stdio::null()).status().unwrap();
    }
}

#[cfg(target_os = "linux")]
impl Drop for Frozen {
    fn drop(&mut self) {
        self.signal("-CONT");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_falls_silent_is_waited_for_and_given_up() {
    let Some(database) = database() else { return };
    let url = database.database("house").unwrap();
    let store = Postgres::open(&url, 1).await.unwrap();
    store.make(new_table("t1", "t1")).await.unwrap();
    let key = load(&store, "t1").await.key;
    for round in 0..2 {
        let (frozen, began) = (Frozen::freeze(&url).await, Instant::now());
        let late = store.append(rows(key, 1, vec![row(Kind::Life, "late", 2)]));
        let asked =
            async { tokio::join!(late, store.person("ann".to_owned()), store.claim("t1".to_owned(), 3)) };
        let (wrote, read, claimed) = tokio::time::timeout(PATIENCE, asked).await.expect("somebody waits on");
        assert_eq!((wrote, read), (Err(StoreFault::Lost), Err(StoreFault::Lost)));
        assert!(matches!(claimed, Err(StoreFault::Lost)), "{claimed:?}");
        let took = began.elapsed();
        assert!((Duration::from_secs(9)..Duration::from_secs(25)).contains(&took), "{took:?}");
        drop(frozen);
        // It wakes up, finds that nobody waits, and does nothing of what it had been sent before it could be told so.
        store.alive(4 + round).await.unwrap();
        assert_eq!(store.person("ann".to_owned()).await, Ok(None));
        assert_eq!(load(&store, "t1").await.rows.len(), 1);
    }
}

/// Tests that are about folders and files, or have been here already.
const FOLDERS: [&str; 11] = [
    "work::",
    "copies::",
    "old::",
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
const ONE_NODE: [&str; 6] = [
    "child_server",
    "when_a_server_stops_its_clocks_do",
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

pub(crate) async fn house_on(url: &str, data: &Path) -> House {
    let mut config = Config::new("127.0.0.1:0".parse().unwrap(), data);
    config.database = Some(url.to_owned());
    roomy(&mut config);
    House::run(server::Server::bind(config, NoPage).await.unwrap(), data)
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
    let house = House::at(folder.path(), |_| {}).await;
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
