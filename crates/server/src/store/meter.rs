//! What every store counts of its writes.

use super::Gauges;
use crate::metrics::Histogram;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The counts of a store.
#[derive(Debug, Default)]
pub(super) struct Meter {
    waiting: AtomicU64,
    commits: AtomicU64,
    rows: AtomicU64,
    failed: AtomicU64,
    took: Histogram,
}

impl Meter {
    /// A write waits.
    pub(super) fn asked(&self) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
    }

    /// So many writes wait no more.
    pub(super) fn taken(&self, writes: usize) {
        self.waiting.fetch_sub(writes as u64, Ordering::Relaxed);
    }

    /// A group of writes that began then was committed, or was not.
    pub(super) fn settled(&self, began: Instant, committed: bool) {
        self.took.observe(began.elapsed().as_secs_f64());
        let count = if committed { &self.commits } else { &self.failed };
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// So many rows were added.
    pub(super) fn added(&self, rows: u64) {
        self.rows.fetch_add(rows, Ordering::Relaxed);
    }

    /// As it stands.
    pub(super) fn read(&self) -> Gauges {
        let (commit_seconds, commit_seconds_sum) = self.took.read();
        Gauges {
            waiting: self.waiting.load(Ordering::Relaxed),
            commits: self.commits.load(Ordering::Relaxed),
            rows: self.rows.load(Ordering::Relaxed),
            failed: self.failed.load(Ordering::Relaxed),
            commit_seconds,
            commit_seconds_sum,
        }
    }
}
