//! As much of HTTP as a table needs: who one is, the coach, the record, and the way into a socket.

use crate::wire::{self, Wire};
use protocol::http::{NameMe, Refusal};
use std::fmt;
use std::io::ErrorKind;
use std::str::FromStr;
use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error as SocketError;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;

/// A server, by host and port, and how it is spoken to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// The name or number of the machine.
    pub(crate) host: String,
    /// Its port.
    pub(crate) port: u16,
    /// Whether the wire is sealed: https.
    pub(crate) sealed: bool,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl Address {
    /// The address of a table there, to be sent to others.
    pub(crate) fn link(&self, table: &str) -> String {
        let scheme = if self.sealed { "https" } else { "http" };
        format!("{scheme}://{self}/table/{table}")
    }

    /// Reads `http://house.example:7777`, and what stands behind it.
    fn read(text: &str) -> Option<(Address, &str)> {
        let (sealed, bare) = match text.trim().strip_prefix("https://") {
            Some(bare) => (true, bare),
            None => (false, text.trim().strip_prefix("http://").unwrap_or(text.trim())),
        };
        let (place, path) = bare.split_once('/').unwrap_or((bare, ""));
        let (host, port) = match place.rsplit_once(':') {
            // The colons of a bare IPv6 address are no port's.
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()?),
            _ => (place, if sealed { 443 } else { 80 }),
        };
        let good = !host.is_empty()
            && host.chars().all(|sign| sign.is_ascii_alphanumeric() || ".-_[]:".contains(sign));
        good.then(|| (Address { host: host.to_owned(), port, sealed }, path))
    }
}

/// Why a text is no server.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{0}\" is no server: it looks like http://house.example:7777")]
pub(crate) struct NoServer(String);

impl FromStr for Address {
    type Err = NoServer;

    fn from_str(text: &str) -> Result<Address, NoServer> {
        let found = Address::read(text).filter(|(_, path)| path.is_empty()).map(|(address, _)| address);
        found.ok_or_else(|| NoServer(text.chars().take(80).collect()))
    }
}

/// A table on a server, as an invitation names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invitation {
    /// The server.
    pub(crate) address: Address,
    /// The table.
    pub(crate) table: String,
}

/// Why a text is no invitation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum NoInvitation {
    /// Not of this shape.
    #[error("\"{0}\" is no invitation: it looks like http://house.example:7777/table/k3v9")]
    Shape(String),
}

impl FromStr for Invitation {
    type Err = NoInvitation;

    fn from_str(text: &str) -> Result<Invitation, NoInvitation> {
        let shown = || text.chars().take(80).collect::<String>();
        let parts = || {
            let (address, path) = Address::read(text)?;
            let table = path.strip_prefix("table/")?.split(['?', '#']).next()?.trim_end_matches('/');
            let good = !table.is_empty()
                && table.len() <= 64
                && table.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_".contains(sign));
            good.then(|| Invitation { address, table: table.to_owned() })
        };
        parts().ok_or_else(|| NoInvitation::Shape(shown()))
    }
}

/// Why a server did not answer as it should.
#[derive(Clone, Debug, Error)]
pub(crate) enum HttpFault {
    /// It cannot be reached.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// It refuses, in words.
    #[error("{0}")]
    Refused(String),
    /// It answers with a number.
    #[error("the server answers {0}")]
    Status(u16),
    /// It answers something else.
    #[error("the server's answer cannot be read: {0}")]
    Unreadable(String),
}

/// What came back: a status, headers in lower case, and a body.
struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

/// An answer longer than this is none of ours.
const LONGEST: usize = 64 * 1024 * 1024;

async fn ask(address: &Address, head: String, body: &str) -> Result<Answer, HttpFault> {
    let unreachable = |why: std::io::Error| HttpFault::Unreachable(why.to_string());
    let mut stream = wire::connect(address).await.map_err(unreachable)?;
    let text =
        format!("{head}host: {address}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(text.as_bytes()).await.map_err(unreachable)?;
    let mut bytes = Vec::new();
    match stream.take(LONGEST as u64).read_to_end(&mut bytes).await {
        // A proxy may hang up without saying so first; what it said before tells whether that was all.
        Err(why) if why.kind() != ErrorKind::UnexpectedEof => return Err(unreachable(why)),
        _ => {}
    }
    read(&String::from_utf8_lossy(&bytes)).ok_or_else(|| HttpFault::Unreadable("no HTTP".to_owned()))
}

fn read(text: &str) -> Option<Answer> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = if chunked { unchunk(body)? } else { body.to_owned() };
    Some(Answer { status, headers, body })
}

fn unchunk(mut body: &str) -> Option<String> {
    let mut whole = String::new();
    loop {
        let (size, rest) = body.split_once("\r\n")?;
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        if size == 0 {
            return Some(whole);
        }
        whole.push_str(rest.get(..size)?);
        body = rest.get(size..)?.strip_prefix("\r\n")?;
    }
}

/// The body of a good answer, or the words of a bad one.
fn body(answer: Answer) -> Result<Answer, HttpFault> {
    match answer.status {
        200..300 => Ok(answer),
        status => match serde_json::from_str::<Refusal>(&answer.body) {
            Ok(refusal) => Err(HttpFault::Refused(refusal.says)),
            Err(_) => Err(HttpFault::Status(status)),
        },
    }
}

/// Fetches a text.
pub(crate) async fn get(address: &Address, path: &str, cookie: Option<&str>) -> Result<String, HttpFault> {
    let cookie = cookie.map_or_else(String::new, |cookie| format!("cookie: {cookie}\r\n"));
    let answer = ask(address, format!("GET {path} HTTP/1.1\r\n{cookie}"), "").await?;
    body(answer).map(|answer| answer.body)
}

/// Becomes a guest of this name; answers the cookie that says so.
pub(crate) async fn become_guest(address: &Address, name: &str) -> Result<String, HttpFault> {
    let name = serde_json::to_string(&NameMe { name: name.to_owned() }).unwrap_or_default();
    let head = "POST /api/me HTTP/1.1\r\ncontent-type: application/json\r\n".to_owned();
    let answer = body(ask(address, head, &name).await?)?;
    let cookie = answer.headers.iter().find(|(name, _)| name == "set-cookie");
    let cookie = cookie.and_then(|(_, value)| value.split(';').next());
    cookie.map(str::to_owned).ok_or_else(|| HttpFault::Unreadable("no cookie came with the name".to_owned()))
}

/// A socket over whatever wire.
pub(crate) type Socket = WebSocketStream<Box<dyn Wire>>;

/// Opens the socket.
pub(crate) async fn socket(address: &Address, cookie: &str) -> Result<Socket, HttpFault> {
    let unreachable = |why: &dyn fmt::Display| HttpFault::Unreachable(why.to_string());
    let scheme = if address.sealed { "wss" } else { "ws" };
    let mut request =
        format!("{scheme}://{address}/ws").into_client_request().map_err(|why| unreachable(&why))?;
    let cookie = HeaderValue::from_str(cookie).map_err(|why| HttpFault::Unreadable(why.to_string()))?;
    request.headers_mut().insert("cookie", cookie);
    let stream = wire::connect(address).await.map_err(|why| unreachable(&why))?;
    match tokio_tungstenite::client_async(request, stream).await {
        Ok((socket, _)) => Ok(socket),
        Err(SocketError::Http(answer)) => Err(HttpFault::Status(answer.status().as_u16())),
        Err(why) => Err(unreachable(&why)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invitations_are_read_as_servers_make_them() {
        let read = |text: &str| text.parse::<Invitation>();
        let invitation = read("http://127.0.0.1:7777/table/k3v9xy").expect("an invitation");
        assert_eq!(
            (invitation.address.to_string().as_str(), invitation.table.as_str()),
            ("127.0.0.1:7777", "k3v9xy")
        );
        assert_eq!(read("house.example/table/a1").expect("without scheme and port").address.port, 80);
        assert_eq!(read("http://[::1]:8080/table/a1?x#y").expect("IPv6").address.host, "[::1]");
        for bad in [
            "",
            "k3v9",
            "http://host/",
            "http://host/table/",
            "http://host:port/table/a",
            "http://h/table/a b",
            "http:///table/a",
        ] {
            assert!(matches!(read(bad), Err(NoInvitation::Shape(_))), "{bad}");
        }
        let sealed = read("https://house.example/table/a1").expect("a sealed one").address;
        assert_eq!((sealed.port, sealed.sealed), (443, true));
    }

    #[test]
    fn answers_in_pieces_are_put_together() {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nab\r\n\r\n2\r\ncd\r\n0\r\n\r\n";
        let answer = read(text).expect("an answer");
        assert_eq!((answer.status, answer.body.as_str()), (200, "ab\r\ncd"));
        assert!(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n").is_none());
        assert!(read("nonsense").is_none());
    }
}
