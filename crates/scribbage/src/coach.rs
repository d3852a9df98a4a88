//! The coach looks at the last throw that was counted.

use crate::game::Scribbage;
use crate::view::News;
use letters::{Review, StageView};
use std::sync::atomic::AtomicBool;
use table::{Game, Seat};
use words::notation::Style;

/// How far the coach looks. Nearly every throw is proven by then; for the few others the bound is told.
const NODES: u64 = 100_000_000;

impl Scribbage {
    /// The review of the last throw, for those who played it; nothing while somebody arranges.
    pub fn coach(&self, seat: Seat, stop: &AtomicBool) -> Option<Review> {
        let public = self.public();
        if !(public.over || public.turn.stage == StageView::Cup) {
            return None;
        }
        let News::Counted { side, count } = public.news.last()? else { return None };
        if public.options.side(seat) != *side {
            return None;
        }
        let rules = public.options.rules(&public.throw);
        let board = &public.turn.dice;
        Some(letters::review(&rules, public.options.accepts(), board, count, Style::Jokers, NODES, stop))
    }
}
