//! Writes all ten books into a folder, for looking at: `cargo run -p print --example books -- FOLDER`.

use house::Kind;
use print::Paper;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "books".to_owned()));
    std::fs::create_dir_all(&folder)?;
    for game in Kind::ALL {
        for paper in Paper::ALL {
            std::fs::write(folder.join(format!("{}-{paper}.pdf", game.name())), print::book(game, paper)?)?;
        }
    }
    Ok(())
}
