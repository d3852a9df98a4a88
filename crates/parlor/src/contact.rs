//! Contact at the workbench: perft, the best lines of a position, matches between players, the coach over a whole game, and
//! the check of a set of one's own.

use crate::answer::{Answer, Failure, Outcome};
use crate::interrupt;
use crate::progress::Progress;
use crate::records;
use ::contact::analysis::{Analysis, best_with};
use ::contact::coach::{Mark, Note, mark_game};
use ::contact::eval::Weights;
use ::contact::notation::GameText;
use ::contact::search::{Limits, Searcher, WON};
use ::contact::{Contact, Players, Position, Set, Side};
use clap::{Args, ValueEnum};
use contact_lab::contestant::Kind;
use contact_lab::matches::{self, Match, Sprt};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

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

impl Setup {
    const fn name(self) -> &'static str {
        match self {
            Setup::Six => "six",
            Setup::Twelve => "twelve",
        }
    }
}

fn players(count: u8, partners: bool) -> Result<Players, Failure> {
    match (count, partners) {
        (4, true) => Ok(Players::Partners),
        (_, true) => Err(Failure::new("partners", "partners play four at a table: add --players 4")),
        (2, _) => Ok(Players::Two),
        (3, _) => Ok(Players::Three),
        _ => Ok(Players::Four),
    }
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
        let players = players(self.players, self.partners)?;
        let setup = self.setup.name();
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

/// `parlor best contact`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlor best contact --time 1s --lines 3
  parlor best contact --setup twelve --time 200ms --json")]
pub(crate) struct Best {
    #[command(flatten)]
    from: Where,
    /// Think so long (10s, 500ms, 2m)
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = crate::solve::time)]
    time: Duration,
    /// Show so many lines
    #[arg(long, default_value_t = 1)]
    lines: usize,
    /// Search on so many threads; all cores, if nothing is said
    #[arg(long, value_parser = crate::solve::threads)]
    threads: Option<usize>,
}

/// The best lines of a position.
pub(crate) fn best(ask: &Best) -> Outcome {
    let position = ask.from.position()?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = ask.threads.unwrap_or_else(cores);
    let searcher = Searcher::together(&Weights::default(), 64, threads).heeding(interrupt::flag());
    let found = think(searcher, &position, ask.time, ask.lines.clamp(1, 50));
    let mut text = String::new();
    for line in &found.lines {
        let moves: Vec<String> = line.line.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "{}  depth {}  {}", line.says, line.depth, moves.join(" "));
    }
    if found.lines.is_empty() {
        text += "The game is over here: there is nothing to play.\n";
    }
    if let Some(count) = &found.count {
        let _ = writeln!(text, "The count: {count}.");
    }
    let _ =
        write!(text, "{} nodes, {:.1} million a second", found.nodes, found.nodes_per_second as f64 / 1e6);
    Ok(Answer::new(text, &found).so_far())
}

/// Searches so long, or until Ctrl-C.
fn think(mut searcher: Searcher<'_>, position: &Position, time: Duration, lines: usize) -> Analysis {
    let progress = Progress::new(time.as_secs(), "seconds");
    let (done, bell) = mpsc::channel::<()>();
    let found = std::thread::scope(|scope| {
        let progress = &progress;
        scope.spawn(move || {
            let start = Instant::now();
            while bell.recv_timeout(Duration::from_millis(30)) == Err(mpsc::RecvTimeoutError::Timeout) {
                progress.at(start.elapsed().as_secs());
            }
        });
        let found = best_with(&mut searcher, position, &Limits::time(time), lines);
        drop(done);
        found
    });
    progress.done();
    found
}

/// `parlor match contact`
#[derive(Debug, Args)]
#[command(
    after_help = "A player is level1 to level8, nodes:N, time:MILLISECONDS, uct:PLAYOUTS, mcts:PLAYOUTS or random.

Examples:
  parlor match contact --a level2 --b random --games 4
  parlor match contact --a level2 --b level1 --games 20 --sprt"
)]
pub(crate) struct Play {
    /// The player whose strength is asked for
    #[arg(long)]
    a: Kind,
    /// The player it is measured against
    #[arg(long)]
    b: Kind,
    /// At most so many games, from both sides of each opening
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// How games open: random moves of both sides
    #[arg(long, default_value = "random", value_parser = ["random"])]
    openings: String,
    /// How many random moves of each side open a game
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=20))]
    opening_moves: u32,
    /// The number that openings and players get their luck from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// On so many threads
    #[arg(long, default_value_t = 1, value_parser = crate::solve::threads)]
    threads: usize,
    /// Stop when a sequential test is decided: 100 Elo or none
    #[arg(long)]
    sprt: bool,
    /// The set-up
    #[arg(long, value_enum, default_value_t = Setup::Six)]
    setup: Setup,
    /// How many players; A sits in every second seat
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=4))]
    players: u8,
    /// Four players as two partnerships
    #[arg(long)]
    partners: bool,
}

/// Plays a match.
pub(crate) fn play(ask: &Play) -> Outcome {
    let play = Match {
        a: ask.a,
        b: ask.b,
        games: ask.games,
        setup: ask.setup.name().to_owned(),
        players: players(ask.players, ask.partners)?,
        opening: ask.opening_moves,
        seed: ask.seed,
        threads: ask.threads,
        sprt: ask.sprt.then(Sprt::default),
    };
    let progress = Progress::new(u64::from(ask.games), "games");
    let bar = progress.clone();
    let report = interrupt::or_latest(move |latest| {
        matches::run(&Set::default(), &play, |report| {
            bar.step();
            latest.set(Some(report.clone()));
        })
    });
    progress.done();
    match report {
        Some(Some(report)) => Ok(Answer::new(report.to_string(), &report).so_far()),
        _ if interrupt::asked() => {
            Ok(Answer::new("no game was played to its end", &json!({"games": 0})).so_far())
        }
        _ => Err(Failure::new("no-set-up", "this set-up is not for so many players")),
    }
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

/// `parlor contact review`
#[derive(Debug, Args)]
#[command(
    after_help = "The same answer everywhere: it thinks in nodes, not in seconds. The answer in JSON has the game in text, too.

Examples:
  parlor contact review contact.jsonl --nodes 1000
  printf '[start 15/15/15/15/15/15/8Nb6/15/15/7Sb7/15/15/15/15/sa14 s two]\\n1. a1-a2' | parlor contact review -"
)]
pub(crate) struct Review {
    /// A record, or a game in text as docs/notation.md has it (- for the standard input)
    game: PathBuf,
    /// Think so many nodes about each move
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    nodes: u64,
}

/// Marks every move of a game: best, good, slip or blunder, with the better one and what was threatened.
pub(crate) fn review(ask: &Review) -> Outcome {
    let game = read_game(&ask.game)?;
    interrupt::flag();
    let progress = Progress::new(game.moves.len() as u64, "moves");
    let limits = Limits::nodes(ask.nodes);
    let notes: Vec<Note> =
        mark_game(&game, &limits).inspect(|_| progress.step()).take_while(|_| !interrupt::asked()).collect();
    progress.done();
    let mut text = String::new();
    for note in &notes {
        let (number, by, mv) = (note.number, note.by.to_string(), note.mv.to_string());
        let _ = writeln!(text, "{number:>3}. {by:<5} {mv:<7} {:>6}  {}", points(note.score), note.words);
    }
    let marks = count(&notes);
    for (side, marks) in &marks {
        let marks: Vec<String> =
            marks.iter().map(|(mark, count)| format!("{count} {}", in_words(*mark))).collect();
        let _ = writeln!(text, "{side}: {}", marks.join(", "));
    }
    let json = json!({"game": game.to_string(), "notes": notes, "marks": marks});
    Ok(Answer::new(text.trim_end(), &json).so_far())
}

/// A score in points; beyond them there is an end in sight.
fn points(score: i32) -> String {
    match score {
        score if score > WON => "won".to_owned(),
        score if score < -WON => "lost".to_owned(),
        0 => "tie".to_owned(),
        score => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

/// How many moves of each side have which mark.
fn count(notes: &[Note]) -> BTreeMap<Side, BTreeMap<Mark, u32>> {
    let mut marks: BTreeMap<Side, BTreeMap<Mark, u32>> = BTreeMap::new();
    for note in notes {
        *marks.entry(note.by).or_default().entry(note.mark).or_default() += 1;
    }
    marks
}

const fn in_words(mark: Mark) -> &'static str {
    match mark {
        Mark::Best => "best",
        Mark::Good => "good",
        Mark::Slip => "slips",
        Mark::Blunder => "blunders",
        Mark::Forced => "forced",
    }
}

/// A game from its record, of which every line is checked, or from its text.
fn read_game(file: &Path) -> Result<GameText, Failure> {
    let text = records::read(file)?;
    if !text.trim_start().starts_with('{') {
        let read = text.parse::<GameText>();
        return read.map_err(|why| Failure::new("bad-game", format!("{}: {why}", file.display())));
    }
    let mut game = None;
    house::is_of(&text, house::Kind::Contact)
        .and_then(|()| table::verify::walk::<Contact>(&text, |table, _| game = Some(table.game().text())))
        .map_err(|fault| records::bad(file, &fault))?;
    game.ok_or_else(|| records::bad(file, &"nobody moved"))
}
