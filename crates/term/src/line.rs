//! The wire to a server, on a thread of its own: it connects, sends and passes on what comes, and knows nothing of what is said.
//! What is said, and when, is for [`client::Client`] to know, which the one who draws has.

use crate::address::Address;
use crate::http::{self, HttpFault, Socket};
use crate::post::Heard;
use client::Do;
use futures_util::{SinkExt, StreamExt};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;
use table::Seat;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::Message as Frame;

/// What the one who draws asks of the wire.
pub(crate) enum Ask {
    /// Something for the connection.
    Do(Do),
    /// Ask the coach about a seat of a table.
    Coach(String, Seat),
    /// Fetch the record of the game at a table.
    Record(String),
}

/// What comes from the wire.
pub(crate) enum Signal {
    /// The server knows this machine by this from now on.
    Known(String),
    /// There is a connection.
    Opened,
    /// The server says something.
    Text(String),
    /// The connection is lost, or there is none: why, and by which code the server closed it.
    Lost(String, Option<u16>),
    /// There is no use in trying again: why.
    Gone(String),
    /// The record of the game, or why it did not come.
    Record(Result<String, String>),
}

/// Whom to call, and as whom.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The server.
    pub(crate) address: Address,
    /// The name that was asked for; without one, a server that does not know this machine is told the system's.
    pub(crate) name: Option<String>,
    /// What the server knows this machine by.
    pub(crate) cookie: Option<String>,
}

/// A server that takes the call and then says nothing for this long has not taken it.
const PATIENCE: Duration = Duration::from_secs(10);

/// Calls on a thread of its own, for as long as somebody holds the other end.
pub(crate) fn call(call: Call, post: Sender<Heard>) -> UnboundedSender<Ask> {
    let (asks, inbox) = unbounded_channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let mut line = Line { call, post, socket: None };
        match runtime {
            Ok(runtime) => runtime.block_on(line.hold(inbox)),
            Err(why) => line.tell(Signal::Gone(why.to_string())),
        }
    });
    asks
}

struct Line {
    call: Call,
    post: Sender<Heard>,
    socket: Option<Socket>,
}

impl Line {
    async fn hold(&mut self, mut inbox: UnboundedReceiver<Ask>) {
        loop {
            tokio::select! {
                ask = inbox.recv() => match ask {
                    None => return self.hang_up().await,
                    Some(Ask::Do(Do::Connect)) => self.connect().await,
                    Some(Ask::Do(Do::HangUp)) => self.socket = None,
                    Some(Ask::Do(Do::Say(text))) => self.say(text).await,
                    Some(fetch) => self.fetch(fetch),
                },
                frame = hear(&mut self.socket) => match frame {
                    Some(Ok(Frame::Text(text))) => self.tell(Signal::Text(text.as_str().to_owned())),
                    Some(Ok(Frame::Close(close))) => self.lost(close.map(|close| close.code.into())),
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => self.lost(None),
                },
            }
        }
    }

    fn tell(&self, signal: Signal) {
        let _ = self.post.send(Heard::Line(signal));
    }

    fn lost(&mut self, code: Option<u16>) {
        self.socket = None;
        self.tell(Signal::Lost("the connection broke".to_owned(), code));
    }

    async fn hang_up(&mut self) {
        if let Some(mut socket) = self.socket.take() {
            let _ = timeout(Duration::from_secs(1), socket.close(None)).await;
        }
    }

    async fn connect(&mut self) {
        self.socket = None;
        let mute = |_| Err(HttpFault::Unreachable("it took the call and said nothing".to_owned()));
        match timeout(2 * PATIENCE, self.open()).await.unwrap_or_else(mute) {
            Ok(socket) => {
                self.socket = Some(socket);
                self.tell(Signal::Opened);
            }
            Err(HttpFault::Refused(says)) => self.tell(Signal::Gone(says)),
            Err(fault) => self.tell(Signal::Lost(fault.to_string(), None)),
        }
    }

    /// Opens a socket, becoming a guest first where the server does not know this machine.
    async fn open(&mut self) -> Result<Socket, HttpFault> {
        if let Some(cookie) = &self.call.cookie {
            match http::socket(&self.call.address, cookie).await {
                // The server has forgotten this machine: be a new guest.
                Err(HttpFault::Status(401)) => self.call.cookie = None,
                other => return other,
            }
        }
        let name = self.call.name.clone().unwrap_or_else(crate::own_name);
        let cookie = http::become_guest(&self.call.address, &name).await?;
        self.tell(Signal::Known(cookie.clone()));
        self.call.cookie = Some(cookie.clone());
        http::socket(&self.call.address, &cookie).await
    }

    async fn say(&mut self, text: String) {
        let Some(socket) = &mut self.socket else { return };
        if socket.send(Frame::text(text)).await.is_err() {
            self.lost(None);
        }
    }

    /// Fetches something over plain HTTP beside the socket.
    fn fetch(&self, ask: Ask) {
        let (call, post) = (self.call.clone(), self.post.clone());
        tokio::spawn(async move {
            let cookie = call.cookie.as_deref();
            let heard = match ask {
                Ask::Coach(table, seat) => {
                    let path = format!("/api/coach/{table}?seat={}", seat.0);
                    let says = http::get(&call.address, &path, cookie).await;
                    let says = says.and_then(|text| {
                        serde_json::from_str(&text).map_err(|why| HttpFault::Unreadable(why.to_string()))
                    });
                    Heard::Coach(seat, says.map_err(|fault| fault.to_string()))
                }
                Ask::Record(table) => {
                    let path = format!("/api/finished/{table}/record");
                    let record = http::get(&call.address, &path, cookie).await;
                    Heard::Line(Signal::Record(record.map_err(|fault| fault.to_string())))
                }
                Ask::Do(_) => return,
            };
            let _ = post.send(heard);
        });
    }
}

/// The next frame; never, where there is no socket.
async fn hear(socket: &mut Option<Socket>) -> Option<Result<Frame, tokio_tungstenite::tungstenite::Error>> {
    match socket {
        Some(socket) => socket.next().await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};
    use tokio::net::TcpListener;
    use tokio_tungstenite::accept_async;

    fn call_to(port: u16) -> (UnboundedSender<Ask>, Receiver<Heard>) {
        let address = Address { host: "127.0.0.1".to_owned(), port, sealed: false, folder: String::new() };
        let (post, news) = channel();
        (call(Call { address, name: None, cookie: Some("known=1".to_owned()) }, post), news)
    }

    fn next(news: &Receiver<Heard>) -> Signal {
        match news.recv_timeout(6 * PATIENCE).expect("in time") {
            Heard::Line(signal) => signal,
            _ => panic!("not from the wire"),
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_to_be_done_is_done_and_what_comes_is_passed_on() {
        let door = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let (asks, news) = call_to(door.local_addr().expect("an address").port());
        asks.send(Ask::Do(Do::Connect)).expect("it hears");
        let mut socket = accept_async(door.accept().await.expect("a call").0).await.expect("a socket");
        assert!(matches!(next(&news), Signal::Opened));
        asks.send(Ask::Do(Do::Say("hello".to_owned()))).expect("it hears");
        assert_eq!(socket.next().await.expect("a frame").expect("whole"), Frame::text("hello"));
        socket.send(Frame::text("welcome")).await.expect("it hears");
        assert!(matches!(next(&news), Signal::Text(text) if text == "welcome"));
        asks.send(Ask::Do(Do::HangUp)).expect("it hears");
        assert!(!matches!(socket.next().await, Some(Ok(Frame::Text(_)))), "the connection is dropped");
        asks.send(Ask::Do(Do::Connect)).expect("it hears");
        let socket = accept_async(door.accept().await.expect("a call").0).await.expect("a socket");
        assert!(matches!(next(&news), Signal::Opened));
        drop(socket);
        assert!(matches!(next(&news), Signal::Lost(..)));
        drop(door);
        asks.send(Ask::Do(Do::Connect)).expect("it hears");
        assert!(matches!(next(&news), Signal::Lost(..)));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_server_that_takes_the_call_and_says_nothing_is_not_waited_for_without_end() {
        let door = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let (asks, news) = call_to(door.local_addr().expect("an address").port());
        asks.send(Ask::Do(Do::Connect)).expect("it hears");
        let _mute = door.accept().await.expect("a call");
        assert!(matches!(next(&news), Signal::Lost(why, _) if why.contains("said nothing")));
    }
}
