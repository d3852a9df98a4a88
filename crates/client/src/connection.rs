//! One connection to a server, whatever carries it.

use crate::backoff::Backoff;
use crate::heard::{self, Heard, Other, Raw};
use crate::notes::Notes;
use crate::table::{Change, Follows, Table};
use protocol::http::Person;
use protocol::{Command, Event, Listed, PROTOCOL, Phase, Reaction, TableId};
use std::collections::{BTreeMap, VecDeque};
use table::chain::{Link, Secret};
use table::kept::{Answered, Broken};
use table::{Kept, Spoken};

/// How often the server is asked whether it is there, in milliseconds, and how long it may take to answer.
const BEAT: u64 = 10_000;
/// How far the server's clock and ours may part, in milliseconds, before the tables are asked for their time again.
const DRIFT: u64 = 1_000;
/// The close code of a server that speaks another protocol, and the name it gives to that.
const OTHER_PROTOCOL: (u16, &str) = (4001, "protocol");

/// How the connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not needed so far.
    Idle,
    /// Being opened.
    Opening,
    /// Open.
    Open,
    /// Lost; it is tried again when its time has come.
    Lost,
    /// The server speaks another protocol: this client is too old or too new.
    Outdated,
}

/// What the client's owner has to do, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Do {
    /// Connect, and say [`Client::opened`] or [`Client::lost`]. Drop any connection from before.
    Connect,
    /// Send this text.
    Say(String),
    /// Drop the connection: nobody answers there.
    HangUp,
    /// Keep this of a table where it outlives the program, in place of what was kept of that table before; bring it back with
    /// [`Client::recall`].
    Keep(Kept),
}

/// What was heard.
#[derive(Clone, Debug, PartialEq)]
pub enum News<T> {
    /// The server is there, and knows us as this person (nobody: a nameless watcher).
    Welcome(Option<Person>),
    /// A command was carried out.
    Done {
        /// As it was tagged.
        tag: T,
        /// The table it was about, or that it made.
        table: Option<TableId>,
    },
    /// A command was refused.
    Refused {
        /// As it was tagged.
        tag: T,
        /// Why.
        why: Spoken,
    },
    /// A table that is followed has changed.
    Table(TableId, Change),
    /// Somebody reacts.
    Reaction {
        /// At which table.
        table: TableId,
        /// The name of that person.
        name: String,
        /// How.
        reaction: Reaction,
    },
    /// The house asked for dice of a table as an honest one does not. It was not answered.
    Cheated(TableId, Broken),
    /// The lobby has changed.
    Lobby,
    /// The server speaks another protocol.
    Outdated,
}

/// What a command that waits for its answer is for.
#[derive(Debug)]
enum Purpose<T> {
    Own(T),
    /// To follow a table.
    Watch(TableId),
    /// To add to the throws of a table.
    Chain(TableId, Link),
}

/// One connection to a server: what was said, heard and not answered yet. `T` tags a command with what its owner wants to
/// know when it is answered. Times are milliseconds of any clock that never goes back.
#[derive(Debug)]
pub struct Client<T> {
    name: String,
    state: State,
    you: Option<Person>,
    last: u64,
    waiting: BTreeMap<u64, (Command, Purpose<T>)>,
    wants_name: bool,
    tables: BTreeMap<TableId, Table>,
    notes: Notes,
    lobby: Option<Vec<Listed>>,
    todo: VecDeque<Do>,
    backoff: Backoff,
    /// When something is to be done by itself: connect again, ask whether the server is there, or hang up.
    due: Option<u64>,
    /// Whether a ping waits for its answer.
    owed: bool,
    /// Whether the connection was lost and is not back: also while it is being opened again.
    cut: bool,
    /// How long a message and its answer travel.
    lag: u64,
    /// The server's clock less ours, as it was when the tables told their time.
    ahead: Option<i64>,
}

impl<T> Client<T> {
    /// A connection that nobody has needed yet. `name` is the client's own random name for as long as its numbers grow.
    pub fn new(name: String, luck: u64) -> Client<T> {
        Client {
            name,
            state: State::Idle,
            you: None,
            last: 0,
            waiting: BTreeMap::new(),
            wants_name: false,
            tables: BTreeMap::new(),
            notes: Notes::default(),
            lobby: None,
            todo: VecDeque::new(),
            backoff: Backoff::new(luck),
            due: None,
            owed: false,
            cut: false,
            lag: 0,
            ahead: None,
        }
    }

    /// The next thing to do.
    pub fn poll(&mut self) -> Option<Do> {
        self.todo.pop_front()
    }

    /// How the connection is.
    pub const fn state(&self) -> State {
        self.state
    }

    /// Whether it was lost and is not back.
    pub const fn is_cut(&self) -> bool {
        self.cut
    }

    /// As whom the server knows us.
    pub const fn you(&self) -> Option<&Person> {
        self.you.as_ref()
    }

    /// Whether a command waits until we have a name.
    pub const fn wants_name(&self) -> bool {
        self.wants_name
    }

    /// How long a message and its answer travel, in milliseconds.
    pub const fn lag(&self) -> u64 {
        self.lag
    }

    /// What is known of a table that is followed.
    pub fn table(&self, id: &str) -> Option<&Table> {
        self.tables.get(id)
    }

    /// What is to be checked at the end of a table's game, once it was shown.
    pub fn kept(&self, table: &str) -> Option<&Kept> {
        self.notes.kept(table)
    }

    /// Adds to the throws of every table where we sit. `chance` is made of 32 bytes of a good random source, once for each program run.
    pub fn takes_part(&mut self, chance: Secret) {
        self.notes.takes_part(chance);
    }

    /// What was kept of a table before; to be said before it is followed.
    pub fn recall(&mut self, kept: Kept) {
        self.notes.recall(kept);
    }

    fn keep(&mut self, kept: Option<Kept>) {
        self.todo.extend(kept.map(Do::Keep));
    }

    /// The public tables, once they were asked for.
    pub fn lobby(&self) -> &[Listed] {
        self.lobby.as_deref().unwrap_or_default()
    }

    /// The server's clock, in milliseconds since 1970, once it was told.
    pub fn server_time(&self, now: u64) -> Option<u64> {
        self.ahead.map(|ahead| now.saturating_add_signed(ahead))
    }

    /// When [`Client::tick`] wants to be called, if nothing is heard before.
    pub const fn due(&self) -> Option<u64> {
        self.due
    }

    /// Connects, unless that is done or about to be done.
    pub fn need(&mut self) {
        if matches!(self.state, State::Idle | State::Lost) {
            self.connect();
        }
    }

    fn connect(&mut self) {
        self.state = State::Opening;
        self.due = None;
        // On a new connection every table is asked for anyway.
        self.waiting.retain(|_, (_, purpose)| !matches!(purpose, Purpose::Watch(_)));
        self.todo.push_back(Do::Connect);
    }

    /// Who comes back to the screen or to the network may have been away for long: the connection is tried at once.
    pub fn wake(&mut self, now: u64) {
        match self.state {
            State::Open => self.ping(now),
            State::Lost => self.connect(),
            State::Idle | State::Opening | State::Outdated => {}
        }
    }

    /// Does what is due.
    pub fn tick(&mut self, now: u64) {
        if self.due.is_none_or(|due| now < due) {
            return;
        }
        self.due = None;
        match self.state {
            State::Lost => self.connect(),
            State::Open if !self.owed => self.ping(now),
            // The network may take a quarter of an hour to notice that nobody is there.
            State::Open | State::Opening => {
                self.todo.push_back(Do::HangUp);
                self.lost(None, now);
            }
            State::Idle | State::Outdated => {}
        }
    }

    /// There is a connection. What is said next belongs to it.
    pub fn opened(&mut self, now: u64) {
        self.todo.retain(|todo| matches!(todo, Do::Keep(_)));
        self.due = Some(now + BEAT);
        self.say(&Command::Hello { protocol: PROTOCOL, client: self.name.clone() });
    }

    /// The connection is lost, or there is none; a server that closed it may have said by which code.
    pub fn lost(&mut self, code: Option<u16>, now: u64) {
        if code == Some(OTHER_PROTOCOL.0) {
            self.outdated();
        }
        if matches!(self.state, State::Lost | State::Outdated) {
            return;
        }
        (self.state, self.cut, self.owed) = (State::Lost, true, false);
        self.todo.retain(|todo| !matches!(todo, Do::Say(_)));
        self.due = Some(now + self.backoff.wait());
    }

    fn outdated(&mut self) {
        (self.state, self.cut, self.due) = (State::Outdated, true, None);
    }

    /// We have a name now: the connection is opened again under it.
    pub fn named(&mut self, you: Person) {
        (self.you, self.wants_name) = (Some(you), false);
        self.connect();
    }

    /// Whoever goes on without a name did not mean what waited for it.
    pub fn stay_nameless(&mut self) {
        if self.you.is_none() {
            self.waiting.retain(|_, (command, _)| !command.needs_name());
            self.wants_name = false;
        }
    }

    fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Says a command: now, or when there is a connection and a name for it, and again until it is answered. Answers its number.
    pub fn command(&mut self, make: impl FnOnce(u64) -> Command, tag: T) -> u64 {
        let id = self.number();
        let command = make(id);
        self.ask(command, Purpose::Own(tag));
        self.need();
        id
    }

    /// A command is not wanted any more: if it was not said yet, it never is.
    pub fn take_back(&mut self, id: u64) {
        self.waiting.remove(&id);
    }

    fn ask(&mut self, command: Command, purpose: Purpose<T>) {
        if self.state == State::Open {
            self.say_if_named(&command);
        }
        self.waiting.insert(command.id().unwrap_or(0), (command, purpose));
    }

    fn say_if_named(&mut self, command: &Command) {
        if command.needs_name() && self.you.is_none() {
            self.wants_name = true;
        } else {
            self.say(command);
        }
    }

    fn say(&mut self, command: &Command) {
        self.todo.extend(serde_json::to_string(command).ok().map(Do::Say));
    }

    /// Follows the public tables from now on.
    pub fn follow_lobby(&mut self) {
        self.lobby.get_or_insert_default();
        if self.state == State::Open {
            self.ask_for_lobby();
        }
        self.need();
    }

    fn ask_for_lobby(&mut self) {
        let id = self.number();
        self.say(&Command::Lobby { id, on: true });
    }

    /// Follows a table from now on.
    pub fn follow(&mut self, table: &str) {
        self.tables.entry(table.to_owned()).or_default();
        if self.state == State::Open {
            self.watch(table, None);
        }
        self.need();
    }

    /// No longer follows a table.
    pub fn forget(&mut self, table: &str) {
        self.notes.forget(table);
        if self.tables.remove(table).is_some() && self.state == State::Open {
            let id = self.number();
            self.say(&Command::Unwatch { id, table: table.to_owned() });
        }
    }

    fn watch(&mut self, table: &str, seq: Option<u64>) {
        let id = self.number();
        let command = Command::Watch { id, table: table.to_owned(), seq };
        self.ask(command, Purpose::Watch(table.to_owned()));
    }

    /// Reads what the server says. Nonsense, and messages of a later protocol, are skipped.
    pub fn hear(&mut self, text: &str, now: u64) -> Option<News<T>> {
        match heard::read(text)? {
            Heard::View(view) => {
                let (id, lag) = (view.table.clone(), self.lag);
                self.tables.get_mut(&id)?.view(*view, now, lag);
                self.note(&id, false);
                Some(News::Table(id, Change::View))
            }
            Heard::Event(event) => self.event(*event, now),
            Heard::Private { table, seq, seat, private } => {
                let new = self.tables.get_mut(&table)?.private(seq, seat, private);
                new.then_some(News::Table(table, Change::Private))
            }
            Heard::Other(message) => self.hear_other(message, now),
        }
    }

    fn event(&mut self, mut event: Event<Raw>, now: u64) -> Option<News<T>> {
        let (id, lag) = (event.table.clone(), self.lag);
        let you = self.you.as_ref().map(|you| you.id.as_str());
        let table = self.tables.get_mut(&id)?;
        match table.follows(&event) {
            Follows::Yes if table.complete(&mut event) => {
                let sat = !table.seats_of(you).is_empty();
                let change = table.event(event, you, now, lag);
                self.note(&id, sat);
                Some(News::Table(id, change))
            }
            Follows::Known => None,
            Follows::Yes | Follows::Gap => {
                self.watch(&id, None);
                None
            }
        }
    }

    /// Notes what a table shows now. `sat` is whether a seat was ours before.
    fn note(&mut self, id: &str, sat: bool) {
        let you = self.you.as_ref().map(|you| you.id.as_str());
        let Some(table) = self.tables.get(id) else { return };
        let Some(room) = &table.room else { return };
        if sat && room.phase == Phase::Gathering && table.seats_of(you).is_empty() {
            self.notes.left(id);
        }
        let sits = room.phase == Phase::Gathering && !table.seats_of(you).is_empty();
        let kept = self.notes.shown(id, room);
        self.keep(kept);
        if sits {
            let chain = self.notes.anchor(id);
            self.chain(id, chain);
        }
    }

    /// Says the anchor of a chain, after its secret was kept.
    fn chain(&mut self, id: &str, chain: Option<(Kept, Link)>) {
        let Some((kept, anchor)) = chain else { return };
        self.keep(Some(kept));
        let command = Command::Chain { id: self.number(), table: id.to_owned(), anchor };
        self.ask(command, Purpose::Chain(id.to_owned(), anchor));
    }

    /// Answers for a throw, after that was noted.
    fn answer(&mut self, id: TableId, seat: u32, asked: Answered) -> Option<News<T>> {
        // Every throw that is asked for is a row of its own, and its act another.
        let most = self.tables.get(&id)?.seq.unwrap_or(0).saturating_add(1);
        let throw = asked.throw;
        match self.notes.answer(&id, asked, most)? {
            Ok((kept, link)) => {
                self.keep(Some(kept));
                self.say(&Command::Link { table: id, throw, seat, link });
                None
            }
            // A question that comes late, or before what led to it, looks like one of a house that wants to know dice in
            // advance. It gets no link either way, and so proves nothing against anybody.
            Err(Broken::AskedAstray { .. }) => None,
            Err(broken) => Some(News::Cheated(id, broken)),
        }
    }

    fn hear_other(&mut self, message: Other, now: u64) -> Option<News<T>> {
        match message {
            Other::Welcome { you, .. } => {
                self.you.clone_from(&you);
                self.welcome(now);
                Some(News::Welcome(you))
            }
            Other::Pong { at, now: theirs } => {
                self.pong(at, theirs, now);
                None
            }
            Other::Done { id, table, .. } => {
                let (command, purpose) = self.waiting.remove(&id)?;
                let about = command.table().and_then(|table| self.tables.get(table));
                let phase = about.and_then(|table| Some(table.room.as_ref()?.phase));
                let kept = self.notes.done(&command, table.as_deref(), phase);
                self.keep(kept);
                match purpose {
                    Purpose::Own(tag) => Some(News::Done { tag, table }),
                    Purpose::Watch(_) => None,
                    Purpose::Chain(id, anchor) => {
                        let kept = self.notes.anchored(&id, &anchor, true);
                        self.keep(kept);
                        None
                    }
                }
            }
            Other::Refused { id, code, says, details } => self.refused(id?, Spoken { code, says, details }),
            Other::Lobby { tables } => {
                *self.lobby.as_mut()? = tables;
                Some(News::Lobby)
            }
            Other::LobbyChange { changed, gone } => {
                let lobby = self.lobby.as_mut()?;
                lobby.retain(|listed| {
                    !gone.contains(&listed.table) && changed.iter().all(|other| other.table != listed.table)
                });
                lobby.splice(0..0, changed);
                Some(News::Lobby)
            }
            Other::Crowd { table, watching, away, .. } => {
                self.tables.get_mut(&table)?.crowd(watching, away);
                Some(News::Table(table, Change::Crowd))
            }
            Other::Reaction { table, name, reaction, .. } => Some(News::Reaction { table, name, reaction }),
            Other::Ask { table, throw, sum, seat, link } => {
                self.answer(table, seat, Answered { throw, link, sum })
            }
            Other::Unchained { table } => {
                let chain = self.notes.anchor_anew(&table);
                self.chain(&table, chain);
                None
            }
            Other::Bye { code, .. } if code == OTHER_PROTOCOL.1 => {
                self.outdated();
                Some(News::Outdated)
            }
            Other::Bye { .. } => None,
        }
    }

    fn refused(&mut self, id: u64, why: Spoken) -> Option<News<T>> {
        match self.waiting.remove(&id)?.1 {
            Purpose::Own(tag) => Some(News::Refused { tag, why }),
            // A house that takes no chains, or none any more, is played at without.
            Purpose::Chain(..) => None,
            Purpose::Watch(id) => {
                self.tables.get_mut(&id)?.gone = Some(why.says);
                Some(News::Table(id, Change::Gone))
            }
        }
    }

    /// Said after every hello: what was not answered, what is followed, and the time.
    fn welcome(&mut self, now: u64) {
        (self.state, self.cut, self.ahead) = (State::Open, false, None);
        self.backoff.reset();
        let waiting: Vec<Command> = self.waiting.values().map(|(command, _)| command.clone()).collect();
        for command in &waiting {
            self.say_if_named(command);
        }
        if self.lobby.is_some() {
            self.ask_for_lobby();
        }
        let tables: Vec<_> = self.tables.iter().map(|(id, table)| (id.clone(), table.seq)).collect();
        for (id, seq) in tables {
            // What was missed comes event by event, so that it can be seen; but what time it is now, only a view says.
            if seq.is_some() {
                self.watch(&id, seq);
            }
            self.watch(&id, None);
        }
        self.ping(now);
    }

    fn ping(&mut self, now: u64) {
        self.say(&Command::Ping { at: now });
        (self.owed, self.due) = (true, Some(now + BEAT));
    }

    fn pong(&mut self, at: u64, theirs: u64, now: u64) {
        self.owed = false;
        self.lag = now.saturating_sub(at);
        let ahead = (theirs.saturating_add(self.lag / 2) as i64).saturating_sub(now as i64);
        let before = *self.ahead.get_or_insert(ahead);
        // Our clock stands while the machine sleeps, and the tables' clocks do not.
        if before.abs_diff(ahead) > DRIFT {
            self.ahead = Some(ahead);
            for id in self.tables.keys().cloned().collect::<Vec<_>>() {
                self.watch(&id, None);
            }
        }
    }
}
