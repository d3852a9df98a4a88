//! How a game is played: short steps, each with something to see or to try, and the whole on one page.

use crate::app::Bar;
use crate::boards::{self, Game};
use crate::ui::icon;
use house::Kind;
use leptos::html;
use leptos::prelude::*;

/// One step of a lesson.
pub struct Step {
    /// What it is about.
    pub title: &'static str,
    /// In a sentence or three.
    pub words: &'static str,
    /// Something to see or to try.
    pub show: fn() -> AnyView,
}

/// A lesson and the rules, as a page.
#[component]
pub fn Learn(
    /// In which game.
    kind: Kind,
) -> impl IntoView {
    let game = boards::game(kind);
    view! {
        <Bar/>
        <main id="main" class="learn" data-game=kind.name() tabindex="-1">
            <header class="learn-head">
                <h1>{kind.title()}</h1>
                <a class="btn btn-main" href=format!("./box/{}", kind.name())>"Play"</a>
            </header>
            <Show when=|| !game.steps.is_empty()><Lesson game/></Show>
            <Reference game/>
        </main>
    }
}

/// A lesson, step by step.
#[component]
pub fn Lesson(
    /// In which game.
    game: &'static Game,
    /// Whether it lies over a table: what is under it does not scroll.
    #[prop(optional)]
    over: bool,
) -> impl IntoView {
    let (at, set_at) = signal(0_usize);
    let last = game.steps.len().saturating_sub(1);
    let section = NodeRef::<html::Section>::new();
    // Each step is read from its top; on a phone the way on lies far below it.
    Effect::new(move |before: Option<usize>| {
        let now = at.get();
        match section.get_untracked().filter(|_| before.is_some_and(|before| before != now)) {
            Some(section) if over => section.scroll_into_view(),
            Some(_) => window().scroll_to_with_x_and_y(0.0, 0.0),
            None => {}
        }
        now
    });
    let dots = game.steps.iter().enumerate().map(|(step, about)| {
        let label = format!("Step {} of {}: {}", step + 1, last + 1, about.title);
        let current = move || (at.get() == step).then_some("step");
        view! {
            <li><button class="dot" aria-label=label aria-current=current on:click=move |_| set_at.set(step)></button></li>
        }
    });
    view! {
        <section class="lesson card" aria-label="Lesson" node_ref=section>
            {move || game.steps.get(at.get()).map(|step| {
                view! {
                    <div class="lesson-show">{(step.show)()}</div>
                    <div class="lesson-words" aria-live="polite"><h2>{step.title}</h2><p>{step.words}</p></div>
                }
            })}
            <nav class="lesson-nav" aria-label="Steps">
                <button class="btn" disabled=move || at.get() == 0 on:click=move |_| set_at.update(|at| *at = at.saturating_sub(1))>{icon::back()}"Back"</button>
                <ol class="dots">{dots.collect_view()}</ol>
                <button class="btn btn-main" data-do="next" disabled=move || at.get() == last on:click=move |_| set_at.update(|at| *at = (*at + 1).min(last))>"Next"{icon::next()}</button>
            </nav>
        </section>
    }
}

/// The rules on one page.
#[component]
pub fn Reference(
    /// Of which game.
    game: &'static Game,
) -> impl IntoView {
    view! {
        <section class="card reference" aria-labelledby="reference">
            <h2 id="reference">"On one page"</h2>
            <dl>{game.reference.iter().map(|(name, words)| view! { <dt>{*name}</dt><dd>{*words}</dd> }).collect_view()}</dl>
        </section>
    }
}
