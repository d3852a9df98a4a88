//! Serves the page alone, without a server behind it: local tables work, others say kindly that they do not.
//!
//! `cargo run -p page --example shelf [port]`

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};

fn main() -> std::io::Result<()> {
    let port: u16 = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(8080);
    let listener = TcpListener::bind(("127.0.0.1", port))?;
    println!("http://{}", listener.local_addr()?);
    for stream in listener.incoming().flatten() {
        std::thread::spawn(move || answer(stream));
    }
    Ok(())
}

/// One request, one answer; whoever hangs up early is let go.
fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let (mut brotli, mut gzip) = (false, false);
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        if line.to_ascii_lowercase().starts_with("accept-encoding:") {
            (brotli, gzip) = (line.contains("br"), line.contains("gzip"));
        }
        line.clear();
    }
    let path = first.split_whitespace().nth(1).unwrap_or("/").split('?').next().unwrap_or("/");
    if path.starts_with("/api/") || path.starts_with("/ws") {
        return stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    }
    let asset = page::asset(path).unwrap_or_else(page::index);
    let (bytes, encoding) = match (asset.br, asset.gzip()) {
        (Some(br), _) if brotli => (br.into(), "content-encoding: br\r\n"),
        (_, Some(gzipped)) if gzip => (gzipped.into(), "content-encoding: gzip\r\n"),
        _ => (asset.bytes(), ""),
    };
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: {}\r\ncache-control: {}\r\n{encoding}content-length: {}\r\nconnection: close\r\n\r\n",
        asset.content_type,
        asset.cache.header(),
        bytes.len()
    )?;
    stream.write_all(&bytes)
}
