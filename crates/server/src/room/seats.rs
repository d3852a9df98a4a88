//! Sitting down, getting up, and what the host may do with the seats.

use super::batch::Pen;
use super::{Batch, Life, Now, Room, Who};
use crate::say;
use protocol::http::Person;
use protocol::{Phase, Place, Why, Wish};
use table::{Seats, Spoken};

/// The level of a bot that plays for somebody who is away.
const STAND_IN: u8 = 2;

impl Room {
    pub(super) fn join(
        &mut self,
        who: Who<'_>,
        seat: Option<u32>,
        name: Option<&str>,
        seed: &str,
        pen: &mut Pen<'_>,
    ) -> Result<(), Spoken> {
        if self.phase == Phase::Playing {
            return self.take_back(who, seat, pen);
        }
        self.gathering()?;
        let own = self.seats_of(&who.person.id).count();
        if own > 0 && seat.is_none() && name.is_none() {
            return Ok(()); // sits already
        }
        if self.kicked.contains(&who.person.id) {
            return Err(removed(&self.terms.host.name));
        }
        if own >= if self.terms.rated { 1 } else { self.bounds.own_seats } {
            return Err(say("enough-seats", "You have as many seats here as one person may have."));
        }
        let seed = checked_seed(seed)?;
        let seat = self.open_seat(seat)?;
        let name = name.map_or_else(|| Ok(who.person.name.clone()), crate::clean_name)?;
        let ready = who.person.id == self.terms.host.id;
        let person = Person { id: who.person.id.clone(), name };
        pen.batch.append.sitting.push((person.id.clone(), true));
        self.happen(&Life::Sat { seat, person, seed, ready }, Why::Joined { seat }, &[seat], pen);
        Ok(())
    }

    fn open_seat(&self, wanted: Option<u32>) -> Result<u32, Spoken> {
        let Some(seat) = wanted else {
            let open = self.places.iter().position(|place| *place == Place::Open);
            return open
                .map(|at| at as u32)
                .ok_or_else(|| say("full", "All seats are taken. You can watch."));
        };
        match self.places.get(seat as usize) {
            Some(Place::Open) => Ok(seat),
            Some(_) => Err(say("taken", "This seat is taken. Choose another.")),
            None => Err(say("no-such-seat", "This table has no such seat.")),
        }
    }

    fn take_back(&mut self, who: Who<'_>, seat: Option<u32>, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        let own: Vec<u32> =
            self.seats_of(&who.person.id).filter(|own| seat.is_none_or(|seat| seat == *own)).collect();
        if own.is_empty() {
            return Err(say(
                "started",
                "The game has started. You can watch it, or make a table of your own.",
            ));
        }
        for seat in own {
            if self.places[seat as usize].bot().is_some() {
                self.happen(&Life::TookBack { seat }, Why::TookBack { seat }, &[seat], pen);
            }
        }
        Ok(())
    }

    pub(super) fn leave(&mut self, who: Who<'_>, seat: Option<u32>, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        let own: Vec<u32> =
            self.seats_of(&who.person.id).filter(|own| seat.is_none_or(|seat| seat == *own)).collect();
        if own.is_empty() {
            return Err(say("not-seated", "You have no such seat here."));
        }
        match self.phase {
            Phase::Gathering => {
                for &seat in &own {
                    self.happen(&Life::Left { seat }, Why::Left { seat }, &[seat], pen);
                }
                if self.seats_of(&who.person.id).next().is_none() {
                    pen.batch.append.sitting.push((who.person.id.clone(), false));
                }
            }
            Phase::Playing => {
                for seat in own {
                    self.stand_in(seat, pen);
                }
            }
            Phase::Over | Phase::Closed => {}
        }
        Ok(())
    }

    /// A bot plays on for somebody who has left or is away.
    fn stand_in(&mut self, seat: u32, pen: &mut Pen<'_>) {
        if self.places[seat as usize].bot().is_none() {
            self.happen(&Life::BotSat { seat, level: STAND_IN }, Why::BotSat { seat }, &[seat], pen);
            pen.batch.moved = true;
        }
    }

    /// Seats of somebody who has been away for too long.
    pub(crate) fn abandon(&mut self, person: &str, at: Now, batch: &mut Batch) {
        let seats: Vec<u32> = self.seats_of(person).collect();
        let mut pen = Pen { by: None, at, batch };
        if self.phase == Phase::Playing {
            for seat in seats {
                self.stand_in(seat, &mut pen);
            }
        }
    }

    pub(super) fn kick(&mut self, who: Who<'_>, seat: u32, pen: &mut Pen<'_>) -> Result<(), Spoken> {
        self.hosted_by(who)?;
        self.gathering()?;
        let Some(Place::Guest { person, .. }) = self.places.get(seat as usize) else {
            return Err(say("nobody-there", "Nobody sits there."));
        };
        let person = person.clone();
        self.happen(&Life::Kicked { seat }, Why::Kicked { seat }, &[seat], pen);
        if self.seats_of(&person).next().is_none() {
            pen.batch.append.sitting.push((person, false));
        }
        Ok(())
    }

    pub(super) fn place(
        &mut self,
        who: Who<'_>,
        seat: u32,
        wish: &Wish,
        pen: &mut Pen<'_>,
    ) -> Result<(), Spoken> {
        self.hosted_by(who)?;
        self.gathering()?;
        let (at, count) = (seat as usize, self.places.len());
        let taken = self.places.get(at).and_then(Place::person).is_some_and(|person| person != who.person.id);
        if taken {
            return Err(say("taken", "Somebody sits there. Ask them to get up first."));
        }
        let most = self.bounds.seats.min(*self.seating.end() as usize);
        let place = match wish {
            Wish::Nobody => {
                removable(self.terms.game.title(), &self.places, at, *self.seating.start())?;
                None
            }
            _ if at > count || at == count && count >= most => {
                return Err(say("no-such-seat", format!("This table can have {most} seats.")));
            }
            wish => Some(self.wished(who, wish, at)?),
        };
        if place.as_ref().and_then(Place::person).is_some() {
            pen.batch.append.sitting.push((who.person.id.clone(), true));
        }
        self.happen_whole(&Life::Placed { seat, place }, Why::Placed { seat }, pen);
        Ok(())
    }

    fn wished(&self, who: Who<'_>, wish: &Wish, at: usize) -> Result<Place, Spoken> {
        let others = (0..).zip(&self.places).filter(|(other, _)| *other != at).map(|(_, place)| place);
        let own = others.clone().filter(|place| place.person() == Some(&who.person.id)).count();
        let bots = others.clone().filter(|place| matches!(place, Place::Bot { .. })).count();
        if matches!(wish, Wish::Bot { .. }) {
            checked_bots(bots + 1, self.bounds.bots)?;
        }
        let place = place_for(who.person, wish, "", others)?;
        let most = if self.terms.rated { 1 } else { self.bounds.own_seats };
        if place.person().is_some() && own >= most {
            return Err(say("enough-seats", "You have as many seats here as one person may have."));
        }
        Ok(place)
    }

    pub(super) fn ready(
        &mut self,
        who: Who<'_>,
        ready: bool,
        seed: Option<&String>,
        pen: &mut Pen<'_>,
    ) -> Result<(), Spoken> {
        self.gathering()?;
        let seats: Vec<u32> = self.seats_of(&who.person.id).collect();
        if seats.is_empty() {
            return Err(say("not-seated", "Sit down first."));
        }
        let seed = seed.map(|seed| checked_seed(seed)).transpose()?;
        let person = who.person.id.clone();
        self.happen(
            &Life::Ready { person: person.clone(), ready, seed },
            Why::Ready { person, ready },
            &seats,
            pen,
        );
        Ok(())
    }
}

pub(super) fn checked_seed(seed: &str) -> Result<String, Spoken> {
    if seed.len() <= Seats::LONGEST_SEED && house::is_plain(seed) {
        return Ok(seed.to_owned());
    }
    let most = Seats::LONGEST_SEED;
    Err(say("bad-seed", format!("A seed has at most {most} bytes, and no invisible characters.")))
}

/// Whether a table may have so many bots.
pub(crate) fn checked_bots(bots: usize, most: usize) -> Result<(), Spoken> {
    if bots <= most {
        return Ok(());
    }
    Err(say("enough-bots", format!("A table here has at most {most} bots. Leave a seat open for somebody.")))
}

/// What a wish comes to. `others` are the other seats, so that no two bots have one name.
pub(crate) fn place_for<'a>(
    person: &Person,
    wish: &Wish,
    seed: &str,
    others: impl Iterator<Item = &'a Place>,
) -> Result<Place, Spoken> {
    let guest = |name: String| {
        let seed = checked_seed(seed)?;
        Ok(Place::Guest { person: person.id.clone(), name, ready: true, seed, bot: None })
    };
    match wish {
        Wish::Me => guest(person.name.clone()),
        Wish::Here { name } => guest(crate::clean_name(name)?),
        Wish::Open => Ok(Place::Open),
        Wish::Bot { level } => {
            let taken: Vec<&str> = others.map(Place::name).collect();
            let free = house::BOTS.iter().find(|name| !taken.contains(name));
            let name = free.map_or_else(|| format!("Bot {}", taken.len() + 1), |name| (*name).to_owned());
            Ok(Place::Bot { level: (*level).max(1), name })
        }
        Wish::Nobody => Err(say("bad-wish", "A seat for nobody is no seat.")),
    }
}

/// Whether a seat may be removed: it must be nobody's, and one that the game can do without.
fn removable(game: &str, places: &[Place], at: usize, least: u32) -> Result<(), Spoken> {
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
fn removed(host: &str) -> Spoken {
    say(
        "kicked",
        format!("{host} removed you from this table. You can watch, or ask {host} to add a seat for you."),
    )
}
