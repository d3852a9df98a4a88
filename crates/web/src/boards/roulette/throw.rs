//! The throw: the dice roll, the number is called, losing chips leave, winning ones are paid, in the sheet's order (DR-S7).
//! A tap skips it.

use crate::browser;
use crate::session::Session;
use crate::sound::{Sound, ears};
use crate::ui::die;
use leptos::prelude::*;
use roulette::Public;

/// What is being shown of a throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    /// Nothing: the layout as it is.
    Rest,
    /// The dice roll.
    Rolls,
    /// The number is known.
    Came(u8),
    /// Losing chips leave.
    Sweeps(u8),
    /// Winning chips are paid.
    Pays(u8),
}

impl Show {
    /// Whether a throw is being shown.
    pub(super) fn plays(&self) -> bool {
        *self != Show::Rest
    }

    /// Whether losing chips are leaving, or have.
    pub(super) fn sweeps(&self) -> bool {
        matches!(self, Show::Sweeps(_) | Show::Pays(_))
    }

    /// Whether winning chips are being paid.
    pub(super) fn pays(&self) -> bool {
        matches!(self, Show::Pays(_))
    }

    /// The number that came, once it may be seen.
    pub(super) fn number(&self) -> Option<u8> {
        match *self {
            Show::Rest | Show::Rolls => None,
            Show::Came(number) | Show::Sweeps(number) | Show::Pays(number) => Some(number),
        }
    }

    /// Ends the show.
    pub(super) fn skip(&mut self) {
        *self = Show::Rest;
    }
}

/// Shows each new throw of a table, step by step.
pub(super) fn watch(session: Session, view: Memo<Option<Public>>) -> RwSignal<Show> {
    let shown = RwSignal::new(Show::Rest);
    let ears = ears();
    let thrown = Memo::new(move |_| view.with(|view| view.as_ref().map_or(0, |view| view.thrown)));
    Effect::new(move |before: Option<u32>| {
        let now = thrown.get();
        let last = view.with_untracked(|view| view.as_ref().and_then(|view| view.last.clone()));
        let (Some(last), true) = (last, before.is_some_and(|before| now == before + 1)) else { return now };
        let number = last.number;
        let calm = browser::calm();
        ears.play(Sound::Dice);
        shown.set(if calm { Show::Came(number) } else { Show::Rolls });
        let mine = session.hand.get_untracked();
        let won = view.with_untracked(|view| {
            let place = view.as_ref().and_then(|view| view.players.get(mine?.index()).cloned());
            place.is_some_and(|place| place.last.returned > 0)
        });
        let mut at = if calm { 0 } else { 650 };
        let mut then = |after: i32, step: Show, sound: Option<Sound>| {
            at += after;
            browser::later(at, move || {
                // Skipped, or already another throw: leave it.
                if shown.try_get_untracked().is_some_and(|now| now.plays())
                    && thrown.try_get_untracked() == Some(now)
                {
                    shown.set(step);
                    if let Some(sound) = sound {
                        ears.play(sound);
                    }
                }
            });
        };
        then(0, Show::Came(number), None);
        if last.swept_chips > 0 {
            then(450, Show::Sweeps(number), Some(Sound::Sweep));
        }
        if last.paid_chips > 0 {
            then(450, Show::Pays(number), won.then_some(Sound::Win));
            then(600, Show::Pays(number), None);
        }
        then(600, Show::Rest, None);
        now
    });
    shown
}

/// The two dice, and the number they make.
#[component]
pub(super) fn Dice(session: Session, view: Memo<Option<Public>>, shown: RwSignal<Show>) -> impl IntoView {
    let last = move || view.with(|view| view.as_ref().and_then(|view| view.last.clone()));
    let rolls = move || shown.get() == Show::Rolls;
    let black = move || {
        last().map_or(
            String::new(),
            |last| if last.black == 0 { String::new() } else { last.black.to_string() },
        )
    };
    let white = move || last().map_or(String::from("6"), |last| last.white.to_string());
    let called = move || match last() {
        Some(last) if !rolls() => format!("{} {}", last.number, if last.red { "red" } else { "black" }),
        _ => String::new(),
    };
    let count = move || {
        view.with(|view| {
            view.as_ref().map(|view| {
                if view.thrown >= view.throws || session.over() {
                    if view.thrown == 1 { "One throw".to_owned() } else { format!("{} throws", view.thrown) }
                } else {
                    format!("Throw {} of {}", view.thrown + 1, view.throws)
                }
            })
        })
    };
    view! {
        <div class="throw" class:is-rolling=rolls on:click=move |_| shown.update(Show::skip)>
            <svg class="throw-die is-black" viewBox="0 0 104 108" aria-hidden="true">{move || die::signed(black())}</svg>
            <svg class="throw-die is-white" viewBox="0 0 104 108" aria-hidden="true">{move || die::signed(white())}</svg>
            <p class="throw-called num" aria-live="polite">{called}</p>
            <p class="throw-count faint num">{count}</p>
        </div>
    }
}
