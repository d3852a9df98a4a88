//! Files that nobody but their owner may read: the house's secret is in them. (Where the system knows no such thing, they are files as usual.)

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Makes the folder of a house, if it is not there; nobody else may enter it. One that is used for other things too is left as it is.
pub(crate) fn own_folder(folder: &Path, house: &Path) -> io::Result<()> {
    let ours = house.exists() || fs::read_dir(folder).is_ok_and(|mut inside| inside.next().is_none());
    let mut new = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut new, 0o700);
    new.recursive(true).create(folder)?;
    if ours {
        restrict(folder, 0o700);
    }
    Ok(())
}

/// Opens a file for writing, and makes it if it is not there.
pub(super) fn own_file(path: &Path) -> io::Result<File> {
    let file = open(path, OpenOptions::new().create(true).truncate(false))?;
    restrict(path, 0o600);
    Ok(file)
}

/// Makes a file that must not be there yet.
pub(crate) fn new_own_file(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().create_new(true))
}

/// The first name that is free in a folder, for a copy of a house: `name.db`, `name-2.db`, …
pub(crate) fn free_name(folder: &Path, name: &str) -> PathBuf {
    let numbered = (2..).map(|number| folder.join(format!("{name}-{number}.db")));
    let mut names = std::iter::once(folder.join(format!("{name}.db"))).chain(numbered);
    names.find(|path| !path.exists()).unwrap_or_else(|| folder.join(name))
}

/// Which of a house's files cannot be written to, and why, in words for whoever looks after it.
pub(super) fn why_not_written(house: &Path) -> Option<String> {
    let beside = ["db-wal", "db-shm"].map(|end| house.with_extension(end));
    let folder = house.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for file in [house, &beside[0], &beside[1]] {
        match OpenOptions::new().write(true).open(file) {
            Err(fault) if fault.kind() != io::ErrorKind::NotFound => return Some(refused(file, &fault)),
            _ => {}
        }
    }
    let probe = folder.join(".parlor-probe");
    match open(&probe, OpenOptions::new().create(true).truncate(false)) {
        Ok(_) => drop(fs::remove_file(&probe)),
        Err(fault) => return Some(refused(folder, &fault)),
    }
    None
}

/// The system's words, and whose the file is if it is not ours.
fn refused(path: &Path, fault: &io::Error) -> String {
    let whose = whose(path).map(|whose| format!("; {whose}")).unwrap_or_default();
    format!("{}: {fault}{whose}", path.display())
}

#[cfg(unix)]
fn whose(path: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let owner = fs::metadata(path).ok()?.uid();
    // The files that tell of this process belong to whoever runs it.
    let own = fs::metadata("/proc/self").ok()?.uid();
    let (owner_name, own_name) = (user(owner), user(own));
    let mend = format!("chown -R {own_name} {}", path.parent().unwrap_or(path).display());
    (owner != own).then(|| format!("it belongs to {owner_name}, and this program runs as {own_name}: {mend}"))
}

#[cfg(not(unix))]
fn whose(_: &Path) -> Option<String> {
    None
}

/// The name of a user of this machine, or the number.
#[cfg(unix)]
fn user(id: u32) -> String {
    let named = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let known = named.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (name, number) = (fields.next()?, fields.nth(1)?);
        (number.parse() == Ok(id)).then(|| name.to_owned())
    });
    known.unwrap_or_else(|| id.to_string())
}

/// Lets nobody else read a file, if it is there.
pub(super) fn restrict_file(path: &Path) {
    if path.exists() {
        restrict(path, 0o600);
    }
}

fn open(path: &Path, how: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(how, 0o600);
    how.write(true).open(path)
}

/// Leaves what an older version made to its owner alone, if that can be done.
#[cfg(unix)]
fn restrict(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let done = fs::metadata(path).and_then(|found| {
        let found = found.permissions().mode() & 0o7777;
        // A folder with the sticky bit is everybody's.
        let right = found == mode || found & 0o1000 != 0;
        if right { Ok(()) } else { fs::set_permissions(path, fs::Permissions::from_mode(mode)) }
    });
    if let Err(fault) = done {
        tracing::warn!(path = %path.display(), %fault, "others may be able to read this");
    }
}

#[cfg(not(unix))]
fn restrict(_: &Path, _: u32) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_somebody_else_is_named_with_its_owner_and_what_to_do() {
        use std::os::unix::fs::{MetadataExt, chown};
        let folder = std::env::temp_dir().join(format!("parlor-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("parlor.db");
        drop(own_file(&file).unwrap());
        assert_eq!(whose(&file), None, "it is ours");
        assert_eq!(why_not_written(&file), None);
        let own = user(fs::metadata(&file).unwrap().uid());
        if chown(&file, Some(54_321), None).is_ok() {
            let denied = io::Error::from(io::ErrorKind::PermissionDenied);
            let says = refused(&file, &denied);
            let wanted = format!(
                "it belongs to 54321, and this program runs as {own}: chown -R {own} {}",
                folder.display()
            );
            assert!(says.starts_with(&file.display().to_string()) && says.ends_with(&wanted), "{says}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_that_takes_no_files_is_named() {
        let nowhere = std::env::temp_dir().join(format!("parlor-nowhere-{}", std::process::id()));
        let says = why_not_written(&nowhere.join("parlor.db")).unwrap_or_default();
        assert!(says.starts_with(&nowhere.display().to_string()), "{says}");
    }
}
