//! Throws to which players' clients add: their chains before the game and in it, and the throw when their links have come.

use super::batch::Pen;
use super::{Batch, Life, Now, Room, Who};
use crate::say;
use house::Driver;
use protocol::{Phase, Why};
use std::collections::BTreeMap;
use table::chain::Link;
use table::record::Gathered;
use table::ring::{Ask, BadThrow};
use table::{Seat, Spoken, Thrower};

impl Room {
    /// The game, once it can be shown: not before its table is laid, where that takes a throw.
    pub(crate) fn laid(&self) -> Option<&Driver> {
        self.game.as_ref().filter(|game| game.table().thrower() != Some(Thrower::Laying))
    }

    /// Whose links are missing for the throw that is to be made now, if there is one.
    pub(crate) fn ask(&self) -> Option<Ask> {
        self.game.as_ref()?.table().ask()
    }

    /// The seat at which a person's client adds to the dice: their first.
    pub(crate) fn chained_seat(&self, person: &str) -> Option<Seat> {
        self.seats_of(person).next().map(Seat)
    }

    /// Whether a person's client could add to the dice of this game and does not: it never said an anchor, or was silent once.
    pub(crate) fn misses(&self, person: &str) -> bool {
        let game = self.game.as_ref().filter(|game| self.outcome.is_none() && game.table().is_linked());
        game.zip(self.chained_seat(person)).is_some_and(|(game, seat)| !game.table().has_chain(seat))
    }

    /// The anchors with which a game begins.
    pub(super) fn anchors(&self) -> BTreeMap<Seat, Link> {
        let at = |(person, anchor): (&String, &Link)| Some((self.chained_seat(person)?, *anchor));
        self.chains.iter().filter_map(at).collect()
    }

    /// A person's client adds to every throw with this chain from now on.
    pub(super) fn chain(&mut self, who: Who<'_>, anchor: Link, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        let person = &who.person.id;
        let seat = self.chained_seat(person).ok_or_else(|| say("not-seated", "Sit down first."))?;
        let why = Why::Chained { seat: seat.0 };
        match self.phase {
            // A client that was reloaded says its anchor again.
            Phase::Gathering | Phase::Playing if self.chains.get(person) == Some(&anchor) => Ok(()),
            Phase::Gathering => {
                self.happen(&Life::Chained { person: person.clone(), anchor }, why, &[], pen);
                Ok(())
            }
            Phase::Playing => {
                let game = self.game.as_mut().filter(|game| game.table().is_linked()).ok_or_else(unlinked)?;
                let line = game.anchor(pen.at.time, seat, anchor).map_err(|bad| spoken(&bad))?;
                self.chains.insert(person.clone(), anchor);
                self.line(line, pen);
                self.tell(why, &[], false, false, pen);
                Ok(())
            }
            Phase::Over | Phase::Closed => self.gathering(),
        }
    }

    /// Makes the throw that was asked for, or goes on without those who were silent.
    pub(crate) fn throw(&mut self, gathered: &Gathered, at: Now, batch: &mut Batch) -> Result<(), BadThrow> {
        let mut pen = Pen { by: None, at, batch };
        let game = self.game.as_mut().ok_or(BadThrow::NoThrow)?;
        let thrower = game.table().thrower().ok_or(BadThrow::NoThrow)?;
        let (line, made) = game.throw(gathered)?;
        self.line(line, &mut pen);
        let why = match thrower {
            Thrower::Laying => Why::Started,
            Thrower::Seat(seat) => Why::Acted { seat: seat.0 },
            Thrower::Time => Why::TimeUp,
        };
        let laid = made && thrower == Thrower::Laying;
        if laid {
            self.phase = Phase::Playing;
        }
        self.tell(why, &[], laid, made, &mut pen);
        if made {
            pen.batch.moved = true;
            self.end_if_over(&mut pen);
        }
        Ok(())
    }
}

/// What is answered where a link is not taken.
pub(crate) fn spoken(bad: &BadThrow) -> Spoken {
    let code = match bad {
        BadThrow::TooOften(_) => "chain-too-often",
        _ => "bad-chain",
    };
    say(code, format!("Your device cannot add to the dice like this: {bad}."))
}

fn unlinked() -> Spoken {
    say("not-linked", "This game began without the players' devices adding to its dice. The next one can.")
}
