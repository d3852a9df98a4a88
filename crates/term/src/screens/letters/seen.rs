//! What both word games show, told alike; and what has happened, in sentences.

use crate::session::State;
use iqubes::{Auction, ProposalView};
use letters::{Count, Ruling, TurnView};
use table::Seat;
use words::Face;

/// What both games show, told alike.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seen {
    pub(super) at: String,
    pub(super) faces: Vec<Face>,
    pub(super) turn: TurnView,
    /// Scribbage: the draw for the start, until the first cubes are rolled.
    pub(super) draw: Option<String>,
    /// I-Qubes: the throw shows neither vowel nor WILD, and may be kept or thrown again.
    pub(super) asks: bool,
    pub(super) auction: Option<Auction>,
    pub(super) bid: Option<u32>,
    pub(super) proposal: Option<ProposalView>,
    /// Points by side, round by round.
    pub(super) sheet: Vec<Vec<i64>>,
    pub(super) totals: Vec<i64>,
    /// The side of each seat, where there are teams.
    pub(super) teams: u32,
    pub(super) news: Vec<News>,
    pub(super) over: bool,
}

/// What happened, with its people still by number.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum News {
    IQubes(iqubes::News),
    Scribbage(scribbage::News),
}

fn side_name(teams: u32, side: u32, state: &State) -> String {
    if teams == 0 { state.name(Seat(side)).to_owned() } else { format!("Team {}", side + 1) }
}

impl Seen {
    /// The table as it is now.
    pub(super) fn read(iqubes: bool, state: &State) -> Option<Seen> {
        if iqubes {
            let public: iqubes::Public = state.view()?;
            let seats = public.totals.len();
            let second = if public.second { ", second throw" } else { "" };
            Some(Seen {
                at: format!("round {} of {}{second}", public.round, public.last),
                faces: public.throw.faces(),
                turn: public.turn,
                draw: None,
                asks: public.asks,
                auction: public.auction,
                bid: public.bid,
                proposal: public.proposal,
                sheet: (0..seats)
                    .map(|seat| public.sheet.iter().filter_map(|round| round.get(seat).copied()).collect())
                    .collect(),
                totals: public.totals,
                teams: 0,
                news: public.news.into_iter().map(News::IQubes).collect(),
                over: public.over,
            })
        } else {
            let public: scribbage::Public = state.view()?;
            let goal = match (public.options.figure, public.options.turns) {
                (Some(figure), _) => format!("past {figure}"),
                (None, turns) => format!("of {}", turns.unwrap_or(public.round)),
            };
            let teams = public.options.teams;
            let draw = public.draw.and_then(|draw| draw.tell(&|side| side_name(teams, side, state)));
            Some(Seen {
                draw,
                at: format!("turn {} {goal}", public.round),
                faces: public.throw.faces(&public.options.set),
                turn: public.turn,
                asks: false,
                auction: None,
                bid: None,
                proposal: None,
                sheet: public.sheet,
                totals: public.totals,
                teams,
                news: public.news.into_iter().map(News::Scribbage).collect(),
                over: public.over,
            })
        }
    }

    /// What a side is called.
    pub(super) fn side_name(&self, side: u32, state: &State) -> String {
        side_name(self.teams, side, state)
    }

    /// The side of a seat.
    pub(super) fn side_of(&self, seat: usize) -> usize {
        let teams = self.teams as usize;
        if teams == 0 { seat } else { seat % teams }
    }

    /// What has happened since an earlier view.
    pub(super) fn told_since(&self, before: &Seen, state: &State) -> Vec<String> {
        let news = self.news.strip_prefix(before.news.as_slice()).unwrap_or(&self.news);
        news.iter().map(|news| self.tell(news, state)).collect()
    }

    fn tell(&self, news: &News, state: &State) -> String {
        let counts = |name: String, count: &Count| format!("{name} counts {count}");
        let ruled = |ruling: &Ruling| {
            let stands = if ruling.stands { "stands" } else { "falls" };
            format!("{} challenges {}: it {stands}, {}.", state.name(ruling.by), ruling.word, ruling.tally)
        };
        match news {
            News::Scribbage(scribbage::News::Threw { side, throw }) => {
                format!("{} throws {throw}.", self.side_name(*side, state))
            }
            News::Scribbage(scribbage::News::Ruled { ruling })
            | News::IQubes(iqubes::News::Ruled { ruling }) => ruled(ruling),
            News::Scribbage(scribbage::News::Counted { side, count }) => {
                format!("{}.", counts(self.side_name(*side, state), count))
            }
            News::IQubes(iqubes::News::Threw { seat, second, rethrown, throw }) => {
                let again = rethrown
                    .iter()
                    .map(|throw| format!(" {throw} (no vowel, again)"))
                    .collect::<Vec<_>>()
                    .concat();
                let second = if *second { ", the second throw" } else { "" };
                format!("{} throws{again} {throw}{second}.", state.name(*seat))
            }
            News::IQubes(iqubes::News::Counted { seat, count, full, earned }) => {
                let full = if *full { ", all dice used" } else { "" };
                let earned = if *earned { ": a second throw" } else { "" };
                format!("{}{full}{earned}.", counts(state.name(*seat).to_owned(), count))
            }
            News::IQubes(iqubes::News::Auction { original, high: None }) => {
                format!("Nobody bids against {original}.")
            }
            News::IQubes(iqubes::News::Auction { original, high: Some(bid) }) => {
                format!("{} bids {} against {original}, and has the dice.", state.name(bid.seat), bid.count)
            }
            News::IQubes(iqubes::News::Bid { seat, bid, made, count, .. }) => {
                let made = if *made { "makes" } else { "fails" };
                format!("{} {made} the bid of {bid} with {count}.", state.name(*seat))
            }
            News::IQubes(iqubes::News::Proposal { by, last, agreed, tally }) => {
                let agreed = if *agreed { "agreed" } else { "not agreed" };
                format!("{} proposes to end after round {last}: {agreed}, {tally}.", state.name(*by))
            }
        }
    }
}
