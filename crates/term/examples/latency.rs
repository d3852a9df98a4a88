//! How quick the terminal client is, measured from outside, in a pseudo-terminal: from the start of the process to its first picture,
//! and from a key to the picture that shows it.
//!
//! `cargo build --release -p term && cargo run --release -p term --example latency`

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a picture may take before something is wrong.
const PATIENCE: Duration = Duration::from_secs(20);

/// The client in a pseudo-terminal.
struct Client {
    writer: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    parser: vt100::Parser,
    started: Instant,
    child: Box<dyn portable_pty::Child + Send + Sync>,
    _master: Box<dyn portable_pty::MasterPty + Send>,
}

impl Client {
    fn start(program: &Path, data: &Path, args: &[&str]) -> Client {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut reader = pair.master.try_clone_reader().expect("its output");
        let writer = pair.master.take_writer().expect("its input");
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut bytes = vec![0; 65536];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let mut command = CommandBuilder::new(program);
        command.args(args);
        command.args(["--seed", "7", "--pace", "0", "--data"]);
        command.arg(data);
        command.env("LC_ALL", "C.UTF-8");
        command.env("TERM", "xterm-256color");
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).expect("the client starts");
        let parser = vt100::Parser::new(24, 80, 0);
        Client { writer, output, parser, started, child, _master: pair.master }
    }

    /// Waits for a text; answers when it was there.
    fn see(&mut self, text: &str) -> Instant {
        while !self.parser.screen().contents().contains(text) {
            let bytes = self.output.recv_timeout(PATIENCE);
            self.parser.process(&bytes.unwrap_or_else(|_| panic!("{text:?} never came")));
        }
        Instant::now()
    }

    /// From a key to the first bytes of a new picture.
    fn press(&mut self, key: &str) -> Duration {
        while self.output.try_recv().is_ok() {}
        let pressed = Instant::now();
        self.writer.write_all(key.as_bytes()).expect("a key");
        let bytes = self.output.recv_timeout(PATIENCE).expect("a picture");
        let shown = pressed.elapsed();
        self.parser.process(&bytes);
        // The rest of this picture is not the next one's.
        thread::sleep(Duration::from_millis(15));
        shown
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn tell(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1000.0;
    println!("{what:<52} best {:>6.1} ms  median {:>6.1} ms  19 of 20 {:>6.1} ms", at(0), at(50), at(95));
}

fn main() {
    let me = std::env::current_exe().expect("this program");
    let program = std::env::args().nth(1).map_or_else(
        || me.ancestors().nth(2).expect("the target folder").join("parlor-play"),
        std::path::PathBuf::from,
    );
    let folder = tempfile::tempdir().expect("a folder");
    let start = |args: &[&str], sight: &str| {
        let mut client = Client::start(&program, folder.path(), args);
        client.see(sight) - client.started
    };
    tell("start to the shelf", (0..40).map(|_| start(&[], "q leave")).collect());
    tell(
        "start to a table of Cubo",
        (0..20).map(|_| start(&["cubo", "--players", "Ann"], "Ready?")).collect(),
    );
    tell(
        "start to a table of Scribbage, dictionary and all",
        (0..20).map(|_| start(&["scribbage", "--players", "Ann"], "Throw the dice")).collect(),
    );
    let keys = |args: &[&str], sight: &str, before: &[&str], keys: [&str; 2]| {
        let mut client = Client::start(&program, folder.path(), args);
        client.see(sight);
        thread::sleep(Duration::from_millis(50));
        for key in before {
            client.press(key);
        }
        (0..200).map(|at| client.press(keys[at % 2])).collect::<Vec<_>>()
    };
    let arrows = ["\x1b[C", "\x1b[D"];
    tell("a key on the shelf", keys(&[], "q leave", &[], ["\x1b[B", "\x1b[A"]));
    tell(
        "an arrow on the felt of Dice Roulette",
        keys(&["roulette", "--players", "Ann"], "Your turn.", &[], arrows),
    );
    tell(
        "a chip laid and undone, through engine and disk",
        keys(&["roulette", "--players", "Ann"], "Your turn.", &[], ["\r", "u"]),
    );
    tell(
        "an arrow over the board of Contact",
        keys(&["contact", "--players", "Ann,Ben"], "your turn.", &[], arrows),
    );
    tell(
        "a die of Cubo laid and taken back",
        keys(&["cubo", "--players", "Ann"], "Ready?", &["\r"], ["1", "\x1b[D\x7f"]),
    );
    tell(
        "Scribbage: the way of writing turned",
        keys(&["scribbage", "--players", "Ann"], "Throw the dice", &["\r"], [" ", " "]),
    );
}
