//! The colours of the house, and how lines are drawn. Light enough for a home printer's ink.

use house::Kind;

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ink(pub(crate) u8, pub(crate) u8, pub(crate) u8);

pub(crate) const BLACK: Ink = Ink(0x1d, 0x1b, 0x19);
pub(crate) const GREY: Ink = Ink(0x77, 0x72, 0x6c);
pub(crate) const PALE: Ink = Ink(0xc9, 0xc4, 0xbc);
pub(crate) const WHITE: Ink = Ink(0xff, 0xff, 0xff);
pub(crate) const RED: Ink = Ink(0xb8, 0x26, 0x21);
pub(crate) const BLUE: Ink = Ink(0x1f, 0x4f, 0xa3);
pub(crate) const GREEN: Ink = Ink(0x2b, 0x7a, 0x3d);
pub(crate) const YELLOW: Ink = Ink(0xe3, 0xa9, 0x0f);
pub(crate) const CREAM: Ink = Ink(0xfb, 0xf6, 0xea);
pub(crate) const IVORY: Ink = Ink(0xfa, 0xf5, 0xe4);
pub(crate) const TEAL: Ink = Ink(0x0f, 0x76, 0x6e);
pub(crate) const ORANGE: Ink = Ink(0xc9, 0x5a, 0x0c);
pub(crate) const BAIZE: Ink = Ink(0xe3, 0xf0, 0xe4);
pub(crate) const GOLD: Ink = Ink(0xa8, 0x7b, 0x14);

/// The accent of a game.
#[allow(clippy::match_wildcard_for_single_variants, reason = "a game may have no accent of its own yet")]
pub(crate) const fn accent(game: Kind) -> Ink {
    match game {
        Kind::IQubes => RED,
        Kind::Scribbage => TEAL,
        Kind::Cubo => BLUE,
        Kind::Roulette => GREEN,
        _ => BLACK,
    }
}

/// A line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) ink: Ink,
    /// In millimetres.
    pub(crate) width: f32,
    /// The length of a dash; none for an unbroken line.
    pub(crate) dash: Option<f32>,
}

impl Line {
    pub(crate) const fn new(ink: Ink, width: f32) -> Line {
        Line { ink, width, dash: None }
    }

    pub(crate) const fn dashed(ink: Ink, width: f32, dash: f32) -> Line {
        Line { ink, width, dash: Some(dash) }
    }
}

/// Where scissors go.
pub(crate) const CUT: Line = Line::new(GREY, 0.15);
/// Where paper is folded.
pub(crate) const FOLD: Line = Line::dashed(GREY, 0.15, 1.2);
