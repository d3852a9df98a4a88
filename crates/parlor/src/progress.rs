//! A bar on a terminal for work that takes a while; silent in a pipe.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::Duration;

/// A bar that counts.
#[derive(Clone)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar of so many things.
    pub(crate) fn new(length: u64, things: &str) -> Progress {
        if !io::stderr().is_terminal() || length < 2 {
            return Progress(ProgressBar::hidden());
        }
        let style = ProgressStyle::with_template("{bar:32} {human_pos} of {human_len} {msg}, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        Progress(ProgressBar::new(length).with_style(style).with_message(things.to_owned()))
    }

    /// A sign that work goes on whose length nobody knows.
    pub(crate) fn endless() -> Progress {
        if !io::stderr().is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = ProgressBar::new_spinner().with_style(style);
        bar.enable_steady_tick(Duration::from_millis(120));
        Progress(bar)
    }

    /// What is known so far.
    pub(crate) fn says(&self, news: impl Into<String>) {
        self.0.set_message(news.into());
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        self.0.inc(1);
    }

    /// So many are done.
    pub(crate) fn at(&self, count: u64) {
        self.0.set_position(count);
    }

    /// All are done: the bar goes away.
    pub(crate) fn done(&self) {
        self.0.finish_and_clear();
    }
}
