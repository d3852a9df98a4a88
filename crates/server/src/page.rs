//! The page: files that the browser asks for. Whoever starts the server hands them in.

/// One file of the page, in every form that the server may send. Nothing is copied for an answer: all of it stays where it is
/// for as long as the program runs.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its bytes.
    pub bytes: &'static [u8],
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

/// The files of the page.
pub trait Page: Send + Sync + 'static {
    /// The file at this path (`"index.html"`, `"app.wasm"`, `"docs/index.html"`).
    fn asset(&self, path: &str) -> Option<Asset>;
}

/// A server without a page: only programs talk to it.
pub struct NoPage;

impl Page for NoPage {
    fn asset(&self, path: &str) -> Option<Asset> {
        (path == "index.html").then_some(Asset {
            bytes: b"<!doctype html><html lang=en><meta charset=utf-8><title>Parlor</title><p>This server has no page. <a href=/api/docs>For programs</a>.",
            br: None,
            gzip: None,
            content_type: "text/html; charset=utf-8",
            hash: "none",
            immutable: false,
        })
    }
}
