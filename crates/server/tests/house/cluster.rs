//! Many nodes on one database and one NATS: play across nodes, hand-over, nodes and engines that are killed, frozen and restarted under load.
//! Skipped, with a word why, where PostgreSQL or NATS is not installed.

use crate::common::{Http, Node, PATIENCE, Wire, guest, roomy};
use crate::engines::{Database, Front, Nats, database, nats};
use crate::faults::{Player, Process, free_address};
use crate::store;
use serde_json::json;
use server::store::postgres::Postgres;
use server::store::{Append, Claim, Kind, NewTable, Store, StoreFault, Stored};
use server::{Config, NoPage, Server};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// PostgreSQL, NATS, and a house of nodes in this process.
pub(crate) struct Site {
    nodes: Vec<Option<Node>>,
    config: Config,
    _nats: Nats,
    _database: Database,
}

impl Site {
    pub(crate) async fn open(change: impl FnOnce(&mut Config)) -> Option<Site> {
        let (database, nats) = (database()?, nats()?);
        let mut config = Config::new("127.0.0.1:0".parse().unwrap(), "nowhere");
        config.database = Some(database.database("house").unwrap());
        config.nats = Some(nats.url());
        roomy(&mut config);
        change(&mut config);
        let mut site = Site { nodes: Vec::new(), config, _nats: nats, _database: database };
        for _ in 0..3 {
            site.one_more().await;
        }
        Some(site)
    }

    async fn one_more(&mut self) {
        let server = Server::bind(self.config.clone(), NoPage).await.unwrap();
        self.nodes.push(Some(Node::run(server)));
    }

    pub(crate) fn at(&self, node: usize) -> SocketAddr {
        self.nodes[node].as_ref().unwrap().address
    }

    pub(crate) async fn stop(&mut self, node: usize) {
        self.nodes[node].take().unwrap().close().await;
    }

    pub(crate) async fn close(mut self) {
        for node in self.nodes.drain(..).flatten() {
            node.close().await;
        }
    }
}

/// Events of a table, as they were heard: each once, and none left out.
async fn hear_up_to(wire: &mut Wire, heard: &mut u64, seq: u64) {
    while *heard < seq {
        let event = wire.hear_msg("event").await;
        assert_eq!(event["seq"], *heard + 1, "{event}");
        *heard += 1;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_played_across_nodes_and_everybody_hears_everything_once_and_in_order() {
    let Some(site) = Site::open(|_| {}).await else { return };
    let (ann, ben, cid) =
        (guest(site.at(0), "Ann").await, guest(site.at(1), "Ben").await, guest(site.at(2), "Cid").await);
    let mut a = Wire::open(site.at(0), &ann, "a").await;
    let mut b = Wire::open(site.at(1), &ben, "b").await;
    let mut c = Wire::open(site.at(2), &cid, "c").await;
    c.done(json!({"cmd": "lobby", "on": true})).await;
    let options = json!({"throws": 3, "window": 600});
    let seats = json!([{"for": "me"}, {"for": "open"}]);
    let table =
        a.create(json!({"game": "roulette", "options": options, "seats": seats, "public": true})).await;
    // The lobby of every node shows it.
    loop {
        let news = c.hear().await;
        if news.to_string().contains(&table) {
            break;
        }
    }
    let view = c.view(&table).await;
    let mut heard = view["seq"].as_u64().unwrap();
    b.done(json!({"cmd": "join", "table": table, "seed": "b"})).await;
    b.done(json!({"cmd": "ready", "table": table, "ready": true})).await;
    a.done(json!({"cmd": "start", "table": table})).await;
    let mut seq = 0;
    for stake in 1..=20_u64 {
        let act = json!({"do": "lay", "bets": [format!("black={}", stake % 5 + 1)]});
        a.act(&table, act.clone()).await;
        seq = b.act(&table, act).await["seq"].as_u64().unwrap();
    }
    hear_up_to(&mut c, &mut heard, seq).await;
    // Who only watches has heard nothing that is somebody's own.
    let seen = c.view(&table).await;
    assert!(seen.get("private").is_none_or(|private| private.as_array().is_none_or(Vec::is_empty)), "{seen}");
    assert_eq!(seen["watching"], 3, "{seen}");
    // A command that comes again, at another node, changes nothing and is answered the same.
    let mut again = Wire::open(site.at(2), &ben, "b").await;
    again.send(&json!({"cmd": "act", "id": b.id, "table": table, "act": {"do": "clear"}})).await;
    assert_eq!(again.answer(b.id).await["seq"], seq);
    // Everybody goes; then a new comer at any node finds the table as it was.
    let before = a.view(&table).await;
    drop((a, b, c, again));
    let mut late = Wire::open(site.at(1), &ann, "late").await;
    assert_eq!(late.view(&table).await["public"], before["public"]);
    site.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_stops_hands_its_tables_over_and_a_socket_elsewhere_notices_nothing() {
    let Some(mut site) = Site::open(|_| {}).await else { return };
    let (ann, ben) = (guest(site.at(0), "Ann").await, guest(site.at(1), "Ben").await);
    let mut a = Wire::open(site.at(0), &ann, "a").await;
    let mut b = Wire::open(site.at(1), &ben, "b").await;
    let options = json!({"throws": 1_000, "window": 3600});
    let table = a
        .create(json!({"game": "roulette", "options": options, "seats": [{"for": "me"}, {"for": "open"}]}))
        .await;
    b.done(json!({"cmd": "join", "table": table})).await;
    a.done(json!({"cmd": "start", "table": table, "anyway": true})).await;
    let mut seq = b.act(&table, json!({"do": "lay", "bets": ["black=1"]})).await["seq"].as_u64().unwrap();
    // The table is at the first node, where it was made. That one stops; then the next that has it; then only one is left.
    for stops in [0, 2] {
        site.one_more().await;
        let stopping = site.stop(stops);
        let playing = async {
            let (began, mut played) = (Instant::now(), 0);
            while played < 30 || began.elapsed() < Duration::from_secs(1) {
                let lays = json!({"do": "lay", "bets": ["red=1"]});
                let act = if played % 2 == 0 { lays } else { json!({"do": "clear"}) };
                let done = b.act(&table, act).await;
                assert_eq!(done["seq"], seq + 1, "{done}");
                (seq, played) = (seq + 1, played + 1);
            }
        };
        tokio::join!(stopping, playing);
    }
    assert_eq!(a.closed().await.map(|frame| u16::from(frame.code)), Some(1012));
    let mut a = Wire::open(site.at(3), &ann, "a2").await;
    a.done(json!({"cmd": "watch", "table": table, "seq": seq - 1})).await;
    a.act(&table, json!({"do": "lay", "bets": ["black=2"]})).await;
    b.hear_event("acted").await;
    site.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_answered_is_not_done_again_by_the_node_that_has_the_table_next() {
    let Some(mut site) = Site::open(|_| {}).await else { return };
    let (ann, eve) = (guest(site.at(0), "Ann").await, guest(site.at(1), "Eve").await);
    let mut wire = Wire::open(site.at(0), &ann, "a").await;
    let options = json!({"throws": 3, "window": 3600});
    let table = wire.create(json!({"game": "roulette", "options": options, "seats": [{"for": "me"}]})).await;
    wire.done(json!({"cmd": "start", "table": table})).await;
    let bet = json!({"cmd": "act", "id": 900, "table": table, "act": {"do": "lay", "bets": ["black=1"]}});
    wire.send(&bet).await;
    let done = wire.answer(900).await;
    for (stops, asks) in [(0, 1), (1, 2)] {
        // The table goes where strangers are the first to ask for it, by many names, and are refused everything.
        site.stop(stops).await;
        for client in 0..40 {
            let mut stranger = Wire::open(site.at(asks), &eve, &format!("eve{client}")).await;
            let act = json!({"cmd": "act", "table": table, "act": {"do": "clear"}});
            assert_eq!(stranger.refused(act).await, "not-seated");
        }
        let mut back = Wire::open(site.at(asks), &ann, "a").await;
        back.send(&bet).await;
        assert_eq!(back.answer(900).await, done, "the bet was laid twice");
    }
    site.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_node_allows_counts_at_the_others() {
    let Some(site) = Site::open(|config| config.limits.guests = 4).await else { return };
    for number in 0..4 {
        guest(site.at(number % 2), &format!("Guest {number}")).await;
    }
    let began = Instant::now();
    loop {
        let answer = Http::post("/api/me").json(&json!({"name": "One more"})).send(site.at(2)).await;
        if answer.status == 429 {
            break;
        }
        assert!(began.elapsed() < PATIENCE, "{}", answer.body);
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    site.close().await;
}

fn new_table(id: &str) -> NewTable {
    NewTable { sitting: Vec::new(), ..store::new_table(id, id) }
}

async fn claimed(store: &Postgres, id: &str) -> Option<Stored> {
    match store.claim(id.to_owned(), 2_000).await.unwrap() {
        Claim::Mine(stored) => Some(*stored),
        Claim::Theirs(_) => None,
        Claim::Unknown => panic!("no such table"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_node_has_a_table_and_one_that_was_taken_for_dead_writes_nothing_more() {
    let Some(database) = database() else { return };
    let url = database.database("house").unwrap();
    let (one, two) = (Postgres::join(&url).await.unwrap(), Postgres::join(&url).await.unwrap());
    // A server that would have the house for itself is turned away, and two that share it are not.
    let alone = tokio::time::timeout(PATIENCE, Postgres::open(&url, 1)).await.unwrap().err();
    assert!(matches!(alone, Some(StoreFault::InUse(_))), "{alone:?}");
    one.alive(2_000).await.unwrap();
    two.alive(2_000).await.unwrap();
    assert_eq!(one.nodes().await.unwrap().len(), 2, "both live");
    for id in ["a", "b"] {
        one.make(new_table(id)).await.unwrap();
    }
    assert_eq!(two.make(new_table("a")).await, Ok("a".to_owned()), "asked for again, at another node");
    let (a, b) = (claimed(&one, "a").await.unwrap(), claimed(&one, "b").await.unwrap());
    assert!(claimed(&two, "a").await.is_none(), "the first lives, and has it");
    assert!(matches!(two.claim("a".to_owned(), 1).await, Ok(Claim::Theirs(node)) if node == one.node()));
    // The first is silent for so long that it is taken for dead.
    let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let silent = "UPDATE parlor.nodes SET until = clock_timestamp() WHERE node = $1";
    client.execute(silent, &[&one.node().0]).await.unwrap();
    assert_eq!(one.nodes().await.unwrap(), [two.node()]);
    let taken = claimed(&two, "a").await.unwrap();
    assert!(taken.key.epoch > a.key.epoch);
    // It comes back. What it had and lost it cannot write to; what nobody took is still its own, in the same moment.
    let append = |key, text: &str| store::rows(key, 1, vec![store::row(Kind::Life, text, 1_000)]);
    let (lost, kept) = tokio::join!(one.append(append(a.key, "late")), one.append(append(b.key, "mine")));
    assert_eq!((lost, kept), (Err(StoreFault::Fenced), Ok(())));
    two.append(append(taken.key, "new")).await.unwrap();
    let texts = |stored: Stored| stored.rows.into_iter().map(|row| row.text).collect::<Vec<_>>();
    assert_eq!(texts(two.load("a".to_owned(), 1).await.unwrap().unwrap()), ["first", "new"]);
    // Let go of, a table is whose who asks first.
    two.append(Append { leave: true, ..Append::new(taken.key) }).await.unwrap();
    one.alive(3_000).await.unwrap();
    assert!(claimed(&one, "a").await.is_some() && claimed(&two, "a").await.is_none());
    // Many claim one table at once: one gets it.
    one.append(Append { leave: true, ..Append::new(claimed(&one, "b").await.unwrap().key) }).await.unwrap();
    let (first, second) = tokio::join!(claimed(&one, "b"), claimed(&two, "b"));
    assert!(first.is_some() != second.is_some());
    one.close().await.unwrap();
    assert!(claimed(&two, "a").await.is_some(), "who has gone is not waited for");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_that_a_table_had_no_living_owner_is_charged_to_nobody() {
    let Some(database) = database() else { return };
    let url = database.database("house").unwrap();
    let (one, two) = (Postgres::join(&url).await.unwrap(), Postgres::join(&url).await.unwrap());
    one.make(new_table("a")).await.unwrap();
    let held = claimed(&one, "a").await.unwrap();
    let line = store::row(Kind::Line, r#"{"t":500}"#, 10_000);
    one.append(store::rows(held.key, 1, vec![line])).await.unwrap();
    one.alive(12_000).await.unwrap();
    one.close().await.unwrap();
    let Claim::Mine(stored) = two.claim("a".to_owned(), 99_000).await.unwrap() else { panic!() };
    // Two seconds until the last sign of life of its owner; none of the rest.
    assert_eq!(stored.clock, table::Time(2_500));
}

/// Nodes as processes of their own behind one address, and players who come back by themselves.
struct Field {
    nodes: Vec<Option<Process>>,
    listen: Vec<String>,
    url: String,
    nats: Nats,
    database: Database,
    front: Front,
}

fn addresses(listen: &[String]) -> Vec<SocketAddr> {
    listen.iter().map(|at| at.parse().unwrap()).collect()
}

impl Field {
    fn open() -> Option<Field> {
        let (database, nats) = (database()?, nats()?);
        let url = database.database("house").unwrap();
        let listen: Vec<String> = (0..3).map(|_| free_address()).collect();
        let nodes = listen.iter().map(|listen| Some(Process::node(listen, &url, &nats.url()))).collect();
        let front = Front::open("127.0.0.1:0".parse().unwrap(), addresses(&listen)).unwrap();
        Some(Field { nodes, listen, url, nats, database, front })
    }

    fn start(&mut self, node: usize) {
        self.nodes[node] = Some(Process::node(&self.listen[node], &self.url, &self.nats.url()));
    }

    async fn players(&self, count: usize) -> Vec<Player> {
        let mut players = Vec::new();
        for number in 0..count {
            let guest = guest(self.front.address(), &format!("Player {number}")).await;
            players.push(Player::seated(self.front.address(), guest, &format!("player{number}")).await);
        }
        players
    }
}

/// Everybody plays while something happens, and until all have played a while after it.
async fn play_during(
    field: &mut Field,
    players: Vec<Player>,
    happens: impl AsyncFnOnce(&mut Field),
) -> Vec<Player> {
    let stop = Arc::new(AtomicBool::new(false));
    let front = field.front.address();
    let playing: Vec<_> = players
        .into_iter()
        .map(|mut player| {
            let stop = Arc::clone(&stop);
            tokio::spawn(async move {
                let mut after = None;
                loop {
                    player.play_some(front, 10).await;
                    // A few acts after it is over, whatever happened.
                    let over = stop.load(Ordering::Relaxed).then_some(player.acts());
                    after = after.or(over);
                    if after.is_some_and(|after| player.acts() >= after + 20) {
                        return player;
                    }
                }
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    happens(field).await;
    stop.store(true, Ordering::Relaxed);
    let mut players = Vec::new();
    for player in playing {
        players.push(tokio::time::timeout(PATIENCE, player).await.expect("play goes on").unwrap());
    }
    players
}

/// Every answered command is there once, every row has its number, and every game is what its record says.
async fn all_is_well(field: &Field, players: &[Player]) {
    let (client, connection) = tokio_postgres::connect(&field.url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    for player in players {
        let sql = "SELECT count(*), count(DISTINCT by_id), max(n) + 1 - count(*) FROM parlor.lines
                   WHERE tab = (SELECT key FROM parlor.tables WHERE id = $1)
                   AND ($2::bigint IS NULL OR by_id >= $2)";
        let row = client.query_one(sql, &[&player.table, &Some(101_i64)]).await.unwrap();
        let (rows, commands): (i64, i64) = (row.get(0), row.get(1));
        assert_eq!(rows, commands, "no command is done twice");
        let answered = player.acts() as i64;
        assert!(rows == answered || rows == answered + 1, "{rows} rows of {answered} answered acts");
        let row = client.query_one(sql, &[&player.table, &None::<i64>]).await.unwrap();
        assert_eq!(row.get::<_, i64>(2), 0, "no row is missing");
        let mut wire = Wire::open(field.front.address(), &player.guest, "afterwards").await;
        let seq = wire.view(&player.table).await["seq"].as_u64().unwrap();
        assert!(seq == player.seq - 1 || seq == player.seq, "{seq} {}", player.seq);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_killed_frozen_or_restarted_in_turns_no_answered_act_is_lost_and_none_is_done_twice() {
    let Some(mut field) = Field::open() else { return };
    let mut players = field.players(9).await;
    for node in 0..3 {
        players = play_during(&mut field, players, async |field: &mut Field| {
            field.nodes[node].take().unwrap().kill();
            tokio::time::sleep(Duration::from_millis(500)).await;
            field.start(node);
        })
        .await;
    }
    // Frozen for longer than it may be silent: others take its tables, and it must not write when it wakes up.
    players = play_during(&mut field, players, async |field: &mut Field| {
        let node = field.nodes[1].as_ref().unwrap();
        node.signal("-STOP");
        tokio::time::sleep(Duration::from_secs(5)).await;
        node.signal("-CONT");
    })
    .await;
    players = play_during(&mut field, players, async |field: &mut Field| {
        field.nats.down().unwrap();
        tokio::time::sleep(Duration::from_millis(500)).await;
        field.nats.up().unwrap();
    })
    .await;
    players = play_during(&mut field, players, async |field: &mut Field| {
        field.database.down().unwrap();
        field.database.up().unwrap();
    })
    .await;
    all_is_well(&field, &players).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_wakes_up_refuses_nothing_by_what_it_remembers() {
    let Some(field) = Field::open() else { return };
    let [owner, other] = [0, 1].map(|node: usize| field.nodes[node].as_ref().unwrap());
    let ann = guest(owner.address, "Ann").await;
    let mut player = Player::seated(owner.address, ann, "ann").await;
    let mut asleep = Wire::open(owner.address, &player.guest, "ann").await;
    asleep.done(json!({"cmd": "watch", "table": player.table})).await;
    owner.signal("-STOP");
    // The other node takes the table, and Ann lays a chip there.
    player.play_some(other.address, 1).await;
    // The first one hears at once, when it wakes up, that she takes it back.
    asleep.send(&json!({"cmd": "act", "id": 900, "table": player.table, "act": {"do": "clear"}})).await;
    owner.signal("-CONT");
    let answer = asleep.answer(900).await;
    assert_eq!((&answer["msg"], &answer["seq"]), (&json!("done"), &json!(player.seq)), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_a_table_while_the_database_is_away_waits_for_it() {
    let Some(field) = Field::open() else { return };
    let [owner, other] = [0, 1].map(|node: usize| field.nodes[node].as_ref().unwrap());
    let ann = guest(owner.address, "Ann").await;
    let player = Player::seated(owner.address, ann, "ann").await;
    // A node that has never seen the table, and cannot ask whose it is.
    let mut there = Wire::open(other.address, &player.guest, "ann").await;
    field.database.down().unwrap();
    there.send(&json!({"cmd": "act", "id": 900, "table": player.table, "act": {"do": "lay", "bets": ["black=1"]}})).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    field.database.up().unwrap();
    let answer = there.answer(900).await;
    assert_eq!((&answer["msg"], &answer["seq"]), (&json!("done"), &json!(player.seq)), "{answer}");
}

/// Restarts all nodes, one after the other, in the middle of so many games.
async fn restart_all(games: usize) {
    let Some(mut field) = Field::open() else { return };
    let players = field.players(games).await;
    let players = play_during(&mut field, players, async |field: &mut Field| {
        for node in 0..3 {
            let process = field.nodes[node].take().unwrap();
            assert!(tokio::task::spawn_blocking(|| process.terminate()).await.unwrap(), "it stops cleanly");
            field.start(node);
        }
    })
    .await;
    all_is_well(&field, &players).await;
    eprintln!("{games} games, {} acts answered", players.iter().map(Player::acts).sum::<u64>());
}

#[tokio::test(flavor = "multi_thread")]
async fn all_nodes_are_restarted_one_after_the_other_in_the_middle_of_many_games_and_nothing_is_lost() {
    restart_all(40).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes: cargo test -p server --test house -- --ignored five_hundred --nocapture"]
async fn all_nodes_are_restarted_one_after_the_other_in_the_middle_of_five_hundred_games() {
    restart_all(500).await;
}

/// A network for one node, and the cable to it. Needs the superuser and the program `ip`.
struct Cable {
    name: String,
    /// Its ends: here, and at the node.
    here: String,
    there: String,
}

impl Cable {
    fn lay() -> Option<Cable> {
        let number = std::process::id() % 250;
        let name = format!("parlor{number}");
        let cable = Cable { here: format!("10.213.{number}.1"), there: format!("10.213.{number}.2"), name };
        let Cable { name, here, there } = &cable;
        let steps = [
            format!("netns add {name}"),
            format!("link add {name}a type veth peer name {name}b netns {name}"),
            format!("addr add {here}/24 dev {name}a"),
            format!("link set {name}a up"),
            format!("-n {name} addr add {there}/24 dev {name}b"),
            format!("-n {name} link set {name}b up"),
            format!("-n {name} link set lo up"),
        ];
        if steps.iter().all(|step| ip(step)) {
            return Some(cable);
        }
        eprintln!("skipped: this test needs a network namespace (the superuser, and the program ip)");
        None
    }

    fn cut(&self, cut: bool) {
        assert!(ip(&format!("link set {}a {}", self.name, if cut { "down" } else { "up" })));
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        ip(&format!("netns del {}", self.name)); // the cable goes with it
    }
}

fn ip(words: &str) -> bool {
    let done = std::process::Command::new("ip").args(words.split(' ')).output();
    done.is_ok_and(|done| done.status.success())
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "changes the machine's network: cargo test -p server --test house -- --ignored cable --nocapture"]
async fn a_node_whose_cable_is_cut_loses_its_tables_to_the_others_and_nothing_else() {
    let Some(cable) = Cable::lay() else { return };
    let (Some(database), Some(nats)) = (
        engines::if_here(Database::start_at(Some(cable.here.clone()))).unwrap(),
        engines::if_here(Nats::start_at("0.0.0.0")).unwrap(),
    ) else {
        return;
    };
    let url = database.database("house").unwrap();
    let far = |url: &str| url.replace("127.0.0.1", &cable.here);
    let listen = vec![free_address(), free_address(), format!("{}:7801", cable.there)];
    let here = |at: usize| Some(Process::node(&listen[at], &url, &nats.url()));
    let there = Process::node_in(&cable.name, &listen[2], &far(&url), &far(&nats.url()));
    let nodes = vec![here(0), here(1), Some(there)];
    let front = Front::open("127.0.0.1:0".parse().unwrap(), addresses(&listen)).unwrap();
    let mut field = Field { nodes, listen, url, nats, database, front };
    let players = field.players(30).await;
    let players = play_during(&mut field, players, async |_: &mut Field| {
        // For less than a node may be silent, and for longer.
        for seconds in [1, 6] {
            tokio::time::sleep(Duration::from_secs(1)).await;
            cable.cut(true);
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            cable.cut(false);
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    })
    .await;
    all_is_well(&field, &players).await;
    eprintln!("{} acts answered", players.iter().map(Player::acts).sum::<u64>());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_says_what_it_needs() {
    let words = |config: Config| async {
        Server::bind(config, NoPage).await.err().map(|fault| fault.to_string()).unwrap_or_default()
    };
    let mut config = Config::new("127.0.0.1:0".parse().unwrap(), "nowhere");
    config.nats = Some("nats://127.0.0.1:1".to_owned());
    assert!(words(config.clone()).await.contains("--database"));
    let Some(database) = database() else { return };
    config.database = Some(database.database("house").unwrap());
    assert!(words(config).await.contains("NATS cannot be reached"));
}
