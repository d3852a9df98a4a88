//! One option of a game as a person meets it: its name, what it does, what it can be. Forms on the page and in the terminal, and
//! `--option KEY=VALUE`, are drawn from these.

use serde_json::Value;

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
    /// What a text is called that is none of the choices, where there is a word for it.
    pub unlisted: fn(&str) -> Option<&'static str>,
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
    /// The number on the sheet, or where to begin.
    pub usual: i64,
    /// Of what: `"s"`, `"chips"`.
    pub unit: &'static str,
}

impl Span {
    /// From the least to the most.
    pub const fn new(least: i64, most: i64, usual: i64) -> Span {
        Span { least, most, usual, unit: "" }
    }

    /// A clock: one second to an hour.
    pub const fn seconds(usual: i64) -> Span {
        Span { least: 1, most: 3600, usual, unit: "s" }
    }

    /// The same, of something.
    #[must_use]
    pub const fn of(self, unit: &'static str) -> Span {
        Span { unit, ..self }
    }

    fn holds(self, number: i64) -> bool {
        (self.least..=self.most).contains(&number)
    }

    /// The number, or the nearest that is allowed.
    pub fn nearest(self, number: i64) -> i64 {
        number.clamp(self.least, self.most)
    }
}

const fn no_word(_: &str) -> Option<&'static str> {
    None
}

impl Field {
    const fn new(key: &'static str, label: &'static str, help: &'static str, shape: Shape) -> Field {
        Field { key, label, help, shape, unlisted: no_word }
    }

    /// A whole number.
    pub const fn number(key: &'static str, label: &'static str, help: &'static str, span: Span) -> Field {
        Field::new(key, label, help, Shape::Number(span))
    }

    /// A whole number, or nothing, which has a name.
    pub const fn perhaps(
        key: &'static str,
        label: &'static str,
        help: &'static str,
        span: Span,
        nothing: &'static str,
    ) -> Field {
        Field::new(key, label, help, Shape::Perhaps(span, nothing))
    }

    /// On or off.
    pub const fn switch(key: &'static str, label: &'static str, help: &'static str, on: bool) -> Field {
        Field::new(key, label, help, Shape::Switch(on))
    }

    /// One of a few.
    pub const fn choice(
        key: &'static str,
        label: &'static str,
        help: &'static str,
        choices: &'static [(&'static str, &'static str)],
    ) -> Field {
        Field::new(key, label, help, Shape::Choice(choices))
    }

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
                named.map_or_else(|| self.say_unlisted(value), |(_, name)| (*name).to_owned())
            }
        }
    }

    fn say_unlisted(&self, value: &Value) -> String {
        let Some(text) = value.as_str() else { return value.to_string() };
        (self.unlisted)(text).unwrap_or(text).to_owned()
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
    pub fn read(&self, text: &str) -> Option<Value> {
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
    pub fn allowed(&self) -> String {
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
