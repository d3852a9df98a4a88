//! What may go wrong, made to go wrong: kill -9 in the middle, a full disk, a disk that cannot be written to.

use crate::common::{DATABASE, Guest, House, Wire, database, guest, roomy};
use serde_json::{Value, json};
use server::store::{self, Append, Later, NewTable, Store, StoreFault};
use server::{Config, NoPage, Server};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Where the child finds its folder and its address.
const CHILD: &str = "PARLOR_TEST_CHILD";

/// Not a test by itself: the server that the others start as a process of its own, and kill.
#[test]
fn child_server() {
    let Ok(wish) = std::env::var(CHILD) else { return };
    let (listen, data) = wish.split_once(' ').unwrap();
    let mut config = Config::new(listen.parse().unwrap(), data);
    roomy(&mut config);
    if let Some((url, nats)) = data.split_once(' ') {
        (config.database, config.nats) = (Some(url.to_owned()), Some(nats.to_owned()));
    } else {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        config.database = runtime.block_on(database(Path::new(data)));
    }
    server::run(config, NoPage, |open| eprintln!("listening {}", open.address)).unwrap();
}

/// A server in a process of its own.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Process {
    pub(crate) fn start(data: &Path, listen: &str) -> Process {
        Process::run(Command::new(std::env::current_exe().unwrap()), &data.display().to_string(), listen)
    }

    /// One of many nodes.
    pub(crate) fn node(listen: &str, url: &str, nats: &str) -> Process {
        Process::run(Command::new(std::env::current_exe().unwrap()), &format!("{url} {nats}"), listen)
    }

    /// One of many nodes, in a network of its own.
    pub(crate) fn node_in(network: &str, listen: &str, url: &str, nats: &str) -> Process {
        let mut inside = Command::new("ip");
        inside.args(["netns", "exec", network]).arg(std::env::current_exe().unwrap());
        Process::run(inside, &format!("{url} {nats}"), listen)
    }

    /// A server none of whose files may grow beyond so many half kilobytes, until somebody raises the limit.
    fn start_limited(data: &Path, listen: &str, blocks: u32) -> Process {
        let mut shell = Command::new("sh");
        let limit = format!("trap '' XFSZ; ulimit -S -f {blocks}; exec \"$0\" \"$@\"");
        shell.arg("-c").arg(limit).arg(std::env::current_exe().unwrap());
        Process::run(shell, &data.display().to_string(), listen)
    }

    fn run(mut command: Command, data: &str, listen: &str) -> Process {
        let mut child = command
            .args(["--exact", "faults::child_server", "--nocapture", "--test-threads=1"])
            .env(CHILD, format!("{listen} {data}"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let mut last = String::new();
        let address = lines
            .by_ref()
            .find_map(|line| {
                last = line;
                last.strip_prefix("listening ")?.parse().ok()
            })
            .unwrap_or_else(|| panic!("the server did not start: {last}"));
        // Read the rest, so that the child never waits for a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Process { child, address }
    }

    /// kill -9.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn signal(&self, signal: &str) {
        Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
    }

    pub(crate) fn terminate(mut self) -> bool {
        self.signal("-TERM");
        self.child.wait().unwrap().success()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop((self.child.kill(), self.child.wait())); // it may have ended already
    }
}

/// A player alone at a table who acts as fast as answers come, and comes back by himself.
pub(crate) struct Player {
    pub(crate) guest: Guest,
    pub(crate) table: String,
    client: String,
    /// The number of the next command, and what it must be answered.
    id: u64,
    pub(crate) seq: u64,
}

impl Player {
    /// Somebody at a table of one's own that has started.
    pub(crate) async fn seated(address: SocketAddr, guest: Guest, client: &str) -> Player {
        let mut wire = Wire::open(address, &guest, client).await;
        let options = json!({"throws": 10_000, "window": 3600});
        let table =
            wire.create(json!({"game": "roulette", "options": options, "seats": [{"for": "me"}]})).await;
        let seq = wire.done(json!({"cmd": "start", "table": table})).await["seq"].as_u64().unwrap() + 1;
        Player { guest, table, client: client.to_owned(), id: 101, seq }
    }

    /// How many acts were answered.
    pub(crate) fn acts(&self) -> u64 {
        self.id - 101
    }

    fn act(&self) -> Value {
        let act = if self.id.is_multiple_of(2) {
            json!({"do": "clear"})
        } else {
            json!({"do": "lay", "bets": ["black=1"]})
        };
        json!({"cmd": "act", "id": self.id, "table": self.table, "act": act})
    }

    /// Plays until the server dies. Each command causes exactly one event: one that is lost or done twice shows in its answer.
    async fn play(&mut self, address: SocketAddr) {
        self.play_some(address, u64::MAX).await;
    }

    /// The same, but not more than so many acts.
    pub(crate) async fn play_some(&mut self, address: SocketAddr, acts: u64) {
        let Some(mut wire) = Wire::try_open(address, &self.guest, &self.client).await else {
            return tokio::time::sleep(Duration::from_millis(50)).await;
        };
        wire.send(
            &json!({"cmd": "watch", "id": 1_000_000_000 + self.id, "table": self.table, "seq": self.seq - 1}),
        )
        .await;
        for _ in 0..acts {
            wire.send(&self.act()).await;
            loop {
                let Some(heard) = wire.try_hear().await else { return };
                if heard["id"] == self.id {
                    assert_eq!((&heard["msg"], &heard["seq"]), (&json!("done"), &json!(self.seq)), "{heard}");
                    break;
                }
            }
            (self.id, self.seq) = (self.id + 1, self.seq + 1);
        }
    }
}

pub(crate) fn free_address() -> String {
    format!("127.0.0.1:{}", engines::free_port().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_times_killed_no_answered_act_is_lost_and_none_is_done_twice() {
    const ROUNDS: u64 = 50;
    let folder = tempfile::tempdir().unwrap();
    let listen = free_address();
    let mut players = Vec::new();
    let process = Process::start(folder.path(), &listen);
    for number in 0..6 {
        let guest = guest(process.address, &format!("Player {number}")).await;
        players.push(Player::seated(process.address, guest, &format!("killed{number}")).await);
    }
    process.kill();
    for round in 0..ROUNDS {
        let process = Process::start(folder.path(), &listen);
        let address = process.address;
        if round % 2 == 0 {
            // However slow the machine: somebody comes to play.
            let player = round as usize / 2 % players.len();
            players[player].play_some(address, 5).await;
        }
        let playing: Vec<_> = players
            .into_iter()
            .map(|mut player| {
                tokio::spawn(async move {
                    player.play(address).await;
                    player
                })
            })
            .collect();
        // At another moment in each round: in the middle of coming back, or of playing.
        tokio::time::sleep(Duration::from_millis(20 + round * 37 % 160)).await;
        process.kill();
        players = Vec::new();
        for player in playing {
            players.push(player.await.unwrap());
        }
    }
    let acts: u64 = players.iter().map(Player::acts).sum();
    assert!(acts > 100, "only {acts} acts were answered");
    if std::env::var(DATABASE).is_err() {
        let data = folder.path().to_owned();
        let health =
            tokio::task::spawn_blocking(move || server::doctor(&data, |_, _| {}).unwrap()).await.unwrap();
        assert_eq!((health.playing, &health.faults), (6, &Vec::new()));
    }
    {
        let process = Process::start(folder.path(), &listen);
        for player in &players {
            let mut wire = Wire::open(process.address, &player.guest, "afterwards").await;
            let seq = wire.view(&player.table).await["seq"].as_u64().unwrap();
            // The command that was not answered may have been carried out, or not; no other.
            assert!(seq == player.seq - 1 || seq == player.seq, "{seq} {}", player.seq);
        }
        assert!(process.terminate(), "asked to stop, it stops cleanly");
    }
}

/// A store that fails when it is told to.
struct Faulty {
    inside: store::sqlite::Sqlite,
    mode: AtomicU8,
    /// How many writes failed.
    failed: AtomicU64,
}

impl Faulty {
    /// A house with such a store.
    async fn house(folder: &Path) -> (Arc<Faulty>, House) {
        let inside = store::sqlite::Sqlite::open(folder, 1).unwrap();
        let faulty = Arc::new(Faulty { inside, mode: AtomicU8::new(0), failed: AtomicU64::new(0) });
        let mut config = Config::new("127.0.0.1:0".parse().unwrap(), folder);
        roomy(&mut config);
        let store = Arc::new(Handle(Arc::clone(&faulty)));
        let server = Server::with_store(config, NoPage, store).await.unwrap();
        (faulty, House::run(server, folder))
    }

    fn fault(&self) -> Option<StoreFault> {
        match self.mode.load(Ordering::SeqCst) {
            0 => None,
            1 => Some(StoreFault::Full),
            _ => Some(StoreFault::ReadOnly),
        }
    }

    fn guarded<T: Send + 'static>(&self, work: impl FnOnce() -> Later<T>) -> Later<T> {
        match self.fault() {
            Some(fault) => {
                self.failed.fetch_add(1, Ordering::SeqCst);
                Box::pin(async { Err(fault) })
            }
            None => work(),
        }
    }
}

struct Handle(Arc<Faulty>);

macro_rules! reads {
    ($($name:ident($($arg:ident: $kind:ty),*) -> $out:ty;)*) => {
        $(fn $name(&self, $($arg: $kind),*) -> Later<$out> { self.0.inside.$name($($arg),*) })*
    };
}
macro_rules! writes {
    ($($name:ident($($arg:ident: $kind:ty),*) -> $out:ty;)*) => {
        $(fn $name(&self, $($arg: $kind),*) -> Later<$out> { self.0.guarded(|| self.0.inside.$name($($arg),*)) })*
    };
}

impl Store for Handle {
    fn secret(&self) -> [u8; 32] {
        self.0.inside.secret()
    }
    fn last_alive(&self) -> u64 {
        self.0.inside.last_alive()
    }
    fn gauges(&self) -> store::Gauges {
        self.0.inside.gauges()
    }
    writes! {
        alive(wall: u64) -> ();
        make(table: NewTable) -> String;
        append(append: Append) -> ();
        name_person(person: protocol::http::Person, wall: u64) -> ();
        set_phrase(id: String, hash: [u8; 32]) -> ();
        set_token(id: String, hash: [u8; 32]) -> ();
    }
    reads! {
        load(id: String, now: u64) -> Option<store::Stored>;
        gathering(host: String, since: u64) -> u32;
        person(id: String) -> Option<protocol::http::Person>;
        by_phrase(hash: [u8; 32]) -> Option<protocol::http::Person>;
        by_token(hash: [u8; 32]) -> Option<protocol::http::Person>;
        tables_of(id: String) -> Vec<protocol::http::MyTable>;
        ratings_of(id: String) -> Vec<protocol::http::Rated>;
        bests_of(id: String) -> Vec<protocol::http::Best>;
        leaders(game: String, most: u32) -> Vec<protocol::http::Leader>;
        finished(search: store::Search) -> protocol::http::FinishedPage;
        finished_at(id: String) -> Option<protocol::http::Finished>;
        close() -> ();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn while_nothing_can_be_written_acts_are_refused_and_afterwards_play_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (faulty, house) = Faulty::house(folder.path()).await;
    let mut pair = house.pair(json!({"throws": 3, "window": 600})).await;
    let lay = json!({"do": "lay", "bets": ["black=5"]});
    pair.a.act(&pair.table, lay.clone()).await;
    let before = pair.b.view(&pair.table).await;
    for mode in [1, 2] {
        faulty.mode.store(mode, Ordering::SeqCst);
        let act = json!({"cmd": "act", "id": 900 + u64::from(mode), "table": pair.table, "act": lay});
        pair.a.send(&act).await;
        let refused = pair.a.answer(900 + u64::from(mode)).await;
        assert_eq!(refused["code"], "store");
        assert!(refused["says"].as_str().unwrap().contains("play goes on"), "{refused}");
        let create = json!({"cmd": "create", "game": "cubo", "seats": [{"for": "me"}, {"for": "open"}]});
        pair.a.id = 950 + u64::from(mode) * 10;
        assert_eq!(pair.a.refused(create).await, "store");
        // What it says is a moment old.
        while crate::common::Http::get("/readyz").send(house.address).await.status != 503 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // Nothing has changed, nobody was told anything, and who watches still can.
        let now = pair.b.view(&pair.table).await;
        assert_eq!(
            (&now["seq"], &now["public"], &now["private"]),
            (&before["seq"], &before["public"], &before["private"])
        );
    }
    faulty.mode.store(0, Ordering::SeqCst);
    // The refused command, sent again, is carried out now: it was never done.
    let act = json!({"cmd": "act", "id": 901, "table": pair.table, "act": lay});
    pair.a.send(&act).await;
    let done = pair.a.answer(901).await;
    assert_eq!(done["seq"].as_u64(), before["seq"].as_u64().map(|seq| seq + 1), "{done}");
    let event = pair.b.hear_event("acted").await;
    assert_eq!(event["seq"], done["seq"]);
    house.close().await;
}

/// How often a table may try in five seconds: quickly at first, then once a second; and the house gives its signs of life.
const TRIES: u64 = 20;

#[tokio::test(flavor = "multi_thread")]
async fn while_nothing_can_be_written_clocks_stand_and_nobody_loses_on_time() {
    let folder = tempfile::tempdir().unwrap();
    let (faulty, house) = Faulty::house(folder.path()).await;
    let mut pair = house.pair(json!({"throws": 3, "window": 3})).await;
    faulty.mode.store(1, Ordering::SeqCst);
    let lay = json!({"do": "lay", "bets": ["black=5"]});
    pair.a.send(&json!({"cmd": "act", "id": 900, "table": pair.table, "act": lay})).await;
    assert_eq!(pair.a.answer(900).await["code"], "store");
    let before = pair.b.view(&pair.table).await;
    assert!(before["time"].as_u64() < before["deadline"].as_u64(), "{before}");
    tokio::time::sleep(Duration::from_secs(5)).await;
    // Twice the window has passed, and none of it for her.
    let now = pair.b.view(&pair.table).await;
    for field in ["seq", "time", "deadline", "public"] {
        assert_eq!(now[field], before[field], "{field}");
    }
    let tries = faulty.failed.swap(0, Ordering::SeqCst);
    assert!((3..TRIES).contains(&tries), "{tries} writes were tried");
    faulty.mode.store(0, Ordering::SeqCst);
    pair.a.send(&json!({"cmd": "act", "id": 900, "table": pair.table, "act": lay})).await;
    let done = pair.a.answer(900).await;
    assert_eq!(done["seq"].as_u64(), before["seq"].as_u64().map(|seq| seq + 1), "{done}");
    // Time goes on by itself; and what it could not do when it was due, it does when it can.
    pair.b.hear_event("time-up").await;
    faulty.mode.store(1, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(6)).await;
    let tries = faulty.failed.load(Ordering::SeqCst);
    assert!((3..TRIES).contains(&tries), "{tries} writes were tried");
    faulty.mode.store(0, Ordering::SeqCst);
    pair.b.hear_event("time-up").await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_a_server_stops_its_clocks_do_though_somebody_holds_the_door() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::at(folder.path(), |_| {}).await;
    let mut pair = house.pair(json!({"throws": 3, "window": 600})).await;
    // A request whose rest never comes.
    let mut slow = tokio::net::TcpStream::connect(house.address).await.unwrap();
    let half = "POST /api/me HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{";
    tokio::io::AsyncWriteExt::write_all(&mut slow, half.as_bytes()).await.unwrap();
    let (before, began) = (pair.a.view(&pair.table).await, Instant::now());
    house.close().await;
    assert!(began.elapsed() > Duration::from_secs(4), "nobody held the door: {:?}", began.elapsed());
    let house = House::at(folder.path(), |_| {}).await;
    let after = house.socket(&pair.ann).await.view(&pair.table).await;
    let charged = after["time"].as_u64().unwrap() - before["time"].as_u64().unwrap();
    assert!(charged < 3_000, "{charged} ms were charged");
    house.close().await;
}

/// A small disk of its own, if this machine lets us have one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<SmallDisk> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=8m", "parlor-test"])
            .arg(folder.path())
            .stderr(Stdio::null())
            .status();
        mounted.is_ok_and(|status| status.success()).then(|| SmallDisk(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("-l").arg(self.0.path()).status());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_is_really_full_refuses_acts_until_there_is_room_again() {
    let Some(disk) = SmallDisk::mount() else {
        eprintln!("skipped: this test needs the right to mount a small disk (tmpfs)");
        return;
    };
    let house = House::at(disk.0.path(), |_| {}).await;
    let mut pair = house.pair(json!({"throws": 10_000, "window": 3600})).await;
    let mut act = 0;
    let mut next = |id: &mut u64| {
        act += 1;
        *id += 1;
        if act % 2 == 1 { json!({"do": "lay", "bets": ["black=1"]}) } else { json!({"do": "clear"}) }
    };
    let mut id = 10_000;
    // Fill the disk with something else, to the last byte.
    let ballast = disk.0.path().join("ballast");
    let mut size = 0_usize;
    let mut file = std::fs::File::create(&ballast).unwrap();
    for step in [65_536, 4_096] {
        while std::io::Write::write_all(&mut file, &vec![0_u8; step]).is_ok() {
            size += step;
        }
    }
    assert!(size > 0);
    let mut answered = 0;
    let refused = loop {
        let act = next(&mut id);
        pair.a.send(&json!({"cmd": "act", "id": id, "table": pair.table, "act": act})).await;
        let answer = pair.a.answer(id).await;
        if answer["msg"] == "refused" {
            break answer;
        }
        answered += 1;
        assert!(answered < 100_000, "the disk never got full");
    };
    assert_eq!(refused["code"], "store", "{refused}");
    let before = pair.b.view(&pair.table).await;
    pair.a.send(&json!({"cmd": "act", "id": id + 1, "table": pair.table, "act": {"do": "agree"}})).await;
    assert_eq!(pair.a.answer(id + 1).await["code"], "store");
    assert_eq!(pair.b.view(&pair.table).await["seq"], before["seq"]);
    // Emptied, not only removed: a process that another test starts just now may have inherited it for a moment.
    file.set_len(0).unwrap();
    std::fs::remove_file(&ballast).unwrap();
    pair.a.send(&json!({"cmd": "act", "id": id + 2, "table": pair.table, "act": {"do": "lay", "bets": ["red=1"]}})).await;
    let done = pair.a.answer(id + 2).await;
    assert_eq!(done["seq"].as_u64(), before["seq"].as_u64().map(|seq| seq + 1), "{done}");
    house.close().await;
    let data = disk.0.path().to_owned();
    let health =
        tokio::task::spawn_blocking(move || server::doctor(&data, |_, _| {}).unwrap()).await.unwrap();
    assert_eq!((health.playing, health.faults), (1, Vec::new()));
}

/// Acts until one is refused; answers the refusal.
async fn act_until_refused(wire: &mut Wire, table: &str) -> Value {
    for number in 0..20_000 {
        let act =
            if number % 2 == 0 { json!({"do": "lay", "bets": ["black=1"]}) } else { json!({"do": "clear"}) };
        let answer = wire.ask(json!({"cmd": "act", "table": table, "act": act})).await;
        if answer["msg"] == "refused" {
            return answer;
        }
    }
    panic!("there was always room");
}

/// What must hold when nothing can be written, and after `mend`: refused in clear words, nothing changed, play goes on.
async fn refused_until_mended(address: SocketAddr, hurt: impl FnOnce(), mend: impl FnOnce()) {
    let ann = guest(address, "Ann").await;
    let mut a = Wire::open(address, &ann, "annstab").await;
    let options = json!({"throws": 10_000, "window": 3600});
    let table = a.create(json!({"game": "roulette", "options": options, "seats": [{"for": "me"}]})).await;
    a.done(json!({"cmd": "start", "table": table})).await;
    hurt();
    let refused = act_until_refused(&mut a, &table).await;
    assert_eq!(refused["code"], "store", "{refused}");
    assert!(refused["says"].as_str().unwrap().contains("play goes on"), "{refused}");
    let before = a.view(&table).await;
    assert_eq!(a.refused(json!({"cmd": "act", "table": table, "act": {"do": "ready"}})).await, "store");
    let now = a.view(&table).await;
    assert_eq!((&now["seq"], &now["public"]), (&before["seq"], &before["public"]), "nothing changed");
    mend();
    let done = a.act(&table, json!({"do": "ready"})).await;
    assert!(done["seq"].as_u64() > before["seq"].as_u64(), "{done}");
}

async fn is_well(data: &Path) {
    let data = data.to_owned();
    let health =
        tokio::task::spawn_blocking(move || server::doctor(&data, |_, _| {}).unwrap()).await.unwrap();
    assert_eq!((health.playing, health.faults), (1, Vec::new()));
}

/// Like the test with a small disk, and needs no rights: a limit on the size of files stands in for the full disk.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_files_may_not_grow_refuses_acts_until_they_may() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start_limited(folder.path(), "127.0.0.1:0", 1_500);
    let pid = process.child.id().to_string();
    let mend = || {
        let raised = Command::new("prlimit").args(["--pid", &pid, "--fsize=unlimited"]).status().unwrap();
        assert!(raised.success());
    };
    refused_until_mended(process.address, || {}, mend).await;
    assert!(process.terminate(), "asked to stop, it stops cleanly");
    is_well(folder.path()).await;
}

/// Files that nobody may write to, not even the superuser, where the system knows such a thing.
#[cfg(target_os = "linux")]
struct Sealed<'a>(&'a Path);

#[cfg(target_os = "linux")]
impl Sealed<'_> {
    fn set(&self, how: &str) -> bool {
        let files = ["parlor.db", "parlor.db-wal"].map(|name| self.0.join(name));
        Command::new("chattr")
            .arg(how)
            .args(files)
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|done| done.success())
    }
}

#[cfg(target_os = "linux")]
impl Drop for Sealed<'_> {
    fn drop(&mut self) {
        self.set("-i");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_becomes_read_only_refuses_acts_until_it_is_writable_again() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path(), "127.0.0.1:0");
    let sealed = Sealed(folder.path());
    if !sealed.set("+i") {
        eprintln!("skipped: this test needs the right to make files immutable (chattr +i)");
        return process.kill();
    }
    assert!(sealed.set("-i"));
    let (hurt, mend) = (|| assert!(sealed.set("+i")), || assert!(sealed.set("-i")));
    refused_until_mended(process.address, hurt, mend).await;
    // A server does not start where it could keep nothing, and says so.
    process.kill();
    assert!(sealed.set("+i"));
    let words = store::sqlite::Sqlite::open(folder.path(), 1).err().map(|fault| fault.to_string());
    let file = folder.path().join("parlor.db").display().to_string();
    let says = |words: &String| words.contains("cannot be written") && words.contains(&file);
    assert!(words.as_ref().is_some_and(says), "{words:?}");
    assert!(sealed.set("-i"));
    is_well(folder.path()).await;
}
