//! A whole house in one thread and in virtual time, with faults of every kind, from one number.
//!
//! The halls, their tables, keepers and windows are the real ones; there are one to three nodes. The disk is slow, full, read-only, or gone after it has
//! written; messages and letters are lost, late, doubled and out of order; nodes are cut off from each other, frozen for longer than they may be
//! silent, killed and replaced; connections break; all servers are killed between any two steps, or stopped, and come back later. Whoever plays sends a
//! command again, at any node, until it is answered. `docs/simulation.md` says what must hold all the time and in the end, and how each of those was seen to fail.

use crate::Limits;
use crate::bus::{Alone, Bus, Letter, Note, Post, letter};
use crate::clock::Clock;
use crate::hall::Hall;
use crate::keeper::{Asked, ToTable};
use crate::lock;
use crate::outlet::{Bye, Outlet};
use crate::room::{Bounds, Room};
use crate::store::{
    Append, Claim, ClockMark, Gauges, Kind, Later, NewTable, NodeId, Row, Search, Store, StoreFault, Stored,
    TableKey,
};
use axum::extract::ws::Utf8Bytes;
use bytes::Bytes;
use protocol::http::{Best, Finished, FinishedPage, Leader, MyTable, Person, Rated};
use protocol::{Command, PersonId, RawCommand, TableId};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use table::{Luck, Time};
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::{Instant, sleep, timeout};

thread_local! {
    /// Where ids and seeds come from while a house is simulated.
    static DICE: RefCell<Option<Luck>> = const { RefCell::new(None) };
    /// The fingerprints of the game as it was live at some node, by the number of the last event.
    static LIVE: RefCell<BTreeMap<u64, BTreeSet<String>>> = const { RefCell::new(BTreeMap::new()) };
}

/// A keeper shows its table as it is: everything that happened is on disk.
pub(crate) fn witness(room: &Room) {
    if let Some(game) = &room.game {
        LIVE.with_borrow_mut(|live| live.entry(room.seq()).or_default().insert(game.table().fingerprint()));
    }
}

/// Fills a buffer from the simulation's number, if there is one.
pub(crate) fn fill(bytes: &mut [u8]) -> bool {
    DICE.with_borrow_mut(|dice| {
        let Some(luck) = dice else { return false };
        for byte in bytes {
            *byte = luck.below(256) as u8;
        }
        true
    })
}

/// Something broken on purpose, to see that it is noticed. The list with what notices it is in `docs/simulation.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sabotage {
    /// Nothing.
    None,
    /// The disk says that it has written, and writes later.
    AnswersEarly,
    /// The disk forgets which command caused a row.
    ForgetsCommands,
    /// Whoever is killed loses the last row.
    LosesTheLast,
    /// The time the server is down is charged to the players.
    ChargesDowntime,
    /// The disk takes the rows of a node whose table another has taken.
    IgnoresEpochs,
    /// A table is given to whoever asks, and its epoch stays.
    GivesTwice,
    /// Who takes a table gets it without its last row.
    ReadsOld,
    /// A node that is dead keeps its tables.
    NeverExpires,
    /// What one seat sees goes to another's owner when it goes to another node.
    MixesUpSeats,
    /// Views change on their way between nodes: somebody has more chips than there are.
    MintsChips,
}

/// What a simulation came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Rows of the table in the end.
    pub rows: u64,
    /// Acts that were answered as done.
    pub acts: u64,
    /// Times the server was killed or stopped.
    pub deaths: u64,
    /// Times the table was claimed by another node than before.
    pub moves: u64,
    /// Writes that came with an old epoch, and were refused.
    pub fenced: u64,
    /// Writes that failed.
    pub failed: u64,
}

impl std::ops::Add for Report {
    type Output = Report;

    fn add(self, other: Report) -> Report {
        Report {
            rows: self.rows + other.rows,
            acts: self.acts + other.acts,
            deaths: self.deaths + other.deaths,
            moves: self.moves + other.moves,
            fenced: self.fenced + other.fenced,
            failed: self.failed + other.failed,
        }
    }
}

/// The disk of the simulated house: it outlives every server.
struct Disk {
    kept: Mutex<Kept>,
    luck: Mutex<Luck>,
    calm: AtomicBool,
    /// Whether many nodes share it.
    shared: bool,
    sabotage: Sabotage,
}

#[derive(Default)]
struct Kept {
    /// Who has the table, and how often it was taken.
    owner: Option<NodeId>,
    epoch: i64,
    /// When its owner took it.
    claimed: u64,
    /// Whose each epoch was.
    epochs: BTreeMap<i64, NodeId>,
    /// Until when each node is taken to live, and its last sign of life.
    nodes: BTreeMap<NodeId, (u64, u64)>,
    moves: u64,
    fenced: u64,
    /// Whether something with an old epoch was written, and whether two nodes had one epoch.
    stale: bool,
    shared: bool,
    table: Option<NewTable>,
    rows: Vec<Row>,
    mark: Option<ClockMark>,
    /// When servers ran, and until when they are known to have.
    runs: Vec<(u64, u64)>,
    failed: u64,
}

/// How a write goes.
struct Fate {
    before: Duration,
    after: Duration,
    fault: Option<StoreFault>,
    written: bool,
}

impl Fate {
    /// Comes to the disk, when the node lives and nothing goes wrong on the way.
    async fn reach(self, being: &Being) -> Result<(), StoreFault> {
        being.lives().await;
        sleep(self.before).await;
        self.fault.map_or(Ok(()), Err)
    }
}

impl Disk {
    fn fate(&self) -> Fate {
        let mut luck = lock(&self.luck);
        let calm = self.calm.load(Ordering::Relaxed);
        let wait = |luck: &mut Luck| {
            let slow = !calm && luck.chance(1, 20);
            Duration::from_millis(if slow { luck.below(3_000) } else { 1 + luck.below(15) })
        };
        let (before, after) = (wait(&mut luck), wait(&mut luck));
        let fault = (!calm && luck.chance(1, 15)).then(|| match luck.below(3) {
            0 => StoreFault::Full,
            1 => StoreFault::ReadOnly,
            _ => StoreFault::Lost,
        });
        // A database that is lost may have written before it went.
        let written = fault.as_ref().is_none_or(|fault| *fault == StoreFault::Lost && luck.chance(1, 2));
        Fate { before, after, fault, written }
    }

    /// Adds to the table; answers whether that was allowed.
    fn apply(&self, append: Append) -> bool {
        let mut kept = lock(&self.kept);
        if append.table.epoch != kept.epoch && self.sabotage != Sabotage::IgnoresEpochs {
            kept.fenced += 1;
            return false;
        }
        let says = !append.rows.is_empty() || append.clock.is_some() || append.leave;
        if append.table.epoch != kept.epoch && says {
            kept.stale = true;
        }
        if append.leave {
            kept.owner = None;
        }
        let forgets = self.sabotage == Sabotage::ForgetsCommands;
        kept.rows.extend(append.rows.into_iter().map(|row| Row { by: row.by.filter(|_| !forgets), ..row }));
        kept.mark = append.clock.or(kept.mark);
        true
    }

    /// Gives the table to a node, unless another that lives has it.
    fn claim(&self, node: NodeId, now: u64) -> Option<Claim> {
        let mut kept = lock(&self.kept);
        let gives = self.sabotage == Sabotage::GivesTwice;
        if let Some(owner) = kept.owner.filter(|owner| *owner != node && !gives)
            && (self.sabotage == Sabotage::NeverExpires
                || kept.nodes.get(&owner).is_some_and(|(until, _)| *until > now))
        {
            return Some(Claim::Theirs(owner));
        }
        kept.moves += u64::from(kept.owner != Some(node));
        let alive = kept.owner.and_then(|owner| kept.nodes.get(&owner)).map(|(_, alive)| *alive);
        let had = (alive, kept.claimed);
        if kept.owner != Some(node) {
            kept.claimed = now;
        }
        kept.epoch += i64::from(!gives);
        let epoch = kept.epoch;
        kept.owner = Some(node);
        if kept.epochs.insert(epoch, node).is_some_and(|before| before != node) {
            kept.shared = true;
        }
        drop(kept);
        self.stored(now, self.shared.then_some(had)).map(|stored| Claim::Mine(Box::new(stored)))
    }

    /// The table, its clock charged up to the last sign of life of who had it and since when; where a server has the house alone, of the run before.
    fn stored(&self, now: u64, had: Option<(Option<u64>, u64)>) -> Option<Stored> {
        let kept = lock(&self.kept);
        let table = kept.table.as_ref()?;
        let mark = kept.mark.unwrap_or(ClockMark { time: Time::START, wall: 0, runs: false });
        let clock = ClockMark::last_seen(mark, &kept.rows).map_or(Time::START, |seen| {
            let run = kept.runs.iter().rev().find(|(began, _)| *began <= seen.wall);
            let alive = match had {
                Some((alive, since)) => alive.filter(|_| seen.wall >= since),
                None => run.map(|(_, alive)| *alive),
            };
            let charged = if self.sabotage == Sabotage::ChargesDowntime { Some(now) } else { alive };
            seen.charged(charged, now)
        });
        let mut rows = kept.rows.clone();
        if self.sabotage == Sabotage::ReadsOld && now < u64::MAX && rows.len() > 1 {
            rows.pop();
        }
        let key = TableKey { number: 1, epoch: kept.epoch };
        Some(Stored { key, made: table.made, seed: table.seed.clone(), clock, rows })
    }
}

/// How a node is.
struct Being {
    node: NodeId,
    /// When it began, by its own clock and by the world's.
    wall: u64,
    began: Instant,
    dead: AtomicBool,
    frozen: AtomicBool,
}

impl Being {
    fn now(&self) -> u64 {
        self.wall + self.began.elapsed().as_millis() as u64
    }

    /// Goes on at once, when the node thaws, or never.
    async fn lives(&self) {
        while self.frozen.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(10)).await;
        }
        if self.dead.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
    }
}

/// One server's way to the disk.
struct Way(Arc<Disk>, Arc<Being>);

/// The way between the nodes: letters are lost, late, doubled, and overtake each other; nodes are cut off for a while.
struct Net {
    doors: Mutex<BTreeMap<NodeId, Door>>,
    cut: Mutex<Vec<(NodeId, NodeId)>>,
    luck: Mutex<Luck>,
    disk: Arc<Disk>,
}

/// A node, and where its letters go in.
type Door = (Arc<Being>, Sender<Post>);

/// One node's end of it.
struct Wire(NodeId, Arc<Net>);

impl std::fmt::Debug for Wire {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "the wire of {:?}", self.0)
    }
}

impl Net {
    fn carry(&self, from: NodeId, to: NodeId, letter: &Bytes) {
        let (calm, mut luck) = (self.disk.calm.load(Ordering::Relaxed), lock(&self.luck));
        let doors = lock(&self.doors);
        let Some((being, door)) = doors.get(&to) else { return };
        let silent = doors.get(&from).is_none_or(|(being, _)| being.dead.load(Ordering::Relaxed));
        let cut = lock(&self.cut).iter().any(|pair| *pair == (from, to) || *pair == (to, from));
        if silent || !calm && (cut || luck.chance(1, 30)) {
            return;
        }
        let copies = if !calm && luck.chance(1, 30) { 2 } else { 1 };
        let spoilt = match self.disk.sabotage {
            Sabotage::MixesUpSeats => Some(mixed_up(letter)),
            Sabotage::MintsChips => Some(minted(letter)),
            _ => None,
        };
        let letter = spoilt.as_ref().unwrap_or(letter);
        for _ in 0..copies {
            let late = match luck.below(20) {
                0 if !calm => luck.below(2_000),
                _ => luck.below(8),
            };
            let (being, door, letter) = (Arc::clone(being), door.clone(), letter.clone());
            tokio::spawn(async move {
                sleep(Duration::from_millis(late)).await;
                being.lives().await;
                drop(door.send(Post::Letter(letter)).await); // the node has gone
            });
        }
    }
}

/// A letter whose private frames go to somebody else.
fn mixed_up(bytes: &Bytes) -> Bytes {
    let Ok(Letter { mut note, lines }) = Letter::read(bytes.clone()) else { return bytes.clone() };
    if let Note::Told { private, .. } = &mut note {
        for (person, _) in private {
            if person == "person0" { "person1" } else { "person0" }.clone_into(person);
        }
    }
    letter(&note, lines.iter().map(Utf8Bytes::as_str))
}

/// A letter in whose views the first seat has more chips.
fn minted(bytes: &Bytes) -> Bytes {
    String::from_utf8_lossy(bytes).replace(r#""chips":["#, r#""chips":[1"#).into()
}

impl Bus for Wire {
    fn send(&self, to: NodeId, letter: Bytes) {
        self.1.carry(self.0, to, &letter);
    }

    fn tell(&self, letter: Bytes) {
        let others: Vec<NodeId> =
            lock(&self.1.doors).keys().copied().filter(|node| *node != self.0).collect();
        for to in others {
            self.1.carry(self.0, to, &letter);
        }
    }

    fn alone(&self) -> bool {
        false
    }
}

fn nothing<T: Send + 'static>(value: T) -> Later<T> {
    Box::pin(async { Ok(value) })
}

impl Store for Way {
    fn secret(&self) -> [u8; 32] {
        [7; 32]
    }

    fn last_alive(&self) -> u64 {
        lock(&self.0.kept).runs.last().map_or(0, |(_, alive)| *alive)
    }

    fn alive(&self, wall: u64) -> Later<()> {
        let (disk, being, fate) = (Arc::clone(&self.0), Arc::clone(&self.1), self.0.fate());
        Box::pin(async move {
            fate.reach(&being).await?;
            let mut kept = lock(&disk.kept);
            if let Some(run) = kept.runs.last_mut() {
                run.1 = wall.max(run.1);
            }
            kept.nodes.insert(being.node, (being.now() + LEASE, wall));
            Ok(())
        })
    }

    fn node(&self) -> NodeId {
        self.1.node
    }

    fn nodes(&self) -> Later<Vec<NodeId>> {
        let (disk, being) = (Arc::clone(&self.0), Arc::clone(&self.1));
        Box::pin(async move {
            being.lives().await;
            let (kept, now) = (lock(&disk.kept), being.now());
            Ok(kept.nodes.iter().filter(|(_, (until, _))| *until > now).map(|(node, _)| *node).collect())
        })
    }

    fn claim(&self, id: TableId, now: u64) -> Later<Claim> {
        let (disk, being, fate) = (Arc::clone(&self.0), Arc::clone(&self.1), self.0.fate());
        Box::pin(async move {
            fate.reach(&being).await?;
            let ours = lock(&disk.kept).table.as_ref().is_some_and(|table| table.id == id);
            let claim = ours.then(|| disk.claim(being.node, now)).flatten();
            being.lives().await;
            Ok(claim.unwrap_or(Claim::Unknown))
        })
    }

    fn make(&self, table: NewTable) -> Later<TableId> {
        let mut kept = lock(&self.0.kept);
        let id = table.id.clone();
        kept.rows.push(table.first.clone());
        kept.table = Some(table);
        nothing(id)
    }

    fn append(&self, append: Append) -> Later<()> {
        let (disk, Fate { before, after, fault, written }) = (Arc::clone(&self.0), self.0.fate());
        let being = Arc::clone(&self.1);
        Box::pin(async move {
            being.lives().await;
            if disk.sabotage == Sabotage::AnswersEarly {
                tokio::spawn(async move {
                    sleep(before + after).await;
                    disk.apply(append);
                });
                return Ok(());
            }
            sleep(before).await;
            let fenced = written && !disk.apply(append);
            // Killed here, it is on disk and nobody was told.
            sleep(after).await;
            being.lives().await;
            if fenced && fault.is_none() {
                return Err(StoreFault::Fenced);
            }
            match fault {
                None => Ok(()),
                Some(fault) => {
                    lock(&disk.kept).failed += 1;
                    Err(fault)
                }
            }
        })
    }

    fn load(&self, id: TableId, now: u64) -> Later<Option<Stored>> {
        let (disk, Fate { before, fault, .. }) = (Arc::clone(&self.0), self.0.fate());
        Box::pin(async move {
            sleep(before).await;
            match fault {
                Some(fault) => Err(fault),
                None => Ok(disk
                    .stored(now, None)
                    .filter(|_| lock(&disk.kept).table.as_ref().is_some_and(|table| table.id == id))),
            }
        })
    }

    fn gathering(&self, _: PersonId, _: u64) -> Later<u32> {
        nothing(0)
    }
    fn person(&self, _: PersonId) -> Later<Option<Person>> {
        nothing(None)
    }
    fn name_person(&self, _: Person, _: u64) -> Later<()> {
        nothing(())
    }
    fn set_phrase(&self, _: PersonId, _: [u8; 32]) -> Later<()> {
        nothing(())
    }
    fn by_phrase(&self, _: [u8; 32]) -> Later<Option<Person>> {
        nothing(None)
    }
    fn set_token(&self, _: PersonId, _: [u8; 32]) -> Later<()> {
        nothing(())
    }
    fn by_token(&self, _: [u8; 32]) -> Later<Option<Person>> {
        nothing(None)
    }
    fn tables_of(&self, _: PersonId) -> Later<Vec<MyTable>> {
        nothing(Vec::new())
    }
    fn ratings_of(&self, _: PersonId) -> Later<Vec<Rated>> {
        nothing(Vec::new())
    }
    fn bests_of(&self, _: PersonId) -> Later<Vec<Best>> {
        nothing(Vec::new())
    }
    fn leaders(&self, _: String, _: u32) -> Later<Vec<Leader>> {
        nothing(Vec::new())
    }
    fn finished(&self, _: Search) -> Later<FinishedPage> {
        nothing(FinishedPage { games: Vec::new(), before: None })
    }
    fn finished_at(&self, _: TableId) -> Later<Option<Finished>> {
        nothing(None)
    }
    fn gauges(&self) -> Gauges {
        Gauges::default()
    }
    fn close(&self) -> Later<()> {
        nothing(())
    }
}

/// How a command was answered.
#[derive(Clone, Debug, PartialEq)]
enum Answered {
    Done(u64),
    Refused(String),
}

/// Somebody who plays; outlives every server too.
struct Player {
    person: Person,
    host: bool,
    luck: Luck,
    next: u64,
    /// The command that waits for its answer.
    pending: Option<(u64, RawCommand)>,
    answers: BTreeMap<u64, (bool, Answered)>,
    phase: String,
    seq: Option<u64>,
}

/// What all share.
struct World {
    disk: Arc<Disk>,
    /// The nodes of this life, and how they are.
    nodes: Mutex<Vec<(Arc<Hall>, Arc<Being>)>>,
    born: AtomicI64,
    luck: Mutex<Luck>,
    players: Vec<Mutex<Player>>,
    table: Mutex<TableId>,
    /// All chips of the table, if a player has the bank: the house's cannot be counted.
    chips: Mutex<Option<u64>>,
    wrong: Mutex<Option<String>>,
}

impl World {
    fn wrong(&self, what: impl Into<String>) {
        lock(&self.wrong).get_or_insert_with(|| what.into());
    }

    /// A node that lives, as far as whoever comes can tell.
    fn any_node(&self, luck: &mut Luck) -> Option<(Arc<Hall>, Arc<Being>)> {
        let nodes = lock(&self.nodes);
        let living: Vec<_> = nodes.iter().filter(|(_, being)| !being.dead.load(Ordering::Relaxed)).collect();
        let at = luck.below(living.len().max(1) as u64) as usize;
        living.get(at).map(|(hall, being)| (Arc::clone(hall), Arc::clone(being)))
    }

    fn calm(&self) -> bool {
        self.disk.calm.load(Ordering::Relaxed)
    }
}

/// Plays a house of up to so many nodes from this number to its end; the number and what was wrong, if anything was.
pub fn simulate(number: u64, most: u64, sabotage: Sabotage) -> Result<Report, String> {
    DICE.set(Some(Luck::new(number ^ 0x5eed)));
    LIVE.take();
    let done = run(number, most, sabotage);
    DICE.set(None);
    done.map_err(|what| format!("seed {number}: {what}"))
}

fn run(number: u64, most: u64, sabotage: Sabotage) -> Result<Report, String> {
    let mut luck = Luck::new(number);
    let nodes = (1 + luck.below(3)).min(most);
    let disk = Arc::new(Disk {
        kept: Mutex::default(),
        luck: Mutex::new(Luck::new(luck.bits())),
        calm: AtomicBool::new(true),
        shared: nodes > 1,
        sabotage,
    });
    let players = (0..2 + luck.below(3)).map(|at| {
        let person = Person { id: format!("person{at}"), name: format!("Player {at}") };
        Mutex::new(Player {
            person,
            host: at == 0,
            luck: Luck::new(luck.bits()),
            next: 1,
            pending: None,
            answers: BTreeMap::new(),
            phase: "gathering".to_owned(),
            seq: None,
        })
    });
    let players = players.collect();
    let world = Arc::new(World {
        disk,
        nodes: Mutex::default(),
        born: AtomicI64::new(1),
        luck: Mutex::new(Luck::new(luck.bits())),
        players,
        table: Mutex::default(),
        chips: Mutex::default(),
        wrong: Mutex::default(),
    });
    let (mut wall, mut awake, mut deaths) = (1_000_000_u64, 0, 0);
    for life in 0..=3 + luck.below(6) {
        let first = life == 0;
        let lasts = Duration::from_millis(if first { 1 } else { 50 + luck.below(15_000) });
        world.disk.calm.store(first, Ordering::Relaxed);
        let ran = live(&world, nodes, wall, lasts, luck.chance(1, 4));
        (wall, awake, deaths) = (wall + ran + luck.below(3_600_000), awake + ran, deaths + 1);
        if sabotage == Sabotage::LosesTheLast && !first {
            lock(&world.disk.kept).rows.pop();
        }
        diverged()?;
        if let Some(wrong) = lock(&world.wrong).take() {
            return Err(wrong);
        }
    }
    world.disk.calm.store(true, Ordering::Relaxed);
    awake += live(&world, nodes, wall, LONG, true);
    check(&world, awake, deaths)
}

/// A game of three throws is over long before.
const LONG: Duration = Duration::from_secs(1_800);
/// How long a node may be silent, in milliseconds.
const LEASE: u64 = 3_000;
/// How long a node may take to stop.
const FAREWELL: Duration = Duration::from_secs(20);

/// A node is born, and knows nobody.
fn born(world: &Arc<World>, net: Option<&Arc<Net>>, wall: u64) -> Arc<Hall> {
    let node = NodeId(world.born.fetch_add(1, Ordering::Relaxed));
    let (dead, frozen) = (AtomicBool::new(false), AtomicBool::new(false));
    let being = Arc::new(Being { node, wall, began: Instant::now(), dead, frozen });
    lock(&world.disk.kept).nodes.insert(node, (wall + LEASE, wall));
    let store = Arc::new(Way(Arc::clone(&world.disk), Arc::clone(&being)));
    let bus: Arc<dyn Bus> = match net {
        Some(net) => Arc::new(Wire(node, Arc::clone(net))),
        None => Arc::new(Alone),
    };
    let hall = Hall::new(store, bus, Clock::at(wall), Limits::default());
    tokio::spawn(Arc::clone(&hall).pulse());
    if let Some(net) = net {
        let (door, post) = tokio::sync::mpsc::channel(1_024);
        lock(&net.doors).insert(node, (Arc::clone(&being), door));
        tokio::spawn(Arc::clone(&hall).look_around());
        tokio::spawn(Arc::clone(&hall).correspond(post));
    }
    lock(&world.nodes).push((Arc::clone(&hall), being));
    hall
}

/// Nodes die and are replaced, freeze and thaw, and lose sight of each other.
async fn misfortune(world: Arc<World>, net: Arc<Net>, wall: u64) {
    let began = Instant::now();
    loop {
        let (wait, what, long) = {
            let mut luck = lock(&world.luck);
            (luck.below(3_000), luck.below(3), 200 + luck.below(6_000))
        };
        sleep(Duration::from_millis(wait)).await;
        let Some((_, being)) = world.any_node(&mut lock(&world.luck)) else { return };
        match what {
            0 => {
                being.dead.store(true, Ordering::Relaxed);
                born(&world, Some(&net), wall + began.elapsed().as_millis() as u64);
            }
            1 => {
                being.frozen.store(true, Ordering::Relaxed);
                sleep(Duration::from_millis(long)).await;
                being.frozen.store(false, Ordering::Relaxed);
            }
            _ => {
                let other =
                    world.any_node(&mut lock(&world.luck)).map_or(being.node, |(_, other)| other.node);
                lock(&net.cut).push((being.node, other));
                sleep(Duration::from_millis(long)).await;
                lock(&net.cut).clear();
            }
        }
    }
}

/// Servers from their start to their death; answers how long they lived.
fn live(world: &Arc<World>, nodes: u64, wall: u64, lasts: Duration, clean: bool) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let Ok(runtime) = runtime else {
        world.wrong("no runtime");
        return 0;
    };
    let ran = runtime.block_on(async {
        let began = Instant::now();
        lock(&world.disk.kept).runs.push((wall, wall));
        lock(&world.nodes).clear();
        let net = (nodes > 1).then(|| {
            let luck = Mutex::new(Luck::new(lock(&world.luck).bits()));
            let disk = Arc::clone(&world.disk);
            Arc::new(Net { doors: Mutex::default(), cut: Mutex::default(), luck, disk })
        });
        // Who has the house alone knows that whoever had it is dead.
        if nodes == 1 {
            lock(&world.disk.kept).nodes.values_mut().for_each(|(until, _)| *until = 0);
        }
        for _ in 0..nodes {
            born(world, net.as_ref(), wall);
        }
        let first = world.any_node(&mut lock(&world.luck));
        if let Some((hall, _)) = first.filter(|_| lock(&world.table).is_empty()) {
            make_table(world, &hall).await;
        }
        if let Some(net) = net.filter(|_| !world.calm()) {
            tokio::spawn(misfortune(Arc::clone(world), net, wall));
        }
        let playing: Vec<_> =
            (0..world.players.len()).map(|at| tokio::spawn(play(Arc::clone(world), at))).collect();
        let all_over = async {
            for player in playing {
                if player.await.is_err() {
                    world.wrong("a player fell over");
                }
            }
        };
        if timeout(lasts, all_over).await.is_err() && world.calm() && lasts == LONG {
            world.wrong("the game never ends");
        }
        if clean {
            let living: Vec<_> = lock(&world.nodes)
                .iter()
                .map(|(hall, being)| (Arc::clone(hall), Arc::clone(being)))
                .collect();
            for (hall, being) in living {
                if !being.dead.load(Ordering::Relaxed) && !being.frozen.load(Ordering::Relaxed) {
                    drop(timeout(FAREWELL, hall.stop()).await); // one that is killed meanwhile never stops
                }
            }
        }
        began.elapsed().as_millis() as u64
    });
    // Everything that still waits is dropped where it stands: that is what a kill does.
    drop(runtime);
    ran
}

async fn make_table(world: &World, hall: &Arc<Hall>) {
    let host = lock(&world.players[0]).person.clone();
    let (outlet, _frames) = Outlet::new(host, "maker".to_owned(), 16);
    let seats: Vec<Value> =
        (0..world.players.len()).map(|at| json!({"for": if at == 0 { "me" } else { "open" }})).collect();
    let bank = if lock(&world.luck).chance(1, 2) { json!({"seat": 0}) } else { json!("house") };
    let options = json!({"throws": 3, "window": 30, "bank": bank});
    let create = json!({"cmd": "create", "id": 1, "game": "roulette", "options": options, "seats": seats});
    let made = match RawCommand::read(&create.to_string()) {
        Ok(create) => hall.create(&outlet, &create).await.map_err(|why| why.says),
        Err(fault) => Err(fault.to_string()),
    };
    match made {
        Ok(table) => *lock(&world.table) = table,
        Err(why) => world.wrong(format!("no table: {why}")),
    }
}

/// Somebody plays until the game is over or the server is gone, over as many connections as it takes.
async fn play(world: Arc<World>, at: usize) {
    let table = lock(&world.table).clone();
    while lock(&world.players[at]).phase != "over" {
        let Some((hall, being)) = world.any_node(&mut lock(&world.players[at]).luck) else { return };
        let person = lock(&world.players[at]).person.clone();
        let (outlet, mut frames) = Outlet::new(person, format!("client{at}"), 64);
        let outlet = Arc::new(outlet);
        let seq = lock(&world.players[at]).seq;
        pass(&hall, &outlet, Command::Watch { id: 1, table: table.clone(), seq });
        let commands = 1 + lock(&world.players[at]).luck.below(30);
        for _ in 0..commands {
            if outlet.closing().is_some()
                || being.dead.load(Ordering::Relaxed)
                || !one_command(&world, &hall, at, &outlet, &mut frames).await
            {
                break;
            }
        }
        if outlet.closing() == Some(Bye::Fell) {
            world.wrong("a table fell over");
        }
        hall.gone(&table, outlet.id);
        let rest = lock(&world.players[at]).luck.below(500);
        sleep(Duration::from_millis(rest)).await;
    }
}

fn pass(hall: &Arc<Hall>, outlet: &Arc<Outlet>, command: RawCommand) {
    let Some(table) = command.table().map(str::to_owned) else { return };
    let asked = Asked { outlet: Arc::clone(outlet), command, heard: Instant::now() };
    drop(hall.pass(&table, ToTable::Command(Box::new(asked)))); // a table that is too busy has not heard it: it is sent again
}

/// Sends a command, or an old one again, and hears until it is answered or nothing comes. Answers whether to go on here.
async fn one_command(
    world: &Arc<World>,
    hall: &Arc<Hall>,
    at: usize,
    outlet: &Arc<Outlet>,
    frames: &mut Receiver<Utf8Bytes>,
) -> bool {
    let table = lock(&world.table).clone();
    let (id, copies) = {
        let mut player = lock(&world.players[at]);
        if player.pending.is_none() {
            let id = player.next;
            player.next += 1;
            player.pending = wish(&mut player, id, &table).map(|command| (id, command));
        }
        let Some((id, command)) = player.pending.clone() else { return false };
        let chaos = !world.calm();
        let copies: Vec<(u64, RawCommand)> = (0..if chaos { player.luck.below(4) } else { 1 })
            .map(|_| (if chaos { player.luck.below(400) } else { 0 }, command.clone()))
            .collect();
        (id, copies)
    };
    for (late, command) in copies {
        let (hall, outlet) = (Arc::clone(hall), Arc::clone(outlet));
        tokio::spawn(async move {
            sleep(Duration::from_millis(late)).await;
            pass(&hall, &outlet, command);
        });
    }
    let patience = Duration::from_millis(1_500 + lock(&world.players[at]).luck.below(1_500));
    let answered = async {
        while let Some(frame) = frames.recv().await {
            hear(world, at, &frame);
            if lock(&world.players[at]).answers.contains_key(&id) {
                lock(&world.players[at]).pending = None;
                return true;
            }
        }
        false
    };
    let answered = timeout(patience, answered).await;
    let think = lock(&world.players[at]).luck.below(900);
    sleep(Duration::from_millis(think)).await;
    answered != Ok(false) && lock(&world.players[at]).phase != "over"
}

/// What somebody wants to do next.
fn wish(player: &mut Player, id: u64, table: &str) -> Option<RawCommand> {
    let wish = match (player.phase.as_str(), player.luck.below(6)) {
        ("gathering", 0..2) if player.host => {
            json!({"cmd": "start", "id": id, "table": table, "anyway": true})
        }
        ("gathering", 2..5) if !player.host => json!({"cmd": "join", "id": id, "table": table}),
        ("gathering", number) => json!({"cmd": "ready", "id": id, "table": table, "ready": number % 2 == 0}),
        (_, 0..2) => act(id, table, &json!({"do": "lay", "bets": ["black=1"]})),
        (_, 2) => act(id, table, &json!({"do": "clear"})),
        (_, 3) => act(id, table, &json!({"do": "lay", "bets": ["15=9000"]})),
        (_, 4) => {
            json!({"cmd": "act", "id": id, "table": table, "seat": player.luck.below(4), "act": {"do": "clear"}})
        }
        _ => act(id, table, &json!({"do": "ready"})),
    };
    RawCommand::read(&wish.to_string()).ok()
}

fn act(id: u64, table: &str, act: &Value) -> Value {
    json!({"cmd": "act", "id": id, "table": table, "act": act})
}

/// Looks at everything that somebody is told.
fn hear(world: &World, at: usize, frame: &str) {
    let Ok(heard) = serde_json::from_str::<Value>(frame) else {
        return world.wrong(format!("no JSON: {frame}"));
    };
    let on_disk = lock(&world.disk.kept).rows.len() as u64;
    if let Some(seq) = heard["seq"].as_u64().filter(|seq| *seq >= on_disk) {
        world.wrong(format!("event {seq} was told, and only {on_disk} rows are on disk: {frame}"));
    }
    let mut player = lock(&world.players[at]);
    match heard["msg"].as_str() {
        Some("done" | "refused") => {
            let Some(id) = heard["id"].as_u64() else { return };
            let answer = match heard["seq"].as_u64() {
                Some(seq) if heard["msg"] == "done" => Answered::Done(seq),
                _ => Answered::Refused(heard["code"].as_str().unwrap_or_default().to_owned()),
            };
            let acts = matches!(&player.pending, Some((pending, Command::Act { .. })) if *pending == id);
            match player.answers.get(&id) {
                // A watch has number 1 too, and what failed to be written may be done when it comes again.
                None => drop(player.answers.insert(id, (acts, answer))),
                // A node that cannot look up whose the table is says so, and nothing more.
                Some((true, Answered::Done(_))) if answer == Answered::Refused("store".to_owned()) => {}
                Some((true, Answered::Done(before))) if answer != Answered::Done(*before) => {
                    world.wrong(format!("command {id} was done as {before}, and then answered {frame}"));
                }
                Some(_) => {}
            }
        }
        Some("view" | "event") => {
            heard["phase"]
                .as_str()
                .or(heard["room"]["phase"].as_str())
                .unwrap_or_default()
                .clone_into(&mut player.phase);
            player.seq = heard["seq"].as_u64();
            count_chips(world, &heard["public"]);
            let private = heard["private"].as_array().cloned().unwrap_or_default();
            let seats = private.iter().filter_map(|one| one["seat"].as_u64());
            see(world, &player, seats);
        }
        Some("private") => see(world, &player, heard["seat"].as_u64().into_iter()),
        _ => {}
    }
}

/// Where a player has the bank, all chips are somewhere: in hands, on the layout, in the bank.
fn count_chips(world: &World, public: &Value) {
    let Some(bank) = public["bank"]["chips"].as_u64() else { return };
    let numbers = |list: &Value| list.as_array().cloned().unwrap_or_default();
    let hands: u64 = numbers(&public["chips"]).iter().filter_map(Value::as_u64).sum();
    let stake = |stake: &Value| stake.as_str()?.rsplit_once('=')?.1.parse::<u64>().ok();
    let layout: u64 = numbers(&public["layout"]).iter().filter_map(stake).sum();
    let (all, mut before) = (bank + hands + layout, lock(&world.chips));
    match *before {
        Some(before) if before != all => world.wrong(format!("there were {before} chips, and now {all}")),
        _ => *before = Some(all),
    }
}

/// A seat is seen by whom the disk knows to sit there.
fn see(world: &World, player: &Player, seats: impl Iterator<Item = u64>) {
    let seats: Vec<u64> = seats.collect();
    if seats.is_empty() {
        return;
    }
    let Some(mut stored) = world.disk.stored(u64::MAX, None) else { return };
    // Who sits where is in these; replaying the game would take a hundred times as long.
    stored.rows.retain(|row| row.kind == Kind::Life);
    match Room::load("the table", &stored, Bounds::NONE) {
        Err(fault) => world.wrong(format!("the table cannot be read: {fault}")),
        Ok(room) => {
            let own: Vec<u64> = room.seats_of(&player.person.id).map(u64::from).collect();
            if seats.iter().any(|seat| !own.contains(seat)) {
                world.wrong(format!("{} saw the seats {seats:?}, and has {own:?}", player.person.name));
            }
        }
    }
}

/// What must hold in the end.
fn check(world: &World, awake: u64, deaths: u64) -> Result<Report, String> {
    diverged()?;
    if let Some(wrong) = lock(&world.wrong).take() {
        return Err(wrong);
    }
    let stored = world.disk.stored(u64::MAX, None).ok_or("the table is gone")?;
    let (mut report, kept) = (Report { deaths, ..Report::default() }, lock(&world.disk.kept));
    (report.rows, report.failed) = (kept.rows.len() as u64, kept.failed);
    (report.moves, report.fenced) = (kept.moves, kept.fenced);
    if kept.shared {
        return Err("two nodes had the table with one epoch".to_owned());
    }
    if kept.stale {
        return Err("a node wrote to a table that another had taken".to_owned());
    }
    for (at, player) in (0_u32..).zip(&world.players) {
        let player = lock(player);
        for (&id, (act, answer)) in player.answers.iter().filter(|(_, (act, _))| *act) {
            let client = format!("client{at}");
            let by = |row: &Row| {
                row.kind == Kind::Line
                    && row
                        .by
                        .as_ref()
                        .is_some_and(|by| by.id == id && by.client == client && by.person == player.person.id)
            };
            let rows: Vec<u64> =
                (0..).zip(&stored.rows).filter(|(_, row)| by(row)).map(|(seq, _)| seq).collect();
            let good = match answer {
                Answered::Done(seq) => rows == [*seq],
                Answered::Refused(code) if code == "store" => rows.len() <= 1,
                // Who keeps a table remembers what was refused; who takes it over does not, and a copy may come late.
                Answered::Refused(_) => rows.is_empty() || kept.moves > 1 && rows.len() == 1,
            };
            if !good {
                return Err(format!(
                    "act {id} of {client} was answered {answer:?}, and is on disk at {rows:?}"
                ));
            }
            report.acts += u64::from(*act && matches!(answer, Answered::Done(_)));
        }
    }
    let room = Room::load("the table", &stored, Bounds::NONE)?;
    if room.phase != protocol::Phase::Over {
        return Err(format!("the table is {:?} in the end", room.phase));
    }
    let lines = stored.rows.iter().filter(|row| row.kind == Kind::Line);
    let record: String = lines.flat_map(|row| [row.text.as_str(), "\n"]).collect();
    house::verify(&record).map_err(|fault| format!("the record does not hold: {fault}"))?;
    replay(&stored)?;
    let last = room.game.as_ref().map_or(Time::START, |game| game.table().now());
    if last > Time(awake) {
        return Err(format!("the game took {last:?} of the table's clock, and servers ran for {awake} ms"));
    }
    Ok(report)
}

/// After one event the table is the same wherever it is kept.
fn diverged() -> Result<(), String> {
    LIVE.with_borrow(|live| match live.iter().find(|(_, hashes)| hashes.len() > 1) {
        Some((seq, hashes)) => Err(format!("after event {seq} there were different states: {hashes:?}")),
        None => Ok(()),
    })
}

/// What the table was at the nodes is what its rows say, up to every event that any of them saw.
fn replay(stored: &Stored) -> Result<(), String> {
    let live = LIVE.take();
    // Each replay starts from the beginning: a few dozen, spread over the game, are enough to find what a node got wrong.
    let stride = live.len() / 24 + 1;
    for (at, (seq, hashes)) in live.into_iter().enumerate() {
        if at % stride > 0 {
            continue;
        }
        let rows = stored.rows.iter().take(seq as usize + 1).filter(|row| row.kind == Kind::Line);
        let replayed = house::AnyTable::resume(rows.map(|row| row.text.as_str()), &stored.seed)
            .map_err(|fault| format!("the record does not hold up to event {seq}: {fault}"))?;
        if !hashes.contains(&replayed.fingerprint()) {
            return Err(format!("after event {seq} the live state was not what replay gives"));
        }
    }
    Ok(())
}
