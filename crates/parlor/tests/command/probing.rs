//! A house with a public address calls itself there when it opens, through a real nginx, and says which of its lines are missing.

use crate::common::{House, folder};
use engines::{Proxy, free_port, if_here};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use std::path::Path;
use std::time::{Duration, Instant};

/// All that a proxy needs, and each line can be left out.
const LINES: [&str; 6] = [
    "proxy_http_version 1.1;",
    "proxy_set_header Host $http_host;",
    "proxy_set_header Upgrade $http_upgrade;",
    "proxy_set_header Connection \"upgrade\";",
    "proxy_set_header X-Forwarded-For $remote_addr;",
    "proxy_set_header X-Forwarded-Proto $scheme;",
];

/// Where the house listens, where the proxy does, and what the proxy is told.
struct Way {
    house: u16,
    proxy: u16,
    site: String,
}

impl Way {
    fn new(folder: &Path, lines: &[&str]) -> Way {
        let (house, proxy) = (free_port().unwrap(), free_port().unwrap());
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        let (certificate, key) = (folder.join("proxy.crt"), folder.join("proxy.key"));
        std::fs::write(&certificate, cert.pem()).unwrap();
        std::fs::write(&key, signing_key.serialize_pem()).unwrap();
        let site = format!(
            "server {{\nlisten 127.0.0.1:{proxy} ssl;\nssl_certificate {};\nssl_certificate_key {};\n\
             location / {{\nproxy_pass http://127.0.0.1:{house};\n{}\n}}\n}}\n",
            certificate.display(),
            key.display(),
            lines.join("\n")
        );
        Way { house, proxy, site }
    }
}

/// What the house says about a way to it, once it has said something.
fn says(name: &str, lines: &[&str], flags: &str) -> Option<String> {
    let folder = folder(name);
    let way = Way::new(&folder, lines);
    let _nginx = if_here(Proxy::nginx(&way.site, way.proxy)).unwrap()?;
    Some(heard(&folder, way.house, way.proxy, flags))
}

fn heard(folder: &Path, house: u16, proxy: u16, flags: &str) -> String {
    let line = format!(
        "parlor serve --listen 127.0.0.1:{house} --data data --public-url https://localhost:{proxy} {flags}"
    );
    let certificate = folder.join("proxy.crt");
    let house = House::open(&line, folder, &[("SSL_CERT_FILE", certificate.to_str().unwrap())]);
    let began = Instant::now();
    while !house.log().contains("url=") && began.elapsed() < Duration::from_mins(1) {
        std::thread::sleep(Duration::from_millis(50));
    }
    house.close()
}

/// The lines without those that begin so.
fn without(gone: &[&str]) -> Vec<&'static str> {
    LINES.into_iter().filter(|line| !gone.iter().any(|gone| line.starts_with(gone))).collect()
}

#[test]
fn a_proxy_that_passes_everything_on_is_found_in_order() {
    let Some(log) = says("proxies-right", &LINES, "--trust-proxy") else { return };
    assert!(log.contains("the public address leads here, and sockets come through"), "{log}");
    assert!(!log.contains("WARN"), "{log}");
}

#[test]
fn a_proxy_that_was_told_nothing_lacks_every_line_and_each_is_named() {
    let Some(log) = says("proxies-bare", &[], "--trust-proxy") else { return };
    for part in [
        "nobody can play online",
        "proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection",
        "the Host",
        "proxy_set_header Host $http_host;",
        "header_up Host {hostport}",
        "that a client wrote",
        "proxy_set_header X-Forwarded-For $remote_addr;",
        "does not send X-Forwarded-Proto",
        "http-request set-header X-Forwarded-Proto https if { ssl_fc }",
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
    assert_eq!(log.matches("WARN").count(), 4, "{log}");
}

#[test]
fn one_line_that_is_missing_or_wrong_is_named_alone() {
    let no_port = [&without(&["proxy_set_header Host"])[..], &["proxy_set_header Host $host;"]].concat();
    let no_address =
        [&without(&["proxy_set_header X-Forwarded-For"])[..], &["proxy_set_header X-Forwarded-For \"\";"]]
            .concat();
    for (name, lines, flags, part) in [
        ("proxies-socket", without(&["proxy_set_header Upgrade"]), "--trust-proxy", "nobody can play online"),
        ("proxies-host", no_port, "--trust-proxy", "the Host \"localhost\""),
        (
            "proxies-proto",
            without(&["proxy_set_header X-Forwarded-Proto"]),
            "--trust-proxy",
            "X-Forwarded-Proto",
        ),
        ("proxies-address", no_address, "--trust-proxy", "does not send X-Forwarded-For"),
        ("proxies-trust", LINES.to_vec(), "", "--trust-proxy"),
    ] {
        let Some(log) = says(name, &lines, flags) else { return };
        assert!(log.contains(part) && log.matches("WARN").count() == 1, "{name}: {log}");
    }
}

#[test]
fn a_public_address_that_leads_nowhere_or_elsewhere_is_told() {
    let folder = folder("proxies-nowhere");
    let (house, nobody) = (free_port().unwrap(), free_port().unwrap());
    let log = heard(&folder, house, nobody, "--trust-proxy");
    assert!(log.contains("cannot be reached from here") && log.contains("try it from outside"), "{log}");
    let way = Way::new(&folder, &LINES);
    let Some(_nginx) = if_here(Proxy::nginx(&way.site, way.proxy)).unwrap() else { return };
    // The proxy leads to a port at which nobody listens.
    let log = heard(&folder, free_port().unwrap(), way.proxy, "--trust-proxy");
    assert!(log.contains("cannot reach this house"), "{log}");
    // A certificate that this machine does not trust.
    std::fs::write(folder.join("proxy.crt"), "").unwrap();
    let log = heard(&folder, way.house, way.proxy, "--trust-proxy");
    assert!(log.contains("its certificate does not hold"), "{log}");
}

#[test]
fn a_house_that_speaks_https_itself_finds_itself() {
    let folder = folder("proxies-none");
    let port = free_port().unwrap();
    let log = heard(&folder, port, port, "--tls self");
    assert!(log.contains("the public address leads here") && !log.contains("WARN"), "{log}");
}
