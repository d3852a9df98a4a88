//! Drawing the sheets of each game, and binding them into a PDF.

mod area;
mod chart;
mod contact;
mod cubo;
mod ink;
mod iqubes;
mod lettering;
mod net;
mod roulette;
mod rules;
mod scribbage;
mod sheet;

pub use area::Area;
pub use contact::{SQUARE, TILE};
pub use net::DIE;

use crate::{Paper, PrintError};
use house::Kind;
use sheet::Book;

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
