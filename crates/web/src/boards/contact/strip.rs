//! The strip beside the board: the tile in hand, large, as it would lie; what the move would do, in words; and the few
//! things that are no move on the board.

use super::hand::Hand;
use super::tile::{Print, printed};
use super::words;
use contact::view::TileView;
use contact::{Act, Contact, Side, Step};
use leptos::prelude::*;
use table::Seat;

/// The strip beside the board.
#[component]
pub(super) fn Strip(hand: Hand) -> impl IntoView {
    let session = hand.session;
    let looked = Memo::new(move |_| {
        let at = hand.looked_at()?;
        hand.view.with(|view| view.as_ref()?.tiles.iter().find(|tile| tile.at == at).cloned())
    });
    let head = move || match looked.get() {
        Some(tile) if tile.step == Step::OneStep => format!("One step, {}", tile.at),
        Some(tile) => format!("Two steps, {}", tile.at),
        None if session.over() => "It is over".to_owned(),
        None if session.my_turn() => "Your move".to_owned(),
        None => waits(hand),
    };
    let says = move || {
        let players = hand.players();
        let foretold = hand.foreseen.with(|seen| seen.as_ref().map(|seen| words::foretold(seen, players)));
        match (foretold, looked.get()) {
            (Some(foretold), _) => foretold,
            (None, Some(tile)) => words::choices(tile.at, &hand.ends(tile.at)),
            (None, None) if hand.must_pass() => "No tile of yours can move.".to_owned(),
            (None, None) if session.my_turn() => seven(hand),
            (None, None) => String::new(),
        }
    };
    let out_and_back = move || {
        let from = hand.picked.get()?;
        hand.ends(from).contains(&from).then_some(from)
    };
    let pass = move || session.act::<Contact>(Act::Pass {});
    view! {
        <section class="ct-strip" aria-label="The tile in hand">
            <div class="ct-large" aria-hidden="true">{move || looked.get().and_then(|tile| large(hand, &tile))}</div>
            <div class="ct-says">
                <h2>{head}</h2>
                <p>{says}</p>
            </div>
            <div class="ct-acts">
                {move || out_and_back().map(|from| view! {
                    <button class="btn" data-do="out-and-back" on:click=move |_| hand.go(from, from)
                        on:pointerenter=move |_| hand.aim.set(Some(from)) on:pointerleave=move |_| hand.aim.set(None)>"Out and back"</button>
                })}
                <Show when=move || hand.picked.get().is_some()>
                    <button class="btn" data-do="let-go" on:click=move |_| hand.let_go()>"Let go"</button>
                </Show>
                <Show when=move || hand.must_pass()>
                    <button class="btn btn-main" data-do="pass" on:click=move |_| pass()>"Pass"</button>
                </Show>
                <button class="btn" data-do="threats" aria-pressed=move || hand.threats.get().to_string() on:click=move |_| hand.toggle_threats()>"Threats"</button>
            </div>
        </section>
    }
}

/// Whom the table waits for.
fn waits(hand: Hand) -> String {
    let turn = hand.view.with(|view| view.as_ref().and_then(|view| view.turn));
    turn.map_or_else(String::new, |turn| format!("{} to move", player(hand, turn)))
}

/// The name of a side's player.
pub(super) fn player(hand: Hand, side: Side) -> String {
    let seat = hand.players().sides().iter().position(|&found| found == side).unwrap_or(0);
    hand.session.name(Seat(seat as u32))
}

/// In the last ending moves are of another kind.
fn seven(hand: Hand) -> String {
    let seven =
        hand.view.with(|view| view.as_ref().and_then(|view| view.pair).is_some_and(|pair| pair.seven_steps));
    if seven { "Exactly seven steps now.".to_owned() } else { "Pick a tile.".to_owned() }
}

/// The tile looked at: as it lies, or as it would when the move is made.
fn large(hand: Hand, tile: &TileView) -> Option<AnyView> {
    let seen = hand.foreseen.get();
    let spin = i32::from(tile.spin) + i32::from(seen.is_some());
    let turn = spin - hand.sight.get().quarters();
    let turned = tile.turned || seen.is_some_and(|seen| seen.turns_over);
    let print = hand.view.with(|view| Some(Print::new(tile.colour, tile.step, turned, view.as_ref()?)))?;
    Some(view! { <svg viewBox="-28 -28 56 56">{printed(print, move || turn)}</svg> }.into_any())
}
