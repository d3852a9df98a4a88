//! How a game came out, in words: who won, or who shares the first place. Partners share it too, and that is no tie.

use crate::games::sides as sides_of;
use crate::{Kind, kind_of};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use table::verify::Fault;
use table::{House, Outcome, Seat};

/// How a game came out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// Whether more than one side has the first place.
    pub tie: bool,
    /// The seats that have it.
    pub first: Vec<Seat>,
    #[serde(skip)]
    alone: bool,
}

impl Ending {
    /// How a game with these options came out.
    pub fn of(kind: Kind, options: &Value, outcome: &Outcome) -> Ending {
        let first: Vec<Seat> = outcome.winners().collect();
        let sides = sides_of(kind, options, &first);
        Ending { tie: sides.len() > 1, first, alone: outcome.ranks.len() == 1 }
    }

    /// How the game of a record came out.
    pub fn of_record(text: &str, outcome: &Outcome) -> Result<Ending, Fault> {
        let head = table::verify::head(text)?;
        Ok(Ending::of(kind_of(text)?, &head.options, outcome))
    }

    /// In a sentence, with the names of all seats in their order: `Ann won.`, `A tie: Ann and Ben.`
    pub fn says<N: AsRef<str>>(&self, names: &[N]) -> String {
        let names: Vec<&str> =
            self.first.iter().filter_map(|seat| names.get(seat.index())).map(AsRef::as_ref).collect();
        match (self.alone, self.tie) {
            (true, _) => format!("{} played alone.", list(&names)),
            (false, true) => format!("A tie: {}.", list(&names)),
            (false, false) => format!("{} won.", list(&names)),
        }
    }
}

/// `Ann, Ben and Cleo`
fn list(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The sides that these seats play on. Options that cannot be read are of nobody's game: then each plays alone.
pub(crate) fn sides<G: House>(options: &Value, seats: &[Seat]) -> BTreeSet<u32> {
    let options: G::Options = table::newer::read(options.clone()).unwrap_or_default();
    seats.iter().map(|&seat| G::side(&options, seat)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(kind: Kind, options: &Value, ranks: &[u32]) -> (bool, String) {
        let outcome = Outcome { ranks: ranks.to_vec(), scores: vec![0; ranks.len()] };
        let ending = Ending::of(kind, options, &outcome);
        (ending.tie, ending.says(&["Ann", "Ben", "Cleo", "Dan"]))
    }

    #[test]
    fn a_tie_is_told_from_a_win_and_partners_win_together() {
        for (kind, options, ranks, tie, words) in [
            (Kind::Contact, json!({}), &[1, 1][..], true, "A tie: Ann and Ben."),
            (Kind::Contact, json!({}), &[2, 1], false, "Ben won."),
            (Kind::Contact, json!({}), &[1, 3, 1, 3], true, "A tie: Ann and Cleo."),
            (Kind::Contact, json!({"partners": true}), &[1, 3, 1, 3], false, "Ann and Cleo won."),
            (Kind::Contact, json!({"partners": true}), &[1, 1, 1, 1], true, "A tie: Ann, Ben, Cleo and Dan."),
            (Kind::Scribbage, json!({"teams": 2}), &[2, 1, 2, 1], false, "Ben and Dan won."),
            (Kind::Scribbage, json!({"teams": 2}), &[1, 1, 1, 1], true, "A tie: Ann, Ben, Cleo and Dan."),
            (Kind::Cubo, json!({}), &[1, 1, 3], true, "A tie: Ann and Ben."),
            (Kind::Cubo, json!({}), &[1], false, "Ann played alone."),
            (Kind::Roulette, json!({"of": "a later version"}), &[1, 2], false, "Ann won."),
        ] {
            assert_eq!(said(kind, &options, ranks), (tie, words.to_owned()), "{kind} {options} {ranks:?}");
        }
    }
}
