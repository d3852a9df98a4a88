//! Throws to which players' clients add: everybody's link is asked for once what it decides is on disk, nobody is waited for long, and what is
//! wrong, late or somebody else's is refused by its name.

use crate::cluster::Site;
use crate::common::{Guest, House, Http, Wire, guest};
use crate::faults::Process;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use table::chain::{Link, Secret};
use table::kept::{Answered, Broken, KeptChain};
use table::{Kept, Seed};

/// Somebody whose client adds to the dice.
struct Player {
    guest: Guest,
    wire: Wire,
    chain: KeptChain,
    table: String,
}

impl Player {
    fn new(guest: Guest, wire: Wire, number: u8) -> Player {
        Player { guest, wire, chain: KeptChain::new(Secret::new([number; 32])), table: String::new() }
    }

    async fn say_anchor(&mut self) {
        let anchor = self.chain.secret.anchor();
        self.wire.done(json!({"cmd": "chain", "table": self.table, "anchor": anchor})).await;
        self.chain.accepted = true;
    }

    async fn link(&mut self, ask: &Value, link: Link) {
        let (throw, seat) = (&ask["throw"], &ask["seat"]);
        self.wire
            .send(&json!({"cmd": "link", "table": self.table, "throw": throw, "seat": seat, "link": link}))
            .await;
    }

    /// Hears that a link is asked for; answers what was heard.
    async fn asked(&mut self) -> Value {
        self.wire.hear_msg("ask").await
    }

    /// Answers as an honest client does.
    async fn answer(&mut self, ask: &Value) {
        let number = |key: &str| ask[key].as_u64().unwrap() as u32;
        let sum = ask["sum"].as_str().unwrap().to_owned();
        let asked = Answered { throw: number("throw"), link: number("link"), sum };
        let link = self.chain.answer(asked, 1_000).expect("an honest question");
        self.link(ask, link).await;
    }

    /// Hears until the dice lie; answers what everybody sees then.
    async fn thrown(&mut self) -> Value {
        loop {
            let event = self.wire.hear_msg("event").await;
            if !event["public"]["last"].is_null() {
                return event;
            }
        }
    }

    fn kept(&self, commit: &str) -> Kept {
        let commit = table::Commitment::try_from(commit.to_owned()).unwrap();
        Kept { chains: vec![self.chain.clone()], ..Kept::new(self.table.as_str(), commit) }
    }
}

/// Ann and Ben at Dice Roulette, each with a chain, and each at a node; Ann hosts. The game has begun.
async fn pair(at: [SocketAddr; 2], throws: u32) -> (Player, Player, String) {
    let (ann, ben) = (guest(at[0], "Ann").await, guest(at[1], "Ben").await);
    let (a, b) = (Wire::open(at[0], &ann, "ca").await, Wire::open(at[1], &ben, "cb").await);
    let (mut ann, mut ben) = (Player::new(ann, a, 1), Player::new(ben, b, 2));
    let options = json!({"throws": throws, "window": 600});
    let seats = json!([{"for": "me"}, {"for": "open"}]);
    let table = ann.wire.create(json!({"game": "roulette", "options": options, "seats": seats})).await;
    (ann.table, ben.table) = (table.clone(), table.clone());
    ben.wire.done(json!({"cmd": "join", "table": table})).await;
    ann.say_anchor().await;
    ben.say_anchor().await;
    ben.wire.done(json!({"cmd": "ready", "table": table, "ready": true})).await;
    ann.wire.done(json!({"cmd": "start", "table": table})).await;
    let commit = ann.wire.view(&table).await["room"]["commit"].as_str().unwrap().to_owned();
    (ann, ben, commit)
}

async fn ready(player: &mut Player) {
    let table = player.table.clone();
    player.wire.act(&table, json!({"do": "ready"})).await;
}

async fn record(address: SocketAddr, table: &str) -> String {
    Http::get(&format!("/api/finished/{table}/record")).send(address).await.body
}

#[tokio::test(flavor = "multi_thread")]
async fn dice_lie_when_everybody_has_added_to_them_and_everybody_can_check_that() {
    let house = House::open().await;
    let (mut ann, mut ben, commit) = pair([house.address; 2], 2).await;
    for throw in 1..=2 {
        ready(&mut ann).await;
        ready(&mut ben).await;
        let (a, b) = (ann.asked().await, ben.asked().await);
        assert_eq!((&a["throw"], &a["sum"], &a["link"]), (&json!(throw), &b["sum"], &json!(throw)));
        assert_eq!((&a["seat"], &b["seat"]), (&json!(0), &json!(1)));
        ann.answer(&a).await;
        ben.answer(&b).await;
        ann.thrown().await;
        if throw == 1 {
            ann.say_anchor().await; // the same again changes nothing: its links go on
        }
    }
    ann.wire.hear_event("over").await;
    let record = record(house.address, &ann.table).await;
    assert!(record.starts_with(r#"{"parlor":2,"#), "{record}");
    for player in [&ann, &ben] {
        let verified = house::verify_kept(&record, &player.kept(&commit)).unwrap();
        assert_eq!((verified.dice.linked, verified.dice.unlinked, verified.dice.silent), (2, 0, 0));
    }
    cheats_are_noticed(&record, &ann, &commit);
    house.close().await;
}

/// The same game from houses that did something else: each is found, by its own words.
fn cheats_are_noticed(record: &str, player: &Player, commit: &str) {
    let found = |kept: Kept| house::verify_kept(record, &kept).expect_err("it does not fit");
    let kept = || player.kept(commit);
    let other = Seed::from_number(9).commitment();
    assert!(matches!(found(Kept { commit: other, ..kept() }), Broken::Commitment { .. }), "another seed");
    let mut bets = kept();
    bets.chains[0].answered[1].sum.replace_range(..1, "x");
    assert_eq!(found(bets), Broken::Asked { throw: 2 }, "another game was shown when the link was asked for");
    let mut dropped = kept();
    dropped.chains[0].answered[1].throw = 7;
    assert_eq!(found(dropped), Broken::Asked { throw: 7 }, "a throw that was left out");
    let mut never = kept();
    never.chains[0].answered.pop();
    assert_eq!(found(never), Broken::AskedAstray { throw: 2 }, "a link that was never given");
    let mut chain = kept();
    chain.chains[0].secret = Secret::new([7; 32]);
    assert_eq!(found(chain), Broken::Chain, "our chain is missing");
    let mut asked = player.chain.clone();
    let again = Answered { sum: "0".repeat(64), ..asked.answered[1].clone() };
    assert_eq!(asked.answer(again, 1_000), Err(Broken::AskedTwice { throw: 2 }));
    let old = asked.answered[0].clone();
    assert_eq!(asked.answer(old, 1_000), Err(Broken::AskedAstray { throw: 1 }));
    let ahead = Answered { throw: 2_000, link: 2_000, sum: String::new() };
    assert_eq!(asked.answer(ahead, 1_000), Err(Broken::AskedAstray { throw: 2_000 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_silent_holds_nothing_up_for_long_and_comes_back_with_another_chain() {
    let house = House::open().await;
    let (mut ann, mut ben, commit) = pair([house.address; 2], 3).await;
    ready(&mut ann).await;
    ready(&mut ben).await;
    let began = Instant::now();
    let ask = ann.asked().await;
    ann.answer(&ask).await;
    // What comes meanwhile waits in its order.
    ann.wire.id += 1;
    let table = ann.table.clone();
    let lay =
        json!({"cmd": "act", "id": ann.wire.id, "table": table, "act": {"do": "lay", "bets": ["red=1"]}});
    ann.wire.send(&lay).await;
    let again = ann.asked().await;
    assert_eq!((&again["throw"], &again["link"]), (&json!(2), &json!(2)), "without Ben");
    assert_ne!(again["sum"], ask["sum"], "his silence is in the record before anybody is asked again");
    ann.answer(&again).await;
    let thrown = ann.thrown().await;
    assert!(began.elapsed() > Duration::from_secs(1), "he was waited for");
    assert_eq!(thrown["public"]["players"][0]["slip"], json!([]), "the bet had waited");
    assert_eq!(ann.wire.answer(ann.wire.id).await["msg"], "done", "and was carried out then");
    // Ben hears that his chain is not used any more, and brings another.
    ben.wire.hear_msg("unchained").await;
    let mut old = ben.kept(&commit);
    ben.chain = KeptChain::new(Secret::new([3; 32]));
    ben.say_anchor().await;
    for _ in 0..2 {
        ready(&mut ann).await;
        ready(&mut ben).await;
        let (a, b) = (ann.asked().await, ben.asked().await);
        ann.answer(&a).await;
        ben.answer(&b).await;
        ann.thrown().await;
    }
    ann.wire.hear_event("over").await;
    let record = record(house.address, &ann.table).await;
    let verified = house::verify_kept(&record, &ann.kept(&commit)).unwrap();
    assert_eq!((verified.dice.linked, verified.dice.silent), (3, 1));
    // A client that did answer and is said to have been silent says so.
    old.chains[0].answered.push(Answered { throw: 1, link: 1, sum: ask["sum"].as_str().unwrap().to_owned() });
    old.chains.push(ben.chain.clone());
    assert_eq!(house::verify_kept(&record, &old), Err(Broken::Silenced { throw: 1 }));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn links_that_are_wrong_late_or_somebody_elses_are_refused_by_name() {
    let house = House::open().await;
    let (mut ann, mut ben, _) = pair([house.address; 2], 2).await;
    let early = json!({"throw": 1, "seat": 0});
    let link = |player: &Player, index| player.chain.secret.link(index).unwrap();
    let first = link(&ann, 1);
    ann.link(&early, first).await;
    assert_eq!(ann.wire.hear_msg("refused").await["code"], "late-link", "nothing is thrown");
    ready(&mut ann).await;
    ready(&mut ben).await;
    let ask = ann.asked().await;
    let (bens, second) = (link(&ben, 1), link(&ann, 2));
    for (throw, seat, said, code) in [
        (1, 0, second, "bad-link"),
        (1, 0, bens, "bad-link"),
        (1, 1, bens, "not-your-seat"),
        (2, 0, second, "not-asked"),
        (0, 0, first, "late-link"),
    ] {
        ann.link(&json!({"throw": throw, "seat": seat}), said).await;
        assert_eq!(ann.wire.hear_msg("refused").await["code"], code, "{throw} {seat}");
    }
    // The right one twice changes nothing.
    ann.link(&ask, first).await;
    ann.link(&ask, first).await;
    let b = ben.asked().await;
    ben.answer(&b).await;
    ann.thrown().await;
    ann.link(&ask, first).await;
    assert_eq!(ann.wire.hear_msg("refused").await["code"], "late-link");
    let watcher = house.guest("Cid").await;
    let mut cid = house.socket(&watcher).await;
    let chain = json!({"cmd": "chain", "table": ann.table, "anchor": first});
    assert_eq!(cid.refused(chain).await, "not-seated");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_is_laid_by_a_throw_is_not_shown_before() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    let wire = house.socket(&ann).await;
    let mut ann = Player::new(ann, wire, 1);
    let seats = json!([{"for": "me"}, {"for": "bot", "level": 1}]);
    ann.table = ann.wire.create(json!({"game": "scribbage", "seats": seats})).await;
    ann.say_anchor().await;
    let table = ann.table.clone();
    ann.wire.done(json!({"cmd": "start", "table": table})).await;
    let ask = ann.asked().await;
    assert_eq!(ask["throw"], 1);
    let mut cid = house.socket(&house.guest("Cid").await).await;
    let view = cid.view(&table).await;
    assert_eq!((&view["public"], &view["room"]["phase"]), (&Value::Null, &json!("gathering")));
    ann.answer(&ask).await;
    let laid = cid.hear_event("started").await;
    assert!(laid["phase"] == "playing" && laid["public"]["draw"].is_object(), "{laid}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_between_question_and_throw_asks_for_the_same_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(folder.path(), "127.0.0.1:0");
    let address = server.address;
    let (mut ann, mut ben, commit) = pair([address; 2], 1).await;
    ready(&mut ann).await;
    ready(&mut ben).await;
    let (a, b) = (ann.asked().await, ben.asked().await);
    ann.answer(&a).await;
    server.kill();
    let server = Process::start(folder.path(), &address.to_string());
    for (player, client, before) in [(&mut ann, "ca", &a), (&mut ben, "cb", &b)] {
        player.wire = Wire::open(server.address, &player.guest, client).await;
        player.wire.id = 100;
        let table = player.table.clone();
        player.wire.done(json!({"cmd": "watch", "table": table})).await;
        let again = player.asked().await;
        assert_eq!(again, *before, "the same throw, the same sum, the same link: the same dice");
        player.answer(&again).await;
    }
    ann.wire.hear_event("over").await;
    let record = record(server.address, &ann.table).await;
    for player in [&ann, &ben] {
        let verified = house::verify_kept(&record, &player.kept(&commit)).unwrap();
        assert_eq!((verified.dice.linked, verified.dice.silent), (1, 0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn links_come_from_every_node_and_whoever_takes_a_table_over_asks_for_the_same_again() {
    // On a busy machine the question may be a second old before its node goes: then somebody was silent, which is another story.
    for _ in 0..8 {
        if a_node_goes_between_question_and_throw().await {
            return;
        }
    }
    panic!("no node went before the time for links was up");
}

/// Whether the node went in time; all else is held to here.
async fn a_node_goes_between_question_and_throw() -> bool {
    let Some(mut site) = Site::open(|_| {}).await else { return true };
    let (mut ann, mut ben, commit) = pair([site.at(0), site.at(1)], 2).await;
    ready(&mut ann).await;
    ready(&mut ben).await;
    let (a, b) = (ann.asked().await, ben.asked().await);
    assert_eq!(a["sum"], b["sum"]);
    ben.answer(&b).await;
    ann.answer(&a).await;
    ann.thrown().await;
    // The way back is open beforehand: from the question on, each second counts on a busy machine.
    let back = Wire::open(site.at(1), &ann.guest, "ca").await;
    ready(&mut ann).await;
    ready(&mut ben).await;
    let (a, b) = (ann.asked().await, ben.asked().await);
    // The node that keeps the table goes between question and throw.
    ann.wire = back;
    ann.wire.id = 100;
    tokio::join!(ben.answer(&b), site.stop(0));
    let again = ben.asked().await;
    if again["throw"] != b["throw"] {
        site.close().await;
        return false;
    }
    assert_eq!(again, b);
    ben.answer(&again).await;
    let table = ann.table.clone();
    ann.wire.done(json!({"cmd": "watch", "table": table})).await;
    let again = ann.asked().await;
    assert_eq!(again, a);
    ann.answer(&again).await;
    ann.wire.hear_event("over").await;
    let record = record(site.at(1), &ann.table).await;
    for player in [&ann, &ben] {
        let verified = house::verify_kept(&record, &player.kept(&commit)).unwrap();
        assert_eq!((verified.dice.linked, verified.dice.silent), (2, 0));
    }
    site.close().await;
    true
}
