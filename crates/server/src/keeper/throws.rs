//! Gathering the links of a throw. What throws is on disk before anybody is asked, and its sum is named to whoever is asked: so a server that is
//! killed here asks for the same links again, and the dice are the same.

use super::nodes::busy;
use super::{Asked, Keeper, WAITING, refuse, short};
use crate::clock::TableClock;
use crate::outlet::Outlet;
use crate::room::{Batch, text};
use crate::say;
use axum::extract::ws::Utf8Bytes;
use protocol::{Command, Message, Phase};
use std::collections::BTreeMap;
use std::time::Duration;
use table::chain::Link;
use table::record::Gathered;
use table::ring::Ask;
use table::{Seat, Spoken, Time};
use tokio::time::Instant;

/// How long a throw waits for links. Whoever has not answered then is not asked again before bringing another chain, so nobody is waited for
/// twice; the others answer within a round trip.
const PATIENCE: Duration = Duration::from_millis(1_200);
/// How long, where the keeper has just taken the table up: its clients are on their way back.
const COMING_BACK: Duration = Duration::from_secs(5);

/// A throw that is asked for.
pub(super) struct Gather {
    throw: u32,
    due: Instant,
    links: BTreeMap<Seat, Link>,
}

impl Keeper {
    /// Whether a command waits until the dice lie.
    pub(super) fn holds(&self, command: &protocol::RawCommand) -> bool {
        let looks =
            matches!(command, Command::Watch { .. } | Command::Unwatch { .. } | Command::React { .. });
        !looks && self.room.ask().is_some()
    }

    pub(super) fn hold(&mut self, asked: Box<Asked>) {
        if self.held.len() < WAITING {
            self.held.push_back(asked);
        } else {
            refuse(&asked.outlet, asked.command.id(), &busy());
        }
    }

    /// When something is to be done about a throw.
    pub(super) fn throw_due(&self) -> Option<Instant> {
        let ask = self.room.ask().filter(|_| self.trouble.is_none())?;
        let gather = self.gather.as_ref().filter(|gather| gather.throw == ask.throw);
        match gather {
            Some(gather) if gather.links.len() < ask.seats.len() => {
                (!self.hall.leaving()).then_some(gather.due)
            }
            _ => Some(Instant::now()),
        }
    }

    /// Asks for the links of the throw that is to be made, if that was not done.
    pub(super) fn ask_for_links(&mut self) {
        let Some(ask) = self.room.ask() else {
            self.gather = None;
            return self.brought.extend(self.held.drain(..));
        };
        if self.gather.as_ref().is_some_and(|gather| gather.throw == ask.throw) {
            return;
        }
        let patience = if self.fresh { COMING_BACK } else { PATIENCE };
        let (throw, due) = (ask.throw, Instant::now() + patience);
        self.fresh = false;
        self.gather = Some(Gather { throw, due, links: BTreeMap::new() });
        for outlet in self.presence.outlets() {
            if let Some(frame) = self.ask_frame(&ask, outlet) {
                outlet.send(frame);
            }
        }
    }

    /// What somebody who comes to the table has to know of its throws: a link that is missing, or that their chain is not used.
    pub(super) fn tell_of_throws(&self, outlet: &Outlet) {
        let ask = self.room.ask().filter(|_| self.gather.is_some());
        if let Some(frame) = ask.and_then(|ask| self.ask_frame(&ask, outlet)) {
            outlet.send(frame);
        } else if self.room.misses(&outlet.person.id) {
            outlet.send(text(&Message::<()>::Unchained { table: self.id.clone() }).into());
        }
    }

    fn ask_frame(&self, ask: &Ask, outlet: &Outlet) -> Option<Utf8Bytes> {
        let own = self.room.chained_seat(&outlet.person.id)?;
        let (seat, index) = *ask.seats.iter().find(|(seat, _)| *seat == own)?;
        let sum = self.room.game.as_ref()?.table().sum().to_string();
        let (table, throw) = (self.id.clone(), ask.throw);
        Some(text(&Message::<()>::Ask { table, throw, sum, seat: seat.0, link: index }).into())
    }

    /// A client answers with its link.
    pub(super) fn link(&mut self, asked: &Asked) {
        let Command::Link { throw, seat, link, .. } = &asked.command else { return };
        if let Err(why) = self.take_link(&asked.outlet, *throw, Seat(*seat), *link) {
            self.hall.metrics.refused.one();
            refuse(&asked.outlet, None, &why);
        }
    }

    fn take_link(&mut self, outlet: &Outlet, throw: u32, seat: Seat, link: Link) -> Result<(), Spoken> {
        let late =
            || say("late-link", "That throw is over. Your device was too slow for it, or it was sent twice.");
        let ask = self.room.ask().ok_or_else(late)?;
        if throw < ask.throw {
            return Err(late());
        }
        if self.room.chained_seat(&outlet.person.id) != Some(seat) {
            return Err(say("not-your-seat", "This seat is somebody else's. Send the link of your own."));
        }
        if throw != ask.throw || !ask.seats.iter().any(|(asked, _)| *asked == seat) {
            return Err(say("not-asked", "Nobody asked for this link. Wait until you are asked."));
        }
        if !self.room.game.as_ref().is_some_and(|game| game.table().fits(seat, &link)) {
            return Err(say(
                "bad-link",
                "This is not the link that your anchor promises. Send a new anchor.",
            ));
        }
        if let Some(gather) = self.gather.as_mut().filter(|gather| gather.throw == throw) {
            gather.links.insert(seat, link); // the same again changes nothing: no other link fits
        }
        Ok(())
    }

    /// Makes the throw, when every link has come or time is up for them.
    pub(super) fn throw_if_due(&mut self, batch: &mut Batch) {
        let Some(ask) = self.room.ask().filter(|_| self.trouble.is_none()) else { return };
        let Some(gather) = self.gather.as_ref().filter(|gather| gather.throw == ask.throw) else { return };
        let missing: Vec<Seat> =
            ask.seats.iter().map(|(seat, _)| *seat).filter(|seat| !gather.links.contains_key(seat)).collect();
        // A server that stops sends its sockets away: nobody is silent because of that, and whoever keeps the table next asks again.
        if !missing.is_empty() && (Instant::now() < gather.due || self.hall.leaving()) {
            return;
        }
        let gathered = if missing.is_empty() {
            Gathered::Links(gather.links.values().copied().collect())
        } else {
            Gathered::Silent(missing.clone())
        };
        let (at, was) = (self.at(), self.room.phase);
        let thrown = self.room.throw(&gathered, at, batch);
        if was == Phase::Gathering && self.room.phase == Phase::Playing {
            self.clock = TableClock::at(Time::START);
        }
        if let Err(bad) = thrown {
            tracing::error!(table = short(&self.id), %bad, "a throw that was gathered is not taken");
            self.gather = None;
        }
        self.unchained.extend(missing);
    }

    /// Tells those who were silent, once that is on disk.
    pub(super) fn tell_unchained(&mut self) {
        let seats = std::mem::take(&mut self.unchained);
        for outlet in self.presence.outlets() {
            let seat = self.room.chained_seat(&outlet.person.id);
            if seat.is_some_and(|seat| seats.contains(&seat)) && self.room.misses(&outlet.person.id) {
                outlet.send(text(&Message::<()>::Unchained { table: self.id.clone() }).into());
            }
        }
    }
}
