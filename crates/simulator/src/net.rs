//! The network: between nodes letters are lost, late, doubled, and overtake each other; between clients and nodes connections break,
//! what a client says comes late, or once more over a connection that it has given up.

use crate::disk::Disk;
use crate::{Sabotage, lock};
use bytes::Bytes;
use serde_json::Value;
use server::bus::{Bus, Post};
use server::node::{Heard, Node};
use server::store::NodeId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use table::Luck;
use tokio::sync::mpsc::{self, Sender, UnboundedReceiver, UnboundedSender};
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

/// How a node is.
pub(crate) struct Being {
    pub(crate) node: NodeId,
    /// When it began, by its own clock and by the world's.
    wall: u64,
    began: Instant,
    dead: watch::Sender<bool>,
    frozen: watch::Sender<bool>,
}

impl Being {
    pub(crate) fn born(node: NodeId, wall: u64) -> Being {
        let (dead, frozen) = (watch::Sender::new(false), watch::Sender::new(false));
        Being { node, wall, began: Instant::now(), dead, frozen }
    }

    pub(crate) fn now(&self) -> u64 {
        self.wall + self.began.elapsed().as_millis() as u64
    }

    pub(crate) fn kill(&self) {
        self.dead.send_replace(true);
    }

    pub(crate) fn freeze(&self, frozen: bool) {
        self.frozen.send_replace(frozen);
    }

    pub(crate) fn is_dead(&self) -> bool {
        *self.dead.borrow()
    }

    pub(crate) fn is_well(&self) -> bool {
        !self.is_dead() && !*self.frozen.borrow()
    }

    /// Goes on at once, when the node thaws, or never.
    pub(crate) async fn lives(&self) {
        drop(self.frozen.subscribe().wait_for(|frozen| !frozen).await); // the sender is ours
        if self.is_dead() {
            std::future::pending::<()>().await;
        }
    }

    /// Goes on when the node is dead.
    async fn dies(&self) {
        drop(self.dead.subscribe().wait_for(|dead| *dead).await); // the sender is ours
    }
}

/// The network between the nodes; they are cut off from each other for a while.
pub(crate) struct Net {
    doors: Mutex<BTreeMap<NodeId, Door>>,
    pub(crate) cut: Mutex<Vec<(NodeId, NodeId)>>,
    luck: Mutex<Luck>,
    disk: Arc<Disk>,
}

/// A node, and where its letters go in.
type Door = (Arc<Being>, Sender<Post>);

/// One node's end of it.
pub(crate) struct Wire(pub(crate) NodeId, pub(crate) Arc<Net>);

impl std::fmt::Debug for Wire {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "the wire of {:?}", self.0)
    }
}

impl Net {
    pub(crate) fn new(luck: Luck, disk: Arc<Disk>) -> Net {
        Net { doors: Mutex::default(), cut: Mutex::default(), luck: Mutex::new(luck), disk }
    }

    /// A node can be reached from now on.
    pub(crate) fn enter(&self, being: Arc<Being>) -> mpsc::Receiver<Post> {
        let (door, post) = mpsc::channel(1_024);
        lock(&self.doors).insert(being.node, (being, door));
        post
    }

    fn carry(&self, from: NodeId, to: NodeId, letter: &Bytes) {
        let (calm, mut luck) = (self.disk.calm(), lock(&self.luck));
        let doors = lock(&self.doors);
        let Some((being, door)) = doors.get(&to) else { return };
        let silent = doors.get(&from).is_none_or(|(being, _)| being.is_dead());
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
fn mixed_up(letter: &Bytes) -> Bytes {
    let text = String::from_utf8_lossy(letter);
    let (head, frames) = text.split_once('\n').unwrap_or((&text, ""));
    let Ok(mut note) = serde_json::from_str::<Value>(head) else { return letter.clone() };
    let Some(private) = note["Told"]["private"].as_array_mut() else { return letter.clone() };
    for news in private {
        news[0] = if news[0] == "person0" { "person1" } else { "person0" }.into();
    }
    format!("{note}\n{frames}").into()
}

/// A letter in whose views the first seat has more chips.
fn minted(letter: &Bytes) -> Bytes {
    String::from_utf8_lossy(letter).replace(r#""chips":["#, r#""chips":[1"#).into()
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

/// A client's connection. Dropped, it is closed; what is on its way still comes.
pub(crate) struct Line {
    said: UnboundedSender<String>,
    heard: UnboundedReceiver<Heard>,
}

impl Line {
    /// Connects a client with a node.
    pub(crate) fn open(
        node: &Node,
        being: &Arc<Being>,
        person: protocol::http::Person,
        disk: &Arc<Disk>,
        luck: &mut Luck,
    ) -> Line {
        let (to, from) = node.connect(Some(person));
        let (said, saying) = mpsc::unbounded_channel();
        let (hears, heard) = mpsc::unbounded_channel();
        let way = |luck: &mut Luck| Direction {
            being: Arc::clone(being),
            disk: Arc::clone(disk),
            luck: Luck::new(luck.bits()),
        };
        tokio::spawn(way(luck).up(saying, to));
        tokio::spawn(way(luck).down(from, hears));
        Line { said, heard }
    }

    pub(crate) fn say(&self, text: String) {
        let _ = self.said.send(text); // a connection that is broken is heard to be
    }

    /// What comes next; nothing, once it is broken.
    pub(crate) async fn hear(&mut self) -> Option<Heard> {
        self.heard.recv().await
    }
}

/// One direction of a connection.
struct Direction {
    being: Arc<Being>,
    disk: Arc<Disk>,
    luck: Luck,
}

impl Direction {
    /// From the client to the node, in order. Now and then the connection breaks, with or without a sign; and what was said comes
    /// once or twice more, late, as what waited in a connection that the client has given up.
    async fn up(mut self, mut saying: UnboundedReceiver<String>, to: UnboundedSender<String>) {
        let mut hello = true;
        while let Some(text) = saying.recv().await {
            if !self.disk.calm() {
                if self.luck.chance(1, 25) {
                    return;
                }
                if self.luck.chance(1, 25) {
                    std::future::pending::<()>().await;
                }
                sleep(Duration::from_millis(self.luck.below(200))).await;
                let copies = if hello { 0 } else { self.luck.below(3) };
                for _ in 0..copies {
                    let (late, to, text) = (1 + self.luck.below(2_000), to.clone(), text.clone());
                    tokio::spawn(async move {
                        sleep(Duration::from_millis(late)).await;
                        let _ = to.send(text); // the server has closed it meanwhile
                    });
                }
            }
            hello = false;
            self.being.lives().await;
            let _ = to.send(text); // the same
        }
    }

    /// From the node to the client, in order, until the node dies.
    async fn down(mut self, mut from: UnboundedReceiver<Heard>, hears: UnboundedSender<Heard>) {
        loop {
            let heard = tokio::select! {
                biased;
                () = self.being.dies() => return,
                heard = from.recv() => heard,
            };
            let Some(mut heard) = heard else { return };
            if !self.disk.calm() {
                sleep(Duration::from_millis(self.luck.below(30))).await;
            }
            if let (Heard::Text(text), Sabotage::HidesSeats) = (&mut heard, self.disk.sabotage) {
                *text = text.replacen(r#""seats":[{"seat""#, r#""hidden":[{"seat""#, 1);
            }
            self.being.lives().await;
            if hears.send(heard).is_err() {
                return;
            }
        }
    }
}
