//! The real program, serving: one of it with a folder, or as many nodes as `PARLOR_NODES` says on PostgreSQL and NATS.

use crate::Trouble;
use engines::Cluster;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// A house that is open, at an address of its own. Closed when dropped.
pub struct Parlor {
    house: House,
    /// Where it listens.
    address: String,
    /// Where visitors find it: host and port, and the folder that it is in, if it is in one.
    shown: String,
    /// What it is started with, beside where it listens and keeps things.
    flags: &'static [&'static str],
}

enum House {
    /// One program with its folder.
    One(Child, TempDir),
    /// Many nodes behind one address.
    Many(Box<Cluster>),
}

impl Parlor {
    /// Opens a house on any free port.
    pub fn open() -> Result<Parlor, Trouble> {
        let nodes = match std::env::var("PARLOR_NODES") {
            Ok(nodes) => nodes.parse()?,
            Err(_) => 1,
        };
        if nodes > 1 {
            return Parlor::many(nodes);
        }
        Parlor::with(&[])
    }

    /// Opens a house of one program with these flags.
    pub fn with(flags: &'static [&'static str]) -> Result<Parlor, Trouble> {
        let data = tempfile::tempdir()?;
        let (child, shown) = one("127.0.0.1:0", data.path(), flags)?;
        let address = shown.split('/').next().unwrap_or_default().to_owned();
        Ok(Parlor { house: House::One(child, data), shown, address, flags })
    }

    /// Opens a house of this many nodes.
    fn many(nodes: usize) -> Result<Parlor, Trouble> {
        let cluster = Cluster::open(program()?, nodes, engines::free_port()?)?;
        let address = cluster.address().to_string();
        Ok(Parlor { house: House::Many(Box::new(cluster)), shown: address.clone(), address, flags: &[] })
    }

    /// Visitors come by this name over plain HTTP, as the phones in a room do: no secure origin for a browser, unlike 127.0.0.1.
    #[must_use]
    pub fn called(mut self, name: &str) -> Parlor {
        let port = self.address.rsplit(':').next().unwrap_or_default();
        self.shown = format!("{name}:{port}");
        self
    }

    /// Visitors come by the door of an [`Updates`](crate::Updates).
    pub(crate) fn behind(&mut self, door: std::net::SocketAddr) -> &str {
        self.shown = door.to_string();
        &self.address
    }

    /// Whether the program carries the small page that is given away; that of a debug build is many times larger.
    pub fn is_optimised() -> Result<bool, Trouble> {
        let folder = program()?.parent().and_then(Path::file_name);
        Ok(folder.is_some_and(|folder| folder == "release" || folder == "dist"))
    }

    /// The address of a place in the house.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.shown)
    }

    /// Kills the program, or all of the nodes, without a word, as a power cut would.
    pub fn kill(&mut self) -> Result<(), Trouble> {
        match &mut self.house {
            House::One(child, _) => {
                child.kill()?;
                child.wait()?;
            }
            House::Many(cluster) => cluster.kill()?,
        }
        Ok(())
    }

    /// Opens it again at the same address, with what it knew.
    pub fn reopen(&mut self) -> Result<(), Trouble> {
        match &mut self.house {
            House::One(child, data) => (*child, _) = one(&self.address, data.path(), self.flags)?,
            House::Many(cluster) => cluster.up()?,
        }
        Ok(())
    }
}

impl Drop for Parlor {
    fn drop(&mut self) {
        if let House::One(child, _) = &mut self.house {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Starts one program; says where it is found.
fn one(listen: &str, data: &Path, flags: &[&str]) -> Result<(Child, String), Trouble> {
    let mut child = Command::new(program()?)
        .args(["serve", "--listen", listen, "--data"])
        .arg(data)
        .args(flags)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let stdout = child.stdout.take().ok_or("the program has no output")?;
    let mut lines = BufReader::new(stdout).lines();
    let address = loop {
        let line = lines.next().ok_or("the program ended before it was open")??;
        let found = line.split_whitespace().find_map(|word| word.strip_prefix("http://"));
        if let Some(address) = found {
            break address.trim_end_matches('/').to_owned();
        }
    };
    // Whoever writes must be read.
    std::thread::spawn(move || lines.for_each(drop));
    Ok((child, address))
}

/// The program, built as these tests are, or the one that `PARLOR_PROGRAM` names.
fn program() -> Result<&'static Path, Trouble> {
    static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let built = PROGRAM.get_or_init(|| build().map_err(|trouble| trouble.to_string()));
    built.as_deref().map_err(|trouble| trouble.clone().into())
}

fn build() -> Result<PathBuf, Trouble> {
    if let Some(named) = std::env::var_os("PARLOR_PROGRAM") {
        return Ok(named.into());
    }
    // This test lies in <target>/<profile>/deps; the program in <target>/<profile>.
    let me = std::env::current_exe()?;
    let folder = me.ancestors().nth(2).ok_or("the test lies in no target folder")?;
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--quiet", "--package", "parlor", "--features", "cluster"])
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo.env("CARGO_TARGET_DIR", folder.parent().ok_or("no target folder")?);
    if !folder.ends_with("debug") {
        cargo.arg("--profile").args(folder.file_name());
    }
    if !cargo.status()?.success() {
        return Err("the program does not build".into());
    }
    Ok(folder.join("parlor"))
}
