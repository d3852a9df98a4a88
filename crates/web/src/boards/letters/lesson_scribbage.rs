//! How Scribbage is played, in steps that can be tried, and on one page.

use super::lesson::{Example, laid, to_lay};
use super::piece::{Look, small};
use crate::learn::Step;
use leptos::prelude::*;
use scribbage::Set as Pieces;
use words::Counting;

const SHEET: Example = Example {
    look: Look::Scribbage,
    counting: Counting::Scribbage,
    solved: "plant/i.r.w/c.m.o/k",
    left: "q",
};

/// The lesson.
pub(super) const STEPS: &[Step] = &[
    Step {
        title: "Thirteen cubes out of a cup",
        words: "Roll them all, turn the timer, and cross them into one pattern of words, across and down. Drag a cube, tap it and then a cell, or type. Try it with these: PLANT across is a good beginning.",
        show: || to_lay(SHEET),
    },
    Step {
        title: "What it counts",
        words: "Add the values of the words across (PLANT, 11) and of those down (PICK 15, ARM 6, TWO 7: 28 together). A letter in both ways counts twice. The Q left over takes its 8 off again: 31.",
        show: || laid(SHEET),
    },
    Step {
        title: "Rare letters count most",
        words: "From 1 for A, E and O to 10 for Z. But a Z that finds no word takes ten off, and a turn may well come to less than nothing.",
        show: values,
    },
    Step {
        title: "The joker",
        words: "A star is any letter you call, the same both ways. It counts nothing, used or not; what it does for its neighbours is worth a lot.",
        show: || to_lay(Example { solved: "pLant/i.r.w/c.m.o/k", ..SHEET }),
    },
    Step {
        title: "Young players",
        words: "Without the crossword: as many words as possible, side by side, each cube in one of them. What is left over still counts against you.",
        show: || {
            laid(Example {
                counting: Counting::Young,
                solved: "plan/..../tick/..../worm",
                left: "q",
                ..SHEET
            })
        },
    },
];

/// The rules on one page.
pub(super) const REFERENCE: &[(&str, &str)] = &[
    (
        "Aim",
        "The highest score after the agreed turns, or the highest over an agreed figure once the round is played out; a tie over the figure plays on.",
    ),
    ("The start", "Everybody takes a cube and rolls it. The highest value begins; those who tie roll again."),
    (
        "A turn",
        "Roll all thirteen and arrange them until the timer has run out, or until you are content. Then the cubes go to the left.",
    ),
    (
        "Words",
        "Words of the dictionary, in one connected crossword: no names, abbreviations, slang or foreign words. Without a dictionary a doubted word is put to the vote.",
    ),
    (
        "Score",
        "The values of all words across and down, less those of the cubes not used. It can be less than nothing. When time is up, what belongs to no word is taken out and counts as not used.",
    ),
    (
        "Values",
        "1 A E O · 2 I L N R S T · 3 D H M U · 4 B C F G P V W Y · 5 K · 6 J · 8 Q X · 10 Z · joker 0.",
    ),
    ("Joker", "Any letter, the same both ways, worth nothing."),
    ("Partners", "Teams of two to four have one score and one turn, and all of them move the cubes."),
    ("Young players", "Words side by side instead of a crossword."),
];

fn values() -> AnyView {
    let set = Pieces::standard();
    let chosen = RwSignal::new("QUIZ".to_owned());
    let worth = {
        let set = set.clone();
        move || {
            chosen.with(|word| {
                word.chars()
                    .filter_map(|c| scribbage::Face::try_from(c).ok())
                    .map(|face| u32::from(set.value(face)))
                    .sum::<u32>()
            })
        }
    };
    let cubes = move || {
        chosen.with(|word| {
            word.chars()
                .filter_map(|c| scribbage::Face::try_from(c).ok())
                .map(|face| small(words::Face { letter: face.0, colour: None, value: set.value(face) }, None))
                .collect_view()
        })
    };
    let words = ["QUIZ", "JOKE", "TREE", "OXEN"];
    view! {
        <div class="lt-try">
            <div class="lt-again-row">{cubes}</div>
            <div class="buttons">
                {words.map(|word| view! { <button class="btn" aria-pressed=move || (chosen.get() == word).to_string() on:click=move |_| chosen.set(word.to_owned())>{word}</button> })}
            </div>
            <output class="try-says num">{worth}</output>
        </div>
    }
    .into_any()
}
