//! `fuzz [seconds] [target] [number]`: feeds every target, or one, for so many seconds each. An input that a reader did not survive is kept as a
//! file; put it into the seeds with the fix.

use fuzz::{TARGETS, run, seeds};
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let seconds = args.first().and_then(|text| text.parse().ok()).unwrap_or(60);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_millis() as u64);
    let number = args.get(2).and_then(|text| text.parse().ok()).unwrap_or(now);
    let mut good = true;
    for target in TARGETS.iter().filter(|target| args.get(1).is_none_or(|name| name == target.name)) {
        let seeds = match seeds(target) {
            Ok(seeds) => seeds,
            Err(fault) => {
                eprintln!("{}: its seeds cannot be read: {fault}", target.name);
                return ExitCode::FAILURE;
            }
        };
        match run(target, &seeds, number, Duration::from_secs(seconds)) {
            Ok(ran) => println!("{:<10} {:>9} inputs, {:>8} accepted", target.name, ran.tried, ran.accepted),
            Err(found) => {
                let file = std::env::temp_dir().join(format!("parlor-fuzz-{}-{number}.txt", target.name));
                let kept = std::fs::write(&file, &found.input);
                println!(
                    "{:<10} fell over input {} of number {number}; it is in {} ({kept:?})",
                    target.name,
                    found.tried,
                    file.display()
                );
                good = false;
            }
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
