//! How I-Qubes is played, in steps that can be tried, and on one page.

use super::lesson::{Example, laid, to_lay};
use super::piece::Look;
use crate::learn::Step;
use leptos::prelude::*;
use words::Counting;

const PLAIN: Counting = Counting::IQubes { long_word: false };

const fn sheet(text: &'static str) -> Example {
    Example { look: Look::IQubes, counting: PLAIN, solved: text, left: "" }
}

/// The lesson.
pub(super) const STEPS: &[Step] = &[
    Step {
        title: "Seven dice, one crossword",
        words: "Throw all seven, then cross as many as you can into words, across and down, all hanging together. Lay these: drag a die, tap it and then a cell, or just type. One way makes 6.",
        show: || to_lay(Example { left: "ro", ..sheet("sPAR/..t") }),
    },
    Step {
        title: "One colour counts double",
        words: "A word counts its letters; a word all red or all black counts them twice. Here COD, TO and IS are doubled and DIE, of both colours, is not: 6, 4, 4 and 3 make 17.",
        show: || laid(sheet(".T../CO*D./..IS/..e.")),
    },
    Step {
        title: "WILD is any letter you call",
        words: "It keeps its own colour, and it is the same letter in both its words. Here it is an O, everything is red, and the five words come to 26. Try to build it: DASH above TOE, one step in.",
        show: || to_lay(sheet("DASH/.TO*E")),
    },
    Step {
        title: "All used: throw again",
        words: "Whoever uses every die before the sand runs out earns a second throw, once a turn; both count. A throw without any vowel and without WILD may be thrown again.",
        show: || laid(sheet("DASH/.TO*E")),
    },
    Step {
        title: "Bid for more",
        words: "Where the table bids, the others may say that they can make more of the same dice. The highest bidder has half the time. From 10 a bid of 15 wins 5; missed, the 5 go to the first player.",
        show: bidding,
    },
];

/// The rules on one page.
pub(super) const REFERENCE: &[(&str, &str)] = &[
    ("Aim", "The highest total after the agreed rounds; equal totals share the win."),
    (
        "A turn",
        "Throw the seven dice and arrange them within 60 or 90 seconds. What lies there when the time is up counts; what belongs to no word is taken out, so that most is left.",
    ),
    (
        "Words",
        "Every run of two or more dice, across or down, is a word of the dictionary, and all hang together. No names, no slang, no foreign words. Without a dictionary a doubted word is put to the vote; a tie lets it stand.",
    ),
    (
        "Count",
        "A word counts its letters, twice where all are of one colour. A letter in two words counts in both. Dice left over cost nothing.",
    ),
    ("WILD", "Any letter, in its own colour, the same in both its words."),
    ("Second throw", "All dice used in time: throw once more. A full second throw earns no third."),
    (
        "Variations",
        "All dice in one word count 15, or 30 in one colour. Two sets: fourteen dice and double time. Bidding: the others may bid more than the count, and the highest bidder tries it in half the time.",
    ),
    (
        "The end",
        "After the agreed rounds; while you play, the majority may agree to end after one, two or three more.",
    ),
];

fn bidding() -> AnyView {
    let bid = RwSignal::new(15_u32);
    let made = RwSignal::new(true);
    let (least, most) = (Signal::stored(11_u32), Signal::stored(28_u32));
    let says = move || {
        let (bidder, player) = ::iqubes::settle(10, bid.get(), if made.get() { bid.get() } else { 0 });
        format!("Bidder {bidder:+}, first player {player:+}")
    };
    view! {
        <div class="lt-try">
            <p>"Ann made 10. Ben bids"</p>
            <crate::unbox::Stepper value=bid least most/>
            <div class="buttons">
                <button class="btn" aria-pressed=move || made.get().to_string() on:click=move |_| made.set(true)>"He makes it"</button>
                <button class="btn" aria-pressed=move || (!made.get()).to_string() on:click=move |_| made.set(false)>"He does not"</button>
            </div>
            <output class="try-says num">{says}</output>
        </div>
    }
    .into_any()
}
