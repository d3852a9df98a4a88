//! Every option of every game as a person meets it: its name, what it does, what it can be, and what was chosen of it. Forms on
//! the page and in the terminal, and `--option KEY=VALUE`, are drawn from this one table.

use crate::plain::in_a_line;
use crate::{Kind, Setting};
use serde_json::{Map, Value};
use words::WordsId;

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
    /// On or off, and which of them the sheet has.
    Switch(bool),
    /// A whole number.
    Number(Span),
    /// Nothing, which is the default and has this name, or a whole number.
    Perhaps(Span, &'static str),
    /// One of a few; each as the JSON the engine reads, and its name. The first is the default.
    Choice(&'static [(&'static str, &'static str)]),
}

/// The whole numbers that an option can be.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The least.
    pub least: i64,
    /// The most.
    pub most: i64,
    /// As the sheet has it, or where to begin.
    pub usual: i64,
    /// Of what: `"s"`, `"chips"`.
    pub unit: &'static str,
}

impl Span {
    fn holds(self, number: i64) -> bool {
        (self.least..=self.most).contains(&number)
    }

    /// The number, or the nearest that is allowed.
    pub fn nearest(self, number: i64) -> i64 {
        number.clamp(self.least, self.most)
    }
}

impl Field {
    /// As the sheet has it.
    pub fn default(&self) -> Value {
        match self.shape {
            Shape::Switch(on) => Value::Bool(on),
            Shape::Number(span) => Value::from(span.usual),
            Shape::Perhaps(..) => Value::Null,
            Shape::Choice(choices) => choices.first().map_or(Value::Null, |(json, _)| choice(json)),
        }
    }

    /// A value in words.
    pub fn say(&self, value: &Value) -> String {
        match self.shape {
            Shape::Switch(_) => if value == &Value::Bool(true) { "yes" } else { "no" }.to_owned(),
            Shape::Perhaps(_, nothing) if value.is_null() => nothing.to_owned(),
            Shape::Number(span) | Shape::Perhaps(span, _) => {
                format!("{value} {}", span.unit).trim_end().to_owned()
            }
            Shape::Choice(choices) => {
                let named = choices.iter().find(|(json, _)| choice(json) == *value);
                let own = || match value.as_str() {
                    Some(name) if matches!(name.parse(), Ok(WordsId::List(_))) => {
                        "a list of one's own".to_owned()
                    }
                    Some(name) => name.to_owned(),
                    None => value.to_string(),
                };
                named.map_or_else(own, |(_, name)| (*name).to_owned())
            }
        }
    }

    /// What is chosen, with the name of the option.
    fn varied(&self, kind: Kind, value: &Value) -> String {
        if value == &Value::Bool(true) {
            return self.label.to_owned();
        }
        format!("{}: {}", self.label, in_a_line(&self.say(&self.meant(kind, value))))
    }

    /// The choice that an engine writes so: it may name in full what was chosen in short.
    fn meant(&self, kind: Kind, value: &Value) -> Value {
        let Shape::Choice(choices) = self.shape else { return value.clone() };
        let written = |chosen: &Value| {
            let whole =
                Setting::new(kind, nest(&Map::from_iter([(self.key.to_owned(), chosen.clone())]))).ok()?;
            whole.options.pointer(&format!("/{}", self.key)).cloned()
        };
        let mut meant = choices.iter().map(|(json, _)| choice(json));
        meant.find(|chosen| written(chosen).as_ref() == Some(value)).unwrap_or_else(|| value.clone())
    }

    /// The next value to the right (or to the left) of this one.
    pub fn step(&self, value: &Value, up: bool) -> Value {
        let by = if up { 1 } else { -1 };
        match self.shape {
            Shape::Switch(_) => Value::Bool(value != &Value::Bool(true)),
            Shape::Number(span) => {
                Value::from(span.nearest(value.as_i64().unwrap_or(span.usual).saturating_add(by)))
            }
            Shape::Perhaps(span, _) => match value.as_i64() {
                None => Value::from(span.usual),
                Some(number) if number <= span.least && !up => Value::Null,
                Some(number) => Value::from(span.nearest(number.saturating_add(by))),
            },
            Shape::Choice(choices) => {
                let at = choices.iter().position(|(json, _)| choice(json) == *value).unwrap_or(0);
                let next = if up { at + 1 } else { at + choices.len() - 1 } % choices.len().max(1);
                choices.get(next).map_or(Value::Null, |(json, _)| choice(json))
            }
        }
    }

    /// A number that was typed, as far as it fits.
    pub fn typed(&self, digits: &str) -> Option<Value> {
        let (Shape::Number(span) | Shape::Perhaps(span, _)) = self.shape else { return None };
        digits.parse::<i64>().ok().map(|number| Value::from(span.nearest(number)))
    }

    /// A value as it is written on the command line: a number, yes or no, a name of the engine's.
    fn read(&self, text: &str) -> Option<Value> {
        let value = match (self.shape, text) {
            (Shape::Switch(_), "yes" | "true" | "on") => Value::Bool(true),
            (Shape::Switch(_), "no" | "false" | "off") => Value::Bool(false),
            (Shape::Switch(_), _) => return None,
            (Shape::Perhaps(..), "none") => Value::Null,
            (Shape::Number(span) | Shape::Perhaps(span, _), _) => {
                Value::from(text.parse().ok().filter(|&number| span.holds(number))?)
            }
            (Shape::Choice(choices), _) => {
                let fits = |(json, name): &&(&str, &str)| json.trim_matches('"') == text || *name == text;
                choice(choices.iter().find(fits)?.0)
            }
        };
        Some(value)
    }

    /// What can be written for it.
    fn allowed(&self) -> String {
        match self.shape {
            Shape::Switch(_) => "yes or no".to_owned(),
            Shape::Number(span) => format!("{} to {}", span.least, span.most),
            Shape::Perhaps(span, _) => format!("none, or {} to {}", span.least, span.most),
            Shape::Choice(choices) => {
                choices.iter().map(|(json, _)| json.trim_matches('"')).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// A choice as the engine reads it.
pub fn choice(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

const fn number(key: &'static str, label: &'static str, help: &'static str, span: Span) -> Field {
    Field { key, label, help, shape: Shape::Number(span) }
}

const fn switch(key: &'static str, label: &'static str, help: &'static str, on: bool) -> Field {
    Field { key, label, help, shape: Shape::Switch(on) }
}

const fn span(least: i64, most: i64, usual: i64) -> Span {
    Span { least, most, usual, unit: "" }
}

const fn seconds(usual: i64) -> Span {
    Span { least: 1, most: 3600, usual, unit: "s" }
}

const fn chips(most: i64) -> Span {
    Span { least: 1, most, usual: 100, unit: "chips" }
}

const WORDS: Field = Field {
    key: "words",
    label: "Dictionary",
    help: "without one the table judges: challenge and vote",
    shape: Shape::Choice(&[
        ("\"house\"", "American spelling"),
        ("\"british\"", "British spelling"),
        ("\"none\"", "none: challenge and vote"),
    ]),
};

const JUDGE: Field =
    switch("judge", "Show good words", "while the dice are arranged, and what they count", true);

const IQUBES: &[Field] = &[
    number("rounds", "Rounds", "the table may agree on more or fewer during the game", span(1, 20, 3)),
    Field {
        key: "seconds",
        label: "Time for a throw",
        help: "double with two sets",
        shape: Shape::Choice(&[("90", "90 seconds"), ("60", "60 seconds")]),
    },
    switch("long_word", "Long word", "all dice in one word count 15, in one colour 30", false),
    switch("two_sets", "Two sets", "fourteen dice and double time", false),
    switch("bidding", "Bidding", "after a count the others may bid for a higher one", false),
    WORDS,
    JUDGE,
];

const SCRIBBAGE: &[Field] = &[
    number("turns", "Turns", "for everybody; alone it is one unless you choose", span(1, 50, 4)),
    Field {
        key: "figure",
        label: "Play for a figure",
        help: "instead of turns: the highest score over it wins",
        shape: Shape::Perhaps(Span { least: 1, most: 2000, usual: 200, unit: "points" }, "no"),
    },
    number("seconds", "The timer", "for a throw", Span { least: 60, most: 600, usual: 180, unit: "s" }),
    Field {
        key: "teams",
        label: "Teams",
        help: "of two to four; seats join them in turn, like cards dealt",
        shape: Shape::Choice(&[
            ("0", "everybody alone"),
            ("1", "one of all"),
            ("2", "two"),
            ("3", "three"),
            ("4", "four"),
            ("5", "five"),
            ("6", "six"),
            ("7", "seven"),
            ("8", "eight"),
        ]),
    },
    switch("young", "Young players", "words side by side, not a crossword", false),
    WORDS,
    JUDGE,
];

const CONTACT: &[Field] = &[
    Field {
        key: "setup",
        label: "Set-up",
        help: "twelve tiles each are for two players",
        shape: Shape::Choice(&[("\"six\"", "six tiles each"), ("\"twelve\"", "twelve tiles each")]),
    },
    switch("partners", "Partners", "four players: opposite sides play together", false),
    Field {
        key: "first",
        label: "Who starts",
        help: "South is the first seat; two play South and North",
        shape: Shape::Choice(&[
            ("\"drawn\"", "the dice say"),
            ("\"south\"", "South"),
            ("\"west\"", "West"),
            ("\"north\"", "North"),
            ("\"east\"", "East"),
        ]),
    },
    Field {
        key: "r9",
        label: "Ties",
        help: "by the third repetition, or thirty quiet turns each",
        shape: Shape::Choice(&[
            ("true", "yes"),
            ("false", "no"),
            ("\"sixty-moves\"", "as it was: sixty quiet moves of all together"),
        ]),
    },
    switch("count", "The count", "decides such ties: more tiles win, or the higher figures", false),
];

const CUBO: &[Field] = &[
    Field {
        key: "straights",
        label: "Straights",
        help: "4-3-5 counts only in any order",
        shape: Shape::Choice(&[("\"in-order\"", "in order, up or down"), ("\"any-order\"", "in any order")]),
    },
    Field {
        key: "start",
        label: "Who starts",
        help: "and counts first",
        shape: Shape::Choice(&[
            ("\"random\"", "the dice say"),
            ("{\"seat\":0}", "seat 1"),
            ("{\"seat\":1}", "seat 2"),
            ("{\"seat\":2}", "seat 3"),
            ("{\"seat\":3}", "seat 4"),
        ]),
    },
    number("clocks/round", "A round", "then the countdown runs for all", seconds(120)),
    number("clocks/practice", "A round alone", "without a countdown", seconds(90)),
    number("clocks/countdown", "The countdown", "for the last one", seconds(6)),
    number("clocks/take", "Taking a die", "then one is given at random", seconds(5)),
    number("clocks/exchange", "Choosing the exchange", "then none is made", seconds(20)),
    number("clocks/pause", "Before a round", "or until all are ready", Span { least: 0, ..seconds(8) }),
];

const ROULETTE: &[Field] = &[
    number("throws", "Throws", "to a game", span(1, 10_000, 20)),
    number("chips", "Chips", "for every player at the start", chips(1_000_000)),
    number("window", "Time to bet", "or until all are ready", seconds(30)),
    Field {
        key: "bank",
        label: "The bank",
        help: "who throws, takes and pays",
        shape: Shape::Choice(&[
            ("\"house\"", "the house"),
            ("{\"seat\":0}", "seat 1"),
            ("{\"seat\":1}", "seat 2"),
            ("{\"seat\":2}", "seat 3"),
            ("{\"seat\":3}", "seat 4"),
        ]),
    },
    Field {
        key: "bank_chips",
        label: "A player's bank",
        help: "its stock in chips; left alone, chips for every other player",
        shape: Shape::Perhaps(chips(1_000_000_000_000), "as the players have"),
    },
    switch("passing", "The bank may pass", "between throws", true),
    number("hold", "Time to throw", "for a player who banks", seconds(10)),
    switch("borrow", "Borrowing", "a player without chips may start again on loan", false),
];

/// The options of a game.
pub const fn fields(kind: Kind) -> &'static [Field] {
    match kind {
        Kind::IQubes => IQUBES,
        Kind::Scribbage => SCRIBBAGE,
        Kind::Contact => CONTACT,
        Kind::Cubo => CUBO,
        Kind::Roulette => ROULETTE,
    }
}

/// What is played otherwise than the sheet has it, in words for whoever comes to the table: `Two sets`, `The timer: 60 s`.
pub fn variations(setting: &Setting) -> Vec<String> {
    let Ok(sheet) = Setting::new(setting.kind, Value::Object(Map::new())) else { return Vec::new() };
    let other = |key: &str| {
        let at = format!("/{key}");
        setting.options.pointer(&at).filter(|value| sheet.options.pointer(&at) != Some(value))
    };
    let chosen =
        fields(setting.kind).iter().filter_map(|field| Some(field.varied(setting.kind, other(field.key)?)));
    chosen.chain(other(PIECES).map(|_| "Pieces of the host's own".to_owned())).collect()
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
        if value == field.default() && !ALONE.iter().any(|(_, key, _)| *key == field.key) {
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
            let known = fields(Kind::Contact).iter().find(|field| field.key == SETUP);
            if known.is_some_and(|field| field.read(way).is_none()) {
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
        let (alone, figure) = (chairs == 1, !self.0.get(FIGURE).is_none_or(Value::is_null));
        if let Value::Object(options) = &mut options {
            for (_, key, value) in ALONE.iter().filter(|(of, ..)| alone && !figure && *of == kind) {
                options.entry(*key).or_insert(Value::from(*value));
            }
        }
        options
    }
}

/// What a table for one has: nobody is waiting, so no clock hurries; and solitaire is a single throw (SB-S10).
const ALONE: &[(Kind, &str, i64)] =
    &[(Kind::Roulette, "window", seconds(30).most), (Kind::Scribbage, "turns", 1)];

/// Where a game is played for a figure, turns are nothing to it.
const FIGURE: &str = "figure";

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
        let turns = |choices: &[&str], chairs| {
            let mut chosen = Chosen::default();
            for text in choices {
                chosen.set_text(Kind::Scribbage, text).expect("an option");
            }
            // As it is when the form is opened again.
            let chosen = Chosen::remembered(Some(&chosen.text()));
            let setting = Setting::new(Kind::Scribbage, chosen.options_for(Kind::Scribbage, chairs));
            setting.expect("a table").options["turns"].clone()
        };
        assert_eq!((turns(&[], 1), turns(&[], 2)), (1.into(), 4.into()));
        assert_eq!(turns(&["seconds=60"], 1), 1);
        for asked in [1, 4, 9] {
            assert_eq!(turns(&[&format!("turns={asked}")], 1), asked);
        }
        assert_eq!(turns(&["figure=200"], 1), 4, "a figure is not met by one throw");
        assert_eq!(turns(&["figure=200", "figure=none"], 1), 1);
    }
}
