//! The players' chains of a table: who is asked for the next throw, and what their links come to.

use crate::chain::{Chain, LINKS, Link};
use crate::record::{Gathered, Sum};
use crate::{Dice, Seat, Seed};
use std::collections::BTreeMap;
use thiserror::Error;

/// No more seats than this are asked for one throw; where more have a chain, others are asked each time.
pub const ASKED: usize = 16;
/// How often a seat that fell silent may come back with another chain in one game. Falling silent throws a result away, so whoever
/// plays together with the house must not be able to do it without end.
pub const RETURNS: u32 = 8;

/// What is asked for the next throw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The number of the throw, from 1.
    pub throw: u32,
    /// Who is asked, and for which link of their chain, in the order of their seats.
    pub seats: Vec<(Seat, u32)>,
}

/// Why a link is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadThrow {
    /// Nothing is thrown now.
    #[error("no dice are thrown here")]
    NoThrow,
    /// Another throw's turn.
    #[error("this is throw {expected}, not {found}")]
    Number {
        /// The next throw.
        expected: u32,
        /// The one that was named.
        found: u32,
    },
    /// At another moment than what throws.
    #[error("a throw belongs to the moment of the line before it")]
    Moment,
    /// Not one link for each that was asked.
    #[error("{expected} links were asked for, and {found} are here")]
    Count {
        /// How many were asked.
        expected: usize,
        /// How many links there are.
        found: usize,
    },
    /// It does not lead back to what was said before.
    #[error("the link of {0} is not the one that its anchor promises")]
    Link(Seat),
    /// It was not asked, so it was not silent.
    #[error("{0} was not asked for this throw")]
    NotAsked(Seat),
    /// A throw cannot be silent when everybody answered.
    #[error("somebody must have been silent where nothing was thrown")]
    NobodySilent,
    /// It has come back too often.
    #[error("{0} has brought another chain {RETURNS} times already; its seat no longer adds to the dice")]
    TooOften(Seat),
    /// The game refuses what it had allowed before the throw.
    #[error("the game refuses after the throw what it allowed before")]
    Refused,
}

/// One seat's chain.
#[derive(Clone, Copy, Debug)]
struct Member {
    chain: Chain,
    /// The throw before its first.
    since: u32,
    silent: bool,
    returns: u32,
}

/// The chains of a table, the house's seed, and how far they have come.
#[derive(Clone, Debug)]
pub struct Ring {
    seed: Seed,
    head: Sum,
    /// The last throw that was asked for.
    throw: u32,
    members: BTreeMap<Seat, Member>,
}

impl Ring {
    /// The chains of these anchors, in a record whose head has this sum.
    pub fn new(seed: Seed, head: Sum, anchors: &BTreeMap<Seat, Link>) -> Ring {
        let member =
            |anchor: &Link| Member { chain: Chain::of(*anchor), since: 0, silent: false, returns: 0 };
        let members = anchors.iter().map(|(seat, anchor)| (*seat, member(anchor))).collect();
        Ring { seed, head, throw: 0, members }
    }

    /// What is to be asked for the next throw.
    pub fn ask(&self) -> Ask {
        let throw = self.throw.saturating_add(1);
        let next = |(seat, member): (&Seat, &Member)| {
            let index = throw - member.since;
            (!member.silent && index <= LINKS).then_some((*seat, index))
        };
        let all: Vec<(Seat, u32)> = self.members.iter().filter_map(next).collect();
        if all.len() <= ASKED {
            return Ask { throw, seats: all };
        }
        let first = (throw as usize - 1) * ASKED % all.len();
        let mut seats: Vec<_> = all.iter().cycle().skip(first).take(ASKED).copied().collect();
        seats.sort_unstable_by_key(|(seat, _)| *seat);
        Ask { throw, seats }
    }

    /// Takes what was gathered for a throw; answers the dice, unless somebody was silent. `sum` is that of the line before the throw.
    pub fn gather(&mut self, throw: u32, sum: Sum, gathered: &Gathered) -> Result<Option<Dice>, BadThrow> {
        let ask = self.ask();
        if throw != ask.throw {
            return Err(BadThrow::Number { expected: ask.throw, found: throw });
        }
        match gathered {
            Gathered::Links(links) => self.links(&ask, sum, links).map(Some),
            Gathered::Silent(silent) => self.silent(&ask, silent).map(|()| None),
        }
    }

    fn links(&mut self, ask: &Ask, sum: Sum, links: &[Link]) -> Result<Dice, BadThrow> {
        if links.len() != ask.seats.len() {
            return Err(BadThrow::Count { expected: ask.seats.len(), found: links.len() });
        }
        let said: Vec<(Seat, Link)> =
            ask.seats.iter().zip(links).map(|((seat, _), link)| (*seat, *link)).collect();
        if let Some((seat, _)) = said.iter().find(|(seat, link)| !self.fits(*seat, ask, link)) {
            return Err(BadThrow::Link(*seat));
        }
        for ((seat, index), link) in ask.seats.iter().zip(links) {
            if let Some(member) = self.members.get_mut(seat) {
                member.chain.advance(*index, *link);
            }
        }
        self.throw = ask.throw;
        Ok(Dice::of_throw(&self.seed, self.head, ask.throw, sum, &said))
    }

    fn silent(&mut self, ask: &Ask, silent: &[Seat]) -> Result<(), BadThrow> {
        if silent.is_empty() {
            return Err(BadThrow::NobodySilent);
        }
        let asked = |seat: &Seat| ask.seats.iter().any(|(asked, _)| asked == seat);
        if let Some(seat) = silent.iter().find(|seat| !asked(seat)) {
            return Err(BadThrow::NotAsked(*seat));
        }
        for seat in silent {
            if let Some(member) = self.members.get_mut(seat) {
                member.silent = true;
            }
        }
        self.throw = ask.throw;
        Ok(())
    }

    /// Whether a link is the one that a seat is asked for.
    pub fn fits(&self, seat: Seat, ask: &Ask, link: &Link) -> bool {
        let index = ask.seats.iter().find(|(asked, _)| *asked == seat).map(|(_, index)| *index);
        index.zip(self.members.get(&seat)).is_some_and(|(index, member)| member.chain.follows(index, link))
    }

    /// Whether a seat is asked, when it is its turn.
    pub fn has(&self, seat: Seat) -> bool {
        self.members.get(&seat).is_some_and(|member| !member.silent && self.throw - member.since < LINKS)
    }

    /// A seat goes on with another chain from the next throw.
    pub fn anchor(&mut self, seat: Seat, anchor: Link) -> Result<(), BadThrow> {
        let returns = self.members.get(&seat).map_or(0, |member| member.returns + 1);
        if returns > RETURNS {
            return Err(BadThrow::TooOften(seat));
        }
        let (chain, since) = (Chain::of(anchor), self.throw);
        self.members.insert(seat, Member { chain, since, silent: false, returns });
        Ok(())
    }
}
