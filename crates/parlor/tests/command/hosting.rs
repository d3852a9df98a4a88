//! What docs/hosting.md tells a host to write, written and run to the letter but for addresses; and what a host may
//! write wrongly.

use crate::common::{House, folder, parlor, path};
use engines::{Database, if_here};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;

/// The lines of code of one language in a chapter of the docs.
fn code(chapter: &str, language: &str) -> Vec<String> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hosting.md");
    let docs = std::fs::read_to_string(docs).unwrap();
    let heading = |line: &str| line.trim_start_matches('#').trim() == chapter && line.starts_with("##");
    let mut inside = false;
    let lines =
        docs.lines().skip_while(|line| !heading(line)).skip(1).take_while(|line| !line.starts_with("## "));
    let lines = lines.filter(|line| {
        let fence = line.starts_with("```");
        inside = if fence { *line == format!("```{language}") } else { inside };
        inside && !fence
    });
    let lines: Vec<String> = lines.map(str::to_owned).collect();
    assert!(!lines.is_empty(), "{chapter} has no {language}");
    lines
}

/// One request, and the answer: its status, its head, its body.
pub(crate) async fn asked<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    request: &str,
) -> (u16, String, String) {
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // Some servers end the connection without a last word of the seal.
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{request}: {answer}"));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
    (status, head.to_lowercase(), body.to_owned())
}

/// A request for one's name, with more lines in its head.
pub(crate) fn name_me(host: &str, more: &str) -> String {
    let body = r#"{"name":"Ann"}"#;
    format!(
        "POST /api/me HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{more}\r\n{body}",
        body.len()
    )
}

pub(crate) fn who_am_i(host: &str, cookie: &str) -> String {
    format!("GET /api/me HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncookie: {cookie}\r\n\r\n")
}

/// The cookie that came with an answer.
pub(crate) fn cookie(head: &str) -> String {
    let set = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    set.split(';').next().unwrap().to_owned()
}

/// A guest's cookie at a house.
pub(crate) async fn guest(address: &str) -> String {
    let stream = TcpStream::connect(address).await.unwrap();
    let (status, head, body) = asked(stream, &name_me(address, "")).await;
    assert_eq!(status, 200, "{body}");
    cookie(&head)
}

async fn knows(house: &House, cookie: &str) -> bool {
    let stream = TcpStream::connect(&house.address).await.unwrap();
    let (status, _, body) = asked(stream, &who_am_i(&house.address, cookie)).await;
    status == 200 && body.contains("\"Ann\"")
}

#[tokio::test]
async fn the_commands_for_postgresql_make_a_house_and_its_copy() {
    let Some(database) = if_here(Database::fresh()).unwrap() else { return };
    let (socket, port) = database.socket();
    let folder = folder("hosting-postgresql");
    // The superuser of this database is not a user of this machine.
    let aside = folder.join("aside");
    std::fs::create_dir(&aside).unwrap();
    let superuser = format!("PGHOST={} PGPORT={port} PGUSER=postgres", socket.display());
    let script = format!(
        "#!/bin/sh\n[ \"$1 $2 $3\" = \"-u postgres --\" ] && shift 3 && exec env {superuser} \"$@\"\n"
    );
    std::fs::write(aside.join("runuser"), script).unwrap();
    std::fs::set_permissions(aside.join("runuser"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let tools = engines::find("initdb").unwrap();
    let path = format!("{}:{}:{}", aside.display(), path(), tools.display());

    let house = House::open("parlor serve --listen 127.0.0.1:0 --data data", &folder, &[]);
    let ann = guest(&house.address).await;
    house.close();
    let mut houses = 0;
    for line in [code("On PostgreSQL", "sh"), code("Backup and restore", "sh")].concat() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let here = line.replace("@localhost/", &format!("@127.0.0.1:{port}/"));
        let here = here.replace("/var/lib/parlor", "data");
        if let Some(serve) = here.strip_prefix("parlor serve ") {
            let house = House::open(&format!("parlor serve --listen 127.0.0.1:0 {serve}"), &folder, &[]);
            assert!(knows(&house, &ann).await, "{line}");
            house.close();
            houses += 1;
            continue;
        }
        let out =
            Command::new("sh").args(["-ec", &here]).env("PATH", &path).current_dir(&folder).output().unwrap();
        let said = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
        assert!(out.status.success(), "{here}: {said}");
    }
    assert_eq!(houses, 2, "the house, and its copy");
}

#[test]
fn an_origin_that_no_browser_sends_is_refused_with_the_right_one() {
    for (origin, right) in [
        ("https://games.example/", "--origin https://games.example"),
        ("games.example", "--origin https://games.example"),
        ("http://Games.example:80", "--origin http://games.example"),
    ] {
        let out = parlor(&["serve", "--listen", "127.0.0.1:0", "--origin", origin, "--text"]);
        let said = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(2), "{origin}: {said}");
        assert!(said.trim_end().ends_with(right), "{origin}: {said}");
    }
}

#[tokio::test]
async fn a_house_listens_at_a_name_of_this_machine() {
    let house = House::open("parlor serve --listen localhost:0", &folder("hosting-localhost"), &[]);
    let ann = guest(&house.address).await;
    assert!(knows(&house, &ann).await);
    house.close();
    let out = parlor(&["serve", "--listen", "8103"]);
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("localhost:7777"), "{said}");
}

#[test]
fn the_password_of_a_database_is_not_repeated() {
    let url = "postgres://parlor:hush@127.0.0.1:1/parlor";
    for args in [
        &["doctor", "--data", url][..],
        &["backup", "friday.db", "--data", url],
        &["backup", "friday.db", "--database", url],
        &["restore", "Cargo.toml", "--database", url],
        &["admin", "--database", url],
        &["people", "list", "--database", url],
        &["tables", "close", "1", "--data", url],
        &["serve", "--data", url],
        &["migrate", "--from", url, "--to", url],
        &["migrate", "--from", "nowhere", "--to", url],
        &["serve", "--listen", "127.0.0.1:0", "--database", url],
    ] {
        let out = parlor(args);
        let said = String::from_utf8([out.stdout, out.stderr].concat()).unwrap();
        assert_eq!(out.status.code(), Some(2), "{args:?}: {said}");
        assert!(!said.contains("hush"), "{args:?}: {said}");
    }
}

/// Everything that a house says when it opens.
fn said_at_the_start(folder: &Path) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(["serve", "--listen", "127.0.0.1:0", "--data", "data"])
        .current_dir(folder)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    // All of it is written at once.
    let mut said = vec![0; 4_096];
    let read = std::io::Read::read(&mut out, &mut said).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    String::from_utf8(said[..read].to_vec()).unwrap()
}

#[test]
fn the_first_start_prints_a_link_for_the_administrator_and_the_next_does_not() {
    let folder = folder("hosting-first");
    let first = said_at_the_start(&folder);
    let link = first.split_whitespace().find(|word| word.contains("/admin/enter/"));
    assert!(link.is_some_and(|link| link.starts_with("http://127.0.0.1:")), "{first}");
    let second = said_at_the_start(&folder);
    assert!(second.starts_with("Parlor is open at") && !second.contains("/admin/"), "{second}");
}

#[tokio::test]
async fn a_house_is_looked_after_from_the_command_line_while_it_is_open_and_when_it_is_shut() {
    let folder = folder("hosting-admin");
    let data = folder.join("data").display().to_string();
    let asked_for = |args: &[&str], ends: i32| {
        let out = parlor(&[args, &["--data", &data]].concat());
        let said = String::from_utf8([out.stdout, out.stderr].concat()).unwrap();
        assert_eq!(out.status.code(), Some(ends), "{args:?}: {said}");
        said
    };
    let nobody = asked_for(&["people", "list"], 2);
    assert!(nobody.contains("no house"), "{nobody}");
    let house = House::open("parlor serve --listen 127.0.0.1:0 --data data", &folder, &[]);
    let ann = guest(&house.address).await;
    assert!(asked_for(&["people", "list"], 0).contains("\"Ann\""));
    asked_for(&["people", "rename", "Ann", "Ann Lee"], 0);
    assert!(asked_for(&["people", "suspend", "ann lee"], 2).contains("nobody"), "names are exact");
    assert!(asked_for(&["people", "suspend", "Ann Lee"], 0).contains("\"changed\":true"));
    assert!(asked_for(&["people", "forget", "Ann Lee"], 2).contains("--sure"), "asked twice");
    assert!(asked_for(&["tables", "list"], 0).contains("[]"));
    asked_for(&["tables", "close", "7"], 1);
    let second = guest(&house.address).await;
    assert!(asked_for(&["people", "rename", "Ann", "Ann Lee"], 0).contains("Ann Lee"));
    let two = asked_for(&["people", "lift", "Ann Lee"], 2);
    assert!(two.contains("2 people"), "{two}");
    house.close();
    let link = asked_for(&["admin", "--at", "https://games.example/"], 0);
    assert!(link.contains("\"https://games.example/admin/enter/"), "{link}");
    asked_for(&["admin", "--revoke"], 0);
    let list = asked_for(&["people", "list", "LEE"], 0);
    let ids: Vec<&str> = list.split('"').filter(|word| word.len() == 26).collect();
    assert_eq!(ids.len(), 2, "{list}");
    for id in ids {
        asked_for(&["people", "forget", id, "--sure"], 0);
    }
    let house = House::open("parlor serve --listen 127.0.0.1:0 --data data", &folder, &[]);
    for cookie in [ann, second] {
        let stream = TcpStream::connect(&house.address).await.unwrap();
        let (_, _, body) = asked(stream, &who_am_i(&house.address, &cookie)).await;
        assert!(!body.contains("Lee"), "{body}");
    }
    house.close();
}

/// The words of an instruction in the Containerfile.
fn container(instruction: &str) -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Containerfile");
    let text = std::fs::read_to_string(file).unwrap();
    let line =
        text.lines().find(|line| line.starts_with(instruction)).unwrap_or_else(|| panic!("no {instruction}"));
    let words = &line[line.find('[').unwrap()..];
    serde_json::from_str(words).unwrap()
}

#[test]
fn the_container_says_what_the_program_understands() {
    let (entry, serve, check) = (container("ENTRYPOINT"), container("CMD"), container("HEALTHCHECK"));
    assert_eq!((entry.len(), &entry[0]), (1, &check[0]));
    assert_eq!(serve[0], "serve");
    let words: Vec<&str> = ["config"].into_iter().chain(serve[1..].iter().map(String::as_str)).collect();
    let said = parlor(&words);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
    let port = serve.iter().find_map(|word| word.strip_prefix("0.0.0.0:")).expect("a port");
    assert!(check.last().is_some_and(|at| at.ends_with(&format!(":{port}"))), "asked where it listens");
    let help = parlor(&[&check[1], "--help"]);
    assert!(help.status.success() && String::from_utf8_lossy(&help.stdout).contains(&*check[2]));
}

#[test]
fn the_unit_starts_the_house_with_settings_that_hold() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/package");
    let unit = std::fs::read_to_string(package.join("parlor.service")).unwrap();
    assert!(unit.contains("\nExecStart=/usr/bin/parlor serve --config /etc/parlor/parlor.toml\n"), "{unit}");
    let settings = package.join("parlor.toml");
    let said = parlor(&["config", "--config", settings.to_str().unwrap()]);
    let said: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    let of = |name: &str| {
        let all = said["settings"].as_array().unwrap_or_else(|| panic!("{said}"));
        all.iter().find(|setting| setting["setting"] == name).map(|setting| setting["value"].clone())
    };
    assert_eq!(of("listen"), Some("127.0.0.1:7777".into()));
    assert_eq!(of("data"), Some("/var/lib/parlor".into()));
}

#[test]
fn a_house_is_set_by_its_file_and_variables_and_a_slip_is_told_before_it_opens() {
    let folder = folder("settings");
    let said = |file: &str, args: &[&str], variables: &[(&str, &str)]| {
        std::fs::write(folder.join("parlor.toml"), file).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_parlor"));
        let out = command.args(args).envs(variables.iter().copied()).current_dir(&folder).output().unwrap();
        (out.status.code(), String::from_utf8([out.stdout, out.stderr].concat()).unwrap())
    };
    let file = "listen = \"127.0.0.1:0\"\nlimit = { bots = 3 }\n";
    let (code, told) = said(file, &["config", "--text"], &[("PARLOR_DATA", "elsewhere")]);
    assert_eq!(code, Some(0), "{told}");
    for line in ["127.0.0.1:0  (parlor.toml)", "elsewhere  (PARLOR_DATA)", "bots=3  (parlor.toml)"] {
        assert!(told.contains(line), "{line}: {told}");
    }
    for (file, variables, says) in [
        ("listn = \"127.0.0.1:0\"", &[][..], "did you mean listen?"),
        ("limit = { robots = 3 }", &[], "robots"),
        ("", &[("PARLOR_LISTEN", "nowhere")], "PARLOR_LISTEN"),
    ] {
        let (code, told) = said(file, &["serve", "--data", "house"], variables);
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains(says), "{told}");
    }
    assert!(!folder.join("house").exists(), "no house was opened");
}

#[test]
fn a_port_that_is_taken_gives_way_to_the_next_unless_it_was_named() {
    let folder = folder("ports");
    let first = House::open("parlor serve --data first", &folder, &[]);
    let second = House::open("parlor serve --data second", &folder, &[]);
    assert_ne!(first.address, second.address);
    let named = format!("serve --data {} --listen {}", folder.join("third").display(), first.address);
    let refused = parlor(&named.split(' ').collect::<Vec<_>>());
    let said = String::from_utf8_lossy(&refused.stdout).into_owned();
    assert!(refused.status.code() == Some(2) && said.contains("--listen"), "{said}");
    second.close();
    first.close();
}
