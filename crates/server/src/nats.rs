//! The bus of a house with many nodes: NATS. One subject for each node, one for all of them.

use crate::bus::{Bus, Post};
use crate::store::NodeId;
use async_nats::{Client, ConnectOptions, Event, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use thiserror::Error;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::timeout;

/// So many letters wait while NATS is away; more are lost, and asked for again.
const WAITING: usize = 16_384;

/// How long the last letters of a node that stops may take.
const FAREWELL: Duration = Duration::from_secs(1);

/// Why there is no bus.
#[derive(Debug, Error)]
pub enum BusFault {
    /// It cannot be reached.
    #[error("NATS cannot be reached ({0}); is it running there? Write --nats nats://user:password@host:4222")]
    Unreachable(String),
}

/// What is to be sent.
#[derive(Debug)]
enum Out {
    Letter(String, Bytes),
    Flush(oneshot::Sender<()>),
}

/// A connection to NATS.
#[derive(Debug)]
pub(crate) struct Nats {
    out: mpsc::Sender<Out>,
    house: String,
    lost: AtomicU64,
}

/// How a node connects: the connection comes back by itself.
fn options() -> ConnectOptions {
    ConnectOptions::new()
        .name("parlor")
        .no_echo()
        .connection_timeout(Duration::from_secs(5))
        .ping_interval(Duration::from_secs(5))
        .reconnect_delay_callback(|tries| Duration::from_millis((tries as u64 * 50).min(1_000)))
}

/// What the subjects of a house begin with: houses that share a NATS do not hear each other.
fn subjects(secret: &[u8; 32]) -> String {
    let mark = Sha256::digest([b"subjects".as_slice(), secret].concat());
    format!("parlor.{}", crate::people::hex(&mark[..8]))
}

impl Nats {
    /// Connects a node to the others of its house; answers what it will hear, too.
    pub(crate) async fn connect(
        url: &str,
        secret: &[u8; 32],
        node: NodeId,
    ) -> Result<(Nats, mpsc::Receiver<Post>), BusFault> {
        let unreachable = |fault: &dyn std::fmt::Display| BusFault::Unreachable(fault.to_string());
        let again = Arc::new(Notify::new());
        let notify = Arc::clone(&again);
        let options = options().event_callback(move |event| {
            match event {
                Event::Connected | Event::SlowConsumer(_) => notify.notify_one(),
                other => tracing::debug!(%other, "nats"),
            }
            std::future::ready(())
        });
        let client = options.connect(url).await.map_err(|fault| unreachable(&fault))?;
        let house = subjects(secret);
        let own = client.subscribe(subject(&house, node)).await.map_err(|fault| unreachable(&fault))?;
        let all = client.subscribe(format!("{house}.all")).await.map_err(|fault| unreachable(&fault))?;
        client.flush().await.map_err(|fault| unreachable(&fault))?;
        let (out, waiting) = mpsc::channel(WAITING);
        let (post, heard) = mpsc::channel(WAITING);
        tokio::spawn(write(client, waiting));
        tokio::spawn(read(own, all, again, post));
        Ok((Nats { out, house, lost: AtomicU64::new(0) }, heard))
    }

    fn put(&self, subject: String, letter: Bytes) {
        if self.out.try_send(Out::Letter(subject, letter)).is_err() {
            let lost = self.lost.fetch_add(1, Ordering::Relaxed);
            if lost.is_multiple_of(1_000) {
                tracing::warn!(lost = lost + 1, "letters to other nodes are lost");
            }
        }
    }
}

fn subject(house: &str, node: NodeId) -> String {
    format!("{house}.{:x}", node.0)
}

impl Bus for Nats {
    fn send(&self, to: NodeId, letter: Bytes) {
        self.put(subject(&self.house, to), letter);
    }

    fn tell(&self, letter: Bytes) {
        self.put(format!("{}.all", self.house), letter);
    }

    fn alone(&self) -> bool {
        false
    }

    fn flush(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let (done, heard) = oneshot::channel();
        let sent = self.out.try_send(Out::Flush(done));
        Box::pin(async move {
            if sent.is_ok() {
                drop(timeout(FAREWELL, heard).await); // a NATS that is away hears no farewell
            }
        })
    }
}

async fn write(client: Client, mut waiting: mpsc::Receiver<Out>) {
    while let Some(out) = waiting.recv().await {
        match out {
            Out::Letter(subject, letter) => {
                if let Err(fault) = client.publish(subject, letter).await {
                    tracing::debug!(%fault, "a letter could not be sent");
                }
            }
            Out::Flush(done) => {
                drop(client.flush().await);
                let _ = done.send(()); // whoever asked has given up waiting
            }
        }
    }
}

async fn read(mut own: Subscriber, mut all: Subscriber, again: Arc<Notify>, post: mpsc::Sender<Post>) {
    loop {
        let next = tokio::select! {
            () = again.notified() => Some(Post::Again),
            letter = own.next() => letter.map(|letter| Post::Letter(letter.payload)),
            letter = all.next() => letter.map(|letter| Post::Letter(letter.payload)),
        };
        let Some(next) = next else { return };
        if post.send(next).await.is_err() {
            return;
        }
    }
}
