//! What everybody sees, and what only one seat sees: its own votes while they are open.

use crate::auction::{Auction, Bid};
use crate::options::Options;
use crate::set::Throw;
use letters::{Count, Ruling, StageView, Tally, TurnView};
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
    /// The round, from 1.
    pub round: u32,
    /// The round agreed to be the last.
    pub last: u32,
    /// Whose throw it is.
    pub player: Seat,
    /// Whether it is the second throw of the turn (IQ-S6).
    pub second: bool,
    /// The faces of the dice, in the order in which acts number them.
    pub throw: Throw,
    /// Whether the player is asked: this throw shows neither a vowel nor a WILD, and is kept or thrown again (IQ-S5).
    #[serde(default)]
    pub asks: bool,
    /// Who has the dice, how they lie, what they read and count.
    pub turn: TurnView,
    /// The auction, while bids are taken.
    pub auction: Option<Auction>,
    /// What the bidder who has the dice must make.
    pub bid: Option<u32>,
    /// When time itself will act.
    pub deadline: Option<Time>,
    /// Points by round, then by seat.
    pub sheet: Vec<Vec<i64>>,
    /// Points by seat.
    pub totals: Vec<i64>,
    /// A proposal to end the game.
    pub proposal: Option<ProposalView>,
    /// What the table has decided about words, for the rest of the game.
    pub rulings: BTreeMap<Word, bool>,
    /// What happened since the last throw, the throw first.
    pub news: Vec<News>,
    /// Whether the game is over.
    pub over: bool,
}

/// A proposal to end the game, without the votes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalView {
    /// Who made it.
    pub by: Seat,
    /// The round that would be the last.
    pub last: u32,
    /// When it is dropped if too few have agreed.
    pub until: Time,
    /// Who has answered, by seat.
    pub voted: Vec<bool>,
}

/// What only one seat sees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Private {
    /// Its vote on the challenged word.
    pub vote: Option<bool>,
    /// Its answer to the proposal.
    pub agreed: Option<bool>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum News {
    /// The dice were thrown, perhaps more than once for want of a vowel and a WILD (IQ-S5).
    Threw {
        /// By whom.
        seat: Seat,
        /// A second throw, earned by the first.
        second: bool,
        /// Throws without vowel and WILD, all thrown again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rethrown: Vec<Throw>,
        /// The throw that is played.
        throw: Throw,
    },
    /// The table decided about a word (IQ-R6).
    Ruled {
        /// What.
        ruling: Ruling,
    },
    /// A count stands.
    Counted {
        /// Whose.
        seat: Seat,
        /// The count.
        count: Count,
        /// All dice were used.
        full: bool,
        /// That earned a second throw.
        earned: bool,
    },
    /// An auction is over.
    Auction {
        /// The count that was bid against.
        original: u32,
        /// The highest bid; none when nobody bid.
        high: Option<Bid>,
    },
    /// A bid was made, or failed.
    Bid {
        /// By whom.
        seat: Seat,
        /// The bid.
        bid: u32,
        /// The count it was to beat.
        original: u32,
        /// Whether it was made.
        made: bool,
        /// What the bidder's layout counted.
        count: Count,
    },
    /// The table agreed to end the game, or did not (IQ-S7).
    Proposal {
        /// Who had proposed it.
        by: Seat,
        /// The round that would be the last.
        last: u32,
        /// Agreed by the majority.
        agreed: bool,
        /// The answers.
        tally: Tally,
    },
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            News::Threw { seat, second, rethrown, throw } => {
                write!(f, "{seat} threw ")?;
                rethrown.iter().try_for_each(|throw| write!(f, "{throw} (no vowel, again) "))?;
                write!(f, "{throw}{}", if *second { ", the second throw" } else { "" })
            }
            News::Ruled { ruling } => ruling.fmt(f),
            News::Counted { seat, count, full, earned } => {
                write!(f, "{seat} counts {count}")?;
                f.write_str(if *full { ", all dice used" } else { "" })?;
                f.write_str(if *earned { ": a second throw" } else { "" })
            }
            News::Auction { original, high: None } => write!(f, "nobody bids against {original}"),
            News::Auction { original, high: Some(Bid { seat, count }) } => {
                write!(f, "{seat} bids {count} against {original}, and has the dice")
            }
            News::Bid { seat, bid, made, count, .. } => {
                let made = if *made { "makes" } else { "fails" };
                write!(f, "{seat} {made} the bid of {bid} with {count}")
            }
            News::Proposal { by, last, agreed, tally } => {
                let agreed = if *agreed { "agreed" } else { "not agreed" };
                write!(f, "{by} proposed to end after round {last}: {agreed}, {tally}")
            }
        }
    }
}

impl Public {
    /// Who the table is waiting for, in words.
    fn headline(&self) -> String {
        let player = self.turn.makers.first().copied().unwrap_or(self.player);
        if self.over {
            return "the game is over".to_owned();
        }
        if let Some(auction) = &self.auction {
            let beat = auction.beat();
            return match auction.high {
                None => format!("who bids more than {beat}?"),
                Some(high) => format!("{} bids {beat}; who bids more?", high.seat),
            };
        }
        match (&self.turn.stage, self.bid) {
            (StageView::Cup, _) if self.asks => format!("no vowel and no WILD: does {player} throw again?"),
            (StageView::Cup, _) => format!("{player} has the cup"),
            (StageView::Arranging, None) => format!("{player} arranges"),
            (StageView::Arranging, Some(bid)) => format!("{player} arranges for a bid of {bid}"),
            (StageView::Hearing { .. }, _) => "does anybody challenge a word?".to_owned(),
            (StageView::Voting { word, by, .. }, _) => format!("{by} challenges {word}: the table votes"),
            (StageView::Stands, _) => "the count stands".to_owned(),
        }
    }
}

/// The dice are shown as [`words::notation`] writes them: case is colour, `*` follows the letter of a WILD.
impl fmt::Display for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {} of {}: {}", self.round, self.last, self.headline())?;
        match self.deadline {
            Some(deadline) => writeln!(f, " (until {deadline})")?,
            None => writeln!(f)?,
        }
        self.news.iter().try_for_each(|news| writeln!(f, "{news}"))?;
        f.write_str(&self.turn.picture(&self.throw.faces(), Style::Colours))?;
        if let Some(proposal) = &self.proposal {
            writeln!(f, "{} proposes to end after round {}", proposal.by, proposal.last)?;
        }
        let totals = self.totals.iter().zip(0..).map(|(total, seat)| format!("{} {total}", Seat(seat)));
        writeln!(f, "{}", totals.collect::<Vec<_>>().join(", "))
    }
}
