//! What a house of many nodes stands on, on this machine and for a while: PostgreSQL and NATS, each in a temporary folder with a port of
//! its own, nodes of the real program on top of them, and nginx, Caddy, `HAProxy` or a plain balancer in front. For tests, benches and chores; everything stops when it is dropped.

mod cluster;
mod database;
mod front;
mod nats;
mod proxy;

pub use cluster::Cluster;
pub use database::Database;
pub use front::Front;
pub use nats::Nats;
pub use proxy::Proxy;

use std::io;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Why an engine does not run.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// It is not installed.
    #[error(
        "{0} is not here; install PostgreSQL, NATS and the proxies (Debian: apt-get install postgresql nats-server nginx caddy haproxy)"
    )]
    Missing(&'static str),
    /// It ended with an error.
    #[error("{program} failed: {said}")]
    Failed {
        /// What was started.
        program: String,
        /// What it said.
        said: String,
    },
    /// It is not there after a long time.
    #[error("nothing listens on port {0} after a minute")]
    Silent(u16),
    /// A file, a process or a port that could not be had.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The folder of a program: on the path, where Debian keeps the programs of PostgreSQL, or where only the superuser looks.
pub fn find(program: &str) -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let hidden = versions.map(|version| version.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(hidden)
        .chain([PathBuf::from("/usr/sbin")])
        .find(|folder| folder.join(program).is_file())
}

/// An engine, or none where it is not installed, which is said: what needs it is then left out.
pub fn if_here<T>(started: Result<T, Trouble>) -> Result<Option<T>, Trouble> {
    match started {
        Err(missing @ Trouble::Missing(_)) => {
            eprintln!("left out: {missing}");
            Ok(None)
        }
        started => started.map(Some),
    }
}

fn program(name: &'static str) -> Result<PathBuf, Trouble> {
    find(name).map(|folder| folder.join(name)).ok_or(Trouble::Missing(name))
}

/// Runs a program to its end. What it says goes to a file and not into a pipe: the server that `pg_ctl` leaves running would keep that open.
fn ran(name: &str, command: &mut Command) -> Result<(), Trouble> {
    let said = tempfile::NamedTempFile::new()?;
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said.reopen()?).status()?;
    if status.success() {
        return Ok(());
    }
    Err(Trouble::Failed { program: name.to_owned(), said: std::fs::read_to_string(said.path())? })
}

/// A port that nobody has at the moment.
pub fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Waits until somebody listens there.
fn wait_for(port: u16) -> Result<(), Trouble> {
    let began = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if began.elapsed() > Duration::from_secs(60) {
            return Err(Trouble::Silent(port));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Asks a process to stop, and stops it if it does not.
fn stop(child: &mut Child) {
    drop(Command::new("kill").arg(child.id().to_string()).stderr(Stdio::null()).status());
    let began = Instant::now();
    while matches!(child.try_wait(), Ok(None)) && began.elapsed() < Duration::from_secs(15) {
        std::thread::sleep(Duration::from_millis(20));
    }
    drop((child.kill(), child.wait())); // it may have ended already
}
