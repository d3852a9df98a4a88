//! The timer: a bar that runs out above the line where one types. It never takes a line away: the next line typed stops
//! it. Where nobody looks (in a pipe) it only measures.

use std::io::{self, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const WIDTH: u64 = 30;
/// The last seconds are told apart.
const LAST: u64 = 10;

/// A timer that runs.
pub(crate) struct Timer {
    started: Instant,
    seconds: u64,
    ticker: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

impl Timer {
    /// Starts; `visible` draws it on the terminal, one line above the cursor.
    pub(crate) fn start(seconds: u32, visible: bool) -> Timer {
        let (started, seconds) = (Instant::now(), u64::from(seconds));
        let ticker = visible.then(|| {
            let (stop, bell) = mpsc::channel();
            (stop, std::thread::spawn(move || tick(started, seconds, &bell)))
        });
        Timer { started, seconds, ticker }
    }

    /// Stops, and says how long it took.
    pub(crate) fn stop(self) -> String {
        if let Some((stop, ticker)) = self.ticker {
            drop(stop);
            // A ticker that broke down only cost the drawing.
            let _ = ticker.join();
        }
        told(self.started.elapsed().as_secs(), self.seconds)
    }
}

fn told(took: u64, seconds: u64) -> String {
    match took.checked_sub(seconds) {
        Some(over) if over > 0 => format!("{took} s: {over} s over the time."),
        _ => format!("{took} s of {seconds}."),
    }
}

/// What stands on the line of the timer.
fn bar(left: u64, seconds: u64) -> String {
    let full = (left * WIDTH).div_ceil(seconds.max(1)).min(WIDTH) as usize;
    let sand = "#".repeat(full) + &".".repeat(WIDTH as usize - full);
    match left {
        0 => format!("[{sand}] Time is up!"),
        left if left <= LAST => format!("[{sand}] {left} s, hurry"),
        left => format!("[{sand}] {}:{:02}", left / 60, left % 60),
    }
}

fn tick(started: Instant, seconds: u64, bell: &mpsc::Receiver<()>) {
    loop {
        let left = seconds.saturating_sub(started.elapsed().as_secs());
        let ring = if left == 0 { "\x07" } else { "" };
        // Up one line, the bar, and back to where the person types: in one piece, or keys that are pressed meanwhile would be
        // shown up there. (The terminal itself shows them, and would step in at a carriage return, too.)
        let drawn = format!("\x1b7\x1b[1A\x1b[1G\x1b[2K{}{ring}\x1b8", bar(left, seconds));
        let _ = io::stderr().write_all(drawn.as_bytes());
        if left == 0 || bell.recv_timeout(Duration::from_millis(250)) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_runs_out() {
        assert_eq!(bar(90, 90), format!("[{}] 1:30", "#".repeat(30)));
        assert_eq!(bar(45, 90), format!("[{}{}] 0:45", "#".repeat(15), ".".repeat(15)));
        assert!(bar(10, 90).ends_with("10 s, hurry"));
        assert_eq!(bar(0, 90), format!("[{}] Time is up!", ".".repeat(30)));
        assert_eq!(bar(5, 0), format!("[{}] 5 s, hurry", "#".repeat(30)));
    }

    #[test]
    fn time_that_ran_over_is_told() {
        assert_eq!(told(42, 90), "42 s of 90.");
        assert_eq!(told(90, 90), "90 s of 90.");
        assert_eq!(told(95, 90), "95 s: 5 s over the time.");
    }
}
