//! The options of a table as a form, drawn from the house's [`Field`]s; what differs from the sheet is remembered.

use crate::browser;
use house::{Field, Kind, Shape};
use leptos::prelude::*;
use serde_json::Value;

/// What is chosen for a game, remembered from one time to the next.
#[derive(Clone, Copy)]
pub struct Chosen {
    kind: Kind,
    values: RwSignal<house::Chosen>,
}

impl Chosen {
    /// As it was left.
    pub fn remembered(kind: Kind) -> Chosen {
        let values = house::Chosen::remembered(browser::recall(&memory(kind)).as_deref());
        Chosen { kind, values: RwSignal::new(values) }
    }

    /// How many options differ from the sheet.
    pub fn count(self) -> usize {
        self.values.with(house::Chosen::count)
    }

    /// As the sheet has it.
    pub fn reset(self) {
        self.values.set(house::Chosen::default());
        browser::forget(&memory(self.kind));
    }

    fn get(self, field: &Field) -> Value {
        self.values.with(|values| values.get(field))
    }

    fn set(self, field: &Field, value: Value) {
        self.values.update(|values| values.set(field, value));
        browser::remember(&memory(self.kind), &self.values.with_untracked(house::Chosen::text));
    }

    /// For the engine.
    pub fn options(self) -> Value {
        self.values.with(house::Chosen::options)
    }

    /// For the engine, at a table of so many.
    pub fn options_for(self, chairs: usize) -> Value {
        self.values.with(|values| values.options_for(self.kind, chairs))
    }
}

fn memory(kind: Kind) -> String {
    format!("parlor.options.{}", kind.name())
}

/// The form.
#[component]
pub fn Form(
    /// Of which game.
    kind: Kind,
    /// What is chosen.
    chosen: Chosen,
) -> impl IntoView {
    house::fields(kind).iter().map(|field| view! { <Line field chosen/> }).collect_view()
}

#[component]
fn Line(field: &'static Field, chosen: Chosen) -> impl IntoView {
    let id = format!("option-{}", field.key.replace('/', "-"));
    let input = match field.shape {
        Shape::Switch(_) => {
            let on = move || chosen.get(field) == Value::Bool(true);
            let flip = move |event| chosen.set(field, Value::Bool(event_target_checked(&event)));
            view! { <input type="checkbox" role="switch" class="switch" id=id.clone() prop:checked=on on:change=flip/> }.into_any()
        }
        Shape::Number(span) => {
            let value = move || chosen.get(field).as_i64().unwrap_or(span.usual).to_string();
            let change = move |event| {
                let number = event_target_value(&event).parse().unwrap_or(span.least);
                chosen.set(field, Value::from(span.nearest(number)));
            };
            view! {
                <span class="field-number">
                    <input type="number" inputmode="numeric" id=id.clone() min=span.least max=span.most prop:value=value on:change=change/>
                    <span class="faint">{span.unit}</span>
                </span>
            }
            .into_any()
        }
        Shape::Perhaps(span, _) => {
            let number = move || chosen.get(field).as_i64();
            let flip = move |event| {
                let on = event_target_checked(&event);
                chosen.set(field, if on { Value::from(span.usual) } else { Value::Null });
            };
            let change = move |event| {
                let number = event_target_value(&event).parse().unwrap_or(span.usual);
                chosen.set(field, Value::from(span.nearest(number)));
            };
            view! {
                <span class="field-number">
                    <Show when=move || number().is_some()>
                        <input type="number" inputmode="numeric" aria-label=field.label min=span.least max=span.most prop:value=move || number().unwrap_or(span.usual).to_string() on:change=change/>
                        <span class="faint">{span.unit}</span>
                    </Show>
                    <input type="checkbox" role="switch" class="switch" id=id.clone() prop:checked=move || number().is_some() on:change=flip/>
                </span>
            }
            .into_any()
        }
        Shape::Choice(choices) => {
            let change = move |event| chosen.set(field, house::choice(&event_target_value(&event)));
            let options = choices.iter().map(|(json, name)| {
                view! { <option value=*json selected=move || chosen.get(field) == house::choice(json)>{*name}</option> }
            });
            view! { <select id=id.clone() on:change=change>{options.collect_view()}</select> }.into_any()
        }
    };
    view! {
        <div class="field">
            <label class="field-words" for=id>{field.label}<small>{field.help}</small></label>
            {input}
        </div>
    }
}
