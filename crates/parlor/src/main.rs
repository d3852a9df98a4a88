//! The command `parlor`: what it can do, and where each thing is done.

mod answer;
mod census;
mod contact;
mod cubo;
mod letters;
mod progress;
mod records;
mod roulette;
mod simulate;
mod solve;

use answer::{Form, Outcome, tell};
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Five lost tabletop games: I-Qubes, Scribbage, Contact, Cubo and Dice Roulette.
#[derive(Debug, Parser)]
#[command(
    name = "parlor",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
)]
struct Parlor {
    #[command(flatten)]
    form: Form,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The best there is in a throw or a hand, proven
    #[command(subcommand)]
    Solve(Solve),
    /// What a layout or a cubo counts
    #[command(subcommand)]
    Score(Score),
    /// The exact odds of a slip
    #[command(subcommand)]
    Odds(Odds),
    /// The best over all throws, counted exactly
    #[command(subcommand)]
    Census(Census),
    /// Whether it is a word, how common it is, and what is near it
    Word(letters::Ask),
    /// A throw of letter dice
    #[command(subcommand)]
    Throw(Throw),
    /// The number of move sequences, the referee of move generation
    #[command(subcommand)]
    Perft(Perft),
    /// Sets of one's own for Contact
    #[command(subcommand)]
    Contact(Contact),
    /// Plays whole games between bots
    Simulate(simulate::Ask),
    /// Checks the record of a game: dice, rules, clocks, outcome
    #[command(
        after_help = "Examples:\n  parlor verify game.jsonl\n  parlor verify - < game.jsonl\n\nExit code 1 when the record does not hold; it says on which line, and why."
    )]
    Verify {
        /// The record (- for the standard input)
        record: PathBuf,
    },
    /// Shows the record of a game, event by event
    #[command(after_help = "Example:\n  parlor replay game.jsonl")]
    Replay {
        /// The record (- for the standard input)
        record: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
enum Solve {
    /// The best layout of I-Qubes dice
    #[command(name = "iqubes")]
    IQubes(solve::SolveIQubes),
    /// The best layout of Scribbage cubes
    Scribbage(solve::SolveScribbage),
    /// The best cubo of nine dice, and with a die to take the best exchange
    Cubo(cubo::Solve),
}

#[derive(Debug, Subcommand)]
enum Throw {
    /// The seven dice of I-Qubes
    #[command(name = "iqubes", after_help = "Example:\n  parlor throw iqubes --seed 7 --two-sets")]
    IQubes(letters::Throw),
    /// The thirteen cubes of Scribbage
    #[command(after_help = "Example:\n  parlor throw scribbage --seed 7")]
    Scribbage(letters::Throw),
}

#[derive(Debug, Subcommand)]
enum Perft {
    /// From a set-up or any position
    Contact(contact::Perft),
}

#[derive(Debug, Subcommand)]
enum Contact {
    /// Says what is wrong with a set, and where
    #[command(after_help = "Example:\n  parlor contact check my-setup.toml")]
    Check {
        /// The TOML file (- for the standard input)
        file: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
enum Score {
    /// The words and the count of an I-Qubes layout
    #[command(name = "iqubes")]
    IQubes(letters::ScoreIQubes),
    /// The words and the count of a Scribbage layout
    Scribbage(letters::ScoreScribbage),
    /// Each row of a cubo, and the total
    Cubo(cubo::Score),
}

#[derive(Debug, Subcommand)]
enum Odds {
    /// Expectation, variance and net of every number for a Dice Roulette slip
    Roulette(roulette::Odds),
}

#[derive(Debug, Subcommand)]
enum Census {
    /// The best layout of all 6⁷ throws of I-Qubes
    #[command(name = "iqubes")]
    IQubes(census::AllIQubes),
    /// The best layout of a sample of Scribbage throws
    Scribbage(census::SomeScribbage),
    /// The best cubo over all 6⁹ throws of a colour stock
    Cubo(cubo::AllThrows),
}

fn main() -> ExitCode {
    let parlor = Parlor::parse();
    tell(run(&parlor.command), parlor.form)
}

fn run(command: &Command) -> Outcome {
    match command {
        Command::Solve(Solve::Cubo(ask)) => cubo::solve(ask),
        Command::Solve(Solve::IQubes(ask)) => solve::iqubes(ask),
        Command::Solve(Solve::Scribbage(ask)) => solve::scribbage(ask),
        Command::Score(Score::Cubo(ask)) => cubo::score(ask),
        Command::Odds(Odds::Roulette(ask)) => roulette::odds(ask),
        Command::Census(Census::Cubo(ask)) => cubo::census(ask),
        Command::Census(Census::IQubes(ask)) => census::iqubes(ask),
        Command::Census(Census::Scribbage(ask)) => census::scribbage(ask),
        Command::Score(Score::IQubes(ask)) => letters::score_iqubes(ask),
        Command::Score(Score::Scribbage(ask)) => letters::score_scribbage(ask),
        Command::Word(ask) => letters::word(ask),
        Command::Throw(Throw::IQubes(ask)) => letters::throw_iqubes(ask),
        Command::Throw(Throw::Scribbage(ask)) => letters::throw_scribbage(ask),
        Command::Perft(Perft::Contact(ask)) => contact::perft(ask),
        Command::Contact(Contact::Check { file }) => contact::check(file),
        Command::Simulate(ask) => simulate::run(ask),
        Command::Verify { record } => records::verify(record),
        Command::Replay { record } => records::replay(record),
    }
}
