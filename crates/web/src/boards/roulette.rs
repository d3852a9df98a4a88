//! Dice Roulette: green baize, gold rules, clay chips. Every one of the 136 spots can be reached with a finger, a mouse or
//! the arrow keys; what would be laid, and what it would pay, is shown before letting go.

mod chart;
mod felt;
mod hand;
mod layout;
mod lesson;
mod print;
mod rack;
mod throw;

use super::{Game, Solver, Telling};
use crate::seen::Seen;
use crate::session::Session;
use crate::sound::{Sound, ears};
use hand::{Hand, remember_slips};
use leptos::prelude::*;
use roulette::{Act, Banker, Private, Public, Roulette};
use serde_json::{Value, json};

/// What Dice Roulette brings to the page.
pub static GAME: Game = Game {
    engine: &house::ROULETTE,
    board,
    sheet: chart::sheet,
    advice,
    tally,
    tell,
    solver: Some(Solver {
        title: "What are the odds?",
        asks: "Your slip",
        written: "A number, two or four that touch with | between them, or a box, then = and the chips.",
        example: || "15=2 1|2=3 black=10".to_owned(),
        wishes: &[],
        question: |text| json!({"slip": text}),
        answer: solved,
    }),
    steps: lesson::STEPS,
    reference: lesson::REFERENCE,
};

fn tally(seen: &Seen) -> Vec<String> {
    let Some(public) = seen.get::<Public>() else { return Vec::new() };
    let laid = |seat: usize| {
        public
            .players
            .get(seat)
            .map_or(0, |place| place.slip.iter().map(|stake| u64::from(stake.chips)).sum())
    };
    (0..)
        .zip(&public.chips)
        .map(|(seat, chips)| match (public.banker, public.bank) {
            (Banker::Seat(banker), Some(bank)) if banker.index() == seat => format!("bank {}", bank.chips),
            _ => (chips + laid(seat)).to_string(),
        })
        .collect()
}

fn tell(telling: &Telling<'_>) -> Vec<String> {
    let Some((before, now)) = telling.views::<Public>() else { return Vec::new() };
    now.news_since(&before).iter().map(|news| news.tell(&|seat| telling.name(seat))).collect()
}

fn advice(advice: &Value) -> AnyView {
    let says = advice.get("says").and_then(Value::as_str).unwrap_or_default().to_owned();
    view! { <p>{says}</p>{advice.get("odds").map(bars)} }.into_any()
}

/// What the solver found, for people.
fn solved(answer: &Value) -> AnyView {
    let number = |key: &str| answer.get(key).and_then(Value::as_i64).unwrap_or(0);
    let words = format!(
        "{} chips at stake: {} throws of 36 win, {} lose, {} leave you where you were.",
        number("stake"),
        number("ahead"),
        number("behind"),
        number("even")
    );
    view! { <p><b>{words}</b></p>{bars(answer)} }.into_any()
}

/// How many throws of 36 bring how much.
fn bars(odds: &Value) -> AnyView {
    let ways = odds.get("distribution").and_then(Value::as_array).cloned().unwrap_or_default();
    let rows = ways.into_iter().map(|way| {
        let number = |key: &str| way.get(key).and_then(Value::as_i64).unwrap_or(0);
        let (net, ways) = (number("net"), number("ways"));
        view! {
            <li class="odd" class:is-plus={net > 0} class:is-minus={net < 0}>
                <span class="num">{format!("{net:+}")}</span>
                <span class="odd-bar" style=format!("--part:{:.3}", ways as f64 / 36.0)></span>
                <span class="num faint">{format!("{ways} of 36")}</span>
            </li>
        }
    });
    view! { <ul class="odds">{rows.collect_view()}</ul> }.into_any()
}

fn board(session: Session) -> AnyView {
    let view = session.view::<Public>();
    let own = session.own::<Private>();
    let hand = Hand::new(session);
    let shown = throw::watch(session, view);
    remember_slips(hand, own, view);
    sounds(session);
    view! {
        <div class="roulette" class:is-throwing=move || shown.with(throw::Show::plays)>
            <div class="roulette-felt">
                <felt::Layout hand view own shown/>
                <throw::Dice session view shown/>
            </div>
            <rack::Rack hand view own shown/>
        </div>
    }
    .into_any()
}

fn sounds(session: Session) {
    let ears = ears();
    Effect::new(move |_| match session.does::<Roulette>() {
        Some(Act::Lay { .. }) => ears.play(Sound::Chip),
        Some(Act::TakeBack { .. } | Act::Clear) => ears.play(Sound::Click),
        _ => {}
    });
}
