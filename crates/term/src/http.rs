//! As much of HTTP as a table needs: who one is, the coach, the record, and the way into a socket.

use crate::address::Address;
use crate::wire::{self, Wire};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::http::request::Builder;
use hyper::{HeaderMap, Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use protocol::http::{NameMe, Refusal};
use std::fmt;
use thiserror::Error;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error as SocketError;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;

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

/// What came back: a status, the cookie it sets, and a body.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

/// An answer longer than this is none of ours.
const LONGEST: usize = 64 * 1024 * 1024;

async fn ask(address: &Address, request: Builder, body: String) -> Result<Answer, HttpFault> {
    let unreachable = |why: &dyn fmt::Display| HttpFault::Unreachable(why.to_string());
    let unreadable = |why: &dyn fmt::Display| HttpFault::Unreadable(why.to_string());
    let request = request.header(header::HOST, address.to_string()).body(Full::<Bytes>::from(body));
    let request = request.map_err(|why| unreadable(&why))?;
    let stream = wire::connect(address).await.map_err(|why| unreachable(&why))?;
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.map_err(|why| unreachable(&why))?;
    tokio::spawn(connection); // it ends with the answer
    let (head, body) = sender.send_request(request).await.map_err(|why| unreachable(&why))?.into_parts();
    let body = Limited::new(body, LONGEST).collect().await.map_err(|why| unreadable(&why))?.to_bytes();
    let body = String::from_utf8(body.into()).map_err(|why| unreadable(&why))?;
    Ok(Answer { status: head.status, headers: head.headers, body })
}

/// A good answer, or the words of a bad one.
fn good(answer: Answer) -> Result<Answer, HttpFault> {
    if answer.status.is_success() {
        return Ok(answer);
    }
    if let Some(place) = answer.headers.get(header::LOCATION).filter(|_| answer.status.is_redirection()) {
        let place = String::from_utf8_lossy(place.as_bytes()).into_owned();
        return Err(HttpFault::Refused(format!("The server has moved. Use its new address: {place}")));
    }
    match serde_json::from_str::<Refusal>(&answer.body) {
        Ok(refusal) => Err(HttpFault::Refused(refusal.says)),
        Err(_) => Err(HttpFault::Status(answer.status.as_u16())),
    }
}

/// Fetches a text.
pub(crate) async fn get(address: &Address, path: &str, cookie: Option<&str>) -> Result<String, HttpFault> {
    let mut request = Request::get(format!("{}{path}", address.folder));
    if let Some(cookie) = cookie {
        request = request.header(header::COOKIE, cookie);
    }
    ask(address, request, String::new()).await.and_then(good).map(|answer| answer.body)
}

/// Becomes a guest of this name; answers the cookie that says so.
pub(crate) async fn become_guest(address: &Address, name: &str) -> Result<String, HttpFault> {
    let name = serde_json::to_string(&NameMe { name: name.to_owned() }).unwrap_or_default();
    let request =
        Request::post(format!("{}/api/me", address.folder)).header(header::CONTENT_TYPE, "application/json");
    let answer = ask(address, request, name).await.and_then(good)?;
    let cookie = answer.headers.get(header::SET_COOKIE).and_then(|cookie| cookie.to_str().ok());
    let cookie = cookie.and_then(|cookie| cookie.split(';').next());
    cookie.map(str::to_owned).ok_or_else(|| HttpFault::Unreadable("no cookie came with the name".to_owned()))
}

/// A socket over whatever wire.
pub(crate) type Socket = WebSocketStream<Box<dyn Wire>>;

/// Opens the socket.
pub(crate) async fn socket(address: &Address, cookie: &str) -> Result<Socket, HttpFault> {
    let unreachable = |why: &dyn fmt::Display| HttpFault::Unreachable(why.to_string());
    let scheme = if address.sealed { "wss" } else { "ws" };
    let mut request = format!("{scheme}://{address}{}/ws", address.folder)
        .into_client_request()
        .map_err(|why| unreachable(&why))?;
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
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    /// A server that gives this answer to whoever asks.
    async fn answering(answer: &'static [u8]) -> Address {
        let door = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = door.local_addr().expect("an address").port();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = door.accept().await {
                let mut asked = [0; 1024];
                let _ = stream.read(&mut asked).await;
                let _ = stream.write_all(answer).await;
            }
        });
        Address { host: "127.0.0.1".to_owned(), port, sealed: false, folder: String::new() }
    }

    async fn got(answer: &'static (impl AsRef<[u8]> + ?Sized)) -> Result<String, HttpFault> {
        get(&answering(answer.as_ref()).await, "/x", Some("a=b")).await
    }

    #[tokio::test]
    async fn answers_are_read_whole_or_not_at_all() {
        let whole =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nab\r\n\r\n2\r\ncd\r\n0\r\n\r\n";
        assert_eq!(got(whole).await.expect("an answer"), "ab\r\ncd");
        let letter =
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab\xc3\r\n1\r\n\xb6\r\n0\r\n\r\n";
        assert_eq!(got(letter).await.expect("an answer"), "abö", "a border may lie within a letter");
        let cut = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc";
        assert!(matches!(got(cut).await, Err(HttpFault::Unreadable(_))), "a cut record is no record");
        assert!(got("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n").await.is_err());
        assert!(got("nonsense\r\n\r\n").await.is_err());
    }

    #[tokio::test]
    async fn bad_answers_are_told_in_words() {
        let refused = "HTTP/1.1 422 No\r\nContent-Length: 29\r\n\r\n{\"code\":\"x\",\"says\":\"Be kind\"}";
        assert_eq!(got(refused).await.expect_err("refused").to_string(), "Be kind");
        let moved = "HTTP/1.1 308 Moved\r\nLocation: https://there.example/\r\nContent-Length: 0\r\n\r\n";
        assert!(got(moved).await.expect_err("moved").to_string().contains("https://there.example/"));
        let broken = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n";
        assert!(matches!(got(broken).await, Err(HttpFault::Status(502))));
    }
}
