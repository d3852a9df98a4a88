//! `cargo xtask words`: makes the house dictionary anew from the SCOWL word lists (Debian package `scowl`) and the
//! reviewed lists in `crates/words/data`. The same lists always give the same bytes; `--check` only compares.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use words::{Binder, Dialect, Entry, Lexicon, Spelling, Tier, Word};

/// Where Debian puts the lists, and where it puts their licence.
const SCOWL: &str = "/usr/share/dict/scowl";
const LICENCE: &str = "/usr/share/doc/scowl/copyright";

/// `words [--check] [--scowl FOLDER] [--data FOLDER]`
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let options = Options::read(args)?;
    let data = &options.data;
    let mut binder = Binder::default();
    gather(&options.scowl, &mut binder)?;
    only(&mut binder, 2, &read(&data.join("two.txt"))?)?;
    only(&mut binder, 3, &read(&data.join("three.txt"))?)?;
    more(&mut binder, &read(&data.join("more.txt"))?)?;
    less(&mut binder, &read(&data.join("less.txt"))?)?;
    flag(&mut binder, &read(&data.join("offensive.txt"))?)?;
    let bytes = binder.bytes();
    print!("{}", report(&binder, &bytes)?);
    options.put("house.words", &bytes)?;
    let licence =
        fs::read(LICENCE).map_err(|e| format!("{LICENCE}: {e}: install the Debian package scowl"))?;
    options.put("SCOWL-LICENCE.txt", &licence)
}

struct Options {
    check: bool,
    scowl: PathBuf,
    data: PathBuf,
}

impl Options {
    fn read(args: &[String]) -> Result<Self, String> {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/words/data");
        let mut options = Self { check: false, scowl: SCOWL.into(), data };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut folder = || args.next().map(PathBuf::from).ok_or(format!("{arg} wants a folder"));
            match arg.as_str() {
                "--check" => options.check = true,
                "--scowl" => options.scowl = folder()?,
                "--data" => options.data = folder()?,
                _ => {
                    return Err(format!(
                        "words: unknown {arg:?}; say words [--check] [--scowl FOLDER] [--data FOLDER]"
                    ));
                }
            }
        }
        Ok(options)
    }

    /// Writes a file, or with `--check` says whether it would be the same.
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.data.join(name);
        if !self.check {
            return fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()));
        }
        match fs::read(&path) {
            Ok(old) if old == bytes => Ok(()),
            _ => Err(format!("{name} is not what the lists give: run cargo xtask words")),
        }
    }
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// The class files of SCOWL: lower-case a to z only, so no names, contractions or accents; abbreviations and roman
/// numerals are in classes of their own, which are not read.
fn gather(scowl: &Path, binder: &mut Binder) -> Result<(), String> {
    let classes =
        [("english", Spelling::Both), ("american", Spelling::American), ("british", Spelling::British)];
    for (class, spelling) in classes {
        for tier in Tier::ALL {
            let path = scowl.join(format!("{class}-words.{tier}"));
            let text = fs::read(&path)
                .map_err(|e| format!("{}: {e}: install the Debian package scowl", path.display()))?;
            // ISO-8859-1; a line with anything but plain lower-case letters is not for us.
            let plain = |line: &&[u8]| line.len() >= 2 && line.iter().all(u8::is_ascii_lowercase);
            for line in text.split(|&byte| byte == b'\n').filter(plain) {
                if let Ok(word) = String::from_utf8_lossy(line).parse() {
                    binder.add(word, Entry { tier, spelling, offensive: false });
                }
            }
        }
    }
    Ok(())
}

/// The words of a reviewed list. `#` makes the rest of a line a remark; `word:70` gives a tier.
fn reviewed(list: &str) -> impl Iterator<Item = Result<(Word, Option<Tier>), String>> {
    let lines = list.lines().map(|line| line.split('#').next().unwrap_or_default());
    lines.flat_map(str::split_whitespace).map(|item| {
        let (word, tier) = item.split_once(':').map_or((item, None), |(word, tier)| (word, Some(tier)));
        let word = word.parse().map_err(|e| format!("{item}: {e}"))?;
        Ok((word, tier.map(|tier| size(tier).map_err(|e| format!("{item}: {e}"))).transpose()?))
    })
}

fn size(tier: &str) -> Result<Tier, String> {
    let size: u8 = tier.parse().map_err(|e| format!("{e}"))?;
    Tier::try_from(size).map_err(|e| e.to_string())
}

/// The words of `length` letters become those of the list, and no others.
fn only(binder: &mut Binder, length: usize, list: &str) -> Result<(), String> {
    let found: Vec<(Word, Entry)> = binder
        .words()
        .filter(|(word, _)| word.len() == length)
        .map(|(word, entry)| (*word, *entry))
        .collect();
    for (word, _) in &found {
        binder.remove(word);
    }
    for item in reviewed(list) {
        let (word, tier) = item?;
        if word.len() != length {
            return Err(format!("{word} is in the list of {length} letters"));
        }
        let known = found.iter().find(|(known, _)| *known == word).map(|(_, entry)| *entry);
        let given = tier.map(|tier| Entry { tier, spelling: Spelling::Both, offensive: false });
        let entry = given.or(known).ok_or(format!("{word} is not in SCOWL: give it a tier, {word}:70"))?;
        binder.add(word, entry);
    }
    Ok(())
}

fn more(binder: &mut Binder, list: &str) -> Result<(), String> {
    for item in reviewed(list) {
        let (word, tier) = item?;
        let tier = tier.ok_or(format!("{word} needs a tier: {word}:70"))?;
        binder.add(word, Entry { tier, spelling: Spelling::Both, offensive: false });
    }
    Ok(())
}

fn less(binder: &mut Binder, list: &str) -> Result<(), String> {
    for item in reviewed(list) {
        let (word, _) = item?;
        binder.remove(&word).ok_or(format!("{word} is not there to be taken out"))?;
    }
    Ok(())
}

fn flag(binder: &mut Binder, list: &str) -> Result<(), String> {
    for item in reviewed(list) {
        let (word, _) = item?;
        binder.entry_mut(&word).ok_or(format!("{word} is not there to be flagged"))?.offensive = true;
    }
    Ok(())
}

/// What came out, for the person who ran it.
fn report(binder: &Binder, bytes: &[u8]) -> Result<String, String> {
    let mut text = String::new();
    for dialect in [Dialect::American, Dialect::British] {
        let lexicon = Lexicon::from_bytes(bytes, dialect).map_err(|e| e.to_string())?;
        let _ = writeln!(text, "{}: {} words", lexicon.id(), lexicon.len());
        for tier in Tier::ALL {
            let words = lexicon.words().filter(|(_, entry)| entry.tier == tier).count();
            let _ = writeln!(text, "  tier {tier}: {words}");
        }
    }
    let flagged = binder.words().filter(|(_, entry)| entry.offensive).count();
    let _ = writeln!(text, "{flagged} flagged as offensive; {} bytes", bytes.len());
    Ok(text)
}
