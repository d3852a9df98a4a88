//! The book that the server shows at `/docs`.

use crate::common::{House, folder};
use std::io::{Read, Write};
use std::net::TcpStream;

/// The answer to a request for an address, head and body.
fn got(house: &House, path: &str) -> String {
    let mut stream = TcpStream::connect(&house.address).unwrap();
    let host = &house.address;
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn the_server_shows_the_book_with_every_chapter() {
    let house = House::open("parlor serve --listen 127.0.0.1:0", &folder("docs-served"), &[]);
    let sent_on = got(&house, "/docs");
    assert!(sent_on.starts_with("HTTP/1.1 308") && sent_on.contains("location: docs/\r\n"), "{sent_on}");
    let first = got(&house, "/docs/");
    assert!(first.starts_with("HTTP/1.1 200") && first.contains("content-type: text/html"), "{first}");
    let contents = first.split("<nav id=\"contents\"").nth(1).unwrap();
    let chapters: Vec<&str> =
        contents.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(chapters.len() > 15, "{chapters:?}");
    for chapter in chapters {
        let path = chapter.strip_prefix("..").map_or_else(|| format!("/docs/{chapter}"), str::to_owned);
        let answer = got(&house, &path);
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
    }
    assert!(got(&house, "/docs/book.css").contains("content-type: text/css"));
    assert!(got(&house, "/docs/nowhere.html").starts_with("HTTP/1.1 404"));
    house.close();
}
