//! Print and play: what one needs to make a game with scissors, glue and a printer. Nets of the dice with the faces of
//! the data files, boards, tiles, score sheets and a page of rules, as a vector PDF in real millimetres.
//!
//! Drawing and binding are the feature `pdf`; without it [`book`] says how to get them.
//!
//! ```
//! use house::Kind;
//! use print::Paper;
//!
//! let pdf = print::book(Kind::Cubo, Paper::A4)?;
//! assert!(pdf.starts_with(b"%PDF"));
//! # Ok::<(), print::PrintError>(())
//! ```

mod paper;
#[cfg(feature = "pdf")]
mod pdf;

pub use paper::Paper;
#[cfg(feature = "pdf")]
pub use pdf::{Area, DIE, SQUARE, TILE, book};

use thiserror::Error;

/// Why there is no PDF.
#[derive(Debug, Error)]
pub enum PrintError {
    /// The PDF could not be put together.
    #[error("the pages could not be bound into a PDF: {0}")]
    Binding(String),
    /// Print and play is a feature that this program was built without.
    #[error(
        "this Parlor was built without print-and-play: use a package of it, or build it with `cargo build --release --features print`"
    )]
    LeftOut,
}

/// Where nothing can be printed.
#[cfg(not(feature = "pdf"))]
pub fn book(_: house::Kind, _: Paper) -> Result<Vec<u8>, PrintError> {
    Err(PrintError::LeftOut)
}
