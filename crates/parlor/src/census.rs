//! `parlor census iqubes|scribbage`: the proven best of every throw (or of a fair sample), counted.

use crate::answer::{Answer, Failure, Outcome};
use crate::interrupt;
use crate::letters;
use crate::progress::Progress;
use clap::Args;
use serde_json::json;
use solver::{Dictionary, Problem, Search};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use words::{Counting, Face, Lexicon, Vocabulary};

/// `parlor census iqubes`
#[derive(Debug, Args)]
#[command(after_help = "All 279,936 throws of the seven dice, each solved and proven. With --keep it can be
interrupted (Ctrl-C sums up what is solved) and taken up again.

Examples:
  parlor census iqubes --keep census.tsv
  parlor census iqubes --limit 200 --json")]
pub(crate) struct AllIQubes {
    /// A file to keep what is solved in; if it is there, go on from it
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Only the first so many different throws
    #[arg(long)]
    limit: Option<usize>,
}

/// `parlor census scribbage`
#[derive(Debug, Args)]
#[command(after_help = "With --keep it can be interrupted and taken up again, with a larger sample too.

Examples:
  parlor census scribbage --sample 5 --seed 1
  parlor census scribbage --sample 6 --keep scribbage.tsv")]
pub(crate) struct SomeScribbage {
    /// How many throws
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    sample: u32,
    /// The number they are made from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A file to keep what is solved in; if it is there, go on from it
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

/// A throw that is solved: the best count, whether all its dice can be used, and how long the proof took.
#[derive(Clone, Debug)]
struct Solved {
    throw: String,
    best: i32,
    full: bool,
    micros: u64,
}

impl Solved {
    fn line(&self) -> String {
        format!("{}\t{}\t{}\t{}\n", self.throw, self.best, u8::from(self.full), self.micros)
    }

    fn read(line: &str) -> Option<Solved> {
        let mut fields = line.split('\t');
        let throw = fields.next()?.to_owned();
        let best = fields.next()?.parse().ok()?;
        let full = fields.next()? == "1";
        Some(Solved { throw, best, full, micros: fields.next()?.parse().ok()? })
    }
}

/// Every throw of I-Qubes, each different one solved once and weighed by how often it comes.
pub(crate) fn iqubes(ask: &AllIQubes) -> Outcome {
    let mut weights = iqubes_throws();
    if let Some(limit) = ask.limit {
        weights = weights.into_iter().take(limit).collect();
    }
    let dictionary = Dictionary::of(&Lexicon::house(), Vocabulary::WHOLE);
    count("iqubes", &weights, ask.keep.as_deref(), |throw| {
        let faces = throw.parse::<iqubes::Throw>().map(|throw| throw.faces()).unwrap_or_default();
        solve_one(throw, &faces, Counting::IQubes { long_word: false }, &dictionary)
    })
}

/// A fair sample of Scribbage throws.
pub(crate) fn scribbage(ask: &SomeScribbage) -> Outcome {
    let set = scribbage::Set::standard();
    let mut dice = letters::dice("scribbage", ask.seed)?;
    let mut weights = BTreeMap::new();
    for _ in 0..ask.sample {
        *weights.entry(set.throw(&mut dice).to_string()).or_insert(0) += 1;
    }
    let dictionary = Dictionary::of(&Lexicon::house(), Vocabulary::WHOLE);
    count("scribbage", &weights, ask.keep.as_deref(), |throw| {
        let faces = throw.parse::<scribbage::Throw>().map(|throw| throw.faces(&set)).unwrap_or_default();
        solve_one(throw, &faces, Counting::Scribbage, &dictionary)
    })
}

/// Solves the throws that are not kept already, and sums up all of them, each with its weight.
fn count(
    game: &str,
    weights: &BTreeMap<String, u64>,
    keep: Option<&Path>,
    solve: impl Fn(&str) -> Option<Solved> + Sync,
) -> Outcome {
    let start = Instant::now();
    let kept = keep.map(read_kept).transpose()?.unwrap_or_default();
    let mut solved: BTreeMap<String, Solved> =
        kept.into_iter().map(|solved| (solved.throw.clone(), solved)).collect();
    let todo: Vec<String> = weights.keys().filter(|throw| !solved.contains_key(*throw)).cloned().collect();
    let fresh = solve_all(&todo, keep.map(open_kept).transpose()?, solve)?;
    solved.extend(fresh.into_iter().map(|solved| (solved.throw.clone(), solved)));
    let rows: Vec<(Solved, u64)> =
        weights.iter().filter_map(|(throw, weight)| Some((solved.get(throw)?.clone(), *weight))).collect();
    Ok(summed_up(game, &rows, start))
}

/// The different throws of the seven dice, and how many of the 6⁷ each stands for.
fn iqubes_throws() -> BTreeMap<String, u64> {
    let set = iqubes::Set::standard();
    let mut partial: BTreeMap<String, u64> = BTreeMap::from([(String::new(), 1)]);
    for die in set.dice() {
        let mut next = BTreeMap::new();
        for (throw, weight) in &partial {
            for &face in die {
                let mut faces: Vec<char> = throw.chars().chain([char::from(face)]).collect();
                faces.sort_unstable();
                *next.entry(faces.into_iter().collect()).or_insert(0) += weight;
            }
        }
        partial = next;
    }
    partial
}

fn solve_one(throw: &str, faces: &[Face], counting: Counting, dictionary: &Dictionary) -> Option<Solved> {
    let start = Instant::now();
    let problem = Problem::new(faces, counting, dictionary).ok()?;
    let best = Search::new(&problem).stop_when(interrupt::flag()).run().proven()?.clone();
    let micros = start.elapsed().as_micros() as u64;
    let full = best.layout().dice.len() == faces.len() || {
        let full = problem.using_all_dice();
        Search::new(&full).stop_when(interrupt::flag()).run().answer().is_some()
    };
    // What was cut short is not known, and is solved another time.
    (!interrupt::asked()).then(|| Solved { throw: throw.to_owned(), best: best.score(), full, micros })
}

/// Solves on all cores, keeping each result as it comes.
fn solve_all(
    throws: &[String],
    keep: Option<File>,
    solve: impl Fn(&str) -> Option<Solved> + Sync,
) -> Result<Vec<Solved>, Failure> {
    let next = AtomicUsize::new(0);
    interrupt::flag();
    let progress = Progress::new(throws.len() as u64, "throws");
    let done = Mutex::new((Vec::with_capacity(throws.len()), keep, Ok(())));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(throw) = throws.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if interrupt::asked() {
                        return;
                    }
                    let Some(solved) = solve(throw) else { continue };
                    let Ok(mut done) = done.lock() else { return };
                    if let Some(file) = &mut done.1
                        && let Err(why) = file.write_all(solved.line().as_bytes())
                    {
                        done.2 = Err(Failure::new("unwritable", why));
                        return;
                    }
                    done.0.push(solved);
                    progress.step();
                }
            });
        }
    });
    progress.done();
    let (solved, _, written) =
        done.into_inner().map_err(|_| Failure::new("census", "a search broke down"))?;
    written?;
    if solved.len() < throws.len() && !interrupt::asked() {
        return Err(Failure::new(
            "census",
            format!("{} throws were not solved", throws.len() - solved.len()),
        ));
    }
    Ok(solved)
}

fn read_kept(file: &Path) -> Result<Vec<Solved>, Failure> {
    if !file.exists() {
        return Ok(Vec::new());
    }
    let text = crate::records::read(file)?;
    // A last line that was cut by an interruption is solved again.
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    Ok(whole.lines().filter_map(Solved::read).collect())
}

fn open_kept(file: &Path) -> Result<File, Failure> {
    let unwritable = |why: io::Error| Failure::new("unwritable", format!("{}: {why}", file.display()));
    let mut opened =
        OpenOptions::new().create(true).read(true).append(true).open(file).map_err(unwritable)?;
    // What comes next starts on a line of its own, after one that was cut too.
    let mut last = [b'\n'];
    if opened.seek(SeekFrom::End(-1)).is_ok() {
        opened.read_exact(&mut last).map_err(unwritable)?;
    }
    if last != [b'\n'] {
        opened.write_all(b"\n").map_err(unwritable)?;
    }
    Ok(opened)
}

fn summed_up(game: &str, rows: &[(Solved, u64)], start: Instant) -> Answer {
    let throws: u64 = rows.iter().map(|(_, weight)| weight).sum();
    let total: i64 = rows.iter().map(|(solved, weight)| i64::from(solved.best) * *weight as i64).sum();
    let full: u64 = rows.iter().filter(|(solved, _)| solved.full).map(|(_, weight)| weight).sum();
    let mut shares: BTreeMap<i32, u64> = BTreeMap::new();
    for (solved, weight) in rows {
        *shares.entry(solved.best).or_default() += weight;
    }
    let mut times: Vec<u64> = rows.iter().map(|(solved, _)| solved.micros).collect();
    times.sort_unstable();
    let at =
        |percent: usize| times.get((times.len() * percent / 100).min(times.len().saturating_sub(1))).copied();
    let slowest = rows.iter().max_by_key(|(solved, _)| solved.micros).map(|(solved, _)| solved.throw.clone());
    let mean = total as f64 / throws.max(1) as f64;
    let mut text = format!(
        "{throws} throws of {game} ({} different), each solved and proven: {mean:.4} points on average; all dice can be used in {:.2} %\n",
        rows.len(),
        100.0 * full as f64 / throws.max(1) as f64
    );
    for (best, count) in &shares {
        let _ = writeln!(text, "{best:>4} points: {count:>7} throws");
    }
    let _ = write!(
        text,
        "proofs took {} µs at the median, {} at 99 %, {} at most ({}); {:.1} s in all",
        at(50).unwrap_or(0),
        at(99).unwrap_or(0),
        times.last().unwrap_or(&0),
        slowest.as_deref().unwrap_or("-"),
        start.elapsed().as_secs_f64()
    );
    let json = json!({
        "game": game, "throws": throws, "different": rows.len(), "sum": total, "mean": mean, "full": full,
        "distribution": shares.iter().map(|(best, count)| json!({"points": best, "throws": count})).collect::<Vec<_>>(),
        "micros": {"p50": at(50), "p90": at(90), "p99": at(99), "max": times.last(), "slowest": slowest},
        "seconds": start.elapsed().as_secs_f64(),
    });
    Answer::new(text, &json).so_far()
}
