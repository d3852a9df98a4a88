//! I-Qubes and Scribbage: letter dice on a ruled sheet. What both share is here: the sheet and the tray with the hands that
//! move dice ([`grid`], [`desk`]), the throw, the words and their count, challenges and votes ([`foot`]), the coach.

mod auction;
mod desk;
mod foot;
mod grid;
mod iqubes;
mod lay;
mod lesson;
mod lesson_iqubes;
mod lesson_scribbage;
mod piece;
mod read;
mod review;
mod scribbage;
mod shown;
mod tale;
mod throw;

pub use iqubes::GAME as IQUBES;
pub use scribbage::GAME as SCRIBBAGE;

use crate::session::Session;
use crate::sound::{Sound, ears};
use crate::ui::clock::ticking;
use desk::Desk;
use foot::{Foot, Pad};
use grid::Grid;
use leptos::prelude::*;
use letters::{Move, StageView};
use piece::Look;
use read::{Mark, class, sign, told};
use review::Said;
use shown::Shown;
use std::collections::BTreeMap;
use table::Seat;
use throw::{Cup, Roll};
use words::Word;

/// What one game has on its board besides.
struct Extra {
    /// Under the sheet.
    foot: Box<dyn FnOnce() -> AnyView>,
    /// On the sheet.
    mat: Box<dyn FnOnce() -> AnyView + Send>,
}

/// What is wished of the solver where it is not the house's pieces that lie on the table.
const OTHER_PIECES: (&str, &str) = ("any_letters", "Other pieces: any letters, as many as you like");

/// A name for a sentence, and whether that is "you".
fn doer(session: Session, seat: Seat) -> (String, bool) {
    let name = session.name(seat);
    let you = name == "You" || session.mine.with(|mine| mine.as_slice() == [seat]);
    (name, you)
}

/// The board of either game.
fn board(session: Session, look: Look, shown: Memo<Option<Shown>>, extra: Extra) -> AnyView {
    let may = Memo::new(move |_| {
        let Some(hand) = session.hand.get() else { return false };
        session.mine.with(|mine| mine.contains(&hand))
            && shown.with(|shown| {
                shown.as_ref().is_some_and(|shown| shown.arranging() && shown.turn.makers.contains(&hand))
            })
    });
    let ears = ears();
    let act = Callback::new(move |step: Move| {
        if !matches!(step, Move::Clear) {
            ears.play(Sound::Click);
        }
        look.act(session, step);
    });
    let desk = Desk::new(look, shown, may, act);
    let roll = Roll::watch(desk);
    Effect::new(move |_| {
        if session.refused.with(Option::is_some) {
            desk.refused();
        }
    });
    sounds(desk);
    let review = review::asked(session, desk);
    let class = match look {
        Look::IQubes => "letters is-iqubes",
        Look::Scribbage => "letters is-scribbage",
    };
    let headline = move || shown.with(|shown| shown.as_ref().map(|shown| shown.headline.clone()));
    let note = move || shown.with(|shown| shown.as_ref().map(|shown| shown.note.clone()));
    let Extra { foot, mat } = extra;
    view! {
        <div class=class class:is-mine=move || may.get()>
            <div class="lt-head">
                <Sand session shown/>
                <div class="lt-says"><p class="lt-who">{headline}</p><p class="lt-note faint">{note}</p></div>
                <Count desk/>
            </div>
            <WordList desk/>
            <Said desk review/>
            <Grid desk roll>
                {mat()}
                <Cup desk roll/>
                <Pad desk/>
            </Grid>
            {foot()}
            <Foot session desk/>
        </div>
    }
    .into_any()
}

/// A bell when a count stands.
fn sounds(desk: Desk) {
    let ears = ears();
    let counted =
        Memo::new(move |_| desk.shown.with(|shown| shown.as_ref().and_then(|shown| shown.count().cloned())));
    Effect::new(move |before: Option<bool>| {
        let now = counted.with(Option::is_some);
        if now && before == Some(false) {
            ears.play(Sound::Win);
        }
        now
    });
}

/// The sand: how much of the time is left, as a shape.
#[component]
fn Sand(session: Session, shown: Memo<Option<Shown>>) -> impl IntoView {
    let tick = ticking(250);
    let sand = Memo::new(move |_| shown.with(|shown| shown.as_ref().and_then(|shown| shown.sand)));
    let part = Memo::new(move |_| {
        tick.get();
        let (by, span) = sand.get()?;
        let left = (by as f64 - session.clock.get().now()).max(0.0);
        // In steps that can be seen: nothing is drawn anew for less.
        Some(((left / span as f64).clamp(0.0, 1.0) * 120.0).round() as u32)
    });
    let drawn = move |part: u32| {
        let left = f64::from(part) / 120.0;
        let (upper, lower) = (24.0 - 17.0 * left, 44.0 - 17.0 * (1.0 - left));
        view! {
            <svg class="lt-sand" class:is-last=move || { left < 0.12 } viewBox="0 0 36 50" aria-hidden="true">
                <clipPath id="sand-up"><rect x="0" y=upper width="36" height=24.0 - upper + 1.0/></clipPath>
                <clipPath id="sand-down"><rect x="0" y=lower width="36" height=46.0 - lower/></clipPath>
                <path class="sand-glass" d="M7 5h22v4q0 9-9 16 9 7 9 16v4H7v-4q0-9 9-16-9-7-9-16z"/>
                <path class="sand-grain" clip-path="url(#sand-up)" d="M9 7h18v2q0 8-9 15-9-7-9-15z"/>
                <path class="sand-grain" clip-path="url(#sand-down)" d="M9 44h18v-2q0-8-9-15-9 7-9 15z"/>
                {(part > 0).then(|| view! { <path class="sand-fall" d="M18 24v19"/> })}
                <path class="sand-wood" d="M4 4h28M4 46h28"/>
            </svg>
        }
    };
    move || part.get().map(drawn)
}

/// A number as it is printed, with a true minus.
fn signed(points: impl ToString) -> String {
    points.to_string().replace('-', "−")
}

/// The count: running while the dice are arranged, then as it stands.
#[component]
fn Count(desk: Desk) -> impl IntoView {
    let points = Memo::new(move |_| {
        let looked_at = desk.instead.with(Option::is_some);
        desk.shown.with(|shown| {
            let shown = shown.as_ref()?;
            match shown.count() {
                Some(count) if !looked_at => Some(count.points),
                _ if shown.rules.faces.is_empty() => None,
                _ => Some(desk.read.with(|read| read.points)),
            }
        })
    });
    let left = move || desk.read.with(|read| (read.left > 0).then(|| format!("−{} left over", read.left)));
    // What is counted is certain; what is not yet may rest on words that nobody has judged.
    let open = move || {
        let counted = desk.shown.with(|shown| shown.as_ref().is_some_and(|shown| shown.count().is_some()));
        (!counted && !desk.read.with(|read| read.certain)).then_some("if all are words")
    };
    view! {
        <output class="lt-count num" aria-live="off">
            {move || points.get().map(|points| view! { <b class="lt-points">{signed(points)}</b> })}
            {move || points.get().and_then(|_| left()).map(|left| view! { <small>{left}</small> })}
            {move || points.get().and_then(|_| open()).map(|open| view! { <small>{open}</small> })}
        </output>
    }
}

/// The words on the sheet, each with what it counts, and what there is to mend.
#[component]
fn WordList(desk: Desk) -> impl IntoView {
    let empty = move || {
        desk.shown.with(|shown| {
            shown.as_ref().and_then(|shown| match shown.turn.stage {
                StageView::Arranging if desk.may.get() => {
                    Some(format!("Drag {} onto the sheet, tap them, or type.", desk.look.pieces()))
                }
                _ => None,
            })
        })
    };
    let one = |(at, mark): (usize, &Mark)| {
        let word = mark.word.map_or("…".to_owned(), |word| word.to_string().to_uppercase());
        let doubled = mark.doubled && mark.counts;
        let points = if doubled { format!("{} × 2", mark.points / 2) } else { sign(mark) };
        view! { <li class=format!("lt-word {}", class(mark)) style=format!("--at:{at}")><span class="sr">{told(mark)}</span><b aria-hidden="true">{word}</b><span class="num" aria-hidden="true">{points}</span></li> }
    };
    let list = move || desk.read.with(|read| read.marks.iter().enumerate().map(one).collect_view());
    let says = move || desk.read.with(|read| read.says.clone()).filter(|_| desk.may.get());
    view! {
        <ul class="lt-words" aria-label="Words">
            {list}
            {move || says().map(|says| view! { <li class="lt-mend">{says}</li> })}
            {move || desk.read.with(|read| read.rest.clone()).map(|rest| view! { <li class="sr">{rest}</li> })}
            {move || desk.read.with(|read| read.marks.is_empty() && read.says.is_none()).then(|| empty().map(|says| view! { <li class="lt-mend faint">{says}</li> }))}
        </ul>
    }
}

/// What the table has decided about words.
fn rulings(rulings: &BTreeMap<Word, bool>) -> AnyView {
    if rulings.is_empty() {
        return ().into_any();
    }
    let each = rulings.iter().map(|(word, stands)| {
        let word = word.to_string().to_uppercase();
        let says = if *stands { "stands" } else { "falls" };
        view! { <li class:is-good=*stands class:is-bad=!*stands><b>{word}</b>" "{says}</li> }
    });
    view! { <p class="faint">"Decided by the table"</p><ul class="lt-list">{each.collect_view()}</ul> }
        .into_any()
}
