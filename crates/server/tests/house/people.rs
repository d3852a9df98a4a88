//! People: cookies, passphrases, tokens, ratings; and who is not let in.

use crate::common::{Guest, House, Http, upgrade, upgrade_at};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

#[tokio::test(flavor = "multi_thread")]
async fn a_cookie_that_was_tampered_with_is_nobodys() {
    let house = House::open().await;
    let (ann, ben) = (house.guest("Ann").await, house.guest("Ben").await);
    let forged = ann.cookie.replace(&ann.id, &ben.id);
    let cut = &ann.cookie[..ann.cookie.len() - 2];
    for cookie in [forged.as_str(), cut, "parlor=", "parlor=x.y", "other=1"] {
        assert_eq!(upgrade(house.address, &[("cookie", cookie)]).await.err(), Some(401), "{cookie}");
        let me = Http::get("/api/me").header("cookie", cookie).send(house.address).await.value();
        assert_eq!(me["you"], json!(null), "{cookie}");
    }
    assert!(upgrade(house.address, &[("cookie", &ann.cookie)]).await.is_ok());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sockets_and_changes_are_only_for_our_own_page() {
    let house = House::with(|config| config.origins = vec!["https://games.example".into()]).await;
    let ann = house.guest("Ann").await;
    let own = format!("http://{}", house.address);
    for (origin, status) in [
        ("https://evil.example", Some(403)),
        ("null", Some(403)),
        (&own, None),
        ("https://games.example", None),
    ] {
        let socket = upgrade(house.address, &[("cookie", &ann.cookie), ("origin", origin)]).await;
        assert_eq!(socket.err(), status, "{origin}");
        let named = Http::post("/api/me")
            .by(&ann)
            .header("origin", origin)
            .json(&json!({"name": "Eve"}))
            .send(house.address)
            .await;
        assert_eq!(named.status, status.unwrap_or(200), "{origin}");
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn four_words_bring_an_identity_to_another_device() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    let words = Http::post("/api/me/phrase").by(&ann).send(house.address).await.value()["words"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(words.split(' ').count(), 4);
    let claim = |words: &str| Http::post("/api/me/claim").json(&json!({"words": words})).send(house.address);
    let answer = claim(&words.to_uppercase()).await;
    assert_eq!(answer.value()["id"], ann.id);
    let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let me = Http::get("/api/me").header("cookie", &cookie).send(house.address).await.value();
    assert_eq!(me["you"]["name"], "Ann");
    assert_eq!(claim("able about acid action").await.status, 404);
    assert_eq!(claim("one").await.status, 422);
    // A new phrase makes the old one void.
    Http::post("/api/me/phrase").by(&ann).send(house.address).await;
    assert_eq!(claim(&words).await.status, 404);
    assert_eq!(Http::post("/api/me/phrase").send(house.address).await.status, 401);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_signs_out_is_forgotten_by_the_browser_and_not_by_the_house() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    let sign_out =
        |origin: &str| Http::delete("/api/me").by(&ann).header("origin", origin).send(house.address);
    assert_eq!(sign_out("https://evil.example").await.status, 403);
    let out = sign_out(&format!("http://{}", house.address)).await;
    let cookie = out.header("set-cookie").unwrap();
    let (name, _) = ann.cookie.split_once('=').unwrap();
    assert!(cookie.starts_with(&format!("{name}=; Path=/; Max-Age=0;")), "{cookie}");
    assert_eq!((out.status, out.body.as_str()), (204, ""));
    // What the browser sends now is nobody's; the words would still bring her back.
    let left = cookie.split(';').next().unwrap();
    let me = |cookie: &str| Http::get("/api/me").header("cookie", cookie).send(house.address);
    assert_eq!(me(left).await.value()["you"], json!(null));
    assert_eq!(me(&ann.cookie).await.value()["you"]["name"], "Ann");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cookie_is_http_only_and_secure_behind_a_proxy_that_says_so() {
    let house = House::with(|config| config.trust_proxy = true).await;
    let post = || Http::post("/api/me").json(&json!({"name": "Ann"}));
    let plain = post().send(house.address).await;
    let cookie = plain.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly; SameSite=Lax") && !cookie.contains("Secure"), "{cookie}");
    let safe = post().header("x-forwarded-proto", "https").send(house.address).await;
    assert!(safe.header("set-cookie").unwrap().ends_with("; Secure"));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_cleaned_and_too_many_guests_are_turned_away_by_address() {
    let change = |config: &mut server::Config| {
        config.limits.guests = 2;
        config.trust_proxy = true;
    };
    let house = House::with(change).await;
    let post = |name: &str, from: &str| {
        Http::post("/api/me").header("x-forwarded-for", from).json(&json!({"name": name})).send(house.address)
    };
    assert_eq!(post("\u{202e}Ann\n", "198.51.100.1").await.value()["name"], "Ann");
    assert_eq!(post("\u{200b}", "198.51.100.2").await.status, 422);
    assert_eq!(post("Ben", "198.51.100.1").await.status, 200);
    let third = post("Cid", "198.51.100.1").await;
    assert_eq!(third.status, 429);
    assert!(third.header("retry-after").is_some());
    assert_eq!(
        post("Cid", "203.0.113.9, 198.51.100.3").await.status,
        200,
        "the last address is the proxy's word"
    );
    assert_eq!(
        post("Dot", "198.51.100.77, 198.51.100.1").await.status,
        429,
        "what stands before anybody could have written"
    );
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_only_so_many_sockets() {
    let house = House::with(|config| config.limits.connections = 2).await;
    let ann = house.guest("Ann").await;
    let headers = [("cookie", ann.cookie.as_str())];
    let first = upgrade(house.address, &headers).await.unwrap();
    let _second = upgrade(house.address, &headers).await.unwrap();
    assert_eq!(upgrade(house.address, &headers).await.err(), Some(429));
    assert_eq!(upgrade_at(house.address, "/ws/look", &[]).await.err(), Some(429));
    drop(first);
    while upgrade(house.address, &headers).await.is_err() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_sends_too_much_is_slowed_down_and_then_closed() {
    let change = |config: &mut server::Config| (config.limits.commands, config.limits.burst) = (1, 5);
    let house = House::with(change).await;
    let ann = house.guest("Ann").await;
    let mut wire = house.socket(&ann).await;
    for at in 0..300 {
        wire.send(&json!({"cmd": "ping", "at": at})).await;
    }
    let (mut pongs, mut slowed) = (0, 0);
    let bye = loop {
        let heard = wire.hear().await;
        match heard["msg"].as_str().unwrap() {
            "pong" => pongs += 1,
            "refused" => slowed += 1,
            _ => break heard,
        }
    };
    assert_eq!(bye["code"], "limit");
    assert!(pongs < 20 && slowed > 100, "{pongs} {slowed}");
    assert_eq!(wire.closed().await.map(|frame| u16::from(frame.code)), Some(1008));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_hello_is_answered_and_closed() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    for (hello, code) in [
        (json!({"cmd": "hello", "protocol": 99, "client": "x"}), 4001),
        (json!({"cmd": "hello", "protocol": 2, "client": "no spaces"}), 1008),
        (json!({"cmd": "ping", "at": 1}), 1008),
    ] {
        use futures_util::SinkExt;
        let mut socket = upgrade(house.address, &[("cookie", &ann.cookie)]).await.unwrap();
        socket.send(Message::text(hello.to_string())).await.unwrap();
        let mut wire = crate::common::Wire { socket, id: 0, client: String::new() };
        assert_eq!(wire.closed().await.map(|frame| u16::from(frame.code)), Some(code), "{hello}");
    }
    house.close().await;
}

async fn rated_game(house: &House, guests: [&Guest; 2]) {
    let (mut a, mut b) = (house.socket(guests[0]).await, house.socket(guests[1]).await);
    let seats = json!([{"for": "me"}, {"for": "open"}]);
    let options = json!({"throws": 1, "window": 600});
    let table =
        a.create(json!({"game": "roulette", "options": options, "seats": seats, "rated": true})).await;
    b.done(json!({"cmd": "join", "table": table})).await;
    a.done(json!({"cmd": "start", "table": table, "anyway": true})).await;
    // Ann stakes everything on two colours but for one chip on a number: she can only lose that chip or win much.
    a.act(&table, json!({"do": "lay", "bets": ["15=1"]})).await;
    a.act(&table, json!({"do": "ready"})).await;
    b.act(&table, json!({"do": "ready"})).await;
    a.hear_event("over").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rated_game_moves_ratings_and_the_leaderboard() {
    let house = House::open().await;
    let (ann, ben) = (house.guest("Ann").await, house.guest("Ben").await);
    rated_game(&house, [&ann, &ben]).await;
    let me = Http::get("/api/me").by(&ann).send(house.address).await.value();
    let rating = me["ratings"][0]["rating"].as_f64().unwrap();
    assert!((rating - 1500.0).abs() > 100.0, "{rating}");
    let leaders = Http::get("/api/leaders/roulette").send(house.address).await.value();
    assert_eq!(leaders.as_array().unwrap().len(), 2);
    let winner = if rating > 1500.0 { "Ann" } else { "Ben" };
    assert_eq!((&leaders[0]["person"]["name"], &leaders[0]["place"]), (&json!(winner), &json!(1)));
    let other = Http::get(&format!("/api/people/{}", ben.id)).send(house.address).await.value();
    assert_eq!(other["ratings"][0]["games"], 1);
    // Rated tables take neither bots nor two seats of one person.
    let mut a = house.socket(&ann).await;
    let with_bot = json!({"cmd": "create", "game": "roulette", "rated": true, "seats": [{"for": "me"}, {"for": "bot", "level": 1}]});
    assert_eq!(a.refused(with_bot).await, "not-rated");
    let alone = json!({"cmd": "create", "game": "roulette", "rated": true, "seats": [{"for": "me"}, {"for": "here", "name": "Me too"}]});
    assert_eq!(a.refused(alone).await, "enough-seats");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_alone_leaves_a_personal_best_and_is_found_by_name() {
    let house = House::open().await;
    let ann = house.guest("Annabel").await;
    let mut a = house.socket(&ann).await;
    for _ in 0..2 {
        let table = a.create(json!({"game": "roulette", "options": {"throws": 1, "window": 600}, "seats": [{"for": "me"}]})).await;
        a.done(json!({"cmd": "start", "table": table})).await;
        a.act(&table, json!({"do": "ready"})).await;
        a.hear_event("over").await;
    }
    let me = Http::get("/api/me").by(&ann).send(house.address).await.value();
    assert_eq!(me["bests"].as_array().unwrap().len(), 1, "{me}");
    assert_eq!(me["bests"][0]["score"], 100);
    assert_eq!(me["bests"][0]["variations"][0], "Throws: 1", "{me}");
    let found = |query: &str| Http::get(&format!("/api/finished?{query}")).send(house.address);
    assert_eq!(found("name=annA").await.value()["games"].as_array().unwrap().len(), 2);
    assert_eq!(found("name=Ben").await.value()["games"], json!([]));
    assert_eq!(found("game=cubo").await.value()["games"], json!([]));
    assert_eq!(found("game=roulette").await.value()["games"].as_array().unwrap().len(), 2);
    house.close().await;
}
