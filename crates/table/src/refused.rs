//! Why an act was refused. Each game has a typed refusal of its own; the table adds what holds for all games.
//! [`Spoken`] is the form that travels: a stable code for programs and words for people.

use crate::{Seat, Time};
use serde::{Deserialize, Serialize};
use std::error::Error;
use thiserror::Error;

/// A refused act. Nothing has changed, and nothing is recorded.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Refused<R> {
    /// There is no such seat.
    #[error("There is no {seat} here: this table has {seats} seats.")]
    NoSuchSeat {
        /// The seat that was named.
        seat: Seat,
        /// How many there are.
        seats: u32,
    },
    /// Dice are in the air.
    #[error("The dice are being thrown. Try again in a moment.")]
    Throwing,
    /// The game has ended.
    #[error("This game is over. Start a new one to play on.")]
    Over,
    /// The act carries a time before the last one.
    #[error("The clock of this table stands at {now}; an act cannot be made at {at}.")]
    ClockBack {
        /// When the act claims to be made.
        at: Time,
        /// Where the clock stands.
        now: Time,
    },
    /// Time itself has to act first.
    #[error("Time was up at {deadline}; this came at {at}.")]
    TimeUp {
        /// When the act was made.
        at: Time,
        /// When time was up.
        deadline: Time,
    },
    /// A record says that time was up when it was not.
    #[error("{}", not_due(*at, *deadline))]
    NotDue {
        /// When time is said to have been up.
        at: Time,
        /// When it will be, if ever.
        deadline: Option<Time>,
    },
    /// A rule of the game forbids it.
    #[error("{0}")]
    #[serde(untagged)]
    Rule(R),
}

fn not_due(at: Time, deadline: Option<Time>) -> String {
    match deadline {
        Some(deadline) => format!("Time is not up at {at} but at {deadline}."),
        None => format!("Time is not up at {at}: nobody is on the clock."),
    }
}

/// A refusal as it is sent to a client: `{"code":"time-up","says":"Time was up at …","details":{…}}`.
#[derive(Clone, Debug, PartialEq, Error, Serialize, Deserialize)]
#[error("{says}")]
pub struct Spoken {
    /// A stable name for programs.
    pub code: String,
    /// Words for the person, with what to do instead.
    pub says: String,
    /// The figures behind the words.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub details: serde_json::Map<String, serde_json::Value>,
}

impl Spoken {
    /// A code and words, without figures.
    pub fn new(code: impl Into<String>, says: impl Into<String>) -> Spoken {
        Spoken { code: code.into(), says: says.into(), details: serde_json::Map::new() }
    }

    /// A question as its type reads it.
    pub fn read<T: serde::de::DeserializeOwned>(question: serde_json::Value) -> Result<T, Spoken> {
        serde_json::from_value(question)
            .map_err(|why| Spoken::new("bad-question", format!("This is no such question: {why}")))
    }

    /// Any typed refusal, ready to travel: its `code` tag, its words and its fields.
    pub fn of<E: Error + Serialize>(refusal: &E) -> Spoken {
        let mut details = match serde_json::to_value(refusal) {
            Ok(serde_json::Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let code = match details.remove("code") {
            Some(serde_json::Value::String(code)) => code,
            _ => "refused".to_owned(),
        };
        Spoken { code, says: refusal.to_string(), details }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Error, Serialize)]
    #[serde(tag = "code", rename_all = "kebab-case")]
    enum Rule {
        #[error("You have {have} chips; lay {have} or fewer.")]
        StakeOverChips { have: u32 },
    }

    #[test]
    fn a_refusal_travels_with_its_code_its_words_and_its_figures() {
        let spoken = Spoken::of(&Refused::Rule(Rule::StakeOverChips { have: 7 }));
        let json = serde_json::to_string(&spoken).unwrap();
        assert_eq!(
            json,
            r#"{"code":"stake-over-chips","says":"You have 7 chips; lay 7 or fewer.","details":{"have":7}}"#
        );
        let late: Refused<Rule> = Refused::TimeUp { at: Time(5), deadline: Time(4) };
        assert_eq!(Spoken::of(&late).code, "time-up");
        assert_eq!(Spoken::of(&Refused::<Rule>::Over).code, "over");
    }
}
