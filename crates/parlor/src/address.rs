//! Addresses as people write them. What could never work is refused before the house opens, with what to write instead.

use crate::answer::Failure;
use server::{BasePath, NoPublicUrl, PublicUrl, Tls};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::Path;

/// Where to listen: an address or a name of this machine, and a port.
pub(crate) fn listen(text: &str) -> Result<SocketAddr, String> {
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let name_and_port =
        text.rsplit_once(':').and_then(|(name, port)| Some((name, port.parse::<u16>().ok()?)));
    let Some((name, port)) = name_and_port.filter(|(name, _)| !name.is_empty() && !name.contains([':', '/']))
    else {
        return Err("write an address and a port: 127.0.0.1:7777, localhost:7777, [::1]:7777".to_owned());
    };
    let found: Vec<SocketAddr> = (name, port)
        .to_socket_addrs()
        .map_err(|fault| format!("{name} is no name that this machine knows ({fault}); write its address"))?
        .collect();
    // A name may stand for both; links, and the QR code for phones, are plainer with the older kind.
    let first = found.iter().find(|address| address.is_ipv4()).or(found.first());
    first.copied().ok_or_else(|| format!("{name} has no address; write one"))
}

/// An origin exactly as browsers send it; any other would never match, and every page from there be refused.
pub(crate) fn origin(text: &str) -> Result<String, String> {
    let wrong = |what: &str, right: Option<String>| {
        let right = right.unwrap_or_else(|| "https://games.example".to_owned());
        format!("--origin {text}: {what}. Write it as browsers do, as in --origin {right}")
    };
    let Some((scheme, rest)) = text.split_once("://") else {
        let host = text.split('/').next().unwrap_or_default().to_lowercase();
        let right = is_host(&host).then(|| format!("https://{host}"));
        return Err(wrong("an origin begins with https:// or http://", right));
    };
    let scheme = scheme.to_lowercase();
    let usual = match &*scheme {
        "https" => ":443",
        "http" => ":80",
        _ => return Err(wrong("a page comes by https:// or http://", None)),
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default().to_lowercase();
    let host = host.strip_suffix(usual).unwrap_or(&host);
    if !is_host(host) {
        return Err(wrong("that is no host; each has an --origin of its own", None));
    }
    let right = format!("{scheme}://{host}");
    if text == right {
        return Ok(right);
    }
    let what = "an origin is the scheme and the host in small letters, with the port if it is not the usual one, and nothing after it";
    Err(wrong(what, Some(right)))
}

/// The address that others call a house by, and the folder in it.
pub(crate) fn public(text: &str) -> Result<(PublicUrl, Option<BasePath>), NoPublicUrl> {
    PublicUrl::read(text)
}

/// `self`, or the files of a certificate and of its key.
pub(crate) fn tls(text: &str) -> Result<Tls, &'static str> {
    if text == "self" {
        return Ok(Tls::SelfMade);
    }
    match text.split_once(',') {
        Some((certificate, key)) if !certificate.is_empty() && !key.is_empty() => {
            Ok(Tls::Files { certificate: certificate.trim().into(), key: key.trim().into() })
        }
        _ => Err(
            "write self for a certificate that the house makes itself, or the files of one and of its key with a comma between, as in cert.pem,key.pem",
        ),
    }
}

/// A host's name or address, and perhaps a port.
fn is_host(text: &str) -> bool {
    let (name, port) = match text.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (text, None),
    };
    let six = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let good = six
        .map_or(!name.is_empty() && name.chars().all(named), |six| six.parse::<std::net::Ipv6Addr>().is_ok());
    good && port.is_none_or(|port| port.parse::<u16>().is_ok())
}

/// Refuses the address of a database where a folder is meant, without repeating it: a password may be in it.
pub(crate) fn folder(path: &Path, instead: &str) -> Result<(), Failure> {
    if path.to_str().is_some_and(|path| path.contains("://")) {
        let says = format!("a folder is meant, and this is an address, which may hold a password. {instead}");
        return Err(Failure::new("not-a-folder", says));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_listens_at_an_address_or_at_a_name_of_this_machine() {
        for (text, address) in [
            ("127.0.0.1:8103", "127.0.0.1:8103"),
            ("localhost:8103", "127.0.0.1:8103"),
            ("[::1]:8103", "[::1]:8103"),
            ("0.0.0.0:0", "0.0.0.0:0"),
        ] {
            assert_eq!(listen(text), Ok(address.parse().unwrap()), "{text}");
        }
        for text in [
            "8103",
            ":8103",
            "localhost",
            "localhost:",
            "localhost:99999",
            "::1:x",
            "http://localhost:8103",
            "",
        ] {
            assert!(listen(text).is_err_and(|says| says.contains("localhost:7777")), "{text}");
        }
    }

    #[test]
    fn https_is_by_a_certificate_of_the_house_or_by_two_files() {
        assert_eq!(tls("self"), Ok(Tls::SelfMade));
        let files = Tls::Files { certificate: "a.pem".into(), key: "b.pem".into() };
        assert_eq!(tls("a.pem,b.pem"), Ok(files));
        for text in ["", "a.pem", "a.pem,", ",b.pem", "yes"] {
            assert!(tls(text).is_err_and(|says| says.contains("cert.pem,key.pem")), "{text}");
        }
    }

    #[test]
    fn an_origin_is_what_browsers_send_or_it_is_told() {
        for text in ["https://games.example", "http://192.0.2.7:7777", "https://[::1]:8443", "http://my_host"]
        {
            assert_eq!(origin(text).ok().as_deref(), Some(text));
        }
        for (text, right) in [
            ("https://games.example/", "https://games.example"),
            ("games.example", "https://games.example"),
            ("games.example:8443/play", "https://games.example:8443"),
            ("https://Games.Example", "https://games.example"),
            ("https://games.example:443", "https://games.example"),
            ("http://house.example:80/#top", "http://house.example"),
            ("HTTPS://house.example/play?x", "https://house.example"),
            ("https://", "https://games.example"),
            ("https://*.example", "https://games.example"),
            ("https://ann:secret@house.example", "https://games.example"),
            ("https://house.example:many", "https://games.example"),
            ("ws://house.example", "https://games.example"),
            ("*", "https://games.example"),
            ("", "https://games.example"),
        ] {
            let says = origin(text).unwrap_err();
            assert!(says.ends_with(&format!("--origin {right}")), "{text}: {says}");
        }
    }
}
