//! The line to a server: one socket, opened again whenever it is lost. Commands that were not answered are said again with
//! their old numbers, so that none is lost and none counts twice.

use crate::http::{self, Address, HttpFault, Socket};
use crate::online::News;
use crate::post::Heard;
use futures_util::{SinkExt, StreamExt};
use house::Kind;
use protocol::{Command, Message, PROTOCOL, Wish};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;
use table::{Seat, Spoken};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::protocol::Message as Frame;

/// What the one who draws asks of the line.
pub(crate) enum Ask {
    /// Say a command, with the number it is given.
    Say(Box<dyn FnOnce(u64) -> Command + Send>),
    /// Ask the coach about a seat.
    Coach(Seat),
    /// Fetch the record of the game.
    Record,
}

/// A table that is to be laid on the server.
#[derive(Clone, Debug)]
pub(crate) struct Lay {
    /// Of which game.
    pub(crate) kind: Kind,
    /// With which options.
    pub(crate) options: Value,
    /// For whom.
    pub(crate) seats: Vec<Wish>,
    /// Whether everybody may see it.
    pub(crate) public: bool,
    /// Whether it counts for ratings.
    pub(crate) rated: bool,
}

/// After so many seconds away a bot plays on, as at tables that are laid on the page.
const GRACE: u32 = 60;

impl Lay {
    fn command(self, id: u64) -> Command {
        let Lay { kind, options, seats, public, rated } = self;
        let (game, seed) = (kind.name().to_owned(), String::new());
        Command::Create { id, game, options, seats, public, rated, grace: Some(GRACE), seed }
    }
}

/// Who calls whom about which table.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The server.
    pub(crate) address: Address,
    /// The table; nothing as long as it is not laid.
    pub(crate) table: String,
    /// How it is to be laid first, if it is.
    pub(crate) lay: Option<Lay>,
    /// The name that was asked for; without one, a server that does not know this machine is told the system's.
    pub(crate) name: Option<String>,
    /// What the server knows this machine by.
    pub(crate) cookie: Option<String>,
    /// This client's own random name.
    pub(crate) client: String,
}

/// What was said and heard: numbers, commands without an answer, and the last event.
#[derive(Debug, Default)]
struct Memory {
    last: u64,
    waiting: BTreeMap<u64, Command>,
    seq: Option<u64>,
}

impl Memory {
    fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn say(&mut self, make: impl FnOnce(u64) -> Command) -> Command {
        let id = self.number();
        let command = make(id);
        self.waiting.insert(id, command.clone());
        command
    }

    /// Said after every hello: what was not answered, and what is watched, or laid to begin with.
    fn welcome(&mut self, call: &Call) -> Vec<Command> {
        self.waiting.retain(|_, command| !matches!(command, Command::Watch { .. }));
        let mut all: Vec<Command> = self.waiting.values().cloned().collect();
        match call.lay.clone() {
            None => {
                let (table, seq) = (call.table.clone(), self.seq);
                all.push(self.say(|id| Command::Watch { id, table, seq }));
            }
            Some(_) if all.iter().any(|command| matches!(command, Command::Create { .. })) => {}
            Some(lay) => all.push(self.say(|id| lay.command(id))),
        }
        all
    }

    /// The command that an answer is about.
    fn answered(&mut self, id: u64) -> Option<Command> {
        self.waiting.remove(&id)
    }

    /// Whether an event follows on what was heard; what was heard already does not matter.
    fn follows(&mut self, first: u64, last: u64) -> Follows {
        match self.seq {
            Some(seq) if last <= seq => Follows::Known,
            Some(seq) if first <= seq + 1 => {
                self.seq = Some(last);
                Follows::Yes
            }
            _ => Follows::Gap,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Follows {
    Yes,
    Known,
    Gap,
}

/// Calls on a thread of its own, for as long as somebody holds the other end.
pub(crate) fn call(call: Call, post: Sender<Heard>) -> UnboundedSender<Ask> {
    let (asks, inbox) = unbounded_channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        match runtime {
            Ok(runtime) => runtime.block_on(Line::new(call, post, SILENCE).hold(inbox)),
            Err(why) => drop(post.send(Heard::Line(News::Gone(why.to_string())))),
        }
    });
    asks
}

/// A server says something every 25 seconds, if only to ask whether one is there. After this long the line is dead, whatever
/// the system believes: a machine that slept or a router that forgot tells nobody.
const SILENCE: Duration = Duration::from_secs(60);

struct Line {
    call: Call,
    post: Sender<Heard>,
    memory: Memory,
    /// How long nothing may be heard.
    silence: Duration,
    /// Whether this call made the machine known to the server, by the name that was asked for.
    introduced: bool,
}

/// Why a conversation ended.
enum End {
    /// The line was lost.
    Lost,
    /// Nobody wants to talk any more, or there is nothing to talk about.
    Hung,
}

impl Line {
    fn new(call: Call, post: Sender<Heard>, silence: Duration) -> Line {
        Line { call, post, memory: Memory::default(), silence, introduced: false }
    }

    /// Holds the line: opens it, talks, and opens it again, each time a little later.
    async fn hold(mut self, mut inbox: UnboundedReceiver<Ask>) {
        let mut failures = 0;
        loop {
            let opened = timeout(self.silence, self.open()).await;
            let mute = |_| Err(HttpFault::Unreachable("it took the call and said nothing".to_owned()));
            let why = match opened.unwrap_or_else(mute) {
                Ok(socket) => {
                    failures = 0;
                    if matches!(self.talk(socket, &mut inbox).await, End::Hung) {
                        return;
                    }
                    "the line is lost".to_owned()
                }
                Err(HttpFault::Refused(says)) => {
                    self.tell(News::Gone(says));
                    return;
                }
                Err(fault) => {
                    failures += 1;
                    fault.to_string()
                }
            };
            self.tell(News::Lost(why));
            let wait = Duration::from_millis((150.0 * 1.6_f64.powi(failures.min(8))) as u64);
            if !self.rest(wait, &mut inbox).await {
                return;
            }
        }
    }

    fn tell(&self, news: News) {
        let _ = self.post.send(Heard::Line(news));
    }

    /// Waits; what is asked meanwhile is said on the next line. Says whether somebody is still there.
    async fn rest(&mut self, wait: Duration, inbox: &mut UnboundedReceiver<Ask>) -> bool {
        let until = Instant::now() + wait;
        loop {
            tokio::select! {
                () = sleep_until(until) => return true,
                ask = inbox.recv() => match ask {
                    None => return false,
                    Some(Ask::Say(make)) => drop(self.memory.say(make)),
                    Some(ask) => self.fetch(ask),
                },
            }
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
        self.introduced = true;
        self.tell(News::Known(cookie.clone()));
        self.call.cookie = Some(cookie.clone());
        http::socket(&self.call.address, &cookie).await
    }

    async fn talk(&mut self, mut socket: Socket, inbox: &mut UnboundedReceiver<Ask>) -> End {
        let hello = Command::Hello { protocol: PROTOCOL, client: self.call.client.clone() };
        if let Err(end) = say(&mut socket, &hello).await {
            return end;
        }
        let (mut welcome, mut heard) = (false, Instant::now());
        loop {
            let went = tokio::select! {
                () = sleep_until(heard + self.silence) => Err(End::Lost),
                ask = inbox.recv() => match ask {
                    None => {
                        let _ = socket.close(None).await;
                        Err(End::Hung)
                    }
                    Some(Ask::Say(make)) => {
                        let command = self.memory.say(make);
                        if welcome { say(&mut socket, &command).await } else { Ok(()) }
                    }
                    Some(ask) => {
                        self.fetch(ask);
                        Ok(())
                    }
                },
                frame = socket.next() => {
                    heard = Instant::now();
                    match frame {
                        Some(Ok(Frame::Text(text))) => self.read(&mut socket, &text, &mut welcome).await,
                        Some(Ok(Frame::Close(_)) | Err(_)) | None => Err(End::Lost),
                        Some(Ok(_)) => Ok(()),
                    }
                }
            };
            if let Err(end) = went {
                return end;
            }
        }
    }

    /// Reads what the server says, and answers it.
    async fn read(&mut self, socket: &mut Socket, text: &str, welcome: &mut bool) -> Result<(), End> {
        match serde_json::from_str::<Message>(text) {
            Ok(Message::Welcome { you: Some(you), .. }) => {
                if let Some(says) = self.mistaken(&you.name) {
                    self.tell(News::Gone(says));
                    return Err(End::Hung);
                }
                *welcome = true;
                self.tell(News::Welcome(you));
                self.catch_up(socket).await
            }
            Ok(Message::Bye { code, says }) if code == "protocol" => {
                self.tell(News::Gone(says));
                Err(End::Hung)
            }
            Ok(message) => match self.hear(message) {
                Some(command) => say(socket, &command).await,
                None => Ok(()),
            },
            // A message of a later protocol is skipped.
            Err(_) => Ok(()),
        }
    }

    /// What to say to somebody whom the server takes for another: its cookie knows one person, the command line named one else.
    fn mistaken(&self, known: &str) -> Option<String> {
        let asked = self.call.name.as_ref().filter(|_| !self.introduced)?;
        // A server takes double blanks out of names.
        let asked = asked.split_whitespace().collect::<Vec<_>>().join(" ");
        (asked != known).then(|| {
            format!(
                "This server knows you as {known}, not as {asked}. To play as {known}, leave --name out; to play as {asked}, name a data folder of {asked}'s own with --data FOLDER."
            )
        })
    }

    async fn catch_up(&mut self, socket: &mut Socket) -> Result<(), End> {
        for command in self.memory.welcome(&self.call) {
            say(socket, &command).await?;
        }
        Ok(())
    }

    /// Passes a message on; answers what must be said at once.
    fn hear(&mut self, message: Message) -> Option<Command> {
        let mine = |table: &str| table == self.call.table;
        match message {
            Message::View(view) if mine(&view.table) => {
                self.memory.seq = Some(view.seq);
                self.tell(News::Heard(Box::new(Message::View(view))));
            }
            Message::Event(event) if mine(&event.table) => {
                match self.memory.follows(event.from.unwrap_or(event.seq), event.seq) {
                    Follows::Yes => self.tell(News::Heard(Box::new(Message::Event(event)))),
                    Follows::Known => {}
                    Follows::Gap => {
                        let table = self.call.table.clone();
                        return Some(self.memory.say(|id| Command::Watch { id, table, seq: None }));
                    }
                }
            }
            Message::Done { id, table, .. } => match (self.memory.answered(id), table) {
                (Some(Command::Rematch { .. }), Some(table)) => self.tell(News::Again(table)),
                (Some(Command::Create { .. }), Some(table)) => {
                    self.call.lay = None;
                    self.call.table.clone_from(&table);
                    self.tell(News::Laid(table.clone()));
                    return Some(self.memory.say(|id| Command::Watch { id, table, seq: None }));
                }
                _ => {}
            },
            Message::Refused { id: Some(id), code, says, details } => {
                if let Some(command) = self.memory.answered(id) {
                    self.tell(News::Refused(Box::new(command), Spoken { code, says, details }));
                }
            }
            other => self.tell(News::Heard(Box::new(other))),
        }
        None
    }

    /// Fetches something over plain HTTP beside the socket.
    fn fetch(&self, ask: Ask) {
        let (call, post) = (self.call.clone(), self.post.clone());
        tokio::spawn(async move {
            let cookie = call.cookie.as_deref();
            let heard = match ask {
                Ask::Coach(seat) => {
                    let path = format!("/api/coach/{}?seat={}", call.table, seat.0);
                    let says = http::get(&call.address, &path, cookie).await;
                    let says = says.and_then(|text| {
                        serde_json::from_str(&text).map_err(|why| HttpFault::Unreadable(why.to_string()))
                    });
                    Heard::Coach(seat, says.map_err(|fault| fault.to_string()))
                }
                Ask::Record => {
                    let path = format!("/api/finished/{}/record", call.table);
                    let record = http::get(&call.address, &path, cookie).await;
                    Heard::Line(News::Record(record.map_err(|fault| fault.to_string())))
                }
                Ask::Say(_) => return,
            };
            let _ = post.send(heard);
        });
    }
}

async fn say(socket: &mut Socket, command: &Command) -> Result<(), End> {
    let text = serde_json::to_string(command).map_err(|_| End::Lost)?;
    socket.send(Frame::text(text)).await.map_err(|_| End::Lost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};
    use tokio::net::{TcpListener, TcpStream};
    use tokio_tungstenite::{WebSocketStream, accept_async};

    /// Long enough for a busy machine not to be taken for a dead one.
    const SHORT: Duration = Duration::from_secs(2);

    /// A line to this door, and what is heard of it.
    fn line_to(door: &TcpListener, name: Option<&str>) -> (Line, Receiver<Heard>) {
        let port = door.local_addr().expect("an address").port();
        let (post, news) = channel();
        (Line::new(call_to(port, name), post, SHORT), news)
    }

    fn call_to(port: u16, name: Option<&str>) -> Call {
        Call {
            address: Address { host: "127.0.0.1".to_owned(), port, sealed: false },
            table: "t".to_owned(),
            lay: None,
            name: name.map(str::to_owned),
            cookie: Some("known=1".to_owned()),
            client: "c".to_owned(),
        }
    }

    async fn door() -> TcpListener {
        TcpListener::bind("127.0.0.1:0").await.expect("a port")
    }

    async fn take_call(door: &TcpListener) -> WebSocketStream<TcpStream> {
        let (stream, _) = timeout(10 * SHORT, door.accept()).await.expect("it calls").expect("a stream");
        accept_async(stream).await.expect("a socket")
    }

    fn was_lost(news: &Receiver<Heard>) -> bool {
        news.try_iter().any(|heard| matches!(heard, Heard::Line(News::Lost(_))))
    }

    #[tokio::test]
    async fn a_line_that_falls_silent_is_opened_again() {
        let door = door().await;
        let (line, news) = line_to(&door, None);
        let (_asks, inbox) = unbounded_channel();
        tokio::spawn(line.hold(inbox));
        let mut socket = take_call(&door).await;
        for _ in 0..12 {
            tokio::time::sleep(SHORT / 8).await;
            socket.send(Frame::Ping(Vec::new().into())).await.expect("it hears");
        }
        assert!(!was_lost(&news), "any frame says that the line is alive");
        // The socket stays open, and nothing comes over it: as after a sleep.
        let _again = take_call(&door).await;
        assert!(was_lost(&news));
    }

    #[tokio::test]
    async fn a_server_that_takes_the_call_and_says_nothing_is_called_again() {
        let door = door().await;
        let (line, news) = line_to(&door, None);
        let (_asks, inbox) = unbounded_channel();
        tokio::spawn(line.hold(inbox));
        let _mute = door.accept().await.expect("a call");
        let _socket = take_call(&door).await;
        assert!(was_lost(&news));
    }

    #[tokio::test]
    async fn only_who_is_known_by_another_name_is_mistaken() {
        let door = door().await;
        let mistaken = |name: Option<&str>| line_to(&door, name).0.mistaken("Ann Lee");
        assert_eq!(mistaken(None), None);
        assert_eq!(mistaken(Some(" Ann  Lee")), None);
        assert!(mistaken(Some("Ben")).is_some_and(|says| says.contains("--data FOLDER")));
        let (mut line, _) = line_to(&door, Some("Ann\u{200b} Lee"));
        line.introduced = true;
        assert_eq!(line.mistaken("Ann Lee"), None, "a server may tidy the name it was just told");
    }

    fn act(id: u64) -> Command {
        Command::Act { id, table: "t".to_owned(), seat: Some(0), act: serde_json::json!({"do": "ready"}) }
    }

    #[test]
    fn commands_without_an_answer_are_said_again_with_their_numbers() {
        let mut memory = Memory::default();
        let (first, second) = (memory.say(act), memory.say(act));
        assert_eq!(memory.answered(1), Some(first));
        memory.seq = Some(7);
        let watch = Command::Watch { id: 3, table: "t".to_owned(), seq: Some(7) };
        let call = call_to(7777, None);
        assert_eq!(memory.welcome(&call), [second.clone(), watch]);
        let again = Command::Watch { id: 4, table: "t".to_owned(), seq: Some(7) };
        assert_eq!(memory.welcome(&call), [second, again], "one watch a line is enough");
    }

    #[test]
    fn a_table_is_laid_once_however_often_the_line_is_lost() {
        let (kind, options, seats) = (Kind::Cubo, Value::Null, vec![Wish::Me, Wish::Open]);
        let lay = Lay { kind, options, seats, public: false, rated: false };
        let call = Call { table: String::new(), lay: Some(lay), ..call_to(7777, None) };
        let mut memory = Memory::default();
        let first = memory.welcome(&call);
        assert!(matches!(&first[..], [Command::Create { id: 1, .. }]), "{first:?}");
        assert_eq!(memory.welcome(&call), first, "the same number, so that it counts once");
    }

    #[test]
    fn a_gap_in_the_events_is_seen() {
        let mut memory = Memory { seq: Some(4), ..Memory::default() };
        assert_eq!(memory.follows(5, 5), Follows::Yes);
        assert_eq!(memory.follows(5, 5), Follows::Known);
        assert_eq!(memory.follows(4, 8), Follows::Yes, "one event may stand for several");
        assert_eq!(memory.follows(10, 10), Follows::Gap);
        assert_eq!(memory.seq, Some(8));
        assert_eq!(Memory::default().follows(1, 1), Follows::Gap, "nothing follows before the first view");
    }
}
