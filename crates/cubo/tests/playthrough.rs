//! One whole game, kept as a text: a change of rules, of dice or of bots shows itself there.

use cubo::{Cubo, Options};
use table::{Bot, playthrough};

#[test]
fn a_game_of_two_bots_goes_as_it_went() {
    let bots: Vec<Box<dyn Bot<Cubo>>> = vec![Box::new(cubo::bot(2, 1)), Box::new(cubo::bot(5, 2))];
    let text = playthrough::write::<Cubo>(Options::default(), &["Ann", "Ben"], bots, 2014);
    playthrough::check("tests/playthrough.txt", &text);
}
