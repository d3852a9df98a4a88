//! A client that costs next to nothing: the cores are shared with the server that is measured. It writes masked frames with a mask of zeros,
//! and looks at what it hears only as far as it must.

use serde_json::{Value, json};
use std::io;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A cookie of a new guest.
pub(crate) async fn guest(address: SocketAddr, name: &str) -> io::Result<String> {
    let body = json!({"name": name}).to_string();
    let text = request(address, &format!("POST /api/me HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())).await?;
    let cookie = text.lines().find_map(|line| line.strip_prefix("set-cookie: ")?.split(';').next());
    cookie.map(str::to_owned).ok_or_else(|| io::Error::other(text.clone()))
}

/// One plain request.
pub(crate) async fn request(address: SocketAddr, text: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(text.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

/// One socket.
pub(crate) struct Client {
    stream: TcpStream,
    heard: Vec<u8>,
    /// Where the next frame begins.
    at: usize,
    out: Vec<u8>,
    pub(crate) id: u64,
}

impl Client {
    /// Opens a socket; says nothing yet.
    pub(crate) async fn open(address: SocketAddr, cookie: &str) -> io::Result<Client> {
        let mut stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let upgrade = format!(
            "GET /ws HTTP/1.1\r\nhost: x\r\ncookie: {cookie}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(upgrade.as_bytes()).await?;
        let mut client = Client { stream, heard: Vec::with_capacity(1024), at: 0, out: Vec::new(), id: 0 };
        loop {
            if let Some(end) = client.heard.windows(4).position(|four| four == b"\r\n\r\n") {
                client.at = end + 4;
                break;
            }
            client.fill().await?;
        }
        if client.heard.starts_with(b"HTTP/1.1 101") {
            Ok(client)
        } else {
            Err(io::Error::other(String::from_utf8_lossy(&client.heard).into_owned()))
        }
    }

    /// Opens a socket and says hello.
    pub(crate) async fn hello(address: SocketAddr, cookie: &str, name: &str) -> io::Result<Client> {
        let mut client = Client::open(address, cookie).await?;
        client.send(&format!(r#"{{"cmd":"hello","protocol":2,"client":"{name}"}}"#)).await?;
        client.hear().await?;
        Ok(client)
    }

    async fn fill(&mut self) -> io::Result<()> {
        if self.at > 0 {
            self.heard.drain(..self.at);
            self.at = 0;
        }
        if self.stream.read_buf(&mut self.heard).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    pub(crate) async fn send(&mut self, text: &str) -> io::Result<()> {
        self.out.clear();
        self.out.push(0x81);
        match text.len() {
            short @ 0..126 => self.out.push(0x80 | short as u8),
            long => {
                self.out.push(0xfe);
                self.out.extend((long as u16).to_be_bytes());
            }
        }
        self.out.extend([0; 4]);
        self.out.extend(text.as_bytes());
        self.stream.write_all(&self.out).await
    }

    /// The next text frame, as it is.
    pub(crate) async fn hear(&mut self) -> io::Result<&str> {
        let (from, to) = loop {
            match frame(&self.heard[self.at..]) {
                Some((1, head, length)) if self.heard.len() >= self.at + head + length => {
                    let from = self.at + head;
                    self.at = from + length;
                    break (from, self.at);
                }
                Some((8, ..)) => return Err(io::ErrorKind::ConnectionAborted.into()),
                Some((opcode, head, length))
                    if opcode != 1 && self.heard.len() >= self.at + head + length =>
                {
                    self.at += head + length; // a ping: the server does not mind silence for as long as this takes
                }
                _ => self.fill().await?,
            }
        };
        std::str::from_utf8(&self.heard[from..to]).map_err(io::Error::other)
    }

    /// The next frame of this kind.
    pub(crate) async fn hear_msg(&mut self, kind: &str) -> io::Result<String> {
        let start = format!(r#"{{"msg":"{kind}""#);
        loop {
            let heard = self.hear().await?;
            if heard.starts_with(&start) {
                return Ok(heard.to_owned());
            }
        }
    }

    /// The answer to the last command: whether it was done.
    pub(crate) async fn answer(&mut self) -> io::Result<bool> {
        loop {
            let heard = self.hear().await?;
            if heard.starts_with(r#"{"msg":"done""#) {
                return Ok(true);
            }
            if heard.starts_with(r#"{"msg":"refused""#) {
                return Ok(false);
            }
        }
    }

    /// A command that must be done; its answer.
    pub(crate) async fn done(&mut self, mut command: Value) -> io::Result<Value> {
        self.id += 1;
        command["id"] = json!(self.id);
        self.send(&command.to_string()).await?;
        loop {
            let heard = self.hear().await?;
            if heard.starts_with(r#"{"msg":"done""#) {
                return serde_json::from_str(heard).map_err(io::Error::other);
            }
            if heard.starts_with(r#"{"msg":"refused""#) {
                return Err(io::Error::other(format!("{command}: {heard}")));
            }
        }
    }

    /// A started table of a game with so many seats, all of them this client's.
    pub(crate) async fn table(&mut self, game: &str, options: Value, seats: usize) -> io::Result<String> {
        let wishes: Vec<Value> =
            (0..seats).map(|seat| json!({"for": "here", "name": format!("Player {seat}")})).collect();
        let made =
            self.done(json!({"cmd": "create", "game": game, "options": options, "seats": wishes})).await?;
        let table = made["table"].as_str().unwrap_or_default().to_owned();
        self.done(json!({"cmd": "start", "table": table})).await?;
        Ok(table)
    }
}

/// Opcode, length of the head, and length of a frame, if its head is there.
fn frame(bytes: &[u8]) -> Option<(u8, usize, usize)> {
    let (&first, &second) = (bytes.first()?, bytes.get(1)?);
    let opcode = first & 0x0f;
    match second & 0x7f {
        126 => Some((opcode, 4, u16::from_be_bytes([*bytes.get(2)?, *bytes.get(3)?]) as usize)),
        127 => {
            let length: [u8; 8] = bytes.get(2..10)?.try_into().ok()?;
            Some((opcode, 10, u64::from_be_bytes(length) as usize))
        }
        short => Some((opcode, 2, short as usize)),
    }
}
