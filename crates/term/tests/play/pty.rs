//! A terminal that is not there: the real command in a pseudo-terminal, its screen, and fingers on its keys.

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a test waits before it says that nothing comes. Long: machines may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// Keys that are no letters.
pub(crate) const ENTER: &str = "\r";
pub(crate) const ESC: &str = "\x1b";
pub(crate) const DOWN: &str = "\x1b[B";
pub(crate) const RIGHT: &str = "\x1b[C";
pub(crate) const BACKSPACE: &str = "\x7f";
pub(crate) const CTRL_C: &str = "\x03";

/// How a terminal is set up.
#[derive(Clone)]
pub(crate) struct Setup {
    program: Vec<String>,
    columns: u16,
    rows: u16,
    data: PathBuf,
    args: Vec<String>,
    environment: Vec<(&'static str, String)>,
}

impl Setup {
    /// A program with these words after it, at 80 × 24, its games in this folder.
    pub(crate) fn of(program: &[&str], data: &Path, args: &[&str]) -> Setup {
        Setup {
            program: program.iter().map(|&word| word.to_owned()).collect(),
            columns: 80,
            rows: 24,
            data: data.to_owned(),
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            environment: [("LC_ALL", "C.UTF-8"), ("TERM", "xterm-256color"), ("NO_COLOR", "")]
                .map(|(name, value)| (name, value.to_owned()))
                .to_vec(),
        }
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Setup {
        self.environment.retain(|(other, _)| *other != name);
        self.environment.push((name, value.to_owned()));
        self
    }

    pub(crate) fn open(self) -> Pty {
        let size = PtySize { rows: self.rows, cols: self.columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(&self.program[0]);
        command.args(&self.program[1..]);
        command.arg("--data");
        command.arg(&self.data);
        command.args(&self.args);
        for (name, value) in self.environment {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the command starts");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("its output");
        let writer = pair.master.take_writer().expect("its input");
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 8192];
            // Where a system says the other end is gone with an error, that is the end too.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let parser = vt100::Parser::new(self.rows, self.columns, 0);
        Pty { master: pair.master, writer, output, child, parser, raw: Vec::new() }
    }
}

/// The command in its terminal.
pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    child: Box<dyn Child + Send + Sync>,
    parser: vt100::Parser,
    raw: Vec<u8>,
}

impl Pty {
    /// The screen as text, without the blanks at the end of lines.
    pub(crate) fn screen(&self) -> String {
        let rows = self.parser.screen().rows(0, self.parser.screen().size().1);
        rows.map(|row| row.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    /// Everything that was written to the terminal.
    pub(crate) fn raw(&self) -> &[u8] {
        &self.raw
    }

    pub(crate) fn emulator(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    fn take(&mut self, bytes: &[u8]) {
        self.parser.process(bytes);
        self.raw.extend_from_slice(bytes);
    }

    /// Is no picture half drawn? The client says where each begins and ends.
    fn is_whole(&self) -> bool {
        let last = |mark: &[u8]| self.raw.windows(mark.len()).rposition(|bytes| bytes == mark);
        last(b"\x1b[?2026h") <= last(b"\x1b[?2026l")
    }

    /// Waits until the screen is as wished.
    pub(crate) fn until(&mut self, what: &str, wish: impl Fn(&str) -> bool) {
        let end = Instant::now() + PATIENCE;
        loop {
            while let Ok(bytes) = self.output.try_recv() {
                self.take(&bytes);
            }
            if self.is_whole() && wish(&self.screen()) {
                return;
            }
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Timeout) => panic!("no {what:?} on the screen:\n{}", self.screen()),
                Err(RecvTimeoutError::Disconnected) => panic!("gone without {what:?}:\n{}", self.screen()),
            }
        }
    }

    /// Waits for a text on the screen.
    pub(crate) fn see(&mut self, text: &str) {
        self.until(text, |screen| screen.contains(text));
    }

    /// Waits until a text is no longer on the screen.
    pub(crate) fn miss(&mut self, text: &str) {
        self.until(&format!("without {text}"), |screen| !screen.contains(text));
    }

    /// Presses keys, all at once.
    pub(crate) fn keys(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).expect("the terminal takes keys");
        self.writer.flush().expect("the terminal takes keys");
    }

    /// Clicks at a place of the screen, counted from 0.
    pub(crate) fn click(&mut self, column: u16, row: u16) {
        self.keys(&format!("\x1b[<0;{0};{1}M\x1b[<0;{0};{1}m", column + 1, row + 1));
    }

    /// Where a text stands on the screen.
    pub(crate) fn find(&self, text: &str) -> (u16, u16) {
        let screen = self.screen();
        let found = screen.lines().enumerate().find_map(|(row, line)| {
            line.find(text).map(|at| (line[..at].chars().count() as u16, row as u16))
        });
        found.unwrap_or_else(|| panic!("{text:?} is not on the screen:\n{screen}"))
    }

    /// Pulls at the corner of the window.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.parser.screen_mut().set_size(rows, columns);
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.master.resize(size).expect("another size");
    }

    /// Sends a signal to the command.
    pub(crate) fn signal(&self, signal: &str) {
        let id = self.child.process_id().expect("it runs").to_string();
        let sent = std::process::Command::new("kill").args([signal, &id]).status().expect("kill is there");
        assert!(sent.success());
    }

    /// Waits for the end; what was written until then is on the screen.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Timeout) => panic!("it does not end:\n{}", self.screen()),
                Err(RecvTimeoutError::Disconnected) => return self.child.wait().expect("it has ended"),
            }
        }
    }

    /// After the end the terminal must be as it was: the usual screen, the cursor, no mouse, cooked keys.
    pub(crate) fn is_clean(&mut self) {
        let status = self.end();
        assert!(status.success(), "{status:?}\n{}", self.screen());
        let screen = self.emulator();
        assert!(!screen.alternate_screen(), "the alternate screen was left");
        assert!(!screen.hide_cursor(), "the cursor is shown");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is let go");
        #[cfg(unix)]
        {
            let modes = self.master.get_termios().expect("the terminal tells its modes");
            let flags = format!("{:?}", modes.local_flags);
            assert!(flags.contains("ICANON") && flags.contains("ECHO "), "{flags}: keys are cooked again");
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder of a test's own.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}
