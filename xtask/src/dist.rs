//! Packages for this platform: the program with its pages, completions and licences, as an archive and as a Debian package, with a bill of
//! materials and checksums. The same commit gives the same bytes.

use crate::sh;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const USAGE: &str = "cargo xtask dist [--profile NAME]";

/// What is packed, and where.
struct Pack {
    /// `0.1.0`.
    version: String,
    /// `x86_64-unknown-linux-gnu`.
    platform: String,
    /// The time of the commit, in seconds since 1970: every file is as old as that.
    time: String,
    /// The program, built.
    program: PathBuf,
    /// Where packages are made.
    out: PathBuf,
}

/// Builds the program and packs it into `target/packages`.
pub(crate) fn dist(args: &[String]) -> Result<(), String> {
    let profile = match args {
        [] => "dist",
        [flag, name] if flag == "--profile" => name,
        other => return Err(format!("{USAGE}: what is {other:?}?")),
    };
    build(profile)?;
    let pack = Pack::of(profile)?;
    let _ = fs::remove_dir_all(&pack.out);
    let folder = pack.folder()?;
    let mut made = vec![pack.archive(&folder)?, pack.materials()?];
    if sh::has("dpkg-deb") {
        made.push(pack.debian(&folder)?);
    } else {
        println!("no dpkg-deb here: the Debian package is left out");
    }
    pack.sums(&made)
}

/// Paths of this machine are kept out of a program that is given away.
fn build(profile: &str) -> Result<(), String> {
    let mut cargo = sh::command("cargo", &["build", "--locked", "--package", "parlor", "--profile", profile]);
    if profile == "dist" {
        let home =
            std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| home + "/.cargo"));
        let home = home.map_err(|why| format!("where is cargo at home? {why}"))?;
        let root = sh::root();
        cargo.env(
            "RUSTFLAGS",
            format!("--remap-path-prefix={}=parlor --remap-path-prefix={home}=cargo", root.display()),
        );
    }
    sh::go(&mut cargo)
}

impl Pack {
    fn of(profile: &str) -> Result<Pack, String> {
        let told = sh::output("rustc", &["--version", "--verbose"])?;
        let platform =
            told.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc has no host")?;
        let target = sh::root().join("target");
        let program = format!("parlor{}", std::env::consts::EXE_SUFFIX);
        Ok(Pack {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            platform: platform.to_owned(),
            time: sh::output("git", &["log", "-1", "--format=%ct"])?.trim().to_owned(),
            program: target.join(profile).join(program),
            out: target.join("packages"),
        })
    }

    fn name(&self) -> String {
        format!("parlor-{}-{}", self.version, self.platform)
    }

    /// Everything that is given away, in one folder.
    fn folder(&self) -> Result<PathBuf, String> {
        let folder = self.out.join(self.name());
        copy(&self.program, &folder.join(self.program.file_name().unwrap_or_default()))?;
        let root = sh::root();
        for file in [
            "README.md",
            "CHANGELOG.md",
            "LICENSE-MIT",
            "LICENSE-APACHE",
            "docs/hosting.md",
            "docs/command.md",
        ] {
            let name = Path::new(file).file_name().unwrap_or_default();
            copy(&root.join(file), &folder.join(name))?;
        }
        for file in ["parlor.service", "parlor.toml"] {
            copy(&root.join("xtask/package").join(file), &folder.join(file))?;
        }
        write(&folder.join("LICENCES.md"), &licences(&self.crates()?)?)?;
        let man = folder.join("man");
        sh::go(Command::new(&self.program).arg("man").arg("--out").arg(&man).stdout(Stdio::null()))?;
        for (shell, file) in [("bash", "parlor.bash"), ("zsh", "_parlor"), ("fish", "parlor.fish")] {
            let script = sh::hear(Command::new(&self.program).args(["completions", shell]))?;
            write(&folder.join("completions").join(file), &script)?;
        }
        Ok(folder)
    }

    /// The archive, with files in the order of their names, all of one time and of nobody in particular.
    fn archive(&self, folder: &Path) -> Result<PathBuf, String> {
        let archive = self.out.join(format!("{}.tar.gz", self.name()));
        if !sh::output("tar", &["--version"])?.contains("GNU") {
            // Another tar cannot say whose and how old files are.
            let mut tar = Command::new("tar");
            tar.arg("-czf").arg(&archive).arg("-C").arg(&self.out).arg(self.name());
            return sh::go(&mut tar).map(|()| archive);
        }
        let mut tar = Command::new("tar")
            .args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=ustar"])
            .arg(format!("--mtime=@{}", self.time))
            .arg("--directory")
            .arg(&self.out)
            .args(["--create", "--file=-"])
            .arg(folder.file_name().unwrap_or_default())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|why| format!("tar: {why}"))?;
        let packed = fs::File::create(&archive).map_err(|why| format!("{}: {why}", archive.display()))?;
        let stream = tar.stdout.take().ok_or("tar says nothing")?;
        sh::go(Command::new("gzip").args(["-9", "-n"]).stdin(stream).stdout(packed))?;
        let ended = tar.wait().map_err(|why| format!("tar: {why}"))?;
        if ended.success() { Ok(archive) } else { Err(format!("tar failed ({ended})")) }
    }

    /// The crates in the program: name, version and licence of each.
    fn crates(&self) -> Result<Vec<[String; 3]>, String> {
        let tree =
            ["tree", "--locked", "--package", "parlor", "--edges", "normal", "--prefix", "none", "--target"];
        let tree = [&tree[..], &[&self.platform, "--format", "{p}|{l}"]].concat();
        let mut crates = Vec::new();
        for line in sh::output("cargo", &tree)?.lines() {
            let Some((package, licence)) = line.trim_end_matches(" (*)").split_once('|') else { continue };
            let mut words = package.split(' ');
            let (Some(name), Some(version)) = (words.next(), words.next()) else { continue };
            if words.all(|word| !word.starts_with("(/")) {
                crates.push([name, version.trim_start_matches('v'), licence].map(str::to_owned));
            }
        }
        crates.sort();
        crates.dedup();
        Ok(crates)
    }

    /// The bill of materials, as `CycloneDX`.
    fn materials(&self) -> Result<PathBuf, String> {
        let component = |[name, version, licence]: &[String; 3]| {
            json!({"type": "library", "name": name, "version": version, "purl": format!("pkg:cargo/{name}@{version}"),
                "licenses": [{"expression": licence}]})
        };
        let components: Vec<Value> = self.crates()?.iter().map(component).collect();
        let bill = json!({
            "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": {"component": {"type": "application", "name": "parlor", "version": self.version}},
            "components": components,
        });
        let path = self.out.join(format!("{}.cdx.json", self.name()));
        write(&path, &format!("{bill:#}\n"))?;
        Ok(path)
    }

    fn debian(&self, folder: &Path) -> Result<PathBuf, String> {
        let machine = sh::output("dpkg", &["--print-architecture"])?.trim().to_owned();
        let root = self.out.join("debian");
        let package = sh::root().join("xtask/package");
        let doc = root.join("usr/share/doc/parlor");
        copy(&folder.join("parlor"), &root.join("usr/bin/parlor"))?;
        copy(&package.join("parlor.service"), &root.join("usr/lib/systemd/system/parlor.service"))?;
        copy(&package.join("parlor.toml"), &root.join("etc/parlor/parlor.toml"))?;
        for file in ["README.md", "CHANGELOG.md", "LICENCES.md", "hosting.md", "command.md"] {
            copy(&folder.join(file), &doc.join(file))?;
        }
        copy(&folder.join("LICENSE-MIT"), &doc.join("copyright"))?;
        for page in fs::read_dir(folder.join("man")).map_err(|why| format!("man: {why}"))?.flatten() {
            copy(&page.path(), &root.join("usr/share/man/man1").join(page.file_name()))?;
        }
        for (from, to) in [
            ("parlor.bash", "usr/share/bash-completion/completions/parlor"),
            ("_parlor", "usr/share/zsh/vendor-completions/_parlor"),
            ("parlor.fish", "usr/share/fish/vendor_completions.d/parlor.fish"),
        ] {
            copy(&folder.join("completions").join(from), &root.join(to))?;
        }
        for script in ["postinst", "prerm", "postrm"] {
            copy(&package.join(script), &root.join("DEBIAN").join(script))?;
        }
        write(&root.join("DEBIAN/conffiles"), "/etc/parlor/parlor.toml\n")?;
        write(&root.join("DEBIAN/control"), &control(&self.version, &machine))?;
        let deb = self.out.join(format!("parlor_{}_{machine}.deb", self.version));
        let mut build = Command::new("dpkg-deb");
        build.args(["--root-owner-group", "--build"]).arg(&root).arg(&deb);
        sh::go(build.env("SOURCE_DATE_EPOCH", &self.time))?;
        fs::remove_dir_all(&root).map_err(|why| format!("{}: {why}", root.display()))?;
        Ok(deb)
    }

    /// Checksums as `sha256sum --check` reads them.
    fn sums(&self, made: &[PathBuf]) -> Result<(), String> {
        let mut sums = String::new();
        for path in made {
            let bytes = fs::read(path).map_err(|why| format!("{}: {why}", path.display()))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            for byte in Sha256::digest(&bytes) {
                let _ = write!(sums, "{byte:02x}");
            }
            let _ = writeln!(sums, "  {name}");
            println!("{}  {:.1} MB", path.display(), bytes.len() as f64 / 1e6);
        }
        // Platforms are published together.
        write(&self.out.join(format!("SHA256SUMS-{}", self.platform)), &sums)
    }
}

/// What Debian wants to know of a package.
fn control(version: &str, machine: &str) -> String {
    format!(
        "Package: parlor\n\
         Version: {version}\n\
         Architecture: {machine}\n\
         Maintainer: The founders of Parlor <parlor@localhost>\n\
         Section: games\n\
         Priority: optional\n\
         Depends: libc6\n\
         Recommends: ca-certificates\n\
         Description: five lost tabletop games for the page and the terminal\n \
         I-Qubes, Scribbage, Contact, Cubo and Dice Roulette: alone, around one\n \
         screen, against bots or online, served by one program that keeps every\n \
         act on disk before it answers.\n"
    )
}

/// The crates in the program with their licences, and the text of each licence once.
fn licences(crates: &[[String; 3]]) -> Result<String, String> {
    let told = sh::output("cargo", &["metadata", "--format-version", "1", "--locked"])?;
    let told: Value = serde_json::from_str(&told).map_err(|why| format!("cargo metadata: {why}"))?;
    let packages = told["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let folder = |name: &str, version: &str| {
        let of = |package: &&Value| package["name"] == name && package["version"] == version;
        let manifest = packages.iter().find(of)?["manifest_path"].as_str()?;
        Path::new(manifest).parent().map(Path::to_owned)
    };
    let mut text = String::from(
        "# What is in Parlor\n\nParlor is under MIT OR Apache-2.0. The program holds these crates:\n\n| crate | version | licence |\n|---|---|---|\n",
    );
    let mut whose: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for [name, version, licence] in crates {
        let _ = writeln!(text, "| {name} | {version} | {licence} |");
        for licence in folder(name, version).map(|folder| licence_files(&folder)).unwrap_or_default() {
            whose.entry(licence).or_default().push(name);
        }
    }
    for (licence, names) in whose {
        let _ = write!(text, "\n## {}\n\n```text\n{}\n```\n", names.join(", "), licence.trim_end());
    }
    Ok(text)
}

/// The texts of the licences in a crate's folder.
fn licence_files(folder: &Path) -> Vec<String> {
    let is_licence = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|start| name.starts_with(start))
    };
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(is_licence).collect();
    files.sort();
    files.iter().filter_map(|path| fs::read_to_string(path).ok()).collect()
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let wrong = |why: std::io::Error| format!("{} to {}: {why}", from.display(), to.display());
    fs::create_dir_all(to.parent().unwrap_or(to)).map_err(wrong)?;
    fs::copy(from, to).map(drop).map_err(wrong)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let wrong = |why: std::io::Error| format!("{}: {why}", path.display());
    fs::create_dir_all(path.parent().unwrap_or(path)).map_err(wrong)?;
    fs::write(path, text).map_err(wrong)
}
