//! What the page says: announcements for those who listen, short notices for those who look.

use crate::browser;
use leptos::prelude::*;

/// The page's voice, one for all of it.
#[derive(Clone, Copy)]
pub struct Voice {
    said: RwSignal<String>,
    notice: RwSignal<Option<(u32, String)>>,
}

impl Voice {
    /// A silent voice.
    pub fn new() -> Voice {
        Voice { said: RwSignal::new(String::new()), notice: RwSignal::new(None) }
    }

    /// Says something to a screen reader only.
    pub fn say(self, words: impl Into<String>) {
        self.said.set(words.into());
    }

    /// Shows something for a few seconds, and says it.
    pub fn tell(self, words: impl Into<String>) {
        let words = words.into();
        self.said.set(words.clone());
        let number = self.notice.get_untracked().map_or(0, |(number, _)| number + 1);
        let shown = 2600 + 45 * words.chars().count() as i32;
        self.notice.set(Some((number, words)));
        browser::later(shown, move || {
            if self.notice.try_get_untracked().flatten().is_some_and(|(at, _)| at == number) {
                self.notice.set(None);
            }
        });
    }
}

impl Default for Voice {
    fn default() -> Self {
        Voice::new()
    }
}

/// The voice, from anywhere inside the page.
pub fn voice() -> Voice {
    expect_context()
}

/// Where the voice is heard and seen.
#[component]
pub fn Mouth() -> impl IntoView {
    let voice = voice();
    view! {
        <div class="sr" role="status" aria-live="polite" aria-atomic="true">{move || voice.said.get()}</div>
        <div class="notices">
            {move || voice.notice.get().map(|(_, words)| view! { <p class="notice">{words}</p> })}
        </div>
    }
}
