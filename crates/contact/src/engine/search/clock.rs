//! How long a search has taken.

use std::time::Duration;

/// A clock, where the platform has one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    #[cfg(not(target_arch = "wasm32"))]
    start: std::time::Instant,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self {
            #[cfg(not(target_arch = "wasm32"))]
            start: std::time::Instant::now(),
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn elapsed(self) -> Duration {
        self.start.elapsed()
    }

    #[cfg(target_arch = "wasm32")]
    #[expect(clippy::unused_self, reason = "a page is told how far to look, not how long")]
    pub(super) fn elapsed(self) -> Duration {
        Duration::ZERO
    }
}
