//! A whole house in one thread and in virtual time, with faults of every kind, from one number.
//!
//! The nodes are the server's own ([`server::node::Node`]), one to three of them, and the players are clients like any other
//! ([`client::Client`]). The disk is slow, full, read-only, or gone after it has written; commands and letters are lost, late, doubled
//! and out of order; nodes are cut off from each other, frozen for longer than they may be silent, killed and replaced; connections
//! break; all servers are killed between any two steps, or stopped, and come back later. `docs/simulation.md` says what must hold all
//! the time and in the end, and how each of those was seen to fail.

mod checks;
mod disk;
mod net;
mod players;
mod world;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The one table of a simulated house.
const TABLE: &str = "00000000000000000000000001";

/// Something broken on purpose, to see that it is noticed. The list with what notices it is in `docs/simulation.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sabotage {
    /// Nothing.
    None,
    /// The disk says that it has written, and writes later.
    AnswersEarly,
    /// The disk forgets which command caused a row.
    ForgetsCommands,
    /// Whoever is killed loses the last row.
    LosesTheLast,
    /// The time the server is down is charged to the players.
    ChargesDowntime,
    /// The disk takes the rows of a node whose table another has taken.
    IgnoresEpochs,
    /// A table is given to whoever asks, and its epoch stays.
    GivesTwice,
    /// Who takes a table gets it without its last row.
    ReadsOld,
    /// A node that is dead keeps its tables.
    NeverExpires,
    /// What one seat sees goes to another's owner when it goes to another node.
    MixesUpSeats,
    /// Views change on their way between nodes: somebody has more chips than there are.
    MintsChips,
    /// Events reach clients without the seats that have changed.
    HidesSeats,
}

/// What a simulation came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Rows of the table in the end.
    pub rows: u64,
    /// Acts that were answered as done.
    pub acts: u64,
    /// Times the server was killed or stopped.
    pub deaths: u64,
    /// Times a client opened a connection.
    pub calls: u64,
    /// Times the table was claimed by another node than before.
    pub moves: u64,
    /// Writes that came with an old epoch, and were refused.
    pub fenced: u64,
    /// Writes that failed.
    pub failed: u64,
}

impl std::ops::Add for Report {
    type Output = Report;

    fn add(self, other: Report) -> Report {
        Report {
            rows: self.rows + other.rows,
            acts: self.acts + other.acts,
            deaths: self.deaths + other.deaths,
            calls: self.calls + other.calls,
            moves: self.moves + other.moves,
            fenced: self.fenced + other.fenced,
            failed: self.failed + other.failed,
        }
    }
}

/// Plays a house of up to so many nodes from this number to its end; the number and what was wrong, if anything was.
pub fn simulate(number: u64, most: u64, sabotage: Sabotage) -> Result<Report, String> {
    world::run(number, most, sabotage).map_err(|what| format!("seed {number}: {what}"))
}

/// What is behind a mutex: everything is in one thread, so nobody holds it for long.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
