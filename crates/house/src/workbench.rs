//! The workbench: questions about dice that lie on somebody's real table, answered exactly. JSON in, JSON out, for the
//! command and for the server alike.

use crate::{Kind, engine};
use contact::eval::Weights;
use contact::search::{Limits, Searcher};
use letters::{Asked, Best, Rules};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use solver::{Problem, ProblemError, Search};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use table::Spoken;
use words::notation::{self, Style};
use words::{Colour, Counting, Face, Layout, Lexicon, Tier, Vocabulary, Word, WordsId, shelf};

/// Who hears of every step on the way to an answer.
pub type Progress<'a> = &'a mut (dyn FnMut(Value) + Send);

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
    /// Words that most people would rather not see, too.
    pub offensive: bool,
    /// Any letters, whether the dice could show them or not.
    pub any_letters: bool,
    /// The word list; the house's where nothing is said.
    pub words: Option<WordsId>,
    /// A set of dice of one's own, as TOML.
    pub set: Option<String>,
    /// How many threads to search on. Only whose machine it is may say: see [`solve_for_guest`].
    pub threads: Option<usize>,
}

impl LayoutQuestion {
    /// So many layouts are listed for a guest at most.
    pub const MOST_LAYOUTS: usize = 1_000;

    /// What is left of a guest's question: the machine is not his, so its threads and its memory are not either.
    fn of_guest(self) -> Result<LayoutQuestion, Spoken> {
        let most = LayoutQuestion::MOST_LAYOUTS;
        if self.all.is_some_and(|all| all > most) {
            let says = format!("Ask for up to {most} layouts here; the command `parlor solve` lists more.");
            return Err(say("too-many-layouts", says));
        }
        Ok(LayoutQuestion { threads: None, ..self })
    }
}

/// What to ask about a hand of Cubo.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CuboQuestion {
    /// Nine dice: `R1 R2 R3 R4 B1 B2 B3 B4 W4`.
    pub dice: String,
    /// A die that will be taken.
    pub take: Option<String>,
    /// Straights in any order count.
    pub any_order: bool,
}

/// What to ask about a slip of Dice Roulette.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SlipQuestion {
    /// The slip: `15=2 red=5`.
    pub slip: String,
    /// Follow it from so many chips, …
    pub chips: Option<u64>,
    /// … over so many throws.
    pub throws: Option<u32>,
}

/// What to ask about a position of Contact.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PositionQuestion {
    /// The position, as docs/notation.md writes it.
    pub position: String,
    /// How many lines; one where nothing is said.
    pub lines: Option<usize>,
    /// How many nodes to look at, up to [`PositionQuestion::MOST_NODES`].
    pub nodes: Option<u64>,
}

impl PositionQuestion {
    /// Some ten seconds of one core.
    pub const MOST_NODES: u64 = 30_000_000;
    const NODES: u64 = 3_000_000;
}

/// The best lines of a position. Contact is not solved: this is what a search of so many nodes thinks, or of fewer if
/// `stop` is set before.
pub fn best_move(ask: &PositionQuestion, stop: &AtomicBool) -> Result<Value, Spoken> {
    let position = contact::Position::read(&ask.position, &contact::Set::default())
        .map_err(|why| say("bad-position", why.to_string()))?;
    let nodes = ask.nodes.unwrap_or(PositionQuestion::NODES).min(PositionQuestion::MOST_NODES);
    let lines = ask.lines.unwrap_or(1).clamp(1, 20);
    let mut searcher = Searcher::new(&Weights::default(), 64).heeding(stop);
    Ok(json!(contact::analysis::best_with(&mut searcher, &position, &Limits::nodes(nodes), lines)))
}

/// Answers a question about a game. `stop` ends a long search with the best so far; `progress` hears of every step on
/// the way.
///
/// ```
/// let question = serde_json::json!({"dice": "R1 R2 R3 R4 B1 B2 B3 B4 W4"});
/// let stop = std::sync::atomic::AtomicBool::new(false);
/// let best = house::solve(house::Kind::Cubo, question, &stop, &mut |_| ())?;
/// assert_eq!(best["grid"][1][1], "W4");
/// # Ok::<(), table::Spoken>(())
/// ```
pub fn solve(
    kind: Kind,
    question: Value,
    stop: &AtomicBool,
    progress: Progress<'_>,
) -> Result<Value, Spoken> {
    engine(kind).solve(question, stop, progress)
}

/// The same for somebody whose machine this is not: on one thread whatever he asks for, and up to
/// [`LayoutQuestion::MOST_LAYOUTS`] layouts.
pub fn solve_for_guest(
    kind: Kind,
    question: Value,
    stop: &AtomicBool,
    progress: Progress<'_>,
) -> Result<Value, Spoken> {
    let question = match kind {
        Kind::IQubes | Kind::Scribbage => json!(read::<LayoutQuestion>(question)?.of_guest()?),
        Kind::Cubo | Kind::Roulette | Kind::Contact => question,
    };
    solve(kind, question, stop, progress)
}

/// The best square of nine dice.
pub(crate) fn best_square(ask: &CuboQuestion) -> Result<Value, Spoken> {
    let straights = if ask.any_order { cubo::Straights::AnyOrder } else { cubo::Straights::InOrder };
    let plan = cubo::solve_by(&ask.dice, ask.take.as_deref(), straights).map_err(|why| Spoken::of(&why))?;
    Ok(json!(plan))
}

/// The exact odds of a slip, once and over many throws.
pub fn odds(ask: &SlipQuestion) -> Result<Value, Spoken> {
    let mut answer = json!(roulette::odds(&ask.slip).map_err(|why| Spoken::of(&why))?);
    if let Some(throws) = ask.throws {
        let outlook = roulette::outlook(&ask.slip, ask.chips.unwrap_or(100), throws);
        answer["outlook"] = json!(outlook.map_err(|why| say("outlook", why.to_string()))?);
    }
    Ok(answer)
}

/// The best layout of letter dice:
/// `{"score":n,"bound":n,"proven":true,"proof":"accepted","layout":[…],"words":[…],"unused":"q","nodes":n}`.
///
/// `proof` says of which words it is the best ([`Proof`](letters::Proof)), and `proven` is true only where these are all that
/// the word list accepts. `bound` is what no layout of any accepted words exceeds; with a `tier`, none of those of that tier.
pub(crate) fn best_layout(
    ask: &LayoutQuestion,
    (faces, counting, style): Thrown,
    stop: &AtomicBool,
    progress: Progress<'_>,
) -> Result<Value, Spoken> {
    let words = ask.words.unwrap_or_default();
    let lexicon = shelf::find(&words)
        .ok_or_else(|| say("no-such-words", format!("The word list {words} is not here.")))?;
    let rules = Rules { faces, counting };
    let asked = Asked::new(&rules, &lexicon, vocabulary(ask)?);
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

/// What is known of the best, and of which words; where there is none to show, in words.
fn told_of(best: &Best) -> Value {
    let proof = best.proof();
    let mut answer = json!({"proven": proof == Some(letters::Proof::Accepted), "proof": proof});
    if let Some(bound) = best.bound() {
        answer["bound"] = json!(bound);
    }
    let says = match best {
        Best::Impossible => "There is no such layout: that is proven.",
        Best::NotShown => "There is no such layout of the words shown here; with others there may be.",
        Best::Unanswered { .. } => "No such layout was found in this time.",
        Best::Proven(_) | Best::Shown { .. } | Best::Open(_) => return answer,
    };
    answer["score"] = Value::Null;
    answer["says"] = json!(says);
    answer
}

/// A throw of letter dice, how it counts and how it is written.
type Thrown = (Vec<Face>, Counting, Style);

pub(crate) fn iqubes_throw(ask: &LayoutQuestion) -> Result<Thrown, Spoken> {
    let throw: iqubes::Throw =
        ask.dice.trim().parse().map_err(|why: iqubes::NoFace| say("no-such-die", why.to_string()))?;
    let set = match &ask.set {
        Some(toml) => iqubes::Set::from_toml(toml).map_err(|why| say("bad-set", why.to_string()))?,
        None => iqubes::Set::standard(),
    };
    if !ask.any_letters {
        can_be_thrown(&throw.0, &set.dice().repeat(2), "Two sets of seven dice")?;
    }
    Ok((throw.faces(), Counting::IQubes { long_word: ask.long_word }, Style::Colours))
}

pub(crate) fn scribbage_throw(ask: &LayoutQuestion) -> Result<Thrown, Spoken> {
    let dice = ask.dice.trim().replace('?', "*");
    let throw: scribbage::Throw =
        dice.parse().map_err(|why: scribbage::NoFace| say("no-such-cube", why.to_string()))?;
    let set = match &ask.set {
        Some(toml) => scribbage::Set::from_toml(toml).map_err(|why| say("bad-set", why.to_string()))?,
        None => scribbage::Set::standard(),
    };
    if !ask.any_letters {
        can_be_thrown(&throw.0, set.cubes(), "The thirteen cubes")?;
    }
    let counting = if ask.young { Counting::Young } else { Counting::Scribbage };
    Ok((throw.faces(&set), counting, Style::Jokers))
}

/// The words that may be laid for an answer.
fn vocabulary(ask: &LayoutQuestion) -> Result<Vocabulary, Spoken> {
    let tier =
        ask.tier.map(Tier::try_from).transpose().map_err(|why| say("no-such-tier", why.to_string()))?;
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
        let beyond = word.is_some_and(|word| letters::reach::points(&word, rules).is_none());
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
    let word: Word = word.parse().map_err(|why| say("not-letters", format!("\"{word}\": {why}")))?;
    let entry = lexicon.entry(&word).ok_or_else(|| refused(&ProblemError::NoWord(word)))?;
    if !vocabulary(ask)?.has(entry) {
        let says =
            format!("{word} is a word of this list, but none of those to be laid. Ask for more words.");
        return Err(say("bad-question", says));
    }
    Ok(word)
}

fn refused(why: &ProblemError) -> Spoken {
    say("bad-question", why.to_string())
}

/// Whether each face can be given a die of its own that has it; if not, says which face is one too many.
fn can_be_thrown<F: Copy + PartialEq + std::fmt::Display>(
    faces: &[F],
    dice: &[[F; 6]],
    which: &str,
) -> Result<(), Spoken> {
    if faces.len() > dice.len() {
        return Err(say(
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
            return Err(say("cannot-be-thrown", says));
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
    let left = faces.iter().enumerate().filter(|(die, _)| !checked.used().contains(*die as u8));
    answer["score"] = json!(checked.count());
    answer["layout"] = json!(notation::rows(layout, faces, style));
    answer["words"] = checked.runs().iter().map(run).collect();
    answer["unused"] = json!(left.map(|(_, face)| show(*face, style)).collect::<String>());
}

/// A die that lies beside the layout.
fn show(face: Face, style: Style) -> char {
    let red = face.colour == Some(Colour::Red);
    match face.letter {
        None if red && style == Style::Colours => '!',
        None => '?',
        Some(letter) if red => letter.upper(),
        Some(letter) => letter.lower(),
    }
}

pub(crate) fn read<T: serde::de::DeserializeOwned>(question: Value) -> Result<T, Spoken> {
    serde_json::from_value(question)
        .map_err(|why| say("bad-question", format!("This is no such question: {why}")))
}

fn say(code: &str, says: impl Into<String>) -> Spoken {
    Spoken { code: code.to_owned(), says: says.into(), details: serde_json::Map::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

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

    fn best(dice: &str, more: Value) -> Value {
        let mut ask = json!({"dice": dice, "any_letters": true});
        if let (Value::Object(ask), Value::Object(more)) = (&mut ask, more) {
            ask.extend(more);
        }
        solve(Kind::Scribbage, ask, &AtomicBool::new(false), &mut |_| ()).unwrap()
    }

    /// Words that the house accepts and does not show, of so many letters at most.
    fn hidden(letters: usize) -> Vec<String> {
        let house = Lexicon::house();
        let hidden = house.words().filter(|(word, entry)| entry.offensive && word.len() <= letters);
        hidden.map(|(word, _)| word.to_string()).collect()
    }

    const ACCEPTED: (bool, &str) = (true, "accepted");
    const SHOWN: (bool, &str) = (false, "shown");

    /// Whether the best is said to be proven, and of which words.
    fn sure(answer: &Value) -> (bool, &str) {
        (answer["proven"] == true, answer["proof"].as_str().unwrap_or_default())
    }

    #[test]
    fn a_best_is_proven_of_all_words_that_the_list_accepts_or_says_of_which() {
        let mut beaten = 0;
        for text in hidden(5) {
            let shown = best(&text, json!({}));
            let whole = best(&text, json!({"offensive": true}));
            assert_eq!(sure(&whole), ACCEPTED, "{text}");
            assert!(!shown["layout"].to_string().contains(&text), "{text}");
            if shown["score"] == whole["score"] {
                assert_eq!(sure(&shown), ACCEPTED, "{text}: as much can be shown");
                continue;
            }
            beaten += 1;
            assert_eq!(sure(&shown), SHOWN, "{text}: {shown}");
            assert_eq!(shown["bound"], whole["score"], "{text}: it says how far other words go");
        }
        assert!(beaten > 5, "{beaten}");
    }

    #[test]
    fn what_other_words_cannot_beat_is_proven_though_they_are_left_out() {
        let answers = hidden(3).into_iter().map(|text| best(&format!("{text}tree"), json!({})));
        assert!(answers.into_iter().any(|answer| sure(&answer) == ACCEPTED));
    }

    #[test]
    fn common_words_alone_are_the_best_of_themselves() {
        let answer = best("quiz", json!({"tier": 10}));
        assert_eq!((sure(&answer), &answer["bound"]), (SHOWN, &answer["score"]), "{answer}");
        assert_eq!(sure(&best("quiz", json!({}))), ACCEPTED);
    }

    #[test]
    fn a_layout_that_only_words_not_shown_can_make_is_not_said_to_be_impossible() {
        let all_dice = |text: &str| best(text, json!({"all_dice": true}));
        let none = |answer: &Value| answer["score"].is_null() && sure(answer) == SHOWN;
        assert!(hidden(3).iter().any(|text| none(&all_dice(text))));
        assert_eq!(sure(&all_dice("qqv")), ACCEPTED, "no words at all do that");
        let answer = best("plant", json!({"using": "quiz"}));
        assert_eq!((&answer["score"], sure(&answer)), (&Value::Null, ACCEPTED), "{answer}");
        let text = hidden(3).remove(0);
        let ask = json!({"dice": "PLANT", "using": text});
        let refused = solve(Kind::Scribbage, ask, &AtomicBool::new(false), &mut |_| ()).unwrap_err();
        assert!(refused.says.contains("none of those to be laid"), "{refused:?}");
    }

    #[test]
    fn a_guest_has_one_thread_and_so_many_layouts() {
        let ask = |all| LayoutQuestion { all, threads: Some(1_000_000), ..LayoutQuestion::default() };
        assert_eq!(ask(Some(1_000)).of_guest().map(|ask| (ask.threads, ask.all)), Ok((None, Some(1_000))));
        let stop = AtomicBool::new(false);
        let greedy = json!({"dice": "PLANT", "all": 1_001});
        for kind in [Kind::IQubes, Kind::Scribbage] {
            let refused = solve_for_guest(kind, greedy.clone(), &stop, &mut |_| ()).unwrap_err();
            assert_eq!(refused.code, "too-many-layouts", "{kind}");
        }
        let mine = json!({"dice": "PLANT", "all": 1_001, "threads": 2});
        assert_eq!(solve(Kind::Scribbage, mine, &stop, &mut |_| ()).unwrap()["proven"], true);
    }

    #[test]
    fn who_has_gone_is_thought_for_no_longer() {
        let start = contact::Position::start(&contact::Set::default(), "six", contact::Players::Two).unwrap();
        let ask = json!({"position": start.to_string(), "nodes": PositionQuestion::MOST_NODES});
        let gone = AtomicBool::new(true);
        let answer = solve(Kind::Contact, ask, &gone, &mut |_| ()).unwrap();
        let nodes = answer["nodes"].as_u64().unwrap();
        assert!(nodes < 10_000, "{nodes}");
    }

    #[test]
    fn the_coach_of_contact_stops_too() {
        let setting = crate::Setting::new(Kind::Contact, json!({})).unwrap();
        let seats = table::Seats::named(["Ann", "Ben"]).unwrap();
        let (table, _) = crate::AnyTable::open(&setting, seats, &table::Seed::from_number(7), None).unwrap();
        let nodes = |stop: bool| {
            let says = table.coach_until(table::Seat(0), &AtomicBool::new(stop)).unwrap();
            says["best"]["nodes"].as_u64().unwrap()
        };
        assert!(nodes(true) < 20_000 && nodes(false) > 100_000);
    }
}
