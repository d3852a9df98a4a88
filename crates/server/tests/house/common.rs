//! A house to play in, guests, and their sockets: what all tests of the server need.
#![allow(dead_code, reason = "every test file uses some of it")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say so at once")]

use crate::engines::Front;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use server::{Config, NoPage, Server};
use std::fmt::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Message};

/// How long a test waits before it says that nothing comes. Long: machines may be busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A house in this process: one server, or three nodes behind one address.
pub(crate) struct House {
    pub(crate) address: SocketAddr,
    pub(crate) data: PathBuf,
    pub(crate) nodes: Vec<Node>,
    folder: Option<TempDir>,
    front: Option<Front>,
}

/// A server of a house.
pub(crate) struct Node {
    pub(crate) address: SocketAddr,
    /// Where it shows its metrics.
    pub(crate) metrics: Option<SocketAddr>,
    stop: oneshot::Sender<()>,
    served: JoinHandle<Result<(), server::ServeFault>>,
}

impl Node {
    pub(crate) fn run(server: Server) -> Node {
        let (address, metrics) = (server.address().unwrap(), server.metrics_address().unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let served = tokio::spawn(server.run(async { drop(stopped.await) }));
        Node { address, metrics, stop, served }
    }

    /// A clean stop.
    pub(crate) async fn close(self) {
        let _ = self.stop.send(());
        self.served.await.unwrap().unwrap();
    }
}

/// Limits that do not get in the way of a test.
pub(crate) fn roomy(config: &mut Config) {
    let limits = &mut config.limits;
    limits.guests = 100_000;
    limits.requests = 1_000_000;
    limits.commands = 100_000;
    limits.burst = 100_000;
    limits.connections = 10_000;
    limits.joins = 10_000;
    limits.tables = 10_000;
}

/// Where the houses of the tests live instead of their folders, if the suite is run on a database server.
pub(crate) const DATABASE: &str = "PARLOR_TEST_DATABASE";

/// The NATS of the tests, if houses of three nodes are to be tested.
pub(crate) const NATS: &str = "PARLOR_TEST_NATS";

/// The database that stands for a folder; made, if it is not there.
pub(crate) async fn database(data: &Path) -> Option<String> {
    let server = std::env::var(DATABASE).ok()?;
    let name: String = data.file_name()?.to_str()?.chars().filter(char::is_ascii_alphanumeric).collect();
    let all = format!("{server}/postgres");
    let (client, connection) = tokio_postgres::connect(&all, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    drop(client.batch_execute(&format!("CREATE DATABASE \"house{name}\"")).await); // it may be there already
    Some(format!("{server}/house{name}"))
}

impl House {
    pub(crate) async fn open() -> House {
        House::with(|_| {}).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut Config)) -> House {
        let folder = tempfile::tempdir().unwrap();
        let mut house = House::at(folder.path(), change).await;
        house.folder = Some(folder);
        house
    }

    pub(crate) async fn at(data: &Path, change: impl FnOnce(&mut Config)) -> House {
        let mut config = Config::new("127.0.0.1:0".parse().unwrap(), data);
        config.database = database(data).await;
        config.nats = std::env::var(NATS).ok();
        config.metrics = Some("127.0.0.1:0".parse().unwrap());
        roomy(&mut config);
        change(&mut config);
        if config.nats.is_some() {
            return House::of_three(config).await;
        }
        let server = Server::bind(config, NoPage).await.unwrap();
        House::run(server, data)
    }

    /// What `/metrics` says of this, of all nodes together.
    pub(crate) async fn metric(&self, name: &str) -> f64 {
        let mut sum = 0.0;
        for node in &self.nodes {
            let text = Http::get("/metrics").send(node.metrics.expect("they are shown")).await.body;
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            let value: Option<f64> = line.and_then(|value| value.parse().ok());
            sum += value.unwrap_or_else(|| panic!("{name} in {text}"));
        }
        sum
    }

    pub(crate) fn run(server: Server, data: &Path) -> House {
        let node = Node::run(server);
        House { address: node.address, data: data.to_owned(), nodes: vec![node], folder: None, front: None }
    }

    /// Three nodes behind one address.
    pub(crate) async fn of_three(config: Config) -> House {
        let mut nodes = Vec::new();
        for _ in 0..3 {
            nodes.push(Node::run(Server::bind(config.clone(), NoPage).await.unwrap()));
        }
        let here = "127.0.0.1:0".parse().unwrap();
        let front = Front::open(here, nodes.iter().map(|node| node.address).collect()).unwrap();
        House { address: front.address(), data: config.data, nodes, folder: None, front: Some(front) }
    }

    /// A clean stop; the folder stays.
    pub(crate) async fn close(self) -> Option<TempDir> {
        futures_util::future::join_all(self.nodes.into_iter().map(Node::close)).await;
        drop(self.front);
        self.folder
    }

    pub(crate) async fn guest(&self, name: &str) -> Guest {
        guest(self.address, name).await
    }

    pub(crate) async fn socket(&self, guest: &Guest) -> Wire {
        Wire::open(self.address, guest, &format!("c{}", random())).await
    }

    /// Two people at a started table of roulette with a long window; Ann hosts.
    pub(crate) async fn pair(&self, options: Value) -> Pair {
        let (ann, ben) = (self.guest("Ann").await, self.guest("Ben").await);
        let (mut a, mut b) = (self.socket(&ann).await, self.socket(&ben).await);
        let table = a
            .create(
                json!({"game": "roulette", "options": options, "seats": [{"for": "me"}, {"for": "open"}]}),
            )
            .await;
        b.done(json!({"cmd": "join", "table": table, "seed": "b"})).await;
        b.done(json!({"cmd": "ready", "table": table, "ready": true})).await;
        a.done(json!({"cmd": "start", "table": table})).await;
        Pair { ann, ben, a, b, table }
    }
}

pub(crate) struct Pair {
    pub(crate) ann: Guest,
    pub(crate) ben: Guest,
    pub(crate) a: Wire,
    pub(crate) b: Wire,
    pub(crate) table: String,
}

fn random() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}

/// Somebody with a cookie.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) cookie: String,
}

pub(crate) async fn guest(address: SocketAddr, name: &str) -> Guest {
    let answer = Http::post("/api/me").json(&json!({"name": name})).send(address).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let person = answer.value();
    Guest {
        id: person["id"].as_str().unwrap().to_owned(),
        name: person["name"].as_str().unwrap().to_owned(),
        cookie,
    }
}

/// One plain HTTP request.
pub(crate) struct Http {
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: String,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn value(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body))
    }
}

impl Http {
    pub(crate) fn get(path: &str) -> Http {
        Http { method: "GET", path: path.to_owned(), headers: Vec::new(), body: String::new() }
    }

    pub(crate) fn post(path: &str) -> Http {
        Http { method: "POST", ..Http::get(path) }
    }

    pub(crate) fn delete(path: &str) -> Http {
        Http { method: "DELETE", ..Http::get(path) }
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Http {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn by(self, guest: &Guest) -> Http {
        self.header("cookie", &guest.cookie)
    }

    pub(crate) fn json(mut self, body: &Value) -> Http {
        self.body = body.to_string();
        self.header("content-type", "application/json")
    }

    pub(crate) fn text(mut self, body: &str) -> Http {
        body.clone_into(&mut self.body);
        self
    }

    /// Sends it, and reads what comes until the server has said everything.
    pub(crate) async fn send(self, address: SocketAddr) -> Answer {
        let mut stream = self.start(address).await;
        let mut text = Vec::new();
        tokio::time::timeout(PATIENCE, stream.read_to_end(&mut text)).await.expect("an answer").unwrap();
        parse(&String::from_utf8(text).unwrap())
    }

    /// Only sends it.
    pub(crate) async fn start(self, address: SocketAddr) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let Http { method, path, headers, body } = self;
        let mut text = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
        for (name, value) in headers {
            write!(text, "{name}: {value}\r\n").unwrap();
        }
        write!(text, "content-length: {}\r\n\r\n{body}", body.len()).unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    }
}

fn parse(text: &str) -> Answer {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let status =
        lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok()).unwrap_or(0);
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = if chunked { unchunk(body) } else { body.to_owned() };
    Answer { status, headers, body }
}

fn unchunk(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        whole += &rest[..size];
        body = rest[size..].strip_prefix("\r\n").unwrap_or("");
    }
    whole
}

/// A client's socket that has said hello.
pub(crate) struct Wire {
    pub(crate) socket: WebSocketStream<TcpStream>,
    pub(crate) id: u64,
    pub(crate) client: String,
}

pub(crate) async fn upgrade(
    address: SocketAddr,
    headers: &[(&str, &str)],
) -> Result<WebSocketStream<TcpStream>, u16> {
    upgrade_at(address, "/ws", headers).await
}

pub(crate) async fn upgrade_at(
    address: SocketAddr,
    path: &str,
    headers: &[(&str, &str)],
) -> Result<WebSocketStream<TcpStream>, u16> {
    use tokio_tungstenite::tungstenite::Error;
    use tokio_tungstenite::tungstenite::client::IntoClientRequest;
    let mut request = format!("ws://{address}{path}").into_client_request().unwrap();
    for (name, value) in headers {
        let name = tokio_tungstenite::tungstenite::http::HeaderName::from_bytes(name.as_bytes()).unwrap();
        request.headers_mut().insert(name, value.parse().unwrap());
    }
    let stream = TcpStream::connect(address).await.map_err(|_| 0_u16)?;
    stream.set_nodelay(true).unwrap();
    match tokio_tungstenite::client_async(request, stream).await {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(response)) => Err(response.status().as_u16()),
        Err(_) => Err(0),
    }
}

impl Wire {
    pub(crate) async fn open(address: SocketAddr, guest: &Guest, client: &str) -> Wire {
        Wire::try_open(address, guest, client).await.expect("a socket")
    }

    pub(crate) async fn try_open(address: SocketAddr, guest: &Guest, client: &str) -> Option<Wire> {
        let socket = upgrade(address, &[("cookie", &guest.cookie)]).await.ok()?;
        let mut wire = Wire { socket, id: 0, client: client.to_owned() };
        wire.send(&json!({"cmd": "hello", "protocol": 2, "client": client})).await;
        let welcome = wire.try_hear().await?;
        // A house that is just closing says so instead.
        if welcome["msg"] == "bye" {
            return None;
        }
        assert_eq!(welcome["msg"], "welcome", "{welcome}");
        Some(wire)
    }

    /// A socket of somebody without a name.
    pub(crate) async fn look_in(address: SocketAddr) -> Wire {
        let socket = upgrade_at(address, "/ws/look", &[]).await.expect("a socket");
        let mut wire = Wire { socket, id: 0, client: "stranger".to_owned() };
        wire.send(&json!({"cmd": "hello", "protocol": 2, "client": "stranger"})).await;
        let welcome = wire.hear().await;
        assert_eq!((&welcome["msg"], welcome.get("you")), (&json!("welcome"), None), "{welcome}");
        wire
    }

    pub(crate) async fn send(&mut self, command: &Value) {
        self.text(&command.to_string()).await;
    }

    pub(crate) async fn text(&mut self, text: &str) {
        drop(self.socket.send(Message::text(text)).await); // a closed socket shows when nothing is heard
    }

    /// The next that was meant for us: a ping is no sign that something will still be said.
    async fn next(&mut self) -> Option<Message> {
        let said = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Ping(_))) => {}
                    Some(Ok(message)) => return Some(message),
                    Some(Err(_)) | None => return None,
                }
            }
        };
        tokio::time::timeout(PATIENCE, said).await.expect("nothing was heard")
    }

    /// The next message; nothing if the socket was closed.
    pub(crate) async fn try_hear(&mut self) -> Option<Value> {
        loop {
            match self.next().await? {
                Message::Text(text) => return Some(serde_json::from_str(&text).unwrap()),
                Message::Close(_) => return None,
                _ => {}
            }
        }
    }

    pub(crate) async fn hear(&mut self) -> Value {
        self.try_hear().await.expect("the socket was closed")
    }

    /// Hears until the server closes; answers how it closed.
    pub(crate) async fn closed(&mut self) -> Option<CloseFrame> {
        loop {
            if let Message::Close(frame) = self.next().await? {
                return frame;
            }
        }
    }

    /// Hears until a message of this kind.
    pub(crate) async fn hear_msg(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear().await;
            if message["msg"] == kind {
                return message;
            }
        }
    }

    /// Hears until an event of this kind.
    pub(crate) async fn hear_event(&mut self, what: &str) -> Value {
        loop {
            let message = self.hear_msg("event").await;
            if message["why"]["what"] == what {
                return message;
            }
        }
    }

    /// Sends a command with the next number, and hears until its answer.
    pub(crate) async fn ask(&mut self, mut command: Value) -> Value {
        self.id += 1;
        command["id"] = json!(self.id);
        self.send(&command).await;
        self.answer(self.id).await
    }

    pub(crate) async fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.hear().await;
            if message["id"] == id && (message["msg"] == "done" || message["msg"] == "refused") {
                return message;
            }
        }
    }

    pub(crate) async fn done(&mut self, command: Value) -> Value {
        let answer = self.ask(command.clone()).await;
        assert_eq!(answer["msg"], "done", "{command} was answered {answer}");
        answer
    }

    pub(crate) async fn refused(&mut self, command: Value) -> String {
        let answer = self.ask(command.clone()).await;
        assert_eq!(answer["msg"], "refused", "{command} was answered {answer}");
        answer["code"].as_str().unwrap().to_owned()
    }

    /// Makes a table; answers its id.
    pub(crate) async fn create(&mut self, mut command: Value) -> String {
        command["cmd"] = json!("create");
        let done = self.done(command).await;
        done["table"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn act(&mut self, table: &str, act: Value) -> Value {
        self.done(json!({"cmd": "act", "table": table, "act": act})).await
    }

    /// A fresh view of a table.
    pub(crate) async fn view(&mut self, table: &str) -> Value {
        self.done(json!({"cmd": "watch", "table": table})).await;
        self.hear_msg("view").await
    }
}
