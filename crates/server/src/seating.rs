//! What the host may do with the seats of a table before its game starts.

use crate::say;
use protocol::Place;
use table::Spoken;

/// Whether a seat may be removed: it must be nobody's, and one that the game can do without.
pub(crate) fn removable(game: &str, places: &[Place], at: usize, least: u32) -> Result<(), Spoken> {
    match places.get(at) {
        None => Err(say("no-such-seat", "This table has no such seat.")),
        Some(Place::Guest { name, .. }) => {
            Err(say("taken", format!("{name} sits there. Only a free seat or a bot's can be removed.")))
        }
        Some(Place::Open | Place::Bot { .. }) if places.len() as u64 <= u64::from(least) => {
            let players = if least == 1 { "player" } else { "players" };
            let says = format!(
                "{game} with these options needs at least {least} {players}. Wait for somebody, or give the seat to a bot."
            );
            Err(say("seating", says))
        }
        Some(Place::Open | Place::Bot { .. }) => Ok(()),
    }
}

/// Why somebody whom the host removed may not sit down.
pub(crate) fn removed(host: &str) -> Spoken {
    say(
        "kicked",
        format!("{host} removed you from this table. You can watch, or ask {host} to add a seat for you."),
    )
}
