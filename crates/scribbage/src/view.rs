//! What everybody sees, and what only one seat sees: its own vote while it is open.

use crate::draw::Draw;
use crate::options::Options;
use crate::set::Throw;
use letters::{Count, Ruling, StageView, TurnView};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use table::{Seat, Time};
use words::Word;
use words::notation::Style;

/// What everybody sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Public {
    /// What the table agreed on.
    #[serde(deserialize_with = "table::newer::known")]
    pub options: Options,
    /// How many sit at the table.
    pub seats: u32,
    /// The draw for the start, until the first cubes are rolled (SB-S3).
    pub draw: Option<Draw>,
    /// The side that began. A side is a team, or a player alone.
    pub starts: u32,
    /// The side whose turn it is.
    pub side: u32,
    /// The round, from 1.
    pub round: u32,
    /// The faces of the cubes, in the order in which acts number them.
    pub throw: Throw,
    /// What each of them is worth.
    pub values: Vec<u8>,
    /// Who has the cubes, how they lie, what they read and count.
    pub turn: TurnView,
    /// When time itself will act.
    pub deadline: Option<Time>,
    /// Points by side, then by turn.
    pub sheet: Vec<Vec<i64>>,
    /// Points by side.
    pub totals: Vec<i64>,
    /// What the table has decided about words, for the rest of the game.
    pub rulings: BTreeMap<Word, bool>,
    /// What happened since the last throw, the throw first.
    pub news: Vec<News>,
    /// Whether the game is over.
    pub over: bool,
}

/// What only one seat sees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Private {
    /// Its vote on the challenged word.
    pub vote: Option<bool>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum News {
    /// The cubes were rolled.
    Threw {
        /// By which side.
        side: u32,
        /// What they show.
        throw: Throw,
    },
    /// The table decided about a word.
    Ruled {
        /// What.
        ruling: Ruling,
    },
    /// A score stands.
    Counted {
        /// Whose.
        side: u32,
        /// The score.
        count: Count,
    },
}

impl Public {
    /// What a side is called.
    fn name(&self, side: u32) -> String {
        if self.options.teams == 0 { Seat(side).to_string() } else { format!("team {}", side + 1) }
    }

    fn headline(&self) -> String {
        let side = self.name(self.side);
        if self.over {
            return "the game is over".to_owned();
        }
        match &self.turn.stage {
            StageView::Cup => format!("{side} has the cup"),
            StageView::Arranging => format!("{side} arranges"),
            StageView::Hearing { .. } => "does anybody challenge a word?".to_owned(),
            StageView::Voting { word, by, .. } => format!("{by} challenges {word}: the table votes"),
            StageView::Stands => "the score stands".to_owned(),
        }
    }

    fn goal(&self) -> String {
        match (self.options.figure, self.options.turns) {
            (Some(figure), _) => format!("for more than {figure}"),
            (None, Some(turns)) => format!("of {turns}"),
            (None, None) => String::new(),
        }
    }

    fn write_news(&self, news: &News, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match news {
            News::Threw { side, throw } => writeln!(f, "{} threw {throw}", self.name(*side)),
            News::Ruled { ruling } => writeln!(f, "{ruling}"),
            News::Counted { side, count } => writeln!(f, "{} counts {count}", self.name(*side)),
        }
    }

    fn write_draw(&self, draw: &Draw, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rolls in &draw.rolls {
            let rolls =
                rolls.iter().map(|roll| format!("{} {} {}", self.name(roll.side), roll.face, roll.value));
            writeln!(f, "draw for the start: {}", rolls.collect::<Vec<_>>().join(", "))?;
        }
        Ok(())
    }
}

/// The cubes are shown as [`words::notation`] writes them: the letter of a joker is upper case, all others are lower.
impl fmt::Display for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {} {}: {}", self.round, self.goal(), self.headline())?;
        match self.deadline {
            Some(deadline) => writeln!(f, " (until {deadline})")?,
            None => writeln!(f)?,
        }
        self.draw.iter().try_for_each(|draw| self.write_draw(draw, f))?;
        self.news.iter().try_for_each(|news| self.write_news(news, f))?;
        f.write_str(&self.turn.picture(&self.throw.faces(&self.options.set), Style::Jokers))?;
        let totals = self.totals.iter().zip(0..).map(|(total, side)| format!("{} {total}", self.name(side)));
        writeln!(f, "{}", totals.collect::<Vec<_>>().join(", "))
    }
}
