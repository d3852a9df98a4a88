//! The samples of docs/samples: each proxy is run with its sample to the letter but for addresses and certificates, wherever it is
//! installed; what cannot run here is read, and held to what it claims.

use crate::common::{House, folder, parlor};
use crate::hosting::{asked, cookie, name_me};
use engines::{Proxy, Trouble, free_port, if_here};
use futures_util::{SinkExt, StreamExt};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use saphyr::{LoadableYamlNode, YamlOwned};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_tungstenite::tungstenite::{Error, Message, client::IntoClientRequest};

fn sample(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/samples").join(name);
    std::fs::read_to_string(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()))
}

/// The way to the proxy: sealed, and to the name that is on the certificate.
struct Sealed {
    port: u16,
    connector: TlsConnector,
}

impl Sealed {
    fn new(port: u16, certificate: CertificateDer<'static>) -> Sealed {
        let mut roots = RootCertStore::empty();
        roots.add(certificate).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        Sealed { port, connector: TlsConnector::from(Arc::new(config)) }
    }

    /// A connection from an address of this machine.
    async fn open_from(&self, from: &str) -> TlsStream<TcpStream> {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
        let stream = socket.connect(SocketAddr::from(([127, 0, 0, 1], self.port))).await.unwrap();
        self.connector.connect(ServerName::try_from("games.example").unwrap(), stream).await.unwrap()
    }

    /// One request, and the answer: its status, its head, its body.
    async fn ask(&self, from: &str, request: &str) -> (u16, String, String) {
        asked(self.open_from(from).await, request).await
    }

    /// Opens a socket as a page of this origin does, and says hello; answers what the server says, or the status of its no.
    async fn socket(&self, origin: &str, cookie: &str) -> Result<String, u16> {
        let mut request = format!("wss://games.example:{}/ws", self.port).into_client_request().unwrap();
        for (name, value) in [("origin", origin), ("cookie", cookie)] {
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        let mut socket =
            match tokio_tungstenite::client_async(request, self.open_from("127.0.0.1").await).await {
                Ok((socket, _)) => socket,
                Err(Error::Http(response)) => return Err(response.status().as_u16()),
                Err(fault) => panic!("{fault}"),
            };
        let hello = r#"{"cmd":"hello","protocol":2,"client":"test"}"#;
        socket.send(Message::text(hello)).await.unwrap();
        Ok(socket.next().await.unwrap().unwrap().into_text().unwrap().to_string())
    }
}

/// Starts a proxy with its sample in front of a house, after these changes, and does what players do and what they must not.
async fn leads_to_the_house(
    name: &str,
    changes: &[(&str, &str)],
    start: impl FnOnce(&str, u16) -> Result<Proxy, Trouble>,
) {
    let folder = folder(&format!("proxy-{name}"));
    let line =
        "parlor serve --listen 127.0.0.1:0 --trust-proxy --limit guests=1 --metrics-listen 127.0.0.1:0";
    let house = House::open(line, &folder, &[]);
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec!["games.example".to_owned()]).unwrap();
    let (crt, key, pem) = (folder.join("crt"), folder.join("key"), folder.join("pem"));
    std::fs::write(&crt, cert.pem()).unwrap();
    std::fs::write(&key, signing_key.serialize_pem()).unwrap();
    std::fs::write(&pem, cert.pem() + &signing_key.serialize_pem()).unwrap();
    let port = free_port().unwrap();
    let mut site = sample(name);
    for (from, to) in changes.iter().chain(&[("127.0.0.1:7777", "HOUSE")]) {
        assert!(site.contains(from), "{name} has no {from}:\n{site}");
        site = site.replace(from, to);
    }
    for (from, to) in [
        ("PORT", port.to_string()),
        ("HOUSE", house.address.clone()),
        ("CRT", crt.display().to_string()),
        ("KEY", key.display().to_string()),
        ("PEM", pem.display().to_string()),
    ] {
        site = site.replace(from, &to);
    }
    let Some(_proxy) = if_here(start(&site, port)).unwrap() else { return };
    visit(&Sealed::new(port, cert.der().clone())).await;
}

async fn visit(sealed: &Sealed) {
    let (host, here) = (format!("games.example:{}", sealed.port), "127.0.0.1");
    let ours = format!("https://{host}");
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    let (status, _, page) = sealed.ask(here, &get("/")).await;
    assert!(status == 200 && page.contains("<html"), "{status}: {page}");
    // The numbers are for whoever looks after the house.
    assert_eq!(sealed.ask(here, &get("/metrics")).await.0, 404);

    for other in ["https://games.example", "https://evil.example", "null"] {
        let (status, _, body) = sealed.ask(here, &name_me(&host, &format!("origin: {other}\r\n"))).await;
        assert!(status == 403 && body.contains("other-origin"), "{other}: {status} {body}");
    }
    let name = |more: &str| name_me(&host, &format!("origin: {ours}\r\n{more}"));
    let (status, head, body) = sealed.ask(here, &name("x-forwarded-for: 203.0.113.1\r\n")).await;
    assert_eq!(status, 200, "{body}");
    assert!(head.contains("secure"), "the server knows that the way is sealed: {head}");
    let ann = cookie(&head);
    // One guest an hour from each address: what a client writes itself does not make it somebody else, and somebody else is not it.
    for forged in
        ["x-forwarded-for: 203.0.113.2\r\n", "x-forwarded-for: 127.0.0.9\r\nx-forwarded-for: 203.0.113.3\r\n"]
    {
        assert_eq!(sealed.ask(here, &name(forged)).await.0, 429, "{forged}");
    }
    assert_eq!(sealed.ask("127.0.0.2", &name("")).await.0, 200, "another address");

    for other in ["https://games.example", "https://evil.example", "null"] {
        assert_eq!(sealed.socket(other, &ann).await, Err(403), "{other}");
    }
    let welcome = sealed.socket(&ours, &ann).await.unwrap();
    assert!(welcome.contains("\"welcome\"") && welcome.contains("\"Ann\""), "{welcome}");
}

#[tokio::test]
async fn the_nginx_of_the_docs_leads_to_the_page_and_to_its_tables() {
    let changes = [
        ("listen 443 ssl;", "listen 127.0.0.1:PORT ssl;"),
        ("/etc/ssl/games.example.crt", "CRT"),
        ("/etc/ssl/games.example.key", "KEY"),
    ];
    leads_to_the_house("nginx.conf", &changes, Proxy::nginx).await;
}

#[tokio::test]
async fn the_caddy_of_the_docs_leads_to_the_page_and_to_its_tables() {
    // Nobody outside vouches for a name that there is not.
    let changes = [("games.example {", "https://games.example:PORT {\n\tbind 127.0.0.1\n\ttls CRT KEY")];
    leads_to_the_house("Caddyfile", &changes, Proxy::caddy).await;
}

#[tokio::test]
async fn the_haproxy_of_the_docs_leads_to_the_page_and_to_its_tables() {
    let changes = [("bind :443", "bind 127.0.0.1:PORT"), ("/etc/ssl/games.example.pem", "PEM")];
    leads_to_the_house("haproxy.cfg", &changes, Proxy::haproxy).await;
}

fn yaml(name: &str) -> YamlOwned {
    let mut documents = YamlOwned::load_from_str(&sample(name)).unwrap();
    assert_eq!(documents.len(), 1, "{name}");
    documents.remove(0)
}

#[test]
fn the_traefik_of_the_docs_has_a_router_for_its_service_and_believes_no_client() {
    let http = &yaml("traefik.yaml")["http"];
    let router = &http["routers"]["parlor"];
    assert_eq!(router["rule"].as_str(), Some("Host(`games.example`)"));
    assert!(router["tls"].as_mapping().is_some());
    let balancer = &http["services"][router["service"].as_str().unwrap()]["loadBalancer"];
    assert_eq!(balancer["servers"][0]["url"].as_str(), Some("http://127.0.0.1:7777"));
    assert_eq!(balancer["passHostHeader"].as_bool(), Some(true), "pages are let in by the Host");
    assert!(http.as_mapping_get("middlewares").is_none());
}

fn words(node: &YamlOwned) -> Vec<String> {
    node.as_sequence().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_compose_file_of_the_docs_runs_what_the_image_has_behind_a_proxy() {
    let services = &yaml("compose.yaml")["services"];
    let (house, proxy) = (&services["parlor"], &services["proxy"]);
    assert_eq!(house["read_only"].as_bool(), Some(true));
    assert!(house.as_mapping_get("ports").is_none(), "only the proxy is reached from outside");
    let image =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Containerfile")).unwrap();
    let volume = image.lines().find_map(|line| line.strip_prefix("VOLUME ")).unwrap();
    assert_eq!(words(&house["volumes"]), [format!("house:{volume}")]);
    let command = words(&house["command"]);
    assert_eq!(command[0], "serve");
    let flags: Vec<&str> = ["config"].into_iter().chain(command[1..].iter().map(String::as_str)).collect();
    let said = parlor(&flags);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
    assert!(command.contains(&"--trust-proxy".to_owned()) && command.contains(&volume.to_owned()));
    let port = command.iter().find_map(|word| word.strip_prefix("0.0.0.0:")).unwrap();
    assert_eq!(words(&proxy["command"]).last(), Some(&format!("parlor:{port}")));
    let known = yaml("compose.yaml");
    for volume in [&house["volumes"], &proxy["volumes"]].into_iter().flat_map(words) {
        let name = volume.split(':').next().unwrap();
        assert!(known["volumes"].as_mapping_get(name).is_some(), "{name} is no volume of the file");
    }
}
