//! Files that nobody but their owner may read: the house's secret is in them. (Where the system knows no such thing, they are files as usual.)

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

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
