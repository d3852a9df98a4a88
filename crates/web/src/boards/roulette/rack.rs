//! What a player holds: chips, and what can be done with them.

use super::hand::Hand;
use super::throw::{self, Show as Shown};
use crate::ui::icon;
use leptos::prelude::*;
use roulette::{Act, Banker, Phase, Private, Public, Roulette, Stake};

/// The sizes of the chips in the rack.
const CHIPS: [u32; 5] = [1, 5, 10, 25, 100];

/// What a player holds, and how far the round is.
#[derive(Clone, Copy)]
struct Held {
    hand: Hand,
    view: Memo<Option<Public>>,
    own: Memo<Option<Private>>,
    shown: RwSignal<Shown>,
}

impl Held {
    fn chips(self) -> u64 {
        self.own.with(|own| own.as_ref().map_or(0, |own| own.chips))
    }

    fn slip(self) -> Vec<Stake> {
        self.own.with(|own| own.as_ref().map(|own| own.slip.clone())).unwrap_or_default()
    }

    /// The chips on the layout.
    fn laid(self) -> u64 {
        self.slip().iter().map(|stake| u64::from(stake.chips)).sum()
    }

    fn is_ready(self) -> bool {
        self.own.with(|own| own.as_ref().is_some_and(|own| own.ready))
    }

    fn phase(self) -> Phase {
        self.view.with(|view| view.as_ref().map_or(Phase::Over, |view| view.phase))
    }

    /// Whether somebody at this screen plays. After the last throw there is nothing left to bet on, once its dice have fallen.
    fn plays(self) -> bool {
        let rests = || self.phase() == Phase::Over && !self.shown.with(throw::Show::plays);
        !self.hand.session.mine.with(Vec::is_empty) && !rests()
    }

    fn banks(self) -> bool {
        let banker = self.view.with(|view| view.as_ref().map(|view| view.banker)).unwrap_or_default();
        self.hand.session.hand.get().is_some_and(|seat| banker == Banker::Seat(seat))
    }

    fn is_betting(self) -> bool {
        self.plays() && self.phase() == Phase::Betting && !self.banks()
    }

    /// Whether no chip can be laid now.
    fn is_idle(self) -> bool {
        !self.is_betting() || self.is_ready()
    }

    fn may_borrow(self) -> bool {
        let lends = || self.view.with(|view| view.as_ref().is_some_and(|view| view.loan > 0));
        self.is_betting() && self.chips() == 0 && self.laid() == 0 && lends()
    }

    /// How it stands, and what to do.
    fn says(self) -> String {
        match self.phase() {
            Phase::Over => String::new(),
            _ if !self.plays() => String::new(),
            Phase::Throwing if self.banks() => "Bets are closed. Throw!".to_owned(),
            Phase::Throwing => "Bets are closed; the banker has the dice.".to_owned(),
            Phase::Betting if self.banks() => {
                "You hold the bank: the others are laying their bets.".to_owned()
            }
            Phase::Betting if self.is_ready() => "Waiting for the others.".to_owned(),
            Phase::Betting if self.chips() == 0 && self.laid() == 0 => {
                "No chips left: watch, or borrow where the table lends.".to_owned()
            }
            Phase::Betting if self.laid() == 0 => "Lay a chip: number, edge, corner or box.".to_owned(),
            Phase::Betting => format!("{} on the layout, {} in hand.", self.laid(), self.chips()),
        }
    }

    fn act(self, act: Act) {
        self.hand.session.act::<Roulette>(act);
    }

    fn go(self) {
        self.shown.update(throw::Show::skip);
        self.act(Act::Ready);
    }
}

/// What a player holds: chips, and what can be done with them.
#[component]
pub(super) fn Rack(
    hand: Hand,
    view: Memo<Option<Public>>,
    own: Memo<Option<Private>>,
    shown: RwSignal<Shown>,
) -> impl IntoView {
    let held = Held { hand, view, own, shown };
    let go = move || if hand.session.players.with(Vec::len) > 1 { "Ready" } else { "Throw the dice" };
    view! {
        <div class="rack" aria-label="Your chips">
            <p class="rack-says" aria-live="polite">{move || held.says()}</p>
            <Show when=move || held.plays()>
                <Show when=move || !held.banks()>
                    <Chips held/>
                    <Bets held/>
                    <Show when=move || held.may_borrow()>
                        <button class="btn btn-main" on:click=move |_| held.act(Act::Borrow)>"Borrow"</button>
                    </Show>
                    <button class="btn btn-main rack-go" data-do="ready" disabled=move || held.is_idle() on:click=move |_| held.go()>{go}</button>
                </Show>
                <Show when=move || held.banks()>
                    <button class="btn btn-main rack-go" data-do="throw" disabled=move || held.phase() != Phase::Throwing on:click=move |_| held.act(Act::Throw)>"Throw the dice"</button>
                </Show>
            </Show>
        </div>
    }
}

/// The sizes of chips, of which one is in hand.
#[component]
fn Chips(held: Held) -> impl IntoView {
    let chip = held.hand.chip;
    let chips = CHIPS.map(|size| {
        let label = format!("Chip of {size}");
        view! {
            <button class="rack-chip" style=format!("--size:{size}") data-size=size aria-label=label disabled={move || held.chips() < u64::from(size) && chip.get() != size}
                aria-pressed=move || (chip.get() == size).to_string() on:click=move |_| chip.set(size)>
                <svg viewBox="-16 -16 32 32" aria-hidden="true"><circle class="chip-edge" r="14.5"/><circle class="chip-notch" r="14.5"/><circle class="chip-face" r="10.5"/><text class="chip-count" y="4">{size}</text></svg>
            </button>
        }
    });
    view! { <div class="rack-chips" role="group" aria-label="Chip size">{chips}</div> }
}

/// What can be done with all the bets at once.
#[component]
fn Bets(held: Held) -> impl IntoView {
    let hand = held.hand;
    let cannot_undo = move || held.is_idle() || !hand.can_undo();
    let nothing_before = move || held.is_idle() || hand.before().is_empty();
    let cannot_double = move || held.is_idle() || held.laid() == 0 || held.laid() > held.chips();
    let nothing_laid = move || held.is_idle() || held.laid() == 0;
    view! {
        <div class="rack-acts">
            <button class="btn" disabled=cannot_undo data-do="undo" on:click=move |_| hand.undo()>{icon::undo()}"Undo"</button>
            <button class="btn" data-do="repeat" disabled=nothing_before on:click=move |_| hand.lay_all(hand.before())>"Repeat"</button>
            <button class="btn" disabled=cannot_double on:click=move |_| hand.lay_all(held.slip())>"Double"</button>
            <button class="btn" disabled=nothing_laid data-do="clear" on:click=move |_| hand.clear(held.slip())>"Clear"</button>
        </div>
    }
}
