//! What a client notes of the tables it follows, so that it can check their dice at the end (see [`table::kept`]).

use crate::heard::Raw;
use protocol::{Command, Phase, Room, TableId};
use std::collections::BTreeMap;
use table::chain::{Link, Secret};
use table::kept::{Answered, Broken, KeptChain};
use table::{Commitment, Kept};

/// So many chains at one table at most: a house takes fewer.
const MOST: usize = 16;

/// The notes of one client. Whatever changes a note answers it, so that the client's owner can keep it where it outlives the program.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    tables: BTreeMap<TableId, Note>,
    /// What the secrets of all chains are made from; without it the client adds to no throws.
    chance: Option<Secret>,
}

/// What is known of a table, in the order in which it may come: a table that we make has our seed before it shows its commitment.
#[derive(Debug, Default)]
struct Note {
    kept: Option<Kept>,
    seed: Option<String>,
    /// Whether our chain was said since the program began, or the house has no use for it.
    said: bool,
}

impl Notes {
    pub(crate) fn takes_part(&mut self, chance: Secret) {
        self.chance = Some(chance);
    }

    pub(crate) fn kept(&self, table: &str) -> Option<&Kept> {
        self.tables.get(table)?.kept.as_ref()
    }

    /// What was kept when the program ended.
    pub(crate) fn recall(&mut self, kept: Kept) {
        let seed = kept.seed.clone();
        self.tables.insert(kept.table.clone(), Note { kept: Some(kept), seed, said: false });
    }

    pub(crate) fn forget(&mut self, table: &str) {
        self.tables.remove(table);
    }

    /// The table is shown. Only the first commitment counts: a house that shows another one later has broken its word.
    pub(crate) fn shown(&mut self, table: &str, room: &Room<Raw>) -> Option<Kept> {
        let note = self.tables.entry(table.to_owned()).or_default();
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
        let note = self.tables.entry(table.to_owned()).or_default();
        note.seed = Some(seed);
        let kept = note.kept.as_mut()?;
        kept.seed.clone_from(&note.seed);
        Some(kept.clone())
    }

    /// Our last seat was given up or taken from us before the game: what we added left with it.
    pub(crate) fn left(&mut self, table: &str) {
        if let Some(note) = self.tables.get_mut(table) {
            (note.seed, note.said) = (None, false);
            note.kept.iter_mut().for_each(|kept| kept.chains.clear());
        }
    }

    /// The anchor that is to be said at a table where we sit, if it was not; with what is to be kept before.
    pub(crate) fn anchor(&mut self, table: &str) -> Option<(Kept, Link)> {
        let note = self.tables.get(table)?;
        if note.said {
            return None;
        }
        if note.kept.as_ref()?.chains.is_empty() {
            return self.anchor_anew(table);
        }
        let note = self.tables.get_mut(table)?;
        note.said = true;
        let kept = note.kept.clone()?;
        let anchor = kept.chains.last()?.secret.anchor();
        Some((kept, anchor))
    }

    /// The anchor of another chain, where the one before is not used.
    pub(crate) fn anchor_anew(&mut self, table: &str) -> Option<(Kept, Link)> {
        let chance = self.chance.as_ref()?;
        let note = self.tables.get_mut(table)?;
        let kept = note.kept.as_mut().filter(|kept| kept.chains.len() < MOST)?;
        let secret = chance.derive(&format!("{table} {}", kept.chains.len()));
        let anchor = secret.anchor();
        kept.chains.push(KeptChain::new(secret));
        note.said = true;
        Some((kept.clone(), anchor))
    }

    /// The house has taken our anchor, or not.
    pub(crate) fn anchored(&mut self, table: &str, anchor: &Link, accepted: bool) -> Option<Kept> {
        let kept = self.tables.get_mut(table)?.kept.as_mut()?;
        let chain = kept.chains.iter_mut().rfind(|chain| chain.secret.anchor() == *anchor)?;
        chain.accepted |= accepted;
        Some(kept.clone())
    }

    /// The link that a throw needs of us, noted; or what is wrong with being asked for it.
    pub(crate) fn answer(
        &mut self,
        table: &str,
        asked: Answered,
        most: u64,
    ) -> Option<Result<(Kept, Link), Broken>> {
        let kept = self.tables.get_mut(table)?.kept.as_mut()?;
        let answer = kept.chains.last_mut()?.answer(asked, most);
        Some(answer.map(|link| (kept.clone(), link)))
    }
}
