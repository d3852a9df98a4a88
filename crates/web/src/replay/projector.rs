//! A film on a board: the session it is shown by, and the coach who is asked about the moment that is shown.

use super::film::Film;
use super::reel::Reel;
use crate::session::{Clock, Dealer, Link, Player, Session};
use crate::thinker::Thinker;
use crate::worker::{Ask, Tell};
use leptos::prelude::*;
use serde_json::Value;
use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use table::Seat;

/// A table that shows a film, wherever the reel stands.
pub(super) fn screening(film: &Film, reel: Reel) -> Session {
    let session = Session::new(film.kind);
    session.options.set(film.options.clone());
    session.link.set(Link::Here);
    let player = |name: &String| Player { name: name.clone(), bot: None, here: true };
    session.players.set(film.names.iter().map(player).collect());
    session.hand.set(Some(Seat(0)));
    session.clock.set(Clock { told: 0.0, when: 0.0, runs: false });
    session.serve(Rc::new(Projector {
        session,
        film: film.clone(),
        reel,
        thinker: OnceCell::new(),
        asked: Rc::default(),
    }));
    let (moments, outcome) = (film.moments.clone(), film.outcome.clone());
    Effect::new(move |_| {
        let moment = moments[reel.at()].clone();
        session.privates.set(moment.privates);
        session.public.set(moment.public);
        session.happened.set(moment.happened);
        session.outcome.set(if reel.at() == reel.last { outcome.clone() } else { None });
    });
    session
}

/// Shows a film on the board, and asks the coach about the moment that is shown.
struct Projector {
    session: Session,
    film: Film,
    reel: Reel,
    thinker: OnceCell<Option<Rc<Thinker>>>,
    /// How many questions the coach has not answered yet, and about which moment the last of them was.
    asked: Rc<Cell<(u32, usize)>>,
}

impl Dealer for Projector {
    fn act(&self, _: Seat, _: Value) {}

    /// The coach speaks to whoever has just acted: that is what is seen.
    fn ask_coach(&self, seat: Seat) {
        let (session, now, asked) = (self.session, self.reel, Rc::clone(&self.asked));
        let thinker = self.thinker.get_or_init(|| {
            Thinker::start(move |tell| {
                let Tell::Coach { seat, says } = tell else { return };
                let (open, about) = asked.get();
                asked.set((open.saturating_sub(1), about));
                // What he says of a moment that has passed is not said.
                if open <= 1 && now.is_still(about) {
                    session.coach.try_set(Some((seat, says)));
                }
            })
        });
        let Some(thinker) = thinker else { return };
        let at = self.reel.at_untracked();
        self.asked.set((self.asked.get().0 + 1, at));
        let moment = self.film.moments.get(at);
        let acted = moment.and_then(|moment| moment.happened.as_ref()?.seat);
        let lines = moment.map_or(0, |moment| moment.lines);
        crate::dictionary::hand_to(thinker);
        let lines = self.film.record.lines().take(lines).map(str::to_owned).collect();
        thinker.ask(&Ask::Sit { lines, seed: self.film.seed.clone(), bots: Vec::new() });
        thinker.ask(&Ask::Coach { seat: acted.unwrap_or(seat) });
    }

    fn record(&self) -> Option<String> {
        Some(self.film.record.to_string())
    }
}
