//! Builds the page from the program that `wasm` has compiled: cut into the pieces it names, with its JavaScript glue, style sheet,
//! icons and service worker, each under a name that carries its hash, each compressed. Nothing but cargo is needed: no node, no
//! bundler.

#![expect(clippy::unnecessary_debug_formatting, reason = "Debug writes a path as a string literal of Rust")]

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() {
    if let Err(fault) = build() {
        eprintln!("\nThe page could not be built: {fault}\n");
        std::process::exit(1);
    }
}

fn build() -> Result<()> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let web = Path::new(&env::var("CARGO_MANIFEST_DIR")?).with_file_name("web");
    let program = PathBuf::from(env::var("DEP_PARLOR_WEB_PROGRAM")?);
    println!("cargo::rerun-if-changed={}", program.display());
    for watched in ["build.rs", "../web/style", "../web/static"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    let glue = out.join("glue");
    let main = cut(&program, &glue)?;
    bindgen(&main, &glue)?;
    let mut site = Site::new(Care::of_this_build()?);
    site.fill(&web, &glue)?;
    site.write(&out)
}

/// How much time may be spent on making files small.
#[derive(Clone, Copy)]
enum Care {
    /// Somebody changes the page and looks.
    Little,
    /// Somebody builds from source and waits.
    Some,
    /// A package is made.
    All,
}

impl Care {
    /// As much as the program was compiled with.
    fn of_this_build() -> Result<Care> {
        Ok(match env::var("DEP_PARLOR_WEB_PROFILE")?.as_str() {
            "web-dist" => Care::All,
            "web" => Care::Some,
            _ => Care::Little,
        })
    }

    const fn brotli(self) -> i32 {
        match self {
            Care::Little => 4,
            Care::Some => 9,
            Care::All => 11,
        }
    }

    /// The most that the first load may be with brotli, in KiB: a build of a few minutes is not held to what a package is.
    const fn most(self) -> Option<usize> {
        match self {
            Care::Little => None,
            Care::Some => Some(290),
            Care::All => Some(240),
        }
    }

    const fn gzip(self) -> u32 {
        match self {
            Care::Little => 4,
            Care::Some | Care::All => 9,
        }
    }
}

/// The names by which the glue, the loader of pieces and the pieces know each other before they have their hashes.
const GLUE: &str = "./app.js";
const LOADER: &str = "./pieces.js";

/// Cuts the program at the functions marked for it: writes the pieces and their loader, and answers where the first piece lies.
fn cut(wasm: &Path, out: &Path) -> Result<PathBuf> {
    // A piece that is no longer cut must not stay behind.
    let _ = fs::remove_dir_all(out);
    fs::create_dir_all(out)?;
    let (bytes, main) = (fs::read(wasm)?, out.join("first.wasm"));
    let mut options = wasm_split_cli_support::Options::new(&bytes);
    options.output_dir = out;
    options.main_out_path = &main;
    options.main_module = GLUE;
    options.link_name = LOADER;
    wasm_split_cli_support::transform(options).map_err(|fault| format!("cutting the program: {fault:#}"))?;
    Ok(main)
}

fn bindgen(wasm: &Path, out: &Path) -> Result<()> {
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    bindgen.input_path(wasm).out_name("app").web(true)?.typescript(false).omit_default_module_path(false);
    // The later pieces find the functions of the first in its table.
    bindgen.remove_name_section(true).remove_producers_section(true).keep_lld_exports(true);
    bindgen.generate(out).map_err(|fault| format!("wasm-bindgen: {fault}"))?;
    Ok(())
}

/// A piece as small as it can be said: without names, and with numbers no longer than they need. (A linker that keeps relocations
/// leaves room for the longest.)
fn bare(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut config = walrus::ModuleConfig::new();
    config.generate_name_section(false).generate_producers_section(false);
    let mut piece = config.parse(wasm).map_err(|fault| format!("reading a piece: {fault:#}"))?;
    Ok(piece.emit_wasm())
}

/// The files of the page, by address.
struct Site {
    care: Care,
    files: BTreeMap<String, File>,
    version: String,
}

struct File {
    bytes: Vec<u8>,
    kept: bool,
}

impl Site {
    fn new(care: Care) -> Site {
        Site { care, files: BTreeMap::new(), version: String::new() }
    }

    /// Adds a file under a name with its hash; answers its address.
    fn keep(&mut self, name: &str, bytes: Vec<u8>) -> String {
        let (stem, end) = name.split_once('.').unwrap_or((name, ""));
        let path = format!("/{stem}-{}.{end}", hash(&bytes));
        self.files.insert(path.clone(), File { bytes, kept: true });
        path
    }

    /// Adds the program: the first piece with its glue, the other pieces with their loader. Answers the addresses of the
    /// first piece, the glue and the loader.
    fn program(&mut self, glue: &Path, shared: &str) -> Result<[String; 3]> {
        let wasm = self.keep("app.wasm", fs::read(glue.join("app_bg.wasm"))?);
        // The glue looks for its wasm by the name it knows; it is told the new one.
        let app = put(&fs::read_to_string(glue.join(GLUE))?, "app_bg.wasm", wasm.trim_start_matches('/'))?;
        let loader = self.pieces(glue, fs::read_to_string(glue.join(LOADER))? + shared)?;
        // Glue and loader name each other, so neither can have a hash of its own.
        let both = hash(format!("{app}{loader}").as_bytes());
        let names = [format!("/app-{both}.js"), format!("/pieces-{both}.js")];
        // Only where it is imported from: the wasm goes on asking for its loader by the old name.
        let from = |name: &str| format!("from \"{name}\"");
        let texts = [
            put(&app, &from(LOADER), &from(&beside(&names[1])))?,
            put(&loader, &from(GLUE), &from(&beside(&names[0])))?,
        ];
        for (path, text) in names.iter().zip(texts) {
            self.files.insert(path.clone(), File { bytes: text.into_bytes(), kept: true });
        }
        let [app, loader] = names;
        Ok([wasm, app, loader])
    }

    /// Adds the pieces that come later, and tells their loader where they are. A game's own is a file; what lies round all games
    /// and what some of them share is cut into dozens of small ones, and becomes one file.
    fn pieces(&mut self, glue: &Path, mut loader: String) -> Result<String> {
        let mut names: Vec<String> = fs::read_dir(glue)?
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        let mut shared = Vec::new();
        for name in names {
            let read = || bare(&fs::read(glue.join(&name))?);
            if name == "split_rooms.wasm" || name.starts_with("chunk_") {
                let from = shared.len();
                shared.extend(read()?);
                let fetch = format!("fetch(new URL(\"./{name}\", import.meta.url))");
                loader = put(&loader, &fetch, &format!("shared({from}, {})", shared.len()))?;
            } else if let Some(game) = name.strip_prefix("split_") {
                let path = self.keep(game, read()?);
                loader = put(&loader, &format!("./{name}"), &beside(&path))?;
            }
        }
        let shared = self.keep("shared.pieces", shared);
        put(&loader, "{{shared}}", &beside(&shared))
    }

    /// Adds a file under a name that must not change.
    fn fixed(&mut self, path: &str, bytes: Vec<u8>) {
        self.files.insert(path.to_owned(), File { bytes, kept: false });
    }

    fn fill(&mut self, web: &Path, glue: &Path) -> Result<()> {
        let text = |name: &str| {
            fs::read_to_string(web.join("static").join(name)).map_err(|why| format!("{name}: {why}"))
        };
        let [wasm, app, loader] = self.program(glue, &text("shared.js")?)?;
        let worker = self.keep("worker.js", filled(&text("worker.js")?, &[("app", &app)])?.into_bytes());
        let style = self.keep("style.css", style(&web.join("style"))?.into_bytes());
        let icon = self.keep("icon.svg", text("icon.svg")?.into_bytes());
        let words = self.words(web)?;
        let manifest = filled(&text("manifest.webmanifest")?, &[("icon", &icon)])?;
        let manifest = self.keep("manifest.webmanifest", manifest.into_bytes());
        let boot = [("app", &app), ("wasm", &wasm), ("worker", &worker), ("words", &words)];
        let mut boot = filled(&text("boot.js")?, &boot)?;
        if matches!(self.care, Care::Little) {
            boot.push_str(&text("reload.js")?);
        }
        let boot = self.keep("boot.js", boot.into_bytes());
        let index = filled(
            &text("index.html")?,
            &[
                ("boot", &boot),
                ("app", &app),
                ("loader", &loader),
                ("wasm", &wasm),
                ("style", &style),
                ("icon", &icon),
                ("manifest", &manifest),
            ],
        )?;
        // All the names that it holds are in it by now; what remains open is only its own version.
        self.version = self.hash_with(&index);
        self.fixed("/index.html", filled(&index, &[("version", &self.version)])?.into_bytes());
        let shell: Vec<String> =
            self.files.keys().filter(|path| **path != words).map(|path| beside(path)).collect();
        let shell = shell.join("\",\"");
        let sw =
            filled(&text("sw.js")?, &[("version", &self.version), ("words", &words), ("shell", &shell)])?;
        self.fixed("/sw.js", sw.into_bytes());
        Ok(())
    }

    /// The house dictionary, a file of its own: fetched when a word game is opened. Without one its address is empty.
    fn words(&mut self, web: &Path) -> Result<String> {
        let path = web.join("../words/data/house.words");
        println!("cargo::rerun-if-changed={}", path.display());
        if !path.exists() {
            return Ok(String::new());
        }
        Ok(self.keep("house.words", fs::read(path)?))
    }

    /// Changes with the name of any file, and so with its content, and with the page that names them.
    fn hash_with(&self, index: &str) -> String {
        let names: Vec<&str> = self.files.keys().map(String::as_str).collect();
        hash((names.join(" ") + index).as_bytes())
    }

    /// Writes every file and its compressed forms, and the Rust that carries them.
    fn write(&self, out: &Path) -> Result<()> {
        let folder = out.join("site");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        let mut code = format!(
            "const VERSION: &str = {:?};\n#[cfg(test)]\nconst MOST: Option<usize> = {:?};\nstatic ASSETS: &[Asset] = &[\n",
            self.version,
            self.care.most(),
        );
        for (path, File { bytes, kept }) in &self.files {
            let file = folder.join(path.trim_start_matches('/'));
            fs::write(&file, bytes)?;
            let br = smaller(bytes, brotli(bytes, self.care)?, &file, "br")?;
            let br = br.map_or("None".to_owned(), |br| format!("Some(include_bytes!({br:?}))"));
            let form = match smaller(bytes, gzip(bytes, self.care)?, &file, "gz")? {
                Some(gzip) => format!("Form::Gzip(include_bytes!({gzip:?}))"),
                None => format!("Form::Plain(include_bytes!({file:?}))"),
            };
            let cache = if *kept { "Immutable" } else { "Revalidate" };
            writeln!(
                code,
                "    Asset {{ path: {path:?}, content_type: {:?}, cache: Cache::{cache}, hash: {:?}, \
                 form: {form}, br: {br} }},",
                content_type(path),
                hash(bytes)
            )?;
        }
        code.push_str("];\n");
        fs::write(out.join("assets.rs"), code)?;
        Ok(())
    }
}

/// Writes a compressed form beside its file where it is the smaller one; answers where.
fn smaller(bytes: &[u8], pressed: Vec<u8>, file: &Path, end: &str) -> Result<Option<PathBuf>> {
    if pressed.len() >= bytes.len() {
        return Ok(None);
    }
    let beside = PathBuf::from(format!("{}.{end}", file.display()));
    fs::write(&beside, pressed)?;
    Ok(Some(beside))
}

/// A text with something put in the place of something else. What was not there would be missed only in a browser.
fn put(text: &str, old: &str, new: &str) -> Result<String> {
    if text.contains(old) {
        Ok(text.replace(old, new))
    } else {
        Err(format!("{old} is nowhere in the text that should name it").into())
    }
}

/// A text with its `{{gaps}}` filled. Addresses are said as [`beside`] the text.
fn filled(text: &str, gaps: &[(&str, &String)]) -> Result<String> {
    gaps.iter()
        .try_fold(text.to_owned(), |text, (gap, with)| put(&text, &format!("{{{{{gap}}}}}"), &beside(with)))
}

/// An address of the page as the page names it: beside the file that names it, or from the document's base. So the same files do in
/// any folder of a server.
fn beside(path: &str) -> String {
    if path.starts_with('/') { format!(".{path}") } else { path.to_owned() }
}

/// All style sheets in the order of their names, as one.
fn style(folder: &Path) -> Result<String> {
    let mut sheets: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    sheets.sort();
    let mut style = String::new();
    for sheet in sheets.iter().filter(|path| path.extension().is_some_and(|end| end == "css")) {
        style.push_str(&fs::read_to_string(sheet)?);
    }
    Ok(style)
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..8].iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn brotli(bytes: &[u8], care: Care) -> Result<Vec<u8>> {
    let params = brotli::enc::BrotliEncoderParams { quality: care.brotli(), lgwin: 22, ..Default::default() };
    let mut pressed = Vec::new();
    brotli::BrotliCompress(&mut &bytes[..], &mut pressed, &params)?;
    Ok(pressed)
}

/// What browsers take over plain HTTP, where they do not ask for brotli.
fn gzip(bytes: &[u8], care: Care) -> Result<Vec<u8>> {
    let mut press = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(care.gzip()));
    press.write_all(bytes)?;
    Ok(press.finish()?)
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
