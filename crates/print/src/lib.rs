//! Print and play: what one needs to make a game with scissors, glue and a printer. Nets of the dice with the faces of
//! the data files, boards, tiles, score sheets and a page of rules, as a vector PDF in real millimetres.
//!
//! ```
//! use house::Kind;
//! use print::Paper;
//!
//! let pdf = print::book(Kind::Cubo, Paper::A4)?;
//! assert!(pdf.starts_with(b"%PDF"));
//! # Ok::<(), print::PrintError>(())
//! ```

mod area;
mod chart;
mod contact;
mod cubo;
mod ink;
mod iqubes;
mod lettering;
mod net;
mod paper;
mod roulette;
mod rules;
mod scribbage;
mod sheet;

pub use area::Area;
pub use contact::{SQUARE, TILE};
pub use net::DIE;
pub use paper::Paper;

use house::Kind;
use sheet::Book;
use thiserror::Error;

/// Why there is no PDF.
#[derive(Debug, Error)]
pub enum PrintError {
    /// The PDF could not be put together.
    #[error("the pages could not be bound into a PDF: {0}")]
    Binding(String),
}

/// All pages of a game, as the bytes of a PDF.
pub fn book(game: Kind, paper: Paper) -> Result<Vec<u8>, PrintError> {
    let mut book = Book::open(game, paper);
    match game {
        Kind::IQubes => iqubes::pages(&mut book, &::iqubes::Set::standard()),
        Kind::Scribbage => scribbage::pages(&mut book, &::scribbage::Set::standard()),
        Kind::Contact => contact::pages(&mut book, &::contact::Set::default()),
        Kind::Cubo => cubo::pages(&mut book, &::cubo::Set::default()),
        Kind::Roulette => roulette::pages(&mut book, &::roulette::Set::standard()),
        #[allow(unreachable_patterns, reason = "a game may have no sheets of its own yet")]
        _ => rules::pages(&mut book, game),
    }
    book.bind()
}
