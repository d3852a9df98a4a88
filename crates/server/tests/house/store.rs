//! What every store must do, whatever is behind it. The suite knows only the trait; a store of another kind is handed to it from its own file.

use protocol::http::{Best, Person};
use serde_json::json;
use server::store::sqlite::{FILE, Sqlite};
use server::store::{
    Append, By, Claim, ClockMark, Finish, FinishedSeat, Kind, NewTable, Row, Search, Stage, Store,
    StoreFault, Stored, TableKey,
};
use std::path::Path;
use std::time::Duration;
use table::{Luck, Seed, Time};

pub(crate) fn row(kind: Kind, text: &str, wall: u64) -> Row {
    Row { kind, text: text.to_owned(), by: None, wall }
}

pub(crate) fn new_table(id: &str, asked: &str) -> NewTable {
    NewTable {
        id: id.to_owned(),
        asked: asked.to_owned(),
        game: "cubo".to_owned(),
        host: "ann".to_owned(),
        made: 1_000,
        seed: Seed::from_number(7),
        first: row(Kind::Life, "first", 1_000),
        sitting: vec!["ann".to_owned()],
    }
}

/// Rows of a table, the first of which is the `first`th.
pub(crate) fn rows(table: TableKey, first: u64, rows: Vec<Row>) -> Append {
    Append { first, rows, ..Append::new(table) }
}

pub(crate) async fn load(store: &dyn Store, id: &str) -> Stored {
    store.load(id.to_owned(), 1_000_000).await.unwrap().expect("the table is there")
}

fn texts(stored: &Stored) -> Vec<&str> {
    stored.rows.iter().map(|row| row.text.as_str()).collect()
}

async fn a_table_is_made_once_however_often_it_is_asked_for(store: &dyn Store) {
    assert_eq!(store.make(new_table("t1", "ann 1")).await, Ok("t1".to_owned()));
    assert_eq!(store.make(new_table("t2", "ann 1")).await, Ok("t1".to_owned()));
    assert!(store.load("t2".to_owned(), 0).await.unwrap().is_none());
    assert_eq!(load(store, "t1").await.seed, Seed::from_number(7));
    assert_eq!(store.gathering("ann".to_owned(), 0).await, Ok(1));
    assert_eq!(store.gathering("ann".to_owned(), 2_000).await, Ok(0));
}

async fn rows_come_back_in_order_with_the_commands_that_caused_them(store: &dyn Store) {
    store.make(new_table("t3", "ann 3")).await.unwrap();
    store.make(new_table("t4", "ann 4")).await.unwrap();
    let (three, four) = (load(store, "t3").await.key, load(store, "t4").await.key);
    let by = By { person: "ann".to_owned(), client: "tab".to_owned(), id: 9 };
    for number in 0..20 {
        let line = Row { by: Some(by.clone()), ..row(Kind::Line, &format!(r#"{{"t":{number}}}"#), 2_000) };
        store.append(rows(three, 1 + number, vec![line])).await.unwrap();
        let two = vec![row(Kind::Life, "a", 1), row(Kind::Life, "b", 1)];
        store.append(rows(four, 1 + 2 * number, two)).await.unwrap();
    }
    let stored = load(store, "t3").await;
    assert_eq!(stored.rows.len(), 21);
    assert_eq!((stored.rows[20].text.as_str(), &stored.rows[20].by), (r#"{"t":19}"#, &Some(by)));
    assert_eq!(texts(&load(store, "t4").await)[38..], ["b", "a", "b"]);
}

async fn who_remembers_an_old_state_of_a_table_adds_nothing_to_it(store: &dyn Store) {
    store.make(new_table("t6", "ann 6")).await.unwrap();
    let key = load(store, "t6").await.key;
    let one = |first, text| rows(key, first, vec![row(Kind::Life, text, 2)]);
    store.append(one(1, "second")).await.unwrap();
    for first in [0, 1, 3] {
        assert_eq!(store.append(one(first, "from an old state")).await, Err(StoreFault::Fenced), "{first}");
    }
    store.append(one(2, "third")).await.unwrap();
    assert_eq!(texts(&load(store, "t6").await), ["first", "second", "third"]);
}

async fn a_clock_is_charged_only_while_it_runs_and_a_server_is_alive(store: &dyn Store, began: u64) {
    store.make(new_table("t5", "ann 5")).await.unwrap();
    let Claim::Mine(stored) = store.claim("t5".to_owned(), began).await.unwrap() else {
        panic!("it is free")
    };
    let key = stored.key;
    let at = |clock| Append { clock: Some(clock), ..Append::new(key) };
    store.append(rows(key, 1, vec![row(Kind::Line, r#"{"t":500}"#, began + 100)])).await.unwrap();
    store.alive(began + 350).await.unwrap();
    let clock = async |now| store.load("t5".to_owned(), now).await.unwrap().unwrap().clock;
    assert_eq!(clock(began + 1_000_000).await, Time(750), "up to the last sign of life");
    assert_eq!(clock(began + 200).await, Time(600), "not beyond now");
    store.append(at(ClockMark { time: Time(900), wall: began + 500, runs: false })).await.unwrap();
    assert_eq!(clock(began + 1_000_000).await, Time(900), "it stands");
    store.append(at(ClockMark { time: Time(900), wall: began + 600, runs: true })).await.unwrap();
    store.alive(began + 640).await.unwrap();
    assert_eq!(clock(began + 1_000_000).await, Time(940), "it runs again");
}

fn finish(id: &str, rated: bool, players: &[(&str, u32, i64)]) -> Finish {
    let seat = |&(person, rank, score): &(&str, u32, i64)| FinishedSeat {
        person: Some(person.to_owned()),
        name: person.to_uppercase(),
        rank,
        score,
    };
    Finish {
        id: id.to_owned(),
        game: "cubo".to_owned(),
        options: r#"{"rounds":6}"#.to_owned(),
        rated,
        ended: 5_000,
        players: players.iter().map(seat).collect(),
    }
}

async fn finished_games_are_found_by_person_game_and_name_page_by_page(store: &dyn Store) {
    for person in ["ann", "ben"] {
        store.name_person(Person { id: person.to_owned(), name: person.to_uppercase() }, 1).await.unwrap();
    }
    for number in 0..7 {
        let id = format!("f{number}");
        store.make(new_table(&id, &format!("finished {number}"))).await.unwrap();
        let key = load(store, &id).await.key;
        let players: &[_] = if number == 6 { &[("ann", 1, 40)] } else { &[("ann", 1, 30), ("ben", 2, 20)] };
        let end = finish(&id, number == 0, players);
        store
            .append(Append { finish: Some(end), stage: Some(Stage::Over), ..Append::new(key) })
            .await
            .unwrap();
    }
    let search = async |person: Option<&str>, name: Option<&str>, before| {
        let (person, name) = (person.map(str::to_owned), name.map(str::to_owned));
        let page = store
            .finished(Search { person, name, before, most: 4, game: Some("cubo".to_owned()) })
            .await
            .unwrap();
        (page.games.into_iter().map(|game| game.table).collect::<Vec<_>>(), page.before)
    };
    let (first, more) = search(None, None, None).await;
    assert_eq!(first, ["f6", "f5", "f4", "f3"]);
    assert_eq!(search(None, None, more).await, (vec!["f2".into(), "f1".into(), "f0".into()], None));
    assert_eq!(search(Some("ben"), None, None).await.0, ["f5", "f4", "f3", "f2"]);
    assert_eq!(search(None, Some("be"), None).await.0, ["f5", "f4", "f3", "f2"]);
    assert_eq!(search(None, Some("x%"), None).await.0, Vec::<String>::new());
    let ratings = store.ratings_of("ann".to_owned()).await.unwrap();
    assert!(ratings.len() == 1 && ratings[0].games == 1 && ratings[0].rating > 1600.0, "{ratings:?}");
    let leaders = store.leaders("cubo".to_owned(), 9).await.unwrap();
    assert_eq!(leaders.iter().map(|leader| leader.person.id.as_str()).collect::<Vec<_>>(), ["ann", "ben"]);
    let bests = store.bests_of("ann".to_owned()).await.unwrap();
    assert_eq!(bests.iter().map(|best| best.score).collect::<Vec<_>>(), [40]);
    assert!(
        store.tables_of("ann".to_owned()).await.unwrap().iter().all(|table| !table.table.starts_with('f'))
    );
}

/// Somebody plays alone, with these options, and comes to this score; answers all personal bests of his then.
pub(crate) async fn played_alone(store: &dyn Store, person: &str, options: &str, score: i64) -> Vec<Best> {
    let before = store.finished(Search { most: 100, ..Search::default() }).await.unwrap().games.len();
    let id = format!("{person}{before}");
    store.make(new_table(&id, &id)).await.unwrap();
    let end = Finish { options: options.to_owned(), ..finish(&id, false, &[(person, 1, score)]) };
    let key = load(store, &id).await.key;
    store.append(Append { finish: Some(end), stage: Some(Stage::Over), ..Append::new(key) }).await.unwrap();
    store.bests_of(person.to_owned()).await.unwrap()
}

pub(crate) async fn a_best_gives_way_only_to_a_better_one(store: &dyn Store) {
    for (score, best) in [(40, 40), (30, 40), (50, 50)] {
        let bests = played_alone(store, "dee", r#"{"rounds":6}"#, score).await;
        assert_eq!(bests.iter().map(|best| best.score).collect::<Vec<_>>(), [best]);
    }
}

/// Options that nothing makes shorter, as long as a set of somebody's own may be; two of them differ only at the end.
pub(crate) fn long_options(end: &str) -> String {
    let mut luck = Luck::new(9);
    let letters: String = (0..40_000).map(|_| char::from(b'a' + luck.below(26) as u8)).collect();
    json!({"set": letters + end}).to_string()
}

pub(crate) async fn a_best_is_kept_however_long_its_options_are(store: &dyn Store) {
    let (one, other) = (long_options("one"), long_options("other"));
    for (options, score, scores) in
        [(&one, 7, vec![7]), (&other, 5, vec![5, 7]), (&one, 6, vec![5, 7]), (&one, 9, vec![5, 9])]
    {
        let mut bests = played_alone(store, "eve", options, score).await;
        bests.sort_by_key(|best| best.score);
        assert_eq!(bests.iter().map(|best| best.score).collect::<Vec<_>>(), scores);
        let known: Vec<String> = bests.iter().map(|best| best.options.to_string()).collect();
        assert!(known.contains(options) && known.iter().all(|known| [&one, &other].contains(&known)));
    }
}

async fn people_are_known_by_id_phrase_and_token(store: &dyn Store) {
    let person = Person { id: "cid".to_owned(), name: "Cid".to_owned() };
    store.name_person(person.clone(), 1).await.unwrap();
    store.set_phrase("cid".to_owned(), [1; 32]).await.unwrap();
    store.set_token("cid".to_owned(), [2; 32]).await.unwrap();
    assert_eq!(store.person("cid".to_owned()).await, Ok(Some(person.clone())));
    assert_eq!(store.by_phrase([1; 32]).await, Ok(Some(person.clone())));
    assert_eq!(store.by_token([2; 32]).await, Ok(Some(person)));
    assert_eq!(store.by_token([1; 32]).await, Ok(None));
}

/// The suite, for a store that is empty and whose run began then.
pub(crate) async fn every_store_must(store: &dyn Store, began: u64) {
    a_table_is_made_once_however_often_it_is_asked_for(store).await;
    rows_come_back_in_order_with_the_commands_that_caused_them(store).await;
    who_remembers_an_old_state_of_a_table_adds_nothing_to_it(store).await;
    a_clock_is_charged_only_while_it_runs_and_a_server_is_alive(store, began).await;
    finished_games_are_found_by_person_game_and_name_page_by_page(store).await;
    a_best_gives_way_only_to_a_better_one(store).await;
    a_best_is_kept_however_long_its_options_are(store).await;
    people_are_known_by_id_phrase_and_token(store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_does_what_every_store_must_do() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path(), 10_000).unwrap();
    every_store_must(&store, 10_000).await;
    let secret = store.secret();
    let before = texts(&load(&store, "t3").await).join("\n");
    store.close().await.unwrap();
    assert_eq!(store.append(Append::new(TableKey::of(1))).await, Err(StoreFault::Closed));
    let store = Sqlite::open(folder.path(), 20_000).unwrap();
    assert_eq!((store.secret(), texts(&load(&store, "t3").await).join("\n")), (secret, before));
}

// rules: CU-R1
#[tokio::test(flavor = "multi_thread")]
async fn a_personal_best_gives_way_only_to_a_better_one() {
    let folder = tempfile::tempdir().unwrap();
    a_best_gives_way_only_to_a_better_one(&Sqlite::open(folder.path(), 1).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_clean_stop_the_ends_of_all_chains_are_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path(), 1).unwrap();
    store.make(new_table("t1", "1")).await.unwrap();
    let key = load(&store, "t1").await.key;
    store.append(rows(key, 1, vec![row(Kind::Life, "second", 2)])).await.unwrap();
    // A copy of the files as they are now is what a killed server leaves behind.
    let copy = tempfile::tempdir().unwrap();
    for file in ["parlor.db", "parlor.db-wal"] {
        std::fs::copy(folder.path().join(file), copy.path().join(file)).unwrap();
    }
    let left = Sqlite::open(copy.path(), 3).unwrap();
    assert_eq!(texts(&load(&left, "t1").await), ["first", "second"]);
    left.append(rows(key, 2, vec![row(Kind::Life, "third", 4)])).await.unwrap();
    assert_eq!(texts(&load(&left, "t1").await), ["first", "second", "third"]);
}

#[test]
fn a_store_of_a_later_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let open = |path: &Path| Sqlite::open(path, 1).map(|_| ());
    open(folder.path()).unwrap();
    let db = rusqlite::Connection::open(folder.path().join("parlor.db")).unwrap();
    db.pragma_update(None, "user_version", 99).unwrap();
    drop(db);
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    let refused = loop {
        // The first store's thread may still hold the folder for a moment.
        match open(folder.path()) {
            Err(StoreFault::InUse(_)) if std::time::Instant::now() < deadline => std::thread::yield_now(),
            other => break other,
        }
    };
    assert_eq!(refused, Err(StoreFault::Newer { found: 99, known: 3 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_loaded_while_the_ends_of_chains_are_written_down_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path(), 1).unwrap();
    store.make(new_table("t1", "1")).await.unwrap();
    let key = load(&store, "t1").await.key;
    store.append(rows(key, 1, vec![row(Kind::Life, "second", 2)])).await.unwrap();
    // A closing house writes the ends down; somebody else has the right to write, so that this is held open.
    let other = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let closing = tokio::spawn(store.close());
    tokio::time::sleep(Duration::from_millis(300)).await;
    let loading = tokio::spawn(store.load("t1".to_owned(), 1_000_000));
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!closing.is_finished(), "the ends are written down already");
    other.execute_batch("ROLLBACK").unwrap();
    closing.await.unwrap().unwrap();
    let whole = ["first", "second"];
    assert_eq!(texts(&loading.await.unwrap().unwrap().expect("the table is there")), whole);
    assert_eq!(texts(&load(&store, "t1").await), whole, "and afterwards");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_tables_end_is_found_in_the_rows_whatever_was_written_down() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path(), 1).unwrap();
    for id in ["t1", "t2"] {
        store.make(new_table(id, id)).await.unwrap();
    }
    let (one, two) = (load(&store, "t1").await.key, load(&store, "t2").await.key);
    store.append(rows(two, 1, vec![row(Kind::Life, "second", 2)])).await.unwrap();
    store.close().await.unwrap();
    // A server that was killed a while after this was written down the last time.
    let db = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    db.execute_batch("DELETE FROM ends WHERE tab = 2; UPDATE ends SET last = 1, count = 1").unwrap();
    drop(db);
    let store = Sqlite::open(folder.path(), 2).unwrap();
    assert_eq!(texts(&load(&store, "t2").await), ["first", "second"]);
    store.append(rows(two, 2, vec![row(Kind::Life, "third", 3)])).await.unwrap();
    store.append(rows(one, 1, vec![row(Kind::Life, "second", 3)])).await.unwrap();
    assert_eq!(texts(&load(&store, "t1").await), ["first", "second"]);
    assert_eq!(texts(&load(&store, "t2").await), ["first", "second", "third"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_cannot_be_hurts_nobody_else_in_its_group() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path(), 1).unwrap();
    let mut keys = Vec::new();
    for id in ["t1", "t2", "t3"] {
        store.make(new_table(id, id)).await.unwrap();
        keys.push(load(&store, id).await.key);
    }
    let over = |id: &str| Some(finish(id, false, &[("ann", 1, 1)]));
    store.append(Append { finish: over("t3"), ..Append::new(keys[2]) }).await.unwrap();
    let failed = store.gauges().failed;
    // Somebody else has the right to write, so that the first write waits for it, and all others together for the first.
    let other = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let first = store.alive(2);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let good = store.append(rows(keys[0], 1, vec![row(Kind::Life, "good", 2)]));
    let twice = row(Kind::Life, "a game ends only once", 2);
    let twice = store.append(Append { finish: over("t3"), ..rows(keys[1], 1, vec![twice]) });
    let late = store.append(rows(keys[2], 0, vec![row(Kind::Life, "from an old state", 2)]));
    let also = store.append(rows(keys[0], 2, vec![row(Kind::Life, "and good", 2)]));
    other.execute_batch("ROLLBACK").unwrap();
    let (first, good, twice, late, also) = tokio::join!(first, good, twice, late, also);
    assert_eq!((first, good, late, also), (Ok(()), Ok(()), Err(StoreFault::Fenced), Ok(())));
    assert!(matches!(twice, Err(StoreFault::Broken(_))), "{twice:?}");
    assert_eq!(store.gauges().failed, failed + 3, "they were one group, and then each its own");
    assert_eq!(texts(&load(&store, "t1").await), ["first", "good", "and good"]);
    for id in ["t2", "t3"] {
        assert_eq!(texts(&load(&store, id).await), ["first"]);
    }
}
