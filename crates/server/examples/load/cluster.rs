//! Many nodes under load, on PostgreSQL and NATS in temporary folders: what sharing costs, an act across nodes, and a node that is killed.

use crate::client::{Client, guest};
use crate::measure::{Process, lay_or_clear, number};
use engines::{Database, Nats};
use serde_json::json;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Nodes of a new house.
struct Site {
    nodes: Vec<Process>,
    _nats: Nats,
    _database: Database,
}

impl Site {
    fn open(count: usize) -> io::Result<Site> {
        let database = Database::start().map_err(io::Error::other)?;
        let nats = Nats::start().map_err(io::Error::other)?;
        let (url, bus) = (database.database("house").map_err(io::Error::other)?, nats.url());
        let nodes = (0..count).map(|_| Process::start("node", &[&url, &bus])).collect::<io::Result<_>>()?;
        Ok(Site { nodes, _nats: nats, _database: database })
    }

    fn at(&self, node: usize) -> SocketAddr {
        self.nodes[node % self.nodes.len()].address
    }

    /// A player at one node whose table another keeps, or the same.
    async fn player(&self, name: &str, keeps: usize, plays: usize) -> io::Result<(Client, String)> {
        let cookie = guest(self.at(keeps), name).await?;
        let mut client = Client::hello(self.at(keeps), &cookie, "load").await?;
        let table = client.table("roulette", json!({"throws": 10_000, "window": 3600}), 1).await?;
        if self.at(keeps) != self.at(plays) {
            let mut other = Client::hello(self.at(plays), &cookie, "load").await?;
            other.id = client.id;
            other.done(json!({"cmd": "watch", "table": table})).await?;
            client = other;
        }
        Ok((client, table))
    }
}

pub(crate) async fn run() -> io::Result<()> {
    let (tables, seconds) = (number("TABLES", 256) as usize, number("SECONDS", 10));
    let one = flood(1, tables, seconds, |_| 0).await?;
    let here = flood(3, tables, seconds, |_| 0).await?;
    // As a proxy spreads people that come to tables of others: each to any node.
    let spread = flood(3, tables, seconds, |number| number / 3).await?;
    let across = flood(3, tables, seconds, |_| 1).await?;
    let share = |rate: f64| 100.0 * rate / one;
    println!(
        "cluster: one node {one:.0} acts/s, {tables} tables; three nodes, everybody at the table's {here:.0} ({:.0} %), at any {spread:.0} ({:.0} %), everybody at another {across:.0} ({:.0} %)",
        share(here),
        share(spread),
        share(across)
    );
    paced(number("PACED", 1_000) as usize, seconds).await?;
    failover(number("FAILOVER", 500) as usize).await
}

/// One act in flight at each table, as fast as answers come; acts a second.
/// `apart` says how many nodes further than his table a player is.
async fn flood(nodes: usize, tables: usize, seconds: u64, apart: fn(usize) -> usize) -> io::Result<f64> {
    let site = Site::open(nodes)?;
    let (acts, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let mut all = JoinSet::new();
    let mut players = Vec::new();
    for number in 0..tables {
        players.push(site.player(&format!("Guest {number}"), number, number + apart(number)).await?);
    }
    for (mut client, table) in players {
        let (acts, stop) = (Arc::clone(&acts), Arc::clone(&stop));
        all.spawn(async move {
            for id in 1001.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                act(&mut client, &table, id).await?;
                acts.fetch_add(1, Ordering::Relaxed);
            }
            Ok::<_, io::Error>(())
        });
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (from, began) = (acts.load(Ordering::Relaxed), Instant::now());
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    let (acted, took) = (acts.load(Ordering::Relaxed) - from, began.elapsed());
    stop.store(true, Ordering::Relaxed);
    while let Some(done) = all.join_next().await {
        done.map_err(io::Error::other)??;
    }
    Ok(acted as f64 / took.as_secs_f64())
}

async fn act(client: &mut Client, table: &str, id: u64) -> io::Result<()> {
    client.send(&lay_or_clear(table, id)).await?;
    if client.answer().await? { Ok(()) } else { Err(io::Error::other("an act was refused")) }
}

/// An act a second at each of many tables, all of them across nodes.
async fn paced(tables: usize, seconds: u64) -> io::Result<()> {
    let site = Site::open(3)?;
    let mut players = Vec::new();
    for number in 0..tables {
        players.push(site.player(&format!("Guest {number}"), number, number + 1).await?);
    }
    let (began, mut all) = (Instant::now() + Duration::from_secs(1), JoinSet::new());
    for (number, (mut client, table)) in players.into_iter().enumerate() {
        let offset = Duration::from_micros(1_000_000 * number as u64 / tables as u64);
        all.spawn(async move {
            let mut took = Vec::new();
            for step in 0..seconds {
                tokio::time::sleep_until((began + offset + Duration::from_secs(step)).into()).await;
                let sent = Instant::now();
                act(&mut client, &table, 1001 + step).await?;
                took.push(sent.elapsed());
            }
            Ok::<_, io::Error>(took)
        });
    }
    let mut took = Vec::new();
    while let Some(done) = all.join_next().await {
        took.extend(done.map_err(io::Error::other)??);
    }
    took.sort_unstable();
    let at = |percent: usize| took.get(took.len() * percent / 100).copied().unwrap_or_default();
    println!(
        "cluster: an act across nodes, {tables} tables at an act a second: p50 {:.1?}, p90 {:.1?}, p99 {:.1?}",
        at(50),
        at(90),
        at(99)
    );
    Ok(())
}

/// A node that keeps many tables is killed; how long until each has answered an act at another node.
async fn failover(tables: usize) -> io::Result<()> {
    let mut site = Site::open(3)?;
    let mut players = Vec::new();
    for number in 0..tables {
        players.push(site.player(&format!("Guest {number}"), 0, 1 + number % 2).await?);
    }
    for (client, table) in &mut players {
        act(client, table, 1001).await?;
    }
    let killed = Instant::now();
    drop(site.nodes.remove(0)); // kill -9
    let mut all = JoinSet::new();
    for (mut client, table) in players {
        all.spawn(async move {
            act(&mut client, &table, 1002).await?;
            Ok::<_, io::Error>(killed.elapsed())
        });
    }
    let mut took = Vec::new();
    while let Some(done) = all.join_next().await {
        took.push(done.map_err(io::Error::other)??);
    }
    took.sort_unstable();
    let (half, last) = (took.get(took.len() / 2), took.last());
    println!(
        "cluster: {tables} tables of a killed node answer again after {:.1?} (half of them after {:.1?})",
        last.copied().unwrap_or_default(),
        half.copied().unwrap_or_default()
    );
    Ok(())
}
