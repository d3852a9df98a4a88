//! `cargo xtask cluster`: PostgreSQL, NATS, and three nodes behind one address, on this machine, until Ctrl-C; or for as long as a command runs.

use crate::{sh, suite};
use engines::Cluster;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const USAGE: &str = "cargo xtask cluster [--nodes N] [--port P] [--release] [-- command]";

/// What is asked for.
struct Ask {
    nodes: usize,
    port: u16,
    release: bool,
    command: Vec<String>,
}

fn read(args: &[String]) -> Result<Ask, String> {
    let mut ask = Ask { nodes: 3, port: 7777, release: false, command: Vec::new() };
    let mut args = args.iter();
    let number = |value: Option<&String>| {
        value.and_then(|value| value.parse().ok()).ok_or_else(|| format!("{USAGE}: a number is missing"))
    };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--nodes" => ask.nodes = usize::from(number(args.next())?).max(1),
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
    sh::run("cargo", &[&["build", "--package", "parlor", "--features", "cluster"], profile].concat())?;
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&stop)).map_err(|why| why.to_string())?;
    }
    let parlor = sh::target().join(if ask.release { "release" } else { "debug" }).join("parlor");
    let mut cluster = Cluster::open(&parlor, ask.nodes, ask.port).map_err(|why| why.to_string())?;
    let address = cluster.address();
    eprintln!("\n{} nodes are open at http://{address}/  (Ctrl-C closes them)", ask.nodes);
    if let Some((program, rest)) = ask.command.split_first() {
        let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        return sh::go(sh::command(program, &rest).env("PARLOR_ADDRESS", address.to_string()));
    }
    while !stop.load(Ordering::Relaxed) {
        for ended in cluster.ended() {
            eprintln!("{ended}");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
