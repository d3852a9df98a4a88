//! The log: for people on a terminal, for files and for programs; and what is asked of it wrongly.

use crate::common::{House, folder, path};
use crate::terminal::Terminal;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

const OPEN: &str = "the house is open";
const SERVE: &str = "parlor serve --listen 127.0.0.1:0";

/// The log of a house that was asked for one thing and closed.
fn logged(name: &str, line: &str, variables: &[(&str, &str)]) -> String {
    let house = House::open(line, &folder(name), variables);
    let mut stream = TcpStream::connect(&house.address).unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    house.close()
}

#[test]
fn a_log_that_goes_to_a_file_has_no_colours() {
    let log = logged("log-file", SERVE, &[]);
    assert!(log.contains("INFO") && log.contains(OPEN), "{log}");
    assert!(!log.contains('\u{1b}'), "{log:?}");
}

#[test]
fn a_log_on_a_terminal_has_colours_unless_somebody_wants_none() {
    for (name, line, coloured) in
        [("log-terminal", SERVE.to_owned(), true), ("log-plain", format!("env NO_COLOR=1 {SERVE}"), false)]
    {
        let mut terminal = Terminal::open(&line, &folder(name), &path());
        assert!(terminal.sees(|screen| screen.contains(OPEN)), "{}", terminal.screen());
        assert_eq!(terminal.is_coloured(), coloured, "{line}");
        terminal.types("\x03");
        assert!(terminal.ends(), "{}", terminal.screen());
    }
}

#[test]
fn a_log_for_programs_is_json_line_by_line() {
    let log = logged("log-json", &format!("{SERVE} --log json --log-level server=debug"), &[]);
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}")))
        .collect();
    let told = |level: &str, message: &str| {
        lines
            .iter()
            .any(|line| line["level"] == level && line["message"] == message && line["timestamp"].is_string())
    };
    assert!(told("INFO", OPEN) && told("DEBUG", "answered"), "{log}");
}

#[test]
fn the_variable_says_how_much_unless_the_command_does() {
    let many = logged("log-debug", SERVE, &[("PARLOR_LOG_LEVEL", "warn,server=debug")]);
    assert!(many.contains("DEBUG") && many.contains("answered") && many.contains(OPEN), "{many}");
    assert_eq!(logged("log-off", SERVE, &[("PARLOR_LOG_LEVEL", "off")]), "");
    let usual = logged("log-said", &format!("{SERVE} --log-level info"), &[("PARLOR_LOG_LEVEL", "off")]);
    assert!(usual.contains(OPEN) && !usual.contains("DEBUG"), "{usual}");
}

#[test]
fn a_level_that_there_is_not_is_refused_before_anything_starts() {
    let folder = folder("log-nonsense");
    let refused = |args: &[&str], variable: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parlor"));
        command.args(args).current_dir(&folder).env_remove("PARLOR_LOG_LEVEL");
        if let Some(levels) = variable {
            command.env("PARLOR_LOG_LEVEL", levels);
        }
        let out = command.output().unwrap();
        let said = String::from_utf8([out.stdout, out.stderr].concat()).unwrap();
        assert_eq!(out.status.code(), Some(2), "{args:?} {variable:?}: {said}");
        said
    };
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    for nonsense in ["json", "nonsense", "info,servr=debug", "server=loud"] {
        for said in [
            refused(&serve, Some(nonsense)),
            refused(&[&serve[..], &["--log-level", nonsense]].concat(), None),
        ] {
            for taught in ["off, error, warn, info, debug or trace", "tokio_postgres", "--log json"] {
                assert!(said.contains(taught), "{nonsense}: {said}");
            }
        }
    }
    let said = refused(&[&serve[..], &["--log", "xml"]].concat(), None);
    assert!(said.contains("text") && said.contains("json"), "{said}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "no house was opened");
}

#[test]
fn every_request_is_a_line_when_the_host_asks_for_it_and_tells_no_secret() {
    let ask = |house: &House, path: &str| {
        let mut stream = TcpStream::connect(&house.address).unwrap();
        let head = format!(
            "GET {path} HTTP/1.1\r\nhost: here\r\nx-forwarded-for: 198.51.100.7\r\ncookie: parlor=hush\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap().to_owned()
    };
    let line = format!("{SERVE} --access-log --trust-proxy --node-name kitchen --log json");
    let house = House::open(&line, &folder("log-access"), &[]);
    let ids = [ask(&house, "/table/secretinvitation?and=more"), ask(&house, "/api/people/nobody")];
    let log = house.close();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (id, route, status) in [(&ids[0], "/table/{table}", 200), (&ids[1], "/api/people/{person}", 404)] {
        let line = lines.iter().find(|line| line["id"] == **id).unwrap_or_else(|| panic!("{id}: {log}"));
        assert_eq!((&line["level"], &line["message"]), (&"INFO".into(), &"request".into()));
        assert_eq!((&line["route"], &line["status"]), (&route.into(), &status.into()), "{line}");
        assert_eq!((&line["client"], &line["method"]), (&"198.51.100.7".into(), &"GET".into()), "{line}");
        assert!(line["node"] == "kitchen" && line["ms"].is_f64(), "{line}");
    }
    for secret in ["secretinvitation", "hush", "and=more"] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
    let quiet = House::open(SERVE, &folder("log-no-access"), &[]);
    ask(&quiet, "/api/games");
    let log = quiet.close();
    assert!(!log.contains("/api/games") && log.contains(OPEN), "{log}");
    let node = log.split("node=\"").nth(1).and_then(|rest| rest.split('"').next());
    assert!(node.is_some_and(|name| !name.is_empty()), "a node has a name: {log}");
}
