//! Which house a command is about: the one that `parlor serve` would open with the same flags, variables and `parlor.toml`.

use crate::address;
use crate::answer::Failure;
use crate::settings;
use clap::{Args, CommandFactory};
use server::store::office::Home;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where a house is.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Where {
    /// The folder of games and people
    #[arg(long)]
    data: Option<PathBuf>,
    /// The `PostgreSQL` database of a house, <postgres://user:password@host/name>; as `PARLOR_DATABASE` no list of
    /// processes shows it
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    database: Option<String>,
    /// Read settings from this file instead of parlor.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Where {
    /// That house.
    pub(crate) fn home(&self) -> Result<Home, Failure> {
        if let Some(folder) = &self.data {
            return in_folder(folder);
        }
        if let Some(url) = &self.database {
            return Ok(Home::Database(url.clone()));
        }
        let mut line: Vec<OsString> = vec!["parlor".into(), "config".into()];
        if let Some(file) = &self.config {
            line.extend(["--config".into(), file.into()]);
        }
        let settings = settings::settle(crate::Parlor::command(), line)?;
        match (settings.value("database"), settings.value("data")) {
            (Some(url), _) => Ok(Home::Database(url.to_owned())),
            (None, Some(folder)) => in_folder(Path::new(folder)),
            (None, None) => in_folder(&crate::serve::usual_folder()),
        }
    }
}

fn in_folder(folder: &Path) -> Result<Home, Failure> {
    address::folder(folder, "For a house in PostgreSQL say --database instead of --data.")?;
    Ok(Home::Folder(folder.to_owned()))
}
