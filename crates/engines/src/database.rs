//! PostgreSQL.

use crate::{Trouble, free_port, program, ran};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A database server.
#[derive(Debug)]
pub struct Database {
    folder: TempDir,
    port: u16,
    /// An address where it listens besides this machine's own.
    also: Option<String>,
    /// PostgreSQL refuses to run as the superuser: then it runs as nobody.
    root: bool,
}

/// Whom a server knows, and how.
struct Known {
    superuser: &'static str,
    /// How who comes over the network is known.
    by: &'static str,
}

impl Database {
    /// Starts one.
    pub fn start() -> Result<Database, Trouble> {
        Database::start_at(None)
    }

    /// Starts one that is also there for who comes to this address, from its network.
    pub fn start_at(also: Option<String>) -> Result<Database, Trouble> {
        Database::make(also, &Known { superuser: "parlor", by: "trust" })
    }

    /// Starts one as an installation makes it: the only user is `postgres`, on the machine itself, and over the network
    /// everybody needs a password.
    pub fn fresh() -> Result<Database, Trouble> {
        Database::make(None, &Known { superuser: "postgres", by: "scram-sha-256" })
    }

    fn make(also: Option<String>, known: &Known) -> Result<Database, Trouble> {
        let id = Command::new("id").arg("-u").output()?;
        let root = id.stdout.trim_ascii() == b"0";
        let database = Database { folder: tempfile::tempdir()?, port: free_port()?, also, root };
        if root {
            let folder = database.folder.path().display().to_string();
            ran("chown", Command::new("chown").args(["nobody", &folder]))?;
        }
        let data = database.data();
        let (local, host) = ("--auth-local=trust", format!("--auth-host={}", known.by));
        database.run(
            "initdb",
            &["-D", &data, "-U", known.superuser, local, &host, "-E", "UTF8", "--no-sync", "--locale=C"],
        )?;
        if let Some(also) = &database.also {
            let rules = Path::new(&data).join("pg_hba.conf");
            let known = std::fs::read_to_string(&rules)?;
            std::fs::write(&rules, format!("{known}host all all {also}/24 trust\n"))?;
        }
        database.up()?;
        Ok(database)
    }

    /// Starts it again.
    pub fn up(&self) -> Result<(), Trouble> {
        let (data, log) = (self.data(), self.folder.path().join("log").display().to_string());
        let also = self.also.as_ref().map_or_else(String::new, |also| format!(",{also}"));
        let options = format!(
            "-p {} -k {} -c listen_addresses=127.0.0.1{also} -c max_connections=200",
            self.port,
            self.folder.path().display()
        );
        self.run("pg_ctl", &["-D", &data, "-l", &log, "-o", &options, "-w", "start"])
    }

    /// Stops it as a machine that falls over would.
    pub fn down(&self) -> Result<(), Trouble> {
        self.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "-w", "stop"])
    }

    /// Where it listens; with a slash and a name, the address of a database.
    pub fn url(&self) -> String {
        format!("postgres://parlor@127.0.0.1:{}", self.port)
    }

    /// Where it listens on this machine: the folder of its socket, and the port.
    pub fn socket(&self) -> (PathBuf, u16) {
        (self.folder.path().to_owned(), self.port)
    }

    /// Makes a database of this name; answers its address.
    pub fn database(&self, name: &str) -> Result<String, Trouble> {
        let port = self.port.to_string();
        self.run("createdb", &["-h", "127.0.0.1", "-p", &port, "-U", "parlor", name])?;
        Ok(format!("{}/{name}", self.url()))
    }

    fn data(&self) -> String {
        self.folder.path().join("data").display().to_string()
    }

    fn run(&self, name: &'static str, args: &[&str]) -> Result<(), Trouble> {
        let path = program(name)?;
        let mut command = if self.root {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        ran(name, command.args(args).current_dir(self.folder.path()))
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if Path::new(&self.data()).join("postmaster.pid").exists() {
            drop(self.down()); // its folder goes in any case
        }
    }
}
