//! I-Qubes besides the dice: a throw that may be kept, the live auction for a higher count, the agreement to end the game.

use super::foot::states;
use crate::session::Session;
use crate::unbox::Stepper;
use iqubes::{Act, Auction, IQubes, Private, Public};
use leptos::prelude::*;
use table::Seat;

/// A throw without vowel and WILD: the cup is offered below, and here it may be kept (IQ-S5).
#[component]
pub(super) fn Keep(session: Session, view: Memo<Option<Public>>) -> impl IntoView {
    let asked = Memo::new(move |_| {
        let hand = session.hand.get().filter(|hand| session.mine.with(|mine| mine.contains(hand)));
        view.with(|view| view.as_ref().is_some_and(|view| view.asks && Some(view.player) == hand))
    });
    let keep = move |_| session.act::<IQubes>(Act::Keep);
    view! {
        <Show when=move || asked.get()>
            <div class="lt-foot"><button class="btn" data-do="keep" on:click=keep>"Keep this throw"</button></div>
        </Show>
    }
}

/// The auction, while bids are taken.
#[component]
pub(super) fn Bids(session: Session, view: Memo<Option<Public>>) -> impl IntoView {
    let auction = Memo::new(move |_| view.with(|view| view.as_ref().and_then(|view| view.auction.clone())));
    let open = Memo::new(move |_| auction.with(Option::is_some));
    move || open.get().then(|| view! { <Sale session auction/> })
}

#[component]
fn Sale(session: Session, auction: Memo<Option<Auction>>) -> impl IntoView {
    let hand = move || session.hand.get().filter(|hand| session.mine.with(|mine| mine.contains(hand)));
    let with = move |of: fn(&Auction, Seat) -> bool| {
        hand().is_some_and(|hand| {
            auction.with(|auction| auction.as_ref().is_some_and(|auction| of(auction, hand)))
        })
    };
    let may = move || with(Auction::awaits);
    let holds = move || with(|auction, hand| auction.high.is_some_and(|high| high.seat == hand));
    let amount = RwSignal::new(0_u32);
    let least = Signal::derive(move || {
        auction.with(|auction| auction.as_ref().map_or(1, |auction| auction.beat() + 1))
    });
    let most =
        Signal::derive(move || auction.with(|auction| auction.as_ref().map_or(1, |auction| auction.most)));
    let bid = move || amount.get().clamp(least.get(), most.get().max(least.get()));
    let head = move || {
        auction.with(|auction| {
            auction.as_ref().map(|auction| {
                let made = format!("{} made {}.", session.name(auction.player), auction.original);
                let high = auction.high.map_or_else(
                    || "No bid yet.".to_owned(),
                    |high| format!("{} bids {}.", session.name(high.seat), high.count),
                );
                view! { <p class="lt-ask">{made}" "<b>{high}</b></p> }
            })
        })
    };
    let list = move || {
        auction.with(|auction| {
            let auction = auction.as_ref()?;
            let state = |seat: Seat| match auction.high {
                Some(high) if high.seat == seat => ("holds the bid", true),
                _ if auction.awaits(seat) => ("thinks", false),
                _ => ("passes", true),
            };
            let others = (0..auction.passed.len() as u32).map(Seat).filter(|&seat| seat != auction.player);
            Some(states(
                session,
                others
                    .map(|seat| {
                        let (words, done) = state(seat);
                        (seat, words, done)
                    })
                    .collect(),
            ))
        })
    };
    let act = move |act: Act| session.act::<IQubes>(act);
    view! {
        <div class="lt-foot lt-court lt-sale" role="group" aria-label="Auction">
            {head}
            <Show when=may>
                <div class="lt-row">
                    <Stepper value=amount least most/>
                    <button class="btn btn-main" data-do="bid" on:click=move |_| act(Act::Bid { count: bid() })>"Bid "{bid}</button>
                    <button class="btn" data-do="pass" on:click=move |_| act(Act::Pass)>"Pass"</button>
                </div>
            </Show>
            <Show when=holds><p class="faint">"Your bid holds unless somebody beats it."</p></Show>
            {list}
        </div>
    }
}

/// A proposal to end the game, and the answers to it.
#[component]
pub(super) fn Proposal(session: Session, view: Memo<Option<Public>>) -> impl IntoView {
    let own = session.own::<Private>();
    let open = Memo::new(move |_| view.with(|view| view.as_ref().and_then(|view| view.proposal.clone())));
    let mine = move || session.hand.get().is_some_and(|hand| session.mine.with(|mine| mine.contains(&hand)));
    let agreed =
        move |yes: bool| (own.with(|own| own.as_ref().and_then(|own| own.agreed)) == Some(yes)).to_string();
    let answer = move |yes: bool| session.act::<IQubes>(Act::Agree { yes });
    move || {
        open.get().map(|open| {
            let voted = (0..).map(Seat).zip(open.voted).map(|(seat, done)| (seat, if done { "has answered" } else { "thinks" }, done));
            view! {
                <div class="lt-proposal" role="group" aria-label="Proposal">
                    <p>{format!("{} proposes to end after round {}.", session.name(open.by), open.last)}</p>
                    <Show when=mine>
                        <div class="lt-row">
                            <button class="btn" data-do="agree" aria-pressed=move || agreed(true) on:click=move |_| answer(true)>"Agreed"</button>
                            <button class="btn" data-do="disagree" aria-pressed=move || agreed(false) on:click=move |_| answer(false)>"Play on"</button>
                        </div>
                    </Show>
                    {states(session, voted.collect())}
                </div>
            }
        })
    }
}

/// Proposes to end the game, from the panel.
#[component]
pub(super) fn Propose(session: Session, view: Memo<Option<Public>>) -> impl IntoView {
    let may = move || {
        session.hand.get().is_some_and(|hand| session.mine.with(|mine| mine.contains(&hand)))
            && view.with(|view| view.as_ref().is_some_and(|view| !view.over && view.proposal.is_none()))
    };
    let act = move |act: Act| session.act::<IQubes>(act);
    let offers = move || {
        let round = view.with(|view| view.as_ref().map_or(1, |view| view.round));
        (1..=3_u32)
            .map(|more| {
                let label = format!("Propose to end after round {}", round + more);
                view! { <button class="btn" data-propose=more aria-label=label on:click=move |_| act(Act::Propose { rounds: more })>{round + more}</button> }
            })
            .collect_view()
    };
    view! {
        <Show when=may>
            <div class="lt-propose"><span class="faint">"Propose to end after round"</span><div class="buttons">{offers}</div></div>
        </Show>
    }
}
