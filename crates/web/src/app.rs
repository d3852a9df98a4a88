//! The frame round every page: the bar, the voice, light and dark, and the way from place to place.

use crate::browser;
use crate::home::Home;
use crate::learn::Learn;
use crate::net;
use crate::pieces::Beyond;
use crate::replay::Replay;
use crate::route::{Route, Way, way};
use crate::solve::Solve;
use crate::sound::{Ears, ears};
use crate::store;
use crate::table_page::{Here, There};
use crate::ui::icon;
use crate::unbox::Unbox;
use crate::voice::{Mouth, Voice};
use house::Kind;
use leptos::prelude::*;

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let way = Way::begin();
    provide_context(way);
    let voice = Voice::new();
    provide_context(voice);
    let renewed = window_event_listener_untyped("parlor-renewed", move |_| {
        voice.tell("A newer Parlor is here. Load the page again when it suits you; your games stay.");
    });
    on_cleanup(move || renewed.remove());
    provide_context(Ears::remembered());
    let theme = Theme::remembered();
    provide_context(theme);
    provide_context(crate::net::Line::new());
    Effect::new(move |before: Option<Route>| {
        let now = way.now();
        document().set_title(&title(&now));
        // A new page begins at its top, for eyes and for screen readers.
        if before.is_some_and(|before| before != now) {
            browser::focus_soon("main");
        }
        now
    });
    view! {
        <a class="skip" href="#main" on:click=skip>"To the table"</a>
        {move || page(way.now())}
        <Mouth/>
    }
}

/// To what the page is about, without a step in the browser's history: that would lay the page anew, and what a shared link
/// carries behind its # would be lost.
fn skip(click: web_sys::MouseEvent) {
    click.prevent_default();
    browser::focus_soon("main");
}

fn page(route: Route) -> AnyView {
    match route {
        Route::Home => view! { <Home/> }.into_any(),
        Route::Lost => view! { <Nowhere/> }.into_any(),
        route => view! { <Beyond kind=game_at(&route) route/> }.into_any(),
    }
}

/// The game that is played at a place, where that can be told from here.
fn game_at(route: &Route) -> Option<Kind> {
    match route {
        Route::Open(kind) | Route::Learn(kind) | Route::Solve(kind) => Some(*kind),
        Route::Here(id) | Route::Replay(id) => store::find(id).map(|game| game.kind),
        Route::Home | Route::There(_) | Route::Leaders(_) | Route::You | Route::Somebody(_) | Route::Lost => {
            None
        }
    }
}

/// A place beyond the shelf. Called only through [`pieces`](crate::pieces): it is not part of the first load.
pub(crate) fn beyond(route: Route) -> AnyView {
    match route {
        Route::Open(kind) => view! { <Unbox kind/> }.into_any(),
        Route::Here(id) => view! { <Here id/> }.into_any(),
        Route::There(id) => view! { <There id/> }.into_any(),
        Route::Replay(id) => view! { <Replay id/> }.into_any(),
        Route::Learn(kind) => view! { <Learn kind/> }.into_any(),
        Route::Solve(kind) => view! { <Solve kind/> }.into_any(),
        Route::Leaders(kind) => view! { <net::Leaders kind/> }.into_any(),
        Route::You => view! { <net::You/> }.into_any(),
        Route::Somebody(id) => view! { <net::Somebody id/> }.into_any(),
        Route::Home | Route::Lost => ().into_any(),
    }
}

fn title(route: &Route) -> String {
    match route {
        Route::Open(kind) => format!("{kind} · Parlor"),
        Route::Learn(kind) => format!("How to play {kind} · Parlor"),
        Route::Here(_) | Route::There(_) => "At the table · Parlor".to_owned(),
        Route::Replay(_) => "A game again · Parlor".to_owned(),
        Route::Solve(kind) => format!("The solver of {kind} · Parlor"),
        Route::Leaders(kind) => format!("The strongest at {kind} · Parlor"),
        Route::You => "You · Parlor".to_owned(),
        Route::Home | Route::Somebody(_) | Route::Lost => "Parlor".to_owned(),
    }
}

/// The bar at the top of every page.
#[component]
pub fn Bar(
    /// What stands on it between the name and the switches.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let (ears, theme): (Ears, Theme) = (ears(), expect_context());
    let muted = move || if ears.muted() { "true" } else { "false" };
    view! {
        <header class="bar">
            <a class="bar-name" href="./" aria-label="Parlor, back to the shelf">{icon::mark()}<span>"Parlor"</span></a>
            {children.map(|children| children())}
            <button class="btn btn-quiet btn-icon" aria-label="Mute sounds" aria-pressed=muted on:click=move |_| ears.toggle()>
                {move || if ears.muted() { icon::muted().into_any() } else { icon::sound().into_any() }}
            </button>
            <button class="btn btn-quiet btn-icon" aria-label="Light or dark" on:click=move |_| theme.toggle()>{icon::lamp()}</button>
        </header>
    }
}

/// A page that has only a kind word, and a way on.
#[component]
pub fn Kindly(
    /// What is the matter.
    title: &'static str,
    /// What that means.
    #[prop(into)]
    says: String,
    /// The way on.
    children: Children,
) -> impl IntoView {
    view! {
        <Bar/>
        <main id="main" class="kindly" tabindex="-1">
            {icon::mark()}
            <h1>{title}</h1>
            <p class="faint">{says}</p>
            <div class="buttons">{children()}</div>
        </main>
    }
}

#[component]
fn Nowhere() -> impl IntoView {
    let way = way();
    view! {
        <Kindly title="There is nothing at this address" says="The link may be old, or a letter of it was lost. The shelf is where it always was.">
            <button class="btn btn-main" on:click=move |_| way.go(Route::Home)>"Back to the shelf"</button>
        </Kindly>
    }
}

const THEME: &str = "parlor.theme";

/// Light or dark: as the system wishes, until somebody says otherwise.
#[derive(Clone, Copy)]
pub struct Theme {
    chosen: RwSignal<Option<bool>>,
}

impl Theme {
    /// As it was left.
    pub fn remembered() -> Theme {
        let chosen = browser::recall(THEME).map(|name| name == "dark");
        let theme = Theme { chosen: RwSignal::new(chosen) };
        Effect::new(move |_| {
            let root = document().document_element();
            if let (Some(root), Some(dark)) = (root, theme.chosen.get()) {
                let _ = root.set_attribute("data-theme", if dark { "dark" } else { "light" });
            }
        });
        theme
    }

    fn toggle(self) {
        let dark =
            self.chosen.get_untracked().unwrap_or_else(|| browser::matches("(prefers-color-scheme: dark)"));
        browser::remember(THEME, if dark { "light" } else { "dark" });
        self.chosen.set(Some(!dark));
    }
}
