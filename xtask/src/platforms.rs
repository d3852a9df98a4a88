//! Windows and macOS, from anywhere: what is shipped for them, and what packs it there, must compile, with the lints of the suite. Nothing is linked, so neither
//! their linkers nor their C compilers are needed: a stand-in makes empty objects of the few C files in our dependencies.

use crate::dist::FEATURES;
use crate::files::{fault, write};
use crate::{lanes, sh, suite};
use std::path::PathBuf;

/// Each platform, and what is asked for there. So both programs are linted, the plain one and the whole one.
const PLATFORMS: [(&str, &[&str]); 2] =
    [("x86_64-pc-windows-gnu", &[]), ("aarch64-apple-darwin", &["--features", FEATURES])];

/// Asked what it is, it answers as gcc does, and it makes an empty file where an object is wanted.
const STAND_IN: &str = "#!/bin/sh\n\
    case \" $* \" in *\" -E \"*) echo '\"gcc\"' ;; *\" -? \"*) exit 1 ;; esac\n\
    while [ $# -gt 0 ]; do\n    if [ \"$1\" = -o ]; then : >\"$2\"; fi\n    shift\ndone\n";

/// Compiles the program for each platform. It shares its folder with the suite: scripts, macros and the page are there already.
pub(crate) fn check() -> Result<(), String> {
    let compiler = stand_in()?;
    for (platform, features) in PLATFORMS {
        suite::need_of_rust("target", platform)?;
        let args = ["check", "--locked", "--package", "parlor", "--package", "xtask", "--target", platform];
        let mut cargo = lanes::linting(&[&args, features].concat());
        let name = platform.replace('-', "_");
        cargo.env(format!("CC_{name}"), &compiler).env(format!("AR_{name}"), "ar");
        // Where Apple keeps its headers, which nobody reads.
        sh::go(cargo.env("SDKROOT", "/"))?;
    }
    Ok(())
}

fn stand_in() -> Result<PathBuf, String> {
    let path = sh::target().join("stand-in-cc");
    write(&path, STAND_IN)?;
    #[cfg(unix)]
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .map_err(fault(&path))?;
    std::path::absolute(&path).map_err(fault(&path))
}
