//! The page's WebSocket: opens it, passes on what comes, closes it. What is said over it, and when, is for
//! [`client::Client`] to know.

use super::http;
use crate::browser::{self, Later};
use leptos::task::spawn_local;
use protocol::http::Me;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// How long opening may take before it is given up, in milliseconds.
const PATIENCE: f64 = 20_000.0;

/// What comes from the socket.
pub(super) enum Signal {
    /// It is open.
    Opened,
    /// The server says something.
    Text(String),
    /// It is closed, or was never opened: by which code, if the server closed it.
    Lost(Option<u16>),
}

/// At most one WebSocket to the server this page came from.
#[derive(Default)]
pub(super) struct Socket {
    open: RefCell<Option<Open>>,
    /// Counts the attempts to open it: nothing is heard of an earlier one.
    attempt: Cell<u64>,
    patience: RefCell<Option<Later>>,
}

impl Socket {
    /// Opens it anew; an old one is closed without a word.
    pub(super) fn connect(self: &Rc<Self>, tell: impl Fn(Signal) + Copy + 'static) {
        self.hang_up();
        let attempt = self.attempt.get();
        if browser::window().is_none() {
            return;
        }
        *self.patience.borrow_mut() = Later::new(PATIENCE, move || tell(Signal::Lost(None)));
        let socket = Rc::clone(self);
        spawn_local(async move {
            // People with a name come in by another door than those who only look.
            let me = http::get_json::<Me>("/api/me").await;
            if socket.attempt.get() != attempt {
                return;
            }
            let door = |me: Me| if me.you.is_some() { "/ws" } else { "/ws/look" };
            match me.ok().and_then(|me| Open::at(door(me), tell)) {
                Some(open) => drop(socket.open.borrow_mut().replace(open)),
                None => tell(Signal::Lost(None)),
            }
        });
    }

    /// It is open: nobody waits for that any more.
    pub(super) fn opened(&self) {
        drop(self.patience.borrow_mut().take());
    }

    /// Closes it, or gives up opening it. Nothing more is heard of it.
    pub(super) fn hang_up(&self) {
        self.attempt.set(self.attempt.get() + 1);
        drop(self.open.borrow_mut().take());
        drop(self.patience.borrow_mut().take());
    }

    /// Sends a text, if it is open.
    pub(super) fn say(&self, text: &str) {
        if let Some(open) = &*self.open.borrow() {
            let _ = open.socket.send_with_str(text); // what could not be sent is sent again after the loss
        }
    }
}

struct Open {
    socket: web_sys::WebSocket,
    _opens: Closure<dyn FnMut()>,
    _hears: Closure<dyn FnMut(web_sys::MessageEvent)>,
    _closes: Closure<dyn FnMut(web_sys::CloseEvent)>,
}

impl Open {
    /// Begins to open a socket at a path of the house.
    fn at(path: &str, tell: impl Fn(Signal) + Copy + 'static) -> Option<Open> {
        let location = browser::window()?.location();
        let secure = location.protocol().is_ok_and(|protocol| protocol == "https:");
        let scheme = if secure { "wss" } else { "ws" };
        let base = browser::base();
        let house = base.trim_end_matches('/');
        let url = format!("{scheme}://{}{house}{path}", location.host().unwrap_or_default());
        let socket = web_sys::WebSocket::new(&url).ok()?;
        let opens = Closure::new(move || tell(Signal::Opened));
        let hears = Closure::new(move |message: web_sys::MessageEvent| {
            tell(Signal::Text(message.data().as_string().unwrap_or_default()));
        });
        let closes = Closure::new(move |close: web_sys::CloseEvent| tell(Signal::Lost(Some(close.code()))));
        socket.set_onopen(Some(opens.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(hears.as_ref().unchecked_ref()));
        socket.set_onclose(Some(closes.as_ref().unchecked_ref()));
        Some(Open { socket, _opens: opens, _hears: hears, _closes: closes })
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onmessage(None);
        self.socket.set_onclose(None);
        let _ = self.socket.close();
    }
}
