//! `parlor serve`, and plain `parlor`: the game house with its page; `backup` and `doctor` for its data.

use crate::address;
use crate::answer::{Answer, Failure, Outcome};
use crate::log::Log;
use crate::progress::Progress;
use crate::settings;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use server::{Config, Health, Limits};
use std::fmt::Write;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write as _};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Where the house is, unless it is told to be elsewhere.
const PORT: u16 = 7777;

/// How the house is opened.
#[derive(Clone, Debug, Args)]
#[command(after_help = "Examples:
  parlor serve
  parlor serve --lan
  parlor serve --listen 0.0.0.0:7777 --data ~/parlor
  parlor serve --limit bots=32 --limit guests=200
  parlor serve --log json --log-level info,server=debug
  parlor serve --database postgres://parlor@localhost/parlor
  parlor serve --database postgres://parlor@db/parlor --nats nats://bus:4222     # one of many nodes")]
pub(crate) struct Serve {
    /// Where to listen; 0.0.0.0 lets others in your network come in. Unless you say, 127.0.0.1:7777, or the next port that is free
    #[arg(long, value_name = "ADDRESS", value_parser = address::listen)]
    listen: Option<SocketAddr>,
    /// Let the phones in the room come in: listens on the network, and prints the address and its QR code
    #[arg(long, conflicts_with = "listen")]
    lan: bool,
    /// Open the page in this machine's browser
    #[arg(long)]
    open: bool,
    /// Read settings from this file instead of parlor.toml: the names of these flags, and their values
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder of games and people
    #[arg(long, default_value_os_t = usual_folder())]
    data: PathBuf,
    /// Keep everything in this PostgreSQL database instead: <postgres://user:password@host/name>; as
    /// `PARLOR_DATABASE` no list of processes shows it
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Share the house in that database with other nodes, over this NATS: <nats://user:password@host:4222>
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
    /// What is enough for whom: strangers from anywhere, or a school or club whose people share one address
    #[arg(long, value_enum, default_value_t)]
    limits: Preset,
    /// How much of something is enough, by its name in docs/hosting.md; once for each
    #[arg(long = "limit", value_name = "NAME=NUMBER")]
    limit: Vec<String>,
    #[command(flatten)]
    log: Log,
}

/// Limits that go together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Preset {
    /// Anybody may come, from anywhere.
    #[default]
    Public,
    /// Many people behind one address, who know each other.
    Club,
}

impl Default for Serve {
    fn default() -> Serve {
        Serve {
            listen: None,
            lan: false,
            open: false,
            config: None,
            data: usual_folder(),
            database: None,
            nats: None,
            trust_proxy: false,
            origins: Vec::new(),
            metrics_listen: None,
            limits: Preset::default(),
            limit: Vec::new(),
            log: Log::default(),
        }
    }
}

/// Where a house is that nobody put elsewhere: in `data`, if it is there already or the program was built here; else where the
/// system keeps what programs remember.
pub(crate) fn usual_folder() -> PathBuf {
    let here = PathBuf::from("data");
    let built =
        std::env::current_exe().is_ok_and(|exe| exe.components().any(|part| part.as_os_str() == "target"));
    if built || here.is_dir() {
        return here;
    }
    term::data_folder().map_or(here, |folder| folder.join("house"))
}

/// What was asked for, as the server has it.
fn config(ask: &Serve) -> Result<Config, Failure> {
    address::folder(&ask.data, "For a house in PostgreSQL say --database instead of --data.")?;
    let ip = if ask.lan { IpAddr::from([0, 0, 0, 0]) } else { IpAddr::from([127, 0, 0, 1]) };
    let mut config = Config::new(ask.listen.unwrap_or(SocketAddr::new(ip, PORT)), &ask.data);
    config.any_port = ask.listen.is_none();
    config.database.clone_from(&ask.database);
    config.nats.clone_from(&ask.nats);
    config.trust_proxy = ask.trust_proxy;
    let origins = ask.origins.iter().map(|origin| address::origin(origin)).collect::<Result<_, _>>();
    config.origins = origins.map_err(|says| Failure::new("bad-origin", says))?;
    config.metrics = ask.metrics_listen;
    if ask.limits == Preset::Club {
        config.limits = Limits::club();
    }
    for limit in &ask.limit {
        config.limits.set(limit)?;
    }
    Ok(config)
}

/// Opens the house; comes back when it is closed.
pub(crate) fn serve(ask: &Serve) -> Outcome {
    let config = config(ask)?;
    ask.log.open()?;
    let open = ask.open;
    server::run(config, Embedded, move |address| welcome(address, open))
        .map_err(|fault| Failure::new("serve", fault))?;
    Ok(Answer::new("The house is closed. Every game is on disk.", &json!({"closed": true})))
}

/// Says where the house is, with a QR code for the phones in the room.
fn welcome(address: SocketAddr, open: bool) {
    let reachable = if address.ip().is_unspecified() { server::lan_address() } else { Some(address.ip()) };
    let shown = reachable.map_or(address, |ip| SocketAddr::new(ip, address.port()));
    println!("Parlor is open at http://{shown}/  (Ctrl-C closes it)");
    ready();
    if open && let Err(why) = browse(&format!("http://{shown}/")) {
        println!("No browser could be opened here ({why}): open that address yourself.");
    }
    if !io::stdout().is_terminal() {
        return;
    }
    if shown.ip().is_loopback() {
        println!("Only this machine can come in. To let the phones in the room come in: parlor serve --lan");
    } else if let Some(code) = server::qr(&format!("http://{shown}/")) {
        println!("{code}");
    }
}

/// Tells the service manager, if one started us and wants to know (`Type=notify` of systemd).
fn ready() {
    #[cfg(target_os = "linux")]
    if let Some(place) = std::env::var_os("NOTIFY_SOCKET") {
        use std::os::linux::net::SocketAddrExt;
        use std::os::unix::ffi::OsStrExt;
        use std::os::unix::net::{SocketAddr, UnixDatagram};
        let address = match place.as_bytes() {
            [b'@', name @ ..] => SocketAddr::from_abstract_name(name),
            _ => SocketAddr::from_pathname(&place),
        };
        let told = address.and_then(|at| UnixDatagram::unbound()?.send_to_addr(b"READY=1", &at));
        if let Err(why) = told {
            eprintln!("the service manager cannot be told that the house is open: {why}");
        }
    }
}

/// Opens an address in the browser of whoever sits here.
fn browse(address: &str) -> io::Result<()> {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
}

/// The page that is carried in the program.
struct Embedded;

impl server::Page for Embedded {
    fn asset(&self, path: &str) -> Option<server::Asset> {
        let found = page::asset(&format!("/{path}"))?;
        Some(server::Asset {
            plain: match found.form {
                page::Form::Plain(bytes) => server::Plain::Here(bytes),
                page::Form::Gzip(gzip) => server::Plain::Packed { gzip, unpack: page::unpack },
            },
            br: found.br,
            gzip: found.gzip(),
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

/// Puts a copy where the house is.
pub(crate) fn restore(file: &Path, data: &Path) -> Outcome {
    address::folder(data, "A house in PostgreSQL is restored with pg_restore: see docs/hosting.md.")?;
    let aside = server::restore(file, data).map_err(|fault| Failure::new("restore", fault))?;
    let mut words = format!("{} is the house in {} now.", file.display(), data.display());
    if let Some(aside) = &aside {
        let _ = write!(words, " The one that was there is {}.", aside.display());
    }
    Ok(Answer::new(words, &json!({"restored": file, "replaced": aside})))
}

/// Asks a house whether it can play: for containers and whoever watches over it.
pub(crate) fn healthcheck(at: SocketAddr) -> Answer {
    const PATIENCE: Duration = Duration::from_secs(3);
    let ask = || -> io::Result<String> {
        let mut stream = TcpStream::connect_timeout(&at, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(format!("GET /readyz HTTP/1.0\r\nhost: {at}\r\n\r\n").as_bytes())?;
        let mut answer = String::new();
        BufReader::new(stream.take(1_000)).read_line(&mut answer)?;
        Ok(answer)
    };
    let (ready, says) = match ask() {
        Ok(answer) if answer.split(' ').nth(1) == Some("200") => (true, "it plays".to_owned()),
        Ok(answer) => (false, format!("it answers {:?}", answer.trim_end())),
        Err(why) => (false, why.to_string()),
    };
    let answer = Answer::new(format!("{at}: {says}"), &json!({"ready": ready, "says": says}));
    if ready { answer } else { answer.no() }
}

/// Moves a house from its folder to a database, and reads every table back.
pub(crate) fn migrate(from: &Path, to: Option<&str>) -> Outcome {
    address::folder(from, "The house that moves is in the folder --from, and goes to the database --to.")?;
    let to = to.map_or_else(|| settings::secret("database"), |to| Ok(Some(to.to_owned())))?;
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
            let limit = wishes.iter().map(|&wish| wish.to_owned()).collect();
            let config = config(&Serve { limit, ..Serve::default() }).ok()?;
            Some((config.limits.bots, config.limits.guests))
        };
        assert_eq!(limits(&["bots=32", "guests=200", "guests=300"]), Some((32, 300)));
        assert_eq!(limits(&[]), Some((16, 30)));
        let club = Serve { limits: Preset::Club, limit: vec!["guests=3".to_owned()], ..Serve::default() };
        let club = config(&club).ok().expect("a club").limits;
        assert_eq!(
            (club.connections, club.guests),
            (2_000, 3),
            "what is said beside a preset counts for more"
        );
        assert_eq!(limits(&["bots=32", "robots=1"]), None);
    }
}
