//! NATS.

use crate::{Trouble, free_port, program, wait_for};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A NATS server.
#[derive(Debug)]
pub struct Nats {
    program: PathBuf,
    child: Option<Child>,
    port: u16,
    /// Where it listens.
    at: &'static str,
}

impl Nats {
    /// Starts one.
    pub fn start() -> Result<Nats, Trouble> {
        Nats::start_at("127.0.0.1")
    }

    /// Starts one that listens there.
    pub fn start_at(at: &'static str) -> Result<Nats, Trouble> {
        let program = program("nats-server")?;
        let mut nats = Nats { program, child: None, port: free_port()?, at };
        nats.up()?;
        Ok(nats)
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Starts it again.
    pub fn up(&mut self) -> Result<(), Trouble> {
        let child = Command::new(&self.program)
            .args(["-a", self.at, "-p", &self.port.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        self.child = Some(child);
        wait_for(self.port)
    }

    /// kill -9.
    pub fn down(&mut self) -> Result<(), Trouble> {
        if let Some(mut child) = self.child.take() {
            child.kill()?;
            child.wait()?;
        }
        Ok(())
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        drop(self.down()); // it may have ended already
    }
}
