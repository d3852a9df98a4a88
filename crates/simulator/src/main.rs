//! `simulator [--seeds N] [--from M]`: plays N houses, from seed M on, and prints every seed that fails. See `server::simulate`.

use server::simulate::{Sabotage, simulate};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, usual: u64| {
        let at = args.iter().position(|arg| arg == name);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(usual)
    };
    let (seeds, from) = (number("--seeds", 100), number("--from", 1));
    let (mut rows, mut acts, mut deaths, mut failed, mut broken) = (0, 0, 0, 0, 0);
    for seed in from..from + seeds {
        match simulate(seed, Sabotage::None) {
            Ok(report) => {
                rows += report.rows;
                acts += report.acts;
                deaths += report.deaths;
                failed += report.failed;
            }
            Err(what) => {
                println!("{what}");
                broken += 1;
            }
        }
    }
    println!(
        "{seeds} houses: {acts} acts answered, {rows} rows, {deaths} deaths, {failed} failed writes; {broken} broken"
    );
    if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
