//! Running other programs, and finding the project's root.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where another copy of the project lies that a chore is to work on.
pub(crate) const ROOT: &str = "PARLOR_ROOT";

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    if let Some(root) = std::env::var_os(ROOT) {
        return PathBuf::from(root);
    }
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Where cargo puts programs.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A command in the root of the project.
pub(crate) fn command(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    command
}

/// Shows a command and runs it.
pub(crate) fn run(program: &str, args: &[&str]) -> Result<(), String> {
    go(&mut command(program, args))
}

/// Shows a command that was made elsewhere and runs it.
pub(crate) fn go(command: &mut Command) -> Result<(), String> {
    let shown = show(command);
    eprintln!("\n▸ {shown}");
    let status = command.status().map_err(|why| format!("{shown}: {why}"))?;
    if status.success() { Ok(()) } else { Err(format!("{shown} failed ({status})")) }
}

/// What a command prints.
pub(crate) fn output(program: &str, args: &[&str]) -> Result<String, String> {
    hear(&mut command(program, args))
}

/// What a command that was made elsewhere prints.
pub(crate) fn hear(command: &mut Command) -> Result<String, String> {
    let shown = show(command);
    let out = command.stderr(Stdio::inherit()).output().map_err(|why| format!("{shown}: {why}"))?;
    if !out.status.success() {
        return Err(format!("{shown} failed ({})", out.status));
    }
    String::from_utf8(out.stdout).map_err(|_| format!("{shown} printed something that is not text"))
}

/// Whether a program is on the PATH.
pub(crate) fn has(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}

fn show(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
