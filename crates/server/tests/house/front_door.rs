//! What strangers may see, cost and write: metrics, signs of health, limits behind a proxy, and the options of a table.

use crate::common::{Answer, House, Http, Wire};
use crate::store::{new_table, row};
use serde_json::{Value, json};
use server::Config;
use server::store::sqlite::Sqlite;
use server::store::{Kind, NewTable, Store};
use std::time::Instant;

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_shown_on_their_own_address_and_to_nobody_who_comes_to_play() {
    for trust_proxy in [false, true] {
        let house = House::with(|config| config.trust_proxy = trust_proxy).await;
        // All of them look like this machine to the server, as everybody does behind a proxy on it.
        for from in [None, Some("127.0.0.1"), Some("::1"), Some("localhost")] {
            let get = Http::get("/metrics");
            let get = if let Some(from) = from { get.header("x-forwarded-for", from) } else { get };
            let answer = get.send(house.address).await;
            assert_eq!(answer.status, 404, "{from:?}");
            assert!(answer.value()["says"].as_str().unwrap().contains("--metrics-listen"), "{}", answer.body);
        }
        let own = house.nodes[0].metrics.unwrap();
        assert_ne!(own, house.nodes[0].address);
        assert!(Http::get("/metrics").send(own).await.body.contains("\nparlor_sockets "));
        for elsewhere in ["/", "/api/games", "/ws"] {
            assert_eq!(Http::get(elsewhere).send(own).await.status, 404, "only metrics are there");
        }
        house.close().await;
    }
    let house = House::with(|config| config.metrics = None).await;
    assert_eq!(Http::get("/metrics").send(house.address).await.status, 404);
    house.close().await;
}

/// Asks one node from behind the proxy, whose lines these are.
async fn forwarded(house: &House, path: &str, lines: &[&str]) -> Answer {
    let get = Http::get(path);
    let get = lines.iter().fold(get, |get, line| get.header("x-forwarded-for", line));
    get.send(house.nodes[0].address).await
}

fn few_requests(config: &mut Config) {
    config.trust_proxy = true;
    config.limits.requests = 3;
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_nobody_gets_past_a_limit_by_what_he_writes_himself() {
    let house = House::with(few_requests).await;
    let statuses = async |lines: fn(u32) -> Vec<String>| {
        let mut statuses = Vec::new();
        for number in 0..4 {
            let lines = lines(number);
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            statuses.push(forwarded(&house, "/api/me", &lines).await.status);
        }
        statuses
    };
    let limited = [200, 200, 200, 429];
    // A line of one's own before the proxy's; an entry of one's own before the proxy's.
    assert_eq!(statuses(|n| vec![format!("203.0.113.{n}"), "198.51.100.1".to_owned()]).await, limited);
    assert_eq!(statuses(|n| vec![format!("203.0.113.{n}, 198.51.100.2")]).await, limited);
    // A proxy that tells the port, too: each of its clients has limits of their own.
    assert_eq!(statuses(|n| vec![format!("198.51.100.3:{}", 4000 + n)]).await, limited);
    assert_eq!(statuses(|n| vec![format!("[2001:db8::4]:{}", 4000 + n)]).await, limited);
    assert_eq!(statuses(|n| vec![format!("198.51.100.{}:80", 50 + n)]).await, [200; 4]);
    // What is no address is nobody's, and all of it together.
    assert_eq!(statuses(|n| vec![format!("nonsense{n}")]).await, limited);
    assert_eq!(statuses(|_| Vec::new()).await, limited, "the proxy itself still has its own");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn health_is_told_however_often_somebody_asks() {
    let house = House::with(few_requests).await;
    for _ in 0..10 {
        assert_eq!(Http::get("/healthz").send(house.address).await.status, 200);
        assert_eq!(Http::get("/readyz").send(house.address).await.status, 200);
    }
    let limited = async || forwarded(&house, "/api/me", &[]).await.status;
    assert_eq!([limited().await, limited().await, limited().await, limited().await], [200, 200, 200, 429]);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn however_many_ask_whether_it_is_ready_the_house_writes_one_sign_of_life() {
    let house = House::open().await;
    if house.nodes.len() > 1 {
        return drop(house.close().await); // nodes give signs of life by themselves
    }
    let (before, began) = (house.metric("parlor_store_commits_total").await, Instant::now());
    for _ in 0..200 {
        assert_eq!(Http::get("/readyz").send(house.address).await.body, "ready\n");
    }
    let written = house.metric("parlor_store_commits_total").await - before;
    let most = began.elapsed().as_secs_f64() / 2.0 + 1.0;
    assert!(written <= most, "{written} writes for 200 questions in {:?}", began.elapsed());
    house.close().await;
}

/// Asks for a public table of Contact with these options.
async fn contact(wire: &mut Wire, options: Value) -> Value {
    let seats = json!([{"for": "me"}]);
    wire.ask(json!({"cmd": "create", "game": "contact", "public": true, "options": options, "seats": seats}))
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_has_options_that_others_can_read() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    let mut wire = house.socket(&ann).await;
    for (setup, code) in [
        ("x".repeat(60_000), "option-too-long"),
        ("six\u{202e}".to_owned(), "option-not-plain"),
        ("six\u{0}".to_owned(), "option-not-plain"),
        ("seven".to_owned(), "unknown-set-up"),
    ] {
        let refused = contact(&mut wire, json!({"setup": setup})).await;
        assert_eq!((&refused["msg"], &refused["code"]), (&json!("refused"), &json!(code)), "{refused}");
        assert!(refused.to_string().len() < 1_000, "{}", refused.to_string().len());
    }
    // A set of one's own is played with, and told in the lobby by a line, not by all it holds.
    let contact_house = house::engine(house::Kind::Contact);
    let file = contact_house.house_pieces().replace("setups.six", "setups.\"Zoë's six\"");
    let set = contact_house.pieces(&file).unwrap();
    let done = contact(&mut wire, json!({"set": set, "setup": "Zoë's six"})).await;
    assert_eq!(done["msg"], "done", "{done}");
    let listed = listed(&house, done["table"].as_str().unwrap()).await;
    assert_eq!(listed["variations"], json!(["Set-up: Zoë's six", "Pieces of the host's own"]));
    house.close().await;
}

/// How a table stands in the lobby.
async fn listed(house: &House, table: &str) -> Value {
    let mut wire = Wire::look_in(house.address).await;
    wire.send(&json!({"cmd": "lobby", "id": 1, "on": true})).await;
    loop {
        let heard = wire.hear().await;
        let tables = heard["tables"].as_array().or(heard["changed"].as_array());
        let found = tables.into_iter().flatten().find(|listed| listed["table"] == table);
        if let Some(found) = found {
            return found.clone();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_from_before_there_were_bounds_wakes_up_and_does_not_fill_the_lobby() {
    let folder = tempfile::tempdir().unwrap();
    let id = "0123456789abcdefghjkmnpqrs".to_owned();
    let setup = format!("\u{202e}{}", "x".repeat(50_000));
    let host = json!({"id": "ann", "name": "Ann"});
    let made =
        json!({"game": "contact", "options": {"setup": setup}, "public": true, "rated": false, "host": host});
    let text = json!({"made": made, "seats": [{"is": "open"}, {"is": "open"}]}).to_string();
    let store = Sqlite::open(folder.path(), 1).unwrap();
    let first = row(Kind::Life, &text, 1);
    store
        .make(NewTable { game: "contact".to_owned(), first, sitting: Vec::new(), ..new_table(&id, "1") })
        .await
        .unwrap();
    store.close().await.unwrap();
    drop(store);
    let change = |config: &mut Config| (config.database, config.nats) = (None, None);
    let house = House::at(folder.path(), change).await;
    let ben = house.guest("Ben").await;
    let mut wire = house.socket(&ben).await;
    wire.view(&id).await;
    let listed = listed(&house, &id).await.to_string();
    assert!(listed.len() < 1_000 && !listed.contains('\u{202e}'), "{} bytes", listed.len());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_and_tables_are_counted_by_kinds_that_nobody_outside_can_add_to() {
    let house = House::with(|config| config.node_name = "kitchen".to_owned()).await;
    let pair = house.pair(json!({"window": 600})).await;
    for path in ["/table/secret-invitation", "/nothing/here", "/api/people/nobody", "/api/nothing", "/x.txt"]
    {
        Http::get(path).send(house.address).await;
    }
    let mut all = String::new();
    for node in &house.nodes {
        all += &Http::get("/metrics").send(node.metrics.unwrap()).await.body;
    }
    for line in [
        "parlor_tables_awake{game=\"roulette\",state=\"playing\"} 1",
        "parlor_requests_total{route=\"/table/{table}\",status=\"200\"} 1",
        "parlor_requests_total{route=\"/{elsewhere}\",status=\"200\"} 1",
        "parlor_requests_total{route=\"/{file}\",status=\"404\"} 1",
        "parlor_requests_total{route=\"/api/people/{person}\",status=\"404\"} 1",
        "parlor_requests_total{route=\"/api/{*rest}\",status=\"404\"} 1",
    ] {
        assert!(all.lines().any(|shown| shown == line), "{line}: {all}");
    }
    for part in ["node=\"kitchen\"} 1\n", "parlor_build_info{version=\"", "\nparlor_table_queue 0\n"] {
        assert!(all.contains(part), "{part}: {all}");
    }
    let began = all.lines().find_map(|line| line.strip_prefix("process_start_time_seconds ")).unwrap();
    assert!(began.parse::<f64>().unwrap() > 1.7e9, "{began}");
    assert!(!all.contains("secret-invitation") && !all.contains(&pair.table));
    assert!(house.metric("parlor_request_seconds_count").await >= 5.0);
    house.close().await;
}
