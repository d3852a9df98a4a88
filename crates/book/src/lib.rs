//! The documentation as a book: `docs/` rendered to static pages when the program is built. It needs no JavaScript, and links only to
//! itself, to the page it is served beside (`../`) and to the HTTP API (`../api/docs`), always by relative addresses.

/// One file of the book.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its path below the top of the book: `rules/cubo.html`.
    pub path: &'static str,
    /// What it is, for the `Content-Type` header.
    pub content_type: &'static str,
    /// Changes with its content: sixteen hexadecimal digits.
    pub hash: &'static str,
    /// The file.
    pub bytes: &'static [u8],
    /// The file compressed with gzip, where that makes it smaller.
    pub gzip: Option<&'static [u8]>,
}

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Every file of the book.
pub const fn files() -> &'static [File] {
    FILES
}

/// The file at a path.
///
/// ```
/// assert!(book::file("index.html").is_some_and(|first| first.content_type.starts_with("text/html")));
/// assert!(book::file("nowhere.html").is_none());
/// ```
pub fn file(path: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.path == path)
}
