//! The conformance suite on a game that keeps every rule of the kernel.

mod pig;

use pig::{Act, Pig, Rules};
use table::conformance::Suite;
use table::{Luck, Seat};

struct PigSuite;

impl Suite for PigSuite {
    type Game = Pig;

    fn table(luck: &mut Luck) -> (Rules, u32) {
        (Rules { goal: 10 + luck.below(40) as u32, secretive: false }, 2 + luck.below(3) as u32)
    }

    fn any_act(_: &Pig, _: Seat, luck: &mut Luck) -> Option<Act> {
        Some(match luck.below(4) {
            0 => Act::Guess { score: luck.below(50) as u32 },
            1 => Act::Hold,
            _ => Act::Throw,
        })
    }

    fn disguise(game: &Pig, seat: Seat, luck: &mut Luck) -> Option<Pig> {
        let mut other = game.clone();
        let guess = &mut other.guesses[seat.index()];
        *guess = Some(guess.map_or(0, |guess| guess + 1 + luck.below(5) as u32));
        Some(other)
    }
}

table::conformance_suite!(PigSuite);

/// Pig that throws without a word.
struct Secretive;

impl Suite for Secretive {
    type Game = Pig;
    const CASES: u32 = 1;

    fn table(luck: &mut Luck) -> (Rules, u32) {
        let (rules, seats) = PigSuite::table(luck);
        (Rules { secretive: true, ..rules }, seats)
    }

    fn any_act(game: &Pig, seat: Seat, luck: &mut Luck) -> Option<Act> {
        PigSuite::any_act(game, seat, luck)
    }
}

#[test]
#[should_panic(expected = "throws dice without having said so")]
fn a_game_that_throws_without_having_said_so_fails() {
    table::conformance::dice_are_announced::<Secretive>();
}
