//! The disk: it outlives every server. Slow, full, read-only, or lost, and what was lost may have been written.

use crate::net::Being;
use crate::{Sabotage, TABLE, lock};
use protocol::http::{Best, Finished, FinishedPage, Leader, MyTable, Person, Rated};
use protocol::{PersonId, TableId};
use server::store::{
    Append, Claim, ClockMark, Gauges, Kind, Later, NewTable, NodeId, Row, Search, Store, StoreFault, Stored,
    TableKey,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use table::{Luck, Seed, Time};
use tokio::time::sleep;

/// How long a node may be silent, in milliseconds.
pub(crate) const LEASE: u64 = 3_000;

/// The disk of the simulated house: it outlives every server.
pub(crate) struct Disk {
    pub(crate) kept: Mutex<Kept>,
    luck: Mutex<Luck>,
    /// The house's secret for the dice.
    seed: Seed,
    pub(crate) calm: AtomicBool,
    /// Whether many nodes share it.
    shared: bool,
    pub(crate) sabotage: Sabotage,
}

#[derive(Default)]
pub(crate) struct Kept {
    /// Who has the table, and how often it was taken.
    owner: Option<NodeId>,
    epoch: i64,
    /// When its owner took it.
    claimed: u64,
    /// Whose each epoch was.
    epochs: BTreeMap<i64, NodeId>,
    /// Until when each node is taken to live, and its last sign of life.
    pub(crate) nodes: BTreeMap<NodeId, (u64, u64)>,
    pub(crate) moves: u64,
    pub(crate) fenced: u64,
    /// Whether something with an old epoch was written, and whether two nodes had one epoch.
    pub(crate) stale: bool,
    pub(crate) shared: bool,
    table: Option<NewTable>,
    pub(crate) rows: Vec<Row>,
    mark: Option<ClockMark>,
    /// When servers ran, and until when they are known to have.
    pub(crate) runs: Vec<(u64, u64)>,
    pub(crate) failed: u64,
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
    /// An empty disk.
    pub(crate) fn new(luck: &mut Luck, shared: bool, sabotage: Sabotage) -> Disk {
        Disk {
            kept: Mutex::default(),
            luck: Mutex::new(Luck::new(luck.bits())),
            seed: Seed::from_number(luck.bits()),
            calm: AtomicBool::new(true),
            shared,
            sabotage,
        }
    }

    /// Whether nothing goes wrong for now.
    pub(crate) fn calm(&self) -> bool {
        self.calm.load(Ordering::Relaxed)
    }

    /// How many rows it has.
    pub(crate) fn rows(&self) -> u64 {
        lock(&self.kept).rows.len() as u64
    }

    /// The room as it was after an event, without the game: replaying that would take a hundred times as long.
    pub(crate) fn room_at(&self, seq: u64) -> Option<Stored> {
        let mut stored = self.all()?;
        stored.rows.truncate(seq as usize + 1);
        stored.rows.retain(|row| row.kind == Kind::Life);
        Some(stored)
    }

    /// Everything about the table, as it is in the end.
    pub(crate) fn all(&self) -> Option<Stored> {
        self.stored(u64::MAX, None)
    }

    fn fate(&self) -> Fate {
        let mut luck = lock(&self.luck);
        let calm = self.calm();
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
        Some(Stored { key, made: table.made, seed: table.seed.clone(), clock, rows, closing: None })
    }
}

/// One server's way to the disk.
pub(crate) struct Way(pub(crate) Arc<Disk>, pub(crate) Arc<Being>);

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

    fn wall(&self) -> Option<u64> {
        Some(self.1.now())
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
            let claim = (id == TABLE).then(|| disk.claim(being.node, now)).flatten();
            being.lives().await;
            Ok(claim.unwrap_or(Claim::Unknown))
        })
    }

    fn make(&self, table: NewTable) -> Later<TableId> {
        let mut kept = lock(&self.0.kept);
        if kept.table.is_none() {
            kept.rows.push(table.first.clone());
            // What a server draws at random would be different each time that this number is played.
            kept.table = Some(NewTable { id: TABLE.to_owned(), seed: self.0.seed.clone(), ..table });
        }
        nothing(TABLE.to_owned())
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
                None => Ok(disk.stored(now, None).filter(|_| id == TABLE)),
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
