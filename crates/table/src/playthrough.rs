//! Playthroughs: a whole game from a fixed seed as a text that people can read and diff. A change of rules or of
//! dice shows itself there.

use crate::record::{Event, Head};
use crate::{Bot, Game, Seats, Seed, Table, bot};
use std::fmt::Write;
use std::path::Path;

/// Writes a game between bots, act by act, with the public view wherever it changed.
pub fn write<G: Game>(
    options: G::Options,
    names: &[&str],
    mut bots: Vec<Box<dyn Bot<G>>>,
    seed: u64,
) -> String {
    let seed = Seed::from_number(seed);
    let seats = Seats::named(names.iter().copied()).expect("plain names");
    let head = Head::new(G::NAME, options, seats, seed.commitment()).under(G::RULES);
    let mut table = match Table::<G>::open(&head, &seed) {
        Ok(table) => table,
        Err(fault) => panic!("a playthrough must open: {fault}"),
    };
    let options = serde_json::to_string_pretty(&head.options).expect("options are JSON");
    let mut text =
        format!("{} with {}\noptions {options}\ndice {}\n", G::NAME, names.join(", "), head.commit);
    let mut seen = String::new();
    show(&mut text, &mut seen, &table);
    let outcome = bot::drive(&mut table, &mut bots, 100_000, |table, entry| {
        let at = entry.at;
        let _ = match &entry.event {
            Event::Act { seat, act } => {
                let act = serde_json::to_string(act).expect("an act is JSON");
                writeln!(text, "\n{at}  {}  {act}", head.seats.name(*seat))
            }
            Event::Time => writeln!(text, "\n{at}  time"),
        };
        show(&mut text, &mut seen, table);
    });
    let outcome = outcome.unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    let _ = writeln!(text, "\nend  ranks {:?}  scores {:?}", outcome.ranks, outcome.scores);
    let _ =
        writeln!(text, "state {}  dice drawn {}  seed {}", table.fingerprint(), table.drawn(), seed.reveal());
    text
}

fn show<G: Game>(text: &mut String, seen: &mut String, table: &Table<G>) {
    let view = table.game().public().to_string();
    if view != *seen {
        for line in view.lines() {
            let _ = writeln!(text, "    {}", line.trim_end());
        }
        *seen = view;
    }
}

/// Compares a playthrough with the file that is kept; with `PARLOR_WRITE=1` in the environment writes the file.
/// `file` is relative to the crate, as tests run there.
pub fn check(file: &str, text: &str) {
    let path = Path::new(file);
    if std::env::var_os("PARLOR_WRITE").is_some_and(|value| value == "1") {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).expect("the folder of playthroughs can be made");
        }
        std::fs::write(path, text).expect("the playthrough can be written");
        return;
    }
    let kept = std::fs::read_to_string(path)
        .unwrap_or_else(|why| panic!("{file}: {why}; write it with `cargo xtask playthrough`"));
    let differs = kept.lines().zip(text.lines()).position(|(kept, now)| kept != now);
    if let Some(at) = differs {
        let line = |text: &str| text.lines().nth(at).unwrap_or_default().to_owned();
        panic!(
            "{file} differs from line {}:\n  kept {}\n  now  {}\nIf that is meant, run `cargo xtask playthrough` and review the diff.",
            at + 1,
            line(&kept),
            line(text)
        );
    }
    assert_eq!(kept.lines().count(), text.lines().count(), "{file}: one of the two goes on");
}
