//! The proof that a game can be added: the tutorial is followed to the letter in a copy of the project, and the game it ends with is
//! tested, played by bots at a real server, and played on the page.

use crate::{sh, suite};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The most lines of shared files that may change for a game.
const MOST: usize = 8;

/// Follows `docs/new-game.md` in `target/sixth-game`.
pub(crate) fn prove() -> Result<(), String> {
    let root = sh::root();
    let (tree, target) = (root.join("target/sixth-game/tree"), root.join("target/sixth-game/target"));
    copy_project(&tree)?;
    seed(&target)?;
    let xtask = std::env::current_exe().map_err(|why| format!("where am I? {why}"))?;
    let chore = |args: &[&str]| sh::go(Command::new(&xtask).args(args).env(sh::ROOT, &tree));
    let cargo = |args: &[&str]| {
        sh::go(Command::new("cargo").args(args).current_dir(&tree).env("CARGO_TARGET_DIR", &target))
    };
    chore(&["new-game", "pig"])?;
    let changed = changed_lines(&root, &tree)?;
    cargo(&["test", "--release", "--package", "pig"])?;
    for (path, text) in pasted(&root)? {
        fs::write(tree.join(&path), text).map_err(|why| format!("{path}: {why}"))?;
    }
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["test", "--release", "--package", "pig"])?;
    chore(&["rules", "--write"])?;
    cargo(&["build", "--release", "--package", "parlor"])?;
    let parlor = target.join("release/parlor");
    let records = root.join("target/sixth-game/records");
    let _ = fs::remove_dir_all(&records);
    let folder = records.to_string_lossy();
    sh::go(Command::new(&parlor).args([
        "simulate",
        "pig",
        "--games",
        "3",
        "--bots",
        "1,3",
        "--records",
        &folder,
    ]))?;
    for record in fs::read_dir(&records).map_err(|why| format!("{folder}: {why}"))?.flatten() {
        sh::go(Command::new(&parlor).arg("verify").arg(record.path()))?;
    }
    suite::need_browsers()?;
    let browser = ["test", "--package", "browser-tests", "--test", "sixth", "--", "--ignored"];
    sh::go(sh::command("cargo", &browser).env("PARLOR_PROGRAM", &parlor))?;
    println!("A sixth game: {changed} lines of shared files changed, {MOST} may.");
    if changed <= MOST {
        Ok(())
    } else {
        Err(format!("a game needs {changed} shared lines; {MOST} may change"))
    }
}

/// The files of the project, as they are: what git knows, and what it would be asked to add.
pub(crate) fn copy_project(tree: &Path) -> Result<(), String> {
    let _ = fs::remove_dir_all(tree);
    let files = sh::output("git", &["ls-files", "--cached", "--others", "--exclude-standard"])?;
    for path in files.lines() {
        let (from, to) = (sh::root().join(path), tree.join(path));
        if !from.exists() {
            continue; // deleted and not yet committed
        }
        let folder = to.parent().unwrap_or(tree);
        fs::create_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
        let copied = Command::new("cp").arg("--archive").arg(&from).arg(&to).status();
        copied.map_err(|why| format!("{path}: {why}"))?;
    }
    Ok(())
}

/// Gives the copy what was compiled of the release, so that only what a new game changes is compiled again.
fn seed(target: &Path) -> Result<(), String> {
    let release = sh::root().join("target/release");
    if target.exists() || !release.exists() {
        return Ok(());
    }
    fs::create_dir_all(target).map_err(|why| format!("{}: {why}", target.display()))?;
    sh::go(Command::new("cp").arg("--archive").arg(release).arg(target.join("release")))
}

/// How many lines of the project's own files the copy has otherwise. The lock file is cargo's to write.
fn changed_lines(root: &Path, tree: &Path) -> Result<usize, String> {
    let files = sh::output("git", &["ls-files"])?;
    let mut changed = 0;
    for path in files.lines().filter(|path| *path != "Cargo.lock") {
        let (Ok(old), Ok(new)) = (fs::read(root.join(path)), fs::read(tree.join(path))) else { continue };
        if old != new {
            let lines = differing(&String::from_utf8_lossy(&old), &String::from_utf8_lossy(&new));
            println!("{path}: {lines}");
            changed += lines;
        }
    }
    Ok(changed)
}

/// Lines that only one of two texts has.
fn differing(old: &str, new: &str) -> usize {
    let mut lines: BTreeMap<&str, isize> = BTreeMap::new();
    old.lines().for_each(|line| *lines.entry(line).or_default() -= 1);
    new.lines().for_each(|line| *lines.entry(line).or_default() += 1);
    lines.values().map(|count| count.unsigned_abs()).sum()
}

/// The files of the tutorial: a line with nothing but a path in backticks and a colon, and the block of code after it.
fn pasted(root: &Path) -> Result<Vec<(String, String)>, String> {
    let path = root.join("docs/new-game.md");
    let text = fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
    let files = files_in(&text);
    if files.is_empty() { Err("docs/new-game.md pastes no file".to_owned()) } else { Ok(files) }
}

fn files_in(text: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut lines = text.lines();
    let mut named: Option<&str> = None;
    while let Some(line) = lines.next() {
        if let Some(path) = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:")) {
            named = Some(path);
        } else if line.starts_with("```") {
            let end = if line.starts_with("````") { "````" } else { "```" };
            let block: String =
                lines.by_ref().take_while(|line| *line != end).flat_map(|line| [line, "\n"]).collect();
            files.extend(named.take().map(|path| (path.to_owned(), block)));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pasted_is_named_before_it() {
        let text = "Words.\n\n`a/b.rs`:\n\n```rust\nfn b() {}\n```\n\n```sh\ncargo test\n```\n";
        assert_eq!(files_in(text), [("a/b.rs".to_owned(), "fn b() {}\n".to_owned())]);
    }

    #[test]
    fn lines_that_only_one_has_are_counted() {
        assert_eq!(differing("a\nb\n", "a\nb\n"), 0);
        assert_eq!(differing("a\nb\n", "a\nx\nb\n"), 1);
        assert_eq!(differing("a\nb\n", "a\nc\n"), 2);
    }
}
