//! What administrators did, read from the audit log every so often: by a page of this node or another, or by the command line.

use crate::hall::Hall;
use crate::store::StoreFault;
use crate::store::office::{Entry, Office};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

/// How often the log is read.
const LOOK: Duration = Duration::from_secs(2);
/// Numbers are given before entries are committed: so many before the last one are looked at again.
const OVERLAP: i64 = 64;

/// How far this node has come in the log.
pub(crate) struct Feed {
    hall: Arc<Hall>,
    office: Arc<dyn Office>,
    heeded: Mutex<Heeded>,
}

#[derive(Default)]
struct Heeded {
    /// Whether it is known how the house stood when this node started.
    begun: bool,
    last: i64,
    recent: BTreeSet<i64>,
}

impl Feed {
    pub(crate) fn new(hall: Arc<Hall>, office: Arc<dyn Office>) -> Feed {
        Feed { hall, office, heeded: Mutex::default() }
    }

    /// Reads the log until the server stops.
    pub(crate) async fn follow(self: Arc<Self>) {
        let mut tick = tokio::time::interval(LOOK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        while !self.hall.stopping() {
            tick.tick().await;
            if let Err(fault) = self.catch_up().await {
                tracing::debug!(%fault, "what administrators did cannot be read");
            }
        }
    }

    /// Heeds everything that was done up to now.
    pub(crate) async fn catch_up(&self) -> Result<(), StoreFault> {
        let mut heeded = self.heeded.lock().await;
        if !heeded.begun {
            // In this order: who is suspended in between is heard of by the log.
            heeded.last = self.office.audit(1).await?.first().map_or(0, |entry| entry.n);
            let recent = self.office.news(heeded.last - OVERLAP).await?;
            heeded.recent = recent.iter().map(|entry| entry.n).filter(|n| *n <= heeded.last).collect();
            self.hall.guests.suspend(self.office.suspended().await?);
            heeded.begun = true;
        }
        for entry in self.office.news(heeded.last - OVERLAP).await? {
            if !heeded.recent.contains(&entry.n) && self.heed(&entry) {
                heeded.recent.insert(entry.n);
                heeded.last = heeded.last.max(entry.n);
            }
        }
        let oldest = heeded.last - OVERLAP;
        heeded.recent = heeded.recent.split_off(&oldest);
        Ok(())
    }

    /// Does what this node has to do about it; answers whether that is done.
    fn heed(&self, entry: &Entry) -> bool {
        let (guests, subject) = (&self.hall.guests, &entry.subject);
        match entry.deed.as_str() {
            "suspend" => guests.suspend([subject.clone()]),
            "lift" => guests.lift(subject),
            "rename" => guests.ask_again(subject),
            "forget" => {
                guests.lift(subject);
                guests.ask_again(subject);
            }
            "close" => {
                let table = entry.table.as_deref().unwrap_or_default();
                return self.hall.close_down(table, &entry.says);
            }
            _ => {}
        }
        true
    }
}
