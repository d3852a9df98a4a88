//! The measurements.

use crate::client::{Client, guest, request};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

pub(crate) fn run(what: &[&str]) -> ExitCode {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    for one in what {
        let done = runtime.block_on(async {
            match *one {
                "saturate" => saturate().await,
                "paced" => paced().await,
                "crowd" => crowd().await,
                "idle" => idle().await,
                "cluster" => crate::cluster::run().await,
                _ => restart().await,
            }
        });
        if let Err(fault) = done {
            eprintln!("{one}: {fault}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// A number that may be set from outside, for a quick look.
pub(crate) fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A server or a floor in a process of its own.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Process {
    pub(crate) fn start(what: &str, rest: &[impl AsRef<OsStr>]) -> io::Result<Process> {
        let mut child = Command::new(std::env::current_exe()?)
            .args([what, "127.0.0.1:0"])
            .args(rest)
            .stdout(Stdio::piped())
            .spawn()?;
        let out = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let mut lines = BufReader::new(out).lines();
        let line = lines.next().ok_or_else(|| io::Error::other("it did not start"))??;
        let address = line.trim_start_matches("listening ").parse().map_err(io::Error::other)?;
        Ok(Process { child, address })
    }

    /// Resident memory in KiB.
    fn memory(&self) -> io::Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
            .ok_or_else(|| io::Error::other("no VmRSS"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn folder() -> io::Result<tempfile::TempDir> {
    tempfile::Builder::new()
        .prefix("parlor-load")
        .tempdir_in(std::env::var("PARLOR_LOAD_DIR").unwrap_or_else(|_| ".".to_owned()))
}

/// Acts of Dice Roulette that can go on for ever.
pub(crate) fn lay_or_clear(table: &str, id: u64) -> String {
    let act = if id % 2 == 1 { r#"{"do":"lay","bets":["black=1"]}"# } else { r#"{"do":"clear"}"# };
    format!(r#"{{"cmd":"act","id":{id},"table":"{table}","act":{act}}}"#)
}

/// One client a table, one act in flight each, as fast as answers come.
async fn saturate() -> io::Result<()> {
    let (tables, seconds) = (number("TABLES", 512), number("SECONDS", 10));
    for round in 1..=number("ROUNDS", 2) {
        let floor = flood("floor", tables, seconds).await?;
        let house = flood("serve", tables, seconds).await?;
        println!(
            "saturate {round}: {:.0} acts/s answered on disk, {tables} tables; floor {:.0}/s; ratio {:.2}",
            house.rate,
            floor.rate,
            house.rate / floor.rate
        );
        println!(
            "saturate {round}: processor time an act: server {:.1} µs, floor {:.1} µs; the load's own {:.1} and {:.1} µs",
            house.server, floor.server, house.load, floor.load
        );
    }
    Ok(())
}

/// What a flood came to: acts a second, and microseconds of processor time an act on either side.
struct Flood {
    rate: f64,
    server: f64,
    load: f64,
}

async fn flood(what: &'static str, tables: u64, seconds: u64) -> io::Result<Flood> {
    let folder = folder()?;
    let process = Process::start(what, &[folder.path()])?;
    let address = process.address;
    let (acts, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let mut clients = Vec::new();
    for number in 0..tables {
        if what == "floor" {
            clients.push((Client::open(address, "").await?, "0123456789abcdefghjkmnpqrs".to_owned()));
            continue;
        }
        let cookie = guest(address, &format!("Guest {number}")).await?;
        let mut client = Client::hello(address, &cookie, "load").await?;
        let table = client.table("roulette", json!({"throws": 10_000, "window": 3600}), 1).await?;
        clients.push((client, table));
    }
    let mut all = JoinSet::new();
    for (mut client, table) in clients {
        let (acts, stop) = (Arc::clone(&acts), Arc::clone(&stop));
        all.spawn(async move {
            for id in 1001.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                client.send(&lay_or_clear(&table, id)).await?;
                if !client.answer().await? {
                    return Err(io::Error::other("an act was refused"));
                }
                acts.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        });
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let spent =
        || Ok::<_, io::Error>((processor_time(process.child.id())?, processor_time(std::process::id())?));
    let (from, before, began) = (acts.load(Ordering::Relaxed), spent()?, Instant::now());
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    let (acted, took, after) = ((acts.load(Ordering::Relaxed) - from) as f64, began.elapsed(), spent()?);
    stop.store(true, Ordering::Relaxed);
    while let Some(done) = all.join_next().await {
        done.map_err(io::Error::other)??;
    }
    let each = |before: f64, after: f64| (after - before) * 1e6 / acted;
    let (server, load) = (each(before.0, after.0), each(before.1, after.1));
    Ok(Flood { rate: acted / took.as_secs_f64(), server, load })
}

/// Seconds that a process has had of the processors: says what an act costs, however busy the machine is.
fn processor_time(process: u32) -> io::Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    // After the name, which may hold anything: user and system time are the 12th and 13th, in hundredths.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    Ok(ticks / 100.0)
}

/// How a table of each game is kept busy: its options and seats, and acts to try in turn.
fn busy(game: usize) -> (&'static str, Value, usize) {
    match game % 5 {
        0 => ("roulette", json!({"throws": 10_000, "window": 3600}), 1),
        1 => ("cubo", json!({}), 2),
        2 => ("contact", json!({}), 2),
        3 => ("iqubes", json!({"rounds": 20}), 2),
        _ => ("scribbage", json!({"turns": 50}), 2),
    }
}

/// Acts that some seat can do at most moments; which one is found out by trying.
fn tries(game: &str, step: u64, event: &Value) -> Vec<(u32, Value)> {
    let (die, x) = (step % 6, (step / 6 % 5) as i64);
    match game {
        "roulette" => vec![(0, json!({"do": "lay", "bets": ["black=1"]})), (0, json!({"do": "clear"}))],
        "contact" => {
            let legal = event["public"]["legal"].as_array().cloned().unwrap_or_default();
            let all = legal.get(step as usize % legal.len().max(1)).cloned().unwrap_or_default();
            let (from, to) = all.as_str().and_then(|text| text.split_once('-')).unwrap_or(("", ""));
            (0..2).map(|seat| (seat, json!({"do": "move", "from": from, "to": to}))).collect()
        }
        "cubo" => {
            let seat = (step % 2) as u32;
            vec![
                (seat, json!({"do": "place", "die": die, "at": [0, die % 3]})),
                (seat, json!({"do": "roll"})),
                (seat, json!({"do": "ready"})),
                (1 - seat, json!({"do": "ready"})),
                (seat, json!({"do": "keep"})),
                (1 - seat, json!({"do": "keep"})),
            ]
        }
        _ => (0..2)
            .flat_map(|seat| {
                let place = json!({"do": "place", "die": die, "x": x, "y": 0});
                [place, json!({"do": "throw"}), json!({"do": "pass"})].map(|act| (seat, act))
            })
            .collect(),
    }
}

/// Many tables at an act a second each.
async fn paced() -> io::Result<()> {
    let (tables, seconds) = (number("TABLES", 1_000) as usize, number("SECONDS", 20));
    let folder = folder()?;
    let process = Process::start("serve", &[folder.path()])?;
    let address = process.address;
    let mut players = Vec::new();
    for number in 0..tables {
        let cookie = guest(address, &format!("Guest {number}")).await?;
        let mut client = Client::hello(address, &cookie, "load").await?;
        let (game, options, seats) = busy(number);
        let table = client.table(game, options, seats).await?;
        players.push((client, game, table));
    }
    let mut all = JoinSet::new();
    let began = Instant::now() + Duration::from_secs(1);
    let refused = Arc::new(AtomicU64::new(0));
    for (number, (mut client, game, table)) in players.into_iter().enumerate() {
        let refused = Arc::clone(&refused);
        all.spawn(async move {
            let mut took = Vec::new();
            let mut event = Value::Null;
            let offset = Duration::from_micros(1_000_000 * number as u64 / tables as u64);
            for step in 0..seconds {
                let due = began + offset + Duration::from_secs(step);
                tokio::time::sleep_until(due.into()).await;
                if game == "contact" {
                    client.done(json!({"cmd": "watch", "table": table})).await?;
                    event = serde_json::from_str(&client.hear_msg("view").await?)?;
                }
                for (seat, act) in tries(game, step, &event) {
                    client.id += 1;
                    let text =
                        json!({"cmd": "act", "id": client.id, "table": table, "seat": seat, "act": act})
                            .to_string();
                    let sent = Instant::now();
                    client.send(&text).await?;
                    if client.answer().await? {
                        took.push(sent.elapsed());
                        break;
                    }
                    refused.fetch_add(1, Ordering::Relaxed);
                }
            }
            Ok::<_, io::Error>((game, took))
        });
    }
    let stop = Arc::new(AtomicBool::new(false));
    let disk = std::thread::spawn({
        let (path, stop) = (folder.path().join("probe"), Arc::clone(&stop));
        move || probe(&path, began, &stop)
    });
    let (mut took, mut games) = (Vec::new(), std::collections::BTreeMap::new());
    while let Some(done) = all.join_next().await {
        let (game, times) = done.map_err(io::Error::other)??;
        *games.entry(game).or_insert(0) += times.len();
        took.extend(times);
    }
    stop.store(true, Ordering::Relaxed);
    let fsync = disk.join().map_err(|_| io::Error::other("the probe fell over"))??;
    let refused = refused.load(Ordering::Relaxed);
    println!("paced: {tables} tables, {} acts in {seconds} s ({games:?}, {refused} refused)", took.len());
    println!(
        "paced: p50 {:.2} ms, p99 {:.2} ms; the disk's own fsync meanwhile: p50 {:.2} ms, p99 {:.2} ms",
        at(&mut took, 50),
        at(&mut took, 99),
        at(&mut fsync.clone(), 50),
        at(&mut fsync.clone(), 99)
    );
    Ok(())
}

/// How long the disk takes for a small write by itself, meanwhile.
fn probe(path: &Path, from: Instant, stop: &AtomicBool) -> io::Result<Vec<Duration>> {
    let mut file = File::create(path)?;
    let mut took = Vec::new();
    std::thread::sleep(from.saturating_duration_since(Instant::now()));
    while !stop.load(Ordering::Relaxed) {
        let began = Instant::now();
        file.write_all(&[7; 4096])?;
        file.sync_data()?;
        took.push(began.elapsed());
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(took)
}

/// A percentile, in milliseconds.
fn at(times: &mut [Duration], percent: usize) -> f64 {
    times.sort_unstable();
    let last = times.len().saturating_sub(1);
    times.get(last * percent / 100).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
}

/// One table, very many watchers.
async fn crowd() -> io::Result<()> {
    let (sockets, throws) = (number("SOCKETS", 10_000), number("THROWS", 12));
    let folder = folder()?;
    let process = Process::start("serve", &[folder.path()])?;
    let address = process.address;
    let cookie = guest(address, "Host").await?;
    let mut host = Client::hello(address, &cookie, "load").await?;
    let table = host.table("roulette", json!({"throws": 10_000, "window": 3600}), 1).await?;
    let mut watchers = JoinSet::new();
    for number in 0..sockets {
        let (cookie, table) = (cookie.clone(), table.clone());
        let open = async move {
            let mut client = Client::hello(address, &cookie, &format!("w{number}")).await?;
            client.done(json!({"cmd": "watch", "table": table})).await?;
            client.hear_msg("view").await?;
            Ok::<_, io::Error>(client)
        };
        watchers.spawn(open);
        if number % 64 == 63 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    let mut clients = Vec::new();
    while let Some(client) = watchers.join_next().await {
        clients.push(client.map_err(io::Error::other)??);
    }
    let frame = clients.len();
    let heard = Arc::new(AtomicU64::new(0));
    let mut listening = JoinSet::new();
    for mut client in clients {
        let heard = Arc::clone(&heard);
        listening.spawn(async move {
            while let Ok(text) = client.hear().await {
                if text.starts_with(r#"{"msg":"event""#) {
                    heard.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
    let mut took = Vec::new();
    for _ in 0..throws {
        heard.store(0, Ordering::Relaxed);
        let began = Instant::now();
        // The only player is ready: the house throws at once.
        host.done(json!({"cmd": "act", "table": table, "act": {"do": "ready"}})).await?;
        while heard.load(Ordering::Relaxed) < sockets && began.elapsed() < Duration::from_secs(10) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        took.push(began.elapsed());
        tokio::time::sleep(Duration::from_millis(400)).await;
    }
    let memory = process.memory()?;
    println!(
        "crowd: {frame} sockets at one table; a throw reached all in {:.0} ms (median of {throws}; best {:.0}, worst {:.0}); server {} MiB",
        at(&mut took, 50),
        at(&mut took, 0),
        at(&mut took, 100),
        memory / 1024
    );
    Ok(())
}

/// Memory at rest.
async fn idle() -> io::Result<()> {
    let tables = number("TABLES", 2_000);
    let folder = folder()?;
    let process = Process::start("serve", &[folder.path()])?;
    let address = process.address;
    let cookie = guest(address, "Host").await?;
    let base = process.memory()?;
    let mut client = Client::hello(address, &cookie, "load").await?;
    for number in 0..tables {
        let (game, options, seats) = busy(number as usize);
        client.table(game, options, seats).await?;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let full = process.memory()?;
    println!(
        "idle: base {:.1} MiB; {tables} tables of all games being played, {:.1} KiB each",
        base as f64 / 1024.0,
        (full - base) as f64 / tables as f64
    );
    Ok(())
}

/// From the start of the process to being ready, with very many tables on disk.
async fn restart() -> io::Result<()> {
    let tables = number("TABLES", 10_000);
    let folder = folder()?;
    let process = Process::start("serve", &[folder.path()])?;
    let address = process.address;
    let mut all = JoinSet::new();
    for worker in 0..50 {
        let cookie = guest(address, &format!("Guest {worker}")).await?;
        all.spawn(async move {
            let mut client = Client::hello(address, &cookie, "load").await?;
            for _ in 0..tables / 50 {
                let table = client.table("roulette", json!({"throws": 10_000, "window": 3600}), 1).await?;
                client
                    .done(json!({"cmd": "act", "table": table, "act": {"do": "lay", "bets": ["black=1"]}}))
                    .await?;
                client.done(json!({"cmd": "unwatch", "table": table})).await?;
            }
            Ok::<_, io::Error>(())
        });
    }
    while let Some(done) = all.join_next().await {
        done.map_err(io::Error::other)??;
    }
    drop(process); // kill -9: nothing was put in order
    let began = Instant::now();
    let process = Process::start("serve", &[folder.path()])?;
    loop {
        let answer =
            request(process.address, "GET /readyz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await?;
        if answer.starts_with("HTTP/1.1 200") {
            break;
        }
    }
    println!(
        "restart: {tables} tables on disk, ready after {:.0} ms (killed before, not stopped)",
        began.elapsed().as_secs_f64() * 1e3
    );
    Ok(())
}
