//! The coach looks at the last throw that was counted, once nobody can do anything with it any more.

use crate::game::IQubes;
use crate::view::{News, Public};
use letters::{Board, Count, Review, StageView};
use std::sync::atomic::AtomicBool;
use table::{Game, Seat};
use words::notation::Style;

/// How far the coach looks: every throw of one set is solved long before that.
const NODES: u64 = 100_000_000;

impl IQubes {
    /// The review of the last throw, for the seat that played it. Nothing while the throw can still be bid on.
    pub fn coach(&self, seat: Seat, stop: &AtomicBool) -> Option<Review> {
        let public = self.public();
        let (board, count) = counted(&public, seat)?;
        let rules = public.options.rules(&public.throw);
        Some(letters::review(&rules, public.options.accepts(), board, count, Style::Colours, NODES, stop))
    }
}

/// The throw on the table as this seat left it, if it is over and was this seat's.
fn counted(public: &Public, seat: Seat) -> Option<(&Board, &Count)> {
    if !(public.over || public.turn.stage == StageView::Cup) {
        return None;
    }
    // A bid that was played came after the count: it is the bidder's layout that lies there.
    let last = public.news.iter().rev().find_map(|news| match news {
        News::Counted { seat, count, .. } | News::Bid { seat, count, .. } => Some((*seat, count)),
        _ => None,
    });
    last.filter(|&(player, _)| player == seat).map(|(_, count)| (&public.turn.dice, count))
}
