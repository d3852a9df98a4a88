//! Whose work is in the program: its crates and those of the page in it, with their licences.

use super::program::FEATURES;
use crate::files::read;
use crate::sh;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A crate from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Crate {
    name: String,
    version: String,
    /// As an SPDX expression.
    licence: String,
}

pub(super) struct Crates(BTreeSet<Crate>);

/// What is in the program besides crates: its name, its licence, and the file of ours that has the licence's text.
const OTHERS: [(&str, &str, Option<&str>); 5] = [
    ("the Rust standard library", "MIT OR Apache-2.0", None),
    ("musl, the C library of the programs for Linux", "MIT", None),
    ("SQLite (in libsqlite3-sys)", "blessing", None),
    ("SCOWL, the source of the word list", "its own", Some("crates/words/data/SCOWL-LICENCE.txt")),
    ("Roboto Slab, the lettering of what is printed", "Apache-2.0", None),
];

impl Crates {
    /// Those of the program for this platform, and those of the page.
    pub(super) fn of(platform: &str) -> Result<Crates, String> {
        let mut all = tree(&["--package", "parlor", "--features", FEATURES, "--target", platform])?;
        all.extend(tree(&["--package", "web", "--target", "wasm32-unknown-unknown"])?);
        Ok(Crates(all))
    }

    /// The bill of materials, as `CycloneDX`.
    pub(super) fn bill(&self, version: &str, time: u64) -> Value {
        let component = |Crate { name, version, licence }: &Crate| {
            let purl = format!("pkg:cargo/{name}@{version}");
            json!({"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl,
                "licenses": [{"expression": licence}]})
        };
        json!({
            "bomFormat": "CycloneDX",
            "specVersion": "1.5",
            "version": 1,
            "metadata": {
                "timestamp": moment(time),
                "component": {"type": "application", "bom-ref": "parlor", "name": "parlor", "version": version,
                    "licenses": [{"expression": "MIT OR Apache-2.0"}]},
            },
            "components": self.0.iter().map(component).collect::<Vec<_>>(),
        })
    }

    /// A list of all, and the text of each licence once.
    pub(super) fn licences(&self) -> Result<String, String> {
        let folders = folders()?;
        let mut text = String::from(
            "# What is in Parlor\n\nParlor is under MIT OR Apache-2.0. The program holds these crates:\n\n\
             | crate | version | licence |\n|---|---|---|\n",
        );
        let mut whose: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for Crate { name, version, licence } in &self.0 {
            let _ = writeln!(text, "| {name} | {version} | {licence} |");
            let folder = folders.get(&(name.clone(), version.clone()));
            for licence in folder.map(|folder| licence_files(folder)).unwrap_or_default() {
                whose.entry(licence).or_default().push(name);
            }
        }
        text.push_str("\nAnd this:\n\n| what | licence |\n|---|---|\n");
        for (name, licence, file) in OTHERS {
            let _ = writeln!(text, "| {name} | {licence} |");
            if let Some(file) = file {
                whose.entry(read(&sh::root().join(file))?).or_default().push(name);
            }
        }
        for (licence, names) in whose {
            let _ = write!(text, "\n## {}\n\n```text\n{}\n```\n", names.join(", "), licence.trim_end());
        }
        Ok(text)
    }
}

/// The crates that a program is made of. What only runs while it is built is not in it.
fn tree(which: &[&str]) -> Result<BTreeSet<Crate>, String> {
    let how =
        ["tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}|{l}"];
    Ok(sh::output("cargo", &[&how, which].concat())?.lines().filter_map(line).collect())
}

/// A line of the tree: `serde v1.0.0|MIT OR Apache-2.0`. Behind the version of our own crates stands their folder.
fn line(line: &str) -> Option<Crate> {
    let (package, licence) = line.trim_end_matches(" (*)").split_once('|')?;
    let mut words = package.split(' ');
    let (name, version) = (words.next()?, words.next()?);
    let licence = licence.replace('/', " OR ");
    let version = version.trim_start_matches('v').to_owned();
    words.next().is_none().then_some(Crate { name: name.to_owned(), version, licence })
}

/// Where the sources of each crate are, by name and version.
fn folders() -> Result<BTreeMap<(String, String), PathBuf>, String> {
    let told = sh::output("cargo", &["metadata", "--format-version", "1", "--locked"])?;
    let told: Value = serde_json::from_str(&told).map_err(|why| format!("cargo metadata: {why}"))?;
    let packages = told["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let folder = |package: &Value| {
        let text = |what: &str| package[what].as_str().map(str::to_owned);
        let folder = Path::new(package["manifest_path"].as_str()?).parent()?.to_owned();
        Some(((text("name")?, text("version")?), folder))
    };
    Ok(packages.iter().filter_map(folder).collect())
}

/// The texts of the licences in a crate's folder.
fn licence_files(folder: &Path) -> Vec<String> {
    let is_licence = |path: &PathBuf| {
        let name = super::file_name(path).to_uppercase();
        ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|start| name.starts_with(start))
    };
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(is_licence).collect();
    files.sort();
    files.iter().filter_map(|path| fs::read_to_string(path).ok()).collect()
}

/// Seconds since 1970 as `2026-11-19T17:00:00Z`.
fn moment(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March, so that the odd day comes last (Howard Hinnant's `civil_from_days`).
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_of_ours_is_not_a_material() {
        let serde =
            Crate { name: "serde".into(), version: "1.0.2".into(), licence: "MIT OR Apache-2.0".into() };
        assert_eq!(line("serde v1.0.2|MIT/Apache-2.0 (*)"), Some(serde));
        assert_eq!(line("table v0.1.0 (/home/ann/parlor/crates/table)|MIT OR Apache-2.0"), None);
    }

    #[test]
    fn a_moment_is_written_as_the_bill_wants_it() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_827_696, "2000-02-29T12:34:56Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (1_795_109_400, "2026-11-19T17:30:00Z"),
        ] {
            assert_eq!(moment(seconds), text);
        }
    }

    #[test]
    fn every_other_material_has_its_licence_in_the_tree() {
        for file in OTHERS.iter().filter_map(|(_, _, file)| *file) {
            assert!(sh::root().join(file).is_file(), "{file}");
        }
    }
}
