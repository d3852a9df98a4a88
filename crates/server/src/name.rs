//! Names as people type them, made fit to stand in a room with others.

use table::{Seats, Spoken};

use crate::say;

/// Characters that turn the writing round, join, hide or cannot be seen: a name with them is not what it seems.
const fn deceives(letter: char) -> bool {
    matches!(letter,
        '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Marks that stack on the letter before them.
const fn stacks(letter: char) -> bool {
    matches!(letter, '\u{0300}'..='\u{036f}' | '\u{0483}'..='\u{0489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// A name without control, bidi and invisible characters, with single spaces, and at most two marks on a letter.
///
/// ```
/// assert_eq!(server::clean_name("  Ann\u{202e}  \n Lee ").unwrap(), "Ann Lee");
/// assert!(server::clean_name(" \u{200b} ").is_err());
/// ```
pub fn clean_name(typed: &str) -> Result<String, Spoken> {
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
    let name = name.trim_end();
    match name.chars().count() {
        0 => Err(say("bad-name", "Choose a name with at least one letter.")),
        length if length > Seats::LONGEST_NAME => {
            Err(say("bad-name", format!("Choose a name of at most {} characters.", Seats::LONGEST_NAME)))
        }
        _ => Ok(name.to_owned()),
    }
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
