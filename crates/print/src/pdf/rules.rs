//! The page of rules: a short text of ours in two columns. `## ` is a heading, `- ` a point, anything else a paragraph.

use crate::pdf::area::Area;
use crate::pdf::ink::{GREY, Ink, accent};
use crate::pdf::lettering::{Lettering, Style, points};
use crate::pdf::sheet::{Book, Sheet, disc};
use house::Kind;
use std::borrow::Cow;

const GUTTER: f32 = 9.0;
const TEXT: Style = Style::plain(9.0);
const LEADING: f32 = points(9.0) * 1.42;
const POINT: f32 = 3.2;

fn text_of(game: Kind) -> Cow<'static, str> {
    Cow::Borrowed(match game {
        Kind::IQubes => include_str!("../../rules/iqubes.md"),
        Kind::Scribbage => include_str!("../../rules/scribbage.md"),
        Kind::Contact => include_str!("../../rules/contact.md"),
        Kind::Cubo => include_str!("../../rules/cubo.md"),
        Kind::Roulette => include_str!("../../rules/roulette.md"),
        #[allow(unreachable_patterns, reason = "a game may have no page of its own yet")]
        _ => return Cow::Owned(told(house::engine(game).reference())),
    })
}

/// The rules that a game brings itself.
fn told(rules: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (what, how) in rules {
        text.extend(["## ", what, "\n\n", how, "\n\n"]);
    }
    text
}

/// A line set in a column, or the space before what follows.
enum Row {
    Heading(String),
    Text { line: String, indent: f32, dot: bool },
    Space(f32),
}

impl Row {
    fn height(&self) -> f32 {
        match self {
            Row::Heading(_) => 6.2,
            Row::Text { .. } => LEADING,
            Row::Space(height) => *height,
        }
    }
}

/// The page, or pages, of rules.
pub(crate) fn pages(book: &mut Book, game: Kind) {
    let free = book.free();
    let width = (free.w - GUTTER) / 2.0;
    let rows = set(&text_of(game), book.lettering(), width);
    // The first column takes its half of the text, the second whatever is left.
    let half = rows.iter().map(Row::height).sum::<f32>() / 2.0 + LEADING;
    let whole = free.below(2.0);
    let columns = [
        Area { w: width, h: half.min(whole.h), ..whole },
        Area { x: free.x + width + GUTTER, w: width, ..whole },
    ];
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        book.page("Rules", |page| {
            for column in columns {
                fill(page, column, &mut rows, accent(game));
            }
        });
    }
}

fn set(text: &str, lettering: &Lettering, width: f32) -> Vec<Row> {
    let mut rows = Vec::new();
    for block in text.split("\n\n").map(str::trim).filter(|block| !block.is_empty()) {
        if let Some(heading) = block.strip_prefix("## ") {
            rows.push(Row::Space(2.2));
            rows.push(Row::Heading(heading.to_owned()));
            continue;
        }
        let points = block.strip_prefix("- ").map(|points| points.split("\n- "));
        let (indent, items): (f32, Vec<&str>) = match points {
            Some(points) => (POINT, points.collect()),
            None => (0.0, vec![block]),
        };
        for item in items {
            for (number, line) in lettering.lines(item, TEXT, width - indent).into_iter().enumerate() {
                rows.push(Row::Text { line, indent, dot: indent > 0.0 && number == 0 });
            }
            rows.push(Row::Space(1.3));
        }
    }
    rows
}

fn fill(
    page: &mut Sheet<'_>,
    column: Area,
    rows: &mut std::iter::Peekable<impl Iterator<Item = Row>>,
    ink: Ink,
) {
    let mut y = column.y;
    while let Some(row) = rows.peek() {
        // A heading is not left alone at the foot of a column.
        let needed = row.height() + if matches!(row, Row::Heading(_) | Row::Space(_)) { 9.0 } else { 0.0 };
        if y + needed > column.bottom() {
            return;
        }
        let Some(row) = rows.next() else { return };
        match &row {
            Row::Space(_) if y <= column.y => continue,
            Row::Space(_) => {}
            Row::Heading(says) => page.text(says, (column.x, y + 4.0), Style::bold(11.0).ink(ink)),
            Row::Text { line, indent, dot } => {
                page.text(line, (column.x + indent, y + 3.2), TEXT);
                if *dot {
                    page.fill(disc((column.x + 1.0, y + 2.1), 0.55), GREY);
                }
            }
        }
        y += row.height();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_has_every_letter_of_the_rules() {
        let lettering = Lettering::new();
        for game in Kind::ALL {
            assert!(lettering.has(&text_of(game)), "{game}");
        }
        assert_eq!(told(&[("Aim", "Win.")]), "## Aim\n\nWin.\n\n");
    }
}
