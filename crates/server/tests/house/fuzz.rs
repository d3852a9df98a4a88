//! A stranger who says everything that can be said wrongly. Nothing may fall over, leak or change.
//!
//! A few seconds in the tests; `PARLOR_FUZZ_SECONDS=60` for longer.

use crate::common::{House, Wire, upgrade};
use futures_util::SinkExt;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use table::Luck;
use tokio_tungstenite::tungstenite::Message;

/// Commands of every kind, right in form, about a table where the stranger has no seat.
fn seeds(table: &str) -> Vec<Value> {
    vec![
        json!({"cmd": "act", "id": 1, "table": table, "seat": 0, "act": {"do": "lay", "bets": ["black=1"]}}),
        json!({"cmd": "act", "id": 2, "table": table, "act": {"do": "ready"}}),
        json!({"cmd": "start", "id": 3, "table": table, "anyway": true}),
        json!({"cmd": "kick", "id": 4, "table": table, "seat": 1}),
        json!({"cmd": "place", "id": 5, "table": table, "seat": 1, "wish": {"for": "bot", "level": 3}}),
        json!({"cmd": "place", "id": 18, "table": table, "seat": 1, "wish": {"for": "nobody"}}),
        json!({"cmd": "ready", "id": 6, "table": table, "ready": true, "seed": "x"}),
        json!({"cmd": "leave", "id": 7, "table": table}),
        json!({"cmd": "leave", "id": 8, "table": table, "seat": 0}),
        json!({"cmd": "rematch", "id": 9, "table": table}),
        json!({"cmd": "close", "id": 10, "table": table}),
        json!({"cmd": "join", "id": 11, "table": table, "seat": 0, "name": "Eve", "seed": "y"}),
        json!({"cmd": "watch", "id": 12, "table": table, "seq": 1}),
        json!({"cmd": "unwatch", "id": 13, "table": table}),
        json!({"cmd": "react", "id": 14, "table": table, "reaction": "wow"}),
        json!({"cmd": "lobby", "id": 15, "on": true}),
        json!({"cmd": "hello", "protocol": 2, "client": "again"}),
        json!({"cmd": "ping", "at": 1}),
        json!({"cmd": "create", "id": 16, "game": "cubo", "options": {"set": 1}, "seats": [{"for": "me"}]}),
        json!({"cmd": "create", "id": 17, "game": "chess", "seats": []}),
        json!([1, 2, 3]),
    ]
}

/// Odd values for any place in a message.
fn odd(luck: &mut Luck) -> Value {
    let odds = [
        json!(null),
        json!(-1),
        json!(u64::MAX),
        json!(1e308),
        json!("\u{202e}\u{0}\u{ffff}"),
        json!("x".repeat(5_000)),
        json!([[[[[[]]]]]]),
        json!({"do": {"do": {"do": []}}}),
        json!(true),
        json!("00000000000000000000000000"),
        json!(4_294_967_295_u32),
        json!({"for": "me", "is": "open"}),
    ];
    luck.pick(&odds).cloned().unwrap_or_default()
}

fn mutate(value: &mut Value, luck: &mut Luck) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let keys: Vec<String> =
                fields.keys().filter(|key| *key != "table" || luck.chance(1, 4)).cloned().collect();
            let Some(key) = luck.pick(&keys).cloned() else { return };
            match luck.below(5) {
                0 => drop(fields.remove(&key)),
                1 => drop(fields.insert(format!("{key}x"), odd(luck))),
                2 => mutate(fields.entry(key).or_insert(Value::Null), luck),
                _ => drop(fields.insert(key, odd(luck))),
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let at = luck.below(items.len() as u64) as usize;
            mutate(&mut items[at], luck);
        }
        other => *other = odd(luck),
    }
}

fn nonsense(seeds: &[Value], luck: &mut Luck) -> Message {
    let mut value = luck.pick(seeds).cloned().unwrap_or_default();
    for _ in 0..luck.below(3) {
        mutate(&mut value, luck);
    }
    let mut text = value.to_string();
    match luck.below(12) {
        0 => {
            let cut = text.char_indices().map(|(at, _)| at).nth(luck.below(40) as usize).unwrap_or(0);
            text.truncate(cut);
        }
        1 => text = "[".repeat(20_000),
        2 => text = "x".repeat(luck.below(200_000) as usize),
        3 => return Message::binary((0..luck.below(100)).map(|byte| byte as u8).collect::<Vec<_>>()),
        4 => return Message::Ping(vec![1, 2, 3].into()),
        _ => {}
    }
    Message::text(text)
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_stranger_says_nothing_falls_over_leaks_or_changes() {
    let seconds = std::env::var("PARLOR_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(4);
    let number = std::env::var("PARLOR_FUZZ_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1963);
    let house = House::open().await;
    let mut pair = house.pair(json!({"throws": 100, "window": 3600})).await;
    // Acts of Ann's, to be said again later by herself and by the stranger.
    let old: Vec<Value> = (0..80)
        .map(|at| {
            let act =
                if at % 2 == 0 { json!({"do": "lay", "bets": ["black=1"]}) } else { json!({"do": "clear"}) };
            json!({"cmd": "act", "id": 5_000 + at, "table": pair.table, "act": act})
        })
        .collect();
    for act in &old {
        pair.a.send(act).await;
        pair.a.answer(act["id"].as_u64().unwrap()).await;
    }
    let before = pair.b.view(&pair.table).await;
    let eve = house.guest("Eve").await;
    let mut luck = Luck::new(number);
    let mut seeds = seeds(&pair.table);
    seeds.extend(old.iter().cloned());
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut said = 0_u64;
    // However slow the machine is: a test that said little has shown little.
    while Instant::now() < until || said < 200 {
        let mut socket =
            upgrade(house.address, &[("cookie", &eve.cookie)]).await.expect("the server still answers");
        if luck.chance(9, 10) {
            let hello = json!({"cmd": "hello", "protocol": 2, "client": pair.a.client});
            drop(socket.send(Message::text(hello.to_string())).await);
        }
        let mut wire = Wire { socket, id: 0, client: String::new() };
        for _ in 0..luck.below(200) {
            if wire.socket.send(nonsense(&seeds, &mut luck)).await.is_err() {
                break;
            }
            said += 1;
            // Hear now and then, so that the kernel's buffers do not fill: a slow reader is another test.
            while let Ok(Some(Ok(_))) =
                tokio::time::timeout(Duration::ZERO, futures_util::StreamExt::next(&mut wire.socket)).await
            {
            }
        }
        // Ann's own page says its old commands again, in any order.
        for _ in 0..20 {
            if let Some(act) = luck.pick(&old) {
                pair.a.send(act).await;
                let answer = pair.a.answer(act["id"].as_u64().unwrap()).await;
                assert!(
                    answer["msg"] == "done" || answer["code"] == "old-command",
                    "seed {number}: {answer}"
                );
            }
        }
    }
    let after = pair.b.view(&pair.table).await;
    assert_eq!(
        (&before["seq"], &before["public"], &before["private"], &before["room"]),
        (&after["seq"], &after["public"], &after["private"], &after["room"]),
        "seed {number}: something changed"
    );
    // Nothing is left of the stranger.
    let waited = Instant::now();
    while house.metric("parlor_sockets").await > 2.0 {
        assert!(waited.elapsed() < crate::common::PATIENCE, "sockets are left open");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    house.close().await;
}
