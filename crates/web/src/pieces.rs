//! The page comes in pieces: the shelf at once, the rest when it is wanted. What lies beyond the shelf is one piece, each game (its
//! board, its rules, its bots) another; `page`'s build script cuts the program at the functions below.
//!
//! A piece that is here is here for good. On the host, where nothing is cut, every piece is always here.

#![expect(
    clippy::unnecessary_wraps,
    reason = "the cut itself may fail: the macro fetches the piece before it calls the function"
)]

use crate::app::{Bar, Kindly};
use crate::boards::{self, Game};
use crate::route::Route;
use house::Kind;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_split::{SplitLoaderError, wasm_split};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::Pin;
use wasm_bindgen::JsValue;

/// A piece could not be fetched: there is no network, or the server has a newer page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing;

impl From<SplitLoaderError> for Missing {
    fn from(_: SplitLoaderError) -> Missing {
        Missing
    }
}

/// Draws a place beyond the shelf.
type Page = fn(Route) -> AnyView;
/// Hears one thing in the worker.
type Hear = fn(JsValue) -> Pin<Box<dyn Future<Output = ()>>>;
type Found = Result<&'static Game, Missing>;

#[wasm_split(rooms, fallible, wasm_split_path = ::leptos::wasm_split)]
fn rooms() -> Result<Page, Missing> {
    Ok(crate::app::beyond)
}

/// What a worker does: a piece of its own, for nobody at the shelf wants it.
#[wasm_split(work, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn work() -> Result<Hear, Missing> {
    Ok(crate::worker::hears)
}

#[wasm_split(letters, fallible, wasm_split_path = ::leptos::wasm_split)]
fn iqubes() -> Found {
    Ok(&boards::letters::IQUBES)
}

#[wasm_split(letters, fallible, wasm_split_path = ::leptos::wasm_split)]
fn scribbage() -> Found {
    Ok(&boards::letters::SCRIBBAGE)
}

#[wasm_split(contact, fallible, wasm_split_path = ::leptos::wasm_split)]
fn contact() -> Found {
    Ok(&boards::contact::GAME)
}

#[wasm_split(cubo, fallible, wasm_split_path = ::leptos::wasm_split)]
fn cubo() -> Found {
    Ok(&boards::cubo::GAME)
}

#[wasm_split(roulette, fallible, wasm_split_path = ::leptos::wasm_split)]
fn roulette() -> Found {
    Ok(&boards::roulette::GAME)
}

#[wasm_split(undrawn, fallible, wasm_split_path = ::leptos::wasm_split)]
fn undrawn(kind: Kind) -> Found {
    boards::undrawn::game(kind).ok_or(Missing)
}

thread_local! {
    static ROOMS: Cell<Option<Page>> = const { Cell::new(None) };
    static GAMES: RefCell<BTreeMap<Kind, &'static Game>> = const { RefCell::new(BTreeMap::new()) };
}

/// A game whose piece is here.
pub fn game(kind: Kind) -> Option<&'static Game> {
    GAMES.with_borrow(|games| games.get(&kind).copied())
}

/// Fetches a game unless it is here already.
pub async fn fetch(kind: Kind) -> Found {
    if let Some(game) = game(kind) {
        return Ok(game);
    }
    let game = match kind {
        Kind::IQubes => iqubes().await,
        Kind::Scribbage => scribbage().await,
        Kind::Contact => contact().await,
        Kind::Cubo => cubo().await,
        Kind::Roulette => roulette().await,
        #[allow(unreachable_patterns, reason = "a game may have no drawing yet")]
        _ => undrawn(kind).await,
    }?;
    GAMES.with_borrow_mut(|games| games.insert(kind, game));
    Ok(game)
}

/// Fetches what lies beyond the shelf, and a game with it.
async fn fetch_rooms(kind: Option<Kind>) -> Result<(), Missing> {
    if let Some(kind) = kind {
        // Both at once: the second wait below then finds it under way.
        spawn_local(async move {
            let _ = fetch(kind).await;
        });
    }
    ROOMS.set(Some(rooms().await?));
    if let Some(kind) = kind {
        fetch(kind).await?;
    }
    Ok(())
}

/// A place beyond the shelf: drawn as soon as its pieces are here.
#[component]
pub fn Beyond(
    /// Where.
    route: Route,
    /// The game that is played there, where that is known.
    kind: Option<Kind>,
) -> impl IntoView {
    view! { <Fetched kind show=move || ROOMS.get().map(|page| page(route.clone()))/> }
}

/// Something that is drawn as soon as its pieces are here; until then a word about it, or a way on.
#[component]
pub fn Fetched(
    /// The game it is of.
    kind: Option<Kind>,
    /// It.
    #[prop(into)]
    show: ViewFn,
) -> impl IntoView {
    let here = ROOMS.get().is_some() && kind.is_none_or(|kind| game(kind).is_some());
    let state = RwSignal::new(here.then_some(Ok(())));
    let fetch = move || {
        state.set(None);
        spawn_local(async move {
            let come = fetch_rooms(kind).await;
            if state.try_set(Some(come)).is_none() {
                crate::browser::focus_if_lost("main");
            }
        });
    };
    if !here {
        fetch();
    }
    move || match state.get() {
        None => view! { <Bar/><p class="section faint" role="status">"Opening the box…"</p> }.into_any(),
        Some(Ok(())) => show.run(),
        Some(Err(Missing)) => view! { <NotFetched again=fetch/> }.into_any(),
    }
}

#[component]
fn NotFetched(again: impl Fn() + Send + 'static) -> impl IntoView {
    view! {
        <Kindly title="A piece is missing" says="This part of the page could not be fetched. Check the connection and try again; your games are kept.">
            <button class="btn btn-main" on:click=move |_| again()>"Try again"</button>
            <button class="btn" on:click=move |_| { let _ = window().location().reload(); }>"Load the page again"</button>
        </Kindly>
    }
}
