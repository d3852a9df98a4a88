//! The web client, carried in the program: every file of the page with its compressed form, its type and how long it
//! may be kept. Built by this crate's build script from the crate `web`; nothing but cargo is needed.

use flate2::read::GzDecoder;
use std::borrow::Cow;
use std::io::Read;

/// One file of the page.
#[derive(Clone, Copy)]
pub struct Asset {
    /// Its address, from the root: `/app-0123456789abcdef.js`.
    pub path: &'static str,
    /// What it is, for the `Content-Type` header.
    pub content_type: &'static str,
    /// How long it may be kept.
    pub cache: Cache,
    /// Changes with its content: sixteen hexadecimal digits.
    pub hash: &'static str,
    /// The file.
    pub form: Form,
    /// The file compressed with brotli, where that makes it smaller.
    pub br: Option<&'static [u8]>,
}

/// How a file is carried.
#[derive(Clone, Copy)]
pub enum Form {
    /// As it is: it does not shrink.
    Plain(&'static [u8]),
    /// With gzip, as browsers take it over plain HTTP. The file itself would make the program several megabytes larger, and is
    /// unpacked for the few who ask for it.
    Gzip(&'static [u8]),
}

/// How long a file may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cache {
    /// For ever: its name changes with its content.
    Immutable,
    /// Ask each time whether it has changed.
    Revalidate,
}

impl Cache {
    /// The `Cache-Control` header.
    pub const fn header(self) -> &'static str {
        match self {
            Cache::Immutable => "public, max-age=31536000, immutable",
            Cache::Revalidate => "no-cache",
        }
    }
}

impl Asset {
    /// The file compressed with gzip, where that makes it smaller. Browsers ask for brotli only over a secure connection.
    pub const fn gzip(&self) -> Option<&'static [u8]> {
        match self.form {
            Form::Gzip(gzip) => Some(gzip),
            Form::Plain(_) => None,
        }
    }

    /// The file.
    pub fn bytes(&self) -> Cow<'static, [u8]> {
        match self.form {
            Form::Gzip(gzip) => unpack(gzip).into(),
            Form::Plain(bytes) => bytes.into(),
        }
    }
}

/// What was compressed with gzip when the page was built.
pub fn unpack(gzip: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = GzDecoder::new(gzip).read_to_end(&mut bytes);
    read.expect("the build script writes whole streams");
    bytes
}

impl std::fmt::Debug for Asset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = self.bytes().len();
        let long = |form: Option<&[u8]>| form.map_or(bytes, <[u8]>::len);
        let (br, gzip) = (long(self.br), long(self.gzip()));
        write!(f, "{} ({}, {bytes} bytes, {br} with brotli, {gzip} with gzip)", self.path, self.content_type)
    }
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Every file of the page.
///
/// ```
/// let first = page::assets().iter().find(|asset| asset.path == "/index.html").unwrap();
/// assert_eq!(first.cache, page::Cache::Revalidate);
/// ```
pub const fn assets() -> &'static [Asset] {
    ASSETS
}

/// The file at an address; `/` is the page itself.
pub fn asset(path: &str) -> Option<&'static Asset> {
    let path = if path == "/" { "/index.html" } else { path };
    ASSETS.iter().find(|asset| asset.path == path)
}

/// The page itself, for every address that is no file: the page knows its own way (`/table/…`, `/learn/cubo`).
pub fn index() -> &'static Asset {
    asset("/index.html").expect("the build script always writes the page")
}

/// The version of the page: it changes when any of its files does. The page carries it, and so does its service worker, so that
/// a page that was left open knows when there is a newer one.
pub const fn version() -> &'static str {
    VERSION
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::OnceLock;

    static PAGE: OnceLock<String> = OnceLock::new();

    /// What the page names, and so what a browser fetches to show the shelf: glue and loader, the first piece, style, icon.
    fn named() -> impl Iterator<Item = &'static str> {
        let page: &str = PAGE.get_or_init(|| String::from_utf8(index().bytes().into()).unwrap());
        let beside = |word: &'static str| word.strip_prefix('.').filter(|word| word.starts_with('/'));
        page.split('"').filter_map(beside).filter(|word| word.contains('.'))
    }

    /// How much comes over the wire for it, in one of the compressed forms.
    fn first_load(form: fn(&Asset) -> Option<&'static [u8]>) -> usize {
        let size = |asset: &Asset| form(asset).map_or_else(|| asset.bytes().len(), <[u8]>::len);
        size(index()) + named().filter_map(asset).map(size).sum::<usize>()
    }

    #[test]
    fn whatever_shrinks_has_a_form_for_plain_http_too() {
        for asset in assets() {
            // The smallest files do not shrink with everything.
            let bytes = asset.bytes();
            assert!(bytes.len() < 1024 || asset.br.is_some() == asset.gzip().is_some(), "{asset:?}");
            assert!(asset.gzip().is_none_or(|gzip| gzip.len() < bytes.len()), "{asset:?}");
            let built = concat!(env!("OUT_DIR"), "/site");
            assert_eq!(std::fs::read(format!("{built}{}", asset.path)).unwrap(), &*bytes, "{asset:?}");
        }
        assert!(named().filter_map(asset).any(|asset| asset.gzip().is_some()));
    }

    #[test]
    fn the_page_and_its_service_worker_carry_the_version() {
        let version = version();
        for (path, words) in [
            ("/index.html", format!("<meta name=\"version\" content=\"{version}\">")),
            ("/sw.js", format!("const VERSION = '{version}';")),
        ] {
            let text = String::from_utf8(asset(path).unwrap().bytes().into()).unwrap();
            assert!(text.contains(&words) && !text.contains("{{"), "{path}: {words}");
        }
    }

    #[test]
    fn every_name_that_may_be_kept_for_ever_carries_its_hash() {
        for asset in assets().iter().filter(|asset| asset.cache == Cache::Immutable) {
            let hash =
                asset.path.rsplit_once('-').map(|(_, rest)| rest.split('.').next().unwrap_or("").len());
            assert_eq!(hash, Some(16), "{asset:?}");
        }
    }

    #[test]
    fn every_file_named_in_the_page_is_there() {
        for name in named() {
            assert!(asset(name).is_some(), "{name} is named in the page and not there");
        }
    }

    #[test]
    fn every_script_that_the_first_ones_import_is_named_in_the_page_too() {
        let scripts =
            named().filter_map(asset).filter(|asset| asset.content_type.starts_with("text/javascript"));
        for script in scripts {
            let text = String::from_utf8(script.bytes().into()).unwrap();
            let imports = text.lines().filter(|line| line.starts_with("import "));
            for path in imports.filter_map(|line| line.split(['\'', '"']).nth(1)) {
                let path = path.strip_prefix('.').unwrap_or(path);
                assert!(named().any(|name| name == path), "{} imports {path}", script.path);
            }
        }
    }

    #[test]
    fn no_file_is_named_from_the_root_of_its_server() {
        let texts = assets().iter().filter(|asset| {
            ["text/html", "text/javascript", "application/manifest"]
                .iter()
                .any(|kind| asset.content_type.starts_with(kind))
        });
        let mut looked = 0;
        for text in texts {
            looked += 1;
            let words = String::from_utf8(text.bytes().into()).unwrap();
            for other in assets() {
                for quote in ['"', '\'', '`'] {
                    let name = format!("{quote}{}", other.path);
                    assert!(!words.contains(&name), "{} names {name}", text.path);
                }
            }
        }
        assert!(looked >= 7, "{looked} texts");
    }

    #[test]
    fn the_games_come_in_pieces_of_their_own_that_the_shelf_does_not_ask_for() {
        for piece in ["letters", "contact", "cubo", "roulette", "shared"] {
            let start = format!("/{piece}-");
            assert!(assets().iter().any(|asset| asset.path.starts_with(&start)), "{piece}");
            assert!(!named().any(|name| name.starts_with(&start)), "{piece}");
        }
    }

    /// The page of a `dev` build is many times larger: the suite builds the one of a release.
    #[test]
    fn the_first_load_is_as_small_as_its_build_promises_and_at_most_320_kilobytes_over_plain_http() {
        let (br, gzip) = (first_load(|asset| asset.br), first_load(Asset::gzip));
        println!("{br} bytes with brotli, {gzip} with gzip");
        assert!(br > 10_000 && gzip > br, "{br} bytes with brotli, {gzip} with gzip");
        let fits = |most: usize| br <= most * 1024 && gzip <= 320 * 1024;
        assert!(MOST.is_none_or(fits), "{br} bytes with brotli, {gzip} with gzip; {MOST:?} KiB are allowed");
    }
}
