//! A book of sheets, and drawing on one of them in millimetres. Every sheet says what it is, that it must be printed at
//! its real size, and brings a ruler to check that.

use crate::pdf::area::Area;
use crate::pdf::ink::{GREY, Ink, Line, accent};
use crate::pdf::lettering::{Align, Lettering, Style};
use crate::{Paper, PrintError};
use house::Kind;
use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Rect, Transform};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule, LineCap, LineJoin, Stroke, StrokeDash};
use krilla::surface::Surface;

const POINTS_PER_MM: f32 = 72.0 / 25.4;
/// What printers leave white, and a little more.
const MARGIN: f32 = 11.0;
const HEAD: f32 = 11.0;
const FOOT: f32 = 6.0;
/// How long the ruler at the foot of a sheet is.
pub(crate) const RULER: f32 = 50.0;

/// The pages of a game.
pub(crate) struct Book {
    game: Kind,
    paper: Paper,
    document: Document,
    lettering: Lettering,
}

impl Book {
    pub(crate) fn open(game: Kind, paper: Paper) -> Book {
        let mut document = Document::new();
        document.set_metadata(
            Metadata::new()
                .title(format!("{game}: print and play"))
                .creator("Parlor".to_owned())
                .language("en".to_owned()),
        );
        Book { game, paper, document, lettering: Lettering::new() }
    }

    pub(crate) fn paper(&self) -> Paper {
        self.paper
    }

    pub(crate) fn lettering(&self) -> &Lettering {
        &self.lettering
    }

    /// The part of a sheet that is for drawing on.
    pub(crate) fn free(&self) -> Area {
        Area {
            x: MARGIN,
            y: MARGIN + HEAD,
            w: self.paper.width() - 2.0 * MARGIN,
            h: self.paper.height() - 2.0 * MARGIN - HEAD - FOOT,
        }
    }

    /// Draws a page, with a heading that says what it is.
    pub(crate) fn page(&mut self, heading: &str, draw: impl FnOnce(&mut Sheet<'_>)) {
        let (width, height) = (self.paper.width() * POINTS_PER_MM, self.paper.height() * POINTS_PER_MM);
        let settings = PageSettings::from_wh(width, height).expect("paper has an extent");
        let mut page = self.document.start_page_with(settings);
        let mut surface = page.surface();
        surface.push_transform(&Transform::from_scale(POINTS_PER_MM, POINTS_PER_MM));
        let mut sheet = Sheet { surface, lettering: &self.lettering, paper: self.paper };
        sheet.furnish(self.game, heading);
        draw(&mut sheet);
        // Surface and page are finished when they are dropped.
        sheet.surface.pop();
    }

    pub(crate) fn bind(self) -> Result<Vec<u8>, PrintError> {
        self.document.finish().map_err(|why| PrintError::Binding(format!("{why:?}")))
    }
}

/// A sheet being drawn on.
pub(crate) struct Sheet<'a> {
    surface: Surface<'a>,
    lettering: &'a Lettering,
    paper: Paper,
}

impl Sheet<'_> {
    pub(crate) fn lettering(&self) -> &Lettering {
        self.lettering
    }

    /// The heading, and the ruler at the foot.
    fn furnish(&mut self, game: Kind, heading: &str) {
        let (right, foot) = (self.paper.width() - MARGIN, self.paper.height() - MARGIN);
        let ink = accent(game);
        self.text(game.title(), (MARGIN, MARGIN + 4.6), Style::bold(16.0).ink(ink));
        self.text(heading, (right, MARGIN + 4.6), Style::plain(10.0).ink(GREY).align(Align::Right));
        self.stroke(segment((MARGIN, MARGIN + 7.0), (right, MARGIN + 7.0)), Line::new(ink, 0.5));
        let thin = Line::new(GREY, 0.2);
        self.stroke(segment((MARGIN, foot), (MARGIN + RULER, foot)), thin);
        for centimetre in 0..=5_u8 {
            let (x, long) = (MARGIN + 10.0 * f32::from(centimetre), centimetre % 5 == 0);
            self.stroke(segment((x, foot - if long { 2.2 } else { 1.2 }), (x, foot)), thin);
        }
        let says = "Print at 100 %, without fitting to the page: then this ruler is 5 cm long.";
        self.text(says, (MARGIN + RULER + 3.0, foot), Style::plain(7.0).ink(GREY));
    }

    /// Fills a shape. A shape without extent leaves no ink.
    pub(crate) fn fill(&mut self, shape: Option<Path>, ink: Ink) {
        let Some(shape) = shape else { return };
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(full(ink)));
        self.surface.draw_path(&shape);
    }

    /// Draws a shape's outline.
    pub(crate) fn stroke(&mut self, shape: Option<Path>, line: Line) {
        let Some(shape) = shape else { return };
        self.surface.set_fill(None);
        self.surface.set_stroke(Some(Stroke {
            paint: colour(line.ink).into(),
            width: line.width,
            line_cap: LineCap::Butt,
            line_join: LineJoin::Miter,
            dash: line.dash.map(|dash| StrokeDash { array: vec![dash, dash * 0.8], offset: 0.0 }),
            ..Stroke::default()
        }));
        self.surface.draw_path(&shape);
    }

    /// Fills an area and draws its edge.
    pub(crate) fn panel(&mut self, area: Area, ink: Ink, line: Line) {
        self.fill(rect(area), ink);
        self.stroke(rect(area), line);
    }

    /// Writes a line whose base stands at that point.
    pub(crate) fn text(&mut self, text: &str, at: (f32, f32), style: Style) {
        let set = self.lettering.set(text, style.weight);
        let x = match style.align {
            Align::Left => at.0,
            Align::Centre => at.0 - set.width * style.size / 2.0,
            Align::Right => at.0 - set.width * style.size,
        };
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(full(style.ink)));
        let font = self.lettering.font(style.weight);
        self.surface.draw_glyphs(Point::from_xy(x, at.1), &set.glyphs, font, text, style.size, false);
    }

    /// Writes a line into the middle of an area, by the height of its capitals.
    pub(crate) fn label(&mut self, text: &str, area: Area, style: Style) {
        let (x, y) = area.centre();
        let base = y + self.lettering.capitals(style) / 2.0;
        self.text(text, (x, base), style.align(Align::Centre));
    }

    /// Writes a text in lines of that width, the first one's base at that point; says where the next would stand.
    pub(crate) fn paragraph(&mut self, text: &str, at: (f32, f32), width: f32, style: Style) -> f32 {
        let mut y = at.1;
        for line in self.lettering.lines(text, style, width) {
            self.text(&line, (at.0, y), style);
            y += style.size * 1.42;
        }
        y
    }

    /// Draws something turned by so many degrees around a point.
    pub(crate) fn turned(&mut self, degrees: f32, around: (f32, f32), draw: impl FnOnce(&mut Self)) {
        self.surface.push_transform(&Transform::from_rotate_at(degrees, around.0, around.1));
        draw(self);
        self.surface.pop();
    }
}

fn colour(ink: Ink) -> rgb::Color {
    rgb::Color::new(ink.0, ink.1, ink.2)
}

fn full(ink: Ink) -> Fill {
    Fill { paint: colour(ink).into(), opacity: NormalizedF32::ONE, rule: FillRule::NonZero }
}

/// A straight line.
pub(crate) fn segment(from: (f32, f32), to: (f32, f32)) -> Option<Path> {
    let mut path = PathBuilder::new();
    path.move_to(from.0, from.1);
    path.line_to(to.0, to.1);
    path.finish()
}

/// A rectangle.
pub(crate) fn rect(area: Area) -> Option<Path> {
    let mut path = PathBuilder::new();
    path.push_rect(Rect::from_xywh(area.x, area.y, area.w, area.h)?);
    path.finish()
}

/// A closed shape with straight sides.
pub(crate) fn polygon(corners: &[(f32, f32)]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (first, rest) = corners.split_first()?;
    path.move_to(first.0, first.1);
    for corner in rest {
        path.line_to(corner.0, corner.1);
    }
    path.close();
    path.finish()
}

/// How far the handles of a curve reach to make a quarter of a circle.
const ROUND: f32 = 0.552_285;

/// A rectangle with round corners.
pub(crate) fn rounded(area: Area, radius: f32) -> Option<Path> {
    let (l, t, r, b) = (area.x, area.y, area.right(), area.bottom());
    let k = radius * (1.0 - ROUND);
    let mut path = PathBuilder::new();
    path.move_to(l + radius, t);
    path.line_to(r - radius, t);
    path.cubic_to(r - k, t, r, t + k, r, t + radius);
    path.line_to(r, b - radius);
    path.cubic_to(r, b - k, r - k, b, r - radius, b);
    path.line_to(l + radius, b);
    path.cubic_to(l + k, b, l, b - k, l, b - radius);
    path.line_to(l, t + radius);
    path.cubic_to(l, t + k, l + k, t, l + radius, t);
    path.close();
    path.finish()
}

/// A disc.
pub(crate) fn disc(centre: (f32, f32), radius: f32) -> Option<Path> {
    rounded(Area::square(centre.0 - radius, centre.1 - radius, 2.0 * radius), radius)
}

/// A star with five points.
pub(crate) fn star(centre: (f32, f32), radius: f32) -> Option<Path> {
    let corners: Vec<(f32, f32)> = (0..10_u8)
        .map(|corner| {
            let reach = if corner % 2 == 0 { radius } else { radius * 0.42 };
            let angle = f32::from(corner) * std::f32::consts::PI / 5.0;
            (centre.0 + reach * angle.sin(), centre.1 - reach * angle.cos())
        })
        .collect();
    polygon(&corners)
}
