//! Nothing that the house shows of itself has a word that it would not lay: every file of this repository that a person may come
//! to see is read (pages, lessons, help, rules, docs, sheets, pictures of the terminal, whole games of bots), its words and its
//! layouts. Tests may speak of such words; they show them to nobody.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its stage has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use words::notation::{self, Style};
use words::{Counting, Lexicon};

/// What people may read, by the ends of file names.
const READ: [&str; 12] =
    ["rs", "md", "toml", "svg", "html", "js", "css", "txt", "snap", "py", "webmanifest", "sh"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The words that the house does not lay.
fn flagged() -> BTreeSet<String> {
    let lists = [Lexicon::house(), Lexicon::british()];
    let words = lists.iter().flat_map(|list| list.words().filter(|(_, entry)| entry.offensive));
    words.map(|(word, _)| word.to_string()).collect()
}

/// All files below a folder that are read by people. What is built, and the word lists themselves, are not.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let lists = path.ends_with("crates/words/data");
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') && !lists {
                files(&path, found);
            }
            continue;
        }
        let ends = path.extension().is_some_and(|end| READ.iter().any(|read| end == *read));
        // Tests are programs, but what they hold pictures of has been seen on a screen.
        let test = path.components().any(|part| part.as_os_str() == "tests")
            && path.extension().is_some_and(|end| end == "rs");
        if ends && !test {
            found.push(path);
        }
    }
}

/// The words of a layout in a text, across and down, if it is one in either game's writing.
fn laid(token: &str) -> Vec<String> {
    let words = |style: Style| {
        let (layout, faces) = notation::read(token, style, |tile| tile.face(0)).ok()?;
        let checked = layout.check(&faces, Counting::Scribbage, |_| true);
        Some(checked.runs().iter().filter_map(|run| Some(run.word?.to_string())).collect::<Vec<_>>())
    };
    if !token.contains('/') {
        return Vec::new();
    }
    [Style::Colours, Style::Jokers].into_iter().filter_map(words).flatten().collect()
}

/// The words of a text that are among `flagged`.
fn offences(text: &str, flagged: &BTreeSet<String>) -> Vec<String> {
    let plain = text.split(|c: char| !c.is_ascii_alphabetic()).map(str::to_ascii_lowercase);
    let layout = |c: char| !(c.is_ascii_alphabetic() || "./*!?".contains(c));
    let crossed = text.split(layout).flat_map(laid);
    plain.chain(crossed).filter(|word| flagged.contains(word)).collect()
}

#[test]
fn nothing_that_people_read_has_a_word_that_the_house_does_not_lay() {
    let (flagged, mut found) = (flagged(), Vec::new());
    files(&root(), &mut found);
    assert!(found.len() > 300, "only {} files were found", found.len());
    let mut layouts = 0;
    for path in found {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        layouts += text.matches("plant/i.r.w/c.m.o/k").count();
        let offences = offences(&text, &flagged);
        assert!(offences.is_empty(), "{}: {offences:?}", path.display());
    }
    assert!(layouts > 5, "the sheet's example is written in many places, and was read as a layout");
}

#[test]
fn a_flagged_word_is_found_in_any_writing() {
    let flagged = flagged();
    let found = |text: &str| offences(text, &flagged);
    let slur = ["mi", "ck"].concat();
    assert_eq!(found(&format!("It opens with \"{}\".", slur.to_uppercase())), [slur.as_str()]);
    assert_eq!(found(&format!("solved: \"plant/...../row/...../{slur}\"")), [slur.as_str(); 3]);
    let down: Vec<String> = slur.chars().map(String::from).collect();
    assert_eq!(found(&down.join("/")), [slur.as_str(); 2], "from top to bottom");
    assert!(found("plant/i.r.w/c.m.o/k and DASH/.TO*E, and a limerick").is_empty());
}
