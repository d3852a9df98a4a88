//! `simulator [--seeds N] [--from M] [--nodes 3]`: plays N houses, from seed M on, of up to so many nodes, and prints every seed that fails. See the library.

use simulator::{Report, Sabotage, simulate};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, usual: u64| {
        let at = args.iter().position(|arg| arg == name);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(usual)
    };
    let (seeds, from, nodes) = (number("--seeds", 100), number("--from", 1), number("--nodes", 3));
    let (mut sum, mut broken) = (Report::default(), 0);
    for seed in from..from + seeds {
        match simulate(seed, nodes, Sabotage::None) {
            Ok(report) => sum = sum + report,
            Err(what) => {
                println!("{what}");
                broken += 1;
            }
        }
    }
    let Report { rows, acts, deaths, calls, moves, fenced, failed } = sum;
    println!(
        "{seeds} houses: {acts} acts answered, {rows} rows, {deaths} deaths, {calls} connections, {moves} changes of \
         hands, {failed} failed and {fenced} fenced writes; {broken} broken"
    );
    if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
