//! The game on disk: what was agreed, who plays, and every line that was accepted. Written whole and then renamed, so
//! that a cut wire leaves the last good one.

use crate::ledger::Ledger;
use crate::terms::Terms;
use crate::trouble::Trouble;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A game as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// What was agreed on.
    pub terms: Terms,
    /// Who plays, in the order they sit.
    pub names: Vec<String>,
    /// The lines that were accepted.
    pub lines: Vec<String>,
    /// Was it ended?
    pub ended: bool,
}

/// Why a kept game cannot be read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// It is no kept game.
    #[error("{0} is no game kept by parlor: {1}. Name another file with --file, or begin anew with --new")]
    Format(PathBuf, serde_json::Error),
    /// Another session keeps it.
    #[error(
        "{0} is being kept by another parlor at this moment. Go on there, or `quit` there first; for another game name another file with --file"
    )]
    Busy(PathBuf),
    /// It cannot be locked, so it could not be written either.
    #[error("no game can be kept there: {0}: {1}. Name a file in a folder where you may write, with --file")]
    Lock(PathBuf, io::Error),
    /// A line of it is refused.
    #[error("{file}, line {line} of the game: {trouble}")]
    Line {
        /// The file.
        file: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// Why.
        trouble: Trouble,
    },
}

/// The file next to this one whose name is longer by an ending.
fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// One session at a time keeps a game. The lock goes with the process, however that ends. It is on a file of its own,
/// since the game's is replaced with every line; and that file stays, since whoever took it away could take it from
/// under another who has just opened it.
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Locks a game that may not be there yet.
    pub(crate) fn take(game: &Path) -> Result<Lock, StoreError> {
        let path = beside(game, ".lock");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|why| StoreError::Lock(path.clone(), why))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy(game.to_owned())),
            // Some file systems know no locks: better to keep score without one than not at all.
            Err(TryLockError::Error(why)) if why.kind() == io::ErrorKind::Unsupported => {
                Ok(Lock { _file: file })
            }
            Err(TryLockError::Error(why)) => Err(StoreError::Lock(path, why)),
        }
    }
}

impl Kept {
    /// Reads a game, if there is one.
    pub fn read(file: &Path) -> Result<Option<Kept>, StoreError> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(why) => return Err(StoreError::File(file.to_owned(), why)),
        };
        serde_json::from_str(&text).map(Some).map_err(|why| StoreError::Format(file.to_owned(), why))
    }

    /// Writes the game.
    pub fn write(&self, file: &Path) -> Result<(), StoreError> {
        let failed = |why: io::Error| StoreError::File(file.to_owned(), why);
        let text = serde_json::to_string_pretty(self).map_err(|why| failed(why.into()))?;
        let fresh = beside(file, ".new");
        // On disk before it takes the place of the good one: after a power cut there would be a file with nothing in it.
        let mut new = File::create(&fresh).map_err(failed)?;
        new.write_all((text + "\n").as_bytes()).and_then(|()| new.sync_all()).map_err(failed)?;
        std::fs::rename(&fresh, file).map_err(failed)
    }

    /// The ledger with all its lines entered.
    pub fn ledger(&self, file: &Path) -> Result<Box<dyn Ledger>, StoreError> {
        let refused = |line, trouble| StoreError::Line { file: file.to_owned(), line, trouble };
        let mut ledger = self.terms.open(&self.names).map_err(|trouble| refused(0, trouble))?;
        for (number, line) in self.lines.iter().enumerate() {
            ledger.enter(line).map_err(|trouble| refused(number + 1, trouble))?;
        }
        Ok(ledger)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_written_and_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.json");
        let terms = Terms::Cubo { rounds: 1, any_order: false };
        let kept = Kept { terms, names: vec!["Ann".to_owned()], lines: Vec::new(), ended: false };
        kept.write(&file).unwrap();
        assert_eq!(Kept::read(&file).unwrap(), Some(kept));
        assert!(!beside(&file, ".new").exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_game_is_on_disk_before_it_takes_the_place_of_the_last_good_one() {
        let folder = tempfile::tempdir().unwrap();
        let said = folder.path().join("said");
        let mut watched = std::process::Command::new("strace");
        watched.args(["-f", "-y", "-e", "trace=/^(f(data)?sync|rename)", "-o"]).arg(&said);
        watched
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "store::tests::a_game_is_written_and_read"]);
        let done = match watched.output() {
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                return eprintln!("SKIPPED: strace is not here; install it (Debian: apt-get install strace)");
            }
            done => done.unwrap(),
        };
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let said = std::fs::read_to_string(said).unwrap();
        let (synced, renamed) = (said.find(".new>) = 0"), said.find("rename"));
        assert!(synced.is_some() && synced < renamed, "{said}");
    }
}
