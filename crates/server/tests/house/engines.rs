//! The engines that a house of many nodes stands on, each in a temporary folder with a port of its own: PostgreSQL and NATS. Where they are not
//! installed, a test that needs them says so and is skipped.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A database server in a folder, with a port of its own.
pub(crate) struct Database {
    folder: TempDir,
    programs: PathBuf,
    pub(crate) port: u16,
    /// An address where it listens besides this machine's own.
    also: Option<String>,
}

/// Where `initdb` and `pg_ctl` are: on the path, or where Debian hides them.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let hidden = versions.map(|version| version.path().join("bin"));
    std::env::split_paths(&path)
        .chain(hidden)
        .find(|folder| folder.join("initdb").is_file() && folder.join("pg_ctl").is_file())
}

impl Database {
    pub(crate) fn start() -> Option<Database> {
        Database::start_at(None)
    }

    /// One that is also there for who comes to this address, from its network.
    pub(crate) fn start_at(also: Option<String>) -> Option<Database> {
        let Some(programs) = programs() else {
            eprintln!("skipped: this test needs PostgreSQL (initdb and pg_ctl)");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let database = Database { folder, programs, port, also };
        if root() {
            // PostgreSQL refuses to run as the superuser.
            let owned = Command::new("chown").arg("nobody").arg(database.folder.path()).status();
            assert!(owned.unwrap().success());
        }
        let data = database.data();
        database.run(
            "initdb",
            &["-D", &data, "-U", "parlor", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C"],
        );
        if let Some(also) = &database.also {
            let rules = Path::new(&data).join("pg_hba.conf");
            let known = std::fs::read_to_string(&rules).unwrap();
            std::fs::write(&rules, format!("{known}host all all {also}/24 trust\n")).unwrap();
        }
        database.up();
        Some(database)
    }

    fn data(&self) -> String {
        self.folder.path().join("data").display().to_string()
    }

    fn run(&self, program: &str, args: &[&str]) {
        let program = self.programs.join(program);
        let mut command = if root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        let done = command
            .args(args)
            .current_dir(self.folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(done.unwrap().success(), "{args:?}");
    }

    pub(crate) fn up(&self) {
        let (data, log) = (self.data(), self.folder.path().join("log").display().to_string());
        let also = self.also.as_ref().map_or_else(String::new, |also| format!(",{also}"));
        let options = format!(
            "-p {} -k {} -c listen_addresses=127.0.0.1{also} -c max_connections=200",
            self.port,
            self.folder.path().display()
        );
        self.run("pg_ctl", &["-D", &data, "-l", &log, "-o", &options, "-w", "start"]);
    }

    /// Stops it as a machine that falls over would.
    pub(crate) fn down(&self) {
        self.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "-w", "stop"]);
    }

    /// The address of a database of this name; made, if it is not there.
    pub(crate) async fn database(&self, name: &str) -> String {
        let url = |name: &str| format!("postgres://parlor@127.0.0.1:{}/{name}", self.port);
        let (client, connection) =
            tokio_postgres::connect(&url("postgres"), tokio_postgres::NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        client.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
        drop(client);
        connection.await.unwrap().unwrap();
        url(name)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let data = self.data();
        if Path::new(&data).join("postmaster.pid").exists() {
            self.run("pg_ctl", &["-D", &data, "-m", "immediate", "-w", "stop"]);
        }
    }
}

fn root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

/// A NATS server.
pub(crate) struct Nats {
    folder: TempDir,
    program: PathBuf,
    child: Option<Child>,
    port: u16,
    /// Where it listens.
    at: &'static str,
}

impl Nats {
    pub(crate) fn start() -> Option<Nats> {
        Nats::start_at("127.0.0.1")
    }

    /// One that listens there.
    pub(crate) fn start_at(at: &'static str) -> Option<Nats> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        // Debian keeps it where only the superuser looks.
        let mut programs = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
        let Some(program) = programs.find(|folder| folder.join("nats-server").is_file()) else {
            eprintln!("skipped: this test needs NATS (nats-server)");
            return None;
        };
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let program = program.join("nats-server");
        let mut nats = Nats { folder: tempfile::tempdir().unwrap(), program, child: None, port, at };
        nats.up();
        Some(nats)
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(crate) fn up(&mut self) {
        let store = self.folder.path().display().to_string();
        let child = Command::new(&self.program)
            .args(["-a", self.at, "-p", &self.port.to_string(), "--jetstream", "--store_dir", &store])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.child = Some(child);
        let began = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(30), "NATS does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// kill -9.
    pub(crate) fn down(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.down();
    }
}
