//! Contact at the workbench: perft, and the check of a set of one's own.

use crate::answer::{Answer, Failure, Outcome};
use crate::records;
use ::contact::{Players, Position, Set};
use clap::{Args, ValueEnum};
use serde_json::json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Where a position comes from.
#[derive(Debug, Args)]
pub(crate) struct Where {
    /// The set-up
    #[arg(long, value_enum, default_value_t = Setup::Six)]
    setup: Setup,
    /// How many players
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=4))]
    players: u8,
    /// Four players as two partnerships
    #[arg(long)]
    partners: bool,
    /// A position in text instead (see docs/notation.md)
    #[arg(long)]
    position: Option<String>,
    /// A set of one's own, a TOML file
    #[arg(long, value_name = "FILE")]
    set: Option<PathBuf>,
}

/// The set-ups of the standard set.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Setup {
    /// Six tiles a player
    Six,
    /// Twelve tiles each for two
    Twelve,
}

impl Where {
    /// The position asked for.
    pub(crate) fn position(&self) -> Result<Position, Failure> {
        let set = match &self.set {
            Some(file) => load(file)?,
            None => Set::default(),
        };
        if let Some(text) = &self.position {
            return Position::read(text, &set).map_err(|fault| Failure::new("bad-position", fault));
        }
        let players = match (self.players, self.partners) {
            (4, true) => Players::Partners,
            (_, true) => {
                return Err(Failure::new("partners", "partners play four at a table: add --players 4"));
            }
            (2, _) => Players::Two,
            (3, _) => Players::Three,
            _ => Players::Four,
        };
        let setup = match self.setup {
            Setup::Six => "six",
            Setup::Twelve => "twelve",
        };
        let missing = || format!("the set-up {setup} is not for {} players", self.players);
        Position::start(&set, setup, players).ok_or_else(|| Failure::new("no-set-up", missing()))
    }
}

fn load(file: &Path) -> Result<Set, Failure> {
    let text = records::read(file)?;
    ::contact::set::check(&text).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(|fault| format!("  {fault}")).collect();
        Failure::new("bad-set", format!("{}:\n{}", file.display(), faults.join("\n")))
    })
}

/// `parlor perft contact`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlor perft contact --setup six --players 2 --depth 3
  parlor perft contact --setup twelve --depth 4 --divide
  parlor perft contact --players 4 --partners --depth 3")]
pub(crate) struct Perft {
    #[command(flatten)]
    from: Where,
    /// How many moves deep
    #[arg(long)]
    depth: u32,
    /// By first move
    #[arg(long)]
    divide: bool,
}

/// Counts move sequences.
pub(crate) fn perft(ask: &Perft) -> Outcome {
    let position = ask.from.position()?;
    let start = Instant::now();
    let shares = ask.divide.then(|| ::contact::perft_divide(&position, ask.depth));
    let count = match &shares {
        Some(shares) if ask.depth > 0 => shares.iter().map(|share| share.count).sum(),
        _ => ::contact::perft(&position, ask.depth),
    };
    let seconds = start.elapsed().as_secs_f64();
    let mut text = String::new();
    for share in shares.iter().flatten() {
        let _ = writeln!(text, "{} {}", share.mv, share.count);
    }
    let _ = write!(text, "{count}  ({:.1} million a second)", count as f64 / seconds.max(1e-9) / 1e6);
    let mut json = json!({"depth": ask.depth, "count": count, "seconds": seconds});
    if let Some(shares) = shares {
        json["divide"] = json!(shares);
    }
    Ok(Answer::new(text, &json))
}

/// `parlor contact check`
pub(crate) fn check(file: &Path) -> Outcome {
    let text = records::read(file)?;
    match ::contact::set::check(&text) {
        Ok(_) => {
            Ok(Answer::new(format!("{} is a good set", file.display()), &json!({"good": true, "faults": []})))
        }
        Err(faults) => {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            let words = format!("{}:\n  {}", file.display(), faults.join("\n  "));
            Ok(Answer::new(words, &json!({"good": false, "faults": faults})).no())
        }
    }
}
