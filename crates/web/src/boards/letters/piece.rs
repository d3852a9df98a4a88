//! One die, drawn and named. I-Qubes: bakelite, red with round corners and a dot, black with square ones, letters cut in.
//! Scribbage: ivory, with the value in the corner and a star for the joker.

use crate::session::Session;
use leptos::prelude::*;
use letters::Move;
use words::{Colour, Face, Letter};

/// Which of the two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Red and black.
    IQubes,
    /// Ivory.
    Scribbage,
}

impl Look {
    /// What the pieces are called.
    pub const fn pieces(self) -> &'static str {
        match self {
            Look::IQubes => "dice",
            Look::Scribbage => "cubes",
        }
    }

    /// What a wild one is called.
    pub const fn wild(self) -> &'static str {
        match self {
            Look::IQubes => "WILD",
            Look::Scribbage => "joker",
        }
    }

    /// The hand in front of the screen does something at a turn.
    pub fn act(self, session: Session, step: Move) {
        match self {
            Look::IQubes => session.act::<iqubes::IQubes>(step.into()),
            Look::Scribbage => session.act::<scribbage::Scribbage>(step.into()),
        }
    }

    /// How its layouts are written.
    pub const fn style(self) -> words::notation::Style {
        match self {
            Look::IQubes => words::notation::Style::Colours,
            Look::Scribbage => words::notation::Style::Jokers,
        }
    }
}

const STAR: &str = "M0-30 7.6-9.7 29-9 12 4.3 18 24.5 0 12.5-18 24.5-12 4.3-29-9-7.6-9.7z";

/// A die in words: "red T", "black WILD as O", "T, 2 points", "joker as E".
pub(super) fn spoken(face: Face, called: Option<Letter>) -> String {
    let colour = match face.colour {
        Some(Colour::Red) => "red ",
        Some(Colour::Black) => "black ",
        None => "",
    };
    let wild = if face.colour.is_some() { "WILD" } else { "joker" };
    match (face.letter, called) {
        (Some(letter), _) if face.colour.is_some() => format!("{colour}{}", letter.upper()),
        (Some(letter), _) if face.value == 1 => format!("{}, 1 point", letter.upper()),
        (Some(letter), _) => format!("{}, {} points", letter.upper(), face.value),
        (None, Some(called)) => format!("{colour}{wild} as {}", called.upper()),
        (None, None) => format!("{colour}{wild}"),
    }
}

/// A die in a square of 100.
pub(super) fn piece(face: Face, called: Option<Letter>) -> AnyView {
    let (class, round) = match face.colour {
        Some(Colour::Red) => ("lt-die is-red", 25),
        Some(Colour::Black) => ("lt-die is-black", 7),
        None => ("lt-die is-ivory", 14),
    };
    let ivory = face.colour.is_none();
    let letter = face.letter.or(called).map(|letter| letter.upper().to_string());
    let (x, y) = if ivory { (46, 65) } else { (50, 70) };
    let sign = match (letter, ivory) {
        (Some(letter), _) => view! {
            <text class="lt-cut" x=x y=y>{letter.clone()}</text>
            <text class="lt-letter" x=x y=y + 2>{letter}</text>
        }
        .into_any(),
        (None, true) => view! { <path class="lt-star" d=STAR transform="translate(50 48)"/> }.into_any(),
        (None, false) => view! {
            <text class="lt-wild" x="50" y="57" textLength="66" lengthAdjust="spacingAndGlyphs">"WILD"</text>
        }
        .into_any(),
    };
    let mark = match (face.letter, ivory) {
        (Some(_), true) => view! { <text class="lt-value" x="89" y="87">{face.value}</text> }.into_any(),
        (None, true) if called.is_some() => {
            view! { <path class="lt-star is-small" d=STAR transform="translate(80 76) scale(.36)"/> }
                .into_any()
        }
        (None, false) if called.is_some() => {
            view! { <text class="lt-wild is-small" x="50" y="87">"WILD"</text> }.into_any()
        }
        _ => ().into_any(),
    };
    view! {
        <g class=class class:is-wild=face.is_wild()>
            <rect class="lt-shade" x="4" y="9" width="95" height="94" rx=round/>
            <rect class="lt-side" x="2" y="3" width="96" height="96" rx=round/>
            <rect class="lt-face" x="3" y="2" width="94" height="90" rx=round - 1/>
            <rect class="lt-sheen" x="24" y="6" width="52" height="4" rx="2"/>
            {(face.colour == Some(Colour::Red)).then(|| view! { <circle class="lt-dot" cx="17" cy="18" r="5"/> })}
            {sign}
            {mark}
        </g>
    }
    .into_any()
}

/// A small die on its own.
pub(super) fn small(face: Face, called: Option<Letter>) -> AnyView {
    view! { <svg class="lt-small" viewBox="0 0 100 104" role="img" aria-label=spoken(face, called)>{piece(face, called)}</svg> }.into_any()
}

/// A layout as a picture, each die in its cell.
pub(super) fn picture(layout: &words::Layout, faces: &[Face]) -> AnyView {
    let edge = |of: fn(&words::Placed) -> i8, least: bool| {
        let all = layout.dice.iter().map(of);
        if least { all.min() } else { all.max() }.map_or(0.0, f64::from)
    };
    let (left, top) = (edge(|placed| placed.x, true), edge(|placed| placed.y, true));
    let (right, bottom) = (edge(|placed| placed.x, false), edge(|placed| placed.y, false));
    let size = ((right - left + 1.0) * 104.0, (bottom - top + 1.0) * 106.0);
    let dice = layout.dice.iter().filter_map(|placed| {
        let face = *faces.get(usize::from(placed.die))?;
        let (x, y) = ((f64::from(placed.x) - left) * 104.0 + 2.0, (f64::from(placed.y) - top) * 106.0);
        Some(view! { <g transform=format!("translate({x} {y})")>{piece(face, placed.called)}</g> })
    });
    view! {
        <svg class="lt-picture" viewBox=format!("0 0 {} {}", size.0, size.1) style=format!("--wide:{}", right - left + 1.0)
            role="img" aria-label=read_aloud(layout, faces)>{dice.collect_view()}</svg>
    }
    .into_any()
}

/// The words of a layout, for those who do not see it.
fn read_aloud(layout: &words::Layout, faces: &[Face]) -> String {
    let checked = layout.check(faces, words::Counting::Scribbage, |_| true);
    let words = checked.runs().iter().filter_map(|run| run.word).map(|word| word.to_string().to_uppercase());
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_have_names() {
        let letter = Letter::from_char;
        let red = Face { letter: letter('t'), colour: Some(Colour::Red), value: 0 };
        let wild = Face { letter: None, colour: Some(Colour::Black), value: 0 };
        let cube = Face { letter: letter('q'), colour: None, value: 8 };
        let joker = Face { letter: None, colour: None, value: 0 };
        assert_eq!(spoken(red, None), "red T");
        assert_eq!(spoken(wild, letter('o')), "black WILD as O");
        assert_eq!(spoken(wild, None), "black WILD");
        assert_eq!(spoken(cube, None), "Q, 8 points");
        assert_eq!(spoken(joker, letter('e')), "joker as E");
    }
}
