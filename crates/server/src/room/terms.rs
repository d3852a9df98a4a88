//! What a table agreed on, and how one is made: by somebody, or by those who played and want a rematch.

use super::batch::Pen;
use super::seats::checked_seed;
use super::{Batch, Life, Now, Room, Who, text};
use crate::say;
use crate::store::{By, Kind as RowKind, NewTable, Row};
use house::{Kind, Setting};
use protocol::http::Person;
use protocol::{PersonId, Phase, Place, TableId, Why};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use table::{Seed, Spoken};

/// What a table agreed on when it was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Terms {
    pub(crate) game: Kind,
    pub(crate) options: Box<RawValue>,
    pub(crate) public: bool,
    pub(crate) rated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) grace: Option<u32>,
    pub(crate) host: Person,
}

/// The first row of a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Made {
    pub(crate) made: Terms,
    pub(crate) seats: Vec<Place>,
}

impl Room {
    /// The table of a rematch: the same terms and seats, a new seed, and nobody ready but who asks.
    pub(crate) fn rematch_table(&self, who: Who<'_>, seed: &str, wall: u64) -> Result<NewTable, Spoken> {
        match self.phase {
            Phase::Over => drop(setting(&self.terms)?),
            Phase::Closed => return Err(self.closed()),
            Phase::Gathering | Phase::Playing => return Err(say("not-over", "The game is not over yet.")),
        }
        if self.seats_of(&who.person.id).next().is_none() {
            return Err(say("not-seated", "Only who played can ask for a rematch."));
        }
        let own_seed = checked_seed(seed)?;
        let seats = self.places.iter().cloned().map(|mut place| {
            if let Place::Guest { person, ready, seed, bot, .. } = &mut place {
                *ready = *person == who.person.id;
                *seed = if *ready { own_seed.clone() } else { String::new() };
                *bot = None;
            }
            place
        });
        let terms = Terms { host: who.person.clone(), ..self.terms.clone() };
        Ok(new_table(terms, seats.collect(), format!("rematch {}", self.id), None, wall))
    }

    /// Somebody asked for a rematch, and its table is made, or was: asking again leads to the same one.
    pub(crate) fn rematched(&mut self, who: Who<'_>, id: u64, table: TableId, at: Now, batch: &mut Batch) {
        if self.secret_rematch.is_some() {
            return;
        }
        let by = By { person: who.person.id.clone(), client: who.client.to_owned(), id };
        let mut pen = Pen { by: Some(by), at, batch };
        self.happen(&Life::Rematch { table: table.clone() }, Why::Rematch { table }, &[], &mut pen);
    }
}

pub(super) fn setting(terms: &Terms) -> Result<Setting, Spoken> {
    let options =
        serde_json::from_str(terms.options.get()).map_err(|fault| say("bad-options", fault.to_string()))?;
    Setting::kept(terms.game, options)
}

/// A table to be made.
pub(crate) fn new_table(
    terms: Terms,
    seats: Vec<Place>,
    asked: String,
    by: Option<By>,
    wall: u64,
) -> NewTable {
    let mut sitting: Vec<PersonId> = seats.iter().filter_map(Place::person).map(str::to_owned).collect();
    sitting.sort_unstable();
    sitting.dedup();
    let (game, host) = (terms.game.name().to_owned(), terms.host.id.clone());
    let first = Row { kind: RowKind::Life, text: text(&Made { made: terms, seats }), by, wall };
    let seed = Seed::new(crate::id::random());
    NewTable { id: crate::id::fresh(), asked, game, host, made: wall, seed, first, sitting }
}
