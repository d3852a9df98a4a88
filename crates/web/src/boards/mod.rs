//! The boards, one module a game, and the one table of what each brings to the page.
//!
//! # How to add a board
//!
//! A game that nobody has drawn is played on the board in [`undrawn`]. To draw one:
//!
//! 1. Write `boards/<game>.rs` with a `pub static GAME: Game`, and list it in [`game`], in [`undrawn`] and in
//!    [`pieces`](crate::pieces). Nothing else in the crate names a game: what stands on its box the game says itself, it is fetched when its
//!    box is opened, and whatever names `GAME` where the shelf is drawn brings the whole game into the first load. Styles go into
//!    `style/<nn>-<game>.css` (all sheets are joined in the order of their names); scope every rule with `[data-game=<name>]` or a
//!    class of your own prefix, and set the game's `--paper`, `--ink` and `--accent` there with `light-dark(…)`. The lid is drawn in `lids/`.
//! 2. `board(session)` draws board and hand. Take the typed view with `session.view::<Public>()` and the hand's secrets with
//!    `session.own::<Private>()` (both `Memo<Option<_>>`), and act with `session.act::<Game>(Act::…)`. Never ask
//!    where the table is played: the same board shows local, online and replayed games. In a replay acts do nothing, and
//!    `session.mine` is empty: draw, but offer nothing (`session.my_turn()` is false then).
//! 3. Around one screen `session.mine` has several seats and `session.hand` is the one in front; it moves by itself to
//!    whoever is awaited. A race for all at once draws one hand for each of `mine` and acts with `session.act_as::<Game>(seat, …)`.
//! 4. Motion: watch `session.happened` or compare the view with the one before in an `Effect`; sounds through
//!    [`sound::ears`](crate::sound::ears); 150–250 ms, a throw at most 700 ms and skippable; CSS transitions stop by
//!    themselves under reduced motion, timers ask [`browser::calm`](crate::browser::calm).
//! 5. `sheet` is the running score in the panel, `tally` what stands beside each name, `tell` in sentences what
//!    just happened (read aloud, and shown in replays), `advice` what the coach's JSON looks like to a person.
//! 6. `house::fields` describes every option of the engine; the form, its memory and its JSON come by themselves.
//! 7. Drag with pointer events: `setPointerCapture`, `touch-action: none` on what is dragged, positions through
//!    [`ui::point::on_drawing`](crate::ui::point::on_drawing). Tap-tap and keys must do everything that dragging does.
//! 8. While drawing: `cargo check -p web --target wasm32-unknown-unknown` tells the errors quickest; `cargo run -p page --example
//!    shelf` builds the page (the quick profile) and serves it without a server. Two pitfalls: a bare `>` in an attribute of `view!`
//!    ends the tag, so write `disabled={move || a > b}`; and a type called `Set` hides the trait that sets signals.
//! 9. Tests: a component test here (`view.to_html()` on the host), and a whole game in `crates/browser-tests`.

pub mod contact;
pub mod cubo;
pub mod letters;
pub mod roulette;
mod telling;
pub mod undrawn;

pub use telling::{Telling, fresh};

use crate::learn::Step;
use crate::seen::Seen;
use crate::session::Session;
use house::{Engine, Kind};
use leptos::prelude::*;
use serde_json::Value;

/// What a game brings to the page: a piece of its own, fetched when its box is opened.
pub struct Game {
    /// Its rules, its bots and its coach.
    pub engine: &'static Engine,
    /// Board and hand.
    pub board: fn(Session) -> AnyView,
    /// The running sheet.
    pub sheet: fn(Session) -> AnyView,
    /// What the coach said, for people.
    pub advice: fn(&Value) -> AnyView,
    /// What stands beside each name, seat by seat, from the public view.
    pub tally: fn(&Seen) -> Vec<String>,
    /// What has happened between two views, in sentences.
    pub tell: fn(&Telling<'_>) -> Vec<String>,
    /// Its solver, for whoever has the real pieces on the table.
    pub solver: Option<Solver>,
    /// The lesson.
    pub steps: &'static [Step],
    /// The rules on one page, in our own words: what and how.
    pub reference: &'static [(&'static str, &'static str)],
}

/// What most solvers tell.
pub const THE_BEST: &str = "What is the best?";

/// How the solver of a game is asked, and what it answers.
pub struct Solver {
    /// What it tells.
    pub title: &'static str,
    /// What is asked for.
    pub asks: &'static str,
    /// How that is written.
    pub written: &'static str,
    /// One to begin with.
    pub example: fn() -> String,
    /// What else can be wished: as the question names it, and in words.
    pub wishes: &'static [(&'static str, &'static str)],
    /// The question, of what was typed.
    pub question: fn(&str) -> Value,
    /// The answer, for people.
    pub answer: fn(&Value) -> AnyView,
}

/// What a game brings. Its piece must be here: whoever shows a table has fetched it ([`pieces`](crate::pieces)).
#[cfg(target_arch = "wasm32")]
pub fn game(kind: Kind) -> &'static Game {
    crate::pieces::game(kind).expect("a table is shown only after its game was fetched")
}

/// What a game brings.
#[cfg(not(target_arch = "wasm32"))]
pub fn game(kind: Kind) -> &'static Game {
    match kind {
        Kind::IQubes => &letters::IQUBES,
        Kind::Scribbage => &letters::SCRIBBAGE,
        Kind::Contact => &contact::GAME,
        Kind::Cubo => &cubo::GAME,
        Kind::Roulette => &roulette::GAME,
        #[allow(unreachable_patterns, reason = "a game may have no drawing yet")]
        _ => undrawn::game(kind).expect("it has no board of its own"),
    }
}

/// What most coaches say: a sentence under `says`.
pub fn plain_advice(advice: &Value) -> AnyView {
    let words = advice.get("says").and_then(Value::as_str).unwrap_or_default().to_owned();
    view! { <p>{words}</p> }.into_any()
}

/// What has happened between two views, whoever reads it: "Ada lays 15=2", "You lay 15=2".
pub fn told(kind: Kind, telling: &Telling<'_>) -> String {
    let sentences = (game(kind).tell)(telling).into_iter().map(house::to_you);
    sentences.collect::<Vec<_>>().join(" ")
}
