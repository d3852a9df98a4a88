//! The real program, serving.

use crate::Trouble;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// A house that is open, on a port and a folder of its own. Closed when dropped.
pub struct Parlor {
    child: Child,
    address: String,
    data: PathBuf,
}

impl Parlor {
    /// Opens a house on any free port.
    pub fn open() -> Result<Parlor, Trouble> {
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let data = std::env::temp_dir().join(format!("parlor-browser-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&data)?;
        Parlor::at("127.0.0.1:0", data)
    }

    fn at(listen: &str, data: PathBuf) -> Result<Parlor, Trouble> {
        let mut child = Command::new(program()?)
            .args(["serve", "--listen", listen, "--data"])
            .arg(&data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let stdout = child.stdout.take().ok_or("the program has no output")?;
        let mut lines = BufReader::new(stdout).lines();
        let address = loop {
            let line = lines.next().ok_or("the program ended before it was open")??;
            let found = line.split_whitespace().find_map(|word| word.strip_prefix("http://"));
            if let Some(address) = found {
                break address.trim_end_matches('/').to_owned();
            }
        };
        // Whoever writes must be read.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Parlor { child, address, data })
    }

    /// The address of a place in the house.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Kills the program without a word, as a power cut would.
    pub fn kill(&mut self) -> Result<(), Trouble> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Opens it again at the same address, with the same folder.
    pub fn reopen(&mut self) -> Result<(), Trouble> {
        let again = Parlor::at(&self.address.clone(), self.data.clone())?;
        let mut old = std::mem::replace(self, again);
        old.data = PathBuf::new();
        Ok(())
    }
}

impl Drop for Parlor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if self.data != Path::new("") {
            let _ = std::fs::remove_dir_all(&self.data);
        }
    }
}

/// The program, built as these tests are, or the one that `PARLOR_PROGRAM` names.
fn program() -> Result<&'static Path, Trouble> {
    static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let built = PROGRAM.get_or_init(|| build().map_err(|trouble| trouble.to_string()));
    built.as_deref().map_err(|trouble| trouble.clone().into())
}

fn build() -> Result<PathBuf, Trouble> {
    if let Some(named) = std::env::var_os("PARLOR_PROGRAM") {
        return Ok(named.into());
    }
    // This test lies in <target>/<profile>/deps; the program in <target>/<profile>.
    let me = std::env::current_exe()?;
    let folder = me.ancestors().nth(2).ok_or("the test lies in no target folder")?;
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--package", "parlor"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo.env("CARGO_TARGET_DIR", folder.parent().ok_or("no target folder")?);
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    if !cargo.status()?.success() {
        return Err("the program does not build".into());
    }
    Ok(folder.join("parlor"))
}
