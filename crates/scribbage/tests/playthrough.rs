//! The game as a text that people can read: kept, compared, and written anew by `cargo xtask playthrough`.

use scribbage::{Options, bot};
use table::playthrough::{check, write};

#[test]
fn a_game_of_partners_without_dictionary_reads_as_it_was_kept() {
    let options =
        Options { turns: Some(1), teams: 2, seconds: 120, words: words::WordsId::None, ..Options::default() };
    let bots = vec![bot(1, 1), bot(3, 2), bot(2, 3), bot(4, 4)];
    check("playthroughs/scribbage.txt", &write(options, &["Ann", "Ben", "Cleo", "Dan"], bots, 1963));
}
