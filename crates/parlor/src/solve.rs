//! `parlor solve iqubes|scribbage`: the best layout of a throw, with its proof.

use crate::answer::{Answer, Failure, Outcome};
use crate::interrupt;
use crate::letters::WordList;
use crate::progress::Progress;
use crate::records;
use clap::Args;
use house::{Kind, LayoutQuestion};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// What both games may ask of a layout.
#[derive(Debug, Args)]
pub(crate) struct Wishes {
    /// Stop after so long (10s, 500ms, 2m) with the best found and its bound
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// Search on so many threads
    #[arg(long, default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// A set of dice of one's own, a TOML file
    #[arg(long, value_name = "FILE")]
    set: Option<PathBuf>,
    /// Take any letters, whether the dice could show them or not
    #[arg(long)]
    any_letters: bool,
    /// The layout must use every die
    #[arg(long)]
    all_dice: bool,
    /// The layout must have this word
    #[arg(long, value_name = "WORD")]
    using: Option<String>,
    /// Only words of this tier or below: 10, 20, 35, 40, 50, 55, 60 or 70
    #[arg(long)]
    tier: Option<u8>,
    /// Go on from this layout: its dice stay where they are
    #[arg(long, value_name = "LAYOUT")]
    from: Option<String>,
    /// Show up to so many layouts that count the most, no two of them alike
    #[arg(long, value_name = "N")]
    all: Option<usize>,
    /// Take words that most people would rather not see, too
    #[arg(long)]
    offensive: bool,
    #[command(flatten)]
    list: WordList,
}

/// `parlor solve iqubes`
#[derive(Debug, Args)]
#[command(after_help = "Upper case is red, lower case black, ! the red WILD, ? the black one.

Examples:
  parlor solve iqubes \"DASHTo!\"
  parlor solve iqubes \"DASHTo!\" --long-word --all 3 --json
  parlor solve iqubes \"DASHTo!\" --using dash --tier 35")]
pub(crate) struct SolveIQubes {
    /// The dice: one set or two
    throw: String,
    /// All dice in one word count 15, or 30 in one colour
    #[arg(long)]
    long_word: bool,
    #[command(flatten)]
    wishes: Wishes,
}

/// `parlor solve scribbage`
#[derive(Debug, Args)]
#[command(after_help = "? (or *) is a joker.

Examples:
  parlor solve scribbage \"PLANTICKRMWO?\" --time 10s
  parlor solve scribbage \"PLANTICKRMWOQ\" --young
  parlor solve scribbage \"PLANTICKRMWOQ\" --from \"plant\" --time 5s --json")]
pub(crate) struct SolveScribbage {
    /// The cubes
    throw: String,
    /// By the young players' rule: separate words
    #[arg(long)]
    young: bool,
    #[command(flatten)]
    wishes: Wishes,
}

/// A number of threads, as many as a large machine has cores.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| (1..=256).contains(threads));
    threads.ok_or_else(|| "say 1 to 256 threads".to_owned())
}

/// A time as people write it.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let end = text.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = match unit {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" => 60.0,
        _ => return Err("write a time as 500ms, 10s or 2m".to_owned()),
    };
    let seconds = number.parse::<f64>().map_err(|_| "write a time as 500ms, 10s or 2m".to_owned())? * unit;
    Duration::try_from_secs_f64(seconds).map_err(|why| why.to_string())
}

/// The best layout of I-Qubes dice.
pub(crate) fn iqubes(ask: &SolveIQubes) -> Outcome {
    let question =
        LayoutQuestion { dice: ask.throw.clone(), long_word: ask.long_word, ..ask.wishes.question()? };
    solve(Kind::IQubes, &question, ask.wishes.time)
}

/// The best layout of Scribbage cubes.
pub(crate) fn scribbage(ask: &SolveScribbage) -> Outcome {
    let question = LayoutQuestion { dice: ask.throw.clone(), young: ask.young, ..ask.wishes.question()? };
    solve(Kind::Scribbage, &question, ask.wishes.time)
}

impl Wishes {
    fn question(&self) -> Result<LayoutQuestion, Failure> {
        let lexicon = self.list.lexicon()?;
        Ok(LayoutQuestion {
            all_dice: self.all_dice,
            using: self.using.clone(),
            tier: self.tier,
            from: self.from.clone(),
            all: self.all,
            offensive: self.offensive,
            any_letters: self.any_letters,
            words: Some(words::shelf::install(lexicon)),
            set: self.set.as_deref().map(records::read).transpose()?,
            threads: Some(self.threads),
            ..LayoutQuestion::default()
        })
    }
}

/// Asks the house, and tells the search to stop when time is up.
fn solve(kind: Kind, question: &LayoutQuestion, limit: Option<Duration>) -> Outcome {
    let question = serde_json::to_value(question).unwrap_or_default();
    let start = Instant::now();
    let stop = interrupt::flag();
    let late = AtomicBool::new(false);
    let progress = Progress::endless();
    let (done, bell) = mpsc::channel::<()>();
    let answer = std::thread::scope(|scope| {
        let late = &late;
        scope.spawn(move || wait(&bell, limit, stop, late));
        let mut news = |now: Value| {
            let best = now["score"]
                .as_i64()
                .map_or_else(|| "nothing yet".to_owned(), |best| format!("{best} points"));
            progress.says(format!("{best}, no layout counts over {}", now["bound"]));
        };
        let answer = house::engine(kind).solve(question, late, &mut news);
        drop(done);
        answer
    });
    progress.done();
    let mut json = answer?;
    let ms = start.elapsed().as_secs_f64() * 1000.0;
    json["ms"] = json!((ms * 1000.0).round() / 1000.0);
    if let (Some(says), None) = (json["says"].as_str(), json["score"].as_i64()) {
        return Ok(Answer::new(says.to_owned(), &json).no().so_far());
    }
    Ok(Answer::new(words_of(&json), &json).so_far())
}

/// Waits until the answer hangs up; when time is up, or Ctrl-C was pressed, it is late.
fn wait(bell: &mpsc::Receiver<()>, limit: Option<Duration>, stop: &AtomicBool, late: &AtomicBool) {
    let start = Instant::now();
    let up = |limit: Duration| start.elapsed() >= limit;
    let step = |limit: Duration| limit.saturating_sub(start.elapsed()).min(Duration::from_millis(30));
    while bell.recv_timeout(limit.map_or(Duration::from_millis(30), step))
        == Err(mpsc::RecvTimeoutError::Timeout)
    {
        if stop.load(Ordering::Relaxed) || limit.is_some_and(up) {
            late.store(true, Ordering::Relaxed);
            return;
        }
    }
}

fn words_of(json: &Value) -> String {
    let list = |key: &str| json[key].as_array().cloned().unwrap_or_default();
    let rows: Vec<String> = list("layout").iter().filter_map(|row| row.as_str().map(str::to_owned)).collect();
    let words: Vec<String> = list("words")
        .iter()
        .map(|word| format!("{} {}", word["word"].as_str().unwrap_or("?"), word["points"]))
        .collect();
    let sure = match json["proof"].as_str() {
        Some("accepted") => "proven: no layout counts more".to_owned(),
        Some(_) => json["says"]
            .as_str()
            .unwrap_or_default()
            .trim_end_matches('.')
            .replacen("The most", "the most", 1),
        None => format!("not proven; no layout counts over {}", json["bound"]),
    };
    let unused = json["unused"].as_str().filter(|unused| !unused.is_empty());
    let left = unused.map_or_else(String::new, |unused| format!("\nleft over: {unused}"));
    format!(
        "{} points ({sure}; {} ms)\n\n{}\n\n{}{left}",
        json["score"],
        json["ms"],
        rows.join("\n"),
        words.join(", ")
    ) + &others(json)
}

fn others(json: &Value) -> String {
    let Some(all) = json["all"]["layouts"].as_array() else { return String::new() };
    let more = if json["all"]["complete"] == true { "" } else { " at least" };
    let mut text = format!("\n\n{}{more} layouts count this much", all.len());
    for rows in all.iter().skip(1) {
        let rows = rows.as_array().into_iter().flatten().filter_map(Value::as_str);
        let _ = write!(text, "\n\n{}", rows.collect::<Vec<_>>().join("\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(time("2m"), Ok(Duration::from_mins(2)));
        for bad in ["", "s", "fast", "-1s", "1h", "1e400s"] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }
}
