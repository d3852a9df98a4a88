//! For who hosts: health, metrics, the description of the API, backup, doctor, a clean stop, and the queue of questions.

use crate::common::{House, Http};
use house::Kind;
use serde_json::{Value, json};
use server::{Parts, Solve};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;
use table::Spoken;
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
    let house = House::at(folder.path(), |_| {}, Parts::default()).await;
    let after = house.socket(&pair.ann).await.view(&pair.table).await;
    assert_eq!((&before["seq"], &before["public"]), (&after["seq"], &after["public"]));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_server_at_a_time_has_a_folder() {
    let house = House::open().await;
    let config = server::Config::new("127.0.0.1:0".parse().unwrap(), &house.data);
    let second = server::Server::bind(config, Parts::default()).await;
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
    tokio::task::spawn_blocking(move || server::backup(&data, &copy)).await.unwrap().unwrap();
    assert!(server::backup(&house.data, &file).is_err(), "nothing is written over");
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

/// Who may do what with everything in a folder, the folder itself included.
#[cfg(unix)]
fn modes(folder: &std::path::Path) -> BTreeMap<String, u32> {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let inside = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = inside.map(|entry| (entry.file_name().into_string().unwrap(), mode(&entry.path())));
    files.chain([(".".to_owned(), mode(folder))]).collect()
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn only_its_owner_may_read_what_a_house_has_a_folder_for() {
    use std::os::unix::fs::PermissionsExt;
    let somewhere = tempfile::tempdir().unwrap();
    let data = somewhere.path().join("parlor/house");
    let private = [
        (".", 0o700),
        ("lock", 0o600),
        ("parlor.db", 0o600),
        ("parlor.db-shm", 0o600),
        ("parlor.db-wal", 0o600),
    ];
    let private = BTreeMap::from(private.map(|(name, mode)| (name.to_owned(), mode)));
    let house = House::at(&data, |_| {}, Parts::default()).await;
    house.guest("Ann").await;
    assert_eq!(modes(&data), private);
    // As an older version made it, and a server that was killed left it.
    let open = somewhere.path().join("open");
    std::fs::create_dir(&open).unwrap();
    for name in ["lock", "parlor.db", "parlor.db-shm", "parlor.db-wal"] {
        std::fs::copy(data.join(name), open.join(name)).unwrap();
        std::fs::set_permissions(open.join(name), std::fs::Permissions::from_mode(0o644)).unwrap();
    }
    std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o755)).unwrap();
    house.close().await;
    let house = House::at(&open, |_| {}, Parts::default()).await;
    house.guest("Ben").await;
    assert_eq!(modes(&open), private);
    house.close().await;
    // A folder that is used for other things too is not the house's to shut.
    let shared = somewhere.path().join("shared");
    std::fs::create_dir(&shared).unwrap();
    std::fs::write(shared.join("of somebody else"), "").unwrap();
    std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o755)).unwrap();
    House::at(&shared, |_| {}, Parts::default()).await.close().await;
    assert_eq!(modes(&shared)["."], 0o755);
    assert_eq!(modes(&shared)["parlor.db"], 0o600);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_may_read_a_backup_at_any_moment() {
    use std::os::unix::fs::PermissionsExt;
    let house = House::open().await;
    let db = rusqlite::Connection::open(house.data.join("parlor.db")).unwrap();
    let many = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20000)
                INSERT INTO lines (prev, tab, kind, wall, text) SELECT 0, 1, 0, 0, hex(randomblob(500)) FROM n";
    db.execute_batch(many).unwrap();
    let copy = house.data.join("copy.db");
    let (data, file) = (house.data.clone(), copy.clone());
    let copying = std::thread::spawn(move || server::backup(&data, &file).unwrap());
    let mut seen = BTreeMap::new();
    while !copying.is_finished() {
        if let Ok(found) = std::fs::metadata(&copy) {
            *seen.entry(found.permissions().mode() & 0o777).or_insert(0_u64) += 1;
        }
    }
    copying.join().unwrap();
    assert!(seen.len() == 1 && seen.contains_key(&0o600), "{seen:?}");
    house.close().await;
}

/// A solver that thinks until it is told to stop, or until the question says.
#[derive(Default)]
struct Slow {
    running: AtomicU32,
    stopped: AtomicU32,
}

struct Shared(Arc<Slow>);

impl Solve for Shared {
    fn solve(
        &self,
        _: Kind,
        question: Value,
        stop: &AtomicBool,
        progress: &mut (dyn FnMut(Value) + Send),
    ) -> Result<Value, Spoken> {
        self.0.running.fetch_add(1, Ordering::SeqCst);
        let steps = question["steps"].as_u64().unwrap_or(u64::MAX);
        for step in 0..steps {
            if stop.load(Ordering::Relaxed) {
                self.0.stopped.fetch_add(1, Ordering::SeqCst);
                break;
            }
            progress(json!(step));
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(json!({"steps": steps}))
    }

    fn odds(&self, _: Kind, question: Value, _: &AtomicBool) -> Result<Value, Spoken> {
        Ok(question)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_wait_in_a_bounded_queue_and_stop_when_the_asker_hangs_up() {
    let slow = Arc::new(Slow::default());
    let parts = Parts { solver: Arc::new(Shared(Arc::clone(&slow))), ..Parts::default() };
    let house = House::with(|config| (config.limits.thinkers, config.limits.questions) = (1, 1), parts).await;
    let ask = |steps: Value| Http::post("/api/solve/cubo").json(&json!({"steps": steps}));
    assert_eq!(ask(json!(2)).send(house.address).await.value(), json!({"steps": 2}));
    // A stream tells how far it has come, and ends with the answer.
    let stream = ask(json!(5)).header("accept", "application/x-ndjson").send(house.address).await.body;
    let lines: Vec<Value> = stream.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() > 1 && lines[0].get("progress").is_some(), "{stream}");
    assert_eq!(lines.last().unwrap()["answer"], json!({"steps": 5}));
    // One works, one waits, the next comes back later.
    let working = ask(json!(null)).start(house.address).await;
    while slow.running.load(Ordering::SeqCst) < 3 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let waiting = ask(json!(null)).start(house.address).await;
    while house.metric("parlor_questions").await < 2.0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let full = ask(json!(1)).send(house.address).await;
    assert!(full.status == 503 && full.header("retry-after").is_some(), "{full:?}");
    // Who hangs up is forgotten, working or waiting.
    drop((working, waiting));
    loop {
        let answer = ask(json!(1)).send(house.address).await;
        if answer.status == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(slow.stopped.load(Ordering::SeqCst) >= 1);
    let odds = Http::post("/api/odds/roulette").json(&json!({"bets": "15=2"})).send(house.address).await;
    assert_eq!(odds.value(), json!({"bets": "15=2"}));
    assert_eq!(Http::post("/api/solve/chess").json(&json!({})).send(house.address).await.status, 404);
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
    let house =
        House::with(|config| config.limits.patience = Duration::from_millis(200), Parts::default()).await;
    let mut stream = tokio::net::TcpStream::connect(house.address).await.unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut stream, b"GET / HTTP/1.1\r\nx: ").await.unwrap();
    let mut rest = Vec::new();
    tokio::time::timeout(crate::common::PATIENCE, stream.read_to_end(&mut rest)).await.expect("cut off").ok();
    house.close().await;
}
