//! How well a bot plays: the words it knows, how many of them come to its mind, how long it looks.

use crate::count::Rules;
use crate::greedy;
use crate::player::Sight;
use crate::reach;
use solver::{Dictionary, Outcome, Problem, Search};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use table::Luck;
use words::{Layout, Letter, Tier, Vocabulary, Word, WordsId, shelf};

/// The strength of a bot, 1 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// What a bot means to lay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The layout.
    pub layout: Layout,
    /// What it counts.
    pub count: i32,
}

impl Plan {
    /// Leaves the dice where they are.
    const NOTHING: Plan = Plan { layout: Layout::EMPTY, count: 0 };
}

impl Level {
    /// The strongest.
    pub const MOST: u8 = 5;

    /// The nearest level there is.
    pub fn new(level: u8) -> Level {
        Level(level.clamp(1, Self::MOST))
    }

    fn of<T: Copy>(self, by_level: [T; 5]) -> T {
        by_level[usize::from(self.0) - 1]
    }

    /// The words it knows: a child's to a scholar's. No bot ever lays an offensive one.
    pub fn vocabulary(self) -> Vocabulary {
        let tier_max = self.of([Tier::T20, Tier::T35, Tier::T50, Tier::T60, Tier::T70]);
        Vocabulary { tier_max, clean: true }
    }

    /// How many of the words within reach come to its mind, for each die; to the strongest all of them do.
    fn recalls(self) -> Option<usize> {
        self.of([Some(3), Some(8), Some(25), Some(100), None])
    }

    /// How many beginnings it tries.
    fn starts(self) -> usize {
        self.of([1, 1, 2, 4, 8])
    }

    /// How far it searches beyond laying word by word. A number of tries and not a time, so that it does the same on
    /// every machine.
    fn nodes(self) -> u64 {
        self.of([0, 0, 0, 300_000, 40_000_000])
    }

    /// How long it looks at a throw before it moves a die, in milliseconds.
    pub(crate) fn thinks(self) -> u64 {
        self.of([8_000, 7_000, 6_000, 5_000, 4_000])
    }

    /// How long it takes for a die, in milliseconds.
    pub(crate) fn pace(self) -> u64 {
        self.of([1_800, 1_600, 1_300, 1_100, 900])
    }

    /// Does it speak up against a word, or make a bid?
    pub fn dares(self, luck: &mut Luck) -> bool {
        luck.chance(u64::from(self.0), u64::from(Self::MOST))
    }
}

/// The best layout of the words that come to mind: laid word by word, and by the strong ones also searched for. A search
/// that comes to its end is the last word. Words that `fell` at this table do not come to mind (IQ-R6).
pub(crate) fn plan(
    rules: &Rules,
    words: WordsId,
    fell: &BTreeSet<Word>,
    level: Level,
    luck: &mut Luck,
) -> Plan {
    let Some(lexicon) = reach::lexicon(words) else { return Plan::NOTHING };
    let vocabulary = level.vocabulary();
    let known = reach::words(&rules.faces, &lexicon, vocabulary);
    let mut known: Vec<Word> =
        known.into_iter().map(|(word, _)| word).filter(|word| !fell.contains(word)).collect();
    if let Some(recalls) = level.recalls() {
        luck.shuffle(&mut known);
        known.truncate(recalls * rules.faces.len());
    }
    // Words that stand apart are no great search: everybody comes to its end (SB-S11).
    let nodes = if rules.counting.is_crossword() { level.nodes() } else { Level(Level::MOST).nodes() };
    let outcome = (nodes > 0).then(|| search(rules, &known, nodes)).flatten();
    if let Some(proven) = outcome.as_ref().and_then(Outcome::proven) {
        return Plan { layout: proven.layout().clone(), count: proven.score() };
    }
    let stands = |word: &[Letter]| Word::new(word).is_ok_and(|word| !fell.contains(&word));
    let good =
        |word: &[Letter]| lexicon.entry(word).is_some_and(|entry| vocabulary.has(entry)) && stands(word);
    let laid = greedy::lay(rules, &known, good, level.starts());
    let count = laid.check(&rules.faces, rules.counting, good).count().unwrap_or_default();
    let found = outcome.as_ref().and_then(Outcome::answer);
    match found.filter(|answer| answer.score >= count) {
        Some(answer) => Plan { layout: answer.layout.clone(), count: answer.score },
        None => Plan { layout: laid, count },
    }
}

fn search(rules: &Rules, words: &[Word], nodes: u64) -> Option<Outcome> {
    let dictionary = Dictionary::new(words.iter().copied());
    let problem = Problem::new(&rules.faces, rules.counting, &dictionary).ok()?;
    Some(look(&Search::new(&problem), nodes))
}

/// Searches for at most so many nodes: the same number on every machine gives the same answer.
pub(crate) fn look(search: &Search<'_>, nodes: u64) -> Outcome {
    search.run_with(
        |progress| {
            if progress.nodes < nodes { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    )
}

/// Is this a word to a bot? All bots can look it up: in the dictionary of the table, and where it has none in the American
/// and in the British one, as nobody agreed on a spelling there.
pub(crate) fn knows(words: WordsId, word: &Word) -> bool {
    let has = |words: WordsId| shelf::find(&words).is_some_and(|lexicon| lexicon.contains(word));
    match words {
        WordsId::None => has(WordsId::House(None)) || has(WordsId::British(None)),
        words => has(words),
    }
}

/// How a bot votes: for its own words, and for those of the dictionary.
pub(crate) fn votes_for(sight: &Sight<'_>, word: &Word) -> bool {
    sight.turn.makers.contains(&sight.seat) || knows(sight.words, word)
}
