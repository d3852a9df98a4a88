//! Writing files, with errors that name them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What went wrong with a file, in words.
pub(crate) fn fault(path: &Path) -> impl Fn(io::Error) -> String {
    let path = path.display().to_string();
    move |why| format!("{path}: {why}")
}

pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(fault(path))
}

/// Writes a file that everybody may read, and the folders above it.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), String> {
    fs::create_dir_all(path.parent().unwrap_or(path)).map_err(fault(path))?;
    fs::write(path, bytes).map_err(fault(path))?;
    set_mode(path, 0o644)
}

/// Copies a file that everybody may read.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    write(to, fs::read(from).map_err(fault(from))?)
}

/// Copies a program.
pub(crate) fn copy_program(from: &Path, to: &Path) -> Result<(), String> {
    copy(from, to)?;
    set_mode(to, 0o755)
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(fault(path))
}

/// Windows goes by the name of a file.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
fn set_mode(_: &Path, _: u32) -> Result<(), String> {
    Ok(())
}

/// Every file and folder below a folder, in the order of their names.
pub(crate) fn below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).map_err(fault(folder))? {
        let path = entry.map_err(fault(folder))?.path();
        if path.is_dir() {
            all.extend(below(&path)?);
        }
        all.push(path);
    }
    all.sort();
    Ok(all)
}
