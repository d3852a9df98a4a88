//! A house in a folder of its server: every file that the page asks for, the API, cookies and sockets are found there.

use crate::common::{House, folder};
use crate::hosting::{asked, cookie, name_me, who_am_i};
use futures_util::{SinkExt, StreamExt};
use std::collections::BTreeSet;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest};

async fn get(house: &House, path: &str) -> (u16, String, String) {
    let stream = TcpStream::connect(&house.address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", house.address);
    asked(stream, &request).await
}

/// The files that a text names, as it names them: from where it lies, or from the document's base.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(['"', '\'', '`', ' ', '(', ')']);
    let files = words.filter_map(|word| word.strip_prefix("./")).filter(|word| {
        let end = word.rsplit('.').next().unwrap_or_default();
        // `./pieces.js` is what the program calls its loader, and no file.
        let kept = word.contains('-') || end == "html";
        kept && ["js", "css", "wasm", "svg", "webmanifest", "html", "words", "pieces"].contains(&end)
    });
    files.map(str::to_owned).collect()
}

#[tokio::test]
async fn every_file_of_the_page_is_found_in_the_folder_of_the_house() {
    let house =
        House::open("parlor serve --listen 127.0.0.1:0 --base-path /games", &folder("places-files"), &[]);
    for place in ["/games", "/games/", "/games/table/abc", "/games/learn/cubo"] {
        let (status, _, page) = get(&house, place).await;
        assert_eq!(status, 200, "{place}");
        assert!(page.contains("<base href=\"/games/\">"), "{place}: {page}");
    }
    let mut seen = BTreeSet::new();
    let mut next: Vec<String> = vec!["index.html".to_owned(), "sw.js".to_owned()];
    while let Some(file) = next.pop() {
        if !seen.insert(file.clone()) {
            continue;
        }
        let (status, head, body) = get(&house, &format!("/games/{file}")).await;
        assert_eq!(status, 200, "{file}");
        assert!(!head.contains("text/html") || file == "index.html", "{file}: {head}");
        if ["html", "js", "webmanifest"].iter().any(|end| file.ends_with(end)) {
            assert!(
                !body.contains("\"/app-") && !body.contains("'/app-"),
                "{file} names a file from the root"
            );
            next.extend(named(&body));
        }
    }
    for file in ["boot", "app", "pieces", "worker", "style", "icon", "manifest", "shared", "contact", "house"]
    {
        assert!(seen.iter().any(|name| name.starts_with(&format!("{file}-"))), "{file} in {seen:?}");
    }
    let manifest = seen.iter().find(|name| name.ends_with(".webmanifest")).unwrap();
    let (_, _, manifest) = get(&house, &format!("/games/{manifest}")).await;
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!((&manifest["start_url"], &manifest["scope"]), (&"./".into(), &"./".into()));
}

#[tokio::test]
async fn people_and_sockets_come_in_by_the_folder_whether_a_proxy_takes_it_off_or_not() {
    let house =
        House::open("parlor serve --listen 127.0.0.1:0 --base-path games/", &folder("places-people"), &[]);
    for before in ["/games", ""] {
        let stream = TcpStream::connect(&house.address).await.unwrap();
        let name = name_me(&house.address, "").replace("/api/me", &format!("{before}/api/me"));
        let (status, head, body) = asked(stream, &name).await;
        assert_eq!(status, 200, "{before}: {body}");
        assert!(head.contains("; path=/games;"), "{before}: {head}");
        let ann = cookie(&head);
        let stream = TcpStream::connect(&house.address).await.unwrap();
        let me = who_am_i(&house.address, &ann).replace("/api/me", &format!("{before}/api/me"));
        assert!(asked(stream, &me).await.2.contains("\"Ann\""), "{before}");
        let mut request = format!("ws://{}{before}/ws", house.address).into_client_request().unwrap();
        request.headers_mut().insert("cookie", ann.parse().unwrap());
        let stream = TcpStream::connect(&house.address).await.unwrap();
        let (mut socket, _) = tokio_tungstenite::client_async(request, stream).await.unwrap();
        socket.send(Message::text(r#"{"cmd":"hello","protocol":2,"client":"test"}"#)).await.unwrap();
        let welcome = socket.next().await.unwrap().unwrap().into_text().unwrap().to_string();
        assert!(welcome.contains("\"Ann\""), "{before}: {welcome}");
    }
    let (status, _, docs) = get(&house, "/games/api/docs").await;
    assert!(status == 200 && !docs.contains("\"/api"), "{docs}");
    assert_eq!(get(&house, "/games/api/docs.css").await.0, 200);
    assert_eq!(get(&house, "/games/nothing.txt").await.0, 404);
}

#[tokio::test]
async fn the_page_knows_by_which_address_others_find_the_house() {
    let line = "parlor serve --listen 127.0.0.1:0 --public-url https://Games.Example:443/play/";
    let house = House::open(line, &folder("places-public"), &[]);
    let (_, head, page) = get(&house, "/play/").await;
    assert!(page.contains("<meta name=\"public-url\" content=\"https://games.example/play/\">"), "{page}");
    assert!(page.contains("<base href=\"/play/\">"), "{page}");
    let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let plain = House::open("parlor serve --listen 127.0.0.1:0", &folder("places-plain"), &[]);
    let (_, head, page) = get(&plain, "/").await;
    assert!(
        page.contains("<base href=\"/\">") && page.contains("name=\"public-url\" content=\"\""),
        "{page}"
    );
    assert!(!head.contains(&tag), "another page, the same tag: {head}");
    // A page from the public address may write in somebody's name; one from elsewhere may not.
    for (origin, status) in [("https://games.example", 200), ("https://other.example", 403)] {
        let stream = TcpStream::connect(&house.address).await.unwrap();
        let name = name_me(&house.address, &format!("origin: {origin}\r\n"));
        assert_eq!(asked(stream, &name).await.0, status, "{origin}");
    }
}
