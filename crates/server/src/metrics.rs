//! What the house counts, and how it is shown to Prometheus.

use crate::store::Gauges;
use crate::tally::Tally;
use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// One more.
    pub fn one(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// How many so far.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A number that goes up and down.
#[derive(Debug, Default)]
pub struct Gauge(AtomicI64);

impl Gauge {
    /// So many more, or fewer.
    pub fn add(&self, by: i64) {
        self.0.fetch_add(by, Ordering::Relaxed);
    }

    /// How many now.
    pub fn get(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How long things took, in seconds: twelve bounds from 0.1 ms to 10 s.
#[derive(Debug)]
pub struct Histogram {
    bounds: &'static [f64],
    counts: Vec<AtomicU64>,
    /// In microseconds.
    sum: AtomicU64,
}

const SECONDS: [f64; 14] =
    [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 10.0];

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram::seconds()
    }
}

impl Histogram {
    /// For times.
    pub fn seconds() -> Histogram {
        let counts = (0..=SECONDS.len()).map(|_| AtomicU64::new(0)).collect();
        Histogram { bounds: &SECONDS, counts, sum: AtomicU64::new(0) }
    }

    /// One more.
    pub fn observe(&self, seconds: f64) {
        let at = self.bounds.partition_point(|&bound| bound < seconds);
        self.counts[at].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add((seconds * 1e6) as u64, Ordering::Relaxed);
    }

    /// How many were at most each bound (the last: all), and the sum of all in seconds.
    pub fn read(&self) -> (Vec<(f64, u64)>, f64) {
        let mut total = 0;
        let bounds = self.bounds.iter().copied().chain([f64::INFINITY]);
        let counts = bounds.zip(&self.counts).map(|(bound, count)| {
            total += count.load(Ordering::Relaxed);
            (bound, total)
        });
        (counts.collect(), self.sum.load(Ordering::Relaxed) as f64 / 1e6)
    }
}

/// Everything the house counts.
#[derive(Debug, Default)]
pub struct Metrics {
    /// Tables awake.
    pub tables: Gauge,
    /// Sockets open.
    pub sockets: Gauge,
    /// Connections open, sockets included.
    pub connections: Gauge,
    /// Commands heard.
    pub commands: Counter,
    /// Acts carried out.
    pub acts: Counter,
    /// Commands refused.
    pub refused: Counter,
    /// Events told, once each, however many heard.
    pub events: Counter,
    /// Sockets closed because they read too slowly.
    pub slow: Counter,
    /// Requests turned away by a limit.
    pub limited: Counter,
    /// Questions for the coach and the solver being worked on or waiting.
    pub questions: Gauge,
    /// Questions turned away because too many waited.
    pub busy: Counter,
    /// Bots thinking or waiting for a thread.
    pub bots: Gauge,
    /// From hearing a table's command to its answer.
    pub answer: Histogram,
    /// Tables awake, by game and state.
    pub awake: Tally<(&'static str, &'static str)>,
    /// Requests answered, by route and status.
    pub requests: Tally<(String, u16)>,
    /// From a request's head to the head of its answer.
    pub request: Histogram,
}

/// What is shown beside what is counted.
#[derive(Debug)]
pub(crate) struct About<'a> {
    /// What this node is called.
    pub(crate) node: &'a str,
    /// Which page it has.
    pub(crate) page: &'a str,
    /// When it was started, since 1970.
    pub(crate) started: Duration,
    /// How much waits for all tables together, and for the one that most waits for.
    pub(crate) waiting: (usize, usize),
}

impl Metrics {
    /// The text that Prometheus reads.
    pub(crate) fn prometheus(&self, store: &Gauges, about: &About<'_>) -> String {
        let mut text = String::new();
        let mut one = |name: &str, kind: &str, help: &str, value: f64| {
            let _ = write!(
                text,
                "# HELP parlor_{name} {help}\n# TYPE parlor_{name} {kind}\nparlor_{name} {value}\n"
            );
        };
        one("tables", "gauge", "Tables awake.", self.tables.get() as f64);
        one("sockets", "gauge", "Sockets open.", self.sockets.get() as f64);
        one("connections", "gauge", "Connections open.", self.connections.get() as f64);
        one("questions", "gauge", "Coach and solver questions in the queue.", self.questions.get() as f64);
        one("bots_thinking", "gauge", "Bots thinking.", self.bots.get() as f64);
        one("table_queue", "gauge", "Messages waiting for all tables together.", about.waiting.0 as f64);
        let help = "Messages waiting for the table that most wait for.";
        one("table_queue_longest", "gauge", help, about.waiting.1 as f64);
        one("store_waiting", "gauge", "Writes waiting for the disk.", store.waiting as f64);
        one("commands_total", "counter", "Commands heard.", self.commands.get() as f64);
        one("acts_total", "counter", "Acts carried out.", self.acts.get() as f64);
        one("refused_total", "counter", "Commands refused.", self.refused.get() as f64);
        one("events_total", "counter", "Events told.", self.events.get() as f64);
        one("slow_readers_total", "counter", "Sockets closed as too slow.", self.slow.get() as f64);
        one("limited_total", "counter", "Requests turned away by a limit.", self.limited.get() as f64);
        one("busy_total", "counter", "Questions turned away: the queue was full.", self.busy.get() as f64);
        one("store_commits_total", "counter", "Groups of writes committed.", store.commits as f64);
        one("store_rows_total", "counter", "Rows written.", store.rows as f64);
        one("store_failed_total", "counter", "Groups of writes that failed.", store.failed as f64);
        let (answer, sum) = self.answer.read();
        histogram(&mut text, "answer_seconds", "From hearing a command to its answer.", &answer, sum);
        let help = "A group of writes, its fsync included.";
        histogram(&mut text, "store_commit_seconds", help, &store.commit_seconds, store.commit_seconds_sum);
        let (request, sum) = self.request.read();
        histogram(&mut text, "request_seconds", "From a request to its answer.", &request, sum);
        self.by_kind(&mut text, about);
        text
    }

    /// What has labels.
    fn by_kind(&self, text: &mut String, about: &About<'_>) {
        head(text, "parlor_tables_awake", "gauge", "Tables awake, by game and state.");
        self.awake.write(text, "tables_awake", |(game, state)| format!("game=\"{game}\",state=\"{state}\""));
        head(text, "parlor_requests_total", "counter", "Requests answered, by route and status.");
        self.requests.write(text, "requests_total", |(route, status)| {
            format!("route=\"{route}\",status=\"{status}\"")
        });
        let About { node, page, started, .. } = about;
        let node = node.replace(['\\', '"', '\n'], "_");
        let version = env!("CARGO_PKG_VERSION");
        head(text, "parlor_build_info", "gauge", "What runs here; always 1.");
        let _ =
            writeln!(text, "parlor_build_info{{version=\"{version}\",page=\"{page}\",node=\"{node}\"}} 1");
        head(text, "process_start_time_seconds", "gauge", "When this process opened the house, since 1970.");
        let _ = writeln!(text, "process_start_time_seconds {}", started.as_secs_f64());
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
}

fn histogram(text: &mut String, name: &str, help: &str, counts: &[(f64, u64)], sum: f64) {
    let _ = write!(text, "# HELP parlor_{name} {help}\n# TYPE parlor_{name} histogram\n");
    for (bound, count) in counts {
        let bound = if bound.is_finite() { bound.to_string() } else { "+Inf".to_owned() };
        let _ = writeln!(text, "parlor_{name}_bucket{{le=\"{bound}\"}} {count}");
    }
    let all = counts.last().map_or(0, |(_, count)| *count);
    let _ = write!(text, "parlor_{name}_sum {sum}\nparlor_{name}_count {all}\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_counts_up_to_each_bound() {
        let times = Histogram::seconds();
        for seconds in [0.000_05, 0.001, 0.003, 99.0] {
            times.observe(seconds);
        }
        let (counts, sum) = times.read();
        let at = |bound: f64| counts.iter().find(|(at, _)| *at >= bound).map(|(_, count)| *count);
        assert_eq!(
            (at(0.000_1), at(0.001), at(0.005), at(10.0), at(f64::INFINITY)),
            (Some(1), Some(2), Some(3), Some(3), Some(4))
        );
        assert!((sum - 99.004_05).abs() < 1e-6);
        let about = About { node: "a\"b", page: "x", started: Duration::from_millis(1_500), waiting: (7, 3) };
        let metrics = Metrics::default();
        metrics.requests.add(("/api/me".to_owned(), 200), 2);
        let text = metrics.prometheus(&Gauges::default(), &about);
        for line in [
            "parlor_requests_total{route=\"/api/me\",status=\"200\"} 2",
            "parlor_table_queue 7",
            "parlor_table_queue_longest 3",
            "process_start_time_seconds 1.5",
        ] {
            assert!(text.lines().any(|shown| shown == line), "{line}: {text}");
        }
        assert!(text.contains("page=\"x\",node=\"a_b\"} 1\n"), "{text}");
        assert!(text.contains("parlor_answer_seconds_bucket{le=\"+Inf\"} 0\n"), "{text}");
    }
}
