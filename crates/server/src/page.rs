//! The page: files that the browser asks for. Whoever starts the server hands them in.

use crate::Config;
use crate::people::hex;
use crate::site::BasePath;
use bytes::Bytes;
use sha2::{Digest, Sha256};
use std::sync::Arc;

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
    /// The file at this path (`"index.html"`, `"app.wasm"`, `"docs/index.html"`).
    fn asset(&self, path: &str) -> Option<Asset>;
}

/// Where the first file of a page says which folder of its server the house is in: the house fills it in.
const BASE: &str = "<base href=\"/\">";
/// Where it says the address that others call the house by.
const PUBLIC: &str = "<meta name=\"public-url\" content=\"\">";

/// A page whose first file says where this house is.
struct Housed {
    page: Arc<dyn Page>,
    first: Asset,
}

impl Page for Housed {
    fn asset(&self, path: &str) -> Option<Asset> {
        if path == "index.html" { Some(self.first) } else { self.page.asset(path) }
    }
}

/// The page as this house sends it. Its first file is there once for as long as the program runs, like every other file.
pub(crate) fn of_this_house(page: Arc<dyn Page>, config: &Config) -> Arc<dyn Page> {
    let (base, public) = (&config.base, config.public.as_ref());
    let index = page.asset("index.html").filter(|_| *base != BasePath::root() || public.is_some());
    let Some(index) = index else { return page };
    let public = public.map(|public| public.origin() + base.as_str()).unwrap_or_default();
    let text = String::from_utf8_lossy(&index.plain.bytes())
        .replacen(BASE, &format!("<base href=\"{base}\">"), 1)
        .replacen(PUBLIC, &format!("<meta name=\"public-url\" content=\"{public}\">"), 1);
    let hash = hex(&Sha256::digest(&text)[..8]);
    let plain = Plain::Here(text.leak().as_bytes());
    let first = Asset { plain, br: None, gzip: None, hash: hash.leak(), ..index };
    Arc::new(Housed { page, first })
}

/// A server without a page: only programs talk to it.
pub struct NoPage;

impl Page for NoPage {
    fn asset(&self, path: &str) -> Option<Asset> {
        (path == "index.html").then_some(Asset {
            plain: Plain::Here(b"<!doctype html><html lang=en><meta charset=utf-8><base href=\"/\"><title>Parlor</title><p>This server has no page. <a href=./api/docs>For programs</a>."),
            br: None,
            gzip: None,
            content_type: "text/html; charset=utf-8",
            hash: "none",
            immutable: false,
        })
    }
}
