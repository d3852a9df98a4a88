//! The one task that owns a table: it hears commands, lets time and bots act, and tells everybody what happened once it is on disk.
//!
//! Whatever has come in is carried out together and written together (one batch on its way to the disk at a time); then all of it is answered and told.

mod bots;
mod disk;
mod history;
mod nodes;
mod presence;
mod throws;

pub(crate) use nodes::{Luggage, keep, sentence, short, shut};

use crate::bus::{Letter, Socket};
use crate::clock::TableClock;
use crate::hall::Hall;
use crate::outlet::{Outlet, SocketId};
use crate::repeats::{Answer, Known};
use crate::room::{Batch, Now, Room, Who, text};
use crate::say;
use crate::store::NodeId;
use crate::tally::Standing;
use crate::window::End;
use disk::{SOON, Trouble, Waiting};
use history::History;
use house::{Driver, Pondered};
use nodes::{Comer, busy, turn_away};
use presence::{Presence, Watch};
use protocol::{Command, Message, Phase, RawCommand, TableId};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use table::{Seat, Spoken, Time};
use throws::Gather;
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
    /// An administrator closed the table, with these words for its players.
    CloseDown(String),
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

/// The owner of one table.
pub(crate) struct Keeper {
    hall: Arc<Hall>,
    id: TableId,
    standing: Standing,
    heard: mpsc::Receiver<ToTable>,
    /// The way to itself, for bots that come back from thinking.
    own: mpsc::WeakSender<ToTable>,
    room: Room,
    clock: TableClock,
    presence: Presence,
    history: History,
    /// Whether another node has the table now, and the commands that it should get.
    lost: Option<VecDeque<Box<Asked>>>,
    /// Commands that came along when the table changed hands.
    brought: VecDeque<Box<Asked>>,
    /// Who wants to see the table, and sees it when what is happening is on disk.
    comers: Vec<Comer>,
    /// After which of this node's silences the store said last that the table is ours.
    sure: Option<u64>,
    trouble: Option<Trouble>,
    /// The throw whose links are gathered.
    gather: Option<Gather>,
    /// Seats that were silent, to be told when that is on disk.
    unchained: Vec<Seat>,
    /// Commands that wait, in their order, until the dice lie.
    held: VecDeque<Box<Asked>>,
    /// Whether nobody was asked for a link since the table was taken up.
    fresh: bool,
    /// The delay before the next try, when something cannot be written.
    pause: Duration,
}

/// Tells a socket that a command is refused.
pub(crate) fn refuse(outlet: &Outlet, id: Option<u64>, why: &Spoken) {
    let Spoken { code, says, details } = why.clone();
    outlet.answer(id, text(&Message::<()>::Refused { id, code, says, details }).into());
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
        let standing = Standing::new(Arc::clone(&hall.metrics), room.terms.game.name(), room.phase);
        let mut keeper = Keeper {
            hall,
            id,
            standing,
            heard,
            own,
            room,
            clock,
            presence: Presence::new(now),
            history: History::new(told),
            lost: None,
            brought: asked,
            comers: Vec::new(),
            sure: None,
            trouble: None,
            gather: None,
            unchained: Vec::new(),
            held: VecDeque::new(),
            fresh: told > 0,
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
                self.throw_if_due(&mut batch);
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
            self.tell_unchained();
            self.standing.now(self.room.phase);
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
            self.ask_for_links();
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
        let held = self.history.held.as_ref().map(|(_, due)| *due);
        let crowd = self.presence.crowd_due;
        let sleep = self.presence.idle_since.map(|since| since + self.linger());
        [acts, self.throw_due(), held, crowd, sleep].into_iter().flatten().min()
    }

    /// When time, a bot or an absence will act next.
    fn next_act_of_time(&self) -> Option<Instant> {
        if self.room.is_stuck() || self.room.is_to_close() {
            return Some(Instant::now());
        }
        let due = self.room.game.as_ref().and_then(Driver::due).map(|due| self.clock.when(due));
        [due, self.next_abandoned()].into_iter().flatten().min()
    }

    fn linger(&self) -> Duration {
        let limits = &self.hall.limits;
        if self.room.deadline().is_some() { limits.linger_playing } else { limits.linger }
    }

    fn sleepy(&self) -> bool {
        self.presence.idle_since.is_some_and(|since| since.elapsed() >= self.linger())
    }

    /// Nobody is here: the table's clock stands until somebody comes.
    async fn sleep(mut self) {
        self.let_go().await;
        self.hall.lobby.update(&self.id, None);
        shut(&self.hall, &self.id, &self.own, self.heard).await;
    }

    /// The server stops, and tells them so itself.
    fn let_watchers_go(&mut self) {
        for watcher in &mut self.presence.watchers {
            watcher.let_go = true;
        }
    }

    /// The server stops. What still waits is answered: its sender asks again when the house is open again.
    async fn stop(mut self, done: oneshot::Sender<()>) {
        self.let_go().await;
        self.let_watchers_go();
        self.send_elsewhere(&self.nodes());
        self.heard.close();
        self.brought.append(&mut self.held);
        while let Some(message) = self.next_brought().or_else(|| self.heard.try_recv().ok()) {
            // Other nodes send what was not answered to whoever keeps the table next.
            if !matches!(&message, ToTable::Command(asked) if asked.outlet.id.node.is_some()) {
                turn_away(message, &busy());
            }
        }
        let _ = done.send(()); // whoever asked has given up waiting
    }

    async fn hear(&mut self, message: ToTable, batch: &mut Batch, waiting: &mut Vec<Waiting>) {
        match message {
            ToTable::Command(asked) if matches!(asked.command, Command::Link { .. }) => self.link(&asked),
            ToTable::Command(asked) if self.holds(&asked.command) => self.hold(asked),
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
            ToTable::CloseDown(says) => self.room.closing = Some(says), // time acts on it at once
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

    /// Time, bots and absences, as far as they are due.
    fn let_time_act(&mut self, batch: &mut Batch) {
        let at = self.at();
        self.room.let_due_act(at, batch);
        if let Some(person) = self.abandoned() {
            self.presence.away.remove(&person);
            self.room.abandon(&person, at, batch);
        }
    }
}

async fn until(wake: Option<Instant>) {
    match wake {
        Some(wake) => tokio::time::sleep_until(wake).await,
        None => std::future::pending().await,
    }
}
