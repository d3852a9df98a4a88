//! The server under load, with real sockets and the load in a process of its own; and a floor to compare it with.
//!
//! ```text
//! load all            every measurement, with its floor
//! load saturate       acts a second, answered on disk, and the same for a bare axum + SQLite program
//! load paced          1,000 tables of mixed games at an act a second each: how long an answer takes
//! load crowd          one table with 10,000 sockets: how long until all have heard of a throw
//! load idle           memory: the server by itself, and for each table that waits
//! load restart        10,000 tables on disk: how long until the server is ready
//! load cluster        three nodes on PostgreSQL and NATS: what sharing costs, acts across nodes, a node that is killed
//! ```

mod client;
mod cluster;
mod floor;
mod measure;

use server::{Config, NoPage};
use std::process::ExitCode;

/// The same as in the program `parlor`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["serve", listen, data] => serve(listen, data, None),
        ["node", listen, url, nats] => serve(listen, "", Some((url, nats))),
        ["floor", listen, data] => floor::run(listen, data),
        ["saturate"] => measure::run(&["saturate"]),
        ["paced"] => measure::run(&["paced"]),
        ["crowd"] => measure::run(&["crowd"]),
        ["idle"] => measure::run(&["idle"]),
        ["restart"] => measure::run(&["restart"]),
        ["cluster"] => measure::run(&["cluster"]),
        [] | ["all"] => measure::run(&["idle", "saturate", "paced", "crowd", "restart"]),
        _ => {
            eprintln!("load [all | saturate | paced | crowd | idle | restart | cluster]");
            ExitCode::FAILURE
        }
    }
}

/// The server, with limits that a load generator does not run into.
fn serve(listen: &str, data: &str, shared: Option<(&str, &str)>) -> ExitCode {
    let Ok(listen) = listen.parse() else { return ExitCode::FAILURE };
    let mut config = Config::new(listen, data);
    (config.database, config.nats) = shared.map(|(url, nats)| (url.to_owned(), nats.to_owned())).unzip();
    let limits = &mut config.limits;
    (limits.guests, limits.requests, limits.joins, limits.tables) =
        (1_000_000, 10_000_000, 10_000_000, 10_000_000);
    (limits.commands, limits.burst, limits.connections, limits.watched) =
        (1_000_000, 1_000_000, 50_000, 50_000);
    match server::run(config, NoPage, |open| println!("listening {}", open.address)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}
