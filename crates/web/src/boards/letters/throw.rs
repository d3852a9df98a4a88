//! The throw: the dice tumble out of the cup, each a little differently, in less than 700 ms. A tap ends it.

use super::desk::Desk;
use super::piece::Look;
use crate::browser;
use crate::sound::{Sound, ears};
use leptos::prelude::*;

/// The longest a throw is shown.
const LASTS_MS: i32 = 690;

/// A throw being shown.
#[derive(Clone, Copy)]
pub(super) struct Roll {
    /// How many throws were seen here.
    seen: RwSignal<u32>,
    /// Whether one is being shown.
    rolls: RwSignal<bool>,
}

impl Roll {
    /// Nothing was thrown yet.
    pub fn still_life() -> Roll {
        Roll { seen: RwSignal::new(0), rolls: RwSignal::new(false) }
    }

    /// Watches a table for throws.
    pub fn watch(desk: Desk) -> Roll {
        let roll = Roll::still_life();
        let ears = ears();
        let stage = Memo::new(move |_| {
            desk.shown.with(|shown| shown.as_ref().map(|shown| (shown.in_the_cup(), shown.arranging())))
        });
        Effect::new(move |before: Option<Option<(bool, bool)>>| {
            let now = stage.get();
            if before.flatten() == Some((true, false)) && now == Some((false, true)) {
                ears.play(Sound::Dice);
                roll.begin();
            }
            now
        });
        roll
    }

    fn begin(self) {
        let number = self.seen.get_untracked() + 1;
        self.seen.set(number);
        self.rolls.set(!browser::calm());
        browser::later(LASTS_MS, move || {
            if self.seen.try_get_untracked() == Some(number) {
                self.rolls.set(false);
            }
        });
    }

    /// Ends the show.
    pub fn skip(self) {
        if self.rolls.get_untracked() {
            self.rolls.set(false);
        }
    }

    /// Whether the dice lie still.
    pub fn still(self) -> bool {
        !self.rolls.get()
    }

    /// How a die tumbles.
    pub fn style(self, die: u8) -> String {
        let seen = self.seen.get();
        // A name that changes with the throw starts the animation anew.
        let name = if seen.is_multiple_of(2) { "lt-roll-a" } else { "lt-roll-b" };
        let turn = (u32::from(die) * 137 + seen * 71) % 360;
        let from = i32::from(die) * 53 % 240 - 120;
        format!(
            "animation-name:{name};animation-delay:{}ms;--turn:{}deg;--from:{from}px",
            u32::from(die) * 17,
            turn as i32 + 240
        )
    }
}

/// The cup: full before the throw, tilted at it, then out of the way.
#[component]
pub(super) fn Cup(desk: Desk, roll: Roll) -> impl IntoView {
    let full = move || desk.shown.with(|shown| shown.as_ref().is_some_and(super::shown::Shown::in_the_cup));
    let first = move || desk.dice() == 0;
    let class = move || {
        let mut class = String::from("lt-cup");
        for (on, name) in [(full(), " is-full"), (!roll.still(), " is-thrown"), (first(), " is-first")] {
            class.push_str(if on { name } else { "" });
        }
        class
    };
    view! { <div class=class aria-hidden="true">{cup(desk.look)}</div> }
}

/// The cup, drawn.
pub(super) fn cup(look: Look) -> AnyView {
    let drawn = match look {
        Look::IQubes => concat!(
            r#"<path class="cup-body" d="M24 26h72l-7 92q-29 9-58 0z"/><path class="cup-band" d="M25.5 44h69l-1.4 18h-66.2z"/>"#,
            r#"<path class="cup-line" d="M31 112q29 8 58 0"/><ellipse class="cup-mouth" cx="60" cy="26" rx="36" ry="10"/>"#,
            r#"<ellipse class="cup-rim" cx="60" cy="26" rx="36" ry="10"/><text class="cup-name" x="60" y="57" textLength="58" lengthAdjust="spacingAndGlyphs">I-QUBES</text>"#,
        ),
        Look::Scribbage => concat!(
            r#"<path class="cup-body" d="M22 24h76l-9 94q-29 10-58 0z"/><path class="cup-band" d="M22 24h76l-2 20h-72z"/>"#,
            r#"<path class="cup-stitch" d="M32 50l7 66M88 50l-7 66M33 106q27 8 54 0"/><ellipse class="cup-mouth" cx="60" cy="24" rx="38" ry="10.5"/>"#,
            r#"<ellipse class="cup-rim" cx="60" cy="24" rx="38" ry="10.5"/><path class="cup-star" d="M60 62l5 12 13 1-10 8 3 13-11-7-11 7 3-13-10-8 13-1z"/>"#,
        ),
    };
    view! { <svg viewBox="0 0 120 130" inner_html=drawn></svg> }.into_any()
}
