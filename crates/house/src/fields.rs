//! What is chosen of the options of a game, and in what it differs from the sheet.

use crate::games::{alone, fields};
use crate::plain::in_a_line;
use crate::{Kind, Setting};
use serde_json::{Map, Value};
use table::field::choice;
use table::{Field, Shape};

/// What is played otherwise than the sheet has it, in words for whoever comes to the table: `Two sets`, `The timer: 60 s`.
pub fn variations(setting: &Setting) -> Vec<String> {
    let Ok(sheet) = Setting::new(setting.kind, Value::Object(Map::new())) else { return Vec::new() };
    let other = |key: &str| {
        let at = format!("/{key}");
        setting.options.pointer(&at).filter(|value| sheet.options.pointer(&at) != Some(value))
    };
    let chosen =
        fields(setting.kind).iter().filter_map(|field| Some(varied(field, setting.kind, other(field.key)?)));
    chosen.chain(other(PIECES).map(|_| "Pieces of the host's own".to_owned())).collect()
}

/// What is chosen, with the name of the option.
fn varied(field: &Field, kind: Kind, value: &Value) -> String {
    if value == &Value::Bool(true) {
        return field.label.to_owned();
    }
    format!("{}: {}", field.label, in_a_line(&field.say(&meant(field, kind, value))))
}

/// The choice that an engine writes so: it may name in full what was chosen in short.
fn meant(field: &Field, kind: Kind, value: &Value) -> Value {
    let Shape::Choice(choices) = field.shape else { return value.clone() };
    let written = |chosen: &Value| {
        let whole =
            Setting::new(kind, nest(&Map::from_iter([(field.key.to_owned(), chosen.clone())]))).ok()?;
        whole.options.pointer(&format!("/{}", field.key)).cloned()
    };
    let mut meant = choices.iter().map(|(json, _)| choice(json));
    meant.find(|chosen| written(chosen).as_ref() == Some(value)).unwrap_or_else(|| value.clone())
}

/// Where options hold the pieces, and the way in which they are laid.
const PIECES: &str = "set";
const SETUP: &str = "setup";

/// The ways in which pieces can be laid, where they say it themselves.
fn setups(pieces: &Value) -> Option<Vec<String>> {
    pieces.get("setups").and_then(Value::as_object).map(|ways| ways.keys().cloned().collect())
}

/// What is chosen for a game: only what differs from the sheet, or from what a table for one would have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chosen(Map<String, Value>);

impl Chosen {
    /// As it was left.
    pub fn remembered(text: Option<&str>) -> Chosen {
        Chosen(text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default())
    }

    /// To be remembered.
    pub fn text(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    /// How many options were chosen.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The value of an option.
    pub fn get(&self, field: &Field) -> Value {
        self.0.get(field.key).cloned().unwrap_or_else(|| field.default())
    }

    /// Chooses a value. That of the sheet is no choice, unless a table for one has another.
    pub fn set(&mut self, field: &Field, value: Value) {
        if value == field.default()
            && !Kind::ALL.into_iter().flat_map(alone).any(|(key, _)| *key == field.key)
        {
            self.0.remove(field.key);
        } else {
            self.0.insert(field.key.to_owned(), value);
        }
    }

    /// Pieces of one's own, as they were read.
    pub fn pieces(&self) -> Option<&Value> {
        self.0.get(PIECES)
    }

    /// Takes pieces of one's own, or those of the house again. Where they are laid in other ways, the first of them is chosen.
    pub fn set_pieces(&mut self, pieces: Option<Value>) {
        self.0.remove(PIECES);
        self.0.extend(pieces.map(|pieces| (PIECES.to_owned(), pieces)));
        let ways = self.pieces().and_then(setups);
        let way = self.0.get(SETUP).and_then(Value::as_str).unwrap_or_default();
        if let Some(ways) = ways
            && let Some(first) = ways.first()
        {
            if !ways.iter().any(|known| known == way) {
                self.0.insert(SETUP.to_owned(), Value::from(first.clone()));
            }
        } else {
            let mut known = Kind::ALL.into_iter().flat_map(fields).filter(|field| field.key == SETUP);
            if known.all(|field| field.read(way).is_none()) {
                self.0.remove(SETUP);
            }
        }
    }

    /// What an option can be, as JSON and in words: what the pieces themselves say comes first, and what was brought along last.
    pub fn choices(&self, field: &Field) -> Vec<(Value, String)> {
        let Shape::Choice(choices) = field.shape else { return Vec::new() };
        let own = (field.key == SETUP).then(|| self.pieces().and_then(setups)).flatten();
        let mut values = own.map_or_else(
            || choices.iter().map(|(json, _)| choice(json)).collect(),
            |ways| ways.into_iter().map(Value::from).collect::<Vec<_>>(),
        );
        let now = self.get(field);
        if !values.contains(&now) {
            values.push(now);
        }
        values.into_iter().map(|value| (value.clone(), field.say(&value))).collect()
    }

    /// Chooses as the command line says: `KEY=VALUE`.
    pub fn set_text(&mut self, kind: Kind, text: &str) -> Result<(), String> {
        let keys = || fields(kind).iter().map(|field| field.key).collect::<Vec<_>>().join(", ");
        let (key, value) = text.split_once('=').ok_or_else(|| {
            format!("\"{text}\" chooses nothing: write KEY=VALUE; the keys of {kind} are {}", keys())
        })?;
        let field = fields(kind)
            .iter()
            .find(|field| field.key == key || field.key.rsplit('/').next() == Some(key))
            .ok_or_else(|| format!("{kind} has no option \"{key}\"; it has {}", keys()))?;
        let value = field
            .read(value)
            .ok_or_else(|| format!("\"{key}\" cannot be \"{value}\": choose {}", field.allowed()))?;
        self.set(field, value);
        Ok(())
    }

    /// For the engine.
    pub fn options(&self) -> Value {
        nest(&self.0)
    }

    /// For the engine, at a table of so many. A table for one has ways of its own where nothing else was chosen.
    pub fn options_for(&self, kind: Kind, chairs: usize) -> Value {
        let mut options = self.options();
        if let Value::Object(options) = &mut options
            && chairs == 1
        {
            for (key, value) in alone(kind) {
                options.entry(*key).or_insert(Value::from(*value));
            }
        }
        options
    }
}

/// Options chosen one by one, as the engine reads them: `{"clocks/round": 90}` becomes `{"clocks": {"round": 90}}`.
fn nest(chosen: &Map<String, Value>) -> Value {
    let mut whole = Map::new();
    for (key, value) in chosen {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_within_options_are_nested_for_the_engine() {
        let values: Map<String, Value> =
            serde_json::from_str(r#"{"clocks/round":90,"clocks/take":4,"throws":7}"#).expect("JSON");
        let nested = nest(&values);
        assert_eq!(nested, serde_json::json!({"clocks": {"round": 90, "take": 4}, "throws": 7}));
    }

    #[test]
    fn pieces_of_ones_own_bring_the_ways_they_are_laid_in() {
        let contact = crate::engine(Kind::Contact);
        let setup = fields(Kind::Contact).iter().find(|field| field.key == SETUP).expect("it has one");
        let mut chosen = Chosen::default();
        assert_eq!(chosen.choices(setup).len(), 2);
        let file = contact
            .house_pieces()
            .replace("setups.six", "setups.mine")
            .replace("setups.twelve", "setups.other");
        chosen.set_pieces(Some(contact.pieces(&file).expect("sound")));
        assert_eq!(chosen.options()["setup"], "mine");
        assert_eq!(chosen.choices(setup)[1].1, "other");
        contact.setting(chosen.options()).expect("a table");
        chosen.set_pieces(None);
        assert_eq!(chosen, Chosen::default());
    }

    #[test]
    fn a_word_list_of_ones_own_is_a_choice_as_long_as_it_is_chosen() {
        let words = fields(Kind::IQubes).iter().find(|field| field.key == "words").expect("it has one");
        let mut chosen = Chosen::default();
        assert_eq!(chosen.choices(words).len(), 3);
        chosen.set(words, Value::from("list:0123456789abcdef"));
        assert_eq!(chosen.choices(words).last().map(|choice| choice.1.as_str()), Some("a list of one's own"));
        chosen.set(words, words.default());
        assert_eq!(chosen.choices(words).len(), 3);
    }

    #[test]
    fn every_value_of_every_option_is_one_of_the_engine() {
        for kind in Kind::ALL {
            let whole =
                Setting::new(kind, Value::Object(Map::new())).expect("the defaults are a game").options;
            for field in fields(kind) {
                let pointer = format!("/{}", field.key);
                let theirs = whole.pointer(&pointer).unwrap_or_else(|| panic!("{kind} has no {}", field.key));
                let pinned = field.key == "words";
                assert!(pinned || *theirs == field.default(), "{kind} {}: {theirs}", field.key);
                for up in [true, false] {
                    let mut chosen = Chosen::default();
                    chosen.set(field, field.step(&field.default(), up));
                    let options = chosen.options();
                    assert!(Setting::new(kind, options.clone()).is_ok(), "{kind} {options}");
                }
            }
        }
    }

    #[test]
    fn every_option_of_the_engines_can_be_chosen() {
        for kind in Kind::ALL {
            let whole =
                Setting::new(kind, Value::Object(Map::new())).expect("the defaults are a game").options;
            let Value::Object(whole) = whole else { panic!("options are an object") };
            for (key, value) in whole.iter().filter(|(key, _)| *key != "set") {
                let within: Vec<String> = match value {
                    Value::Object(inner) => inner.keys().map(|inner| format!("{key}/{inner}")).collect(),
                    _ => vec![key.clone()],
                };
                for key in within {
                    assert!(fields(kind).iter().any(|field| field.key == key), "{kind} {key}");
                }
            }
        }
    }

    #[test]
    fn what_is_written_on_the_command_line_is_read_or_explained() {
        let mut chosen = Chosen::default();
        chosen.set_text(Kind::Cubo, "round=90").expect("an option");
        chosen.set_text(Kind::Cubo, "clocks/take=9").expect("an option");
        assert_eq!(chosen.options(), serde_json::json!({"clocks": {"round": 90, "take": 9}}));
        let says = |text| Chosen::default().set_text(Kind::Roulette, text).unwrap_err();
        assert!(says("throws").contains("KEY=VALUE"));
        assert!(says("dice=3").contains("throws"), "{}", says("dice=3"));
        assert!(says("throws=0").contains("1 to 10000"));
        assert!(says("borrow=maybe").contains("yes or no"));
    }

    #[test]
    fn variations_are_told_in_words_and_the_sheet_needs_none() {
        let told = |kind: Kind, options: Value| variations(&Setting::new(kind, options).expect("a game"));
        for kind in Kind::ALL {
            assert!(told(kind, serde_json::json!({})).is_empty(), "{kind}");
            for field in fields(kind).iter().filter(|field| !matches!(field.shape, Shape::Perhaps(..))) {
                let mut chosen = Chosen::default();
                chosen.set(field, field.step(&field.default(), true));
                let says = told(kind, chosen.options());
                assert!(
                    says.len() == 1 && says[0].starts_with(field.label),
                    "{kind} {}: {says:?}",
                    field.key
                );
            }
        }
        let words = serde_json::json!({"words": "british", "two_sets": true, "seconds": 60});
        assert_eq!(
            told(Kind::IQubes, words),
            ["Time for a throw: 60 seconds", "Two sets", "Dictionary: British spelling"]
        );
        assert_eq!(told(Kind::Contact, serde_json::json!({"r9": false})), ["Ties: no"]);
        assert_eq!(
            told(Kind::Scribbage, serde_json::json!({"figure": 300})),
            ["Play for a figure: 300 points"]
        );
        let contact = crate::engine(Kind::Contact);
        let file = contact.house_pieces().replace("setups.six", "setups.mine");
        let own = serde_json::json!({"set": contact.pieces(&file).expect("sound"), "setup": "mine"});
        assert_eq!(told(Kind::Contact, own), ["Set-up: mine", "Pieces of the host's own"]);
    }

    #[test]
    fn a_table_for_one_is_not_hurried() {
        assert_eq!(Chosen::default().options_for(Kind::Roulette, 1)["window"], 3600);
        assert_eq!(Chosen::default().options_for(Kind::Roulette, 2), serde_json::json!({}));
        let mut chosen = Chosen::default();
        chosen.set_text(Kind::Roulette, "window=30").expect("an option");
        assert_eq!(chosen.options_for(Kind::Roulette, 1)["window"], 30);
    }

    #[test]
    fn sb_s10_a_table_for_one_is_a_single_throw_unless_more_was_chosen() {
        let turns = |choices: &[&str], chairs: usize| {
            let mut chosen = Chosen::default();
            for text in choices {
                chosen.set_text(Kind::Scribbage, text).expect("an option");
            }
            // As it is when the form is opened again.
            let chosen = Chosen::remembered(Some(&chosen.text()));
            let setting = Setting::new(Kind::Scribbage, chosen.options_for(Kind::Scribbage, chairs));
            let levels = vec![1; chairs];
            let played = crate::simulate(&setting.expect("a table"), &levels, 7, true).expect("a game");
            let record = played.record.expect("it was asked for");
            record.lines().filter(|line| line.contains("\"do\":\"throw\"")).count() / chairs
        };
        assert_eq!((turns(&[], 1), turns(&[], 2)), (1, 4));
        assert_eq!(turns(&["seconds=60"], 1), 1);
        assert_eq!((turns(&["turns=3"], 1), turns(&["turns=1"], 2)), (3, 1));
        assert_eq!(turns(&["turns=3", "turns=none"], 1), 1);
        assert!(turns(&["figure=60"], 1) > 1, "a figure is not met by one throw");
    }
}
