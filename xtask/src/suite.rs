//! The whole test suite, set-up included.

use crate::{lanes, licences, platforms, rules, sh, sixth};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Crates whose tests start servers or browsers, and mostly wait for them: each has a lane of its own.
const SLOW: &[&str] = &["server", BROWSER];
/// Left out of the quick part: those, and all that is built on the server or on the page.
const NOT_QUICK: &[&str] = &["server", BROWSER, "page", "parlor", "simulator", "term", "wasm", "web"];
/// The tests in a real browser.
const BROWSER: &str = "browser-tests";

/// Everything that must hold before a change lands.
pub(crate) fn test(args: &[String]) -> Result<(), String> {
    let rust_only = match args {
        [] => false,
        [only] if only == "rust" => true,
        other => return Err(format!("cargo xtask test [rust]: what is {other:?}?")),
    };
    need_components()?;
    need_programs(READERS)?;
    if !rust_only {
        need_wasm()?;
        need_engines()?;
        need_programs(PROXIES)?;
        need_programs(BROWSERS)?;
    }
    sh::run("cargo", &["fmt", "--all", "--check"])?;
    rules::check()?;
    licences::check()?;
    let (left_out, apart) = if rust_only { (NOT_QUICK, [].as_slice()) } else { ([].as_slice(), SLOW) };
    let left_out = left_out.iter().flat_map(|name| ["--exclude", *name]);
    let which: Vec<&str> = std::iter::once("--workspace").chain(left_out).collect();
    // All is built before any of it runs, and the browser tests play what people build: the program of a release.
    let parlor = shipped()?;
    if !rust_only {
        build_shipped(&[])?;
        says_what_it_lacks(&parlor)?;
    }
    lanes::run(&which, apart, &parlor)?;
    if !rust_only {
        platforms::check()?;
        sixth::prove()?;
    }
    eprintln!("\nEverything holds.");
    Ok(())
}

/// Whole games in a real browser against the real program, or three nodes of it; screenshots go to `target/screens`.
pub(crate) fn browser(args: &[String]) -> Result<(), String> {
    let nodes = match args {
        [] => "1",
        [many] if many == "cluster" => "3",
        other => return Err(format!("cargo xtask browser [cluster]: what is {other:?}?")),
    };
    need_wasm()?;
    need_programs(BROWSERS)?;
    if nodes != "1" {
        need_engines()?;
    }
    build_shipped(if nodes == "1" { &[] } else { &["--features", "cluster"] })?;
    let mut tests = sh::command("cargo", &["test", "--package", BROWSER]);
    sh::go(tests.env("PARLOR_PROGRAM", shipped()?).env("PARLOR_NODES", nodes))
}

/// Renews the pictures of the docs from what the browser tests capture: the stills and the moving one, or only that.
pub(crate) fn pictures(args: &[String]) -> Result<(), String> {
    need_programs(FILM)?;
    match args {
        [] => browser(&[])?,
        [only] if only == "film" => {
            need_wasm()?;
            need_programs(BROWSERS)?;
            build_shipped(&[])?;
            let mut test = sh::command("cargo", &["test", "--package", BROWSER, "--test", "film"]);
            return sh::go(test.env("PARLOR_PROGRAM", shipped()?)).and_then(|()| film());
        }
        other => return Err(format!("cargo xtask pictures [film]: unknown argument {other:?}")),
    }
    let (from, to) = (sh::root().join("target/screens/postcards"), sh::root().join("docs/pictures"));
    let cards = std::fs::read_dir(&from).map_err(|why| format!("{}: {why}", from.display()))?;
    for card in cards.flatten() {
        std::fs::copy(card.path(), to.join(card.file_name()))
            .map_err(|why| format!("docs/pictures: {why}"))?;
    }
    film()
}

/// The largest that the moving picture may be, in bytes: a README must not make anybody wait.
const FILM_SIZE: u64 = 1_500_000;

/// Makes one animated picture of the frames in `target/screens/film`, each shown for as long as `cut.txt` says.
fn film() -> Result<(), String> {
    let frames = sh::root().join("target/screens/film");
    let cut = std::fs::read_to_string(frames.join("cut.txt")).map_err(|why| format!("cut.txt: {why}"))?;
    let out = sh::root().join("docs/pictures/play.webp");
    let mut encode = std::process::Command::new("img2webp");
    encode.args(["-loop", "0", "-lossy", "-q", "72", "-m", "4"]);
    for line in cut.lines() {
        let (long, file) = line.split_once(' ').ok_or_else(|| format!("cut.txt: {line:?}"))?;
        encode.args(["-d", long]).arg(frames.join(file));
    }
    sh::go(encode.arg("-o").arg(&out))?;
    let size = std::fs::metadata(&out).map_err(|why| format!("{}: {why}", out.display()))?.len();
    if size > FILM_SIZE {
        return Err(format!("{} has {size} bytes; at most {FILM_SIZE} are allowed", out.display()));
    }
    println!("{}: {} frames, {size} bytes", out.display(), cut.lines().count());
    Ok(())
}

/// The program as people build it from source, and what else it needs.
fn build_shipped(features: &[&str]) -> Result<(), String> {
    sh::run("cargo", &[&["build", "--release", "--package", "parlor"], features].concat())
}

/// A plain build leaves things out, and tells whoever asks for them how to get them.
fn says_what_it_lacks(parlor: &Path) -> Result<(), String> {
    let nowhere = "postgres://nobody@127.0.0.1:1/none";
    for (args, feature) in [
        (&["print", "cubo", "--out", "-"][..], "--features print"),
        (&["serve", "--listen", "127.0.0.1:0", "--database", nowhere], "--features cluster"),
        (&["migrate", "--from", "nowhere", "--to", nowhere], "--features cluster"),
    ] {
        let out = Command::new(parlor).args(args).stdin(Stdio::null()).output();
        let out = out.map_err(|why| format!("{}: {why}", parlor.display()))?;
        let said = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
        if out.status.code() != Some(2) || !said.contains(feature) {
            return Err(format!("parlor {} does not say how to get it: {said}", args.join(" ")));
        }
    }
    Ok(())
}

/// Where that lies: this one is <target>/<profile>/xtask.
fn shipped() -> Result<PathBuf, String> {
    let me = std::env::current_exe().map_err(|why| format!("where am I? {why}"))?;
    let target = me.ancestors().nth(2).ok_or("this program lies in no target folder")?;
    Ok(target.join("release/parlor"))
}

/// Programs the tests need beside Rust, and the Debian packages that have them.
const BROWSERS: &[(&str, &str)] = &[("chromium", "chromium"), ("chromedriver", "chromium-driver")];

/// What makes a moving picture of single ones.
const FILM: &[(&str, &str)] = &[("img2webp", "webp")];

/// What a house of many nodes stands on.
const ENGINES: &[(&str, &str)] = &[("initdb", "postgresql"), ("nats-server", "nats-server")];

/// What stands in front of a house.
const PROXIES: &[(&str, &str)] = &[("nginx", "nginx"), ("caddy", "caddy"), ("haproxy", "haproxy")];

/// What printed pages are read and measured with.
const READERS: &[(&str, &str)] = &[("pdftoppm", "poppler-utils"), ("pdftotext", "poppler-utils")];

/// A browser and its driver, installed if they are missing.
pub(crate) fn need_browsers() -> Result<(), String> {
    need_programs(BROWSERS)
}

/// PostgreSQL and NATS, installed if they are missing.
pub(crate) fn need_engines() -> Result<(), String> {
    need_programs(ENGINES)
}

/// The page is built for wasm.
fn need_wasm() -> Result<(), String> {
    need_of_rust("target", "wasm32-unknown-unknown")
}

/// The lints and the format, which the smallest installation of Rust leaves out.
fn need_components() -> Result<(), String> {
    ["clippy", "rustfmt"].iter().try_for_each(|name| need_of_rust("component", name))
}

/// A part of Rust: added if it is missing. (Components are listed with the machine's kind behind their names.)
pub(crate) fn need_of_rust(kind: &str, name: &str) -> Result<(), String> {
    let there = sh::output("rustup", &[kind, "list", "--installed"])?;
    let is_it =
        |line: &str| line.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    if there.lines().any(is_it) { Ok(()) } else { sh::run("rustup", &[kind, "add", name]) }
}

/// Installs the programs that are missing; where it may not, says exactly what to install.
pub(crate) fn need_programs(programs: &[(&str, &'static str)]) -> Result<(), String> {
    let mut missing: Vec<&str> = programs
        .iter()
        .filter(|(program, _)| engines::find(program).is_none())
        .map(|(_, package)| *package)
        .collect();
    missing.dedup();
    if missing.is_empty() {
        return Ok(());
    }
    let install = |packages: &[&str]| {
        sh::run("apt-get", &["update", "--quiet"])?;
        sh::run("apt-get", &[&["install", "--yes", "--quiet"], packages].concat())
    };
    let how = format!("install them with: apt-get install {}", missing.join(" "));
    if !sh::has("apt-get") {
        return Err(format!(
            "the tests need programs that are not here; {how} (or your system's like of it)"
        ));
    }
    install(&missing).map_err(|why| format!("{why}; {how}"))
}

/// Writes all playthroughs anew.
pub(crate) fn playthrough() -> Result<(), String> {
    let mut command = sh::command("cargo", &["test", "--workspace", "--quiet", "--test", "playthrough"]);
    sh::go(command.env("PARLOR_WRITE", "1"))
}

/// Runs the benches. The server's is a load generator with real sockets, which says itself what it measures.
pub(crate) fn bench(args: &[String]) -> Result<(), String> {
    let load = ["run", "--release", "--package", "server", "--example", "load", "--"];
    match args {
        [] => sh::run("cargo", &["bench", "--workspace"]).and_then(|()| sh::run("cargo", &load)),
        [name] if name == "cluster" => {
            need_engines()?;
            sh::run("cargo", &[&load[..], &["cluster"]].concat())
        }
        [name, rest @ ..] if name == "server" => {
            let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
            sh::run("cargo", &[&load[..], &rest].concat())
        }
        [name] => sh::run("cargo", &["bench", "-p", name]),
        other => Err(format!("cargo xtask bench [crate]: what is {other:?}?")),
    }
}

/// Feeds every reader of people's, files' and the network's words with nonsense: a minute each, or as long as is said.
pub(crate) fn fuzz(args: &[String]) -> Result<(), String> {
    let rest = args.iter().map(String::as_str);
    // Not with --release: arithmetic that overflows is to be heard of.
    let run: Vec<&str> = ["run", "--package", "fuzz", "--"].into_iter().chain(rest).collect();
    sh::run("cargo", &run)
}

/// Plays whole houses in virtual time with faults of every kind; prints every seed that fails.
pub(crate) fn simulate(args: &[String]) -> Result<(), String> {
    let rest = args.iter().map(String::as_str);
    let run: Vec<&str> = ["run", "--package", "simulator", "--"].into_iter().chain(rest).collect();
    sh::run("cargo", &run)
}
