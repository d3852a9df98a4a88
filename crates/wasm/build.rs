//! Compiles the crate `web` for wasm in a build of its own and tells `page` where the program lies (`DEP_PARLOR_WEB_PROGRAM`).
//!
//! That build has a target folder of its own, so it neither waits for the outer build nor is thrown away by it. It takes its share
//! of the processors from the outer one.

#[path = "build/progress.rs"]
mod progress;

use progress::Progress;
use std::collections::HashSet;
use std::error::Error;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const TARGET: &str = "wasm32-unknown-unknown";

/// Set: the page of a release, also in a build that is none.
const AS_SHIPPED: &str = "PARLOR_PAGE_AS_SHIPPED";

/// Nothing is said for no longer than this, and crates are named no faster than that.
const SILENCE: Duration = Duration::from_secs(8);
const PAUSE: Duration = Duration::from_secs(3);

fn main() {
    match build() {
        Ok((program, profile)) => {
            println!("cargo::metadata=program={}", program.display());
            println!("cargo::metadata=profile={profile}");
        }
        Err(fault) => {
            eprintln!("\nThe page could not be built: {fault}\n");
            std::process::exit(1);
        }
    }
}

fn build() -> Result<(PathBuf, &'static str)> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let web = Path::new(&env::var("CARGO_MANIFEST_DIR")?).with_file_name("web");
    for watched in ["build.rs", "build", "../web/Cargo.toml", "../../Cargo.lock"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    need_target()?;
    let profile = profile(&out)?;
    Ok((compile(&web, &nested_target(&out), profile)?, profile))
}

/// How the page is compiled. The suite asks for the page that is given away in whatever is built: it tests no other.
fn profile(out: &Path) -> Result<&'static str> {
    println!("cargo::rerun-if-env-changed={AS_SHIPPED}");
    // <target>/<profile>/build/wasm-<hash>/out: a profile made of another has only its folder to itself.
    Ok(match out.ancestors().nth(3).and_then(Path::file_name).and_then(|name| name.to_str()) {
        Some("dist") => "web-dist",
        _ if env::var("PROFILE")? == "release" || env::var_os(AS_SHIPPED).is_some() => "web",
        _ => "web-dev",
    })
}

/// The compiler's half for wasm: asked for once, with a word on what to do where that fails.
fn need_target() -> Result<()> {
    let rustc = env::var("RUSTC")?;
    let libdir = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output()?;
    if has_core(Path::new(String::from_utf8_lossy(&libdir.stdout).trim())) {
        return Ok(());
    }
    match Command::new("rustup").args(["target", "add", TARGET]).status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!(
            "it needs the compiler's library for {TARGET}, and `rustup target add {TARGET}` did not work. \
             Run that once with a network, or install your system's package for it, and build again."
        )
        .into()),
    }
}

fn has_core(libdir: &Path) -> bool {
    let Ok(files) = fs::read_dir(libdir) else { return false };
    files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libcore"))
}

/// A target folder beside the outer build's profile folders: `target/page`.
fn nested_target(out: &Path) -> PathBuf {
    // OUT_DIR is <target>/<profile>/build/wasm-<hash>/out, with <triple> before <profile> where one was named.
    let profile = out.ancestors().nth(3).unwrap_or(out);
    let target = profile.parent().unwrap_or(profile);
    let named =
        target.file_name().is_some_and(|name| env::var("TARGET").is_ok_and(|triple| name == triple.as_str()));
    let target = if named { target.parent().unwrap_or(target) } else { target };
    target.join("page")
}

/// What the outer build was told is not meant for the inner one, but for one thing: which paths to leave out of what is given away.
fn inner_cargo() -> Result<Command> {
    let mut cargo = Command::new(env::var("CARGO")?);
    let own =
        ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CLIPPY_ARGS"];
    for (name, _) in env::vars() {
        if own.contains(&name.as_str())
            || name.starts_with("CARGO_PROFILE_")
            || name.starts_with("CARGO_FEATURE_")
        {
            cargo.env_remove(name);
        }
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let maps: Vec<&str> =
        flags.split('\x1f').filter(|flag| flag.starts_with("--remap-path-prefix")).collect();
    if !maps.is_empty() {
        cargo.env("CARGO_ENCODED_RUSTFLAGS", maps.join("\x1f"));
    }
    Ok(cargo)
}

fn compile(web: &Path, target: &Path, profile: &str) -> Result<PathBuf> {
    let manifest = web.join("Cargo.toml");
    let mut cargo = inner_cargo()?;
    cargo
        .args(["rustc", "--lib", "--quiet", "--message-format", "json-render-diagnostics"])
        .args(["--target", TARGET, "--profile", profile, "--target-dir"])
        .arg(target)
        .arg("--manifest-path")
        .arg(&manifest)
        // Where everything is named that one function needs of another: without it the program cannot be cut.
        .args(["--", "-Clink-arg=--emit-relocs"]);
    let progress = terminal().map(Progress::on);
    let artifacts = if progress.is_some() { Stdio::piped() } else { Stdio::null() };
    let mut compiling = cargo.stdin(Stdio::null()).stdout(artifacts).spawn()?;
    if let (Some(mut progress), Some(artifacts)) = (progress, compiling.stdout.take()) {
        progress.expect(crates(&manifest).unwrap_or_default());
        progress.follow(BufReader::new(artifacts), SILENCE, PAUSE);
    }
    if !compiling.wait()?.success() {
        return Err("the crate `web` does not compile for wasm; its errors stand above".into());
    }
    let folder = target.join(TARGET).join(profile);
    watch(&folder.join("web.d"))?;
    Ok(folder.join("web.wasm"))
}

/// Of whoever builds, if there is one.
fn terminal() -> Option<fs::File> {
    let name = if cfg!(windows) { "CONOUT$" } else { "/dev/tty" };
    fs::OpenOptions::new().write(true).open(name).ok()
}

/// How many crates the page is made of.
fn crates(manifest: &Path) -> Result<usize> {
    let mut tree = inner_cargo()?;
    tree.args(["tree", "--quiet", "--edges", "normal,build", "--prefix", "none", "--target", TARGET]);
    let told = tree.arg("--manifest-path").arg(manifest).output()?;
    let text = String::from_utf8_lossy(&told.stdout);
    let names: HashSet<&str> = text.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    Ok(names.len())
}

/// Looks again when any source of the client or of an engine in it has changed, and only then.
fn watch(dep_info: &Path) -> Result<()> {
    let text = fs::read_to_string(dep_info)?;
    let sources = text.split_once(": ").map_or("", |(_, sources)| sources);
    // Spaces within a path are written "\ ".
    for source in sources.trim().replace("\\ ", "\u{0}").split_whitespace() {
        println!("cargo::rerun-if-changed={}", source.replace('\u{0}', " "));
    }
    Ok(())
}
