//! Table time: milliseconds since the table opened. The time a server was down does not count, so the same
//! record gives the same clocks wherever and whenever it is replayed.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Sub;

/// A moment of table time, in milliseconds.
///
/// ```
/// use table::Time;
/// let bell = Time::START.plus_secs(90);
/// assert_eq!(bell, Time(90_000));
/// assert_eq!(bell - Time(60_000), 30_000);
/// assert_eq!(bell.to_string(), "1:30.000");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub u64);

impl Time {
    /// The moment the table opens.
    pub const START: Time = Time(0);

    /// This moment and so many milliseconds more (never past the end of time).
    #[must_use]
    pub const fn plus(self, ms: u64) -> Time {
        Time(self.0.saturating_add(ms))
    }

    /// This moment and so many seconds more.
    #[must_use]
    pub const fn plus_secs(self, secs: u64) -> Time {
        self.plus(secs.saturating_mul(1000))
    }
}

/// The milliseconds between two moments; none if the second is the later one.
impl Sub for Time {
    type Output = u64;
    fn sub(self, earlier: Time) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (secs, ms) = (self.0 / 1000, self.0 % 1000);
        write!(f, "{}:{:02}.{:03}", secs / 60, secs % 60, ms)
    }
}
