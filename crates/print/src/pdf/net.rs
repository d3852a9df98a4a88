//! The net of a die: six faces to cut out in one piece, fold and glue.

use crate::pdf::area::Area;
use crate::pdf::ink::{CUT, FOLD, GREY};
use crate::pdf::lettering::Style;
use crate::pdf::sheet::{Book, Sheet, polygon, segment};

/// The edge of a die, in millimetres.
pub const DIE: f32 = 16.0;
const TAB: f32 = 5.0;
const SLANT: f32 = 3.0;
/// What a net takes on the sheet: three faces wide, four high, and a tab at its foot.
const NET: (f32, f32) = (3.0 * DIE, 4.0 * DIE + TAB);

/// Where a face lies in its net, in faces from the top left: opposite faces are two apart in the strip, or the two wings.
/// So the first face of a die comes to lie opposite the last, the second opposite the fifth, the third opposite the fourth.
const PLACES: [(f32, f32); 6] = [(1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (2.0, 1.0), (1.0, 2.0), (1.0, 3.0)];

/// Pages with the nets of so many dice; `draw` is handed a die's number, a face's number, and the face's area.
pub(crate) fn pages(
    book: &mut Book,
    heading: &str,
    dice: usize,
    mut draw: impl FnMut(&mut Sheet<'_>, usize, usize, Area),
) {
    let free = book.free();
    let places = free.below(HINT).places(NET, 7.0);
    let sheets = dice.div_ceil(places.len());
    for sheet in 0..sheets {
        let number =
            if sheets > 1 { format!("{heading}, {} of {sheets}", sheet + 1) } else { heading.to_owned() };
        book.page(&number, |page| {
            hint(page, free);
            for (die, &place) in (sheet * places.len()..dice).zip(&places) {
                net(page, place, |page, face, area| draw(page, die, face, area));
            }
        });
    }
}

const HINT: f32 = 7.0;

fn hint(page: &mut Sheet<'_>, free: Area) {
    let says = "Cut along the solid lines, fold along the dashed ones, glue the tabs inside. Stiff paper makes better dice.";
    page.paragraph(says, (free.x, free.y + 2.5), free.w, Style::plain(7.5).ink(GREY));
}

fn net(page: &mut Sheet<'_>, place: Area, mut draw: impl FnMut(&mut Sheet<'_>, usize, Area)) {
    let faces = PLACES.map(|(column, row)| Area::square(place.x + column * DIE, place.y + row * DIE, DIE));
    for (number, face) in faces.into_iter().enumerate() {
        draw(page, number, face);
    }
    fold(page, place);
    page.stroke(polygon(&outline(place)), CUT);
}

/// The folds: the edges between faces, and where the tabs begin.
fn fold(page: &mut Sheet<'_>, place: Area) {
    let at = |x: f32, y: f32| (place.x + x * DIE, place.y + y * DIE);
    for (from, to) in [
        ((1.0, 1.0), (2.0, 1.0)),
        ((1.0, 2.0), (2.0, 2.0)),
        ((1.0, 3.0), (2.0, 3.0)),
        ((1.0, 4.0), (2.0, 4.0)),
        ((1.0, 0.0), (1.0, 4.0)),
        ((2.0, 0.0), (2.0, 4.0)),
    ] {
        page.stroke(segment(at(from.0, from.1), at(to.0, to.1)), FOLD);
    }
}

/// The outline, clockwise from the top left of the strip. Tabs hang on the strip only: the wings are glued to them.
fn outline(place: Area) -> Vec<(f32, f32)> {
    let (left, right, top) = (place.x + DIE, place.x + 2.0 * DIE, place.y);
    let y = |row: f32| top + row * DIE;
    let mut points = vec![(left, top), (right, top)];
    let tab_right = |points: &mut Vec<(f32, f32)>, row: f32| {
        points.extend([
            (right + TAB, y(row) + SLANT),
            (right + TAB, y(row + 1.0) - SLANT),
            (right, y(row + 1.0)),
        ]);
    };
    let tab_left = |points: &mut Vec<(f32, f32)>, row: f32| {
        points.extend([(left - TAB, y(row + 1.0) - SLANT), (left - TAB, y(row) + SLANT), (left, y(row))]);
    };
    tab_right(&mut points, 0.0);
    points.extend([(right + DIE, y(1.0)), (right + DIE, y(2.0)), (right, y(2.0))]);
    tab_right(&mut points, 2.0);
    tab_right(&mut points, 3.0);
    points.extend([(right - SLANT, y(4.0) + TAB), (left + SLANT, y(4.0) + TAB), (left, y(4.0))]);
    tab_left(&mut points, 3.0);
    tab_left(&mut points, 2.0);
    points.extend([(left - DIE, y(2.0)), (left - DIE, y(1.0)), (left, y(1.0))]);
    tab_left(&mut points, 0.0);
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_net_has_seven_tabs_and_stays_in_its_place() {
        let place = Area { x: 30.0, y: 40.0, w: NET.0, h: NET.1 };
        let points = outline(place);
        for (x, y) in &points {
            assert!(
                (place.x..=place.right()).contains(x) && (place.y..=place.bottom()).contains(y),
                "{x} {y}"
            );
        }
        let area: f32 = points
            .iter()
            .zip(points.iter().cycle().skip(1))
            .map(|(a, b)| (a.0 * b.1 - b.0 * a.1) / 2.0)
            .sum();
        let tab = TAB * (DIE - SLANT);
        assert!((area - 6.0 * DIE * DIE - 7.0 * tab).abs() < 0.5, "{area}");
    }

    #[test]
    fn first_and_last_face_are_opposite() {
        let two = |apart: f32| (apart.abs() - 2.0).abs() < 1e-3;
        assert!(two(PLACES[0].1 - PLACES[5].1));
        assert!(two(PLACES[1].1 - PLACES[4].1));
        assert!(two(PLACES[2].0 - PLACES[3].0));
    }
}
