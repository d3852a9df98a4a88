//! What the server showed at its tables, kept in this browser; and the check of the dice when a game is over: the page fetches the
//! record and holds it against that by itself.

use super::record;
use crate::browser;
use crate::dictionary;
use crate::route::{Route, way};
use crate::session::Session;
use crate::thinker::Thinker;
use crate::ui::icon;
use crate::worker::{Ask, Tell};
use leptos::prelude::*;
use leptos::task::spawn_local;
use table::Kept;

const SHOWN: &str = "parlor.shown";
/// Tables beyond this many are forgotten, the oldest first.
const TABLES: usize = 12;

fn all() -> Vec<Kept> {
    browser::recall(SHOWN).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// What was shown at a table.
pub(super) fn find(table: &str) -> Option<Kept> {
    all().into_iter().find(|kept| kept.table == table)
}

/// Keeps what was shown at a table.
pub(super) fn keep(kept: Kept) {
    let all = with(all(), kept);
    browser::remember(SHOWN, &serde_json::to_string(&all).unwrap_or_default());
}

fn with(mut all: Vec<Kept>, kept: Kept) -> Vec<Kept> {
    all.retain(|other| other.table != kept.table);
    all.insert(0, kept);
    all.truncate(TABLES);
    all
}

/// Whether the dice of a finished game on the server are what this page was promised. Of one on this screen nothing is claimed.
#[component]
pub fn DiceChecked(
    /// The table.
    session: Session,
) -> impl IntoView {
    let table = match way().now_untracked() {
        Route::There(table) => table,
        Route::Here(_) => {
            return view! { <p class="faint">"Your own dice: this game was played on this device."</p> }
                .into_any();
        }
        _ => return ().into_any(),
    };
    let Some(kept) = find(&table) else { return ().into_any() };
    let (found, text) = (RwSignal::new(None::<Result<(), String>>), RwSignal::new(None::<String>));
    let thinker = StoredValue::new_local(Thinker::start(move |tell| {
        if let Tell::Verified { found: now } = tell {
            found.try_set(Some(now.map(drop)));
        }
    }));
    let ask = Some(kept.clone());
    spawn_local(async move {
        // Where the record does not come there is nothing to say yet: the replay checks it later.
        let Some(record) = record(&table).await else { return };
        text.try_set(Some(record.clone()));
        let _ = thinker.try_with_value(|thinker| {
            if let Some(thinker) = thinker {
                dictionary::hand_to(thinker);
                thinker.ask(&Ask::Verify { record, kept: ask });
            }
        });
    });
    let game = session.kind.name();
    let evidence = serde_json::to_string(&kept).unwrap_or_default();
    let save = move || {
        let _ = browser::download(&format!("{game}.kept.json"), &evidence);
        let _ = browser::download(&format!("{game}.jsonl"), &text.get_untracked().unwrap_or_default());
    };
    view! { <div class="dice-checked" aria-live="polite">{move || found.get().map(|found| verdict(found, save.clone()))}</div> }
        .into_any()
}

/// A small mark, or the sentence that says what does not hold, and a button that saves the evidence.
fn verdict(found: Result<(), String>, save: impl Fn() + 'static) -> AnyView {
    match found {
        Ok(()) => {
            view! { <p class="verdict is-good">{icon::check()}<span>"Dice checked"</span></p> }.into_any()
        }
        Err(says) => view! {
            <p class="verdict is-bad"><span>{says}</span></p>
            <button class="btn" data-do="evidence" on:click=move |_| save()>{icon::save()}<span>"Save the evidence"</span></button>
        }
        .into_any(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::drawn;
    use table::Seed;

    #[test]
    fn one_note_a_table_is_kept_the_latest_first_and_not_without_end() {
        let kept = |table: usize| Kept::new(table.to_string(), Seed::from_number(1).commitment());
        let mut all = (0..20).fold(Vec::new(), |all, table| with(all, kept(table)));
        assert_eq!((all.len(), all[0].table.as_str()), (TABLES, "19"));
        all = with(all, Kept { seed: Some("mine".into()), ..kept(15) });
        assert_eq!((all.len(), all[0].seed.as_deref()), (TABLES, Some("mine")));
    }

    #[test]
    fn a_broken_promise_is_said_with_a_button_that_saves_the_evidence() {
        let good = drawn(Route::Home, || verdict(Ok(()), || ()));
        assert!(good.contains("Dice checked") && !good.contains("<button"), "{good}");
        let bad = drawn(Route::Home, || verdict(Err("The house changed its secret.".into()), || ()));
        assert!(
            bad.contains("The house changed its secret.") && bad.contains("data-do=\"evidence\""),
            "{bad}"
        );
    }
}
