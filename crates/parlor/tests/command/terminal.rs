//! A terminal that is not there, of 80 × 24, with a shell's line running in it.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long nothing may come before that is taken for a failure. Long: machines may be busy.
const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    parser: vt100::Parser,
    _master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    /// Runs a line there, in this folder and with this path.
    pub(crate) fn open(line: &str, folder: &Path, path: &str) -> Terminal {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", &format!("exec {line}")]);
        command.cwd(folder);
        command.env("HOME", folder);
        for (name, value) in [("PATH", path), ("LC_ALL", "C.UTF-8"), ("TERM", "xterm-256color")] {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        let (mut reader, keys) =
            (pair.master.try_clone_reader().unwrap(), pair.master.take_writer().unwrap());
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 8192];
            // Where a system says the other end is gone with an error, that is the end too.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal { child, keys, output, parser: vt100::Parser::new(24, 80, 0), _master: pair.master }
    }

    pub(crate) fn screen(&self) -> String {
        self.parser.screen().contents()
    }

    /// Whether anything there has a colour, or is fainter or stronger than the rest.
    pub(crate) fn is_coloured(&self) -> bool {
        let screen = self.parser.screen();
        let cells = (0..24).flat_map(|row| (0..80).filter_map(move |column| screen.cell(row, column)));
        cells
            .filter(|cell| cell.has_contents())
            .any(|cell| cell.fgcolor() != vt100::Color::Default || cell.bold() || cell.dim())
    }

    /// Waits for a sight; answers whether it came before the end.
    pub(crate) fn sees(&mut self, sight: impl Fn(&str) -> bool) -> bool {
        while !sight(&self.screen()) {
            let Ok(bytes) = self.output.recv_timeout(PATIENCE) else { return false };
            self.parser.process(&bytes);
        }
        true
    }

    pub(crate) fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Reads to the end; answers whether it came, and was a good one.
    pub(crate) fn ends(&mut self) -> bool {
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => self.parser.process(&bytes),
                Err(RecvTimeoutError::Disconnected) => return self.child.wait().unwrap().success(),
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill(); // it may have ended
    }
}
