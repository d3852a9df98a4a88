//! Asking for a name, when others are about to see it.

use super::line::line;
use crate::browser;
use crate::voice::voice;
use leptos::prelude::*;

/// A form for somebody's name.
#[component]
pub fn NameForm(
    /// The name of its input in the page.
    id: &'static str,
    /// Who is asked for.
    label: &'static str,
    /// What stands there to begin with.
    #[prop(optional)]
    begin: String,
    /// What the browser may fill in.
    #[prop(default = "nickname")]
    autocomplete: &'static str,
    /// What the button says.
    does: &'static str,
    /// Takes what was typed, without the blanks round it.
    take: impl Fn(String) + 'static,
) -> impl IntoView {
    let name = RwSignal::new(begin);
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        take(name.with_untracked(|name| name.trim().to_owned()));
    };
    view! {
        <form class="your-name" on:submit=submit>
            <label for=id>{label}</label>
            <div class="typed-line">
                <input id=id class="text" maxlength="40" autocomplete=autocomplete prop:value=move || name.get() on:input=move |event| name.set(event_target_value(&event))/>
                <button class="btn btn-main">{does}</button>
            </div>
        </form>
    }
}

/// Takes a name for oneself, and keeps it for the next time.
pub fn call_me() -> impl Fn(String) + Copy + 'static {
    let (line, voice) = (line(), voice());
    move |wanted: String| {
        if wanted.is_empty() {
            voice.tell("Any name will do.");
            return;
        }
        browser::remember("parlor.name", &wanted);
        line.name_me(wanted, move |says| voice.tell(says));
    }
}

/// Your own name, asked for when others are about to see it.
#[component]
pub fn YourName() -> impl IntoView {
    let line = line();
    browser::focus_soon("#your-name");
    on_cleanup(move || line.stay_nameless());
    let begin = browser::recall("parlor.name").unwrap_or_default();
    view! { <NameForm id="your-name" label="Your name" begin does="Sit down" take=call_me()/> }
}
