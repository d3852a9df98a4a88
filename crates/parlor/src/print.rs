//! `parlor print`: a game to make with scissors and glue.

use crate::answer::{Answer, Failure, Outcome};
use ::print::Paper;
use clap::Args;
use house::Kind;
use serde_json::json;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// `parlor print`
#[derive(Debug, Args)]
#[command(
    after_help = "Nets of the dice, boards, tiles, score sheets and a page of rules, in real millimetres. Print at 100 %:
the ruler on each page must be 5 cm long. The tiles of Contact are printed on both sides of one sheet,
turned over its long edge.

Examples:
  parlor print contact
  parlor print cubo --paper letter --out cubo.pdf
  parlor print iqubes --out - > iqubes.pdf"
)]
pub(crate) struct Ask {
    #[arg(help = format!("The game: {}", Kind::names()))]
    game: Kind,
    /// The paper: a4 or letter
    #[arg(long, default_value = "a4")]
    paper: Paper,
    /// The file to write (- for the standard output) [default: the game's name, .pdf]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes the PDF.
pub(crate) fn run(ask: &Ask) -> Outcome {
    let file = ask.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.pdf", ask.game.name())));
    let to_pipe = file == Path::new("-");
    if to_pipe && io::stdout().is_terminal() {
        return Err(Failure::new("terminal", "a PDF is nothing for a terminal: name a file with --out"));
    }
    let pdf = ::print::book(ask.game, ask.paper).map_err(|why| Failure::new("pdf", why))?;
    let unwritable = |why: io::Error| Failure::new("unwritable", format!("{}: {why}", file.display()));
    if to_pipe {
        io::stdout().write_all(&pdf).map_err(unwritable)?;
        return Ok(Answer::silent());
    }
    std::fs::write(&file, &pdf).map_err(unwritable)?;
    let text =
        format!("{}: {} on {} paper, {} KB", file.display(), ask.game, ask.paper, pdf.len().div_ceil(1000));
    let json = json!({"file": file.display().to_string(), "game": ask.game, "paper": ask.paper.to_string(), "bytes": pdf.len()});
    Ok(Answer::new(text, &json))
}
