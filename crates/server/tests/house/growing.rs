//! A game whose view grows with it: events bring what is new, and everybody knows the whole all the same.

use crate::common::{House, Wire};
use client::{Client, Do};
use serde_json::{Value, json};

/// Moves after which everything stands as it stood: each side takes a tile forward and back until its spins are round.
const ROUND: usize = 8;

/// A game of Contact that never ends by itself, with both sides in Ann's hands.
struct Game {
    ann: Wire,
    table: String,
    played: usize,
}

impl Game {
    async fn start(house: &House) -> Game {
        let mut ann = house.socket(&house.guest("Ann").await).await;
        let options = json!({"r9": false, "first": "south"});
        let seats = json!([{"for": "me"}, {"for": "here", "name": "Dot"}]);
        let table = ann.create(json!({"game": "contact", "options": options, "seats": seats})).await;
        ann.done(json!({"cmd": "start", "table": table})).await;
        Game { ann, table, played: 0 }
    }

    /// Makes so many moves: some at once, and no more than a socket may leave unread.
    async fn play(&mut self, moves: usize) {
        let end = self.played + moves;
        while self.played < end {
            let first = self.ann.id + 1;
            for _ in self.played..end.min(self.played + 20) {
                let (from, to) =
                    [("g2", "g3"), ("g14", "g13"), ("g3", "g2"), ("g13", "g14")][self.played % 4];
                let (seat, act) = (self.played % 2, json!({"do": "move", "from": from, "to": to}));
                self.ann.id += 1;
                let id = self.ann.id;
                let command = json!({"cmd": "act", "id": id, "table": self.table, "seat": seat, "act": act});
                self.ann.send(&command).await;
                self.played += 1;
            }
            for id in first..=self.ann.id {
                assert_eq!(self.ann.answer(id).await["msg"], "done");
            }
        }
    }

    /// What everybody sees, whole.
    async fn public(&mut self) -> Value {
        let view = self.ann.view(&self.table).await;
        assert_eq!(view["public"]["moves"].as_array().map(Vec::len), Some(self.played));
        view["public"].clone()
    }
}

/// Somebody who watches with the client that page and terminal have.
struct Watcher {
    wire: Wire,
    client: Client<()>,
    table: String,
    /// The events that were heard, as they came.
    events: Vec<Value>,
}

impl Watcher {
    async fn come(house: &House, table: &str) -> Watcher {
        let (wire, client) = (Wire::look_in(house.address).await, Client::new("stranger".to_owned(), 1));
        let mut watcher = Watcher { wire, client, table: table.to_owned(), events: Vec::new() };
        watcher.client.follow(table);
        watcher.say_hello();
        watcher.hear_until(0).await;
        watcher
    }

    /// The socket has said hello already.
    fn say_hello(&mut self) {
        self.client.opened(0);
        while self.client.poll().is_some() {}
        self.client.hear(r#"{"msg":"welcome","protocol":2,"now":0}"#, 0);
    }

    async fn come_back(&mut self, house: &House) {
        self.wire = Wire::look_in(house.address).await;
        self.client.lost(None, 0);
        self.client.wake(0);
        self.say_hello();
    }

    /// Hears until it knows so many moves; answers what it sees then.
    async fn hear_until(&mut self, moves: usize) -> Value {
        loop {
            while let Some(todo) = self.client.poll() {
                if let Do::Say(text) = todo {
                    self.wire.text(&text).await;
                }
            }
            let public = self.client.table(&self.table).and_then(|table| table.public.clone());
            let public: Value = public.map_or(Value::Null, |text| serde_json::from_str(&text).unwrap());
            if public["moves"].as_array().is_some_and(|known| known.len() >= moves) {
                return public;
            }
            let heard = self.wire.hear().await;
            self.client.hear(&heard.to_string(), 0);
            if heard["msg"] == "event" {
                self.events.push(heard);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_move_is_told_in_no_more_words_than_an_early_one() {
    let house = House::open().await;
    let mut game = Game::start(&house).await;
    let mut watcher = Watcher::come(&house, &game.table).await;
    game.play(ROUND * 9).await;
    assert_eq!(watcher.hear_until(ROUND * 9).await, game.public().await);
    let length = |at: usize| watcher.events[at].to_string().len();
    let last = watcher.events.len() - 1;
    let (early, late) = (last - ROUND * 8, last);
    assert_eq!(watcher.events[late]["known"], json!({"list": "moves", "first": ROUND * 9 - 1}));
    // A number has a digit more.
    assert!(length(late) <= length(early) + 16, "{} and {}", length(late), length(early));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_misses_moves_and_comes_back_knows_them_all() {
    let house = House::open().await;
    let mut game = Game::start(&house).await;
    let mut watcher = Watcher::come(&house, &game.table).await;
    game.play(5).await;
    watcher.hear_until(5).await;
    // A few are told again one by one, many in one view.
    for missed in [3, 200] {
        drop(std::mem::replace(&mut watcher.wire, Wire::look_in(house.address).await));
        game.play(missed).await;
        watcher.come_back(&house).await;
        assert_eq!(watcher.hear_until(game.played).await, game.public().await);
        game.play(1).await;
        assert_eq!(watcher.hear_until(game.played).await, game.public().await);
    }
    // The server goes and comes: what it told before is known to the watcher alone.
    let (played, table) = (game.played, game.table.clone());
    drop(game);
    let folder = house.close().await.unwrap();
    let house = House::at(folder.path(), |_| {}).await;
    watcher.come_back(&house).await;
    let mut late = Watcher::come(&house, &table).await;
    assert_eq!(watcher.hear_until(played).await, late.hear_until(played).await);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_stands_for_several_moves_brings_them_all() {
    let house = House::open().await;
    let mut game = Game::start(&house).await;
    let mut watcher = Watcher::come(&house, &game.table).await;
    let mut crowd = Vec::new();
    for _ in 0..70 {
        let mut wire = Wire::look_in(house.address).await;
        wire.done(json!({"cmd": "watch", "table": game.table})).await;
        crowd.push(wire);
    }
    // The first moves may be told as one event that leaves out nothing, later ones leave out those.
    for _ in 0..2 {
        game.play(40).await;
        assert_eq!(watcher.hear_until(game.played).await, game.public().await);
    }
    let several = |event: &&Value| event["from"].is_u64() && event["known"]["first"].is_u64();
    let event = watcher.events.iter().find(several).expect("some were told together");
    let stands_for = event["seq"].as_u64().unwrap() - event["from"].as_u64().unwrap() + 1;
    assert_eq!(event["public"]["moves"].as_array().unwrap().len() as u64, stands_for);
    house.close().await;
}
