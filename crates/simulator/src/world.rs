//! The world: servers that are started, frozen, killed and replaced, and the players who call them.

use crate::disk::{Disk, LEASE, Way};
use crate::net::{Being, Net, Wire};
use crate::players::{Day, Player, play};
use crate::{Report, Sabotage, checks, lock};
use server::Limits;
use server::bus::{Alone, Bus};
use server::node::Node;
use server::store::NodeId;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use table::Luck;
use tokio::time::{Instant, sleep, timeout};

/// A game of three throws is over long before.
const LONG: Duration = Duration::from_secs(1_800);
/// How long a node may take to stop.
const FAREWELL: Duration = Duration::from_secs(20);

/// A node, and how it is.
type Living = (Arc<Node>, Arc<Being>);

/// What all share.
pub(crate) struct World {
    pub(crate) disk: Arc<Disk>,
    /// The nodes of this life.
    nodes: Mutex<Vec<Living>>,
    born: AtomicI64,
    luck: Mutex<Luck>,
    pub(crate) players: Vec<Mutex<Player>>,
    /// All chips of the table, if a player has the bank: the house's cannot be counted.
    pub(crate) chips: Mutex<Option<u64>>,
    pub(crate) seen: Mutex<checks::Seen>,
    wrong: Mutex<Option<String>>,
}

impl World {
    pub(crate) fn wrong(&self, what: impl Into<String>) {
        lock(&self.wrong).get_or_insert_with(|| what.into());
    }

    /// A node that lives, as far as whoever comes can tell.
    pub(crate) fn any_node(&self, luck: &mut Luck) -> Option<Living> {
        let nodes = lock(&self.nodes);
        let living: Vec<&Living> = nodes.iter().filter(|(_, being)| !being.is_dead()).collect();
        let at = luck.below(living.len().max(1) as u64) as usize;
        living.get(at).map(|&living| living.clone())
    }

    pub(crate) fn calm(&self) -> bool {
        self.disk.calm()
    }

    /// What was wrong so far.
    fn judged(&self) -> Result<(), String> {
        lock(&self.wrong).take().map_or(Ok(()), Err)
    }
}

/// Plays a house to its end.
pub(crate) fn run(number: u64, most: u64, sabotage: Sabotage) -> Result<Report, String> {
    let mut luck = Luck::new(number);
    let nodes = (1 + luck.below(3)).min(most);
    let disk = Arc::new(Disk::new(&mut luck, nodes > 1, sabotage));
    let players = (0..2 + luck.below(3)).map(|at| Mutex::new(Player::new(at, &mut luck))).collect();
    let world = Arc::new(World {
        disk,
        nodes: Mutex::default(),
        born: AtomicI64::new(1),
        luck: Mutex::new(Luck::new(luck.bits())),
        players,
        chips: Mutex::default(),
        seen: Mutex::default(),
        wrong: Mutex::default(),
    });
    let (mut wall, mut awake, mut deaths) = (1_000_000_u64, 0, 0);
    for life in 0..=3 + luck.below(6) {
        let first = life == 0;
        let lasts = if first { LONG } else { Duration::from_millis(50 + luck.below(15_000)) };
        world.disk.calm.store(first, Ordering::Relaxed);
        let ran = live(&world, nodes, wall, lasts, luck.chance(1, 4));
        (wall, awake, deaths) = (wall + ran + luck.below(3_600_000), awake + ran, deaths + 1);
        if sabotage == Sabotage::LosesTheLast && !first {
            lock(&world.disk.kept).rows.pop();
        }
        world.judged()?;
    }
    world.disk.calm.store(true, Ordering::Relaxed);
    awake += live(&world, nodes, wall, LONG, true);
    world.judged()?;
    checks::end(&world, awake, deaths)
}

/// Limits that players who are sent away again and again do not run into.
fn roomy() -> Limits {
    Limits { commands: 1_000_000, burst: 1_000_000, joins: 1_000_000, tables: 1_000, ..Limits::default() }
}

/// A node is born, and knows nobody.
fn born(world: &Arc<World>, net: Option<&Arc<Net>>, wall: u64) {
    let node = NodeId(world.born.fetch_add(1, Ordering::Relaxed));
    let being = Arc::new(Being::born(node, wall));
    lock(&world.disk.kept).nodes.insert(node, (wall + LEASE, wall));
    let store = Arc::new(Way(Arc::clone(&world.disk), Arc::clone(&being)));
    let bus: Arc<dyn Bus> = match net {
        Some(net) => Arc::new(Wire(node, Arc::clone(net))),
        None => Arc::new(Alone),
    };
    let node = Node::new(store, bus, roomy());
    node.start(net.map(|net| net.enter(Arc::clone(&being))));
    lock(&world.nodes).push((Arc::new(node), being));
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
                being.kill();
                born(&world, Some(&net), wall + began.elapsed().as_millis() as u64);
            }
            1 => {
                being.freeze(true);
                sleep(Duration::from_millis(long)).await;
                being.freeze(false);
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
        open(world, nodes, wall);
        let day = Day::begins(wall);
        let playing: Vec<_> =
            (0..world.players.len()).map(|at| tokio::spawn(play(Arc::clone(world), at, day))).collect();
        let all_over = async {
            for player in playing {
                if player.await.is_err() {
                    world.wrong("a player fell over");
                }
            }
        };
        if timeout(lasts, all_over).await.is_err() && lasts == LONG {
            world.wrong("the game never ends");
        }
        if clean {
            close(world).await;
        }
        began.elapsed().as_millis() as u64
    });
    // Everything that still waits is dropped where it stands: that is what a kill does.
    drop(runtime);
    lock(&world.nodes).clear();
    ran
}

/// Starts the nodes, and what befalls them.
fn open(world: &Arc<World>, nodes: u64, wall: u64) {
    lock(&world.disk.kept).runs.push((wall, wall));
    let net = (nodes > 1).then(|| {
        let luck = Luck::new(lock(&world.luck).bits());
        Arc::new(Net::new(luck, Arc::clone(&world.disk)))
    });
    // Who has the house alone knows that whoever had it is dead.
    if nodes == 1 {
        lock(&world.disk.kept).nodes.values_mut().for_each(|(until, _)| *until = 0);
    }
    for _ in 0..nodes {
        born(world, net.as_ref(), wall);
    }
    if let Some(net) = net.filter(|_| !world.calm()) {
        tokio::spawn(misfortune(Arc::clone(world), net, wall));
    }
}

/// Stops the nodes that can hear it.
async fn close(world: &World) {
    let living: Vec<Living> = lock(&world.nodes).clone();
    for (node, being) in living {
        if being.is_well() {
            drop(timeout(FAREWELL, node.stop()).await); // one that is killed meanwhile never stops
        }
    }
}
