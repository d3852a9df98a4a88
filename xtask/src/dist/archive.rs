//! An archive in which nothing depends on when, where and by whom it was packed.

use super::file_name;
use crate::files::{below, fault};
use flate2::{Compression, GzBuilder};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use tar::{Builder, EntryType, Header};

/// Packs a folder as a `.tar.gz`: files in the order of their names, all equally old and nobody's.
pub(super) fn pack(folder: &Path, time: u64, archive: &Path) -> Result<(), String> {
    let out = File::create(archive).map_err(fault(archive))?;
    // Its head has neither a name nor a time.
    let mut tar = Builder::new(GzBuilder::new().write(out, Compression::best()));
    let root = folder.parent().unwrap_or(folder);
    append(&mut tar, folder, root, time).map_err(fault(folder))?;
    for path in below(folder)? {
        append(&mut tar, &path, root, time).map_err(fault(&path))?;
    }
    let packed = tar.into_inner().and_then(flate2::write::GzEncoder::finish);
    packed.and_then(|mut file| file.flush()).map_err(fault(archive))
}

fn append(tar: &mut Builder<impl Write>, path: &Path, root: &Path, time: u64) -> io::Result<()> {
    let mut header = Header::new_ustar();
    header.set_mtime(time);
    let name = path.strip_prefix(root).unwrap_or(path);
    if path.is_dir() {
        header.set_entry_type(EntryType::Directory);
        header.set_mode(0o755);
        header.set_size(0);
        return tar.append_data(&mut header, name, io::empty());
    }
    let bytes = fs::read(path)?;
    header.set_mode(if is_program(path) { 0o755 } else { 0o644 });
    header.set_size(bytes.len() as u64);
    tar.append_data(&mut header, name, &*bytes)
}

/// Only one file is one, and Windows has no bit for that.
fn is_program(path: &Path) -> bool {
    matches!(file_name(path).as_str(), "parlor" | "parlor.exe")
}
