//! Opens a PDF with poppler's programs, renders its pages and measures them in millimetres.

use print::Area;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

/// Pixels a millimetre.
const FINE: f32 = 8.0;
const MM: f32 = 25.4 / 72.0;

/// An opened book.
pub(crate) struct Reader {
    folder: TempDir,
    file: PathBuf,
}

/// A word on a page, and the box around it.
pub(crate) struct Word {
    pub(crate) says: String,
    pub(crate) at: Area,
}

impl Reader {
    pub(crate) fn open(pdf: &[u8]) -> Reader {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("book.pdf");
        std::fs::write(&file, pdf).unwrap();
        Reader { folder, file }
    }

    fn ask(&self, program: &str, args: &[&str]) -> Vec<u8> {
        let out = Command::new(program).args(args).arg(&self.file).arg("-").output();
        let out = out.unwrap_or_else(|why| panic!("{program}: {why}; it is in poppler-utils"));
        assert!(out.status.success(), "{program}: {}", String::from_utf8_lossy(&out.stderr));
        out.stdout
    }

    /// Width and height of each page.
    pub(crate) fn pages(&self) -> Vec<(f32, f32)> {
        let text = String::from_utf8(self.ask("pdftotext", &["-bbox"])).unwrap();
        let pages = text.lines().filter(|line| line.trim().starts_with("<page "));
        pages.map(|line| (number(line, "width") * MM, number(line, "height") * MM)).collect()
    }

    /// The words of a page, in the order they were written.
    pub(crate) fn words(&self, page: usize) -> Vec<Word> {
        let page = (page + 1).to_string();
        let text =
            String::from_utf8(self.ask("pdftotext", &["-raw", "-bbox", "-f", &page, "-l", &page])).unwrap();
        text.lines().filter(|line| line.trim().starts_with("<word ")).map(read_word).collect()
    }

    /// The text of a page.
    pub(crate) fn text(&self, page: usize) -> String {
        self.words(page).into_iter().map(|word| word.says).collect::<Vec<_>>().join(" ")
    }

    /// Single letters whose box is at least that many millimetres high.
    pub(crate) fn big_letters(&self, page: usize, height: f32) -> Vec<char> {
        let words = self.words(page).into_iter().filter(|word| word.at.h >= height);
        words.flat_map(|word| word.says.chars().collect::<Vec<_>>()).collect()
    }

    /// The figures that stand alone on a page (larger than its foot), and where their middles are.
    pub(crate) fn figures(&self, page: usize) -> Vec<(char, f32, f32)> {
        let words = self.words(page).into_iter();
        let alone = words.filter(|word| {
            word.at.h > 4.0 && word.says.len() == 1 && word.says.as_bytes()[0].is_ascii_digit()
        });
        alone
            .map(|word| (char::from(word.says.as_bytes()[0]), word.at.centre().0, word.at.centre().1))
            .collect()
    }

    /// A page, rendered.
    pub(crate) fn picture(&self, page: usize) -> Picture {
        let (page, fine) = ((page + 1).to_string(), (FINE * 25.4).to_string());
        let root = self.folder.path().join("page");
        let args = ["-r", &fine, "-f", &page, "-l", &page, "-singlefile"];
        let out = Command::new("pdftoppm").args(args).arg(&self.file).arg(&root).output();
        let out = out.unwrap_or_else(|why| panic!("pdftoppm: {why}; it is in poppler-utils"));
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        Picture::read(&std::fs::read(root.with_extension("ppm")).unwrap())
    }
}

fn field<'a>(line: &'a str, name: &str) -> &'a str {
    let start = line.find(&format!("{name}=\"")).unwrap() + name.len() + 2;
    &line[start..start + line[start..].find('"').unwrap()]
}

fn number(line: &str, name: &str) -> f32 {
    field(line, name).parse().unwrap()
}

fn read_word(line: &str) -> Word {
    let (left, top) = (number(line, "xMin") * MM, number(line, "yMin") * MM);
    let (right, bottom) = (number(line, "xMax") * MM, number(line, "yMax") * MM);
    let says = &line[line.find('>').unwrap() + 1..line.rfind("</word>").unwrap()];
    Word { says: says.replace("&amp;", "&"), at: Area { x: left, y: top, w: right - left, h: bottom - top } }
}

/// A point of a picture.
#[derive(Clone, Copy)]
pub(crate) struct Pixel(u8, u8, u8);

impl Pixel {
    pub(crate) fn is_dark(self) -> bool {
        u32::from(self.0) + u32::from(self.1) + u32::from(self.2) < 520
    }

    pub(crate) fn is_red(self) -> bool {
        self.0 > 140 && self.1 < 110 && self.2 < 110
    }

    fn is_paper(self) -> bool {
        self.0 > 250 && self.1 > 250 && self.2 > 250
    }
}

/// A rendered page.
pub(crate) struct Picture {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Picture {
    /// Reads a binary PPM: `P6`, width, height, 255, then three bytes a pixel.
    fn read(ppm: &[u8]) -> Picture {
        let mut at = 0;
        let mut fields = Vec::new();
        while fields.len() < 4 {
            let length = ppm[at..].iter().position(u8::is_ascii_whitespace).unwrap();
            fields.push(String::from_utf8(ppm[at..at + length].to_vec()).unwrap());
            at += length + 1;
        }
        assert_eq!((fields[0].as_str(), fields[3].as_str()), ("P6", "255"));
        let (width, height) = (fields[1].parse().unwrap(), fields[2].parse().unwrap());
        let bytes = ppm[at..].to_vec();
        assert_eq!(bytes.len(), 3 * width * height);
        Picture { width, height, bytes }
    }

    fn pixel(&self, x: usize, y: usize) -> Pixel {
        let at = 3 * (y * self.width + x);
        Pixel(self.bytes[at], self.bytes[at + 1], self.bytes[at + 2])
    }

    /// The pixel at a place in millimetres.
    pub(crate) fn at(&self, x: f32, y: f32) -> Pixel {
        self.pixel((x * FINE) as usize, (y * FINE) as usize)
    }

    fn pixels(&self) -> impl Iterator<Item = (usize, usize, Pixel)> + '_ {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| (x, y, self.pixel(x, y))))
    }

    /// What is not bare paper.
    pub(crate) fn inked(&self) -> Area {
        let (mut left, mut top, mut right, mut bottom) = (usize::MAX, usize::MAX, 0, 0);
        let bare = vec![255; 3 * self.width];
        for y in 0..self.height {
            if self.bytes[3 * self.width * y..][..bare.len()] == bare {
                continue; // most rows of most pages: one comparison instead of a walk
            }
            let mut inked = (0..self.width).filter(|x| !self.pixel(*x, y).is_paper());
            let Some(first) = inked.next() else { continue };
            let last = inked.next_back().unwrap_or(first);
            (left, right) = (left.min(first), right.max(last + 1));
            (top, bottom) = (top.min(y), bottom.max(y + 1));
        }
        let mm = |pixels: usize| pixels as f32 / FINE;
        Area { x: mm(left), y: mm(top), w: mm(right - left), h: mm(bottom - top) }
    }

    /// The first place, row by row, that is so.
    pub(crate) fn first(&self, is: impl Fn(Pixel) -> bool) -> (f32, f32) {
        let (x, y, _) = self.pixels().find(|(_, _, pixel)| is(*pixel)).unwrap();
        (x as f32 / FINE, y as f32 / FINE)
    }

    /// The longest run on a line across that is so: where it begins and ends.
    pub(crate) fn run_across(&self, y: f32, is: impl Fn(Pixel) -> bool) -> (f32, f32) {
        let row = (y * FINE) as usize;
        // A line of a tenth of a millimetre may fall between two rows of pixels.
        let here = |x: usize| (row.saturating_sub(1)..=row + 1).any(|y| is(self.pixel(x, y)));
        longest((0..self.width).map(here))
    }

    /// The same on a line down.
    pub(crate) fn run_down(&self, x: f32, is: impl Fn(Pixel) -> bool) -> (f32, f32) {
        let column = (x * FINE) as usize;
        longest((0..self.height).map(|y| is(self.pixel(column, y))))
    }

    /// Where long lines go down the page.
    pub(crate) fn lines_down(&self, is: impl Fn(Pixel) -> bool) -> Vec<f32> {
        let long = |x: usize| (0..self.height).filter(|&y| is(self.pixel(x, y))).count() * 2 > self.height;
        let mut lines: Vec<f32> = Vec::new();
        for x in (0..self.width).filter(|&x| long(x)) {
            let at = x as f32 / FINE;
            if lines.last().is_none_or(|last| at - last > 1.0) {
                lines.push(at);
            }
        }
        lines
    }
}

fn longest(so: impl Iterator<Item = bool>) -> (f32, f32) {
    let (mut best, mut start) = ((0, 0), None);
    for (at, so) in so.chain([false]).enumerate() {
        match (so, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                if at - from > best.1 - best.0 {
                    best = (from, at);
                }
                start = None;
            }
            _ => {}
        }
    }
    (best.0 as f32 / FINE, best.1 as f32 / FINE)
}
