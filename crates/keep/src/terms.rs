//! What the players agreed on before the game, and the ledger that follows from it.

use crate::contact::ContactLedger;
use crate::cubo::CuboLedger;
use crate::ledger::Ledger;
use crate::letters::LetterLedger;
use crate::roulette::RouletteLedger;
use crate::trouble::Trouble;
use house::Kind;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use words::Lexicon;

/// Which words count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dictionary {
    /// The house's list.
    #[default]
    House,
    /// The house's list in British spelling.
    British,
    /// None: the table decides.
    None,
}

impl Dictionary {
    /// The list, if there is one.
    pub fn lexicon(self) -> Option<Arc<Lexicon>> {
        match self {
            Dictionary::House => Some(Lexicon::house()),
            Dictionary::British => Some(Lexicon::british()),
            Dictionary::None => None,
        }
    }
}

/// The game and what was agreed on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "game", rename_all = "lowercase", deny_unknown_fields)]
pub enum Terms {
    /// Crossword dice.
    IQubes {
        /// How many rounds.
        rounds: u32,
        /// All dice in one word count 15 or 30 (IQ-S10).
        long_word: bool,
        /// Fourteen dice (IQ-S11).
        two_sets: bool,
        /// Which words count.
        dictionary: Dictionary,
    },
    /// Crossword cubes.
    Scribbage {
        /// How many turns each; where nothing is said, as usual: one alone is one throw (SB-S10).
        #[serde(default)]
        rounds: Option<u32>,
        /// Instead of turns, play until somebody has more than this (SB-S8).
        figure: Option<i32>,
        /// Separate words (SB-S11).
        young: bool,
        /// Which words count.
        dictionary: Dictionary,
    },
    /// Nine dice.
    Cubo {
        /// How many rounds.
        rounds: u32,
        /// Straights count in any order (CU-R6).
        any_order: bool,
    },
    /// Two dice and a layout.
    Roulette {
        /// How many throws.
        throws: u32,
        /// Chips of each player at the start.
        chips: u32,
        /// Who holds the bank at the start; the house if nobody.
        bank: Option<String>,
    },
    /// Tiles.
    Contact {
        /// Twelve tiles each, for two.
        twelve: bool,
        /// Four as two partnerships.
        partners: bool,
        /// Who moves first, from 1.
        first: usize,
    },
}

impl Terms {
    /// Which game it is.
    pub const fn kind(&self) -> Kind {
        match self {
            Terms::IQubes { .. } => Kind::IQubes,
            Terms::Scribbage { .. } => Kind::Scribbage,
            Terms::Cubo { .. } => Kind::Cubo,
            Terms::Roulette { .. } => Kind::Roulette,
            Terms::Contact { .. } => Kind::Contact,
        }
    }

    /// An empty ledger for these players.
    pub fn open(&self, names: &[String]) -> Result<Box<dyn Ledger>, Trouble> {
        check_names(names)?;
        Ok(match self {
            Terms::IQubes { .. } | Terms::Scribbage { .. } => Box::new(LetterLedger::open(self, names)?),
            Terms::Cubo { rounds, any_order } => Box::new(CuboLedger::open(*rounds, *any_order, names)?),
            Terms::Roulette { throws, chips, bank } => {
                Box::new(RouletteLedger::open(*throws, *chips, bank.as_deref(), names)?)
            }
            Terms::Contact { twelve, partners, first } => {
                Box::new(ContactLedger::open(*twelve, *partners, *first, names)?)
            }
        })
    }
}

/// Words that a line can begin with, and so no names.
const TAKEN: &[&str] = &[
    "help", "undo", "score", "time", "best", "sheet", "end", "quit", "exit", "throw", "bank", "house", "bid",
    "allow", "anyway", "late", "pass",
];

fn check_names(names: &[String]) -> Result<(), Trouble> {
    for (number, name) in names.iter().enumerate() {
        let same = |other: &String| other.to_lowercase() == name.to_lowercase();
        let length = name.chars().count();
        let bad = length == 0
            || length > 24
            || name.trim() != name
            || name.chars().any(char::is_control)
            || TAKEN.contains(&name.to_lowercase().as_str())
            || names[..number].iter().any(same);
        if bad {
            return Err(Trouble::Name(name.clone()));
        }
    }
    Ok(())
}

/// Refuses a table that is too small or too large.
pub(crate) fn seats(game: Kind, names: &[String], least: usize, most: usize) -> Result<(), Trouble> {
    if (least..=most).contains(&names.len()) {
        return Ok(());
    }
    Err(Trouble::Players { game: game.title(), least, most, found: names.len() })
}

/// Finds a player by name, whatever its case.
pub(crate) fn find(names: &[String], name: &str) -> Result<usize, Trouble> {
    let same = |other: &String| other.to_lowercase() == name.to_lowercase();
    names
        .iter()
        .position(same)
        .ok_or_else(|| Trouble::NoPlayer { name: name.to_owned(), names: names.join(", ") })
}
