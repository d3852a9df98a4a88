//! The program that is packed: everything in it, nothing of this machine in it, and on Linux everything it needs.

use crate::{sh, suite};
use std::path::PathBuf;

/// What a plain build leaves out and a package has.
pub(crate) const FEATURES: &str = "cluster,print";

/// The platform that packages are made for. On Linux the program is linked statically, with musl, so that one program runs on
/// every Linux, and in an empty container; the other systems offer no stable way around their own libraries.
pub(super) fn platform() -> Result<String, String> {
    let told = sh::output("rustc", &["--version", "--verbose"])?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc names no host")?;
    Ok(host.replace("-linux-gnu", "-linux-musl"))
}

/// Builds it; answers where it is.
pub(super) fn build(profile: &str, platform: &str) -> Result<PathBuf, String> {
    suite::need_of_rust("target", platform)?;
    if platform.ends_with("-musl") {
        suite::need_programs(&[("musl-gcc", "musl-tools")])?;
    }
    let args = ["build", "--locked", "--package", "parlor", "--features", FEATURES];
    let args = [&args[..], &["--profile", profile, "--target", platform]].concat();
    let mut cargo = sh::command("cargo", &args);
    // Paths of this machine have no place in a program that is given away, and would make each builder's differ. The page's own build
    // takes these over (crates/wasm/build.rs).
    let maps = maps()?;
    let rust: Vec<String> =
        maps.iter().map(|(from, to)| format!("--remap-path-prefix={from}={to}")).collect();
    let c: Vec<String> = maps.iter().map(|(from, to)| format!("-ffile-prefix-map={from}={to}")).collect();
    cargo.env("CARGO_ENCODED_RUSTFLAGS", rust.join("\x1f")).env("CFLAGS", c.join(" "));
    sh::go(&mut cargo)?;
    let target = sh::target().join(platform).join(profile);
    let program = target.join(format!("parlor{}", std::env::consts::EXE_SUFFIX));
    if profile == "dist" && platform.ends_with("-musl") {
        // The profile's own `strip` leaves symbols here: a tenth of the program.
        sh::go(sh::command("strip", &["--strip-all"]).arg(&program))?;
    }
    Ok(program)
}

/// Folders of this machine, and what stands for them.
fn maps() -> Result<Vec<(String, &'static str)>, String> {
    let home = std::env::var("CARGO_HOME")
        .or_else(|_| std::env::var("HOME").map(|home| home + "/.cargo"))
        .or_else(|_| std::env::var("USERPROFILE").map(|home| home + "\\.cargo"))
        .map_err(|_| "where are cargo's crates? Set CARGO_HOME")?;
    Ok(vec![(sh::root().display().to_string(), "parlor"), (home, "cargo")])
}
