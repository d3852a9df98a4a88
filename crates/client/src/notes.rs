//! What a client notes of the tables it follows, so that it can check their dice at the end (see [`table::kept`]).

use crate::heard::Raw;
use protocol::{Command, Phase, Room, TableId};
use std::collections::BTreeMap;
use table::{Commitment, Kept};

/// The notes of one client. Whatever changes a note answers it, so that the client's owner can keep it where it outlives the program.
#[derive(Debug, Default)]
pub(crate) struct Notes(BTreeMap<TableId, Note>);

/// What is known of a table, in the order in which it may come: a table that we make has our seed before it shows its commitment.
#[derive(Debug, Default)]
struct Note {
    kept: Option<Kept>,
    seed: Option<String>,
}

impl Notes {
    pub(crate) fn kept(&self, table: &str) -> Option<&Kept> {
        self.0.get(table)?.kept.as_ref()
    }

    /// What was kept when the program ended.
    pub(crate) fn recall(&mut self, kept: Kept) {
        let seed = kept.seed.clone();
        self.0.insert(kept.table.clone(), Note { kept: Some(kept), seed });
    }

    pub(crate) fn forget(&mut self, table: &str) {
        self.0.remove(table);
    }

    /// The table is shown. Only the first commitment counts: a house that shows another one later has broken its word.
    pub(crate) fn shown(&mut self, table: &str, room: &Room<Raw>) -> Option<Kept> {
        let note = self.0.entry(table.to_owned()).or_default();
        let first = || Commitment::try_from(room.commit.clone()).ok().map(|commit| Kept::new(table, commit));
        let before = note.kept.clone();
        let mut kept = before.clone().or_else(first)?;
        kept.seed.clone_from(&note.seed);
        if kept.outcome.is_none() {
            kept.outcome.clone_from(&room.outcome);
        }
        note.kept = Some(kept.clone());
        (before.as_ref() != Some(&kept)).then_some(kept)
    }

    /// The house has carried out a command of ours; `made` is the table that it is about, or made.
    pub(crate) fn done(
        &mut self,
        command: &Command,
        made: Option<&str>,
        phase: Option<Phase>,
    ) -> Option<Kept> {
        let gathers = phase.is_none_or(|phase| phase == Phase::Gathering);
        let (table, seed) = match command {
            Command::Create { seed, .. } => (made?, seed),
            Command::Ready { table, seed: Some(seed), .. } => (table.as_str(), seed),
            // Without a seat or a name it may mean a seat that is ours already, and then nothing is added; nor in a running game.
            Command::Join { table, seat, name, seed, .. }
                if gathers && (seat.is_some() || name.is_some()) =>
            {
                (table.as_str(), seed)
            }
            _ => return None,
        };
        self.added(table, Some(seed.clone()).filter(|seed| !seed.is_empty())?)
    }

    fn added(&mut self, table: &str, seed: String) -> Option<Kept> {
        let note = self.0.entry(table.to_owned()).or_default();
        note.seed = Some(seed);
        let kept = note.kept.as_mut()?;
        kept.seed.clone_from(&note.seed);
        Some(kept.clone())
    }

    /// Our last seat was given up or taken from us before the game: what we added left with it.
    pub(crate) fn left(&mut self, table: &str) {
        if let Some(note) = self.0.get_mut(table) {
            note.seed = None;
        }
    }
}
