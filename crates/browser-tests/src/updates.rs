//! A house whose page is updated: a door before the real one, at which the page changes its version and the names of its files, as
//! it does when a newer program is started. Whoever asks for a file of an older page gets nothing, as there.

use crate::{Parlor, Trouble};
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// The door. Closed when dropped.
pub struct Updates {
    address: SocketAddr,
    edition: Arc<Mutex<Edition>>,
    closed: Arc<AtomicBool>,
    porter: Option<JoinHandle<()>>,
}

/// Which page it is: how often it was updated, and how often its word list was.
#[derive(Clone, Copy, Default)]
struct Edition {
    page: u8,
    list: u8,
}

impl Updates {
    /// Puts a door before a house: from now on visitors come through it.
    pub fn before(parlor: &mut Parlor) -> Result<Updates, Trouble> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let house = parlor.behind(address).to_owned();
        let (edition, closed) = (Arc::<Mutex<Edition>>::default(), Arc::<AtomicBool>::default());
        let (now, ends) = (Arc::clone(&edition), Arc::clone(&closed));
        let porter = std::thread::spawn(move || {
            for visitor in listener.incoming().flatten() {
                if ends.load(Ordering::Relaxed) {
                    return;
                }
                let (house, edition) = (house.clone(), *now.lock().unwrap_or_else(PoisonError::into_inner));
                // A visitor who hangs up, or a house that is closed, ends only this errand.
                std::thread::spawn(move || drop(lead(visitor, &house, edition)));
            }
        });
        Ok(Updates { address, edition, closed, porter: Some(porter) })
    }

    /// A newer page, with the same word list.
    pub fn page(&self) {
        self.edition.lock().unwrap_or_else(PoisonError::into_inner).page += 1;
    }

    /// A newer page with a newer word list.
    pub fn page_and_list(&self) {
        self.edition.lock().unwrap_or_else(PoisonError::into_inner).list += 1;
        self.page();
    }
}

impl Drop for Updates {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Relaxed);
        // It waits for somebody to come: this.
        let _ = TcpStream::connect(self.address);
        if let Some(porter) = self.porter.take() {
            let _ = porter.join();
        }
    }
}

/// Leads one request to the house, and its answer back.
fn lead(mut visitor: TcpStream, house: &str, edition: Edition) -> std::io::Result<()> {
    let head = head(&mut visitor)?;
    let mut house = TcpStream::connect(house)?;
    let text = String::from_utf8_lossy(&head);
    let lines = text.trim_end().lines();
    let is = |line: &str, name: &str| line.to_ascii_lowercase().starts_with(name);
    let socket = lines.clone().any(|line| is(line, "upgrade: websocket"));
    // One request a connection, and its answer as it is read: uncompressed.
    let drops = |line: &str| is(line, "accept-encoding:") || (!socket && is(line, "connection:"));
    let mut asked: String = lines.filter(|line| !drops(line)).flat_map(|line| [line, "\r\n"]).collect();
    asked.push_str(if socket { "\r\n" } else { "connection: close\r\n\r\n" });
    house.write_all(&renamed(asked.as_bytes(), edition))?;
    let (mut from, mut to) = (visitor.try_clone()?, house.try_clone()?);
    let there = std::thread::spawn(move || std::io::copy(&mut from, &mut to));
    if socket {
        std::io::copy(&mut house, &mut visitor)?;
    } else {
        let mut answer = Vec::new();
        house.read_to_end(&mut answer)?;
        // Files are named in text; the programs are large.
        let start = String::from_utf8_lossy(&answer[..answer.len().min(2000)]).to_ascii_lowercase();
        if start.contains("content-type: text/") {
            answer = renamed(&answer, edition);
        }
        visitor.write_all(&answer)?;
    }
    visitor.shutdown(Shutdown::Both)?;
    let _ = there.join();
    Ok(())
}

/// What stands before the empty line, and that.
fn head(visitor: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        visitor.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    Ok(head)
}

/// The same with the names of another edition: in `-0123456789abcdef.` and `"0123456789abcdef"` the first digit is another.
/// What was renamed twice is as it was.
fn renamed(text: &[u8], edition: Edition) -> Vec<u8> {
    const DIGITS: usize = 16;
    let mut text = text.to_vec();
    for at in 1..text.len().saturating_sub(DIGITS) {
        let around = (text[at - 1], text[at + DIGITS]);
        let hash = &text[at..at + DIGITS];
        let hex = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
        if !matches!(around, (b'-', b'.' | b'\'') | (b'"', b'"') | (b'\'', b'\'')) || !hash.iter().all(hex) {
            continue;
        }
        let list = text[at + DIGITS..].starts_with(b".words");
        let change = if list { edition.list } else { edition.page };
        let digit = char::from(text[at]).to_digit(16).unwrap_or(0) ^ u32::from(change % 16);
        text[at] = char::from_digit(digit, 16).map_or(b'0', |digit| digit as u8);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_versions_change_and_change_back() {
        let text = b"GET /app-0123456789abcdef.js '0123456789abcdef' house-0123456789abcdef.words __wbg_x_0123456789abcdef(";
        let edition = Edition { page: 3, list: 1 };
        let changed = renamed(text, edition);
        assert_eq!(
            String::from_utf8_lossy(&changed),
            "GET /app-3123456789abcdef.js '3123456789abcdef' house-1123456789abcdef.words __wbg_x_0123456789abcdef("
        );
        assert_eq!(renamed(&changed, edition), text);
    }
}
