//! Renders the book: every chapter that `docs/SUMMARY.md` lists becomes a static page with a side bar, compressed once here so that
//! the server only has to send it. `mdbook build docs` makes a book of the same chapters.

#![expect(clippy::unnecessary_debug_formatting, reason = "Debug writes a path as a string literal of Rust")]

mod chapter;
mod contents;

use chapter::Chapter;
use contents::Contents;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folder of samples, in the docs and in the book.
const SAMPLES: &str = "samples";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() {
    if let Err(fault) = build() {
        eprintln!("\nThe book could not be rendered: {fault}\n");
        std::process::exit(1);
    }
}

fn build() -> Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let docs = here.join("../../docs");
    for watched in ["build", "style", "../../docs"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    write(&files(&here, &docs)?, &PathBuf::from(env::var("OUT_DIR")?))
}

/// The files of the book by their paths: the chapters, the pictures in them, the samples, and the style sheet.
fn files(here: &Path, docs: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let read = |path: &Path| fs::read(path).map_err(|why| format!("{}: {why}", path.display()));
    let text = |name: &str| read(&docs.join(name)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let contents = Contents::of(&text("SUMMARY.md")?);
    let mut files = BTreeMap::from([("book.css".to_owned(), read(&here.join("style/book.css"))?)]);
    for source in contents.sources() {
        let chapter = Chapter::of(&text(source)?);
        for picture in &chapter.pictures {
            let path = chapter::resolved(source, picture);
            files.insert(path.clone(), read(&docs.join(path))?);
        }
        files.insert(chapter::target(source), chapter.page(source, &contents).into_bytes());
    }
    // Chapters link to the samples; they are read as they are.
    for sample in fs::read_dir(docs.join(SAMPLES))? {
        let sample = sample?;
        files.insert(format!("{SAMPLES}/{}", sample.file_name().display()), read(&sample.path())?);
    }
    Ok(files)
}

/// Writes every file and its compressed form, and the Rust that carries them.
fn write(files: &BTreeMap<String, Vec<u8>>, out: &Path) -> Result<()> {
    let folder = out.join("book");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let mut code = "static FILES: &[File] = &[\n".to_owned();
    for (path, bytes) in files {
        let file = folder.join(path.replace('/', "-"));
        fs::write(&file, bytes)?;
        let pressed = gzip(bytes)?;
        let gzip = if pressed.len() < bytes.len() {
            let beside = PathBuf::from(format!("{}.gz", file.display()));
            fs::write(&beside, pressed)?;
            format!("Some(include_bytes!({beside:?}))")
        } else {
            "None".to_owned()
        };
        writeln!(
            code,
            "    File {{ path: {path:?}, content_type: {:?}, hash: {:?}, bytes: include_bytes!({file:?}), gzip: {gzip} }},",
            content_type(path)?,
            hash(bytes),
        )?;
    }
    code.push_str("];\n");
    Ok(fs::write(out.join("files.rs"), code)?)
}

/// The only compressed form: every browser takes it, over plain HTTP too, and the pages are small.
fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut press = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    press.write_all(bytes)?;
    Ok(press.finish()?)
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..8].iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn content_type(path: &str) -> Result<&'static str> {
    if path.starts_with(SAMPLES) {
        return Ok("text/plain; charset=utf-8");
    }
    match path.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => Ok("text/html; charset=utf-8"),
        "css" => Ok("text/css; charset=utf-8"),
        "webp" => Ok("image/webp"),
        _ => Err(format!("{path}: the book has pages, a style sheet and pictures in webp").into()),
    }
}
