//! How far the inner build is, told to whoever sits at the terminal: cargo shows nothing of what a build script says.

use std::collections::HashSet;
use std::io::{BufRead, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

pub(crate) struct Progress<W> {
    terminal: W,
    all: usize,
    done: HashSet<String>,
    began: Instant,
    said: Instant,
}

impl<W: Write> Progress<W> {
    /// The first line comes at once.
    pub(crate) fn on(terminal: W) -> Progress<W> {
        let now = Instant::now();
        let mut progress = Progress { terminal, all: 0, done: HashSet::new(), began: now, said: now };
        progress.say("compiling it for the browser");
        progress
    }

    /// This many crates are to be compiled, or fewer.
    pub(crate) fn expect(&mut self, all: usize) {
        self.all = all;
    }

    /// Reads a line of cargo's JSON for every crate that is finished, until the build is over. A line is said at least after each
    /// silence, and for crates no sooner than after a pause.
    pub(crate) fn follow(
        mut self,
        artifacts: impl BufRead + Send + 'static,
        silence: Duration,
        pause: Duration,
    ) {
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || {
            for line in artifacts.lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    break;
                }
            }
        });
        loop {
            match told.recv_timeout(silence.saturating_sub(self.said.elapsed())) {
                Ok(line) => self.read(&line, pause),
                Err(RecvTimeoutError::Timeout) => {
                    let text = format!("{}, {} s so far", self.count(), self.began.elapsed().as_secs());
                    self.say(&text);
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn read(&mut self, line: &str, pause: Duration) {
        // What was there already took no time.
        let built = line.starts_with(r#"{"reason":"compiler-artifact""#) && line.contains(r#""fresh":false"#);
        let package = line.split(r#""package_id":""#).nth(1).and_then(|rest| rest.split('"').next());
        let (true, Some(package)) = (built, package) else { return };
        let is_new = self.done.insert(package.to_owned());
        if is_new && (self.done.len() == 1 || self.said.elapsed() >= pause) {
            let name = package.rsplit(['/', '#']).next().unwrap_or(package).replace('@', " ");
            let text = format!("{} ({name})", self.count());
            self.say(&text);
        }
    }

    fn count(&self) -> String {
        format!("{} of {} crates", self.done.len(), self.all.max(self.done.len()))
    }

    /// Over cargo's own bar, which it draws again below. A terminal that went away is no reason to stop.
    fn say(&mut self, text: &str) {
        let _ = writeln!(self.terminal, "\r\x1b[K   The page: {text}").and_then(|()| self.terminal.flush());
        self.said = Instant::now();
    }
}
