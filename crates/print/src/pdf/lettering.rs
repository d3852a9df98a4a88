//! Type: two weights of one slab serif, how wide a line is, and where it breaks.

use crate::pdf::ink::{BLACK, Ink};
use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Face, UnicodeBuffer};

const REGULAR: &[u8] = include_bytes!("../../fonts/RobotoSlab-Regular.otf");
const BOLD: &[u8] = include_bytes!("../../fonts/RobotoSlab-Bold.otf");

/// The millimetres of so many points.
pub(crate) const fn points(points: f32) -> f32 {
    points * 25.4 / 72.0
}

/// How heavy the letters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

/// Which end of a line stands where it is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Centre,
    Right,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) weight: Weight,
    /// In millimetres.
    pub(crate) size: f32,
    pub(crate) ink: Ink,
    pub(crate) align: Align,
}

impl Style {
    /// Plain text of so many points.
    pub(crate) const fn plain(size: f32) -> Style {
        Style { weight: Weight::Regular, size: points(size), ink: BLACK, align: Align::Left }
    }

    /// Bold text of so many points.
    pub(crate) const fn bold(size: f32) -> Style {
        Style { weight: Weight::Bold, ..Style::plain(size) }
    }

    pub(crate) const fn ink(self, ink: Ink) -> Style {
        Style { ink, ..self }
    }

    pub(crate) const fn align(self, align: Align) -> Style {
        Style { align, ..self }
    }
}

/// A face of the type, for shaping and for the PDF.
struct Cut {
    face: Face<'static>,
    font: Font,
}

impl Cut {
    fn new(bytes: &'static [u8]) -> Cut {
        let face = Face::from_slice(bytes, 0).expect("the embedded font is sound: every test sets it");
        let font = Font::new(bytes.into(), 0).expect("the embedded font is sound");
        Cut { face, font }
    }
}

/// A line of glyphs, and how wide it is at a size of one.
pub(crate) struct Set {
    pub(crate) glyphs: Vec<KrillaGlyph>,
    pub(crate) width: f32,
}

/// The type case.
pub(crate) struct Lettering {
    regular: Cut,
    bold: Cut,
}

impl Lettering {
    pub(crate) fn new() -> Lettering {
        Lettering { regular: Cut::new(REGULAR), bold: Cut::new(BOLD) }
    }

    fn cut(&self, weight: Weight) -> &Cut {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    pub(crate) fn font(&self, weight: Weight) -> Font {
        self.cut(weight).font.clone()
    }

    /// Sets a line: kerned, left to right.
    pub(crate) fn set(&self, text: &str, weight: Weight) -> Set {
        let face = &self.cut(weight).face;
        let em = face.units_per_em() as f32;
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        let shaped = rustybuzz::shape(face, &[], buffer);
        let starts: Vec<usize> = shaped.glyph_infos().iter().map(|info| info.cluster as usize).collect();
        let glyph = |(number, at): (usize, &rustybuzz::GlyphPosition)| {
            let start = starts[number];
            let end = starts[number..].iter().copied().find(|&next| next > start).unwrap_or(text.len());
            KrillaGlyph::new(
                GlyphId::new(shaped.glyph_infos()[number].glyph_id),
                at.x_advance as f32 / em,
                at.x_offset as f32 / em,
                at.y_offset as f32 / em,
                at.y_advance as f32 / em,
                start..end,
                None,
            )
        };
        let glyphs: Vec<KrillaGlyph> = shaped.glyph_positions().iter().enumerate().map(glyph).collect();
        let width = glyphs.iter().map(|glyph| glyph.x_advance).sum();
        Set { glyphs, width }
    }

    /// How wide a text is, in millimetres.
    pub(crate) fn width(&self, text: &str, style: Style) -> f32 {
        self.set(text, style.weight).width * style.size
    }

    /// How high its capitals are, in millimetres.
    pub(crate) fn capitals(&self, style: Style) -> f32 {
        let face = &self.cut(style.weight).face;
        let height = face.capital_height().unwrap_or(1456);
        f32::from(height) / face.units_per_em() as f32 * style.size
    }

    /// Whether the type has every letter of a text.
    #[cfg(test)]
    pub(crate) fn has(&self, text: &str) -> bool {
        text.chars().all(|c| c.is_control() || self.regular.face.glyph_index(c).is_some())
    }

    /// Breaks a text into lines of at most that width; a word wider than that stands alone.
    pub(crate) fn lines(&self, text: &str, style: Style, width: f32) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if self.width(&format!("{line} {word}"), style) <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_its_column_and_no_word_is_lost() {
        let lettering = Lettering::new();
        let text = "Whoever has the last tile on the board has won, and partners win together.";
        let style = Style::plain(9.0);
        let lines = lettering.lines(text, style, 40.0);
        assert!(lines.len() > 2, "{lines:?}");
        assert!(lines.iter().all(|line| lettering.width(line, style) <= 40.0), "{lines:?}");
        assert_eq!(lines.join(" "), text);
    }
}
