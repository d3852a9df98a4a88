//! The administrator: the way in, what the page shows and does, and what it never shows. In a folder, in a database and at three nodes alike.

use crate::common::{Answer, DATABASE, Guest, House, Http, PATIENCE, Wire, database};
use serde_json::{Value, json};
use server::store::Store;
use server::store::office::{Deed, Home, KeySum, Office, open};
use server::store::sqlite::{FILE, Sqlite};
use server::{Admin, Config, NoPage, Server};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Where the house is that stands for this folder.
async fn home(data: &Path) -> Home {
    database(data).await.map_or_else(|| Home::Folder(data.to_owned()), Home::Database)
}

async fn office(house: &House) -> Arc<dyn Office> {
    open(&home(&house.data).await).await.unwrap()
}

/// What the command line does, beside the server.
async fn tool<T: Send + 'static>(data: &Path, work: impl FnOnce(&Admin) -> T + Send + 'static) -> T {
    let admin = Admin::of(home(data).await);
    tokio::task::spawn_blocking(move || work(&admin)).await.unwrap()
}

async fn link(house: &House) -> String {
    tool(&house.data, |admin| admin.link().unwrap()).await
}

/// A form as a page of this house sends it.
fn form(path: &str, house: &House, fields: &[(&str, &str)]) -> Http {
    let encoded: Vec<String> =
        fields.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect();
    Http::post(path)
        .header("origin", &format!("http://{}", house.address))
        .header("content-type", "application/x-www-form-urlencoded")
        .text(&encoded.join("&"))
}

fn encode(value: &str) -> String {
    let byte = |byte: u8| {
        if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    value.bytes().map(byte).collect()
}

/// A browser that is signed in.
struct Browser {
    cookie: String,
}

impl Browser {
    async fn sign_in(house: &House) -> Browser {
        let answer = form(&link(house).await, house, &[]).send(house.address).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some("/admin")), "{}", answer.body);
        let set = answer.header("set-cookie").unwrap();
        assert!(set.contains("; Path=/admin;") && set.contains("; HttpOnly; SameSite=Strict"), "{set}");
        Browser { cookie: set.split(';').next().unwrap().to_owned() }
    }

    async fn get(&self, house: &House, path: &str) -> Answer {
        Http::get(path).header("cookie", &self.cookie).send(house.address).await
    }

    async fn page(&self, house: &House) -> String {
        let answer = self.get(house, "/admin").await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }

    /// The token that its forms carry.
    async fn token(&self, house: &House) -> String {
        let page = self.page(house).await;
        let rest = page.split("name=\"token\" value=\"").nth(1).unwrap();
        rest.split('"').next().unwrap().to_owned()
    }

    async fn asks(&self, house: &House, deed: &str, subject: &str, more: &[(&str, &str)]) -> Answer {
        let token = self.token(house).await;
        let mut fields = vec![("token", token.as_str()), ("deed", deed), ("subject", subject)];
        fields.extend(more);
        form("/admin/do", house, &fields).header("cookie", &self.cookie).send(house.address).await
    }

    async fn does(&self, house: &House, deed: &str, subject: &str, more: &[(&str, &str)]) {
        let answer = self.asks(house, deed, subject, more).await;
        assert_eq!(answer.status, 303, "{deed}: {}", answer.body);
    }
}

/// The number of a table in the list of open ones.
async fn number_of(house: &House, table: &str) -> i64 {
    let tables = office(house).await.tables(100).await.unwrap();
    tables.iter().find(|open| open.id == table).map(|open| open.number).expect("it is open")
}

/// Asks again until the answer is that: other nodes hear of a deed a little later.
async fn soon(wire: &mut Wire, command: &Value, code: &str) -> Value {
    let began = Instant::now();
    loop {
        let answer = wire.ask(command.clone()).await;
        if answer["code"] == code || answer["msg"] == code {
            return answer;
        }
        assert!(began.elapsed() < PATIENCE, "{command} was answered {answer}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

fn new_table() -> Value {
    json!({"cmd": "create", "game": "cubo", "seats": [{"for": "me"}, {"for": "open"}]})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_opens_the_page_once_and_nothing_else_does() {
    let house = House::open().await;
    for path in ["/admin", "/admin/people", "/admin/people?name=a"] {
        let closed = Http::get(path).send(house.address).await;
        assert!(closed.status == 401 && !closed.body.contains("<h2>"), "{path}: {}", closed.body);
        let wrong = Http::get(path).header("cookie", &format!("parlor-admin={}", "0".repeat(26)));
        assert_eq!(wrong.send(house.address).await.status, 401);
    }
    assert_eq!(form("/admin/do", &house, &[("deed", "revoke")]).send(house.address).await.status, 401);
    let path = link(&house).await;
    // Whoever only looks at the address does not use it up.
    for _ in 0..2 {
        let shown = Http::get(&path).send(house.address).await;
        assert!(shown.status == 200 && shown.body.contains("method=\"post\""), "{}", shown.body);
        assert_eq!(
            shown.header("referrer-policy"),
            Some("same-origin"),
            "a browser tells the origin of a form"
        );
        assert!(shown.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    }
    let used = form(&path, &house, &[]).send(house.address).await;
    assert_eq!(used.status, 303, "{}", used.body);
    let browser =
        Browser { cookie: used.header("set-cookie").unwrap().split(';').next().unwrap().to_owned() };
    assert!(browser.page(&house).await.contains("The house"));
    let again = form(&path, &house, &[]).send(house.address).await;
    assert!(again.status == 403 && again.header("set-cookie").is_none(), "{}", again.body);
    let never = form(&format!("/admin/enter/{}", "7".repeat(26)), &house, &[]).send(house.address).await;
    assert_eq!(never.status, 403);
    // One that is too old, and a page elsewhere that sends the form.
    let old = "1".repeat(26);
    let sum: KeySum = Sha256::digest(format!("parlor administrator\0{old}")).into();
    let made = office(&house).await.carry_out(Deed::Link { sum, until: 2 }, "test".to_owned(), 1).await;
    assert_eq!(made, Ok(true));
    assert_eq!(form(&format!("/admin/enter/{old}"), &house, &[]).send(house.address).await.status, 403);
    let fresh = link(&house).await;
    for origin in [None, Some("https://evil.example"), Some("null")] {
        let sent =
            origin.map_or_else(|| Http::post(&fresh), |origin| Http::post(&fresh).header("origin", origin));
        assert_eq!(sent.send(house.address).await.status, 403, "{origin:?}");
    }
    assert_eq!(form(&fresh, &house, &[]).send(house.address).await.status, 303, "nobody has used it up");
    // All are signed out at once, and links that were not used open nothing.
    let unused = link(&house).await;
    tool(&house.data, |admin| admin.revoke().unwrap()).await;
    assert_eq!(browser.get(&house, "/admin").await.status, 401);
    assert_eq!(form(&unused, &house, &[]).send(house.address).await.status, 403);
    let browser = Browser::sign_in(&house).await;
    browser.does(&house, "sign-out", "", &[]).await;
    assert_eq!(browser.get(&house, "/admin").await.status, 401);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_start_has_a_link_and_no_later_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::new("127.0.0.1:0".parse().unwrap(), folder.path());
    config.database = database(folder.path()).await;
    let first = Server::bind(config.clone(), NoPage).await.unwrap();
    let path = first.first_link().await.expect("a link");
    assert_eq!(first.first_link().await, None);
    let house = House::run(first, folder.path());
    assert_eq!(form(&path, &house, &[]).send(house.address).await.status, 303);
    house.close().await;
    let began = Instant::now();
    let second = loop {
        match Server::bind(config.clone(), NoPage).await {
            Ok(server) => break server,
            Err(fault) => assert!(began.elapsed() < PATIENCE, "{fault}"),
        }
    };
    assert_eq!(second.first_link().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_kept_as_sums_only() {
    let house = House::open().await;
    let path = link(&house).await;
    let unused = path.rsplit('/').next().unwrap().to_owned();
    let browser = Browser::sign_in(&house).await;
    let folder = house.close().await.unwrap();
    if std::env::var(DATABASE).is_ok() {
        return;
    }
    let kept = std::fs::read(folder.path().join("parlor.db")).unwrap();
    let there = |text: &str| kept.windows(text.len()).any(|bytes| bytes == text.as_bytes());
    assert!(there("sign-in"), "the log is there");
    let cookie = browser.cookie.strip_prefix("parlor-admin=").unwrap();
    assert!(!there(&unused) && !there(cookie));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_from_elsewhere_does_nothing() {
    let house = House::open().await;
    let (ann, browser) = (house.guest("Ann").await, Browser::sign_in(&house).await);
    let token = browser.token(&house).await;
    let own = format!("http://{}", house.address);
    for (origin, token, status) in [
        (Some("https://evil.example"), token.as_str(), 403),
        (Some("null"), &token, 403),
        (None, &token, 403),
        (Some(own.as_str()), "", 403),
        (Some(&own), &"0".repeat(64), 403),
    ] {
        let body = format!("token={token}&deed=rename&subject={}&says=Eve", ann.id);
        let mut sent = Http::post("/admin/do").header("cookie", &browser.cookie);
        sent = sent.header("content-type", "application/x-www-form-urlencoded").text(&body);
        if let Some(origin) = origin {
            sent = sent.header("origin", origin);
        }
        let answer = sent.send(house.address).await;
        assert_eq!(answer.status, status, "{origin:?} {token}: {}", answer.body);
    }
    // Nonsense in a form is refused with words.
    for (deed, subject, more) in [
        ("rename", ann.id.as_str(), &[("says", "")][..]),
        ("forget", &ann.id, &[]),
        ("close", "first", &[("says", "x"), ("sure", "yes")]),
        ("fly", &ann.id, &[]),
    ] {
        let answer = browser.asks(&house, deed, subject, more).await;
        assert_eq!(answer.status, 422, "{deed}: {}", answer.body);
    }
    assert_eq!(browser.asks(&house, "suspend", "nobody", &[]).await.status, 409);
    let get = browser.get(&house, "/admin/do").await;
    assert_eq!(get.status, 405);
    let known = office(&house).await.people("Ann".to_owned(), 9).await.unwrap();
    assert_eq!((known.len(), &*known[0].person.name, known[0].suspended), (1, "Ann", None));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_people_are_called_stays_text() {
    let house = House::open().await;
    let evil = house.guest("<script>alert(\"x\")</script>").await;
    let quoted = house.guest("\" onfocus=\"alert(1)").await;
    let browser = Browser::sign_in(&house).await;
    let mut wire = house.socket(&evil).await;
    wire.done(new_table()).await;
    browser.does(&house, "suspend", &evil.id, &[]).await;
    for path in ["/admin", "/admin/people?name=%3Cscript", "/admin/people?name=%22%20onfocus"] {
        let answer = browser.get(&house, path).await;
        assert_eq!(answer.status, 200);
        assert!(!answer.body.contains("<script") && !answer.body.contains("\" onfocus"), "{path}");
    }
    let page = browser.page(&house).await;
    assert!(page.contains("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;"), "{page}");
    let found = browser.get(&house, "/admin/people?name=SCRIPT").await.body;
    assert!(found.contains("&lt;script&gt;") && !found.contains(&quoted.id), "{found}");
    // What stands for anything in a search of the store stands for itself here.
    let none = browser.get(&house, "/admin/people?name=%25").await.body;
    assert!(!none.contains(&evil.id), "{none}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_suspended_watches_and_plays_again_when_it_is_lifted() {
    let house = House::open().await;
    let mut pair = house.pair(json!({"throws": 3, "window": 600})).await;
    let browser = Browser::sign_in(&house).await;
    let act = json!({"cmd": "act", "table": pair.table, "act": {"do": "lay", "bets": ["black=1"]}});
    pair.a.done(act.clone()).await;
    browser.does(&house, "suspend", &pair.ann.id, &[]).await;
    let refused = soon(&mut pair.a, &act, "suspended").await;
    assert!(refused["says"].as_str().unwrap().contains("watch"), "{refused}");
    assert_eq!(soon(&mut pair.a, &new_table(), "suspended").await["msg"], "refused");
    let join = json!({"cmd": "join", "table": pair.table});
    assert_eq!(soon(&mut pair.a, &join, "suspended").await["msg"], "refused");
    assert_eq!(pair.a.view(&pair.table).await["room"]["phase"], "playing", "to watch is allowed");
    let mut again = house.socket(&pair.ann).await;
    soon(&mut again, &act, "suspended").await;
    let began = Instant::now();
    loop {
        let renamed =
            Http::post("/api/me").by(&pair.ann).json(&json!({"name": "Anna"})).send(house.address).await;
        if renamed.status == 403 {
            assert_eq!(renamed.value()["code"], "suspended");
            break;
        }
        assert!(began.elapsed() < PATIENCE);
    }
    // The others play on.
    pair.b.done(act.clone()).await;
    browser.does(&house, "lift", &pair.ann.id, &[]).await;
    soon(&mut pair.a, &act, "done").await;
    // A suspension outlives the server.
    let ben = pair.ben.id.clone();
    tool(&house.data, move |admin| admin.suspend(&ben).unwrap()).await;
    let (ann, ben, table) = (pair.ann.clone(), pair.ben.clone(), pair.table.clone());
    let folder = house.close().await.unwrap();
    let house = House::at(folder.path(), |_| {}).await;
    let (mut a, mut b) = (house.socket(&ann).await, house.socket(&ben).await);
    b.view(&table).await;
    assert_eq!(b.refused(act.clone()).await, "suspended");
    a.done(act).await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_closed_with_a_sentence_to_its_players() {
    let house = House::open().await;
    let mut pair = house.pair(json!({"throws": 3, "window": 600})).await;
    let browser = Browser::sign_in(&house).await;
    let says = "The club closes at ten. Good night!";
    let number = number_of(&house, &pair.table).await.to_string();
    let more = [("says", says), ("sure", "yes")];
    browser.does(&house, "close", &number, &more).await;
    for wire in [&mut pair.a, &mut pair.b] {
        let event = wire.hear_event("closed").await;
        assert_eq!((&event["phase"], &event["room"]["closed"]), (&json!("closed"), &json!(says)), "{event}");
    }
    let act = json!({"cmd": "act", "table": pair.table, "act": {"do": "clear"}});
    let refused = pair.a.ask(act).await;
    assert_eq!((&refused["code"], &refused["says"]), (&json!("closed"), &json!(says)), "{refused}");
    assert_eq!(browser.asks(&house, "close", &number, &more).await.status, 409, "it is closed already");
    let me = Http::get("/api/me").by(&pair.ann).send(house.address).await.value();
    assert_eq!(me["tables"], json!([]), "it is nobody's open table any more");
    assert!(me["ratings"].as_array().unwrap().is_empty());
    // One that sleeps, closed while nobody has the house open, says so to whoever comes.
    let gathering = pair.b.create(json!({"game": "cubo", "seats": [{"for": "me"}, {"for": "open"}]})).await;
    let number = number_of(&house, &gathering).await;
    let (ben, table) = (pair.ben.clone(), pair.table.clone());
    let folder = house.close().await.unwrap();
    let closed =
        tool(folder.path(), move |admin| admin.close(number, "  Gone\nfishing. ").unwrap().unwrap()).await;
    assert!(closed);
    let house = House::at(folder.path(), |_| {}).await;
    let mut wire = house.socket(&ben).await;
    let began = Instant::now();
    loop {
        let view = wire.view(&gathering).await;
        if view["room"]["phase"] == "closed" {
            assert_eq!(view["room"]["closed"], "Gone fishing.");
            break;
        }
        assert!(began.elapsed() < PATIENCE, "{view}");
    }
    assert_eq!(wire.view(&table).await["room"]["closed"], says, "it stays closed");
    house.close().await;
    if std::env::var(DATABASE).is_err() {
        let path = folder.path().to_owned();
        let health =
            tokio::task::spawn_blocking(move || server::doctor(&path, |_, _| {})).await.unwrap().unwrap();
        assert_eq!((health.faults.len(), health.aborted), (0, 1), "{health:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_renamed_or_forgotten_is_asked_again_who_it_is() {
    let house = House::open().await;
    let mut over = house.pair(json!({"throws": 1, "window": 600})).await;
    over.a.act(&over.table, json!({"do": "ready"})).await;
    over.b.act(&over.table, json!({"do": "ready"})).await;
    over.a.hear_event("over").await;
    let browser = Browser::sign_in(&house).await;
    browser.does(&house, "rename", &over.ann.id, &[("says", "  Anna\tLee ")]).await;
    assert!(over.a.closed().await.is_some(), "its socket has the old name");
    let me = Http::get("/api/me").by(&over.ann).send(house.address).await.value();
    assert_eq!(me["you"]["name"], "Anna Lee");
    browser.does(&house, "forget", &over.ben.id, &[("sure", "yes")]).await;
    assert!(over.b.closed().await.is_some());
    let me = Http::get("/api/me").by(&over.ben).send(house.address).await.value();
    assert_eq!(me["you"], Value::Null);
    assert!(Wire::try_open(house.address, &over.ben, "again").await.is_none(), "nobody has this cookie");
    let known = Http::get(&format!("/api/people/{}", over.ben.id)).send(house.address).await;
    assert_eq!(known.status, 404);
    let games = Http::get("/api/finished").send(house.address).await.value();
    let players = games["games"][0]["players"].as_array().unwrap();
    assert!(players.iter().any(|player| player["name"] == "Ann"), "{games}");
    assert!(players.iter().all(|player| player["name"] != "Ben" && player["person"] != over.ben.id.as_str()));
    let page = browser.page(&house).await;
    assert!(page.contains("rename") && page.contains("forget") && !page.contains("Ben"), "{page}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_done_is_in_the_log_and_nothing_private_is_on_the_page() {
    let house = House::open().await;
    let mut pair = house.pair(json!({"throws": 3, "window": 600})).await;
    let secrets = secrets_of(&house, &pair.ann).await;
    let browser = Browser::sign_in(&house).await;
    let other = pair.a.create(json!({"game": "cubo", "seats": [{"for": "me"}, {"for": "open"}]})).await;
    let number = number_of(&house, &other).await.to_string();
    browser.does(&house, "close", &number, &[("says", "Closed for cleaning."), ("sure", "yes")]).await;
    browser.does(&house, "suspend", &pair.ben.id, &[]).await;
    let ben = pair.ben.id.clone();
    tool(&house.data, move |admin| admin.lift(&ben).unwrap()).await;
    let unused = link(&house).await;
    let log = office(&house).await.audit(100).await.unwrap();
    let told: Vec<(&str, &str, &str)> =
        log.iter().rev().map(|entry| (&*entry.deed, &*entry.subject, &*entry.says)).collect();
    assert_eq!(
        told,
        [
            ("link", "", ""),
            ("sign-in", "", ""),
            ("close", &*number, "Closed for cleaning."),
            ("suspend", &*pair.ben.id, ""),
            ("lift", &*pair.ben.id, ""),
            ("link", "", ""),
        ]
    );
    assert!(log.iter().all(|entry| entry.wall > 1_600_000_000_000));
    let who: Vec<&str> = log.iter().rev().map(|entry| &*entry.who).collect();
    assert!(
        who[0] == "command line" && who[2].starts_with("browser ") && who[4] == "command line",
        "{who:?}"
    );
    let page = browser.page(&house).await;
    for shown in [
        env!("CARGO_PKG_VERSION"),
        "Open for",
        "connections",
        "roulette",
        "Ann, Ben",
        "Closed for cleaning.",
        "suspend",
        "own-seats",
        " UTC",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(page.contains(" kB") || page.contains(" MB"), "a size: {page}");
    let cookie = browser.cookie.strip_prefix("parlor-admin=").unwrap().to_owned();
    let unused = unused.rsplit('/').next().unwrap().to_owned();
    for secret in secrets.into_iter().chain([pair.table.clone(), other, cookie, unused]) {
        for path in ["/admin", "/admin/people?name=ann"] {
            let body = browser.get(&house, path).await.body;
            assert!(!body.contains(&secret), "{secret} is shown");
        }
    }
    house.close().await;
}

/// What of somebody is nobody's business: the cookie, a token, the words of a passphrase.
async fn secrets_of(house: &House, guest: &Guest) -> Vec<String> {
    let token = Http::post("/api/me/token").by(guest).send(house.address).await.value();
    let phrase = Http::post("/api/me/phrase").by(guest).send(house.address).await.value();
    let seal = guest.cookie.split('.').nth(1).unwrap().to_owned();
    vec![seal, token["token"].as_str().unwrap().to_owned(), phrase["words"].as_str().unwrap().to_owned()]
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_are_counted() {
    let house = House::with(|config| config.limits.phrases = 3).await;
    let good = link(&house).await;
    let mut statuses = Vec::new();
    for _ in 0..12 {
        let guess = format!("/admin/enter/{}", "5".repeat(26));
        statuses.push(form(&guess, &house, &[]).send(house.address).await.status);
        let guess = Http::get("/admin").header("cookie", &format!("parlor-admin={}", "5".repeat(26)));
        statuses.push(guess.send(house.address).await.status);
    }
    // Each of three nodes may allow as many before it has heard of the others'.
    let most = 3 * house.nodes.len();
    let allowed = statuses.iter().filter(|status| **status != 429).count();
    assert!((3..=most).contains(&allowed), "{statuses:?}");
    // The right link is no guess less from the same address, and was not used up.
    assert_eq!(form(&good, &house, &[]).send(house.address).await.status, 429);
    let office = office(&house).await;
    assert!(office.audit(9).await.unwrap().iter().all(|entry| entry.deed != "sign-in"));
    house.close().await;
}

#[tokio::test]
async fn the_audit_log_of_a_house_that_has_a_folder_is_only_added_to() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path(), 1).unwrap();
    // A server has it open, and the office is beside it.
    let office = open(&Home::Folder(folder.path().to_owned())).await.unwrap();
    assert_eq!(office.carry_out(Deed::Revoke, "test".to_owned(), 7).await, Ok(true));
    let nobody = Deed::Suspend { person: "nobody".to_owned() };
    assert_eq!(office.carry_out(nobody, "test".to_owned(), 8).await, Ok(false), "and that is not in the log");
    let db = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    for sql in ["UPDATE audit SET who = 'nobody'", "DELETE FROM audit"] {
        let refused = db.execute_batch(sql).unwrap_err().to_string();
        assert!(refused.contains("only ever added"), "{refused}");
    }
    let log = office.audit(9).await.unwrap();
    assert_eq!((log.len(), &*log[0].who, &*log[0].deed, log[0].wall), (1, "test", "revoke", 7));
    store.close().await.unwrap();
}
