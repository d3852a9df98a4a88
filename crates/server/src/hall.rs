//! The hall: all tables that are awake, and the way to each. A table wakes up when somebody comes.

use crate::admin::Guests;
use crate::bus::{Bus, Letter, Note, Post, letter};
use crate::clock::Clock;
use crate::keeper::{self, Asked, ToTable, WAITING};
use crate::lobby::Lobby;
use crate::lock;
use crate::metrics::Metrics;
use crate::outlet::{Outlet, SocketId};
use crate::rates::Rates;
use crate::room::{Bounds, Terms, checked_bots, new_table, place_for};
use crate::store::{By, NodeId, Store};
use crate::vitals::Vitals;
use crate::{Limits, id, say};
use house::{AnyTable, Kind, Ponder, Setting};
use protocol::{Command, Place, RawCommand, TableId, Wish};
use serde_json::value::to_raw_value;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use table::{Seats, Seed, Spoken};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::Instant;

/// How long tables may take to stop.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often one of many nodes gives a sign of life, and looks for those of the others.
const LIFE: Duration = Duration::from_millis(500);
/// After so long a silence others may have taken this node for dead.
const SILENT: Duration = Duration::from_millis(2_500);
/// Every so many times the others hear from the lobby even if there is nothing new.
const ANYWAY: u32 = 8;

/// All tables that are awake.
pub(crate) struct Hall {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) bus: Arc<dyn Bus>,
    /// Which node this is.
    pub(crate) node: NodeId,
    pub(crate) clock: Clock,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) limits: Limits,
    pub(crate) lobby: Lobby,
    pub(crate) rates: Rates,
    pub(crate) vitals: Vitals,
    pub(crate) guests: Guests,
    tables: Mutex<HashMap<TableId, mpsc::Sender<ToTable>>>,
    /// So many bots think here at once.
    thinkers: Arc<Semaphore>,
    /// When the last sign of life was given.
    alive: Mutex<Instant>,
    /// How often it came so late that others may have taken tables away.
    silences: AtomicU64,
    stopping: AtomicBool,
    /// The node sends its sockets away; its tables are played on for a moment, from other nodes.
    leaving: AtomicBool,
}

impl Hall {
    pub(crate) fn new(store: Arc<dyn Store>, bus: Arc<dyn Bus>, clock: Clock, limits: Limits) -> Arc<Hall> {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let (node, alone) = (store.node(), bus.alone());
        Arc::new(Hall {
            store,
            bus,
            node,
            clock,
            metrics: Arc::default(),
            limits,
            lobby: Lobby::new(node, alone),
            rates: Rates::new(alone),
            vitals: Vitals::default(),
            guests: Guests::default(),
            tables: Mutex::default(),
            thinkers: Arc::new(Semaphore::new(cores)),
            alive: Mutex::new(Instant::now()),
            silences: AtomicU64::new(0),
            stopping: AtomicBool::new(false),
            leaving: AtomicBool::new(false),
        })
    }

    pub(crate) const fn bounds(&self) -> Bounds {
        let Limits { seats, own_seats, bots, .. } = self.limits;
        Bounds { seats, own_seats, bots }
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<TableId, mpsc::Sender<ToTable>>> {
        lock(&self.tables)
    }

    /// The way to a table; wakes it if it sleeps.
    pub(crate) fn door(self: &Arc<Self>, id: &str) -> mpsc::Sender<ToTable> {
        let mut tables = self.tables();
        if let Some(door) = tables.get(id).filter(|door| !door.is_closed()) {
            return door.clone();
        }
        let (door, heard) = mpsc::channel(WAITING);
        tables.insert(id.to_owned(), door.clone());
        tokio::spawn(keeper::keep(Arc::clone(self), id.to_owned(), heard, door.downgrade()));
        door
    }

    /// A table goes to sleep: the next who comes wakes it.
    pub(crate) fn forget(&self, id: &str, own: &mpsc::WeakSender<ToTable>) {
        let mut tables = self.tables();
        let same =
            own.upgrade().is_some_and(|own| tables.get(id).is_some_and(|door| door.same_channel(&own)));
        if same {
            tables.remove(id);
        }
    }

    /// How much waits for all tables together, and for the one that most waits for.
    pub(crate) fn waiting(&self) -> (usize, usize) {
        let tables = self.tables();
        let waiting = tables.values().map(|door| door.max_capacity() - door.capacity());
        waiting.fold((0, 0), |(all, most), one| (all + one, most.max(one)))
    }

    /// Passes something on to a table; gives it back if too much waits there.
    pub(crate) fn pass(self: &Arc<Self>, id: &str, message: ToTable) -> Result<(), Box<ToTable>> {
        if self.stopping.load(Ordering::Relaxed) {
            return Err(Box::new(message));
        }
        let mut message = message;
        // A table may be going to sleep just now; then there is a new one at the second try.
        for _ in 0..3 {
            match self.door(id).try_send(message) {
                Ok(()) => return Ok(()),
                Err(mpsc::error::TrySendError::Full(back)) => return Err(Box::new(back)),
                Err(mpsc::error::TrySendError::Closed(back)) => message = back,
            }
        }
        Err(Box::new(message))
    }

    /// Tells a table that a socket has gone; one that sleeps has forgotten it already.
    pub(crate) fn gone(&self, id: &str, outlet: SocketId) {
        self.tell_if_awake(id, ToTable::Gone(outlet)); // if that is full, the next event finds the socket closed
    }

    /// Tells a table, if it is awake here, that an administrator closed it; answers whether it was told or need not be. One that sleeps reads it
    /// when it is woken.
    pub(crate) fn close_down(&self, id: &str, says: &str) -> bool {
        let door = self.tables().get(id).cloned();
        let full = |door: mpsc::Sender<ToTable>| {
            matches!(
                door.try_send(ToTable::CloseDown(says.to_owned())),
                Err(mpsc::error::TrySendError::Full(_))
            )
        };
        !door.is_some_and(full)
    }

    /// The tables that are awake here.
    pub(crate) fn awake(&self) -> BTreeSet<TableId> {
        self.tables().keys().cloned().collect()
    }

    /// Tells a table something that is of no use to one that sleeps.
    fn tell_if_awake(&self, id: &str, message: ToTable) {
        let door = self.tables().get(id).cloned();
        if let Some(door) = door {
            drop(door.try_send(message)); // what is lost because too much waits is asked for again
        }
    }

    fn tell_every_table(&self, message: impl Fn() -> ToTable) {
        let doors: Vec<_> = self.tables().values().cloned().collect();
        for door in doors {
            drop(door.try_send(message())); // who has too much to do looks by himself in a while
        }
    }

    /// Reads the letters of other nodes until the server stops.
    pub(crate) async fn correspond(self: Arc<Self>, mut post: mpsc::Receiver<Post>) {
        while let Some(post) = post.recv().await {
            match post {
                Post::Again => self.tell_every_table(|| ToTable::Again),
                Post::Letter(bytes) => match Letter::read(bytes) {
                    Ok(letter) => self.read(letter),
                    Err(fault) => tracing::warn!(%fault, "a letter of another node cannot be read"),
                },
            }
        }
    }

    fn read(self: &Arc<Self>, letter: Letter) {
        match letter.note {
            Note::Command { table, from, socket } => {
                let Some(Ok(command)) = letter.lines.first().map(|line| RawCommand::read(line)) else {
                    return tracing::warn!("a command from another node cannot be read");
                };
                let outlet = Arc::new(Outlet::there(from, socket, &table, &self.bus));
                // If too much waits here, the other node sends it again.
                let asked = Asked { outlet, command, heard: Instant::now() };
                drop(self.pass(&table, ToTable::Command(Box::new(asked))));
            }
            Note::Watching { table, from, seq, sockets } => {
                // Who has nobody there any more need not wake the table up.
                let nobody = sockets.is_empty();
                let message = ToTable::Watching { from, seq, sockets };
                if nobody {
                    self.tell_if_awake(&table, message);
                } else {
                    drop(self.pass(&table, message));
                }
            }
            Note::Gone { table, from, socket } => {
                self.gone(&table, SocketId { node: Some(from), number: socket });
            }
            Note::Lobby { from, before, version, changed, gone } => {
                if self.lobby.hear(from, before, version, changed, gone) {
                    self.bus.send(from, self::letter(&Note::LobbyAsked { from: self.node }, []));
                }
            }
            Note::LobbyAsked { from } => self.bus.send(from, self::letter(&self.lobby.whole(), [])),
            Note::Allowed { counts } => {
                for (what, who, count) in counts {
                    if let Some(rate) = self.limits.rate(&what) {
                        self.rates.allowed_elsewhere(&what, who, count, rate);
                    }
                }
            }
            Note::Frame { ref table, .. }
            | Note::Watches { ref table, .. }
            | Note::Told { ref table, .. }
            | Note::Stands { ref table, .. }
            | Note::Elsewhere { ref table } => {
                let table = table.clone();
                self.tell_if_awake(&table, ToTable::Letter(Box::new(letter)));
            }
        }
    }

    /// What the other nodes should know, a few times a second.
    fn tell_others(&self, beat: u32) {
        if let Some(news) = self.lobby.news(beat.is_multiple_of(ANYWAY)) {
            self.bus.tell(letter(&news, []));
        }
        let counts = self.rates.allowed();
        if !counts.is_empty() {
            self.bus.tell(letter(&Note::Allowed { counts }, []));
        }
    }

    /// Signs of life of one of many nodes, and a look at the others': whoever is gone leaves sockets and tables behind.
    pub(crate) async fn look_around(self: Arc<Self>) {
        let mut tick = tokio::time::interval(LIFE);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut nodes = BTreeSet::new();
        while !self.stopping() {
            tick.tick().await;
            let asked = Instant::now();
            match self.give_sign().await {
                Ok(()) => {
                    if self.is_silent() {
                        tracing::warn!(
                            "this node was silent for so long that it may have been taken for dead"
                        );
                        self.silences.fetch_add(1, Ordering::SeqCst);
                        self.tell_every_table(|| ToTable::StillOurs);
                    }
                    *lock(&self.alive) = asked;
                }
                Err(fault) => tracing::warn!(%fault, "no sign of life could be given"),
            }
            let Ok(now) = self.store.nodes().await else { continue };
            let now: BTreeSet<NodeId> = now.into_iter().collect();
            for gone in nodes.difference(&now).filter(|node| **node != self.node) {
                tracing::info!(node = gone.0, "a node is gone");
                self.lobby.forget(*gone);
                self.tell_every_table(|| ToTable::NodeGone(*gone));
            }
            nodes = now;
        }
    }

    fn is_silent(&self) -> bool {
        let alive = *lock(&self.alive);
        !self.bus.alone() && alive.elapsed() > SILENT
    }

    /// How often this node was silent for too long; nothing while it is. What was ours before a silence may be another's.
    pub(crate) fn silences(&self) -> Option<u64> {
        // In this order: a silence that ends in between has been counted.
        let silent = self.is_silent();
        (!silent).then(|| self.silences.load(Ordering::SeqCst))
    }

    /// A bot thinks when a thread is free, and comes back to its table.
    pub(crate) fn think(self: &Arc<Self>, ponder: Ponder, table: mpsc::WeakSender<ToTable>) {
        let hall = Arc::clone(self);
        self.metrics.bots.add(1);
        tokio::spawn(async move {
            let seat = ponder.seat().0;
            let turn = Arc::clone(&hall.thinkers).acquire_owned().await;
            let thought = tokio::task::spawn_blocking(move || ponder.run()).await;
            drop(turn);
            hall.metrics.bots.add(-1);
            let Some(table) = table.upgrade() else { return };
            let back = thought.map_or(ToTable::BotFell(seat), ToTable::Pondered);
            drop(table.send(back).await); // a table that sleeps needs no bot
        });
    }

    /// Whether this one may do that once more, as far as all nodes know.
    pub(crate) fn allow(&self, what: &str, who: impl Into<String>) -> bool {
        self.limits.rate(what).is_none_or(|rate| self.rates.allow(what, who, rate))
    }

    /// Whether this guest may make or join one more table now.
    pub(crate) fn may_join(&self, person: &str) -> Result<(), Spoken> {
        if self.allow("join", person) {
            return Ok(());
        }
        self.metrics.limited.one();
        Err(say("slow-down", "You are going from table to table too quickly. Wait a minute."))
    }

    /// Makes a table.
    pub(crate) async fn create(&self, outlet: &Outlet, command: &RawCommand) -> Result<TableId, Spoken> {
        let Command::Create { id, game, options, seats, public, rated, grace, seed } = command else {
            return Err(say("not-here", "This makes no table."));
        };
        let kind: Kind =
            game.parse().map_err(|unknown: house::UnknownGame| say("no-such-game", unknown.to_string()))?;
        let options = if options.is_null() { serde_json::json!({}) } else { options.clone() };
        let setting = Setting::new(kind, options)?;
        let places = self.places(outlet, &setting, seats, *rated, seed)?;
        let person = &outlet.person;
        let asked = format!("{} {} {id}", person.id, outlet.client);
        let by = By { person: person.id.clone(), client: outlet.client.clone(), id: *id };
        let terms = Terms {
            game: kind,
            options: to_raw_value(&setting.options).map_err(|fault| say("bad-options", fault.to_string()))?,
            public: *public,
            rated: *rated,
            grace: grace.map(|grace| grace.clamp(5, 86_400)),
            host: person.clone(),
        };
        let now = self.clock.now();
        let day = 24 * 60 * 60 * 1000;
        let store = |fault| say("store", keeper::sentence(&fault));
        let gathering =
            self.store.gathering(person.id.clone(), now.saturating_sub(day)).await.map_err(store)?;
        if gathering >= self.limits.tables {
            return Err(say(
                "enough-tables",
                "You have many tables that have not started. Start or close one first.",
            ));
        }
        self.store.make(new_table(terms, places, asked, Some(by), now)).await.map_err(store)
    }

    fn places(
        &self,
        outlet: &Outlet,
        setting: &Setting,
        wishes: &[Wish],
        rated: bool,
        seed: &str,
    ) -> Result<Vec<Place>, Spoken> {
        let most = self.limits.seats.min(*setting.seating.end() as usize);
        if wishes.is_empty() || wishes.len() > most {
            let title = setting.kind.title();
            return Err(say(
                "seating",
                format!("A table of {title} with these options has 1 to {most} seats."),
            ));
        }
        let bots = wishes.iter().filter(|wish| matches!(wish, Wish::Bot { .. })).count();
        checked_bots(bots, self.limits.bots)?;
        let mut places: Vec<Place> = Vec::with_capacity(wishes.len());
        for wish in wishes {
            // Where many sit, few are bots: the names of the first seats are enough to tell bots apart.
            let place = place_for(&outlet.person, wish, seed, places.iter().take(64))?;
            places.push(place);
        }
        let own = places.iter().filter(|place| place.person().is_some()).count();
        if own > if rated { 1 } else { self.limits.own_seats } {
            return Err(say("enough-seats", "You have as many seats here as one person may have."));
        }
        if rated && places.iter().any(|place| place.bot().is_some()) {
            return Err(say("not-rated", "A rated game needs at least two people, and no bots."));
        }
        if setting.seating.contains(&(places.len() as u32)) {
            let names = (1..=places.len()).map(|seat| format!("Seat {seat}"));
            let seats = Seats::named(names).map_err(|fault| say("bad-seats", fault.to_string()))?;
            AnyTable::open(setting, seats, &Seed::new(id::random()), None)?;
        }
        Ok(places)
    }

    /// Signs of life, and news in the lobby, until the server stops.
    pub(crate) async fn pulse(self: Arc<Self>) {
        let mut tick = tokio::time::interval(crate::lobby::TELL);
        for beat in 0_u32.. {
            tick.tick().await;
            if self.stopping.load(Ordering::Relaxed) {
                return;
            }
            self.lobby.tell();
            if !self.bus.alone() {
                self.tell_others(beat);
            } else if beat % 4 == 0
                && self.metrics.tables.get() > 0
                && let Err(fault) = self.give_sign().await
            {
                tracing::debug!(%fault, "no sign of life could be written");
            }
        }
    }

    /// Everything that was answered is on disk; clocks stop here.
    pub(crate) async fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        let doors: Vec<_> = self.tables().drain().map(|(_, door)| door).collect();
        let all = async {
            let mut stopped = Vec::new();
            for door in doors {
                let (done, stops) = oneshot::channel();
                if door.send(ToTable::Stop(done)).await.is_ok() {
                    stopped.push(stops);
                }
            }
            for stops in stopped {
                drop(stops.await); // a table that fell over has stopped too
            }
        };
        // A table that waits for a broken disk has nothing more to write.
        if tokio::time::timeout(PATIENCE, all).await.is_err() {
            tracing::warn!("some tables did not stop in time; everything they answered is on disk");
        }
        drop(self.store.alive(self.clock.now()).await);
    }

    /// From now on sockets are sent away.
    pub(crate) fn leave(&self) {
        self.leaving.store(true, Ordering::Relaxed);
    }

    /// Whether clients of this node are on their way to another.
    pub(crate) fn leaving(&self) -> bool {
        self.leaving.load(Ordering::Relaxed)
    }

    pub(crate) fn stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}
