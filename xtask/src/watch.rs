//! `cargo xtask watch`: a house with the page as it is now. At every change of a source it is built again, the quick way, and opened
//! again at the same address; pages that are open notice, and load themselves again (crates/web/static/reload.js).

use crate::sh;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

const USAGE: &str = "cargo xtask watch [--port P]";

/// How often the sources are looked at.
const LOOK: Duration = Duration::from_millis(250);

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let port: u16 = match args {
        [] => 7777,
        [flag, port] if flag == "--port" => port.parse().map_err(|why| format!("--port {port}: {why}"))?,
        other => return Err(format!("{USAGE}: unknown arguments {other:?}")),
    };
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&stop)).map_err(|why| why.to_string())?;
    }
    let mut house: Option<House> = None;
    while !stop.load(Ordering::Relaxed) {
        let (began, seen) = (Instant::now(), newest(&sources()));
        // What does not compile is left to be mended: the house goes on as it was.
        match build() {
            Ok(program) => {
                drop(house.take());
                house = Some(House::open(&program, port)?);
                println!(
                    "built in {:.1} s: http://127.0.0.1:{port}/  (Ctrl-C ends)",
                    began.elapsed().as_secs_f64()
                );
            }
            Err(why) => println!("{why}; waiting for the next change"),
        }
        while newest(&sources()) == seen && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK);
        }
    }
    Ok(())
}

/// The program with the page as it is now.
fn build() -> Result<PathBuf, String> {
    sh::run("cargo", &["build", "--package", "parlor"])?;
    Ok(sh::target().join("debug").join(format!("parlor{}", std::env::consts::EXE_SUFFIX)))
}

/// A house that is open; closed when dropped.
struct House(Child);

impl House {
    fn open(program: &Path, port: u16) -> Result<House, String> {
        let mut command = Command::new(program);
        command.args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--data"]);
        command.arg(sh::target().join("watch")).stdin(Stdio::null()).stdout(Stdio::null());
        command.spawn().map(House).map_err(|why| format!("{}: {why}", program.display()))
    }
}

impl Drop for House {
    fn drop(&mut self) {
        // Every act is on disk when it is answered: a house may be killed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What the program is made of.
fn sources() -> Vec<PathBuf> {
    ["crates", "Cargo.toml", "Cargo.lock"].iter().map(|path| sh::root().join(path)).collect()
}

/// When the youngest of these files, or a file below them, was changed.
fn newest(paths: &[PathBuf]) -> Option<SystemTime> {
    let of = |path: &PathBuf| {
        let changed = path.metadata().and_then(|meta| meta.modified()).ok();
        let inside = std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
        changed.max(newest(&inside.collect::<Vec<_>>()))
    };
    paths.iter().filter_map(of).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::write;

    #[test]
    fn a_change_anywhere_below_is_seen() {
        let folder = std::env::temp_dir().join(format!("parlor-watch-{}", std::process::id()));
        let file = folder.join("web/src/board.rs");
        write(&file, "one").unwrap();
        let before = newest(std::slice::from_ref(&folder));
        let later = SystemTime::now() + Duration::from_secs(5);
        std::fs::File::options().write(true).open(&file).unwrap().set_modified(later).unwrap();
        let after = newest(std::slice::from_ref(&folder));
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(before.is_some() && after > before, "{before:?} {after:?}");
        assert_eq!(newest(&[folder]), None);
    }
}
