//! `cargo xtask cluster`: PostgreSQL, NATS, three nodes behind one address and a worker, on this machine, until Ctrl-C; or for as long as a command runs.

use crate::{sh, suite};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const USAGE: &str = "cargo xtask cluster [--nodes N] [--workers N] [--port P] [--release] [-- command]";

/// What is asked for.
struct Ask {
    nodes: usize,
    workers: usize,
    port: u16,
    release: bool,
    command: Vec<String>,
}

fn read(args: &[String]) -> Result<Ask, String> {
    let mut ask = Ask { nodes: 3, workers: 1, port: 7777, release: false, command: Vec::new() };
    let mut args = args.iter();
    let number = |value: Option<&String>| {
        value.and_then(|value| value.parse().ok()).ok_or_else(|| format!("{USAGE}: a number is missing"))
    };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--nodes" => ask.nodes = usize::from(number(args.next())?).max(1),
            "--workers" => ask.workers = usize::from(number(args.next())?),
            "--port" => ask.port = number(args.next())?,
            "--release" => ask.release = true,
            "--" => ask.command = args.by_ref().cloned().collect(),
            other => return Err(format!("{USAGE}: what is {other:?}?")),
        }
    }
    Ok(ask)
}

/// Starts everything, waits, and stops everything.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let ask = read(args)?;
    suite::need_engines()?;
    let profile = if ask.release { &["--release"][..] } else { &[] };
    sh::run("cargo", &[&["build", "--package", "parlor"], profile].concat())?;
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&stop)).map_err(|why| why.to_string())?;
    }
    let folder = std::env::temp_dir().join(format!("parlor-cluster-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut running = Running { folder: folder.clone(), children: Vec::new() };
    let address = running.start(&ask)?;
    eprintln!("\n{} nodes are open at http://{address}/  (Ctrl-C closes them)", ask.nodes);
    let Some((program, rest)) = ask.command.split_first() else {
        running.wait(&stop);
        return Ok(());
    };
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    sh::go(sh::command(program, &rest).env("PARLOR_ADDRESS", address.to_string()))
}

/// Everything that runs; stopped in reverse when it is dropped.
struct Running {
    folder: PathBuf,
    children: Vec<(String, Child)>,
}

impl Running {
    fn start(&mut self, ask: &Ask) -> Result<SocketAddr, String> {
        let (database, nats) = (free_port()?, free_port()?);
        self.start_database(database)?;
        let store = self.folder.join("nats").display().to_string();
        let args = ["-a", "127.0.0.1", "-p", &nats.to_string(), "--jetstream", "--store_dir", &store];
        let program = suite::find("nats-server").ok_or("nats-server is not here")?.join("nats-server");
        self.spawn("nats-server", Command::new(program).args(args).stderr(Stdio::null()))?;
        wait_for(nats)?;
        let parlor = target().join(if ask.release { "release" } else { "debug" }).join("parlor");
        let mut front = Command::new(&parlor);
        front.args(["front", "--listen", &format!("127.0.0.1:{}", ask.port)]);
        for _ in 0..ask.nodes {
            let port = free_port()?;
            let listen = format!("127.0.0.1:{port}");
            let mut node = Command::new(&parlor);
            node.args(["serve", "--listen", &listen])
                .env("PARLOR_DATABASE", format!("postgres://parlor@127.0.0.1:{database}/parlor"))
                .env("PARLOR_NATS", format!("nats://127.0.0.1:{nats}"));
            self.spawn(&format!("node at {listen}"), &mut node)?;
            wait_for(port)?;
            front.args(["--to", &listen]);
        }
        for _ in 0..ask.workers {
            let mut worker = Command::new(&parlor);
            worker.arg("work").env("PARLOR_NATS", format!("nats://127.0.0.1:{nats}"));
            self.spawn("worker", &mut worker)?;
        }
        self.spawn("front", &mut front)?;
        wait_for(ask.port)?;
        Ok(SocketAddr::from(([127, 0, 0, 1], ask.port)))
    }

    /// PostgreSQL refuses to run as the superuser: then it runs as nobody.
    fn start_database(&mut self, port: u16) -> Result<(), String> {
        let programs = suite::find("initdb").ok_or("initdb is not here")?;
        let (data, root) = (self.folder.join("data"), sh::output("id", &["-u"])?.trim() == "0");
        if root {
            sh::output("chown", &["nobody", &self.folder.display().to_string()])?;
        }
        let program = |name: &str| {
            // Each where it is: a folder that has one of them need not have all.
            let path = suite::find(name).unwrap_or_else(|| programs.clone()).join(name);
            if !root {
                return Command::new(path);
            }
            let mut command = Command::new("setpriv");
            command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"]).arg(path);
            command
        };
        let data = data.display().to_string();
        let mut initdb = program("initdb");
        initdb.args(["-D", &data, "-U", "parlor", "-A", "trust", "-E", "UTF8", "--locale=C"]);
        quiet(initdb.current_dir(&self.folder))?;
        let sockets = self.folder.display().to_string();
        let mut postgres = program("postgres");
        postgres.args([
            "-D",
            &data,
            "-p",
            &port.to_string(),
            "-k",
            &sockets,
            "-c",
            "listen_addresses=127.0.0.1",
        ]);
        self.spawn("postgres", postgres.current_dir(&self.folder).stderr(Stdio::null()))?;
        wait_for(port)?;
        let began = Instant::now();
        loop {
            let mut createdb = program("createdb");
            createdb.args(["-h", "127.0.0.1", "-p", &port.to_string(), "-U", "parlor", "parlor"]);
            match quiet(&mut createdb) {
                Err(why) if began.elapsed() > Duration::from_secs(30) => return Err(why),
                Err(_) => std::thread::sleep(Duration::from_millis(100)),
                Ok(()) => return Ok(()),
            }
        }
    }

    fn spawn(&mut self, name: &str, command: &mut Command) -> Result<(), String> {
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        self.children.push((name.to_owned(), child.map_err(|why| format!("{name}: {why}"))?));
        Ok(())
    }

    /// Until somebody wants it to stop. A node may be killed meanwhile: that is what it is for.
    fn wait(&mut self, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            for (name, child) in &mut self.children {
                if let Ok(Some(status)) = child.try_wait()
                    && !name.is_empty()
                {
                    eprintln!("{name} has ended ({status})");
                    name.clear();
                }
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        for (_, child) in self.children.iter_mut().rev() {
            // Asked to stop, each writes what it has to; the database last.
            drop(Command::new("kill").arg(child.id().to_string()).stderr(Stdio::null()).status());
            let began = Instant::now();
            while matches!(child.try_wait(), Ok(None)) && began.elapsed() < Duration::from_secs(15) {
                std::thread::sleep(Duration::from_millis(20));
            }
            drop((child.kill(), child.wait())); // it may have ended already
        }
        drop(std::fs::remove_dir_all(&self.folder)); // what is left is in the system's temporary folder
    }
}

fn quiet(command: &mut Command) -> Result<(), String> {
    let out = command.output().map_err(|why| why.to_string())?;
    if out.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&out.stderr).into_owned()) }
}

fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|why| why.to_string())?;
    listener.local_addr().map(|address| address.port()).map_err(|why| why.to_string())
}

fn wait_for(port: u16) -> Result<(), String> {
    let began = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if began.elapsed() > Duration::from_secs(60) {
            return Err(format!("nothing listens on port {port}"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Where cargo puts programs.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| sh::root().join("target"), |path| Path::new(&path).into())
}
