//! The reel: where in a film one is, and the ways to go on and back.

use super::film::Film;
use crate::boards::{self, Telling};
use crate::browser;
use crate::session::Session;
use crate::ui::icon;
use leptos::prelude::*;
use table::Seat;

/// Where in a film one is.
#[derive(Clone, Copy)]
pub(super) struct Reel {
    at: RwSignal<usize>,
    /// Its last moment.
    pub(super) last: usize,
    /// Whether it goes on by itself.
    plays: RwSignal<bool>,
}

impl Reel {
    /// At its first moment.
    pub(super) fn new(film: &Film) -> Reel {
        let reel = Reel { at: RwSignal::new(0), last: film.moments.len() - 1, plays: RwSignal::new(false) };
        Effect::new(move |_| reel.go_on());
        reel
    }

    /// The moment that is shown.
    pub(super) fn at(self) -> usize {
        self.at.get()
    }

    /// The moment that is shown, once.
    pub(super) fn at_untracked(self) -> usize {
        self.at.get_untracked()
    }

    /// Whether the film still lies there, at this moment.
    pub(super) fn is_still(self, moment: usize) -> bool {
        self.at.try_get_untracked() == Some(moment)
    }

    fn go(self, to: usize) {
        self.at.set(to.min(self.last));
    }

    fn step(self, by: i64) {
        self.go((self.at.get_untracked() as i64 + by).max(0) as usize);
    }

    /// While it plays, the next moment comes by itself.
    fn go_on(self) {
        if !self.plays.get() {
            return;
        }
        let now = self.at.get();
        browser::later(700, move || {
            if self.plays.try_get_untracked() == Some(true) && self.is_still(now) {
                if now < self.last { self.go(now + 1) } else { self.plays.set(false) }
            }
        });
    }

    /// What has keys of its own keeps them: the slide, the list of seats, a board with a cursor.
    pub(super) fn keys(self, event: &web_sys::KeyboardEvent) {
        if event.default_prevented() || browser::within(event, "input, select") {
            return;
        }
        match event.key().as_str() {
            "ArrowLeft" => self.step(-1),
            "ArrowRight" => self.step(1),
            "Home" => self.go(0),
            "End" => self.go(self.last),
            _ => {}
        }
    }
}

/// What has happened at a moment of a film.
fn told(film: &Film, at: usize) -> String {
    let (moment, before) = (&film.moments[at], &film.moments[at.saturating_sub(1)]);
    let Some(happened) = &moment.happened else { return "The table as it was laid.".to_owned() };
    let (before, now) = (&before.public, &moment.public);
    boards::told(film.kind, &Telling { before, now, by: happened.seat, names: &film.names })
}

/// The buttons and the slide of a reel, and what has happened where it stands.
#[component]
pub(super) fn Controls(film: Film, reel: Reel, session: Session) -> impl IntoView {
    let Reel { last, plays, .. } = reel;
    let seats = (0..).map(Seat).zip(film.names.clone());
    let seats = seats.map(|(seat, name)| view! { <option value=seat.0>{name}</option> }).collect_view();
    let told = move || told(&film, reel.at());
    view! {
        <section class="card reel" aria-label="Move by move">
            <div class="reel-buttons">
                <button class="btn btn-icon" aria-label="One back" on:click=move |_| reel.step(-1)>{icon::back()}</button>
                <button class="btn btn-icon btn-main" aria-label="Go on by itself" aria-pressed=move || plays.get().to_string() on:click=move |_| plays.update(|on| *on = !*on)>{icon::play()}</button>
                <button class="btn btn-icon" data-do="forward" aria-label="One on" on:click=move |_| reel.step(1)>{icon::next()}</button>
                <span class="num faint">{move || format!("{} / {last}", reel.at())}</span>
            </div>
            <input class="reel-slide" type="range" min="0" max=last aria-label="Where in the game" prop:value=move || reel.at().to_string()
                on:input=move |event| reel.go(event_target_value(&event).parse().unwrap_or(0))/>
            <p class="reel-told" aria-live="polite">{told}</p>
            <label class="field">"Seen from"<select on:change=move |event| session.hand.set(event_target_value(&event).parse().ok().map(Seat))>{seats}</select></label>
        </section>
    }
}
