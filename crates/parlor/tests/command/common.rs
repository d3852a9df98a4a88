//! The real command, asked from outside.

use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

pub(crate) fn parlor(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_parlor")).args(args).output().unwrap()
}

/// The answer of a command that succeeds, in JSON (its output is a pipe).
pub(crate) fn json(args: &[&str]) -> Value {
    let out = parlor(args);
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap_or_else(|why| panic!("{args:?}: {why}"))
}

/// A folder of this test's own, emptied.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Every command there is, by walking the help.
pub(crate) fn commands(path: &[String], found: &mut Vec<Vec<String>>) {
    let args: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
    let help = String::from_utf8(parlor(&args).stdout).unwrap();
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<String> = listed
        .filter(|line| line.starts_with("  ") && !line.starts_with("    "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect();
    for name in names {
        let path: Vec<String> = path.iter().cloned().chain([name]).collect();
        found.push(path.clone());
        commands(&path, found);
    }
}

/// The path on which the command is found first.
pub(crate) fn path() -> String {
    let bin = Path::new(env!("CARGO_BIN_EXE_parlor")).parent().unwrap();
    format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default())
}

/// A house of the real program, whose log goes to a file.
pub(crate) struct House {
    child: Child,
    log: PathBuf,
    /// Where it is open: `127.0.0.1:40123`.
    pub(crate) address: String,
}

impl House {
    /// Opens one with this line in a shell, in a folder; waits until it is open.
    pub(crate) fn open(line: &str, folder: &Path, variables: &[(&str, &str)]) -> House {
        let log = folder.join("house.log");
        let mut child = Command::new("sh")
            .args(["-c", &format!("exec {line}")])
            .env("PATH", path())
            .env_remove("PARLOR_LOG_LEVEL")
            .envs(variables.iter().copied())
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let address = first.split("://").nth(1).and_then(|rest| rest.split('/').next()).map(str::to_owned);
        let said = || format!("{line}: {first}{}", std::fs::read_to_string(&log).unwrap());
        let address = address.unwrap_or_else(|| panic!("{}", said()));
        House { child, log, address }
    }

    /// What it has logged so far.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// Asks it to stop; answers its log.
    pub(crate) fn close(mut self) -> String {
        assert!(Command::new("kill").arg(self.child.id().to_string()).status().unwrap().success());
        let ended = self.child.wait().unwrap();
        let log = std::fs::read_to_string(&self.log).unwrap();
        assert!(ended.success(), "{log}");
        log
    }
}

impl Drop for House {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
