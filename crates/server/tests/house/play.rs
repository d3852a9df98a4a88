//! Tables: sitting down, playing, leaving, coming back, watching.

use crate::common::{House, Wire};
use serde_json::{Value, json};
use std::time::Duration;

const LONG: u32 = 600;

fn long() -> Value {
    json!({"throws": 3, "window": LONG})
}

fn lay(bet: &str) -> Value {
    json!({"do": "lay", "bets": [bet]})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_is_played_ends_and_is_found_again() {
    let house = House::open().await;
    let mut pair = house.pair(json!({"throws": 2, "window": LONG})).await;
    for _ in 0..2 {
        pair.a.act(&pair.table, lay("black=10")).await;
        pair.a.act(&pair.table, json!({"do": "ready"})).await;
        pair.b.act(&pair.table, json!({"do": "ready"})).await;
    }
    let over = pair.b.hear_event("over").await;
    assert_eq!(over["phase"], "over");
    let view = pair.b.view(&pair.table).await;
    assert_eq!(view["room"]["seed"], over["why"]["seed"]);
    let page = crate::common::Http::get(&format!("/api/finished?person={}", pair.ben.id))
        .send(house.address)
        .await
        .value();
    assert_eq!(page["games"][0]["table"], pair.table);
    assert_eq!(page["games"][0]["players"][0]["name"], "Ann");
    let record =
        crate::common::Http::get(&format!("/api/finished/{}/record", pair.table)).send(house.address).await;
    let verified = house::verify(&record.body).expect("a record that holds");
    assert_eq!(verified.players, ["Ann", "Ben"]);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_seed_is_promised_at_the_start_and_shown_only_at_the_end() {
    let house = House::open().await;
    let mut pair = house.pair(json!({"throws": 1, "window": LONG})).await;
    let view = pair.a.view(&pair.table).await;
    let commit = view["room"]["commit"].as_str().unwrap().to_owned();
    assert_eq!(commit.len(), 64);
    assert!(view["room"].get("seed").is_none());
    let path = format!("/api/finished/{}/record", pair.table);
    assert_eq!(crate::common::Http::get(&path).send(house.address).await.status, 404);
    pair.a.act(&pair.table, json!({"do": "ready"})).await;
    pair.b.act(&pair.table, json!({"do": "ready"})).await;
    let over = pair.a.hear_event("over").await;
    let seed = table::Seed::try_from(over["why"]["seed"].as_str().unwrap().to_owned()).unwrap();
    assert_eq!(seed.commitment().to_string(), commit);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_sent_twice_changes_nothing_and_gets_the_same_answer() {
    let house = House::open().await;
    let mut pair = house.pair(long()).await;
    let act = json!({"cmd": "act", "id": 500, "table": pair.table, "act": lay("black=10")});
    pair.a.send(&act).await;
    let first = pair.a.answer(500).await;
    pair.a.send(&act).await;
    assert_eq!(pair.a.answer(500).await, first);
    // The same from another connection of the same client, and after the server was down.
    let mut again = Wire::open(house.address, &pair.ann, &pair.a.client).await;
    again.send(&act).await;
    assert_eq!(again.answer(500).await, first);
    let seq = pair.b.view(&pair.table).await["seq"].clone();
    let folder = house.close().await.unwrap();
    let house = House::at(folder.path(), |_| {}).await;
    let mut again = Wire::open(house.address, &pair.ann, &pair.a.client).await;
    again.send(&act).await;
    assert_eq!(again.answer(500).await, first);
    assert_eq!(again.view(&pair.table).await["seq"], seq);
    // A refused command stays refused.
    let refused = json!({"cmd": "act", "id": 501, "table": pair.table, "act": lay("black=1000000")});
    again.send(&refused).await;
    let first = again.answer(501).await;
    assert_eq!(first["msg"], "refused");
    again.send(&refused).await;
    assert_eq!(again.answer(501).await, first);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_made_twice_is_made_once() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    let mut wire = house.socket(&ann).await;
    let create = json!({"cmd": "create", "id": 1, "game": "cubo", "seats": [{"for": "me"}, {"for": "bot", "level": 1}]});
    wire.send(&create).await;
    let first = wire.answer(1).await;
    wire.send(&create).await;
    assert_eq!(wire.answer(1).await, first);
    let mut again = Wire::open(house.address, &ann, &wire.client).await;
    again.send(&create).await;
    assert_eq!(again.answer(1).await, first);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_hears_what_was_missed_or_everything_afresh() {
    let house = House::open().await;
    let mut pair = house.pair(long()).await;
    let seq = pair.b.view(&pair.table).await["seq"].as_u64().unwrap();
    drop(pair.b);
    for chips in 1..=3 {
        pair.a.act(&pair.table, lay(&format!("{chips}=1"))).await;
    }
    let mut ben = house.socket(&pair.ben).await;
    ben.done(json!({"cmd": "watch", "table": pair.table, "seq": seq})).await;
    let mut missed = Vec::new();
    while missed.len() < 3 {
        let event = ben.hear_msg("event").await;
        missed.push(event["seq"].as_u64().unwrap());
    }
    assert_eq!(missed, [seq + 1, seq + 2, seq + 3]);
    // Up to date: nothing is repeated. Far behind, or ahead of everything: the whole view.
    ben.done(json!({"cmd": "watch", "table": pair.table, "seq": seq + 3})).await;
    for _ in 0..40 {
        pair.a.act(&pair.table, json!({"do": "clear"})).await;
        pair.a.act(&pair.table, lay("black=1")).await;
    }
    let now = pair.a.view(&pair.table).await["seq"].as_u64().unwrap();
    let mut ben = house.socket(&pair.ben).await;
    for odd in [seq, now + 99] {
        ben.done(json!({"cmd": "watch", "table": pair.table, "seq": odd})).await;
        let next = loop {
            let next = ben.hear().await;
            if next["msg"] != "crowd" {
                break next;
            }
        };
        assert_eq!((&next["msg"], &next["seq"]), (&json!("view"), &json!(now)));
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_acts_only_for_its_owner_and_is_seen_only_by_its_owner() {
    let house = House::open().await;
    let mut pair = house.pair(long()).await;
    let cid = house.guest("Cid").await;
    let mut c = house.socket(&cid).await;
    let view = c.view(&pair.table).await;
    assert!(view.get("private").is_none());
    let act = |seat: u32| json!({"cmd": "act", "table": pair.table, "seat": seat, "act": lay("black=1")});
    assert_eq!(c.refused(act(0)).await, "not-seated");
    assert_eq!(pair.b.refused(act(0)).await, "not-your-seat");
    assert_eq!(pair.b.refused(act(7)).await, "not-your-seat");
    pair.a.done(act(0)).await;
    // Ann's private view goes to her two tabs and to nobody else.
    let mut tab = house.socket(&pair.ann).await;
    assert_eq!(tab.view(&pair.table).await["private"][0]["seat"], 0);
    pair.a.act(&pair.table, lay("red=2")).await;
    let heard = tab.hear_msg("private").await;
    assert_eq!(heard["seat"], 0);
    c.done(json!({"cmd": "watch", "table": pair.table})).await;
    pair.a.act(&pair.table, lay("red=3")).await;
    loop {
        let heard = c.hear().await;
        assert_ne!(heard["msg"], "private", "{heard}");
        if heard["msg"] == "event" && heard["seq"].as_u64().unwrap() >= 6 {
            break;
        }
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_tabs_of_one_player_play_one_seat() {
    let house = House::open().await;
    let mut pair = house.pair(long()).await;
    let mut tab = house.socket(&pair.ann).await;
    tab.view(&pair.table).await;
    tab.act(&pair.table, lay("black=1")).await;
    pair.a.act(&pair.table, lay("black=1")).await;
    let (one, two) = (tab.view(&pair.table).await, pair.a.view(&pair.table).await);
    assert_eq!(
        (&one["seq"], &one["public"], &one["private"]),
        (&two["seq"], &two["public"], &two["private"])
    );
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_watches_his_own_table_sees_his_own_seat_and_counts_once() {
    let house = House::open().await;
    let mut pair = house.pair(long()).await;
    let (mut tab, mut stranger) =
        (house.socket(&pair.ann).await, house.socket(&house.guest("Cid").await).await);
    let own = tab.view(&pair.table).await;
    assert_eq!(own["private"].as_array().map(Vec::len), Some(1));
    assert_eq!((&own["private"][0]["seat"], &own["watching"]), (&json!(0), &json!(2)));
    let other = stranger.view(&pair.table).await;
    assert_eq!((&other["private"], &other["watching"]), (&Value::Null, &json!(3)));
    // The page she plays on goes; the tab that only watched still hears, and nobody takes her seat for empty.
    pair.a.done(json!({"cmd": "unwatch", "table": pair.table})).await;
    pair.b.act(&pair.table, lay("black=1")).await;
    tab.hear_event("acted").await;
    let now = stranger.view(&pair.table).await;
    assert_eq!((&now["watching"], &now["away"]), (&json!(3), &Value::Null));
    // What she hears as a watcher is no less than what a player hears: she may act from there.
    tab.act(&pair.table, lay("black=2")).await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_is_closed_and_never_slows_the_table() {
    let house = House::with(|config| config.limits.queue = 512).await;
    let mut pair = house.pair(long()).await;
    // Ben never reads again; the kernel's buffers fill, then the queue, then he is closed. Ann says a hundred things at a time.
    for hundred in 1..=500 {
        let ids = hundred * 100..(hundred + 1) * 100;
        for id in ids.clone() {
            let act = if id % 2 == 0 { lay("black=1") } else { json!({"do": "clear"}) };
            pair.a.send(&json!({"cmd": "act", "id": id, "table": pair.table, "act": act})).await;
        }
        for id in ids {
            assert_eq!(pair.a.answer(id).await["msg"], "done");
        }
        if house.metric("parlor_slow_readers_total").await > 0.0 {
            let frame = pair.b.closed().await;
            assert!(frame.is_none_or(|frame| u16::from(frame.code) == 1013));
            let mut back = house.socket(&pair.ben).await;
            assert!(back.view(&pair.table).await["seq"].as_u64().unwrap() > hundred * 100);
            house.close().await;
            return;
        }
    }
    panic!("the slow reader was never closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn seats_are_taken_given_back_and_given_to_bots_before_the_start() {
    let house = House::open().await;
    let (ann, ben) = (house.guest("Ann").await, house.guest("Ben").await);
    let (mut a, mut b) = (house.socket(&ann).await, house.socket(&ben).await);
    let seats = json!([{"for": "me"}, {"for": "open"}, {"for": "here", "name": "Dot"}]);
    let table = a.create(json!({"game": "roulette", "options": long(), "seats": seats})).await;
    assert_eq!(a.refused(json!({"cmd": "start", "table": table})).await, "open-seats");
    b.done(json!({"cmd": "join", "table": table})).await;
    assert_eq!(a.refused(json!({"cmd": "start", "table": table})).await, "not-ready");
    assert_eq!(b.refused(json!({"cmd": "start", "table": table})).await, "not-host");
    assert_eq!(b.refused(json!({"cmd": "kick", "table": table, "seat": 0})).await, "not-host");
    a.done(json!({"cmd": "kick", "table": table, "seat": 1})).await;
    assert_eq!(b.refused(json!({"cmd": "ready", "table": table, "ready": true})).await, "not-seated");
    a.done(json!({"cmd": "place", "table": table, "seat": 1, "wish": {"for": "open"}})).await;
    b.done(json!({"cmd": "join", "table": table, "seat": 1})).await;
    b.done(json!({"cmd": "leave", "table": table})).await;
    a.done(json!({"cmd": "place", "table": table, "seat": 1, "wish": {"for": "bot", "level": 1}})).await;
    a.done(json!({"cmd": "place", "table": table, "seat": 3, "wish": {"for": "open"}})).await;
    assert_eq!(
        a.refused(json!({"cmd": "place", "table": table, "seat": 0, "wish": {"for": "nobody"}})).await,
        "taken"
    );
    a.done(json!({"cmd": "place", "table": table, "seat": 3, "wish": {"for": "nobody"}})).await;
    a.done(json!({"cmd": "start", "table": table})).await;
    assert_eq!(b.refused(json!({"cmd": "join", "table": table})).await, "started");
    let view = a.view(&table).await;
    let names: Vec<&str> =
        view["room"]["seats"].as_array().unwrap().iter().map(|seat| seat["name"].as_str().unwrap()).collect();
    assert_eq!((names[0], names[2]), ("Ann", "Dot"));
    // Around one screen: Ann owns two seats, and has to say which one acts.
    assert_eq!(a.refused(json!({"cmd": "act", "table": table, "act": lay("black=1")})).await, "which-seat");
    for seat in [0, 2] {
        a.done(json!({"cmd": "act", "table": table, "seat": seat, "act": lay("black=1")})).await;
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_was_shown_out_stays_out_until_the_host_opens_a_seat() {
    let house = House::open().await;
    let (ann, ben, cid) = (house.guest("Ann").await, house.guest("Ben").await, house.guest("Cid").await);
    let (mut a, mut b) = (house.socket(&ann).await, house.socket(&ben).await);
    let seats = json!([{"for": "me"}, {"for": "open"}, {"for": "open"}]);
    let table = a.create(json!({"game": "roulette", "options": long(), "seats": seats})).await;
    b.done(json!({"cmd": "join", "table": table})).await;
    a.done(json!({"cmd": "kick", "table": table, "seat": 1})).await;
    for join in [json!({"cmd": "join", "table": table}), json!({"cmd": "join", "table": table, "seat": 2})] {
        assert_eq!(b.refused(join).await, "kicked");
    }
    // Others sit down, the host too, even if he showed himself out.
    house.socket(&cid).await.done(json!({"cmd": "join", "table": table, "seat": 1})).await;
    a.done(json!({"cmd": "kick", "table": table, "seat": 0})).await;
    a.done(json!({"cmd": "join", "table": table, "seat": 0})).await;
    // It is remembered as long as the table is.
    let folder = house.close().await.unwrap();
    let house = House::at(folder.path(), |_| {}).await;
    let (mut a, mut b) = (house.socket(&ann).await, house.socket(&ben).await);
    assert_eq!(b.refused(json!({"cmd": "join", "table": table})).await, "kicked");
    a.done(json!({"cmd": "place", "table": table, "seat": 2, "wish": {"for": "open"}})).await;
    b.done(json!({"cmd": "join", "table": table})).await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_has_only_so_many_bots() {
    let house = House::with(|config| config.limits.bots = 2).await;
    let ann = house.guest("Ann").await;
    let mut a = house.socket(&ann).await;
    let bot = json!({"for": "bot", "level": 1});
    let create = |seats: Value| json!({"cmd": "create", "game": "roulette", "seats": seats});
    assert_eq!(a.refused(create(json!([{"for": "me"}, bot, bot, bot]))).await, "enough-bots");
    let table = a.create(create(json!([{"for": "me"}, bot, bot]))).await;
    let place = |seat: u32, wish: &Value| json!({"cmd": "place", "table": table, "seat": seat, "wish": wish});
    assert_eq!(a.refused(place(3, &bot)).await, "enough-bots");
    // One bot for another is no more than before, and a seat that is open again makes room.
    a.done(place(2, &json!({"for": "bot", "level": 2}))).await;
    a.done(place(2, &json!({"for": "open"}))).await;
    a.done(place(3, &bot)).await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_left_alone_is_played_by_a_bot_until_its_player_comes_back() {
    let house = House::open().await;
    let (ann, ben) = (house.guest("Ann").await, house.guest("Ben").await);
    let (mut a, mut b) = (house.socket(&ann).await, house.socket(&ben).await);
    let seats = json!([{"for": "me"}, {"for": "open"}]);
    let table = a.create(json!({"game": "roulette", "options": long(), "seats": seats, "grace": 1})).await;
    b.done(json!({"cmd": "join", "table": table})).await;
    a.done(json!({"cmd": "start", "table": table, "anyway": true})).await;
    drop(b);
    let sat = a.hear_event("bot-sat").await;
    assert_eq!((&sat["why"]["seat"], sat["seats"][0]["place"]["bot"].is_u64()), (&json!(1), true));
    let mut b = house.socket(&ben).await;
    b.view(&table).await;
    assert_eq!(b.refused(json!({"cmd": "act", "table": table, "act": lay("black=1")})).await, "bot-plays");
    b.done(json!({"cmd": "join", "table": table})).await;
    a.hear_event("took-back").await;
    b.act(&table, lay("black=1")).await;
    // Getting up in a running game gives the seat to a bot at once.
    b.done(json!({"cmd": "leave", "table": table})).await;
    a.hear_event("bot-sat").await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_play_a_game_to_its_end() {
    let house = House::open().await;
    let ann = house.guest("Ann").await;
    let mut a = house.socket(&ann).await;
    let seats = json!([{"for": "bot", "level": 1}, {"for": "bot", "level": 2}]);
    let table =
        a.create(json!({"game": "roulette", "options": {"throws": 2, "window": 5}, "seats": seats})).await;
    a.done(json!({"cmd": "start", "table": table})).await;
    a.hear_event("over").await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_is_one_table_for_all_with_the_same_seats() {
    let house = House::open().await;
    let mut pair = house.pair(json!({"throws": 1, "window": LONG})).await;
    let rematch = json!({"cmd": "rematch", "table": pair.table});
    assert_eq!(pair.a.refused(rematch.clone()).await, "not-over");
    pair.a.act(&pair.table, json!({"do": "ready"})).await;
    pair.b.act(&pair.table, json!({"do": "ready"})).await;
    pair.a.hear_event("over").await;
    let first = pair.b.done(rematch.clone()).await["table"].clone();
    let told = pair.a.hear_event("rematch").await;
    assert_eq!(told["why"]["table"], first);
    assert_eq!(pair.a.done(rematch).await["table"], first);
    let table = first.as_str().unwrap();
    let view = pair.a.view(table).await;
    assert_eq!((&view["room"]["host"], &view["room"]["phase"]), (&json!(pair.ben.id), &json!("gathering")));
    pair.b.view(table).await;
    pair.a.done(json!({"cmd": "ready", "table": table, "ready": true, "seed": "again"})).await;
    pair.b.done(json!({"cmd": "start", "table": table})).await;
    house.close().await;
}

/// Plays the only throw of a game that two people have begun.
async fn play_out(pair: &mut crate::common::Pair) {
    pair.a.act(&pair.table, json!({"do": "ready"})).await;
    pair.b.act(&pair.table, json!({"do": "ready"})).await;
    pair.a.hear_event("over").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rematch_of_a_table_with_a_secret_link_is_as_secret() {
    let house = House::open().await;
    let mut pair = house.pair(json!({"throws": 1, "window": LONG})).await;
    play_out(&mut pair).await;
    let rematch = json!({"cmd": "rematch", "table": pair.table});
    // Who watches without a seat is not told even while it happens, and misses no number for it.
    let mut present = Wire::look_in(house.address).await;
    let before = present.view(&pair.table).await["seq"].as_u64().unwrap();
    let next = pair.b.done(rematch.clone()).await["table"].clone();
    assert_eq!(pair.a.hear_event("rematch").await["why"]["table"], next);
    let heard = loop {
        let heard = present.hear().await;
        if heard["msg"] != "crowd" {
            break heard;
        }
    };
    assert_eq!((&heard["msg"], &heard["seq"]), (&json!("view"), &json!(before + 1)), "{heard}");
    assert_eq!(heard["room"].get("rematch"), None, "{heard}");
    // Anybody finds the finished game; who had no seat finds no more.
    let cid = house.guest("Cid").await;
    let mut c = house.socket(&cid).await;
    let mut stranger = Wire::look_in(house.address).await;
    for wire in [&mut c, &mut stranger] {
        let view = wire.view(&pair.table).await;
        assert_eq!(view["room"].get("rematch"), None, "{view}");
    }
    assert_eq!(c.refused(rematch.clone()).await, "not-seated");
    // Who had one is told, however often he asks and whenever he comes.
    let folder = house.close().await.unwrap();
    let house = House::at(folder.path(), |_| {}).await;
    let mut a = house.socket(&pair.ann).await;
    assert_eq!(a.view(&pair.table).await["room"]["rematch"], next);
    assert_eq!(a.done(rematch.clone()).await["table"], next);
    let mut c = house.socket(&cid).await;
    assert_eq!(c.view(&pair.table).await["room"].get("rematch"), None);
    assert_eq!(c.refused(rematch).await, "not-seated");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nods_go_across_the_table_and_nowhere_else() {
    let house = House::open().await;
    let mut pair = house.pair(long()).await;
    let cid = house.guest("Cid").await;
    let mut c = house.socket(&cid).await;
    c.view(&pair.table).await;
    let nod = json!({"cmd": "react", "table": pair.table, "reaction": "clap"});
    assert_eq!(c.refused(nod.clone()).await, "not-seated");
    pair.a.done(nod.clone()).await;
    assert_eq!(pair.a.refused(nod).await, "slow-down");
    let heard = pair.b.hear_msg("reaction").await;
    assert_eq!((&heard["name"], &heard["reaction"]), (&json!("Ann"), &json!("clap")));
    let rude = json!({"cmd": "react", "table": pair.table, "reaction": "rude"});
    assert_eq!(pair.a.refused(rude).await, "bad-command");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn time_acts_on_time_and_the_time_a_server_is_down_is_not_charged() {
    let house = House::open().await;
    let mut pair = house.pair(json!({"throws": 3, "window": 4})).await;
    let started = pair.a.view(&pair.table).await;
    assert_eq!(started["deadline"], 4000);
    let folder = house.close().await.unwrap();
    tokio::time::sleep(Duration::from_millis(4500)).await;
    let house = House::at(folder.path(), |_| {}).await;
    let mut ann = house.socket(&pair.ann).await;
    let view = ann.view(&pair.table).await;
    assert_eq!(view["deadline"], 4000, "the first window is still open");
    let (time, now) = (view["time"].as_u64().unwrap(), view["now"].as_u64().unwrap());
    assert!(time < 4000, "{time}");
    let event = ann.hear_event("time-up").await;
    // By the server's clock the throw came when the window closed, give or take what a busy machine takes.
    let late = event["now"].as_u64().unwrap() as i64 - (now + 4000 - time) as i64;
    assert!((-1..2000).contains(&late), "{late} ms late");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_nobody_is_at_sleeps_and_wakes_as_it_was() {
    let short = Duration::from_millis(100);
    let change = move |config: &mut server::Config| {
        (config.limits.linger, config.limits.linger_playing) = (short, short);
    };
    let house = House::with(change).await;
    let mut pair = house.pair(long()).await;
    pair.a.act(&pair.table, lay("black=7")).await;
    let before = pair.a.view(&pair.table).await;
    drop((pair.a, pair.b));
    while house.metric("parlor_tables").await > 0.0 {
        tokio::time::sleep(short).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut ann = house.socket(&pair.ann).await;
    let after = ann.view(&pair.table).await;
    assert_eq!(
        (&before["seq"], &before["public"], &before["private"]),
        (&after["seq"], &after["public"], &after["private"])
    );
    ann.act(&pair.table, lay("black=7")).await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_commands_are_refused_rather_than_done_again() {
    let house = House::open().await;
    let mut pair = house.pair(long()).await;
    let first = json!({"cmd": "act", "id": 1000, "table": pair.table, "act": lay("black=1")});
    pair.a.send(&first).await;
    assert_eq!(pair.a.answer(1000).await["msg"], "done");
    pair.a.id = 1000;
    for number in 0..70 {
        let act = if number % 2 == 0 { json!({"do": "clear"}) } else { lay("black=1") };
        pair.a.act(&pair.table, act).await;
    }
    let seq = pair.a.view(&pair.table).await["seq"].clone();
    pair.a.send(&first).await;
    assert_eq!(pair.a.answer(1000).await["code"], "old-command");
    assert_eq!(pair.a.view(&pair.table).await["seq"], seq);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_no_store_can_keep_is_refused_and_spoils_nobodys_act() {
    let house = House::open().await;
    let mut pair = house.pair(long()).await;
    for id in [u64::MAX, 1 << 63, 1 << 53] {
        for command in [
            json!({"cmd": "act", "id": id, "table": pair.table, "act": lay("black=1")}),
            json!({"cmd": "create", "id": id, "game": "cubo", "seats": [{"for": "me"}, {"for": "open"}]}),
        ] {
            pair.a.send(&command).await;
            assert_eq!(pair.a.answer(id).await["code"], "bad-command", "{command}");
        }
    }
    pair.a
        .send(&json!({"cmd": "act", "id": (1_u64 << 53) - 1, "table": pair.table, "act": lay("black=1")}))
        .await;
    assert_eq!(pair.a.answer((1 << 53) - 1).await["msg"], "done");
    pair.b.act(&pair.table, lay("black=1")).await;
    house.close().await;
}
