//! What a player's own client keeps of a table, so that it can check the dice at the end without taking the house's word for it.
//!
//! A record alone proves only that it agrees with itself: a house could write another one, with another seed. What a client was shown
//! before and during the game is what the house can no longer change.
//!
//! ```
//! use table::{Kept, Seed};
//! use table::kept::Broken;
//!
//! let shown = Kept::new("k3v9", Seed::from_number(1).commitment());
//! let text = serde_json::to_string(&shown)?;
//! assert_eq!(serde_json::from_str::<Kept>(&text)?, shown);
//! # Ok::<(), serde_json::Error>(())
//! ```

use crate::verify::{self, Fault, Verified};
use crate::{Commitment, Outcome};
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
        Kept { table: table.into(), commit, seed: None, outcome: None }
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
        if self.outcome.as_ref().is_some_and(|told| *told != verified.outcome) {
            return Err(Broken::Outcome);
        }
        Ok(verified)
    }
}
