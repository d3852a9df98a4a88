//! The browser client: five boxes on a shelf, five boards, and the engines in the page itself.
//!
//! A table is a [`session::Session`]: signals for what is seen, and one door for what is done. It is fed by an engine in
//! the page ([`local`]), by the server ([`net`]) or by a finished record ([`replay`]); boards cannot tell which. How
//! a board is added: [`boards`].

// A page is a type as deep as its views are nested.
#![recursion_limit = "1024"]
// Signals are cheap to pass by value.
#![allow(clippy::needless_pass_by_value, clippy::large_types_passed_by_value)]
// Serde asks for references, whatever their size.
#![allow(clippy::trivially_copy_pass_by_ref)]
// The properties of a component are as public as it can be, whoever may see the component.
#![allow(unreachable_pub)]

pub mod app;
pub mod boards;
pub mod browser;
pub mod company;
pub mod dictionary;
pub mod home;
pub mod learn;
pub mod lids;
pub mod local;
pub mod net;
pub mod options;
pub mod pieces;
pub mod replay;
pub mod results;
pub mod route;
pub mod rules;
pub mod seen;
mod session;
pub mod solve;
pub mod sound;
pub mod store;
pub mod table_page;
#[cfg(test)]
mod tests;
pub mod thinker;
pub mod turn;
pub mod ui;
pub mod unbox;
pub mod voice;
pub mod worker;

use wasm_bindgen::prelude::*;

/// Starts the page. Called by `boot.js`; a worker of the same program does not call it.
#[wasm_bindgen]
pub fn run_app() {
    std::panic::set_hook(Box::new(|fault| {
        console_error_panic_hook::hook(fault);
        sorry();
    }));
    if let Some(body) = browser::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("app"))
    {
        body.set_inner_html("");
        leptos::mount::mount_to(body.unchecked_into(), app::App).forget();
    }
}

/// The page has broken: say so where everybody sees it, with the way on. Games are kept after every act.
fn sorry() {
    let Some(document) = browser::window().and_then(|window| window.document()) else { return };
    if let (Some(body), Ok(notice)) = (document.body(), document.create_element("div")) {
        notice.set_class_name("broken");
        notice.set_inner_html("<p>Something broke in the page. Your game is kept.</p><a class=\"btn btn-main\" href=\"\" data-do=\"reload\">Load the page again</a>");
        let _ = notice.set_attribute("role", "alert");
        let _ = body.append_child(&notice);
    }
}

/// The worker hears something: a question as text, or a word list as bytes. Called by `worker.js`, which says one thing after
/// the other.
#[wasm_bindgen]
pub async fn worker_hears(data: JsValue) {
    console_error_panic_hook::set_once();
    if let Ok(hear) = pieces::work().await {
        hear(data).await;
    }
}
