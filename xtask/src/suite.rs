//! The whole test suite, set-up included.

use crate::{licences, rules, sh};

/// Crates whose tests need a browser, a server process or a terminal.
const OUTSIDE: &[&str] = &["server", "browser-tests", "term"];

/// Everything that must hold before a change lands.
pub(crate) fn test(args: &[String]) -> Result<(), String> {
    let rust_only = match args {
        [] => false,
        [only] if only == "rust" => true,
        other => return Err(format!("cargo xtask test [rust]: what is {other:?}?")),
    };
    set_up(rust_only)?;
    sh::run("cargo", &["fmt", "--all", "--check"])?;
    sh::run("cargo", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    rules::check()?;
    licences::check()?;
    let mut tests = vec!["test", "--workspace", "--quiet"];
    if rust_only {
        let crates = sh::root().join("crates");
        let there = OUTSIDE.iter().filter(|name| crates.join(name).is_dir());
        tests.extend(there.flat_map(|name| ["--exclude", *name]));
    }
    sh::run("cargo", &tests)?;
    eprintln!("\nEverything holds.");
    Ok(())
}

/// Programs the tests need beside Rust, and the Debian packages that have them.
const PROGRAMS: &[(&str, &str)] = &[("chromium", "chromium"), ("chromedriver", "chromium-driver")];

/// Installs what the tests need and the machine lacks; where it may not, says exactly what to install.
fn set_up(rust_only: bool) -> Result<(), String> {
    let targets = sh::output("rustup", &["target", "list", "--installed"])?;
    if !targets.lines().any(|target| target == "wasm32-unknown-unknown") {
        sh::run("rustup", &["target", "add", "wasm32-unknown-unknown"])?;
    }
    let programs = if rust_only { &[] } else { PROGRAMS };
    let missing: Vec<&str> =
        programs.iter().filter(|(program, _)| !sh::has(program)).map(|(_, package)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let install = |packages: &[&str]| {
        sh::run("apt-get", &["update", "--quiet"])?;
        sh::run("apt-get", &[&["install", "--yes", "--quiet"], packages].concat())
    };
    let how = format!("install them with: apt-get install {}", missing.join(" "));
    if !sh::has("apt-get") {
        return Err(format!(
            "the tests need programs that are not here; {how} (or your system's like of it)"
        ));
    }
    install(&missing).map_err(|why| format!("{why}; {how}"))
}

/// Writes all playthroughs anew.
pub(crate) fn playthrough() -> Result<(), String> {
    let mut command = sh::command("cargo", &["test", "--workspace", "--quiet", "--test", "playthrough"]);
    sh::go(command.env("PARLOR_WRITE", "1"))
}

/// Runs the benches.
pub(crate) fn bench(args: &[String]) -> Result<(), String> {
    match args {
        [] => sh::run("cargo", &["bench", "--workspace"]),
        [name] => sh::run("cargo", &["bench", "-p", name]),
        other => Err(format!("cargo xtask bench [crate]: what is {other:?}?")),
    }
}
