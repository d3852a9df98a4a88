//! The page: files that the browser asks for. Whoever starts the server hands them in.

use bytes::Bytes;

/// One file of the page, in every form that the server may send. A compressed form is not copied for an answer: it stays where it
/// is for as long as the program runs.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its bytes as they are.
    pub plain: Plain,
    /// The same compressed with brotli, where that is smaller.
    pub br: Option<&'static [u8]>,
    /// The same compressed with gzip, where that is smaller.
    pub gzip: Option<&'static [u8]>,
    /// What it is: `"text/html; charset=utf-8"`.
    pub content_type: &'static str,
    /// Changes with its bytes; letters and digits only.
    pub hash: &'static str,
    /// Whether its name changes with its content, so that it can be kept for ever.
    pub immutable: bool,
}

/// The bytes of a file.
#[derive(Clone, Copy, Debug)]
pub enum Plain {
    /// There as they are.
    Here(&'static [u8]),
    /// There only compressed, which makes the program several megabytes smaller: nearly every client takes that.
    Packed {
        /// The file compressed with gzip.
        gzip: &'static [u8],
        /// What gives the file back.
        unpack: fn(&[u8]) -> Vec<u8>,
    },
}

impl Plain {
    pub(crate) fn bytes(self) -> Bytes {
        match self {
            Plain::Here(bytes) => Bytes::from_static(bytes),
            Plain::Packed { gzip, unpack } => unpack(gzip).into(),
        }
    }
}

/// The files of the page.
pub trait Page: Send + Sync + 'static {
    /// The file at this path (`"index.html"`, `"app.wasm"`).
    fn asset(&self, path: &str) -> Option<Asset>;
}

/// A server without a page: only programs talk to it.
pub struct NoPage;

impl Page for NoPage {
    fn asset(&self, path: &str) -> Option<Asset> {
        (path == "index.html").then_some(Asset {
            plain: Plain::Here(b"<!doctype html><html lang=en><meta charset=utf-8><title>Parlor</title><p>This server has no page. <a href=/api/docs>For programs</a>."),
            br: None,
            gzip: None,
            content_type: "text/html; charset=utf-8",
            hash: "none",
            immutable: false,
        })
    }
}
