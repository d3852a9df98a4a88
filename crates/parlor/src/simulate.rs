//! `parlor simulate`: whole games between bots, as a soak and as a source of records.

use crate::answer::{Answer, Failure, Outcome};
use crate::interrupt;
use crate::progress::Progress;
use clap::Args;
use house::{Ending, Kind, Setting};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

/// What `parlor simulate` is asked.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlor simulate cubo --games 20 --seed 7 --bots 3,5
  parlor simulate roulette --games 5 --options '{\"throws\":100}' --bots 1,2,3,4,5
  parlor simulate contact --games 1 --bots 2,2 --records games/")]
pub(crate) struct Ask {
    #[arg(help = format!("The game: {}", Kind::names()))]
    game: Kind,
    /// How many games
    #[arg(long, default_value_t = 1)]
    games: u64,
    /// The number the first game is made from; the same number gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The level of the bot in each seat
    #[arg(long, value_delimiter = ',', default_value = "3,3")]
    bots: Vec<u8>,
    /// The table's options, in JSON; what is left out takes its default
    #[arg(long, default_value = "{}")]
    options: String,
    /// A folder to write the records to, one file a game
    #[arg(long)]
    records: Option<PathBuf>,
}

#[derive(Default, Serialize)]
struct Tally {
    game: String,
    games: u64,
    events: u64,
    /// Table time of all games, in seconds.
    table_seconds: u64,
    /// Seconds it took.
    seconds: f64,
    /// How many games ended in a tie.
    tied: u64,
    /// For each seat: how often it won, alone or with its partners, how often it tied for the first place, and the sum of
    /// its scores.
    wins: Vec<u64>,
    ties: Vec<u64>,
    scores: Vec<i64>,
    records: Vec<String>,
}

impl Tally {
    /// One more game, and how it came out.
    fn add(&mut self, setting: &Setting, outcome: &table::Outcome) {
        let ending = Ending::of(setting.kind, &setting.options, outcome);
        self.tied += u64::from(ending.tie);
        let first = if ending.tie { &mut self.ties } else { &mut self.wins };
        for seat in &ending.first {
            first[seat.index()] += 1;
        }
        for (sum, score) in self.scores.iter_mut().zip(&outcome.scores) {
            *sum += score;
        }
    }
}

/// Plays the games.
pub(crate) fn run(ask: &Ask) -> Outcome {
    let options: Value = serde_json::from_str(&ask.options)
        .map_err(|why| Failure::new("bad-options", format!("--options: {why}")))?;
    let setting = Setting::new(ask.game, options)?;
    let most = house::levels(ask.game);
    if let Some(level) = ask.bots.iter().find(|level| !(1..=most).contains(level)) {
        let says = format!("--bots: {} has no bot of level {level}; say 1 to {most}", ask.game.title());
        return Err(Failure::new("bad-level", says));
    }
    if let Some(folder) = &ask.records {
        std::fs::create_dir_all(folder).map_err(|why| unwritable(folder, &why))?;
    }
    let seats = ask.bots.len();
    let mut tally = Tally {
        game: ask.game.name().into(),
        wins: vec![0; seats],
        ties: vec![0; seats],
        scores: vec![0; seats],
        ..Tally::default()
    };
    let progress = Progress::new(ask.games, "games");
    let start = Instant::now();
    interrupt::flag();
    for game in 0..ask.games {
        if interrupt::asked() {
            break;
        }
        let number = ask.seed.wrapping_add(game);
        let played = house::simulate(&setting, &ask.bots, number, ask.records.is_some())?;
        tally.games += 1;
        tally.events += played.events;
        tally.table_seconds += played.lasted.0 / 1000;
        tally.add(&setting, &played.outcome);
        if let (Some(folder), Some(record)) = (&ask.records, &played.record) {
            let path = folder.join(format!("{}-{number}.jsonl", ask.game.name()));
            std::fs::write(&path, record).map_err(|why| unwritable(&path, &why))?;
            tally.records.push(path.display().to_string());
        }
        progress.step();
    }
    tally.seconds = start.elapsed().as_secs_f64();
    progress.done();
    Ok(Answer::new(words(&tally, &ask.bots), &tally).so_far())
}

fn unwritable(path: &std::path::Path, why: &std::io::Error) -> Failure {
    Failure::new("unwritable", format!("{}: {why}", path.display()))
}

fn words(tally: &Tally, bots: &[u8]) -> String {
    let mut text = format!(
        "{} games of {}, {} of them tied: {} events in {:.2} s ({:.0} a second)\n",
        tally.games,
        tally.game,
        tally.tied,
        tally.events,
        tally.seconds,
        tally.events as f64 / tally.seconds.max(1e-9)
    );
    for (seat, level) in bots.iter().enumerate() {
        let mean = tally.scores[seat] as f64 / tally.games.max(1) as f64;
        let _ = writeln!(
            text,
            "  seat {} (level {level}): {} won, {} tied, {mean:.1} points a game",
            seat + 1,
            tally.wins[seat],
            tally.ties[seat]
        );
    }
    text
}
