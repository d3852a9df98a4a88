//! At its start a house that has a public address calls itself there, as a browser would, and says what a proxy on the way does
//! not pass on: most houses that cannot be played in lack one line of a proxy's settings.

use crate::Config;
use crate::http::Probed;
use crate::people::Seal;
use crate::site::{BasePath, PublicUrl};
use crate::tls::Sealed;
use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Request, StatusCode};
use futures_util::StreamExt;
use http_body_util::{BodyExt, Collected, Limited};
use hyper_util::rt::TokioIo;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::protocol::Role;

/// How long the way there and back may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// An address that is nobody's (RFC 5737). A proxy that passes it on would believe everybody.
const FORGED: &str = "203.0.113.200";

/// Everything that is needed to call oneself.
#[derive(Clone)]
pub(crate) struct Probe {
    url: PublicUrl,
    base: BasePath,
    key: String,
    trust_proxy: bool,
    /// The certificate that the house made for itself: no other authority knows it.
    own: Option<CertificateDer<'static>>,
}

impl Probe {
    pub(crate) fn new(url: PublicUrl, config: &Config, seal: &Seal, sealed: Option<&Sealed>) -> Probe {
        let own = sealed.filter(|sealed| sealed.self_made.is_some()).map(|sealed| sealed.certificate.clone());
        Probe { url, base: config.base.clone(), key: seal.probe_key(), trust_proxy: config.trust_proxy, own }
    }

    /// Calls the public address and judges what came of it.
    pub(crate) async fn look(&self) -> Report {
        let answer = timeout(PATIENCE, self.call()).await;
        let answer = answer.unwrap_or_else(|_| Err(format!("no answer within {} s", PATIENCE.as_secs())));
        let found = match answer {
            Ok(Answer::Socket(seen)) => self.judge(&seen, true),
            Ok(Answer::Page(seen)) => self.judge(&seen, false),
            Ok(Answer::Else(status)) => vec![Finding::Else(status)],
            Err(why) => vec![Finding::Unreached(why)],
        };
        Report { url: format!("{}{}", self.url.origin(), self.base), found }
    }

    async fn call(&self) -> Result<Answer, String> {
        let PublicUrl { secure, host, port } = &self.url;
        let bare = host.trim_matches(['[', ']']);
        let stream = TcpStream::connect((bare, *port)).await.map_err(|why| why.to_string())?;
        if !secure {
            return self.ask(stream).await;
        }
        let name = ServerName::try_from(bare.to_owned()).map_err(|why| why.to_string())?;
        let sealed = connector(self.own.clone())?.connect(name, stream).await;
        self.ask(sealed.map_err(|why| format!("its certificate does not hold: {why}"))?).await
    }

    async fn ask<S>(&self, stream: S) -> Result<Answer, String>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let said = |why: hyper::Error| why.to_string();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(said)?;
        let connection = tokio::spawn(connection.with_upgrades());
        let answer = async {
            let mut response = sender.send_request(self.request()?).await.map_err(said)?;
            let status = response.status();
            if status == StatusCode::SWITCHING_PROTOCOLS {
                let upgraded = hyper::upgrade::on(&mut response).await.map_err(said)?;
                let mut socket =
                    WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Client, None).await;
                let first = socket.next().await.and_then(Result::ok).and_then(|frame| frame.into_text().ok());
                let seen = first.and_then(|text| serde_json::from_str(&text).ok());
                return seen
                    .map(Answer::Socket)
                    .ok_or_else(|| "the socket was opened, and then nothing came through it".to_owned());
            }
            let body = Limited::new(response.into_body(), 64 * 1024).collect().await;
            let body = body.map(Collected::to_bytes).unwrap_or_default();
            let seen = serde_json::from_slice(&body).ok().filter(|_| status == StatusCode::OK);
            Ok(seen.map_or(Answer::Else(status.as_u16()), Answer::Page))
        };
        let answer = answer.await;
        connection.abort();
        answer
    }

    /// As a browser asks for a socket, from a page of the public address.
    fn request(&self) -> Result<Request<Body>, String> {
        let value = |text: &str| HeaderValue::from_str(text).map_err(|why| why.to_string());
        let request = Request::get(format!("{}ws/probe/{}", self.base, self.key))
            .header(header::HOST, value(&self.url.authority())?)
            .header(header::ORIGIN, value(&self.url.origin())?)
            .header(header::CONNECTION, "Upgrade")
            .header(header::UPGRADE, "websocket")
            .header(header::SEC_WEBSOCKET_VERSION, "13")
            .header(header::SEC_WEBSOCKET_KEY, generate_key())
            .header("x-forwarded-for", FORGED);
        request.body(Body::empty()).map_err(|why| why.to_string())
    }

    /// What a request that came in shows of the way.
    fn judge(&self, seen: &Probed, socket: bool) -> Vec<Finding> {
        let mut found = Vec::new();
        if !socket {
            found.push(Finding::NoUpgrade);
        }
        if seen.host != self.url.authority() {
            found.push(Finding::Host(seen.host.clone()));
        }
        let from = seen.forwarded_for.as_deref();
        let sealed_before = self.url.secure && !seen.sealed;
        if self.trust_proxy {
            if from.is_none_or(|from| from == FORGED) {
                found.push(Finding::NoAddress { forged: from.is_some() });
            }
            if sealed_before && seen.forwarded_proto.as_deref() != Some("https") {
                found.push(Finding::NoProto);
            }
        } else if sealed_before || from != Some(FORGED) {
            found.push(Finding::NoTrust);
        }
        found
    }
}

/// Trusts whom this machine trusts.
fn connector(own: Option<CertificateDer<'static>>) -> Result<TlsConnector, String> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots.add_parsable_certificates(own);
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|why| why.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

/// What came back.
enum Answer {
    /// A socket was opened, and this was seen of it here.
    Socket(Probed),
    /// The request came here, but no socket.
    Page(Probed),
    /// Somebody else answered, with this status.
    Else(u16),
}

/// Something on the way that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Finding {
    /// Nobody answered.
    Unreached(String),
    /// Somebody else did.
    Else(u16),
    /// Pages come through, sockets do not.
    NoUpgrade,
    /// The host arrives as another.
    Host(String),
    /// Addresses of clients do not arrive, or what clients write is believed.
    NoAddress { forged: bool },
    /// Whether clients came by https does not arrive.
    NoProto,
    /// There is a proxy, and it is not believed.
    NoTrust,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Unreached(why) => write!(
                f,
                "the public address cannot be reached from here ({why}). Some routers let nobody at home call their own public \
                 address: try it from outside. Otherwise check the name, the port and the proxy"
            ),
            Finding::Else(502..=504) => {
                write!(
                    f,
                    "a proxy answers at the public address, but cannot reach this house: check where it leads"
                )
            }
            Finding::Else(status) => write!(
                f,
                "something else answers at the public address (status {status}): check where the proxy leads, and --base-path"
            ),
            Finding::NoUpgrade => {
                write!(
                    f,
                    "the proxy does not pass on the headers Upgrade and Connection: pages open, but nobody can play online"
                )
            }
            Finding::Host(seen) => write!(
                f,
                "the proxy passes on the Host {seen:?} and not the one that the browser sent: pages from any other address than the \
                 public one are refused (other-origin)"
            ),
            Finding::NoAddress { forged: true } => write!(
                f,
                "the proxy passes on the X-Forwarded-For that a client wrote: anybody can get around the limits"
            ),
            Finding::NoAddress { forged: false } => {
                write!(f, "the proxy does not send X-Forwarded-For: all players share the limits of one")
            }
            Finding::NoProto => {
                write!(f, "the proxy does not send X-Forwarded-Proto: cookies are not marked Secure")
            }
            Finding::NoTrust => write!(
                f,
                "there is a proxy in front, and the house was not told to believe it: all players share the limits of one. Start the \
                 house with --trust-proxy"
            ),
        }
    }
}

impl Finding {
    /// The lines that are missing: nginx's, Caddy's, `HAProxy`'s.
    const fn lines(&self) -> Option<[&'static str; 3]> {
        Some(match self {
            Finding::NoUpgrade => [
                "proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection \"upgrade\";",
                "reverse_proxy passes them on by itself: take away what removes them (header_up -Upgrade, -Connection)",
                "mode http",
            ],
            Finding::Host(_) => [
                "proxy_set_header Host $http_host;",
                "header_up Host {hostport}",
                "mode http passes it on by itself: take away http-request set-header Host",
            ],
            Finding::NoAddress { .. } => [
                "proxy_set_header X-Forwarded-For $remote_addr;",
                "header_up X-Forwarded-For {remote_host}",
                "http-request set-header X-Forwarded-For %[src]",
            ],
            Finding::NoProto => [
                "proxy_set_header X-Forwarded-Proto $scheme;",
                "header_up X-Forwarded-Proto {scheme}",
                "http-request set-header X-Forwarded-Proto https if { ssl_fc }",
            ],
            Finding::Unreached(_) | Finding::Else(_) | Finding::NoTrust => return None,
        })
    }
}

/// What became of the call.
pub(crate) struct Report {
    url: String,
    found: Vec<Finding>,
}

impl Report {
    /// Says it in the log.
    pub(crate) fn tell(&self) {
        let Report { url, found } = self;
        if found.is_empty() {
            tracing::info!(url, "the public address leads here, and sockets come through");
        }
        for finding in found {
            let [nginx, caddy, haproxy] = finding.lines().map_or([None; 3], |lines| lines.map(Some));
            tracing::warn!(url, nginx, caddy, haproxy, "{finding}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(url: &str, trust_proxy: bool) -> Probe {
        let (url, base) = PublicUrl::read(url).unwrap();
        let base = base.unwrap_or_else(BasePath::root);
        Probe { url, base, key: String::new(), trust_proxy, own: None }
    }

    fn seen(host: &str, from: Option<&str>, proto: Option<&str>, sealed: bool) -> Probed {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Probed { host: host.to_owned(), forwarded_for: owned(from), forwarded_proto: owned(proto), sealed }
    }

    #[test]
    fn a_proxy_that_passes_everything_on_is_in_order() {
        let good = seen("games.example", Some("198.51.100.1"), Some("https"), false);
        assert_eq!(probe("https://games.example", true).judge(&good, true), []);
        // Without a proxy: what the house wrote itself arrives as it was.
        let own = seen("games.example:8443", Some(FORGED), None, true);
        assert_eq!(probe("https://games.example:8443", false).judge(&own, true), []);
    }

    #[test]
    fn each_thing_that_is_missing_is_named() {
        let trusting = probe("https://games.example", true);
        let bare = seen("127.0.0.1:7777", None, None, false);
        let missing = [
            Finding::NoUpgrade,
            Finding::Host("127.0.0.1:7777".into()),
            Finding::NoAddress { forged: false },
            Finding::NoProto,
        ];
        assert_eq!(trusting.judge(&bare, false), missing);
        let forged = seen("games.example", Some(FORGED), Some("https"), false);
        assert_eq!(trusting.judge(&forged, true), [Finding::NoAddress { forged: true }]);
        let proxied = seen("games.example", Some("198.51.100.1"), Some("https"), false);
        assert_eq!(probe("https://games.example", false).judge(&proxied, true), [Finding::NoTrust]);
        assert_eq!(probe("http://games.example", false).judge(&proxied, true), [Finding::NoTrust]);
    }
}
