//! A look at one table's rows, for the host: whether they can be read, whether the record holds, and what could not be checked.

use crate::room::{Bounds, Room};
use crate::store::Stored;
use protocol::Phase;
use table::verify::seals_so_far;

/// What a table was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// No game has begun.
    Empty,
    /// A game is being played.
    Playing,
    /// A finished game whose record holds.
    Verified,
    /// A game that was broken off, or will be as soon as somebody comes to it.
    Aborted,
}

/// Checks a table, and says in words what the host should know although nothing is wrong.
pub(crate) fn check_up(id: &str, stored: &Stored) -> Result<(Found, Option<String>), String> {
    let room = Room::load(id, stored, Bounds::NONE)?;
    let begun = stored.lines().next().is_some();
    if room.is_stuck() || room.aborted.is_some() && begun {
        let events = seals_so_far(stored.lines(), &stored.seed).map_err(|fault| fault.to_string())?;
        return Ok((Found::Aborted, Some(aborted(&room, events))));
    }
    match room.phase {
        Phase::Gathering | Phase::Closed => Ok((Found::Empty, None)),
        Phase::Playing => Ok((Found::Playing, None)),
        Phase::Over => {
            let verified = house::verify(&stored.record()).map_err(|fault| fault.to_string())?;
            Ok((Found::Verified, verified.unchecked()))
        }
    }
}

fn aborted(room: &Room, events: u64) -> String {
    let held = format!("None of its {events} events was changed, and the seed is the promised one.");
    match (&room.aborted, &room.unplayable) {
        (None, Some(rules)) => format!(
            "The game cannot go on here: {rules}. {held} The table will be closed when somebody comes to it; \
             to have it played on, open this house with a Parlor that plays those rules."
        ),
        (why, _) => format!(
            "The game was broken off. {held} Its players were told: {}",
            why.as_deref().unwrap_or_default()
        ),
    }
}
