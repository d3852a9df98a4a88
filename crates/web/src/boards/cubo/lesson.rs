//! How Cubo is played, in steps that can be tried, and on one page.

use super::small;
use crate::learn::Step;
use cubo::{Count, Die, Square, Straights};
use leptos::prelude::*;

/// The lesson.
pub(super) const STEPS: &[Step] = &[
    Step {
        title: "Nine dice, one square",
        words: "Four red, four blue, one white. The white die lies in the middle; the others go round it in any order. Three rows across and three down count, diagonals do not.",
        show: || example("R1 B2 B3 / R2 W3 R4 / B3 B4 R5", false),
    },
    Step {
        title: "Straights and trips",
        words: "Three numbers in a row, up or down, count their highest. Three equal ones count that number. Tap two dice to change their places and watch the rows.",
        show: arranging,
    },
    Step {
        title: "One colour doubles",
        words: "A row all red or all blue counts double. The white die is red and blue at once: here both middle lines are doubled, 10 across and 8 down.",
        show: || example("B1 B4 B6 / R3 W4 R5 / R6 B4 R1", true),
    },
    Step {
        title: "Slam, call, take",
        words: "Content? Cover your dice and call. From then on nobody picks up again, and you take a die from the centre. When only one is left, the table counts down from six.",
        show: || example("R1 B2 B3 / R2 W3 R4 / B3 B4 R5", true),
    },
    Step {
        title: "One exchange",
        words: "Before counting, the die you took may replace one of your coloured dice. A red 6 for the blue 2 makes a straight of the top row; and from now on you play with one red die more.",
        show: exchanging,
    },
];

/// The rules on one page.
pub(super) const REFERENCE: &[(&str, &str)] = &[
    ("Aim", "The most points after six rounds."),
    (
        "A round",
        "At the signal all roll their nine dice at once and set them in a square round the white one.",
    ),
    (
        "Rolling again",
        "Pick all nine up and roll, as often as you like, until somebody calls. Whoever holds his dice at that moment may roll them one last time.",
    ),
    (
        "Calling",
        "All nine placed: cover, call, and take a die from the centre. Too slow at taking, and you are given one.",
    ),
    (
        "The countdown",
        "When all but one have taken, six seconds run. Not covered in time: no die, no points this round.",
    ),
    (
        "Counting",
        "Straight: its highest number. Trip: its number. All of one colour: doubled, the white die going with both.",
    ),
    (
        "The exchange",
        "The die taken may replace one coloured die where it lies; the other goes to the centre. Your colours stay changed.",
    ),
];

fn example(text: &'static str, lit: bool) -> AnyView {
    let Ok(square) = text.parse::<Square>() else { return ().into_any() };
    counted(square, lit)
}

fn counted(square: Square, lit: bool) -> AnyView {
    let count: Count = square.count(Straights::InOrder);
    let dice = square.dice().iter().map(|die| small(*die)).collect_view();
    let points = count.rows.map(|row| row.points);
    view! {
        <div class="lesson-square cubo">
            <div class="advice-square">{dice}</div>
            {lit.then(|| view! { <output class="try-says num">{format!("across {} + {} + {}, down {} + {} + {} = {}", points[0], points[1], points[2], points[3], points[4], points[5], count.total)}</output> })}
        </div>
    }
    .into_any()
}

fn arranging() -> AnyView {
    let dice = RwSignal::new(
        ["R3", "B5", "B4", "R2", "W3", "R6", "B1", "B3", "R4"].map(|die| die.parse::<Die>().ok()),
    );
    let picked = RwSignal::new(None::<usize>);
    let tap = move |at: usize| match picked.get_untracked() {
        _ if at == 4 => {}
        None => picked.set(Some(at)),
        Some(other) => {
            dice.update(|dice| dice.swap(at, other));
            picked.set(None);
        }
    };
    let says = move || {
        let dice: Vec<Die> = dice.get().into_iter().flatten().collect();
        let square = <[Die; 9]>::try_from(dice).ok().and_then(|dice| Square::new(dice).ok());
        square.map(|square| format!("{} points", square.points(Straights::InOrder)))
    };
    view! {
        <div class="lesson-square cubo">
            <div class="advice-square">
                {(0..9).map(|at| view! {
                    <button class="try-die" aria-pressed=move || (picked.get() == Some(at)).to_string() on:click=move |_| tap(at)>{move || dice.get()[at].map(small)}</button>
                }).collect_view()}
            </div>
            <output class="try-says num">{says}</output>
        </div>
    }
    .into_any()
}

fn exchanging() -> AnyView {
    let done = RwSignal::new(false);
    let text =
        move || if done.get() { "R4 R5 R6 / B1 W2 R2 / B6 R1 B1" } else { "R4 R5 B2 / B1 W2 R2 / B6 R1 B1" };
    view! {
        {move || example(text(), true)}
        <button class="btn" aria-pressed=move || done.get().to_string() on:click=move |_| done.update(|done| *done = !*done)>"Red 6 for blue 2"</button>
    }
    .into_any()
}
