//! The two sheets of paper that home printers take.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A sheet, upright.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paper {
    /// 210 × 297 mm.
    #[default]
    A4,
    /// 8½ × 11 inches.
    Letter,
}

/// A name that is no paper here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no paper \"{0}\" here: say a4 or letter")]
pub struct NoPaper(pub String);

impl Paper {
    /// Both.
    pub const ALL: [Paper; 2] = [Paper::A4, Paper::Letter];

    /// Width in millimetres.
    pub const fn width(self) -> f32 {
        match self {
            Paper::A4 => 210.0,
            Paper::Letter => 215.9,
        }
    }

    /// Height in millimetres.
    pub const fn height(self) -> f32 {
        match self {
            Paper::A4 => 297.0,
            Paper::Letter => 279.4,
        }
    }
}

impl FromStr for Paper {
    type Err = NoPaper;

    fn from_str(name: &str) -> Result<Paper, NoPaper> {
        let known = Paper::ALL.into_iter().find(|paper| paper.to_string() == name.to_ascii_lowercase());
        known.ok_or_else(|| NoPaper(name.to_owned()))
    }
}

impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Paper::A4 => "a4",
            Paper::Letter => "letter",
        })
    }
}
