//! Where one is: addresses to places and back, with the browser's own back and forward.

use crate::browser;
use house::Kind;
use leptos::prelude::*;
use std::cell::Cell;

/// A place in the parlor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// The shelf.
    Home,
    /// A box, opened: how shall it be played?
    Open(Kind),
    /// A table on this screen.
    Here(String),
    /// A table on the server.
    There(String),
    /// A finished game, move by move.
    Replay(String),
    /// How a game is played.
    Learn(Kind),
    /// The solver of a game.
    Solve(Kind),
    /// The strongest players of a game.
    Leaders(Kind),
    /// Your own page.
    You,
    /// Somebody's ratings and games.
    Somebody(String),
    /// No such place.
    Lost,
}

impl Route {
    /// The place of an address, as [`Route::path`] writes it.
    pub fn of(path: &str) -> Route {
        let mut parts = path.trim_start_matches('.').trim_matches('/').split('/');
        let place = (parts.next().unwrap_or(""), parts.next(), parts.next());
        let kind = |name: &str, make: fn(Kind) -> Route| match name.parse() {
            Ok(kind) => make(kind),
            Err(_) => Route::Lost,
        };
        match place {
            ("", None, None) => Route::Home,
            ("box", Some(name), None) => kind(name, Route::Open),
            ("learn", Some(name), None) => kind(name, Route::Learn),
            ("solve", Some(name), None) => kind(name, Route::Solve),
            ("leaders", Some(name), None) => kind(name, Route::Leaders),
            ("you", None, None) => Route::You,
            ("people", Some(id), None) => Route::Somebody(id.to_owned()),
            ("here", Some(id), None) => Route::Here(id.to_owned()),
            ("table", Some(id), None) => Route::There(id.to_owned()),
            ("replay", Some(id), None) => Route::Replay(id.to_owned()),
            _ => Route::Lost,
        }
    }

    /// Its address, seen from the document's base: the house may be in a folder of its server.
    pub fn path(&self) -> String {
        match self {
            Route::Home | Route::Lost => "./".to_owned(),
            Route::Open(kind) => format!("./box/{}", kind.name()),
            Route::Learn(kind) => format!("./learn/{}", kind.name()),
            Route::Solve(kind) => format!("./solve/{}", kind.name()),
            Route::Leaders(kind) => format!("./leaders/{}", kind.name()),
            Route::You => "./you".to_owned(),
            Route::Somebody(id) => format!("./people/{id}"),
            Route::Here(id) => format!("./here/{id}"),
            Route::There(id) => format!("./table/{id}"),
            Route::Replay(id) => format!("./replay/{id}"),
        }
    }
}

/// The way about, shared by all of the page.
#[derive(Clone, Copy)]
pub struct Way {
    at: RwSignal<Route>,
}

impl Way {
    /// A way that begins at this place. For the page itself, [`Way::begin`].
    pub fn at(route: Route) -> Way {
        Way { at: RwSignal::new(route) }
    }

    /// Begins where the browser is, and follows it.
    pub fn begin() -> Way {
        let way = Way::at(here());
        WAY.set(Some(way));
        window_event_listener(leptos::ev::popstate, move |_| way.back());
        window_event_listener(leptos::ev::click, move |click| way.follow(&click));
        way
    }

    /// The place now.
    pub fn now(self) -> Route {
        self.at.get()
    }

    /// The place now, once.
    pub fn now_untracked(self) -> Route {
        self.at.get_untracked()
    }

    /// Goes to a place.
    pub fn go(self, route: Route) {
        let path = route.path();
        if let Ok(history) = window().history() {
            let _ = history.push_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&path));
        }
        window().scroll_to_with_x_and_y(0.0, 0.0);
        self.at.set(route);
    }

    /// Goes to a place so that "back" does not return here.
    pub fn instead(self, route: Route) {
        let path = route.path();
        if let Ok(history) = window().history() {
            let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&path));
        }
        self.at.set(route);
    }

    /// "Back" or "forward" in the browser. Where that leads to the place where one is, a dialog lay over it, and nothing is drawn
    /// again; only behind a # there may be another game.
    fn back(self) {
        let now = here();
        let hash = window().location().hash().unwrap_or_default();
        if self.at.get_untracked() != now || !hash.is_empty() {
            self.at.set(now);
        }
    }

    /// Takes a step in the browser's history that leads nowhere: "back" then takes away what lies over the page.
    pub fn step(self) {
        if let Ok(history) = window().history() {
            let _ = history.push_state_with_url(&wasm_bindgen::JsValue::NULL, "", None);
        }
    }

    /// Takes that step back, when what lay over the page is gone without it.
    pub fn step_back(self) {
        if let Ok(history) = window().history() {
            let _ = history.back();
        }
    }

    /// A plain click on a link of ours stays in the page.
    fn follow(self, click: &web_sys::MouseEvent) {
        use wasm_bindgen::JsCast;
        if click.default_prevented()
            || click.button() != 0
            || click.ctrl_key()
            || click.meta_key()
            || click.shift_key()
        {
            return;
        }
        let target = click.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let Some(link) = target.and_then(|target| target.closest("a[href^='./']").ok().flatten()) else {
            return;
        };
        if link.has_attribute("download") || link.has_attribute("target") {
            return;
        }
        let route = Route::of(&link.get_attribute("href").unwrap_or_default());
        if route != Route::Lost {
            click.prevent_default();
            self.go(route);
        }
    }
}

fn here() -> Route {
    let (path, base) = (window().location().pathname().unwrap_or_default(), browser::base());
    // The base without its last slash leads here too.
    Route::of(path.strip_prefix(base.trim_end_matches('/')).unwrap_or(&path))
}

thread_local! {
    static WAY: Cell<Option<Way>> = const { Cell::new(None) };
}

/// The way about, from anywhere inside the page: also from where nothing is drawn, such as an answer of the server.
pub fn way() -> Way {
    WAY.get().unwrap_or_else(|| use_context().unwrap_or_else(|| Way::at(Route::Home)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_an_address_that_leads_back_to_it() {
        let places = [
            Route::Home,
            Route::Open(Kind::Cubo),
            Route::Learn(Kind::Roulette),
            Route::Here("k3".into()),
            Route::There("abc".into()),
            Route::Replay("k3".into()),
        ];
        for place in places {
            assert_eq!(Route::of(&place.path()), place);
            assert!(place.path().starts_with("./"), "{place:?}: the house may be in a folder");
        }
        assert_eq!(Route::of("/table/abc"), Route::There("abc".into()));
        assert_eq!(Route::of("/box/chess"), Route::Lost);
        assert_eq!(Route::of("/box/cubo/more"), Route::Lost);
    }
}
