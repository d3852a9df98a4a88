//! The Debian package: the same files where Debian has them, and scripts that keep a service running through an upgrade.

use super::file_name;
use crate::files::{below, copy, copy_program, fault, read, write};
use crate::sh;
use flate2::{Compression, GzBuilder};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where in the package each file goes that needs no more than copying.
const PLACES: [(&str, &str); 8] = [
    ("parlor.service", "usr/lib/systemd/system/parlor.service"),
    ("parlor.toml", "etc/parlor/parlor.toml"),
    ("README.md", "usr/share/doc/parlor/README.md"),
    ("hosting.md", "usr/share/doc/parlor/hosting.md"),
    ("command.md", "usr/share/doc/parlor/command.md"),
    ("completions/parlor.bash", "usr/share/bash-completion/completions/parlor"),
    ("completions/_parlor", "usr/share/zsh/vendor-completions/_parlor"),
    ("completions/parlor.fish", "usr/share/fish/vendor_completions.d/parlor.fish"),
];

/// What the package of a version is called on this machine.
pub(super) fn name(version: &str) -> Result<String, String> {
    Ok(format!("parlor_{version}_{}.deb", machine()?))
}

fn machine() -> Result<String, String> {
    Ok(sh::output("dpkg", &["--print-architecture"])?.trim().to_owned())
}

/// Packs the folder of an archive as a `.deb`; answers where it is.
pub(super) fn pack(folder: &Path, version: &str, time: u64, out: &Path) -> Result<PathBuf, String> {
    let root = out.join("debian");
    let _ = fs::remove_dir_all(&root);
    copy_program(&folder.join("parlor"), &root.join("usr/bin/parlor"))?;
    for (from, to) in PLACES {
        if folder.join(from).is_file() {
            copy(&folder.join(from), &root.join(to))?;
        }
    }
    let doc = root.join("usr/share/doc/parlor");
    squeeze(&folder.join("CHANGELOG.md"), &doc.join("CHANGELOG.md.gz"))?;
    squeeze(&folder.join("LICENCES.md"), &doc.join("LICENCES.md.gz"))?;
    write(&doc.join("copyright"), copyright(&read(&folder.join("LICENSE-MIT"))?))?;
    for page in below(&folder.join("man"))? {
        squeeze(&page, &root.join("usr/share/man/man1").join(file_name(&page) + ".gz"))?;
    }
    let lintian = root.join("usr/share/lintian/overrides/parlor");
    copy(&package().join("lintian-overrides"), &lintian)?;
    for script in ["postinst", "prerm", "postrm"] {
        copy_program(&package().join(script), &root.join("DEBIAN").join(script))?;
    }
    write(&root.join("DEBIAN/conffiles"), "/etc/parlor/parlor.toml\n")?;
    write(&root.join("DEBIAN/md5sums"), md5sums(&root)?)?;
    write(&root.join("DEBIAN/control"), control(version, &machine()?, &root)?)?;
    let deb = out.join(name(version)?);
    // One thread: with more, how it is cut depends on how many there are.
    let mut build = sh::command("dpkg-deb", &["--root-owner-group", "-Zxz", "--threads-max=1", "--build"]);
    sh::go(build.arg(&root).arg(&deb).env("SOURCE_DATE_EPOCH", time.to_string()))?;
    fs::remove_dir_all(&root).map_err(fault(&root))?;
    Ok(deb)
}

/// The part of the package that is written by hand.
fn package() -> PathBuf {
    sh::root().join("xtask/package")
}

/// Compresses a file as Debian wants documents: without a name and a time in its head.
fn squeeze(from: &Path, to: &Path) -> Result<(), String> {
    let mut gzip = GzBuilder::new().write(Vec::new(), Compression::best());
    gzip.write_all(&fs::read(from).map_err(fault(from))?).map_err(fault(to))?;
    write(to, gzip.finish().map_err(fault(to))?)
}

/// Sums by which `dpkg --verify` finds a file that was touched.
fn md5sums(root: &Path) -> Result<String, String> {
    let files = below(root)?;
    let inside = |path: &PathBuf| Some(path.strip_prefix(root).ok()?.to_string_lossy().into_owned());
    let names: Vec<String> = files.iter().filter(|path| path.is_file()).filter_map(inside).collect();
    let names = names
        .iter()
        .map(String::as_str)
        .filter(|name| !name.starts_with("DEBIAN/") && !name.starts_with("etc/"));
    let names: Vec<&str> = names.collect();
    sh::hear(sh::command("md5sum", &names).current_dir(root))
}

/// What Debian wants to know of a package.
fn control(version: &str, machine: &str, root: &Path) -> Result<String, String> {
    let size: u64 = below(root)?.iter().filter_map(|path| fs::metadata(path).ok()).map(|it| it.len()).sum();
    let text = read(&package().join("control"))?;
    let size = size.div_ceil(1024).to_string();
    Ok(text.replace("{version}", version).replace("{machine}", machine).replace("{size}", &size))
}

/// Whose it is, in the form that Debian's tools read.
fn copyright(mit: &str) -> String {
    let holder = mit.lines().find_map(|line| line.strip_prefix("Copyright (c) ")).unwrap_or_default();
    let text: String = mit
        .lines()
        .skip_while(|line| !line.starts_with("Permission"))
        .map(|line| if line.is_empty() { " .\n".to_owned() } else { format!(" {line}\n") })
        .collect();
    format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Parlor\n\
         Comment: The crates in the program, their licences and their authors are in LICENCES.md.gz beside this file.\n\n\
         Files: *\nCopyright: {holder}\nLicense: Expat or Apache-2.0\n\n\
         License: Expat\n{text}\n\
         License: Apache-2.0\n On Debian systems the whole text is in /usr/share/common-licenses/Apache-2.0.\n"
    )
}
