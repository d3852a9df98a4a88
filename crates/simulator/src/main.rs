//! `simulator [--seeds N] [--from M] [--nodes 3]`: plays N houses, from seed M on, of up to so many nodes, and prints every seed that fails. See `server::simulate`.

use server::simulate::{Sabotage, simulate_nodes};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, usual: u64| {
        let at = args.iter().position(|arg| arg == name);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(usual)
    };
    let (seeds, from, nodes) = (number("--seeds", 100), number("--from", 1), number("--nodes", 1));
    let (mut rows, mut acts, mut deaths, mut failed, mut broken) = (0, 0, 0, 0, 0);
    let (mut moves, mut fenced) = (0, 0);
    for seed in from..from + seeds {
        match simulate_nodes(seed, nodes, Sabotage::None) {
            Ok(report) => {
                rows += report.rows;
                acts += report.acts;
                deaths += report.deaths;
                failed += report.failed;
                moves += report.moves;
                fenced += report.fenced;
            }
            Err(what) => {
                println!("{what}");
                broken += 1;
            }
        }
    }
    println!(
        "{seeds} houses: {acts} acts answered, {rows} rows, {deaths} deaths, {moves} changes of hands, \
         {failed} failed and {fenced} fenced writes; {broken} broken"
    );
    if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
