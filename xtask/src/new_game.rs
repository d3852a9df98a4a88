//! A new game: `cargo xtask new-game NAME` writes a crate on the floor plan of the others, a game that plays from the first minute, and
//! adds it to the lists. `docs/new-game.md` goes on from there.

use crate::sh;
use std::fs;
use std::path::Path;

/// The files of a new game, by where they go.
const FILES: &[(&str, &str)] = &[
    ("crates/skeleton/Cargo.toml", include_str!("../templates/game/Cargo.toml")),
    ("crates/skeleton/src/lib.rs", include_str!("../templates/game/src/lib.rs")),
    ("crates/skeleton/src/game.rs", include_str!("../templates/game/src/game.rs")),
    ("crates/skeleton/src/bot.rs", include_str!("../templates/game/src/bot.rs")),
    ("crates/skeleton/src/house.rs", include_str!("../templates/game/src/house.rs")),
    ("crates/skeleton/tests/conformance.rs", include_str!("../templates/game/tests/conformance.rs")),
    ("crates/skeleton/tests/rules.rs", include_str!("../templates/game/tests/rules.rs")),
    ("docs/rules/skeleton.md", include_str!("../templates/game/rules.md")),
];

/// A line that a list needs for a new game: the file, how the line before it begins, and the line.
const LINES: [(&str, &str, &str); 4] = [
    ("Cargo.toml", "roulette = { path", "skeleton = { path = \"crates/skeleton\" }"),
    ("crates/house/Cargo.toml", "roulette.workspace", "skeleton.workspace = true"),
    ("crates/house/src/games.rs", "    Roulette ROULETTE", "    Skeleton SKELETON = skeleton::Skeleton;"),
    ("docs/SUMMARY.md", "- [Dice Roulette]", "- [Skeleton](rules/skeleton.md)"),
];

/// Writes the game and adds it to the lists.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let [name] = args else {
        return Err(
            "cargo xtask new-game NAME: how is the game called? Take one word, such as pig".to_owned()
        );
    };
    let name = Name::new(name)?;
    let root = sh::root();
    if root.join("crates").join(&name.lower).exists() {
        return Err(format!("there is a crate \"{}\" already: take another name", name.lower));
    }
    // All that can be refused is refused before the first file is written.
    let lists = LINES.iter().map(|line| name.listed(&root, line)).collect::<Result<Vec<_>, String>>()?;
    for (path, text) in FILES.iter().map(|(path, text)| (name.put_in(path), name.put_in(text))).chain(lists) {
        let file = root.join(&path);
        let folder = file.parent().unwrap_or(&root);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&file, text))
            .map_err(|why| format!("{path}: {why}"))?;
        println!("{path}");
    }
    println!(
        "\nIt plays: cargo test -p {0}; cargo run --release -- simulate {0}. Now make it yours: docs/new-game.md.",
        name.lower
    );
    Ok(())
}

/// The name of a new game in its three forms: `pig`, `Pig` and, before the numbers of its rules, `PI`.
#[derive(Debug)]
struct Name {
    lower: String,
    capital: String,
    prefix: String,
}

impl Name {
    fn new(name: &str) -> Result<Name, String> {
        let fits = (2..=20).contains(&name.len())
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
            && name.chars().nth(1).is_some_and(|c| c.is_ascii_lowercase())
            && !RESERVED.contains(&name);
        if !fits {
            return Err(format!(
                "a game cannot be called \"{name}\" here: take 2 to 20 small letters and digits, two letters first, and no word of Rust's"
            ));
        }
        let (first, rest) = name.split_at(1);
        let prefix = name[..2].to_ascii_uppercase();
        Ok(Name { lower: name.to_owned(), capital: format!("{}{rest}", first.to_ascii_uppercase()), prefix })
    }

    /// A text of the skeleton's, with this name in it.
    fn put_in(&self, text: &str) -> String {
        let text = text.replace("skeleton", &self.lower).replace("Skeleton", &self.capital);
        let text = text.replace("SKELETON", &self.capital.to_ascii_uppercase());
        text.replace("SK-", &format!("{}-", self.prefix))
            .replace("sk_s", &format!("{}_s", self.prefix.to_ascii_lowercase()))
    }

    /// A list with the new line in its place.
    fn listed(
        &self,
        root: &Path,
        (path, before, line): &(&str, &str, &str),
    ) -> Result<(String, String), String> {
        let text = fs::read_to_string(root.join(path)).map_err(|why| format!("{path}: {why}"))?;
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let lost =
            || format!("{path} has no line to add the game after: add `{}` by hand", self.put_in(line));
        let at = lines.iter().position(|line| line.starts_with(before)).ok_or_else(lost)?;
        lines.insert(at + 1, self.put_in(line));
        Ok(((*path).to_owned(), lines.join("\n") + "\n"))
    }
}

/// Words that cannot be the name of a crate, or would read oddly as one.
const RESERVED: &[&str] = &[
    "as", "async", "await", "box", "break", "const", "continue", "core", "crate", "dyn", "else", "enum",
    "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub",
    "ref", "return", "self", "static", "std", "struct", "super", "test", "trait", "true", "try", "type",
    "union", "unsafe", "use", "where", "while", "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_small_word() {
        let pig = Name::new("pig").unwrap();
        assert_eq!((pig.capital.as_str(), pig.prefix.as_str()), ("Pig", "PI"));
        assert_eq!(pig.put_in("skeleton::Skeleton SKELETON SK-S1 sk_s1"), "pig::Pig PIG PI-S1 pi_s1");
        for bad in ["", "p", "Pig", "p1g", "pig game", "../pig", "match", "a-very-long-name-for-a-game"] {
            assert!(Name::new(bad).unwrap_err().contains("cannot be called"), "{bad}");
        }
    }

    #[test]
    fn every_list_still_has_the_line_before() {
        let name = Name::new("pig").unwrap();
        for line in &LINES {
            let (path, text) = name.listed(&sh::root(), line).unwrap();
            assert!(text.contains(&name.put_in(line.2)), "{path}");
        }
    }
}
