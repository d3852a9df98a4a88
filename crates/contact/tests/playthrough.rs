//! Whole games by bots as readable text; a change of the rules shows itself here.

use contact::level::Kind;
use contact::{Contact, ContactBot, Options};
use table::{Bot, playthrough};

fn bots(count: u64) -> Vec<Box<dyn Bot<Contact>>> {
    // Players at random: these texts guard the rules, and must not change with every improvement of the engine.
    (0..count).map(|seed| Box::new(ContactBot::of(Kind::Random, seed)) as Box<dyn Bot<Contact>>).collect()
}

#[test]
fn two_players_with_six_tiles() {
    let text = playthrough::write::<Contact>(Options::default(), &["Ann", "Ben"], bots(2), 1);
    playthrough::check("tests/playthroughs/two.txt", &text);
}

#[test]
fn partners() {
    let options = Options { partners: true, ..Options::default() };
    let text = playthrough::write::<Contact>(options, &["Ann", "Ben", "Cid", "Dot"], bots(4), 2);
    playthrough::check("tests/playthroughs/partners.txt", &text);
}
