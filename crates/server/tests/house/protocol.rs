//! The examples of docs/protocol.md, said to a real server line by line.

use crate::common::{Guest, House, Wire};
use serde_json::Value;
use std::collections::HashMap;

/// Whether what was heard is what the page says: `"…"` stands for anything, an object with a `"…"` field may have more of them, and
/// `"$NAME"` is the same wherever it stands.
fn fits(told: &Value, heard: &Value, names: &mut HashMap<String, Value>) -> bool {
    match (told, heard) {
        (Value::String(any), _) if any == "…" => true,
        (Value::String(name), _) if name.starts_with('$') => {
            names.entry(name.clone()).or_insert_with(|| heard.clone()) == heard
        }
        (Value::Object(told), Value::Object(heard)) => {
            let open = told.contains_key("…");
            let known = |key: &String| told.contains_key(key);
            let fields = told.iter().filter(|(key, _)| *key != "…");
            (open || heard.keys().all(known))
                && fields
                    .into_iter()
                    .all(|(key, told)| heard.get(key).is_some_and(|heard| fits(told, heard, names)))
        }
        (Value::Array(told), Value::Array(heard)) => {
            told.len() == heard.len() && told.iter().zip(heard).all(|(told, heard)| fits(told, heard, names))
        }
        _ => told == heard,
    }
}

fn filled(text: &str, names: &HashMap<String, Value>) -> String {
    names.iter().fold(text.to_owned(), |text, (name, value)| {
        let value = value.as_str().unwrap_or_default();
        text.replace(&format!("\"{name}\""), &format!("\"{value}\""))
    })
}

/// The lines of the examples, each with its line number.
fn examples(page: &str) -> Vec<(usize, &str)> {
    let mut inside = false;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(page.lines()) {
        if line.starts_with("```") {
            inside = line == "```parlor";
        } else if inside {
            lines.push((number, line));
        }
    }
    lines
}

#[tokio::test(flavor = "multi_thread")]
async fn every_example_of_the_protocol_page_is_true() {
    let page = include_str!("../../../../docs/protocol.md");
    let house = House::open().await;
    let mut people: HashMap<String, (Guest, Wire)> = HashMap::new();
    let mut names = HashMap::new();
    let mut said = 0;
    for (number, line) in examples(page) {
        let (who, rest) = line.split_at(3);
        if rest.starts_with('!') || !people.contains_key(who) {
            let mut name = who.to_owned();
            name[..1].make_ascii_uppercase();
            let guest = match people.remove(who) {
                Some((guest, _)) => guest,
                None => house.guest(&name).await,
            };
            let socket = if rest == "! looks in" {
                crate::common::upgrade_at(house.address, "/ws/look", &[]).await.unwrap()
            } else {
                crate::common::upgrade(house.address, &[("cookie", &guest.cookie)]).await.unwrap()
            };
            people.insert(who.to_owned(), (guest, Wire { socket, id: 0, client: String::new() }));
        }
        let (_, wire) = people.get_mut(who).unwrap();
        if let Some(command) = rest.strip_prefix("> ") {
            wire.text(&filled(command, &names)).await;
            said += 1;
        } else if let Some(told) = rest.strip_prefix("< ") {
            let told: Value =
                serde_json::from_str(told).unwrap_or_else(|fault| panic!("line {number}: {fault}"));
            let heard = loop {
                let heard = wire.hear().await;
                // Who is there is told now and then, in between.
                if heard["msg"] != "crowd" || told["msg"] == "crowd" {
                    break heard;
                }
            };
            assert!(
                fits(&told, &heard, &mut names),
                "line {number} of docs/protocol.md says\n  {told}\nand the server\n  {heard}"
            );
        }
    }
    assert!(said >= 15, "the examples were not found");
    house.close().await;
}
