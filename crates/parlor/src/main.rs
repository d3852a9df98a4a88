//! The command `parlor`: what it can do, and where each thing is done.

mod address;
mod admin;
mod answer;
mod census;
mod contact;
mod cubo;
mod doctor;
mod home;
mod interrupt;
mod keep;
mod letters;
mod log;
mod machine;
mod manual;
mod play;
mod print;
mod progress;
mod records;
mod roulette;
mod serve;
mod settings;
mod simulate;
mod solve;
mod welcome;

use answer::{Failure, Form, Outcome, tell};
use clap::{CommandFactory, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// A quarter less processor time for every act that the server answers (BENCHMARKS.md).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Five lost tabletop games: I-Qubes, Scribbage, Contact, Cubo and Dice Roulette.
#[derive(Debug, Parser)]
#[command(
    name = "parlor",
    version,
    max_term_width = 100,
    after_help = "Without a command, parlor opens the house: parlor serve.

Exit codes: 0 yes, 1 no (no word, no such layout, a record that does not hold), 2 no answer (bad input,
a file that cannot be read), 130 interrupted by Ctrl-C, with what was found so far."
)]
struct Parlor {
    #[command(flatten)]
    form: Form,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Plays in this terminal: alone, around it, with bots, or at a table of a server
    Play(term::Ask),
    /// Opens the house: the page, the tables, the people
    Serve(serve::Serve),
    /// The settings that `parlor serve` would have with the same flags, and where each comes from
    #[command(after_help = "Example:
  parlor config

A setting is said by its flag; else by the environment, as PARLOR_LISTEN, or PARLOR_DATABASE_FILE for a file that
holds the value; else by parlor.toml in the folder one is in, or by the file --config names:

  listen = \"0.0.0.0:7777\"
  origin = [\"https://games.example\"]
  trust-proxy = true
  limit = { bots = 32, guests = 200 }")]
    Config(serve::Serve),
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
    /// The best lines of a position, as far as a search sees
    #[command(subcommand)]
    Best(Best),
    /// Matches between players, with Elo and its error
    #[command(subcommand)]
    Match(Match),
    /// The coach over a whole game of Contact, and sets of one's own
    #[command(subcommand)]
    Contact(Contact),
    /// Plays whole games between bots
    Simulate(simulate::Ask),
    /// Keeps the score, the time and the rules of a game with the real pieces
    #[command(
        subcommand,
        after_help = "A game is kept on disk after every line, and taken up again by the same command. Type help in it.

Example:
  printf 'R1 R4 B6 / B3 W4 B5 / R6 R4 B1\\nquit\\n' | parlor keep cubo --names Ann,Bob --new"
    )]
    Keep(keep::Keep),
    /// Writes a PDF to make the game from: dice, board, tiles, score sheets, rules
    Print(print::Ask),
    /// Completions for a shell, on the standard output
    #[command(after_help = "Example:\n  parlor completions bash > parlor.bash")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// The man page on the standard output, or one a command in a folder
    #[command(after_help = "Examples:\n  parlor man > parlor.1\n  parlor man --out man/")]
    Man {
        /// A folder for a page a command
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Copies a house into one file, while it runs or not: from its folder or its database
    #[command(after_help = "Examples:\n  parlor backup friday.db\n  parlor backup saturday.db --data data")]
    Backup {
        /// The file to write
        file: PathBuf,
        #[command(flatten)]
        house: home::Where,
    },
    /// Puts a copy made by `backup` where the house is, in a folder or a database; a house that was there is moved aside
    #[command(
        after_help = "Examples:\n  parlor backup friday.db --data data\n  parlor restore friday.db --data restored\n\nThe server must be stopped."
    )]
    Restore {
        /// The copy
        file: PathBuf,
        #[command(flatten)]
        house: home::Where,
    },
    /// A link that signs one browser in as administrator of a house, whether it runs or not
    #[command(
        after_help = "Examples:\n  parlor admin\n  parlor admin --at https://games.example\n  parlor admin --revoke"
    )]
    Admin(admin::Ask),
    /// The people of a house, whether it runs or not
    #[command(subcommand)]
    People(admin::People),
    /// The open tables of a house, whether it runs or not
    #[command(subcommand)]
    Tables(admin::Tables),
    /// Asks a house whether it can play: exit code 0 if so, else 1
    #[command(after_help = "Example:\n  parlor healthcheck --at 127.0.0.1:7777 || echo it is down")]
    Healthcheck {
        /// Where it listens
        #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7777", value_parser = address::listen)]
        at: std::net::SocketAddr,
    },
    /// Checks the machine (port, files, disk, folder, clock) and every record in a data folder
    #[command(
        after_help = "Example:\n  parlor doctor --data data\n\nExit code 1 when something is wrong; it says what, and what to do."
    )]
    Doctor {
        /// The folder of games and people, or a backup
        #[arg(long, default_value_os_t = serve::usual_folder())]
        data: PathBuf,
        /// Where the house is to listen
        #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7777", value_parser = address::listen)]
        listen: std::net::SocketAddr,
    },
    /// Moves a house from its folder to a PostgreSQL database, and reads every table back
    #[command(
        after_help = "Example:\n  parlor migrate --from data --to postgres://parlor@localhost/parlor\n\nThe server must be stopped. All of it arrives or nothing; the folder stays as it is."
    )]
    Migrate {
        /// The folder of games and people
        #[arg(long, default_value_os_t = serve::usual_folder())]
        from: PathBuf,
        /// The database: <postgres://user:password@host/name>; or set `PARLOR_DATABASE`, which no list of processes shows
        #[arg(long, value_name = "URL")]
        to: Option<String>,
    },
    /// Checks the record of a game: dice, rules, clocks, outcome
    #[command(
        after_help = "Examples:\n  parlor verify game.jsonl\n  parlor verify - < game.jsonl\n\nExit code 1 when the record does not hold; it says on which line, and why."
    )]
    Verify {
        /// The record (- for the standard input)
        record: PathBuf,
        /// What your own client was shown during the game: the record is held against it, too
        #[arg(long, value_name = "KEPT.JSON")]
        kept: Option<PathBuf>,
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
enum Best {
    /// From a set-up or any position
    Contact(contact::Best),
}

#[derive(Debug, Subcommand)]
enum Match {
    /// Two players of Contact, from both sides of random openings
    Contact(contact::Play),
}

#[derive(Debug, Subcommand)]
enum Contact {
    /// Says what is wrong with a set, and where
    #[command(after_help = "Example:\n  parlor contact check my-setup.toml")]
    Check {
        /// The TOML file (- for the standard input)
        file: PathBuf,
    },
    /// Marks every move of a game: best, good, slip or blunder, with the better one and what was threatened
    Review(contact::Review),
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
    let outcome = match &parlor.command {
        None | Some(Command::Serve(_) | Command::Config(_)) => house(parlor.form),
        Some(command) => run(command, parlor.form),
    };
    tell(outcome, parlor.form)
}

/// What needs the settings of a house: they are said in more places than the command line.
fn house(form: Form) -> Outcome {
    let settings = settings::settle(Parlor::command(), std::env::args_os().collect())?;
    let parlor =
        Parlor::try_parse_from(&settings.line).map_err(|fault| Failure::new("bad-setting", fault))?;
    match &parlor.command {
        Some(Command::Config(_)) => Ok(settings.shown()),
        Some(command) => run(command, form),
        None => serve::serve(&serve::Serve::default()),
    }
}

fn run(command: &Command, form: Form) -> Outcome {
    match command {
        Command::Play(ask) => play::play(ask),
        Command::Serve(ask) | Command::Config(ask) => serve::serve(ask),
        Command::Backup { file, house } => serve::backup(house, file),
        Command::Restore { file, house } => serve::restore(file, house),
        Command::Admin(ask) => admin::link(ask),
        Command::People(ask) => admin::people(ask),
        Command::Tables(ask) => admin::tables(ask),
        Command::Healthcheck { at } => Ok(serve::healthcheck(*at)),
        Command::Doctor { data, listen } => doctor::doctor(data, *listen),
        Command::Migrate { from, to } => serve::migrate(from, to.as_deref()),
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
        Command::Best(Best::Contact(ask)) => contact::best(ask),
        Command::Match(Match::Contact(ask)) => contact::play(ask),
        Command::Contact(Contact::Check { file }) => contact::check(file),
        Command::Contact(Contact::Review(ask)) => contact::review(ask),
        Command::Simulate(ask) => simulate::run(ask),
        Command::Keep(game) => keep::run(game, form),
        Command::Print(ask) => print::run(ask),
        Command::Completions { shell } => Ok(manual::completions(Parlor::command(), *shell)),
        Command::Man { out } => manual::man(Parlor::command(), out.as_deref()),
        Command::Verify { record, kept } => records::verify(record, kept.as_deref()),
        Command::Replay { record } => records::replay(record),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_parlor_opens_the_house() {
        assert!(Parlor::try_parse_from(["parlor"]).is_ok_and(|parlor| parlor.command.is_none()));
    }
}
