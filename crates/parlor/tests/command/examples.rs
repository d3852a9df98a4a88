//! Every example in the help and in the docs is run, to the letter but for addresses: those become addresses of this machine.

use crate::common::{House, commands, folder, json, parlor, path};
use crate::hosting::guest;
use crate::terminal::Terminal;
use engines::{Database, Nats, if_here};
use futures_util::{SinkExt, StreamExt};
use std::cell::Cell;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest};

/// An example that takes hours.
const LONG: &str = "parlor census iqubes --keep";

/// The world outside: a database server and a bus, where they are installed.
struct World {
    database: Option<Database>,
    nats: Option<Nats>,
    databases: Cell<u32>,
}

impl World {
    fn new() -> World {
        let (database, nats) = (if_here(Database::start()).unwrap(), if_here(Nats::start()).unwrap());
        World { database, nats, databases: Cell::new(0) }
    }

    /// The example with addresses that are there; none if it needs what is not installed.
    fn fit(&self, example: &str, folder: &Path) -> Option<String> {
        let fit = |word: &str| {
            if word.starts_with("postgres://") {
                let number = self.databases.replace(self.databases.get() + 1);
                let made = self.database.as_ref()?.database(&format!("example_{number}"));
                Some(made.unwrap())
            } else if word.starts_with("nats://") {
                Some(self.nats.as_ref()?.url())
            } else if let Some(host) = word.strip_suffix(":7777").filter(|host| !host.contains('/')) {
                // A port that is free now may be somebody's a moment later.
                Some(format!("{host}:0"))
            } else if word.starts_with("http://") {
                let (_, path) = word.rsplit_once(":7777")?;
                Some(format!("http://127.0.0.1:{}{path}", engines::free_port().unwrap()))
            } else if word.starts_with("/var/lib/") {
                Some(folder.join("var").display().to_string())
            } else {
                Some(word.to_owned())
            }
        };
        let mut words: Vec<String> = example.split(' ').map(fit).collect::<Option<_>>()?;
        // The usual port may be somebody's house.
        if example.starts_with("parlor serve")
            && !["--listen", "--lan"].iter().any(|said| example.contains(said))
        {
            words.splice(2..2, ["--listen".to_owned(), "127.0.0.1:0".to_owned()]);
        }
        Some(words.join(" "))
    }
}

/// A folder with the files that examples speak of.
fn stage(name: &str, text: &str) -> PathBuf {
    let folder = folder(name);
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contact/data/contact.toml");
    std::fs::copy(set, folder.join("my-setup.toml")).unwrap();
    json(&["simulate", "cubo", "--bots", "1,2", "--records", folder.to_str().unwrap()]);
    std::fs::rename(folder.join("cubo-1.jsonl"), folder.join("game.jsonl")).unwrap();
    if text.contains("parlor contact review") {
        json(&["simulate", "contact", "--bots", "1,1", "--records", folder.to_str().unwrap()]);
        std::fs::rename(folder.join("contact-1.jsonl"), folder.join("contact.jsonl")).unwrap();
    }
    let about_a_house = ["backup", "doctor", "migrate", "admin", "people", "tables"];
    if about_a_house.iter().any(|command| text.contains(&format!("parlor {command}"))) {
        let house = House::open("parlor serve --listen 127.0.0.1:0", &folder, &[]);
        visited(&house.address);
        house.close();
    }
    folder
}

/// Ann comes, and makes a table.
fn visited(address: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let cookie = guest(address).await;
        let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
        request.headers_mut().insert("cookie", cookie.parse().unwrap());
        let stream = TcpStream::connect(address).await.unwrap();
        let (mut socket, _) = tokio_tungstenite::client_async(request, stream).await.unwrap();
        for said in [
            r#"{"cmd":"hello","protocol":2,"client":"test"}"#,
            r#"{"cmd":"create","id":1,"game":"cubo","seats":[{"for":"me"},{"for":"open"}]}"#,
        ] {
            socket.send(Message::text(said)).await.unwrap();
        }
        while !socket.next().await.unwrap().unwrap().to_string().contains("\"done\"") {}
    });
}

/// Runs every example of a text, in its order; says how many there were.
fn run_examples(text: &str, from: &str, folder: &Path, world: &World) -> usize {
    let is_example = |line: &&str| {
        line.starts_with("parlor ") || (line.starts_with("printf ") && line.contains("| parlor "))
    };
    let examples = text.lines().map(str::trim).filter(is_example).filter(|line| !line.starts_with(LONG));
    examples.inspect(|example| run(example, from, folder, world)).count()
}

fn run(example: &str, from: &str, folder: &Path, world: &World) {
    let Some(fitted) = world.fit(example, folder) else { return };
    let said = if example.starts_with("parlor serve") {
        serves(&fitted, folder)
    } else if example.starts_with("parlor play") {
        plays(&fitted, folder)
    } else {
        answers(&fitted, folder)
    };
    if let Err(said) = said {
        panic!("{from}: {fitted}: {said}");
    }
}

fn shell(example: &str, folder: &Path) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", example]).env("PATH", path()).env("HOME", folder).current_dir(folder);
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell
}

/// Runs to its end.
fn answers(example: &str, folder: &Path) -> Result<(), String> {
    let mut child = shell(example, folder).spawn().unwrap();
    // Some ask who plays; one that asks nothing may be gone already.
    let _ = child.stdin.take().unwrap().write_all(b"Ann, Bob\n");
    let out = child.wait_with_output().unwrap();
    let said = [out.stdout, out.stderr].concat();
    if out.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&said).into_owned()) }
}

/// Runs until it says that it is ready; then it is told to stop, and does.
fn serves(example: &str, folder: &Path) -> Result<(), String> {
    let mut child = shell(&format!("exec {example} 2>&1"), folder).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut said = Vec::new();
    let open =
        lines.by_ref().inspect(|line| said.push(line.clone())).any(|line| line.contains("Parlor is open"));
    let told = Command::new("kill").arg(child.id().to_string()).status().unwrap();
    said.extend(lines);
    let ended = child.wait().unwrap();
    if open && told.success() && ended.success() {
        return Ok(());
    }
    Err(format!("ready: {open}, then {ended}\n{}", said.join("\n")))
}

/// Shows itself in a terminal, and gives the terminal back at Ctrl-C.
fn plays(example: &str, folder: &Path) -> Result<(), String> {
    let mut terminal = Terminal::open(example, folder, &path());
    let seen = terminal.sees(|screen| screen.lines().count() > 5);
    let picture = terminal.screen();
    terminal.types("\x03");
    if seen && terminal.ends() { Ok(()) } else { Err(picture + &terminal.screen()) }
}

#[test]
fn every_command_has_examples_in_its_help_and_they_work() {
    let (mut found, world) = (Vec::new(), World::new());
    commands(&[], &mut found);
    assert!(found.len() >= 30, "{found:?}");
    for path in &found {
        let args: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
        let help = String::from_utf8(parlor(&args).stdout).unwrap();
        let groups = found.iter().any(|other| other.len() > path.len() && other.starts_with(path));
        assert!(
            groups || help.contains("  parlor ") || help.contains("| parlor "),
            "{path:?} has no example"
        );
        let folder = stage(&format!("help-{}", path.join("-")), &help);
        run_examples(&help, &path.join(" "), &folder, &world);
    }
}

#[test]
fn every_example_in_the_docs_works() {
    let (root, world) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), World::new());
    let mut pages = vec![root.join("README.md")];
    for folder in ["docs", "docs/rules"] {
        let entries = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(entries.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    pages.sort();
    let mut run = 0;
    for page in pages {
        let name = page.file_stem().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&page).unwrap();
        run += run_examples(&text, name, &stage(&format!("docs-{name}"), &text), &world);
    }
    assert!(run >= 40, "only {run} examples were found");
}
