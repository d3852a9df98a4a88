//! The server's clock: wall time that never goes back or jumps while the server runs.

use std::time::{Duration, SystemTime, UNIX_EPOCH};
use table::Time;
use tokio::time::Instant;

/// Milliseconds since 1970, read from the system once and counted on from there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    began: Instant,
    wall: u64,
}

/// The system's clock, in milliseconds since 1970.
pub(crate) fn system_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

impl Clock {
    /// A clock that starts now, but not before `earliest` (the last sign of life of the run before).
    pub(crate) fn start(earliest: u64) -> Clock {
        Clock::at(system_now().max(earliest))
    }

    /// A clock that shows this now.
    pub(crate) fn at(wall: u64) -> Clock {
        Clock { began: Instant::now(), wall }
    }

    /// Now, in milliseconds since 1970.
    pub(crate) fn now(&self) -> u64 {
        self.wall + self.began.elapsed().as_millis() as u64
    }
}

/// A table's own clock: it runs only while the table is awake.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableClock {
    since: Instant,
    at: Time,
}

impl TableClock {
    /// A clock that shows `at` now.
    pub(crate) fn at(at: Time) -> TableClock {
        TableClock { since: Instant::now(), at }
    }

    /// What it shows.
    pub(crate) fn now(&self) -> Time {
        self.at.plus(self.since.elapsed().as_millis() as u64)
    }

    /// When it will show this: at once, if it has already.
    pub(crate) fn when(&self, time: Time) -> Instant {
        self.since + Duration::from_millis(time - self.at)
    }
}
