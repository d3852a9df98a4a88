//! What has happened between two views, and for whom it is told.

use crate::seen::Seen;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use table::Seat;

/// Two views, one after the other.
pub struct Telling<'a> {
    /// The view before.
    pub before: &'a Seen,
    /// The view now.
    pub now: &'a Seen,
    /// Who acted last, if it was not time.
    pub by: Option<Seat>,
    /// The names, seat by seat.
    pub names: &'a [String],
}

impl Telling<'_> {
    /// Both views as the game's own type; nothing is told of the first there is.
    pub fn views<T: DeserializeOwned + Send + Sync + 'static>(&self) -> Option<(Arc<T>, Arc<T>)> {
        self.before.get().zip(self.now.get())
    }

    /// The name at a seat.
    pub fn name(&self, seat: Seat) -> String {
        self.names.get(seat.index()).cloned().unwrap_or_default()
    }
}

/// What is new in a list that only grows, or begins anew.
pub fn fresh<'a, T: PartialEq>(before: &[T], now: &'a [T]) -> &'a [T] {
    now.strip_prefix(before).unwrap_or(now)
}
