//! The word games at the workbench: a word looked up, a layout counted, a throw made.

use crate::answer::{Answer, Failure, Outcome};
use crate::records;
use clap::Args;
use letters::bench::can_be_thrown;
use serde_json::json;
use std::fmt::{Display, Write};
use std::path::PathBuf;
use std::sync::Arc;
use table::{Seats, Seed, Spoken};
use words::notation::{self, Style, Tile};
use words::{Checked, Counting, Face, Faults, Letter, Lexicon, Tier, Vocabulary, Word};

/// Which words count.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct WordList {
    /// A word list of your own: a text file, one word a line
    #[arg(long, value_name = "FILE", conflicts_with = "british")]
    words: Option<PathBuf>,
    /// British spelling
    #[arg(long)]
    british: bool,
}

impl WordList {
    /// The lexicon it names.
    pub(crate) fn lexicon(&self) -> Result<Arc<Lexicon>, Failure> {
        let Some(file) = &self.words else {
            return Ok(if self.british { Lexicon::british() } else { Lexicon::house() });
        };
        let text = records::read(file)?;
        Lexicon::from_list(&text, Some(&Lexicon::house()))
            .map(Arc::new)
            .map_err(|faults| Failure::new("bad-words", format!("{}:\n{}", file.display(), Faults(&faults))))
    }
}

/// Which words a layout may have.
#[derive(Debug, Args)]
pub(crate) struct Taken {
    /// Take words that most people would rather not see, too
    #[arg(long)]
    offensive: bool,
    #[command(flatten)]
    list: WordList,
}

impl Taken {
    /// Is this a word that may be laid?
    fn judge(&self) -> Result<impl Fn(&[Letter]) -> bool, Failure> {
        let lexicon = self.list.lexicon()?;
        let taken = Vocabulary { tier_max: Tier::T70, clean: !self.offensive };
        Ok(move |word: &[Letter]| lexicon.entry(word).is_some_and(|entry| taken.has(entry)))
    }
}

/// `parlor word`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlor word QI
  parlor word colour --british

Exit code 1 when it is no word.")]
pub(crate) struct Ask {
    /// The word
    word: String,
    #[command(flatten)]
    list: WordList,
}

/// Is it a word, how common, and what is near it?
pub(crate) fn word(ask: &Ask) -> Outcome {
    let word: Word = ask
        .word
        .parse()
        .map_err(|fault| Failure::new("not-letters", format!("\"{}\": {fault}", ask.word)))?;
    let lexicon = ask.list.lexicon()?;
    let entry = lexicon.entry(&word);
    let near: Vec<String> = lexicon.near(&word, 8).iter().map(|near| near.word.to_string()).collect();
    let json = json!({
        "word": word.to_string(),
        "valid": entry.is_some(),
        "tier": entry.map(|entry| entry.tier.size()),
        "offensive": entry.is_some_and(|entry| entry.offensive),
        "near": near,
    });
    let shown = word.to_string();
    let mut text = match entry {
        Some(entry) => {
            let taken = if entry.offensive { "; tables take it only where they say so" } else { "" };
            format!("{shown} is a word (tier {} of 70: the lower, the more common){taken}", entry.tier.size())
        }
        None => format!("{shown} is no word here"),
    };
    if !near.is_empty() {
        let _ = write!(text, "\nnear it: {}", near.join(" "));
    }
    let answer = Answer::new(text, &json);
    Ok(if entry.is_some() { answer } else { answer.no() })
}

/// Which dice lie there.
#[derive(Debug, Args)]
pub(crate) struct Dice {
    /// A set of dice of your own, a TOML file
    #[arg(long, value_name = "FILE")]
    set: Option<PathBuf>,
    /// Take any letters, whether the dice could show them or not
    #[arg(long)]
    any_letters: bool,
    /// Dice that were thrown and not used
    #[arg(long, default_value = "")]
    unused: String,
}

impl Dice {
    /// The set that is played with.
    fn read<S>(&self, standard: fn() -> S, read: impl Fn(&str) -> Result<S, Failure>) -> Result<S, Failure> {
        match &self.set {
            Some(file) => read(&records::read(file)?),
            None => Ok(standard()),
        }
    }

    /// Refuses more dice than are thrown, and faces that they do not have.
    fn check<F: Copy + PartialEq + Display>(
        &self,
        faces: &[F],
        dice: &[[F; 6]],
        which: &str,
    ) -> Result<(), Failure> {
        if self.any_letters { Ok(()) } else { Ok(can_be_thrown(faces, dice, which)?) }
    }
}

/// `parlor score iqubes`
#[derive(Debug, Args)]
#[command(
    after_help = "Upper case is red, lower case black; a letter that a WILD stands for is followed by *.

Example:
  parlor score iqubes \"DASH/.TO*E\""
)]
pub(crate) struct ScoreIQubes {
    /// The layout: rows parted by /, . for an empty cell
    layout: String,
    /// All seven dice in one word count 15, or 30 in one colour
    #[arg(long)]
    long_word: bool,
    /// Two sets: fourteen dice
    #[arg(long)]
    two_sets: bool,
    #[command(flatten)]
    dice: Dice,
    #[command(flatten)]
    words: Taken,
}

/// `parlor score scribbage`
#[derive(Debug, Args)]
#[command(after_help = "Lower case are cubes; an upper-case letter is what a joker stands for.

Example:
  parlor score scribbage \"plant/i.r.w/c.m.o/k\" --unused q")]
pub(crate) struct ScoreScribbage {
    /// The layout: rows parted by /, . for an empty cell
    layout: String,
    /// Count it by the young players' rule: separate words
    #[arg(long)]
    young: bool,
    #[command(flatten)]
    dice: Dice,
    #[command(flatten)]
    words: Taken,
}

/// What an I-Qubes layout counts.
pub(crate) fn score_iqubes(ask: &ScoreIQubes) -> Outcome {
    let is_word = ask.words.judge()?;
    let set = ask.dice.read(iqubes::Set::standard, |text| {
        iqubes::Set::from_toml(text).map_err(|fault| Failure::new("bad-set", fault))
    })?;
    let (layout, mut faces) =
        notation::read(&ask.layout, Style::Colours, |tile| tile.face(0)).map_err(unread)?;
    let throw =
        |text: &str| text.parse::<iqubes::Throw>().map_err(|fault| Failure::new("no-such-die", fault));
    faces.extend(throw(&ask.dice.unused)?.faces());
    let sets = if ask.two_sets { 2 } else { 1 };
    let which = if ask.two_sets { "Two sets of seven dice" } else { "Seven dice (--two-sets: fourteen)" };
    let thrown = throw(&notation::dice(&faces, Style::Colours))?;
    ask.dice.check(&thrown.0, &set.dice().repeat(sets), which)?;
    // A long word is one of all dice that are thrown (IQ-S10), not of all that were typed.
    let long_word = ask.long_word && faces.len() == sets * iqubes::DICE;
    let checked = layout.check(&faces, Counting::IQubes { long_word }, is_word);
    Ok(counted(&checked, &faces))
}

/// What a Scribbage layout counts.
pub(crate) fn score_scribbage(ask: &ScoreScribbage) -> Outcome {
    let is_word = ask.words.judge()?;
    let set = ask.dice.read(scribbage::Set::standard, |text| {
        scribbage::Set::from_toml(text).map_err(|fault| Failure::new("bad-set", fault))
    })?;
    let value = |tile: Tile| tile.face(0).letter.map_or(0, |letter| set.value(scribbage::Face(Some(letter))));
    let (layout, mut faces) =
        notation::read(&ask.layout, Style::Jokers, |tile| tile.face(value(tile))).map_err(unread)?;
    let throw =
        |text: &str| text.parse::<scribbage::Throw>().map_err(|fault| Failure::new("no-such-cube", fault));
    faces.extend(throw(&ask.dice.unused)?.faces(&set));
    let thrown = throw(&notation::dice(&faces, Style::Jokers))?;
    ask.dice.check(&thrown.0, set.cubes(), "The thirteen cubes")?;
    let counting = if ask.young { Counting::Young } else { Counting::Scribbage };
    Ok(counted(&layout.check(&faces, counting, is_word), &faces))
}

fn unread(fault: notation::NotationError) -> Failure {
    Spoken::of(&fault).into()
}

fn counted(checked: &Checked, faces: &[Face]) -> Answer {
    let mut text = String::new();
    let mut runs = Vec::new();
    for run in checked.runs() {
        let word = run.word.map_or_else(|| "(a wild without its letter)".to_owned(), |word| word.to_string());
        let good = if run.valid { "" } else { "  is no word" };
        let _ = writeln!(text, "{word} {}  {}{good}", if run.across { "across" } else { "down" }, run.points);
        runs.push(json!({"word": word, "across": run.across, "points": run.points, "valid": run.valid}));
    }
    let faults: Vec<String> = checked.faults().iter().map(ToString::to_string).collect();
    let _ = match checked.count() {
        Some(count) => write!(text, "counts {count}, with {} of {} dice", checked.used().len(), faces.len()),
        None => write!(text, "does not count: {}", faults.join("; ")),
    };
    let json =
        json!({"count": checked.count(), "words": runs, "faults": faults, "used": checked.used().len()});
    let answer = Answer::new(text, &json);
    if checked.is_good() { answer } else { answer.no() }
}

/// `parlor throw`
#[derive(Debug, Args)]
pub(crate) struct Throw {
    /// The number the throw is made from; the same number gives the same throw [default: a random one]
    #[arg(long)]
    seed: Option<u64>,
    /// Two sets of I-Qubes: 14 dice
    #[arg(long)]
    two_sets: bool,
}

impl Throw {
    /// The number asked for, or one that nobody knows.
    fn seed(&self) -> Result<u64, Failure> {
        let random = || getrandom::u32().map(u64::from).map_err(|why| Failure::new("no-luck", why));
        self.seed.map_or_else(random, Ok)
    }
}

/// A throw of the seven dice (or fourteen), thrown again until it has a vowel or a WILD.
pub(crate) fn throw_iqubes(ask: &Throw) -> Outcome {
    let seed = ask.seed()?;
    let mut dice = dice("iqubes", seed)?;
    let set = iqubes::Set::standard();
    let sets = if ask.two_sets { 2 } else { 1 };
    let mut throw = set.throw(sets, &mut dice);
    while !throw.opens() {
        throw = set.throw(sets, &mut dice);
    }
    Ok(Answer::new(throw.to_string(), &json!({"throw": throw, "seed": seed})))
}

/// A throw of the thirteen cubes.
pub(crate) fn throw_scribbage(ask: &Throw) -> Outcome {
    let seed = ask.seed()?;
    let mut dice = dice("scribbage", seed)?;
    let throw = scribbage::Set::standard().throw(&mut dice);
    Ok(Answer::new(throw.to_string(), &json!({"throw": throw, "seed": seed})))
}

/// Dice from a number.
pub(crate) fn dice(game: &str, seed: u64) -> Result<table::Dice, Failure> {
    let seats = Seats::named(["thrower"]).map_err(|fault| Failure::new("seats", fault))?;
    Ok(table::Dice::new(&Seed::from_number(seed), game, &seats))
}
