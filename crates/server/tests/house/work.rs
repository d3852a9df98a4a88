//! Workers: processes that answer long questions off the play path, die in the middle of one, and are replaced.
//! Skipped, with a word why, where PostgreSQL or NATS is not installed.

use crate::common::{House, Http, PATIENCE, Wire, guest, roomy};
use crate::engines::{database, nats};
use house::Kind;
use serde_json::{Value, json};
use server::{Config, Parts, Server, Solve};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use table::Spoken;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

/// Where a worker finds its NATS.
const WORKER: &str = "PARLOR_TEST_WORKER";

/// A solver that counts as far as it is asked to, slowly, and says who it is.
struct Counter(String);

impl Solve for Counter {
    fn solve(
        &self,
        _: Kind,
        question: Value,
        stop: &AtomicBool,
        progress: &mut (dyn FnMut(Value) + Send),
    ) -> Result<Value, Spoken> {
        for step in 0..question["steps"].as_u64().unwrap_or(u64::MAX) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            progress(json!({"step": step, "by": self.0}));
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(json!({"by": self.0}))
    }

    fn odds(&self, _: Kind, _: Value, _: &AtomicBool) -> Result<Value, Spoken> {
        Ok(json!({"by": self.0}))
    }
}

/// Not a test by itself: the worker that the others start as a process of its own, and kill.
#[test]
fn child_worker() {
    let Ok(nats) = std::env::var(WORKER) else { return };
    let solver = Arc::new(Counter(std::process::id().to_string()));
    server::run_work(&nats, 1, solver, || eprintln!("at work")).unwrap();
}

/// A worker in a process of its own.
struct Worker(Child);

impl Worker {
    fn start(nats: &str) -> Worker {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "work::child_worker", "--nocapture", "--test-threads=1"])
            .env(WORKER, nats)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        assert!(lines.any(|line| line == "at work"), "the worker did not start");
        std::thread::spawn(move || lines.for_each(drop));
        Worker(child)
    }

    fn name(&self) -> String {
        self.0.id().to_string()
    }

    /// kill -9.
    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    fn terminate(mut self) -> bool {
        Command::new("kill").arg(self.name()).status().unwrap();
        self.0.wait().unwrap().success()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop((self.0.kill(), self.0.wait())); // it may have ended already
    }
}

fn solve(steps: Option<u64>) -> Http {
    Http::post("/api/solve/cubo").json(&json!({"steps": steps}))
}

/// A question that tells how far it has come; comes back when somebody works on it.
async fn begun(address: SocketAddr, steps: Option<u64>) -> (TcpStream, String) {
    let mut stream = solve(steps).header("accept", "application/x-ndjson").start(address).await;
    let mut text = String::new();
    while !text.contains("progress") {
        text += &more(&mut stream).await;
    }
    (stream, text)
}

async fn more(stream: &mut TcpStream) -> String {
    let mut bytes = [0; 4_096];
    let read = tokio::time::timeout(PATIENCE, stream.read(&mut bytes)).await.expect("news in time").unwrap();
    assert!(read > 0, "the server hung up");
    String::from_utf8(bytes[..read].to_vec()).unwrap()
}

/// Who answered in the end.
async fn answered(mut stream: TcpStream, mut text: String) -> String {
    while !text.contains(r#""answer""#) {
        text += &more(&mut stream).await;
    }
    let (_, by) = text.split_once(r#"{"answer":{"by":""#).unwrap_or_else(|| panic!("{text}"));
    by.split('"').next().unwrap().to_owned()
}

/// Asks until it is answered by this one.
async fn until_by(address: SocketAddr, name: &str) {
    let asked = async {
        while solve(Some(1)).send(address).await.value()["by"] != name {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asked).await.unwrap_or_else(|_| panic!("{name} never answers"));
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_answer_die_and_are_replaced_and_without_any_the_node_answers_itself() {
    let (Some(database), Some(nats)) = (database(), nats()) else { return };
    let mut config = Config::new("127.0.0.1:0".parse().unwrap(), "nowhere");
    (config.database, config.nats) = (Some(database.database("house").unwrap()), Some(nats.url()));
    config.metrics = Some("127.0.0.1:0".parse().unwrap());
    roomy(&mut config);
    (config.limits.thinkers, config.limits.questions) = (1, 1);
    let parts = Parts { solver: Arc::new(Counter("node".to_owned())), ..Parts::default() };
    let house = House::run(Server::bind(config, parts).await.unwrap(), Path::new("nowhere"));
    let at = house.address;

    // No worker: in process.
    assert_eq!(solve(Some(1)).send(at).await.value()["by"], "node");
    // A worker answers all kinds of questions.
    let first = Worker::start(&nats.url());
    until_by(at, &first.name()).await;
    let odds = Http::post("/api/odds/roulette").json(&json!({})).send(at).await;
    assert_eq!(odds.value()["by"], first.name());
    let ann = guest(at, "Ann").await;
    let mut wire = Wire::open(at, &ann, "a").await;
    let seats = json!([{"for": "me"}]);
    let table = wire.create(json!({"game": "roulette", "options": {"throws": 1}, "seats": seats})).await;
    wire.done(json!({"cmd": "start", "table": table})).await;
    let coach = |who| Http::get(&format!("/api/coach/{table}")).by(who).send(at);
    assert_eq!(coach(&ann).await.status, 200);
    let ben = guest(at, "Ben").await;
    assert_ne!(coach(&ben).await.status, 200);
    // A bot that has long to think does so at the worker, and plays.
    let seats = json!([{"for": "bot", "level": 6}, {"for": "bot", "level": 6}]);
    let contact = wire.create(json!({"game": "contact", "seats": seats})).await;
    wire.done(json!({"cmd": "start", "table": contact})).await;
    wire.hear_event("acted").await;
    assert!(house.metric("parlor_bots_away_total").await >= 1.0);
    // Two questions have a place; the third comes back later.
    let (one, two) = (begun(at, None).await, solve(None).start(at).await);
    while house.metric("parlor_questions").await < 2.0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let full = solve(Some(1)).send(at).await;
    assert!(full.status == 503 && full.header("retry-after").is_some(), "{full:?}");
    // Who hangs up is forgotten, working or waiting: the only worker is free again.
    drop((one, two));
    until_by(at, &first.name()).await;
    // Killed in the middle: the question goes to another.
    let (stream, text) = begun(at, Some(100)).await;
    assert!(text.contains(&first.name()), "{text}");
    let second = Worker::start(&nats.url());
    first.kill();
    assert_eq!(answered(stream, text).await, second.name());
    // Stopped in the middle: the question goes to another at once.
    let (stream, text) = begun(at, Some(400)).await;
    let third = Worker::start(&nats.url());
    let name = third.name();
    assert!(second.terminate());
    assert_eq!(answered(stream, text).await, name);
    // The last one killed in the middle: the node does it itself.
    let (stream, text) = begun(at, Some(100)).await;
    third.kill();
    assert_eq!(answered(stream, text).await, "node");
    house.close().await;
}
