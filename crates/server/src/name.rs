//! Names as people type them, made fit to stand in a room with others.

use crate::say;
use house::{deceives, stacks};
use table::{Seats, Spoken};

/// A name without control, bidi and invisible characters, with single spaces, and at most two marks on a letter.
///
/// ```
/// assert_eq!(server::clean_name("  Ann\u{202e}  \n Lee ").unwrap(), "Ann Lee");
/// assert!(server::clean_name(" \u{200b} ").is_err());
/// ```
pub fn clean_name(typed: &str) -> Result<String, Spoken> {
    let name = cleaned(typed);
    match name.chars().count() {
        0 => Err(say("bad-name", "Choose a name with at least one letter.")),
        length if length > Seats::LONGEST_NAME => {
            Err(say("bad-name", format!("Choose a name of at most {} characters.", Seats::LONGEST_NAME)))
        }
        _ => Ok(name),
    }
}

/// The longest sentence of an administrator.
const LONGEST_SENTENCE: usize = 200;

/// An administrator's words for players, made as fit to be shown as a name is.
pub fn clean_sentence(typed: &str) -> Result<String, Spoken> {
    let says = cleaned(typed);
    match says.chars().count() {
        0 => Err(say("bad-sentence", "Say why in a sentence: the players will read it.")),
        length if length > LONGEST_SENTENCE => {
            Err(say("bad-sentence", format!("Say it in at most {LONGEST_SENTENCE} characters.")))
        }
        _ => Ok(says),
    }
}

fn cleaned(typed: &str) -> String {
    let mut name = String::new();
    let mut stacked = 0;
    for letter in typed.chars() {
        if letter.is_whitespace() || letter.is_control() {
            if !name.is_empty() && !name.ends_with(' ') {
                name.push(' ');
            }
        } else if !deceives(letter) {
            stacked = if stacks(letter) { stacked + 1 } else { 0 };
            if stacked <= 2 {
                name.push(letter);
            }
        }
    }
    name.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_cleaned_of_what_could_mislead() {
        let clean = |typed: &str| clean_name(typed).ok();
        assert_eq!(clean("Zoë"), Some("Zoë".into()));
        assert_eq!(clean("\u{202e}nnA\u{2066}"), Some("nnA".into()));
        assert_eq!(clean("A\u{0}\u{1b}[31mnn"), Some("A [31mnn".into()));
        assert_eq!(clean(&format!("a{}", "\u{301}".repeat(30))), Some("a\u{301}\u{301}".into()));
        assert_eq!(clean("\u{200b}\u{3164}"), None);
        assert_eq!(clean(&"x".repeat(41)), None);
        assert_eq!(clean("<b>Ann</b>"), Some("<b>Ann</b>".into()), "escaping is for who writes HTML");
    }
}
