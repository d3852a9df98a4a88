//! I-Qubes: cream paper, red and black bakelite.

use super::auction::{Bids, Keep, Proposal, Propose};
use super::piece::{Look, small};
use super::shown::Shown;
use super::{Extra, OTHER_PIECES, lesson_iqubes as lesson, review, tale};
use crate::boards::{Game, Solver, THE_BEST, Telling, fresh};
use crate::seen::Seen;
use crate::session::Session;
use ::iqubes::{News, Public};
use leptos::prelude::*;
use letters::{HEARING_MS, StageView};
use serde_json::json;
use std::sync::Arc;
use table::Seat;

/// What I-Qubes brings to the page.
pub static GAME: Game = Game {
    engine: &house::IQUBES,
    board,
    sheet,
    advice: |advice| review::advice(advice, Look::IQubes),
    tally,
    tell,
    solver: Some(Solver {
        title: THE_BEST,
        asks: "The dice you threw",
        written: "Large letters are red, small ones black; ! is the red WILD, ? the black one.",
        example: || "DASHTo!".to_owned(),
        wishes: &[("long_word", "Long word"), ("all_dice", "Every die must be used"), OTHER_PIECES],
        question: |text| json!({"dice": text}),
        answer: |answer| review::solved(answer, Look::IQubes),
    }),
    steps: lesson::STEPS,
    reference: lesson::REFERENCE,
};

fn board(session: Session) -> AnyView {
    let view = session.view::<Public>();
    let shown = Memo::new(move |_| view.with(|view| view.as_ref().map(|view| shown(view, session))));
    let extra = Extra {
        foot: Box::new(move || {
            view! { <Proposal session view/><Bids session view/><Keep session view/> }.into_any()
        }),
        mat: Box::new(move || view! { <Again view/> }.into_any()),
    };
    super::board(session, Look::IQubes, shown, extra)
}

fn shown(view: &Public, session: Session) -> Shown {
    let rules = view.options.rules(&view.throw);
    let time = view.options.time();
    let sand = match (&view.auction, &view.turn.stage) {
        (Some(auction), _) => Some((auction.by.0, ::iqubes::AUCTION_MS)),
        (None, StageView::Arranging) if view.bid.is_some() => view.turn.by.map(|by| (by.0, time / 2)),
        (None, StageView::Arranging) => view.turn.by.map(|by| (by.0, time)),
        (None, StageView::Hearing { .. } | StageView::Voting { .. }) => {
            view.turn.by.map(|by| (by.0, HEARING_MS))
        }
        _ => None,
    };
    let counted = view.news.iter().rev().find_map(|news| match news {
        News::Counted { seat, count, .. } | News::Bid { seat, count, .. } => {
            Some((vec![*seat], count.clone()))
        }
        _ => None,
    });
    Shown {
        rules,
        words: view.options.words,
        offensive: view.options.offensive,
        judge: view.options.judge,
        rulings: view.rulings.clone(),
        counted,
        sand: sand.filter(|_| !view.over),
        headline: headline(view, session),
        note: note(view),
        over: view.over,
        turn: view.turn.clone(),
    }
}

fn headline(view: &Public, session: Session) -> String {
    let maker = view.turn.makers.first().copied().unwrap_or(view.player);
    let (name, you) = super::doer(session, maker);
    let does =
        |you_do: &str, does: &str| if you { format!("You {you_do}") } else { format!("{name} {does}") };
    match (&view.turn.stage, view.bid) {
        _ if view.over => tale::ending(&view.totals, |seat| session.name(Seat(seat))),
        _ if view.auction.is_some() => "Who can make more of it?".to_owned(),
        (StageView::Cup, _) if view.asks => {
            does("may throw again, or keep it.", "may throw again, or keep it.")
        }
        (StageView::Cup, _) if view.second => {
            does("used them all: throw again.", "used them all and throws again.")
        }
        (StageView::Cup, _) => does("have the dice.", "has the dice."),
        (StageView::Arranging, None) => does("arrange.", "arranges."),
        (StageView::Arranging, Some(bid)) => {
            does(&format!("bid {bid}: make it."), &format!("bid {bid} and has to make it."))
        }
        (StageView::Hearing { .. }, _) => "The words are on the table.".to_owned(),
        (StageView::Voting { by, .. }, _) => format!("{} has a doubt.", session.name(*by)),
        (StageView::Stands, _) => "It counts.".to_owned(),
    }
}

fn note(view: &Public) -> String {
    let mut note = format!("Round {} of {}", view.round, view.last);
    if view.second {
        note.push_str(", second throw");
    }
    note
}

/// Throws without vowel and WILD, shown to everybody: the one that the player is asked about, and those before (IQ-S5).
#[component]
fn Again(view: Memo<Option<Public>>) -> impl IntoView {
    let mute = Memo::new(move |_| {
        view.with(|view| {
            let begins =
                |view: &&Public| view.turn.stage == StageView::Arranging && view.turn.dice.laid() == 0;
            let view = view.as_ref().filter(|view| view.asks || begins(view))?;
            let mut throws = view.news.iter().find_map(|news| match news {
                News::Threw { rethrown, .. } => Some(rethrown.clone()),
                _ => None,
            })?;
            throws.extend(view.asks.then(|| view.throw.clone()));
            (!throws.is_empty()).then_some((throws, view.asks))
        })
    });
    move || {
        mute.get().map(|(throws, asks)| {
            let says = if asks { "No vowel, no WILD." } else { "No vowel, no WILD: thrown again." };
            let rows = throws.into_iter().map(|throw| {
                let dice = throw.faces().into_iter().map(|face| small(face, None));
                view! { <div class="lt-again-row">{dice.collect_view()}</div> }
            });
            view! { <div class="lt-again" role="status"><p>{says}</p>{rows.collect_view()}</div> }
        })
    }
}

fn tally(seen: &Seen) -> Vec<String> {
    let totals = |view: Arc<Public>| view.totals.iter().map(super::signed).collect();
    seen.get().map(totals).unwrap_or_default()
}

fn tell(telling: &Telling<'_>) -> Vec<String> {
    let Some((before, now)) = telling.views::<Public>() else { return Vec::new() };
    let news = fresh(&before.news, &now.news);
    if !news.is_empty() {
        return news.iter().map(|news| news_told(news, &now, &|seat| telling.name(seat))).collect();
    }
    let done = || tale::done(&before.turn, &now.turn, &now.throw.faces(), telling);
    answered(&before, &now, telling).or_else(done).into_iter().collect()
}

/// Bids, proposals and what is said to them.
fn answered(before: &Public, now: &Public, telling: &Telling<'_>) -> Option<String> {
    let who = || telling.by.map(|seat| telling.name(seat));
    if let Some(auction) = now.auction.as_ref().filter(|_| now.auction != before.auction) {
        let high =
            auction.high.filter(|_| auction.high != before.auction.as_ref().and_then(|sale| sale.high));
        return match high {
            Some(high) => Some(format!("{} bids {}.", telling.name(high.seat), high.count)),
            None => Some(format!("{} passes.", who()?)),
        };
    }
    match (&before.proposal, &now.proposal) {
        (None, Some(open)) => {
            Some(format!("{} proposes to end after round {}.", telling.name(open.by), open.last))
        }
        (Some(was), Some(open)) if was.voted != open.voted => Some(format!("{} answers.", who()?)),
        _ => None,
    }
}

fn news_told(news: &News, view: &Public, name: &dyn Fn(Seat) -> String) -> String {
    match news {
        News::Threw { seat, throw, rethrown, .. } => {
            let again = if rethrown.is_empty() { "" } else { " again, for want of a vowel" };
            let asks = if view.asks { " No vowel and no WILD: it may be thrown again." } else { "" };
            format!("{} throws{again}: {}.{asks}", name(*seat), tale::letters(&throw.faces()))
        }
        News::Ruled { ruling } => tale::ruled(ruling),
        News::Counted { seat, count, full, earned } => {
            let more = match (full, earned) {
                (_, true) => " All dice used: another throw.",
                (true, false) => " All dice used.",
                _ => "",
            };
            let bids = if view.auction.is_some() { " Who bids more?" } else { "" };
            format!("{} counts {}.{more}{bids}", name(*seat), tale::count(count))
        }
        News::Auction { original, high: None } => format!("Nobody bids against {original}."),
        News::Auction { high: Some(bid), .. } => {
            format!("{} takes the dice for a bid of {}.", name(bid.seat), bid.count)
        }
        News::Bid { seat, bid, original, made, count } => {
            let moved = bid - original;
            let outcome = if *made {
                format!("makes the bid of {bid} and gains {moved}")
            } else {
                format!("misses the bid of {bid} and loses {moved}")
            };
            format!("{} {outcome}, with {}.", name(*seat), tale::count(count))
        }
        News::Proposal { last, agreed: true, .. } => format!("Agreed: the game ends after round {last}."),
        News::Proposal { last, .. } => format!("Not agreed to end after round {last}."),
    }
}

/// The sheet: points by round.
fn sheet(session: Session) -> AnyView {
    let view = session.view::<Public>();
    let rows = move || {
        let view = view.get()?;
        let seats = (0..view.totals.len() as u32).map(Seat).map(|seat| {
            let cells = (0..view.last as usize).map(|round| {
                let points = view.sheet.get(round).and_then(|round| round.get(seat.index()).copied());
                view! { <td class="num">{points.map(super::signed)}</td> }
            });
            let turn = view.player == seat && !view.over;
            view! { <tr class:is-turn=turn><th scope="row">{session.name(seat)}</th>{cells.collect_view()}<td class="num total"><b>{super::signed(view.totals[seat.index()])}</b></td></tr> }
        });
        Some(seats.collect_view())
    };
    let rounds = move || view.with(|view| view.as_ref().map_or(0, |view| view.last));
    view! {
        <section class="card" aria-label="Score sheet">
            <h2>"Score"</h2>
            <div class="scroll"><table class="score">
                <thead><tr><td></td>{move || (1..=rounds()).map(|round| view! { <th scope="col" class="num">{round}</th> }).collect_view()}<th scope="col">"Sum"</th></tr></thead>
                <tbody>{rows}</tbody>
            </table></div>
            {move || view.with(|view| view.as_ref().map(|view| super::rulings(&view.rulings)))}
            <Propose session view/>
        </section>
    }
    .into_any()
}
