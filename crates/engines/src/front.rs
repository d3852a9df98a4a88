//! One address in front of many nodes: each connection goes to the next node that takes it. For tests and chores only: nodes see the
//! address of the front and not those of the clients, which therefore share one client's limits.

use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long a node may take to accept a connection.
const PATIENCE: Duration = Duration::from_millis(500);

/// A load balancer. Takes no more connections when it is dropped; those it took stay.
#[derive(Debug)]
pub struct Front {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    accepts: Option<JoinHandle<()>>,
}

impl Front {
    /// Listens there, and passes connections on to these nodes in turn.
    pub fn open(listen: SocketAddr, nodes: Vec<SocketAddr>) -> io::Result<Front> {
        let listener = TcpListener::bind(listen)?;
        let (address, stop) = (listener.local_addr()?, Arc::<AtomicBool>::default());
        let stopping = Arc::clone(&stop);
        let accepts = Some(thread::spawn(move || accept(&listener, &nodes.into(), &stopping)));
        Ok(Front { address, stop, accepts })
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for a connection; once it has ended the address is free again.
        if TcpStream::connect(self.address).is_ok()
            && let Some(accepts) = self.accepts.take()
        {
            drop(accepts.join());
        }
    }
}

fn accept(listener: &TcpListener, nodes: &Arc<[SocketAddr]>, stop: &AtomicBool) {
    let turn = Arc::<AtomicUsize>::default();
    while !stop.load(Ordering::Relaxed) {
        let Ok((client, _)) = listener.accept() else {
            thread::sleep(Duration::from_millis(20)); // too many open files: some will close
            continue;
        };
        let (nodes, turn) = (Arc::clone(nodes), Arc::clone(&turn));
        thread::spawn(move || {
            if let Some(node) = next(&nodes, &turn) {
                drop(pass(&client, &node)); // whichever end broke, both are closed now
            }
        });
    }
}

/// A connection to the next node that is up.
fn next(nodes: &[SocketAddr], turn: &AtomicUsize) -> Option<TcpStream> {
    nodes.iter().find_map(|_| {
        let node = nodes.get(turn.fetch_add(1, Ordering::Relaxed) % nodes.len())?;
        TcpStream::connect_timeout(node, PATIENCE).ok()
    })
}

/// Copies both ways until both ends have finished, or one of them breaks.
fn pass(client: &TcpStream, node: &TcpStream) -> io::Result<()> {
    client.set_nodelay(true)?;
    node.set_nodelay(true)?;
    thread::scope(|scope| {
        let up = scope.spawn(|| copy(client, node));
        copy(node, client);
        drop(up.join());
    });
    Ok(())
}

fn copy(mut from: &TcpStream, mut to: &TcpStream) {
    let how = if io::copy(&mut from, &mut to).is_ok() { Shutdown::Write } else { Shutdown::Both };
    drop(to.shutdown(how)); // it may be closed already
    if how == Shutdown::Both {
        drop(from.shutdown(how));
    }
}
