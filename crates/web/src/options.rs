//! The options of a table as a form, drawn from the house's [`Field`]s, and pieces of one's own from a file; what differs
//! from the sheet is remembered.

use crate::boards;
use crate::browser;
use crate::dictionary;
use crate::ui::icon;
use house::{Field, Kind, Shape};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use words::WordsId;

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
        self.remember();
    }

    /// Whether teams play, where a game has them.
    pub fn has_teams(self) -> bool {
        self.teams().is_some_and(|field| self.get(field) != 0)
    }

    /// So many teams.
    pub fn set_teams(self, teams: u32) {
        if let Some(field) = self.teams() {
            self.set(field, teams.into());
        }
    }

    fn teams(self) -> Option<&'static Field> {
        house::fields(self.kind).iter().find(|field| field.key == "teams")
    }

    /// What pieces of one's own are called.
    fn pieces(self) -> Option<String> {
        let name =
            |pieces: &Value| pieces.get("name").and_then(Value::as_str).unwrap_or("your own").to_owned();
        self.values.with(|values| values.pieces().map(name))
    }

    fn set_pieces(self, pieces: Option<Value>) {
        self.values.update(|values| values.set_pieces(pieces));
        self.remember();
    }

    fn remember(self) {
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
    view! {
        {house::fields(kind).iter().map(|field| view! { <Line field chosen/> }).collect_view()}
        {words_of(kind).map(|field| view! { <Words field chosen/> })}
        <Pieces kind chosen/>
    }
}

/// The option that names the words, where a game has one.
pub fn words_of(kind: Kind) -> Option<&'static Field> {
    house::fields(kind).iter().find(|field| field.key == "words")
}

/// Pieces of one's own, from a data file like the one of the house.
#[component]
fn Pieces(kind: Kind, chosen: Chosen) -> impl IntoView {
    let engine = boards::game(kind).engine;
    let take =
        move |text: String| async move { engine.pieces(&text).map(|pieces| chosen.set_pieces(Some(pieces))) };
    let example = move |_| {
        let _ = browser::download(&format!("{}.toml", kind.name()), engine.house_pieces());
    };
    view! {
        <OwnFile name="pieces" label="Pieces" usual="as in the box" now=Signal::derive(move || chosen.pieces()) largest=48 * KIB
            title="A file with pieces of your own" accept=".toml,.txt,text/plain" take back=move || chosen.set_pieces(None)>
            <button class="btn btn-quiet" data-do="example" on:click=example>{icon::save()}"The house's file"</button>
        </OwnFile>
    }
}

/// A word list of one's own, for tables on this screen.
#[component]
fn Words(
    /// The option that names the words.
    field: &'static Field,
    chosen: Chosen,
) -> impl IntoView {
    let take = move |text: String| async move {
        let id = dictionary::keep(text).await?;
        chosen.set(field, Value::from(id.to_string()));
        Ok(())
    };
    let now = move || {
        let id: WordsId = chosen.get(field).as_str()?.parse().ok()?;
        matches!(id, WordsId::List(_)).then(|| {
            let here = words::shelf::find(&id);
            here.map_or_else(|| "your own".to_owned(), |words| format!("{} words of your own", words.len()))
        })
    };
    view! {
        <OwnFile name="words" label="Words" usual="as the dictionary has them" now=Signal::derive(now) largest=LONGEST_LIST
            title="A text file with words of your own, one a line" accept=".txt,text/plain" take back=move || chosen.set(field, field.default())/>
    }
}

/// A longer list could be kept, but not unpacked again (`LONGEST` in `boot.js`).
const LONGEST_LIST: u32 = 3900 * KIB;

/// A thousand bytes and a few.
const KIB: u32 = 1024;

/// Something of one's own from a file: what is there now, the way back to the house's, and what is wrong with the file.
#[component]
fn OwnFile<Take, Taken>(
    /// Its name in the form.
    name: &'static str,
    /// What people call it.
    label: &'static str,
    /// What is used where nothing was brought.
    usual: &'static str,
    /// What was brought.
    now: Signal<Option<String>>,
    /// No file is larger, in bytes.
    largest: u32,
    /// What the file must be.
    title: &'static str,
    /// Which files are offered.
    accept: &'static str,
    /// Takes the text of a file, or says what is wrong with it.
    take: Take,
    /// Goes back to the house's.
    back: impl Fn() + Copy + Send + Sync + 'static,
    /// Further buttons.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView
where
    Take: Fn(String) -> Taken + Copy + 'static,
    Taken: Future<Output = Result<(), Vec<String>>> + 'static,
{
    let faults = RwSignal::new(Vec::<String>::new());
    let choose = move |event: web_sys::Event| {
        let input = event_target::<web_sys::HtmlInputElement>(&event);
        let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
        spawn_local(async move {
            let taken = if file.size() > f64::from(largest) {
                Err(vec![format!("This is far too large: {} KB are the most.", largest / KIB)])
            } else {
                match browser::text_of(&file).await {
                    Some(text) => take(text).await,
                    None => Err(vec!["The file could not be read. Choose it again.".to_owned()]),
                }
            };
            faults.try_set(taken.err().unwrap_or_default());
            // The same file can be chosen again once it is mended.
            input.set_value("");
        });
    };
    let back = move |_| {
        faults.set(Vec::new());
        back();
    };
    view! {
        <div class="field field-own" data-own=name>
            <span class="field-words">{label}<small aria-live="polite">{move || now.get().unwrap_or_else(|| usual.to_owned())}</small></span>
            <span class="buttons">
                <Show when=move || now.with(Option::is_some)><button class="btn btn-quiet" data-do="usual" on:click=back>"The house's"</button></Show>
                {children.map(|children| children())}
                <label class="btn">"Your own…"<input type="file" class="sr" name=name accept=accept aria-label=title on:change=choose/></label>
            </span>
        </div>
        <div role="alert">
            <Show when=move || !faults.with(Vec::is_empty)>
                <div class="faults">
                    <p>"These cannot be played with yet. Mend the file and choose it again:"</p>
                    <ul>{move || faults.get().into_iter().map(|fault| view! { <li>{fault}</li> }).collect_view()}</ul>
                </div>
            </Show>
        </div>
    }
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
        Shape::Choice(_) => {
            let change = move |event| chosen.set(field, house::choice(&event_target_value(&event)));
            let choices = Memo::new(move |_| chosen.values.with(|values| values.choices(field)));
            let options = move || {
                let option = |(value, name): (Value, String)| {
                    let json = value.to_string();
                    view! { <option value=json selected=move || chosen.get(field) == value>{name}</option> }
                };
                choices.get().into_iter().map(option).collect_view()
            };
            view! { <select id=id.clone() on:change=change>{options}</select> }.into_any()
        }
    };
    view! {
        <div class="field">
            <label class="field-words" for=id>{field.label}<small>{field.help}</small></label>
            {input}
        </div>
    }
}
