//! What a player holds: chips, and what can be done with them.

use super::hand::Hand;
use super::throw::{self, Show as Shown};
use crate::ui::icon;
use leptos::prelude::*;
use roulette::{Act, Banker, Phase, Private, Public, Roulette};

/// The sizes of the chips in the rack.
const CHIPS: [u32; 5] = [1, 5, 10, 25, 100];

/// What a player holds: chips, and what can be done with them.
#[component]
pub(super) fn Rack(
    hand: Hand,
    view: Memo<Option<Public>>,
    own: Memo<Option<Private>>,
    shown: RwSignal<Shown>,
) -> impl IntoView {
    let session = hand.session;
    let chips = move || own.with(|own| own.as_ref().map_or(0, |own| own.chips));
    let slip = move || own.with(|own| own.as_ref().map(|own| own.slip.clone())).unwrap_or_default();
    let total = move || slip().iter().map(|stake| u64::from(stake.chips)).sum::<u64>();
    let ready = move || own.with(|own| own.as_ref().is_some_and(|own| own.ready));
    let phase = move || view.with(|view| view.as_ref().map_or(Phase::Over, |view| view.phase));
    // After the last throw there is nothing left to bet on, once its dice have fallen.
    let rests = move || phase() == Phase::Over && !shown.with(throw::Show::plays);
    let plays = move || !session.mine.with(Vec::is_empty) && !rests();
    let banker = move || view.with(|view| view.as_ref().map(|view| view.banker)).unwrap_or_default();
    let i_bank = move || session.hand.get().is_some_and(|seat| banker() == Banker::Seat(seat));
    let betting = move || plays() && phase() == Phase::Betting && !i_bank();
    let idle = move || !betting() || ready();
    let act = move |act: Act| session.act::<Roulette>(act);
    let go = move |_| {
        shown.update(throw::Show::skip);
        act(Act::Ready);
    };
    let says = move || match phase() {
        Phase::Over => String::new(),
        _ if !plays() => String::new(),
        Phase::Throwing if i_bank() => "Bets are closed. Throw!".to_owned(),
        Phase::Throwing => "Bets are closed; the banker has the dice.".to_owned(),
        Phase::Betting if i_bank() => "You hold the bank: the others are laying their bets.".to_owned(),
        Phase::Betting if ready() => "Waiting for the others.".to_owned(),
        Phase::Betting if chips() == 0 && total() == 0 => {
            "No chips left: watch, or borrow where the table lends.".to_owned()
        }
        Phase::Betting if total() == 0 => "Lay a chip: number, edge, corner or box.".to_owned(),
        Phase::Betting => format!("{} on the layout, {} in hand.", total(), chips()),
    };
    let rack = move || {
        CHIPS.map(|size| {
        let label = format!("Chip of {size}");
        view! {
            <button class="rack-chip" style=format!("--size:{size}") data-size=size aria-label=label disabled={move || chips() < u64::from(size) && hand.chip.get() != size}
                aria-pressed=move || (hand.chip.get() == size).to_string() on:click=move |_| hand.chip.set(size)>
                <svg viewBox="-16 -16 32 32" aria-hidden="true"><circle class="chip-edge" r="14.5"/><circle class="chip-notch" r="14.5"/><circle class="chip-face" r="10.5"/><text class="chip-count" y="4">{size}</text></svg>
            </button>
        }
    })
    };
    let double = move |_| hand.lay_all(slip());
    let cannot_double = move || idle() || total() == 0 || total() > chips();
    let repeat = move |_| hand.lay_all(hand.before());
    let nothing_before = move || idle() || hand.before().is_empty();
    view! {
        <div class="rack" aria-label="Your chips">
            <p class="rack-says" aria-live="polite">{says}</p>
            <Show when=plays>
                <Show when=move || !i_bank()>
                    <div class="rack-chips" role="group" aria-label="Chip size">{rack}</div>
                    <div class="rack-acts">
                        <button class="btn" disabled=move || idle() || !hand.can_undo() data-do="undo" on:click=move |_| hand.undo()>{icon::undo()}"Undo"</button>
                        <button class="btn" data-do="repeat" disabled=nothing_before on:click=repeat>"Repeat"</button>
                        <button class="btn" disabled=cannot_double on:click=double>"Double"</button>
                        <button class="btn" disabled=move || idle() || total() == 0 data-do="clear" on:click=move |_| hand.clear(slip())>"Clear"</button>
                    </div>
                    <Show when=move || betting() && chips() == 0 && total() == 0 && view.with(|view| view.as_ref().is_some_and(|view| view.loan > 0))>
                        <button class="btn btn-main" on:click=move |_| act(Act::Borrow)>"Borrow"</button>
                    </Show>
                    <button class="btn btn-main rack-go" data-do="ready" disabled=idle on:click=go>
                        {move || if session.players.with(Vec::len) > 1 { "Ready" } else { "Throw the dice" }}
                    </button>
                </Show>
                <Show when=move || i_bank()>
                    <button class="btn btn-main rack-go" data-do="throw" disabled=move || phase() != Phase::Throwing on:click=move |_| act(Act::Throw)>"Throw the dice"</button>
                </Show>
            </Show>
        </div>
    }
}
