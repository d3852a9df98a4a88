//! A whole game from a fixed seed, as a text to read and to diff.

use roulette::{Banker, Options, Roulette, bot};
use table::{Seat, playthrough};

#[test]
fn the_playthrough_is_as_it_was() {
    let options = Options { bank: Banker::Seat(Seat(2)), throws: 6, ..Options::default() };
    let bots = vec![bot(1, 1), bot(3, 2), bot(4, 3), bot(5, 4)];
    let text = playthrough::write::<Roulette>(options, &["Ann", "Ben", "Cat", "Dan"], bots, 1932);
    playthrough::check("tests/playthrough.txt", &text);
}
