//! `parlor serve`, and plain `parlor`: the game house with its page; `backup` and `restore` for its data.

use crate::address;
use crate::answer::{Answer, Failure, Outcome};
use crate::home::Where;
use crate::log::Log;
use crate::machine;
use crate::progress::Progress;
use crate::settings;
use crate::welcome::Welcome;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use server::store::office::Home;
use server::{BasePath, Config, Limits, PublicUrl, Tls};
use std::fmt::Write;
use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where the house is, unless it is told to be elsewhere.
const PORT: u16 = 7777;

/// How the house is opened.
#[derive(Clone, Debug, Args)]
#[command(after_help = "Examples:
  parlor serve
  parlor serve --lan
  parlor serve --listen 0.0.0.0:7777 --data ~/parlor
  parlor serve --lan --tls self
  parlor serve --public-url https://games.example/play --trust-proxy
  parlor serve --limit bots=32 --limit guests=200
  parlor serve --log json --log-level info,server=debug
  parlor serve --database postgres://parlor@localhost/parlor
  parlor serve --database postgres://parlor@db/parlor --nats nats://bus:4222     # one of many nodes")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
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
    /// Another origin that may open sockets, such as <https://games.example>
    #[arg(long = "origin", value_name = "ORIGIN")]
    origins: Vec<String>,
    /// The address that others call the house by: invitations name it, pages from there may open sockets, and the start looks
    /// whether a proxy passes on all that is needed. Such as <https://games.example> or <https://games.example/play>
    #[arg(long, value_name = "URL", value_parser = address::public)]
    public_url: Option<(PublicUrl, Option<BasePath>)>,
    /// The folder of its server that the house is in, such as /games
    #[arg(long, value_name = "PATH")]
    base_path: Option<BasePath>,
    /// Speak https: self for a certificate that the house makes itself (browsers warn once), or the files of one and of its key
    #[arg(long, value_name = "self|CERT,KEY", value_parser = address::tls)]
    tls: Option<Tls>,
    /// What this node is called in logs and metrics; unless you say, as the machine is
    #[arg(long, value_name = "NAME")]
    node_name: Option<String>,
    /// Write a line in the log for every request: who, what, how it ended, how long it took
    #[arg(long)]
    access_log: bool,
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
            public_url: None,
            base_path: None,
            tls: None,
            node_name: None,
            access_log: false,
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
    config.public = ask.public_url.as_ref().map(|(public, _)| public.clone());
    config.base = base(ask)?;
    config.tls.clone_from(&ask.tls);
    config.node_name = ask.node_name.clone().unwrap_or_else(machine::host_name);
    config.access_log = ask.access_log;
    config.metrics = ask.metrics_listen;
    if ask.limits == Preset::Club {
        config.limits = Limits::club();
    }
    for limit in &ask.limit {
        config.limits.set(limit)?;
    }
    Ok(config)
}

/// The folder of its server that the house is in. The public address may name it, too.
fn base(ask: &Serve) -> Result<BasePath, Failure> {
    let public = ask.public_url.as_ref().and_then(|(_, base)| base.as_ref());
    match (public, &ask.base_path) {
        (Some(public), Some(base)) if public != base => {
            let says =
                format!("--base-path is {base}, and --public-url ends in {public}: say one, or both alike");
            Err(Failure::new("bad-base-path", says))
        }
        (base, or) => Ok(base.or(or.as_ref()).cloned().unwrap_or_else(BasePath::root)),
    }
}

/// Opens the house; comes back when it is closed.
pub(crate) fn serve(ask: &Serve) -> Outcome {
    let config = config(ask)?;
    ask.log.open()?;
    machine::raise_file_limit();
    let welcome = welcome(ask, &config);
    server::run(config, Embedded, move |open| welcome.say(open))
        .map_err(|fault| Failure::new("serve", fault))?;
    Ok(Answer::new("The house is closed. Every game is on disk.", &json!({"closed": true})))
}

/// What is said when it is open.
fn welcome(ask: &Serve, config: &Config) -> Welcome {
    let folder = config.database.is_none().then(|| config.data.clone());
    Welcome {
        sealed: config.tls.is_some(),
        base: config.base.to_string(),
        public: config.public.as_ref().map(|public| public.origin() + config.base.as_str()),
        new: folder.as_ref().is_some_and(|folder| !folder.join("parlor.db").exists()),
        folder,
        browse: ask.open,
    }
}

/// The page that is carried in the program, and the book at `/docs/`.
struct Embedded;

impl server::Page for Embedded {
    fn asset(&self, path: &str) -> Option<server::Asset> {
        if let Some(path) = path.strip_prefix("docs/") {
            return chapter(path);
        }
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

/// A file of the book.
fn chapter(path: &str) -> Option<server::Asset> {
    let found = book::file(path)?;
    Some(server::Asset {
        plain: server::Plain::Here(found.bytes),
        br: None,
        gzip: found.gzip,
        content_type: found.content_type,
        hash: found.hash,
        immutable: false,
    })
}

/// Copies a house, while it runs or not.
pub(crate) fn backup(house: &Where, file: &Path) -> Outcome {
    server::backup(&house.home()?, file).map_err(|fault| Failure::new("backup", fault))?;
    let words = format!("{} holds everything that was on disk at this moment.", file.display());
    Ok(Answer::new(words, &json!({"backup": file})))
}

/// Puts a copy where the house is.
pub(crate) fn restore(file: &Path, house: &Where) -> Outcome {
    let home = house.home()?;
    let aside = server::restore(file, &home).map_err(|fault| Failure::new("restore", fault))?;
    let place = match &home {
        Home::Folder(folder) => folder.display().to_string(),
        Home::Database(_) => "the database".to_owned(),
    };
    let mut words = format!("{} is the house in {place} now.", file.display());
    let aside_there = match &home {
        Home::Folder(_) => "",
        Home::Database(_) => "in the schema ",
    };
    if let Some(aside) = &aside {
        let _ = write!(words, " The one that was there is {aside_there}{aside}."); // a String never fails to be written
    }
    Ok(Answer::new(words, &json!({"restored": file, "replaced": aside})))
}

/// Asks a house whether it can play: for containers and whoever watches over it.
pub(crate) fn healthcheck(at: SocketAddr) -> Answer {
    let (ready, says) = match house_answers(at, "/readyz") {
        Ok(()) => (true, "it plays".to_owned()),
        Err(why) => (false, why),
    };
    let answer = Answer::new(format!("{at}: {says}"), &json!({"ready": ready, "says": says}));
    if ready { answer } else { answer.no() }
}

/// Asks a house for a sign of health. It is answered without https, too.
pub(crate) fn house_answers(at: SocketAddr, path: &str) -> Result<(), String> {
    const PATIENCE: Duration = Duration::from_secs(3);
    let ask = || -> io::Result<String> {
        let mut stream = TcpStream::connect_timeout(&at, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(format!("GET {path} HTTP/1.0\r\nhost: {at}\r\n\r\n").as_bytes())?;
        let mut answer = String::new();
        BufReader::new(stream.take(1_000)).read_line(&mut answer)?;
        Ok(answer)
    };
    match ask() {
        Ok(answer) if answer.split(' ').nth(1) == Some("200") => Ok(()),
        Ok(answer) => Err(format!("it answers {:?}", answer.trim_end())),
        Err(why) => Err(why.to_string()),
    }
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

/// What was found, with a line for each fault; with any, the answer is no.
pub(crate) fn report(mut words: String, faults: &[String], json: &Value) -> Answer {
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
    fn the_public_address_may_name_the_folder_and_must_not_contradict_it() {
        let base = |public: Option<&str>, base: Option<&str>| {
            let ask = Serve {
                public_url: public.map(|url| address::public(url).unwrap()),
                base_path: base.map(|base| base.parse().unwrap()),
                ..Serve::default()
            };
            config(&ask).map(|config| config.base.to_string()).map_err(|failure| failure.to_string())
        };
        let is = |found: Result<String, String>, base: &str| assert_eq!(found.as_deref(), Ok(base));
        is(base(None, None), "/");
        is(base(None, Some("/games")), "/games/");
        is(base(Some("https://a.example/games"), None), "/games/");
        is(base(Some("https://a.example"), Some("/games")), "/games/");
        is(base(Some("https://a.example/games/"), Some("games")), "/games/");
        let says = base(Some("https://a.example/games"), Some("/play")).unwrap_err();
        assert!(says.contains("/play/") && says.contains("/games/"), "{says}");
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
