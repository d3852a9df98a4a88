//! The page's one connection to its server, as signals. What a client must know (numbers, resends, gaps, coming back) is in
//! [`client`]; here are its clock, its socket and what the page shows of it.

use super::http;
use super::online::Online;
use super::shown;
use super::socket::{Signal, Socket};
use crate::browser::{self, Later};
use crate::session::renew;
use client::{Client, Do, News};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::http::{NameMe, Person};
use protocol::{Command, Listed};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use table::Spoken;
use table::chain::Secret;

pub use client::State;

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

/// What a command came to: the table it was about, or why not.
pub type Answer = Result<Option<String>, Spoken>;
type Then = Box<dyn FnOnce(Answer)>;

struct Inner {
    client: RefCell<Client<Then>>,
    socket: Rc<Socket>,
    tables: RefCell<BTreeMap<String, Rc<Online>>>,
    /// When the client is to be woken, by its clock, and what will.
    wake: RefCell<Option<(u64, Option<Later>)>>,
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

/// The client's clock.
fn now() -> u64 {
    browser::steady() as u64
}

impl Line {
    /// A line that nobody has needed yet.
    pub fn new() -> Line {
        let fresh = || (browser::fresh_id(), u64::from_le_bytes(browser::chance()));
        let (name, luck) = browser::window().map(|_| fresh()).unwrap_or_default();
        let mut client = Client::new(name, luck);
        if browser::window().is_some() {
            client.takes_part(Secret::new(browser::chance()));
        }
        let inner = Inner {
            client: RefCell::new(client),
            socket: Rc::default(),
            tables: RefCell::default(),
            wake: RefCell::default(),
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
                self.with(Client::wake);
            }
        });
        let back = window_event_listener_untyped("online", move |_| {
            self.with(Client::wake);
        });
        on_cleanup(move || {
            seen.remove();
            back.remove();
        });
    }

    /// Asks something of the client, and does what it then wants done.
    fn with<T>(self, what: impl FnOnce(&mut Client<Then>, u64) -> T) -> Option<T> {
        let inner = self.inner.try_with_value(Rc::clone)?;
        let answer = what(&mut inner.client.borrow_mut(), now());
        self.settle(&inner);
        Some(answer)
    }

    fn settle(self, inner: &Inner) {
        loop {
            let Some(todo) = inner.client.borrow_mut().poll() else { break };
            match todo {
                Do::Connect => inner.socket.connect(move |signal| self.hear(signal)),
                Do::Say(text) => inner.socket.say(&text),
                Do::HangUp => inner.socket.hang_up(),
                Do::Keep(kept) => shown::keep(kept),
            }
        }
        let client = inner.client.borrow();
        renew(self.state, client.state());
        renew(self.cut, client.is_cut());
        renew(self.you, client.you().cloned());
        renew(self.wants_name, client.wants_name());
        for table in inner.tables.borrow().values() {
            table.linked(&client);
        }
        let mut wake = inner.wake.borrow_mut();
        if wake.as_ref().map(|(due, _)| *due) != client.due() {
            let in_ms = |due: u64| due.saturating_sub(now()) as f64 + 1.0;
            *wake = client.due().map(|due| (due, Later::new(in_ms(due), move || self.tick())));
        }
    }

    /// Does what is due. Browsers blur their clocks: whoever is woken early sleeps again.
    fn tick(self) {
        if let Some(inner) = self.inner.try_with_value(Rc::clone) {
            drop(inner.wake.borrow_mut().take());
            self.with(Client::tick);
        }
    }

    fn hear(self, signal: Signal) {
        let Some(inner) = self.inner.try_with_value(Rc::clone) else { return };
        match signal {
            Signal::Opened => {
                inner.socket.opened();
                self.with(Client::opened);
            }
            Signal::Lost(code) => {
                inner.socket.hang_up();
                self.with(|client, now| client.lost(code, now));
            }
            Signal::Text(text) => {
                if let Some(news) = self.with(|client, now| client.hear(&text, now)).flatten() {
                    self.take(&inner, news);
                }
            }
        }
    }

    fn take(self, inner: &Inner, news: News<Then>) {
        let table = |id: &str| inner.tables.borrow().get(id).cloned();
        match news {
            News::Done { tag, table } => tag(Ok(table)),
            News::Refused { tag, why } => tag(Err(why)),
            News::Table(id, change) => {
                if let Some(table) = table(&id) {
                    table.heard(&inner.client.borrow(), &change);
                }
            }
            News::Reaction { table: id, name, reaction } => {
                if let Some(table) = table(&id) {
                    table.reacted(&name, reaction);
                }
            }
            News::Cheated(id, broken) => {
                if let Some(table) = table(&id) {
                    table.cheated(&broken);
                }
            }
            News::Lobby => self.lobby.set(inner.client.borrow().lobby().to_vec()),
            News::Welcome(_) | News::Outdated => {}
        }
    }

    /// Gives ourselves a name, and opens the line again under it.
    pub fn name_me(self, name: String, failed: impl FnOnce(String) + 'static) {
        spawn_local(async move {
            match http::post::<Person>("/api/me", &NameMe { name }).await {
                Ok(you) => {
                    self.with(|client, _| client.named(you));
                }
                Err(silence) => failed(silence.says()),
            }
        });
    }

    /// Who goes on without giving a name did not mean it: what waited for the name is dropped.
    pub fn stay_nameless(self) {
        self.with(|client, _| client.stay_nameless());
    }

    /// Says a command; `then` hears what it came to, however often the line breaks before. Answers its number.
    pub fn command(
        self,
        make: impl FnOnce(u64) -> Command,
        then: impl FnOnce(Answer) + 'static,
    ) -> Option<u64> {
        self.with(|client, _| client.command(make, Box::new(then)))
    }

    /// A command is not wanted any more: if it was not said yet, it never is.
    pub fn take_back(self, id: u64) {
        self.with(|client, _| client.take_back(id));
    }

    /// Why nothing comes of a command just now, in words; nothing while the line is good.
    pub fn trouble(self) -> Option<String> {
        let (what, so) = match self.state.get() {
            State::Outdated => RENEWED,
            _ if self.cut.get() => UNREACHED,
            _ => return None,
        };
        Some(format!("{what}. {so}"))
    }

    /// Hears about the public tables from now on.
    pub fn listen_to_lobby(self) {
        self.with(|client, _| client.follow_lobby());
    }

    /// Hears about a table from now on.
    pub fn listen_to(self, table: Rc<Online>) {
        let id = table.id().to_owned();
        if let Some(inner) = self.inner.try_with_value(Rc::clone) {
            inner.tables.borrow_mut().insert(id.clone(), table);
        }
        self.with(|client, _| {
            if let Some(kept) = shown::find(&id) {
                client.recall(kept);
            }
            client.follow(&id);
        });
    }

    /// No longer hears about a table.
    pub fn forget(self, id: &str) {
        if let Some(inner) = self.inner.try_with_value(Rc::clone) {
            inner.tables.borrow_mut().remove(id);
        }
        self.with(|client, _| client.forget(id));
    }
}
