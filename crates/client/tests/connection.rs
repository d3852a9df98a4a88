//! What a client must do whatever carries it: each of these once differed between the page and the terminal.

use client::{Change, Client, Do, News, State};
use protocol::http::Person;
use protocol::{Command, PROTOCOL};
use serde_json::{Value, json};
use table::chain::Secret;
use table::kept::Broken;
use table::{Kept, Outcome, Seat, Seed, Time};

/// A client, its clock, and what it said last.
struct Trial {
    client: Client<&'static str>,
    now: u64,
    said: Vec<Value>,
    connects: u32,
    hung_up: u32,
    kept: Option<Kept>,
}

impl Trial {
    fn new() -> Trial {
        Trial {
            client: Client::new("c1".to_owned(), 1),
            now: 1_000,
            said: Vec::new(),
            connects: 0,
            hung_up: 0,
            kept: None,
        }
    }

    /// Does what is to be done; what is said now replaces what was said before.
    fn settle(&mut self) -> &[Value] {
        self.said.clear();
        while let Some(todo) = self.client.poll() {
            match todo {
                Do::Connect => self.connects += 1,
                Do::HangUp => self.hung_up += 1,
                Do::Say(text) => self.said.push(serde_json::from_str(&text).expect("JSON")),
                Do::Keep(kept) => self.kept = Some(kept),
            }
        }
        &self.said
    }

    fn hear(&mut self, message: &Value) -> Option<News<&'static str>> {
        self.client.hear(&message.to_string(), self.now)
    }

    /// Connects as Ann, or without a name.
    fn open(&mut self, named: bool) -> &[Value] {
        self.client.need();
        self.settle();
        self.client.opened(self.now);
        let hello = json!({"cmd": "hello", "protocol": PROTOCOL, "client": "c1"});
        assert_eq!(self.settle(), [hello]);
        let you = named.then(|| json!({"id": "ann", "name": "Ann"}));
        let mut welcome = json!({"msg": "welcome", "protocol": PROTOCOL, "now": 0});
        if let Some(you) = you {
            welcome["you"] = you;
        }
        assert!(matches!(self.hear(&welcome), Some(News::Welcome(_))));
        self.settle()
    }

    fn act(&mut self) -> u64 {
        let act = |id| Command::Act { id, table: "t".into(), seat: None, act: json!({"do": "call"}) };
        self.client.command(act, "act")
    }

    fn commands(&self, name: &str) -> Vec<&Value> {
        self.said.iter().filter(|said| said["cmd"] == name).collect()
    }

    fn view(&mut self, seq: u64) {
        let view = view(seq);
        assert_eq!(self.hear(&view), Some(News::Table("t".into(), Change::View)));
    }
}

fn view(seq: u64) -> Value {
    json!({"msg": "view", "table": "t", "seq": seq, "time": 500, "now": 0, "deadline": 9_000, "awaits": [1],
        "room": {"game": "cubo", "options": {"a": 1}, "seating": [1, 4], "host": "ann", "phase": "playing", "public": false,
            "rated": false, "commit": "", "made": 0, "seats": [
                {"is": "guest", "person": "ben", "name": "Ben", "ready": true, "seed": ""},
                {"is": "guest", "person": "ann", "name": "Ann", "ready": true, "seed": ""}]},
        "public": {"round": seq}, "private": [{"seat": 1, "private": {"die": 3}}], "watching": 3,
        "away": [{"seat": 0}]})
}

fn event(from: u64, seq: u64) -> Value {
    json!({"msg": "event", "table": "t", "seq": seq, "from": from, "why": {"what": "acted", "seat": 0},
        "phase": "playing", "time": 700, "now": 0, "public": {"round": seq}})
}

#[test]
fn what_was_not_answered_is_said_again_with_its_number_and_what_was_is_not() {
    let mut trial = Trial::new();
    trial.open(true);
    let (first, second) = (trial.act(), trial.act());
    trial.settle();
    assert_eq!(trial.commands("act").len(), 2);
    let done = trial.hear(&json!({"msg": "done", "id": first, "table": "t", "seq": 3}));
    assert_eq!(done, Some(News::Done { tag: "act", table: Some("t".into()) }));
    trial.client.lost(None, trial.now);
    let third = trial.act();
    assert!(trial.settle().is_empty(), "nothing is said into the void");
    trial.client.tick(trial.now + 10_000);
    trial.open(true);
    let ids: Vec<_> = trial.commands("act").iter().map(|act| act["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [second, third]);
    assert_eq!(
        trial.hear(&json!({"msg": "done", "id": first, "table": "t", "seq": 3})),
        None,
        "answered once"
    );
}

#[test]
fn a_command_that_is_taken_back_is_never_said() {
    let mut trial = Trial::new();
    let id = trial.act();
    trial.client.take_back(id);
    trial.open(true);
    assert!(trial.commands("act").is_empty());
}

#[test]
fn a_command_that_needs_a_name_waits_for_one() {
    let mut trial = Trial::new();
    trial.open(false);
    trial.act();
    assert!(trial.settle().is_empty() && trial.client.wants_name());
    trial.client.named(Person { id: "ann".into(), name: "Ann".into() });
    trial.open(true);
    assert_eq!((trial.commands("act").len(), trial.client.wants_name()), (1, false));
    let mut shy = Trial::new();
    shy.open(false);
    shy.act();
    shy.client.stay_nameless();
    shy.client.lost(None, shy.now);
    shy.open(false);
    assert!(shy.commands("act").is_empty() && !shy.client.wants_name());
}

#[test]
fn a_table_is_asked_for_again_after_a_loss_from_where_it_was_left_and_whole() {
    let mut trial = Trial::new();
    trial.client.follow("t");
    trial.open(true);
    assert_eq!(trial.commands("watch").len(), 1);
    trial.view(7);
    trial.client.lost(None, trial.now);
    trial.open(true);
    // Its time has run on even if nothing was missed, and only a view says how far.
    let asked: Vec<_> = trial.commands("watch").iter().map(|watch| watch.get("seq").cloned()).collect();
    assert_eq!(asked, [Some(json!(7)), None]);
    trial.client.forget("t");
    trial.settle();
    assert_eq!(trial.commands("unwatch").len(), 1);
    assert_eq!(trial.hear(&view(8)), None, "it is no longer followed");
}

#[test]
fn a_table_that_is_refused_is_gone_and_a_view_brings_it_back() {
    let mut trial = Trial::new();
    trial.client.follow("t");
    trial.open(true);
    let id = trial.commands("watch")[0]["id"].clone();
    let refused =
        json!({"msg": "refused", "id": id, "code": "no-such-table", "says": "There is no such table."});
    assert_eq!(trial.hear(&refused), Some(News::Table("t".into(), Change::Gone)));
    assert_eq!(trial.client.table("t").unwrap().gone.as_deref(), Some("There is no such table."));
    trial.view(1);
    assert_eq!(trial.client.table("t").unwrap().gone, None);
}

#[test]
fn what_a_seat_sees_at_the_start_is_told_before_there_is_a_game_and_is_kept() {
    let mut trial = Trial::new();
    trial.client.follow("t");
    trial.open(true);
    let mut waiting = view(4);
    (waiting["room"]["phase"], waiting["private"]) = (json!("gathering"), json!([]));
    trial.hear(&waiting);
    let own = json!({"msg": "private", "table": "t", "seq": 5, "seat": 1, "private": {"die": 6}});
    assert_eq!(trial.hear(&own), Some(News::Table("t".into(), Change::Private)));
    let mut start = event(5, 5);
    start["why"] = json!({"what": "started"});
    assert!(matches!(trial.hear(&start), Some(News::Table(_, Change::Event(..)))));
    let table = trial.client.table("t").unwrap();
    assert_eq!(table.privates[&Seat(1)].as_ref(), r#"{"die":6}"#);
    assert!(table.runs());
    // What came before an event that is known is old, however late it comes.
    let late = json!({"msg": "private", "table": "t", "seq": 5, "seat": 1, "private": {"die": 2}});
    assert_eq!(trial.hear(&late), None);
    assert_eq!(trial.client.table("t").unwrap().privates[&Seat(1)].as_ref(), r#"{"die":6}"#);
    // A view replaces all that was known, a game that is not there included.
    waiting["seq"] = json!(6);
    waiting.as_object_mut().unwrap().remove("public");
    trial.hear(&waiting);
    let table = trial.client.table("t").unwrap();
    assert!(table.public.is_none() && table.privates.is_empty());
}

#[test]
fn whoever_takes_a_name_connects_again_under_it_and_nothing_is_said_twice() {
    let mut trial = Trial::new();
    trial.client.follow("t");
    trial.open(false);
    trial.act();
    trial.settle();
    trial.client.named(Person { id: "ann".into(), name: "Ann".into() });
    assert!(trial.settle().is_empty(), "nothing is said on the old connection");
    assert_eq!((trial.connects, trial.client.state()), (2, State::Opening));
    trial.open(true);
    assert_eq!((trial.connects, trial.commands("act").len(), trial.commands("watch").len()), (2, 1, 1));
}

#[test]
fn an_event_may_stand_for_several_and_overlap_what_is_known() {
    let mut trial = Trial::new();
    trial.client.follow("t");
    trial.open(true);
    assert_eq!(trial.hear(&event(1, 1)), None, "nothing follows before the first view");
    trial.settle();
    assert_eq!(trial.commands("watch").len(), 1);
    trial.view(4);
    assert_eq!(trial.hear(&event(3, 4)), None, "known");
    assert!(matches!(trial.hear(&event(3, 6)), Some(News::Table(_, Change::Event(..)))), "known in part");
    assert_eq!(trial.client.table("t").unwrap().seq, Some(6));
    assert_eq!(trial.hear(&event(8, 8)), None, "one was missed");
    trial.settle();
    assert_eq!(trial.commands("watch")[0].get("seq"), None, "so the whole table is asked for");
    assert_eq!(trial.client.table("t").unwrap().seq, Some(6));
}

#[test]
fn what_an_event_leaves_out_is_put_back_and_asked_for_where_it_is_not_known() {
    let mut trial = Trial::new();
    trial.client.follow("t");
    trial.open(true);
    let seen = |moves: &[u32]| json!({"moves": moves, "turn": "south"});
    let event = |from: u64, seq: u64, first: usize, new: &[u32]| {
        let mut event = event(from, seq);
        (event["public"], event["known"]) = (seen(new), json!({"list": "moves", "first": first}));
        event
    };
    let mut whole = view(2);
    whole["public"] = seen(&[1, 2]);
    trial.hear(&whole);
    let public = |trial: &Trial| trial.client.table("t").unwrap().public.clone().unwrap();
    assert!(trial.hear(&event(3, 3, 2, &[3])).is_some());
    assert_eq!(*public(&trial), *seen(&[1, 2, 3]).to_string());
    assert!(trial.hear(&event(2, 5, 1, &[2, 3, 4, 5])).is_some(), "known in part");
    assert_eq!(*public(&trial), *seen(&[1, 2, 3, 4, 5]).to_string());
    // What does not follow on what is known changes nothing, and the whole table is asked for.
    trial.settle();
    let mut bare = event(6, 6, 5, &[6]);
    bare.as_object_mut().unwrap().remove("public");
    let mut other = event(6, 6, 5, &[6]);
    other["known"]["list"] = json!("marks");
    for odd in [event(6, 6, 6, &[7]), bare, other] {
        assert_eq!(trial.hear(&odd), None, "{odd}");
        trial.settle();
        assert_eq!((trial.commands("watch").len(), trial.commands("watch")[0].get("seq")), (1, None));
        assert_eq!(trial.client.table("t").unwrap().seq, Some(5));
        assert_eq!(*public(&trial), *seen(&[1, 2, 3, 4, 5]).to_string());
    }
}

#[test]
fn a_table_knows_its_seats_views_people_and_time() {
    let mut trial = Trial::new();
    trial.client.follow("t");
    trial.open(true);
    trial.now = 2_000;
    trial.view(4);
    let table = trial.client.table("t").unwrap();
    assert_eq!(table.seats_of(Some("ann")), [Seat(1)]);
    assert!(table.seats_of(None).is_empty() && table.seats_of(Some("cleo")).is_empty());
    assert_eq!(table.public.as_deref(), Some(r#"{"round":4}"#));
    assert_eq!(table.privates[&Seat(1)].as_ref(), r#"{"die":3}"#);
    assert_eq!((table.deadline, table.awaited.as_slice()), (Some(Time(9_000)), [Seat(1)].as_slice()));
    assert_eq!((table.is_here(Seat(0)), table.is_here(Seat(1)), table.onlookers()), (false, true, 2));
    assert_eq!(table.time(2_300), Time(800));
    let closed = json!({"msg": "event", "table": "t", "seq": 5, "why": {"what": "closed"}, "phase": "closed",
        "time": 700, "now": 0});
    trial.hear(&closed);
    let table = trial.client.table("t").unwrap();
    assert_eq!(table.gone.as_deref(), Some("The host closed this table."));
    assert_eq!((table.time(99_000), table.runs()), (Time(700), false), "its clock stands");
    // Whoever looks later is told the same; a table that its host did not close says why it is.
    for (says, expected) in [
        (Value::Null, Some("The host closed this table.")),
        (json!("This game cannot go on."), Some("This game cannot go on.")),
    ] {
        let mut closed = view(5);
        (closed["room"]["phase"], closed["room"]["closed"]) = (json!("closed"), says);
        trial.hear(&closed);
        assert_eq!(trial.client.table("t").unwrap().gone.as_deref(), expected);
    }
    trial.view(6);
    assert_eq!(trial.client.table("t").unwrap().gone, None);
}

#[test]
fn a_server_that_does_not_answer_is_hung_up_on_and_tried_again_ever_later() {
    let mut trial = Trial::new();
    trial.open(true);
    assert_eq!(trial.commands("ping").len(), 1);
    let ping = trial.commands("ping")[0]["at"].clone();
    trial.now += 40;
    trial.hear(&json!({"msg": "pong", "at": ping, "now": 1_700_000_000_000_u64}));
    assert_eq!(trial.client.lag(), 40);
    assert_eq!(trial.client.server_time(trial.now), Some(1_700_000_000_020));
    for beats in 0..2 {
        let due = trial.client.due().expect("the next beat");
        trial.client.tick(due - 1);
        assert!(trial.settle().is_empty());
        trial.client.tick(due);
        trial.settle();
        assert_eq!((trial.commands("ping").len(), trial.hung_up), (1 - beats, beats as u32));
    }
    let mut waits = Vec::new();
    for connects in 2..8 {
        assert_eq!((trial.client.state(), trial.client.is_cut()), (State::Lost, true));
        let due = trial.client.due().expect("the next try");
        waits.push(due - trial.now);
        trial.now = due;
        trial.client.tick(due);
        trial.settle();
        assert_eq!((trial.connects, trial.client.state()), (connects, State::Opening));
        trial.client.lost(None, trial.now);
    }
    assert!(waits[1..].windows(2).all(|pair| pair[0] < pair[1]), "{waits:?}");
    trial.client.wake(trial.now);
    trial.settle();
    assert_eq!(trial.connects, 8, "whoever comes back does not wait");
}

#[test]
fn a_connection_that_says_nothing_after_the_hello_is_hung_up_on() {
    let mut trial = Trial::new();
    trial.client.need();
    trial.settle();
    trial.client.opened(trial.now);
    trial.settle();
    let due = trial.client.due().expect("a bound");
    trial.client.tick(due);
    trial.settle();
    assert_eq!((trial.hung_up, trial.client.state()), (1, State::Lost));
}

#[test]
fn after_a_sleep_the_tables_are_asked_for_their_time() {
    let mut trial = Trial::new();
    trial.client.follow("t");
    trial.open(true);
    trial.view(4);
    trial.hear(&json!({"msg": "pong", "at": trial.now, "now": 1_000_000}));
    trial.now += 10_000;
    trial.client.tick(trial.now);
    trial.settle();
    trial.hear(&json!({"msg": "pong", "at": trial.now, "now": 1_010_000}));
    trial.settle();
    assert!(trial.commands("watch").is_empty());
    // Our clock has stood for an hour, and the server's has not.
    trial.now += 10_000;
    trial.client.tick(trial.now);
    trial.settle();
    trial.hear(&json!({"msg": "pong", "at": trial.now, "now": 4_620_000}));
    trial.settle();
    assert_eq!(trial.commands("watch").len(), 1);
}

#[test]
fn a_server_of_another_protocol_is_told_and_not_tried_again() {
    for closed in [false, true] {
        let mut trial = Trial::new();
        trial.open(true);
        if closed {
            trial.client.lost(Some(4001), trial.now);
        } else {
            let bye = trial.hear(&json!({"msg": "bye", "code": "protocol", "says": "Update."}));
            assert_eq!(bye, Some(News::Outdated));
            trial.client.lost(None, trial.now);
        }
        assert_eq!((trial.client.state(), trial.client.due()), (State::Outdated, None));
        trial.act();
        trial.client.wake(trial.now);
        assert!(trial.settle().is_empty());
        assert_eq!(trial.connects, 1);
    }
}

#[test]
fn the_lobby_is_followed_over_changes_and_losses() {
    let listed = |table: &str, open: u32| {
        json!({"table": table, "game": "cubo", "host": "Ann", "seats": [], "open": open, "watching": 1,
            "phase": "gathering", "rated": false, "made": 0})
    };
    let mut trial = Trial::new();
    trial.client.follow_lobby();
    trial.open(false);
    assert_eq!(trial.commands("lobby").len(), 1);
    trial.hear(&json!({"msg": "lobby", "tables": [listed("a", 1), listed("b", 2)]}));
    trial.hear(&json!({"msg": "lobby-change", "changed": [listed("b", 1), listed("c", 3)], "gone": ["a"]}));
    let seen: Vec<_> =
        trial.client.lobby().iter().map(|listed| (listed.table.as_str(), listed.open)).collect();
    assert_eq!(seen, [("b", 1), ("c", 3)]);
    trial.client.lost(None, trial.now);
    trial.open(false);
    assert_eq!(trial.commands("lobby").len(), 1);
}

#[test]
fn nonsense_is_skipped() {
    let mut trial = Trial::new();
    trial.client.follow("t");
    trial.open(true);
    for text in
        ["", "null", "{\"msg\":\"view\"}", "{\"msg\":\"refused\",\"code\":\"x\",\"says\":\"y\"}", "\u{0}"]
    {
        assert_eq!(trial.client.hear(text, trial.now), None, "{text}");
    }
}

#[test]
fn the_largest_numbers_of_a_server_do_no_harm() {
    let mut trial = Trial::new();
    trial.client.follow("t");
    trial.open(true);
    trial.view(u64::MAX);
    assert_eq!(trial.hear(&event(u64::MAX, u64::MAX)), None);
    for theirs in [u64::MAX, i64::MAX as u64 + 1, 0] {
        trial.now += 7;
        assert_eq!(trial.hear(&json!({"msg": "pong", "at": 3, "now": theirs})), None);
    }
}

/// A table that gathers or is over, as it is shown to Ann, who sits there or not.
fn shown(phase: &str, commit: &Seed, sits: bool) -> Value {
    let mut view = view(7);
    let seat = json!({"is": "guest", "person": "ann", "name": "Ann", "ready": true, "seed": "mine"});
    let room = &mut view["room"];
    room["commit"] = json!(commit.commitment().to_string());
    room["phase"] = json!(phase);
    room["seats"] = if sits { json!([seat]) } else { json!([{"is": "open"}]) };
    if phase == "over" {
        room["outcome"] = json!({"ranks": [1], "scores": [4]});
    }
    view
}

fn ready(seed: &str) -> impl FnOnce(u64) -> Command {
    let seed = Some(seed.to_owned());
    |id| Command::Ready { id, table: "t".into(), ready: true, seed }
}

fn done(trial: &mut Trial, id: u64) {
    trial.hear(&json!({"msg": "done", "id": id, "table": "t", "seq": 7}));
    trial.settle();
}

#[test]
fn what_a_table_showed_first_is_kept_whatever_it_shows_later() {
    let (first, other) = (Seed::from_number(1), Seed::from_number(2));
    let mut trial = Trial::new();
    trial.open(true);
    trial.client.follow("t");
    trial.hear(&shown("gathering", &first, true));
    let id = trial.client.command(ready("mine"), "ready");
    trial.settle();
    assert_eq!(trial.kept.take(), Some(Kept::new("t", first.commitment())));
    done(&mut trial, id);
    let mine = Kept { seed: Some("mine".into()), ..Kept::new("t", first.commitment()) };
    assert_eq!(trial.kept.take(), Some(mine.clone()));
    trial.hear(&shown("gathering", &other, true));
    trial.settle();
    assert_eq!((trial.kept.take(), trial.client.kept("t")), (None, Some(&mine)), "nothing new is believed");
    trial.hear(&shown("over", &other, true));
    trial.settle();
    let outcome = Some(Outcome { ranks: vec![1], scores: vec![4] });
    assert_eq!(trial.kept.take(), Some(Kept { outcome, ..mine }));
}

#[test]
fn what_was_kept_before_a_reload_counts_and_not_what_is_shown_after_it() {
    let (first, other) = (Seed::from_number(1), Seed::from_number(2));
    let mut trial = Trial::new();
    let kept = Kept { seed: Some("mine".into()), ..Kept::new("t", first.commitment()) };
    trial.client.recall(kept.clone());
    trial.client.follow("t");
    trial.open(true);
    trial.hear(&shown("playing", &other, true));
    trial.settle();
    assert_eq!((trial.kept.take(), trial.client.kept("t")), (None, Some(&kept)));
}

#[test]
fn what_was_refused_or_left_with_a_seat_is_not_looked_for() {
    let seed = Seed::from_number(1);
    let mut trial = Trial::new();
    trial.open(true);
    trial.client.follow("t");
    trial.hear(&shown("gathering", &seed, true));
    let id = trial.client.command(ready("refused"), "ready");
    trial.hear(&json!({"msg": "refused", "id": id, "code": "started", "says": "No."}));
    assert_eq!(trial.client.kept("t").and_then(|kept| kept.seed.as_deref()), None);
    let id = trial.client.command(ready("mine"), "ready");
    done(&mut trial, id);
    assert_eq!(trial.client.kept("t").and_then(|kept| kept.seed.as_deref()), Some("mine"));
    let left = json!({"msg": "event", "table": "t", "seq": 8, "why": {"what": "left", "seat": 0}, "phase": "gathering",
        "time": 0, "now": 0, "seats": [{"seat": 0, "place": {"is": "open"}}]});
    trial.hear(&left);
    trial.settle();
    assert_eq!(trial.kept.take(), Some(Kept::new("t", seed.commitment())));
    // In a running game a seat is taken back, and adds nothing.
    trial.hear(&shown("playing", &seed, true));
    let back = |id| Command::Join { id, table: "t".into(), seat: Some(0), name: None, seed: "late".into() };
    let id = trial.client.command(back, "join");
    done(&mut trial, id);
    assert_eq!(trial.client.kept("t"), Some(&Kept::new("t", seed.commitment())));
}

#[test]
fn what_is_added_to_a_table_that_we_make_is_kept_with_its_commitment() {
    let seed = Seed::from_number(1);
    let mut trial = Trial::new();
    trial.open(true);
    let create = |id| Command::Create {
        id,
        game: "cubo".into(),
        options: Value::Null,
        seats: Vec::new(),
        public: false,
        rated: false,
        grace: None,
        seed: "mine".into(),
    };
    let id = trial.client.command(create, "create");
    done(&mut trial, id);
    trial.client.follow("t");
    trial.hear(&shown("gathering", &seed, true));
    trial.settle();
    let mine = Kept { seed: Some("mine".into()), ..Kept::new("t", seed.commitment()) };
    assert_eq!(trial.kept, Some(mine));
}

/// The commands of one kind that were said, after the client did what it wanted done.
fn said(trial: &mut Trial, name: &str) -> Vec<Value> {
    trial.settle();
    trial.commands(name).into_iter().cloned().collect()
}

fn ask(throw: u32, sum: &str, link: u32) -> Value {
    json!({"msg": "ask", "table": "t", "throw": throw, "sum": sum, "seat": 0, "link": link})
}

/// Ann sits at a table, and the house has her anchor. Answers it.
fn chained(trial: &mut Trial) -> Value {
    trial.client.takes_part(Secret::new([5; 32]));
    trial.open(true);
    trial.client.follow("t");
    trial.hear(&shown("gathering", &Seed::from_number(1), true));
    let chain = said(trial, "chain").remove(0);
    let kept = trial.kept.clone().expect("its secret is kept before it is said");
    assert_eq!(json!(kept.chains[0].secret.anchor()), chain["anchor"]);
    done(trial, chain["id"].as_u64().expect("a number"));
    assert!(trial.kept.as_ref().expect("kept").chains[0].accepted);
    chain["anchor"].clone()
}

#[test]
fn a_client_that_sits_says_its_anchor_once_and_answers_every_throw_by_itself() {
    let mut trial = Trial::new();
    chained(&mut trial);
    trial.hear(&shown("gathering", &Seed::from_number(1), true));
    assert!(said(&mut trial, "chain").is_empty(), "it was said");
    trial.hear(&ask(1, "aa", 1));
    let link = said(&mut trial, "link").remove(0);
    let chain = trial.kept.clone().expect("it is noted before it is answered").chains.remove(0);
    assert_eq!(link["link"], json!(chain.secret.link(1)));
    assert_eq!((chain.answered[0].throw, chain.answered[0].sum.as_str()), (1, "aa"));
    trial.hear(&ask(1, "aa", 1));
    assert_eq!(said(&mut trial, "link"), [link], "asked again after a loss, it says the same");
}

#[test]
fn a_house_that_asks_as_an_honest_one_does_not_gets_no_link() {
    let mut trial = Trial::new();
    chained(&mut trial);
    trial.hear(&ask(1, "aa", 1));
    trial.settle();
    let twice = News::Cheated("t".into(), Broken::AskedTwice { throw: 1 });
    for (bad, news) in [
        (ask(1, "bb", 1), Some(twice)),
        // These may be late letters of an honest house: they are no evidence.
        (ask(3, "cc", 2), None),
        (ask(900, "cc", 900), None),
        (ask(2, "cc", 3), None),
    ] {
        assert_eq!(trial.hear(&bad), news, "{bad}");
        assert!(said(&mut trial, "link").is_empty(), "{bad}");
    }
    trial.hear(&ask(2, "cc", 2));
    assert_eq!(said(&mut trial, "link").len(), 1, "an honest question is answered still");
}

#[test]
fn a_client_whose_chain_is_not_used_brings_another_and_one_that_comes_back_says_it_again() {
    let mut trial = Trial::new();
    let first = chained(&mut trial);
    trial.hear(&json!({"msg": "unchained", "table": "t"}));
    let second = said(&mut trial, "chain").remove(0);
    assert_ne!(second["anchor"], first);
    let kept = trial.kept.clone().expect("kept");
    assert_eq!(kept.chains.len(), 2);
    trial.client.lost(None, trial.now);
    trial.client.wake(trial.now);
    trial.client.opened(trial.now);
    trial.hear(
        &json!({"msg": "welcome", "protocol": PROTOCOL, "you": {"id": "ann", "name": "Ann"}, "now": 0}),
    );
    assert_eq!(
        said(&mut trial, "chain"),
        std::slice::from_ref(&second),
        "what was not answered is said again"
    );
    let mut later = Trial::new();
    later.client.takes_part(Secret::new([6; 32]));
    later.client.recall(kept);
    later.client.follow("t");
    later.open(true);
    later.hear(&shown("gathering", &Seed::from_number(1), true));
    assert_eq!(said(&mut later, "chain")[0]["anchor"], second["anchor"], "the secret outlived the program");
    let mut watcher = Trial::new();
    watcher.client.takes_part(Secret::new([6; 32]));
    watcher.open(true);
    watcher.client.follow("t");
    watcher.hear(&shown("gathering", &Seed::from_number(1), false));
    assert!(said(&mut watcher, "chain").is_empty(), "whoever only watches adds nothing");
}
