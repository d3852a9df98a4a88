//! The rule table: every rule id of `docs/rules` and the tests that name it. A rule without a test is an open rule.

use crate::sh;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// A rule's id, such as CU-S5; ordered as people would.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Id {
    game: String,
    kind: char,
    number: u32,
}

impl Id {
    /// All ids of these games in a text, in any case, with `-` or `_` between: `CU-S5` in prose, `cu_s5` in the name of a test.
    fn all_in(text: &str, games: &BTreeSet<String>) -> BTreeSet<Id> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric()).collect::<Vec<_>>();
        let ids = words.windows(2).filter_map(|pair| Id::parse(pair[0], pair[1]));
        ids.filter(|id| games.contains(&id.game)).collect()
    }

    /// The first id of a page: two capitals, a hyphen, a letter and a number.
    fn first_in(text: &str) -> Option<Id> {
        let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        words.find_map(|word| {
            let (game, rest) = word.split_once('-')?;
            Id::parse(game, rest).filter(|id| id.to_string() == word)
        })
    }

    fn parse(game: &str, rest: &str) -> Option<Id> {
        let mut letters = rest.chars();
        let kind = letters.next()?.to_ascii_uppercase();
        let number = letters.as_str().parse().ok()?;
        let two = game.len() == 2 && game.chars().all(|c| c.is_ascii_alphabetic());
        (two && "SRF".contains(kind)).then(|| Id { game: game.to_ascii_uppercase(), kind, number })
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}{}", self.game, self.kind, self.number)
    }
}

/// A page of rules: the prefix of its ids, the name of its file, its text.
struct Page {
    prefix: String,
    file: String,
    text: String,
}

/// The pages of `docs/rules`. The first id on a page says the prefix of all its ids.
fn pages() -> Result<Vec<Page>, String> {
    let folder = sh::root().join("docs/rules");
    let entries = fs::read_dir(&folder).map_err(|why| format!("docs/rules: {why}"))?;
    let mut pages = Vec::new();
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.extension().is_none_or(|end| end != "md") || name == "COVERAGE" {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
        if let Some(first) = Id::first_in(&text) {
            pages.push(Page { prefix: first.game, file: name, text });
        }
    }
    pages.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(pages)
}

/// `cargo xtask rules [--write]`: holds `docs/rules/COVERAGE.md` against the tests, or writes it.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    match args {
        [] => check(),
        [write] if write == "--write" => {
            fs::write(coverage(), table()?).map_err(|why| format!("docs/rules/COVERAGE.md: {why}"))
        }
        _ => Err("write `cargo xtask rules`, or `cargo xtask rules --write`".to_owned()),
    }
}

/// Fails when a rule has no test, or `docs/rules/COVERAGE.md` says something else. It changes nothing.
pub(crate) fn check() -> Result<(), String> {
    let written = fs::read_to_string(coverage()).map_err(|why| format!("docs/rules/COVERAGE.md: {why}"))?;
    is_fresh(&table()?, &written)
}

/// Fails with the first line in which the page that is kept differs from the one there should be.
fn is_fresh(table: &str, written: &str) -> Result<(), String> {
    let line = |text: &str, at: usize| text.lines().nth(at).unwrap_or("nothing").to_owned();
    let lines = table.lines().count().max(written.lines().count());
    let Some(at) = (0..lines).find(|&at| line(table, at) != line(written, at)) else { return Ok(()) };
    Err(format!(
        "docs/rules/COVERAGE.md is out of date. Line {} says\n  {}\nand should say\n  {}\nRun `cargo xtask rules --write` and commit it.",
        at + 1,
        line(written, at),
        line(table, at)
    ))
}

fn coverage() -> PathBuf {
    sh::root().join("docs/rules/COVERAGE.md")
}

/// The table of all rules and the tests that name them; an error when a rule has none, or a test names one that is not there.
fn table() -> Result<String, String> {
    let pages = pages()?;
    let games: BTreeSet<String> = pages.iter().map(|page| page.prefix.clone()).collect();
    let own = |page: &Page| Id::all_in(&page.text, &BTreeSet::from([page.prefix.clone()]));
    let rules: BTreeSet<Id> = pages.iter().flat_map(own).collect();
    let tests = read_tests(&games)?;
    let empty = BTreeSet::new();
    let mut page = String::from(
        "# Rules and the tests that name them\n\nWritten by `cargo xtask rules --write`; a rule without a test fails `cargo xtask test`.\n",
    );
    let mut open = Vec::new();
    for Page { prefix, file, .. } in &pages {
        let _ = writeln!(page, "\n## [{file}]({file}.md)\n\n| rule | tests |\n|---|---|");
        for id in rules.iter().filter(|id| id.game == *prefix) {
            let named = tests.get(id).unwrap_or(&empty);
            println!("{id}: {}", if named.is_empty() { "NO TEST".into() } else { join(named) });
            let _ = writeln!(page, "| {id} | {} |", join(named));
            if named.is_empty() {
                open.push(id.to_string());
            }
        }
    }
    let unknown: Vec<String> = tests.keys().filter(|id| !rules.contains(id)).map(Id::to_string).collect();
    if !unknown.is_empty() {
        return Err(format!("tests name rules that docs/rules does not have: {}", unknown.join(", ")));
    }
    if !open.is_empty() {
        return Err(format!("rules without a test: {}", open.join(", ")));
    }
    println!("{} rules, each named by a test", rules.len());
    Ok(page)
}

fn join(tests: &BTreeSet<String>) -> String {
    tests.iter().map(|test| format!("`{test}`")).collect::<Vec<_>>().join(", ")
}

/// For each id, the tests that name it: in the test's own name, or in a line `// rules: CU-S5 CU-R3` above it.
fn read_tests(games: &BTreeSet<String>) -> Result<BTreeMap<Id, BTreeSet<String>>, String> {
    let mut table: BTreeMap<Id, BTreeSet<String>> = BTreeMap::new();
    for path in rust_files(&sh::root().join("crates"))? {
        let text = fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
        for (name, ids) in tests_in(&text, games) {
            for id in ids {
                table.entry(id).or_default().insert(name.clone());
            }
        }
    }
    Ok(table)
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let entries = fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The tests of a file that name rules.
fn tests_in(text: &str, games: &BTreeSet<String>) -> Vec<(String, BTreeSet<Id>)> {
    let mut found = Vec::new();
    let mut is_test = false;
    let mut ids = BTreeSet::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_test = true;
        } else if let Some(list) = line.strip_prefix("// rules:") {
            ids.extend(Id::all_in(list, games));
        } else if let Some(name) = function_name(line) {
            if is_test {
                ids.extend(Id::all_in(name, games));
                found.push((name.to_owned(), std::mem::take(&mut ids)));
            }
            is_test = false;
            ids.clear();
        } else if !line.starts_with("//") && !line.starts_with("#[") {
            is_test = false;
            ids.clear();
        }
    }
    found.retain(|(_, ids)| !ids.is_empty());
    found
}

fn function_name(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub ").unwrap_or(line);
    let line = line.strip_prefix("async ").unwrap_or(line);
    let rest = line.strip_prefix("fn ")?;
    Some(rest.split(['(', '<']).next().unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games() -> BTreeSet<String> {
        ["CT", "CU"].map(str::to_owned).into()
    }

    fn ids(text: &str) -> Vec<String> {
        Id::all_in(text, &games()).iter().map(Id::to_string).collect()
    }

    #[test]
    fn a_page_says_its_own_prefix() {
        let first = |text: &str| Id::first_in(text).map(|id| id.to_string());
        assert_eq!(
            first("# Pig, from 1945 or so: a well-known game\n\n- **PG-S1** Two dice."),
            Some("PG-S1".into())
        );
        assert_eq!(first("# A page about something else, T-S1"), None);
    }

    #[test]
    fn ids_are_found_in_prose_and_in_names() {
        assert_eq!(ids("**CU-S5** and (CT-R12), not CU-X1, XX-S1, CU-S"), ["CT-R12", "CU-S5"]);
        assert_eq!(ids("ct_s10_ct_r2_the_sum_decides"), ["CT-R2", "CT-S10"]);
        assert_eq!(ids("cu_s1"), ["CU-S1"]);
        assert_eq!(ids("cu_s10_is_not_s1"), ["CU-S10"]);
    }

    #[test]
    fn a_stale_page_fails_and_says_where() {
        let page = "| CU-S1 | `one` |\n| CU-S2 | `two` |\n";
        assert_eq!(is_fresh(page, page), Ok(()));
        for stale in ["| CU-S1 | `one` |\n", "| CU-S1 | `one` |\n| CU-S2 | `old` |\n", ""] {
            let why = is_fresh(page, stale).expect_err("it is stale");
            assert!(why.contains("--write") && (stale.is_empty() || why.contains("Line 2")), "{why}");
        }
        let more = format!("{page}| CU-S3 | |\n");
        assert!(is_fresh(page, &more).is_err(), "a rule that is gone");
    }

    #[test]
    fn only_tests_count_and_only_comments_right_above_them() {
        let text = "// rules: CU-S1\n#[test]\nfn a_sentence() {}\n\n// rules: CU-S2\nlet x = 1;\n#[test]\nfn cu_s3_x() {}\nfn cu_s4_helper() {}";
        let found: Vec<(String, Vec<String>)> = tests_in(text, &games())
            .into_iter()
            .map(|(name, ids)| (name, ids.iter().map(Id::to_string).collect()))
            .collect();
        assert_eq!(
            found,
            [("a_sentence".into(), vec!["CU-S1".into()]), ("cu_s3_x".into(), vec!["CU-S3".into()])]
        );
    }
}
