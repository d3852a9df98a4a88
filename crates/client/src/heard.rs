//! Reading what the server says. The game's own JSON stays text: only the board that draws it knows its type, so an event is
//! decoded once here and once there.

use protocol::http::Person;
use protocol::{Away, Event, Listed, Reaction, TableId, View};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::sync::Arc;

/// JSON of a game, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raw(pub Arc<str>);

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Raw, D::Error> {
        Box::<RawValue>::deserialize(from).map(|raw| Raw(Arc::from(raw.get())))
    }
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        <&RawValue>::deserialize(&mut serde_json::Deserializer::from_str(&self.0))
            .map_err(serde::ser::Error::custom)?
            .serialize(to)
    }
}

/// A message, with what belongs to the game left as text.
#[derive(Debug)]
pub(crate) enum Heard {
    View(Box<View<Raw>>),
    Event(Box<Event<Raw>>),
    Private {
        table: String,
        seq: u64,
        seat: u32,
        private: Raw,
    },
    /// Everything without a game in it.
    Other(Other),
}

/// The messages without a game in them, as far as a client needs them. Read as [`protocol::Message`] they would link the readers of views
/// and events a second time, and the page is loaded over telephones.
#[derive(Debug, Deserialize)]
#[serde(tag = "msg", rename_all = "kebab-case")]
pub(crate) enum Other {
    Welcome {
        you: Option<Person>,
    },
    Pong {
        at: u64,
        now: u64,
    },
    Done {
        id: u64,
        table: Option<TableId>,
    },
    Refused {
        id: Option<u64>,
        code: String,
        says: String,
        #[serde(default)]
        details: Map<String, Value>,
    },
    Crowd {
        table: TableId,
        watching: u32,
        away: Vec<Away>,
    },
    Reaction {
        table: TableId,
        name: String,
        reaction: Reaction,
    },
    Ask {
        table: TableId,
        throw: u32,
        sum: String,
        seat: u32,
        link: u32,
    },
    Unchained {
        table: TableId,
    },
    Lobby {
        tables: Vec<Listed>,
    },
    LobbyChange {
        changed: Vec<Listed>,
        gone: Vec<TableId>,
    },
    Bye {
        code: String,
    },
}

/// Text of a game cannot be read from inside a tagged enum, because serde takes that apart first: so the tag is looked at
/// alone.
#[derive(Deserialize)]
struct Tag<'a> {
    #[serde(borrow)]
    msg: Cow<'a, str>,
}

/// The kind of a message. Servers say it first, and then the rest need not be looked at for it.
fn tag(text: &str) -> Option<Cow<'_, str>> {
    let first = text.strip_prefix(r#"{"msg":""#).and_then(|rest| rest.split_once('"'));
    match first {
        Some((tag, _)) if !tag.contains('\\') => Some(Cow::Borrowed(tag)),
        _ => serde_json::from_str(text).ok().map(|Tag { msg }| msg),
    }
}

#[derive(Deserialize)]
struct Own {
    table: String,
    seq: u64,
    seat: u32,
    private: Raw,
}

/// Reads a message; a message of a later protocol is nothing to us.
pub(crate) fn read(text: &str) -> Option<Heard> {
    Some(match &*tag(text)? {
        "view" => Heard::View(serde_json::from_str(text).ok()?),
        "event" => Heard::Event(serde_json::from_str(text).ok()?),
        "private" => {
            let Own { table, seq, seat, private } = serde_json::from_str(text).ok()?;
            Heard::Private { table, seq, seat, private }
        }
        _ => Heard::Other(serde_json::from_str(text).ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_in_a_message_stays_the_text_that_came() {
        let text =
            r#"{"msg":"private","table":"t","seq":3,"seat":1,"private":{"b": 1, "a":[2]},"later":true}"#;
        let Some(Heard::Private { table, seq, seat, private }) = read(text) else { panic!("a private view") };
        assert_eq!((table.as_str(), seq, seat, &*private.0), ("t", 3, 1, r#"{"b": 1, "a":[2]}"#));
        assert_eq!(serde_json::to_string(&private).unwrap(), r#"{"b": 1, "a":[2]}"#);
    }

    #[test]
    fn the_kind_of_a_message_may_stand_anywhere() {
        let own = r#""table":"t","seq":3,"seat":1,"private":7"#;
        for order in
            [r#"{"msg":"private",OWN}"#, r#"{OWN,"msg":"private"}"#, r#"{ "msg": "pri\u0076ate", OWN}"#]
        {
            let text = order.replace("OWN", own);
            assert!(matches!(read(&text), Some(Heard::Private { seat: 1, .. })), "{text}");
        }
    }

    #[test]
    fn nonsense_and_messages_of_a_later_protocol_are_skipped() {
        for text in
            ["", "{}", "[1]", r#"{"msg":"sing"}"#, r#"{"msg":"event"}"#, r#"{"msg":"view","table":7}"#]
        {
            assert!(read(text).is_none(), "{text}");
        }
    }
}
