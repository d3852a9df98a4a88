//! How Dice Roulette is played, in steps that can be tried, and on one page.

use super::layout;
use crate::learn::Step;
use crate::ui::die;
use leptos::prelude::*;
use roulette::{Set as Pieces, Spot};

/// The lesson.
pub(super) const STEPS: &[Step] = &[
    Step {
        title: "Black is read first",
        words: "The black die gives the tens, the white one the units; they are never added. Black 1 and white 5 is 15. A blank face is no tens at all: blank and 6 is 6. Tap the dice.",
        show: reading,
    },
    Step {
        title: "Where chips can lie",
        words: "Squarely on a number, on the edge between two, on the corner of four, on the foot of a run of six, on a twelve, or on a half. Tap a bet to see what it covers and what it pays.",
        show: covering,
    },
    Step {
        title: "Losers leave first",
        words: "After the throw the banker sweeps the losing chips off, then pays the winners, and the winning stake comes back too. Ten chips on red when 21 comes: ten are paid, ten come back.",
        show: paying,
    },
    Step {
        title: "Exactly fair",
        words: "There are 36 numbers and a number pays 35; every other bet is cut the same way. So over all throws every one of the 136 bets comes out at nothing gained and nothing lost. You can choose how wild, but not how good.",
        show: fairness,
    },
];

/// The rules on one page.
pub(super) const REFERENCE: &[(&str, &str)] = &[
    ("Aim", "To have the most chips after the agreed number of throws."),
    (
        "Bets",
        "A number pays 35, two neighbours 17, four in a square 8, a run of six 5, a twelve 2, and red, black, odd, even, 1–26 and 31–56 pay 1. The stake comes back with every win.",
    ),
    (
        "Betting",
        "Everybody lays at once, on as many spots as they like, and may take chips back until all are ready or the time is up.",
    ),
    (
        "The banker",
        "Throws the dice and never bets. It is the house unless a player takes the bank; a player's bank refuses bets that it could not pay.",
    ),
    (
        "Without chips",
        "A player who has none watches, or borrows a fresh start where the table allows it; loans are given back at the end.",
    ),
    (
        "The end",
        "After the agreed throws, when everybody agrees to stop, or when only one player still has chips.",
    ),
];

fn reading() -> AnyView {
    let (black, white) = (RwSignal::new(1_u8), RwSignal::new(5_u8));
    let read = move || format!("{}", black.get() * 10 + white.get());
    view! {
        <div class="try-dice roulette">
            <button class="throw-button" aria-label=move || format!("Black die: {}", if black.get() == 0 { "blank".to_owned() } else { black.get().to_string() }) on:click=move |_| black.update(|face| *face = (*face + 1) % 6)>
                <svg class="throw-die is-black" viewBox="0 0 104 108">{move || die::signed(if black.get() == 0 { String::new() } else { black.get().to_string() })}</svg>
            </button>
            <button class="throw-button" aria-label=move || format!("White die: {}", white.get()) on:click=move |_| white.update(|face| *face = *face % 6 + 1)>
                <svg class="throw-die is-white" viewBox="0 0 104 108">{move || die::signed(white.get().to_string())}</svg>
            </button>
            <output class="try-says num">{read}</output>
        </div>
    }
    .into_any()
}

fn covering() -> AnyView {
    const BETS: [(&str, &str); 6] = [
        ("15", "a number"),
        ("1|2", "two"),
        ("23|24|33|34", "four"),
        ("41-46", "a run"),
        ("2d12", "a twelve"),
        ("red", "a half"),
    ];
    let chosen = RwSignal::new(0_usize);
    let set = Pieces::standard();
    let spot = move || BETS[chosen.get()].0.parse::<Spot>().unwrap_or(Spot::Number(15));
    let drawn = set.clone();
    view! {
        <div class="roulette lesson-layout">
            <svg class="layout" viewBox=format!("0 0 {} {}", layout::WIDTH, layout::HEIGHT) aria-hidden="true">
                {super::felt::printed(&set)}
                {move || super::felt::aimed(spot(), &drawn)}
            </svg>
            <div class="buttons">
                {BETS.into_iter().enumerate().map(|(at, (_, name))| view! {
                    <button class="btn" aria-pressed=move || (chosen.get() == at).to_string() on:click=move |_| chosen.set(at)>{name}</button>
                }).collect_view()}
            </div>
            <output class="try-says num">{move || format!("pays {}", layout::pays(spot(), &Pieces::standard()))}</output>
        </div>
    }
    .into_any()
}

fn paying() -> AnyView {
    const SAYS: [&str; 4] =
        ["10 on red, 10 on 1 to 6", "21 comes: red", "the run loses: 10 swept", "red wins: 10 paid, 10 back"];
    let step = RwSignal::new(0_usize);
    view! {
        <div class="roulette try-dice">
            <svg class="throw-die is-black" viewBox="0 0 104 108" aria-hidden="true">{die::signed("2".to_owned())}</svg>
            <svg class="throw-die is-white" viewBox="0 0 104 108" aria-hidden="true">{die::signed("1".to_owned())}</svg>
            <output class="try-says">{move || SAYS[step.get()]}</output>
            <button class="btn" on:click=move |_| step.update(|step| *step = (*step + 1) % SAYS.len())>"Go on"</button>
        </div>
    }
    .into_any()
}

fn fairness() -> AnyView {
    let rows = [("a number", 35, 1), ("two", 17, 2), ("four", 8, 4), ("a run", 5, 6), ("a twelve", 2, 12), ("a half", 1, 18)].map(|(name, pays, wins)| {
        view! { <tr><th scope="row">{name}</th><td class="num">{format!("{wins} × +{pays}")}</td><td class="num">{format!("{} × −1", 36 - wins)}</td><td class="num">{wins * pays - (36 - wins)}</td></tr> }
    });
    view! { <table class="fair"><thead><tr><th></th><th>"wins"</th><th>"losses"</th><th>"sum"</th></tr></thead><tbody>{rows}</tbody></table> }.into_any()
}
