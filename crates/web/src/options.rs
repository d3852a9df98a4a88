//! The options of a table as a form. A game describes its options as [`Field`]s; the form keeps only what differs from
//! the default, as JSON ready for the engine.

use crate::browser;
use house::Kind;
use leptos::prelude::*;
use serde_json::{Map, Value};

/// One option of a game.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Where it stands in the options: `"throws"`, or `"clocks/round"` for one within another.
    pub key: &'static str,
    /// Its name.
    pub label: &'static str,
    /// What it does, in a few words.
    pub help: &'static str,
    /// What it can be.
    pub shape: Shape,
}

/// What an option can be.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// On or off.
    Switch {
        /// As the sheet has it.
        default: bool,
    },
    /// A whole number.
    Number {
        /// The least.
        least: i64,
        /// The most.
        most: i64,
        /// As the sheet has it.
        default: i64,
        /// Of what: `"s"`, `"chips"`.
        unit: &'static str,
    },
    /// Off, or a whole number.
    Maybe {
        /// The least.
        least: i64,
        /// The most.
        most: i64,
        /// What it is when it is switched on.
        usual: i64,
        /// Of what.
        unit: &'static str,
    },
    /// One of a few; each as the JSON the engine reads, and its name. The first is the default.
    Choice(&'static [(&'static str, &'static str)]),
}

/// What is chosen for a game, remembered from one time to the next.
#[derive(Clone, Copy)]
pub struct Chosen {
    kind: Kind,
    values: RwSignal<Map<String, Value>>,
}

impl Chosen {
    /// As it was left.
    pub fn remembered(kind: Kind) -> Chosen {
        let values = browser::recall(&memory(kind)).and_then(|text| serde_json::from_str(&text).ok());
        Chosen { kind, values: RwSignal::new(values.unwrap_or_default()) }
    }

    /// How many options differ from the sheet.
    pub fn count(self) -> usize {
        self.values.with(Map::len)
    }

    /// As the sheet has it.
    pub fn reset(self) {
        self.values.set(Map::new());
        browser::forget(&memory(self.kind));
    }

    fn get(self, field: &Field) -> Value {
        self.values.with(|values| values.get(field.key).cloned()).unwrap_or_else(|| default(field))
    }

    fn set(self, field: &Field, value: Value) {
        self.values.update(|values| {
            if value == default(field) {
                values.remove(field.key);
            } else {
                values.insert(field.key.to_owned(), value);
            }
        });
        let text = self.values.with_untracked(|values| serde_json::to_string(values).unwrap_or_default());
        browser::remember(&memory(self.kind), &text);
    }

    /// For the engine.
    pub fn options(self) -> Value {
        self.values.with(nest)
    }
}

fn memory(kind: Kind) -> String {
    format!("parlor.options.{}", kind.name())
}

/// `{"clocks/round": 90}` becomes `{"clocks": {"round": 90}}`.
fn nest(values: &Map<String, Value>) -> Value {
    let mut whole = Map::new();
    for (key, value) in values {
        match key.split_once('/') {
            None => drop(whole.insert(key.clone(), value.clone())),
            Some((outer, inner)) => {
                let within = whole.entry(outer).or_insert_with(|| Value::Object(Map::new()));
                if let Value::Object(within) = within {
                    within.insert(inner.to_owned(), value.clone());
                }
            }
        }
    }
    Value::Object(whole)
}

fn default(field: &Field) -> Value {
    match field.shape {
        Shape::Switch { default } => Value::Bool(default),
        Shape::Number { default, .. } => Value::from(default),
        Shape::Maybe { .. } => Value::Null,
        Shape::Choice(choices) => choices.first().map_or(Value::Null, |(json, _)| parse(json)),
    }
}

fn parse(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

/// The form.
#[component]
pub fn Form(
    /// The options of the game.
    fields: &'static [Field],
    /// What is chosen.
    chosen: Chosen,
) -> impl IntoView {
    fields.iter().map(|field| view! { <Line field chosen/> }).collect_view()
}

#[component]
fn Line(field: &'static Field, chosen: Chosen) -> impl IntoView {
    let id = format!("option-{}", field.key.replace('/', "-"));
    let input = match field.shape {
        Shape::Switch { .. } => {
            let on = move || chosen.get(field) == Value::Bool(true);
            let flip = move |event| chosen.set(field, Value::Bool(event_target_checked(&event)));
            view! { <input type="checkbox" role="switch" class="switch" id=id.clone() prop:checked=on on:change=flip/> }.into_any()
        }
        Shape::Number { least, most, unit, .. } => {
            let value = move || chosen.get(field).as_i64().unwrap_or(least).to_string();
            let change = move |event| {
                let number = event_target_value(&event).parse().unwrap_or(least).clamp(least, most);
                chosen.set(field, Value::from(number));
            };
            view! {
                <span class="field-number">
                    <input type="number" inputmode="numeric" id=id.clone() min=least max=most prop:value=value on:change=change/>
                    <span class="faint">{unit}</span>
                </span>
            }
            .into_any()
        }
        Shape::Maybe { least, most, usual, unit } => {
            let number = move || chosen.get(field).as_i64();
            let flip = move |event| {
                let on = event_target_checked(&event);
                chosen.set(field, if on { Value::from(usual) } else { Value::Null });
            };
            let change = move |event| {
                let number = event_target_value(&event).parse().unwrap_or(usual).clamp(least, most);
                chosen.set(field, Value::from(number));
            };
            view! {
                <span class="field-number">
                    <Show when=move || number().is_some()>
                        <input type="number" inputmode="numeric" aria-label=field.label min=least max=most prop:value=move || number().unwrap_or(usual).to_string() on:change=change/>
                        <span class="faint">{unit}</span>
                    </Show>
                    <input type="checkbox" role="switch" class="switch" id=id.clone() prop:checked=move || number().is_some() on:change=flip/>
                </span>
            }
            .into_any()
        }
        Shape::Choice(choices) => {
            let change = move |event| chosen.set(field, parse(&event_target_value(&event)));
            let options = choices.iter().map(|(json, name)| {
                view! { <option value=*json selected=move || chosen.get(field) == parse(json)>{*name}</option> }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_within_options_are_nested_for_the_engine() {
        let values: Map<String, Value> =
            serde_json::from_str(r#"{"clocks/round":90,"clocks/take":4,"throws":7}"#).unwrap();
        let nested = nest(&values);
        assert_eq!(nested, serde_json::json!({"clocks": {"round": 90, "take": 4}, "throws": 7}));
    }
}
