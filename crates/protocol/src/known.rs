//! A list in a public view that only grows, say the moves of a game: an event leaves out what was told of it before.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// What a public view leaves out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// The name of the list in the view.
    pub list: String,
    /// How many of its first entries are left out.
    pub first: usize,
}

impl Known {
    /// The view `next`, as JSON, with what it leaves out put back from the view `before`, which itself left out so many. Nothing if
    /// it is not all there.
    pub fn put_back(&self, before: &str, left_out: usize, next: &str) -> Option<String> {
        let told = entries(field(before, &self.list)?)?;
        let told = told.get(..self.first.checked_sub(left_out)?)?;
        let new = field(next, &self.list)?;
        let at = new.as_ptr().addr() - next.as_ptr().addr();
        let (head, tail) = (next.get(..at)?, next.get(at + new.len()..)?);
        let whole: Vec<&str> = told.iter().copied().chain(entries(new)?).collect();
        Some(format!("{head}[{}]{tail}", whole.join(",")))
    }
}

/// The text of one field, where it stands in the text of all.
fn field<'a>(view: &'a str, name: &str) -> Option<&'a str> {
    let mut fields: BTreeMap<String, &'a RawValue> = serde_json::from_str(view).ok()?;
    fields.remove(name).map(RawValue::get)
}

fn entries(list: &str) -> Option<Vec<&str>> {
    let entries: Vec<&RawValue> = serde_json::from_str(list).ok()?;
    Some(entries.into_iter().map(RawValue::get).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A view after so many moves, told to somebody who knows so many.
    fn view(moves: usize, known: usize) -> String {
        let move_at = |at: usize| if at.is_multiple_of(3) { json!({"to": [at, "],"]}) } else { json!(at) };
        let list: Vec<Value> = (known..moves).map(move_at).collect();
        json!({"a": {"moves": [9]}, "moves": list, "turn": format!("\"{moves}")}).to_string()
    }

    fn known(first: usize) -> Known {
        Known { list: "moves".to_owned(), first }
    }

    #[test]
    fn a_view_is_whole_again_whatever_was_left_out_of_it() {
        for moves in 0..12 {
            for before in 0..12 {
                for first in 0..=moves {
                    for left_out in 0..=before {
                        let whole =
                            known(first).put_back(&view(before, left_out), left_out, &view(moves, first));
                        let there = (left_out..=before).contains(&first);
                        // What the view before left out is still left out; a view before that was whole makes a whole one.
                        assert_eq!(
                            whole,
                            there.then(|| view(moves, left_out)),
                            "{before} {left_out} {moves} {first}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_view_or_has_no_such_list_is_not_put_back() {
        let good = view(4, 0);
        for bad in ["", "{", "[]", "{}", r#"{"moves":7}"#, r#"{"moves":{"a":1}}"#, "null"] {
            assert_eq!(known(2).put_back(bad, 0, &good), None, "{bad}");
            assert_eq!(known(2).put_back(&good, 0, bad), None, "{bad}");
        }
        assert_eq!(known(usize::MAX).put_back(&good, 0, &good), None);
        assert_eq!(known(0).put_back(&good, 1, &good), None);
    }
}
