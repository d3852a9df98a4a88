//! Cubo at the workbench: the best cubo of a hand, the count of one, and the census of all throws.

use crate::answer::{Answer, Failure, Outcome};
use ::cubo::{Census, Count, Plan, Straights};
use clap::Args;
use std::fmt::Write;

/// How straights are read.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Reading {
    /// Count straights in any order (4-3-5), as an option of the game allows
    #[arg(long)]
    any_order: bool,
}

impl Reading {
    const fn straights(self) -> Straights {
        if self.any_order { Straights::AnyOrder } else { Straights::InOrder }
    }
}

/// `parlor solve cubo`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlor solve cubo \"R1 R2 R3 R4 B1 B2 B3 B4 W4\"
  parlor solve cubo \"R1 R2 R3 R4 B1 B2 B3 B4 W4\" --take R6 --json")]
pub(crate) struct Solve {
    /// Nine dice: eight of R or B and one W, each with its number
    hand: String,
    /// A die of the centre that will be taken: arrangement and exchange are chosen together
    #[arg(long)]
    take: Option<String>,
    #[command(flatten)]
    reading: Reading,
}

/// `parlor score cubo`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  parlor score cubo \"R1 R2 R3 / B1 W4 B2 / R4 B3 B4\"")]
pub(crate) struct Score {
    /// Three rows of three dice, parted by /, the white one in the middle
    cubo: String,
    #[command(flatten)]
    reading: Reading,
}

/// `parlor census cubo`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlor census cubo
  parlor census cubo --red 6 --json")]
pub(crate) struct AllThrows {
    /// How many of the eight coloured dice are red
    #[arg(long, default_value_t = 4)]
    red: u8,
    #[command(flatten)]
    reading: Reading,
}

fn misread(misread: &::cubo::Misread) -> Failure {
    table::Spoken::of(misread).into()
}

/// The best cubo of a hand.
pub(crate) fn solve(ask: &Solve) -> Outcome {
    let plan = ::cubo::solve_by(&ask.hand, ask.take.as_deref(), ask.reading.straights())
        .map_err(|fault| misread(&fault))?;
    let Plan { score, cubo, exchange } = &plan;
    let mut text = format!("{score} points\n{}", cubo.to_string().replace(" / ", "\n"));
    if let Some(exchange) = exchange {
        let _ = write!(text, "\ngive {}, take {}", exchange.out, exchange.taken);
    }
    Ok(Answer::new(text, &plan))
}

/// The count of a cubo.
pub(crate) fn score(ask: &Score) -> Outcome {
    let count = ::cubo::score_by(&ask.cubo, ask.reading.straights()).map_err(|fault| misread(&fault))?;
    let Count { rows, total } = &count;
    let mut text = String::new();
    for row in rows {
        let doubled = if row.doubled && row.points > 0 { ", doubled" } else { "" };
        let dice = row.dice.map(|die| die.to_string()).join(" ");
        let _ = writeln!(text, "{:<14} {dice}  {}{doubled}", row.row.to_string(), row.points);
    }
    let _ = write!(text, "total {total}");
    Ok(Answer::new(text, &count))
}

/// The best cubo over all throws.
pub(crate) fn census(ask: &AllThrows) -> Outcome {
    let census: &Census =
        ::cubo::census_by(ask.red, ask.reading.straights()).map_err(|fault| misread(&fault))?;
    let mut text = format!(
        "{} throws of {} red and {} blue dice and a white one: {} points on average, played perfectly\n",
        census.throws,
        census.red,
        8 - census.red,
        census.mean
    );
    for share in &census.distribution {
        let _ = writeln!(text, "{:>3} points: {:>9} throws", share.points, share.throws);
    }
    Ok(Answer::new(text, census))
}
