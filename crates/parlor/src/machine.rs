//! The machine under a house: what it is called, how many files a program may have open, how much room is left, whose files
//! are whose. Where a system does not tell, nothing is said.

use std::path::Path;

/// What this machine is called.
pub(crate) fn host_name() -> String {
    let name = system::host_name();
    if name.is_empty() { "parlor".to_owned() } else { name }
}

/// How many files this program may have open now, and how many it may ask for.
pub(crate) fn file_limit() -> (u64, u64) {
    system::file_limit()
}

/// Lets this program have as many files open as it may ask for: every socket is one.
pub(crate) fn raise_file_limit() {
    system::raise_file_limit();
}

/// The bytes that are free where a folder is, or would be.
pub(crate) fn free_room(folder: &Path) -> Option<u64> {
    let mut there =
        folder.ancestors().map(|path| if path.as_os_str().is_empty() { Path::new(".") } else { path });
    there.find(|path| path.exists()).and_then(system::free_room)
}

/// What hinders a house from using a file or a folder of its own, in words that say what to do.
pub(crate) fn hindrances(path: &Path, folder: &Path) -> Vec<String> {
    system::hindrances(path, folder)
}

#[cfg(unix)]
mod system {
    use rustix::fs::{Access, access, statvfs};
    use rustix::process::{Resource, Rlimit, geteuid, getrlimit, setrlimit};
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    pub(super) fn host_name() -> String {
        rustix::system::uname().nodename().to_string_lossy().into_owned()
    }

    pub(super) fn file_limit() -> (u64, u64) {
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        (current.unwrap_or(u64::MAX), maximum.unwrap_or(u64::MAX))
    }

    pub(super) fn raise_file_limit() {
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        // Where the system refuses that (macOS has a bound of its own), it stays as it was.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }

    pub(super) fn free_room(path: &Path) -> Option<u64> {
        statvfs(path).ok().map(|room| room.f_bavail.saturating_mul(room.f_frsize))
    }

    pub(super) fn hindrances(path: &Path, folder: &Path) -> Vec<String> {
        let Ok(found) = path.metadata() else { return Vec::new() };
        let (shown, owner) = (path.display(), user(found.uid()));
        let mut all = Vec::new();
        let me = geteuid();
        let host =
            if me.is_root() { folder.metadata().map_or(0, |folder| folder.uid()) } else { me.as_raw() };
        let refused = if me.is_root() {
            // root may do everything; the question is what the owner of the folder may do.
            found.uid() != host
        } else {
            access(path, Access::READ_OK | Access::WRITE_OK).is_err()
        };
        if refused {
            let host = user(host);
            all.push(format!(
                "{shown} belongs to {owner}, and the house would be run by {host}: chown -R {host} {}",
                folder.display()
            ));
        }
        let mode = found.mode() & 0o777;
        let (right, all_of_it) = if found.is_dir() { (0o700, 0o1000) } else { (0o600, 0) };
        if mode & 0o077 != 0 && found.mode() & all_of_it == 0 {
            all.push(format!(
                "{shown} ({owner}, {mode:o}) can be opened by others, and the secret of the house is in it: chmod {right:o} {shown}"
            ));
        }
        all
    }

    /// The name of a user; the number, where nobody has it.
    fn user(id: u32) -> String {
        let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        let named = users.lines().find_map(|line| {
            let mut fields = line.split(':');
            let name = fields.next()?;
            (fields.nth(1)?.parse() == Ok(id)).then(|| name.to_owned())
        });
        named.unwrap_or_else(|| format!("user {id}"))
    }
}

#[cfg(not(unix))]
mod system {
    use std::path::Path;

    pub(super) fn host_name() -> String {
        std::env::var("COMPUTERNAME").unwrap_or_default()
    }

    pub(super) fn file_limit() -> (u64, u64) {
        (u64::MAX, u64::MAX)
    }

    pub(super) fn raise_file_limit() {}

    pub(super) fn free_room(_: &Path) -> Option<u64> {
        None
    }

    pub(super) fn hindrances(_: &Path, _: &Path) -> Vec<String> {
        Vec::new()
    }
}
