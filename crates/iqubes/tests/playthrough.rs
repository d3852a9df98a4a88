//! The game as a text that people can read: kept, compared, and written anew by `cargo xtask playthrough`.

use iqubes::{Options, bot};
use table::playthrough::{check, write};

#[test]
fn a_game_with_bidding_reads_as_it_was_kept() {
    let options = Options { rounds: 1, bidding: true, seconds: 60, ..Options::default() };
    let bots = vec![bot(1, 1), bot(2, 2), bot(3, 3)];
    check("playthroughs/iqubes.txt", &write(options, &["Ann", "Ben", "Cleo"], bots, 1948));
}
