//! What comes to the one who draws: keys and clicks, bots that have thought, the coach, the line to the server.

use crate::line::Signal;
use house::Pondered;
use ratatui::crossterm::event::{self, Event};
use serde_json::Value;
use std::sync::mpsc::Sender;
use std::thread;
use table::Seat;

/// Something that came.
pub(crate) enum Heard {
    /// A key, a click, another size.
    Input(Event),
    /// A bot has thought, at this table.
    Pondered(u64, Pondered),
    /// The coach has spoken to a seat, or says why he does not.
    Coach(Seat, Result<Value, String>),
    /// From the server.
    Line(Signal),
    /// The system asks the program to end.
    End,
}

/// Reads the terminal on a thread of its own, which ends with the program.
pub(crate) fn read_input(post: Sender<Heard>) {
    thread::spawn(move || {
        while let Ok(event) = event::read() {
            if post.send(Heard::Input(event)).is_err() {
                return;
            }
        }
        // A terminal that cannot be read has gone away.
        let _ = post.send(Heard::End);
    });
}

/// Listens for the system's wish to end.
#[cfg(unix)]
pub(crate) fn heed_signals(post: Sender<Heard>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM]) else { return };
    thread::spawn(move || {
        for _ in signals.forever() {
            if post.send(Heard::End).is_err() {
                return;
            }
        }
    });
}

/// Elsewhere the terminal itself tells.
#[cfg(not(unix))]
pub(crate) fn heed_signals(_: Sender<Heard>) {}
