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
            wants_lobby: Cell::new(false),
        };
        Line {
            inner: StoredValue::new_local(Rc::new(inner)),
            state: RwSignal::new(State::Idle),
            you: RwSignal::new(None),
            wants_name: RwSignal::new(false),
            lobby: RwSignal::new(Vec::new()),
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
        });
    }

    fn opened(self) {
        self.with(|inner| {
            say(inner, &Command::Hello { protocol: PROTOCOL, client: inner.client.clone() });
        });
    }

    /// The line is lost: tell the tables, and try again, each time a little later.
    fn lost(self) {
        self.state.set(State::Lost);
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
            Message::Pong { at, .. } => self.pong(at),
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
        self.with(|inner| {
            inner.failures.set(0);
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
        }
        self.ping();
    }

    fn ping(self) {
        self.with(|inner| {
            say(inner, &Command::Ping { at: browser::steady() as u64 });
            *inner.beat.borrow_mut() = Later::new(10_000.0, move || {
                if self.state.try_get_untracked() == Some(State::Open) {
                    self.ping();
                }
            });
        });
    }

    fn pong(self, at: u64) {
        let lag = (browser::steady() - at as f64).max(0.0);
        self.with(|inner| {
            inner.lag.set(Some(lag));
            for table in inner.tables.borrow().values() {
                table.lag(lag);
            }
        });
    }

    fn answered(self, id: u64, answer: Answer) {
        let then =
            self.with(|inner| inner.waiting.borrow_mut().remove(&id)).flatten().and_then(|(_, then)| then);
        if let Some(then) = then {
            then(answer);
        }
    }

    /// Says a command; `then` hears what it came to, however often the line breaks before.
    pub fn command(self, make: impl FnOnce(u64) -> Command, then: impl FnOnce(Answer) + 'static) {
        self.need();
        self.with(|inner| {
            let id = next(inner);
            let command = make(id);
            if self.state.get_untracked() == State::Open {
                self.say_if_named(inner, &command);
            }
            inner.waiting.borrow_mut().insert(id, (command, Some(Box::new(then))));
        });
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
