//! A client reads what a newer server says; a server refuses what nobody can mean.

use crate::http::{
    Best, Claim, Finished, FinishedPage, GameInfo, Leader, Me, NameMe, Phrase, Thinking, Token,
};
use crate::{Command, Message, Wish};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Debug;

/// What a game or its options hold is the game's own business, and so are the figures of a refusal.
const OPAQUE: [&str; 4] = ["public", "private", "options", "details"];

/// Adds a field to each object, or only to the one of this number; answers how many there are.
fn add_fields(value: &mut Value, only: Option<usize>, met: &mut usize) {
    match value {
        Value::Object(fields) => {
            for (_, inner) in
                fields.iter_mut().filter(|(name, inner)| !OPAQUE.contains(&&***name) || inner.is_array())
            {
                add_fields(inner, only, met);
            }
            if only.is_none_or(|only| only == *met) {
                fields.insert("surprise".to_owned(), json!({"from": ["a later version"]}));
            }
            *met += 1;
        }
        Value::Array(items) => items.iter_mut().for_each(|item| add_fields(item, only, met)),
        _ => {}
    }
}

/// With a field more in each of its objects it reads the same.
fn takes_more<T: Debug + PartialEq + Serialize + DeserializeOwned>(json: &Value) {
    let plain: T = serde_json::from_value(json.clone()).unwrap_or_else(|why| panic!("{why}: {json}"));
    let mut more = json.clone();
    add_fields(&mut more, None, &mut 0);
    assert_ne!(&more, json);
    let read: T = serde_json::from_value(more.clone()).unwrap_or_else(|why| panic!("{why}: {more}"));
    assert_eq!(read, plain, "{more}");
}

/// With a field more in any one of its objects it is refused.
fn refuses_more<T: Debug + DeserializeOwned>(json: &Value) {
    let _: T = serde_json::from_value(json.clone()).unwrap_or_else(|why| panic!("{why}: {json}"));
    let mut all = 0;
    add_fields(&mut json.clone(), Some(usize::MAX), &mut all);
    for only in 0..all {
        let mut more = json.clone();
        add_fields(&mut more, Some(only), &mut 0);
        let read: Result<T, _> = serde_json::from_value(more.clone());
        // What is only a name (`{"for":"me"}`) is read by its name alone.
        let named = more.to_string().contains(r#""for":"open","surprise""#);
        assert!(read.is_err() || named, "{more} is taken: {read:?}");
    }
}

fn room() -> Value {
    json!({
        "game": "cubo", "options": {"rounds": 6}, "variations": ["Six rounds"], "seating": [1, 6], "seats": [
            {"is": "open"},
            {"is": "guest", "person": "p1", "name": "Ann", "ready": true, "seed": "ab", "bot": 2},
            {"is": "bot", "level": 3, "name": "Robo"},
        ],
        "host": "p1", "phase": "playing", "public": true, "rated": false, "grace": 60, "commit": "c0", "made": 17,
        "outcome": {"ranks": [1, 2], "scores": [9, 3]}, "seed": "5e", "rematch": "t2",
    })
}

fn event(why: &Value) -> Value {
    json!({
        "msg": "event", "table": "t1", "seq": 4, "from": 3, "why": why, "phase": "playing", "time": 900, "now": 17, "deadline": 1000,
        "awaits": [0, 1], "seats": [{"seat": 1, "place": {"is": "bot", "level": 3, "name": "Robo"}}], "room": room(),
        "public": {"round": 1, "moves": ["g2-g3"]}, "known": {"list": "moves", "first": 3},
    })
}

#[test]
fn every_message_of_a_newer_server_can_be_read() {
    let listed = json!({
        "table": "t1", "game": "cubo", "variations": ["Six rounds"], "host": "Ann", "seats": ["Ann", ""], "open": 1, "watching": 2,
        "phase": "gathering", "rated": true, "made": 17,
    });
    let messages = json!([
        {"msg": "welcome", "protocol": 2, "you": {"id": "p1", "name": "Ann"}, "now": 17},
        {"msg": "pong", "at": 3, "now": 17},
        {"msg": "done", "id": 5, "table": "t1", "seq": 4},
        {"msg": "refused", "id": 5, "code": "not-now", "says": "Not now.", "details": {"at": 3}},
        {
            "msg": "view", "table": "t1", "seq": 4, "time": 900, "now": 17, "deadline": 1000, "awaits": [0], "room": room(),
            "public": {"round": 1}, "private": [{"seat": 0, "private": {"grid": []}}], "watching": 3, "away": [{"seat": 1, "until": 99}],
        },
        {"msg": "private", "table": "t1", "seq": 4, "seat": 0, "private": {"grid": []}},
        {"msg": "crowd", "table": "t1", "seq": 4, "watching": 3, "away": [{"seat": 1, "until": 99}]},
        {"msg": "reaction", "table": "t1", "seq": 4, "person": "p1", "name": "Ann", "reaction": "clap"},
        {"msg": "lobby", "tables": [listed]},
        {"msg": "lobby-change", "changed": [listed], "gone": ["t2"]},
        {"msg": "bye", "code": "stopping", "says": "Come back in a moment."},
    ]);
    messages.as_array().unwrap().iter().for_each(takes_more::<Message>);
    let whys = json!([
        {"what": "joined", "seat": 1}, {"what": "left", "seat": 1}, {"what": "kicked", "seat": 1}, {"what": "placed", "seat": 1},
        {"what": "ready", "person": "p1", "ready": true}, {"what": "started"}, {"what": "acted", "seat": 1}, {"what": "time-up"},
        {"what": "bot-sat", "seat": 1}, {"what": "took-back", "seat": 1},
        {"what": "over", "outcome": {"ranks": [1, 1], "scores": [3, 3]}, "seed": "5e"},
        {"what": "rematch", "table": "t2"}, {"what": "closed"},
    ]);
    whys.as_array().unwrap().iter().map(event).for_each(|event| takes_more::<Message>(&event));
}

#[test]
fn every_answer_of_a_newer_server_can_be_read() {
    let (rated, person) = (
        json!({"game": "cubo", "rating": 1500.0, "deviation": 80.0, "games": 4}),
        json!({"id": "p1", "name": "Ann"}),
    );
    let best = json!({"game": "cubo", "options": {"rounds": 6}, "variations": ["Six rounds"], "score": 31, "table": "t1", "ended": 17});
    takes_more::<Best>(&best);
    let table = json!({"table": "t1", "game": "cubo", "made": 17});
    takes_more::<Me>(&json!({"you": person, "ratings": [rated], "bests": [best], "tables": [table]}));
    takes_more::<Leader>(
        &json!({"place": 1, "person": person, "rating": 1500.0, "deviation": 80.0, "games": 4}),
    );
    takes_more::<Phrase>(&json!({"words": "four plain short words"}));
    takes_more::<Token>(&json!({"token": "t"}));
    takes_more::<GameInfo>(
        &json!({"game": "cubo", "title": "Cubo", "options": {}, "seating": [1, 6], "levels": 5}),
    );
    let played = json!({"person": "p1", "name": "Ann", "rank": 1, "score": 31, "rating": 1512.5});
    let finished = json!({"table": "t1", "game": "cubo", "ended": 17, "rated": true, "players": [played]});
    takes_more::<Finished>(&finished);
    takes_more::<FinishedPage>(&json!({"games": [finished], "before": 17}));
    takes_more::<table::Spoken>(&json!({"code": "not-now", "says": "Not now.", "details": {"at": 3}}));
    // One of several kinds is told by its only key: the more is inside.
    let refused = json!({"refused": {"code": "not-now", "says": "Not now.", "when": "later"}});
    assert!(matches!(serde_json::from_value(refused), Ok(Thinking::Refused(_))));
}

#[test]
fn a_command_with_a_field_that_there_is_not_is_refused() {
    let seats = json!([{"for": "here", "name": "Ben"}, {"for": "bot", "level": 3}, {"for": "open"}]);
    let commands = json!([
        {"cmd": "hello", "protocol": 2, "client": "c"},
        {"cmd": "ping", "at": 3},
        {"cmd": "lobby", "id": 1, "on": true},
        {"cmd": "create", "id": 1, "game": "cubo", "options": {"rounds": 6}, "seats": seats, "public": true, "rated": false, "grace": 60, "seed": "ab"},
        {"cmd": "watch", "id": 1, "table": "t1", "seq": 4},
        {"cmd": "unwatch", "id": 1, "table": "t1"},
        {"cmd": "join", "id": 1, "table": "t1", "seat": 0, "name": "Ann", "seed": "ab"},
        {"cmd": "leave", "id": 1, "table": "t1", "seat": 0},
        {"cmd": "kick", "id": 1, "table": "t1", "seat": 0},
        {"cmd": "place", "id": 1, "table": "t1", "seat": 0, "wish": {"for": "bot", "level": 3}},
        {"cmd": "ready", "id": 1, "table": "t1", "ready": true, "seed": "ab"},
        {"cmd": "start", "id": 1, "table": "t1", "anyway": true},
        {"cmd": "act", "id": 1, "table": "t1", "seat": 0, "act": "any"},
        {"cmd": "react", "id": 1, "table": "t1", "reaction": "clap"},
        {"cmd": "rematch", "id": 1, "table": "t1", "seed": "ab"},
        {"cmd": "close", "id": 1, "table": "t1"},
    ]);
    commands.as_array().unwrap().iter().for_each(refuses_more::<Command>);
    refuses_more::<Wish>(&json!({"for": "here", "name": "Ben"}));
    refuses_more::<NameMe>(&json!({"name": "Ann"}));
    refuses_more::<Claim>(&json!({"words": "four plain short words"}));
}
