//! What a table agrees on before it starts: who sits where, and every option of the game. A game describes its options as
//! [`Field`]s; only what differs from the default is handed to the engine.

use crate::drawer::Chair;
use house::{Kind, Setting};
use serde_json::{Map, Value};

/// One option of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// Where it stands in the options: `"throws"`, or `"clocks/round"` for one within another.
    pub(crate) key: &'static str,
    /// Its name.
    pub(crate) label: &'static str,
    /// What it does, in a few words.
    pub(crate) help: &'static str,
    /// What it can be.
    pub(crate) shape: Shape,
}

/// What an option can be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// On or off.
    Switch(bool),
    /// A whole number, at least and at most and as the sheet has it.
    Number(i64, i64, i64),
    /// The same, or nothing, which is the default; and where to begin.
    Perhaps(i64, i64, i64, &'static str),
    /// One of a few; each as the JSON the engine reads, and its name. The first is the default.
    Choice(&'static [(&'static str, &'static str)]),
}

impl Field {
    /// As the sheet has it.
    pub(crate) fn default(&self) -> Value {
        match self.shape {
            Shape::Switch(on) => Value::Bool(on),
            Shape::Number(_, _, usual) => Value::from(usual),
            Shape::Perhaps(..) => Value::Null,
            Shape::Choice(choices) => choices.first().map_or(Value::Null, |(json, _)| parse(json)),
        }
    }

    /// A value in words.
    pub(crate) fn say(&self, value: &Value) -> String {
        match self.shape {
            Shape::Switch(_) => if value == &Value::Bool(true) { "yes" } else { "no" }.to_owned(),
            Shape::Perhaps(.., nothing) if value.is_null() => nothing.to_owned(),
            Shape::Number(..) | Shape::Perhaps(..) => value.to_string(),
            Shape::Choice(choices) => {
                let named = choices.iter().find(|(json, _)| parse(json) == *value);
                named.map_or_else(|| value.to_string(), |(_, name)| (*name).to_owned())
            }
        }
    }

    /// The next value to the right (or to the left) of this one.
    pub(crate) fn step(&self, value: &Value, up: bool) -> Value {
        let by = if up { 1 } else { -1 };
        match self.shape {
            Shape::Switch(_) => Value::Bool(value != &Value::Bool(true)),
            Shape::Number(least, most, usual) => {
                Value::from(value.as_i64().unwrap_or(usual).saturating_add(by).clamp(least, most))
            }
            Shape::Perhaps(least, most, usual, _) => match value.as_i64() {
                None => Value::from(usual),
                Some(number) if number <= least && !up => Value::Null,
                Some(number) => Value::from(number.saturating_add(by).clamp(least, most)),
            },
            Shape::Choice(choices) => {
                let at = choices.iter().position(|(json, _)| parse(json) == *value).unwrap_or(0);
                let next = if up { at + 1 } else { at + choices.len() - 1 } % choices.len().max(1);
                choices.get(next).map_or(Value::Null, |(json, _)| parse(json))
            }
        }
    }

    /// A number that was typed, as far as it fits.
    pub(crate) fn typed(&self, digits: &str) -> Option<Value> {
        let (least, most) = match self.shape {
            Shape::Number(least, most, _) | Shape::Perhaps(least, most, ..) => (least, most),
            Shape::Switch(_) | Shape::Choice(_) => return None,
        };
        digits.parse::<i64>().ok().map(|number| Value::from(number.clamp(least, most)))
    }

    /// A value as it is written on the command line: a number, yes or no, a name of the engine's.
    fn read(&self, text: &str) -> Option<Value> {
        let value = match (self.shape, text) {
            (Shape::Switch(_), "yes" | "true" | "on") => Value::Bool(true),
            (Shape::Switch(_), "no" | "false" | "off") => Value::Bool(false),
            (Shape::Perhaps(..), "none") => Value::Null,
            (Shape::Number(least, most, _) | Shape::Perhaps(least, most, ..), _) => {
                Value::from(text.parse().ok().filter(|number| (least..=most).contains(number))?)
            }
            (Shape::Choice(choices), _) => {
                let fits = |(json, name): &&(&str, &str)| json.trim_matches('"') == text || *name == text;
                parse(choices.iter().find(fits)?.0)
            }
            (Shape::Switch(_), _) => return None,
        };
        Some(value)
    }

    /// What can be written for it.
    fn allowed(&self) -> String {
        match self.shape {
            Shape::Switch(_) => "yes or no".to_owned(),
            Shape::Number(least, most, _) => format!("{least} to {most}"),
            Shape::Perhaps(least, most, ..) => format!("none, or {least} to {most}"),
            Shape::Choice(choices) => {
                choices.iter().map(|(json, _)| json.trim_matches('"')).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

fn parse(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

const fn number(key: &'static str, label: &'static str, help: &'static str, of: (i64, i64, i64)) -> Field {
    Field { key, label, help, shape: Shape::Number(of.0, of.1, of.2) }
}

const fn switch(key: &'static str, label: &'static str, help: &'static str, on: bool) -> Field {
    Field { key, label, help, shape: Shape::Switch(on) }
}

const SECONDS: (i64, i64) = (1, 3600);

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
    number("rounds", "Rounds", "the table may agree on more or fewer during the game", (1, 20, 3)),
    Field {
        key: "seconds",
        label: "Time for a throw",
        help: "in seconds; double with two sets",
        shape: Shape::Choice(&[("90", "90 seconds"), ("60", "60 seconds")]),
    },
    switch("long_word", "Long word", "all dice in one word count 15, in one colour 30", false),
    switch("two_sets", "Two sets", "fourteen dice and double time", false),
    switch("bidding", "Bidding", "after a count the others may bid for a higher one", false),
    WORDS,
    JUDGE,
];

const SCRIBBAGE: &[Field] = &[
    number("turns", "Turns", "for everybody", (1, 50, 4)),
    Field {
        key: "figure",
        label: "Play for a figure",
        help: "instead of a number of turns: the first past it wins, 200 is usual",
        shape: Shape::Perhaps(1, 2000, 200, "no"),
    },
    number("seconds", "The timer", "in seconds", (60, 600, 180)),
    Field {
        key: "teams",
        label: "Teams",
        help: "of two to four; seats join them in turn, like cards dealt",
        shape: Shape::Choice(&[("0", "everybody alone"), ("2", "two"), ("3", "three"), ("4", "four")]),
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
    switch("r9", "Ties", "by the third repetition, or sixty quiet moves", true),
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
    number("clocks/round", "A round", "in seconds; then the countdown runs for all", (1, 3600, 120)),
    number("clocks/practice", "A round alone", "in seconds, without a countdown", (1, 3600, 90)),
    number("clocks/countdown", "The countdown", "in seconds, for the last one", (1, 3600, 6)),
    number("clocks/take", "Taking a die", "in seconds; then one is given at random", (1, 3600, 5)),
    number("clocks/exchange", "Choosing the exchange", "in seconds; then none is made", (1, 3600, 20)),
    number("clocks/pause", "Before a round", "in seconds, or until all are ready", (0, 3600, 8)),
];

const ROULETTE: &[Field] = &[
    number("throws", "Throws", "to a game", (1, 10_000, 20)),
    number("chips", "Chips", "for every player at the start", (1, 1_000_000, 100)),
    number("window", "Time to bet", "in seconds, or until all are ready", (SECONDS.0, SECONDS.1, 30)),
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
        shape: Shape::Perhaps(1, 1_000_000_000_000, 100, "as the players have"),
    },
    switch("passing", "The bank may pass", "between throws", true),
    number("hold", "Time to throw", "in seconds, for a player who banks", (SECONDS.0, SECONDS.1, 10)),
    switch("borrow", "Borrowing", "a player without chips may start again on loan", false),
];

/// The options of a game.
pub(crate) const fn fields(kind: Kind) -> &'static [Field] {
    match kind {
        Kind::IQubes => IQUBES,
        Kind::Scribbage => SCRIBBAGE,
        Kind::Contact => CONTACT,
        Kind::Cubo => CUBO,
        Kind::Roulette => ROULETTE,
    }
}

/// The most chairs that are put round one screen.
pub(crate) const fn most_chairs(kind: Kind) -> usize {
    match kind {
        Kind::IQubes => 5,
        Kind::Contact | Kind::Cubo => 4,
        Kind::Scribbage | Kind::Roulette => 8,
    }
}

/// What is chosen for a game: only what differs from the sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Chosen(Map<String, Value>);

impl Chosen {
    /// As it was left.
    pub(crate) fn remembered(text: Option<&str>) -> Chosen {
        Chosen(text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default())
    }

    /// To be remembered.
    pub(crate) fn text(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    /// The value of an option.
    pub(crate) fn get(&self, field: &Field) -> Value {
        self.0.get(field.key).cloned().unwrap_or_else(|| field.default())
    }

    /// Chooses a value.
    pub(crate) fn set(&mut self, field: &Field, value: Value) {
        if value == field.default() {
            self.0.remove(field.key);
        } else {
            self.0.insert(field.key.to_owned(), value);
        }
    }

    /// Chooses as the command line says: `KEY=VALUE`.
    pub(crate) fn set_text(&mut self, kind: Kind, text: &str) -> Result<(), String> {
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

    /// For the engine: `{"clocks/round": 90}` becomes `{"clocks": {"round": 90}}`. A table for one is not hurried.
    pub(crate) fn options(&self, kind: Kind, chairs: usize) -> Value {
        let mut whole = Map::new();
        for (key, value) in &self.0 {
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
        if kind == Kind::Roulette && chairs == 1 {
            whole.entry("window").or_insert(Value::from(SECONDS.1));
        }
        Value::Object(whole)
    }
}

/// Chairs from the command line: names with commas, `bot:3` for a bot of level 3.
pub(crate) fn read_chairs(kind: Kind, text: &str) -> Result<Vec<Chair>, String> {
    let most = house::levels(kind);
    let chair = |(at, name): (usize, &str)| {
        let name = name.trim();
        if name.is_empty() {
            return Err(
                "a name is missing: write names with commas between them, such as Ann,bot:3".to_owned()
            );
        }
        let Some(level) = name.strip_prefix("bot") else {
            return Ok(Chair { name: name.to_owned(), bot: None });
        };
        let level = match level.strip_prefix(':') {
            None if level.is_empty() => 2,
            None => return Ok(Chair { name: name.to_owned(), bot: None }),
            Some(level) => {
                level.parse().ok().filter(|level| (1..=most).contains(level)).ok_or_else(|| {
                    format!("there is no {name}: the bots of {kind} have the levels 1 to {most}")
                })?
            }
        };
        Ok(Chair { name: bot_name(at), bot: Some(level) })
    };
    text.split(',').enumerate().map(chair).collect()
}

/// A set of one's own, from the text of its data file, as the option of the engine.
pub(crate) fn read_pieces(kind: Kind, text: &str) -> Result<Value, String> {
    let pieces: Value = toml::from_str(text).map_err(|why| format!("these pieces cannot be read: {why}"))?;
    let options = Value::Object(Map::from_iter([("set".to_owned(), pieces.clone())]));
    Setting::new(kind, options).map_err(|refused| refused.says)?;
    Ok(pieces)
}

/// What a bot in this chair is called.
pub(crate) fn bot_name(chair: usize) -> String {
    const NAMES: [&str; 8] = ["Ada", "Blaise", "Cara", "Dora", "Emil", "Fritz", "Greta", "Hugo"];
    NAMES[chair % NAMES.len()].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

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
                    let options = chosen.options(kind, 4);
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
        assert_eq!(chosen.options(Kind::Cubo, 2), serde_json::json!({"clocks": {"round": 90, "take": 9}}));
        let says = |text| Chosen::default().set_text(Kind::Roulette, text).unwrap_err();
        assert!(says("throws").contains("KEY=VALUE"));
        assert!(says("dice=3").contains("throws"), "{}", says("dice=3"));
        assert!(says("throws=0").contains("1 to 10000"));
        assert!(says("borrow=maybe").contains("yes or no"));
    }

    #[test]
    fn chairs_are_read_with_their_bots() {
        let chairs = read_chairs(Kind::Cubo, "Ann, bot:3,Botho").expect("chairs");
        assert_eq!(chairs.iter().map(|chair| chair.bot).collect::<Vec<_>>(), [None, Some(3), None]);
        assert!(read_chairs(Kind::Cubo, "bot:99").unwrap_err().contains("levels 1 to"));
        assert!(read_chairs(Kind::Cubo, "Ann,,Ben").is_err());
    }

    #[test]
    fn the_data_files_of_all_games_are_sets_of_ones_own() {
        let files = [
            (Kind::IQubes, include_str!("../../iqubes/data/iqubes.toml")),
            (Kind::Scribbage, include_str!("../../scribbage/data/scribbage.toml")),
            (Kind::Contact, contact::set::HOUSE),
            (Kind::Cubo, include_str!("../../cubo/data/cubo.toml")),
            (Kind::Roulette, include_str!("../../roulette/data/set.toml")),
        ];
        for (kind, text) in files {
            read_pieces(kind, text).unwrap_or_else(|why| panic!("{kind}: {why}"));
            assert!(read_pieces(kind, "name = 3").is_err(), "{kind}");
        }
        assert!(read_pieces(Kind::Cubo, "[").unwrap_err().contains("cannot be read"));
    }

    #[test]
    fn a_table_for_one_is_not_hurried() {
        assert_eq!(Chosen::default().options(Kind::Roulette, 1)["window"], 3600);
        assert_eq!(Chosen::default().options(Kind::Roulette, 2), serde_json::json!({}));
    }
}
