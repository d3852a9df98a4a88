//! The page: files that the browser asks for. Whoever starts the server hands them in.

use std::borrow::Cow;

/// One file of the page.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Its bytes.
    pub body: Cow<'static, [u8]>,
    /// What it is: `"text/html; charset=utf-8"`.
    pub content_type: Cow<'static, str>,
    /// How it is packed: `Some("br")`, if at all.
    pub encoding: Option<&'static str>,
    /// Whether its name changes with its content, so that it can be kept for ever.
    pub immutable: bool,
}

/// The files of the page.
pub trait Page: Send + Sync + 'static {
    /// The file at this path (`"index.html"`, `"app.wasm"`), packed with Brotli where the browser takes that.
    fn asset(&self, path: &str, brotli: bool) -> Option<Asset>;
}

/// A server without a page: only programs talk to it.
pub struct NoPage;

impl Page for NoPage {
    fn asset(&self, path: &str, _: bool) -> Option<Asset> {
        (path == "index.html").then_some(Asset {
            body: Cow::Borrowed(b"<!doctype html><html lang=en><meta charset=utf-8><title>Parlor</title><p>This server has no page. <a href=/api/docs>For programs</a>."),
            content_type: Cow::Borrowed("text/html; charset=utf-8"),
            encoding: None,
            immutable: false,
        })
    }
}
