//! `parlor keep`: the scorekeeper. What it knows is in the crate `keep`; here are its options and its ends.

use crate::answer::{Answer, Failure, Form, Outcome};
use crate::solve::time;
use ::keep::{Desk, Dictionary, Terms};
use clap::{Args, Subcommand};
use serde_json::json;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

/// The games that can be kept.
#[derive(Debug, Subcommand)]
pub(crate) enum Keep {
    /// Crossword dice: layouts counted, second throws, bids
    #[command(
        name = "iqubes",
        after_help = "Example:\n  printf 'DASH/.TO*E\\nquit\\n' | parlor keep iqubes --names Ann,Bob --rounds 3"
    )]
    IQubes {
        /// How many rounds
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
        rounds: u32,
        /// All dice in one word count 15, or 30 in one colour
        #[arg(long)]
        long_word: bool,
        /// Fourteen dice
        #[arg(long)]
        two_sets: bool,
        #[command(flatten)]
        words: Words,
        #[command(flatten)]
        table: Table,
    },
    /// Crossword cubes: layouts counted, what is left over taken off
    #[command(
        after_help = "Example:\n  printf 'plant/i.r.w/c.m.o/k q\\nend\\n' | parlor keep scribbage --names Ann --think 1s"
    )]
    Scribbage {
        /// How many turns each [default: 4, and 1 alone]
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=50))]
        rounds: Option<u32>,
        /// Instead of turns, play until somebody has more than this
        #[arg(long, value_parser = clap::value_parser!(i32).range(1..=2000))]
        figure: Option<i32>,
        /// The young players' rule: separate words
        #[arg(long)]
        young: bool,
        #[command(flatten)]
        words: Words,
        #[command(flatten)]
        table: Table,
    },
    /// Nine dice each: cubos counted, exchanges followed
    #[command(
        after_help = "Example:\n  printf 'R1 R4 B6 / B3 W4 B5 / R6 R4 B1\\nlate\\nquit\\n' | parlor keep cubo --names Ann,Bob"
    )]
    Cubo {
        /// How many rounds
        #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=100))]
        rounds: u32,
        /// Straights count in any order
        #[arg(long)]
        any_order: bool,
        #[command(flatten)]
        table: Table,
    },
    /// Slips, throws and the bank
    #[command(
        after_help = "Example:\n  printf 'Ann 15=2 black=10\\nthrow 15\\nquit\\n' | parlor keep roulette --names Ann,Bob"
    )]
    Roulette {
        /// How many throws
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        throws: u32,
        /// Chips of each player at the start
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        chips: u32,
        /// Who holds the bank at the start [default: the house]
        #[arg(long, value_name = "NAME")]
        bank: Option<String>,
        #[command(flatten)]
        table: Table,
    },
    /// Moves checked by the referee
    #[command(
        after_help = "Example:\n  printf 'h2-h3\\nh14-h13\\nquit\\n' | parlor keep contact --names Ann,Bob"
    )]
    Contact {
        /// Twelve tiles each, for two
        #[arg(long)]
        twelve: bool,
        /// Four as two partnerships
        #[arg(long)]
        partners: bool,
        /// Who moves first: 1 for the first name
        #[arg(long, default_value_t = 1)]
        first: usize,
        #[command(flatten)]
        table: Table,
    },
}

/// Which words count.
#[derive(Debug, Args)]
pub(crate) struct Words {
    /// British spelling
    #[arg(long)]
    british: bool,
    /// No dictionary: the table decides
    #[arg(long, conflicts_with = "british")]
    no_dictionary: bool,
}

impl Words {
    const fn dictionary(&self) -> Dictionary {
        match (self.no_dictionary, self.british) {
            (true, _) => Dictionary::None,
            (_, true) => Dictionary::British,
            _ => Dictionary::House,
        }
    }
}

/// What every table has.
#[derive(Debug, Args)]
pub(crate) struct Table {
    /// Who plays, in the order they sit; asked for if left out
    #[arg(long, value_delimiter = ',')]
    names: Vec<String>,
    /// Where the game is kept [default: the game's name, .keep.json]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Begin anew, even if a game is kept there
    #[arg(long)]
    new: bool,
    /// Write the score sheet here at the end, as Markdown
    #[arg(long, value_name = "FILE")]
    sheet: Option<PathBuf>,
    /// How long the timer runs for a turn
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// How long to look for the best after each turn (0s: not at all)
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    think: Duration,
}

impl Keep {
    fn terms(&self) -> (Terms, &Table) {
        match self {
            Keep::IQubes { rounds, long_word, two_sets, words, table } => {
                let (long_word, two_sets, dictionary) = (*long_word, *two_sets, words.dictionary());
                (Terms::IQubes { rounds: *rounds, long_word, two_sets, dictionary }, table)
            }
            Keep::Scribbage { rounds, figure, young, words, table } => {
                let (figure, young, dictionary) = (*figure, *young, words.dictionary());
                (Terms::Scribbage { rounds: *rounds, figure, young, dictionary }, table)
            }
            Keep::Cubo { rounds, any_order, table } => {
                (Terms::Cubo { rounds: *rounds, any_order: *any_order }, table)
            }
            Keep::Roulette { throws, chips, bank, table } => {
                (Terms::Roulette { throws: *throws, chips: *chips, bank: bank.clone() }, table)
            }
            Keep::Contact { twelve, partners, first, table } => {
                (Terms::Contact { twelve: *twelve, partners: *partners, first: *first }, table)
            }
        }
    }
}

/// Keeps the score of a game. The talk is on the standard output; with `--json` it is on the standard error, and how
/// the players stand comes at the end.
pub(crate) fn run(keep: &Keep, form: Form) -> Outcome {
    let (terms, table) = keep.terms();
    let visible = io::stdin().is_terminal() && io::stderr().is_terminal();
    let desk = Desk {
        file: table.file.clone().unwrap_or_else(|| format!("{}.keep.json", terms.kind().name()).into()),
        sheet: table.sheet.clone(),
        think: (!table.think.is_zero()).then_some(table.think),
        seconds: table.time.map(|time| time.as_secs().clamp(1, 7200) as u32),
        visible,
        anew: table.new,
    };
    let mut out: Box<dyn Write> = if form.json { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
    let ended = ::keep::run(&terms, &table.names, &desk, &mut io::stdin().lock(), &mut out)
        .map_err(|why| Failure::new("keep", why))?;
    if !form.json {
        return Ok(Answer::silent());
    }
    let json = json!({
        "game": terms.kind(), "over": ended.over, "lines": ended.lines, "standing": ended.standing,
        "file": desk.file.display().to_string(), "sheet": ended.sheet,
    });
    Ok(Answer::new("", &json))
}
