//! What a server showed at a table, kept on this machine while the game lasts, and held against the record when it is over.

use crate::drawer::{Drawer, DrawerFault};
use std::path::{Path, PathBuf};
use table::Kept;
use table::kept::Broken;
use table::verify::Verified;

/// What a record was found to be, compared with what was shown here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checked {
    /// Whether it holds.
    pub(crate) good: bool,
    /// What to tell the player.
    pub(crate) says: String,
}

impl Checked {
    fn new(found: Result<Verified, Broken>, evidence: &Path) -> Checked {
        match found {
            Ok(verified) => {
                let says = verified.unchecked().unwrap_or_else(|| "Dice checked.".to_owned());
                Checked { good: true, says }
            }
            Err(broken) => {
                let says = format!(
                    "{broken} The evidence is kept: the record, and beside it {}",
                    evidence.display()
                );
                Checked { good: false, says }
            }
        }
    }
}

/// Keeps what was shown at a table, so that leaving the program does not lose it.
pub(crate) fn note(drawer: &Drawer, kept: &Kept) {
    drawer.remember(&place(&kept.table), &evidence(kept));
}

/// What was kept of a table.
pub(crate) fn noted(drawer: &Drawer, table: &str) -> Option<Kept> {
    serde_json::from_str(&drawer.recall(&place(table))?).ok()
}

/// Keeps the record of a game, and beside it what it is checked against; answers where, and what the check found.
pub(crate) fn keep(
    drawer: &Drawer,
    game: &str,
    table: &str,
    record: &str,
    kept: Option<&Kept>,
) -> Result<(PathBuf, Option<Checked>), DrawerFault> {
    let name = format!("{}-{}", plain(game), plain(table));
    let path = drawer.keep_record(&format!("{name}.jsonl"), record)?;
    let Some(kept) = kept else { return Ok((path, None)) };
    let beside = drawer.keep_record(&format!("{name}.kept.json"), &evidence(kept))?;
    drawer.forget(&place(table));
    Ok((path, Some(Checked::new(house::verify_kept(record, kept), &beside))))
}

/// What was shown, as `parlor verify --kept` reads it.
fn evidence(kept: &Kept) -> String {
    serde_json::to_string(kept).unwrap_or_default()
}

fn place(table: &str) -> String {
    format!("shown/{}.json", plain(table))
}

/// A server's name for something, as a file may be called: a server must not choose the folder.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use house::{Driver, Kind, Setting};
    use serde_json::json;
    use std::fs;
    use table::{Seat, Seated, Seats, Seed, Time};

    /// The record of a game that a house plays with this seed: Ann alone at Dice Roulette, for one throw.
    fn record(seed: &Seed, ann: &str) -> String {
        let setting = Setting::new(Kind::Roulette, json!({"throws": 1})).expect("options");
        let ann = Seated { name: "Ann".into(), seed: ann.into() };
        let seats = Seats::new(vec![ann]).expect("a seat");
        let (mut driver, head) = Driver::open(&setting, seats, seed, None).expect("it opens");
        let ready = driver.act(Time(500), Seat(0), r#"{"do":"ready"}"#).expect("allowed");
        let end = driver.end(seed).expect("it is over");
        [head, ready.line, end].join("\n") + "\n"
    }

    fn checked(record: &str, kept: &Kept) -> (Checked, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("a folder");
        let drawer = Drawer::open(Some(folder.path())).expect("a drawer");
        note(&drawer, kept);
        assert_eq!(noted(&drawer, &kept.table).as_ref(), Some(kept));
        let (path, found) = keep(&drawer, "roulette", &kept.table, record, Some(kept)).expect("room for it");
        assert_eq!(fs::read_to_string(path).expect("a record"), record);
        assert_eq!(noted(&drawer, &kept.table), None, "it lies beside the record now");
        (found.expect("something was kept"), folder)
    }

    #[test]
    fn an_honest_house_is_found_honest() {
        let seed = Seed::from_number(1);
        let kept = Kept { seed: Some("mine".into()), ..Kept::new("t", seed.commitment()) };
        let (found, _folder) = checked(&record(&seed, "mine"), &kept);
        assert_eq!(found, Checked { good: true, says: "Dice checked.".to_owned() });
    }

    #[test]
    fn a_house_that_swaps_its_seed_or_drops_ours_is_noticed_and_the_evidence_kept() {
        let (shown, swapped) = (Seed::from_number(1), Seed::from_number(2));
        let kept = Kept { seed: Some("mine".into()), ..Kept::new("t", shown.commitment()) };
        let (found, folder) = checked(&record(&swapped, "mine"), &kept);
        assert!(!found.good && found.says.contains("The house changed its secret"), "{found:?}");
        let evidence = folder.path().join("games/roulette-t.kept.json");
        let read: Kept =
            serde_json::from_str(&fs::read_to_string(&evidence).expect("evidence")).expect("JSON");
        assert!(read == kept && found.says.contains(&evidence.display().to_string()), "{found:?}");
        let (found, _folder) = checked(&record(&shown, "other"), &kept);
        assert!(!found.good && found.says.contains("is not in the record"), "{found:?}");
    }

    #[test]
    fn a_house_that_tells_one_end_and_records_another_is_noticed() {
        let seed = Seed::from_number(1);
        let outcome = Some(table::Outcome { ranks: vec![1], scores: vec![1_000_000] });
        let kept = Kept { outcome, ..Kept::new("t", seed.commitment()) };
        let (found, _folder) = checked(&record(&seed, "mine"), &kept);
        assert!(!found.good && found.says.contains("ends otherwise"), "{found:?}");
    }

    #[test]
    fn a_server_does_not_choose_where_its_words_are_kept() {
        assert_eq!(place("../../etc/x"), "shown/etcx.json");
    }
}
