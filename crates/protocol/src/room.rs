//! A table as a place: who sits there, what is to be played, and how far it has come.

use crate::{Event, PersonId, TableId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use table::Outcome;

/// How far a table has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// People are sitting down.
    Gathering,
    /// The game is on.
    Playing,
    /// The game has ended.
    Over,
    /// Closed without a result: by the host before the game started, or for the reason that the room gives.
    Closed,
}

/// Everything about a table but the game itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Room<V = Value> {
    /// The game's name: `"cubo"`.
    pub game: String,
    /// Every option of the game with its value.
    pub options: V,
    /// In words, what is played otherwise than the sheet has it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<String>,
    /// How many may play: the fewest and the most.
    pub seating: (u32, u32),
    /// The seats in the order of play.
    pub seats: Vec<Place>,
    /// Who made the table.
    pub host: PersonId,
    /// How far it has come.
    pub phase: Phase,
    /// Whether it stands in the lobby.
    pub public: bool,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// After how many seconds away a bot plays a seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace: Option<u32>,
    /// The house's promise about the dice: SHA-256 of its seed.
    pub commit: String,
    /// When it was made, in milliseconds since 1970.
    pub made: u64,
    /// How the game ended, once it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The house's seed, once the game has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The table of the next game with the same people, once somebody asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<TableId>,
    /// Why nothing of the table can be shown, if it was not closed by its host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<String>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Why {
    /// Somebody sat down.
    Joined {
        /// Where.
        seat: u32,
    },
    /// Somebody got up.
    Left {
        /// Where.
        seat: u32,
    },
    /// The host removed somebody from a seat.
    Kicked {
        /// Where.
        seat: u32,
    },
    /// The host changed a seat, added one, or removed one; those behind that one have moved up.
    Placed {
        /// Which.
        seat: u32,
    },
    /// Somebody is ready, or no longer.
    Ready {
        /// Who.
        person: PersonId,
        /// Whether.
        ready: bool,
    },
    /// Somebody's client adds to the dice from now on, with a new chain.
    Chained {
        /// At which seat.
        seat: u32,
    },
    /// The game has started.
    Started,
    /// A seat acted.
    Acted {
        /// Who.
        seat: u32,
    },
    /// Time was up.
    TimeUp,
    /// A bot plays for somebody who is away.
    BotSat {
        /// For whom.
        seat: u32,
    },
    /// Somebody came back and plays on.
    TookBack {
        /// Who.
        seat: u32,
    },
    /// The game has ended.
    Over {
        /// How.
        outcome: Outcome,
        /// The house's seed: everybody can check the dice now.
        seed: String,
    },
    /// Somebody asked for another game.
    Rematch {
        /// Its table.
        table: TableId,
    },
    /// The table was closed: by its host, or for the reason that the room gives.
    Closed,
}

impl<V: Clone> Room<V> {
    /// The room after an event, where it is known before it or comes with it.
    pub fn after(before: Option<Self>, event: &Event<V>) -> Option<Self> {
        let mut room = event.room.as_deref().cloned().or(before)?;
        for changed in &event.seats {
            if let Some(place) = room.seats.get_mut(changed.seat as usize) {
                *place = changed.place.clone();
            }
        }
        room.phase = event.phase;
        match &event.why {
            Why::Over { outcome, seed } => {
                (room.outcome, room.seed) = (Some(outcome.clone()), Some(seed.clone()));
            }
            Why::Rematch { table } => room.rematch = Some(table.clone()),
            _ => {}
        }
        Some(room)
    }
}

impl<V> Room<V> {
    /// Why there is nothing to see at this table any more, in words; nothing while there is.
    pub fn why_closed(&self) -> Option<&str> {
        let by_host = (self.phase == Phase::Closed).then_some("The host closed this table.");
        self.closed.as_deref().or(by_host)
    }

    /// Whether somebody is kept from sitting down here after an event, if this is the room before it. Only whoever was removed is
    /// kept, and only until the host opens a seat.
    pub fn keeps_out(&self, person: &str, kept_out: bool, event: &Event<V>) -> bool {
        match event.why {
            Why::Kicked { seat } if self.host != person => {
                kept_out || self.seats.get(seat as usize).and_then(Place::person) == Some(person)
            }
            Why::Placed { seat } => {
                let after = event.room.as_deref().map_or(&[][..], |room| &room.seats);
                let opened =
                    after.len() >= self.seats.len() && after.get(seat as usize) == Some(&Place::Open);
                kept_out && !opened
            }
            _ => kept_out,
        }
    }
}

/// One seat of a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Place {
    /// Nobody sits here yet.
    Open,
    /// A person's seat.
    Guest {
        /// Whose.
        person: PersonId,
        /// The name shown.
        name: String,
        /// Ready to start.
        ready: bool,
        /// What the seat adds to the dice.
        seed: String,
        /// The level of the bot that plays for somebody who is away.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bot: Option<u8>,
    },
    /// A bot's seat.
    Bot {
        /// How strong, from 1.
        level: u8,
        /// The name shown.
        name: String,
    },
}

impl Place {
    /// Whose seat it is, if it is a person's.
    pub fn person(&self) -> Option<&str> {
        match self {
            Place::Guest { person, .. } => Some(person),
            Place::Open | Place::Bot { .. } => None,
        }
    }

    /// The name shown; nothing at an open seat.
    pub fn name(&self) -> &str {
        match self {
            Place::Open => "",
            Place::Guest { name, .. } | Place::Bot { name, .. } => name,
        }
    }

    /// The level of the bot that plays here, for itself or for somebody who is away.
    pub const fn bot(&self) -> Option<u8> {
        match self {
            Place::Open => None,
            Place::Guest { bot, .. } => *bot,
            Place::Bot { level, .. } => Some(*level),
        }
    }
}

/// A nod across the table. There is no chat; nobody can be rude with these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reaction {
    /// Well played.
    Clap,
    /// That was funny.
    Laugh,
    /// I did not see that coming.
    Wow,
    /// Give me a moment.
    Think,
    /// Bad luck.
    Ouch,
    /// Thank you.
    Thanks,
    /// Hello.
    Wave,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn room(seats: &[Value]) -> Value {
        json!({
            "game": "cubo", "options": {}, "seating": [1, 5], "seats": seats, "host": "ann", "phase": "gathering",
            "public": false, "rated": false, "commit": "", "made": 0
        })
    }

    fn event(why: &Value, after: Option<Value>) -> Event {
        let mut event =
            json!({"table": "t", "seq": 1, "why": why, "phase": "gathering", "time": 0, "now": 0});
        if let Some(after) = after {
            event["room"] = after;
        }
        serde_json::from_value(event).expect("an event")
    }

    #[test]
    fn whoever_was_removed_is_kept_out_until_a_seat_is_opened() {
        let guest =
            |person: &str| json!({"is": "guest", "person": person, "name": "A", "ready": true, "seed": ""});
        let (open, bot) = (json!({"is": "open"}), json!({"is": "bot", "level": 1, "name": "B"}));
        let before: Room =
            serde_json::from_value(room(&[guest("ann"), guest("ben"), open.clone()])).expect("a room");
        let kicked = |seat: u32| event(&json!({"what": "kicked", "seat": seat}), None);
        assert!(before.keeps_out("ben", false, &kicked(1)));
        assert!(!before.keeps_out("ann", false, &kicked(0)), "the host may sit down again");
        assert!(!before.keeps_out("cid", false, &kicked(1)));
        let placed =
            |seat: u32, seats: &[Value]| event(&json!({"what": "placed", "seat": seat}), Some(room(seats)));
        let ann = guest("ann");
        for (seat, seats, kept_out, what) in [
            (3, vec![ann.clone(), open.clone(), open.clone(), open.clone()], false, "a seat is added"),
            (1, vec![ann.clone(), open.clone(), open.clone()], false, "a seat is freed"),
            (1, vec![ann.clone(), bot, open.clone()], true, "a bot sits down"),
            (1, vec![ann, open], true, "a seat is removed, and a free one moves up"),
        ] {
            assert_eq!(before.keeps_out("ben", true, &placed(seat, &seats)), kept_out, "{what}");
            assert!(!before.keeps_out("ben", false, &placed(seat, &seats)), "{what}");
        }
    }
}
