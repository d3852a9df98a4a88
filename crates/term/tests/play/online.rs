//! Tables of a real server in a process of its own: sitting down by invitation, whole games with a bot, a server that is killed in
//! the middle, and coming back.

use crate::games::verified;
use crate::play;
use crate::pty::{CTRL_C, ENTER, Pty, folder};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use server::{Config, NoPage};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tokio_tungstenite::MaybeTlsStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// Where the child finds its address and its folder.
const CHILD: &str = "PARLOR_TERM_TEST_SERVER";

/// Not a test by itself: the server that the others start as a process of its own, and kill.
#[test]
fn the_server_process() {
    let Ok(wish) = std::env::var(CHILD) else { return };
    let (listen, data) = wish.split_once(' ').expect("an address and a folder");
    let config = Config::new(listen.parse().expect("an address"), data);
    server::run(config, NoPage, |open| eprintln!("listening {}", open.address)).expect("it serves");
}

/// A server in a process of its own.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Process {
    pub(crate) fn start(listen: &str, data: &Path) -> Process {
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "online::the_server_process", "--nocapture", "--test-threads=1"])
            .env(CHILD, format!("{listen} {}", data.display()))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a process");
        let stderr = child.stderr.take().expect("its words");
        let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
        let address = lines.by_ref().find_map(|line| line.strip_prefix("listening ")?.parse().ok());
        // Whoever writes must be read.
        std::thread::spawn(move || lines.for_each(drop));
        Process { child, address: address.expect("the server starts") }
    }

    /// kill -9.
    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Somebody who makes a table and starts its game.
pub(crate) struct Host {
    runtime: tokio::runtime::Runtime,
    socket: tokio_tungstenite::WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>,
    last: u64,
}

impl Host {
    pub(crate) fn call(address: SocketAddr) -> Host {
        let body = r#"{"name":"Host"}"#;
        let mut stream = TcpStream::connect(address).expect("the server answers");
        let request = format!(
            "POST /api/me HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("it hears");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it speaks");
        let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
        let cookie = cookie.split(';').next().expect("a cookie").to_owned();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let mut request = format!("ws://{address}/ws").into_client_request().expect("a request");
        request.headers_mut().insert("cookie", cookie.parse().expect("a header"));
        let (socket, _) = runtime.block_on(tokio_tungstenite::connect_async(request)).expect("a socket");
        let mut host = Host { runtime, socket, last: 0 };
        host.say(&json!({"cmd": "hello", "protocol": 2, "client": "hostpage1"}));
        host
    }

    fn say(&mut self, command: &Value) {
        let sent = self.runtime.block_on(self.socket.send(Message::text(command.to_string())));
        sent.expect("the server hears");
    }

    /// Hears until a message is as wished.
    fn hear(&mut self, wish: impl Fn(&Value) -> bool) -> Value {
        loop {
            let frame =
                self.runtime.block_on(self.socket.next()).expect("the server speaks").expect("in frames");
            if let Message::Text(text) = frame {
                let message: Value = serde_json::from_str(&text).expect("JSON");
                assert_ne!(message["msg"], "refused", "{message}");
                if wish(&message) {
                    return message;
                }
            }
        }
    }

    pub(crate) fn done(&mut self, mut command: Value) -> Value {
        self.last += 1;
        let id = self.last;
        command["id"] = json!(id);
        self.say(&command);
        self.hear(|message| message["msg"] == "done" && message["id"] == id)
    }

    /// A table with an open seat and a bot; answers its name.
    pub(crate) fn table(&mut self, game: &str, options: &Value) -> String {
        let seats = json!([{"for": "open"}, {"for": "bot", "level": 2}]);
        let done = self.done(json!({"cmd": "create", "game": game, "options": options, "seats": seats}));
        done["table"].as_str().expect("a table").to_owned()
    }

    /// Starts the game when the guest is ready.
    pub(crate) fn start(&mut self, table: &str) {
        self.hear(|message| message["why"]["what"] == "ready" && message["why"]["ready"] == true);
        self.done(json!({"cmd": "start", "table": table}));
    }
}

fn sit_down(address: SocketAddr, table: &str, data: &Path) -> Pty {
    let link = format!("http://{address}/table/{table}");
    play(data, &["--join", &link, "--name", "Tess"]).open()
}

#[test]
fn a_whole_game_with_a_bot_at_a_table_of_a_server() {
    let (data, theirs) = (folder(), folder());
    let server = Process::start("127.0.0.1:0", theirs.path());
    let mut host = Host::call(server.address);
    let table = host.table("roulette", &json!({"throws": 2, "window": 600}));
    let mut pty = sit_down(server.address, &table, data.path());
    pty.see("Press Enter when you are ready.");
    pty.keys(ENTER);
    host.start(&table);
    pty.see("throw 1 of 2");
    pty.keys("/15=2 black=10\r");
    pty.see("Laid: 15=2 black=10");
    // A refusal of the server is told like one of this machine.
    pty.keys("/red=1000\r");
    pty.see("lay fewer");
    pty.keys("r");
    pty.see("throw 2 of 2");
    pty.keys("c");
    pty.see("Nothing laid.");
    pty.keys(" ");
    pty.keys("r");
    pty.see("games/roulette-");
    verified(&mut pty, data.path());
}

#[test]
fn a_table_is_laid_from_the_terminal_and_another_terminal_comes_by_its_link() {
    let (data, tess, theirs) = (folder(), folder(), folder());
    let server = Process::start("127.0.0.1:0", theirs.path());
    let at = format!("http://{}", server.address);
    let players = ["--players", "Ann,open,bot:2", "--set", "throws=1", "--set", "window=600"];
    let mut ann = play(data.path(), &[&["roulette", "--at", &at][..], &players].concat()).open();
    ann.see("Throws: 1 · Time to bet: 600 s");
    ann.see("/table/");
    let screen = ann.screen();
    let table =
        screen.split("/table/").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("a link");
    let mut tess = sit_down(server.address, table, tess.path());
    tess.see("Press Enter when you are ready.");
    tess.keys(ENTER);
    ann.until("Tess is ready", |screen| {
        screen.lines().any(|line| line.contains("Tess") && line.ends_with(" ready"))
    });
    ann.keys("s");
    for pty in [&mut ann, &mut tess] {
        pty.see("throw 1 of 1");
        pty.keys("r");
    }
    verified(&mut ann, data.path());
}

#[test]
fn a_server_that_will_not_lay_a_table_says_why() {
    let (data, theirs) = (folder(), folder());
    let server = Process::start("127.0.0.1:0", theirs.path());
    let at = format!("http://{}", server.address);
    let mut ann = play(data.path(), &["roulette", "--at", &at, "--players", "Ann,bot:2", "--rated"]).open();
    ann.see("rated");
    ann.see("Esc shelf");
    ann.keys(CTRL_C);
    ann.is_clean();
}

#[test]
fn a_server_that_dies_in_the_middle_costs_nothing() {
    let (data, theirs) = (folder(), folder());
    let mut server = Process::start("127.0.0.1:0", theirs.path());
    let address = server.address;
    let mut host = Host::call(address);
    let table = host.table("roulette", &json!({"throws": 2, "window": 600}));
    let mut pty = sit_down(address, &table, data.path());
    pty.see("Press Enter when you are ready.");
    pty.keys(ENTER);
    host.start(&table);
    pty.see("throw 1 of 2");
    pty.keys("/black=7\r");
    pty.see("Laid: black=7");
    server.kill();
    pty.see("the line is lost");
    // What is done meanwhile is not lost, and not done twice.
    pty.keys("/15=2\r");
    let again = Process::start(&address.to_string(), theirs.path());
    pty.see("Laid: 15=2 black=7");
    pty.miss("the line is lost");
    pty.keys("r");
    pty.see("throw 2 of 2");
    // Away, and back in the same seat with the same link.
    pty.keys(CTRL_C);
    pty.is_clean();
    let mut pty = sit_down(again.address, &table, data.path());
    pty.see("throw 2 of 2");
    pty.see("Tess");
    pty.keys("r");
    verified(&mut pty, data.path());
}

#[test]
fn what_only_one_seat_sees_is_seen_online_too() {
    let (data, theirs) = (folder(), folder());
    let server = Process::start("127.0.0.1:0", theirs.path());
    let mut host = Host::call(server.address);
    let table = host.table("cubo", &json!({"clocks": {"round": 600, "pause": 600}}));
    let mut pty = sit_down(server.address, &table, data.path());
    pty.see("Press Enter when you are ready.");
    pty.keys(ENTER);
    host.start(&table);
    pty.see("Ready?");
    pty.keys(ENTER);
    pty.see("the race is on");
    pty.keys("1");
    pty.until("one die laid", |screen| {
        screen.lines().any(|line| line.contains("Throw") && line.matches('·').count() == 1)
    });
    pty.keys("a");
    pty.see("Call Cubo!");
    pty.keys(CTRL_C);
    pty.is_clean();
}

#[test]
fn a_name_that_is_not_the_one_known_there_is_not_passed_over() {
    let (data, bens, theirs) = (folder(), folder(), folder());
    let server = Process::start("127.0.0.1:0", theirs.path());
    let mut host = Host::call(server.address);
    let table = host.table("roulette", &json!({}));
    let link = format!("http://{}/table/{table}", server.address);
    let join = |data: &Path, name: &[&str]| play(data, &[&["--join", &link], name].concat()).open();
    let mut pty = join(data.path(), &["--name", "Ann"]);
    pty.see("Press Enter when you are ready.");
    pty.keys(CTRL_C);
    pty.is_clean();
    let mut pty = join(data.path(), &["--name", "Ben"]);
    pty.see("This server knows you as Ann, not as Ben.");
    pty.see("--data FOLDER");
    pty.keys(CTRL_C);
    pty.is_clean();
    // As oneself, by name or without one; and as somebody else from a folder of his own.
    for (data, name, says) in [
        (data.path(), &["--name", "Ann"][..], "Press Enter when you are ready."),
        (data.path(), &[], "Press Enter when you are ready."),
        (bens.path(), &["--name", "Ben"], "No seat is open; you will watch."),
    ] {
        let mut pty = join(data, name);
        pty.see(says);
        pty.keys(CTRL_C);
        pty.is_clean();
    }
}

#[test]
fn a_table_that_is_not_there_is_told() {
    let (data, theirs) = (folder(), folder());
    let server = Process::start("127.0.0.1:0", theirs.path());
    let mut pty = sit_down(server.address, "nosuchtable", data.path());
    pty.until("a word about it", |screen| !screen.contains("Knocking") && screen.contains("table"));
    pty.keys("q");
    pty.see("five lost tabletop games");
    drop(server);
    let mut pty = sit_down("127.0.0.1:1".parse().expect("an address"), "k3v9", data.path());
    pty.see("The table cannot be reached");
    pty.keys(CTRL_C);
    pty.is_clean();
}
