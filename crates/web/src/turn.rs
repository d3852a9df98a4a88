//! For whoever looks elsewhere while others play: when it becomes their turn a bell is heard, and the tab's title says so
//! until they have seen it.

use crate::browser;
use crate::session::Session;
use crate::sound::{Sound, ears};
use leptos::prelude::*;

/// What stands before the title meanwhile.
const MARK: &str = "● Your turn · ";

/// Beckons to whoever is at this table and looks elsewhere, for as long as the table is drawn.
pub fn beckons(session: Session) {
    if browser::window().is_none() {
        return;
    }
    let ears = ears();
    Effect::new(move |before: Option<bool>| {
        let ours = session.waits_for_us();
        if !ours {
            mark(false);
        } else if before == Some(false) && browser::hidden() {
            ears.play(Sound::Bell);
            mark(true);
        }
        ours
    });
    let seen = window_event_listener_untyped("visibilitychange", |_| {
        if !browser::hidden() {
            mark(false);
        }
    });
    on_cleanup(move || {
        seen.remove();
        mark(false);
    });
}

/// Puts the mark before the title, or takes it away; whatever else the title says stays.
fn mark(on: bool) {
    let title = document().title();
    let plain = title.strip_prefix(MARK).unwrap_or(&title);
    let wanted = if on { format!("{MARK}{plain}") } else { plain.to_owned() };
    if wanted != title {
        document().set_title(&wanted);
    }
}
