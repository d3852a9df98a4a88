//! `cargo xtask dist`: packages for this platform, with a bill of materials and checksums. The same commit gives the same bytes.

mod archive;
mod contents;
mod crates;
mod debian;
mod program;
mod prove;

pub(crate) use program::FEATURES;

use crate::files::{fault, write};
use crate::sh;
use crates::Crates;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const USAGE: &str = "cargo xtask dist [--profile NAME | --program FILE] [--prove]";

/// The largest program that is shipped, in megabytes.
const MOST: f64 = 25.0;

/// What is packed, and where.
#[derive(Clone)]
pub(crate) struct Pack {
    /// `0.1.0`.
    version: String,
    /// `x86_64-unknown-linux-musl`.
    platform: String,
    /// The time of the commit, in seconds since 1970: no file in a package is younger.
    time: u64,
    /// The program, built.
    program: PathBuf,
    /// Where packages are put.
    out: PathBuf,
}

/// Builds the program and packs it into `target/packages`; with `--prove`, installs, plays, upgrades and removes it, too.
pub(crate) fn dist(args: &[String]) -> Result<(), String> {
    let (mut profile, mut built, mut proves) = ("dist", None, false);
    let mut args = args.iter().map(String::as_str);
    while let Some(arg) = args.next() {
        match arg {
            "--profile" => profile = args.next().ok_or("--profile needs a name")?,
            "--program" => built = Some(PathBuf::from(args.next().ok_or("--program needs a file")?)),
            "--prove" => proves = true,
            other => return Err(format!("{USAGE}: unknown argument {other:?}")),
        }
    }
    // A program that is handed in may be of any profile.
    let held = profile == "dist" && built.is_none();
    let platform = program::platform()?;
    let pack = Pack {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        program: match built {
            Some(program) => std::path::absolute(&program).map_err(fault(&program))?,
            None => program::build(profile, &platform)?,
        },
        platform,
        time: time()?,
        out: sh::root().join("target/packages"),
    };
    let _ = fs::remove_dir_all(&pack.out);
    let made = pack.all()?;
    pack.sums(&made)?;
    let size = fs::metadata(&pack.program).map_err(fault(&pack.program))?.len() as f64 / 1e6;
    println!("the program: {size:.1} MB");
    if held && size > MOST {
        return Err(format!("the program has {size:.1} MB; {MOST} are allowed"));
    }
    if proves { prove::prove(&pack) } else { Ok(()) }
}

/// How old everything is: as old as `SOURCE_DATE_EPOCH` says, or as the commit.
fn time() -> Result<u64, String> {
    let said = std::env::var("SOURCE_DATE_EPOCH");
    let time = said.or_else(|_| sh::output("git", &["log", "-1", "--format=%ct"]))?;
    time.trim().parse().map_err(|why| format!("SOURCE_DATE_EPOCH {time:?}: {why}"))
}

impl Pack {
    fn name(&self) -> String {
        format!("parlor-{}-{}", self.version, self.platform)
    }

    /// Makes every package that can be made here.
    fn all(&self) -> Result<Vec<PathBuf>, String> {
        let crates = Crates::of(&self.platform)?;
        let folder = self.out.join(self.name());
        contents::fill(&folder, &self.program, &crates)?;
        let archive = self.out.join(format!("{}.tar.gz", self.name()));
        archive::pack(&folder, self.time, &archive)?;
        let bill = self.out.join(format!("{}.cdx.json", self.name()));
        write(&bill, format!("{:#}\n", crates.bill(&self.version, self.time)))?;
        let mut made = vec![archive, bill];
        if sh::has("dpkg-deb") {
            made.push(debian::pack(&folder, &self.version, self.time, &self.out)?);
        } else {
            println!("no dpkg-deb here: the Debian package is left out");
        }
        fs::remove_dir_all(&folder).map_err(fault(&folder))?;
        Ok(made)
    }

    /// Checksums as `sha256sum --check` reads them; platforms are published together, so each has its own file.
    fn sums(&self, made: &[PathBuf]) -> Result<(), String> {
        let mut sums = String::new();
        for path in made {
            let bytes = fs::read(path).map_err(fault(path))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let _ = writeln!(sums, "{}  {name}", sum(&bytes));
            println!("{}  {:.1} MB", path.display(), bytes.len() as f64 / 1e6);
        }
        write(&self.out.join(format!("SHA256SUMS-{}", self.platform)), sums)
    }
}

/// A checksum as people compare it.
fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The last part of a path, as text.
fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{copy_program, write};
    use std::time::{Duration, SystemTime};

    /// Something to pack, laid out like the real thing; its files are made in this order, and are as old as is said.
    fn folder(name: &str, backwards: bool, age: u64) -> PathBuf {
        let root = std::env::temp_dir().join(format!("parlor-pack-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let folder = root.join("parlor-0.1.0-here");
        let mut files = vec![
            "CHANGELOG.md",
            "LICENCES.md",
            "LICENSE-MIT",
            "README.md",
            "man/parlor.1",
            "man/parlor-serve.1",
            "completions/_parlor",
            "completions/parlor.bash",
            "completions/parlor.fish",
            "parlor.service",
            "parlor.toml",
        ];
        if backwards {
            files.reverse();
        }
        for file in files {
            write(&folder.join(file), file).unwrap();
        }
        write(&root.join("program"), "not much of a program ".repeat(10_000)).unwrap();
        copy_program(&root.join("program"), &folder.join("parlor")).unwrap();
        let then = SystemTime::now() - Duration::from_secs(age);
        for path in crate::files::below(&folder).unwrap() {
            fs::File::open(path).unwrap().set_modified(then).unwrap();
        }
        root
    }

    #[test]
    fn the_same_files_give_the_same_packages_whenever_and_wherever_they_were_written() {
        let time = 1_700_000_000;
        let packed = [folder("one", false, 10), folder("two", true, 100_000)].map(|root| {
            let from = root.join("parlor-0.1.0-here");
            let archive = root.join("a.tar.gz");
            archive::pack(&from, time, &archive).unwrap();
            let mut made = vec![archive];
            if sh::has("dpkg-deb") {
                made.push(debian::pack(&from, "0.1.0", time, &root).unwrap());
            }
            let sums: Vec<String> = made.iter().map(|path| sum(&fs::read(path).unwrap())).collect();
            fs::remove_dir_all(root).unwrap();
            sums
        });
        assert_eq!(packed[0], packed[1]);
    }
}
