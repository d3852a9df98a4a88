//! One address before many nodes: every connection goes to the next node that takes it. For trying a house out and for tests only: the
//! nodes see the address of the front and not those of the people behind it, so that all of them share one person's limits. A real
//! proxy tells addresses, and does TLS.

use crate::ServeFault;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

/// How long a node may take to accept a connection.
const PATIENCE: Duration = Duration::from_millis(500);

/// Listens, and passes connections on until it is asked to stop. For a command that does nothing else.
pub fn run_front(
    listen: SocketAddr,
    nodes: Vec<SocketAddr>,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeFault> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeFault::System)?;
    runtime.block_on(async {
        let listener = TcpListener::bind(listen).await;
        let (address, option) = (listen, "--listen");
        let listener = listener.map_err(|fault| ServeFault::Listen { address, option, fault })?;
        let stop = crate::asked_to_stop();
        ready(listener.local_addr().map_err(ServeFault::System)?);
        tokio::select! {
            () = front(listener, nodes) => {}
            () = stop => {}
        }
        Ok(())
    })
}

/// Passes connections on, in turn, until it is dropped.
pub async fn front(listener: TcpListener, nodes: Vec<SocketAddr>) {
    let (nodes, turn): (Arc<[SocketAddr]>, _) = (nodes.into(), Arc::new(AtomicUsize::new(0)));
    loop {
        let Ok((client, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(20)).await; // too many open files: some will close
            continue;
        };
        let (nodes, turn) = (Arc::clone(&nodes), Arc::clone(&turn));
        tokio::spawn(async move {
            if let Some(node) = next(&nodes, &turn).await {
                pass(client, node).await;
            }
        });
    }
}

/// A connection to the next node that lives.
async fn next(nodes: &[SocketAddr], turn: &AtomicUsize) -> Option<TcpStream> {
    for _ in nodes {
        let at = turn.fetch_add(1, Ordering::Relaxed) % nodes.len();
        if let Ok(Ok(node)) = timeout(PATIENCE, TcpStream::connect(nodes[at])).await {
            return Some(node);
        }
    }
    None
}

async fn pass(mut client: TcpStream, mut node: TcpStream) {
    drop((client.set_nodelay(true), node.set_nodelay(true))); // slower without, but it works
    drop(copy_bidirectional(&mut client, &mut node).await); // who hangs up has hung up
}
