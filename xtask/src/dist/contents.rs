//! What is given away, laid out in one folder: the program, what explains it, what starts it, and whose work it is.

use super::crates::Crates;
use super::file_name;
use crate::files::{copy, copy_program, write};
use crate::sh;
use std::path::Path;
use std::process::{Command, Stdio};

/// Files of the project that stand at the top of the folder.
const FILES: [&str; 8] = [
    "README.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "docs/hosting.md",
    "docs/command.md",
    "xtask/package/parlor.service",
    "xtask/package/parlor.toml",
];

/// Each shell, and the name it looks for.
const SHELLS: [(&str, &str); 3] = [("bash", "parlor.bash"), ("zsh", "_parlor"), ("fish", "parlor.fish")];

pub(super) fn fill(folder: &Path, program: &Path, crates: &Crates) -> Result<(), String> {
    copy_program(program, &folder.join(format!("parlor{}", std::env::consts::EXE_SUFFIX)))?;
    for file in FILES {
        copy(&sh::root().join(file), &folder.join(file_name(Path::new(file))))?;
    }
    write(&folder.join("LICENCES.md"), crates.licences()?)?;
    let man = folder.join("man");
    sh::go(Command::new(program).arg("man").arg("--out").arg(&man).stdout(Stdio::null()))?;
    for (shell, file) in SHELLS {
        let script = sh::hear(Command::new(program).args(["completions", shell]))?;
        write(&folder.join("completions").join(file), script)?;
    }
    Ok(())
}
