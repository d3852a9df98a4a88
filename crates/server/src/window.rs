//! A table that another node keeps, seen from here: takes commands there, brings frames to the sockets that are here.
//!
//! A command waits until it is answered; if no answer comes, it is looked up who keeps the table now, and the command is sent again (a table does no command
//! twice). Events are counted: a gap is noticed and what was missed is asked for, by the same words with which a client comes back. So nothing is
//! lost when letters are, and a table that changes hands needs nobody's help.

use crate::bus::{Letter, Note, Socket, letter};
use crate::hall::Hall;
use crate::keeper::{self, Asked, Luggage, ToTable};
use crate::outlet::{Outlet, SocketId};
use crate::room::text;
use crate::store::NodeId;
use axum::extract::ws::Utf8Bytes;
use protocol::{Command, PersonId, TableId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// How often a window looks whether something is overdue.
const LOOK: Duration = Duration::from_millis(500);
/// After so long without an answer it is looked up again who keeps the table.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often the keeper is asked whether anything was missed.
const CHECK: Duration = Duration::from_secs(5);
/// A window that nobody looks through is shut after so long.
const LINGER: Duration = Duration::from_secs(5);

/// How a window or a keeper ends.
pub(crate) enum End {
    /// Nobody is here any more, or the server stops.
    Shut,
    /// The table is kept elsewhere, or may be: look again.
    Moved(Luggage),
}

/// A table that another node keeps.
pub(crate) struct Window {
    hall: Arc<Hall>,
    id: TableId,
    owner: NodeId,
    heard: mpsc::Receiver<ToTable>,
    own: mpsc::WeakSender<ToTable>,
    /// Sockets that have to do with the table.
    known: BTreeMap<u64, Arc<Outlet>>,
    /// Those that are told what happens.
    watching: BTreeSet<u64>,
    asked: VecDeque<Box<Asked>>,
    /// Everybody who watches has heard everything up to here.
    seq: Option<u64>,
    /// Since when we wait to hear where the table stands.
    waiting: Option<Instant>,
    /// Whether something was missed: what comes now would be out of order.
    missed: bool,
    checked: Instant,
    idle_since: Instant,
}

impl Window {
    pub(crate) fn new(
        hall: Arc<Hall>,
        id: TableId,
        owner: NodeId,
        own: mpsc::WeakSender<ToTable>,
        luggage: Luggage,
    ) -> Window {
        let Luggage { heard, watching, asked, seq } = luggage;
        let now = Instant::now();
        let mut window = Window {
            hall,
            id,
            owner,
            heard,
            own,
            known: BTreeMap::new(),
            watching: BTreeSet::new(),
            asked: VecDeque::new(),
            seq,
            waiting: None,
            missed: false,
            checked: now,
            idle_since: now,
        };
        for outlet in watching {
            window.watching.insert(outlet.id.number);
            window.known.insert(outlet.id.number, outlet);
        }
        if !window.watching.is_empty() {
            window.catch_up();
        }
        for mut asked in asked {
            asked.heard = now;
            window.ask(asked);
        }
        window
    }

    /// Until nobody looks, or the table may be elsewhere.
    pub(crate) async fn run(mut self) -> End {
        let mut look = tokio::time::interval(LOOK);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let message = tokio::select! {
                biased;
                _ = look.tick() => None,
                message = self.heard.recv() => message,
            };
            match message {
                Some(ToTable::Stop(done)) => {
                    self.leave();
                    let _ = done.send(()); // whoever asked has given up waiting
                    return End::Shut;
                }
                Some(message) => {
                    if !self.hear(message) {
                        return self.look_again();
                    }
                }
                None => {
                    if self.overdue() {
                        return self.look_again();
                    }
                    if self.idle() {
                        return self.shut().await;
                    }
                }
            }
        }
    }

    /// What is answered to nobody and not told goes to whoever keeps the table now.
    fn look_again(self) -> End {
        let Window { heard, mut known, watching, asked, seq, .. } = self;
        let watching = watching.iter().filter_map(|number| known.remove(number)).collect();
        End::Moved(Luggage { heard, watching, asked, seq })
    }

    async fn shut(mut self) -> End {
        self.leave();
        keeper::shut(&self.hall, &self.id, &self.own, self.heard).await;
        End::Shut
    }

    fn overdue(&mut self) -> bool {
        self.known.retain(|number, outlet| {
            let stays = !outlet.gone();
            if !stays {
                self.watching.remove(number);
            }
            stays
        });
        self.asked.retain(|asked| !asked.outlet.gone());
        let late = |since: Instant| since.elapsed() >= PATIENCE;
        if self.waiting.is_some_and(late) || self.asked.front().is_some_and(|asked| late(asked.heard)) {
            return true;
        }
        if self.checked.elapsed() >= CHECK && !self.watching.is_empty() {
            self.say_who_watches(None);
        }
        false
    }

    fn idle(&mut self) -> bool {
        if !self.watching.is_empty() || !self.asked.is_empty() {
            self.idle_since = Instant::now();
        }
        self.idle_since.elapsed() >= LINGER
    }

    /// Answers whether the table is still where it was thought to be.
    fn hear(&mut self, message: ToTable) -> bool {
        match message {
            ToTable::Command(asked) => match asked.outlet.id.node {
                // Who asks here has looked at the wrong moment.
                Some(_) => asked.outlet.close(crate::outlet::Bye::Fell),
                None => self.ask(asked),
            },
            ToTable::Attach(outlet) => {
                self.watching.insert(outlet.id.number);
                self.known.insert(outlet.id.number, outlet);
                self.say_who_watches(None);
            }
            ToTable::Watching { from, .. } => self.elsewhere(from),
            ToTable::Gone(SocketId { node: None, number }) => self.gone(number),
            ToTable::Letter(letter) => return self.read(*letter),
            ToTable::Again => {
                self.catch_up();
                for asked in std::mem::take(&mut self.asked) {
                    self.ask(asked);
                }
            }
            ToTable::NodeGone(node) => return node != self.owner,
            ToTable::Stop(_)
            | ToTable::Gone(_)
            | ToTable::Pondered(_)
            | ToTable::BotFell(_)
            | ToTable::CloseDown(_) // whoever keeps the table has heard it too
            | ToTable::StillOurs => {}
        }
        true
    }

    fn post(&self, note: &Note) {
        self.hall.bus.send(self.owner, letter(note, []));
    }

    fn elsewhere(&self, from: NodeId) {
        let note = Note::Elsewhere { table: self.id.clone() };
        self.hall.bus.send(from, letter(&note, []));
    }

    fn ask(&mut self, asked: Box<Asked>) {
        let Asked { outlet, command, .. } = &*asked;
        if matches!(command, Command::Unwatch { .. }) {
            self.watching.remove(&outlet.id.number);
        }
        let note = Note::Command { table: self.id.clone(), from: self.hall.node, socket: outlet.socket() };
        self.hall.bus.send(self.owner, letter(&note, [text(command).as_str()]));
        self.known.insert(outlet.id.number, Arc::clone(outlet));
        // A link is not answered; if it is lost, whoever keeps the table asks again.
        if !matches!(command, Command::Link { .. }) {
            self.asked.push_back(asked);
        }
    }

    fn gone(&mut self, number: u64) {
        self.known.remove(&number);
        self.watching.remove(&number);
        self.asked.retain(|asked| asked.outlet.id.number != number);
        self.post(&Note::Gone { table: self.id.clone(), from: self.hall.node, socket: number });
    }

    fn leave(&mut self) {
        self.known.clear();
        self.watching.clear();
        self.say_who_watches(None);
    }

    /// Asks for what came after what we know.
    fn catch_up(&mut self) {
        self.missed = true;
        self.say_who_watches(Some(self.seq.unwrap_or(0)));
    }

    fn say_who_watches(&mut self, seq: Option<u64>) {
        let socket = |number: &u64| self.known.get(number).map(|outlet| outlet.socket());
        let sockets: Vec<Socket> = self.watching.iter().filter_map(socket).collect();
        self.post(&Note::Watching { table: self.id.clone(), from: self.hall.node, seq, sockets });
        self.checked = Instant::now();
        self.waiting.get_or_insert(self.checked);
    }

    /// A letter from who keeps the table, or kept it.
    fn read(&mut self, Letter { note, lines }: Letter) -> bool {
        match note {
            Note::Elsewhere { .. } => return false,
            Note::Frame { socket, answers, .. } => self.frame(socket, answers, lines),
            Note::Watches { from, socket, seq, .. } if from == self.owner => {
                if self.watching.is_empty() && !self.missed {
                    self.seq = Some(seq);
                }
                if self.known.contains_key(&socket) {
                    self.watching.insert(socket);
                }
                self.stands_at(seq);
            }
            Note::Told { from, before, seq, frames, private, .. }
                if from == self.owner && self.stands_at(before) =>
            {
                self.tell(&lines, frames, &private);
                self.seq = Some(seq);
            }
            Note::Stands { from, seq, .. } if from == self.owner => {
                self.waiting = None;
                if self.missed || self.watching.is_empty() {
                    self.missed = false;
                    self.seq = Some(seq);
                } else {
                    self.stands_at(seq);
                }
            }
            _ => {}
        }
        true
    }

    /// Whether we know everything up to here; if not, it is asked for.
    fn stands_at(&mut self, seq: u64) -> bool {
        if self.missed {
            return false;
        }
        let good = self.seq == Some(seq);
        if !good {
            self.catch_up();
        }
        good
    }

    fn frame(&mut self, number: u64, answers: Option<u64>, lines: Vec<Utf8Bytes>) {
        if let Some(id) = answers {
            let same = |asked: &Asked| asked.outlet.id.number == number && asked.command.id() == Some(id);
            match self.asked.iter().position(|asked| same(asked)) {
                Some(at) => drop(self.asked.remove(at)),
                None => return, // answered already: this answer was late
            }
        }
        let Some(outlet) = self.known.get(&number) else { return };
        if !lines.into_iter().all(|line| outlet.send(line)) {
            self.gone(number);
        }
    }

    fn tell(&mut self, lines: &[Utf8Bytes], frames: usize, private: &[(PersonId, usize)]) {
        let Some((events, mut rest)) = lines.split_at_checked(frames) else { return };
        let Some((last, before)) = events.split_last() else { return };
        let mut own: BTreeMap<&str, &[Utf8Bytes]> = BTreeMap::new();
        for (person, count) in private {
            let Some((theirs, others)) = rest.split_at_checked(*count) else { return };
            own.insert(person, theirs);
            rest = others;
        }
        let mut closed = Vec::new();
        for number in &self.watching {
            let Some(outlet) = self.known.get(number) else { continue };
            let private = own.get(outlet.person.id.as_str()).copied().unwrap_or_default();
            let open = before.iter().chain(private).chain([last]).all(|frame| outlet.send(frame.clone()));
            if !open {
                closed.push(*number);
            }
        }
        for number in closed {
            self.gone(number);
        }
    }
}
