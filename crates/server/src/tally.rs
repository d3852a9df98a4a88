//! What is counted apart by its kind: requests by route and status, tables by game and state. The kinds are few and known here, so
//! that nobody outside can add to them.

use crate::lock;
use crate::metrics::Metrics;
use protocol::Phase;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex};

/// How many there are of each kind.
#[derive(Debug)]
pub struct Tally<K>(Mutex<BTreeMap<K, i64>>);

impl<K> Default for Tally<K> {
    fn default() -> Tally<K> {
        Tally(Mutex::default())
    }
}

impl<K: Ord> Tally<K> {
    /// So many more of this kind, or fewer.
    pub(crate) fn add(&self, kind: K, by: i64) {
        *lock(&self.0).entry(kind).or_default() += by;
    }

    /// One line for each kind, with its labels.
    pub(crate) fn write(&self, text: &mut String, name: &str, labels: impl Fn(&K) -> String) {
        for (kind, count) in &*lock(&self.0) {
            let _ = writeln!(text, "parlor_{name}{{{}}} {count}", labels(kind));
        }
    }
}

/// A table that is awake, counted by its game and by how far it has come, for as long as this lives.
#[derive(Debug)]
pub(crate) struct Standing {
    metrics: Arc<Metrics>,
    kind: (&'static str, &'static str),
}

impl Standing {
    pub(crate) fn new(metrics: Arc<Metrics>, game: &'static str, phase: Phase) -> Standing {
        let kind = (game, state(phase));
        metrics.tables.add(1);
        metrics.awake.add(kind, 1);
        Standing { metrics, kind }
    }

    /// It has come so far.
    pub(crate) fn now(&mut self, phase: Phase) {
        let state = state(phase);
        if self.kind.1 != state {
            self.metrics.awake.add(self.kind, -1);
            self.kind.1 = state;
            self.metrics.awake.add(self.kind, 1);
        }
    }
}

impl Drop for Standing {
    fn drop(&mut self) {
        self.metrics.tables.add(-1);
        self.metrics.awake.add(self.kind, -1);
    }
}

const fn state(phase: Phase) -> &'static str {
    match phase {
        Phase::Gathering => "gathering",
        Phase::Playing => "playing",
        Phase::Over => "over",
        Phase::Closed => "closed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_counted_where_it_stands_and_no_longer_when_it_sleeps() {
        let metrics = Arc::<Metrics>::default();
        let shown = || {
            let mut text = String::new();
            metrics.awake.write(&mut text, "x", |(game, state)| format!("{game},{state}"));
            text
        };
        let mut table = Standing::new(Arc::clone(&metrics), "cubo", Phase::Gathering);
        let other = Standing::new(Arc::clone(&metrics), "cubo", Phase::Gathering);
        table.now(Phase::Gathering);
        table.now(Phase::Playing);
        assert_eq!(shown(), "parlor_x{cubo,gathering} 1\nparlor_x{cubo,playing} 1\n");
        assert_eq!(metrics.tables.get(), 2);
        drop((table, other));
        assert_eq!(shown(), "parlor_x{cubo,gathering} 0\nparlor_x{cubo,playing} 0\n");
        assert_eq!(metrics.tables.get(), 0);
    }
}
