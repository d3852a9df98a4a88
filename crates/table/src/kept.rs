//! What a player's own client keeps of a table, so that it can check the dice at the end without taking the house's word for it.
//!
//! A record alone proves only that it agrees with itself: a house could write another one, with another seed. What a client was shown
//! before and during the game is what the house can no longer change.
//!
//! ```
//! use table::{Kept, Seed};
//!
//! let shown = Kept::new("k3v9", Seed::from_number(1).commitment());
//! let text = serde_json::to_string(&shown)?;
//! assert_eq!(serde_json::from_str::<Kept>(&text)?, shown);
//! # Ok::<(), serde_json::Error>(())
//! ```

use crate::chain::{LINKS, Link, Secret};
use crate::record::{Gathered, Line, Reader};
use crate::verify::{self, Fault, IgnoredAct, Verified, What};
use crate::{Commitment, Outcome, Seat};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a client was shown at a table, and what it added to the dice itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// Which table.
    pub table: String,
    /// The commitment that the house showed first.
    pub commit: Commitment,
    /// What this client added to the dice last, if it sits there and the house said that it has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// How the game ended, as the house told it when it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The chains with which this client added to the throws, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chains: Vec<KeptChain>,
}

/// A chain of this client, and what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptChain {
    /// What the links are made of. When the game is over it is no secret any more.
    pub secret: Secret,
    /// Whether the house said that it has the anchor.
    #[serde(default)]
    pub accepted: bool,
    /// Every throw that was answered for: its number, the link, and the sum that it was asked with.
    #[serde(default)]
    pub answered: Vec<Answered>,
}

/// What a client gave a link for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// The number of the throw.
    pub throw: u32,
    /// Which link.
    pub link: u32,
    /// The sum of the record's last line, as it was named.
    pub sum: String,
}

impl KeptChain {
    /// A chain that nobody knows of yet.
    pub const fn new(secret: Secret) -> KeptChain {
        KeptChain { secret, accepted: false, answered: Vec::new() }
    }

    /// The link that is asked for, noted as given; or why it is not given. `most` is the highest number that a throw can have by now.
    pub fn answer(&mut self, asked: Answered, most: u64) -> Result<Link, Broken> {
        let Answered { throw, link, .. } = asked;
        let astray = Broken::AskedAstray { throw };
        // The throw before the first of this chain: it never changes.
        let Some(since) = throw.checked_sub(link).filter(|_| u64::from(throw) <= most) else {
            return Err(astray);
        };
        if let Some(last) = self.answered.last() {
            let same = last.throw == throw && last.link == link;
            if same && last.sum != asked.sum {
                return Err(Broken::AskedTwice { throw });
            }
            // A question that is asked again after a loss is answered again.
            if !same && (throw <= last.throw || since != last.throw - last.link) {
                return Err(astray);
            }
        }
        let said = self.secret.link(link).filter(|_| link > 0).ok_or(astray)?;
        if self.answered.last() != Some(&asked) {
            self.answered.push(asked);
        }
        Ok(said)
    }
}

/// What does not hold between a record and what a client was shown.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Broken {
    /// Another seed than the one that was committed.
    #[error(
        "The house changed its secret. It committed itself to {shown} before the game, and this record was made with {found}."
    )]
    Commitment {
        /// What was shown.
        shown: Commitment,
        /// What the record says was shown.
        found: Commitment,
    },
    /// The client's own contribution is missing.
    #[error(
        "What this device added to the dice is not in the record, though the house said that it had it. If you got ready on another device too, check there; otherwise the house left it out."
    )]
    Seed,
    /// The house asked for one link for two different throws: it could have chosen between them.
    #[error(
        "For throw {throw} the house asked this device twice, about two different games. It could choose between two results."
    )]
    AskedTwice {
        /// Which throw.
        throw: u32,
    },
    /// The house asked for a link whose turn it was not.
    #[error(
        "The house asked this device for throw {throw} before or after its turn, and so could know dice in advance."
    )]
    AskedAstray {
        /// Which throw.
        throw: u32,
    },
    /// The client's chain is missing.
    #[error(
        "This device's part in the dice is not in the record, though the house said that it had it. If you played on another device too, check there; otherwise the house left it out."
    )]
    Chain,
    /// A chain that this client does not know stands at its seat.
    #[error(
        "At your seat the record has another device's part in the dice. If you played on another device too, check there; otherwise the house put it there."
    )]
    ForeignChain,
    /// The client was asked for something that the record does not tell.
    #[error("Your device answered for throw {throw}, and the record tells another game up to there.")]
    Asked {
        /// Which throw.
        throw: u32,
    },
    /// The client answered, and is said to have been silent.
    #[error(
        "Your device answered for throw {throw}, and the record says that it was silent. If your connection was good then, the house left the answer out."
    )]
    Silenced {
        /// Which throw.
        throw: u32,
    },
    /// Another end than the one that was told.
    #[error("The record ends otherwise than the house told you when the game ended.")]
    Outcome,
    /// The record does not hold by itself.
    #[error("The record does not hold: {0}.")]
    Record(Fault),
}

impl Kept {
    /// What is kept of a table at first: the commitment that it shows.
    pub fn new(table: impl Into<String>, commit: Commitment) -> Kept {
        Kept { table: table.into(), commit, seed: None, outcome: None, chains: Vec::new() }
    }

    /// Holds a record against what was kept. `verified` checks the record by itself.
    pub fn check(
        &self,
        record: &str,
        verified: impl FnOnce(&str) -> Result<Verified, Fault>,
    ) -> Result<Verified, Broken> {
        let head = verify::head(record).map_err(Broken::Record)?;
        if head.commit != self.commit {
            return Err(Broken::Commitment { shown: self.commit.clone(), found: head.commit });
        }
        let has = |seed: &String| head.seats.seated().iter().any(|seated| seated.seed == *seed);
        if !self.seed.iter().all(has) {
            return Err(Broken::Seed);
        }
        let verified = verified(record).map_err(Broken::Record)?;
        self.check_chains(record)?;
        if self.outcome.as_ref().is_some_and(|told| *told != verified.outcome) {
            return Err(Broken::Outcome);
        }
        Ok(verified)
    }

    fn check_chains(&self, record: &str) -> Result<(), Broken> {
        let told = Told::read(record).map_err(Broken::Record)?;
        let (mut seat, mut silenced) = (None, None);
        for chain in &self.chains {
            let anchor = chain.secret.anchor();
            let at = told.anchors.iter().find(|(_, said)| *said == anchor).map(|(seat, _)| *seat);
            if chain.accepted && at.is_none() {
                return Err(Broken::Chain);
            }
            seat = seat.or(at);
            for Answered { throw, sum, .. } in &chain.answered {
                let line = told.throws.iter().find(|told| told.0 == *throw);
                let (_, before, gathered) = line.ok_or(Broken::Asked { throw: *throw })?;
                if before != sum {
                    return Err(Broken::Asked { throw: *throw });
                }
                let silent = |silent: &[Seat]| seat.is_some_and(|seat| silent.contains(&seat));
                if matches!(gathered, Gathered::Silent(seats) if silent(seats)) {
                    silenced.get_or_insert(*throw);
                }
            }
        }
        let own = |link: &Link| self.chains.iter().any(|chain| chain.secret.anchor() == *link);
        let foreign = told.anchors.iter().any(|(at, anchor)| Some(*at) == seat && !own(anchor));
        if foreign {
            return Err(Broken::ForeignChain);
        }
        self.check_links(&told)?;
        // The last of all, because a slow connection may be the reason.
        silenced.map_or(Ok(()), |throw| Err(Broken::Silenced { throw }))
    }

    /// Every link of ours in the record is one that we gave for that throw.
    fn check_links(&self, told: &Told) -> Result<(), Broken> {
        for chain in &self.chains {
            let most = chain.answered.last().map_or(0, |last| last.link);
            let ahead: Vec<Link> = chain.secret.links().split_off(most.min(LINKS) as usize + 1);
            for (throw, _, gathered) in &told.throws {
                let Gathered::Links(links) = gathered else { continue };
                if links.iter().any(|link| ahead.contains(link)) {
                    return Err(Broken::AskedAstray { throw: *throw });
                }
            }
        }
        Ok(())
    }
}

/// What a record tells of its throws.
struct Told {
    anchors: Vec<(Seat, Link)>,
    /// The number of each, the sum before it, and what was gathered for it.
    throws: Vec<(u32, String, Gathered)>,
}

impl Told {
    fn read(record: &str) -> Result<Told, Fault> {
        let mut reader = Reader::new();
        let mut lines = record.lines().zip(1..);
        let text = |line, fault| Fault { line, what: What::Text(fault) };
        let (first, _) = lines.next().unwrap_or_default();
        let head = reader.head::<serde_json::Value>(first).map_err(|fault| text(1, fault))?;
        let mut told = Told { anchors: head.anchors.into_iter().collect(), throws: Vec::new() };
        for (line, number) in lines {
            let sum = reader.sum();
            match reader.line::<IgnoredAct>(line).map_err(|fault| text(number, fault))? {
                Line::Throw(_, throw, gathered) => told.throws.push((throw, sum.to_string(), gathered)),
                Line::Anchor(_, seat, anchor) => told.anchors.push((seat, anchor)),
                Line::Entry(_) | Line::End(..) => {}
            }
        }
        Ok(told)
    }
}
