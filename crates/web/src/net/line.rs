//! The one socket of the page. Opened when it is needed, opened again when it is lost; commands that were not answered are
//! said again with their old numbers, so that none is lost and none counts twice. Who has no name yet looks in; what others
//! would see of him waits until he has given one.

use super::http;
use super::online::Online;
use crate::browser::{self, Later};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::http::{Me, NameMe, Person};
use protocol::{Command, Listed, Message, PROTOCOL};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use table::Spoken;
use wasm_bindgen::prelude::*;

/// How often the server is asked whether it is there, in milliseconds, and how long it may take to answer.
const BEAT: f64 = 10_000.0;
/// How far the server's clock and the page's may part, in milliseconds, before the tables are asked for their time again.
const DRIFT: f64 = 1_000.0;

/// The server is not there: what is the matter, and what that means.
pub const UNREACHED: (&str, &str) = (
    "The server cannot be reached",
    "It may be restarting, or you are offline. The page keeps trying; games on this screen work meanwhile.",
);
/// The server speaks another protocol: what is the matter, and what that means.
pub const RENEWED: (&str, &str) = (
    "Parlor has been renewed",
    "The server speaks newer words than this page. Your game is safe; load the page again to go on.",
);

/// How the line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Not needed so far.
    Idle,
    /// Being opened.
    Opening,
    /// Open.
    Open,
    /// Lost; the page tries again by itself.
    Lost,
    /// The server speaks another protocol now: the page must be loaded again.
    Renewed,
}

/// What a command came to: the table it was about, or why not.
pub type Answer = Result<Option<String>, Spoken>;
type Then = Box<dyn FnOnce(Answer)>;

struct Inner {
    client: String,
    next: Cell<u64>,
    socket: RefCell<Option<Socket>>,
    waiting: RefCell<BTreeMap<u64, (Command, Option<Then>)>>,
    tables: RefCell<BTreeMap<String, Rc<Online>>>,
    again: RefCell<Option<Later>>,
    beat: RefCell<Option<Later>>,
    failures: Cell<u32>,
    lag: Cell<Option<f64>>,
    /// Whether a ping waits for its pong.
    owed: Cell<bool>,
    /// How far the server's clock is ahead of the page's steady one, as it was when the tables told their time.
    ahead: Cell<Option<f64>>,
    wants_lobby: Cell<bool>,
}

struct Socket {
    #[expect(clippy::struct_field_names, reason = "it is the browser's own socket")]
    socket: web_sys::WebSocket,
    _open: Closure<dyn FnMut()>,
    _hears: Closure<dyn FnMut(web_sys::MessageEvent)>,
    _closed: Closure<dyn FnMut(web_sys::CloseEvent)>,
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onmessage(None);
        self.socket.set_onclose(None);
        let _ = self.socket.close();
    }
}

/// The line, from anywhere inside the page.
#[derive(Clone, Copy)]
pub struct Line {
    inner: StoredValue<Rc<Inner>, LocalStorage>,
    /// How it is.
    pub state: RwSignal<State>,
    /// Whether it was lost and is not back: also while it is being opened again.
    pub cut: RwSignal<bool>,
    /// Who we are to the server; nobody before there was a reason to give a name.
    pub you: RwSignal<Option<Person>>,
    /// Whether something waits for a name.
    pub wants_name: RwSignal<bool>,
    /// The public tables, once they were asked for.
    pub lobby: RwSignal<Vec<Listed>>,
}

/// The line, from anywhere inside the page.
pub fn line() -> Line {
    expect_context()
}

impl Default for Line {
    fn default() -> Self {
        Line::new()
    }
}

impl Line {
    /// A line that nobody has needed yet.
    pub fn new() -> Line {
        let client = if browser::window().is_some() { browser::fresh_id() } else { String::new() };
        let inner = Inner {
            client,
            next: Cell::new(1),
            socket: RefCell::new(None),
            waiting: RefCell::default(),
            tables: RefCell::default(),
            again: RefCell::new(None),
            beat: RefCell::new(None),
            failures: Cell::new(0),
            lag: Cell::new(None),
            owed: Cell::new(false),
            ahead: Cell::new(None),
            wants_lobby: Cell::new(false),
        };
        let line = Line {
            inner: StoredValue::new_local(Rc::new(inner)),
            state: RwSignal::new(State::Idle),
            cut: RwSignal::new(false),
            you: RwSignal::new(None),
            wants_name: RwSignal::new(false),
            lobby: RwSignal::new(Vec::new()),
        };
        line.wake_up();
        line
    }

    /// Who comes back to the page, or to the network, may have been away for long: the line is tried at once.
    fn wake_up(self) {
        if browser::window().is_none() {
            return;
        }
        let seen = window_event_listener_untyped("visibilitychange", move |_| {
            if !browser::hidden() {
                self.woken();
            }
        });
        let back = window_event_listener_untyped("online", move |_| self.woken());
        on_cleanup(move || {
            seen.remove();
            back.remove();
        });
    }

    fn woken(self) {
        match self.state.try_get_untracked() {
            Some(State::Open) => self.ping(),
            Some(State::Lost) => self.need(),
            _ => {}
        }
    }

    fn with<T>(self, what: impl FnOnce(&Inner) -> T) -> Option<T> {
        self.inner.try_with_value(Rc::clone).map(|inner| what(&inner))
    }

    /// Opens the line unless it is open or about to be.
    pub fn need(self) {
        if !matches!(self.state.get_untracked(), State::Idle | State::Lost) {
            return;
        }
        self.state.set(State::Opening);
        spawn_local(async move {
            match http::get_json::<Me>("/api/me").await {
                Ok(Me { you, .. }) => {
                    self.you.set(you);
                    self.open();
                }
                Err(_) => self.lost(),
            }
        });
    }

    /// Gives ourselves a name, and opens the line again under it.
    pub fn name_me(self, name: String, failed: impl FnOnce(String) + 'static) {
        spawn_local(async move {
            match http::post::<Person>("/api/me", &NameMe { name }).await {
                Ok(you) => {
                    self.you.set(Some(you));
                    self.wants_name.set(false);
                    self.open();
                }
                Err(silence) => failed(silence.says()),
            }
        });
    }

    /// Who goes on without giving a name did not mean it: what waited for the name is dropped.
    pub fn stay_nameless(self) {
        if self.you.try_with_untracked(Option::is_none) == Some(true) {
            self.with(|inner| inner.waiting.borrow_mut().retain(|_, (command, _)| !command.needs_name()));
            self.wants_name.set(false);
        }
    }

    fn open(self) {
        self.state.set(State::Opening);
        let Some(window) = browser::window() else { return };
        let location = window.location();
        let scheme =
            if location.protocol().is_ok_and(|protocol| protocol == "https:") { "wss" } else { "ws" };
        let door = if self.you.with_untracked(Option::is_some) { "/ws" } else { "/ws/look" };
        let url = format!("{scheme}://{}{door}", location.host().unwrap_or_default());
        let Ok(socket) = web_sys::WebSocket::new(&url) else {
            self.lost();
            return;
        };
        let open = Closure::new(move || self.opened());
        let hears = Closure::new(move |message: web_sys::MessageEvent| {
            if let Ok(message) = serde_json::from_str(&message.data().as_string().unwrap_or_default()) {
                self.hear(message);
            }
        });
        let closed =
            Closure::new(
                move |close: web_sys::CloseEvent| {
                    if close.code() == 4001 { self.state.set(State::Renewed) } else { self.lost() }
                },
            );
        socket.set_onopen(Some(open.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(hears.as_ref().unchecked_ref()));
        socket.set_onclose(Some(closed.as_ref().unchecked_ref()));
        self.with(|inner| {
            *inner.socket.borrow_mut() = Some(Socket { socket, _open: open, _hears: hears, _closed: closed });
            *inner.beat.borrow_mut() = Later::new(BEAT, move || {
                if self.state.try_get_untracked() == Some(State::Opening) {
                    self.hang_up();
                }
            });
        });
    }

    fn opened(self) {
        self.with(|inner| {
            say(inner, &Command::Hello { protocol: PROTOCOL, client: inner.client.clone() });
        });
    }

    /// Nobody answers, though the browser takes the line for good: it may take a quarter of an hour to notice.
    fn hang_up(self) {
        drop(self.with(|inner| inner.socket.borrow_mut().take()));
        self.lost();
    }

    /// The line is lost: tell the tables, and try again, each time a little later.
    fn lost(self) {
        self.state.set(State::Lost);
        self.cut.set(true);
        self.with(|inner| {
            for table in inner.tables.borrow().values() {
                table.lost();
            }
            // On another line every table is watched afresh anyway.
            inner.waiting.borrow_mut().retain(|_, (command, _)| !matches!(command, Command::Watch { .. }));
            let failures = inner.failures.get();
            inner.failures.set(failures + 1);
            let wait = 400.0 * 1.7_f64.powi(failures.min(6) as i32) * (0.8 + 0.4 * js_sys::Math::random());
            *inner.again.borrow_mut() = Later::new(wait, move || self.need());
        });
    }

    fn hear(self, message: Message) {
        match message {
            Message::Welcome { you, .. } => {
                self.you.set(you);
                self.welcome();
            }
            Message::Pong { at, now } => self.pong(at, now),
            Message::Done { id, table, .. } => self.answered(id, Ok(table)),
            Message::Refused { id: Some(id), code, says, details } => {
                self.answered(id, Err(Spoken { code, says, details }));
            }
            Message::Lobby { tables } => self.lobby.set(tables),
            Message::LobbyChange { changed, gone } => self.lobby.update(|lobby| {
                lobby.retain(|table| {
                    !gone.contains(&table.table) && changed.iter().all(|other| other.table != table.table)
                });
                lobby.splice(0..0, changed);
            }),
            Message::View(view) => self.table(&view.table.clone(), |table| table.view(*view)),
            Message::Private { table, seat, private, .. } => {
                self.table(&table, |at| at.private(seat, &private));
            }
            Message::Event(event) => {
                let missed = self.with(|inner| {
                    let table = inner.tables.borrow().get(&event.table).cloned();
                    table.is_some_and(|table| !table.event(&event))
                });
                if missed == Some(true) {
                    self.watch(&event.table, None);
                }
            }
            Message::Crowd { table, watching, away, .. } => {
                self.table(&table, |at| at.crowd(watching, &away));
            }
            Message::Reaction { table, name, reaction, .. } => {
                self.table(&table, |at| at.reacted(&name, reaction));
            }
            Message::Refused { id: None, .. } | Message::Bye { .. } => {}
        }
    }

    fn table(self, id: &str, what: impl FnOnce(&Online)) {
        let table = self.with(|inner| inner.tables.borrow().get(id).cloned()).flatten();
        if let Some(table) = table {
            what(&table);
        }
    }

    /// Said after every hello: what was not answered, what is watched, and the time.
    fn welcome(self) {
        self.state.set(State::Open);
        self.cut.set(false);
        self.with(|inner| {
            inner.failures.set(0);
            inner.ahead.set(None);
            for (command, _) in inner.waiting.borrow().values() {
                self.say_if_named(inner, command);
            }
            if inner.wants_lobby.get() {
                say(inner, &Command::Lobby { id: next(inner), on: true });
            }
        });
        let tables: Vec<(String, Option<u64>)> = self
            .with(|inner| inner.tables.borrow().iter().map(|(id, table)| (id.clone(), table.seq())).collect())
            .unwrap_or_default();
        for (id, seq) in tables {
            self.watch(&id, seq);
            // What was missed is told with the time it happened at, and nothing if nothing was missed: what time it is now,
            // only a view says.
            if seq.is_some() {
                self.watch(&id, None);
            }
        }
        self.ping();
    }

    fn ping(self) {
        self.with(|inner| {
            say(inner, &Command::Ping { at: browser::steady() as u64 });
            inner.owed.set(true);
            *inner.beat.borrow_mut() = Later::new(BEAT, move || self.beat());
        });
    }

    /// Time for the next ping. Whoever still owes the answer to the last one is not there any more.
    fn beat(self) {
        if self.state.try_get_untracked() != Some(State::Open) {
            return;
        }
        if self.with(|inner| inner.owed.get()) == Some(true) {
            self.hang_up();
        } else {
            self.ping();
        }
    }

    fn pong(self, at: u64, now: u64) {
        let steady = browser::steady();
        let lag = (steady - at as f64).max(0.0);
        self.with(|inner| {
            inner.owed.set(false);
            inner.lag.set(Some(lag));
            for table in inner.tables.borrow().values() {
                table.lag(lag);
            }
        });
        if self.slept(now as f64 + lag / 2.0 - steady) {
            let tables = self.with(|inner| inner.tables.borrow().keys().cloned().collect::<Vec<_>>());
            for id in tables.unwrap_or_default() {
                self.watch(&id, None);
            }
        }
    }

    /// Whether the page's clock has stood still since the tables told their time: it does while the machine sleeps.
    fn slept(self, ahead: f64) -> bool {
        let before = self.with(|inner| inner.ahead.get()).flatten();
        let apart = before.is_some_and(|before| (ahead - before).abs() > DRIFT);
        if apart || before.is_none() {
            self.with(|inner| inner.ahead.set(Some(ahead)));
        }
        apart
    }

    fn answered(self, id: u64, answer: Answer) {
        let then =
            self.with(|inner| inner.waiting.borrow_mut().remove(&id)).flatten().and_then(|(_, then)| then);
        if let Some(then) = then {
            then(answer);
        }
    }

    /// Says a command; `then` hears what it came to, however often the line breaks before. Answers its number.
    pub fn command(
        self,
        make: impl FnOnce(u64) -> Command,
        then: impl FnOnce(Answer) + 'static,
    ) -> Option<u64> {
        self.need();
        self.with(|inner| {
            let id = next(inner);
            let command = make(id);
            if self.state.get_untracked() == State::Open {
                self.say_if_named(inner, &command);
            }
            inner.waiting.borrow_mut().insert(id, (command, Some(Box::new(then))));
            id
        })
    }

    /// A command is not wanted any more: if it was not said yet, it never is.
    pub fn take_back(self, id: u64) {
        drop(self.with(|inner| inner.waiting.borrow_mut().remove(&id)));
    }

    /// Why nothing comes of a command just now, in words; nothing while the line is good.
    pub fn trouble(self) -> Option<String> {
        let (what, so) = match self.state.get() {
            State::Renewed => RENEWED,
            _ if self.cut.get() => UNREACHED,
            _ => return None,
        };
        Some(format!("{what}. {so}"))
    }

    fn say_if_named(self, inner: &Inner, command: &Command) {
        if command.needs_name() && self.you.with_untracked(Option::is_none) {
            self.wants_name.set(true);
        } else {
            say(inner, command);
        }
    }

    /// Hears about the public tables from now on.
    pub fn listen_to_lobby(self) {
        self.need();
        self.with(|inner| {
            inner.wants_lobby.set(true);
            if self.state.get_untracked() == State::Open {
                say(inner, &Command::Lobby { id: next(inner), on: true });
            }
        });
    }

    /// Hears about a table from now on.
    pub fn listen_to(self, table: Rc<Online>) {
        let id = table.id().to_owned();
        let seq = table.seq();
        self.with(|inner| inner.tables.borrow_mut().insert(id.clone(), table));
        self.need();
        if self.state.get_untracked() == State::Open {
            self.watch(&id, seq);
        }
    }

    /// No longer hears about a table.
    pub fn forget(self, id: &str) {
        self.with(|inner| {
            if inner.tables.borrow_mut().remove(id).is_some()
                && self.state.try_get_untracked() == Some(State::Open)
            {
                say(inner, &Command::Unwatch { id: next(inner), table: id.to_owned() });
            }
        });
    }

    fn watch(self, id: &str, seq: Option<u64>) {
        let table = id.to_owned();
        self.with(|inner| {
            let number = next(inner);
            let command = Command::Watch { id: number, table: table.clone(), seq };
            say(inner, &command);
            // Not kept for another line: there, every table is watched anyway. But a refusal must be heard.
            let refused: Then = Box::new(move |answer| {
                if let Err(refused) = answer {
                    self.table(&table, |at| at.gone(refused.says));
                }
            });
            inner.waiting.borrow_mut().insert(number, (command, Some(refused)));
        });
    }
}

fn next(inner: &Inner) -> u64 {
    let id = inner.next.get();
    inner.next.set(id + 1);
    id
}

fn say(inner: &Inner, command: &Command) {
    if let (Some(socket), Ok(text)) = (&*inner.socket.borrow(), serde_json::to_string(command)) {
        let _ = socket.socket.send_with_str(&text);
    }
}
