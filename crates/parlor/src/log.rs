//! The log on standard error: how it is written and how much it says. Both are settled before anything starts, because a
//! log that says nothing over a misspelt word is missed only on the day it is needed.

use crate::answer::Failure;
use clap::{Args, ValueEnum};
use std::io::{self, IsTerminal};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::layer;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// The parts of the program that log: the server, and what it stands on.
const PARTS: [&str; 7] = ["server", "async_nats", "hyper", "hyper_util", "mio", "tokio_postgres", "tower"];

/// What is asked of the log.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Log {
    /// How the log on standard error is written: in words, or one JSON object a line
    #[arg(long = "log", value_name = "FORM", value_enum, default_value_t)]
    form: Form,
    /// How much it says: off, error, warn, info, debug or trace; for a part of the program with its name, as in
    /// info,server=debug
    #[arg(long = "log-level", value_name = "LEVELS", value_parser = levels_of)]
    levels: Option<Targets>,
}

/// How a log is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

impl Log {
    /// Begins to log, or says what is wrong with the wish.
    pub(crate) fn open(&self) -> Result<(), Failure> {
        let levels = self.levels.clone().unwrap_or_else(usual);
        let log = tracing_subscriber::registry().with(levels);
        let lines = layer().with_writer(io::stderr);
        let opened = match self.form {
            Form::Text => log.with(lines.with_ansi(colours())).try_init(),
            Form::Json => log.with(lines.json().flatten_event(true)).try_init(),
        };
        opened.map_err(|fault| Failure::new("log", fault))
    }
}

/// Colours are for people who see them and have not forbidden them (no-color.org).
fn colours() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|no| no.is_empty())
}

/// Where nothing is said.
fn usual() -> Targets {
    Targets::new().with_default(LevelFilter::INFO)
}

/// Reads `debug`, or `info,server=debug,hyper=off`. What names a part only leaves the others as usual.
fn levels_of(text: &str) -> Result<Targets, String> {
    let wrong = |what: String| {
        let parts = PARTS.join(", ");
        format!(
            "{what}. Write off, error, warn, info, debug or trace, or one for a part of the program as in \
             info,server=debug (parts: {parts}). For JSON instead of words: --log json."
        )
    };
    let mut levels = usual();
    for wish in text.split(',').map(str::trim).filter(|wish| !wish.is_empty()) {
        let (part, level) = wish.split_once('=').map_or((None, wish), |(part, level)| (Some(part), level));
        // Where nothing is said, the crate would hear "error".
        let known = Some(level).filter(|level| !level.is_empty()).and_then(|level| level.parse().ok());
        let level: LevelFilter = known.ok_or_else(|| wrong(format!("{level:?} is no level")))?;
        levels = match part {
            None => levels.with_default(level),
            Some(part) if PARTS.contains(&part.split("::").next().unwrap_or(part)) => {
                levels.with_target(part, level)
            }
            Some(part) => return Err(wrong(format!("{part:?} is no part of Parlor that logs"))),
        };
    }
    Ok(levels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing_subscriber::filter::LevelFilter as Level;

    #[test]
    fn levels_are_for_all_or_for_a_part() {
        let read = |text: &str| levels_of(text).ok().map(|levels| levels.to_string());
        let usual = usual();
        for (text, levels) in [
            ("", usual.clone()),
            ("warn", Targets::new().with_default(Level::WARN)),
            ("OFF", Targets::new().with_default(Level::OFF)),
            ("server::store=trace", usual.clone().with_target("server::store", Level::TRACE)),
            (
                " info, server=debug ,hyper=off,",
                usual.with_target("server", Level::DEBUG).with_target("hyper", Level::OFF),
            ),
        ] {
            assert_eq!(read(text), Some(levels.to_string()), "{text}");
        }
        for text in
            ["json", "nonsense", "info,loud", "server=", "server=loud", "=debug", "servr=debug", "info;debug"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn every_part_is_in_the_program() {
        let lock = include_str!("../../../Cargo.lock");
        for part in PARTS {
            let name = |name: &str| lock.contains(&format!("name = \"{name}\"\n"));
            assert!(name(part) || name(&part.replace('_', "-")), "{part}");
        }
    }
}
