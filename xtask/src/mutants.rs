//! Weak tests found by breaking rules: comparisons and numbers of a game's rules are changed one at a time in a copy of the
//! project, and the game's tests are run. A change that no test notices has survived. The last result is in `docs/mutants.md`.

use crate::{sh, sixth};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files that hold the rules of each game.
const RULES: &[(&str, &[&str])] = &[
    ("contact", &["position/contacts.rs", "position/count.rs", "position/make.rs", "ending.rs", "game.rs"]),
    ("cubo", &["score.rs", "exchange.rs", "game.rs"]),
    ("iqubes", &["auction.rs", "game.rs", "options.rs"]),
    ("roulette", &["game.rs", "game/bank.rs", "game/bets.rs", "slip.rs", "options.rs"]),
    ("scribbage", &["draw.rs", "figure.rs", "game.rs", "options.rs"]),
];

/// How many changes of a game are tried, where nobody says otherwise; spread evenly over all there are.
const SAMPLE: usize = 25;

/// Tests that take longer than this run in circles: that is noticed, too.
const SECONDS: &str = "300";

/// Signs between spaces, and what they are changed to.
const SIGNS: &[(&str, &str)] = &[
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" >= ", " > "),
    (" == ", " != "),
    (" != ", " == "),
    (" && ", " || "),
    (" || ", " && "),
    (" + ", " - "),
    (" - ", " + "),
    (" += ", " -= "),
    (" -= ", " += "),
];

/// One change of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mutant {
    file: PathBuf,
    /// From 0.
    line: usize,
    was: String,
    is: String,
}

/// How a change ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Noticed,
    Survived,
    /// It was no program any more.
    Senseless,
}

/// `cargo xtask mutants [game] [--sample N]`
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let usage = || {
        let games: Vec<&str> = RULES.iter().map(|(game, _)| *game).collect();
        format!("write `cargo xtask mutants [{}] [--sample N]`", games.join("|"))
    };
    let (games, sample) = match args {
        [] => (None, SAMPLE),
        [game] => (Some(game), SAMPLE),
        [flag, number] if flag == "--sample" => (None, number.parse().map_err(|_| usage())?),
        [game, flag, number] if flag == "--sample" => (Some(game), number.parse().map_err(|_| usage())?),
        _ => return Err(usage()),
    };
    let chosen: Vec<_> = RULES.iter().filter(|(name, _)| games.is_none_or(|game| game == name)).collect();
    if chosen.is_empty() {
        return Err(usage());
    }
    let tree = sh::root().join("target/mutants");
    sixth::copy_project(&tree)?;
    for (game, files) in chosen {
        let told = try_game(&tree, game, files, sample)?;
        keep(game, &told)?;
    }
    Ok(())
}

/// Tries a game's changes; answers what is to be kept of it.
fn try_game(tree: &Path, game: &str, files: &[&str], sample: usize) -> Result<String, String> {
    let folder = Path::new("crates").join(game).join("src");
    let mut all = Vec::new();
    for file in files {
        let path = folder.join(file);
        let text = read(&tree.join(&path))?;
        all.extend(mutants_in(&path, &text));
    }
    if test(tree, game, &[]) != Fate::Survived {
        return Err(format!("the tests of {game} fail without any change"));
    }
    let tried = sample.min(all.len());
    let (mut noticed, mut survivors) = (0, Vec::new());
    for mutant in (0..tried).map(|at| &all[at * all.len() / tried]) {
        let fate = try_one(tree, game, mutant)?;
        println!("{fate:?}: {}", shown(mutant));
        noticed += usize::from(fate == Fate::Noticed);
        survivors.extend((fate == Fate::Survived).then(|| shown(mutant)));
    }
    let (lived, of) = (survivors.len(), all.len());
    let mut told = format!("{tried} of {of} changes tried: {noticed} noticed, {lived} survived.\n");
    for survivor in survivors {
        let _ = write!(told, "\n* {survivor}");
    }
    Ok(told)
}

/// Makes a change, runs the tests, and takes it back.
fn try_one(tree: &Path, game: &str, mutant: &Mutant) -> Result<Fate, String> {
    let path = tree.join(&mutant.file);
    let text = read(&path)?;
    let mut lines: Vec<&str> = text.lines().collect();
    lines[mutant.line] = &mutant.is;
    let write = |text: &str| fs::write(&path, text).map_err(|why| format!("{}: {why}", path.display()));
    write(&(lines.join("\n") + "\n"))?;
    // The tests of the rules are quick, and most changes go no further.
    let fate = match test(tree, game, &["--test", "rules"]) {
        Fate::Survived => test(tree, game, &[]),
        fate => fate,
    };
    write(&text)?;
    Ok(fate)
}

fn test(tree: &Path, game: &str, which: &[&str]) -> Fate {
    let mut command = Command::new("timeout");
    command.args([SECONDS, "cargo", "test", "--quiet", "--package", game]).args(which);
    command.current_dir(tree).env("CARGO_TARGET_DIR", sh::root().join("target"));
    command.env_remove("RUSTC_WORKSPACE_WRAPPER").env_remove("CLIPPY_ARGS");
    match command.output() {
        Ok(out) if out.status.success() => Fate::Survived,
        Ok(out) if String::from_utf8_lossy(&out.stderr).contains("could not compile") => Fate::Senseless,
        _ => Fate::Noticed,
    }
}

/// All changes of a file, up to its own tests.
fn mutants_in(file: &Path, text: &str) -> Vec<Mutant> {
    let code = text.lines().enumerate().take_while(|(_, line)| line.trim() != "#[cfg(test)]");
    let passed_over = |line: &str| {
        let line = line.trim_start();
        ["//", "#[", "use ", "pub use ", "mod "].iter().any(|start| line.starts_with(start))
            || line.contains("debug_assert")
    };
    let mutant = |line: usize, was: &str, is| {
        let (file, was) = (file.to_owned(), was.to_owned());
        Mutant { file, line, was, is }
    };
    code.filter(|(_, line)| !passed_over(line))
        .flat_map(|(at, line)| changes(line).into_iter().map(move |is| mutant(at, line, is)))
        .collect()
}

/// A line with one sign, truth or number changed, in every way there is.
fn changes(line: &str) -> Vec<String> {
    let end = line.find("//").unwrap_or(line.len());
    let in_text = |at: usize| line[..at].matches('"').count() % 2 == 1;
    let mut changed = Vec::new();
    let mut put = |at: usize, was: &str, is: &str| {
        if at < end && !in_text(at) {
            changed.push(format!("{}{is}{}", &line[..at], &line[at + was.len()..]));
        }
    };
    for (was, is) in SIGNS {
        line.match_indices(was).for_each(|(at, _)| put(at, was, is));
    }
    for (at, word) in words(line) {
        match word {
            "true" => put(at, word, "false"),
            "false" => put(at, word, "true"),
            _ => {
                if let Ok(number) = word.parse::<u32>() {
                    put(at, word, &(u64::from(number) + 1).to_string());
                }
            }
        }
    }
    changed
}

/// The words and numbers of a line, but for fields by number (`pair.0`).
fn words(line: &str) -> Vec<(usize, &str)> {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(start) = line[rest..].find(part).map(|at| rest + at) {
        let end = line[start..].find(|c| !part(c)).map_or(line.len(), |length| start + length);
        if !line[..start].ends_with('.') || line[..start].ends_with("..") {
            found.push((start, &line[start..end]));
        }
        rest = end;
    }
    found
}

fn shown(mutant: &Mutant) -> String {
    let Mutant { file, line, was, is } = mutant;
    format!("`{}:{}`: `{}` became `{}`", file.display(), line + 1, was.trim(), is.trim())
}

/// Puts a game's result into `docs/mutants.md`; what else stands there stays.
fn keep(game: &str, told: &str) -> Result<(), String> {
    let path = sh::root().join("docs/mutants.md");
    let page = section(&read(&path)?, game, told);
    fs::write(&path, page).map_err(|why| format!("{}: {why}", path.display()))
}

/// The page with another text under the heading of a game.
fn section(page: &str, game: &str, told: &str) -> String {
    let heading = format!("## {game}\n");
    let (before, rest) = page.split_once(&heading).unwrap_or((page, ""));
    let after = rest.find("\n## ").map_or("", |at| &rest[at..]);
    format!("{}\n\n{heading}\n{}\n{after}", before.trim_end(), told.trim_end())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_truths_and_numbers_are_changed_one_at_a_time() {
        let line = "        if self.0 >= 3 && !over { // not 4 > 3";
        let now = [
            "        if self.0 > 3 && !over { // not 4 > 3",
            "        if self.0 >= 3 || !over { // not 4 > 3",
            "        if self.0 >= 4 && !over { // not 4 > 3",
        ];
        assert_eq!(changes(line), now);
        assert_eq!(changes("let x = (true, \"1 < 2\", 0..7);").len(), 3);
        assert!(changes("fn of<G: Game>(x: u64) -> Option<Seat> {").is_empty());
    }

    #[test]
    fn comments_attributes_and_tests_are_left_alone() {
        let text = "//! 1 < 2\n#[a(1)]\nlet a = 1;\n#[cfg(test)]\nlet b = 2;\n";
        let found = mutants_in(Path::new("x.rs"), text);
        assert_eq!(found.iter().map(|mutant| mutant.is.as_str()).collect::<Vec<_>>(), ["let a = 2;"]);
    }

    #[test]
    fn a_games_result_takes_the_place_of_its_last_one() {
        let page = "# Page\n\nWords.\n";
        let one = section(page, "cubo", "1 tried.");
        let two = section(&one, "iqubes", "2 tried.");
        assert_eq!(two, "# Page\n\nWords.\n\n## cubo\n\n1 tried.\n\n## iqubes\n\n2 tried.\n");
        let again = section(&two, "cubo", "3 tried.");
        assert!(again.contains("3 tried.") && !again.contains("1 tried.") && again.contains("2 tried."));
        assert!(again.ends_with("2 tried.\n"), "{again}");
    }
}
