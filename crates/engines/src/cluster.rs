//! A whole house of many nodes: PostgreSQL, NATS, and nodes behind one address.

use crate::{Database, Front, Nats, Trouble, free_port, stop, wait_for};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A house of many nodes. Stopped when dropped: the nodes first, the database last.
#[derive(Debug)]
pub struct Cluster {
    program: PathBuf,
    address: SocketAddr,
    nodes: Vec<SocketAddr>,
    running: Vec<(String, Child)>,
    front: Option<Front>,
    nats: Nats,
    /// The address of the house's database.
    house: String,
    _database: Database,
}

impl Cluster {
    /// Starts everything, with this program for the nodes, at this port.
    pub fn open(program: &Path, nodes: usize, port: u16) -> Result<Cluster, Trouble> {
        let (database, nats) = (Database::start()?, Nats::start()?);
        let house = database.database("parlor")?;
        let here = |port| SocketAddr::from(([127, 0, 0, 1], port));
        let nodes = (0..nodes).map(|_| free_port().map(here)).collect::<Result<_, _>>()?;
        let (program, address) = (program.to_owned(), here(port));
        let mut cluster = Cluster {
            program,
            address,
            nodes,
            running: Vec::new(),
            front: None,
            nats,
            house,
            _database: database,
        };
        cluster.up()?;
        Ok(cluster)
    }

    /// Where the house is open.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Starts the programs again, at the same addresses.
    pub fn up(&mut self) -> Result<(), Trouble> {
        for node in self.nodes.clone() {
            self.spawn(&format!("the node at {node}"), &["serve", "--listen", &node.to_string()])?;
            wait_for(node.port())?;
        }
        self.front = Some(Front::open(self.address, self.nodes.clone())?);
        Ok(())
    }

    /// kill -9 for every program, and nobody listens; the engines stay.
    pub fn kill(&mut self) -> Result<(), Trouble> {
        self.front = None;
        for (_, mut child) in self.running.drain(..) {
            child.kill()?;
            child.wait()?;
        }
        Ok(())
    }

    /// The programs that have ended since this was asked last, and how. A node may be killed: that is what a cluster is for.
    pub fn ended(&mut self) -> Vec<String> {
        let mut ended = Vec::new();
        self.running.retain_mut(|(name, child)| match child.try_wait() {
            Ok(Some(status)) => {
                ended.push(format!("{name} has ended ({status})"));
                false
            }
            _ => true,
        });
        ended
    }

    fn spawn(&mut self, name: &str, args: &[&str]) -> Result<(), Trouble> {
        // What all nodes have to say at once nobody reads, unless he asked for it.
        let log = std::env::var("PARLOR_LOG_LEVEL").unwrap_or_else(|_| "warn".to_owned());
        let child = Command::new(&self.program)
            .args(args)
            .env("PARLOR_LOG_LEVEL", log)
            .env("PARLOR_DATABASE", &self.house)
            .env("PARLOR_NATS", self.nats.url())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()?;
        self.running.push((name.to_owned(), child));
        Ok(())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Asked to stop, each writes what it has to.
        for (_, child) in self.running.iter_mut().rev() {
            stop(child);
        }
    }
}
