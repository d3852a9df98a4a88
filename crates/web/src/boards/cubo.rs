//! Cubo: saturated dice, a white one in the middle, a cover that lands with weight. Everybody at once, so every hand at
//! this screen has a square of its own.

mod hand;
mod lesson;
mod others;

use super::{Game, Solver, THE_BEST, Telling};
use crate::browser;
use crate::seen::Seen;
use crate::session::Session;
use crate::sound::{Sound, ears};
use crate::ui::clock::ticking;
use crate::ui::die;
use crate::voice::voice;
use cubo::{Act, Colour, Cubo, Die, Phase, Public, Stage};
use leptos::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;
use table::Seat;

/// What Cubo brings to the page.
pub static GAME: Game = Game {
    engine: &house::CUBO,
    board,
    sheet,
    advice,
    tally,
    tell,
    solver: Some(Solver {
        title: THE_BEST,
        asks: "Your nine dice, the white one among them",
        written: "R for red, B for blue, W for the white one, and the number. A tenth die is one from the centre that you may take.",
        example: || "R1 R2 R3 R4 B1 B2 B3 B4 W4".to_owned(),
        wishes: &[("any_order", "Straights in any order")],
        question,
        answer: solved,
    }),
    steps: lesson::STEPS,
    reference: lesson::REFERENCE,
};

fn tally(seen: &Seen) -> Vec<String> {
    let scores = |public: Arc<Public>| public.seats.iter().map(|seat| seat.score.to_string()).collect();
    seen.get().map(scores).unwrap_or_default()
}

fn tell(telling: &Telling<'_>) -> Vec<String> {
    let Some((before, now)) = telling.views::<Public>() else { return Vec::new() };
    now.news_since(&before).iter().map(|news| news.tell(&|seat| telling.name(seat))).collect()
}

/// The class of a die's colours.
pub const fn tint(die: Die) -> &'static str {
    match die.colour() {
        Colour::Red => "is-red",
        Colour::Blue => "is-blue",
        Colour::White => "is-white",
    }
}

/// A die in a square of 100.
pub fn drawn(die: Die) -> AnyView {
    view! { <g class=format!("cubo-die {}", tint(die))>{die::pipped(die.face())}</g> }.into_any()
}

/// A small die on its own.
pub fn small(die: Die) -> AnyView {
    view! { <svg class="small-die" viewBox="0 0 102 106" role="img" aria-label=die.in_words()>{drawn(die)}</svg> }.into_any()
}

fn board(session: Session) -> AnyView {
    let view = session.view::<Public>();
    sounds(session, view);
    // In a replay and for watchers one square is shown: the one that is looked at.
    let seats = Memo::new(move |_| {
        let mine = session.mine.get();
        if mine.is_empty() { session.hand.get().into_iter().collect::<Vec<_>>() } else { mine }
    });
    view! {
        <div class="cubo" class:is-many=move || { seats.with(Vec::len) > 1 }>
            <Centre session view/>
            <div class="cubo-hands">
                {move || seats.get().into_iter().map(|seat| view! { <hand::HandOf session view seat/> }).collect_view()}
            </div>
            <others::Others session view seats/>
            <Countdown session view/>
        </div>
    }
    .into_any()
}

fn sounds(session: Session, view: Memo<Option<Public>>) {
    let ears = ears();
    Effect::new(move |_| {
        use Act::{Arrange, Lift, Place, Take};
        if let Some(Place { .. } | Lift { .. } | Arrange { .. } | Take { .. }) = session.does::<Cubo>() {
            ears.play(Sound::Click);
        }
    });
    // Throws and covers are heard, whoever throws and covers.
    let heard = Memo::new(move |_| {
        view.with(|view| {
            let seats = view.as_ref().map(|view| view.seats.as_slice()).unwrap_or_default();
            let covers = seats
                .iter()
                .filter(|seat| matches!(seat.stage, Stage::Called { .. } | Stage::Covered))
                .count();
            let throws: u32 = seats.iter().map(|seat| seat.throws).sum();
            (view.as_ref().map_or(0, |view| view.round), throws, covers)
        })
    });
    Effect::new(move |before: Option<(u32, u32, usize)>| {
        let now = heard.get();
        if let Some(before) = before {
            if now.0 != before.0 || now.1 > before.1 {
                ears.play(Sound::Dice);
            }
            if now.2 > before.2 {
                ears.play(Sound::Slam);
            }
        }
        now
    });
}

/// The dice in the centre: there for whoever has called.
#[component]
fn Centre(session: Session, view: Memo<Option<Public>>) -> impl IntoView {
    let taker = move || {
        let mine = session.mine.get();
        view.with(|view| {
            let view = view.as_ref()?;
            let called = |seat: &Seat| {
                view.seats.get(seat.index()).is_some_and(|seat| matches!(seat.stage, Stage::Called { .. }))
            };
            mine.into_iter().find(called)
        })
    };
    let dice = move || view.with(|view| view.as_ref().map(|view| view.centre.clone())).unwrap_or_default();
    let take = move |die: u8| {
        if let Some(seat) = taker() {
            session.act_as::<Cubo>(seat, Act::Take { die });
        }
    };
    let row = move || {
        (0..).zip(dice()).map(|(at, die)| match die {
            None => view! { <span class="centre-gap" aria-hidden="true"></span> }.into_any(),
            Some(die) => view! {
                <button class="centre-die" data-die=at disabled=move || taker().is_none() aria-label=format!("Take the {}", die.in_words()) on:click=move |_| take(at)>
                    {small(die)}
                </button>
            }.into_any(),
        }).collect_view()
    };
    let says = move || {
        let round = view.with(|view| view.as_ref().map(|view| (view.round.max(1), view.rounds)));
        match (taker(), round) {
            _ if session.over() => "The game is over".to_owned(),
            (Some(_), _) => "Take a die!".to_owned(),
            (None, Some((round, rounds))) => format!("Round {round} of {rounds}"),
            _ => String::new(),
        }
    };
    view! {
        <section class="centre" class:is-open=move || taker().is_some() aria-label="The centre">
            <p class="centre-says">{says}</p>
            <div class="centre-dice">{row}</div>
        </section>
    }
}

/// The countdown for the last one, as a number that fills the board, with its voice.
#[component]
fn Countdown(session: Session, view: Memo<Option<Public>>) -> impl IntoView {
    let tick = ticking(100);
    let (voice, ears) = (voice(), ears());
    let left = Memo::new(move |_| {
        tick.get();
        let end = view.with(|view| match view.as_ref()?.phase {
            Phase::Race { countdown, .. } => countdown,
            _ => None,
        })?;
        let left = (end.0 as f64 - session.clock.get().now()) / 1000.0;
        (left > 0.0).then(|| left.ceil() as u32)
    });
    Effect::new(move |_| {
        if let Some(left) = left.get() {
            ears.play(Sound::Tick);
            voice.say(left.to_string());
        }
    });
    move || left.get().map(|left| view! { <div class="countdown num" aria-hidden="true">{left}</div> })
}

/// The sheet: what each round brought.
fn sheet(session: Session) -> AnyView {
    let view = session.view::<Public>();
    let rounds = move || view.with(|view| view.as_ref().map_or(6, |view| view.rounds));
    let rows = move || {
        let seats = view.with(|view| view.as_ref().map(|view| view.seats.clone())).unwrap_or_default();
        (0..)
            .map(Seat)
            .zip(seats)
            .map(|(seat, shown)| {
                let cells = (0..rounds() as usize).map(
                    |round| view! { <td class="num">{shown.points.get(round).map(ToString::to_string)}</td> },
                );
                view! {
                    <tr>
                        <th scope="row">{session.name(seat)}</th>
                        {cells.collect_view()}
                        <td class="num total"><b>{shown.score}</b></td>
                    </tr>
                }
            })
            .collect_view()
    };
    view! {
        <section class="card" aria-label="Score sheet">
            <h2>"Score"</h2>
            <div class="scroll"><table class="score">
                <thead><tr><td></td>{move || (1..=rounds()).map(|round| view! { <th scope="col" class="num">{round}</th> }).collect_view()}<th scope="col">"Sum"</th></tr></thead>
                <tbody>{rows}</tbody>
            </table></div>
        </section>
    }
    .into_any()
}

/// Nine dice, and perhaps one to take.
fn question(text: &str) -> Value {
    let dice: Vec<&str> = text.split_whitespace().collect();
    match dice.as_slice() {
        [hand @ .., take] if hand.len() == 9 => json!({"dice": hand.join(" "), "take": take}),
        _ => json!({"dice": text}),
    }
}

/// What the solver found, for people.
fn solved(answer: &Value) -> AnyView {
    let score = answer.get("score").and_then(Value::as_u64).unwrap_or(0);
    let out = answer.pointer("/exchange/out").and_then(Value::as_str);
    let exchange = out.map(|out| format!("The one you take goes in for {out}."));
    view! {
        <p><b>{format!("{score} is the most, proven.")}</b></p>
        {answer.get("grid").and_then(square)}
        {exchange.map(|words| view! { <p class="faint">{words}</p> })}
    }
    .into_any()
}

/// Nine dice in their square.
fn square(grid: &Value) -> Option<AnyView> {
    let grid: Vec<Vec<Die>> = serde_json::from_value(grid.clone()).ok()?;
    let dice = grid.into_iter().flatten().map(small).collect_view();
    Some(view! { <div class="advice-square">{dice}</div> }.into_any())
}

/// What the coach says: the best there was, on a small square, and what a new throw was worth.
fn advice(advice: &Value) -> AnyView {
    let says = advice.get("says").and_then(Value::as_str).map(str::to_owned);
    let scored = advice.get("scored").and_then(Value::as_u64);
    let best = advice.pointer("/best/score").and_then(Value::as_u64);
    let head = match (says, scored, best) {
        (Some(says), ..) => says,
        (None, Some(scored), Some(best)) if scored >= best => {
            format!("{scored}: there was no more in these dice.")
        }
        (None, Some(scored), Some(best)) => format!("{scored} of a possible {best}, proven."),
        _ => String::new(),
    };
    let reroll = advice.get("reroll").map(|reroll| {
        let ratio = |key: &str| {
            reroll.get(key).and_then(|ratio| ratio.get("decimal").or(Some(ratio))).and_then(Value::as_f64)
        };
        let mean = ratio("mean").map(|mean| format!("A new throw is worth {mean:.1} on average"));
        let better = ratio("better")
            .map(|better| format!(", and beats this {:.0} times in a hundred", better * 100.0));
        [mean, better].into_iter().flatten().collect::<String>()
    });
    view! {
        <p>{head}</p>
        {advice.pointer("/best/grid").and_then(square)}
        {reroll.filter(|words| !words.is_empty()).map(|words| view! { <p class="faint">{words}"."</p> })}
    }
    .into_any()
}

/// Whether motion is welcome.
fn moves() -> bool {
    !browser::calm()
}
