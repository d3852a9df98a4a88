//! What a hand does with chips, and what it remembers that is no business of the table.

use crate::session::Session;
use leptos::prelude::*;
use roulette::{Act, Private, Public, Roulette, Spot, Stake};
use std::collections::BTreeMap;
use table::Seat;

/// What the board remembers that is no business of the table.
#[derive(Clone, Copy)]
pub(super) struct Hand {
    pub(super) session: Session,
    /// The size of the chip in hand.
    pub(super) chip: RwSignal<u32>,
    /// The spot under the finger or the cursor.
    pub(super) aim: RwSignal<Option<Spot>>,
    /// Where the keyboard is.
    pub(super) cursor: RwSignal<Spot>,
    /// Whether the board has the keyboard.
    pub(super) keyed: RwSignal<bool>,
    /// What each player of this screen did since the last throw, the last last: to be undone.
    done: RwSignal<BTreeMap<Seat, Vec<Done>>>,
    /// What each had on the board at the last throw: to be laid again.
    before: RwSignal<BTreeMap<Seat, Vec<Stake>>>,
}

/// What a player did with chips, as undo needs it.
#[derive(Clone)]
enum Done {
    Laid(Stake),
    TookBack(Vec<Stake>),
}

impl Hand {
    pub(super) fn new(session: Session) -> Hand {
        Hand {
            session,
            chip: RwSignal::new(5),
            aim: RwSignal::new(None),
            cursor: RwSignal::new(Spot::Number(23)),
            keyed: RwSignal::new(false),
            done: RwSignal::default(),
            before: RwSignal::default(),
        }
    }

    pub(super) fn lay(self, on: Spot) {
        let chips = self.chip.get_untracked();
        self.lay_all(vec![Stake { on, chips }]);
    }

    pub(super) fn lay_all(self, bets: Vec<Stake>) {
        if bets.is_empty() {
            return;
        }
        if self.act(Act::lay(bets.clone())) {
            self.did(bets.into_iter().map(Done::Laid));
        }
    }

    /// Whether an act was taken, as far as is known: on this screen the answer is there at once, from the server it comes
    /// later.
    fn act(self, act: Act) -> bool {
        let before = self.session.happened.get_untracked().map(|happened| happened.seq);
        self.session.act::<Roulette>(act);
        self.session.refused.with_untracked(Option::is_none)
            || self.session.happened.get_untracked().map(|happened| happened.seq) != before
    }

    pub(super) fn clear(self, slip: Vec<Stake>) {
        if self.act(Act::Clear) {
            self.did([Done::TookBack(slip)]);
        }
    }

    fn did(self, what: impl IntoIterator<Item = Done>) {
        let Some(seat) = self.session.hand.get_untracked() else { return };
        self.done.update(|done| done.entry(seat).or_default().extend(what));
    }

    pub(super) fn undo(self) {
        let Some(seat) = self.session.hand.get_untracked() else { return };
        match self.done.try_update(|done| done.get_mut(&seat).and_then(Vec::pop)).flatten() {
            Some(Done::Laid(stake)) => self.session.act::<Roulette>(Act::TakeBack { bets: vec![stake] }),
            Some(Done::TookBack(slip)) => self.session.act::<Roulette>(Act::lay(slip)),
            None => {}
        }
    }

    pub(super) fn can_undo(self) -> bool {
        let seat = self.session.hand.get();
        seat.is_some_and(|seat| self.done.with(|done| done.get(&seat).is_some_and(|done| !done.is_empty())))
    }

    /// What the player whose hand is in front had on the board at the last throw.
    pub(super) fn before(self) -> Vec<Stake> {
        let seat = self.session.hand.get();
        seat.and_then(|seat| self.before.with(|before| before.get(&seat).cloned())).unwrap_or_default()
    }

    pub(super) fn take_from(self, on: Spot) {
        let stake = Stake { on, chips: self.chip.get_untracked() };
        if self.act(Act::TakeBack { bets: vec![stake] }) {
            self.did([Done::TookBack(vec![stake])]);
        }
    }
}

/// After a throw: what lay there can be laid again, each player's by himself, and there is nothing to undo.
pub(super) fn remember_slips(hand: Hand, own: Memo<Option<Private>>, view: Memo<Option<Public>>) {
    Effect::new(move |last: Option<(u32, BTreeMap<Seat, Vec<Stake>>)>| {
        let thrown = view.with(|view| view.as_ref().map_or(0, |view| view.thrown));
        let (thrown_then, lay) = last.unwrap_or_default();
        if thrown != thrown_then {
            hand.before.update(|before| before.extend(lay.into_iter().filter(|(_, slip)| !slip.is_empty())));
            hand.done.set(BTreeMap::new());
        }
        (thrown, slips(hand.session, own, view))
    });
}

/// What the players of this screen have on the board. At a large table only the slip of the hand in front is known.
fn slips(
    session: Session,
    own: Memo<Option<Private>>,
    view: Memo<Option<Public>>,
) -> BTreeMap<Seat, Vec<Stake>> {
    let open: BTreeMap<Seat, Vec<Stake>> = view.with(|view| {
        let places = view.as_ref().map_or(&[][..], |view| &view.players);
        let mine = session.mine.get().into_iter();
        mine.filter_map(|seat| Some((seat, places.get(seat.index())?.slip.clone()))).collect()
    });
    if !open.is_empty() {
        return open;
    }
    session.hand.get().zip(own.with(|own| own.as_ref().map(|own| own.slip.clone()))).into_iter().collect()
}
