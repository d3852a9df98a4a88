//! The Debian package on this machine: installed, started as its unit says, played on, upgraded in the middle of a game, removed and
//! purged. Where no systemd runs, this does what systemd and the package's scripts would: the unit's own line, as a user who may nothing.

use crate::hosting::{asked, cookie, name_me};
use engines::free_port;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest};

const UNIT: &str = "/usr/lib/systemd/system/parlor.service";
const SETTINGS: &str = "/etc/parlor/parlor.toml";
const SECRETS: &str = "/etc/parlor/secrets";
const STATE: &str = "/var/lib/parlor";
/// Nobody in particular, as `DynamicUser` gives.
const USER: u32 = 61_999;

/// Runs a tool of Debian's to its end; answers what it said.
fn dpkg(args: &[&str]) -> String {
    let out = Command::new("dpkg").args(args).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
    assert!(out.status.success(), "dpkg {args:?}: {said}");
    said
}

/// What the unit says: the last value of each key.
fn unit() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(UNIT).unwrap();
    let lines = text.lines().filter_map(|line| line.split_once('='));
    lines.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// The house, started as its unit says.
struct Service(Child);

impl Service {
    fn start() -> Service {
        let unit = unit();
        assert_eq!(
            (&*unit["Type"], &*unit["DynamicUser"], &*unit["StateDirectory"]),
            ("notify", "yes", "parlor")
        );
        std::fs::create_dir_all(STATE).unwrap();
        chown(STATE, Some(USER), Some(USER)).unwrap();
        let mode = u32::from_str_radix(&unit["StateDirectoryMode"], 8).unwrap();
        std::fs::set_permissions(STATE, std::fs::Permissions::from_mode(mode)).unwrap();
        let name = format!("parlor-package-{}-{}", std::process::id(), free_port().unwrap());
        let manager = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        let secrets = std::fs::read_to_string(unit["EnvironmentFile"].trim_start_matches('-')).unwrap();
        let child = Command::new("setpriv")
            .args([format!("--reuid={USER}"), format!("--regid={USER}")])
            .args(["--clear-groups", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"])
            .args(unit["ExecStart"].split(' '))
            .env_clear()
            .envs(secrets.lines().filter_map(|line| line.split_once('=')))
            .env("NOTIFY_SOCKET", format!("@{name}"))
            .current_dir(&unit["WorkingDirectory"])
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let service = Service(child);
        manager.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        let mut told = [0; 64];
        let length = manager.recv(&mut told).expect("it tells its manager that it is ready");
        assert_eq!(&told[..length], b"READY=1");
        service
    }

    /// As `systemctl stop` asks.
    fn stop(mut self) {
        assert!(Command::new("kill").arg(self.0.id().to_string()).status().unwrap().success());
        assert!(self.0.wait().unwrap().success(), "a clean stop");
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Somebody at a table.
struct Player {
    address: String,
    cookie: String,
    table: String,
    wire: WebSocketStream<TcpStream>,
    id: u64,
}

impl Player {
    async fn open(address: &str) -> Player {
        let stream = TcpStream::connect(address).await.unwrap();
        let (status, head, body) = asked(stream, &name_me(address, "")).await;
        assert_eq!(status, 200, "{body}");
        let cookie = cookie(&head);
        let wire = wire(address, &cookie).await;
        Player { address: address.to_owned(), cookie, table: String::new(), wire, id: 0 }
    }

    /// Sends a command and waits for its answer; answers the last view of the table that was heard, too.
    async fn done(&mut self, mut command: Value) -> (Value, Value) {
        self.id += 1;
        command["id"] = json!(self.id);
        self.wire.send(Message::text(command.to_string())).await.unwrap();
        let (mut done, mut view) = (Value::Null, Value::Null);
        // The answer and what it changed come in either order.
        while done.is_null() || view.is_null() {
            let heard = tokio::time::timeout(Duration::from_mins(1), self.wire.next()).await;
            let Message::Text(text) = heard.unwrap().unwrap().unwrap() else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            match message["msg"].as_str() {
                Some("done") if message["id"] == self.id => done = message,
                Some("refused" | "bye") => panic!("{command}: {message}"),
                Some("view" | "event") => view = message,
                _ => {}
            }
        }
        (done, view)
    }

    async fn act(&mut self, act: Value) -> Value {
        self.done(json!({"cmd": "act", "table": self.table, "act": act})).await.1
    }

    /// The page reconnects by itself, and looks at its table again.
    async fn come_back(&mut self) -> Value {
        self.wire = wire(&self.address, &self.cookie).await;
        let table = self.table.clone();
        self.done(json!({"cmd": "watch", "table": table})).await.1
    }
}

/// A socket that has said hello.
async fn wire(address: &str, cookie: &str) -> WebSocketStream<TcpStream> {
    let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
    request.headers_mut().insert("cookie", cookie.parse().unwrap());
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut wire, _) = tokio_tungstenite::client_async(request, stream).await.unwrap();
    let hello = r#"{"cmd":"hello","protocol":2,"client":"package"}"#;
    wire.send(Message::text(hello)).await.unwrap();
    let welcome = wire.next().await.unwrap().unwrap().into_text().unwrap();
    assert!(welcome.contains("welcome"), "{welcome}");
    wire
}

#[tokio::test]
#[ignore = "installs a package on this machine: cargo xtask dist --prove"]
async fn a_package_is_installed_played_on_upgraded_in_the_middle_of_a_game_removed_and_purged() {
    let [older, newer] = ["PARLOR_OLDER_DEB", "PARLOR_DEB"].map(|name| std::env::var(name).expect(name));
    for path in [STATE, SETTINGS, SECRETS] {
        assert!(!Path::new(path).exists(), "{path} is somebody's; this needs a machine without Parlor");
    }
    dpkg(&["--install", &older]);
    // As the settings file tells a host: secrets, and whatever else, without touching it.
    let address = format!("127.0.0.1:{}", free_port().unwrap());
    std::fs::write(SECRETS, format!("PARLOR_LISTEN={address}\n")).unwrap();
    let settings = std::fs::read_to_string(SETTINGS).unwrap() + "\n# Mine.\nlimits = \"club\"\n";
    std::fs::write(SETTINGS, &settings).unwrap();

    let service = Service::start();
    let mut ann = Player::open(&address).await;
    let create = json!({"cmd": "create", "game": "roulette", "options": {"throws": 2, "window": 600}, "seats": [{"for": "me"}]});
    ann.table = ann.done(create).await.0["table"].as_str().unwrap().to_owned();
    ann.done(json!({"cmd": "start", "table": ann.table})).await;
    ann.act(json!({"do": "lay", "bets": ["15=2", "black=10"]})).await;
    let before = ann.act(json!({"do": "ready"})).await;

    let unpacked = dpkg(&["--install", &newer]);
    assert!(unpacked.contains("over"), "an upgrade: {unpacked}");
    assert_eq!(std::fs::read_to_string(SETTINGS).unwrap(), settings, "what a host wrote stays");
    // The older program plays on until the script restarts the service.
    ann.act(json!({"do": "lay", "bets": ["15=3"]})).await;
    service.stop();
    let service = Service::start();
    let view = ann.come_back().await;
    assert_eq!((&view["phase"], &view["room"]["phase"]), (&Value::Null, &json!("playing")), "{view}");
    assert!(view["seq"].as_u64() > before["seq"].as_u64(), "{view}");
    let last = ann.act(json!({"do": "ready"})).await;
    assert_eq!(last["public"]["phase"], "over", "both throws are played: {last}");

    dpkg(&["--remove", "parlor"]);
    assert!(!Path::new("/usr/bin/parlor").exists() && Path::new(SETTINGS).exists());
    service.stop();
    let house = Path::new(STATE).join("parlor.db");
    assert!(house.exists(), "the games stay");
    let said = dpkg(&["--purge", "parlor"]);
    assert!(said.contains(&format!("The games are still in {STATE}")), "{said}");
    assert!(house.exists() && !Path::new(SETTINGS).exists());
    let healthy = crate::common::parlor(&["doctor", "--data", STATE, "--text"]);
    let said = String::from_utf8_lossy(&healthy.stdout).into_owned();
    assert!(healthy.status.success() && said.contains("1 finished and verified"), "{said}");
    std::fs::remove_dir_all(STATE).unwrap();
    std::fs::remove_dir_all("/etc/parlor").unwrap();
}
