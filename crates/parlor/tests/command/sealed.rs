//! https by the house itself, asked by a real client of TLS.

use crate::common::{House, folder, parlor};
use crate::hosting::{asked, cookie, name_me};
use futures_util::{SinkExt, StreamExt};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest};

/// Opens a sealed connection to a house by a name that must be on the certificate in this file, which is trusted and no other.
async fn sealed(house: &House, file: &Path, name: &'static str) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(file).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(&house.address).await.unwrap();
    TlsConnector::from(Arc::new(config)).connect(ServerName::try_from(name).unwrap(), stream).await
}

fn get(house: &House, path: &str, accept: &str) -> String {
    let host = &house.address;
    format!("GET {path} HTTP/1.1\r\nhost: {host}\r\naccept: {accept}\r\nconnection: close\r\n\r\n")
}

async fn plain(house: &House, path: &str, accept: &str) -> (u16, String, String) {
    asked(TcpStream::connect(&house.address).await.unwrap(), &get(house, path, accept)).await
}

#[tokio::test]
async fn a_house_makes_a_certificate_once_and_speaks_https_with_it() {
    let folder = folder("sealed-self");
    let line = "parlor serve --listen 127.0.0.1:0 --data data --tls self";
    let (mut before, file) = (String::new(), folder.join("data/tls/certificate.pem"));
    for start in 0..2 {
        let house = House::open(line, &folder, &[]);
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(start == 0 || text == before, "people have told their browsers to trust the first");
        before = text;
        let page =
            asked(sealed(&house, &file, "127.0.0.1").await.unwrap(), &get(&house, "/", "text/html")).await;
        assert!(page.0 == 200 && page.2.contains("<base href"), "{page:?}");
        let (status, head, body) =
            asked(sealed(&house, &file, "localhost").await.unwrap(), &name_me(&house.address, "")).await;
        assert!(status == 200 && head.contains("; secure"), "{head} {body}");
        let mut request = format!("wss://{}/ws", house.address).into_client_request().unwrap();
        request.headers_mut().insert("cookie", cookie(&head).parse().unwrap());
        request.headers_mut().insert("origin", format!("https://{}", house.address).parse().unwrap());
        let stream = sealed(&house, &file, "localhost").await.unwrap();
        let (mut socket, _) = tokio_tungstenite::client_async(request, stream).await.unwrap();
        socket.send(Message::text(r#"{"cmd":"hello","protocol":2,"client":"test"}"#)).await.unwrap();
        let welcome = socket.next().await.unwrap().unwrap().into_text().unwrap().to_string();
        assert!(welcome.contains("\"Ann\""), "{welcome}");
        assert!(
            sealed(&house, &file, "other.example").await.is_err(),
            "the certificate is not for that name"
        );
        house.close();
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn whoever_comes_without_https_is_told_what_the_browser_will_say_or_is_sent_there() {
    let here = folder("sealed-plain");
    let house = House::open("parlor serve --listen 127.0.0.1:0 --tls self --base-path /games", &here, &[]);
    let there = format!("https://{}/games/table/abc?x=1", house.address);
    let (status, head, page) = plain(&house, "/games/table/abc?x=1", "text/html,*/*").await;
    assert!(status == 426 && head.contains("text/html"), "{status} {head}");
    assert!(page.contains(&format!("href=\"{there}\"")) && page.contains("Advanced"), "{page}");
    let (_, _, text) = plain(&house, "/games/table/abc?x=1", "*/*").await;
    assert!(text.contains(&there) && !text.contains('<'), "{text}");
    // The fingerprint is that of the certificate.
    let print = fingerprint(&CertificateDer::from_pem_file(here.join("data/tls/certificate.pem")).unwrap());
    assert!(text.contains(&print) && page.contains(&print), "{print}: {text}");
    // Nothing that a stranger writes stands in the page.
    let nasty = "GET /\"><script> HTTP/1.1\r\nhost: a\"b<c\r\naccept: text/html\r\nconnection: close\r\n\r\n";
    let mut stream = TcpStream::connect(&house.address).await.unwrap();
    stream.write_all(nasty.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(!answer.contains("<script>") && !answer.contains("a\"b<c"), "{answer}");
    let (status, _, said) =
        asked(TcpStream::connect(&house.address).await.unwrap(), &name_me(&house.address, "")).await;
    assert!(status == 426 && said.contains("https"), "{status} {said}");
    // Containers ask for signs of health as they always did.
    assert_eq!(plain(&house, "/readyz", "*/*").await.0, 200);
    assert!(parlor(&["healthcheck", "--at", &house.address]).status.success());
    house.close();

    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec!["games.example".to_owned()]).unwrap();
    std::fs::write(here.join("cert.pem"), cert.pem()).unwrap();
    std::fs::write(here.join("key.pem"), signing_key.serialize_pem()).unwrap();
    let house = House::open("parlor serve --listen 127.0.0.1:0 --tls cert.pem,key.pem", &here, &[]);
    let (status, head, _) = plain(&house, "/table/abc", "text/html").await;
    assert_eq!(status, 308, "{head}");
    assert!(head.contains(&format!("location: https://{}/table/abc", house.address)), "{head}");
    let stream = sealed(&house, &here.join("cert.pem"), "games.example").await.unwrap();
    assert_eq!(asked(stream, &get(&house, "/api/games", "*/*")).await.0, 200);
    house.close();
}

/// As another program counts it.
fn fingerprint(certificate: &[u8]) -> String {
    let mut sum = Command::new("sha256sum")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut sum.stdin.take().unwrap(), certificate).unwrap();
    let said = String::from_utf8(sum.wait_with_output().unwrap().stdout).unwrap().to_uppercase();
    let pairs: Vec<&str> = (0..64).step_by(2).map(|at| &said[at..at + 2]).collect();
    pairs.join(":")
}

#[test]
fn a_certificate_that_does_not_fit_is_told_before_the_house_opens() {
    let here = folder("sealed-unfit");
    let said = |tls: &str| {
        let data = here.join("data");
        let args =
            ["serve", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap(), "--tls", tls, "--text"];
        let out = parlor(&args);
        assert_eq!(out.status.code(), Some(2), "{tls}");
        String::from_utf8([out.stdout, out.stderr].concat()).unwrap()
    };
    assert!(said("yes").contains("cert.pem,key.pem"));
    assert!(said("/no/such.pem,/no/key.pem").contains("/no/such.pem: No such file"));
}
