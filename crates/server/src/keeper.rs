//! The one task that owns a table: it hears commands, lets time and bots act, and tells everybody what happened once it is on disk.
//!
//! Whatever has come in is carried out together and written together (one batch on its way to the disk at a time); then all of it is answered and told.

use crate::bus::{Letter, Note, Socket, letter};
use crate::clock::TableClock;
use crate::hall::Hall;
use crate::outlet::{Bye, Outlet, SocketId};
use crate::repeats::{Answer, Known};
use crate::room::{Batch, Now, Room, Told, Who, text};
use crate::say;
use crate::store::{Append, Claim, ClockMark, NodeId, PATIENCE, StoreFault};
use crate::window::{End, Window};
use axum::extract::ws::Utf8Bytes;
use house::{Driver, Pondered};
use protocol::{Away, Command, Event, Message, PersonId, Phase, RawCommand, Reaction, TableId};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;
use table::{Seat, Spoken, Time};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

/// What comes to a table. Small, because a table's queue has room for dozens of them even while nothing comes.
pub(crate) enum ToTable {
    /// Somebody asks for something.
    Command(Box<Asked>),
    /// A socket wants to hear about the table from the beginning, without an answer.
    Attach(Arc<Outlet>),
    /// A socket has gone.
    Gone(SocketId),
    /// These sockets of another node watch, and no others of it; with a number, they heard everything up to it and nothing after.
    Watching { from: NodeId, seq: Option<u64>, sockets: Vec<Socket> },
    /// A letter from who keeps the table, which is not here.
    Letter(Box<Letter>),
    /// Letters may have been lost.
    Again,
    /// A node is dead, or has gone.
    NodeGone(NodeId),
    /// This node was silent for so long that it may have been taken for dead: is the table still ours?
    StillOurs,
    /// A bot has thought.
    Pondered(Pondered),
    /// A bot has fallen over while thinking.
    BotFell(u32),
    /// The server stops.
    Stop(oneshot::Sender<()>),
}

/// A command that waits for its answer.
pub(crate) struct Asked {
    pub(crate) outlet: Arc<Outlet>,
    pub(crate) command: RawCommand,
    pub(crate) heard: Instant,
}

/// So many commands wait for a table at most.
pub(crate) const WAITING: usize = 1_024;
/// So many are carried out together at most.
const TOGETHER: usize = 128;
/// With more watchers than this, acts are told together.
const MANY: usize = 64;
/// How long acts are gathered then.
const GATHER: Duration = Duration::from_millis(100);
/// Who is there is told no more often than this.
const CROWD: Duration = Duration::from_secs(1);
/// Past events are kept for who comes back, up to so many bytes and so many of them.
const KEPT_BYTES: usize = 12 * 1024;
const KEPT_EVENTS: usize = 64;

/// How long a table waits before it tries to write again what could not be written: at first, and at most.
const SOON: Duration = Duration::from_millis(50);
const LATER: Duration = Duration::from_secs(1);

/// A socket that hears about the table. Dropped without being let go (the table fell over), it is closed, and comes back.
struct Watcher {
    outlet: Arc<Outlet>,
    let_go: bool,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if !self.let_go {
            self.outlet.close(Bye::Fell);
        }
    }
}

/// An event that was told, and the first that it stands for.
struct Kept {
    from: u64,
    seq: u64,
    frame: Utf8Bytes,
}

/// An answer that waits for the disk.
struct Waiting {
    asked: Box<Asked>,
    answer: Answer,
    /// Whether it should hear about the table from now on, and how it comes to that.
    watch: Option<Watch>,
    /// Whether it stands or falls with what is to be written.
    changes: bool,
}

/// How somebody comes to hear about a table.
#[derive(Clone, Copy, Debug)]
enum Watch {
    /// By asking for it, having heard everything up to here before.
    Asked(Option<u64>),
    /// By sitting down.
    Joined,
}

/// The owner of one table.
pub(crate) struct Keeper {
    hall: Arc<Hall>,
    id: TableId,
    heard: mpsc::Receiver<ToTable>,
    /// The way to itself, for bots that come back from thinking.
    own: mpsc::WeakSender<ToTable>,
    room: Room,
    clock: TableClock,
    watchers: Vec<Watcher>,
    /// How many sockets each person has here.
    here: HashMap<PersonId, u32>,
    /// Since when players with a seat are away.
    away: BTreeMap<PersonId, (Instant, u64)>,
    crowd_changed: Option<Instant>,
    crowd_told: Instant,
    /// The last events, for who comes back.
    kept: VecDeque<Kept>,
    kept_bytes: usize,
    /// An event that waits to stand for more, at a table with many watchers.
    held: Option<(Told, Instant)>,
    /// A mark of what each seat was shown last.
    shown: HashMap<u32, u64>,
    idle_since: Option<Instant>,
    reacted: HashMap<PersonId, Instant>,
    /// Everybody was told everything up to here.
    told: u64,
    /// Whether another node has the table now, and the commands that it should get.
    lost: Option<VecDeque<Box<Asked>>>,
    /// Commands that came along when the table changed hands.
    brought: VecDeque<Box<Asked>>,
    /// Who wants to see the table, and sees it when what is happening is on disk.
    comers: Vec<Comer>,
    /// After which of this node's silences the store said last that the table is ours.
    sure: Option<u64>,
    trouble: Option<Trouble>,
    /// How long it is waited the next time that something cannot be written.
    pause: Duration,
}

/// Nothing can be written while a game is played: its clock stands, because nobody can act.
struct Trouble {
    stands: Time,
    /// When it is tried again.
    again: Instant,
}

/// Somebody who wants to see the table without having asked for it by a command.
enum Comer {
    /// A socket here.
    Here(Arc<Outlet>),
    /// The sockets of another node, and what they have heard.
    There(NodeId, Option<u64>, Vec<Socket>),
}

/// What goes along when a table changes hands: who speaks to it here, and what was not answered.
pub(crate) struct Luggage {
    pub(crate) heard: mpsc::Receiver<ToTable>,
    pub(crate) watching: Vec<Arc<Outlet>>,
    pub(crate) asked: VecDeque<Box<Asked>>,
    /// What those who watch have heard.
    pub(crate) seq: Option<u64>,
}

/// Why a table cannot be kept.
enum NoTable {
    Unknown,
    Store(StoreFault),
    Damaged(String),
}

impl NoTable {
    fn spoken(&self) -> Spoken {
        match self {
            NoTable::Unknown => say("no-such-table", "There is no such table. Ask for the link again."),
            NoTable::Store(fault) => say("store", sentence(fault)),
            NoTable::Damaged(_) => {
                say("damaged", "This table cannot be read any more. Tell the host to run the doctor.")
            }
        }
    }
}

/// As much of a table's name as a log may hold: the whole of it is the invitation.
pub(crate) fn short(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

/// Words for the person from an error's words.
pub(crate) fn sentence(fault: &impl ToString) -> String {
    let mut words = fault.to_string();
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words + "."
}

/// Runs a table, or looks at it where it is kept, until nobody is there any more.
pub(crate) async fn keep(
    hall: Arc<Hall>,
    id: TableId,
    heard: mpsc::Receiver<ToTable>,
    own: mpsc::WeakSender<ToTable>,
) {
    let mut luggage = Luggage { heard, watching: Vec::new(), asked: VecDeque::new(), seq: None };
    let (mut looked, mut found) = (0, Instant::now());
    loop {
        if hall.stopping() && hall.bus.alone() {
            // Who came at the last moment: nobody would tell this table to stop, and its clock must not start.
            return luggage.turn_away(&hall, &id, &own, &NoTable::Store(StoreFault::Closed)).await;
        }
        let (began, sure) = (Instant::now(), hall.silences());
        let held = claim(&hall, &id).await;
        let reached = held.is_ok();
        let end = match held {
            Ok(Held::Here(room, clock)) => {
                hall.metrics.tables.add(1);
                let mut keeper =
                    Keeper::new(Arc::clone(&hall), id.clone(), luggage, own.clone(), *room, clock);
                keeper.sure = sure;
                let end = keeper.run().await;
                hall.metrics.tables.add(-1);
                end
            }
            Ok(Held::There(node)) => {
                Window::new(Arc::clone(&hall), id.clone(), node, own.clone(), luggage).run().await
            }
            // Whoever came along with the table waits until it can be asked for again; who comes to it now, for a while.
            Err(NoTable::Store(fault))
                if !hall.stopping()
                    && (luggage.brings() || fault == StoreFault::Lost && found.elapsed() < PATIENCE) =>
            {
                End::Moved(luggage)
            }
            Err(why) => return luggage.turn_away(&hall, &id, &own, &why).await,
        };
        match end {
            End::Shut => return,
            End::Moved(back) => luggage = back,
        }
        if reached {
            found = Instant::now();
        }
        // Who looks in vain looks less often.
        looked = if began.elapsed() < Duration::from_secs(1) { looked + 1 } else { 0 };
        tokio::time::sleep(Duration::from_millis(20 * looked).min(Duration::from_millis(500))).await;
    }
}

impl Luggage {
    fn brings(&self) -> bool {
        !self.watching.is_empty() || !self.asked.is_empty()
    }

    async fn turn_away(mut self, hall: &Hall, id: &str, own: &mpsc::WeakSender<ToTable>, why: &NoTable) {
        if let NoTable::Damaged(what) = &why {
            tracing::error!(table = short(id), what, "a table cannot be read");
        }
        hall.forget(id, own);
        self.heard.close();
        for asked in self.asked {
            refuse(&asked.outlet, asked.command.id(), &why.spoken());
        }
        let bye = if hall.stopping() { Bye::Restart } else { Bye::Fell };
        for outlet in self.watching {
            outlet.close(bye);
        }
        while let Some(message) = self.heard.recv().await {
            turn_away(message, &why.spoken());
        }
    }
}

/// Shuts the door of a table that nobody is at any more. Whoever came in the meantime goes to its next owner.
pub(crate) async fn shut(
    hall: &Arc<Hall>,
    id: &str,
    own: &mpsc::WeakSender<ToTable>,
    mut heard: mpsc::Receiver<ToTable>,
) {
    hall.forget(id, own);
    heard.close();
    while let Some(message) = heard.recv().await {
        if let Err(message) = hall.pass(id, message) {
            turn_away(*message, &busy());
        }
    }
}

fn busy() -> Spoken {
    say("busy", "The table is busy. Try again in a moment.")
}

fn turn_away(message: ToTable, why: &Spoken) {
    match message {
        ToTable::Command(asked) => refuse(&asked.outlet, asked.command.id(), why),
        ToTable::Stop(done) => drop(done.send(())),
        _ => {}
    }
}

/// Tells a socket that a command is refused.
pub(crate) fn refuse(outlet: &Outlet, id: Option<u64>, why: &Spoken) {
    let Spoken { code, says, details } = why.clone();
    outlet.answer(id, text(&Message::<()>::Refused { id, code, says, details }).into());
}

/// Where a table is kept.
enum Held {
    Here(Box<Room>, TableClock),
    There(NodeId),
}

/// Takes the table, if it is free.
async fn claim(hall: &Hall, id: &TableId) -> Result<Held, NoTable> {
    match hall.store.claim(id.clone(), hall.clock.now()).await.map_err(NoTable::Store)? {
        Claim::Unknown => Err(NoTable::Unknown),
        Claim::Theirs(node) => Ok(Held::There(node)),
        Claim::Mine(stored) => {
            let room = Room::load(id, &stored, hall.bounds()).map_err(NoTable::Damaged)?;
            Ok(Held::Here(Box::new(room), TableClock::at(stored.clock)))
        }
    }
}

impl Keeper {
    fn new(
        hall: Arc<Hall>,
        id: TableId,
        luggage: Luggage,
        own: mpsc::WeakSender<ToTable>,
        room: Room,
        clock: TableClock,
    ) -> Keeper {
        let now = Instant::now();
        let Luggage { heard, watching, asked, seq } = luggage;
        let told = room.seq();
        let mut keeper = Keeper {
            hall,
            id,
            heard,
            own,
            room,
            clock,
            watchers: Vec::new(),
            here: HashMap::new(),
            away: BTreeMap::new(),
            crowd_changed: None,
            crowd_told: now,
            kept: VecDeque::new(),
            kept_bytes: 0,
            held: None,
            shown: HashMap::new(),
            idle_since: Some(now),
            reacted: HashMap::new(),
            told,
            lost: None,
            brought: asked,
            comers: Vec::new(),
            sure: None,
            trouble: None,
            pause: SOON,
        };
        for outlet in watching {
            keeper.watch(&outlet, Watch::Asked(seq));
        }
        keeper.note_away();
        keeper
    }

    async fn run(mut self) -> End {
        if self.room.phase == Phase::Playing {
            self.start_clock();
            self.ask_bots();
        }
        loop {
            let wake = self.wake();
            let first = if let Some(message) = self.next_brought() {
                Some(message)
            } else {
                // In this order always, so that a simulated house is the same every time; what is due acts in any case.
                tokio::select! {
                    biased;
                    message = self.heard.recv() => message,
                    () = until(wake) => None,
                }
            };
            let mut batch = Batch::new(self.room.key);
            let (mut waiting, mut stop) = (Vec::new(), None);
            self.try_again().await;
            if self.trouble.is_none() {
                self.let_time_act(&mut batch);
            }
            let (mut next, mut count) = (first, 0);
            while let Some(message) = next.take() {
                match message {
                    ToTable::Stop(done) => stop = Some(done),
                    message => self.hear(message, &mut batch, &mut waiting).await,
                }
                count += 1;
                if count < TOGETHER {
                    next = self.next_brought().or_else(|| self.heard.try_recv().ok());
                }
            }
            self.settle(batch, waiting).await;
            if let Some(asked) = self.lost.take() {
                if let Some(done) = stop {
                    self.let_watchers_go();
                    let _ = done.send(()); // whoever asked has given up waiting
                    return End::Shut;
                }
                return self.hand_over(asked);
            }
            for comer in std::mem::take(&mut self.comers) {
                match comer {
                    Comer::Here(outlet) => self.watch(&outlet, Watch::Asked(None)),
                    Comer::There(node, seq, sockets) => self.watched_from(node, seq, sockets),
                }
            }
            self.tell_held_if_due();
            self.tell_crowd_if_due();
            if let Some(done) = stop {
                self.stop(done).await;
                return End::Shut;
            }
            if self.sleepy() {
                self.sleep().await;
                return End::Shut;
            }
        }
    }

    fn next_brought(&mut self) -> Option<ToTable> {
        self.brought.pop_front().map(ToTable::Command)
    }

    /// Another node has the table: everybody here goes on there.
    fn hand_over(mut self, mut asked: VecDeque<Box<Asked>>) -> End {
        tracing::info!(table = short(&self.id), "another node keeps this table now");
        self.hall.lobby.update(&self.id, None);
        let (mut watching, mut nodes) = (Vec::new(), self.nodes());
        for comer in std::mem::take(&mut self.comers) {
            match comer {
                Comer::Here(outlet) => drop(self.hall.pass(&self.id, ToTable::Attach(outlet))),
                Comer::There(node, ..) => drop(nodes.insert(node)),
            }
        }
        for watcher in &mut self.watchers {
            watcher.let_go = true;
            if watcher.outlet.id.node.is_none() {
                watching.push(Arc::clone(&watcher.outlet));
            }
        }
        self.send_elsewhere(&nodes);
        asked.append(&mut self.brought);
        End::Moved(Luggage { heard: self.heard, watching, asked, seq: Some(self.told) })
    }

    /// The other nodes where somebody watches.
    fn nodes(&self) -> BTreeSet<NodeId> {
        self.watchers.iter().filter_map(|watcher| watcher.outlet.id.node).collect()
    }

    fn send_elsewhere(&self, nodes: &BTreeSet<NodeId>) {
        for node in nodes {
            self.hall.bus.send(*node, letter(&Note::Elsewhere { table: self.id.clone() }, []));
        }
    }

    /// What the table's clock shows.
    fn time(&self) -> Time {
        self.trouble.as_ref().map_or_else(|| self.clock.now(), |trouble| trouble.stands)
    }

    fn at(&self) -> Now {
        let time = if self.room.phase == Phase::Gathering { Time::START } else { self.time() };
        Now { time, wall: self.hall.clock.now() }
    }

    /// When something is due next, if nobody comes before.
    fn wake(&self) -> Option<Instant> {
        let acts = match &self.trouble {
            Some(trouble) => Some(trouble.again),
            None => self.next_act_of_time(),
        };
        let held = self.held.as_ref().map(|(_, due)| *due);
        let crowd = self.crowd_changed;
        let sleep = self.idle_since.map(|since| since + self.linger());
        [acts, held, crowd, sleep].into_iter().flatten().min()
    }

    /// When time, a bot or an absence will act next.
    fn next_act_of_time(&self) -> Option<Instant> {
        let due = self.room.game.as_ref().and_then(Driver::due).map(|due| self.clock.when(due));
        [due, self.next_abandoned()].into_iter().flatten().min()
    }

    fn linger(&self) -> Duration {
        let limits = &self.hall.limits;
        if self.room.deadline().is_some() { limits.linger_playing } else { limits.linger }
    }

    fn sleepy(&self) -> bool {
        self.idle_since.is_some_and(|since| since.elapsed() >= self.linger())
    }

    /// Nobody is here: the table's clock stands until somebody comes.
    async fn sleep(mut self) {
        self.let_go().await;
        self.hall.lobby.update(&self.id, None);
        shut(&self.hall, &self.id, &self.own, self.heard).await;
    }

    /// The server stops, and tells them so itself.
    fn let_watchers_go(&mut self) {
        for watcher in &mut self.watchers {
            watcher.let_go = true;
        }
    }

    /// The server stops. What still waits is answered: its sender asks again when the house is open again.
    async fn stop(mut self, done: oneshot::Sender<()>) {
        self.let_go().await;
        self.let_watchers_go();
        self.send_elsewhere(&self.nodes());
        self.heard.close();
        while let Some(message) = self.next_brought().or_else(|| self.heard.try_recv().ok()) {
            // Other nodes send what was not answered to whoever keeps the table next.
            if !matches!(&message, ToTable::Command(asked) if asked.outlet.id.node.is_some()) {
                turn_away(message, &busy());
            }
        }
        let _ = done.send(()); // whoever asked has given up waiting
    }

    fn clock_mark(&self, runs: bool) -> Append {
        let mark = ClockMark { time: self.time(), wall: self.hall.clock.now(), runs };
        Append { clock: Some(mark), ..Append::new(self.room.key) }
    }

    /// Writes down that the clock runs from here, without waiting for it: at worst somebody is given a little time.
    fn start_clock(&self) {
        if self.room.phase == Phase::Playing {
            tokio::spawn(self.hall.store.append(self.clock_mark(true)));
        }
    }

    /// Writes down where the clock stands until the table has an owner again, and that it has none.
    async fn let_go(&mut self) {
        let playing = self.room.phase == Phase::Playing;
        let clock = self.clock_mark(false).clock.filter(|_| playing);
        let append = Append { clock, leave: true, ..Append::new(self.room.key) };
        if (playing || !self.hall.bus.alone())
            && let Err(fault) = self.hall.store.append(append).await
        {
            tracing::warn!(table = short(&self.id), %fault, "the table could not be let go");
        }
    }

    async fn hear(&mut self, message: ToTable, batch: &mut Batch, waiting: &mut Vec<Waiting>) {
        match message {
            ToTable::Command(asked) => {
                let (answer, watch, changes) = self.carry_out(&asked, batch).await;
                waiting.push(Waiting { asked, answer, watch, changes });
            }
            ToTable::Attach(outlet) => self.comers.push(Comer::Here(outlet)),
            ToTable::Gone(outlet) => self.unwatch(|id| id == outlet),
            ToTable::Watching { from, seq, sockets } => {
                self.comers.push(Comer::There(from, seq, sockets));
            }
            ToTable::NodeGone(node) => self.unwatch(|id| id.node == Some(node)),
            ToTable::StillOurs => self.still_ours().await,
            ToTable::Letter(_) | ToTable::Again => {}
            ToTable::Pondered(pondered) => self.pondered(pondered),
            ToTable::BotFell(seat) => self.bot_fell(seat),
            ToTable::Stop(done) => drop(done.send(())),
        }
    }

    /// How a command is to be answered, whether its sender watches from now on, and whether it stands or falls with what is to be written.
    async fn carry_out(&mut self, asked: &Asked, batch: &mut Batch) -> (Answer, Option<Watch>, bool) {
        let Asked { outlet, command, .. } = asked;
        let id = command.id().unwrap_or(0);
        let who = Who { person: &outlet.person, client: &outlet.client };
        match command {
            Command::Watch { seq, .. } => {
                return (Answer::Done(self.room.seq(), None), Some(Watch::Asked(*seq)), false);
            }
            Command::Unwatch { .. } => {
                self.unwatch(|id| id == outlet.id);
                return (Answer::Done(self.room.seq(), None), None, false);
            }
            Command::React { reaction, .. } => {
                let answer = match self.react(who, *reaction) {
                    Ok(()) => Answer::Done(self.room.seq(), None),
                    Err(why) => Answer::Refused(Box::new(why)),
                };
                return (answer, None, false);
            }
            _ => {}
        }
        // Joining again after a lost answer must also lead to watching again.
        let watch = matches!(command, Command::Join { .. }).then_some(Watch::Joined);
        match self.room.known(who, id) {
            Known::Again(answer) => {
                let watch = watch.filter(|_| matches!(answer, Answer::Done(..)));
                // What came twice in one moment stands or falls together.
                let on_disk = self.room.seq() - batch.append.rows.len() as u64;
                let changes = matches!(answer, Answer::Done(seq, _) if seq > on_disk);
                return (answer, watch, changes);
            }
            Known::Old => {
                let old = say(
                    "old-command",
                    "This command is older than any the table remembers. Use a higher id.",
                );
                return (Answer::Refused(Box::new(old)), None, false);
            }
            Known::New => {}
        }
        let was = self.room.phase;
        let done = if let Command::Rematch { seed, .. } = command {
            self.rematch(who, id, seed, batch).await
        } else {
            let at = self.at();
            self.room.let_due_act(at, batch);
            self.room.command(who, command, at, batch).map(|()| None)
        };
        if was == Phase::Gathering && self.room.phase == Phase::Playing {
            self.clock = TableClock::at(Time::START);
        }
        let caused = self.room.caused(batch, who, id);
        let answer = match done {
            Ok(table) => Answer::Done(caused.unwrap_or(self.room.seq()), table),
            Err(why) => Answer::Refused(Box::new(why)),
        };
        let watch = watch.filter(|_| matches!(answer, Answer::Done(..)));
        self.room.remember(who, id, answer.clone(), caused.is_some());
        if matches!((command, &answer), (Command::Act { .. }, Answer::Done(..))) {
            self.hall.metrics.acts.one();
        }
        (answer, watch, true)
    }

    async fn rematch(
        &mut self,
        who: Who<'_>,
        id: u64,
        seed: &str,
        batch: &mut Batch,
    ) -> Result<Option<Box<str>>, Spoken> {
        if let Some(table) = &self.room.rematch {
            return Ok(Some(table.as_str().into()));
        }
        let new = self.room.rematch_table(who, seed, self.hall.clock.now())?;
        let made = self.hall.store.make(new).await.map_err(|fault| say("store", sentence(&fault)))?;
        let at = self.at();
        self.room.rematched(who, id, made.clone(), at, batch);
        Ok(Some(made.into()))
    }

    fn react(&mut self, who: Who<'_>, reaction: Reaction) -> Result<(), Spoken> {
        let person = &who.person.id;
        if self.room.seats_of(person).next().is_none() && *person != self.room.terms.host.id {
            return Err(say("not-seated", "Only who sits at the table can nod across it."));
        }
        let now = Instant::now();
        if self.reacted.get(person).is_some_and(|last| now - *last < Duration::from_millis(500)) {
            return Err(say("slow-down", "One nod at a time."));
        }
        self.reacted.insert(person.clone(), now);
        let (table, seq) = (self.id.clone(), self.room.seq());
        let (person, name) = (person.clone(), who.person.name.clone());
        let frame: Utf8Bytes = text(&Message::<()>::Reaction { table, seq, person, name, reaction }).into();
        self.tell_all(&frame);
        Ok(())
    }

    /// Time, bots and absences, as far as they are due.
    fn let_time_act(&mut self, batch: &mut Batch) {
        let at = self.at();
        self.room.let_due_act(at, batch);
        if let Some(person) = self.abandoned() {
            self.away.remove(&person);
            self.room.abandon(&person, at, batch);
        }
    }

    /// Writes what happened, and then answers and tells it; or takes it all back.
    async fn settle(&mut self, mut batch: Batch, waiting: Vec<Waiting>) {
        let append = std::mem::replace(&mut batch.append, Append::new(self.room.key));
        let on_disk = self.room.seq() - append.rows.len() as u64;
        let (stands, says) = (self.time(), !append.rows.is_empty());
        let written =
            if append.rows.is_empty() && (waiting.is_empty() && self.comers.is_empty() || self.is_sure()) {
                Ok(())
            } else {
                self.write(append).await
            };
        let undone = match written {
            Ok(()) => {
                if says {
                    self.pause = SOON;
                    self.go_on();
                }
                None
            }
            Err(fault) => {
                if fault == StoreFault::Fenced || !self.reload(stands).await {
                    return self.lose(waiting);
                }
                batch = Batch::new(self.room.key);
                if self.room.seq() != on_disk {
                    self.tell_afresh(); // a database that was lost had written after all
                }
                Some(say("store", sentence(&fault)))
            }
        };
        for wait in &waiting {
            let Asked { outlet, command, heard, .. } = &*wait.asked;
            let id = command.id().unwrap_or(0);
            match (&wait.answer, &undone) {
                (Answer::Done(..), Some(why)) if wait.changes => self.refuse(outlet, id, why),
                (Answer::Refused(why), _) => self.refuse(outlet, id, why),
                (Answer::Done(seq, table), _) => {
                    // Who only watches is told of nothing that could not be written.
                    let seq = (*seq).min(self.room.seq());
                    self.done(outlet, id, seq, table.as_deref());
                }
            }
            self.hall.metrics.answer.observe(heard.elapsed().as_secs_f64());
        }
        self.release(batch);
        for Waiting { asked, watch, changes, .. } in waiting {
            if let Some(watch) = watch.filter(|_| undone.is_none() || !changes) {
                self.watch(&asked.outlet, watch);
            }
        }
    }

    /// Another node has the table. What was not answered goes to it; what came from other nodes they send there themselves.
    fn lose(&mut self, waiting: Vec<Waiting>) {
        let asked = waiting.into_iter().map(|wait| wait.asked);
        self.lost = Some(asked.filter(|asked| asked.outlet.id.node.is_none()).collect());
    }

    /// Writes, as long as the table is ours.
    async fn write(&mut self, append: Append) -> Result<(), StoreFault> {
        let sure = self.hall.silences();
        self.hall.store.append(append).await?;
        self.sure = sure;
        Ok(())
    }

    /// Whether nobody else can have the table: a node that was silent for too long must not even refuse from memory.
    fn is_sure(&self) -> bool {
        self.sure.is_some() && self.sure == self.hall.silences()
    }

    async fn still_ours(&mut self) {
        if self.write(Append::new(self.room.key)).await == Err(StoreFault::Fenced) {
            self.lost.get_or_insert_default();
        }
    }

    fn refuse(&self, outlet: &Outlet, id: u64, why: &Spoken) {
        self.hall.metrics.refused.one();
        refuse(outlet, Some(id), why);
    }

    fn done(&self, outlet: &Outlet, id: u64, seq: u64, table: Option<&str>) {
        let table = Some(table.unwrap_or(&self.id).to_owned());
        outlet.answer(Some(id), text(&Message::<()>::Done { id, table, seq: Some(seq) }).into());
    }

    /// The clock stands from now on, and in a while it is tried again whether anything can be written.
    fn stand_still(&mut self, stands: Time) {
        let again = Instant::now() + self.pause;
        self.pause = (self.pause * 2).min(LATER);
        self.trouble = (self.room.phase == Phase::Playing).then_some(Trouble { stands, again });
    }

    /// The clock goes on from where it stood: nobody is charged for the time when nothing could be written.
    fn go_on(&mut self) {
        if let Some(trouble) = self.trouble.take() {
            self.clock = TableClock::at(trouble.stands);
        }
    }

    /// In trouble, when it is time for it: writes down where the clock stands. Time, bots and absences wait for that; people's commands are tried as
    /// they come, and one that can be written ends the trouble too.
    async fn try_again(&mut self) {
        let due = |trouble: &&Trouble| trouble.again <= Instant::now();
        let Some(stands) = self.trouble.as_ref().filter(due).map(|trouble| trouble.stands) else { return };
        match self.write(self.clock_mark(true)).await {
            Ok(()) => {
                self.go_on();
                self.tell_afresh(); // everybody's clock at home has run on
            }
            Err(StoreFault::Fenced) => drop(self.lost.get_or_insert_default()),
            Err(_) => self.stand_still(stands),
        }
    }

    /// What is on disk is what happened: after a failed write the table starts from there again, its clock where it stood. Answers whether it is
    /// still ours.
    async fn reload(&mut self, stands: Time) -> bool {
        let mut wait = Duration::from_millis(50);
        loop {
            match claim(&self.hall, &self.id).await {
                Ok(Held::Here(room, _)) => {
                    let before = std::mem::replace(&mut self.room, *room);
                    self.room.remember_refusals(before);
                    break;
                }
                Ok(Held::There(_)) => return false,
                Err(why) => {
                    tracing::error!(
                        table = short(&self.id),
                        why = why.spoken().says,
                        "a table cannot be read back"
                    );
                    // Meanwhile commands wait in the bounded queue, or are turned away as busy.
                    tokio::time::sleep(wait).await;
                    wait = (wait * 2).min(Duration::from_secs(5));
                }
            }
        }
        // A database that was lost may have written after all: the clock does not stand before what happened.
        let last = self.room.game.as_ref().map_or(Time::START, |game| game.table().now());
        self.stand_still(stands.max(last));
        self.ask_bots();
        self.note_away(); // whose seat could not be given to a bot is still away
        true
    }
}

/// Telling people.
impl Keeper {
    /// What is on disk now is told to everybody who watches, and bots are asked again.
    fn release(&mut self, batch: Batch) {
        let Batch { mut told, moved, .. } = batch;
        let life = told.iter().any(|told| !told.merges);
        for _ in &told {
            self.hall.metrics.events.one();
        }
        let secret = told.pop_if(|told| told.secret);
        self.tell_events(told);
        if let Some(secret) = secret {
            self.tell_seated(secret);
        }
        if life {
            self.note_away();
            self.list();
        }
        if moved {
            self.ask_bots();
        }
    }

    /// At a table with many watchers acts wait a moment for others, and one event stands for all of them.
    fn tell_events(&mut self, told: Vec<Told>) {
        let many = self.watchers.len() > MANY;
        let mut out = Vec::new();
        for mut event in told {
            if let Some((held, due)) = self.held.take() {
                if event.merges && many {
                    event.stand_for(held.from());
                    self.held = Some((event, due));
                    continue;
                }
                out.push(held);
            }
            if event.merges && many {
                self.held = Some((event, Instant::now() + GATHER));
            } else {
                out.push(event);
            }
        }
        self.tell(out);
    }

    /// Everybody gets a whole view: what they knew is no longer followed by what they will hear.
    fn tell_afresh(&mut self) {
        self.kept.clear();
        self.kept_bytes = 0;
        self.held = None;
        let (at, watching) = (self.at(), self.here.len() as u32);
        self.told = self.room.seq();
        for node in self.nodes() {
            let (table, from, seq) = (self.id.clone(), self.hall.node, self.told);
            self.hall.bus.send(node, letter(&Note::Stands { table, from, seq }, []));
        }
        for watcher in &self.watchers {
            let view = self.room.view(&watcher.outlet.person.id, at, watching, self.who_is_away());
            watcher.outlet.send(view);
        }
    }

    /// Tells an event to who has a seat. The others get a view, so that nobody misses a number; who comes back gets one too.
    fn tell_seated(&mut self, told: Told) {
        self.kept.clear();
        self.kept_bytes = 0;
        self.told = told.event.seq;
        let (at, watching) = (self.at(), self.here.len() as u32);
        let frame = frame(told.event);
        for outlet in self.watchers.iter().map(|watcher| &watcher.outlet) {
            let person = &outlet.person.id;
            let seated = self.room.seats_of(person).next().is_some();
            let view = || self.room.view(person, at, watching, self.who_is_away());
            outlet.send(if seated { frame.clone() } else { view() });
        }
        for node in self.nodes() {
            let (table, from, seq) = (self.id.clone(), self.hall.node, self.told);
            self.hall.bus.send(node, letter(&Note::Stands { table, from, seq }, []));
        }
    }

    fn tell_held_if_due(&mut self) {
        let now = Instant::now();
        if let Some((held, _)) = self.held.take_if(|(_, due)| *due <= now) {
            self.tell(vec![held]);
        }
    }

    /// Tells events, each seat's private view before the last of them.
    fn tell(&mut self, events: Vec<Told>) {
        let Some(seq) = events.last().map(|last| last.event.seq) else { return };
        let private = self.private_news();
        let mut frames = Vec::with_capacity(events.len());
        for told in events {
            let (from, seq, frame) = (told.from(), told.event.seq, frame(told.event));
            frames.push(frame.clone());
            self.keep_for_later(Kept { from, seq, frame });
        }
        let before = std::mem::replace(&mut self.told, seq);
        self.spread(&frames, &private, before);
    }

    /// Tells something that is not kept.
    fn tell_all(&mut self, frame: &Utf8Bytes) {
        self.spread(std::slice::from_ref(frame), &HashMap::new(), self.told);
    }

    /// To every socket here, and once to every node where somebody watches.
    fn spread(&mut self, frames: &[Utf8Bytes], private: &HashMap<PersonId, Vec<Utf8Bytes>>, before: u64) {
        let Some((last, first)) = frames.split_last() else { return };
        let mut there: BTreeMap<NodeId, BTreeSet<&str>> = BTreeMap::new();
        for outlet in self.watchers.iter().map(|watcher| &watcher.outlet) {
            if let Some(node) = outlet.id.node {
                let known = private.get_key_value(&outlet.person.id).map(|(person, _)| person.as_str());
                there.entry(node).or_default().extend(known);
            }
        }
        for (node, people) in there {
            let news = people.iter().filter_map(|person| private.get_key_value(*person));
            let note = Note::Told {
                table: self.id.clone(),
                from: self.hall.node,
                before,
                seq: self.told,
                frames: frames.len(),
                private: news.clone().map(|(person, own)| (person.clone(), own.len())).collect(),
            };
            let lines = frames.iter().chain(news.flat_map(|(_, own)| own)).map(Utf8Bytes::as_str);
            self.hall.bus.send(node, letter(&note, lines));
        }
        self.watchers.retain_mut(|watcher| {
            if watcher.outlet.id.node.is_some() {
                return true;
            }
            let own = private.get(&watcher.outlet.person.id).map_or(&[][..], Vec::as_slice);
            let open = first.iter().chain(own).chain([last]).all(|frame| watcher.outlet.send(frame.clone()));
            if !open {
                lose(&mut self.here, watcher);
            }
            open
        });
        self.note_idle();
    }

    /// Which sockets of another node watch. Those that we do not know come to it now; those that missed something hear it again.
    fn watched_from(&mut self, node: NodeId, seq: Option<u64>, sockets: Vec<Socket>) {
        let watches = |number: u64| sockets.iter().any(|socket| socket.number == number);
        self.unwatch(|id| id.node == Some(node) && !watches(id.number));
        for socket in sockets {
            let id = SocketId { node: Some(node), number: socket.number };
            if seq.is_some() || !self.watchers.iter().any(|watcher| watcher.outlet.id == id) {
                let outlet = Outlet::there(node, socket, &self.id, &self.hall.bus);
                self.watch(&Arc::new(outlet), Watch::Asked(seq));
            }
        }
        let (table, from, seq) = (self.id.clone(), self.hall.node, self.told);
        self.hall.bus.send(node, letter(&Note::Stands { table, from, seq }, []));
    }

    fn keep_for_later(&mut self, kept: Kept) {
        self.kept_bytes += kept.frame.len();
        self.kept.push_back(kept);
        while self.kept.len() > KEPT_EVENTS || self.kept_bytes > KEPT_BYTES {
            let Some(old) = self.kept.pop_front() else { break };
            self.kept_bytes -= old.frame.len();
        }
    }

    /// What has changed for each seat whose owner is here.
    fn private_news(&mut self) -> HashMap<PersonId, Vec<Utf8Bytes>> {
        let mut news: HashMap<PersonId, Vec<Utf8Bytes>> = HashMap::new();
        for (seat, place) in (0..).zip(&self.room.places) {
            let Some(person) = place.person().filter(|person| self.here.contains_key(*person)) else {
                continue;
            };
            let Some(private) = self.room.private(seat) else { break };
            let mark = mark(private.get());
            if self.shown.insert(seat, mark) != Some(mark) {
                news.entry(person.to_owned()).or_default().push(self.room.private_frame(seat, private));
            }
        }
        news
    }

    /// A socket hears about the table from now on.
    fn watch(&mut self, outlet: &Arc<Outlet>, watch: Watch) {
        let watches = self.watchers.iter().any(|watcher| watcher.outlet.id == outlet.id);
        if !watches {
            self.watchers.push(Watcher { outlet: Arc::clone(outlet), let_go: false });
            if let SocketId { node: Some(node), number: socket } = outlet.id {
                let (table, from, seq) = (self.id.clone(), self.hall.node, self.told);
                self.hall.bus.send(node, letter(&Note::Watches { table, from, socket, seq }, []));
            }
            *self.here.entry(outlet.person.id.clone()).or_default() += 1;
            self.away.remove(&outlet.person.id);
            self.note_crowd();
            self.note_idle();
        }
        match watch {
            Watch::Joined if watches => {}
            Watch::Asked(Some(seq)) if self.catch_up(outlet, seq) => {}
            Watch::Asked(_) | Watch::Joined => {
                let (at, watching) = (self.at(), self.here.len() as u32);
                for seat in self.room.seats_of(&outlet.person.id) {
                    if let Some(private) = self.room.private(seat) {
                        self.shown.insert(seat, mark(private.get()));
                    }
                }
                let view = self.room.view(&outlet.person.id, at, watching, self.who_is_away());
                outlet.send(view);
            }
        }
    }

    /// Tells what was missed since `seq`, if that is still known.
    fn catch_up(&self, outlet: &Outlet, seq: u64) -> bool {
        let now = self.room.seq();
        if seq == now {
            return true;
        }
        // In this order: whoever says that he has heard the last number of all must not make it overflow.
        let missed = self.kept.iter().position(|told| seq < told.seq && told.from <= seq + 1);
        let Some(first) = missed.filter(|_| self.kept.back().is_some_and(|told| told.seq == now)) else {
            return false;
        };
        let (last, before) = (self.kept.len() - 1, self.kept.iter().skip(first));
        for (at, told) in (first..).zip(before) {
            if at == last {
                for seat in self.room.seats_of(&outlet.person.id) {
                    if let Some(private) = self.room.private(seat) {
                        outlet.send(self.room.private_frame(seat, private));
                    }
                }
            }
            outlet.send(told.frame.clone());
        }
        true
    }

    fn unwatch(&mut self, who: impl Fn(SocketId) -> bool) {
        let (here, before) = (&mut self.here, self.watchers.len());
        self.watchers.retain_mut(|watcher| {
            let stays = !who(watcher.outlet.id);
            if !stays {
                lose(here, watcher);
            }
            stays
        });
        if self.watchers.len() < before {
            self.note_away();
            self.note_crowd();
            self.note_idle();
        }
    }

    fn note_idle(&mut self) {
        self.idle_since = match (self.watchers.is_empty(), self.idle_since) {
            (false, _) => None,
            (true, since) => since.or_else(|| Some(Instant::now())),
        };
    }

    fn note_crowd(&mut self) {
        let soonest = self.crowd_told + CROWD;
        self.crowd_changed.get_or_insert(soonest.max(Instant::now()));
    }

    /// Whose seat is played and who is not here is away, from now.
    fn note_away(&mut self) {
        if self.room.phase != Phase::Playing {
            return self.away.clear();
        }
        for place in &self.room.places {
            if let Some(person) = place.person().filter(|person| !self.here.contains_key(*person)) {
                let now = (Instant::now(), self.hall.clock.now());
                self.away.entry(person.to_owned()).or_insert(now);
            }
        }
    }

    /// The time after which a seat is given to a bot, if anybody else is here to mind.
    fn grace(&self) -> Option<Duration> {
        let grace = self.room.terms.grace.filter(|_| self.room.phase == Phase::Playing)?;
        let mut owners = self.room.places.iter().filter_map(|place| place.person());
        owners.any(|person| self.here.contains_key(person)).then(|| Duration::from_secs(grace.into()))
    }

    /// Who is away, plays himself, and since when.
    fn missed(&self) -> impl Iterator<Item = (&PersonId, Instant)> {
        let plays = |person: &str| {
            self.room.places.iter().any(|place| place.person() == Some(person) && place.bot().is_none())
        };
        self.away.iter().filter(move |(person, _)| plays(person)).map(|(person, (since, _))| (person, *since))
    }

    fn next_abandoned(&self) -> Option<Instant> {
        let grace = self.grace()?;
        self.missed().map(|(_, since)| since + grace).min()
    }

    fn abandoned(&self) -> Option<PersonId> {
        let grace = self.grace()?;
        self.missed().find(|(_, since)| since.elapsed() >= grace).map(|(person, _)| person.clone())
    }

    fn who_is_away(&self) -> Vec<Away> {
        let grace = self.grace().map(|grace| grace.as_millis() as u64);
        let seats = (0..).zip(&self.room.places).filter_map(|(seat, place)| {
            let (_, since) = self.away.get(place.person()?)?;
            Some(Away { seat, until: grace.filter(|_| place.bot().is_none()).map(|grace| since + grace) })
        });
        seats.take(64).collect()
    }

    fn tell_crowd_if_due(&mut self) {
        let now = Instant::now();
        if self.crowd_changed.take_if(|due| *due <= now).is_none() {
            return;
        }
        self.crowd_told = now;
        let (table, seq, watching) = (self.id.clone(), self.room.seq(), self.here.len() as u32);
        let frame: Utf8Bytes =
            text(&Message::<()>::Crowd { table, seq, watching, away: self.who_is_away() }).into();
        self.tell_all(&frame);
        self.list();
    }

    /// How the table stands in the lobby now.
    fn list(&self) {
        if self.room.terms.public {
            self.hall.lobby.update(&self.id, self.room.listed(self.here.len() as u32));
        }
    }
}

/// Bots.
impl Keeper {
    /// Lets every bot think that the table waits for and that is not thinking already.
    fn ask_bots(&mut self) {
        let now = self.time();
        let ponderings = self.room.game.as_mut().map_or_else(Vec::new, |game| game.ponderings(now));
        for ponder in ponderings {
            self.hall.think(ponder, self.own.clone());
        }
    }

    fn pondered(&mut self, pondered: Pondered) {
        if let Some(game) = &mut self.room.game {
            game.pondered(pondered);
        }
        self.ask_bots(); // the table may have moved on while it thought
    }

    /// A bot that fell over is replaced by a simple one.
    fn bot_fell(&mut self, seat: u32) {
        tracing::error!(table = short(&self.id), seat, "a bot fell over; a simple one plays on");
        let bot = self.room.places.get(seat as usize).and_then(protocol::Place::bot);
        if let (Some(_), Some(game)) = (bot, &mut self.room.game) {
            game.seat_bot(Seat(seat), 1, u64::from_le_bytes(crate::id::random()));
            self.ask_bots();
        }
    }
}

/// A watcher goes.
fn lose(here: &mut HashMap<PersonId, u32>, watcher: &mut Watcher) {
    watcher.let_go = true;
    let person = &watcher.outlet.person.id;
    if let Some(count) = here.get_mut(person) {
        *count -= 1;
        if *count == 0 {
            here.remove(person);
        }
    }
}

/// The one encoding of an event, whoever hears it.
fn frame(event: Box<Event<Box<RawValue>>>) -> Utf8Bytes {
    text(&Message::Event(event)).into()
}

fn mark(private: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    private.hash(&mut hasher);
    hasher.finish()
}

async fn until(wake: Option<Instant>) {
    match wake {
        Some(wake) => tokio::time::sleep_until(wake).await,
        None => std::future::pending().await,
    }
}
