//! `parlor completions` and `parlor man`: the command's own description, for shells and for `man`.

use crate::answer::{Answer, Failure, Outcome};
use clap::Command;
use clap_complete::Shell;
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A completion script on the standard output.
pub(crate) fn completions(mut command: Command, shell: Shell) -> Answer {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "parlor", &mut script);
    // A reader that has gone away is no failure of ours.
    let _ = io::stdout().write_all(&script);
    Answer::silent()
}

/// The man page on the standard output; or one page for each command in a folder.
pub(crate) fn man(command: Command, out: Option<&Path>) -> Outcome {
    let Some(folder) = out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page).map_err(|why| Failure::new("man", why))?;
        let _ = io::stdout().write_all(&page);
        return Ok(Answer::silent());
    };
    let unwritable = |why: io::Error| Failure::new("unwritable", format!("{}: {why}", folder.display()));
    std::fs::create_dir_all(folder).map_err(unwritable)?;
    clap_mangen::generate_to(command, folder).map_err(unwritable)?;
    let mut pages: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(unwritable)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "1"))
        .collect();
    pages.sort();
    let names: Vec<String> = pages.iter().map(|page| page.display().to_string()).collect();
    Ok(Answer::new(format!("{} pages in {}", pages.len(), folder.display()), &json!({"pages": names})))
}
