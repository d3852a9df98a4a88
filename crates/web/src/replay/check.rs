//! "Check the dice": the whole record replayed in a worker, and every throw, rule and score compared with what stands there.

use crate::thinker::Thinker;
use crate::ui::icon;
use crate::worker::{Ask, Tell};
use leptos::prelude::*;
use serde_json::Value;
use std::sync::Arc;

/// Verifies the record in the page.
#[component]
pub(super) fn CheckDice(record: Arc<str>) -> impl IntoView {
    let found = RwSignal::new(None::<Result<Value, String>>);
    let busy = RwSignal::new(false);
    let thinker = StoredValue::new_local(Thinker::start(move |tell| {
        if let Tell::Verified { found: now } = tell {
            busy.try_set(false);
            found.try_set(Some(now));
        }
    }));
    let check = move |_| {
        busy.set(true);
        thinker.with_value(|thinker| {
            if let Some(thinker) = thinker {
                crate::dictionary::hand_to(thinker);
                thinker.ask(&Ask::Verify { record: record.to_string(), kept: None });
            }
        });
    };
    let says = move || match found.get() {
        None => ().into_any(),
        Some(Ok(good)) => {
            let number = |key: &str| good.get(key).and_then(Value::as_u64).unwrap_or(0);
            let words = format!(
                "It holds. All {} events replayed, {} numbers drawn from the dice that were promised before the game, and the result is the same.",
                number("events"),
                number("drawn")
            );
            let unchecked = good.get("unchecked").and_then(Value::as_str).map(str::to_owned);
            view! { <p class="verdict is-good">{icon::check()}<span>{unchecked.unwrap_or(words)}</span></p> }
                .into_any()
        }
        Some(Err(bad)) => {
            view! { <p class="verdict is-bad"><span>{format!("This record does not hold: {bad}")}</span></p> }
                .into_any()
        }
    };
    view! {
        <section class="card" aria-label="Check the dice">
            <header class="card-head">
                <h2>"The dice"</h2>
                <button class="btn" data-do="check" disabled=move || busy.get() on:click=check>"Check the dice"</button>
            </header>
            <div aria-live="polite">{says}</div>
        </section>
    }
}
