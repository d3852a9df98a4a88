//! The workbench of the word games: the best layout of letter dice that lie on somebody's real table. JSON in, JSON out.

use crate::{Accepts, Asked, Best, Proof, Rules, reach};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use solver::{Problem, ProblemError, Search};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use table::{Progress, Spoken};
use words::notation::{self, Style};
use words::{Counting, Face, Layout, Lexicon, Tier, Vocabulary, Word, WordsId, shelf};

/// What to ask about a throw of letter dice. Everything but the throw may be left out.
#[expect(clippy::struct_excessive_bools, reason = "each is a yes or no of its own that a person may tick")]
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LayoutQuestion {
    /// The dice, as the game writes them: `DASHTo!`, `PLANTICKRMWO?`.
    pub dice: String,
    /// I-Qubes: all dice in one word count 15 or 30.
    pub long_word: bool,
    /// Scribbage: by the young players' rule.
    pub young: bool,
    /// Every die must be used.
    pub all_dice: bool,
    /// This word must be laid.
    pub using: Option<String>,
    /// Only words of this tier or below.
    pub tier: Option<u8>,
    /// The dice of this layout stay where they are.
    pub from: Option<String>,
    /// Up to so many of the layouts that count the most.
    pub all: Option<usize>,
    /// The table takes words that most people would rather not see, too.
    pub offensive: bool,
    /// Any letters, whether the dice could show them or not.
    pub any_letters: bool,
    /// The word list; the house's where nothing is said.
    pub words: Option<WordsId>,
    /// A set of dice of one's own, as TOML.
    pub set: Option<String>,
    /// How many threads to search on. Only whose machine it is may say: see [`LayoutQuestion::of_guest`].
    pub threads: Option<usize>,
}

impl LayoutQuestion {
    /// So many layouts are listed for a guest at most.
    pub const MOST_LAYOUTS: usize = 1_000;

    /// What is left of a guest's question: the machine is not his, so its threads and its memory are not either.
    pub fn of_guest(self) -> Result<LayoutQuestion, Spoken> {
        let most = LayoutQuestion::MOST_LAYOUTS;
        if self.all.is_some_and(|all| all > most) {
            let says = format!("Ask for up to {most} layouts here; the command `parlor solve` lists more.");
            return Err(Spoken::new("too-many-layouts", says));
        }
        Ok(LayoutQuestion { threads: None, ..self })
    }
}

/// The best layout of letter dice:
/// `{"score":n,"bound":n,"proven":true,"proof":"accepted","layout":[…],"words":[…],"unused":"q","nodes":n}`.
///
/// `proof` says of which words it is the best ([`Proof`](Proof)); `says` does so in words where these are not all that
/// the word list accepts. `proven` is true only where these are all that
/// the word list accepts. `bound` is what no layout of any accepted words exceeds; with a `tier`, none of those of that tier.
pub fn best_layout(
    ask: &LayoutQuestion,
    (faces, counting, style): Thrown,
    stop: &AtomicBool,
    progress: Progress<'_>,
) -> Result<Value, Spoken> {
    if faces.is_empty() {
        return Err(Spoken::new("no-dice", "Type the dice that lie on the table."));
    }
    let words = ask.words.unwrap_or_default();
    let lexicon = shelf::find(&words)
        .ok_or_else(|| Spoken::new("no-such-words", format!("The word list {words} is not here.")))?;
    let rules = Rules { faces, counting };
    let accepted = Accepts { words, offensive: ask.offensive }.vocabulary();
    let asked = Asked::new(&rules, &lexicon, accepted, vocabulary(ask)?);
    let wishes = Wishes::of(ask, &rules, style, &lexicon)?;
    let wish = |problem: Problem| wishes.put_to(problem);
    let (mut nodes, mut told) = (0, (None, i32::MAX));
    let search = |problem: &Problem| {
        let before = nodes;
        let search = Search::new(problem).threads(ask.threads.unwrap_or(1)).stop_when(stop);
        search.run_with(|now| {
            nodes = before + now.nodes;
            // A layout on the way to the best is shown no more than the best itself.
            let best = now.best.filter(|best| asked.shows(&best.layout)).map(|best| best.score);
            if told != (best, now.bound) {
                told = (best, now.bound);
                progress(json!({"score": best, "bound": now.bound, "nodes": nodes}));
            }
            ControlFlow::Continue(())
        })
    };
    let best = match asked.problem() {
        Ok(_) if wishes.beyond => Best::Impossible,
        _ => asked.best(wish, search).map_err(|why| refused(&why))?,
    };
    let mut answer = told_of(&best);
    if let Some(found) = best.answer() {
        describe(&mut answer, &found.layout, &rules, style, &lexicon);
    }
    answer["nodes"] = json!(nodes);
    if let (Some(cap), Best::Proven(_) | Best::Shown { .. }) = (ask.all, &best) {
        let shown = asked.problem().and_then(wish).map_err(|why| refused(&why))?;
        let all = Search::new(&shown).threads(ask.threads.unwrap_or(1)).stop_when(stop).all_best(cap);
        let rows = |layout| notation::rows(layout, &rules.faces, style);
        let layouts: Vec<_> = all.layouts.iter().map(rows).collect();
        answer["all"] = json!({"layouts": layouts, "complete": all.complete});
    }
    Ok(answer)
}

/// What is known of the best, and of which words; in words too, where there is none to show, or where it is not the best of all.
fn told_of(best: &Best) -> Value {
    let proof = best.proof();
    let mut answer = json!({"proven": proof == Some(Proof::Accepted), "proof": proof});
    if let Some(bound) = best.bound() {
        answer["bound"] = json!(bound);
    }
    let says = match best {
        Best::Impossible => "There is no such layout: that is proven.",
        Best::NotShown => "There is no such layout of the words shown here; with others there may be.",
        Best::Unanswered { .. } => "No such layout was found in this time.",
        Best::Shown { .. } => {
            answer["says"] = json!("The most among the words shown; rarer ones may count more.");
            return answer;
        }
        Best::Proven(_) | Best::Open(_) => return answer,
    };
    answer["score"] = Value::Null;
    answer["says"] = json!(says);
    answer
}

/// A throw of letter dice, how it counts and how it is written.
pub type Thrown = (Vec<Face>, Counting, Style);

/// The words that may be laid for an answer.
fn vocabulary(ask: &LayoutQuestion) -> Result<Vocabulary, Spoken> {
    let tier = ask
        .tier
        .map(Tier::try_from)
        .transpose()
        .map_err(|why| Spoken::new("no-such-tier", why.to_string()))?;
    Ok(Vocabulary { tier_max: tier.unwrap_or(Tier::T70), clean: !ask.offensive })
}

/// What a layout must do besides counting much.
struct Wishes {
    all_dice: bool,
    word: Option<Word>,
    start: Option<Layout>,
    /// These dice cannot spell the word.
    beyond: bool,
}

impl Wishes {
    fn of(ask: &LayoutQuestion, rules: &Rules, style: Style, lexicon: &Lexicon) -> Result<Wishes, Spoken> {
        let word = ask.using.as_deref().map(|word| wished_word(word, ask, lexicon)).transpose()?;
        let start = ask.from.as_deref().map(|text| notation::read_with(text, style, &rules.faces));
        let start = start.transpose().map_err(|why| Spoken::of(&why))?;
        let beyond = word.is_some_and(|word| reach::points(&word, rules).is_none());
        Ok(Wishes { all_dice: ask.all_dice, word, start, beyond })
    }

    fn put_to(&self, problem: Problem) -> Result<Problem, ProblemError> {
        let mut problem = if self.all_dice { problem.using_all_dice() } else { problem };
        if let Some(word) = self.word {
            problem = problem.using_word(word)?;
        }
        match &self.start {
            Some(start) => problem.extending(start),
            None => Ok(problem),
        }
    }
}

/// A word that must be laid: one of the list, and one that may be shown.
fn wished_word(word: &str, ask: &LayoutQuestion, lexicon: &Lexicon) -> Result<Word, Spoken> {
    let word: Word = word.parse().map_err(|why| Spoken::new("not-letters", format!("\"{word}\": {why}")))?;
    let entry = lexicon.entry(&word).ok_or_else(|| refused(&ProblemError::NoWord(word)))?;
    if !vocabulary(ask)?.has(entry) {
        let says =
            format!("{word} is a word of this list, but none of those to be laid. Ask for more words.");
        return Err(Spoken::new("bad-question", says));
    }
    Ok(word)
}

fn refused(why: &ProblemError) -> Spoken {
    Spoken::new("bad-question", why.to_string())
}

/// Whether these are as many dice as are thrown together; if not, says how many those are.
pub fn is_a_throw(found: usize, throws: &[usize], which: &str) -> Result<(), Spoken> {
    if throws.contains(&found) {
        return Ok(());
    }
    let says = format!(
        "{found} dice are no throw: {which}. Type all that were thrown, or ask for any letters where you play with other pieces."
    );
    Err(Spoken::new("no-throw", says))
}

/// Whether each face can be given a die of its own that has it; if not, says which face is one too many.
pub fn can_be_thrown<F: Copy + PartialEq + std::fmt::Display>(
    faces: &[F],
    dice: &[[F; 6]],
    which: &str,
) -> Result<(), Spoken> {
    if faces.len() > dice.len() {
        return Err(Spoken::new(
            "too-many-dice",
            format!("{} dice are too many: {which} are {}.", faces.len(), dice.len()),
        ));
    }
    let mut shows: Vec<Option<usize>> = vec![None; dice.len()];
    for (number, face) in faces.iter().enumerate() {
        if !find_die(number, faces, dice, &mut shows, &mut vec![false; dice.len()]) {
            let says = format!(
                "{which} cannot show {face} (letter {} of the throw) together with what stands before it. \
                 Check the throw, or ask for any letters.",
                number + 1
            );
            return Err(Spoken::new("cannot-be-thrown", says));
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

/// A layout's score, rows, words and what is left over, counted anew by the layout's own arithmetic.
fn describe(
    answer: &mut Value,
    layout: &Layout,
    Rules { faces, counting }: &Rules,
    style: Style,
    lexicon: &Lexicon,
) {
    let checked = layout.check(faces, *counting, |word| lexicon.contains(word));
    let run = |run: &words::Run| json!({"word": run.word.map(|word| word.to_string()), "across": run.across, "points": run.points});
    let left = (0_u8..).zip(faces).filter(|(die, _)| !checked.used().contains(*die));
    let left: Vec<Face> = left.map(|(_, face)| *face).collect();
    answer["score"] = json!(checked.count());
    answer["layout"] = json!(notation::rows(layout, faces, style));
    answer["words"] = checked.runs().iter().map(run).collect();
    answer["unused"] = json!(notation::dice(&left, style));
}
