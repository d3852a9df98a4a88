//! What lies over the page until it is closed: a question, or something to look up.

use super::icon;
use crate::browser;
use crate::route::way;
use house::Kind;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// A dialog over the page, which stays as it is and goes on under it. The keyboard stays in the dialog; Escape, a click beside it and
/// the browser's "back" close it, and the focus returns to where it was.
#[component]
pub fn Dialog(
    /// Whether it is open.
    open: RwSignal<bool>,
    /// Its name in the page.
    name: &'static str,
    /// The game whose colours it has.
    game: Kind,
    /// Its heading.
    #[prop(into)]
    title: String,
    /// What stands beside the heading while it is open.
    #[prop(optional, into)]
    beside: ViewFn,
    /// What is in it while it is open.
    children: ChildrenFn,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    lies_over(open, node);
    // Escape has closed it already; what was opened again meanwhile stays open.
    let closed = move |_| {
        if node.get_untracked().is_some_and(|dialog| !dialog.open()) {
            open.set(false);
        }
    };
    let beside_it = move |click: web_sys::MouseEvent| {
        let dialog = node.get_untracked().map(JsCast::unchecked_into::<web_sys::EventTarget>);
        if dialog.is_some() && click.target() == dialog {
            open.set(false);
        }
    };
    let keys = move |event: web_sys::KeyboardEvent| {
        if let Some(dialog) = node.get_untracked().filter(|_| event.key() == "Tab") {
            go_round(&event, &dialog);
        }
    };
    let heading = format!("{name}-heading");
    let labelled = heading.clone();
    view! {
        <dialog class="over" data-over=name data-game=game.name() aria-labelledby=labelled node_ref=node on:close=closed on:click=beside_it on:keydown=keys>
            <div class="over-in">
                <header class="over-head">
                    <h2 id=heading>{title}</h2>
                    {move || open.get().then(|| beside.run())}
                    <button class="btn btn-quiet btn-icon" data-do="close-over" aria-label="Close" on:click=move |_| open.set(false)>{icon::close()}</button>
                </header>
                {move || open.get().then(|| children())}
            </div>
        </dialog>
    }
}

/// Asks before something that cannot be taken back: one click is too little for it.
#[component]
pub fn Confirm(
    /// Whether it is asked.
    open: RwSignal<bool>,
    /// Its name in the page.
    name: &'static str,
    /// The game whose colours it has.
    game: Kind,
    /// The question.
    title: &'static str,
    /// The button that changes nothing.
    stay: &'static str,
    /// The name of the other button in the page, and what it says.
    go: (&'static str, &'static str),
    /// Does it.
    act: impl Fn() + Copy + Send + Sync + 'static,
    /// What comes of it.
    children: ChildrenFn,
) -> impl IntoView {
    let (does, says) = go;
    let go = move |_| {
        open.set(false);
        act();
    };
    view! {
        <Dialog open name game title>
            {children()}
            <div class="buttons">
                <button class="btn btn-main" data-do="stay" on:click=move |_| open.set(false)>{stay}</button>
                <button class="btn" data-do=does on:click=go>{says}</button>
            </div>
        </Dialog>
    }
}

/// Opens and closes the element with the signal. An open dialog is a step in the browser's history, so that "back" takes it away.
fn lies_over(open: RwSignal<bool>, node: NodeRef<html::Dialog>) {
    let way = way();
    let went_back = StoredValue::new(false);
    Effect::new(move |before: Option<bool>| {
        let now = open.get();
        let Some(dialog) = node.get_untracked().filter(|_| now != before.unwrap_or(false)) else {
            return now;
        };
        if !now {
            dialog.close();
            if !went_back.try_update_value(std::mem::take).unwrap_or_default() {
                way.step_back();
            }
        } else if dialog.show_modal().is_ok() {
            way.step();
        }
        now
    });
    if browser::window().is_some() {
        let back = window_event_listener(leptos::ev::popstate, move |_| {
            if open.get_untracked() {
                went_back.set_value(true);
                open.set(false);
            }
        });
        on_cleanup(move || back.remove());
    }
}

/// What the keyboard reaches.
const REACHED: &str = "button:enabled, a[href], input:enabled, select:enabled, summary, [tabindex='0']";

/// From the last the keyboard goes on to the first, and back: not out of the dialog.
fn go_round(event: &web_sys::KeyboardEvent, dialog: &web_sys::Element) {
    let all = dialog.get_elements_by_tag_name("*");
    let shown = |element: &web_sys::Element| element.get_bounding_client_rect().width() > 0.0;
    let mut reached = (0..all.length())
        .filter_map(|at| all.item(at))
        .filter(|element| element.matches(REACHED).unwrap_or(false) && shown(element));
    let Some(first) = reached.next() else { return };
    let last = reached.next_back().unwrap_or_else(|| first.clone());
    let now = document().active_element();
    let (end, on) = if event.shift_key() { (&first, &last) } else { (&last, &first) };
    if now.as_ref() == Some(end) {
        event.prevent_default();
        let _ = on.unchecked_ref::<web_sys::HtmlElement>().focus();
    }
}
