//! The way between the nodes of a house. One trait; a house with one node has nobody to write to and pays nothing.
//!
//! A letter is one line of JSON that says what it is ([`Note`]), and after it, a line each, frames as they come from sockets or go to them. Letters from one node to another arrive in
//! the order they were sent, or not at all: whoever misses one notices, and asks again (see `window`). Nothing is believed to be done
//! because a letter was sent.

use crate::store::NodeId;
use axum::extract::ws::Utf8Bytes;
use bytes::Bytes;
use protocol::http::Person;
use protocol::{Listed, PersonId, TableId};
use serde::{Deserialize, Serialize};
use std::pin::Pin;
use thiserror::Error;

/// The way to the other nodes. Sending never waits; what cannot be sent is lost.
pub trait Bus: std::fmt::Debug + Send + Sync + 'static {
    /// To one node.
    fn send(&self, to: NodeId, letter: Bytes);
    /// To all other nodes.
    fn tell(&self, letter: Bytes);
    /// Whether there can be other nodes at all.
    fn alone(&self) -> bool;
    /// Waits until what was sent is on its way.
    fn flush(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(std::future::ready(()))
    }
}

/// What comes from the bus.
#[derive(Debug)]
pub enum Post {
    /// A letter.
    Letter(Bytes),
    /// Letters may have been lost: the connection was, and is back.
    Again,
}

/// The bus of a house with one node.
#[derive(Debug)]
pub struct Alone;

impl Bus for Alone {
    fn send(&self, _: NodeId, _: Bytes) {}
    fn tell(&self, _: Bytes) {}
    fn alone(&self) -> bool {
        true
    }
}

/// A socket of another node.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Socket {
    pub(crate) number: u64,
    pub(crate) person: Person,
    pub(crate) client: String,
}

/// What a letter is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Note {
    /// To who keeps a table: a socket's command, which is the line that follows.
    Command { table: TableId, from: NodeId, socket: Socket },
    /// To who keeps a table: these sockets of ours watch it, and no others. With `seq`, they have heard up to there and missed what came after.
    Watching { table: TableId, from: NodeId, seq: Option<u64>, sockets: Vec<Socket> },
    /// To who keeps a table: this socket watches no more.
    Gone { table: TableId, from: NodeId, socket: u64 },
    /// From who keeps it, to a socket: one frame. `answers` is the number of the command that it answers.
    Frame { table: TableId, socket: u64, answers: Option<u64> },
    /// From who keeps it: this socket watches from now on, and everybody was told everything up to `seq`.
    Watches { table: TableId, from: NodeId, socket: u64, seq: u64 },
    /// From who keeps it: frames for all who watch, who have been told everything up to `before` and now up to `seq`; and frames for some, just
    /// before the last.
    Told {
        table: TableId,
        from: NodeId,
        before: u64,
        seq: u64,
        frames: usize,
        private: Vec<(PersonId, usize)>,
    },
    /// From who keeps it: it does, and everybody was told everything up to `seq`.
    Stands { table: TableId, from: NodeId, seq: u64 },
    /// From who does not keep it, or no longer: look again who does.
    Elsewhere { table: TableId },
    /// To all: how our public tables stand, since `before`; all of them, without it.
    Lobby { from: NodeId, before: Option<u64>, version: u64, changed: Vec<Listed>, gone: Vec<TableId> },
    /// Tell me of all your public tables.
    LobbyAsked { from: NodeId },
    /// To all: so many of these were allowed here, by what they do and who.
    Allowed { counts: Vec<(String, String, u32)> },
}

/// A letter, read.
#[derive(Debug)]
pub(crate) struct Letter {
    pub(crate) note: Note,
    pub(crate) lines: Vec<Utf8Bytes>,
}

/// A letter that cannot be read.
#[derive(Debug, Error)]
pub(crate) enum BadLetter {
    #[error("it is not text")]
    NotText,
    #[error("it says nothing we know: {0}")]
    Unknown(#[from] serde_json::Error),
}

/// Writes a letter.
pub(crate) fn letter<'a>(note: &Note, lines: impl IntoIterator<Item = &'a str>) -> Bytes {
    let mut text = crate::room::text(note);
    for line in lines {
        text.push('\n');
        let from = text.len();
        text.push_str(line);
        // In JSON a line may break only where a blank could stand.
        if text[from..].contains('\n') {
            let whole = text.split_off(from).replace('\n', " ");
            text.push_str(&whole);
        }
    }
    text.into()
}

impl Letter {
    /// Reads a letter. Its lines share its memory.
    pub(crate) fn read(bytes: Bytes) -> Result<Letter, BadLetter> {
        let mut lines = Vec::new();
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            lines.push(rest.split_to(end));
            rest = rest.slice(1..);
        }
        lines.push(rest);
        let mut lines =
            lines.into_iter().map(|line| Utf8Bytes::try_from(line).map_err(|_| BadLetter::NotText));
        let head = lines.next().ok_or(BadLetter::NotText)??;
        Ok(Letter { note: serde_json::from_str(&head)?, lines: lines.collect::<Result<_, _>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_comes_as_it_was_sent_and_nonsense_is_said_to_be_nonsense() {
        let note = Note::Frame { table: "t".into(), socket: 7, answers: Some(3) };
        let read = Letter::read(letter(&note, ["{\"a\":1}", "{\n\"b\": \"ü\"}"])).unwrap();
        assert!(matches!(read.note, Note::Frame { socket: 7, answers: Some(3), .. }));
        assert_eq!(read.lines, ["{\"a\":1}", "{ \"b\": \"ü\"}"]);
        assert_eq!(Letter::read(letter(&Note::Elsewhere { table: "t".into() }, [])).unwrap().lines.len(), 0);
        for bad in [
            &b""[..],
            b"\n",
            b"{}",
            b"\xff\xfe",
            b"{\"Frame\":{}}",
            b"{\"Elsewhere\":{\"table\":\"t\"}}\n\xff",
        ] {
            assert!(Letter::read(Bytes::copy_from_slice(bad)).is_err(), "{bad:?}");
        }
    }
}
