//! Text that people write and others read: what may be in it, and how much of it. Options of a table are looked through here before an
//! engine reads them, so that no game has to think of it: whatever text they hold is short and is what it seems.

use serde::Serialize;
use serde_json::Value;
use table::Spoken;
use thiserror::Error;

/// The most characters of a text in the options of a table: a name of pieces, of a way to lay them, of words.
pub const LONGEST: usize = 60;
/// The most entries of a list in the options, and names of an object.
const ENTRIES: usize = 64;
/// The most bytes of all options as JSON, pieces included: everybody who comes to the table is sent them.
const BYTES: usize = 16 * 1024;

/// Characters that turn the writing round, join, hide or cannot be seen: text with them is not what it seems.
pub const fn deceives(letter: char) -> bool {
    matches!(letter,
        '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Marks that stack on the letter before them.
pub const fn stacks(letter: char) -> bool {
    matches!(letter, '\u{0300}'..='\u{036f}' | '\u{0483}'..='\u{0489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Whether a text is what it seems: no control, turning or invisible characters, and at most two marks on a letter.
///
/// ```
/// assert!(house::is_plain("Mine, 2nd set (Zoë's)"));
/// assert!(!house::is_plain("six\u{202e}"));
/// ```
pub fn is_plain(text: &str) -> bool {
    let mut stacked = 0;
    text.chars().all(|letter| {
        stacked = if stacks(letter) { stacked + 1 } else { 0 };
        stacked <= 2 && !letter.is_control() && !deceives(letter)
    })
}

/// As much of a text as fits in a line, without what deceives: of options that a table had before there were bounds.
pub(crate) fn in_a_line(text: &str) -> String {
    if text.chars().count() <= LONGEST && is_plain(text) {
        return text.to_owned();
    }
    let plain = text.chars().filter(|&letter| !letter.is_control() && !deceives(letter) && !stacks(letter));
    plain.take(LONGEST - 1).chain(['…']).collect()
}

/// What is wrong with the text of options.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
enum Unfit {
    /// A text without an end.
    #[error("{what} has {length} characters. Use at most {most}.")]
    OptionTooLong {
        /// Which, in words.
        what: String,
        length: usize,
        most: usize,
    },
    /// A text that is not what it seems.
    #[error(
        "{what} has invisible characters, or ones that turn the writing round. Type it again without them."
    )]
    OptionNotPlain {
        /// Which, in words.
        what: String,
    },
    /// A list without an end.
    #[error("There are {length} entries in {what}. Use at most {most}.")]
    OptionTooMany {
        /// Which, in words.
        what: String,
        length: usize,
        most: usize,
    },
    /// Too much altogether.
    #[error("These options take {length} bytes. Use at most {most}: fewer set-ups, or shorter names.")]
    OptionsTooBig { length: usize, most: usize },
}

/// Looks through all of the options of a table.
pub(crate) fn check(options: &Value) -> Result<(), Spoken> {
    let length = options.to_string().len();
    let small = if length > BYTES { Err(Unfit::OptionsTooBig { length, most: BYTES }) } else { Ok(()) };
    // One text that is too long says more than all of them.
    within("", options).and(small).map_err(|unfit| Spoken::of(&unfit))
}

fn within(at: &str, value: &Value) -> Result<(), Unfit> {
    match value {
        Value::String(text) => fits(text, || format!("The text of {}", named(at))),
        Value::Array(list) => {
            few(at, list.len())?;
            list.iter().try_for_each(|value| within(at, value))
        }
        Value::Object(fields) => {
            few(at, fields.len())?;
            fields.iter().try_for_each(|(name, value)| {
                fits(name, || format!("A name in {}", named(at)))?;
                within(&if at.is_empty() { name.clone() } else { format!("{at}/{name}") }, value)
            })
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

fn named(at: &str) -> String {
    if at.is_empty() { "the options".to_owned() } else { format!("the option {at}") }
}

fn few(at: &str, length: usize) -> Result<(), Unfit> {
    let many = || Unfit::OptionTooMany { what: named(at), length, most: ENTRIES };
    if length > ENTRIES { Err(many()) } else { Ok(()) }
}

fn fits(text: &str, what: impl Fn() -> String) -> Result<(), Unfit> {
    let length = text.chars().count();
    if length > LONGEST {
        return Err(Unfit::OptionTooLong { what: what(), length, most: LONGEST });
    }
    if is_plain(text) { Ok(()) } else { Err(Unfit::OptionNotPlain { what: what() }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Setting, engine, variations};
    use serde_json::json;

    fn refused(kind: Kind, options: Value) -> Spoken {
        Setting::new(kind, options).expect_err("it is refused")
    }

    /// The options of a game with this text wherever options hold a text, one place at a time.
    fn everywhere(kind: Kind, text: &str) -> Vec<Value> {
        let whole = Setting::new(kind, json!({})).expect("the defaults are a game").options;
        let mut places = Vec::new();
        find(String::new(), &whole, &mut places);
        let mut all = Vec::new();
        for place in places {
            let mut options = whole.clone();
            *options.pointer_mut(&place).expect("it is there") = Value::from(text);
            all.push(options);
        }
        all
    }

    fn find(at: String, value: &Value, places: &mut Vec<String>) {
        match value {
            Value::String(_) => places.push(at),
            Value::Array(list) => {
                (0..).zip(list).for_each(|(n, value): (u32, _)| find(format!("{at}/{n}"), value, places));
            }
            Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| find(format!("{at}/{name}"), value, places));
            }
            _ => {}
        }
    }

    #[test]
    fn every_text_in_the_options_of_every_game_has_a_bound() {
        let mut places = 0;
        for kind in Kind::ALL {
            for options in everywhere(kind, &"x".repeat(60_000)) {
                let why = refused(kind, options);
                assert_eq!(why.code, "option-too-long", "{kind} {}", why.says);
                assert!(why.says.len() < 200 && why.says.contains("at most 60"), "{}", why.says);
                places += 1;
            }
            for options in everywhere(kind, "six\u{202e}") {
                assert_eq!(refused(kind, options).code, "option-not-plain", "{kind}");
            }
            let unknown = json!({ "x".repeat(60_000): 1 });
            assert_eq!(refused(kind, unknown).code, "option-too-long", "{kind}");
        }
        assert!(places > 30, "{places}");
    }

    #[test]
    fn a_way_to_lay_the_pieces_is_one_that_the_pieces_have() {
        for setup in ["seven", ""] {
            let why = refused(Kind::Contact, json!({"setup": setup}));
            assert_eq!(why.code, "unknown-set-up");
            assert!(why.says.contains("six") && why.says.contains("twelve"), "{}", why.says);
        }
    }

    #[test]
    fn pieces_of_ones_own_with_names_of_sixty_letters_are_good() {
        let contact = engine(Kind::Contact);
        let (long, longer) = ("é".repeat(60), "é".repeat(61));
        let named = |name: &str| {
            let file = contact.house_pieces().replace("setups.six", &format!("setups.\"{name}\""));
            json!({"set": contact.pieces(&file).expect("sound"), "setup": name})
        };
        let setting = Setting::new(Kind::Contact, named(&long)).expect("a table");
        assert_eq!(variations(&setting)[0], format!("Set-up: {long}"));
        let why = refused(Kind::Contact, named(&longer));
        assert!(why.says.contains("61 characters"), "{}", why.says);
        for kind in [Kind::IQubes, Kind::Scribbage, Kind::Cubo, Kind::Roulette] {
            let mut options = Setting::new(kind, json!({})).expect("a game").options;
            options["set"]["name"] = Value::from(long.clone());
            assert_eq!(variations(&Setting::new(kind, options).expect("a table")).len(), 1, "{kind}");
        }
    }

    #[test]
    fn options_are_not_too_many_and_not_too_big() {
        let contact = engine(Kind::Contact);
        let mut set = contact.pieces(contact.house_pieces()).expect("sound");
        let six = set["setups"]["six"].clone();
        for number in 0..63 {
            set["setups"][format!("{number:060}")] = six.clone();
        }
        assert_eq!(refused(Kind::Contact, json!({"set": set})).code, "option-too-many");
        let setups = set["setups"].as_object_mut().expect("an object");
        setups.remove(&format!("{:060}", 0));
        assert_eq!(refused(Kind::Contact, json!({"set": set})).code, "options-too-big");
        set["rings"]["south"] = json!(vec![1; 60_000]);
        assert_eq!(refused(Kind::Contact, json!({"set": set})).code, "option-too-many");
    }

    #[test]
    fn what_a_table_had_before_there_were_bounds_is_kept_and_told_in_a_line() {
        let name = format!("\u{202e}{}", "x".repeat(50_000));
        let contact = engine(Kind::Contact);
        let file = contact.house_pieces().replace("setups.six", &format!("setups.\"{name}\""));
        let options = json!({"set": contact.pieces(&file).expect("sound"), "setup": name});
        let setting = Setting::kept(Kind::Contact, options).expect("it was a table");
        for says in variations(&setting) {
            assert!(is_plain(&says) && says.chars().count() < LONGEST + 20, "{says}");
        }
    }
}
