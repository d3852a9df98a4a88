//! `parlor serve`, and plain `parlor`: the game house with its page; `backup` and `doctor` for its data.

use crate::address;
use crate::answer::{Answer, Failure, Outcome};
use crate::log::Log;
use crate::progress::Progress;
use clap::Args;
use serde_json::{Value, json};
use server::{Config, Health};
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// How the house is opened.
#[derive(Clone, Debug, Args)]
#[command(after_help = "Examples:
  parlor serve
  parlor serve --listen 0.0.0.0:7777 --data ~/parlor
  parlor serve --limit bots=32 --limit guests=200
  parlor serve --log json --log-level info,server=debug
  parlor serve --database postgres://parlor@localhost/parlor
  parlor serve --database postgres://parlor@db/parlor --nats nats://bus:4222     # one of many nodes")]
pub(crate) struct Serve {
    /// Where to listen; 0.0.0.0 lets others in your network come in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7777", value_parser = address::listen)]
    listen: SocketAddr,
    /// The folder of games and people
    #[arg(long, default_value = "data")]
    data: PathBuf,
    /// Keep everything in this PostgreSQL database instead: <postgres://user:password@host/name>; or set
    /// `PARLOR_DATABASE`, which no list of processes shows
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Share the house in that database with other nodes, over this NATS: <nats://user:password@host:4222>; or set
    /// `PARLOR_NATS`
    #[arg(long, value_name = "URL")]
    nats: Option<String>,
    /// Believe a proxy in front about addresses and https (see docs/hosting.md)
    #[arg(long)]
    trust_proxy: bool,
    /// Another origin that may open sockets, such as <https://games.example.org>
    #[arg(long = "origin", value_name = "ORIGIN")]
    origins: Vec<String>,
    /// Show /metrics here, and nothing else; without it they are shown nowhere
    #[arg(long, value_name = "ADDRESS", value_parser = address::listen)]
    metrics_listen: Option<SocketAddr>,
    /// How much of something is enough, by its name in docs/hosting.md; once for each
    #[arg(long = "limit", value_name = "NAME=NUMBER")]
    limits: Vec<String>,
    #[command(flatten)]
    log: Log,
}

impl Default for Serve {
    fn default() -> Serve {
        Serve {
            listen: SocketAddr::from(([127, 0, 0, 1], 7777)),
            data: PathBuf::from("data"),
            database: None,
            nats: None,
            trust_proxy: false,
            origins: Vec::new(),
            metrics_listen: None,
            limits: Vec::new(),
            log: Log::default(),
        }
    }
}

/// What was asked for, as the server has it.
fn config(ask: &Serve) -> Result<Config, Failure> {
    address::folder(&ask.data, "For a house in PostgreSQL say --database instead of --data.")?;
    let mut config = Config::new(ask.listen, &ask.data);
    config.database = ask.database.clone().or_else(|| std::env::var("PARLOR_DATABASE").ok());
    config.nats = ask.nats.clone().or_else(|| std::env::var("PARLOR_NATS").ok());
    config.trust_proxy = ask.trust_proxy;
    let origins = ask.origins.iter().map(|origin| address::origin(origin)).collect::<Result<_, _>>();
    config.origins = origins.map_err(|says| Failure::new("bad-origin", says))?;
    config.metrics = ask.metrics_listen;
    for limit in &ask.limits {
        config.limits.set(limit)?;
    }
    Ok(config)
}

/// Opens the house; comes back when it is closed.
pub(crate) fn serve(ask: &Serve) -> Outcome {
    let config = config(ask)?;
    ask.log.open()?;
    server::run(config, Embedded, welcome).map_err(|fault| Failure::new("serve", fault))?;
    Ok(Answer::new("The house is closed. Every game is on disk.", &json!({"closed": true})))
}

/// Says where the house is, with a QR code for the phones in the room.
fn welcome(address: SocketAddr) {
    let reachable = if address.ip().is_unspecified() { server::lan_address() } else { Some(address.ip()) };
    let shown = reachable.map_or(address, |ip| SocketAddr::new(ip, address.port()));
    println!("Parlor is open at http://{shown}/  (Ctrl-C closes it)");
    if !io::stdout().is_terminal() {
        return;
    }
    if shown.ip().is_loopback() {
        println!(
            "Only this machine can come in. For the phones in the room: parlor serve --listen 0.0.0.0:{}",
            shown.port()
        );
    } else if let Some(code) = server::qr(&format!("http://{shown}/")) {
        println!("{code}");
    }
}

/// The page that is carried in the program.
struct Embedded;

impl server::Page for Embedded {
    fn asset(&self, path: &str) -> Option<server::Asset> {
        let found = page::asset(&format!("/{path}"))?;
        Some(server::Asset {
            bytes: found.bytes,
            br: found.br,
            gzip: found.gzip,
            content_type: found.content_type,
            hash: found.hash,
            immutable: found.cache == page::Cache::Immutable,
        })
    }
}

/// Copies the data while a server runs.
pub(crate) fn backup(data: &Path, file: &Path) -> Outcome {
    address::folder(data, "A house in PostgreSQL is copied with pg_dump: see docs/hosting.md.")?;
    server::backup(data, file).map_err(|fault| Failure::new("backup", fault))?;
    let words = format!("{} holds everything that was on disk at this moment.", file.display());
    Ok(Answer::new(words, &json!({"backup": file})))
}

/// Moves a house from its folder to a database, and reads every table back.
pub(crate) fn migrate(from: &Path, to: Option<&str>) -> Outcome {
    address::folder(from, "The house that moves is in the folder --from, and goes to the database --to.")?;
    let to = to.map(str::to_owned).or_else(|| std::env::var("PARLOR_DATABASE").ok());
    let to = to.ok_or_else(|| {
        Failure::new(
            "migrate",
            "where to? Say --to postgres://user:password@host/name, or set PARLOR_DATABASE",
        )
    })?;
    let mut bar: Option<Progress> = None;
    let moved = server::migrate(from, &to, |at, all| {
        bar.get_or_insert_with(|| Progress::new(all, "rows and tables")).at(at);
    });
    if let Some(bar) = bar {
        bar.done();
    }
    let moved = moved.map_err(|fault| Failure::new("migrate", fault))?;
    let words = format!(
        "{} tables moved with {} rows, and each was read back the same; {} finished games verified. \
         Open the house with --database; the folder is as it was.",
        moved.tables, moved.rows, moved.verified
    );
    let json = json!({
        "tables": moved.tables, "rows": moved.rows, "verified": moved.verified, "faults": moved.faults,
    });
    Ok(report(words, &moved.faults, &json))
}

/// Checks every record in a data folder.
pub(crate) fn doctor(data: &Path) -> Outcome {
    address::folder(data, "The doctor looks at houses in folders, and at backups of them.")?;
    let mut bar: Option<Progress> = None;
    let health =
        server::doctor(data, |_, all| bar.get_or_insert_with(|| Progress::new(all, "tables")).step());
    if let Some(bar) = bar {
        bar.done();
    }
    health.map(diagnosis).map_err(|fault| Failure::new("doctor", fault))
}

fn diagnosis(health: Health) -> Answer {
    let Health { tables, playing, verified, aborted, notes, faults } = health;
    let mut words = format!("{tables} tables: {verified} finished and verified, {playing} in play");
    if aborted > 0 {
        let _ = write!(words, ", {aborted} broken off");
    }
    for note in &notes {
        let _ = write!(words, "\n  {note}");
    }
    let json = json!({
        "tables": tables, "playing": playing, "verified": verified, "aborted": aborted, "notes": notes, "faults": faults,
    });
    report(words, &faults, &json)
}

/// What was found, with a line for each fault; with any, the answer is no.
fn report(mut words: String, faults: &[String], json: &Value) -> Answer {
    for fault in faults {
        let _ = write!(words, "\n  {fault}");
    }
    let answer = Answer::new(words, json);
    if faults.is_empty() { answer } else { answer.no() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_doctor_names_games_that_cannot_go_on_and_takes_them_for_no_fault() {
        let broken_off = "table t: The game cannot go on here.";
        let health =
            Health { tables: 2, playing: 1, aborted: 1, notes: vec![broken_off.into()], ..Health::default() };
        let answer = diagnosis(health.clone());
        let words = "2 tables: 0 finished and verified, 1 in play, 1 broken off\n  table t: The game cannot go on here.";
        assert_eq!(answer.said(), (words, true));
        let faults = vec!["table u: row 1: missing".to_owned()];
        assert!(!diagnosis(Health { faults, ..health }).said().1);
    }

    #[test]
    fn limits_are_what_the_host_says() {
        let limits = |wishes: &[&str]| {
            let limits = wishes.iter().map(|&wish| wish.to_owned()).collect();
            let config = config(&Serve { limits, ..Serve::default() }).ok()?;
            Some((config.limits.bots, config.limits.guests))
        };
        assert_eq!(limits(&["bots=32", "guests=200", "guests=300"]), Some((32, 300)));
        assert_eq!(limits(&[]), Some((16, 30)));
        assert_eq!(limits(&["bots=32", "robots=1"]), None);
    }
}
