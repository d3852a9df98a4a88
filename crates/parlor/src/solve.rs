//! `parlor solve iqubes|scribbage`: the best layout of a throw, with its proof.

use crate::answer::{Answer, Failure, Outcome};
use crate::letters::WordList;
use crate::records;
use clap::Args;
use serde_json::{Value, json};
use solver::{Dictionary, Problem, ProblemError, Progress, Search};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};
use words::notation::{self, Style};
use words::{Counting, Face, Layout, Tier, Vocabulary};

/// What both games may ask of a layout.
#[derive(Debug, Args)]
pub(crate) struct Wishes {
    /// Stop after so long (10s, 500ms, 2m) with the best found and its bound
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// Search on so many threads
    #[arg(long, default_value_t = 1)]
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
    /// Lay words that most people would rather not see
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

/// A time as people write it.
fn time(text: &str) -> Result<Duration, String> {
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
    let throw =
        iqubes::Throw::from_str(ask.throw.trim()).map_err(|fault| Failure::new("no-such-die", fault))?;
    let set = match &ask.wishes.set {
        Some(file) => {
            iqubes::Set::from_toml(&records::read(file)?).map_err(|fault| Failure::new("bad-set", fault))?
        }
        None => iqubes::Set::standard(),
    };
    if !ask.wishes.any_letters {
        let dice = [set.dice().as_slice(), set.dice().as_slice()].concat();
        can_be_thrown(&throw.0, &dice, "two sets of seven dice")?;
    }
    let counting = Counting::IQubes { long_word: ask.long_word };
    solve(&throw.faces(), counting, Style::Colours, &ask.wishes)
}

/// The best layout of Scribbage cubes.
pub(crate) fn scribbage(ask: &SolveScribbage) -> Outcome {
    let text = ask.throw.trim().replace('?', "*");
    let throw = scribbage::Throw::from_str(&text).map_err(|fault| Failure::new("no-such-cube", fault))?;
    let set = match &ask.wishes.set {
        Some(file) => scribbage::Set::from_toml(&records::read(file)?)
            .map_err(|fault| Failure::new("bad-set", fault))?,
        None => scribbage::Set::standard(),
    };
    if !ask.wishes.any_letters {
        can_be_thrown(&throw.0, set.cubes(), "the thirteen cubes")?;
    }
    let counting = if ask.young { Counting::Young } else { Counting::Scribbage };
    solve(&throw.faces(&set), counting, Style::Jokers, &ask.wishes)
}

/// Whether each face can be given a die of its own that has it; if not, says which face is one too many.
fn can_be_thrown<F: Copy + PartialEq + std::fmt::Display>(
    faces: &[F],
    dice: &[[F; 6]],
    which: &str,
) -> Result<(), Failure> {
    if faces.len() > dice.len() {
        let says = format!("{} dice are too many: {which} have {}", faces.len(), dice.len());
        return Err(Failure::new("too-many-dice", says));
    }
    let mut shows: Vec<Option<usize>> = vec![None; dice.len()];
    for (number, face) in faces.iter().enumerate() {
        if !find_die(number, faces, dice, &mut shows, &mut vec![false; dice.len()]) {
            let says = format!(
                "{which} cannot show {face} (letter {} of the throw) together with what stands before it; \
                 check the throw, or take any letters with --any-letters",
                number + 1
            );
            return Err(Failure::new("cannot-be-thrown", says));
        }
    }
    Ok(())
}

/// Finds a die for a face, moving others aside where they have another die to go to (Kuhn's matching).
fn find_die<F: Copy + PartialEq>(
    face: usize,
    faces: &[F],
    dice: &[[F; 6]],
    shows: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for die in 0..dice.len() {
        if tried[die] || !dice[die].contains(&faces[face]) {
            continue;
        }
        tried[die] = true;
        if shows[die].is_none_or(|other| find_die(other, faces, dice, shows, tried)) {
            shows[die] = Some(face);
            return true;
        }
    }
    false
}

fn solve(faces: &[Face], counting: Counting, style: Style, wishes: &Wishes) -> Outcome {
    let lexicon = wishes.list.lexicon()?;
    let tier =
        wishes.tier.map(Tier::try_from).transpose().map_err(|fault| Failure::new("no-such-tier", fault))?;
    let vocabulary = Vocabulary { tier_max: tier.unwrap_or(Tier::T70), clean: !wishes.offensive };
    let dictionary = Dictionary::of(&lexicon, vocabulary);
    let refused = |fault: ProblemError| Failure::new("bad-question", fault);
    let mut problem = Problem::new(faces, counting, &dictionary).map_err(refused)?;
    if wishes.all_dice {
        problem = problem.using_all_dice();
    }
    if let Some(word) = &wishes.using {
        let word =
            word.parse().map_err(|fault| Failure::new("not-letters", format!("\"{word}\": {fault}")))?;
        problem = problem.using_word(word).map_err(refused)?;
    }
    if let Some(text) = &wishes.from {
        let start =
            notation::read_with(text, style, faces).map_err(|fault| Failure::new("bad-layout", fault))?;
        problem = problem.extending(&start).map_err(refused)?;
    }
    let start = Instant::now();
    let mut nodes = 0;
    let search = Search::new(&problem).threads(wishes.threads);
    let outcome = search.run_with(|progress: Progress<'_>| {
        nodes = progress.nodes;
        let late = wishes.time.is_some_and(|time| start.elapsed() >= time);
        if late { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let ms = start.elapsed().as_secs_f64() * 1000.0;
    let proven = outcome.proven().is_some();
    let Some(answer) = outcome.answer() else {
        let says = match outcome {
            solver::Outcome::Unanswered { bound } => {
                format!("No such layout was found in this time; none counts over {bound}.")
            }
            _ => "There is no such layout: that is proven.".to_owned(),
        };
        let json =
            json!({"score": Value::Null, "proven": matches!(outcome, solver::Outcome::Impossible), "ms": ms});
        return Ok(Answer::new(says, &json).no());
    };
    let mut json = tell(&answer.layout, faces, counting, style, &lexicon);
    json["bound"] = json!(answer.bound);
    json["proven"] = json!(proven);
    json["nodes"] = json!(nodes);
    json["ms"] = json!((ms * 1000.0).round() / 1000.0);
    let mut text = words_of(&json);
    if let Some(cap) = wishes.all {
        let all = search.all_best(cap);
        let layouts: Vec<Value> =
            all.layouts.iter().map(|layout| json!(notation::rows(layout, faces, style))).collect();
        text += &format!(
            "\n{} layouts count this much{}",
            layouts.len(),
            if all.complete { "" } else { ", at least" }
        );
        json["all"] = json!({"layouts": layouts, "complete": all.complete});
    }
    Ok(Answer::new(text, &json))
}

/// A layout as JSON: its score, rows, words and what is left over. Counted anew by the layout's own arithmetic.
fn tell(
    layout: &Layout,
    faces: &[Face],
    counting: Counting,
    style: Style,
    lexicon: &words::Lexicon,
) -> Value {
    let checked = layout.check(faces, counting, |word| lexicon.contains(word));
    let run = |run: &words::Run| json!({"word": run.word.map(|word| word.to_string()), "across": run.across, "points": run.points});
    let left = faces.iter().enumerate().filter(|(die, _)| !checked.used().contains(*die as u8));
    json!({
        "score": checked.count(),
        "layout": notation::rows(layout, faces, style),
        "words": checked.runs().iter().map(run).collect::<Vec<_>>(),
        "unused": left.map(|(_, face)| show(*face, style)).collect::<String>(),
    })
}

/// A die that lies beside the layout.
fn show(face: Face, style: Style) -> char {
    let red = face.colour == Some(words::Colour::Red);
    match face.letter {
        None if red && style == Style::Colours => '!',
        None => '?',
        Some(letter) if red => letter.upper(),
        Some(letter) => letter.lower(),
    }
}

fn words_of(json: &Value) -> String {
    let list = |key: &str| json[key].as_array().cloned().unwrap_or_default();
    let rows: Vec<String> = list("layout").iter().filter_map(|row| row.as_str().map(str::to_owned)).collect();
    let words: Vec<String> = list("words")
        .iter()
        .map(|word| format!("{} {}", word["word"].as_str().unwrap_or("?"), word["points"]))
        .collect();
    let sure = if json["proven"] == true {
        "proven: no layout counts more".to_owned()
    } else {
        format!("not proven; no layout counts over {}", json["bound"])
    };
    let unused = json["unused"].as_str().filter(|unused| !unused.is_empty());
    let left = unused.map_or_else(String::new, |unused| format!("\nleft over: {unused}"));
    format!(
        "{} points ({sure}; {} ms)\n\n{}\n\n{}{left}",
        json["score"],
        json["ms"],
        rows.join("\n"),
        words.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_throw_is_held_against_the_dice() {
        let cubes = scribbage::Set::standard();
        let fits = |text: &str| {
            can_be_thrown(&scribbage::Throw::from_str(text).unwrap().0, cubes.cubes(), "x").is_ok()
        };
        assert!(fits("PLANTICKRMWO*"));
        assert!(fits("PLANTICKRMWOQ"));
        assert!(!fits("QQ"), "one cube alone has a Q");
        assert!(!fits("***"), "two cubes have a joker");
        assert!(!fits("AAAAAAAAAAAAAA"), "fourteen cubes");
    }

    #[test]
    fn times_are_read_as_people_write_them() {
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(time("2m"), Ok(Duration::from_secs(120)));
        for bad in ["", "s", "fast", "-1s", "1h", "1e400s"] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }
}
