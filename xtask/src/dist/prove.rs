//! The proof that what was packed works: packed again it is the same, it is installed, played on and removed, and it runs in a
//! container.

use super::{Pack, debian, file_name, sum};
use crate::files::{copy, copy_program, fault};
use crate::shipping::{self, Service};
use crate::{lanes, sh};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(super) fn prove(pack: &Pack) -> Result<(), String> {
    same_again(pack)?;
    if sh::has("dpkg-deb") {
        package(pack)?;
    }
    if sh::has("buildah") && sh::has("unshare") {
        container(&pack.program)?;
    } else {
        println!("no buildah here: the image is not built, only read (cargo test -p xtask shipping)");
    }
    println!("Proven.");
    Ok(())
}

/// Packs the same program once more, elsewhere.
fn same_again(pack: &Pack) -> Result<(), String> {
    let out = pack.out.join("again");
    let again = Pack { out: out.clone(), ..pack.clone() };
    for path in again.all()? {
        let first = pack.out.join(file_name(&path));
        let [one, two] =
            [&first, &path].map(|path| fs::read(path).map(|bytes| sum(&bytes)).map_err(fault(path)));
        if one? != two? {
            return Err(format!("{} is another when it is packed again", first.display()));
        }
    }
    fs::remove_dir_all(&out).map_err(fault(&out))
}

/// Installs an older package, upgrades it in the middle of a game, and removes it (crates/parlor/tests/command/package.rs).
fn package(pack: &Pack) -> Result<(), String> {
    if Path::new("/run/systemd/system").exists() || sh::output("id", &["-u"])?.trim() != "0" {
        let how = "--prove installs and removes a package, and plays systemd's part";
        return Err(format!("{how}: run it as root where neither Parlor nor systemd is, as in a container"));
    }
    let out = pack.out.join("older");
    let older = Pack { version: format!("{}~older", pack.version), out: out.clone(), ..pack.clone() };
    let is_deb = |path: &PathBuf| path.extension().is_some_and(|end| end == "deb");
    let find = |all: Vec<PathBuf>| all.into_iter().find(is_deb).ok_or("no Debian package was made");
    let older = find(older.all()?)?;
    let newer = pack.out.join(debian::name(&pack.version)?);
    if sh::has("lintian") {
        sh::go(Command::new("lintian").args(["--fail-on", "error", "--tag-display-limit", "0"]).arg(&newer))?;
    }
    let mut test =
        lanes::linting(&["test", "--package", "parlor", "--test", "command", "--", "--ignored", "package::"]);
    sh::go(test.env("PARLOR_OLDER_DEB", &older).env("PARLOR_DEB", &newer))?;
    fs::remove_dir_all(&out).map_err(fault(&out))
}

/// Builds the last stage of the Containerfile with the program that was just built in the place of the first, and runs it as the
/// Containerfile says: not root, and on a file system that cannot be written to but for the volume.
fn container(program: &Path) -> Result<(), String> {
    let stages = shipping::containerfile()?;
    let faults = shipping::faults(&stages);
    if !faults.is_empty() {
        return Err(format!("the Containerfile: {}", faults.join("; ")));
    }
    let place = sh::target().join("container");
    let _ = fs::remove_dir_all(&place);
    let built = place.join("build");
    copy_program(program, &built.join("parlor"))?;
    let certificates = "etc/ssl/certs/ca-certificates.crt";
    copy(&Path::new("/").join(certificates), &built.join(certificates))?;
    fs::create_dir(built.join("house")).map_err(fault(&built))?;
    let image = Image { store: place.join("store") };
    let context = format!("build={}", built.display());
    let containerfile = sh::root().join("Containerfile");
    let args = ["bud", "--build-context", &context, "--tag", "parlor", "--file"];
    sh::go(image.buildah(&args).arg(&containerfile).arg(&built))?;
    let name = sh::hear(&mut image.buildah(&["from", "parlor"]))?.trim().to_owned();
    let root = sh::hear(&mut image.buildah(&["mount", &name]))?.trim().to_owned();
    // The network is this machine's: nothing listens but on the loopback, at a port that is free.
    let port = engines::free_port().map_err(|why| why.to_string())?;
    let service = shipping::service(&stages, &format!("127.0.0.1:{port}"))?;
    let began = Instant::now();
    let house = read_only(&root, &service).args(&service.serve).stdout(Stdio::null()).spawn();
    let mut house = Running(house.map_err(|why| format!("unshare: {why}"))?);
    let healthy = || {
        let mut check = read_only(&root, &service);
        check.args(&service.check).stdout(Stdio::null()).status().is_ok_and(|ended| ended.success())
    };
    while !healthy() {
        if began.elapsed() > Duration::from_secs(60) || house.0.try_wait().is_ok_and(|ended| ended.is_some())
        {
            return Err("the container's own health check never says yes".to_owned());
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    drop(house);
    println!("the container is open to its own health check after {:.1} s", began.elapsed().as_secs_f64());
    sh::go(&mut image.buildah(&["umount", &name]))?;
    fs::remove_dir_all(&place).map_err(fault(&place))
}

/// A place for images that is nobody's.
struct Image {
    store: PathBuf,
}

impl Image {
    /// buildah as it runs in a container itself, without privileges of its own.
    fn buildah(&self, args: &[&str]) -> Command {
        let mut command = Command::new("buildah");
        command.arg("--root").arg(self.store.join("root")).arg("--runroot").arg(self.store.join("run"));
        command.args(["--storage-driver", "vfs"]).args(args).env("BUILDAH_ISOLATION", "chroot");
        command
    }
}

/// Runs words in the image, which cannot be written to but for its volume.
fn read_only(root: &str, service: &Service) -> Command {
    let script = "set -e; root=$1 user=$2 volume=$3; shift 3; mount --bind \"$root\" \"$root\"; mount --bind \"$root$volume\" \"$root$volume\"; \
        mount -o remount,ro,bind \"$root\"; cd \"$root$volume\"; exec chroot --userspec=\"$user\" \"$root\" \"$@\"";
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", script, "sh", root, &service.user, &service.volume]);
    command
}

/// A process that ends when it is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
