//! What can be done now, under the board: throw, arrange, challenge, vote. The same in both games.

use super::desk::Desk;
use super::piece::Look;
use super::shown::Shown;
use crate::browser;
use crate::session::Session;
use crate::ui::icon;
use crate::ui::people::colour;
use crate::voice::voice;
use leptos::prelude::*;
use letters::{Move, StageView};
use table::Seat;
use words::{Letter, Word};

/// What is offered at each stage of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Offer {
    Throw,
    Arrange,
    Hear { words: Vec<(Word, bool)>, own: bool },
    Vote { word: Word },
    Watch,
}

/// What the seat in front may do.
fn offer(shown: &Shown, hand: Option<Seat>) -> Offer {
    let Some(hand) = hand.filter(|_| !shown.over) else { return Offer::Watch };
    let maker = shown.turn.makers.contains(&hand);
    match &shown.turn.stage {
        StageView::Cup if maker => Offer::Throw,
        StageView::Arranging if maker => Offer::Arrange,
        StageView::Hearing { .. } => {
            let said = shown.turn.count.iter().flat_map(|count| &count.words);
            let mut words: Vec<(Word, bool)> =
                said.map(|said| (said.word, shown.rulings.contains_key(&said.word))).collect();
            words.dedup();
            Offer::Hear { words, own: maker }
        }
        StageView::Voting { word, .. } => Offer::Vote { word: *word },
        _ => Offer::Watch,
    }
}

/// The foot of the board.
#[component]
pub(super) fn Foot(session: Session, desk: Desk) -> impl IntoView {
    let hand =
        Memo::new(move |_| session.hand.get().filter(|hand| session.mine.with(|mine| mine.contains(hand))));
    let offer = Memo::new(move |_| {
        desk.shown.with(|shown| shown.as_ref().map_or(Offer::Watch, |shown| offer(shown, hand.get())))
    });
    let throw = move |_| {
        desk.look.act(session, Move::Throw);
        browser::focus_soon(".lt-grid");
    };
    move || {
        match offer.get() {
        Offer::Throw => view! {
            <div class="lt-foot"><button class="btn btn-main lt-go" data-do="throw" on:click=throw>{super::throw::cup(desk.look)}"Throw the "{desk.look.pieces()}</button></div>
        }
        .into_any(),
        Offer::Arrange => view! { <Tools session desk/> }.into_any(),
        Offer::Hear { words, own } => view! { <Hearing session desk words own/> }.into_any(),
        Offer::Vote { word } => view! { <Voting session desk word/> }.into_any(),
        Offer::Watch => ().into_any(),
    }
    }
}

/// The tools of somebody who arranges.
#[component]
fn Tools(session: Session, desk: Desk) -> impl IntoView {
    let voice = voice();
    let laid = move || desk.board.with(letters::Board::laid);
    let hint = move |_| match hinted(desk) {
        Some(layout) if desk.ghost.get_untracked().as_ref() == Some(&layout) => desk.arrange(&layout),
        Some(layout) => {
            desk.ghost.set(Some(layout));
            voice.say("A word that goes here is shown. Ask once more to lay it.");
        }
        None => voice.tell("Nothing more comes to mind for what lies there. Try it another way."),
    };
    let done = move |_| {
        desk.look.act(session, Move::Done);
        browser::focus_soon(".lt-foot .btn");
    };
    // Only what will be counted stands on the button that counts it.
    let points = move || {
        desk.read.with(|read| {
            read.certain.then(|| view! { <span class="lt-go-points num">{super::signed(read.points)}</span> })
        })
    };
    view! {
        <div class="lt-foot">
            <div class="lt-tools" role="group" aria-label="Tools">
                <button class="btn lt-tool" data-do="undo" disabled=move || !desk.has_past() on:click=move |_| desk.undo()>{icon::undo()}<span>"Undo"</span></button>
                <button class="btn lt-tool" data-do="clear" disabled=move || laid() == 0 on:click=move |_| desk.clear()>{icon::sweep()}<span>"All back"</span></button>
                <button class="btn lt-tool" data-do="shuffle" on:click=move |_| desk.shuffle()>{icon::shuffle()}<span>"Mix"</span></button>
                <button class="btn lt-tool" data-do="together" aria-pressed=move || desk.together.get().to_string() on:click=move |_| desk.together.update(|on| *on = !*on)>{icon::chain()}<span>"Together"</span></button>
                <Show when=move || session.coached.get()>
                    <button class="btn lt-tool" data-do="hint" on:click=hint>{icon::bulb()}<span>{move || if desk.ghost.with(Option::is_some) { "Lay it" } else { "Hint" }}</span></button>
                </Show>
            </div>
            <button class="btn btn-main lt-go" data-do="done" on:click=done>"Done"{points}</button>
        </div>
    }
}

/// An everyday word that can be put to what lies there.
fn hinted(desk: Desk) -> Option<words::Layout> {
    let shown = desk.shown.get_untracked()?;
    let laid = desk.board.with_untracked(letters::Board::layout);
    letters::hint(&shown.rules, shown.accepts(), &laid)
}

/// The alphabet, for a wild die.
#[component]
pub(super) fn Pad(desk: Desk) -> impl IntoView {
    let voice = voice();
    let asked = Memo::new(move |_| desk.asking.get().filter(|_| desk.may.get()));
    Effect::new(move |_| {
        if asked.get().is_some() {
            voice.say(format!("Which letter is the {}? Type it, or choose it.", desk.look.wild()));
        }
    });
    let keys = move |die: u8| {
        Letter::all()
            .map(|letter| {
                let is = move || (desk.called(die) == Some(letter)).to_string();
                view! { <button class="lt-key" data-letter=letter.upper().to_string() aria-pressed=is on:click=move |_| { desk.call(die, letter); browser::focus_soon(".lt-grid"); }>{letter.upper().to_string()}</button> }
            })
            .collect_view()
    };
    move || {
        asked.get().map(|die| view! {
            <div class="lt-pad" role="group" aria-label=format!("Letter of the {}", desk.look.wild())>
                <p><b>{format!("Which letter is the {}?", desk.look.wild())}</b><button class="btn btn-icon btn-quiet" aria-label="Later" on:click=move |_| desk.asking.set(None)>{icon::close()}</button></p>
                <div class="lt-keys">{keys(die)}</div>
            </div>
        })
    }
}

/// What each seat has said so far.
pub(super) fn states(session: Session, states: Vec<(Seat, &'static str, bool)>) -> AnyView {
    let all = states.into_iter().map(|(seat, words, done)| {
        view! { <li class="lt-state" class:is-done=done style=colour(seat)><span class="person-dot" aria-hidden="true"></span><b>{session.name(seat)}</b>" "{words}</li> }
    });
    view! { <ul class="lt-states">{all.collect_view()}</ul> }.into_any()
}

fn seats(answers: &[bool]) -> impl Iterator<Item = (Seat, bool)> + '_ {
    (0..).map(Seat).zip(answers.iter().copied())
}

/// The words are on the table: does anybody challenge one?
#[component]
fn Hearing(session: Session, desk: Desk, words: Vec<(Word, bool)>, own: bool) -> impl IntoView {
    let passed = Memo::new(move |_| {
        desk.shown.with(|shown| match shown.as_ref().map(|shown| (&shown.turn.stage, &shown.turn.makers)) {
            Some((StageView::Hearing { passed }, makers)) => {
                seats(passed).filter(|(seat, _)| !makers.contains(seat)).collect::<Vec<_>>()
            }
            _ => Vec::new(),
        })
    });
    let silent =
        move || session.hand.get().is_some_and(|hand| passed.with(|passed| passed.contains(&(hand, true))));
    let list = move || {
        let say = |passed: bool| if passed { "is content" } else { "looks" };
        states(session, passed.get().into_iter().map(|(seat, passed)| (seat, say(passed), passed)).collect())
    };
    let offered = words.into_iter().map(|(word, ruled)| {
        let text = word.to_string().to_uppercase();
        let (label, shown) = (format!("Challenge {text}"), text.clone());
        view! { <button class="btn lt-challenge" data-challenge=text disabled=move || ruled || silent() aria-label=label on:click=move |_| desk.look.act(session, Move::Challenge(word))>{shown}</button> }
    });
    let says =
        if own { "The others look at your words." } else { "Tap a word that you doubt, or let them stand." };
    view! {
        <div class="lt-foot lt-court">
            <p class="lt-ask">{says}</p>
            {(!own).then(|| view! {
                <div class="lt-row">
                    {offered.collect_view()}
                    <button class="btn btn-main" data-do="pass" disabled=silent on:click=move |_| desk.look.act(session, Move::Pass)>"Let them stand"</button>
                </div>
            })}
            {list}
        </div>
    }
}

/// A word is challenged: the table votes.
#[component]
fn Voting(session: Session, desk: Desk, word: Word) -> impl IntoView {
    let voted = Memo::new(move |_| {
        desk.shown.with(|shown| match shown.as_ref().map(|shown| &shown.turn.stage) {
            Some(StageView::Voting { voted, .. }) => seats(voted).collect::<Vec<_>>(),
            _ => Vec::new(),
        })
    });
    let own = Memo::new(move |_| {
        let seat = session.hand.get()?;
        match desk.look {
            Look::IQubes => session.own_of::<iqubes::Private>(seat)?.vote,
            Look::Scribbage => session.own_of::<scribbage::Private>(seat)?.vote,
        }
    });
    let vote = move |good: bool| desk.look.act(session, Move::Vote(good));
    let list = move || {
        let say = |voted: bool| if voted { "has voted" } else { "thinks" };
        states(session, voted.get().into_iter().map(|(seat, voted)| (seat, say(voted), voted)).collect())
    };
    view! {
        <div class="lt-foot lt-court">
            <p class="lt-ask">"Is "<b class="lt-doubted">{word.to_string().to_uppercase()}</b>" a word?"</p>
            <div class="lt-row">
                <button class="btn" data-do="vote-yes" aria-pressed=move || (own.get() == Some(true)).to_string() on:click=move |_| vote(true)>{icon::check()}"It stands"</button>
                <button class="btn" data-do="vote-no" aria-pressed=move || (own.get() == Some(false)).to_string() on:click=move |_| vote(false)>{icon::close()}"It falls"</button>
            </div>
            {list}
        </div>
    }
}
