//! `cargo xtask bench build REV [times]`: how long people wait for `cargo build --release`, at an older commit and at this one, in
//! turn and from clean clones. The crates are downloaded before the clock starts.

use crate::files::fault;
use crate::sh;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const USAGE: &str = "cargo xtask bench build REV [times]";

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let (old, times) = match args {
        [old] => (old, 3),
        [old, times] => (old, times.parse().map_err(|why| format!("{USAGE}: {times:?}: {why}"))?),
        _ => return Err(USAGE.to_owned()),
    };
    let folder = sh::target().join("bench-build");
    let clones =
        [("old", old.as_str()), ("new", "HEAD")].map(|(name, revision)| (folder.join(name), revision));
    for (clone, revision) in &clones {
        fetch(clone, revision)?;
    }
    let mut seconds: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..times {
        for ((clone, revision), seconds) in clones.iter().zip(&mut seconds) {
            let took = build(clone)?;
            println!("{revision}: {took:.0} s");
            seconds.push(took);
        }
    }
    let [old, new] = seconds.map(median);
    println!("median of {times}: {old:.0} s before, {new:.0} s now: {:.2} of the time", new / old);
    println!("where it goes: {}", clones[1].0.join("target/cargo-timings/cargo-timing.html").display());
    Ok(())
}

/// A clean clone, and its crates in cargo's cache.
fn fetch(clone: &Path, revision: &str) -> Result<(), String> {
    if clone.exists() {
        fs::remove_dir_all(clone).map_err(fault(clone))?;
    }
    let commit = sh::output("git", &["rev-parse", revision])?;
    sh::go(Command::new("git").args(["clone", "--quiet", "--no-checkout"]).arg(sh::root()).arg(clone))?;
    sh::go(Command::new("git").args(["checkout", "--quiet", commit.trim()]).current_dir(clone))?;
    sh::go(Command::new("cargo").args(["fetch", "--locked"]).current_dir(clone))
}

/// What people type, from nothing; answers how many seconds it took.
fn build(clone: &Path) -> Result<f64, String> {
    let target: PathBuf = clone.join("target");
    if target.exists() {
        fs::remove_dir_all(&target).map_err(fault(&target))?;
    }
    let began = Instant::now();
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--release", "--locked", "--timings"])
        .current_dir(clone)
        .env_remove("CARGO_TARGET_DIR");
    sh::go(&mut cargo)?;
    Ok(began.elapsed().as_secs_f64())
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_in_the_middle_counts() {
        assert!((median(vec![9.0, 1.0, 3.0]) - 3.0).abs() < f64::EPSILON);
    }
}
