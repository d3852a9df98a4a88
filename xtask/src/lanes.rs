//! Lints and builds everything at once, then runs the test programs in lanes: those that wait for browsers and servers beside
//! those that think.

use crate::sh;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// A test program, and the package that it tests.
struct Tests {
    name: String,
    folder: PathBuf,
    program: PathBuf,
}

/// Builds these packages with their tests, then runs them; the tests of each of the packages apart in a lane of its own. Where none
/// is apart, the others have two lanes: many of them are one long thought.
pub(crate) fn run(which: &[&str], apart: &[&str], parlor: &Path) -> Result<(), String> {
    let build = ["--no-run", "--all-targets", "--message-format", BRIEF];
    let built = sh::hear(&mut linting(&[&["test"][..], &build, which].concat()))?;
    let mut lanes: Vec<Vec<Tests>> = Vec::new();
    lanes.resize_with((apart.len() + 1).max(2), Vec::new);
    let rest = apart.len()..lanes.len();
    for (tests, turn) in built.lines().filter_map(read).zip(rest.cycle()) {
        let lane = apart.iter().position(|package| tests.folder.ends_with(package));
        lanes[lane.unwrap_or(turn)].push(tests);
    }
    let failed: Vec<String> = std::thread::scope(|scope| {
        let mut driving: Vec<_> = lanes.iter().map(|lane| scope.spawn(|| drive(lane, parlor))).collect();
        driving.push(scope.spawn(|| examples(which)));
        driving
            .into_iter()
            .flat_map(|lane| lane.join().unwrap_or_else(|_| vec!["a lane".to_owned()]))
            .collect()
    });
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// Cargo with clippy's driver as the compiler of our crates: one build gives the lints and the programs, where
/// `cargo clippy` would have read every dependency a second time. A lint is an error; the words that say so are joined as
/// the driver wants them.
pub(crate) fn linting(args: &[&str]) -> Command {
    let mut cargo = sh::command("cargo", args);
    cargo.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver").env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings");
    // The page inside is the one of a release: it is compiled once, and no other is tested.
    cargo.env("PARLOR_PAGE_AS_SHIPPED", "1");
    cargo
}

/// Artifacts as JSON for us, what the compiler has to say as text for people.
const BRIEF: &str = "json-render-diagnostics";

/// A line of cargo's, if it tells of a test program.
fn read(line: &str) -> Option<Tests> {
    let artifact: Value = serde_json::from_str(line).ok()?;
    let kind = artifact["target"]["kind"][0].as_str()?;
    if artifact["profile"]["test"] != true || matches!(kind, "bench" | "example") {
        return None;
    }
    let folder = PathBuf::from(artifact["manifest_path"].as_str()?).parent()?.to_owned();
    let package = folder.file_name()?.to_string_lossy().into_owned();
    let name = format!("{package} {}", artifact["target"]["name"].as_str()?);
    Some(Tests { name, folder, program: artifact["executable"].as_str()?.into() })
}

/// Runs a lane's programs in turn, and goes on where one fails; answers which did.
fn drive(lane: &[Tests], parlor: &Path) -> Vec<String> {
    lane.iter().filter(|tests| !tests.pass(parlor)).map(|tests| tests.name.clone()).collect()
}

/// The examples in the documentation, which cargo alone knows how to run.
fn examples(which: &[&str]) -> Vec<String> {
    let mut run = linting(&[&["test", "--doc", "--quiet"], which].concat());
    let name = "the documentation's examples";
    if passes(name, &mut run) { Vec::new() } else { vec![name.to_owned()] }
}

impl Tests {
    fn pass(&self, parlor: &Path) -> bool {
        let mut run = Command::new(&self.program);
        // As cargo would: in the package's folder, and with its name for it.
        run.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder).env("PARLOR_PROGRAM", parlor);
        passes(&self.name, &mut run)
    }
}

/// Runs something and says what it said, in one piece, so that the lanes do not talk into each other.
fn passes(name: &str, run: &mut Command) -> bool {
    let began = Instant::now();
    let (passed, said) = match run.stdin(Stdio::null()).output() {
        Ok(out) => (out.status.success(), [out.stdout, out.stderr].concat()),
        Err(why) => (false, why.to_string().into_bytes()),
    };
    eprint!("\n▸ {name} ({} s){}", began.elapsed().as_secs(), String::from_utf8_lossy(&said));
    passed
}
